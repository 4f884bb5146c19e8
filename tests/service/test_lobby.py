"""The lobby: who may come in, who gets which seat, who comes back to it, and how it closes."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from euchre.v1 import play_pb2, referee_pb2, referee_pb2_grpc
from referee.rules import PRESETS
from referee.service import bridge, lobby
from referee.service.doors import Tls
from referee.service.entrants import Entrants, TokenFileError
from referee.service.lobby import Attendance, Lobby, Offer, open_lobby
from referee.service.outcome import FaultKind, GameEnd
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from tests.service.harness import BRISK, PATIENCE, Client, Playing, StreamEnded, at_random, reply, spec

Code = grpc.StatusCode
NOBODY = "0.0"
"""A token that no table knows."""


class House:
    """A lobby, a referee with tables, and the tokens of ann and bob."""

    def __init__(self, entrants: Entrants, lobby: Lobby, referee: Referee) -> None:
        self.entrants = entrants
        self.lobby = lobby
        self.referee = referee
        self.tokens = {name: entrants.new_token(name) for name in ("ann", "bob")}

    def client(self, name: str, label: str = "") -> Client:
        """Return a copy of an entrant's bot that has not dialled yet."""
        return Client(self.lobby.address, self.tokens[name] + (f"+{label}" if label else ""))

    def offer(self, instance: str, entrant: str) -> None:
        """Admit an instance at the tables, and have a seat for it in the lobby."""
        token = self.referee.admit(instance)
        self.lobby.offer(Offer(id=instance, entrant=entrant, address=self.referee.address, token=token))

    def of(self, entrant: str) -> Attendance:
        """Return who is here of an entrant."""
        return next(one for one in self.lobby.attendance() if one.entrant == entrant)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something in the lobby is so."""
        while not is_so():
            await self.lobby._changed.wait()

    async def waiting(self, entrant: str, count: int) -> None:
        await self.until(lambda: self.of(entrant).waiting == count)


def with_house(
    policy: Policy = BRISK, **options: Any
) -> Callable[[Callable[[House], Awaitable[None]]], Callable[[], None]]:
    """Run a test with a lobby on a port of this machine and a referee behind it."""

    def decorate(test: Callable[[House], Awaitable[None]]) -> Callable[[], None]:
        @functools.wraps(test)
        def run() -> None:
            async def main() -> None:
                with TemporaryDirectory() as folder, trio.fail_after(PATIENCE):
                    entrants = Entrants(Path(folder) / "tokens.json")
                    async with (
                        open_referee(f"unix:{folder}/referee", policy) as referee,
                        open_lobby("127.0.0.1:0", entrants, policy, **options) as lobby,
                    ):
                        await test(House(entrants, lobby, referee))

            bridge.run(main)

        del run.__wrapped__  # pytest must not look for a fixture named house
        return run

    return decorate


async def refusal(client: Client, hello: play_pb2.Hello | None = None) -> StreamEnded:
    with pytest.raises(StreamEnded) as refused:
        await client.open(hello)
    return refused.value


# -- tokens ------------------------------------------------------------------------------------------


@with_house()
async def test_whoever_has_no_token_is_refused_with_a_sentence(house: House) -> None:
    token = house.tokens["bob"]
    for wrong in ("", "x", token + "0", token[:-1], token.swapcase(), "+1", f"{token}0+1"):
        ended = await refusal(Client(house.lobby.address, wrong))
        assert ended.code is Code.UNAUTHENTICATED, wrong
        assert "token" in ended.details
        assert token.partition(".")[2] not in ended.details
    assert house.lobby.refused.total() == 7
    assert house.of("bob") == Attendance(entrant="bob")


@with_house()
async def test_nobody_gets_the_seat_of_another_entrant(house: House) -> None:
    house.offer("p0", "ann")
    bob, ann = house.client("bob"), house.client("ann")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bob.open)
        await house.waiting("bob", 1)
        await ann.open()
        assert house.of("bob").waiting == 1
        assert (house.of("ann").playing, house.of("ann").wanted) == (1, 0)
        nursery.cancel_scope.cancel()


@with_house(allowed=frozenset({"ann"}))
async def test_an_entrant_who_is_not_on_the_list_is_refused_though_his_token_is_good(house: House) -> None:
    assert house.lobby.names == ("ann",)
    assert (await refusal(house.client("bob"))).code is Code.UNAUTHENTICATED


@with_house()
async def test_a_new_token_works_at_once_and_the_old_one_no_more(house: House) -> None:
    old = house.client("bob")
    elsewhere = Entrants(house.entrants.path)  # another process
    house.tokens["bob"] = elsewhere.new_token("bob")
    assert (await refusal(old)).code is Code.UNAUTHENTICATED
    house.offer("p0", "bob")
    await house.client("bob").open()
    assert elsewhere.revoke("bob")
    assert not elsewhere.revoke("bob")
    assert (await refusal(house.client("bob"))).code is Code.UNAUTHENTICATED


def test_the_file_of_tokens_is_private_and_holds_no_token(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    token = Entrants(path).new_token("bob")
    assert path.stat().st_mode & 0o777 == 0o600
    assert token.partition(".")[2] not in path.read_text()
    again = Entrants(path)
    assert (again.names, again.entrant(token), again.entrant(token + "0")) == (("bob",), "bob", None)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"entrants": {"bob": {"key": "1"}}}', '{"entrants": {"bob": 3}}', '{"entrants": 3}']
)
def test_a_spoilt_file_of_tokens_is_refused_and_one_that_is_being_spoilt_changes_nothing(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "tokens.json"
    entrants = Entrants(path)
    token = entrants.new_token("bob")
    path.write_text(text)
    assert entrants.entrant(token) == "bob"
    with pytest.raises(TokenFileError, match=r"tokens\.json"):
        Entrants(path)


def test_a_hash_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    Entrants(path).new_token("bob")
    held = json.loads(path.read_text())
    held["entrants"]["bob"]["sha256"] = held["entrants"]["bob"]["sha256"][:-2]
    path.write_text(json.dumps(held))
    with pytest.raises(TokenFileError, match="cut short"):
        Entrants(path)


# -- seats -------------------------------------------------------------------------------------------


@with_house()
async def test_a_game_is_played_through_the_lobby_and_ends_with_a_handshake(house: House) -> None:
    ends: list[StreamEnded] = []
    async with trio.open_nursery() as nursery:
        for number in range(4):
            client = house.client("ann" if number % 2 else "bob", str(number))

            async def be(client: Client = client, number: int = number) -> None:
                await client.open()
                ends.append(await client.play_honestly(at_random(number)))

            nursery.start_soon(be)
        await house.until(lambda: house.of("ann").waiting == house.of("bob").waiting == 2)
        for seat in range(4):
            house.offer(f"p{seat}", "ann" if seat % 2 else "bob")
            await house.referee.wait_ready(f"p{seat}")
        result = await house.referee.play(spec(plays_game=True))
        for seat in range(4):
            await house.referee.dismiss(f"p{seat}")
    assert (result.end, result.faults) == (GameEnd.RULES, ())
    assert [end.code for end in ends] == [Code.OK] * 4
    assert house.lobby.stream_count == 0
    assert all((one.waiting, one.playing, one.wanted) == (0, 0, 0) for one in house.lobby.attendance())


@with_house()
async def test_whoever_waits_longest_is_seated_first(house: House) -> None:
    clients = [house.client("bob", name) for name in ("first", "second")]
    seated: list[int] = []

    async def be(number: int) -> None:
        await clients[number].open()
        seated.append(number)

    async with trio.open_nursery() as nursery:
        for number in range(2):
            nursery.start_soon(be, number)
            await house.waiting("bob", number + 1)
        house.offer("p0", "bob")
        await house.referee.wait_ready("p0")
        await house.until(lambda: house.of("bob").playing == 1)
        while not seated:
            await trio.lowlevel.checkpoint()
        assert seated == [0]
        nursery.cancel_scope.cancel()


@with_house()
async def test_a_copy_that_lost_its_line_comes_back_to_its_own_seat_and_is_asked_again_byte_for_byte(
    house: House,
) -> None:
    house.offer("p0", "bob")
    first = house.client("bob", "x")
    await first.open()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(house.client("bob", "spare").open)
        await house.waiting("bob", 1)
        playing = await Playing(house.referee, spec("standard", ["p0"] * 4)).run(nursery)
        asked = await first.request()
        await first.vanish()
        again = house.client("bob", "x")
        await again.open()
        assert house.of("bob").waiting == 1, "the spare has not been given the seat"
        assert await again.request() == asked
        await again.answer(asked)
        nursery.start_soon(again.play_honestly)
        result = await playing.result()
        assert [fault.kind for fault in result.faults] == [FaultKind.DISCONNECT]
        assert result.forfeited == ()
        nursery.cancel_scope.cancel()


@with_house(replace(BRISK, grace_seconds=PATIENCE))
async def test_a_copy_that_closes_its_side_before_goodbye_has_left_its_seat_and_can_come_back(house: House) -> None:
    """What a process leaves behind that dies may look so to whoever reads before he hears of the broken line."""
    house.offer("p0", "bob")
    for _ in range(2):
        idle = house.client("bob", "x")
        await idle.open()
        await idle.half_close()
        assert (await idle.end()).code is Code.UNAVAILABLE
        await house.until(lambda: house.of("bob").wanted == 1)
    first = house.client("bob", "x")
    await first.open()
    async with trio.open_nursery() as nursery:
        playing = await Playing(house.referee, spec("standard", ["p0"] * 4)).run(nursery)
        asked = await first.request()
        await first.half_close()
        assert (await first.end()).code is Code.UNAVAILABLE
        again = house.client("bob", "x")
        await again.open()
        assert await again.request() == asked
        await again.answer(asked)
        nursery.start_soon(again.play_honestly)
        assert (await playing.result()).forfeited == ()
        nursery.cancel_scope.cancel()


def test_a_seat_whose_copy_stays_away_is_taken_by_another_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "TAKEOVER_SECONDS", 0.05)

    @with_house(replace(BRISK, grace_seconds=PATIENCE))
    async def play(house: House) -> None:
        house.offer("p0", "bob")
        first, spare = house.client("bob", "x"), house.client("bob", "spare")
        await first.open()
        async with trio.open_nursery() as nursery:
            playing = await Playing(house.referee, spec("standard", ["p0"] * 4)).run(nursery)
            asked = await first.request()
            await first.vanish()
            await spare.open()
            assert await spare.request() == asked
            await spare.answer(asked)
            nursery.start_soon(spare.play_honestly)
            assert (await playing.result()).forfeited == ()
            nursery.cancel_scope.cancel()

    play()


@with_house()
async def test_a_copy_without_a_label_comes_back_to_the_seat_that_is_empty(house: House) -> None:
    house.offer("p0", "bob")
    first = house.client("bob")
    await first.open()
    await first.vanish()
    await house.until(lambda: house.of("bob").wanted == 1)
    await house.client("bob").open()
    assert house.of("bob").playing == 1


@with_house()
async def test_a_seat_that_the_table_has_given_up_is_passed_over(house: House) -> None:
    address = house.referee.address
    house.lobby.offer(Offer(id="dead", entrant="bob", address=address, token=NOBODY))
    house.lobby.offer(Offer(id="nobody", entrant="bob", address=address + "-not-there", token=NOBODY))
    house.offer("p0", "bob")
    await house.client("bob", "x").open()
    assert (house.of("bob").playing, house.of("bob").wanted) == (1, 0)
    assert (await house.referee.wait_ready("p0")).name == "scripted"


@with_house()
async def test_the_same_label_twice_is_refused_at_the_table_and_the_first_lives_on(house: House) -> None:
    house.offer("p0", "bob")
    first = house.client("bob", "x")
    await first.open()
    ended = await refusal(house.client("bob", "x"))
    assert ended.code is Code.ALREADY_EXISTS
    async with trio.open_nursery() as nursery:
        nursery.start_soon(first.play_honestly)
        assert (await house.referee.play(spec("standard", ["p0"] * 4))).faults == ()
        assert house.of("bob").wanted == 0
        nursery.cancel_scope.cancel()


@with_house()
async def test_a_withdrawn_seat_is_given_to_nobody(house: House) -> None:
    house.offer("p0", "bob")
    house.lobby.withdraw("p0")
    house.lobby.withdraw("p0")
    client = house.client("bob")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.open)
        await house.waiting("bob", 1)
        nursery.cancel_scope.cancel()
    await client.vanish()
    await house.until(lambda: house.lobby.stream_count == 0)
    assert house.of("bob").waiting == 0
    seat = Offer(id="p1", entrant="bob", address=house.referee.address, token=NOBODY)
    house.lobby.offer(seat)
    with pytest.raises(ValueError, match="already"):
        house.lobby.offer(seat)


@with_house()
async def test_a_seat_offered_anew_is_kept_for_the_copy_that_had_it(house: House) -> None:
    """The lobby was closed and opened again while a game went on."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(house.client("bob", "spare").open)
        await house.waiting("bob", 1)
        token = house.referee.admit("p0")
        seated: list[str] = []
        house.lobby.offer(
            Offer(id="p0", entrant="bob", address=house.referee.address, token=token, label="x"), seated.append
        )
        assert house.of("bob").waiting == 1
        await house.client("bob", "x").open()
        assert seated == ["x"]
        nursery.cancel_scope.cancel()


