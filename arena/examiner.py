"""A referee that examines one bot: a real gRPC server whose every frame is chosen by a script.

The real referee plays games; this one asks whatever is to be asked, in any order, drops the line on purpose, and
listens to what comes back. It has one stream at a time and a script that waits for each answer, so it uses grpc's
blocking server: the handler's threads only move frames between the wire and two queues.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent import futures
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import grpc

from arena.bots import Bot
from arena.launch import Tail, environment_of
from euchre.v1 import play_pb2, referee_pb2, referee_pb2_grpc
from referee.rules import PRESETS, VariantError, parse_variant
from referee.service import wire

TOKEN: Final = "examination"  # noqa: S105 (a word, no secret)
"""What the bot is told to say in its Hello."""
_THREADS: Final = 8
_READ_BYTES: Final = 65536
_LAST_READ_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.05
"""How often to look whether a bot that is waited for has exited."""


class LineLost(Exception):
    """The bot's stream ended where the script did not expect it. The message says how."""


class Line:
    """One call of ``Play``: frames that came, frames that go."""

    def __init__(self, context: grpc.ServicerContext) -> None:
        self._context = context
        self._arrived: queue.Queue[play_pb2.BotFrame | None] = queue.Queue()
        self._leaving: queue.Queue[play_pb2.RefereeFrame | grpc.StatusCode | None] = queue.Queue()
        self.is_half_closed = threading.Event()
        """The bot has closed its side."""
        self.is_over = threading.Event()
        """The call has ended, whoever ended it."""

    def read_all(self, frames: Iterator[play_pb2.BotFrame]) -> None:
        """Take frames until the bot closes its side or the line breaks."""
        with suppress(grpc.RpcError):
            for frame in frames:
                self._arrived.put(frame)
            self.is_half_closed.set()
        self._arrived.put(None)

    def write_all(self) -> Iterator[play_pb2.RefereeFrame]:
        """Yield frames as the script sends them; end the call when it says so."""
        while True:
            frame = self._leaving.get()
            if frame is None:
                return
            if isinstance(frame, grpc.StatusCode):
                self._context.abort(frame, "examination: the line is dropped on purpose")
            yield frame

    def send(self, frame: play_pb2.RefereeFrame) -> None:
        """Send a frame."""
        self._leaving.put(frame)

    def end(self, status: grpc.StatusCode | None = None) -> None:
        """End the call, well or with *status*."""
        self._leaving.put(status)

    def receive(self, seconds: float) -> play_pb2.BotFrame | None:
        """Return the next frame, ``None`` if none came in time.

        :raises LineLost: if the bot has closed its side or the line has broken.
        """
        try:
            frame = self._arrived.get(timeout=seconds)
        except queue.Empty:
            return None
        if frame is None:
            self._arrived.put(None)
            raise LineLost("the bot closed its side" if self.is_half_closed.is_set() else "the stream was lost")
        return frame


class Examiner(referee_pb2_grpc.RefereeServiceServicer):
    """The server. ``with Examiner(directory) as examiner`` listens on a unix socket there."""

    def __init__(self, directory: Path) -> None:
        self.address = f"unix:{directory / 'referee.sock'}"
        self.described: list[str] = []
        """What the bot asked to be described, in order."""
        self._lines: queue.Queue[Line] = queue.Queue()
        self._open: list[Line] = []
        self.refuse_with: grpc.StatusCode | None = None
        """Refuse every stream with this status."""
        self.calls = 0
        """Streams that were opened."""
        self._server = grpc.server(futures.ThreadPoolExecutor(_THREADS))
        referee_pb2_grpc.add_RefereeServiceServicer_to_server(self, self._server)  # type: ignore[no-untyped-call]
        self._server.add_insecure_port(self.address)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for line in self._open:
            line.end()  # its handler waits for the next frame to send
        self._server.stop(0).wait()

    def wait_line(self, seconds: float, process: Candidate) -> Line | None:
        """Return the next stream the bot opens, ``None`` if it opens none in time, or exits."""
        deadline = time.monotonic() + seconds
        while True:
            has_exited = process.exit_code is not None
            try:
                return self._lines.get(timeout=0.0 if has_exited else _LOOK_SECONDS)
            except queue.Empty:
                if has_exited or time.monotonic() > deadline:
                    return None

    def Play(  # noqa: N802 (the name of the rpc)
        self, request_iterator: Iterator[play_pb2.BotFrame], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.RefereeFrame]:
        """Serve one stream."""
        self.calls += 1
        if self.refuse_with is not None:
            with suppress(grpc.RpcError):
                next(request_iterator, None)  # a client that is still writing its Hello may not see the status
            context.abort(self.refuse_with, "examination: refused on purpose")
        line = Line(context)
        context.add_callback(line.is_over.set)
        threading.Thread(target=line.read_all, args=(request_iterator,), daemon=True).start()
        self._open.append(line)
        self._lines.put(line)
        yield from line.write_all()

    def ListVariants(  # noqa: N802
        self, request: referee_pb2.ListVariantsRequest, context: grpc.ServicerContext
    ) -> referee_pb2.ListVariantsResponse:
        """List the catalogue."""
        summaries = [
            referee_pb2.VariantSummary(id=name, name=preset.name, seats=preset.seats)
            for name, preset in PRESETS.items()
        ]
        return referee_pb2.ListVariantsResponse(variants=summaries)

    def DescribeVariant(  # noqa: N802
        self, request: referee_pb2.DescribeVariantRequest, context: grpc.ServicerContext
    ) -> referee_pb2.DescribeVariantResponse:
        """Describe one variant."""
        self.described.append(request.variant)
        try:
            variant = parse_variant(request.variant)
        except VariantError as error:
            context.abort(grpc.StatusCode.NOT_FOUND, str(error))
        return referee_pb2.DescribeVariantResponse(variant=wire.variant_to_message(variant))


class Candidate:
    """The process of the bot that is examined."""

    def __init__(self, bot: Bot, variables: Mapping[str, str]) -> None:
        """Start it.

        :raises OSError: if the program cannot be run.
        """
        self.output = Tail()
        self._process = subprocess.Popen(  # noqa: S603 (the author's own bot)
            list(bot.command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=bot.directory or None,
            env=environment_of(bot, variables),
            start_new_session=True,
        )
        self.started_at = time.monotonic()
        self._drainer = threading.Thread(target=self._drain, daemon=True)
        self._drainer.start()

    def _drain(self) -> None:
        pipe: Any = self._process.stdout
        while chunk := pipe.read1(_READ_BYTES):
            self.output.add(chunk)

    @property
    def exit_code(self) -> int | None:
        """Return the exit code, ``None`` while it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> int | None:
        """Wait for it to exit; return the exit code, ``None`` if it has not in time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def last_lines(self, count: int) -> list[str]:
        """Return the last lines it printed; all of them have been read if it has ended."""
        if self.exit_code is not None:
            self._drainer.join(_LAST_READ_SECONDS)
        return self.output.lines(count)

    def terminate(self) -> None:
        """Ask it to leave."""
        self._process.terminate()

    def kill(self) -> None:
        """End it and its whole group."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drainer.join(_LAST_READ_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def candidate(bot: Bot, address: str) -> Iterator[Candidate]:
    """Start *bot*, told to come to *address*; it and its group are gone on leaving."""
    process = Candidate(bot, {"EUCHRE_ADDRESS": address, "EUCHRE_TOKEN": TOKEN, "EUCHRE_SEED": "1"})
    try:
        yield process
    finally:
        process.kill()
