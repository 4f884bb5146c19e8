"""Numbers for Prometheus: what a tally makes of a game, and the page they are read from."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families

from referee.service.doors import AddressError
from referee.service.metrics import BUCKETS, Gauge, Metrics, Tally, open_metrics
from referee.service.outcome import FaultKind
from referee.service.policy import Policy
from referee.service.server import Referee
from tests.service.harness import PATIENCE, Client, Playing, at_random, seat_clients, spec, with_referee

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(text: str) -> Samples:
    """Return every value of a page, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def read(metrics: Metrics) -> Samples:
    return samples(metrics.page()[0].decode())


async def request(address: str, text: str) -> tuple[str, dict[str, str], bytes]:
    """Return status, headers and body of the answer to a request."""
    host, _, port = address.rpartition(":")
    stream = await trio.open_tcp_stream(host, int(port))
    async with stream:
        await stream.send_all(text.encode())
        data = b"".join([bytes(chunk) async for chunk in stream])
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return first.partition(" ")[2], dict(line.split(": ", 1) for line in lines), body


def on_trio(test: Callable[..., object]) -> Callable[[], None]:
    @functools.wraps(test)
    def run() -> None:
        async def main() -> None:
            with trio.fail_after(PATIENCE):
                await test()  # type: ignore[misc]

        trio.run(main)

    return run


@with_referee()
async def test_a_tally_counts_what_the_result_of_a_game_says(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        for number, client in enumerate(clients):
            nursery.start_soon(client.play_honestly, at_random(number))
        result = await referee.play(spec(plays_game=True))
        nursery.cancel_scope.cancel()
    tally = Tally()
    tally.add_game(result.hands, result.faults, result.end, sum(result.decisions), sum(result.think_seconds))
    assert tally.decisions == sum(tally.buckets) == sum(result.decisions) > 0
    assert tally.games == {"rules": 1}
    assert tally.faults == {}
    metrics = Metrics()
    metrics.tally.add(tally)
    metrics.tally.add(Tally.from_json(json.loads(json.dumps(tally.to_json()))))
    found = read(metrics)
    assert found["euchre_decisions_total", ()] == 2 * tally.decisions
    assert found["euchre_decision_seconds_count", ()] == 2 * tally.decisions
    assert found["euchre_decision_seconds_sum", ()] == pytest.approx(2 * tally.seconds)
    assert found["euchre_games_total", (("end", "rules"),)] == 2
    assert found["process_resident_memory_bytes", ()] > 1 << 20


@with_referee(Policy(decision_seconds=0.05, allowance_seconds=0.0, strikes=2, goodbye_seconds=0.1))
async def test_faults_and_forfeits_are_counted_by_kind(referee: Referee) -> None:
    await seat_clients(referee, 1)
    async with trio.open_nursery() as nursery:
        result = await (await Playing(referee, spec("standard", ["p0"] * 4)).run(nursery)).result()
    tally = Tally()
    tally.add_game(result.hands, result.faults, result.end, sum(result.decisions), 0.0)
    assert tally.faults["timeout"] == sum(fault.kind is FaultKind.TIMEOUT for fault in result.faults) >= 2
    assert tally.games == {"forfeit": 1}
    metrics = Metrics()
    metrics.tally.add(tally)
    found = read(metrics)
    assert found["euchre_faults_total", (("kind", "timeout"),)] == tally.faults["timeout"]
    assert found["euchre_faults_total", (("kind", "illegal"),)] == 0
    late = found["euchre_decision_seconds_bucket", (("le", "+Inf"),)]
    assert late - found["euchre_decision_seconds_bucket", (("le", "0.02"),)] >= 1, "a timeout took its 50 ms"


@with_referee()
async def test_refused_streams_are_counted_by_status(referee: Referee) -> None:
    assert referee.statistics()["refused_unauthenticated"] == 0
    for _ in range(3):
        client = Client(referee.address, "nobody.0")
        with pytest.raises(Exception, match="UNAUTHENTICATED"):
            await client.open()
    assert referee.statistics()["refused_unauthenticated"] == 3
    assert referee.statistics()["refused_internal"] == 0


def test_what_is_open_is_summed_over_whoever_told_us() -> None:
    metrics = Metrics(lambda: [Gauge("euchre_streams", "Streams.", {("waiting",): 3.0}, ("state",))])
    metrics.open["one"] = {"tables": 4, "streams": 8}
    metrics.open["two"] = {"tables": 2}
    found = read(metrics)
    assert found["euchre_tables", ()] == 6
    assert found["euchre_streams", (("state", "waiting"),)] == 3
    del metrics.open["one"]
    assert read(metrics)["euchre_tables", ()] == 2


def test_a_decision_stands_in_the_bucket_whose_end_it_does_not_exceed() -> None:
    tally = Tally()
    tally.buckets[BUCKETS.index(0.05)] = 1
    tally.buckets[-1] = 2
    metrics = Metrics()
    metrics.tally.add(tally)
    found = read(metrics)
    assert found["euchre_decision_seconds_bucket", (("le", "0.02"),)] == 0
    assert found["euchre_decision_seconds_bucket", (("le", "0.05"),)] == 1
    assert found["euchre_decision_seconds_bucket", (("le", "10"),)] == 1
    assert found["euchre_decision_seconds_bucket", (("le", "+Inf"),)] == 3


@on_trio
async def test_the_page_is_served_over_http_and_nothing_else_is() -> None:
    async with open_metrics("127.0.0.1:0", Metrics()) as address:
        status, headers, body = await request(address, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        assert status == "200 OK"
        assert headers["Content-Type"].startswith("text/plain")
        assert int(headers["Content-Length"]) == len(body)
        assert samples(body.decode())["euchre_tables", ()] == 0
        status, headers, body = await request(
            address, "GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text; version=1.0.0\r\n\r\n"
        )
        assert headers["Content-Type"].startswith("application/openmetrics-text")
        assert body.endswith(b"# EOF\n")
        assert (await request(address, "HEAD /metrics HTTP/1.1\r\n\r\n"))[::2] == ("200 OK", b"")
        for text, expected in (
            ("GET / HTTP/1.1\r\n\r\n", "404"),
            ("POST /metrics HTTP/1.1\r\n\r\n", "405"),
            ("nonsense\r\n\r\n", "400"),
            ("x" * 8192, "400"),
        ):
            assert (await request(address, text))[0].startswith(expected), text[:20]


@on_trio
async def test_an_address_that_is_in_use_or_none_gets_one_clear_line() -> None:
    async with open_metrics("127.0.0.1:0", Metrics()) as address:
        with pytest.raises(AddressError, match=r"metrics cannot be served at .*in use"):
            async with open_metrics(address, Metrics()):
                pass
    for wrong in ("127.0.0.1", "x:y", "127.0.0.1:99999"):
        with pytest.raises(AddressError, match="HOST:PORT"):
            async with open_metrics(wrong, Metrics()):
                pass
