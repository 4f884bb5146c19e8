"""Undealt cards that a seat may or must take, and the dealer who makes trump from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import DISCARD, Action, Kind, action, on_cards
from referee.rules.cards import NOBODY, suit_of
from referee.rules.phases.base import CardChoice, Phase, PhaseKind, each
from referee.rules.variant import WidowRule

if TYPE_CHECKING:
    from referee.rules.hand import Hand

LEAVE_WIDOW = action(Kind.LEAVE_WIDOW)
TAKE_WIDOW = action(Kind.TAKE_WIDOW)
KEEP_HAND = action(Kind.KEEP_HAND)
TAKE_HAND = action(Kind.TAKE_HAND)
NO_SWAP = action(Kind.NO_SWAP)
KEEP_UPCARD = action(Kind.KEEP_UPCARD)
_TAKE_AND_SHOW = on_cards(Kind.TAKE_AND_SHOW)


class Widow(Phase):
    """AUC-WID-1, HAS-WID-1 (must take: no question), BU48W-WID-1, HOO3-WID-1 (may)."""

    kind = PhaseKind.WIDOW

    def begin(self, hand: Hand) -> None:
        """Ask the declarer, or give him the widow, or neither where his bid forgoes it."""
        if hand.maker == NOBODY or not hand.contract.takes_widow:
            hand.next_phase()
        elif hand.variant.widow_rule is WidowRule.MUST:
            hand.take_widow(hand.maker)
            hand.next_phase()
        else:
            hand.actor = hand.maker

    def words(self, hand: Hand) -> list[Action]:
        """Offer all of it or nothing."""
        return [LEAVE_WIDOW, TAKE_WIDOW]

    def apply(self, hand: Hand, act: Action) -> None:
        """Take or leave it."""
        if act is TAKE_WIDOW:
            hand.take_widow(hand.actor)
        hand.next_phase()


class WidowDiscard(Phase):
    """The declarer who took the widow discards as many cards, those just taken included."""

    kind = PhaseKind.WIDOW_DISCARD

    def begin(self, hand: Hand) -> None:
        """Ask the declarer, if he took it."""
        if hand.widow_taken:
            hand.actor = hand.maker
        else:
            hand.next_phase()

    def words(self, hand: Hand) -> list[Action]:
        """Offer single cards for a widow of one."""
        if hand.variant.widow > 1:
            return []
        return each(DISCARD, hand)

    def choice(self, hand: Hand) -> CardChoice | None:
        """Ask for as many cards as the widow had."""
        widow = hand.variant.widow
        if widow == 1:
            return None
        return CardChoice(Kind.DISCARD, tuple(hand.hands[hand.actor]), widow, widow)

    def apply(self, hand: Hand, act: Action) -> None:
        """Lay them face down."""
        hand.discard(hand.actor, act.cards)
        hand.next_phase()


class HandSwap(Phase):
    """DC3-WID-1: the dealer's right, the dealer, his left; the first who takes the widow ends it."""

    kind = PhaseKind.HAND_SWAP

    def begin(self, hand: Hand) -> None:
        """Ask the dealer's right first."""
        seats = hand.variant.seats
        hand.queue = [(hand.dealer + step) % seats for step in range(seats)]
        hand.actor = (hand.dealer - 1) % seats
        hand.queue.remove(hand.actor)

    def words(self, hand: Hand) -> list[Action]:
        """Offer both answers."""
        return [KEEP_HAND, TAKE_HAND]

    def apply(self, hand: Hand, act: Action) -> None:
        """Swap the whole hand for the widow, or ask the next."""
        if act is TAKE_HAND:
            hand.discard(hand.actor, tuple(hand.hands[hand.actor]))
            hand.take_widow(hand.actor)
            hand.queue = []
        if hand.queue:
            hand.actor = hand.queue.pop(0)
        else:
            hand.next_phase()


class DealerMakes(Phase):
    """DM-TRUMP-1 to -3: the dealer makes trump from the upcard or from a discard he shows."""

    kind = PhaseKind.DEALER_MAKES

    def begin(self, hand: Hand) -> None:
        """Ask the dealer; he is the maker always."""
        hand.maker = hand.actor = hand.dealer

    def words(self, hand: Hand) -> list[Action]:
        """Offer the upcard's suit, or any card of another suit (R-59)."""
        turned = suit_of(hand.upcard)
        shown = [_TAKE_AND_SHOW[card] for card in hand.hands[hand.actor] if suit_of(card) != turned]
        return [KEEP_UPCARD, *shown]

    def apply(self, hand: Hand, act: Action) -> None:
        """Fix trump; the upcard or the card shown is out of play."""
        dealer = hand.actor
        if act is KEEP_UPCARD:
            hand.fix_strain(suit_of(hand.upcard))
        else:
            hand.take_upcard(dealer)
            hand.discard(dealer, act.cards)
            hand.fix_strain(suit_of(act.card))
        hand.next_phase()


class KittySwap(Phase):
    """DM-XCH-1: the dealer's left, right, partner, then the dealer; the first who swaps ends it."""

    kind = PhaseKind.KITTY_SWAP

    def begin(self, hand: Hand) -> None:
        """Ask the dealer's left first."""
        seats = hand.variant.seats
        hand.queue = [(hand.dealer - 1) % seats, *hand.variant.partners(hand.dealer), hand.dealer]
        hand.actor = hand.eldest

    def words(self, hand: Hand) -> list[Action]:
        """Offer to keep the hand."""
        return [NO_SWAP]

    def choice(self, hand: Hand) -> CardChoice | None:
        """Ask for as many cards as the kitty has."""
        count = hand.variant.kitty
        return CardChoice(Kind.SWAP_KITTY, tuple(hand.hands[hand.actor]), count, count)

    def apply(self, hand: Hand, act: Action) -> None:
        """Swap at once, or ask the next."""
        if act is not NO_SWAP:
            hand.discard(hand.actor, act.cards)
            hand.take_kitty(hand.actor)
            hand.queue = []
        if hand.queue:
            hand.actor = hand.queue.pop(0)
        else:
            hand.next_phase()
