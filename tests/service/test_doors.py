"""Who may come in, and what becomes of those who misbehave at the door or on the stream."""

from __future__ import annotations

import contextlib
import itertools
import random
import stat
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from euchre.v1 import play_pb2, referee_pb2, referee_pb2_grpc
from referee.rules import PRESETS, parse_variant
from referee.service import bridge
from referee.service.doors import AddressError, Tls, Tokens
from referee.service.outcome import FaultKind, GameEnd
from referee.service.policy import Policy, PolicyError
from referee.service.server import Referee, open_referee
from tests.service.harness import (
    BRISK,
    PATIENCE,
    Client,
    Playing,
    StreamEnded,
    at_random,
    reply,
    seat_clients,
    spec,
    with_referee,
)

Code = grpc.StatusCode


# -- hello -------------------------------------------------------------------------------------------


@with_referee()
async def test_another_protocol_version_is_refused_with_both_numbers(referee: Referee) -> None:
    """KT-34."""
    client = Client(referee.address, referee.admit("p0"))
    with pytest.raises(StreamEnded, match=r"version 99.*version 1.*do not retry") as refused:
        await client.open(play_pb2.Hello(protocol_version=99))
    assert refused.value.code is Code.FAILED_PRECONDITION
    await Client(referee.address, referee.admit("p1")).open()


@with_referee()
async def test_an_unknown_token_is_refused(referee: Referee) -> None:
    token = referee.admit("p0")
    for wrong in ("", "x", token + "0", token[:-1], token.swapcase(), "\udcff".encode("utf-8", "replace").decode()):
        with pytest.raises(StreamEnded) as refused:
            await Client(referee.address, wrong).open()
        assert refused.value.code is Code.UNAUTHENTICATED, wrong
        assert token.partition(".")[2] not in refused.value.details
    await Client(referee.address, token).open()


@with_referee()
async def test_a_second_stream_on_a_token_is_refused_and_the_first_lives_on(referee: Referee) -> None:
    token = referee.admit("p0")
    first = Client(referee.address, token)
    await first.open()
    with pytest.raises(StreamEnded) as refused:
        await Client(referee.address, token).open()
    assert refused.value.code is Code.ALREADY_EXISTS
    async with trio.open_nursery() as nursery:
        nursery.start_soon(first.play_honestly)
        assert (await referee.play(spec("standard", ["p0"] * 4))).faults == ()
        nursery.cancel_scope.cancel()


@with_referee()
async def test_a_dismissed_instance_is_told_why_and_its_token_is_worth_nothing(referee: Referee) -> None:
    token = referee.admit("p0")
    client = Client(referee.address, token)
    await client.open()
    ended: list[StreamEnded] = []

    async def watch() -> None:
        ended.append(await client.end())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        await referee.dismiss("p0", "thank you")
    assert client.goodbye == "thank you"
    assert ended[0].code is Code.OK, "the end of a stream is a handshake"
    assert referee.is_lost("p0")
    with pytest.raises(StreamEnded) as refused:
        await Client(referee.address, token).open()
    assert refused.value.code is Code.UNAUTHENTICATED
    await referee.dismiss("p0")


@with_referee()
async def test_a_bot_that_never_half_closes_does_not_hold_up_its_dismissal(referee: Referee) -> None:
    (client,) = await seat_clients(referee, 1)
    began = time.monotonic()
    await referee.dismiss("p0")
    assert time.monotonic() - began < 10.0
    assert referee.statistics()["streams"] == 0
    assert await drained(client) is not None


async def drained(client: Client) -> StreamEnded:
    """Read a stream to its end without ever half-closing."""
    try:
        while True:
            await client.frame()
    except StreamEnded as ended:
        return ended


