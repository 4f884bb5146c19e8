"""Inputs that programs of this kind are known to get wrong, sections 1 to 9 as far as they concern the rules.

The numbers are those of the list of known trouble (KT-01 to KT-32); each test asserts the right outcome.
"""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from collections import Counter

import pytest

from referee.rules import (
    PLAY,
    ActionRefused,
    Game,
    Hand,
    HandEnd,
    HandResult,
    PhaseKind,
    Reason,
    build,
    parse_action,
    parse_card,
    parse_variant,
    winner_after,
)
from referee.service.shuffle import deck_for
from tests.battery.checks import Effort, Tally, play_hand
from tests.battery.ledger import Ledger
from tests.battery.worlds import history_bytes, request_bytes
from tests.rules.table import (
    asked_in,
    cards,
    deal,
    default_until,
    makers,
    may,
    may_in_order,
    play_randomly,
    result,
    say,
    strain,
    tricks_of,
)
from tests.strategies import shuffled_deck


def play(hand: Hand, *lines: str) -> Hand:
    """Play cards written ``"1 JD"``, each lawful and by the seat asked."""
    return say(hand, *(f"{line.split()[0]} PLAY({line.split()[1]})" for line in lines))


def lawful(hand: Hand) -> set[str]:
    """Return the cards that may be played."""
    return {word[5:-1] for word in may(hand)}


def is_renege(hand: Hand, card: str) -> bool:
    return hand.is_renege(parse_action(f"PLAY({card})"))


def ordered(text: str, upcard: str, hands: dict[int, str], dealer: int = 0) -> Hand:
    """Return a hand in which eldest has ordered up and the dealer has discarded his lowest card."""
    hand = deal(text, upcard=upcard, hands=hands, dealer=dealer)
    say(hand, f"{hand.eldest} ORDER_UP")
    return default_until(hand, PhaseKind.PLAY)


# -- 1. What suit a card belongs to --------------------------------------------------------------------


def test_kt_01_left_bower_led_sets_the_suit_to_follow() -> None:
    """CARD-EFF-1, PLAY-2."""
    hand = ordered("standard", "TH", {1: "JD 9S KS QS TS", 2: "9H KD AS TC QC"})
    play(hand, "1 JD")
    assert lawful(hand) == {"9H"}
    assert is_renege(hand, "KD")


def test_kt_02_left_bower_must_be_played_to_a_trump_lead() -> None:
    """CARD-EFF-1."""
    hand = ordered("standard", "TH", {1: "AH 9S KS QS TS", 2: "JD 9C AS KC QD"})
    play(hand, "1 AH")
    assert lawful(hand) == {"JD"}
    assert all(is_renege(hand, card) for card in ("9C", "AS", "KC", "QD"))


@pytest.mark.parametrize(
    ("held", "expected"), [("JC 9C AH KH 9D", {"9C"}), ("JC AH KH 9D QD", {"JC", "AH", "KH", "9D", "QD"})]
)
def test_kt_03_left_bower_does_not_belong_to_its_printed_suit(held: str, expected: set[str]) -> None:
    """CARD-EFF-1, PLAY-2."""
    hand = ordered("standard", "TS", {1: "AC 9S KS QS AS", 2: held})
    play(hand, "1 AC")
    assert lawful(hand) == expected
    assert is_renege(hand, "JC") == ("JC" not in expected)


# -- 2. Who wins a trick -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "winner"), [(("1 9S", "2 AD", "3 TS", "0 KC"), 3), (("1 TS", "2 AD", "3 9S", "0 KC"), 1)]
)
def test_kt_04_a_high_card_of_a_third_suit_cannot_win(trick: tuple[str, ...], winner: int) -> None:
    """PLAY-3."""
    first, second = trick[0][2:], trick[2][2:]
    hands = {1: f"{first} AH KH QC 9C", 2: "AD QD JD 9D AC", 3: f"{second} TC KD QS TD", 0: "KC 9H JH QH JC"}
    hand = ordered("standard", "TH", hands)
    play(hand, *trick)
    assert hand.leader == hand.actor == winner
    assert list(hand.tricks_won) == [int(seat == winner) for seat in range(4)]


def test_kt_05_no_trump_has_no_bowers_and_low_turns_the_ranking_round() -> None:
    """CARD-ORD-3, -4."""
    hand = deal("bid-euchre", hands={1: "KD AC QC 9C 9S TS", 2: "JH 9D AS KC TC QH"})
    say(hand, "1 BID(1, NT)", "2, 3, 0 PASS")
    assert lawful(play(hand, "1 KD")) == {"9D"}

    hands = {1: "KD AC QC 9C 9S TS", 2: "JD QD TD AD AS KS", 3: "AH KH QH JH TH 9H", 0: "9D KC TC JC JS QS"}
    hand = say(deal("bid-euchre", hands=hands), "1 BID(1, NT)", "2, 3, 0 PASS")
    assert play(hand, "1 KD", "2 JD", "3 AH", "0 9D").leader == 1

    hands = {1: "KS AC QC 9C 9D TD", 2: "9S QD JD AD AH KH", 3: "AS QH JH TH 9H KD", 0: "JS KC TC JC QS TS"}
    hand = say(deal("bid-euchre(no_trump_kinds=high-low)", hands=hands), "1 BID(1, NTL)", "2, 3, 0 PASS")
    assert play(hand, "1 KS", "2 9S", "3 AS", "0 JS").leader == 2


