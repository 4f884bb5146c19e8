"""One job: the missing legs of one chunk of one pairing. Pure data in, results out.

:func:`play_job` is the same function in this process, in a worker process, or on a cluster. It opens a referee on a
private unix socket, starts one process for every seat of every leg (so no instance sees a board twice, or its
partner's cards), plays as many tables at once as the bots and the event allow, and hands out every leg as soon as
it and all before it are finished.

What a bot does wrong is a result: a no-show, a strike, a forfeit. What we do wrong is loud: a note of kind
``infrastructure`` that names the job and the leg, which is then missing.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, cast

import structlog
import trio

from arena.bots import Bot, Isolation
from arena.journal import LegRecord, Seating
from arena.launch import BotProcess, open_processes
from arena.night import Settings
from arena.sandbox import BotContainer, Limits, open_containers, open_socket_directory
from arena.schedule import HOUSE, Chunk, Leg, Unit
from arena.spool import Spool, SpoolPlace
from leaderboards.conduct import BAD_FAULTS, Conduct, LegConduct
from referee.rules import Card, Variant
from referee.rules.cards import SUITS
from referee.rules.relabel import relabel_deck
from referee.service import bridge
from referee.service.lobby import Offer
from referee.service.outcome import FaultKind, FaultRecord, GameEnd, TableResult, TableSpec
from referee.service.policy import LONGEST_SECONDS, Policy
from referee.service.server import InstanceInfo, Keep, Referee, open_referee
from referee.service.shuffle import deck_for

LAST_LINES: Final = 5
"""Lines of a bot's last output in a note."""
STARTING_AT_ONCE: Final = max(4, 2 * (os.cpu_count() or 1))
"""Instances of a job that have been started and have not said hello yet."""
_MIB: Final = 1 << 20
_FIRST_PAUSE_SECONDS: Final = 0.1
"""Before the first restart; doubled every time."""
_LEAVE_SECONDS: Final = 0.75
"""From Goodbye to the half-close of a bot; one that is not heard of by then hangs."""
_DISMISS_SECONDS: Final = 5.0
"""For all goodbyes of a job together."""
_REPORT_SECONDS: Final = 1.0
"""Between two reports of what is open."""

NO_SHOW: Final = "no-show"
QUARANTINE: Final = "quarantine"
INFRASTRUCTURE: Final = "infrastructure"
CRASH: Final = "crash"
FAULTS: Final = "faults"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to play, and with whom; everything a worker needs to know."""

    night: str
    pairing: int
    chunk: int
    key: str
    """Who meets: ``ann~bob``."""
    match: str
    """What the decks are derived from."""
    variant: Variant
    unit: Unit
    legs_per_set: int
    legs: tuple[Leg, ...]
    """Those that are missing, in schedule order."""
    bots: Mapping[str, Bot]
    """Everybody who sits, the house included, by name."""
    seed: bytes
    policy: Policy
    settings: Settings
    isolation: Isolation = "process"
    spool: SpoolPlace | None = None
    """Where finished legs are written before their bots are told; ``None``: nowhere."""

    @property
    def name(self) -> str:
        """Return what it is called in messages."""
        first, last = self.legs[0].board, self.legs[-1].board
        boards = f"board {first}" if first == last else f"boards {first}-{last}"
        return f"pairing {self.pairing} ({self.variant.id}: {self.key.replace('~', ', ')}), {boards}"


def job_of(
    chunk: Chunk,
    legs: Sequence[Leg],
    *,
    night: str,
    unit: Unit,
    bots: Mapping[str, Bot],
    house: Bot,
    seed: bytes,
    policy: Policy,
    settings: Settings,
    isolation: Isolation = "process",
) -> Job:
    """Return the job that plays *legs* of *chunk*."""
    pairing = chunk.pairing
    seated = {name for leg in legs for name in leg.seating}
    return Job(
        night=night,
        pairing=pairing.number,
        chunk=chunk.number,
        key=pairing.key,
        match=pairing.match,
        variant=pairing.variant,
        unit=unit,
        legs_per_set=pairing.legs,
        legs=tuple(legs),
        bots={name: house if name == HOUSE else bots[name] for name in sorted(seated)},
        seed=seed,
        policy=policy,
        settings=settings,
        isolation=isolation,
    )


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long an entrant thought in a leg, over all its seats."""

    entrant: str
    decisions: int
    seconds: float
    slowest_seconds: float

    def __add__(self, other: Thinking) -> Thinking:
        return Thinking(
            self.entrant,
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.slowest_seconds, other.slowest_seconds),
        )


