"""Who plays alone, where it is said after trump is fixed (RULES.md 3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import Action, Kind, action
from referee.rules.cards import NOBODY, Seat
from referee.rules.phases.base import Phase, PhaseKind

if TYPE_CHECKING:
    from referee.rules.hand import Hand

NOT_ALONE = action(Kind.NOT_ALONE)
ALONE = action(Kind.ALONE)


class GoingAlone(Phase):
    """ALONE-POLL-1, -2: the maker's side first, then the defenders from the maker's left.

    ``hand.queue`` holds the seats of the side still to be asked; ``hand.step`` is 0 for the makers, 1 for
    the defenders.
    """

    kind = PhaseKind.GOING_ALONE

    def begin(self, hand: Hand) -> None:
        """Ask the makers, unless one plays alone already or they may not be asked."""
        hand.step = 0
        hand.queue = [] if hand.lone_maker != NOBODY else self._makers_asked(hand)
        self._ask_next(hand)

    def words(self, hand: Hand) -> list[Action]:
        """Offer both answers."""
        return [NOT_ALONE, ALONE]

    def apply(self, hand: Hand, act: Action) -> None:
        """Let the first who says alone play alone (ALONE-ONE-1); ask the next."""
        if act is ALONE:
            hand.play_alone(hand.actor)
            hand.queue = []
        self._ask_next(hand)

    def _ask_next(self, hand: Hand) -> None:
        while not hand.queue and hand.step == 0:
            hand.step = 1
            hand.queue = self._defenders_asked(hand)
        if hand.queue:
            hand.actor = hand.queue.pop(0)
        else:
            hand.next_phase()

    @staticmethod
    def _makers_asked(hand: Hand) -> list[Seat]:
        variant, maker = hand.variant, hand.maker
        if variant.alone_makers == "none" or maker == NOBODY:
            return []
        if variant.alone_with_call:
            # ALONE-TIME-2: only a dealer who named trump blind could not say it in the call.
            return [maker] if hand.named_blind == maker else []
        return [maker, *variant.partners(maker)] if variant.alone_makers == "any" else [maker]

    @staticmethod
    def _defenders_asked(hand: Hand) -> list[Seat]:
        variant = hand.variant
        if variant.alone_defenders == "none" or not variant.fixed_sides:
            return []
        if variant.alone_defenders == "against-loner" and hand.lone_maker == NOBODY:
            return []
        side = variant.side_of[hand.maker]
        around = ((hand.maker + step) % variant.seats for step in range(1, variant.seats))
        return [seat for seat in around if variant.side_of[seat] != side]