# -- 3. Seats, turn order and who sits out -------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first", "dealers"),
    [
        ("standard(target=999)", 2, [2, 3, 0, 1, 2, 3, 0, 1, 2]),
        ("cutthroat-3p(target=999)", 2, [2, 0, 1, 2]),
        ("british-6p-33(target=999)", 5, [5, 0, 1]),
    ],
)
def test_kt_06_the_deal_moves_on_by_one_modulo_the_number_of_seats(text: str, first: int, dealers: list[int]) -> None:
    """GEN-DEALER-2."""
    rng = random.Random(text)
    game = Game(parse_variant(text), first)
    seen = []
    for _ in dealers:
        seen.append(game.dealer)
        game.finish_hand(play_randomly(game.deal(shuffled_deck(game.variant, rng)), rng))
    assert seen == dealers


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("lines", [("1 PASS", "2 ORDER_UP"), ("1, 2, 3 PASS", "0 TURN_DOWN", "1 PASS", "2 NAME{}(H)")])
def test_kt_07_alone_means_the_same_in_both_rounds(lines: tuple[str, ...], *, alone: bool) -> None:
    """ALONE-OUT-1, ALONE-TIME-2."""
    word = "_ALONE" if alone else ""
    *before, call = lines
    hand = deal("standard", upcard="TS")
    say(hand, *before, call.format(word) if "{}" in call else call + word)
    assert hand.maker == 2
    assert hand.out == ((0,) if alone else ())


@pytest.mark.parametrize(
    ("text", "leader"), [("standard", 2), ("british", 0), ("north-american", 0)], ids=lambda value: str(value)
)
@pytest.mark.parametrize("round_two", [False, True])
def test_kt_08_first_lead_when_the_seat_left_of_the_dealer_sits_out(text: str, leader: int, *, round_two: bool) -> None:
    """LEAD-1, LEAD-2."""
    hand = deal(text, upcard="TS")
    with_call = text == "standard"
    if round_two:
        say(hand, "1, 2, 3 PASS", "0 TURN_DOWN", "1, 2 PASS", "3 NAME_ALONE(H)" if with_call else "3 NAME(H)")
    else:
        say(hand, "1, 2 PASS", "3 ORDER_UP_ALONE" if with_call else "3 ORDER_UP")
        default_until(hand, PhaseKind.PICK_UP)
        hand.apply(hand.default())
    if not with_call:
        say(hand, "3 ALONE", "0, 2 NOT_ALONE")
    assert hand.phase.kind is PhaseKind.PLAY
    assert hand.active == (0, 2, 3)
    assert hand.actor == leader


def test_kt_09_a_trick_is_complete_when_every_active_seat_has_played() -> None:
    """ALONE-OUT-1, PLAY-2."""
    hands = {1: "AS QS JD 9D 9C", 2: "KS 9H TH QC TD", 0: "TS KC AC QD KD"}
    hand = deal("standard", upcard="QH", hands=hands)
    say(hand, "1 ORDER_UP_ALONE")
    default_until(hand, PhaseKind.PLAY)
    assert hand.actor == 1
    asked = []
    while hand.result is None:
        asked.append(hand.actor)
        hand.apply(hand.options()[-1])
    assert 3 not in asked
    tricks = tricks_of(hand)
    assert len(tricks) == 5
    assert sum(len(trick) for trick in tricks) == 15
    for trick in tricks:
        leader = trick[0][0]
        assert [seat for seat, _ in trick] == {1: [1, 2, 0], 2: [2, 0, 1], 0: [0, 1, 2]}[leader]
    assert {trick[0][0] for trick in tricks} >= {1, 2}


def test_kt_10_the_winner_is_a_seat_not_an_index_into_the_trick() -> None:
    """PLAY-3, PLAY-4."""
    hands = {3: "AD JS QD TD 9D", 0: "9C KC AC 9H TH", 1: "AS 9S KH QH TS", 2: "KD JD KS AH JH"}
    hand = deal("standard", upcard="QS", hands=hands, dealer=2)
    say(hand, "3, 0, 1 PASS", "2 TURN_DOWN", "3 PASS", "0 NAME_ALONE(C)")
    assert hand.active == (0, 1, 3)
    play(hand, "3 AD", "0 9C", "1 AS")
    assert hand.actor == 0
    play(hand, "0 KC", "1 9S", "3 JS")
    assert hand.actor == 3
    assert hand.tricks_won == [1, 0, 0, 1]


