"""The hall where the tables stand: routes replies to tables, questions to streams, deadlines and losses to both.

Plain synchronous code on one thread, no I/O; time is a parameter. Every method leaves the hall settled: each running
table has exactly one open question, and it waits at the stream of its seat. That is the whole path of a decision:
:meth:`Hall.receive` finds the question of a reply, the table does it and asks the next, the next instance queues it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from euchre.v1 import play_pb2
from referee.service import wire
from referee.service.clock import Deadlines, Pulse, Rate
from referee.service.doors import Tokens
from referee.service.faults import cut
from referee.service.outcome import FaultKind, GameEnd, TableResult, TableSpec
from referee.service.policy import Policy
from referee.service.stream import Instance, Presence, Status, Stream, StreamRefused, info_from_hello
from referee.service.table import Question, Table

Log: TypeAlias = Any
"""A structlog logger, bound by the caller."""

_LONGEST_NOTE: Final = 200

_LOST: Final = Presence.LOST
_AWAY: Final = Presence.AWAY
_ILLEGAL: Final = FaultKind.ILLEGAL
"""Read with every decision; a global is several times cheaper than a member of an enum."""


class TableRefused(ValueError):
    """A table that cannot be opened; the organiser's mistake. The message says what does not fit."""


class TableBroke(Exception):
    """A bug of the referee met at one table; its cause is the exception. The leg has to be played again."""


class RefereeClosing(Exception):
    """No new table is opened any more."""


@dataclass(slots=True)
class _Sitting:
    """A running table and who sits there."""

    table: Table
    instances: tuple[Instance, ...]
    """By seat."""
    on_end: Callable[[TableResult | TableBroke], None]
    faults_logged: int = 0
    is_finished: bool = False
    """The game has ended, and its result waits to be durable."""