# -- at the door -------------------------------------------------------------------------------------


@with_house()
async def test_a_frame_before_welcome_ends_the_stream(house: House) -> None:
    client = house.client("bob")
    await client.open_without_hello()
    hello = play_pb2.Hello(protocol_version=1, name="b", token=house.tokens["bob"])
    await client.send(play_pb2.BotFrame(hello=hello))
    await house.waiting("bob", 1)
    await client.send(play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=1, option=0)]))
    ended = await client.end()
    assert (ended.code, "before Welcome" in ended.details) == (Code.INVALID_ARGUMENT, True)
    assert house.of("bob").waiting == 0


@with_house()
async def test_a_bot_that_closes_its_side_while_it_waits_leaves_the_lobby(house: House) -> None:
    client = house.client("bob")
    await client.open_without_hello()
    hello = play_pb2.Hello(protocol_version=1, name="b", token=house.tokens["bob"])
    await client.send(play_pb2.BotFrame(hello=hello))
    await house.waiting("bob", 1)
    await client.half_close()
    assert (await client.end()).code is Code.OK
    await house.until(lambda: house.lobby.stream_count == 0)
    house.offer("p0", "bob")
    assert house.of("bob").wanted == 1


@with_house(replace(BRISK, hello_seconds=0.05))
async def test_what_is_no_hello_is_refused(house: House) -> None:
    silent = house.client("bob")
    await silent.open_without_hello()
    assert "no Hello within" in (await silent.end()).details
    garbage = house.client("bob")
    await garbage.open_without_hello()
    await garbage.send(b"\xff\xff\xff")
    assert "no euchre.v1.BotFrame" in (await garbage.end()).details
    older = await refusal(house.client("bob"), play_pb2.Hello(protocol_version=7))
    assert older.code is Code.FAILED_PRECONDITION
    long = await refusal(Client(house.lobby.address, f"{house.tokens['bob']}+{'x' * 100}"))
    assert (long.code, "label" in long.details) == (Code.INVALID_ARGUMENT, True)
    await house.until(lambda: house.lobby.stream_count == 0)