def test_kt_11_the_dealer_sits_out_because_the_partner_is_alone() -> None:
    """UPA-PICK-3, UPA-PICK-4, LEAD-1, LEAD-2."""
    standard = deal("standard", upcard="TD")
    say(standard, "1 PASS", "2 ORDER_UP_ALONE")
    assert not standard.upcard_taken
    assert standard.discards == []
    assert standard.phase.kind is PhaseKind.PLAY
    assert standard.actor == 1

    british = deal("british", upcard="TD")
    say(british, "1 PASS", "2 TAKE_DOWN_ALONE")
    assert (british.phase.kind, british.actor) == (PhaseKind.PICK_UP, 2)
    assert "TD" in cards(british, 2)
    british.apply(british.default())
    say(british, "3, 1 NOT_ALONE")
    assert british.actor == 3

    american = deal("north-american", upcard="TD")
    say(american, "1 PASS", "2 ORDER_UP")
    assert (american.phase.kind, american.actor) == (PhaseKind.PICK_UP, 0)
    american.apply(american.default())
    say(american, "2 ALONE", "3, 1 NOT_ALONE")
    assert american.actor == 3

    for hand, size in ((standard, 24), (british, 25), (american, 24)):
        assert hand.out == (0,)
        assert len(hand.deck) == size
        while hand.result is None:
            assert hand.actor != 0
            hand.apply(hand.default())
        Ledger(hand).check(hand)
        assert [len(trick) for trick in tricks_of(hand)] == [3] * 5


def test_kt_12_with_six_seats_teammates_are_two_and_four_away() -> None:
    """B6-XCH-1, LEAD-2, B6-SCORE-1."""
    hand = deal("british-6p-33", upcard="QH", hands={1: "X1 JH JD AH KH"})
    assert hand.variant.sides == ((0, 2, 4), (1, 3, 5))
    say(hand, "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1 ALONE", "2, 4, 0 NOT_ALONE")
    assert set(hand.out) == {3, 5}
    assert may(hand) == {"NO_ASK", "ASK(3)", "ASK(5)"}
    say(hand, "1 NO_ASK")
    while hand.result is None:
        hand.apply(hand.options()[-1])
    orders = [[seat for seat, _ in trick] for trick in tricks_of(hand)]
    assert orders == [[2, 4, 0, 1]] + [[1, 2, 4, 0]] * 4
    assert result(hand).points == (0, 6)


# -- 4. Which action is legal in which phase -----------------------------------------------------------


@pytest.mark.parametrize(("text", "calls"), [("standard", 6), ("north-american", 3)])
def test_kt_13_a_stuck_dealer_is_never_offered_a_pass(text: str, calls: int) -> None:
    """UPA-R2-2: the set offered and the set accepted are one."""
    hand = deal(text, upcard="TS", dealer=3)
    say(hand, "0, 1, 2 PASS", "3 TURN_DOWN", "0, 1, 2 PASS")
    before = hand.clone()
    assert len(may(hand)) == calls
    assert "PASS" not in may(hand)
    with pytest.raises(ActionRefused) as refused:
        hand.apply(parse_action("PASS"))
    assert refused.value.reason is Reason.NOT_OPEN
    assert hand == before
    hand.apply(hand.default())
    assert hand.maker == 3


def test_kt_14_a_hand_thrown_in_ends_and_the_next_one_starts() -> None:
    """GEN-DEALER-3."""
    rng = random.Random(14)
    game = Game(parse_variant("standard(stick_dealer=off)"))
    first = game.deal(shuffled_deck(game.variant, rng))
    say(first, "1 ORDER_UP")
    game.finish_hand(play_randomly(first, rng))
    totals = game.totals
    assert sum(totals) > 0
    second = game.deal(shuffled_deck(game.variant, rng))
    say(second, "2, 3, 0 PASS", "1 TURN_DOWN", "2, 3, 0, 1 PASS")
    thrown_in = result(second)
    assert thrown_in.end is HandEnd.THROWN_IN
    assert thrown_in.makers == ()
    assert not any(thrown_in.points)
    game.finish_hand(thrown_in)
    assert game.totals == totals
    assert (game.dealer, game.hands_played) == (2, 2)


def test_kt_15_an_auction_rises_by_its_own_rule_and_ends_by_its_own_rule() -> None:
    """BIDA-BID-1, BIDA-END-1, -2, LATER-AUC-2, BIDA-FORCE-1."""
    hand = say(deal("bid-euchre"), "1 BID(2, S)", "2 PASS")
    before = hand.clone()
    with pytest.raises(ActionRefused):
        hand.apply(parse_action("BID(2, H)"))
    assert hand == before
    assert may_in_order(hand)[0] == "PASS"
    say(hand, "3 BID(3, H)", "0 PASS")
    assert (hand.maker, strain(hand), hand.contract.tricks) == (3, "H", 3)

    hand = say(deal("bid-euchre(bid_rounds=until-passed)"), "1 BID(2, S)", "2 PASS", "3 BID(3, H)", "0, 1 PASS")
    assert hand.actor == 2
    assert "BID(4, S)" in may(hand)
    again = hand.clone()
    say(hand, "2 PASS")
    assert (hand.maker, strain(hand)) == (3, "H")
    say(again, "2 BID(4, C)", "3, 0, 1 PASS")
    assert (again.maker, strain(again)) == (2, "C")

    hand = say(deal("bid-later-24"), "1 BID(3)", "2 BID(3)", "3, 0 PASS")
    assert (hand.maker, hand.contract.tricks) == (2, 3)

    hand = say(deal("bid-euchre(dealer_must_bid=on,min_bid=2)"), "1, 2, 3 PASS")
    words = may(hand)
    assert "PASS" not in words
    assert "BID(2, S)" in words
    assert "BID(1, S)" not in words


