"""The bid auction (RULES.md 3.10) and the strain named after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.rules.actions import PASS, Action, Kind, action, on_strains
from referee.rules.cards import NOBODY, UNFIXED, Seat
from referee.rules.phases.base import Phase, PhaseKind
from referee.rules.variant import BidRung, Variant

if TYPE_CHECKING:
    from referee.rules.hand import Hand

_CHOOSE = on_strains(Kind.CHOOSE)


def outbids(hand: Hand, seat: Seat, rung: BidRung) -> bool:
    """Tell whether *seat* may bid *rung* over the standing bid (BIDA-BID-1 and the presets' own rules)."""
    standing, variant = hand.contract, hand.variant
    if hand.bidder == NOBODY:
        return rung.only_over is None
    if rung.only_over is not None:
        return standing.bid is rung.only_over
    if rung.rank != standing.rank:
        return rung.rank > standing.rank
    if variant.equal_bid_outbids:
        return True
    # BU40-AUC-2
    is_dealers_alone = variant.dealer_outbids_alone and rung.alone and seat == hand.dealer
    return is_dealers_alone and hand.bidder != hand.dealer


def bid_actions(variant: Variant, rung: BidRung) -> list[Action]:
    """Return the actions that bid *rung*, by strain where the strain is part of the bid."""
    if not variant.strain_in_bid:
        return [action(Kind.BID, bid=rung.bid)]
    return [action(Kind.BID, strain=strain, bid=rung.bid) for strain in rung.strains]


def calls_over_standing(hand: Hand, seat: Seat) -> tuple[Action, ...]:
    """Return PASS and the bids of *seat* over the standing bid; worked out once for each standing bid."""
    variant = hand.variant
    is_dealer = variant.dealer_outbids_alone and seat == hand.dealer != hand.bidder
    key = (hand.contract.bid, is_dealer)
    calls = variant.calls.get(key)
    if calls is None:
        bids = [act for rung in variant.ladder if outbids(hand, seat, rung) for act in bid_actions(variant, rung)]
        calls = variant.calls[key] = (PASS, *bids)
    return calls


class BidAuction(Phase):
    """BIDA-TURN-1 to BIDA-WON-1. ``hand.passes`` counts passes in succession, ``hand.turns`` all turns."""

    kind = PhaseKind.BID_AUCTION
    may_be_forced = True

    def begin(self, hand: Hand) -> None:
        """Ask eldest, unless a club turned up has fixed trump."""
        if hand.strain != UNFIXED:
            hand.next_phase()
        else:
            hand.actor = hand.eldest

    def words(self, hand: Hand) -> Sequence[Action]:
        """Offer PASS, then the lawful bids from the lowest rank up (SRV-ORDER-1)."""
        words = calls_over_standing(hand, hand.actor)
        return words[1:] if len(words) > 1 and self._must_bid(hand) else words

    @staticmethod
    def _must_bid(hand: Hand) -> bool:
        """BIDA-FORCE-1: nobody has bid and it is the dealer's turn, his first (if he passed, the auction was over)."""
        return hand.variant.dealer_must_bid and hand.bidder == NOBODY and hand.actor == hand.dealer

    def forced(self, hand: Hand) -> Action | None:
        """Everything here is public, so one answer is no question (SRV-ASK-2)."""
        words = self.words(hand)
        return words[0] if len(words) == 1 else None

    def apply(self, hand: Hand, act: Action) -> None:
        """Note the call, then end the auction or ask the next seat."""
        hand.turns += 1
        if act is PASS:
            hand.passes += 1
        else:
            hand.passes = 0
            hand.bidder = hand.actor
            hand.contract = next(rung for rung in hand.variant.ladder if rung.bid is act.bid)
            hand.bid_strain = act.strain
        if self._is_over(hand):
            if hand.bidder == NOBODY:
                hand.all_passed()
            else:
                hand.win_auction()
                hand.next_phase()
        else:
            hand.actor = hand.variant.left(hand.actor)

    @staticmethod
    def _is_over(hand: Hand) -> bool:
        variant = hand.variant
        if hand.bidder == NOBODY:
            return hand.passes == variant.seats
        waiting = variant.seats - (1 + hand.passes if variant.until_passed else hand.turns)
        # BIDA-END-3: over as soon as nobody who may still speak can outbid, so too when nobody may.
        seats = ((hand.actor + step) % variant.seats for step in range(1, waiting + 1))
        return all(len(calls_over_standing(hand, seat)) == 1 for seat in seats)


class StrainChoice(Phase):
    """LATER-STRAIN-1, PEP-STRAIN-1, DC-STRAIN-1, HAS-STRAIN-1: the declarer names what the hand is played in."""

    kind = PhaseKind.STRAIN_CHOICE

    def begin(self, hand: Hand) -> None:
        """Ask the declarer, if there is one."""
        if hand.maker == NOBODY:
            hand.next_phase()
        else:
            hand.actor = hand.maker

    def words(self, hand: Hand) -> list[Action]:
        """Offer every strain of the variant."""
        return [_CHOOSE[strain] for strain in hand.variant.strains]

    def apply(self, hand: Hand, act: Action) -> None:
        """Fix the strain; in the games with an upcard the maker may now take it (DC-PICK-1)."""
        hand.fix_strain(act.strain)
        if hand.variant.upcard:
            hand.taker, hand.pickup_is_optional = hand.maker, True
        hand.next_phase()
