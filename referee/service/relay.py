"""A stream of a bot passed on to another referee, frame by frame, unread: between the lobby and the tables of a night,
and between a bot's own machine and the lobby.

Runs on asyncio. Frames are bytes here; only the Hello is looked at, to put one token in place of another, and the last
frame, for a Goodbye. Each side is written to only when it has taken what it was sent before, so a slow reader slows the
other end and nothing piles up.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import grpc

from euchre.v1 import play_pb2

PLAY_METHOD: Final = "/euchre.v1.RefereeService/Play"
EOF: Final = grpc.aio.EOF
QUIET_SECONDS: Final = 0.05
"""A bot from which nothing has come for so long has stopped writing."""

CHANNEL_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
)

Context = Any
"""``grpc.aio.ServicerContext``; its stubs are generic in ways that do not fit raw bytes."""
Call = Any
"""``grpc.aio.StreamStreamCall`` of bytes."""


class Ended(Exception):
    """The other side has ended the stream with a status; ``OK`` after a goodbye."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self.code = code
        self.details = details


async def next_frame(call: Call) -> bytes:
    """Return the next frame of *call*.

    :raises Ended: if there is none.
    """
    try:
        data = await call.read()
    except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
        data = EOF
    if data is EOF:
        raise Ended(await call.code(), (await call.details()) or "")
    frame: bytes = data
    return frame


async def write(call: Call, data: bytes) -> None:
    """Write a frame to *call*.

    :raises Ended: if it has ended.
    """
    try:
        await call.write(data)
    except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
        raise Ended(await call.code(), (await call.details()) or "") from None


class Incoming:
    """The frames of a bot, one read ahead, so that somebody can wait for one and for something else at once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.next: asyncio.Task[Any] = asyncio.ensure_future(context.read())
        """Done when a frame has come, or the bot has closed its side."""

    async def take(self) -> Any:
        """Return the next frame, or ``EOF``; go on reading."""
        data = await self.next
        if data is not EOF:
            self.next = asyncio.ensure_future(self._context.read())
        return data

    async def hush(self, seconds: float) -> None:
        """Throw away what still comes until the bot is quiet, or *seconds* are over.

        With grpc.aio a client that writes while the server ends the call sees INTERNAL, or nothing.
        """
        with contextlib.suppress(TimeoutError, grpc.RpcError):
            async with asyncio.timeout(seconds):
                while (await asyncio.wait((self.next,), timeout=QUIET_SECONDS))[0]:
                    if await self.take() is EOF:
                        return

    async def close(self) -> None:
        """Read no more."""
        self.next.cancel()
        await asyncio.gather(self.next, return_exceptions=True)


async def pump(context: Context, incoming: Incoming, call: Call, welcome: bytes) -> Ended:
    """Pass frames both ways, *welcome* first, until the other side ends the stream; return how.

    ``UNAVAILABLE`` if the bot closed its side before Goodbye: so it may look when its process dies.
    """
    told = welcome
    is_left = False

    async def pass_on() -> None:
        nonlocal is_left
        while (data := await incoming.take()) is not EOF:
            await write(call, data)
        is_left = not play_pb2.RefereeFrame.FromString(told).HasField("goodbye")
        await call.done_writing()

    passing = asyncio.create_task(pass_on())
    try:
        while True:
            await context.write(told)
            told = await next_frame(call)
    except Ended as ended:
        if is_left and ended.code is grpc.StatusCode.OK:
            return Ended(grpc.StatusCode.UNAVAILABLE, "the bot closed its side before Goodbye")
        return ended
    finally:
        passing.cancel()
        await asyncio.gather(passing, return_exceptions=True)
        call.cancel()
