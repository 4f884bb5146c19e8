"""A worker: plays one job after another in a process of its own, for the process that started it.

``python -m arena.worker LEVEL [LOGFILE]`` is started by exec, never by fork. It is sent jobs on standard input and
answers on standard output, both as length-prefixed pickles between two processes of the same program. When its input
closes, because the arena is done or dead, it ends its bots and leaves.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from arena.job import Job, JobEnd, LegPlayed, run_job
from arena.logs import LogTo, configure_worker_logs, parse_level
from referee.service import bridge
from referee.service.lobby import Offer

_LENGTH: Final = struct.Struct(">Q")
_READ_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Stop:
    """To a worker: begin no more legs of the job you are playing."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """To a worker: give up the job you are playing; what has failed is ours."""

    reason: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """From a worker: this seat is offered no more."""

    seat: str


@dataclass(frozen=True, slots=True)
class Open:
    """From a worker: what is open now."""

    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Failed:
    """From a worker: the job ended with an exception of ours."""

    text: str


Message: TypeAlias = "Job | Stop | Abandon | LegPlayed | Offer | Withdrawn | Open | JobEnd | Failed"


class Line:
    """Messages over a pair of streams."""

    def __init__(self, receive: trio.abc.ReceiveStream, send: trio.abc.SendStream) -> None:
        self._receive = receive
        self._send = send
        self._lock = trio.Lock()
        self._buffer = bytearray()

    async def send(self, message: Message) -> None:
        """Send one message."""
        body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        async with self._lock:
            await self._send.send_all(_LENGTH.pack(len(body)) + body)

    async def receive(self) -> Message | None:
        """Return the next message; ``None`` once the other side has closed."""
        head = await self._bytes(_LENGTH.size)
        if head is None:
            return None
        body = await self._bytes(_LENGTH.unpack(head)[0])
        if body is None:
            return None
        message: Message = pickle.loads(body)  # noqa: S301 (both ends are this program)
        return message

    async def _bytes(self, count: int) -> bytes | None:
        while len(self._buffer) < count:
            chunk = await self._receive.receive_some(_READ_BYTES)
            if not chunk:
                return None
            self._buffer += chunk
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


def main() -> None:
    """Serve until standard input closes."""
    configure_worker_logs(LogTo(level=parse_level(sys.argv[1]), path="".join(sys.argv[2:])))
    jobs, results = os.dup(0), os.dup(1)
    # A stray print or a library that reads must not touch the line.
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)

    async def start() -> None:
        line = Line(trio.lowlevel.FdStream(jobs), trio.lowlevel.FdStream(results))
        await _serve(line)

    bridge.run(start)


async def _serve(line: Line) -> None:
    """Play what comes; everything ends when the arena has gone."""
    to_play, waiting = trio.open_memory_channel[Job](1)
    stop = trio.Event()
    playing = trio.CancelScope()
    reason = ""
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            nonlocal reason
            while (message := await line.receive()) is not None:
                if isinstance(message, Stop):
                    stop.set()
                elif isinstance(message, Abandon):
                    reason = message.reason
                    playing.cancel()
                elif isinstance(message, Job):
                    await to_play.send(message)
            nursery.cancel_scope.cancel()

        nursery.start_soon(listen)
        async for job in waiting:
            end: JobEnd | Failed = Failed("")
            with playing:
                end = await _play(job, line, stop)
            await line.send(Failed(reason) if playing.cancelled_caught else end)
            playing = trio.CancelScope()


class _Outside:
    """The world outside of a job: the arena at the other end of the line."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send

    def offer(self, seat: Offer) -> None:
        self._send(seat)

    def withdraw(self, seat: str) -> None:
        self._send(Withdrawn(seat))

    def tell_open(self, numbers: Mapping[str, int]) -> None:
        self._send(Open(numbers))


async def _play(job: Job, line: Line, stop: trio.Event) -> JobEnd | Failed:
    """Play one job, sending its legs as they come; return what ends it."""
    finished, to_send = trio.open_memory_channel[Message](float("inf"))
    try:
        async with trio.open_nursery() as nursery:

            async def forward() -> None:
                async for message in to_send:
                    await line.send(message)

            nursery.start_soon(forward)
            with finished:
                end = await run_job(job, finished.send_nowait, stop, _Outside(finished.send_nowait))
    except Exception:  # noqa: BLE001 (the border of a job: our own bugs are reported, the arena decides)
        return Failed(traceback.format_exc())
    return end


if __name__ == "__main__":
    # By its own name: what is pickled at one end of the line has to be the same class at the other.
    from arena.worker import main as serve

    serve()