BAD_FIRST_FRAMES = {
    "replies beside hello": play_pb2.BotFrame(
        hello=play_pb2.Hello(protocol_version=1), replies=[play_pb2.Reply()]
    ).SerializeToString(),
    "no hello": play_pb2.BotFrame(pong=play_pb2.Ping(nonce=1)).SerializeToString(),
    "empty frame": b"",
    "garbage": b"\xff\xff\xff\xff\xff",
    "half a frame": play_pb2.BotFrame(hello=play_pb2.Hello(name="x" * 50)).SerializeToString()[:-3],
    "long name": play_pb2.BotFrame(hello=play_pb2.Hello(protocol_version=1, name="x" * 65)).SerializeToString(),
    "line break in the name": play_pb2.BotFrame(
        hello=play_pb2.Hello(protocol_version=1, name="a\nb")
    ).SerializeToString(),
    "many variants": play_pb2.BotFrame(
        hello=play_pb2.Hello(protocol_version=1, variants=["x"] * 300)
    ).SerializeToString(),
}


@pytest.mark.parametrize("name", BAD_FIRST_FRAMES)
def test_a_first_frame_that_is_no_usable_hello_is_refused(name: str) -> None:
    @with_referee()
    async def run(referee: Referee) -> None:
        client = Client(referee.address, "")
        await client.open_without_hello()
        await client.send(BAD_FIRST_FRAMES[name])
        ended = await drained(client)
        assert ended.code is Code.INVALID_ARGUMENT
        assert len(ended.details) > 20

    run()


@with_referee(replace(BRISK, hello_seconds=0.05))
async def test_a_stream_without_hello_is_ended(referee: Referee) -> None:
    clients = [Client(referee.address, "") for _ in range(20)]
    for client in clients:
        await client.open_without_hello()
    for client in clients:
        ended = await drained(client)
        assert ended.code is Code.INVALID_ARGUMENT
        assert "no Hello within 0.05 s" in ended.details
    assert referee.statistics()["streams"] == 0


@with_referee()
async def test_half_close_before_hello_is_refused(referee: Referee) -> None:
    client = Client(referee.address, "")
    await client.open_without_hello()
    await client.half_close()
    assert (await drained(client)).code is Code.INVALID_ARGUMENT


@with_referee(replace(BRISK, max_streams=3))
async def test_more_streams_than_the_limit_are_refused_and_a_place_that_gets_free_is_given(referee: Referee) -> None:
    """KT-43: refused with the number, never a silent wait."""
    clients = await seat_clients(referee, 3)
    late = Client(referee.address, referee.admit("late"))
    with pytest.raises(StreamEnded, match="3 streams are open") as refused:
        await late.open()
    assert refused.value.code is Code.RESOURCE_EXHAUSTED
    await clients[0].vanish()
    while True:
        try:
            await late.open()
        except StreamEnded as ended:
            if ended.code is not Code.RESOURCE_EXHAUSTED:
                raise
        else:
            break


@with_referee(replace(BRISK, max_new_streams_per_second=5))
async def test_a_flood_of_new_streams_is_refused(referee: Referee) -> None:
    codes = set()
    for _ in range(8):
        client = Client(referee.address, "wrong")
        try:
            await client.open()
        except StreamEnded as ended:
            codes.add(ended.code)
    assert codes == {Code.UNAUTHENTICATED, Code.RESOURCE_EXHAUSTED}


# -- on the stream -----------------------------------------------------------------------------------


