"""What no play-out shows of a hand as a value: how it begins, what a copy shares, what an ended one answers."""

from __future__ import annotations

import random

import pytest

from referee.rules import (
    NOBODY,
    PLAY,
    PRESETS,
    UNFIXED,
    Action,
    ActionRefused,
    BidName,
    BidRung,
    Hand,
    HandEnd,
    PhaseKind,
    Reason,
    bid,
    build,
    format_card,
    parse_action,
    parse_card,
    parse_variant,
    replay,
)
from referee.rules.actions import PASS
from referee.rules.hand import NO_CONTRACT
from tests.rules.table import deal, default_until, result, say
from tests.strategies import random_answer, shuffled_deck


def ended() -> Hand:
    return default_until(deal("standard"))


def test_nothing_has_happened_in_a_fresh_hand() -> None:
    hand = deal("standard", upcard="9S")
    assert (hand.maker, hand.orderer, hand.bidder, hand.taker, hand.ally) == (NOBODY,) * 5
    assert (hand.lone_maker, hand.lone_defender, hand.leader, hand.best_seat) == (NOBODY,) * 4
    assert (hand.named_blind, hand.blind_seat, hand.receiver, hand.giver, hand.offered) == (NOBODY,) * 5
    assert (hand.passes, hand.turns, hand.step, hand.owed, hand.cards_received) == (0,) * 5
    assert (hand.led, hand.best, hand.playing, hand.cards_left) == (0,) * 4
    assert (hand.strain, hand.bid_strain, hand.phase_index) == (UNFIXED, UNFIXED, 0)
    assert hand.pickup_is_optional is False
    assert (hand.upcard_taken, hand.widow_taken, hand.kitty_taken, hand.joker_is_up) == (False,) * 4
    assert hand.tricks_won == [0, 0, 0, 0]
    assert hand.is_of_makers(0) is False


def test_before_the_first_bid_the_contract_is_none_of_no_tricks() -> None:
    assert BidRung(bid=bid(BidName.NUMBER, 0), rank=-1, tricks=0, strains=()) == NO_CONTRACT
    assert all(rung.rank > NO_CONTRACT.rank for name in PRESETS for rung in build(name).ladder)


def test_cards_are_held_low_to_high_before_anything_is_trump() -> None:
    """SRV-LOW-1."""
    hand = deal("standard", upcard="9S", hands={1: "AS 9C JH 9D TD"})
    assert [format_card(card) for card in hand.hands[1]] == ["9C", "9D", "TD", "JH", "AS"]


@pytest.mark.parametrize("preset", ["standard", "almonte-4p", "british-33"])
def test_the_suit_turned_is_the_printed_suit_of_the_upcard(preset: str) -> None:
    """UPA-R2-1."""
    options = {"standard": "standard(deck=33)", "almonte-4p": "almonte-4p(almonte_jokers=low-spades)"}
    for card in parse_variant(options.get(preset, preset)).deck:
        hand = deal(options.get(preset, preset), upcard=format_card(card))
        assert hand.turned_suit == card // 13


def test_no_suit_is_turned_without_an_upcard() -> None:
    assert deal("bid-euchre").turned_suit == NOBODY


# -- ended ----------------------------------------------------------------------------------------------


def test_an_ended_hand_asks_nobody_and_takes_nothing() -> None:
    hand = ended()
    assert hand.options() == []
    for ask in (hand.question, hand.default, lambda: hand.apply(PASS), lambda: hand.table_talk(0)):
        with pytest.raises(ActionRefused) as refused:
            ask()
        assert refused.value.reason is Reason.HAND_OVER
    refusal = hand.refusal(PASS)
    assert refusal is not None
    assert refusal.reason is Reason.HAND_OVER
    assert hand.is_renege(PLAY[0]) is False


def test_a_question_names_the_seat_and_the_phase() -> None:
    question = deal("standard", dealer=1).question()
    assert (question.seat, question.phase, question.choice) == (2, PhaseKind.UPCARD_AUCTION, None)
    assert isinstance(question.phase, PhaseKind)


def test_a_refusal_is_given_for_what_is_not_open_alone() -> None:
    hand = deal("standard")
    assert hand.refusal(PASS) is None
    refusal = hand.refusal(parse_action("TURN_DOWN"))
    assert refusal is not None
    assert refusal.reason is Reason.NOT_OPEN


