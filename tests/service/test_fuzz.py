"""Anything at all on the wire, over real connections: the referee lives, is silent about bugs, and honest tables go on.

Hypothesis writes small programs: which streams are opened, what is sent on them frame by frame, when they are closed
or cut, and what the organiser does meanwhile. Every program runs against the same living referee, beside a table of
two honest bots that have to finish with no fault, and at tables shared with an honest bot. The quick tests run a fixed
number of programs that are the same every time; ``EUCHRE_FUZZ_SECONDS=600 pytest tests/service/test_fuzz.py -m slow``
(``make fuzz``) goes on for so long with new ones, and prints the seed of each round.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias, cast

import grpc
import hypothesis
import pytest
import structlog
import trio
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from euchre.v1 import play_pb2
from referee.service import bridge
from referee.service.entrants import Entrants
from referee.service.lobby import Lobby, Offer, open_lobby
from referee.service.outcome import FaultKind, GameEnd, TableResult
from referee.service.policy import Policy
from referee.service.server import Referee, TableBroke, TableRefused, open_referee
from tests.service.harness import PLAY, Client, at_random, spec

SECONDS: Final = float(os.environ.get("EUCHRE_FUZZ_SECONDS", "30"))
"""Length of the long run."""
SEED: Final = int(os.environ.get("EUCHRE_FUZZ_SEED", "1"))
PATIENCE_SECONDS: Final = 60.0
"""For one program and all that follows from it."""
STREAMS: Final = 3
MOST_BYTES: Final = 1 << 14

PATIENT: Final = Policy(
    decision_seconds=300.0,
    grace_seconds=0.05,
    hello_seconds=0.5,
    goodbye_seconds=0.1,
    max_frame_bytes=MOST_BYTES,
    max_replies_per_frame=64,
    max_stray_frames_per_second=200,
    max_unread_bytes=1 << 16,
    max_new_streams_per_second=100_000,
)
"""Nobody runs out of time, so whatever an honest bot is charged with is our bug."""
HASTY: Final = Policy(
    decision_seconds=0.004,
    bank_seconds=0.02,
    allowance_seconds=0.002,
    grace_seconds=0.01,
    hello_seconds=0.02,
    goodbye_seconds=0.02,
    max_stray_frames_per_second=1_000_000,
    max_frame_bytes=MOST_BYTES,
    max_new_streams_per_second=100_000,
    strikes=50,
)
"""Every deadline passes all the time, in the middle of everything else; honest bots may be late, no more."""

OPEN, STALE, FOREIGN = (1 << 63) + 1, (1 << 63) + 2, (1 << 63) + 3
"""Stand in a program for a decision that is open on the stream, was answered before, or is open on another one."""

Op: TypeAlias = tuple[Any, ...]


# -- programs ----------------------------------------------------------------------------------------

_TYPES = FieldDescriptor
_ODD_INTEGERS: dict[int, st.SearchStrategy[Any]] = {
    _TYPES.TYPE_UINT32: st.sampled_from([0, 1, 2, 5, 31, 2**31, 2**32 - 1]) | st.integers(0, 40),
    _TYPES.TYPE_INT32: st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31)]) | st.integers(-40, 40),
    _TYPES.TYPE_SINT32: st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31)]) | st.integers(-40, 40),
    _TYPES.TYPE_UINT64: st.sampled_from([OPEN, OPEN, OPEN, STALE, FOREIGN, 0, 1, 2**64 - 1]) | st.integers(0, 99),
    _TYPES.TYPE_INT64: st.sampled_from([0, -1, 2**63 - 1, -(2**63)]),
    _TYPES.TYPE_SINT64: st.sampled_from([0, -1, 2**63 - 1, -(2**63)]),
    _TYPES.TYPE_BOOL: st.booleans(),
    _TYPES.TYPE_DOUBLE: st.floats(),
    _TYPES.TYPE_FLOAT: st.floats(width=32),
    _TYPES.TYPE_STRING: st.text(max_size=20) | st.just("x" * 5000),
    _TYPES.TYPE_BYTES: st.binary(max_size=20),
}


def values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Return lawful and odd values of one field, the numbers of enums that have no name among them."""
    if field.type == _TYPES.TYPE_MESSAGE:
        return messages(cast("Descriptor", field.message_type))
    if field.type == _TYPES.TYPE_ENUM:
        known = [value.number for value in cast("EnumDescriptor", field.enum_type).values]
        return st.sampled_from(known) | st.sampled_from([-1, 99, 2**31 - 1])
    return _ODD_INTEGERS[field.type]


