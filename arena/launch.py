"""Bots as processes: one for each seat instance, started by exec, watched until they are gone.

Every process leads a session and a group of its own, holds no descriptor of ours, reads an empty standard input,
and writes into one pipe that is drained all the time into a ring of bounded size (a bot may print for ever; it is
slowed, nobody else is). It is stopped politely, then as a group, so that nothing it started is left. A watchdog
ends the groups if we are killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import trio

import arena.watchdog
from arena.bots import Bot

OUTPUT_BYTES: Final = 64 * 1024
"""How much of a bot's last output is kept."""
POLITE_SECONDS: Final = 2.0
"""Between Goodbye and SIGTERM."""
TERM_SECONDS: Final = 1.0
"""Between SIGTERM and SIGKILL."""
_READ_BYTES: Final = 64 * 1024
_PAUSE_BETWEEN_FULL_READS: Final = 0.005
"""A bot that floods its output is read at no more than some 13 MB/s."""
_LAST_READ_SECONDS: Final = 0.5
"""How long the output of a dead bot is still read; a grandchild may hold the pipe open."""
_SECRETS: Final = ("PGPASSWORD",)


class Tail:
    """The last bytes of a stream."""

    def __init__(self, limit: int = OUTPUT_BYTES) -> None:
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._limit = limit

    def add(self, chunk: bytes) -> None:
        """Take a piece; forget what is too old."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._chunks[0]) >= self._limit:
            self._size -= len(self._chunks.popleft())

    def lines(self, count: int = 5, width: int = 200) -> list[str]:
        """Return the last lines that are not blank, safe to print: control codes and bad bytes are replaced."""
        text = b"".join(self._chunks)[-self._limit :].decode(errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return [printable(line)[:width] for line in lines[-count:]]


def printable(text: str) -> str:
    """Return *text* with everything a terminal might obey replaced by a question mark."""
    return "".join(char if char.isprintable() else "?" for char in text.replace("\t", " "))


class Processes:
    """The bots of one worker. Made by :func:`open_processes`."""

    def __init__(self, directory: Path, watchdog: subprocess.Popen[bytes]) -> None:
        self.directory = directory
        """Private to this worker; the referee's socket lives here."""
        self._watchdog = watchdog

    def tell_watchdog(self, line: str) -> None:
        """Note a group that lives (``+``) or has ended (``-``)."""
        assert self._watchdog.stdin is not None  # noqa: S101 (opened with a pipe)
        with suppress(BrokenPipeError):  # somebody killed the watchdog; we still clean up ourselves
            self._watchdog.stdin.write(f"{line}\n".encode())
            self._watchdog.stdin.flush()

    async def start(self, bot: Bot, variables: Mapping[str, str]) -> BotProcess:
        """Start one process of *bot* with *variables* set.

        :raises OSError: if the program cannot be run.
        """
        process = await trio.lowlevel.open_process(
            list(bot.command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=bot.directory or None,
            env=environment_of(bot, variables),
            start_new_session=True,
        )
        self.tell_watchdog(f"+{process.pid}")
        return BotProcess(process, self)


def environment_of(bot: Bot, variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a bot: ours without what is private to us, its own settings, then *variables*."""
    ours = {
        name: value for name, value in os.environ.items() if not name.startswith("EUCHRE_") and name not in _SECRETS
    }
    return {**ours, "PYTHONUNBUFFERED": "1", **bot.environment, **variables}


@asynccontextmanager
async def open_processes() -> AsyncIterator[Processes]:
    """Hold a private directory and a watchdog; on leaving, both are gone, and so is every process started."""
    directory = tempfile.mkdtemp(prefix="euchre-arena-")
    watchdog = subprocess.Popen(  # noqa: S603, ASYNC220 (our own script; it starts in a moment)
        [sys.executable, "-I", "-S", arena.watchdog.__file__, directory],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield Processes(Path(directory), watchdog)
    finally:
        assert watchdog.stdin is not None  # noqa: S101 (opened with a pipe)
        with suppress(BrokenPipeError):
            watchdog.stdin.close()
        watchdog.wait()  # it only has to remove a directory


class BotProcess:
    """One running process of a bot."""

    def __init__(self, process: trio.Process, owner: Processes) -> None:
        self._process = process
        self._owner = owner
        self.output = Tail()
        """What it printed last, on either stream."""

    @property
    def pid(self) -> int:
        """Return the process id, which is that of its group."""
        return self._process.pid

    async def drain(self) -> None:
        """Read its output until the end, as fast as one bot may be read."""
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 (opened with a pipe)
        with suppress(trio.ClosedResourceError, trio.BrokenResourceError):
            while chunk := await stream.receive_some(_READ_BYTES):
                self.output.add(bytes(chunk))
                if len(chunk) == _READ_BYTES:
                    await trio.sleep(_PAUSE_BETWEEN_FULL_READS)

    async def wait(self) -> int:
        """Wait until it has exited and its output is read; return the exit code, negative for a signal."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.drain)
            code = await self._process.wait()
            nursery.cancel_scope.deadline = trio.current_time() + _LAST_READ_SECONDS
        return code

    def ending_text(self) -> str:
        """Return how it ended, in words."""
        code = self._process.returncode
        return "still running" if code is None else exit_text(code)

    async def stop(self) -> None:
        """Let it leave by itself, then ask it to, then end it and everything in its group. Never fails."""
        with trio.CancelScope(shield=True):
            for seconds, number in ((POLITE_SECONDS, signal.SIGTERM), (TERM_SECONDS, signal.SIGKILL)):
                with trio.move_on_after(seconds):
                    await self._process.wait()
                    break
                self._signal(number)
            await self.end()

    async def end(self) -> None:
        """End it and its whole group now."""
        with trio.CancelScope(shield=True):
            self._signal(signal.SIGKILL)
            await self._process.wait()
            self._owner.tell_watchdog(f"-{self.pid}")
            if self._process.stdout is not None:
                await self._process.stdout.aclose()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def exit_text(code: int) -> str:
    """Return an exit code in words: ``exit code 3``, ``killed by SIGKILL``."""
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"
