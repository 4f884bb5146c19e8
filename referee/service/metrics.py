"""Numbers for Prometheus: tables, decisions and how long they took, faults, streams, refusals, memory.

Nothing is counted on the way of a decision: a :class:`Tally` is made of a finished game's own record, and what is open
now is asked for when somebody looks. The page is served by a trio task, so it never sees anything half done.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, Final

import trio
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from referee.service.doors import AddressError
from referee.service.outcome import FaultKind, FaultRecord, GameEnd, HandRecord

BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Upper ends of the histogram of decisions, in seconds. Records keep whole milliseconds, so none is finer."""
_BUCKET_MILLISECONDS: Final = tuple(round(1000 * bound) for bound in BUCKETS)
_LARGEST_REQUEST: Final = 8192
_REQUEST_SECONDS: Final = 5.0


@dataclass(slots=True)
class Tally:
    """What finished games add to the counters."""

    decisions: int = 0
    seconds: float = 0.0
    """Thinking time of all decisions."""
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    """Decisions by bucket, not summed up; the last: longer than all."""
    faults: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    """By how they ended."""

    def add_game(
        self, hands: Iterable[HandRecord], faults: Iterable[FaultRecord], end: GameEnd, decisions: int, seconds: float
    ) -> None:
        """Count a finished game: its hands and faults as recorded, the decisions asked, the time they took."""
        self.decisions += decisions
        self.seconds += seconds
        buckets = self.buckets
        for hand in hands:
            for action in hand.actions:
                if not action.forced:
                    buckets[bisect_left(_BUCKET_MILLISECONDS, action.milliseconds)] += 1
        self.faults.update(fault.kind.name.lower() for fault in faults)
        self.games[end.name.lower()] += 1

    def add(self, other: Tally) -> None:
        """Count what another tally holds."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.buckets = [mine + more for mine, more in zip(self.buckets, other.buckets, strict=True)]
        self.faults.update(other.faults)
        self.games.update(other.games)

    def to_json(self) -> dict[str, Any]:
        """Return it as values that JSON knows."""
        return {
            "decisions": self.decisions,
            "seconds": self.seconds,
            "buckets": self.buckets,
            "faults": dict(self.faults),
            "games": dict(self.games),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tally:
        """Return what :meth:`to_json` made."""
        return cls(
            data["decisions"], data["seconds"], list(data["buckets"]), Counter(data["faults"]), Counter(data["games"])
        )


@dataclass(frozen=True, slots=True)
class Gauge:
    """Something that is open now, or has been counted elsewhere since the start."""

    name: str
    help: str
    values: Mapping[tuple[str, ...], float]
    """By the values of the labels."""
    labels: tuple[str, ...] = ()
    is_counter: bool = False


class Metrics:
    """The numbers of one process. What it knows itself, and what *gauges* says whenever somebody asks."""

    def __init__(self, gauges: Callable[[], Iterable[Gauge]] = tuple) -> None:
        self.tally = Tally()
        self.open: dict[str, Mapping[str, int]] = {}
        """By whoever told us: what is open there (``tables``, ``streams``)."""
        self._gauges = gauges
        self.registry = CollectorRegistry()
        self.registry.register(_Families(self))
        ProcessCollector(registry=self.registry)

    def families(self) -> Iterator[Metric]:
        """Yield everything, as Prometheus wants it."""
        tally = self.tally
        yield _gauge("euchre_tables", "Tables open now.", sum(one.get("tables", 0) for one in self.open.values()))
        yield _counter("euchre_decisions", "Decisions asked in finished games.", {(): tally.decisions})
        yield _histogram(tally)
        kinds = [kind.name.lower() for kind in FaultKind if kind is not FaultKind.STALE]
        yield _counter("euchre_faults", "Faults on the record, by kind.", _by(kinds, tally.faults), ("kind",))
        ends = [end.name.lower() for end in GameEnd if end is not GameEnd.STOPPED]
        yield _counter("euchre_games", "Finished games, by how they ended.", _by(ends, tally.games), ("end",))
        for one in self._gauges():
            if one.is_counter:
                yield _counter(one.name, one.help, one.values, one.labels)
                continue
            family = GaugeMetricFamily(one.name, one.help, labels=one.labels)
            for labels, value in one.values.items():
                family.add_metric(labels, value)
            yield family

    def page(self, accept: str = "") -> tuple[bytes, str]:
        """Return the page for whoever accepts *accept*, and its content type."""
        encode, kind = choose_encoder(accept)
        return encode(self.registry), kind


class _Families(Collector):
    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        return self._metrics.families()


def _by(names: Sequence[str], counts: Mapping[str, int]) -> dict[tuple[str, ...], float]:
    """Return *counts* by label value, with a zero for every name that has none."""
    return {(name,): float(counts.get(name, 0)) for name in dict.fromkeys((*names, *counts))}


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _counter(name: str, text: str, values: Mapping[tuple[str, ...], float], labels: Sequence[str] = ()) -> Metric:
    family = CounterMetricFamily(name, text, labels=labels)
    for label_values, value in values.items():
        family.add_metric(label_values, value)
    return family


def _histogram(tally: Tally) -> Metric:
    bounds = [*(f"{bound:g}" for bound in BUCKETS), "+Inf"]
    return HistogramMetricFamily(
        "euchre_decision_seconds",
        "Time taken for decisions of finished games.",
        buckets=list(zip(bounds, map(float, accumulate(tally.buckets)), strict=True)),
        sum_value=tally.seconds,
    )


# -- the page ----------------------------------------------------------------------------------------


@asynccontextmanager
async def open_metrics(address: str, metrics: Metrics) -> AsyncIterator[str]:
    """Serve ``http://HOST:PORT/metrics``; yield the address as bound.

    :raises AddressError: if the address cannot be listened on.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise AddressError(f"{address!r} is no address for metrics; write HOST:PORT, as in 127.0.0.1:9100")
    try:
        listeners = await trio.open_tcp_listeners(int(port), host=host.strip("[]") or None)
    except OSError as error:
        reason = error.strerror or str(error)
        raise AddressError(f"metrics cannot be served at {address}: {reason}; choose another address") from None
    bound = listeners[0].socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(trio.serve_listeners, partial(_serve, metrics), listeners))
        try:
            yield f"{host}:{bound}"
        finally:
            nursery.cancel_scope.cancel()


async def _serve(metrics: Metrics, stream: trio.SocketStream) -> None:
    """Answer one request and close."""
    with trio.move_on_after(_REQUEST_SECONDS):
        async with stream:
            try:
                await stream.send_all(_answer(metrics, await _request(stream)))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return


async def _request(stream: trio.SocketStream) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data and len(data) < _LARGEST_REQUEST:
        chunk = await stream.receive_some(_LARGEST_REQUEST)
        if not chunk:
            break
        data += chunk
    return data


def _answer(metrics: Metrics, request: bytes) -> bytes:
    lines = request.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/"):
        return _response("400 Bad Request", b"this is no HTTP request\n")
    if words[0] not in ("GET", "HEAD"):
        return _response("405 Method Not Allowed", b"only GET\n")
    if words[1].partition("?")[0] != "/metrics":
        return _response("404 Not Found", b"the numbers are at /metrics\n")
    accept = next((line.partition(":")[2].strip() for line in lines[1:] if line.lower().startswith("accept:")), "")
    body, kind = metrics.page(accept)
    return _response("200 OK", body, kind, has_body=words[0] == "GET")


def _response(status: str, body: bytes, kind: str = "text/plain; charset=utf-8", *, has_body: bool = True) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode("latin-1") + (body if has_body else b"")