def kt_16(text: str) -> Hand:
    hands = {1: "AD 9S TS JD KS", 2: "9D AH KH TC QS", 3: "TD QD JC 9C QC", 0: "KD AC KC AS JS"}
    hand = ordered(text, "TH", hands)
    assert strain(hand) == "H"
    return play(hand, "1 AD")


def test_kt_16_a_reneging_card_is_played_remembered_and_paid_for_once() -> None:
    """REN-PROVE-1, REN-PEN-1, REN-MODE-1."""
    hand = kt_16("standard")
    wrong = parse_action("PLAY(AH)")
    assert lawful(hand) == {"9D"}
    assert hand.is_renege(wrong)
    hand.apply(wrong)
    assert hand.result is None
    play(hand, "3 TD", "0 KD")
    assert hand.actor == 2  # the ace of trumps took the trick
    play(hand, "2 TC", "3 9C", "0 AC", "1 9S")
    play(hand, "0 KC", "1 TS")
    before = hand.tricks_won[:]
    hand.apply(parse_action("PLAY(9D)"))
    ended = result(hand)
    assert ended.end is HandEnd.RENEGE
    assert ended.offender == 2
    assert ended.points == (0, 4)
    assert len(hand.trick) == 3
    assert hand.tricks_won == before

    hand = kt_16("standard(renege=immediate)")
    hand.apply(wrong)
    ended = result(hand)
    assert (ended.end, ended.offender, ended.points) == (HandEnd.RENEGE, 2, (0, 4))

    hand = kt_16("standard(renege=rejected)")
    before_hand = hand.clone()
    with pytest.raises(ActionRefused) as refused:
        hand.apply(wrong)
    assert refused.value.reason is Reason.MUST_FOLLOW
    assert hand == before_hand
    assert hand.default() is parse_action("PLAY(9D)")


def test_kt_16_the_award_is_six_in_a_bid_game_and_the_deal_passes_on() -> None:
    """REN-PEN-1, GEN-DEALER-4."""
    game = Game(build("bid-euchre", {"renege": "immediate"}))
    rng = random.Random(16)
    while True:
        hand = game.deal(shuffled_deck(game.variant, rng))
        say(hand, "1 BID(1, S)")
        default_until(hand, PhaseKind.PLAY)
        hand.apply(hand.default())
        wrong = [play for play in (PLAY[card] for card in hand.hands[2]) if hand.is_renege(play)]
        if wrong:
            break
    hand.apply(wrong[0])
    ended = result(hand)
    assert ended.points == (0, 6)
    game.finish_hand(ended)
    assert game.dealer == 1


def test_kt_17_awkward_hands_leave_everybody_an_action() -> None:
    hand = deal("standard", upcard="TH", hands={0: "JH JD AH KH QH"})
    say(hand, "1, 2, 3 PASS", "0 TAKE_UP")
    assert may(hand) == {f"DISCARD({card})" for card in ("JH", "JD", "AH", "KH", "QH", "TH")}
    double = deal("hoosier", hands={1: "AS AS KS KS QS QS JS JS TS TS"})
    say(double, "1 BID(1, H)", "2, 3, 0 PASS")
    assert len(may(double)) == 5  # two equal cards are one option
    only_passes = say(deal("bid-us-40"), "1 ALONE(S)")
    assert only_passes.actor == 0  # 2 and 3 have nothing to say


# -- 5. Cards conserved and checked --------------------------------------------------------------------


def test_kt_18_pick_up_and_discard() -> None:
    """UPA-PICK-1, UPA-PICK-2."""
    hand = deal("standard", upcard="9D", hands={3: "JD AS KS QC TC"}, dealer=3)
    say(hand, "0 PASS", "1 ORDER_UP")
    assert (hand.phase.kind, hand.actor) == (PhaseKind.PICK_UP, 3)
    assert cards(hand, 3) == {"JD", "AS", "KS", "QC", "TC", "9D"}
    assert len(may(hand)) == 6
    say(hand, "3 DISCARD(9D)")
    assert len(hand.hands[3]) == 5
    assert (hand.phase.kind, hand.actor) == (PhaseKind.PLAY, 0)

    for answer, size in (("TAKE_UPCARD", 6), ("LEAVE_UPCARD", 5)):
        hand = deal("two-handed", upcard="TC")
        say(hand, "1 ORDER_UP")
        assert may(hand) == {"TAKE_UPCARD", "LEAVE_UPCARD"}
        say(hand, f"0 {answer}")
        assert len(hand.hands[0]) == size
        assert strain(hand) == "C"


