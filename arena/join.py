"""A bot brought to a referee elsewhere: copies started here as they are needed, one for each seat, and a relay.

Every copy is an ordinary bot: it finds the address of a private socket and a token in its environment. Behind that
socket this process passes its stream on to the referee (``referee.service.relay``): with the entrant's true token and
the label of the copy, over TLS, and again when the line was lost. So no kit needs to know of TLS or of the entrant's
token, and a copy always comes back to its own seat.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import trio
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2

from arena.bots import Bot, check_process, parse_bot
from arena.errors import ExitCode, InfrastructureError, OperatorError
from arena.launch import BotProcess, Processes, Tail, open_processes
from euchre.v1 import play_pb2
from referee.service import bridge
from referee.service.doors import AddressError, checked_address, is_local
from referee.service.entrants import LABEL_MARK
from referee.service.relay import (
    CHANNEL_OPTIONS,
    EOF,
    PLAY_METHOD,
    Call,
    Context,
    Ended,
    Incoming,
    next_frame,
    pump,
    write,
)

_KNOCK_SECONDS: Final = 30.0
"""How long to try for a first sign of the referee."""
_CALL_SECONDS: Final = 5.0
_FIRST_PAUSE_SECONDS: Final = 0.5
_LONGEST_PAUSE_SECONDS: Final = 10.0
_FAILED_STARTS: Final = 3
"""Copies that end, one after the other, before they have said hello: then the bot is given up."""
_RESTARTS: Final = 3
"""How often a copy that crashed at its seat is started again."""
_COME_BACK: Final = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.RESOURCE_EXHAUSTED}
)
"""Answers after which the same call may succeed."""
_SERVICE: Final = "euchre.v1.RefereeService"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What the command line asks for."""

    address: str
    token: str
    bot: str
    spare: int = 4
    """Copies that wait in the lobby."""
    most: int = 64
    """Copies at once."""
    credentials: grpc.ChannelCredentials | None = None
    """``None``: no TLS."""
    is_once: bool = False
    """Leave when the first match is over."""