@with_house(replace(BRISK, max_frame_bytes=4096))
async def test_a_giant_frame_ends_its_stream_and_no_other(house: House) -> None:
    house.offer("p0", "bob")
    good = house.client("bob", "x")
    await good.open()
    giant = play_pb2.Hello(protocol_version=1, name="b", variants=["x" * 100] * 100)
    assert (await refusal(house.client("ann"), giant)).code is Code.RESOURCE_EXHAUSTED
    async with trio.open_nursery() as nursery:
        nursery.start_soon(good.play_honestly)
        assert (await house.referee.play(spec("standard", ["p0"] * 4))).faults == ()
        nursery.cancel_scope.cancel()


def test_only_so_many_copies_of_an_entrant_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MOST_WAITING", 2)

    @with_house()
    async def crowd(house: House) -> None:
        async with trio.open_nursery() as nursery:
            for _ in range(2):
                nursery.start_soon(house.client("bob").open)
            await house.waiting("bob", 2)
            ended = await refusal(house.client("bob"))
            assert (ended.code, "2 copies of bob" in ended.details) == (Code.RESOURCE_EXHAUSTED, True)
            nursery.start_soon(house.client("ann").open)
            await house.waiting("ann", 1)
            nursery.cancel_scope.cancel()

    crowd()


