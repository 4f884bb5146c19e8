"""The auction over the upcard (RULES.md 3.4), and what becomes of the upcard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import DISCARD, PASS, Action, Kind, action, on_strains
from referee.rules.cards import NOBODY, UNFIXED, Seat, suit_of
from referee.rules.phases.base import Phase, PhaseKind, each

if TYPE_CHECKING:
    from referee.rules.hand import Hand

ORDER_UP = action(Kind.ORDER_UP)
ORDER_UP_ALONE = action(Kind.ORDER_UP_ALONE)
TAKE_DOWN_ALONE = action(Kind.TAKE_DOWN_ALONE)
TURN_DOWN = action(Kind.TURN_DOWN)
TAKE_UP = action(Kind.TAKE_UP)
TAKE_UP_ALONE = action(Kind.TAKE_UP_ALONE)
LEAVE_UPCARD = action(Kind.LEAVE_UPCARD)
TAKE_UPCARD = action(Kind.TAKE_UPCARD)
_NAME = on_strains(Kind.NAME)
_NAME_ALONE = on_strains(Kind.NAME_ALONE)
_ALONE_CALLS = frozenset({ORDER_UP_ALONE, TAKE_UP_ALONE, TAKE_DOWN_ALONE})


def _is_partner_of_dealer(hand: Hand, seat: Seat) -> bool:
    variant = hand.variant
    return variant.fixed_sides and seat != hand.dealer and variant.side_of[seat] == variant.side_of[hand.dealer]


def _may_say_alone(hand: Hand, seat: Seat, maker: Seat) -> bool:
    """Tell whether *seat* may add "alone" to a call that makes *maker* the maker (ALONE-TIME-2, ALONE-WHO-1)."""
    variant = hand.variant
    if not variant.alone_with_call or variant.alone_makers == "none":
        return False
    if seat == maker:
        return True
    return variant.alone_makers == "any" and variant.side_of[seat] == variant.side_of[maker]


class UpcardAuction(Phase):
    """UPA-R1-1 to UPA-NAT-1. ``hand.round`` is 1 or 2."""

    kind = PhaseKind.UPCARD_AUCTION
    may_be_forced = True

    def begin(self, hand: Hand) -> None:
        """Ask eldest, unless trump is fixed already (a joker or a club turned up)."""
        if hand.strain != UNFIXED:
            hand.next_phase()
        else:
            hand.round = 1
            hand.actor = hand.eldest

    def words(self, hand: Hand) -> list[Action]:
        """Offer the words of this round to the seat asked."""
        if hand.round == 2:
            return self._round_two(hand)
        return self._dealer_round_one(hand) if hand.actor == hand.dealer else self._others_round_one(hand)

    @staticmethod
    def _others_round_one(hand: Hand) -> list[Action]:
        variant, seat = hand.variant, hand.actor
        if _is_partner_of_dealer(hand, seat):
            if variant.dealer_partner_order == "takes-it-down":
                return [PASS, TAKE_DOWN_ALONE]
            if variant.dealer_partner_order == "alone-only":
                return [PASS, ORDER_UP_ALONE]
        maker = hand.dealer if variant.order_up_makers == "dealer-side" else seat
        if _may_say_alone(hand, seat, maker):
            return [PASS, ORDER_UP, ORDER_UP_ALONE]
        return [PASS, ORDER_UP]

    @staticmethod
    def _dealer_round_one(hand: Hand) -> list[Action]:
        variant = hand.variant
        if hand.named_blind == hand.dealer:
            return [TAKE_UP]  # ALM-TRUMP-3
        if variant.dealer_needs_natural and not any(
            suit_of(card) == hand.turned_suit and card not in variant.tables.jokers for card in hand.hands[hand.dealer]
        ):
            return [TURN_DOWN]  # UPA-NAT-1
        if _may_say_alone(hand, hand.dealer, hand.dealer):
            return [TURN_DOWN, TAKE_UP, TAKE_UP_ALONE]
        return [TURN_DOWN, TAKE_UP]

    @staticmethod
    def _round_two(hand: Hand) -> list[Action]:
        seat = hand.actor
        suits = [suit for suit in range(4) if suit != hand.turned_suit]
        words = [_NAME[suit] for suit in suits]
        if _may_say_alone(hand, seat, seat):
            words += [_NAME_ALONE[suit] for suit in suits]
        is_stuck = seat == hand.dealer and hand.variant.stick_dealer
        return words if is_stuck else [PASS, *words]

    def forced(self, hand: Hand) -> Action | None:
        """Skip the dealer who must take a joker he named for (ALM-TRUMP-3)."""
        is_forced = hand.round == 1 and hand.actor == hand.dealer and hand.named_blind == hand.dealer
        return TAKE_UP if is_forced else None

    def apply(self, hand: Hand, act: Action) -> None:
        """Pass the word on, or fix trump and the maker."""
        seat = hand.actor
        if act is PASS or act is TURN_DOWN:
            self._pass_on(hand)
        elif hand.round == 2:
            hand.maker = seat
            if act is _NAME_ALONE[act.strain]:
                hand.play_alone(seat)
            hand.fix_strain(act.strain)
            hand.next_phase()
        else:
            hand.accept_upcard(seat, took_down=act is TAKE_DOWN_ALONE)
            if act in _ALONE_CALLS:
                hand.play_alone(seat)
            if act is ORDER_UP_ALONE and _is_partner_of_dealer(hand, seat):
                hand.taker = NOBODY  # UPA-PICK-4
            hand.next_phase()

    @staticmethod
    def _pass_on(hand: Hand) -> None:
        if hand.actor != hand.dealer:
            hand.actor = hand.variant.left(hand.actor)
        elif hand.round < hand.variant.auction_rounds:
            hand.round += 1
            hand.actor = hand.eldest
        else:
            hand.all_passed()


class PickUp(Phase):
    """UPA-PICK-1 to -5, DC-PICK-1: ``hand.taker`` takes the upcard (or may), and discards one of his cards."""

    kind = PhaseKind.PICK_UP

    def begin(self, hand: Hand) -> None:
        """Ask whether to take it, or take it and ask for the discard; nothing if nobody takes it."""
        if hand.taker == NOBODY:
            hand.next_phase()
            return
        hand.actor = hand.taker
        if not hand.pickup_is_optional:
            hand.take_upcard(hand.taker)

    def words(self, hand: Hand) -> list[Action]:
        """Offer the upcard, then the six cards for the discard (R-08)."""
        if not hand.upcard_taken:
            return [LEAVE_UPCARD, TAKE_UPCARD]
        return each(DISCARD, hand)

    def apply(self, hand: Hand, act: Action) -> None:
        """Take or leave the upcard, or lay the discard down."""
        if act is TAKE_UPCARD:
            hand.take_upcard(hand.actor)
            return
        if act is not LEAVE_UPCARD:
            hand.discard(hand.actor, act.cards)
        hand.next_phase()