HOSTILE: dict[str, tuple[list[bytes], grpc.StatusCode, str]] = {
    "garbage": ([b"\xff\xff\xff"], Code.INVALID_ARGUMENT, "no euchre.v1.BotFrame"),
    "a second hello": (
        [play_pb2.BotFrame(hello=play_pb2.Hello(protocol_version=1)).SerializeToString()],
        Code.INVALID_ARGUMENT,
        "hello may be said once",
    ),
    "a giant frame": (
        [play_pb2.BotFrame(replies=[play_pb2.Reply(note="x" * 100_000)]).SerializeToString()],
        Code.RESOURCE_EXHAUSTED,
        "",
    ),
    "too many replies": (
        [play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=7)] * 101).SerializeToString()],
        Code.RESOURCE_EXHAUSTED,
        "101 replies in one frame, the limit is 100",
    ),
    "a flood of empty frames": ([b""] * 60, Code.RESOURCE_EXHAUSTED, "more than 50 frames or replies a second"),
    "a flood of stale replies": (
        [play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=7)] * 60).SerializeToString()],
        Code.RESOURCE_EXHAUSTED,
        "more than 50 frames or replies a second",
    ),
    "a flood of pongs": (
        [play_pb2.BotFrame(pong=play_pb2.Ping(nonce=n)).SerializeToString() for n in range(60, 120)],
        Code.RESOURCE_EXHAUSTED,
        "more than 50",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_stream_is_ended_with_a_sentence_and_touches_nobody_else(name: str) -> None:
    frames, code, sentence = HOSTILE[name]
    policy = replace(
        BRISK, max_frame_bytes=65_536, max_replies_per_frame=100, max_stray_frames_per_second=50, grace_seconds=5.0
    )

    @with_referee(policy)
    async def run(referee: Referee) -> None:
        honest = await seat_clients(referee, 4)
        hostile = Client(referee.address, referee.admit("hostile"))
        await hostile.open()
        async with trio.open_nursery() as nursery:
            playing = await Playing(referee, spec("standard", plays_game=True), honest).run(nursery)
            try:
                for frame in frames:
                    await hostile.send(frame)
            except StreamEnded:
                pass
            ended = await drained(hostile)
            result = await playing.result()
            nursery.cancel_scope.cancel()
        assert ended.code is code, ended
        assert sentence in ended.details
        assert result.end is GameEnd.RULES
        assert result.faults == ()

    run()


@with_referee(
    Policy(
        decision_seconds=0.1,
        allowance_seconds=0.05,
        max_unread_bytes=1 << 14,
        strikes=1000,
        grace_seconds=0.1,
        goodbye_seconds=0.1,
    )
)
async def test_a_reader_that_never_reads_loses_its_time_and_nobody_elses(referee: Referee) -> None:
    """KT-47: nothing is gained by stalling, its queue is bounded, the others are asked in time."""
    honest = await seat_clients(referee, 3)
    options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    deaf = Client(referee.address, referee.admit("deaf"), options=options)
    await deaf.open()
    gaps: list[float] = []

    def note_gap(request: play_pb2.DecisionRequest) -> int:
        gaps.append(time.monotonic())
        return 0

    async with trio.open_nursery() as nursery:
        for client in honest:
            nursery.start_soon(client.play_honestly, note_gap)
        async with trio.open_nursery() as tables:
            for number in range(60):
                seats = ["p0", "deaf", "p1", "p2"]
                tables.start_soon(referee.play, spec("standard", seats, match=f"m{number}"))
        nursery.cancel_scope.cancel()
    # Every one of its decisions timed out on its own clock: 60 boards of at most 8 questions of 0.15 s.
    assert max(later - earlier for earlier, later in itertools.pairwise(gaps)) < 5.0


@with_referee(replace(BRISK, ping_seconds=0.1, grace_seconds=0.1))
async def test_a_stream_that_vanishes_silently_is_found_by_a_ping(referee: Referee) -> None:
    """KT-42: it answers no ping and says nothing."""
    (client,) = await seat_clients(referee, 1)
    client.answers_pings = False
    began = time.monotonic()
    ended = await drained(client)
    assert ended.code is Code.UNAVAILABLE
    assert "not even the answer to a ping" in ended.details
    assert time.monotonic() - began < 10.0
    await referee.wait_lost("p0")


@with_referee(replace(BRISK, ping_seconds=0.05))
async def test_a_bot_that_thinks_need_not_answer_pings(referee: Referee) -> None:
    (client,) = await seat_clients(referee, 1)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", ["p0"] * 4)).run(nursery)
        request = await client.request()
        await trio.sleep(0.4)  # the bot thinks, and reads nothing
        await client.answer(request)
        nursery.start_soon(client.play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert result.faults == ()


@with_referee(replace(BRISK, ping_seconds=0.05))
async def test_an_idle_bot_that_answers_pings_stays(referee: Referee) -> None:
    (client,) = await seat_clients(referee, 1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.play_honestly)
        await trio.sleep(0.5)
        assert referee.statistics()["streams"] == 1
        nursery.cancel_scope.cancel()
    pings = sum(play_pb2.RefereeFrame.FromString(frame).HasField("ping") for frame in client.frames)
    assert pings > 3


@with_referee()
async def test_frequent_keepalive_of_a_bot_annoys_nobody(referee: Referee) -> None:
    """KT-44."""
    options = [
        ("grpc.keepalive_time_ms", 50),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.http2.min_time_between_pings_ms", 50),
    ]
    client = Client(referee.address, referee.admit("p0"), options=options)
    await client.open()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.play_honestly)
        await trio.sleep(0.6)  # a dozen pings
        assert (await referee.play(spec("standard", ["p0"] * 4))).faults == ()
        nursery.cancel_scope.cancel()


@with_referee(replace(BRISK, max_stray_frames_per_second=100_000, strikes=10_000, grace_seconds=0.02))
async def test_frames_of_random_bytes_disturb_no_other_table(referee: Referee) -> None:
    """A short fuzzing run; the seed is fixed, so a failure comes again."""
    rng = random.Random(20240607)
    honest = await seat_clients(referee, 4)
    mutated = 0

    async def fuzz(name: str) -> None:
        client = Client(referee.address, referee.admit(name))
        await client.open()
        async with trio.open_nursery() as games:
            games.start_soon(send_mutated, client)
            await referee.play(spec("standard", [name] * 4, plays_game=True))
            games.cancel_scope.cancel()

    async def send_mutated(client: Client) -> None:
        nonlocal mutated
        with contextlib.suppress(StreamEnded):
            while True:
                request = await client.request()
                data = bytearray(play_pb2.BotFrame(replies=[reply(request, rng.randrange(4))]).SerializeToString())
                for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 8))):
                    data[rng.randrange(len(data))] = rng.randrange(256)
                    mutated += 1
                await client.send(bytes(data))
                await client.answer(request)

    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", plays_game=True), honest).run(nursery)
        for number in range(25):
            await fuzz(f"fuzz{number}")
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert mutated > 25
    assert result.faults == ()


