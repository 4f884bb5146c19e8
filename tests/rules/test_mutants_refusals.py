"""What is refused and why, and choices that play-outs seldom meet."""

from __future__ import annotations

import copy
import pickle
from enum import IntEnum

import pytest

from euchre.v1 import actions_pb2, play_pb2, variants_pb2
from referee.rules import (
    NOBODY,
    PLAY,
    UNFIXED,
    ActionRefused,
    BidName,
    CardChoice,
    Hand,
    HandEnd,
    Kind,
    NotationError,
    PhaseKind,
    Reason,
    action,
    bid,
    format_card,
    parse_action,
    parse_card,
    parse_cards,
)
from referee.rules.actions import BID_TEXTS, PASS, on_strains
from referee.rules.cards import CARD_COUNT, CARD_NAMES
from referee.rules.phases.base import Phase, each
from referee.rules.view import seen_event
from tests.rules.table import deal, default_until, may, say

VOID_AND_NOT = {1: "AH KH QH TH 9H", 2: "JH AC KC QC TC", 3: "AD KD QD TD 9D"}


def reason(hand: Hand, text: str) -> Reason | None:
    """Return why *text* is refused, having made sure that trying it raises the same and changes nothing."""
    act, before = parse_action(text), hand.clone()
    refusal = hand.refusal(act)
    if refusal is None:
        return None
    with pytest.raises(ActionRefused) as raised:
        hand.apply(act)
    assert raised.value.reason is refusal.reason
    assert hand == before
    return refusal.reason


def at_play(variant: str) -> Hand:
    hand = say(deal(variant, upcard="9S", hands=VOID_AND_NOT), "1 ORDER_UP")
    return default_until(hand, PhaseKind.PLAY)


# -- numbers of the wire ------------------------------------------------------------------------------------


def prefix_of(enum: type[IntEnum]) -> str:
    return {Kind: "ACTION_KIND_", BidName: "BID_NAME_", PhaseKind: "PHASE_KIND_", HandEnd: "HAND_END_"}[enum]


@pytest.mark.parametrize("enum", [Kind, BidName, PhaseKind, HandEnd])
def test_numbers_are_those_of_the_wire(enum: type[IntEnum]) -> None:
    wires = [
        wire
        for file in (actions_pb2, play_pb2, variants_pb2)
        for wire in file.DESCRIPTOR.enum_types_by_name.values()
        if wire.values[0].name.startswith(prefix_of(enum))
    ]
    assert len(wires) == 1
    told = {value.name.removeprefix(prefix_of(enum)): value.number for value in wires[0].values if value.number}
    told.pop("FORFEIT", None)  # the referee's own, of a hand that a fault ended
    assert told == {member.name: member.value for member in enum}


# -- cards ---------------------------------------------------------------------------------------------------


def test_in_play_a_word_is_not_open_and_a_foreign_card_not_held() -> None:
    hand = at_play("standard")
    assert reason(hand, "PASS") is Reason.NOT_OPEN
    assert reason(hand, "DISCARD(AH)") is Reason.NOT_OPEN
    assert reason(hand, "PLAY(AC)") is Reason.NOT_HELD
    assert reason(hand, "PLAY(AH)") is None


def test_a_renege_is_refused_only_where_it_is_rejected() -> None:
    """REN-MODE-1."""
    hand = say(at_play("standard(renege=rejected)"), "1 PLAY(AH)")
    assert reason(hand, "PLAY(AC)") is Reason.MUST_FOLLOW
    assert reason(hand, "PLAY(AD)") is Reason.NOT_HELD
    assert reason(hand, "PLAY(JH)") is None
    say(hand, "2 PLAY(JH)")
    assert reason(hand, "PLAY(9D)") is None  # void
    hand = say(at_play("standard"), "1 PLAY(AH)")
    assert reason(hand, "PLAY(AC)") is None


def test_where_reneges_are_rejected_any_card_may_be_led() -> None:
    """REN-DEF-1: a lead follows nothing, even after a trick in another suit."""
    hand = at_play("standard(renege=rejected)")
    while not hand.is_over and len(hand.hands[hand.actor]) > 1:
        if not hand.trick:
            assert all(reason(hand, f"PLAY({format_card(card)})") is None for card in hand.hands[hand.actor])
        hand.apply(hand.default())