def test_kt_19_farmers_hand_has_one_window_one_order_and_one_taker() -> None:
    """RED-1, RED-4, SRV-ASK-3."""
    rest = {0: "AS KS QS JS TS", 3: "AC KC QC 9C JH"}
    hands = {**rest, 1: "AD KD QD JD AH", 2: "9S 9H 9D TC TD"}
    hand = deal("standard(redeal_farmers_hand=on)", upcard="JC", hands=hands)
    assert (hand.actor, may_in_order(hand)) == (1, ["NO_CLAIM"])
    say(hand, "1 NO_CLAIM")
    assert (hand.actor, may_in_order(hand)) == (2, ["NO_CLAIM", "CLAIM_REDEAL"])
    declined = hand.clone()
    game = Game(hand.variant)
    say(hand, "2 CLAIM_REDEAL")
    ended = result(hand)
    assert (ended.end, ended.points) == (HandEnd.CLAIMED, (0, 0))
    game.finish_hand(ended)
    assert (game.dealer, game.board, game.redeals) == (0, 0, 1)
    say(declined, "2, 3, 0 NO_CLAIM")
    assert (declined.phase.kind, declined.actor) == (PhaseKind.UPCARD_AUCTION, 1)

    both = deal(
        "standard(deck=32,redeal_farmers_hand=on)",
        upcard="JC",
        hands={**rest, 1: "7S 8S 9C TH 7H", 2: "9S 9H 9D TC TD", 3: "AC KC QC AH JH"},
    )
    assert (both.actor, may_in_order(both)) == (1, ["NO_CLAIM", "CLAIM_REDEAL"])
    say(both, "1 CLAIM_REDEAL")
    assert both.is_over


def test_kt_19_the_kitty_swap_is_atomic() -> None:
    """DM-XCH-1."""
    hands = {1: "9S 9H 9D 9C TC"}
    hand = deal("dealer-makes", upcard="QD", hands=hands, undealt={"kitty": "TS QH AD"})
    say(hand, "0 KEEP_UPCARD", "1 SWAP_KITTY(9S 9H 9D)")
    assert cards(hand, 1) == {"TS", "QH", "AD", "9C", "TC"}
    assert (hand.phase.kind, hand.actor) == (PhaseKind.GOING_ALONE, 0)
    ledger = Ledger(hand)
    ledger.check(hand)
    assert not hand.upcard_taken
    assert [ledger.deck[place] for place in ledger.upcard] == [parse_card("QD")]


def test_kt_20_card_exchange_with_a_lone_hand() -> None:
    """XCH-BID-1, XCH-OFFER-1, XCH-ASK-1: both commit, then the cards move; the others see only that they do."""
    hand = deal("bid-canadian-32", hands={0: "QS AS AS KS KS JS JS QC", 2: "JH AH KH QH AD KD QD AC"})
    say(hand, "1, 2, 3 PASS", "0 ALONE1(S)")
    say(hand, "0 DISCARD(QS)")
    assert (hand.actor, len(hand.hands[0])) == (2, 7)
    other = deal("bid-canadian-32", hands={0: "QS AS AS KS KS JS JS QC", 2: "JH AH KH QH AD KD QD AC"})
    say(other, "1, 2, 3 PASS", "0 ALONE1(S)", "0 DISCARD(QC)")
    assert request_bytes(other) == request_bytes(hand)  # he chooses without seeing the discard
    say(hand, "2 GIVE(JH)")
    assert len(hand.hands[0]) == 8
    assert "JH" in cards(hand, 0)
    assert hand.out == (2,)
    assert hand.actor == 0
    say(other, "2 GIVE(AH)")
    for opponent in (1, 3):
        assert history_bytes(hand, opponent) == history_bytes(other, opponent)
    Ledger(hand).check(hand)

    hand = deal("north-american(loner_exchange=partner-offers-one)", upcard="9S", hands={1: "AS KS QS TS 9C", 3: "JC"})
    say(hand, "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1 ALONE", "2, 0 NOT_ALONE", "3 OFFER(JC)")
    assert may(hand) == {"DECLINE", *(f"ACCEPT({card})" for card in ("AS", "KS", "QS", "TS", "9C"))}
    say(hand, "1 ACCEPT(9C)")
    assert cards(hand, 1) == {"AS", "KS", "QS", "TS", "JC"}
    Ledger(hand).check(hand)

    hand = deal("british-6p-33", upcard="9S", hands={1: "AS KS QS TS 9C", 5: "JC AH KH QH TH"})
    say(hand, "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1 ALONE", "2, 4, 0 NOT_ALONE", "1 ASK(5)")
    assert may(hand) == {f"GIVE({card})" for card in ("JC", "AH", "KH", "QH", "TH")}
    say(hand, "5 GIVE(JC)")
    assert len(may(hand)) == 6
    say(hand, "1 DISCARD(JC)")
    Ledger(hand).check(hand)


# -- 6. Scores and the end of a game -------------------------------------------------------------------


def _three_tricks_to_the_defence(text: str, dealer: int, *lines: str) -> HandResult:
    """Return a hand made with *lines* in which the side of seats 1 and 3 takes three tricks or four."""
    for seed in range(2000):
        rng = random.Random(seed)
        hand = Hand(parse_variant(text), shuffled_deck(parse_variant(text), rng), dealer)
        if hand.variant.tables.jokers and hand.joker_is_up:
            continue
        try:
            for line in lines:
                say(hand, line.format(suit="SCHD"[(hand.turned_suit + 1) % 4]))
        except AssertionError:
            continue
        ended = play_randomly(hand, rng)
        if ended.tricks[1] + ended.tricks[3] == 3:
            return ended
    raise AssertionError("no such hand")