@with_house(replace(BRISK, max_streams=1))
async def test_more_streams_than_the_policy_allows_are_refused(house: House) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(house.client("bob").open)
        await house.waiting("bob", 1)
        assert (await refusal(house.client("ann"))).code is Code.RESOURCE_EXHAUSTED
        nursery.cancel_scope.cancel()


@with_house()
async def test_a_flood_at_the_table_ends_the_stream_with_the_status_of_the_table(house: House) -> None:
    house.offer("p0", "bob")
    client = house.client("bob", "x")
    await client.open()
    strays = [play_pb2.Reply(decision_id=99, option=0)] * (2 * BRISK.max_stray_frames_per_second)
    await client.send(play_pb2.BotFrame(replies=strays))
    ended = await client.end()
    assert (ended.code, "answer nothing" in ended.details) == (Code.RESOURCE_EXHAUSTED, True)
    await house.until(lambda: house.of("bob").playing == 0)
    assert house.of("bob").wanted == 1


# -- standard services, TLS, closing -----------------------------------------------------------------


async def call(address: str, function: Callable[[Any], Awaitable[Any]], **options: Any) -> Any:
    async def go() -> Any:
        async with grpc.aio.insecure_channel(address) as channel:
            return await function(channel, **options)

    return await bridge.on_host(go())