@dataclass(frozen=True, slots=True)
class LegPlayed:
    """A finished leg."""

    record: LegRecord
    thinking: tuple[Thinking, ...]


@dataclass(frozen=True, slots=True)
class JobNote:
    """Something that happened and is not a result."""

    kind: str
    entrant: str
    """Empty if nobody's doing."""
    text: str


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended, beside its legs."""

    notes: tuple[JobNote, ...] = ()
    quarantined: tuple[str, ...] = ()
    """Entrants because of whom the rest of the job was not played."""
    missing: int = 0
    """Legs that could not be played through our own fault."""
    is_stopped: bool = False
    """It was told to stop before the end."""


@dataclass(frozen=True, slots=True)
class JobResult:
    """Everything a job has to show."""

    legs: tuple[LegPlayed, ...]
    end: JobEnd


Emit: TypeAlias = Callable[[LegPlayed], None]
_Start: TypeAlias = "Callable[[str, Bot, Mapping[str, str]], Awaitable[BotProcess | BotContainer]]"
"""Starts an instance: its name, its bot, its environment."""


class Outside(Protocol):
    """Whoever leads remote bots to the seats of a job, and is told what is open."""

    def offer(self, seat: Offer) -> None:
        """Have a seat for a remote bot."""

    def withdraw(self, seat: str) -> None:
        """Have it no longer."""

    def tell_open(self, numbers: Mapping[str, int]) -> None:
        """Hear what is open now: ``tables``, ``streams``."""


def play_job(job: Job) -> JobResult:
    """Return the result of *job*, played here and now. Not to be called where an event loop is running."""
    legs: list[LegPlayed] = []

    async def play() -> JobEnd:
        return await run_job(job, legs.append, trio.Event())

    end: JobEnd = bridge.run(play)
    return JobResult(tuple(legs), end)


async def run_job(job: Job, emit: Emit, stop: trio.Event, outside: Outside | None = None) -> JobEnd:
    """Play *job* under the bridge; hand finished legs to *emit*. Once *stop* is set no more legs are begun.

    Seats of remote bots are offered to *outside*; without it they do not come.

    Cancelled, it ends every process it started and emits nothing more.
    """
    async with AsyncExitStack() as stack:
        processes = await stack.enter_async_context(open_processes())
        socket = processes.directory / "referee"
        containers = {
            bot.name: await stack.enter_async_context(open_containers(container_limits(bot)))
            for bot in job.bots.values()
            if bot.image
        }
        log = structlog.get_logger("referee").bind(night=job.night, pairing=job.pairing)
        spool = Spool(job.spool) if job.spool is not None else None
        referee = await stack.enter_async_context(
            open_referee(f"unix:{socket}", job.policy, log=log, keep=_keeper(spool) if spool is not None else None)
        )
        if spool is not None:
            stack.enter_context(spool)  # after the referee, so that it is closed before: whoever adopts need not wait
        if containers:
            open_socket_directory(socket)

        async def start(instance: str, bot: Bot, variables: Mapping[str, str]) -> BotProcess | BotContainer:
            if bot.image:
                return await containers[bot.name].start(bot.image, bot.command, variables, socket, instance)
            return await processes.start(bot, variables)

        if outside is not None:
            watching = await stack.enter_async_context(trio.open_nursery())
            stack.callback(watching.cancel_scope.cancel)
            watching.start_soon(_report, referee, outside)
        return await _Play(job, start, referee, emit, stop, outside).run()


async def _report(referee: Referee, outside: Outside) -> None:
    """Tell *outside* every second what is open."""
    told: dict[str, int] = {}
    try:
        while True:
            numbers = {key: value for key, value in referee.statistics().items() if key in ("tables", "streams")}
            if numbers != told:
                outside.tell_open(numbers)
                told = numbers
            await trio.sleep(_REPORT_SECONDS)
    finally:
        outside.tell_open({})


def _keeper(spool: Spool) -> Keep:
    """Return what makes finished games durable."""

    def keep(games: Sequence[tuple[TableSpec, TableResult]]) -> None:
        spool.add(cast("_Tag", spec.tag).record(result) for spec, result in games)

    return keep


@dataclass(frozen=True, slots=True)
class _Tag:
    """What a table is to us."""

    seating: Seating
    board: int
    match: str

    def record(self, result: TableResult) -> LegRecord:
        """Return the record of it."""
        return LegRecord.of(self.seating, self.board, result, match=self.match)


def container_limits(bot: Bot) -> Limits:
    """Return what a container of *bot* may use: what it asks for, and no more than any bot may have."""
    most, asked = Limits(), bot.limits
    return Limits(
        memory_bytes=min(most.memory_bytes, asked.memory_mib * _MIB or most.memory_bytes),
        cpus=min(most.cpus, asked.cpus or most.cpus),
        processes=min(most.processes, asked.processes or most.processes),
    )


def instance_seed(job: Job, instance: str) -> str:
    """Return the number an instance is given to guess with: the same in every run, and it tells nothing of a deck."""
    digest = hmac.digest(hashlib.sha256(job.seed).digest(), f"instance/{job.match}/{instance}".encode(), "sha256")
    return str(int.from_bytes(digest[:8], "big") >> 1)


class _Instance:
    """One seat instance, over all its processes."""

    def __init__(self, name: str, bot: Bot, leg: int) -> None:
        self.name = name
        self.bot = bot
        self.leg = leg
        """The leg number it sits in."""
        self.token = ""
        self.process: BotProcess | BotContainer | None = None
        self.info: InstanceInfo | None = None
        self.exited = trio.Event()
        """The first process is gone, or could not be started."""
        self.is_gone = False
        """It will not come back."""
        self.failure = ""
        """Why it did not start."""
        self.crashes: list[str] = []
        self.faults: Counter[str] = Counter()
        self.first_fault = ""

    def last_lines(self) -> str:
        """Return its last output, for a note."""
        if self.bot.remote:
            return ""
        lines = self.process.output.lines(LAST_LINES) if self.process else []
        return "; it printed last: " + " | ".join(lines) if lines else "; it printed nothing"


class _Play:
    """A job that is being played."""

    def __init__(
        self, job: Job, start: _Start, referee: Referee, emit: Emit, stop: trio.Event, outside: Outside | None = None
    ) -> None:
        self._job = job
        self._start = start
        self._referee = referee
        self._emit = emit
        self._stop = stop
        self._outside = outside
        self._seats = {(leg.board, leg.leg): seat_instances(leg, job.isolation) for leg in job.legs}
        self._instances = {
            name: _Instance(name, job.bots[entrant], leg.leg)
            for leg in job.legs
            for name, entrant in zip(self._seats[leg.board, leg.leg], leg.seating, strict=True)
        }
        self._seatings: dict[tuple[tuple[str, ...], tuple[str, ...], int, int], Seating] = {}
        self._starting = trio.CapacityLimiter(STARTING_AT_ONCE)
        self._absent: set[str] = set()
        self._is_closing = False
        self._is_hurried = False
        self._notes: list[JobNote] = []
        self._missing = 0
        self._conduct = Conduct()
        self._waiting: dict[int, LegPlayed | None] = {}
        self._next = 0

    async def run(self) -> JobEnd:
        """Start everybody, play, send everybody home."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            try:
                for instance in self._instances.values():
                    instance.token = self._referee.admit(instance.name)
                if await self._everybody_is_there():
                    await self._play_all()
            except trio.Cancelled:
                self._is_hurried = True
                raise
            finally:
                self._is_closing = True
                await self._send_home()
                nursery.cancel_scope.cancel()
        self._note_conduct()
        return JobEnd(
            notes=tuple(self._notes),
            quarantined=tuple(sorted(self._conduct.quarantined)),
            missing=self._missing,
            is_stopped=self._stop.is_set(),
        )

    # -- instances -----------------------------------------------------------------------------------

    async def _tend(self, instance: _Instance) -> None:
        """Start an instance, and start it again when it crashed, as often as the event allows."""
        pause = _FIRST_PAUSE_SECONDS
        for _ in range(self._job.settings.restarts + 1):
            try:
                instance.process = await self._start(instance.name, instance.bot, self._variables(instance))
            except OSError as error:
                program = instance.bot.image or instance.bot.command[0]
                instance.failure = f"{program} could not be started: {error.strerror or error}"
                break
            try:
                await instance.process.wait()
            finally:
                await self._end(instance.process)
            if self._is_closing or instance.is_gone:
                return
            if instance.info is None:
                instance.failure = f"it ended ({instance.process.ending_text()}) before it said hello"
                break
            instance.crashes.append(f"{instance.name}: {instance.process.ending_text()}{instance.last_lines()}")
            await trio.sleep(pause)
            if self._is_closing:
                return
            pause *= 2
            self._referee.explain_loss(instance.name, f"its process ended ({instance.process.ending_text()})")
        if instance.info is not None and not self._is_closing:  # nobody will come back, so nobody waits
            text = f"its process ended ({instance.process.ending_text() if instance.process else 'not started again'})"
            self._referee.declare_lost(instance.name, text)
        instance.is_gone = True
        instance.exited.set()

    async def _tend_remote(self, instance: _Instance) -> None:
        """Offer the seat of a remote bot, until it is lost for good."""
        if self._outside is None:
            instance.failure = "it dials in from elsewhere, and this job has no door; play it in a match or a night"
            instance.is_gone = True
            instance.exited.set()
            return
        seat = f"{self._job.pairing}.{self._job.chunk}/{instance.name}"
        entrant, address = instance.bot.remote, self._referee.address
        self._outside.offer(Offer(id=seat, entrant=entrant, address=address, token=instance.token))
        try:
            await self._referee.wait_lost(instance.name)
        finally:
            self._outside.withdraw(seat)

    async def _end(self, process: BotProcess | BotContainer) -> None:
        """End a process: politely when the job is over, at once when it is gone or we are in a hurry."""
        await (process.stop() if self._is_closing and not self._is_hurried else process.end())

    def _variables(self, instance: _Instance) -> dict[str, str]:
        return {
            "EUCHRE_ADDRESS": self._referee.address,
            "EUCHRE_TOKEN": instance.token,
            "EUCHRE_NAME": instance.bot.name,
            "EUCHRE_SEED": instance_seed(self._job, instance.name),
        }

    async def _everybody_is_there(self) -> bool:
        """Start everybody and wait for every Hello; note who does not come. Tell whether the pairing can be played."""
        async with trio.open_nursery() as nursery:
            for instance in self._instances.values():
                nursery.start_soon(self._meet, instance)
        absent: dict[str, str] = {}
        for instance in self._instances.values():
            if instance.failure:
                absent.setdefault(instance.bot.name, f"{instance.failure}{instance.last_lines()}")
            elif instance.info is not None and (reason := self._why_not(instance, instance.info)):
                absent.setdefault(instance.bot.name, reason)
        for entrant, reason in sorted(absent.items()):
            kind = NO_SHOW if entrant != HOUSE else INFRASTRUCTURE
            self._note(kind, entrant, f"{entrant} did not come: {reason}")
        if HOUSE in absent:
            self._missing += len(self._job.legs)
        return not absent and all(instance.info is not None for instance in self._instances.values())

    def _why_not(self, instance: _Instance, info: InstanceInfo) -> str:
        """Return why a bot that is there cannot play, or nothing."""
        variant = self._job.variant
        if not _plays(info, variant):
            return f"it does not play {variant.preset}; it plays {', '.join(info.variants)}"
        seats = max(names.count(instance.name) for names in self._seats.values())
        if seats > info.tables:
            return f"it takes {info.tables} seats at once, and with isolation none it would have {seats} at one table"
        return ""

    async def _meet(self, instance: _Instance) -> None:
        """Start an instance; wait until it has said hello, has gone, or has had time enough.

        A few at a time, so that the start of one is not measured by the start of fifty. Once one instance of a bot has
        not come, no more of that bot are started.
        """
        async with self._starting:
            if instance.bot.name in self._absent:
                return
            self._nursery.start_soon(self._tend_remote if instance.bot.remote else self._tend, instance)
            await self._await_hello(instance)
            if instance.info is None:
                self._absent.add(instance.bot.name)

    async def _await_hello(self, instance: _Instance) -> None:
        seconds = min(self._job.settings.start_seconds, instance.bot.limits.start_seconds or LONGEST_SECONDS)
        with trio.move_on_after(seconds) as patience:
            async with trio.open_nursery() as nursery:

                async def notice_exit() -> None:
                    await instance.exited.wait()
                    nursery.cancel_scope.cancel()

                nursery.start_soon(notice_exit)
                instance.info = await self._referee.wait_ready(instance.name)
                nursery.cancel_scope.cancel()
        if patience.cancelled_caught and instance.info is None:
            instance.failure = f"it said no hello within {seconds:g} s"
            if instance.bot.remote:
                seats = [one for one in self._instances.values() if one.bot.name == instance.bot.name]
                filled = sum(one.info is not None for one in seats)
                instance.failure = (
                    f"within {seconds:g} s nobody dialled in as {instance.bot.remote} for {instance.name}; "
                    f"{filled} of its {len(seats)} seats were taken, each by a copy of its own"
                )

    async def _send_home(self) -> None:
        """Say goodbye to all; their processes are stopped when the nursery is."""
        if self._is_hurried:
            return
        with trio.CancelScope(shield=True, deadline=trio.current_time() + _DISMISS_SECONDS):
            async with trio.open_nursery() as nursery:
                for instance in self._instances.values():
                    nursery.start_soon(self._take_leave, instance)

    async def _take_leave(self, instance: _Instance) -> None:
        """Say goodbye; end at once what does not answer: it hangs, and has cost enough."""
        with trio.move_on_after(_LEAVE_SECONDS) as patience:
            await self._referee.dismiss(instance.name)
        if patience.cancelled_caught and instance.process is not None:
            await instance.process.end()

    def _note_conduct(self) -> None:
        """Note each entrant's crashes and strikes, the first of each in full."""
        for entrant in self._job.bots:
            instances = [one for one in self._instances.values() if one.bot.name == entrant]
            crashes = [crash for instance in instances for crash in instance.crashes]
            if crashes:
                times = "once" if len(crashes) == 1 else f"{len(crashes)} times"
                self._note(CRASH, entrant, f"{entrant} crashed {times}; first {crashes[0]}")
            faults = sum((instance.faults for instance in instances), Counter[str]())
            if faults:
                first = next(instance for instance in instances if instance.first_fault)
                counts = ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items()))
                said = f"first at {first.name}: {first.first_fault}{first.last_lines()}"
                self._note(FAULTS, entrant, f"faults of {entrant}: {counts}; {said}")

    def _note(self, kind: str, entrant: str, text: str) -> None:
        self._notes.append(JobNote(kind, entrant, f"{self._job.name}: {text}"))

    # -- legs ----------------------------------------------------------------------------------------

    async def _play_all(self) -> None:
        """Play the legs, those of one leg number side by side with those of the others, each in board order."""
        async with trio.open_nursery() as nursery:
            for number in sorted({leg.leg for leg in self._job.legs}):
                in_order = [(place, leg) for place, leg in enumerate(self._job.legs) if leg.leg == number]
                # Whoever sits in all legs should not meet the same board again soon.
                legs = iter(in_order[::-1] if self._job.isolation == "none" and number % 2 else in_order)
                for _ in range(self._tables_of(number)):
                    nursery.start_soon(self._play_in_turn, legs, nursery.cancel_scope)
        for place in sorted(self._waiting):
            self._hand_out(self._waiting.pop(place))

    def _tables_of(self, number: int) -> int:
        """Return how many tables of a leg number may be open at once: as many as its busiest instance takes."""
        instances = [one for one in self._instances.values() if one.leg == number or self._job.isolation == "none"]
        said = [one.info.tables for one in instances if one.info is not None and one.info.tables]
        asked = [one.bot.limits.tables for one in instances if one.bot.limits.tables]
        return min([self._job.settings.tables, *said, *asked])

    async def _play_in_turn(self, legs: Iterable[tuple[int, Leg]], scope: trio.CancelScope) -> None:
        for place, leg in legs:
            if self._stop.is_set() or self._conduct.quarantined:
                return
            try:
                played = await self._play_leg(leg)
            except Exception as error:  # noqa: BLE001 (our own bug in one leg must not end the others)
                self._missing += 1
                where = f"board {leg.board}, leg {leg.leg} is missing"
                self._note(INFRASTRUCTURE, "", f"{where}: {error!r}\n{traceback.format_exc()}")
                played = None
            self._finish(place, played)
            if self._conduct.quarantined:
                scope.cancel()  # later legs of this job would count nowhere

    def _finish(self, place: int, played: LegPlayed | None) -> None:
        """Hand out what is finished, in schedule order; stop at the leg by which somebody is quarantined."""
        self._waiting[place] = played
        while self._next in self._waiting and not self._conduct.quarantined:
            self._hand_out(self._waiting.pop(self._next))
            self._next += 1
        if self._conduct.quarantined:
            self._waiting.clear()

    def _hand_out(self, played: LegPlayed | None) -> None:
        if played is None or self._conduct.quarantined:
            return
        self._emit(played)
        for fault in played.record.faults:
            if fault.kind.name.lower() in BAD_FAULTS:
                instance = self._instances[played.record.seating.instances[fault.seat]]
                instance.faults[fault.kind.name.lower()] += 1
                instance.first_fault = instance.first_fault or fault.message
        self._conduct.add(conduct_of_record(played.record))

    async def _play_leg(self, leg: Leg) -> LegPlayed:
        instances = self._seats[leg.board, leg.leg]
        for name in instances:
            self._check_presence(self._instances[name])
        job = self._job
        is_game = job.unit == "games"
        match = f"{job.match}/{leg.board}" if is_game else job.match
        first_dealer = leg.board % job.variant.seats if is_game else 0
        gone = [seat for seat, name in enumerate(instances) if self._instances[name].is_gone]

        relabel = self._relabel(leg)

        def deck(board: int, redeal: int) -> Sequence[Card]:
            dealt = deck_for(job.seed, job.variant, match, board, redeal)
            return relabel_deck(job.variant, dealt, relabel) if relabel else dealt

        tag = _Tag(self._seating(leg, instances, first_dealer), leg.board, match)
        if gone:
            result = walkover(job.variant, gone)
        else:
            result = await self._referee.play(
                TableSpec(
                    variant=job.variant,
                    instances=instances,
                    first_dealer=first_dealer,
                    deck=deck,
                    first_board=0 if is_game else leg.board,
                    plays_game=is_game,
                    tag=tag,
                )
            )
        return LegPlayed(tag.record(result), thinking_of(leg.seating, result))

    def _check_presence(self, instance: _Instance) -> None:
        """See that an instance whose stream is lost beyond the grace period counts as gone, and its process too."""
        if not instance.is_gone and self._referee.is_lost(instance.name):
            instance.is_gone = True
            if instance.process is not None:
                self._nursery.start_soon(instance.process.end)

    def _seating(self, leg: Leg, instances: tuple[str, ...], first_dealer: int) -> Seating:
        """Return who sat where; the same value for the same seats, so that the journal tells it once."""
        key = (leg.seating, instances, leg.leg, first_dealer)
        seating = self._seatings.get(key)
        if seating is None:
            job = self._job
            seating = self._seatings[key] = Seating(
                pairing=job.pairing,
                variant=job.variant.id,
                leg=leg.leg,
                legs=job.legs_per_set,
                match=job.match,
                first_dealer=first_dealer,
                entrants=leg.seating,
                instances=instances,
                unit=job.unit,
                relabel=self._relabel(leg),
            )
        return seating

    def _relabel(self, leg: Leg) -> str:
        """Return how suits are renamed in a leg, so that a bot that sits in all of them does not know the board again.

        Empty: not at all, because no instance sees a board twice, or because the game would not be the same.
        """
        images = self._job.variant.relabelings
        image = images[-leg.leg % len(images)]  # the last ones move every suit
        return image if self._job.isolation == "none" and image != SUITS else ""