def test_idle_connections_and_garbage_on_the_socket_disturb_nobody() -> None:
    async def main() -> None:
        async with open_referee("127.0.0.1:0", BRISK) as referee:
            port = int(referee.address.rpartition(":")[2])
            clients = await seat_clients(referee, 2)
            async with contextlib.AsyncExitStack() as stack:
                for number in range(200):
                    connection = await trio.open_tcp_stream("127.0.0.1", port)
                    stack.push_async_callback(connection.aclose)
                    if number % 2:
                        with contextlib.suppress(trio.BrokenResourceError):
                            await connection.send_all(bytes(range(256)) if number % 3 else b"GET / HTTP/1.1\r\n\r\n")
                async with trio.open_nursery() as nursery:
                    for seed, client in enumerate(clients):
                        nursery.start_soon(client.play_honestly, at_random(seed))
                    result = await referee.play(spec("two-handed", ["p0", "p1"], plays_game=True))
                    nursery.cancel_scope.cancel()
            assert result.end is GameEnd.RULES
            assert result.faults == ()
            assert referee.statistics()["streams"] <= 2

    bridge.run(main)


@with_referee(Policy(decision_seconds=0.5, grace_seconds=0.1, goodbye_seconds=0.1))
async def test_honest_tables_get_no_strike_beside_misbehaving_ones(referee: Referee) -> None:
    """One stream in four misbehaves: dies, floods, answers nonsense, or sleeps."""
    rng = random.Random(4)
    honest_results = []

    async def honest_group(number: int) -> None:
        clients = await seat_clients(referee, 2, f"h{number}.")
        async with trio.open_nursery() as nursery:
            for seed, client in enumerate(clients):
                nursery.start_soon(client.play_honestly, at_random(seed))
            for board in range(4):
                seats = [f"h{number}.0", f"h{number}.1"]
                honest_results.append(await referee.play(spec("two-handed", seats, first_board=board)))
            nursery.cancel_scope.cancel()

    async def bad(number: int) -> None:
        name = f"bad{number}"
        client = Client(referee.address, referee.admit(name))
        await client.open()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(misbehave, client, number)
            result = await referee.play(spec("two-handed", [name, name], plays_game=True))
            assert result.end is GameEnd.FORFEIT
            nursery.cancel_scope.cancel()

    async def misbehave(client: Client, number: int) -> None:
        request = await client.request()
        with contextlib.suppress(StreamEnded):
            match number % 4:
                case 0:
                    await client.vanish()
                case 1:
                    while True:
                        await client.send(play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=99)] * 500))
                case 2:
                    while True:
                        await client.answer(request, option=1000 + rng.randrange(1000))
                        request = await client.request()

    async with trio.open_nursery() as nursery:
        for number in range(12):
            nursery.start_soon(honest_group, number)
            if number % 3 == 0:
                nursery.start_soon(bad, number // 3)
    assert len(honest_results) == 48
    assert all(result.faults == () for result in honest_results)


# -- doors -------------------------------------------------------------------------------------------


def test_tokens_are_kept_as_hashes_and_revoked_with_their_instance() -> None:
    tokens = Tokens()
    first, second = tokens.issue("a"), tokens.issue("b")
    assert first.replace(".", "").isalnum()
    assert (tokens.instance(first), tokens.instance(second), tokens.instance("a.b")) == ("a", "b", None)
    kept = repr(vars(tokens))
    assert first.partition(".")[2] not in kept
    tokens.revoke("a")
    assert (tokens.instance(first), tokens.instance(second)) == (None, "b")


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("nonsense", "is no address"),
        ("localhost:x", "is no address"),
        ("localhost:70000", "is no address"),
        ("unix:relative", "must be absolute"),
        ("unix:/nowhere/at/all/socket", "there is no folder /nowhere/at/all"),
        ("unix:/" + "x" * 200, "at most 107 bytes"),
        ("192.0.2.1:1", "cannot listen on 192.0.2.1:1"),
    ],
)
def test_an_address_that_cannot_be_listened_on_gets_one_clear_line(address: str, complaint: str) -> None:
    async def main() -> None:
        async with open_referee(address):
            raise AssertionError("listens")

    with pytest.raises(AddressError, match=complaint) as refused:
        bridge.run(main)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "setting",
    [{"decision_seconds": 0}, {"strikes": 0}, {"grace_seconds": -1}, {"strikes": True}, {"max_frame_bytes": 5}],
)
def test_a_policy_out_of_bounds_is_refused_with_its_name(setting: dict[str, Any]) -> None:
    with pytest.raises(PolicyError, match=next(iter(setting))):
        Policy(**setting)