async def health(channel: Any) -> int:
    stub = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service="euchre.v1.RefereeService"), timeout=5)
    return int(answer.status)


async def services(channel: Any) -> list[str]:
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    stream = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([request]))
    return [service.name async for answer in stream for service in answer.list_services_response.service]


async def variants(channel: Any) -> int:
    stub = referee_pb2_grpc.RefereeServiceStub(channel)  # type: ignore[no-untyped-call]
    return len((await stub.ListVariants(referee_pb2.ListVariantsRequest(), timeout=5)).variants)


@with_house()
async def test_health_reflection_and_variants_are_answered_at_the_door(house: House) -> None:
    address = house.lobby.address
    assert await call(address, health) == health_pb2.HealthCheckResponse.SERVING
    assert "euchre.v1.RefereeService" in await call(address, services)
    assert await call(address, variants) == len(PRESETS)


@with_house()
async def test_draining_refuses_newcomers_sends_those_who_wait_away_and_lets_games_finish(house: House) -> None:
    house.offer("p0", "bob")
    player = house.client("bob", "x")
    await player.open()
    ends: list[StreamEnded] = []

    async def wait_in_vain() -> None:
        ends.append(await refusal(house.client("ann")))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_in_vain)
        await house.waiting("ann", 1)
        playing = await Playing(house.referee, spec("standard", ["p0"] * 4)).run(nursery)
        asked = await player.request()
        nursery.start_soon(house.lobby.drain, PATIENCE)
        await house.until(lambda: bool(house.lobby.is_closing and house.lobby.stream_count == 1))
        late = await refusal(house.client("ann"))
        assert (late.code, "closing" in late.details) == (Code.UNAVAILABLE, True)
        assert await call(house.lobby.address, health) == health_pb2.HealthCheckResponse.NOT_SERVING
        await player.send(play_pb2.BotFrame(replies=[reply(asked)]))
        nursery.start_soon(player.play_honestly)
        assert (await playing.result()).faults == ()
        await house.referee.dismiss("p0")
    assert ends[0].code is Code.UNAVAILABLE
    assert house.lobby.stream_count == 0


def test_tls_at_the_door(certificates: Path) -> None:
    tls = Tls.from_files(certificates / "server.pem", certificates / "server.key")
    credentials = grpc.ssl_channel_credentials((certificates / "server.pem").read_bytes())

    async def ask(address: str) -> int:
        async with grpc.aio.secure_channel(address, credentials) as channel:
            return await health(channel)

    @with_house(tls=tls)
    async def look(house: House) -> None:
        address = house.lobby.address.replace("127.0.0.1", "localhost")
        assert await bridge.on_host(ask(address)) == health_pb2.HealthCheckResponse.SERVING
        assert (await refusal(house.client("bob"))).code is Code.UNAVAILABLE, "without TLS"

    look()
