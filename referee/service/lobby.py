"""The lobby: bots dial in with the token of their entrant, wait, and are led to the seats that nights have for them.

A night's tables stand elsewhere, each job's behind a private socket. The night *offers* a seat: which entrant is
wanted, where the table's referee listens, and the token of that seat. The copy of that bot which has waited longest
gets it: its Hello goes there with the token of the seat, and from then on every frame passes unread (``relay.py``). So
clocks, faults and grace are those of the referee at the table, and the way through the lobby is measured by its pings.

A copy that loses its line comes back to its own seat if it says which copy it is (``TOKEN+LABEL``). Whoever does not
say gets the seat that has been empty longest. A seat whose copy has been gone for :data:`TAKEOVER_SECONDS` may be taken
by another copy.

The lobby's state is plain synchronous code on one thread; its handlers run on asyncio, its owner on trio
(``bridge.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
import structlog
import trio
from google.protobuf.message import DecodeError

from euchre.v1 import play_pb2
from referee.service import bridge, wire
from referee.service.clock import Rate
from referee.service.doors import Tls, checked_address
from referee.service.entrants import LABEL_MARK, Entrants
from referee.service.hall import Hall, Log
from referee.service.policy import Policy
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
from referee.service.server import Server, Service
from referee.service.stream import Status, StreamRefused, info_from_hello

TAKEOVER_SECONDS: Final = 1.0
"""After so long another copy may take the seat of one that is gone."""
MOST_WAITING: Final = 64
"""Copies of one entrant that may wait at once."""
_LONGEST_LABEL: Final = 64
_SEAT_IS_DEAD: Final = frozenset(
    {grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.UNAVAILABLE}
)
"""A table that answers a Hello so will not take anybody on that seat any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A seat that a night has for an entrant."""

    id: str
    entrant: str
    address: str
    """Where the referee of the table listens."""
    token: str
    """What to say there."""
    label: str = ""
    """The copy that had it before, where the seat is offered anew because this lobby was closed meanwhile."""


class _Place:
    """An offered seat and who has it."""

    def __init__(self, offer: Offer, on_sit: Callable[[str], None]) -> None:
        self.offer = offer
        self.on_sit = on_sit
        self.streams = 0
        """Those that have it or are on the way to it; two while a copy is back before its old line is found dead."""
        self.label = offer.label
        """The copy that has it, there or not; empty: nobody in particular."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A copy that waits."""

    label: str
    place: asyncio.Future[_Place | None]
    """``None``: the referee closes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """What the lobby knows of an entrant."""

    entrant: str
    waiting: int = 0
    """Copies that wait."""
    playing: int = 0
    """Copies that sit at tables."""
    wanted: int = 0
    """Seats that wait for a copy."""
    version: str = ""
    """What the last copy said."""
    last_seen: float | None = None
    """When a copy came or left last, in seconds since the epoch."""


class Lobby:
    """Who waits, which seats are offered, who has which. Made by :func:`open_lobby`."""

    def __init__(self, entrants: Entrants, policy: Policy, log: Log, allowed: frozenset[str] | None = None) -> None:
        self.policy = policy
        self.address = ""
        """What bots are to connect to; the port is the one that was bound."""
        self.refused: Counter[Status] = Counter()
        """Streams refused or ended early, by status."""
        self.stream_count = 0
        self.is_closing = False
        self._entrants = entrants
        self._allowed = allowed
        self._log = log
        self._places: dict[str, _Place] = {}
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._playing: Counter[str] = Counter()
        self._seen: dict[str, tuple[float, str]] = {}
        self._new_streams: Rate | None = None
        self._server: Server
        self._changed = trio.Event()

    # -- the organiser's side ----------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Return the entrants who may come in, sorted."""
        return tuple(name for name in self._entrants.names if self._allowed is None or name in self._allowed)

    def offer(self, offer: Offer, on_sit: Callable[[str], None] | None = None) -> None:
        """Have a seat for an entrant; whoever waits longest gets it at once.

        *on_sit* is called with the label of every copy that sits down there.

        :raises ValueError: if there is one of that id.
        """
        if offer.id in self._places:
            raise ValueError(f"seat {offer.id!r} has been offered already")
        place = self._places[offer.id] = _Place(offer, on_sit or _ignore)
        if place.label:
            self._reserve(place)
        self._fill(place)

    def withdraw(self, seat: str) -> None:
        """Have that seat no longer. Whoever sits there is sent home by the table, not from here."""
        self._places.pop(seat, None)
        self._note_change()

    def attendance(self) -> list[Attendance]:
        """Return who is here, in order of name; everybody who could be is on the list."""
        wanted = Counter(place.offer.entrant for place in self._places.values() if not place.streams)
        known = {*self.names, *self._seen, *wanted}
        return [
            Attendance(
                entrant=name,
                waiting=len(self._waiting.get(name, ())),
                playing=self._playing[name],
                wanted=wanted[name],
                version=self._seen[name][1] if name in self._seen else "",
                last_seen=self._seen[name][0] if name in self._seen else None,
            )
            for name in sorted(known)
        ]

    def absent(self, entrants: Iterable[str]) -> list[str]:
        """Return those of *entrants* of whom no copy is here."""
        return [name for name in entrants if not self._waiting.get(name) and not self._playing[name]]

    async def wait_for(self, entrants: Sequence[str]) -> None:
        """Wait until a copy of each of *entrants* is here."""
        while self.absent(entrants):
            await self._changed.wait()

    async def drain(self, seconds: float) -> None:
        """Let nobody in, send those who wait away; wait at most *seconds* for those who play."""
        self.is_closing = True
        await bridge.on_host(self._server.tell_closing())
        for waiting in [one for queue in self._waiting.values() for one in queue]:
            if not waiting.place.done():
                waiting.place.set_result(None)
        with trio.move_on_after(seconds):
            while self.stream_count:
                await self._changed.wait()

    # -- streams -----------------------------------------------------------------------------------

    def open_stream(self, now: float) -> None:
        """Count a new stream; :meth:`close_stream` must follow in any case.

        :raises StreamRefused: if there are too many.
        """
        self.stream_count += 1
        policy = self.policy
        if self._new_streams is None:
            self._new_streams = Rate(policy.max_new_streams_per_second, now)
        if self.is_closing:
            raise _closing()
        if self.stream_count > policy.max_streams:
            raise StreamRefused(
                Status.RESOURCE_EXHAUSTED, f"{policy.max_streams} streams are open, the most this referee takes"
            )
        if self._new_streams.is_exceeded(now):
            raise StreamRefused(
                Status.RESOURCE_EXHAUSTED, f"more than {policy.max_new_streams_per_second} new streams a second"
            )

    def close_stream(self) -> None:
        """Count a stream that has ended."""
        self.stream_count -= 1
        self._note_change()

    def identify(self, token: str) -> tuple[str, str]:
        """Return the entrant of a token and the label of the copy, which may be empty.

        :raises StreamRefused: if the token is not valid.
        """
        bare, _, label = token.partition(LABEL_MARK)
        name = self._entrants.entrant(bare)
        if name is None or (self._allowed is not None and name not in self._allowed):
            raise StreamRefused(
                Status.UNAUTHENTICATED,
                "this token is not known here; EUCHRE_TOKEN must be the token that the organiser gave you"
                if token
                else "no token was said; set EUCHRE_TOKEN to the token that the organiser gave you",
            )
        if len(label) > _LONGEST_LABEL or not label.isprintable():
            raise StreamRefused(
                Status.INVALID_ARGUMENT, f"the label of a copy has at most {_LONGEST_LABEL} printable characters"
            )
        return name, label

    def ask_for_place(self, entrant: str, label: str, version: str) -> asyncio.Future[_Place | None]:
        """Return a future of the seat that a copy gets; it must be given to :meth:`leave_queue` in the end.

        :raises StreamRefused: if too many wait already.
        """
        if self.is_closing:
            raise _closing()
        future: asyncio.Future[_Place | None] = asyncio.get_running_loop().create_future()
        self._seen[entrant] = (time.time(), version)
        place = self._place_for(entrant, label)
        if place is not None:
            self._give(place, label)
            future.set_result(place)
            return future
        queue = self._waiting.setdefault(entrant, deque())
        if len(queue) >= MOST_WAITING:
            raise StreamRefused(Status.RESOURCE_EXHAUSTED, f"{MOST_WAITING} copies of {entrant} are waiting already")
        queue.append(_Waiting(label, future))
        self._log.info("copy_waits", entrant=entrant, version=version, waiting=len(queue))
        self._note_change()
        return future

    def leave_queue(self, entrant: str, future: asyncio.Future[_Place | None]) -> None:
        """Let a copy wait no longer; a seat that it was given and did not look at is free again."""
        queue = self._waiting.get(entrant, deque())
        for waiting in list(queue):
            if waiting.place is future:
                queue.remove(waiting)
        if future.done() and not future.cancelled() and (place := future.result()) is not None:
            self.vacate(place)
        self._note_change()

    def sit(self, place: _Place) -> None:
        """Note that a copy has been welcomed at its seat."""
        self._playing[place.offer.entrant] += 1
        place.on_sit(place.label)
        self._log.info("copy_seated", entrant=place.offer.entrant, seat=place.offer.id)
        self._note_change()

    def rise(self, place: _Place, ended: Ended | None) -> None:
        """Note that a copy has left its seat: lost, or sent away by the table."""
        entrant = place.offer.entrant
        self._playing[entrant] -= 1
        self._seen[entrant] = (time.time(), self._seen[entrant][1] if entrant in self._seen else "")
        if ended is not None and ended.code is grpc.StatusCode.OK:
            self.forget(place)
        else:
            self.vacate(place)
        why = "the line was lost" if ended is None else f"{ended.code.name} {ended.details}".strip()
        self._log.info("copy_left", entrant=entrant, seat=place.offer.id, reason=why)
        self._note_change()

    def forget(self, place: _Place) -> None:
        """Give that seat to nobody any more."""
        if self._places.get(place.offer.id) is place:
            del self._places[place.offer.id]

    def vacate(self, place: _Place) -> None:
        """Keep a seat for the copy that had it, for a moment; without a label for anybody."""
        place.streams -= 1
        if place.streams:
            return
        if place.label:
            self._reserve(place)
        else:
            self._fill(place)

    def _reserve(self, place: _Place) -> None:
        """Keep a seat for the copy whose label it has, for a moment."""
        asyncio.get_running_loop().call_later(TAKEOVER_SECONDS, self._give_up, place, place.label)

    def _give_up(self, place: _Place, label: str) -> None:
        if not place.streams and place.label == label:
            place.label = ""
            self._fill(place)

    def _place_for(self, entrant: str, label: str) -> _Place | None:
        places = [place for place in self._places.values() if place.offer.entrant == entrant]
        own = next((place for place in places if label and place.label == label), None)
        return own or next((place for place in places if not place.streams and not place.label), None)

    def _fill(self, place: _Place) -> None:
        """Give a seat to the copy that had it, or, if it is nobody's, to whoever has waited longest."""
        queue = self._waiting.get(place.offer.entrant, deque())
        if self._places.get(place.offer.id) is not place:
            return
        for waiting in list(queue):
            if not waiting.place.done() and place.label in ("", waiting.label):
                queue.remove(waiting)
                self._give(place, waiting.label)
                waiting.place.set_result(place)
                return

    def _give(self, place: _Place, label: str) -> None:
        place.streams += 1
        place.label = label

    # -- inside ------------------------------------------------------------------------------------

    def _note_change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _start(self, address: str, tls: Tls | None) -> None:
        async def start() -> str:
            self._server = Server(self.policy, _LobbyService(self, self._log))
            return await self._server.start(address, tls)

        self.address = await bridge.on_host(start())
        self._log.info("referee_opened", address=self.address, tls=tls is not None)

    async def _close(self) -> None:
        if not self.is_closing:
            await self.drain(0.0)
        await bridge.on_host(self._server.stop(self.policy.goodbye_seconds))
        self._log.info("referee_closed")


