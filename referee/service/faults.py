"""What happens when something goes wrong: one table, read by the code and printed in ``docs/outcomes.md``.

A bot's fault is a result, never an exception. Whether it costs a strike and what stands on the record is looked up
here by :class:`~referee.service.table.Table` and nowhere else; the sentences a bot is told are made here too.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from referee.rules import Action, Hand, Seat
from referee.service.outcome import FaultKind

LONGEST_SENTENCE: Final = 600
"""Characters of a message to a bot; what a bot sent is quoted in it, so it has to be cut."""


class Event(enum.Enum):
    """What can happen to a seat, a stream or a game."""

    ANSWERED = "a lawful reply in time"
    TIMED_OUT = "no reply before the deadline"
    ILLEGAL = "an unknown, unlawful or malformed reply (a renege too, where the event has `renege=rejected`)"
    RENEGED = "a card that does not follow suit though the seat could"
    STALE = "a reply to a decision that is not open"
    STREAM_CAME_BACK = "the stream is lost and comes back within the grace period"
    STREAM_GONE = "the stream is lost and the grace period ends"
    STREAM_ENDED = "a frame that is no frame, a flood, or output left unread"
    HALF_CLOSED_EARLY = "half-close while a decision is open, or before one is asked"
    HALF_CLOSED_LATE = "half-close after the last decision of its tables"
    STRIKES_REACHED = "strikes of a side reach the limit"
    HAND_LIMIT = "a game does not end within the most hands allowed (SRV-LIMIT-1)"
    NO_SHOW = "an instance never says Hello"
    STOPPED = "the organiser stops the game, or the referee closes"
    INFRASTRUCTURE = "our own fault: host, store, container engine, a bug of the referee"
    REFEREE_DIED = "the referee dies"


@dataclass(frozen=True, slots=True)
class Consequence:
    """One row: an event, and what follows for seat, score and rating."""

    event: Event
    seat: str
    """What is done at the table."""
    strike: bool
    """Counts against the side in this game."""
    record: FaultKind | None
    """What the bot is told, and what stands on the record unless it is ``STALE``."""
    score: str
    rating: str


_PLAYED = "as played"
_RATED = "rated"

CONSEQUENCES: Final = (
    Consequence(Event.ANSWERED, "the action is done", False, None, _PLAYED, _RATED),
    Consequence(Event.TIMED_OUT, "the default action (SRV-DEFAULT-1)", True, FaultKind.TIMEOUT, _PLAYED, _RATED),
    Consequence(Event.ILLEGAL, "the default action", True, FaultKind.ILLEGAL, _PLAYED, _RATED),
    Consequence(
        Event.RENEGED,
        "the card is played; the rule's penalty when established (`renege=established`) or at once (`immediate`)",
        False,
        FaultKind.RENEGE,
        "the award of REN-PEN-1 to the other sides, when established",
        _RATED,
    ),
    Consequence(Event.STALE, "nothing; no other decision is touched", False, FaultKind.STALE, _PLAYED, _RATED),
    Consequence(
        Event.STREAM_CAME_BACK,
        "clocks stand still; open requests are sent again, byte for byte, and go on with the time they had left",
        False,
        FaultKind.DISCONNECT,
        _PLAYED,
        _RATED,
    ),
    Consequence(
        Event.STREAM_GONE,
        "the default action for every open and every further decision, at once",
        True,
        FaultKind.DISCONNECT,
        _PLAYED,
        _RATED,
    ),
    Consequence(
        Event.STREAM_ENDED,
        "the referee ends the stream and says why; then as a lost stream",
        False,
        FaultKind.DISCONNECT,
        _PLAYED,
        _RATED,
    ),
    Consequence(Event.HALF_CLOSED_EARLY, "as a lost stream, at once", False, FaultKind.DISCONNECT, _PLAYED, _RATED),
    Consequence(
        Event.HALF_CLOSED_LATE,
        "nothing; the results are still sent, then Goodbye",
        False,
        None,
        _PLAYED,
        _RATED,
    ),
    Consequence(
        Event.STRIKES_REACHED,
        "the game ends in the middle of the hand, which is revealed",
        False,
        FaultKind.FORFEIT,
        "the side gains nothing in that hand, every other side the variant's renege award",
        "a loss of the whole set, whatever the points",
    ),
    Consequence(Event.HAND_LIMIT, "the game ends", False, None, "the side ahead wins; equal totals are a draw", _RATED),
    Consequence(
        Event.NO_SHOW,
        "its pairing is not played (`no-show`)",
        False,
        None,
        "none",
        "not rated",
    ),
    Consequence(
        Event.STOPPED, "the game ends, the bots are told", False, None, "none; the leg is played again", "not rated"
    ),
    Consequence(
        Event.INFRASTRUCTURE,
        "the leg is played again from its board (`infrastructure`)",
        False,
        None,
        "none",
        "never rated",
    ),
    Consequence(
        Event.REFEREE_DIED,
        "finished legs are in the store; open ones are dealt again from their board",
        False,
        None,
        "none",
        "nothing lost, nothing twice",
    ),
)
"""Every event once, in the order of :class:`Event`."""

CONSEQUENCE_OF: Final = {row.event: row for row in CONSEQUENCES}


def outcomes_markdown() -> str:
    """Return the table as it stands in ``docs/outcomes.md``."""
    lines = [
        "| event | at the table | strike | told and recorded as | score | rating |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in CONSEQUENCES:
        record = "no" if row.record is None else f"`{row.record.name.lower()}`"
        if row.record is FaultKind.STALE:
            record += " (told only)"
        strike = "one" if row.strike else "no"
        lines.append(f"| {row.event.value} | {row.seat} | {strike} | {record} | {row.score} | {row.rating} |")
    return "\n".join(lines) + "\n"


# -- sentences ---------------------------------------------------------------------------------------


def cut(text: str, longest: int = LONGEST_SENTENCE) -> str:
    """Return *text* as one line of printable characters, cut at *longest*."""
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[: longest + 1])
    return text if len(text) <= longest else text[: longest - 1] + "…"


def question_words(hand: Hand, number: int, seat: Seat) -> str:
    """Return which question it was, in public words."""
    phase = hand.phase.kind.name.lower().replace("_", " ")
    return f"hand {number}, seat {seat}, {phase} after {len(hand.events)} actions"


def done_words(instead: Action | None, strikes: int, limit: int) -> str:
    """Return what was done instead and what it cost."""
    left = max(0, limit - strikes)
    done = f"{instead!r} was played instead; " if instead is not None else ""
    return f"{done}strike {strikes} of {limit}, {left} left"