def test_a_renege_is_a_held_card_of_another_suit_during_play() -> None:
    """REN-DEF-1."""
    hand = deal("standard", upcard="9S", hands={1: "AH KH QH TH 9H", 2: "JH AC KC QC TC", 3: "AD KD QD TD 9D"})
    assert not any(hand.is_renege(PLAY[card]) for card in hand.deck)  # nobody plays yet
    say(hand, "1 ORDER_UP")
    default_until(hand, PhaseKind.PLAY)
    assert not any(hand.is_renege(PLAY[card]) for card in hand.deck)  # a lead cannot be one
    say(hand, "1 PLAY(AH)")
    assert {format_card(card) for card in hand.deck if hand.is_renege(PLAY[card])} == {"AC", "KC", "QC", "TC"}
    assert not hand.is_renege(PASS)
    say(hand, "2 PLAY(JH)")
    assert not any(hand.is_renege(PLAY[card]) for card in hand.deck)  # seat 3 is void


def test_a_renege_that_ends_the_hand_leaves_nobody_to_act() -> None:
    """REN-MODE-1, immediate."""
    hands = {1: "AH KH QH TH 9H", 2: "JH AC KC QC TC", 3: "AD KD QD TD 9D"}
    hand = deal("standard(renege=immediate)", upcard="9S", hands=hands)
    say(hand, "1 ORDER_UP")
    default_until(hand, PhaseKind.PLAY)
    say(hand, "1 PLAY(AH)")
    hand.apply(PLAY[parse_card("AC")])
    assert result(hand).end is HandEnd.RENEGE
    assert (hand.actor, hand.reneges) == (NOBODY, [])
    assert hand.best_seat == 1  # the card that offended won nothing
    assert not any(hand.is_renege(PLAY[card]) for card in hand.deck)  # nobody plays any more


# -- who may and who has ---------------------------------------------------------------------------------


def test_who_orders_a_card_into_another_hand_is_the_orderer() -> None:
    """STD-LEAD-2."""
    assert say(deal("standard", upcard="9S"), "1 ORDER_UP").orderer == 1
    assert say(deal("standard", upcard="9S"), "1, 2, 3 PASS", "0 TAKE_UP").orderer == NOBODY
    down = deal("standard(dealer_partner_order=takes-it-down)", upcard="9S")
    assert say(down, "1 PASS", "2 TAKE_DOWN_ALONE").orderer == NOBODY


def test_a_joker_ordered_up_must_be_taken_even_where_the_pickup_is_optional() -> None:
    """ALM-TRUMP-3, UPA-PICK-2."""
    variant = "almonte-4p(dealer_pickup=optional)"
    hand = say(deal(variant, upcard="X1"), "0 NAME_BLIND(H)", "1 ORDER_UP")
    assert hand.upcard_taken
    hand = say(deal(variant, upcard="AH"), "1 ORDER_UP")
    assert not hand.upcard_taken


def test_a_hand_thrown_in_qualifies_nobody() -> None:
    """CON-WIN-1."""
    hand = say(deal("standard(stick_dealer=off)"), "1, 2, 3 PASS", "0 TURN_DOWN", "1, 2, 3, 0 PASS")
    assert result(hand).end is HandEnd.THROWN_IN
    assert result(hand).qualified == (False, False)
    assert result(hand).makers == ()


# -- as a value -------------------------------------------------------------------------------------------


def any_answer(hand: Hand, rng: random.Random) -> Action:
    """Return a random answer, now and then a renege."""
    if hand.phase.kind is PhaseKind.PLAY and rng.random() < 0.3:
        return PLAY[rng.choice(hand.hands[hand.actor])]
    return random_answer(hand.question(), rng)


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_copy_plays_does_not_change_the_original(preset: str) -> None:
    """Every list is copied: the original is still equal to a replay of its own actions."""
    rng = random.Random(f"copy {preset}")
    variant = build(preset)
    deck, dealer = shuffled_deck(variant, rng), rng.randrange(variant.seats)
    hand = Hand(variant, deck, dealer)
    said: list[Action] = []
    while not hand.is_over:
        twin = hand.clone()
        assert twin == hand
        while not twin.is_over:
            twin.apply(any_answer(twin, rng))
        assert hand == replay(variant, deck, dealer, said)
        assert twin != hand
        said.append(any_answer(hand, rng))
        hand.apply(said[-1])
    assert replay(variant, deck, dealer, said, hand.totals) == hand


def test_a_hand_equals_hands_alone() -> None:
    hand = deal("standard")
    assert hand != "a hand"
    assert hand.__eq__("a hand") is NotImplemented
    with pytest.raises(TypeError, match="unhashable"):
        hash(hand)


def test_a_replay_takes_the_totals_it_is_given() -> None:
    variant = build("standard")
    hand = replay(variant, variant.deck, 3, [PASS], (4, 7))
    assert (hand.variant, hand.dealer, hand.totals, hand.actor) == (variant, 3, (4, 7), 1)
    assert len(hand.events) == 1
