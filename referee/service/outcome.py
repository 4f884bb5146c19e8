"""What goes into a table and what comes out of it: plain frozen values, no I/O."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from referee.rules import Action, Card, HandResult, Seat, Side, Variant

DeckSource: TypeAlias = Callable[[int, int], Sequence[Card]]
"""``(board, redeal)`` to the deck in the order dealt. Pure: the same numbers give the same deck."""


class GameEnd(enum.IntEnum):
    """How a game ended; numbers are those of ``euchre.v1.GameEnd``."""

    RULES = 1
    """A side won it."""
    BOARD = 2
    """One board was asked for, and it has been played."""
    HAND_LIMIT = 3
    """Adjudicated after the most hands allowed (SRV-LIMIT-1)."""
    FORFEIT = 4
    """A side forfeited."""
    STOPPED = 5
    """Stopped by the organiser; counts nowhere."""


class FaultKind(enum.IntEnum):
    """What a bot did wrong; numbers are those of ``euchre.v1.FaultKind``."""

    TIMEOUT = 1
    """No reply before the deadline."""
    ILLEGAL = 2
    """A reply that is unknown, unlawful or malformed."""
    RENEGE = 3
    """Failing to follow suit when able; played, and paid for when established."""
    DISCONNECT = 4
    """The stream was lost."""
    FORFEIT = 5
    """Too many strikes, or lost for good: the side forfeits the game."""
    STALE = 6
    """A reply to a decision that is no longer open; told, never a strike, never on the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """One table to be played, from its first deal to its end.

    :raises ValueError: when a table of it is opened, if it does not fit together.
    """

    variant: Variant
    instances: tuple[str, ...]
    """The instance in each seat; one may sit in several."""
    first_dealer: Seat
    deck: DeckSource
    first_board: int = 0
    """Number of the first board; the dealer of board *k* is ``(first_dealer + k) % seats``."""
    plays_game: bool = False
    """Hands to the goal; if false one board, scored on its own from the starting totals. Either way a claimed
    deal is dealt again with the next *redeal* (SRV-BOARD-1)."""
    tag: object = None
    """What the organiser knows it by; the referee hands it on and does not look at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRecord:
    """One fault, as it is told to the bot and kept on the record."""

    kind: FaultKind
    seat: Seat
    hand: int
    """Number of the hand, from zero; every deal is one hand."""
    message: str
    """A sentence: what was asked, what arrived, what was done instead, how many strikes are left."""


class PlayedAction(NamedTuple):
    """One action of a hand. A named tuple, because there are thousands a second."""

    seat: Seat
    action: Action
    forced: bool
    """Nobody was asked: public information left one answer (SRV-ASK-2)."""
    milliseconds: int
    """Time the seat took; zero if forced."""
    fault: FaultKind | None
    """``TIMEOUT``, ``ILLEGAL`` or ``DISCONNECT``: the default was played; ``RENEGE``: this card was one."""
    note: str = ""
    """What the bot wrote beside it, for the replay; unchecked, at most 200 printable characters."""
    confidence: float | None = None
    """How sure the bot said it was, 0 to 1; unchecked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One deal and all that was done with it."""

    number: int
    board: int
    redeal: int
    dealer: Seat
    deck: tuple[Card, ...]
    """In the order dealt."""
    actions: tuple[PlayedAction, ...]
    result: HandResult | None
    """``None`` when a forfeit or a stop cut the hand short."""
    totals: tuple[int, ...]
    """By side, after the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """How a table ended, with everything needed to check it."""

    end: GameEnd
    points: tuple[int, ...]
    """By side: the change of the totals over the whole table; in countdown games a minus is good."""
    totals: tuple[int, ...]
    """By side, at the end."""
    winners: tuple[Side, ...]
    """The winner, or all that share the first place; of a single board, those with the most points. Never a
    side that forfeited; empty after a stop."""
    forfeited: tuple[Side, ...]
    """Sides that lose whatever the points."""
    hands: tuple[HandRecord, ...]
    faults: tuple[FaultRecord, ...]
    """In the order they happened; ``STALE`` replies are told to the bot but are no fault on the record."""
    decisions: tuple[int, ...]
    """By seat: how many it was asked."""
    think_seconds: tuple[float, ...]
    """By seat: time taken altogether."""
    slowest_seconds: tuple[float, ...]
    """By seat: longest time taken for one decision."""
