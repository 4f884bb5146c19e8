"""Remote bots in a match or a night: the way from a job's seats to the lobby where bots dial in.

The lobby is a process of its own, ``euchre-arena referee FILE``: a standing one where it runs, otherwise one that this
night starts and ends. A job offers its seats to the arena, the arena passes them on through the referee's control
socket, and the lobby leads bots to them. If the standing referee is started anew meanwhile, everything that is open is
offered to it again.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from typing import Any, Final

import trio
import trio.lowlevel

from arena.control import JsonLine, ask, dial_control
from arena.errors import InfrastructureError, OperatorError
from arena.launch import Tail
from arena.referee_file import RefereeFile
from referee.rules.errors import nearest
from referee.service.lobby import Offer
from referee.service.metrics import Tally

_OPEN_SECONDS: Final = 15.0
"""For a referee of our own to listen."""
_AGAIN_SECONDS: Final = 0.5
_LEAVE_SECONDS: Final = 5.0

Say = Callable[[str], None]


class Door:
    """The lobby, as a night sees it. Made by :func:`open_door`."""

    def __init__(self, file: RefereeFile, line: JsonLine, say: Say, own: trio.Process | None) -> None:
        self.address = ""
        """Where bots dial in."""
        self.is_open = trio.Event()
        """The lobby can be reached; made anew whenever it cannot."""
        self.is_open.set()
        self._own = own
        self._file = file
        self._line = line
        self._say = say
        self._seats: dict[str, Offer] = {}
        self._outbox: deque[dict[str, Any]] = deque()
        self._news = trio.Event()

    # -- for the runner ----------------------------------------------------------------------------

    def offer(self, seat: Offer) -> None:
        """Have a seat for a remote bot."""
        self._seats[seat.id] = seat
        self._put({"offer": asdict(seat)})

    def withdraw(self, seat: str) -> None:
        """Have it no longer."""
        if self._seats.pop(seat, None) is not None:
            self._put({"withdraw": seat})

    def count(self, tally: Tally) -> None:
        """Add finished games to the referee's metrics."""
        self._put({"tally": tally.to_json()})

    def tell_open(self, numbers: Mapping[str, int]) -> None:
        """Say what is open now, for the referee's metrics."""
        self._put({"open": dict(numbers)})

    async def wait_for(self, names: Sequence[str], seconds: float) -> None:
        """Wait until a copy of everybody in *names* is there, at most so long."""
        line = await dial_control(self._file.control)
        try:
            missing = (await ask(line, {"absent": list(names)}))["absent"]
            if missing and seconds:
                self._say(f"waiting up to {seconds:g} s for {', '.join(missing)} to dial in at {self.address}")
                with trio.move_on_after(seconds):
                    await ask(line, {"wait": list(names)})
        finally:
            await line.aclose()

    # -- inside ------------------------------------------------------------------------------------

    def _put(self, message: dict[str, Any]) -> None:
        self._outbox.append(message)
        self._news.set()

    async def check(self, names: Sequence[str]) -> None:
        """See that everybody in *names* may dial in.

        :raises OperatorError: naming who may not.
        """
        answer = await ask(self._line, {"ask": list(names)})
        self.address = answer["address"]
        for name in answer["unknown"]:
            known = answer["names"]
            held = f"they are {', '.join(known)}" if known else "there are none yet"
            raise OperatorError(
                f"remote:{name}: no entrant {name!r} has a token at {self._file.path}{nearest(name, known)}; {held}. "
                f"Make one: euchre-arena token {self._file.path} {name}"
            )

    async def keep_line(self, patience_seconds: float, give_up: Callable[[], Awaitable[None]]) -> None:
        """Bring everything to the referee; dial again when the line is lost.

        Before the bots that were cut off are blamed for it, after *patience_seconds*, call *give_up*.

        :raises InfrastructureError: if it was a referee of our own.
        """
        while True:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send)
                with suppress(trio.BrokenResourceError):
                    while (message := await self._line.receive()) is not None:
                        self._note_seated(message)
                nursery.cancel_scope.cancel()
            await self._line.aclose()
            if self._own is not None:
                raise InfrastructureError(f"the referee that was started for {self._file.path} has died")
            self.is_open = trio.Event()
            self._say("the standing referee is gone; trying to reach it again")
            with trio.move_on_after(patience_seconds) as patience:
                await self._dial_again()
            if patience.cancelled_caught:
                await give_up()
                await self._dial_again()
            self.is_open.set()
            self._say("the standing referee is back")

    def _note_seated(self, message: Mapping[str, Any]) -> None:
        match message:
            case {"seated": seat, "label": label} if seat in self._seats:
                self._seats[seat] = replace(self._seats[seat], label=label)

    async def _note_address(self) -> None:
        with suppress(InfrastructureError):  # gone again; the next one to use the line will see
            self.address = (await ask(self._line, {"ask": []}))["address"]

    async def _send(self) -> None:
        try:
            while True:
                while self._outbox:
                    await self._line.send(self._outbox[0])
                    self._outbox.popleft()
                self._news = trio.Event()
                await self._news.wait()
        except trio.BrokenResourceError:
            return

    async def _dial_again(self) -> None:
        while True:
            with suppress(OSError):
                self._line = await dial_control(self._file.control)
                break
            await trio.sleep(_AGAIN_SECONDS)
        await self._note_address()
        counts = [message for message in self._outbox if "tally" in message]
        self._outbox = deque([*({"offer": asdict(seat)} for seat in self._seats.values()), *counts])


