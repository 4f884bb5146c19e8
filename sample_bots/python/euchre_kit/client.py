"""The way to the referee: dial, greet, answer every frame, come back when the line is lost.

One task on one asyncio loop: a frame is read, all its questions are decided, all its replies are written.
Measured on two cores against the blocking interface of grpcio, which needs a second thread to write:
3 to 8 % faster at one table, 4 to 19 % at 64 (docs/bots.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Final, NoReturn

import grpc
from grpc import aio

from euchre.v1 import play_pb2, referee_pb2, referee_pb2_grpc
from euchre_kit.bot import Bot, as_reply
from euchre_kit.variant import Variant

PROTOCOL_VERSION: Final = 1

EXIT_DONE: Final = 0
EXIT_BOT_FAILED: Final = 1
"""Strict mode: decide raised."""
EXIT_REFUSED: Final = 2
"""The referee will not have this bot, or the environment is incomplete; trying again would not help."""
EXIT_LOST: Final = 4
"""The referee could not be reached within the grace time."""

_FIRST_GRACE_SECONDS: Final = 20.0
"""How long to try for the first Welcome, which tells the true grace time."""
_FIRST_PAUSE_SECONDS: Final = 0.1
_LONGEST_PAUSE_SECONDS: Final = 3.0
_FLUSH_SECONDS: Final = 0.005
"""Replies do not wait longer than this for others of their frame; so a slow bot's clock is honest."""

_FINAL: Final = frozenset(
    {
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.NOT_FOUND,
    }
)
"""Answers that the same call will get again."""

CHANNEL_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
)
"""HTTP/2 pings find a line that died silently; every attempt has a fresh connection."""


_END: Final[object] = aio.EOF
"""What reading from a stream returns at its end."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to go and as whom."""

    address: str
    """``unix:/path`` or ``host:port``."""
    token: str
    """Where the bot was told to sit."""
    name: str
    strict: bool
    """Leave when decide raises, instead of playing the default."""


class _EnvironmentIncomplete(Exception):
    """A variable is missing. The text is the line to print."""


class _Finished(Exception):
    """The bot is to leave with this exit code and this line."""

    def __init__(self, code: int, line: str = "") -> None:
        super().__init__(line)
        self.code = code


def settings_from_environment(bot: Bot, *, strict: bool | None = None) -> Settings:
    """Return the settings of ``EUCHRE_ADDRESS``, ``EUCHRE_TOKEN``, ``EUCHRE_NAME`` and ``EUCHRE_STRICT``.

    :raises _EnvironmentIncomplete: if there is no address.
    """
    address = os.environ.get("EUCHRE_ADDRESS", "").strip()
    if not address:
        raise _EnvironmentIncomplete(
            "EUCHRE_ADDRESS is not set; it is the referee's address, unix:/path or host:port (the arena sets it)"
        )
    if strict is None:
        strict = os.environ.get("EUCHRE_STRICT", "") not in ("", "0")
    return Settings(
        address=address,
        token=os.environ.get("EUCHRE_TOKEN", ""),
        name=os.environ.get("EUCHRE_NAME", "") or bot.name,
        strict=strict,
    )


def run(bot: Bot, *, strict: bool | None = None) -> NoReturn:
    """Play as *bot* until the referee says goodbye, then exit.

    Exit codes: 0 done, 1 *strict* and decide raised, 2 refused, 4 referee lost.
    """
    try:
        settings = settings_from_environment(bot, strict=strict)
    except _EnvironmentIncomplete as incomplete:
        _say(bot.name, str(incomplete))
        sys.exit(EXIT_REFUSED)
    try:
        code = asyncio.run(play(bot, settings))
    except KeyboardInterrupt:
        code = EXIT_DONE
    sys.stdout.flush()
    sys.exit(code)


def _say(name: str, line: str) -> None:
    print(f"{name}: {line}", file=sys.stderr, flush=True)  # noqa: T201 (a bot's log is its stderr)


async def play(bot: Bot, settings: Settings) -> int:
    """Play until goodbye; return the exit code. Needs a running asyncio loop, and SIGTERM for itself."""
    player = asyncio.current_task()
    assert player is not None  # noqa: S101 (a coroutine that runs is in a task)
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
        # Not on every platform, and only in the main thread.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, player.cancel)
    try:
        await _Client(bot, settings).run()
    except _Finished as finished:
        if finished.args[0]:
            _say(settings.name, finished.args[0])
        return finished.code
    except asyncio.CancelledError:
        return EXIT_DONE
    return EXIT_DONE