@st.composite
def messages(draw: st.DrawFn, descriptor: Descriptor) -> Message:
    """Draw a message with any of its fields, each as lawful or as odd as its type allows."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if not draw(st.booleans()):
            continue
        if field.is_repeated:
            drawn = draw(st.lists(values(field), max_size=4))
            getattr(message, field.name).extend(drawn)
        elif field.type == _TYPES.TYPE_MESSAGE:
            getattr(message, field.name).CopyFrom(draw(values(field)))
        else:
            setattr(message, field.name, draw(values(field)))
    return message


ANY_FRAME = messages(cast("Descriptor", play_pb2.BotFrame.DESCRIPTOR))
REPLIES = st.lists(messages(cast("Descriptor", play_pb2.Reply.DESCRIPTOR)), min_size=1, max_size=5).map(
    lambda replies: play_pb2.BotFrame(replies=replies)  # type: ignore[arg-type]
)
FRAMES = st.one_of(REPLIES, REPLIES, ANY_FRAME)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "insert", "double"]), st.integers(0, 400), st.binary(min_size=1, max_size=9)
    ),
    min_size=1,
    max_size=4,
)
HELLOS = st.sampled_from(["good", "good", "good", "good", "again", "one table", "wrong token", "version", "empty"])
METHODS = (
    "/euchre.v1.RefereeService/ListVariants",
    "/euchre.v1.RefereeService/DescribeVariant",
    "/euchre.v1.RefereeService/Play",
    "/euchre.v1.RefereeService/NoSuchMethod",
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    "/no.such.Service/Method",
)


def ops(stream: int) -> st.SearchStrategy[Op]:
    """Return what may happen to one stream."""
    at = st.just(stream)
    return st.one_of(
        st.tuples(st.just("answer"), at),
        st.tuples(st.just("answer"), at),
        st.tuples(st.just("listen"), at),
        st.tuples(st.just("frame"), at, FRAMES),
        st.tuples(st.just("frame"), at, FRAMES),
        st.tuples(st.just("frame"), at, FRAMES),
        st.tuples(st.just("bytes"), at, st.binary(max_size=60)),
        st.tuples(st.just("edited"), at, FRAMES, EDITS),
        st.tuples(st.just("burst"), at, FRAMES, st.sampled_from([2, 20, 250])),
        st.tuples(st.just("giant"), at, st.integers(MOST_BYTES - 20, MOST_BYTES + 20) | st.just(1 << 20)),
        st.tuples(st.just("hello"), at, HELLOS),
        st.tuples(st.just("sit"), at),
        st.tuples(st.just("deaf"), at),
        st.tuples(st.just("half-close"), at),
        st.tuples(st.just("cancel"), at),
        st.tuples(st.just("vanish"), at),
        st.tuples(st.just("open"), at),
        st.tuples(st.just("dismiss"), at),
        st.tuples(st.just("lose"), at),
        st.tuples(st.just("other"), st.sampled_from(METHODS), st.binary(max_size=40)),
    )


@st.composite
def programs(draw: st.DrawFn) -> list[Op]:
    """Draw a program; most streams begin like those of a bot, so that it gets somewhere."""
    streams = draw(st.integers(1, STREAMS))
    program: list[Op] = []
    for stream in range(streams):
        program.append(("open", stream))
        if draw(st.integers(0, 9)):
            program += [("hello", stream, "good"), ("sit", stream)]
    return program + draw(st.lists(st.integers(0, streams - 1).flatmap(ops), max_size=20))


# -- streams -----------------------------------------------------------------------------------------


class Raw:
    """One call of ``Play`` that sends bytes; whatever happens to it is part of the game. Lives on asyncio."""

    def __init__(self, address: str) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        self._channel = grpc.aio.insecure_channel(address, options=options)
        self._call: Any = self._channel.stream_stream(PLAY)()
        self._listens = asyncio.Event()
        self._listens.set()
        self._heard = asyncio.Event()
        self.open: dict[int, int] = {}
        """Decisions asked and not answered, with their number of options."""
        self.answered: list[int] = []
        self._reader = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError, asyncio.InvalidStateError):
            while (data := await self._call.read()) is not grpc.aio.EOF:
                frame = play_pb2.RefereeFrame.FromString(data)  # what we send is always a frame
                self.open.update({request.decision_id: len(request.options) for request in frame.requests})
                self._heard.set()
                await self._listens.wait()

    async def send(self, data: bytes) -> None:
        """Send bytes as a frame, unless the call has ended or does not take them."""
        with contextlib.suppress(
            grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.CancelledError, asyncio.InvalidStateError, TimeoutError
        ):
            async with asyncio.timeout(0.2):
                await self._call.write(data)

    async def listen(self) -> None:
        """Wait a little for a frame."""
        self._heard.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.02):
                await self._heard.wait()

    def go_deaf(self) -> None:
        """Read no more."""
        self._listens.clear()

    async def half_close(self) -> None:
        with contextlib.suppress(
            grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.CancelledError, asyncio.InvalidStateError
        ):
            await self._call.done_writing()

    def cancel(self) -> None:
        self._call.cancel()

    async def vanish(self) -> None:
        self._call.cancel()
        self._listens.set()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._channel.close()


def edited(data: bytes, edits: Sequence[tuple[str, int, bytes]]) -> bytes:
    """Return bytes with some of them changed."""
    found = bytearray(data)
    for how, place, extra in edits:
        at = place % (len(found) + 1)
        if how == "flip" and at < len(found):
            found[at] ^= extra[0] or 1
        elif how == "cut":
            del found[at:]
        elif how == "insert":
            found[at:at] = extra
        elif how == "double":
            found += found[at:]
    return bytes(found)


# -- the world ---------------------------------------------------------------------------------------


class Bugs(logging.Handler):
    """What nobody is to see: errors in the referee's log, and in that of asyncio and gRPC."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[object] = []
        self.faults: Counter[tuple[str, str]] = Counter()
        """Of honest bots, by instance and kind."""

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        # gRPC has one poller for all loops a process has had; this is a call that an earlier test left behind.
        is_of_another_loop = "PollerCompletionQueue" in text and "Event loop is closed" in text
        if not is_of_another_loop:
            self.found.append(text)

    def __call__(self, _: object, level: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        if level in ("error", "critical", "exception"):
            self.found.append(event)
        if event["event"] == "fault" and event["instance"].startswith("honest"):
            self.faults[event["instance"], event["kind"]] += 1
        raise structlog.DropEvent


class World:
    """A living referee, honest bots, and what programs are run against."""

    def __init__(self, referee: Referee, bugs: Bugs, entrants: Entrants, lobby: Lobby | None = None) -> None:
        """With a *lobby*, strangers and one of the honest bots dial in there."""
        self.referee = referee
        self.bugs = bugs
        self._lobby = lobby
        names = ["honest2", *(f"x{stream}" for stream in range(STREAMS))]
        self._entrants = {name: entrants.new_token(name) for name in names} if lobby is not None else {}
        self.programs = 0
        self.done: Counter[str] = Counter()
        self._streams: dict[int, Raw] = {}
        self._tokens: dict[int, str] = {}
        self._base = 0
        self._address = referee.address if lobby is None else lobby.address

    async def invite(self, nursery: trio.Nursery) -> None:
        """Have honest bots come in: two that play each other, one that sits with strangers."""
        for number in range(3):
            name = f"honest{number}"
            client = Client(*self._way_in(name, name))
            await client.open()
            nursery.start_soon(client.play_honestly, at_random(number))
        self._base = self.referee.statistics()["streams"]

    def _way_in(self, instance: str, entrant: str) -> tuple[str, str]:
        """Admit an instance; return where its bot dials in and the token it says there."""
        token = self.referee.admit(instance)
        if self._lobby is None or entrant not in self._entrants:
            return self.referee.address, token
        self._lobby.offer(Offer(id=instance, entrant=entrant, address=self.referee.address, token=token))
        return self._lobby.address, self._entrants[entrant]

    async def run(self, program: list[Op]) -> None:
        """Run a program to its end and beyond, and see that all is well."""
        self.programs += 1
        with trio.fail_after(PATIENCE_SECONDS):
            async with trio.open_nursery() as nursery:
                honest: list[TableResult] = []

                async def play_honestly() -> None:
                    seats = ["honest0", "honest1"]
                    honest.append(await self.referee.play(spec("two-handed", seats, match=f"m{self.programs}")))

                nursery.start_soon(play_honestly)
                async with trio.open_nursery() as tables:
                    for op in program:
                        self.done[op[0]] += 1
                        await self._do(op, tables)
                        assert not self.bugs.found, self.bugs.found
                    for raw in self._streams.values():
                        await bridge.on_host(raw.vanish())
                    for stream in self._tokens:
                        await self.referee.dismiss(self._name(stream))
                        if self._lobby is not None:
                            self._lobby.withdraw(self._name(stream))
                    tables.cancel_scope.cancel()
            self._streams.clear()
            self._tokens.clear()
            while not self._is_quiet():
                await trio.lowlevel.checkpoint()
        assert self.referee.statistics()["instances"] == 3
        self._check(honest)

    def _is_quiet(self) -> bool:
        """Tell whether everything that the program began has come to its end."""
        now = self.referee.statistics()
        assert now["streams"] >= self._base, "an honest bot is gone"
        at_the_door = 1 if self._lobby is None else self._lobby.stream_count
        return now["streams"] == self._base and not now["tables"] and at_the_door == 1

    def _check(self, honest: list[TableResult]) -> None:
        assert not self.bugs.found, self.bugs.found
        (result,) = honest
        if self.referee.policy is PATIENT:
            assert not self.bugs.faults, self.bugs.faults
            assert (result.end, result.faults) == (GameEnd.BOARD, ())
        else:
            late = {FaultKind.TIMEOUT.name.lower(), FaultKind.FORFEIT.name.lower()}
            assert {kind for _, kind in self.bugs.faults} <= late, self.bugs.faults

    def _name(self, stream: int) -> str:
        return f"x{self.programs}.{stream}"

    async def _do(self, op: Op, tables: trio.Nursery) -> None:
        match op:
            case ["open", stream]:
                if stream not in self._tokens:
                    self._address, self._tokens[stream] = self._way_in(self._name(stream), f"x{stream}")
                if stream in self._streams:
                    await bridge.on_host(self._streams[stream].half_close())
                    tables.start_soon(_cut, self._streams[stream])
                self._streams[stream] = await bridge.on_host(_open(self._address))
            case ["sit", stream]:
                tables.start_soon(self._play, [self._name(stream), "honest2"])
                tables.start_soon(self._play, [self._name(stream), self._name(stream)])
            case ["dismiss", stream]:
                if self._tokens.pop(stream, None) is not None:
                    await self.referee.dismiss(self._name(stream))
                    if self._lobby is not None:
                        self._lobby.withdraw(self._name(stream))
            case ["lose", stream]:
                if stream in self._tokens:
                    self.referee.declare_lost(self._name(stream), "the organiser thinks that it is dead")
            case ["other", method, data]:
                await bridge.on_host(_call(self._address, method, data))
            case [str(what), int(stream), *more]:
                raw = self._streams[stream]
                await bridge.on_host(self._use(raw, what, stream, more))

    async def _play(self, seats: list[str]) -> None:
        # TableBroke would be our bug, and is logged as one; an instance that is not there is refused.
        with contextlib.suppress(TableRefused, TableBroke):
            await self.referee.play(spec("two-handed", seats, match=f"x{self.programs}", plays_game=True))

    async def _use(self, raw: Raw, what: str, stream: int, more: list[Any]) -> None:
        if what == "answer":
            replies = [
                play_pb2.Reply(decision_id=number, option=random.Random(number).randrange(max(1, count)))
                for number, count in raw.open.items()
            ]
            raw.answered += raw.open
            raw.open.clear()
            await raw.send(play_pb2.BotFrame(replies=replies[:64]).SerializeToString())
        elif what == "listen":
            await raw.listen()
        elif what == "frame":
            await raw.send(self._resolved(raw, more[0]))
        elif what == "bytes":
            await raw.send(more[0])
        elif what == "edited":
            await raw.send(edited(self._resolved(raw, more[0]), more[1]))
        elif what == "burst":
            for _ in range(more[1]):
                await raw.send(self._resolved(raw, more[0]))
        elif what == "giant":
            filler = play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=1, note="x" * (more[0] - 10))])
            await raw.send(filler.SerializeToString())
        elif what == "hello":
            await raw.send(self._hello(stream, more[0]).SerializeToString())
            await raw.listen()
        elif what == "deaf":
            raw.go_deaf()
        elif what == "half-close":
            await raw.half_close()
        elif what == "cancel":
            raw.cancel()
        elif what == "vanish":
            await raw.vanish()

    def _hello(self, stream: int, kind: str) -> play_pb2.BotFrame:
        hello = play_pb2.Hello(protocol_version=1, name="x", token=self._tokens.get(stream, ""))
        if kind == "one table":
            hello.tables = 1
        elif kind == "wrong token":
            hello.token = "0123456789ab.0"  # noqa: S105
        elif kind == "version":
            hello.protocol_version = 2**32 - 1
        elif kind == "empty":
            hello.Clear()
        return play_pb2.BotFrame(hello=hello)

    def _resolved(self, raw: Raw, frame: play_pb2.BotFrame) -> bytes:
        """Return a frame with real decisions where it speaks of them."""
        found = play_pb2.BotFrame.FromString(frame.SerializeToString())
        others = [number for other in self._streams.values() if other is not raw for number in other.open]
        for reply in found.replies:
            where = {OPEN: list(raw.open), STALE: raw.answered, FOREIGN: others}.get(reply.decision_id)
            if where is not None:
                reply.decision_id = where[-1] if where else 1
                if where and reply.decision_id in raw.open:
                    del raw.open[reply.decision_id]
                    raw.answered.append(reply.decision_id)
        return found.SerializeToString()