@asynccontextmanager
async def open_door(
    file: RefereeFile,
    names: Sequence[str],
    say: Say,
    patience_seconds: float,
    give_up: Callable[[], Awaitable[None]],
) -> AsyncIterator[Door]:
    """Hold a line to the lobby of *file*, in which *names* are wanted; open one if none stands.

    *give_up* is called when a standing one has been gone for *patience_seconds*.

    :raises OperatorError: if it cannot be opened, or one of *names* has no token.
    """
    async with _standing_or_own(file) as (line, own):
        door = Door(file, line, say, own)
        await door.check(names)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(door.keep_line, patience_seconds, give_up)
            try:
                yield door
            finally:
                nursery.cancel_scope.cancel()


@asynccontextmanager
async def _standing_or_own(file: RefereeFile) -> AsyncIterator[tuple[JsonLine, trio.Process | None]]:
    """Yield a line to the standing referee of *file*, or to one of our own, and its process, that ends with us."""
    try:
        line = await dial_control(file.control)
    except OSError:
        line = None
    if line is not None:
        try:
            yield line, None
        finally:
            await line.aclose()
        return
    errors = Tail()
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "arena.cli", "referee", str(file.path), "--until-stdin-closes", "--log-level", "error"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_drain, process, errors)
        try:
            line = await _line_to(process, file, errors)
            try:
                yield line, process
            finally:
                await line.aclose()
        finally:
            with trio.CancelScope(shield=True):
                await _end(process)
            nursery.cancel_scope.cancel()


async def _line_to(process: trio.Process, file: RefereeFile, errors: Tail) -> JsonLine:
    """Wait until a referee of our own listens; return a line to it."""
    assert process.stdout is not None  # noqa: S101 (opened with pipes)
    with trio.move_on_after(_OPEN_SECONDS):
        if await process.stdout.receive_some(1 << 12):  # it says where it listens
            return await dial_control(file.control)
        await process.wait()
        await trio.lowlevel.checkpoint()
        said = " ".join(errors.lines(3)).rpartition("euchre-arena: ")[2]
        raise OperatorError(said or f"the referee of {file.path} ended with exit code {process.returncode}")
    raise InfrastructureError(f"the referee of {file.path} did not open within {_OPEN_SECONDS:g} s")


async def _drain(process: trio.Process, errors: Tail) -> None:
    assert process.stderr is not None  # noqa: S101 (opened with pipes)
    with suppress(trio.ClosedResourceError, trio.BrokenResourceError):
        async for chunk in process.stderr:
            errors.add(bytes(chunk))


async def _end(process: trio.Process) -> None:
    """Let it close its doors and leave; kill it if it does not."""
    assert process.stdin is not None  # noqa: S101 (opened with pipes)
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await process.stdin.aclose()
    with trio.move_on_after(_LEAVE_SECONDS):
        await process.wait()
    if process.returncode is None:
        process.kill()
        await process.wait()
