"""Scripted bots over real connections, and a referee to misbehave at.

A :class:`Client` says exactly what a test tells it to, frame by frame; a honest one plays by itself. Everything runs in
one process and one thread: the test is a trio function under ``bridge.run``, the clients are grpc.aio calls.
"""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec

import grpc
import trio

from euchre.v1 import actions_pb2, play_pb2
from referee.rules import Action, Card, Variant, parse_variant
from referee.service import bridge, wire
from referee.service.outcome import TableResult, TableSpec
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from referee.service.shuffle import deck_for

PLAY = "/euchre.v1.RefereeService/Play"
SEED = bytes(range(32))
PATIENCE = 60.0
"""Seconds after which a test that hangs is a failure; nothing waits for this to pass."""

P = ParamSpec("P")

BRISK = Policy(decision_seconds=10.0, goodbye_seconds=0.1)
"""Nobody times out; for tests that are not about time."""


def with_referee(
    policy: Policy = BRISK, **options: Any
) -> Callable[[Callable[Concatenate[Referee, P], Awaitable[None]]], Callable[P, None]]:
    """Run a test with a referee on a unix socket."""

    def decorate(test: Callable[Concatenate[Referee, P], Awaitable[None]]) -> Callable[P, None]:
        @functools.wraps(test)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            async def main() -> None:
                with TemporaryDirectory() as folder, trio.fail_after(PATIENCE):
                    async with open_referee(f"unix:{Path(folder) / 'referee'}", policy, **options) as referee:
                        await test(referee, *args, **kwargs)

            bridge.run(main)

        del run.__wrapped__  # pytest must not look for a fixture named referee
        return run

    return decorate


class StreamEnded(Exception):
    """The referee ended the stream; holds its status."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details


class Client:
    """One stream of a bot, under the test's control."""

    def __init__(self, address: str, token: str, *, options: Sequence[tuple[str, Any]] = ()) -> None:
        self._address = address
        self._token = token
        self._options = options
        self._requests: list[play_pb2.DecisionRequest] = []
        self.frames: list[bytes] = []
        """Every frame received, as bytes, the welcome first."""
        self.notices: list[play_pb2.Notice] = []
        self.goodbye = ""
        self.answers_pings = True
        self._sending = trio.Lock()
        self._channel: Any = None
        self._call: Any = None

    # -- the stream --------------------------------------------------------------------------------

    async def open(self, hello: play_pb2.Hello | None = None) -> play_pb2.Welcome:
        """Open a stream, say Hello, and return the welcome."""
        await self.open_without_hello()
        if hello is None:
            hello = play_pb2.Hello(protocol_version=1, name="scripted", version="1")
        hello.token = hello.token or self._token
        await self.send(play_pb2.BotFrame(hello=hello))
        frame = await self.frame()
        assert frame.HasField("welcome")
        return frame.welcome

    async def open_without_hello(self) -> None:
        """Open a stream and say nothing."""

        async def start() -> None:
            self._channel = grpc.aio.insecure_channel(
                self._address, options=[("grpc.use_local_subchannel_pool", 1), *self._options]
            )
            self._call = self._channel.stream_stream(PLAY)()

        await bridge.on_host(start())

    async def send(self, frame: play_pb2.BotFrame | bytes) -> None:
        """Send a frame, or bytes in place of one."""
        data = frame if isinstance(frame, bytes) else frame.SerializeToString()
        async with self._sending:  # grpc.aio takes one write at a time
            await self._host(self._call.write, data)

    async def frame(self) -> play_pb2.RefereeFrame:
        """Return the next frame; what it holds is also taken note of.

        :raises StreamEnded: if there is none.
        """
        data = await self._host(self._call.read)
        if data is grpc.aio.EOF:
            raise StreamEnded(await self._host(self._call.code), await self._host(self._call.details))
        self.frames.append(data)
        frame = play_pb2.RefereeFrame.FromString(data)
        self.notices.extend(frame.notices)
        self._requests.extend(frame.requests)
        if frame.HasField("goodbye"):
            self.goodbye = frame.goodbye.reason
        if frame.HasField("ping") and self.answers_pings:
            await self.send(play_pb2.BotFrame(pong=frame.ping))
        return frame

    async def _host(self, function: Callable[..., Awaitable[Any]], *args: object) -> Any:
        async def call() -> Any:
            try:
                return await function(*args)
            except grpc.aio.AioRpcError as error:
                raise StreamEnded(error.code(), error.details() or "") from None
            except (grpc.aio.UsageError, asyncio.InvalidStateError):  # written to a call that has ended
                raise StreamEnded(await self._call.code(), await self._call.details()) from None

        return await bridge.on_host(call())

    async def half_close(self) -> None:
        """Close the bot's side."""
        await self._host(self._call.done_writing)

    async def vanish(self) -> None:
        """Drop the connection without a word."""

        async def drop() -> None:
            self._call.cancel()
            await self._channel.close()

        await bridge.on_host(drop())

    async def end(self) -> StreamEnded:
        """Read until the referee has ended the stream; half-close when it says Goodbye; return the status."""
        try:
            while True:
                frame = await self.frame()
                if frame.HasField("goodbye"):
                    await self.half_close()
        except StreamEnded as ended:
            await bridge.on_host(self._channel.close())
            return ended

    # -- questions ---------------------------------------------------------------------------------

    async def request(self) -> play_pb2.DecisionRequest:
        """Return the next request; answer pings on the way."""
        while not self._requests:
            await self.frame()
        return self._requests.pop(0)

    async def notice(self, kind: str) -> Any:
        """Return the next notice of a kind (``hand_ended``, ``fault`` …) that no test has looked at yet."""
        while True:
            for place, notice in enumerate(self.notices):
                if notice.WhichOneof("notice") == kind:
                    del self.notices[place]
                    return getattr(notice, kind)
            await self.frame()

    async def answer(
        self, request: play_pb2.DecisionRequest, option: int | None = None, act: Action | None = None
    ) -> None:
        """Answer a request by index or by action; by index 0 if neither is given."""
        await self.send(play_pb2.BotFrame(replies=[reply(request, option, act)]))

    async def play_honestly(self, choose: Callable[[play_pb2.DecisionRequest], int] | None = None) -> StreamEnded:
        """Answer everything until Goodbye; by option 0 unless *choose* says otherwise. Return the status."""
        try:
            while True:
                pending, self._requests = self._requests, []
                if pending:
                    replies = [reply(request, choose(request) if choose else 0) for request in pending]
                    await self.send(play_pb2.BotFrame(replies=replies))
                frame = await self.frame()
                if frame.HasField("goodbye"):
                    await self.half_close()
        except StreamEnded as ended:
            await bridge.on_host(self._channel.close())
            return ended