@pytest.mark.parametrize("mode", [0o600, 0o660])
def test_the_socket_has_the_permissions_of_the_policy(tmp_path: Path, mode: int) -> None:
    async def main() -> None:
        path = tmp_path / "s"
        async with open_referee(f"unix:{path}", Policy(socket_mode=mode)):
            found.append(stat.S_IMODE(path.stat().st_mode))

    found: list[int] = []
    bridge.run(main)
    assert found == [mode]


def test_a_port_of_zero_becomes_the_one_that_was_bound() -> None:
    async def main() -> None:
        async with open_referee("127.0.0.1:0", BRISK) as referee:
            host, _, port = referee.address.rpartition(":")
            assert (host, port != "0") == ("127.0.0.1", True)
            await Client(referee.address, referee.admit("p")).open()

    bridge.run(main)


@pytest.mark.parametrize("client_must_show", [False, True])
def test_tls_with_and_without_a_client_certificate(certificates: Path, client_must_show: bool) -> None:
    tls = Tls.from_files(
        certificates / "server.pem",
        certificates / "server.key",
        certificates / "client.pem" if client_must_show else None,
    )
    roots = (certificates / "server.pem").read_bytes()
    shown = {
        "private_key": (certificates / "client.key").read_bytes(),
        "certificate_chain": (certificates / "client.pem").read_bytes(),
    }

    async def list_variants(address: str, credentials: grpc.ChannelCredentials) -> int:
        async with grpc.aio.secure_channel(address, credentials) as channel:
            return len((await _stub(channel).ListVariants(referee_pb2.ListVariantsRequest(), timeout=5)).variants)

    async def main() -> None:
        async with open_referee("127.0.0.1:0", BRISK, tls=tls) as referee:
            address = referee.address.replace("127.0.0.1", "localhost")
            with_own = grpc.ssl_channel_credentials(root_certificates=roots, **shown)
            assert await bridge.on_host(list_variants(address, with_own)) == len(PRESETS)
            without = grpc.ssl_channel_credentials(root_certificates=roots)
            if client_must_show:
                with pytest.raises(grpc.aio.AioRpcError):
                    await bridge.on_host(list_variants(address, without))
            else:
                assert await bridge.on_host(list_variants(address, without)) == len(PRESETS)

    bridge.run(main)