def read_token(path: Path | None) -> str:
    """Return the token in *path* (``-``: standard input), or in ``EUCHRE_TOKEN``.

    :raises OperatorError: if there is none.
    """
    if path is None:
        text, where = os.environ.get("EUCHRE_TOKEN", ""), "EUCHRE_TOKEN"
        if not text.strip():
            raise OperatorError("no token; name its file with --token-file, or set EUCHRE_TOKEN")
    else:
        try:
            text, where = (sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")), str(path)
        except (OSError, UnicodeDecodeError) as error:
            raise OperatorError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    words = text.split()
    if len(words) != 1 or "." not in words[0]:
        raise OperatorError(f"{where} holds no token; it is one word as 'euchre-arena token' printed it")
    return words[0]


def credentials_of(
    address: str, plaintext: bool, tls: bool, roots: Path | None, certificate: Path | None, key: Path | None
) -> grpc.ChannelCredentials | None:
    """Return how to speak to *address*: TLS, unless it is on this machine or *plaintext* is wanted.

    :raises OperatorError: if the options contradict each other, or a file cannot be read.
    """
    if plaintext and (tls or certificate):
        raise OperatorError("--plaintext is without TLS, so it takes no certificates and no --tls")
    if (certificate is None) != (key is None):
        raise OperatorError("--certificate and --key belong together")
    if plaintext or (is_local(address) and not tls and certificate is None):
        return None
    try:
        read = [path.read_bytes() if path is not None else None for path in (roots, key, certificate)]
    except OSError as error:
        raise OperatorError(f"{error.filename} cannot be read: {error.strerror}") from None
    return grpc.ssl_channel_credentials(*read)


def run(joining: Joining, say: Callable[[str], None] | None = None) -> ExitCode:
    """Be there until told to leave; return how it ended.

    :raises OperatorError: if the referee refuses this token or this bot, or the bot does not start.
    :raises InfrastructureError: if no referee answers.
    """
    try:
        checked_address(joining.address)
    except AddressError as error:
        raise OperatorError(str(error)) from None
    bot = check_process(parse_bot(joining.bot), "join")
    try:
        return bridge.run(_Crew(joining, bot, say or _say).run)
    except KeyboardInterrupt:
        return ExitCode.PASSED


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 (what the command has to say)


class _Copy:
    """One copy of the bot, over all its processes."""

    def __init__(self, number: int, label: str) -> None:
        self.number = number
        self.label = label
        """What it says to us in place of a token, and what we say of it at the referee."""
        self.seed = str(secrets.randbits(63))
        self.has_dialled = False
        self.is_seated = False
        """It has a seat; one that it was lost from is kept for it for the grace period."""
        self.visits = 0
        """How often it sat down."""
        self.is_over = False
        """The table has said goodbye to it."""


class _Echo(Tail):
    """The output of a copy, shown as it comes."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._prefix = f"[{number}] "
        self._rest = b""

    def add(self, chunk: bytes) -> None:
        """Show whole lines, keep the last ones."""
        super().add(chunk)
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._rest = self._rest[-1000:]
        for line in lines:
            sys.stderr.write(self._prefix + line.decode(errors="replace") + "\n")
        sys.stderr.flush()


class _Crew:
    """All copies, and the way to the referee."""

    def __init__(self, joining: Joining, bot: Bot, say: Callable[[str], None]) -> None:
        self._joining = joining
        self._bot = bot
        self._say = say
        self._copies: dict[str, _Copy] = {}
        self._session = secrets.token_hex(3)
        self._started = 0
        self._failed_starts = 0
        self._failure: Exception | None = None
        self._is_out_of_reach = False
        self._has_played = False
        self._changed = trio.Event()

    async def run(self) -> ExitCode:
        """Knock, then keep copies waiting."""
        await self._knock()
        async with open_processes() as processes:
            server = grpc.aio.server(options=[("grpc.max_receive_message_length", -1)])
            self._address = f"unix:{processes.directory / 'door'}"
            await bridge.on_host(self._open(server))
            try:
                async with trio.open_nursery() as nursery:
                    await self._keep_crew(processes, nursery)
                    nursery.cancel_scope.cancel()
            finally:
                with trio.CancelScope(shield=True):
                    await bridge.on_host(server.stop(0.2))
        if self._failure is not None:
            raise self._failure
        return ExitCode.PASSED

    async def _open(self, server: grpc.aio.Server) -> None:
        server.add_generic_rpc_handlers((self._handlers(),))
        server.add_insecure_port(self._address)
        await server.start()

    # -- copies ------------------------------------------------------------------------------------

    async def _keep_crew(self, processes: Processes, nursery: trio.Nursery) -> None:
        """See that enough copies wait; return when there is nothing more to do."""
        joining = self._joining
        self._say(f"{self._bot.name} waits at {joining.address}" + ("" if joining.credentials else " (no TLS)"))
        while self._failure is None:
            idle = sum(not copy.is_seated for copy in self._copies.values())
            if joining.is_once and self._has_played:
                if not any(copy.is_seated for copy in self._copies.values()):
                    return
            elif idle < joining.spare and len(self._copies) < joining.most:
                self._started += 1
                copy = _Copy(self._started, f"{self._session}-{self._started}")
                self._copies[copy.label] = copy
                nursery.start_soon(self._run_copy, copy, processes)
                continue
            await self._changed.wait()

    async def _run_copy(self, copy: _Copy, processes: Processes) -> None:
        """Run a copy until its match is over; start it again when it crashes at its seat."""
        try:
            for _ in range(_RESTARTS + 1):
                process = await processes.start(self._bot, self._variables(copy))
                process.output = _Echo(copy.number)
                try:
                    await process.wait()
                finally:
                    await process.end()
                if not copy.is_seated or copy.is_over:
                    break
                self._say(f"copy {copy.number} ended at its seat ({process.ending_text()}); it is started again")
            self._note_end(copy, process)
        except OSError as error:
            self._fail(OperatorError(f"{self._bot.command[0]} could not be started: {error.strerror or error}"))
        finally:
            del self._copies[copy.label]
            self._note_change()

    def _variables(self, copy: _Copy) -> dict[str, str]:
        return {
            "EUCHRE_ADDRESS": self._address,
            "EUCHRE_TOKEN": copy.label,
            "EUCHRE_NAME": self._bot.name,
            "EUCHRE_SEED": copy.seed,
        }

    def _note_end(self, copy: _Copy, process: BotProcess) -> None:
        if copy.has_dialled:
            self._failed_starts = 0
            return
        self._failed_starts += 1
        if self._failed_starts >= _FAILED_STARTS:
            said = " | ".join(process.output.lines()) or "nothing"
            self._fail(
                OperatorError(
                    f"{self._bot.name} ended ({process.ending_text()}) before it said hello, {_FAILED_STARTS} times "
                    f"in a row; it printed last: {said}"
                )
            )

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._note_change()

    def _note_change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    # -- the referee -------------------------------------------------------------------------------

    def _channel(self) -> Any:
        address, credentials = self._joining.address, self._joining.credentials
        if credentials is None:
            return grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS)
        return grpc.aio.secure_channel(address, credentials, options=CHANNEL_OPTIONS)

    async def _knock(self) -> None:
        """Ask the referee whether it is there.

        :raises InfrastructureError: if nobody answers.
        """
        deadline = trio.current_time() + _KNOCK_SECONDS
        is_told = False
        while (reason := await bridge.on_host(self._health())) is not None:
            hint = "" if self._joining.credentials is None else " (with TLS; --plaintext is without)"
            line = f"no referee answers at {self._joining.address}{hint}: {reason}"
            if trio.current_time() > deadline:
                raise InfrastructureError(line)
            if not is_told:
                self._say(f"{line}; trying for {_KNOCK_SECONDS:g} s")
                is_told = True
            await trio.sleep(_FIRST_PAUSE_SECONDS)

    async def _health(self) -> str | None:
        """Return why the referee is not ready for us, ``None`` if it is."""
        async with self._channel() as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            try:
                answer = await check(health_pb2.HealthCheckRequest(service=_SERVICE), timeout=_CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                return f"{(error.details() or 'no details').strip()} ({error.code().name})"
        return None if answer.status == health_pb2.HealthCheckResponse.SERVING else "it is closing"

    # -- the relay, on asyncio ---------------------------------------------------------------------

    def _handlers(self) -> grpc.GenericRpcHandler:
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(self._play)}
        for method in ("ListVariants", "DescribeVariant"):
            handlers[method] = grpc.unary_unary_rpc_method_handler(self._asker(f"/{_SERVICE}/{method}"))
        return grpc.method_handlers_generic_handler(_SERVICE, handlers)

    def _asker(self, method: str) -> Any:
        """Return a handler that passes a question on, as bytes."""

        async def pass_on(request: bytes, context: Context) -> bytes:
            async with self._channel() as channel:
                try:
                    answer: bytes = await channel.unary_unary(method)(request, timeout=_CALL_SECONDS)
                except grpc.aio.AioRpcError as error:
                    await context.abort(error.code(), error.details())
                return answer

        return pass_on

    async def _play(self, _: object, context: Context) -> None:
        incoming = Incoming(context)
        try:
            ended = await self._pass_on(context, incoming)
        finally:
            await incoming.close()
        if ended.code is not grpc.StatusCode.OK:
            await context.abort(ended.code, ended.details)

    async def _pass_on(self, context: Context, incoming: Incoming) -> Ended:
        data = await incoming.take()
        try:
            frame = play_pb2.BotFrame() if data is EOF else play_pb2.BotFrame.FromString(data)
        except DecodeError:
            frame = play_pb2.BotFrame()
        copy = self._copies.get(frame.hello.token)
        if copy is None:
            return Ended(grpc.StatusCode.UNAUTHENTICATED, "say the value of EUCHRE_TOKEN in the first frame")
        copy.has_dialled = True
        self._failed_starts = 0
        frame.hello.token = f"{self._joining.token}{LABEL_MARK}{copy.label}"
        hello, pause = frame.SerializeToString(), _FIRST_PAUSE_SECONDS
        while True:
            async with self._channel() as channel:
                call: Call = channel.stream_stream(PLAY_METHOD)()
                try:
                    await write(call, hello)
                    welcome = await self._welcome(call, incoming)
                except Ended as ended:
                    if ended.code not in _COME_BACK:
                        if ended.code is not grpc.StatusCode.OK:
                            self._note_refusal(ended)
                        return ended
                    self._note_reach(ended)
                else:
                    return await self._sit(copy, welcome, context, incoming, call)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    async def _welcome(self, call: Call, incoming: Incoming) -> bytes:
        """Wait for the first frame of the referee; it comes when there is a seat.

        :raises Ended: if the referee ends the stream, or the bot does.
        """
        first = asyncio.ensure_future(next_frame(call))
        try:
            await asyncio.wait((first, incoming.next), return_when=asyncio.FIRST_COMPLETED)
            if not first.done():
                call.cancel()
                raise Ended(grpc.StatusCode.OK, "the bot closed its side")
            return first.result()
        finally:
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)

    async def _sit(self, copy: _Copy, welcome: bytes, context: Context, incoming: Incoming, call: Call) -> Ended:
        if not copy.is_seated:
            self._say(f"copy {copy.number} plays")
        self._is_out_of_reach = False
        copy.is_seated = True
        copy.visits += 1
        self._note_change()
        try:
            ended = await pump(context, incoming, call, welcome)
            if ended.code is grpc.StatusCode.OK:
                copy.is_over = self._has_played = True
                self._say(f"copy {copy.number} has finished")
            else:
                self._say(f"copy {copy.number} lost its line: {ended.details} ({ended.code.name})")
            return ended
        finally:  # grpc cancels the call of a copy whose process has died
            if not copy.is_over:
                grace = play_pb2.RefereeFrame.FromString(welcome).welcome.grace_milliseconds / 1000
                asyncio.get_running_loop().call_later(grace, self._give_up_seat, copy, copy.visits)
            self._note_change()

    def _give_up_seat(self, copy: _Copy, visits: int) -> None:
        """Count a copy that has not come back to its seat as one that waits: by now the seat is lost, or another's."""
        if copy.visits == visits:
            copy.is_seated = False
            self._note_change()

    def _note_refusal(self, ended: Ended) -> None:
        self._fail(OperatorError(f"the referee at {self._joining.address} refuses: {ended.details}"))

    def _note_reach(self, ended: Ended) -> None:
        if not self._is_out_of_reach:
            self._is_out_of_reach = True
            self._say(f"the referee at {self._joining.address} is out of reach: {ended.details}; trying again")