def test_a_renege_is_remembered_once() -> None:
    """REN-PROVE-1."""
    hand = say(at_play("standard"), "1 PLAY(AH)")
    hand.hands[2] += [parse_card("9C")]  # a hand of more hearts than one
    hand.hands[2][:] = parse_cards("JH 9H AC KC QC")
    hand.apply(PLAY[parse_card("AC")])
    assert hand.reneges == [(2, 2)]
    assert hand.note_renege(3) is False


def test_a_set_of_cards_has_a_size_and_is_held_copy_by_copy() -> None:
    choice = CardChoice(Kind.SWAP, tuple(parse_cards("9S 9S TC")), 1, 2)
    refusals = {text: choice.refusal(parse_action(text)) for text in ("SWAP(9S TC)", "SWAP(9S)", "SWAP(9S 9S)")}
    assert set(refusals.values()) == {None}
    for text, why in (
        ("SWAP(9S 9S TC)", Reason.WRONG_CARDS),
        ("SWAP(AS)", Reason.NOT_HELD),
        ("SWAP(TC TC)", Reason.NOT_HELD),
    ):
        refusal = choice.refusal(parse_action(text))
        assert refusal is not None
        assert refusal.reason is why
    none = choice.refusal(action(Kind.SWAP))
    assert none is not None
    assert none.reason is Reason.WRONG_CARDS
    assert "wanted 1 to 2" in str(none)
    exact = CardChoice(Kind.SWAP, tuple(parse_cards("9S TC")), 1, 1).refusal(parse_action("SWAP(9S TC)"))
    assert exact is not None
    assert str(exact).endswith("wanted 1")


def test_a_refused_set_is_refused_by_the_hand_too() -> None:
    hand = deal("bid-us-48-widow")
    say(hand, "1 BID(6, H)")
    while hand.phase.kind is PhaseKind.BID_AUCTION:
        hand.apply(PASS)
    if hand.phase.kind is PhaseKind.WIDOW:
        hand.apply(parse_action("TAKE_WIDOW"))
    assert hand.phase.kind is PhaseKind.WIDOW_DISCARD
    held = format_card(hand.hands[hand.actor][0])
    assert reason(hand, f"DISCARD({held})") is Reason.WRONG_CARDS
    assert reason(hand, "PASS") is Reason.NOT_OPEN


def test_a_card_that_cannot_be_named_is_not_held_and_another_word_is_not_open() -> None:
    hand = say(deal("standard", upcard="9S", hands=VOID_AND_NOT), "1 ORDER_UP")
    assert hand.phase.kind is PhaseKind.PICK_UP
    assert reason(hand, "DISCARD(AH)") is Reason.NOT_HELD
    assert reason(hand, "PASS") is Reason.NOT_OPEN
    assert reason(hand, "PLAY(9S)") is Reason.NOT_OPEN
    assert reason(hand, "DISCARD(9S)") is None


def test_only_a_word_with_cards_can_fail_for_a_card_that_is_not_held() -> None:
    """XCH-BEST-1: beside a word without cards too."""
    hand = deal("bid-euchre")
    say(hand, "1 BID(4, H)")
    assert reason(hand, "BID(3, H)") is Reason.NOT_OPEN
    variant = "standard(loner_exchange=call-best,alone_timing=after-trump)"
    hand = say(deal(variant, upcard="9S", hands=VOID_AND_NOT), "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1 ALONE")
    default_until(hand, PhaseKind.EXCHANGE)
    assert reason(hand, "CALL_BEST(AC)") is Reason.NOT_HELD
    assert reason(hand, "CALL_BEST(AH)") is None


def test_copies_of_a_card_are_one_option() -> None:
    """SRV-LOW-1, last sentence."""
    hand = deal("bid-us-48")
    hand.hands[hand.actor][:] = parse_cards("9S 9S TC")
    assert [format_card(act.card) for act in each(PLAY, hand)] == ["9S", "TC"]


def test_a_phase_says_what_it_does_itself() -> None:
    hand, plain = deal("standard"), Phase()
    plain.kind = PhaseKind.PLAY
    assert plain.is_idle(hand.variant) is False
    assert plain.may_be_forced is False
    assert plain.choice(hand) is None
    assert plain.forced(hand) is None
    for ask in (lambda: plain.begin(hand), lambda: plain.words(hand), lambda: plain.apply(hand, PASS)):
        with pytest.raises(AssertionError):
            ask()


# -- words ---------------------------------------------------------------------------------------------------