def test_a_missing_certificate_gets_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(AddressError, match="cannot read a certificate"):
        Tls.from_files(tmp_path / "none", tmp_path / "none")


# -- the other methods -------------------------------------------------------------------------------


def _stub(channel: Any) -> Any:
    return referee_pb2_grpc.RefereeServiceStub(channel)  # type: ignore[no-untyped-call]


async def call(address: str, work: Any) -> Any:
    async def run() -> Any:
        async with grpc.aio.insecure_channel(address) as channel:
            return await work(channel)

    return await bridge.on_host(run())


@with_referee()
async def test_variants_are_listed_and_described_as_data(referee: Referee) -> None:
    listed = await call(
        referee.address,
        lambda channel: _stub(channel).ListVariants(referee_pb2.ListVariantsRequest()),
    )
    assert [summary.id for summary in listed.variants] == list(PRESETS)

    async def describe(text: str) -> Any:
        request = referee_pb2.DescribeVariantRequest(variant=text)
        return await call(referee.address, lambda channel: _stub(channel).DescribeVariant(request))

    described = (await describe("standard(target=11, stick_dealer=off)")).variant
    assert described.id == parse_variant("standard(target=11,stick_dealer=off)").id
    assert described.target == 11
    for text, code, words in (
        ("standrad", Code.NOT_FOUND, "did you mean 'standard'"),
        ("", Code.NOT_FOUND, "variant"),
        ("standard(targte=11)", Code.INVALID_ARGUMENT, "did you mean 'target'"),
        ("standard(target=-1)", Code.INVALID_ARGUMENT, "target cannot be '-1'"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await describe(text)
        assert refused.value.code() is code
        assert words in (refused.value.details() or "")


@with_referee()
async def test_health_and_reflection_answer(referee: Referee) -> None:
    async def health(channel: Any) -> Any:
        return await health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(service="euchre.v1.RefereeService")
        )

    async def reflect(channel: Any) -> list[str]:
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        stream = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([request]))
        return [service.name async for answer in stream for service in answer.list_services_response.service]

    assert (await call(referee.address, health)).status == health_pb2.HealthCheckResponse.SERVING
    assert "euchre.v1.RefereeService" in await call(referee.address, reflect)
    await referee.drain(1.0)
    assert (await call(referee.address, health)).status == health_pb2.HealthCheckResponse.NOT_SERVING
    with pytest.raises(StreamEnded, match="closing"):
        await Client(referee.address, referee.admit("late")).open()


def test_closing_the_referee_tells_every_stream_and_stops_its_games() -> None:
    clients: list[Client] = []
    ended: list[StreamEnded] = []

    async def watch(client: Client) -> None:
        ended.append(await client.end())

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            with trio.fail_after(PATIENCE):
                async with open_referee("127.0.0.1:0", replace(BRISK, goodbye_seconds=1.0)) as referee:
                    clients.extend(await seat_clients(referee, 4))
                    async with trio.open_nursery() as games:
                        playing = await Playing(referee, spec()).run(games)
                        await clients[1].request()
                        for client in clients:
                            nursery.start_soon(watch, client)
                        del playing
                        games.cancel_scope.cancel()

    bridge.run(main)
    assert [end.code for end in ended] == [Code.OK] * 4
    for client in clients:
        assert client.goodbye == "the referee is closing"
        assert [int(notice.game_ended.end) for notice in client.notices if notice.HasField("game_ended")] == [
            GameEnd.STOPPED
        ]


def test_a_fault_kind_and_a_game_end_have_the_numbers_of_the_wire() -> None:
    wire_faults = {name.removeprefix("FAULT_KIND_"): number for name, number in play_pb2.FaultKind.items() if number}
    assert {kind.name: int(kind) for kind in FaultKind} == wire_faults
    wire_ends = {name.removeprefix("GAME_END_"): number for name, number in play_pb2.GameEnd.items() if number}
    assert {end.name: int(end) for end in GameEnd} == wire_ends