async def _open(address: str) -> Raw:
    return Raw(address)


async def _cut(raw: Raw) -> None:
    await bridge.on_host(raw.vanish())


async def _call(address: str, method: str, data: bytes) -> None:
    """Send bytes to a method as if it took one message."""
    async with grpc.aio.insecure_channel(address) as channel:
        with contextlib.suppress(grpc.aio.AioRpcError):
            call: Any = channel.unary_unary(method)
            await call(data, timeout=0.1)


KINDS: Final = {"patient": PATIENT, "hasty": HASTY, "lobby": PATIENT}
"""Kinds of world."""


def in_a_world(kind: str, hunt: Callable[[World], None]) -> World:
    """Run *hunt* in a thread, beside a living referee; return the world."""
    policy = KINDS[kind]
    worlds: list[World] = []
    bugs = Bugs()

    async def main() -> None:
        logger = structlog.wrap_logger(None, processors=[bugs])
        with TemporaryDirectory() as folder:
            entrants = Entrants(Path(folder) / "tokens.json")
            async with (
                open_referee(f"unix:{Path(folder) / 'referee'}", policy, log=logger) as referee,
                open_lobby(f"unix:{Path(folder) / 'lobby'}", entrants, policy, log=logger) as lobby,
            ):
                world = World(referee, bugs, entrants, lobby if kind == "lobby" else None)
                worlds.append(world)
                async with trio.open_nursery() as nursery:
                    await world.invite(nursery)
                    await trio.to_thread.run_sync(hunt, world)
                    nursery.cancel_scope.cancel()

    with listening(bugs):
        bridge.run(main)
    assert not bugs.found
    return worlds[0]