def reply(request: play_pb2.DecisionRequest, option: int | None = None, act: Action | None = None) -> play_pb2.Reply:
    """Return a reply to a request."""
    if act is not None:
        return play_pb2.Reply(decision_id=request.decision_id, action=wire.action_to_message(act))
    return play_pb2.Reply(decision_id=request.decision_id, option=option or 0)


def bare_action(request: play_pb2.DecisionRequest, message: actions_pb2.Action) -> play_pb2.BotFrame:
    """Return a frame that answers with an action as it stands."""
    return play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=request.decision_id, action=message)])


def at_random(seed: int) -> Callable[[play_pb2.DecisionRequest], int]:
    """Return a chooser of any option."""
    rng = random.Random(seed)
    return lambda request: rng.randrange(len(request.options))


async def seat_clients(referee: Referee, count: int, prefix: str = "p") -> list[Client]:
    """Return *count* clients that have said Hello, as instances p0, p1 …"""
    clients = []
    for number in range(count):
        client = Client(referee.address, referee.admit(f"{prefix}{number}"))
        await client.open()
        clients.append(client)
    return clients


def spec(
    variant: Variant | str = "standard",
    instances: Sequence[str] | None = None,
    *,
    deck: Callable[[int, int], Sequence[Card]] | None = None,
    match: str = "test",
    **fields: Any,
) -> TableSpec:
    """Return a table for p0, p1 … in their seats."""
    variant = parse_variant(variant) if isinstance(variant, str) else variant
    if instances is None:
        instances = [f"p{seat}" for seat in range(variant.seats)]
    if deck is None:
        deck = functools.partial(_deck, variant, match)
    fields.setdefault("first_dealer", 0)
    return TableSpec(variant=variant, instances=tuple(instances), deck=deck, **fields)


def _deck(variant: Variant, match: str, board: int, redeal: int) -> list[Card]:
    return deck_for(SEED, variant, match, board, redeal)


class Playing:
    """A table that is played in the background: ``async with Playing(...) as playing: …; playing.result``."""

    def __init__(self, referee: Referee, table: TableSpec, honest: Sequence[Client] = ()) -> None:
        self._referee = referee
        self._spec = table
        self._honest = honest
        self._results: list[TableResult] = []
        self._ended = trio.Event()

    async def run(self, nursery: trio.Nursery) -> Playing:
        """Begin, with the honest clients playing by themselves."""
        for client in self._honest:
            nursery.start_soon(client.play_honestly)
        nursery.start_soon(self._play)
        return self

    async def _play(self) -> None:
        self._results.append(await self._referee.play(self._spec))
        self._ended.set()

    async def result(self) -> TableResult:
        """Wait for the end."""
        await self._ended.wait()
        return self._results[0]
