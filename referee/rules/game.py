"""Hands to a goal (RULES.md 3.11, 3.12, 3.14): totals, the dealer's turn, who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.cards import NOBODY, Card, Seat
from referee.rules.hand import Hand, starting_totals
from referee.rules.result import HandEnd, HandResult
from referee.rules.variant import ReachRule, Side, Variant

DEFAULT_MAX_HANDS = 200
"""SRV-LIMIT-1."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winners: tuple[Side, ...]
    """The winning side; several only after adjudication (SRV-LIMIT-1)."""
    totals: tuple[int, ...]
    is_adjudicated: bool


class Game:
    """The state between hands. Ask :attr:`dealer` and :attr:`board`, deal a hand, hand in its result."""

    __slots__ = ("board", "dealer", "hands_played", "max_hands", "outcome", "redeals", "totals", "variant")

    def __init__(
        self,
        variant: Variant,
        first_dealer: Seat = 0,
        max_hands: int = DEFAULT_MAX_HANDS,
        totals: Sequence[int] | None = None,
    ) -> None:
        self.variant = variant
        self.dealer = first_dealer
        self.max_hands = max_hands
        self.totals = starting_totals(variant) if totals is None else tuple(totals)
        self.hands_played = 0
        self.board = 0
        """Turns of the deal so far; the deck of the next hand is that of this board (SRV-BOARD-1)."""
        self.redeals = 0
        """Claimed deals of this board; the deck is the board's deck number ``redeals``."""
        self.outcome: Outcome | None = None

    def deal(self, deck: Sequence[Card]) -> Hand:
        """Return the next hand dealt from *deck*."""
        return Hand(self.variant, deck, self.dealer, self.totals)

    def finish_hand(self, result: HandResult) -> None:
        """Count a finished hand; set ``outcome`` if it ended the game."""
        self.totals = tuple(total + points for total, points in zip(self.totals, result.points, strict=True))
        self.hands_played += 1
        if result.end is HandEnd.CLAIMED:
            self.redeals += 1
        else:
            self.dealer = self.variant.left(self.dealer)  # GEN-DEALER-2, -3, -4
            self.board += 1
            self.redeals = 0
        winner = winner_after(self.variant, self.totals, result)
        if winner != NOBODY:
            self.outcome = Outcome((winner,), self.totals, is_adjudicated=False)
        elif self.hands_played >= self.max_hands:
            self.outcome = Outcome(leaders(self.variant, self.totals), self.totals, is_adjudicated=True)


def leaders(variant: Variant, totals: Sequence[int]) -> tuple[Side, ...]:
    """Return the side ahead, or all that share the first place (SRV-LIMIT-1)."""
    best = min(totals) if variant.counts_down else max(totals)
    return tuple(side for side, total in enumerate(totals) if total == best)


def winner_after(variant: Variant, totals: Sequence[int], result: HandResult) -> Side:
    """Return the side that has won the game with *result*, ``NOBODY`` if it goes on.

    *totals* are those after the hand.
    """
    if result.instant_winner != NOBODY:
        return variant.side_of[result.instant_winner]  # BUCK-END-3
    if result.end in (HandEnd.THROWN_IN, HandEnd.CLAIMED):
        return NOBODY
    if variant.counts_down:
        return _alone_at_best(variant, totals, [side for side, total in enumerate(totals) if total <= 0])
    at_goal = [side for side, total in enumerate(totals) if total >= variant.target]
    if variant.win_is_qualified:
        at_goal = _qualified(variant, totals, result, at_goal)
    if variant.several_at_goal is ReachRule.BY_WIN_CONDITION and len(at_goal) > 1:
        return variant.side_of[result.makers[0]]  # CON-WIN-3 (CON-WIN-2 has left one side)
    return _alone_at_best(variant, totals, at_goal)


def _qualified(variant: Variant, totals: Sequence[int], result: HandResult, at_goal: list[Side]) -> list[Side]:
    """CON-WIN-1, -2: only the declarer's side after a contract made, the others after one set."""
    if (
        variant.several_at_goal is ReachRule.BY_WIN_CONDITION
        and result.contract_made is not None
        and len(at_goal) == len(totals)
        and len(set(totals)) == 1
    ):
        return [variant.side_of[result.makers[0]]]  # exactly equal totals go to the makers
    return [side for side in at_goal if result.qualified[side]]


def _alone_at_best(variant: Variant, totals: Sequence[int], sides: Sequence[Side]) -> Side:
    """Return the one best of *sides*; equal bests play on (END-IND-1, -2, PEP-END-1, BUCK-END-1, -2)."""
    if not sides:
        return NOBODY
    best = (min if variant.counts_down else max)(totals[side] for side in sides)
    at_best = [side for side in sides if totals[side] == best]
    return at_best[0] if len(at_best) == 1 else NOBODY


def next_game_start(variant: Variant, outcome: Outcome) -> tuple[int, ...]:
    """Return the totals the next game of a match begins with (RR-MATCH-1)."""
    start = list(starting_totals(variant))
    if variant.laps and not outcome.is_adjudicated:
        for side in outcome.winners:
            start[side] = outcome.totals[side] - variant.target
    return tuple(start)


def games_won(variant: Variant, outcome: Outcome) -> int:
    """Return how many games the win counts as in a match (RR-MATCH-2)."""
    if not variant.slams or len(outcome.winners) != 1:
        return 1
    others = (total for side, total in enumerate(outcome.totals) if side not in outcome.winners)
    return 2 if all(total <= 0 for total in others) else 1