@contextlib.contextmanager
def listening(handler: logging.Handler) -> Iterator[None]:
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


def check(world: World, **options: Any) -> Callable[[], None]:
    """Return the property, ready to be called in a thread that trio started."""
    run: Callable[[list[Op]], Awaitable[None]] = world.run

    # A failure is not made smaller: the referee that failed is not the one that would be asked again.
    @settings(
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        **options,
    )
    @given(programs())
    def lives(program: list[Op]) -> None:
        trio.from_thread.run(run, program)

    return lives


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_sent_the_referee_lives_and_honest_tables_go_on(kind: str) -> None:
    """KT-33, KT-35, KT-38, KT-39, KT-41: the classes behind them, drawn at random; the same programs every time."""
    world = in_a_world(kind, lambda world: check(world, max_examples=60, derandomize=True)())
    assert world.programs >= 60
    assert len(world.done) > 15, world.done


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 2400)
def test_long_fuzzing() -> None:
    """New programs for ``EUCHRE_FUZZ_SECONDS``; the kinds of world in turn."""
    give_up = time.monotonic() + SECONDS
    total, began, number = 0, time.monotonic(), SEED
    while time.monotonic() < give_up:
        for kind in KINDS:

            def hunt(world: World, seed: int = number) -> None:
                hypothesis.seed(seed)(check(world, max_examples=300))()

            sys.stdout.write(f"round {number}, {kind}: ")
            world = in_a_world(kind, hunt)
            total += world.programs
            rate = total / (time.monotonic() - began)
            sys.stdout.write(f"{world.programs} programs, {world.done.total()} steps; {rate:.1f} programs/s\n")
            sys.stdout.flush()
        number += 1
    assert total > 0