def test_kt_21_seat_0_may_be_the_maker() -> None:
    """UPA-MAKE-1, S5-3."""
    ended = _three_tricks_to_the_defence("standard", 3, "0 ORDER_UP")
    assert ended.makers == (0, 2)
    assert ended.points == (0, 2)
    hand = say(deal("standard", upcard="TS", dealer=3), "0 ORDER_UP")
    assert hand.maker == 0
    hand = say(deal("standard(order_up_makers=dealer-side)", upcard="TS", dealer=3), "0 ORDER_UP")
    assert hand.maker == 3
    assert makers(hand) == [1, 3]


def test_kt_22_a_stuck_dealer_is_the_maker() -> None:
    """UPA-MAKE-1, S5-3."""
    rng = random.Random(22)
    while True:
        hand = deal("standard", upcard="TS", dealer=3)
        hand = Hand(hand.variant, shuffled_deck(hand.variant, rng), 3)
        say(hand, "0, 1, 2 PASS", "3 TURN_DOWN", "0, 1, 2 PASS")
        word = "NAME(H)" if "NAME(H)" in may(hand) else "NAME(S)"
        say(hand, f"3 {word}")
        assert hand.maker == 3
        ended = play_randomly(hand, rng)
        if ended.tricks[0] + ended.tricks[2] == 3:
            break
    assert ended.makers == (1, 3)
    assert ended.points == (2, 0)


def _played(text: str, taken: int, *lines: str) -> HandResult:
    """Return a hand after the auction *lines* in which the declarer's side takes exactly *taken* tricks."""
    rng = random.Random(f"{text} {taken}")
    variant = parse_variant(text)
    for _ in range(20_000):
        hand = Hand(variant, shuffled_deck(variant, rng), 0)
        say(hand, *lines)
        side = [seat for seat in range(4) if hand.is_of_makers(seat)]
        ended = play_randomly(hand, rng)
        if sum(ended.tricks[seat] for seat in side) == taken:
            return ended
    raise AssertionError("no such hand")


def test_kt_23_tricks_required_being_set_and_negative_totals_in_bid_games() -> None:
    """CON-SET-1, PEP-SCORE-1 to -3: the side of the bidder, seat 1, is side 1."""
    others = "2, 3, 0 PASS"
    assert _played("bid-euchre", 3, "1 BID(3, H)", others).points == (3, 3)
    game = Game(build("bid-euchre"), totals=(0, 1))
    game.finish_hand(_played("bid-euchre", 3, "1 BID(4, H)", others))
    assert game.totals == (3, -3)
    assert _played("pepper", 5, "1 BIG_PEPPER").points == (1, -12)
    assert _played("pepper", 2, "1 BID(3)", others).points == (4, -6)
    assert _played("pepper", 6, "1 LITTLE_PEPPER", others).points == (0, 6)


