"""Cards between a loner and a partner (RULES.md 3.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import DISCARD, Action, Kind, action, on_cards
from referee.rules.cards import NOBODY
from referee.rules.phases.base import CardChoice, Phase, PhaseKind, each

if TYPE_CHECKING:
    from referee.rules.hand import Hand
    from referee.rules.variant import Variant

NO_ASK = action(Kind.NO_ASK)
NO_OFFER = action(Kind.NO_OFFER)
DECLINE = action(Kind.DECLINE)
NO_CALL = action(Kind.NO_CALL)
NO_SWAP = action(Kind.NO_SWAP)
_GIVE = on_cards(Kind.GIVE)
_OFFER = on_cards(Kind.OFFER)
_ACCEPT = on_cards(Kind.ACCEPT)
_CALL_BEST = on_cards(Kind.CALL_BEST)

# hand.step
_LONER_SPEAKS, _PARTNER_GIVES, _LONER_DISCARDS, _LONER_ANSWERS = range(4)


class Exchange(Phase):
    """XCH-ASK-1 to XCH-UPTO-1, for the lone maker, then for the lone defender (R-14).

    ``hand.queue`` holds the loners still to come, ``hand.receiver`` is the loner now, ``hand.giver`` his
    partner, ``hand.step`` whose move it is, ``hand.owed`` how many cards the giver owes.
    """

    kind = PhaseKind.EXCHANGE

    def is_idle(self, variant: Variant) -> bool:
        """Tell whether loners exchange no cards."""
        return variant.loner_exchange == "none"

    def begin(self, hand: Hand) -> None:
        """Begin with the maker's loner."""
        hand.queue = [seat for seat in (hand.lone_maker, hand.lone_defender) if seat != NOBODY]
        self._next_loner(hand)

    def _next_loner(self, hand: Hand) -> None:
        rule = hand.variant.loner_exchange
        while hand.queue:
            loner = hand.queue.pop(0)
            partners = hand.variant.partners(loner)
            if not partners or (rule == "fixed-by-bid" and not hand.contract.receives):
                continue
            hand.receiver, hand.giver, hand.owed = loner, partners[0], 1
            if rule == "partner-offers-one":
                hand.step, hand.actor = _PARTNER_GIVES, hand.giver
            else:
                hand.step, hand.actor = _LONER_SPEAKS, loner
            return
        hand.receiver = hand.giver = NOBODY
        hand.next_phase()

    def words(self, hand: Hand) -> list[Action]:
        """Offer what the rule of the variant gives the seat asked."""
        rule = hand.variant.loner_exchange
        if hand.step == _LONER_DISCARDS:
            return each(DISCARD, hand)
        if hand.step == _LONER_ANSWERS:
            return [DECLINE, *each(_ACCEPT, hand)]
        if hand.step == _PARTNER_GIVES:
            if rule == "partner-offers-one":
                return [NO_OFFER, *each(_OFFER, hand)]
            return each(_GIVE, hand) if hand.owed == 1 else []
        if rule == "ask-one":
            return [NO_ASK, *(action(Kind.ASK, seat=seat) for seat in hand.variant.partners(hand.actor))]
        if rule == "call-best":
            return [NO_CALL, *each(_CALL_BEST, hand)]
        if rule == "fixed-by-bid":
            return each(DISCARD, hand) if hand.contract.receives == 1 else []
        return [NO_SWAP]

    def choice(self, hand: Hand) -> CardChoice | None:
        """Ask for several cards where the rule moves several."""
        rule, cards = hand.variant.loner_exchange, tuple(hand.hands[hand.actor])
        if hand.step == _PARTNER_GIVES and hand.owed > 1:
            return CardChoice(Kind.GIVE, cards, hand.owed, hand.owed)
        if hand.step == _LONER_SPEAKS and rule.startswith("up-to-"):
            return CardChoice(Kind.SWAP, cards, 1, int(rule[-1]))
        if hand.step == _LONER_SPEAKS and rule == "fixed-by-bid" and hand.contract.receives > 1:
            return CardChoice(Kind.DISCARD, cards, hand.contract.receives, hand.contract.receives)
        return None

    def apply(self, hand: Hand, act: Action) -> None:
        """Move the cards; a seat that gives never sees what the loner laid down."""
        match act.kind:
            case Kind.ASK:
                hand.giver = act.seat
                hand.step, hand.actor = _PARTNER_GIVES, hand.giver
            case Kind.GIVE:
                self._give(hand, act)
            case Kind.OFFER:
                hand.offered = act.card
                hand.step, hand.actor = _LONER_ANSWERS, hand.receiver
            case Kind.ACCEPT:
                hand.discard(hand.receiver, act.cards)
                hand.move_cards(hand.giver, hand.receiver, (hand.offered,))
                self._finish(hand)
            case Kind.CALL_BEST | Kind.SWAP:
                self._lay_down(hand, act)
            case Kind.DISCARD if hand.step == _LONER_SPEAKS:
                self._lay_down(hand, act)
            case Kind.DISCARD:
                hand.discard(hand.actor, act.cards)
                self._finish(hand)
            case _:  # NO_ASK, NO_OFFER, DECLINE, NO_CALL, NO_SWAP
                self._finish(hand)

    @staticmethod
    def _lay_down(hand: Hand, act: Action) -> None:
        hand.discard(hand.actor, act.cards)
        hand.owed = len(act.cards)
        hand.step, hand.actor = _PARTNER_GIVES, hand.giver

    def _give(self, hand: Hand, act: Action) -> None:
        hand.move_cards(hand.giver, hand.receiver, act.cards)
        if hand.variant.loner_exchange == "ask-one":
            hand.step, hand.actor = _LONER_DISCARDS, hand.receiver
        else:
            hand.cards_received = len(act.cards)
            self._finish(hand)

    def _finish(self, hand: Hand) -> None:
        hand.offered = NOBODY
        self._next_loner(hand)
