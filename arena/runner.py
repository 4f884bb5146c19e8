"""Plays a night: hands jobs to worker processes, keeps what they finish, and goes on when something fails.

Only this process writes results. Workers are started by exec in sessions of their own, so a Ctrl-C at the terminal
reaches this process alone, which then stops in good order: open legs are finished for a short while, everything
finished is kept, and the same command continues. Nothing that is counted depends on how many workers there are or
which is faster.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import trio

from arena.errors import InfrastructureError, OperatorError
from arena.job import (
    INFRASTRUCTURE,
    NO_SHOW,
    QUARANTINE,
    Job,
    JobEnd,
    JobNote,
    LegPlayed,
    Thinking,
    conduct_of_record,
    job_of,
    thinking_of_record,
)
from arena.launch import Tail
from arena.logs import LogTo
from arena.night import Night
from arena.progress import Show
from arena.remote import Door, open_door
from arena.schedule import Leg, Pairing
from arena.sink import Sink
from arena.spool import SpoolPlace
from arena.worker import Abandon, Failed, Line, Open, Stop, Withdrawn
from leaderboards.conduct import MOST_BAD_LEGS, WINDOW_LEGS, Conduct, LegConduct, Place
from referee.service.doors import AddressError
from referee.service.lobby import Offer
from referee.service.metrics import Metrics, Tally, open_metrics

STOP_SECONDS: Final = 10.0
"""After the first signal, time for open legs to finish."""
LEAVE_SECONDS: Final = 8.0
"""Time a worker has to end its bots and leave."""
TRIES: Final = 2
"""How often a job is begun; our own failures only."""
NO_SHOWS_IN_A_ROW: Final = 2
"""Pairings an entrant may miss one after the other before no more are tried in this run."""
_BATCH_LEGS: Final = 256
_NEVER: Final = (sys.maxsize, 0, 0)

_Kept: TypeAlias = "tuple[int, LegPlayed | JobNote | SpoolPlace]"
"""What is to be kept, with the number of its pairing; or a spool that is not needed once all before it is kept."""


@dataclass(slots=True)
class NightEnd:
    """What a run has come to, beside the results in the sink."""

    notes: list[tuple[int, JobNote]] = field(default_factory=list)
    """With the number of the pairing."""
    thinking: dict[str, Thinking] = field(default_factory=dict)
    """Of this run, by entrant."""
    legs: int = 0
    decisions: int = 0
    seconds: float = 0.0
    missing: int = 0
    """Legs that could not be played through our own fault."""
    unplayed_pairings: set[int] = field(default_factory=set)
    """Pairings that miss legs because somebody did not come."""
    quarantined: set[str] = field(default_factory=set)
    is_stopped: bool = False
    """It was told to stop before the end."""
    is_cut: bool = False
    """A job was cut short by conduct that did not lead to a quarantine."""

    @property
    def is_complete(self) -> bool:
        """Tell whether all has been played that ever will be."""
        return not (self.is_stopped or self.is_cut or self.missing or self.unplayed_pairings)


class Runner:
    """One run of a night."""

    def __init__(
        self, night: Night, seed: bytes, sink: Sink, show: Show, concurrency: int, log: LogTo | None = None
    ) -> None:
        self._log = log or LogTo()
        self._night = night
        self._seed = seed
        self._sink = sink
        self._show = show
        self._concurrency = concurrency
        self._finished = sink.finished()
        self._end = NightEnd()
        self._jobs = self._all_jobs()
        self._again: deque[tuple[Job, int]] = deque()
        self._workers: set[_Worker] = set()
        self._playing: dict[_Worker, Job] = {}
        self._owed: dict[_Worker, Mapping[tuple[int, int], Leg]] = {}
        """Legs that a worker has not delivered yet, by board and leg."""
        self._workers_scope = trio.CancelScope()
        self._failure: InfrastructureError | None = None
        self._to_keep, self._kept = trio.open_memory_channel[_Kept](4 * _BATCH_LEGS)
        self._absences: Counter[str] = Counter()
        self._barred: dict[str, int] = {}
        """Who is out, and from which pairing on."""
        self._conduct = Conduct()
        self._conducts: dict[Place, LegConduct] = {}
        """Finished legs that the rule of conduct has not looked at yet."""
        self._frontier = ((pairing, leg) for pairing in night.event.pairings() for leg in _legs(pairing))
        self._next_to_judge = next(self._frontier, None)
        self._judging = trio.Lock()
        self._given_up: set[Place] = set()
        self._unsaid: list[tuple[int, JobNote]] = []
        """Notes for the record alone."""
        self._door: Door | None = None
        """Where remote bots come in."""
        self._stopping = trio.Event()
        self._metrics = Metrics()
        self._spools = 0

    async def run(self) -> NightEnd:
        """Play what is missing.

        :raises InfrastructureError: if results cannot be kept, or no worker can be started.
        :raises OperatorError: if remote bots have no way in, or metrics cannot be served where they should.
        """
        began = trio.current_time()
        self._conducts = {leg.place: leg for leg in self._sink.conducts()}
        async with trio.open_nursery() as nursery:
            await nursery.start(self._listen_to_signals)
            async with trio.open_nursery() as keeping:
                keeping.start_soon(self._keep)
                with self._workers_scope, self._to_keep:
                    async with AsyncExitStack() as stack:
                        await self._open_doors(stack)
                        began = trio.current_time()
                        await self._judge()
                        async with trio.open_nursery() as workers:
                            for _ in range(self._concurrency):
                                workers.start_soon(self._work, workers)
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure
        if not self._end.is_stopped:
            await self._judge(everything=True)
        self._end.quarantined |= self._conduct.quarantined.keys()
        self._end.is_cut = not self._barred.keys() <= self._conduct.quarantined.keys()
        self._end.seconds = trio.current_time() - began
        return self._end

    async def _open_doors(self, stack: AsyncExitStack) -> None:
        """Let remote bots and Prometheus in, as the night says; wait a little for bots that are not there yet."""
        night = self._night
        if night.metrics:
            try:
                where = await stack.enter_async_context(open_metrics(night.metrics, self._metrics))
            except AddressError as error:
                raise OperatorError(str(error)) from None
            self._show.say(f"metrics at http://{where}/metrics")
        if night.remote and night.referee is not None:
            patience = night.policy.grace_seconds / 2
            self._door = await stack.enter_async_context(
                open_door(night.referee, night.remote, self._show.say, patience, self._give_up_remote_jobs)
            )
            self._show.say(f"{', '.join(night.remote)} dial in at {self._door.address}")
            await self._unless_stopped(self._door.wait_for, night.remote, night.referee.wait_seconds)

    async def _give_up_remote_jobs(self) -> None:
        """End the jobs of bots that are cut off by our own doing, before they are blamed for it."""
        for worker, job in list(self._playing.items()):
            if self._owed.get(worker) and any(bot.remote for bot in job.bots.values()):
                await worker.give_up("the standing referee, where remote bots dial in, is gone")

    async def _wait_for_door(self, job: Job) -> None:
        """Wait until remote bots of *job* can come in, or nothing more is to be played."""
        if self._door is not None and any(bot.remote for bot in job.bots.values()):
            await self._unless_stopped(self._door.is_open.wait)

    async def _unless_stopped(self, wait: Callable[..., Awaitable[None]], *args: object) -> None:
        """Wait for something, or until the run is told to stop."""
        async with trio.open_nursery() as nursery:

            async def cut_short() -> None:
                await self._stopping.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(cut_short)
            await wait(*args)
            nursery.cancel_scope.cancel()

    def _fail(self, error: InfrastructureError) -> None:
        """End the run because of *error*."""
        self._failure = self._failure or error
        self._end.is_stopped = True
        self._workers_scope.cancel()

    # -- signals -------------------------------------------------------------------------------------

    async def _listen_to_signals(self, task_status: trio.TaskStatus[None]) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            task_status.started()
            async for _ in signals:
                if self._end.is_stopped:
                    self._show.say("stopping at once")
                    self._workers_scope.cancel()
                    continue
                self._show.say(
                    f"stopping: open legs have {STOP_SECONDS:g} s to finish, what is finished is kept; "
                    "the same again stops at once"
                )
                self._end.is_stopped = True
                self._stopping.set()
                self._workers_scope.deadline = trio.current_time() + STOP_SECONDS
                for worker in list(self._workers):
                    await worker.tell_to_stop()

    # -- jobs ----------------------------------------------------------------------------------------

    def _all_jobs(self) -> Iterator[Job]:
        """Yield what is missing, in schedule order, as it is asked for; leave out what nobody should play."""
        night, event = self._night, self._night.event
        for pairing in event.pairings():
            for chunk in event.chunks(pairing):
                legs = [leg for leg in chunk.legs() if (pairing.number, leg.board, leg.leg) not in self._finished]
                if not legs:
                    continue
                if self._is_off(pairing):
                    self._show.skip(len(legs))
                    continue
                yield job_of(
                    chunk,
                    legs,
                    night=night.name,
                    unit=event.unit,
                    bots=night.bots,
                    house=night.house,
                    seed=self._seed,
                    policy=night.policy,
                    settings=night.settings,
                    isolation=night.isolation,
                )

    def _is_off(self, pairing: Pairing) -> bool:
        """Tell whether *pairing* is not to be played, or not any further; see that the record says why."""
        if pairing.number in self._end.unplayed_pairings:
            return True
        for entrant in pairing.entrants:
            if self._absences[entrant] >= NO_SHOWS_IN_A_ROW:
                self._end.unplayed_pairings.add(pairing.number)
                self._unsaid.append((pairing.number, JobNote(NO_SHOW, entrant, f"{entrant} was not called any more")))
                return True
            if self._barred.get(entrant, pairing.number + 1) <= pairing.number:
                self._unsaid.append((pairing.number, JobNote(QUARANTINE, entrant, f"{entrant} is quarantined")))
                return True
        return False

    async def _next_job(self) -> tuple[Job, int] | None:
        """Return what to play next and how often it was tried before."""
        if self._end.is_stopped:
            return None
        if self._again:
            return self._again.popleft()
        job = next(self._jobs, None)
        while self._unsaid:
            await self._to_keep.send(self._unsaid.pop())
        return None if job is None else (job, 0)

    async def _work(self, nursery: trio.Nursery) -> None:
        """Be one slot: play one job after another, in a worker process that is replaced when it dies."""
        worker: _Worker | None = None
        try:
            while (item := await self._next_job()) is not None:
                job, tries = item
                await self._wait_for_door(job)
                if self._end.is_stopped:
                    return
                job = self._with_spool(job)
                if worker is None:
                    worker = await _Worker.start(nursery, self._log)
                    self._workers.add(worker)
                    if self._end.is_stopped:
                        return
                self._playing[worker] = job
                try:
                    left, is_alive = await self._play(worker, job)
                finally:
                    del self._playing[worker]
                    self._owed.pop(worker, None)
                if not is_alive:
                    self._workers.discard(worker)
                    await worker.leave()
                    worker = None
                    left = await self._adopt(job, left)
                if job.spool is not None:
                    await self._to_keep.send((job.pairing, job.spool))
                await self._finish_job(job, left, tries)
        except InfrastructureError as error:
            self._fail(error)
        except OSError as error:
            self._fail(InfrastructureError(f"no worker process could be started: {error}"))
        finally:
            if worker is not None:
                self._workers.discard(worker)
                with trio.CancelScope(shield=True):
                    await worker.leave()

    def _with_spool(self, job: Job) -> Job:
        """Return *job* with a new place for what it finishes."""
        self._spools += 1
        return replace(job, spool=self._sink.spool(f"{job.pairing}.{job.chunk}.{self._spools}"))

    async def _adopt(self, job: Job, owed: Sequence[Leg]) -> list[Leg]:
        """Take what a dead worker had finished and its bots may know; return what it still owes."""
        if job.spool is None:
            return list(owed)
        missing = {(leg.board, leg.leg): leg for leg in owed}
        for record in await trio.to_thread.run_sync(self._sink.left_in, job.spool):
            if missing.pop((record.board, record.seating.leg), None) is not None:
                await self._take(job.pairing, LegPlayed(record, thinking_of_record(record)))
        return list(missing.values())

    async def _play(self, worker: _Worker, job: Job) -> tuple[list[Leg], bool]:
        """Have *worker* play *job*; return the legs it owes us, and whether it can go on."""
        owed = self._owed[worker] = {(leg.board, leg.leg): leg for leg in job.legs}
        message: object = None
        seats: set[str] = set()
        with suppress(trio.BrokenResourceError):
            await worker.line.send(job)
            while True:
                message = await worker.line.receive()
                if isinstance(message, LegPlayed):
                    del owed[message.record.board, message.record.seating.leg]
                    await self._take(job.pairing, message)
                elif isinstance(message, Offer | Withdrawn | Open):
                    self._pass_on(message, worker, seats)
                else:
                    break
        self._pass_on(Open({}), worker, seats)
        for seat in list(seats):
            self._pass_on(Withdrawn(seat), worker, seats)
        if isinstance(message, JobEnd):
            await self._take_notes(job, message)
            is_settled = message.quarantined or message.is_stopped or not message.missing
            return ([] if is_settled else list(owed.values())), True
        if not self._end.is_stopped:
            reason = message.text if isinstance(message, Failed) else f"its worker died: {worker.last_words()}"
            await self._take(job.pairing, JobNote(INFRASTRUCTURE, "", f"{job.name}: {reason}"))
        return list(owed.values()), False

    def _pass_on(self, message: Offer | Withdrawn | Open, worker: _Worker, seats: set[str]) -> None:
        """Bring what a job says of its seats to the door; *seats* are those it offers."""
        if isinstance(message, Open):
            self._metrics.open[str(worker.pid)] = message.numbers
            if self._door is not None:
                totals = Counter[str]()
                for numbers in self._metrics.open.values():
                    totals.update(numbers)
                self._door.tell_open(totals)
        elif self._door is not None and isinstance(message, Offer):
            seats.add(message.id)
            self._door.offer(message)
        elif self._door is not None and isinstance(message, Withdrawn):
            seats.discard(message.seat)
            self._door.withdraw(message.seat)

    def _count(self, played: LegPlayed) -> None:
        """Add a finished leg to the metrics, here and at the door."""
        if not self._night.metrics and self._door is None:
            return
        tally, record = Tally(), played.record
        decisions = sum(thinking.decisions for thinking in played.thinking)
        seconds = sum(thinking.seconds for thinking in played.thinking)
        tally.add_game(record.hands, record.faults, record.end, decisions, seconds)
        self._metrics.tally.add(tally)
        if self._door is not None:
            self._door.count(tally)

    async def _take(self, pairing: int, item: LegPlayed | JobNote) -> None:
        """Count a leg or a note, and pass it on to be kept."""
        if isinstance(item, LegPlayed):
            conduct = conduct_of_record(item.record)
            self._conducts[conduct.place] = conduct
            self._end.legs += 1
            self._count(item)
            for thinking in item.thinking:
                self._end.decisions += thinking.decisions
                known = self._end.thinking.get(thinking.entrant)
                self._end.thinking[thinking.entrant] = thinking if known is None else known + thinking
        else:
            self._end.notes.append((pairing, item))
            self._show.say(item.text)
        await self._to_keep.send((pairing, item))

    async def _take_notes(self, job: Job, end: JobEnd) -> None:
        absent = {note.entrant for note in end.notes if note.kind == NO_SHOW}
        for entrant in job.bots:
            self._absences[entrant] = self._absences[entrant] + 1 if entrant in absent else 0
        if absent:
            self._end.unplayed_pairings.add(job.pairing)
            self._show.skip(len(job.legs))
        for entrant in end.quarantined:
            self._barred[entrant] = min(job.pairing, self._barred.get(entrant, job.pairing))
            self._unsaid.append((job.pairing, JobNote(QUARANTINE, entrant, f"{entrant} is quarantined")))
        for note in end.notes:
            await self._take(job.pairing, note)
        for entrant in sorted(absent):
            if self._absences[entrant] == NO_SHOWS_IN_A_ROW:
                self._show.say(
                    f"{entrant} did not come {NO_SHOWS_IN_A_ROW} times in a row: it is not called again in this run"
                )

    async def _finish_job(self, job: Job, left: Sequence[Leg], tries: int) -> None:
        """Put what is left in line again, or give it up; then see whether somebody is to be put out."""
        if left and tries + 1 < TRIES:
            self._again.append((replace(job, legs=tuple(left)), tries + 1))
            return
        self._end.missing += len(left)
        self._given_up |= {(job.pairing, leg.board, leg.leg) for leg in left}
        await self._judge()

    # -- conduct -------------------------------------------------------------------------------------

    async def _judge(self, *, everything: bool = False) -> None:
        """Apply the rule of conduct to finished legs in schedule order, as far as none is missing that may yet come.

        With *everything* nothing more will come.
        """
        async with self._judging:
            while self._next_to_judge is not None:
                pairing, leg = self._next_to_judge
                place = (pairing.number, leg.board, leg.leg)
                conduct = self._conducts.pop(place, None)
                if conduct is not None:
                    for entrant in self._conduct.add(conduct):
                        await self._put_out(entrant, conduct)
                elif not everything and self._may_come(pairing, place):
                    return
                self._next_to_judge = next(self._frontier, None)

    def _may_come(self, pairing: Pairing, place: Place) -> bool:
        """Tell whether a leg that is not finished may still be played in this run."""
        if pairing.number in self._end.unplayed_pairings or place in self._given_up:
            return False
        return all(place < self._conduct.quarantined.get(entrant, _NEVER) for entrant in pairing.entrants)

    async def _put_out(self, entrant: str, leg: LegConduct) -> None:
        pairing, board, _ = leg.place
        self._barred[entrant] = min(pairing, self._barred.get(entrant, pairing))
        text = (
            f"{entrant} is quarantined from pairing {pairing}, board {board} on: timeouts, unlawful answers, lost "
            f"streams or forfeits in more than {MOST_BAD_LEGS} of its last {WINDOW_LEGS} legs; later legs do not count"
        )
        note = JobNote(QUARANTINE, entrant, text)
        if self._sink.is_noted(pairing, note):
            return
        self._end.notes.append((pairing, note))
        self._show.say(text)
        if self._to_keep.statistics().open_send_channels:
            await self._to_keep.send((pairing, note))
        else:
            self._sink.note(pairing, note)  # nobody else writes any more

    # -- keeping -------------------------------------------------------------------------------------

    async def _keep(self) -> None:
        """Write what is finished, as much at once as is there."""
        try:
            async for item in self._kept:
                items = [item]
                while len(items) < _BATCH_LEGS:
                    try:
                        items.append(self._kept.receive_nowait())
                    except (trio.WouldBlock, trio.EndOfChannel):
                        break
                await trio.to_thread.run_sync(self._write, items)
                legs = [item for _, item in items if isinstance(item, LegPlayed)]
                self._show.advance(len(legs), sum(thinking.decisions for leg in legs for thinking in leg.thinking))
        except InfrastructureError as error:
            self._fail(error)

    def _write(self, items: Sequence[_Kept]) -> None:
        self._sink.add([item for _, item in items if isinstance(item, LegPlayed)])
        for pairing, item in items:
            if isinstance(item, JobNote):
                self._sink.note(pairing, item)
            elif isinstance(item, SpoolPlace):
                self._sink.remove_spool(item)


def _legs(pairing: Pairing) -> Iterator[Leg]:
    for board in range(pairing.boards):
        yield from pairing.set_of(board)


class _Worker:
    """One worker process, seen from here."""

    def __init__(self, process: trio.Process) -> None:
        assert process.stdin is not None  # noqa: S101 (opened with pipes)
        assert process.stdout is not None  # noqa: S101
        self._process = process
        self._stdin = process.stdin
        self._errors = Tail()
        self.line = Line(process.stdout, process.stdin)

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._process.pid

    @classmethod
    async def start(cls, nursery: trio.Nursery, log: LogTo) -> _Worker:
        """Start a worker; its error output is read in *nursery*.

        :raises OSError: if it cannot be started.
        """
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "arena.worker", log.level, log.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        worker = cls(process)
        nursery.start_soon(worker._drain)
        return worker

    async def _drain(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 (opened with pipes)
        with suppress(trio.ClosedResourceError, trio.BrokenResourceError):
            async for chunk in self._process.stderr:
                self._errors.add(bytes(chunk))

    async def tell_to_stop(self) -> None:
        """Ask it to begin no more legs."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self.line.send(Stop())

    async def give_up(self, reason: str) -> None:
        """Have it give up its job."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self.line.send(Abandon(reason))

    def last_words(self) -> str:
        """Return the end of its error output."""
        return " | ".join(self._errors.lines(10)) or "it said nothing"

    async def leave(self) -> None:
        """Let it end its bots and leave; kill it if it does not. Its watchdog ends the bots then."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._stdin.aclose()
        with trio.move_on_after(LEAVE_SECONDS):
            await self._process.wait()
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
