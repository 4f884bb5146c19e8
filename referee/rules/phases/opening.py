"""Before the first word of the auction: redeal claims, a joker turned up, a club turned up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import Action, Kind, action, on_strains
from referee.rules.cards import CLUBS, JACK, NOBODY, rank_of, suit_of
from referee.rules.phases.base import Phase, PhaseKind
from referee.rules.variant import JokerUpcard

if TYPE_CHECKING:
    from referee.rules.hand import Hand
    from referee.rules.variant import Variant

NO_CLAIM = action(Kind.NO_CLAIM)
CLAIM_REDEAL = action(Kind.CLAIM_REDEAL)
_NAME_BLIND = on_strains(Kind.NAME_BLIND)[:4]
_TEN = 8


class RedealClaim(Phase):
    """RED-1 to RED-5: every seat is asked once, clockwise from eldest; the first claim ends the deal."""

    kind = PhaseKind.REDEAL_CLAIM

    def is_idle(self, variant: Variant) -> bool:
        """Tell whether no option is on."""
        return not variant.has_redeals()

    def begin(self, hand: Hand) -> None:
        """Ask eldest, unless a joker is turned up (RED-5)."""
        if hand.joker_is_up:
            hand.next_phase()
        else:
            hand.actor = hand.eldest

    def words(self, hand: Hand) -> list[Action]:
        """Offer the claim only to a hand that gives it; NO_CLAIM alone tells nothing (SRV-ASK-3)."""
        return [NO_CLAIM, CLAIM_REDEAL] if self._may_claim(hand) else [NO_CLAIM]

    def apply(self, hand: Hand, act: Action) -> None:
        """End the deal on a claim; otherwise ask the next seat."""
        if act is CLAIM_REDEAL:
            hand.finish_claimed()
        elif hand.actor == hand.dealer:
            hand.next_phase()
        else:
            hand.actor = hand.variant.left(hand.actor)

    @staticmethod
    def _may_claim(hand: Hand) -> bool:
        cards = hand.hands[hand.actor]
        jokers = hand.variant.tables.jokers
        if any(card in jokers for card in cards):
            return False
        if hand.variant.redeal_farmers_hand and all(rank_of(card) <= _TEN for card in cards):
            return True
        turned = suit_of(hand.upcard)
        return hand.variant.redeal_no_ace_no_face_no_trump and all(
            rank_of(card) < JACK and suit_of(card) != turned for card in cards
        )


class BlindNaming(Phase):
    """UPA-BEN-1, ALM-TRUMP-2: a joker is turned up and the dealer names trump without seeing his hand."""

    kind = PhaseKind.BLIND_NAMING

    def is_idle(self, variant: Variant) -> bool:
        """Tell whether the deck has no joker."""
        return not variant.tables.jokers

    def begin(self, hand: Hand) -> None:
        """Ask the dealer if a joker is up; hide his hand from him meanwhile."""
        if hand.joker_is_up:
            hand.blind_seat = hand.actor = hand.dealer
        else:
            hand.next_phase()

    def words(self, hand: Hand) -> list[Action]:
        """Offer all four suits (R-10)."""
        return list(_NAME_BLIND)

    def apply(self, hand: Hand, act: Action) -> None:
        """Fix trump and the maker, or let round 1 run over the joker (Almonte)."""
        hand.blind_seat = NOBODY
        hand.named_blind = hand.dealer
        hand.turned_suit = act.strain
        if hand.variant.joker_upcard is JokerUpcard.DEALER_MAKES:
            hand.accept_upcard(hand.dealer)
        hand.next_phase()


class ForcedClubs(Phase):
    """BUCK-TRUMP-1, DC-TRUMP-1: a club turned up is trump; no auction, no maker."""

    kind = PhaseKind.FORCED_CLUBS

    def begin(self, hand: Hand) -> None:
        """Fix clubs if one is up."""
        if suit_of(hand.upcard) == CLUBS:
            hand.fix_strain(CLUBS)
        hand.next_phase()