def test_a_stand_in_for_the_joker_is_no_natural_card_of_its_suit() -> None:
    """UPA-NAT-1, CARD-STAND-1."""
    variant = "british(dealer_needs_natural=on,joker_card=two-of-spades,dealer_partner_order=normal)"
    hand = deal(variant, upcard="9S", hands={0: "2S AH KH QH JH"})
    say(hand, "1, 2, 3 PASS")
    assert may(hand) == {"TURN_DOWN"}
    hand = deal(variant, upcard="9S", hands={0: "TS AH KH QH JH"})
    say(hand, "1, 2, 3 PASS")
    assert "TAKE_UP" in may(hand)


def test_an_upcard_left_is_no_discard() -> None:
    """UPA-PICK-2."""
    hand = say(deal("standard(dealer_pickup=optional)", upcard="9S"), "1 ORDER_UP", "0 LEAVE_UPCARD")
    assert hand.discards == []


@pytest.mark.parametrize(("cards", "may_claim"), [("9S 9H TS TH 9D", True), ("9S 9H TS TH JD", False)])
def test_a_farmers_hand_has_no_card_above_the_ten(cards: str, *, may_claim: bool) -> None:
    """RED-1."""
    hand = deal("standard(redeal_farmers_hand=on)", upcard="AC", hands={1: cards})
    assert ("CLAIM_REDEAL" in may(hand)) is may_claim


def test_any_card_led_first_names_its_own_suit_in_napoleon() -> None:
    """NAP-TRUMP-1."""
    for card in deal("napoleon(deck=52)").variant.deck:
        hand = deal("napoleon(deck=52)", hands={1: format_card(card)})
        say(hand, "1 BID(2)", "2, 3, 0 PASS", f"1 PLAY({format_card(card)})")
        assert hand.strain == card // 13


def test_after_an_exchange_nobody_gives_and_nothing_is_offered() -> None:
    """XCH-OFFER-1."""
    variant = "standard(loner_exchange=partner-offers-one,alone_timing=after-trump)"
    hand = say(deal(variant, upcard="9S", hands={3: "9H TH JH QH KH"}), "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1 ALONE")
    default_until(hand, PhaseKind.EXCHANGE)
    assert (hand.receiver, hand.giver) == (1, 3)
    say(hand, "3 OFFER(KH)")
    hand.apply(hand.options()[1])
    accepted = hand.events[-1]
    assert accepted[1].kind is Kind.ACCEPT
    assert [seen_event(accepted, seat).hidden_cards for seat in range(4)] == [1, 0, 1, 1]
    assert hand.phase.kind is not PhaseKind.EXCHANGE
    assert (hand.receiver, hand.giver, hand.offered) == (NOBODY, NOBODY, NOBODY)


def test_dealers_hand_is_swapped_for_the_widow_by_at_most_one_seat_in_turn() -> None:
    """DC3-WID-1."""
    for dealer in range(3):
        hand = deal("dirty-clubs-3p", dealer=dealer)
        asked = []
        default_until(hand, PhaseKind.HAND_SWAP)
        while hand.phase.kind is PhaseKind.HAND_SWAP:
            asked.append(hand.actor)
            hand.apply(hand.default())
        assert asked == [(dealer - 1) % 3, dealer, (dealer + 1) % 3]


# -- actions as values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["PLAY(AS)", "SWAP(9S TC)", "BID(3, H)", "MOON(NT)", "ASK(2)", "NAME(C)", "PASS"])
def test_an_action_copied_or_sent_elsewhere_is_the_same_object(text: str) -> None:
    act = parse_action(text)
    assert pickle.loads(pickle.dumps(act)) is act  # noqa: S301
    assert copy.copy(act) is act
    assert copy.deepcopy(act) is act
    if act.bid is not None:
        assert pickle.loads(pickle.dumps(act.bid)) is act.bid  # noqa: S301


def test_there_is_an_action_for_every_card_and_every_strain_and_no_more() -> None:
    assert [act.card for act in PLAY] == list(range(CARD_COUNT)) == list(range(len(CARD_NAMES)))
    assert [act.strain for act in on_strains(Kind.NAME)] == list(range(UNFIXED))


def test_the_card_of_several_is_the_first() -> None:
    assert parse_action("SWAP(TC 9S)").card == parse_card("9S")
    assert action(Kind.PASS).card == NOBODY


def test_a_number_is_no_named_bid() -> None:
    assert BidName.NUMBER not in BID_TEXTS
    with pytest.raises(NotationError):
        parse_action("NUMBER(H)")


def test_named_bids_have_no_number() -> None:
    assert (bid(BidName.MOON).number, bid(BidName.MOON)) == (0, bid(BidName.MOON, 0))