class _Client:
    """A bot and its line to the referee."""

    def __init__(self, bot: Bot, settings: Settings) -> None:
        self._bot = bot
        self._settings = settings
        self._grace_seconds = _FIRST_GRACE_SECONDS
        self._was_welcome = False
        self._variants: dict[str, Variant] = {}
        self._jitter = random.Random()

    async def run(self) -> None:
        """Play, and come back as often as needed, until goodbye."""
        lost_since: float | None = None
        pause = _FIRST_PAUSE_SECONDS
        while True:
            self._was_welcome = False
            lost = await self._visit()
            if lost is None:
                return
            now = time.monotonic()
            if self._was_welcome or lost_since is None:
                lost_since, pause = now, _FIRST_PAUSE_SECONDS
            wait = pause * self._jitter.uniform(0.5, 1.5)
            if now + wait - lost_since > self._grace_seconds:
                raise _Finished(
                    EXIT_LOST,
                    f"the referee at {self._settings.address} was lost and not found again within "
                    f"{self._grace_seconds:.0f} s: {lost}",
                )
            await asyncio.sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)

    async def _visit(self) -> str | None:
        """Be on one stream to its end; return why it was lost, or ``None`` after goodbye."""
        async with aio.insecure_channel(self._settings.address, options=CHANNEL_OPTIONS) as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)  # type: ignore[no-untyped-call]
            try:
                if await self._stream(stub):
                    return None
            except aio.AioRpcError as error:
                code, details = error.code(), (error.details() or "").strip()
                if code in _FINAL:
                    raise _Finished(EXIT_REFUSED, f"refused by the referee: {details} ({code.name})") from None
                return f"{details or 'no details'} ({code.name})"
            except asyncio.InvalidStateError:
                return "the stream was closed while a reply was being written"
            return "the stream ended without a goodbye"

    async def _stream(self, stub: referee_pb2_grpc.RefereeServiceStub) -> bool:
        """Speak on one stream; tell whether it ended with goodbye.

        :raises aio.AioRpcError: when it is lost or refused.
        """
        bot, settings = self._bot, self._settings
        call = stub.Play()
        hello = play_pb2.Hello(
            protocol_version=PROTOCOL_VERSION,
            name=settings.name,
            token=settings.token,
            variants=bot.variants,
            tables=bot.tables,
            version=bot.version,
        )
        try:
            await call.write(play_pb2.BotFrame(hello=hello))
            while (frame := await call.read()) is not _END:
                if frame.HasField("welcome"):
                    self._welcome(frame.welcome)
                for notice in frame.notices:
                    await self._notice(stub, notice)
                await self._answer(stub, call, frame)
                if frame.HasField("goodbye"):
                    await call.done_writing()
                    # The referee returns once it has seen our half-close.
                    while await call.read() is not _END:
                        pass
                    return True
        except asyncio.InvalidStateError:
            await _raise_status(call)
            raise
        except asyncio.CancelledError:
            call.cancel()
            raise
        await _raise_status(call)
        return False

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        self._was_welcome = True
        if welcome.grace_milliseconds:
            self._grace_seconds = welcome.grace_milliseconds / 1000

    async def _answer(
        self,
        stub: referee_pb2_grpc.RefereeServiceStub,
        call: aio.StreamStreamCall[play_pb2.BotFrame, play_pb2.RefereeFrame],
        frame: play_pb2.RefereeFrame,
    ) -> None:
        """Write one frame with the replies to all questions, or several if the bot thinks long."""
        reply = play_pb2.BotFrame()
        if frame.HasField("ping"):
            reply.pong.nonce = frame.ping.nonce
            if frame.requests:
                await call.write(reply)
                reply = play_pb2.BotFrame()
        begun = time.monotonic()
        for request in frame.requests:
            variant = self._variants.get(request.variant) or await self._describe(stub, request.variant)
            reply.replies.append(self._decide(request, variant))
            now = time.monotonic()
            if now - begun > _FLUSH_SECONDS:
                await call.write(reply)
                reply, begun = play_pb2.BotFrame(), now
        if reply.replies or reply.HasField("pong"):
            await call.write(reply)

    def _decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> play_pb2.Reply:
        """Return the bot's answer; if it raises, say so and play the default (or leave, when strict)."""
        try:
            return as_reply(self._bot.decide(request, variant), request)
        except Exception:  # noqa: BLE001 (the author's code: anything may come)
            traceback.print_exc()
            line = (
                f"decide raised (above) at hand {request.hand} seat {request.seat} of {request.variant}, "
                f"decision {request.decision_id}"
            )
            if self._settings.strict:
                raise _Finished(EXIT_BOT_FAILED, f"{line}; leaving, because strict") from None
            _say(self._settings.name, f"{line}; played option 0 instead")
            return play_pb2.Reply(decision_id=request.decision_id, option=0)

    async def _describe(self, stub: referee_pb2_grpc.RefereeServiceStub, text: str) -> Variant:
        """Ask for a variant once, and keep it."""
        response = await stub.DescribeVariant(referee_pb2.DescribeVariantRequest(variant=text), timeout=10.0)
        variant = Variant(response.variant)
        self._variants[text] = variant
        return variant

    async def _notice(self, stub: referee_pb2_grpc.RefereeServiceStub, notice: play_pb2.Notice) -> None:
        bot = self._bot
        kind = notice.WhichOneof("notice")
        if kind == "table_opened":
            text = notice.table_opened.variant
            if text not in self._variants:
                await self._describe(stub, text)  # before the first clock runs
            self._tell(bot.table_opened, notice.table_opened)
        elif kind == "hand_ended":
            self._tell(bot.hand_ended, notice.hand_ended)
        elif kind == "game_ended":
            self._tell(bot.game_ended, notice.game_ended)
        elif kind == "fault":
            fault = notice.fault
            _say(self._settings.name, f"fault at table {fault.table_id}: {fault.message}")
            self._tell(bot.fault, fault)

    def _tell(self, hear: object, notice: object) -> None:
        """Hand a notice to the bot; what it raises is printed and forgotten (or, when strict, leaves)."""
        try:
            hear(notice)  # type: ignore[operator]
        except Exception:  # noqa: BLE001 (the author's code)
            traceback.print_exc()
            if self._settings.strict:
                raise _Finished(EXIT_BOT_FAILED, "a notice method raised (above); leaving, because strict") from None


async def _raise_status(call: aio.StreamStreamCall[play_pb2.BotFrame, play_pb2.RefereeFrame]) -> None:
    """Raise the status a stream ended with, unless it was OK."""
    code = await call.code()
    if code is not grpc.StatusCode.OK:
        raise aio.AioRpcError(code, aio.Metadata(), aio.Metadata(), await call.details(), "")
