"""An instance and its stream: what is said at the door, what waits to be sent, which decisions are open.

No I/O. An :class:`Instance` outlives its streams: its open decisions and unsent notices wait for it while it is
away. A :class:`Stream` is one call of ``Play``; the server writes what :meth:`Stream.take_frame` returns and calls
back when there is something to write or the stream must end.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from euchre.v1 import play_pb2
from referee.service import wire
from referee.service.clock import NEVER, Deadlines, Rate, Timed
from referee.service.faults import cut
from referee.service.policy import Policy
from referee.service.table import Question, Table

PROTOCOL_VERSION: Final = 1
_LONGEST_NAME: Final = 64
_LONGEST_LIST: Final = 256
_LONGEST_PAUSE: Final = 0.25
_LEAST_ABSENCE: Final = 0.1
"""Share of the grace that every lost stream costs at least, so that it cannot be lost without end."""


class Presence(enum.Enum):
    """Where an instance is."""

    EXPECTED = "expected"
    """It has not said Hello yet."""
    PRESENT = "present"
    AWAY = "away"
    """Its stream is lost; it may come back."""
    LOST = "lost"
    """Gone beyond the grace period; it cannot come back."""
    DISMISSED = "dismissed"


class Status(enum.Enum):
    """Why a stream ends early; names are those of gRPC status codes."""

    INVALID_ARGUMENT = enum.auto()
    FAILED_PRECONDITION = enum.auto()
    UNAUTHENTICATED = enum.auto()
    ALREADY_EXISTS = enum.auto()
    RESOURCE_EXHAUSTED = enum.auto()
    UNAVAILABLE = enum.auto()
    INTERNAL = enum.auto()


class StreamRefused(Exception):
    """A stream that must end: the bot's doing, told to it with a status and a sentence."""

    def __init__(self, status: Status, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = cut(sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceInfo:
    """What an instance said of itself."""

    name: str
    version: str
    variants: tuple[str, ...]
    """Presets it plays; empty: all."""
    tables: int
    """Tables it may be given at once."""


def info_from_hello(frame: play_pb2.BotFrame, policy: Policy) -> InstanceInfo:
    """Return what the first frame says.

    :raises StreamRefused: if it is no usable Hello.
    """
    if not frame.HasField("hello") or frame.replies or frame.HasField("pong"):
        raise StreamRefused(Status.INVALID_ARGUMENT, "the first frame must hold hello and nothing else")
    hello = frame.hello
    if hello.protocol_version != PROTOCOL_VERSION:
        raise StreamRefused(
            Status.FAILED_PRECONDITION,
            f"the bot speaks protocol version {hello.protocol_version}, this referee version {PROTOCOL_VERSION}; "
            "do not retry",
        )
    for what, text in (("name", hello.name), ("version", hello.version)):
        if len(text) > _LONGEST_NAME or not text.isprintable():
            raise StreamRefused(
                Status.INVALID_ARGUMENT, f"hello: the {what} may have at most {_LONGEST_NAME} printable characters"
            )
    if len(hello.variants) > _LONGEST_LIST:
        raise StreamRefused(Status.INVALID_ARGUMENT, f"hello: at most {_LONGEST_LIST} variants")
    most = policy.max_tables_per_stream
    return InstanceInfo(
        name=hello.name,
        version=hello.version,
        variants=tuple(hello.variants),
        tables=min(hello.tables or most, most),
    )


class Instance:
    """One process of an entrant, bound to its token; it sits in any number of seats, one table each."""

    def __init__(self, name: str, policy: Policy, deadlines: Deadlines) -> None:
        self.id = name
        self.presence = Presence.EXPECTED
        self.info: InstanceInfo | None = None
        self.stream: Stream | None = None
        self.open: dict[int, Question] = {}
        """Open decisions by id, the oldest first."""
        self.seats_taken = 0
        """Seats at running tables."""
        self.deadline = NEVER
        """When the grace period ends."""
        self.incident = ""
        """The lost stream that no record holds yet, as a sentence."""
        self.blamed: tuple[Table, int] | None = None
        """The table whose record holds the last one, and the number of the fault there."""
        self._policy = policy
        self._deadlines = deadlines
        self._grace_left = policy.grace_seconds
        self._away_since = 0.0
        self._last_decision = 0
        self._last_table = 0
        self._head = b""
        self._notices: list[bytes] = []
        self._requests: list[Question] = []
        self._notice_bytes = 0

    # -- numbers -----------------------------------------------------------------------------------

    def next_table_id(self) -> int:
        """Return the number of the next seat it takes. Its own count, so it tells nothing of other streams."""
        self._last_table += 1
        return self._last_table

    @property
    def table_limit(self) -> int:
        """Return how many seats it can take."""
        return self.info.tables if self.info is not None else self._policy.max_tables_per_stream

    def was_asked(self, decision_id: int) -> bool:
        """Tell whether a decision of this number has ever been asked."""
        return 0 < decision_id <= self._last_decision

    # -- output ------------------------------------------------------------------------------------

    def ask(self, question: Question, now: float) -> None:
        """Open a decision and queue its request."""
        self._last_decision = number = self._last_decision + 1
        question.table.request_bytes(question, number)
        self.open[number] = question
        self._requests.append(question)
        stream = self.stream
        if stream is not None:
            if stream.is_writing:
                # Its earlier output is still on the way. Unless that is because the bot does not read,
                # the frame with this request leaves within the allowance and the clock begins then.
                self._start(question, now + self._policy.allowance_seconds)
            else:
                stream.wake()

    def tell(self, notice: bytes) -> None:
        """Queue a notice."""
        self._notices.append(notice)
        self._notice_bytes += len(notice)
        if self._notice_bytes > self._policy.max_unread_bytes:
            self._overflow()
        elif self.stream is not None:
            self.stream.wake()

    def _overflow(self) -> None:
        self._notices.clear()
        size, self._notice_bytes = self._notice_bytes, 0
        if self.stream is not None:
            self.stream.end(
                Status.RESOURCE_EXHAUSTED,
                f"{size} bytes wait unread, the limit is {self._policy.max_unread_bytes}; read what is sent",
            )

    def tell_head(self, frame: play_pb2.RefereeFrame) -> None:
        """Queue the parts of a frame other than notices and requests."""
        self._head += frame.SerializeToString()
        if self.stream is not None:
            self.stream.wake()

    @property
    def has_output(self) -> bool:
        """Tell whether something waits to be sent."""
        return bool(self._requests or self._notices or self._head)

    @property
    def expects_company(self) -> bool:
        """Tell whether most of its open requests have been sent already, so that more is likely to follow soon.

        Batches fall apart, as tables of a stream begin and end at their own times, and nothing else would bring
        them together again.
        """
        return not self._head and len(self.open) > 2 * len(self._requests)

    def take_frame(self, now: float) -> bytes:
        """Return everything that waits, as one frame that leaves at *now*; the clocks of its requests begin."""
        payloads = []
        still_open = self.open
        together: list[Timed] = []
        deadline = now + self._policy.decision_seconds + self._policy.allowance_seconds
        for question in self._requests:
            if question.decision_id not in still_open:
                continue
            payloads.append(question.payload)
            if now < question.started_at:
                question.started_at = now
                extra = question.extra_seconds
                if extra:
                    self._deadlines.set(question, deadline + extra)
                else:
                    question.deadline = deadline
                    together.append(question)
        if together:
            self._deadlines.add(together, deadline)
        frame = wire.frame_bytes(self._head, self._notices, payloads)
        self._head = b""
        self._notices.clear()
        self._requests.clear()
        self._notice_bytes = 0
        return frame

    # -- clocks ------------------------------------------------------------------------------------

    def _start(self, question: Question, now: float) -> None:
        """Let the clock of one question begin."""
        policy = self._policy
        question.started_at = now
        limit = policy.decision_seconds + question.extra_seconds
        self._deadlines.set(question, now + limit + policy.allowance_seconds)

    def seconds_used(self, question: Question, now: float) -> float:
        """Return the time a decision has taken, transport taken off as far as it was measured."""
        if now <= question.started_at:
            return question.used_seconds
        transport = self.stream.transport_seconds if self.stream is not None else 0.0
        return question.used_seconds + max(0.0, now - question.started_at - transport)

    # -- coming and going --------------------------------------------------------------------------

    def come(self, stream: Stream, info: InstanceInfo, now: float) -> None:
        """Take *stream* as its own, welcome it, and queue its open requests again."""
        is_back = self.presence is Presence.AWAY
        if self.info is None:
            self.info = info
        self.presence = Presence.PRESENT
        self.stream = stream
        self._deadlines.clear(self)
        policy = self._policy
        welcome = play_pb2.Welcome(
            protocol_version=PROTOCOL_VERSION,
            tables=self.table_limit,
            decision_limit_milliseconds=round(policy.decision_seconds * 1000),
            strikes=policy.strikes,
            grace_milliseconds=round(policy.grace_seconds * 1000),
        )
        self._head = play_pb2.RefereeFrame(welcome=welcome).SerializeToString()
        if is_back:
            absence = max(now - self._away_since, _LEAST_ABSENCE * policy.grace_seconds)
            self._grace_left -= absence
            text = (
                f"the stream was lost for {now - self._away_since:.3f} s; {len(self.open)} open requests are sent "
                f"again; {max(0.0, self._grace_left):.3f} s of grace left"
            )
            self._notices.insert(0, wire.fault_notice(play_pb2.FAULT_KIND_DISCONNECT, text))
        self._requests = list(self.open.values())
        stream.wake()

    def go(self, now: float, reason: str) -> None:
        """Note that its stream is lost: clocks stand still, the grace period begins."""
        for question in self.open.values():
            if question.started_at < now:
                used = now - question.started_at
                question.used_seconds += used
                question.extra_seconds -= used
            question.started_at = NEVER
            self._deadlines.clear(question)
        self.stream = None
        self.presence = Presence.AWAY
        self._away_since = now
        self._head = b""
        seats = f"{len(self.open)} decisions open" if self.open else "no decision open"
        self.incident = f"the stream was lost ({reason}), {seats}"
        self._deadlines.set(self, now + max(0.0, self._grace_left))


class Stream:
    """One call of ``Play``. The server makes it, and is told by *wake* and *end* what to do."""

    def __init__(self, policy: Policy, now: float, *, wake: Callable[[], None], end: Callable[[], None]) -> None:
        self.instance: Instance | None = None
        self.wake = wake
        """There is something to write."""
        self.is_writing = False
        """A frame has been handed to the transport, which has not taken all of it yet."""
        self.is_half_closed = False
        """The bot has closed its side; it can never answer again."""
        self.has_said_goodbye = False
        self.is_closed = False
        """The hall has done with it."""
        self.failure: StreamRefused | None = None
        """Why the referee ends it early."""
        self.deadline = NEVER
        """When to ping, or to give up after a ping."""
        self.offences = 0
        """Replies that could not be used, since somebody looked."""
        self.heard_at = now
        self.transport_seconds = 0.0
        """Shortest way there and back that was measured, at most the allowance."""
        self._end = end
        self._policy = policy
        self._strays = Rate(policy.max_stray_frames_per_second, now)
        self._pinged_at = NEVER
        self._nonce = 0
        self._measured = NEVER

    def end(self, status: Status, sentence: str) -> None:
        """End it early and tell the bot why; only the first reason counts."""
        if self.failure is None:
            self.failure = StreamRefused(status, sentence)
            self._end()

    def note_stray(self, now: float) -> None:
        """Count something that answers nothing, and end the stream if it is a flood."""
        if self._strays.is_exceeded(now):
            limit = self._policy.max_stray_frames_per_second
            self.end(Status.RESOURCE_EXHAUSTED, f"more than {limit} frames or replies a second that answer nothing")

    def take_pause(self) -> float:
        """Return for how many seconds it should not be read, because of what it sent."""
        offences, self.offences = self.offences, 0
        return min(_LONGEST_PAUSE, offences * self._policy.pause_after_illegal_seconds)

    # -- signs of life -----------------------------------------------------------------------------

    @property
    def is_pinged(self) -> bool:
        """Tell whether a ping is on the way."""
        return self._pinged_at < NEVER

    def ping(self, now: float) -> play_pb2.RefereeFrame:
        """Return a frame to be sent back."""
        self._nonce += 1
        self._pinged_at = now
        return play_pb2.RefereeFrame(ping=play_pb2.Ping(nonce=self._nonce))

    def note_pong(self, nonce: int, now: float) -> bool:
        """Measure the way there and back; tell whether this was the answer to the last ping."""
        if nonce != self._nonce or self._pinged_at == NEVER:
            return False
        self._measured = min(self._measured, now - self._pinged_at)
        self.transport_seconds = min(self._measured, self._policy.allowance_seconds)
        self._pinged_at = NEVER
        return True

    def forget_ping(self) -> None:
        """Stop waiting for an answer: something else was heard, or a decision is open and has a clock."""
        self._pinged_at = NEVER
