"""How nights get seats filled: a private socket of the standing referee, JSON lines both ways.

To the referee, from a night (or from whoever asks who is here)::

    {"ask": ["bob"]}                            which of these may dial in?
    {"offer": {"id": …, "entrant": …, "address": …, "token": …}}
    {"withdraw": "SEAT"}
    {"tally": {…}} {"open": {"tables": 4}}      for the referee's metrics
    {"list": true} {"absent": ["bob"]}          who is here, and who of these is not?
    {"wait": ["bob"]}                           answered when a copy of everybody is here

A night is told who sits down: ``{"seated": "SEAT", "label": "COPY"}``, and says so when it offers the seat again to a
referee that was started anew, so that the copy comes back to it.

Back come ``{"unknown": […], "names": […]}``, ``{"attendance": […]}`` and ``{"absent": […]}``. Whatever a line of a
night has offered is withdrawn when it closes. The socket belongs to its owner alone; there is no other lock.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import structlog
import trio

from arena.errors import InfrastructureError, OperatorError
from referee.service.lobby import Lobby, Offer
from referee.service.metrics import Metrics, Tally

_LONGEST_LINE: Final = 1 << 20
_READ_BYTES: Final = 1 << 16


class JsonLine:
    """JSON objects over a stream, one a line."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._lock = trio.Lock()
        self._buffer = bytearray()

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send one."""
        async with self._lock:
            await self._stream.send_all(json.dumps(message).encode() + b"\n")

    async def receive(self) -> dict[str, Any] | None:
        """Return the next; ``None`` once the other side has closed, or sends what is none."""
        while (end := self._buffer.find(b"\n")) < 0:
            chunk = await self._stream.receive_some(_READ_BYTES)
            if not chunk or len(self._buffer) > _LONGEST_LINE:
                return None
            self._buffer += chunk
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        try:
            message = json.loads(line)
        except ValueError:
            return None
        return message if isinstance(message, dict) else None

    async def aclose(self) -> None:
        """Close it."""
        await self._stream.aclose()


# -- the referee's side ------------------------------------------------------------------------------


@asynccontextmanager
async def open_control(path: Path, lobby: Lobby, metrics: Metrics) -> AsyncIterator[None]:
    """Listen at *path* for nights.

    :raises OperatorError: if another referee listens there, or nobody can.
    """
    listener = await _listen(path)
    async with trio.open_nursery() as nursery:
        lines = count(1)

        async def serve(stream: trio.SocketStream) -> None:
            async with stream:
                await _Night(f"night{next(lines)}", JsonLine(stream), lobby, metrics).run()

        nursery.start_soon(partial(trio.serve_listeners, serve, [listener]))
        try:
            yield
        finally:
            nursery.cancel_scope.cancel()
            _remove(path)


def _remove(path: Path) -> None:
    """Remove a socket's file; it may be gone."""
    with suppress(FileNotFoundError):
        path.unlink()


async def _listen(path: Path) -> trio.SocketListener:
    with suppress(OSError):
        stream = await trio.open_unix_socket(path)
        await stream.aclose()
        raise OperatorError(f"a referee of this file runs already (it answers at {path})")
    listening = trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        _remove(path)  # left by a referee that was killed
        await listening.bind(str(path))
    except OSError as error:
        listening.close()
        raise OperatorError(f"cannot listen on {path}: {error.strerror}; name another place with control") from None
    finally:
        os.umask(mask)
    listening.listen(64)
    return trio.SocketListener(listening)


class _Night:
    """One line to somebody on this machine."""

    def __init__(self, name: str, line: JsonLine, lobby: Lobby, metrics: Metrics) -> None:
        self._name = name
        self._line = line
        self._lobby = lobby
        self._metrics = metrics
        self._seats: set[str] = set()
        self._log = structlog.get_logger("lobby").bind(line=name)
        self._to_send, self._sending = trio.open_memory_channel[dict[str, Any]](float("inf"))

    async def run(self) -> None:
        """Do what is said, until the line closes; then nothing of it is left."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send)
                await self._receive()
                nursery.cancel_scope.cancel()
        finally:
            for seat in self._seats:
                self._lobby.withdraw(seat)
            self._metrics.open.pop(self._name, None)

    async def _send(self) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for message in self._sending:
                await self._line.send(message)

    async def _receive(self) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while (message := await self._line.receive()) is not None:
                if isinstance(waits_for := message.get("wait"), list):
                    await self._lobby.wait_for(waits_for)
                    answer: dict[str, Any] | None = {"absent": []}
                else:
                    answer = self._do(message)
                if answer is not None:
                    self._to_send.send_nowait(answer)

    def _do(self, message: dict[str, Any]) -> dict[str, Any] | None:
        match message:
            case {"ask": list(asked)}:
                names = self._lobby.names
                unknown = [name for name in asked if name not in names]
                self._log.info("night_came", entrants=asked)
                return {"unknown": unknown, "names": names, "address": self._lobby.address}
            case {"offer": {"id": str(seat), "entrant": entrant, "address": address, "token": token, "label": label}}:
                offer = Offer(id=f"{self._name}/{seat}", entrant=entrant, address=address, token=token, label=label)
                self._seats.add(offer.id)
                self._lobby.offer(offer, lambda label: self._to_send.send_nowait({"seated": seat, "label": label}))
            case {"withdraw": seat}:
                self._seats.discard(f"{self._name}/{seat}")
                self._lobby.withdraw(f"{self._name}/{seat}")
            case {"tally": dict(tally)}:
                self._metrics.tally.add(Tally.from_json(tally))
            case {"open": dict(numbers)}:
                self._metrics.open[self._name] = numbers
            case {"absent": list(wanted)}:
                return {"absent": self._lobby.absent(wanted)}
            case {"list": _}:
                return {
                    "address": self._lobby.address,
                    "streams": self._lobby.stream_count,
                    "attendance": [asdict(one) for one in self._lobby.attendance()],
                }
            case _:
                self._log.error("control_not_understood", keys=sorted(message))
        return None


# -- the night's side --------------------------------------------------------------------------------


async def dial_control(path: Path) -> JsonLine:
    """Return a line to the referee that listens at *path*.

    :raises OSError: if none does.
    """
    return JsonLine(await trio.open_unix_socket(path))


async def ask(line: JsonLine, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question.

    :raises InfrastructureError: if there is none.
    """
    try:
        await line.send(message)
        answer = await line.receive()
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        answer = None
    if answer is None:
        raise InfrastructureError("the standing referee closed the line without an answer; see its log")
    return answer