class Hall:
    """All instances and running tables of one referee."""

    def __init__(
        self,
        policy: Policy,
        log: Log,
        *,
        on_deadline: Callable[[], None],
        on_finished: Callable[[], None] | None = None,
    ) -> None:
        """*on_deadline* is called when a deadline is set that is earlier than all before.

        With *on_finished* nobody is told the result of a game before :meth:`tell_result`; it is called when
        :meth:`take_finished` has something to give.
        """
        self.policy = policy
        self.tokens = Tokens()
        self.instances: dict[str, Instance] = {}
        self.decisions = 0
        """Decisions answered, by whomever."""
        self.faults: Counter[FaultKind] = Counter()
        """On the record, by kind."""
        self.games: Counter[GameEnd] = Counter()
        """Finished, by their end."""
        self.refused: Counter[Status] = Counter()
        """Streams that were ended early, by status."""
        self.pulse: Pulse | None = None
        """Whoever runs the loop sets it and lets it beat; without it our own delay is the bots'."""
        self.stream_count = 0
        self.is_closing = False
        self.on_change: Callable[[], None] = _nothing
        """Called when an instance comes or goes, or a seat gets free."""
        self._log = log
        self._on_deadline = on_deadline
        self._on_finished = on_finished
        self._finished: list[Table] = []
        self._deadlines = Deadlines()
        self._sittings: dict[int, _Sitting] = {}
        self._last_table = 0
        self._new_streams: Rate | None = None

    @property
    def table_count(self) -> int:
        """Return the number of running tables."""
        return len(self._sittings)

    # -- instances ---------------------------------------------------------------------------------

    def admit(self, name: str) -> str:
        """Expect an instance; return the token it must say.

        :raises ValueError: if there is one of that name already.
        """
        if name in self.instances:
            raise ValueError(f"instance {name!r} has been admitted already")
        self.instances[name] = Instance(name, self.policy, self._deadlines)
        return self.tokens.issue(name)

    def instance(self, name: str) -> Instance:
        """Return an admitted instance.

        :raises TableRefused: if there is none of that name.
        """
        found = self.instances.get(name)
        if found is None:
            raise TableRefused(f"no instance {name!r} has been admitted")
        return found

    def dismiss(self, name: str, reason: str) -> Stream | None:
        """Let an instance go: stop its tables, say Goodbye; return the stream that is to end."""
        instance = self.instances.pop(name, None)
        if instance is None:
            return None
        self.tokens.revoke(name)
        for sitting in [sitting for sitting in self._sittings.values() if instance in sitting.instances]:
            self.stop(sitting.table, 0.0)
        instance.presence = Presence.DISMISSED
        self._deadlines.clear(instance)
        if instance.stream is not None:
            self._say_goodbye(instance.stream, reason)
        return instance.stream

    @staticmethod
    def _say_goodbye(stream: Stream, reason: str) -> None:
        if not stream.has_said_goodbye and stream.instance is not None:
            stream.has_said_goodbye = True
            stream.instance.tell_head(play_pb2.RefereeFrame(goodbye=play_pb2.Goodbye(reason=reason)))

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
            raise StreamRefused(Status.UNAVAILABLE, "the referee is closing")
        if self.stream_count > policy.max_streams:
            raise StreamRefused(
                Status.RESOURCE_EXHAUSTED, f"{policy.max_streams} streams are open, the most this referee takes"
            )
        if self._new_streams.is_exceeded(now):
            raise StreamRefused(
                Status.RESOURCE_EXHAUSTED, f"more than {policy.max_new_streams_per_second} new streams a second"
            )

    def enter(self, stream: Stream, frame: play_pb2.BotFrame, now: float) -> Instance:
        """Seat *stream* by the Hello of its first frame.

        :raises StreamRefused: if the Hello is not usable, the token not valid, or the instance has a stream.
        """
        info = info_from_hello(frame, self.policy)
        name = self.tokens.instance(frame.hello.token)
        instance = self.instances.get(name) if name is not None else None
        if instance is None:
            raise StreamRefused(
                Status.UNAUTHENTICATED, "this token is not known here; a bot must say the value of EUCHRE_TOKEN"
            )
        if instance.presence is _LOST:
            raise StreamRefused(
                Status.FAILED_PRECONDITION,
                f"this instance was away longer than {self.policy.grace_seconds:g} s in all and cannot come back",
            )
        old = instance.stream
        if old is not None:
            self._doubt(old, now)
            raise StreamRefused(
                Status.ALREADY_EXISTS,
                "this token has a stream already; if that one is dead, the referee will soon have noticed",
            )
        stream.instance = instance
        instance.come(stream, info, now)
        self._ping(stream, now)
        self.on_change()
        self._log.info("instance_came", instance=instance.id, name=info.name, version=info.version)
        return instance

    def close_stream(self, stream: Stream, reason: str, now: float) -> None:
        """Note that *stream* has ended, for whatever reason; once is enough."""
        if stream.is_closed:
            return
        stream.is_closed = True
        self.stream_count -= 1
        self._deadlines.clear(stream)
        instance = stream.instance
        if instance is None or instance.stream is not stream:
            return
        if instance.presence is Presence.DISMISSED:
            instance.stream = None
            self.on_change()
            return
        self._lose_stream(instance, reason, now)

    def _lose_stream(self, instance: Instance, reason: str, now: float) -> None:
        instance.go(now, reason)
        self.on_change()
        self._log.warning("stream_lost", instance=instance.id, reason=reason, decisions_open=len(instance.open))
        if instance.open:
            self._blame(next(iter(instance.open.values())), instance)
        self._look_at_deadlines(instance.deadline)

    @staticmethod
    def _blame(question: Question, instance: Instance) -> None:
        """Put the one incident on the record of one table, where a decision was asked of the instance."""
        instance.blamed = question.table, question.table.note_disconnect(instance.incident)
        instance.incident = ""

    def explain_loss(self, name: str, reason: str) -> None:
        """Say why an instance was lost, once that is known; it goes on the record unless that game is over already."""
        instance = self.instances.get(name)
        if instance is None or instance.presence is Presence.EXPECTED:
            return
        if instance.incident:
            instance.incident = f"{instance.incident}; {reason}"
        elif instance.blamed is not None:
            (table, fault), instance.blamed = instance.blamed, None
            table.explain_fault(fault, reason)

    def half_close(self, stream: Stream) -> bool:
        """Note that the bot can never answer again; tell whether the stream goes on to bring it its results."""
        stream.is_half_closed = True
        instance = stream.instance
        if instance is None or instance.open:
            return False
        if not instance.seats_taken:
            self._say_goodbye(stream, "the bot has closed its side, and no game is left")
        return True

    # -- signs of life -----------------------------------------------------------------------------

    def _ping(self, stream: Stream, now: float) -> None:
        if stream.instance is not None:
            stream.instance.tell_head(stream.ping(now))
            self._set(stream, now + self.policy.ping_seconds)

    def _doubt(self, stream: Stream, now: float) -> None:
        """Find out soon whether *stream* is alive: somebody with the same token is at the door."""
        if not stream.is_pinged and stream.instance is not None and not stream.instance.open:
            self._ping(stream, now)
            self._set(stream, now + min(1.0, self.policy.ping_seconds))

    def _check_life(self, stream: Stream, now: float) -> None:
        instance = stream.instance
        if instance is None or stream.has_said_goodbye:
            return
        if instance.open:
            # A bot that thinks need not answer a ping; the decision has its own clock.
            stream.forget_ping()
            self._set(stream, now + self.policy.ping_seconds)
        elif stream.is_pinged:
            silent = now - stream.heard_at
            stream.end(Status.UNAVAILABLE, f"nothing was heard for {silent:.1f} s, not even the answer to a ping")
        elif now - stream.heard_at >= self.policy.ping_seconds:
            self._ping(stream, now)
        else:
            self._set(stream, stream.heard_at + self.policy.ping_seconds)

    # -- replies -----------------------------------------------------------------------------------

    def receive(self, stream: Stream, frame: play_pb2.BotFrame, now: float) -> None:
        """Do what a frame says."""
        instance = stream.instance
        if instance is None or stream.failure is not None:
            return
        stream.heard_at = now
        illegal_before = self.faults[_ILLEGAL]
        if frame.HasField("hello"):
            stream.end(Status.INVALID_ARGUMENT, "hello may be said once, in the first frame")
            return
        replies = frame.replies
        if len(replies) > self.policy.max_replies_per_frame:
            limit = self.policy.max_replies_per_frame
            stream.end(Status.RESOURCE_EXHAUSTED, f"{len(replies)} replies in one frame, the limit is {limit}")
            return
        is_stray = not replies
        if frame.HasField("pong"):
            is_stray = not stream.note_pong(frame.pong.nonce, now)
        elif stream.is_pinged and replies:
            stream.forget_ping()
        open_decisions = instance.open
        arrived = now if self.pulse is None else self.pulse.arrival(now)
        for reply in replies:
            question = open_decisions.pop(reply.decision_id, None)
            if question is None:
                self._tell_stale(stream, instance, reply.decision_id, now)
            else:
                self._answer(question, reply, instance, now, arrived)
        stream.offences += self.faults[_ILLEGAL] - illegal_before
        if is_stray:
            stream.note_stray(now)

    def _answer(
        self, question: Question, reply: play_pb2.Reply, instance: Instance, now: float, arrived: float
    ) -> None:
        table = question.table
        seconds = instance.seconds_used(question, arrived)
        Deadlines.clear(question)
        self.decisions += 1
        try:
            try:
                said = wire.choice_from_reply(reply)
            except wire.MalformedAction as malformed:
                table.refuse(str(malformed), seconds)
            else:
                if reply.note or reply.HasField("confidence"):
                    note, confidence = _remarks(reply)
                    table.answer(said, seconds, note, confidence)
                else:
                    table.answer(said, seconds)
        except Exception as error:  # noqa: BLE001 - one table's bug must not touch the others; it is loud
            self._break(table, error)
        self._settle(table, now)

    def _tell_stale(self, stream: Stream, instance: Instance, decision_id: int, now: float) -> None:
        if instance.was_asked(decision_id):
            text = f"decision {decision_id} is not open any more; the reply is ignored, it costs nothing"
        else:
            text = f"decision {decision_id} was never asked on this stream; the reply is ignored, it costs nothing"
        instance.tell(wire.fault_notice(int(FaultKind.STALE), text, decision_id=decision_id))
        self._log.debug("stale_reply", instance=instance.id, decision=decision_id)
        stream.note_stray(now)

    # -- tables ------------------------------------------------------------------------------------

    def has_room(self, spec: TableSpec) -> bool:
        """Tell whether every instance of *spec* can take its seats now."""
        names = spec.instances
        return all(
            self.instance(name).seats_taken + names.count(name) <= self.instance(name).table_limit
            for name in dict.fromkeys(names)
        )

    def open_table(self, spec: TableSpec, on_end: Callable[[TableResult | TableBroke], None], now: float) -> Table:
        """Open a table and ask its first question. *on_end* is called once, when it has ended.

        :raises TableRefused: if it does not fit together, or an instance has not come yet.
        :raises RefereeClosing: if no more tables are opened.
        """
        if self.is_closing:
            raise RefereeClosing("the referee is closing; no new game begins")
        instances = tuple(self.instance(name) for name in spec.instances)
        for instance in instances:
            info = instance.info
            if info is None:
                raise TableRefused(f"instance {instance.id!r} has not said Hello yet; wait until it is ready")
            if info.variants and spec.variant.preset not in info.variants:
                raise TableRefused(f"instance {instance.id!r} does not play {spec.variant.preset}")
        self._last_table = number = self._last_table + 1
        try:
            table = Table(number, spec, self.policy, [instance.next_table_id() for instance in instances])
        except ValueError as error:
            raise TableRefused(str(error)) from None
        self._sittings[number] = _Sitting(table, instances, on_end)
        for instance in instances:
            instance.seats_taken += 1
        try:
            table.open()
        except Exception as error:  # noqa: BLE001 - see _answer
            table.notices.clear()
            self._break(table, error, was_opened=False)
        self._settle(table, now)
        return table

    def stop(self, table: Table, now: float) -> None:
        """End a game; it counts nowhere."""
        sitting = self._sittings.get(table.number)
        if sitting is None:
            return
        question = table.question
        if question is not None:
            Deadlines.clear(question)
            sitting.instances[question.seat].open.pop(question.decision_id, None)
        table.stop()
        self._settle(table, now)

    def close_doors(self) -> None:
        """Open no more tables or streams; running games end after the hand in progress."""
        self.is_closing = True
        for sitting in self._sittings.values():
            sitting.table.end_after_this_hand()

    def _settle(self, table: Table, now: float) -> None:
        """Bring out what a table has to say, and its question to the stream of its seat."""
        sitting = self._sittings.get(table.number)
        if sitting is None:
            return
        while True:
            question = table.question
            if question is None:
                self._close_table(sitting)
                return
            if table.notices:
                self._bring_notices(sitting)
            instance = sitting.instances[question.seat]
            presence = instance.presence
            if presence is _LOST:
                self._default_for_lost(question, instance, 0.0)
                continue
            instance.ask(question, now)
            stream = instance.stream
            if presence is _AWAY:
                if instance.incident:
                    self._blame(question, instance)
            elif stream is not None and stream.is_half_closed:
                stream.end(Status.UNAVAILABLE, "a decision is asked, and the bot has closed its side")
            return

    def _default_for_lost(self, question: Question, instance: Instance, seconds: float) -> None:
        incident, instance.incident = instance.incident, ""
        self.decisions += 1
        try:
            question.table.play_default_for_lost(seconds, incident)
        except Exception as error:  # noqa: BLE001 - see _answer
            self._break(question.table, error)

    def _bring_notices(self, sitting: _Sitting) -> None:
        table = sitting.table
        for seat, notice in table.notices:
            instance = sitting.instances[seat]
            if instance.presence is not _LOST:
                instance.tell(notice)
        table.notices.clear()
        for fault in table.faults[sitting.faults_logged :]:
            self.faults[fault.kind] += 1
            self._log.warning(
                "fault",
                table=table.number,
                seat=fault.seat,
                instance=sitting.instances[fault.seat].id,
                kind=fault.kind.name.lower(),
                hand=fault.hand,
                message=fault.message,
            )
        sitting.faults_logged = len(table.faults)

    def _close_table(self, sitting: _Sitting) -> None:
        table = sitting.table
        result = table.result
        if result is None or sitting.is_finished:
            return  # broken, and closed already; or it waits
        if self._on_finished is None or result.end is GameEnd.STOPPED:
            self._tell_result(sitting, result)
            return
        sitting.is_finished = True
        self._finished.append(table)
        self._on_finished()

    def take_finished(self) -> list[Table]:
        """Return the games that have ended and of which nobody knows yet, once each; they are to be made durable, and
        then to be given to :meth:`tell_result`, or to :meth:`give_up` if that failed.
        """
        finished, self._finished = self._finished, []
        return finished

    def tell_result(self, table: Table) -> None:
        """Tell everybody the result of a game from :meth:`take_finished`: it is durable now."""
        if table.result is not None:
            self._tell_result(self._sittings[table.number], table.result)

    def give_up(self, table: Table, error: Exception) -> None:
        """Treat a game from :meth:`take_finished` as if it had never been played: it could not be made durable."""
        self._break(table, error)

    def _tell_result(self, sitting: _Sitting, result: TableResult) -> None:
        table = sitting.table
        self._bring_notices(sitting)
        self._leave(sitting)
        self.games[result.end] += 1
        self._log.info(
            "game_ended",
            table=table.number,
            variant=table.variant.id,
            end=result.end.name.lower(),
            instances=list(table.spec.instances),
            board=table.spec.first_board,
            hands=len(result.hands),
            decisions=sum(result.decisions),
            points=list(result.points),
            winners=list(result.winners),
            forfeited=list(result.forfeited),
            faults=len(result.faults),
            slowest_milliseconds=round(max(result.slowest_seconds) * 1000),
        )
        sitting.on_end(result)

    def _leave(self, sitting: _Sitting) -> None:
        del self._sittings[sitting.table.number]
        for instance in sitting.instances:
            instance.seats_taken -= 1
            stream = instance.stream
            if stream is not None and stream.is_half_closed and not instance.seats_taken:
                self._say_goodbye(stream, "the bot has closed its side, and no game is left")
        self.on_change()

    def _break(self, table: Table, error: Exception, *, was_opened: bool = True) -> None:
        """Give up a table in which the referee met its own bug, or whose result could not be kept."""
        sitting = self._sittings.get(table.number)
        if sitting is None:
            raise error
        self._log.error("table_broke", table=table.number, variant=table.variant.id, exc_info=error)
        if table.question is not None:
            sitting.instances[table.question.seat].open.pop(table.question.decision_id, None)
        table.question = None
        if was_opened:
            table.break_off()
            self._bring_notices(sitting)
        self._leave(sitting)
        broke = TableBroke(f"table {table.number} ({table.variant.id}): {type(error).__name__}: {error}")
        broke.__cause__ = error
        sitting.on_end(broke)

    # -- time --------------------------------------------------------------------------------------

    def next_deadline(self) -> float:
        """Return when :meth:`tick` has something to do; it may turn out to be nothing."""
        return self._deadlines.next()

    def _set(self, timed: Stream, deadline: float) -> None:
        self._deadlines.set(timed, deadline)
        self._look_at_deadlines(deadline)

    def _look_at_deadlines(self, deadline: float) -> None:
        if deadline <= self._deadlines.next():
            self._on_deadline()

    def take_frame(self, instance: Instance, now: float) -> bytes:
        """Return what waits for *instance*, as one frame that leaves now."""
        before = self._deadlines.next()
        frame = instance.take_frame(now)
        if self._deadlines.next() < before:
            self._on_deadline()
        return frame

    def tick(self, now: float) -> None:
        """Do what is due at *now*."""
        for timed in self._deadlines.due(now):
            if isinstance(timed, Question):
                self._time_out(timed, now)
            elif isinstance(timed, Instance):
                self._lose(timed, now)
            elif isinstance(timed, Stream):
                self._check_life(timed, now)

    def _time_out(self, question: Question, now: float) -> None:
        table = question.table
        sitting = self._sittings.get(table.number)
        if sitting is None or table.question is not question:
            return
        sitting.instances[question.seat].open.pop(question.decision_id, None)
        self.decisions += 1
        try:
            table.time_out()
        except Exception as error:  # noqa: BLE001 - see _answer
            self._break(table, error)
        self._settle(table, now)

    def declare_lost(self, name: str, reason: str, now: float) -> None:
        """Give up an instance at once: whoever started it knows that it cannot come back."""
        instance = self.instance(name)
        if instance.presence is Presence.EXPECTED:
            instance.go(now, reason)
        elif instance.presence is Presence.PRESENT and instance.stream is not None:
            stream = instance.stream
            stream.end(Status.UNAVAILABLE, reason)
            self.close_stream(stream, reason, now)
        Deadlines.clear(instance)
        self._lose(instance, now)

    def _lose(self, instance: Instance, now: float) -> None:
        """Give up an instance whose grace period has ended: its questions get their defaults from now on."""
        if instance.presence is not _AWAY:
            return
        instance.presence = Presence.LOST
        self.on_change()
        self._log.warning("instance_lost", instance=instance.id, decisions_open=len(instance.open))
        questions = list(instance.open.values())
        instance.open.clear()
        for question in questions:
            if question.table.question is question:
                self._default_for_lost(question, instance, question.used_seconds)
                self._settle(question.table, now)


def _nothing() -> None:
    pass


def _remarks(reply: play_pb2.Reply) -> tuple[str, float | None]:
    """Return note and confidence of a reply, read leniently: what makes no sense is dropped (KT-39)."""
    confidence = reply.confidence if reply.HasField("confidence") else None
    if confidence is not None and not (math.isfinite(confidence) and 0.0 <= confidence <= 1.0):
        confidence = None
    return cut(reply.note, _LONGEST_NOTE), confidence
