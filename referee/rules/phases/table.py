"""Who is in the hand: dropping out (BUCK-DROP-1) and the silent ally (CALL-ALLY-1, AUC-ALLY-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import Action, Kind, action, on_cards, on_strains
from referee.rules.cards import NOBODY, Seat, Suit
from referee.rules.phases.base import Phase, PhaseKind
from referee.rules.variant import AllyRule

if TYPE_CHECKING:
    from referee.rules.hand import Hand

STAY = action(Kind.STAY)
DROP = action(Kind.DROP)
_CALL_SUIT = on_strains(Kind.CALL_SUIT)
_CALL_CARD = on_cards(Kind.CALL_CARD)


class DropOut(Phase):
    """BUCK-DROP-1, -2, DC3-DROP-1: with a maker, the others stay or drop, clockwise from his left."""

    kind = PhaseKind.DROP_OUT
    may_be_forced = True

    def begin(self, hand: Hand) -> None:
        """Ask the maker's left, if there is a maker."""
        if hand.maker == NOBODY:
            hand.next_phase()
        else:
            hand.actor = hand.variant.left(hand.maker)

    @staticmethod
    def _must_stay(hand: Hand) -> bool:
        variant = hand.variant
        return hand.totals[variant.side_of[hand.actor]] <= variant.drop_floor

    def words(self, hand: Hand) -> list[Action]:
        """Offer both, or only to stay at a low total."""
        return [STAY] if self._must_stay(hand) else [STAY, DROP]

    def forced(self, hand: Hand) -> Action | None:
        """Totals are public (SRV-ASK-2)."""
        return STAY if self._must_stay(hand) else None

    def apply(self, hand: Hand, act: Action) -> None:
        """Drop or stay, then ask the next seat."""
        if act is DROP:
            hand.sit_out(hand.actor)
        following = hand.variant.left(hand.actor)
        if following == hand.maker:
            hand.next_phase()
        else:
            hand.actor = following


class AllyCall(Phase):
    """CALL-ALLY-1 to -4, AUC-ALLY-1, -2: a maker who is not alone calls, and the holder is his ally."""

    kind = PhaseKind.ALLY_CALL

    def begin(self, hand: Hand) -> None:
        """Ask the maker unless he plays alone."""
        if hand.maker == NOBODY or hand.lone_maker != NOBODY:
            hand.next_phase()
        else:
            hand.actor = hand.maker

    def words(self, hand: Hand) -> list[Action]:
        """Offer the plain suits, or the cards not held from the highest down (SRV-ORDER-1)."""
        if hand.variant.ally_rule is AllyRule.SUIT:
            return [_CALL_SUIT[suit] for suit in range(4) if suit != hand.strain]
        held = hand.hands[hand.actor]
        low = hand.variant.tables.low_key[hand.strain]
        others = [card for card in dict.fromkeys(hand.variant.deck) if card not in held]
        return [_CALL_CARD[card] for card in sorted(others, key=low.__getitem__, reverse=True)]

    def apply(self, hand: Hand, act: Action) -> None:
        """Find the ally; nobody is told."""
        if act.kind is Kind.CALL_SUIT:
            holder = self._holder_of_highest(hand, act.strain)
        else:
            holders = (seat for seat, cards in enumerate(hand.hands) if act.card in cards)
            holder = next(holders, NOBODY)
        hand.ally = NOBODY if holder == hand.maker else holder  # CALL-ALLY-3
        hand.next_phase()

    @staticmethod
    def _holder_of_highest(hand: Hand, suit: Suit) -> Seat:
        """CALL-ALLY-2: the highest card of the suit in the hands in play, the left bower apart."""
        effective = hand.variant.tables.effective[hand.strain]
        strength = hand.variant.tables.beats[hand.strain][suit]
        held = [
            (strength[card], seat) for seat, cards in enumerate(hand.hands) for card in cards if effective[card] == suit
        ]
        return max(held)[1] if held else NOBODY