def conduct_of_record(record: LegRecord) -> LegConduct:
    """Return how the rated entrants of a leg behaved."""
    entrants, variant = record.seating.entrants, record.variant
    offenders = {entrants[fault.seat] for fault in record.faults if fault.kind.name.lower() in BAD_FAULTS}
    offenders |= {entrants[seat] for side in record.forfeited for seat in variant.sides[side]}
    return LegConduct(record.key, frozenset(entrants) - {HOUSE}, frozenset(offenders - {HOUSE}))


def seat_instances(leg: Leg, isolation: Isolation = "process") -> tuple[str, ...]:
    """Return the instance of every seat: one for each leg number, entrant, and seat the entrant has in it.

    Without isolation an entrant is one instance.
    """
    if isolation == "none":
        return leg.seating
    seats: Counter[str] = Counter()
    names = []
    for entrant in leg.seating:
        seats[entrant] += 1
        names.append(f"leg{leg.leg}.{entrant}.{seats[entrant]}")
    return tuple(names)


def _plays(info: InstanceInfo, variant: Variant) -> bool:
    return not info.variants or variant.preset in info.variants or "*" in info.variants


def walkover(variant: Variant, gone: Sequence[int]) -> TableResult:
    """Return the result of a leg that somebody does not come back for: nothing is dealt, its side forfeits."""
    sides = tuple(sorted({variant.side_of[seat] for seat in gone}))
    award = -variant.renege_award if variant.counts_down else variant.renege_award
    points = tuple(0 if side in sides else award for side in range(len(variant.sides)))
    start = (variant.target if variant.counts_down else 0,) * len(variant.sides)
    return TableResult(
        end=GameEnd.FORFEIT,
        points=points,
        totals=tuple(total + gain for total, gain in zip(start, points, strict=True)),
        winners=tuple(side for side in range(len(variant.sides)) if side not in sides),
        forfeited=sides,
        hands=(),
        faults=tuple(
            FaultRecord(
                kind=FaultKind.FORFEIT,
                seat=seat,
                hand=0,
                message="it was lost before this deal and will not come back; its side forfeits",
            )
            for seat in gone
        ),
        decisions=(0,) * variant.seats,
        think_seconds=(0.0,) * variant.seats,
        slowest_seconds=(0.0,) * variant.seats,
    )


def thinking_of(seating: Sequence[str], result: TableResult) -> tuple[Thinking, ...]:
    """Return how long each entrant thought, in order of name."""
    found = []
    for entrant in sorted(set(seating)):
        seats = [seat for seat, name in enumerate(seating) if name == entrant]
        found.append(
            Thinking(
                entrant,
                sum(result.decisions[seat] for seat in seats),
                sum(result.think_seconds[seat] for seat in seats),
                max(result.slowest_seconds[seat] for seat in seats),
            )
        )
    return tuple(found)


def thinking_of_record(record: LegRecord) -> tuple[Thinking, ...]:
    """Return how long each entrant of a recorded leg thought, to the millisecond, in order of name."""
    done = [action for hand in record.hands for action in hand.actions if not action.forced]
    found = []
    for entrant in sorted(set(record.seating.entrants)):
        times = [action.milliseconds for action in done if record.seating.entrants[action.seat] == entrant]
        found.append(Thinking(entrant, len(times), sum(times) / 1000, max(times, default=0) / 1000))
    return tuple(found)