def _against_loner(text: str, *defenders: str) -> Hand:
    hand = deal(text, upcard="TS", hands={1: "JS AS 9C TC 9H", 2: "KS QS AC AH AD", 0: "9D TD JD QD TH"})
    say(hand, "1 ORDER_UP_ALONE" if text == "classic" else "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    if text != "classic":
        say(hand, "1 ALONE")
    return say(hand, *defenders)


def test_kt_24_defending_alone() -> None:
    """ALONE-POLL-1, LEAD-3, S5-3."""
    text = "north-american(alone_defenders=against-loner)"
    hand = _against_loner(text, "2 ALONE")
    assert hand.out == (3, 0)
    assert hand.active == (1, 2)
    assert hand.actor == 2
    default_until(hand)
    assert result(hand).tricks == (0, 2, 3, 0)
    assert result(hand).points == (4, 0)
    assert all(len(trick) == 2 for trick in tricks_of(hand))

    hand = _against_loner(text, "2, 0 NOT_ALONE")
    assert hand.actor == 2
    default_until(hand)
    assert result(hand).tricks == (0, 2, 3, 0)
    assert result(hand).points == (2, 0)

    hand = deal(text, upcard="TS")
    say(hand, "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1, 3 NOT_ALONE")
    assert hand.phase.kind is PhaseKind.PLAY

    hand = default_until(_against_loner("classic", "2 ALONE"))
    assert result(hand).tricks == (0, 2, 3, 0)
    assert result(hand).points == (2, 0)


def _contract(*, declarer: int, made: bool) -> HandResult:
    return HandResult(
        end=HandEnd.PLAYED,
        points=(0, 0),
        tricks=(0, 0, 0, 0),
        makers=(declarer, declarer + 2),
        contract_made=made,
        qualified=(made, not made) if declarer == 0 else (not made, made),
        instant_winner=-1,
        offender=-1,
    )


@pytest.mark.parametrize(
    ("text", "totals", "made", "winner"),
    [
        ("bid-euchre(target=32)", (34, 33), True, 0),
        ("bid-euchre(target=32)", (26, 34), False, 1),
        ("bid-euchre(target=32)", (14, 33), True, -1),
        ("bid-euchre(target=32,win_condition=any-points)", (14, 33), True, 1),
        ("pepper", (31, 31), True, -1),
    ],
)
def test_kt_25_both_sides_reach_the_target_in_one_hand(
    text: str, totals: tuple[int, int], winner: int, *, made: bool
) -> None:
    """CON-WIN-1 to -3, PEP-END-1."""
    assert winner_after(parse_variant(text), totals, _contract(declarer=0, made=made)) == winner


# -- 7. House rules left unsaid ------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "winners"), [("bid-us-48", (1, 2)), ("british-6p-50", (3, 0))])
def test_kt_26_identical_cards_which_copy_wins(text: str, winners: tuple[int, int]) -> None:
    """CARD-DUP-1, CARD-DUP-2."""
    variant = parse_variant(text)
    hearts = [(1, "AH"), (2, "9H"), (3, "AH"), (0, "TH")]
    bowers = [(1, "9S"), (2, "JS"), (3, "QS"), (0, "JS")]
    for trick, winner in zip((hearts, bowers), winners, strict=True):
        hand = Hand(variant, list(variant.deck), 0)
        hand.fix_strain(0)
        hand.active = (0, 1, 2, 3)
        for seat in range(4):
            hand.hands[seat] = [parse_card(dict(trick)[seat]), parse_card("9D"), parse_card("TD")]
        hand.begin_play(1)
        while hand.phase.kind is not PhaseKind.PLAY:
            hand.phase_index += 1
            hand.phase = variant.flow[hand.phase_index]
        for seat, card in trick:
            assert hand.actor == seat
            hand.apply(parse_action(f"PLAY({card})"))
        assert hand.leader == winner


def test_kt_27_buck_with_a_club_turned_up() -> None:
    """BUCK-TRUMP-1, BUCK-TRUMP-3, BUCK-SCORE-1, -3."""
    for seed in range(5000):
        rng = random.Random(seed)
        hand = deal("buck", upcard="9C", totals=[25] * 4)
        rest = [card for card in hand.variant.deck if card != hand.upcard]
        rng.shuffle(rest)
        hand = Hand(hand.variant, [*rest[:20], parse_card("9C"), *rest[20:]], 0)
        assert strain(hand) == "C"
        assert (hand.phase.kind, hand.actor, hand.maker) == (PhaseKind.PLAY, 1, -1)
        assert not hand.upcard_taken
        game = Game(hand.variant)
        ended = play_randomly(hand, rng)
        if ended.tricks == (2, 2, 1, 0):
            game.finish_hand(ended)
            assert game.totals == (23, 23, 24, 30)
            break
    else:
        raise AssertionError("no such hand")
    hand = deal("buck", upcard="QH")
    say(hand, "1, 2, 3 PASS", "0 TURN_DOWN", "1, 2, 3, 0 PASS")
    assert strain(hand) == "NT"
    assert (hand.phase.kind, hand.actor, hand.maker) == (PhaseKind.PLAY, 1, -1)


def test_kt_28_alone_is_asked_where_the_preset_says_and_nowhere_else() -> None:
    """ALONE-TIME-1, -2, ALONE-POLL-1."""
    hand = say(deal("standard", upcard="TS"), "1 ORDER_UP")
    assert hand.actor == 0
    hand.apply(hand.default())
    assert hand.phase.kind is PhaseKind.PLAY
    before = hand.clone()
    with pytest.raises(ActionRefused) as refused:
        hand.apply(parse_action("ALONE"))
    assert refused.value.reason is Reason.NOT_OPEN
    assert hand == before

    hand = say(deal("north-american", upcard="TS"), "1 ORDER_UP")
    assert asked_in(hand, PhaseKind.GOING_ALONE) == [1, 3, 2, 0]
    hand = say(deal("north-american", upcard="TS"), "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    say(hand, "1 NOT_ALONE", "3 ALONE", "2 ALONE")
    assert hand.phase.kind is PhaseKind.PLAY

    blind = deal("standard(deck=25)", upcard="X1")
    say(blind, "0 NAME_BLIND(S)")
    blind.apply(blind.default())
    assert (blind.phase.kind, blind.actor) == (PhaseKind.GOING_ALONE, 0)
    say(blind, "0 NOT_ALONE")
    assert blind.phase.kind is PhaseKind.PLAY


@pytest.mark.parametrize(
    ("held", "upcard", "nothing", "farmers"),
    [
        ("9S 9C 9H TS TH", "KD", True, True),
        ("9S 9C 9H TS TH", "KS", False, True),
        ("AS 9C TC 9H TH", "KD", False, False),
    ],
)
def test_kt_29_misdeal_claims(held: str, upcard: str, *, nothing: bool, farmers: bool) -> None:
    """RED-1, RED-2, RED-4."""
    for option, offered in (("redeal_no_ace_no_face_no_trump", nothing), ("redeal_farmers_hand", farmers)):
        hand = deal(f"standard({option}=on)", upcard=upcard, hands={1: held})
        assert may_in_order(hand) == (["NO_CLAIM", "CLAIM_REDEAL"] if offered else ["NO_CLAIM"])
        default_until(hand, PhaseKind.UPCARD_AUCTION)
        hand.apply(hand.default())
        with pytest.raises(ActionRefused):
            hand.apply(parse_action("CLAIM_REDEAL"))


# -- 8. Shuffles, seeds and fairness -------------------------------------------------------------------

_DEALS = """
import hashlib
from referee.rules import parse_variant
from referee.service.shuffle import deck_for
variant, digest = parse_variant("standard"), hashlib.sha256()
for number in range({first}, {last}, {step}):
    digest.update(bytes(deck_for(number.to_bytes(32, "big"), variant, "kt-30", 0)))
print(digest.hexdigest())
"""


def test_kt_30_the_deck_is_really_shuffled_from_a_recorded_seed() -> None:
    variant = parse_variant("standard")
    at_seat: Counter[tuple[int, int]] = Counter()
    turned: Counter[int] = Counter()
    seen = set()
    digest = hashlib.sha256()
    for number in range(10_000):
        deck = deck_for(number.to_bytes(32, "big"), variant, "kt-30", 0)
        digest.update(bytes(deck))
        seen.add(bytes(deck))
        hand = Hand(variant, deck, 0) if number % 10 == 0 else None
        if hand is not None:
            assert hand.dealt[1] == (*deck[:3], *deck[12:14])
        for place, card in enumerate(deck[:20]):
            seat = (1 + place // 3) % 4 if place < 12 else (1 + (place - 12) // 2) % 4
            at_seat[seat, card] += 1
        turned[deck[20]] += 1
    assert len(seen) == 10_000
    assert all(abs(count - 2083) <= 163 for count in at_seat.values())
    assert len(at_seat) == 4 * 24
    assert all(abs(count - 417) <= 80 for count in turned.values())
    assert len(turned) == 24
    script = _DEALS.format(first=0, last=10_000, step=1)
    fresh = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert fresh.stdout.strip() == digest.hexdigest()


def test_kt_31_two_workers_get_the_same_deals_and_never_one_twice() -> None:
    variant, seed = parse_variant("standard"), b"\x01" * 32

    def decks(boards: range) -> dict[int, tuple[int, ...]]:
        return {board: tuple(deck_for(seed, variant, "kt-31", board)) for board in boards}

    first, second = decks(range(0, 1000, 2)), decks(range(1, 1000, 2))
    together = first | second
    assert len(set(together.values())) == 1000
    assert decks(range(1000)) == together
    assert decks(range(1, 1000, 2)) == second  # the second worker starts again
    redeal = deck_for(seed, variant, "kt-31", 7, 1)
    assert tuple(redeal) not in together.values()


# -- 9. Hidden information -----------------------------------------------------------------------------


def test_kt_32_a_claim_declined_looks_like_one_never_offered() -> None:
    """GEN-INFO-1, SRV-ASK-3."""
    common = {1: "AD KD QD JD AH", 0: "AS KS QS JS TS"}
    farmer = deal("standard(redeal_farmers_hand=on)", upcard="JC", hands={**common, 2: "9S 9H 9D TC TD"})
    other = deal("standard(redeal_farmers_hand=on)", upcard="JC", hands={**common, 2: "9S 9H 9D TC AC"})
    for hand in (farmer, other):
        say(hand, "1, 2, 3, 0 NO_CLAIM")
    assert request_bytes(farmer) == request_bytes(other)
    for hand in (farmer, other):
        say(hand, "1 PASS")
    for seat in (0, 1):
        assert history_bytes(farmer, seat) == history_bytes(other, seat)


def test_kt_32_a_dealer_who_may_not_take_up_looks_like_one_who_chose_not_to() -> None:
    """SRV-ASK-3, UPA-NAT-1."""
    text = "north-american(dealer_needs_natural=on)"
    common = {1: "AH KH QH TH 9H", 2: "AC KC QC 9C JC", 3: "AS KS QS JS KD"}
    without = deal(text, upcard="QD", hands={**common, 0: "JH TC TS 9S JD"})
    with_one = deal(text, upcard="QD", hands={**common, 0: "JH TC TS 9S 9D"})
    assert may(say(deal(text, upcard="QD", hands={**common, 0: "JH TC TS 9S JD"}), "1, 2, 3 PASS")) == {
        "TURN_DOWN",
        "TAKE_UP",
    }
    barred = deal(text, upcard="QD", hands={**common, 3: "AS KS QS JD KD", 0: "JH TC TS 9S JS"})
    assert may(say(barred, "1, 2, 3 PASS")) == {"TURN_DOWN"}
    for hand in (without, with_one):
        say(hand, "1, 2, 3 PASS", "0 TURN_DOWN")
    assert request_bytes(without) == request_bytes(with_one)


def test_kt_32_random_worlds_are_compared_in_the_battery() -> None:
    """The class of fault: every variant, mid-hand, in worlds that differ in unseen cards (tests/battery)."""
    rng, tally = random.Random(32), Tally()
    for preset in ("standard", "bid-canadian-32", "dealer-makes", "hasenpfeffer"):
        variant = build(preset)
        hand = Hand(variant, shuffled_deck(variant, rng), 0)
        play_hand(hand, rng, tally, Effort(twin=0, refused=0, replay=0, secrecy=1.0, request=0, reneges=0))
    assert tally.worlds > 50