def _closing() -> StreamRefused:
    return StreamRefused(Status.UNAVAILABLE, "the referee is closing; come back when it is open again")


class _LobbyService(Service):
    """The methods of ``euchre.v1.RefereeService`` at the door; ``Play`` is passed on to the tables."""

    def __init__(self, lobby: Lobby, log: Log) -> None:
        super().__init__(Hall(lobby.policy, log, on_deadline=_nothing), log)
        self._lobby = lobby
        self._log = log

    async def play(self, _: object, context: Context) -> None:
        incoming = Incoming(context)
        lobby = self._lobby
        try:
            lobby.open_stream(time.monotonic())
            ended = await self._visit(context, incoming)
        except StreamRefused as refused:
            lobby.refused[refused.status] += 1
            self._log.info("stream_refused", peer=context.peer(), status=refused.status.name, reason=refused.sentence)
            await incoming.hush(lobby.policy.goodbye_seconds)
            ended = Ended(grpc.StatusCode[refused.status.name], refused.sentence)
        finally:
            lobby.close_stream()
            await incoming.close()
        if ended.code is not grpc.StatusCode.OK:
            await context.abort(ended.code, ended.details)

    async def _visit(self, context: Context, incoming: Incoming) -> Ended:
        """Serve one stream; return how it is to end."""
        lobby = self._lobby
        hello = await self._hello(incoming)
        info = info_from_hello(hello, lobby.policy)
        entrant, label = lobby.identify(hello.hello.token)
        while True:
            place = await self._wait_for_place(entrant, label, info.version, incoming)
            if place is None:
                return Ended(grpc.StatusCode.OK, "")
            hello.hello.token = place.offer.token
            ended = await self._play_at(place, hello.SerializeToString(), context, incoming)
            if ended is not None:
                return ended

    async def _hello(self, incoming: Incoming) -> play_pb2.BotFrame:
        seconds = self._lobby.policy.hello_seconds
        await asyncio.wait((incoming.next,), timeout=seconds)
        if not incoming.next.done():
            raise StreamRefused(Status.INVALID_ARGUMENT, f"no Hello within {seconds:g} s")
        data = await incoming.take()
        if data is EOF:
            raise StreamRefused(Status.INVALID_ARGUMENT, "the stream ended before its Hello")
        try:
            return wire.bot_frame(data)
        except DecodeError:
            raise StreamRefused(
                Status.INVALID_ARGUMENT, f"{len(data)} bytes arrived that are no euchre.v1.BotFrame"
            ) from None

    async def _wait_for_place(self, entrant: str, label: str, version: str, incoming: Incoming) -> _Place | None:
        """Wait for a seat; return ``None`` if the bot has closed its side."""
        lobby = self._lobby
        future = lobby.ask_for_place(entrant, label, version)
        has_place = False
        try:
            await asyncio.wait((future, incoming.next), return_when=asyncio.FIRST_COMPLETED)
            has_place = future.done()
        finally:
            if not has_place:
                lobby.leave_queue(entrant, future)
        if has_place:
            place = future.result()
            if place is None:
                raise _closing()
            return place
        if await incoming.take() is EOF:
            return None
        raise StreamRefused(
            Status.INVALID_ARGUMENT, "a frame came before Welcome; say Hello, then wait until you are asked"
        )

    async def _play_at(self, place: _Place, hello: bytes, context: Context, incoming: Incoming) -> Ended | None:
        """Pass the stream on to a seat; return how it ended, or ``None`` if the seat was none and another is wanted."""
        lobby = self._lobby
        is_welcome = False
        ended: Ended | None = None
        try:
            async with grpc.aio.insecure_channel(place.offer.address, options=CHANNEL_OPTIONS) as channel:
                call: Call = channel.stream_stream(PLAY_METHOD)()
                try:
                    await write(call, hello)
                    welcome = await next_frame(call)
                except Ended as refused:
                    ended = refused
                    if ended.code in _SEAT_IS_DEAD:
                        lobby.forget(place)
                        self._log.info("seat_is_gone", seat=place.offer.id, reason=ended.details)
                        return None
                    return ended
                is_welcome = True
                lobby.sit(place)
                ended = await pump(context, incoming, call, welcome)
                return ended
        finally:
            if is_welcome:
                lobby.rise(place, ended)
            else:
                lobby.vacate(place)


def _nothing() -> None:
    pass


def _ignore(_: str) -> None:
    pass


@contextlib.asynccontextmanager
async def open_lobby(
    address: str,
    entrants: Entrants,
    policy: Policy | None = None,
    *,
    allowed: frozenset[str] | None = None,
    tls: Tls | None = None,
    log: Log = None,
) -> AsyncIterator[Lobby]:
    """Open a lobby at ``unix:/path`` or ``host:port`` (port 0: any free one) and close it again.

    Of *entrants* those *allowed* may come in, or all.

    :raises AddressError: if the address cannot be listened on.
    """
    logger = structlog.get_logger("lobby") if log is None else log
    lobby = Lobby(entrants, policy or Policy(), logger, allowed)
    await lobby._start(checked_address(address), tls)
    try:
        yield lobby
    finally:
        with trio.CancelScope(shield=True):
            await lobby._close()
