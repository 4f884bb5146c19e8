"""Presets with an upcard, and Auction Euchre (docs/rules.md 4.1 to 4.13 and 4.24): what no worked example states."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from referee.rules import (
    NOBODY,
    Alliance,
    Game,
    Hand,
    HandEnd,
    Kind,
    Outcome,
    PhaseKind,
    action,
    build,
    format_cards,
    games_won,
    next_game_start,
    parse_variant,
    view,
)
from referee.rules.cards import SUITS
from tests.rules.table import (
    asked_in,
    cards,
    deal,
    default_until,
    makers,
    may,
    may_in_order,
    play_randomly,
    random_hands,
    result,
    say,
    strain,
)

TARGETS = {
    "british": 11,
    "british-33": 11,
    "british-6p-33": 11,
    "british-6p-50": 11,
    "north-american": 10,
    "canadian": 10,
    "almonte-6p": 15,
    "almonte-4p": 15,
    "two-handed": 10,
    "standard": 10,
    "classic": 10,
    "cutthroat-3p": 10,
    "call-ace-4p": 10,
    "call-ace-5p": 10,
    "call-ace-6p": 10,
    "railroad": 10,
    "auction-5p": 30,
    "auction-6p": 30,
    "auction-7p": 30,
    "dealer-makes": 11,
}
"""Part 4, the goal of every game of this page."""


@pytest.mark.parametrize("name", TARGETS)
def test_first_at_the_goal_or_above_wins(name: str) -> None:
    """BR-END-1, B6-END-1, NA-END-1, ALM-END-1, ALM4-ALL-1, TWO-END-1, STD-END-1, CLA-END-1, CUT-END-1, CALL-END-1,
    AUC-END-1, RR-END-1, DM-END-1, END-IND-1, END-IND-2: played hands from one point short of the goal."""
    variant, target = build(name), TARGETS[name]
    assert variant.target == target
    ended = went_on = 0
    for hand, rng in random_hands(variant, "goal", 40):
        totals = [target - 1 if rng.random() < 0.5 else target - 9 for _ in variant.sides]
        game = Game(variant, hand.dealer, totals=totals)
        played = game.deal(hand.deck)
        play_randomly(played, rng)
        game.finish_hand(result(played))
        after = [total + points for total, points in zip(totals, result(played).points, strict=True)]
        best = max(after)
        wins = best >= target and after.count(best) == 1
        assert game.totals == tuple(after)
        assert (game.outcome is not None) == wins
        if game.outcome is not None:
            assert game.outcome.winners == (after.index(best),)
            assert not game.outcome.is_adjudicated
        ended += wins
        went_on += not wins
    assert ended
    assert went_on


@pytest.mark.parametrize("name", [name for name in TARGETS if name.startswith("british")])
def test_named_alternatives_of_the_british_goal(name: str) -> None:
    """BR-END-1, B6-END-1: options 10, 11, 15."""
    for target in (10, 11, 15):
        variant = build(name, {"target": target})
        hand = say(deal(variant.id, upcard="9H"), "1 ORDER_UP")
        hand.apply(hand.default())
        default_until(hand)
        for before, wins in ((target - 1, True), (target - 9, False)):
            game = Game(variant, totals=[before, before])
            game.finish_hand(result(hand))
            assert (game.outcome is not None) == wins


# -- 4.1 to 4.3 British -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["british", "standard", "classic", "north-american", "railroad", "dealer-makes"])
def test_four_seats_two_sides(name: str) -> None:
    """BR-SEAT-1, STD-SEAT-1, CLA-SEAT-1."""
    variant = build(name)
    assert (variant.seats, variant.alliance, variant.sides) == (4, Alliance.FIXED, ((0, 2), (1, 3)))


def test_british_auction_has_two_rounds_no_stuck_dealer_and_a_partner_who_takes_it_down() -> None:
    """BR-TRUMP-1, BR-TRUMP-3: the dealer has to take a card that is ordered up."""
    hand = say(deal("british", upcard="9H"), "1 PASS")
    assert may_in_order(hand) == ["PASS", "TAKE_DOWN_ALONE"]
    say(hand, "2, 3 PASS", "0 TURN_DOWN", "1, 2, 3 PASS")
    assert "PASS" in may(hand)
    say(hand, "0 PASS")
    assert result(hand).end is HandEnd.THROWN_IN
    hand = say(deal("british", upcard="9H"), "1 ORDER_UP")
    assert (hand.actor, hand.upcard_taken, len(may(hand))) == (0, True, 6)


@pytest.mark.parametrize("name", ["british", "british-33", "british-6p-33", "british-6p-50"])
def test_joker_turned_up_makes_the_dealers_side_makers_before_he_sees_his_hand(name: str) -> None:
    """BR-TRUMP-4, B6-TRUMP-1: no auction; he may discard the joker too."""
    hand = deal(name, upcard="X1", dealer=1)
    assert (hand.actor, hand.phase.kind) == (1, PhaseKind.BLIND_NAMING)
    assert view(hand, 1).cards == ()
    say(hand, "1 NAME_BLIND(D)")
    assert (hand.maker, strain(hand), makers(hand)) == (1, "D", list(range(1, hand.variant.seats, 2)))
    assert "DISCARD(X1)" in may(hand)
    hand.apply(hand.default())
    assert hand.phase.kind is PhaseKind.GOING_ALONE


def test_every_british_seat_may_go_alone_and_there_is_no_exchange() -> None:
    """BR-ALONE-1: the lead comes right after the polls."""
    for alone in range(4):
        hand = say(deal("british", upcard="9H"), "1 ORDER_UP")
        hand.apply(hand.default())
        asked = []
        while hand.phase.kind is PhaseKind.GOING_ALONE:
            asked.append(hand.actor)
            assert may_in_order(hand) == ["NOT_ALONE", "ALONE"]
            hand.apply(action(Kind.ALONE if hand.actor == alone else Kind.NOT_ALONE))
        assert alone in asked
        assert hand.phase.kind is PhaseKind.PLAY
        assert (hand.lone_maker if alone in (1, 3) else hand.lone_defender) == alone
        assert hand.active == tuple(seat for seat in range(4) if seat != (alone + 2) % 4)


@pytest.mark.parametrize(
    "name", ["british", "british-33", "british-6p-33", "north-american", "canadian", "almonte-6p", "dealer-makes"]
)
def test_left_of_the_loner_leads_and_of_two_the_one_who_is_no_maker(name: str) -> None:
    """BR-LEAD-1, B6-LEAD-1, NA-LEAD-1, DM-LEAD-1, LEAD-1, LEAD-2, LEAD-3: every pair of loners in random hands."""
    variant = build(name)
    seen = set()
    for hand, rng in random_hands(variant, "lead", 400):
        play_randomly(hand, rng)
        if result(hand).end is not HandEnd.PLAYED:
            continue
        leader = next(seat for seat, act, _, _ in hand.events if act.kind is Kind.PLAY)
        loners = [seat for seat in (hand.lone_maker, hand.lone_defender) if seat != NOBODY]
        if len(hand.active) == 2:
            expected = hand.lone_defender
        else:
            after = loners[0] if loners else hand.dealer
            following = [(after + step) % variant.seats for step in range(1, variant.seats + 1)]
            expected = next(seat for seat in following if seat in hand.active)
        assert leader == expected
        seen.add((hand.lone_maker != NOBODY, hand.lone_defender != NOBODY))
        if len(seen) == 4:
            break
    assert len(seen) == 4


def test_british_33_is_british_but_for_its_pack() -> None:
    """B33-ALL-1."""
    british, longer = build("british"), build("british-33")
    differing = {
        field.name
        for field in dataclasses.fields(british)
        if field.compare and getattr(british, field.name) != getattr(longer, field.name)
    }
    assert differing == {"id", "preset", "name", "section", "deck", "kitty"}
    assert set(british.deck) < set(longer.deck)


def test_six_seats_in_two_sides_of_three() -> None:
    """B6-SEAT-1, ALM-DECK-1."""
    for name in ("british-6p-33", "british-6p-50", "almonte-6p"):
        assert build(name).sides == ((0, 2, 4), (1, 3, 5))


def test_six_hands_of_five_an_upcard_and_a_kitty_in_packets() -> None:
    """B6-DEAL-1."""
    for name, kitty in (("british-6p-33", 2), ("british-6p-50", 19)):
        variant = build(name)
        deck = list(variant.deck)
        hand = Hand(variant, deck, 0)
        assert hand.dealt[1] == (*deck[0:3], *deck[18:20])
        assert hand.dealt[0] == (*deck[15:18], *deck[28:30])
        assert hand.upcard == deck[30]
        assert hand.undealt == tuple(deck[31:])
        assert len(hand.undealt) == variant.kitty == kitty


@pytest.mark.parametrize("name", ["british-6p-33", "british-6p-50", "almonte-6p"])
def test_both_partners_of_a_six_hand_dealer_may_only_take_it_down(name: str) -> None:
    """B6-TRUMP-1, ALM-TRUMP-1: two rounds, then thrown in."""
    hand = deal(name, upcard="9H")
    for seat in range(1, 6):
        assert may_in_order(hand) == ["PASS", "TAKE_DOWN_ALONE" if seat in (2, 4) else "ORDER_UP"]
        say(hand, f"{seat} PASS")
    assert may_in_order(hand) == ["TURN_DOWN", "TAKE_UP"]
    say(hand, "0 TURN_DOWN")
    assert may_in_order(hand) == ["PASS", "NAME(S)", "NAME(C)", "NAME(D)"]
    say(hand, "1, 2, 3, 4, 5, 0 PASS")
    assert result(hand).end is HandEnd.THROWN_IN
    assert result(hand).points == (0, 0)


def test_six_hand_partner_who_took_it_down_plays_against_three() -> None:
    """B6-TRUMP-1, B6-ALONE-1: the dealer and the other partner sit out; the exchange is still offered."""
    hand = say(deal("british-6p-33", upcard="9H"), "1, 2, 3 PASS", "4 TAKE_DOWN_ALONE")
    assert (hand.actor, len(hand.hands[4]), len(hand.hands[0])) == (4, 6, 5)
    hand.apply(hand.default())
    assert asked_in(hand, PhaseKind.GOING_ALONE) == [5, 1, 3]
    assert may_in_order(hand) == ["NO_ASK", "ASK(0)", "ASK(2)"]
    say(hand, "4 NO_ASK")
    assert (hand.active, hand.actor) == ((1, 3, 4, 5), 5)


def test_six_hand_lone_defender_plays_against_three() -> None:
    """B6-ALONE-1, B6-XCH-1."""
    hand = say(deal("british-6p-50", upcard="9H"), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "1, 3, 5 NOT_ALONE", "2, 4 NOT_ALONE", "0 ALONE")
    assert sorted(hand.out) == [2, 4]
    assert may_in_order(hand) == ["NO_ASK", "ASK(2)", "ASK(4)"]


# -- 4.4 North American -------------------------------------------------------------------------------


def test_north_american_deal_goes_card_by_card() -> None:
    """NA-DEAL-1: upcard and three out of play."""
    for name in ("north-american", "canadian"):
        variant = build(name)
        deck = list(variant.deck)
        hand = Hand(variant, deck, 3)
        assert [hand.dealt[seat] for seat in range(4)] == [tuple(deck[seat:20:4]) for seat in range(4)]
        assert (hand.upcard, hand.undealt) == (deck[20], tuple(deck[21:]))


def test_any_seat_orders_up_in_the_united_states_and_the_partner_takes_it_down_in_canada() -> None:
    """NA-TRUMP-1."""
    american = say(deal("north-american", upcard="9H"), "1 PASS", "2 ORDER_UP")
    assert (american.actor, american.maker, makers(american)) == (0, 2, [0, 2])
    assert "9H" in cards(american, 0)
    canadian = say(deal("canadian", upcard="9H"), "1 PASS", "2 TAKE_DOWN_ALONE")
    assert (canadian.actor, canadian.maker, canadian.out) == (2, 2, (0,))
    assert "9H" in cards(canadian, 2)


@pytest.mark.parametrize("name", ["north-american", "canadian", "standard"])
def test_nothing_is_thrown_in_when_the_dealer_is_stuck(name: str) -> None:
    """NA-PASS-1, NA-TRUMP-2, STD-TRUMP-1: with a second round."""
    for hand, rng in random_hands(build(name), "stuck", 30):
        assert play_randomly(hand, rng).end is HandEnd.PLAYED
    all_pass = say(deal(name, upcard="9H"), "1, 2, 3 PASS", "0 TURN_DOWN", "1, 2, 3 PASS")
    assert {word.split("(")[0] for word in may(all_pass)} <= {"NAME", "NAME_ALONE"}


@pytest.mark.parametrize(
    ("defenders", "when_makers_play_together", "when_one_plays_alone"),
    [("any", [2, 0], [2, 0]), ("against-loner", [], [2, 0]), ("none", [], [])],
)
def test_who_may_defend_alone_is_an_option(
    defenders: str, when_makers_play_together: list[int], when_one_plays_alone: list[int]
) -> None:
    """NA-ALONE-1, ALONE-WHO-1: `any` is the default."""
    assert build("north-american").alone_defenders == "any"
    for words, expected in (
        (("1, 3 NOT_ALONE",), when_makers_play_together),
        (("1 NOT_ALONE", "3 ALONE"), when_one_plays_alone),
    ):
        hand = say(deal(build("north-american", {"alone_defenders": defenders}).id, upcard="9H"), "1 ORDER_UP")
        hand.apply(hand.default())
        say(hand, *words)
        assert asked_in(hand, PhaseKind.GOING_ALONE) == expected


def test_partner_offers_a_card_only_by_option() -> None:
    """NA-XCH-1, XCH-OFFER-1: default none; a card declined or not offered stays where it is."""
    plain = say(deal("north-american", upcard="9S"), "1 ORDER_UP")
    plain.apply(plain.default())
    say(plain, "1 ALONE", "2, 0 NOT_ALONE")
    assert plain.phase.kind is PhaseKind.PLAY
    hand = say(deal("north-american(loner_exchange=partner-offers-one)", upcard="9S", hands={3: "JC"}), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "1 ALONE", "2, 0 NOT_ALONE")
    before = cards(hand, 1), cards(hand, 3)
    say(hand, "3 NO_OFFER")
    assert hand.phase.kind is PhaseKind.PLAY
    assert (cards(hand, 1), cards(hand, 3)) == before


def test_discard_before_an_offered_card_cannot_be_that_card() -> None:
    """NA-XCH-1: the loner discards one of his five and only then sees the card."""
    hand = say(deal("north-american(loner_exchange=partner-offers-one)", upcard="9S", hands={3: "JC"}), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "1 ALONE", "2, 0 NOT_ALONE", "3 OFFER(JC)")
    assert "ACCEPT(JC)" not in may(hand)
    assert view(hand, 1).events[-1].hidden_cards == 1
    assert len(may(hand)) == 6


# -- 4.5, 4.6 Almonte ---------------------------------------------------------------------------------


def ranking(name: str, trump: str, led: str) -> str:
    variant = build(name)
    beats = variant.tables.beats[SUITS.index(trump)][SUITS.index(led)]
    able = sorted({card for card in variant.deck if beats[card]}, key=beats.__getitem__, reverse=True)
    return format_cards(able)


def test_almonte_ranks_three_jokers_and_jacks_high() -> None:
    """ALM-ORD-1, ALM4-ORD-1, CARD-ORD-5."""
    trumps = "X1 X2 X3 JH JD AH KH QH TH 9H 8H"
    assert ranking("almonte-6p", "H", "H") == trumps
    assert ranking("almonte-6p", "H", "D") == f"{trumps} AD KD QD TD 9D 8D"
    assert ranking("almonte-6p", "H", "S") == f"{trumps} JS AS KS QS TS 9S 8S"
    assert ranking("almonte-6p", "H", "C") == f"{trumps} JC AC KC QC TC 9C 8C"
    assert ranking("almonte-4p", "H", "S") == "X1 X2 X3 JH JD AH KH QH TH JS AS KS QS TS"
    assert ranking("almonte-4p", "H", "C") == "X1 X2 X3 JH JD AH KH QH TH JC AC KC QC"
    assert ranking("almonte-4p", "D", "H") == "X1 X2 X3 JD JH AD KD QD AH KH QH TH"
    variant = build("almonte-6p", {"almonte_jokers": "low-spades"})
    beats = variant.tables.beats[2][2]
    assert format_cards(sorted(variant.deck, key=beats.__getitem__, reverse=True)[:5]) == "2S 3S 4S JH JD"
    assert len(variant.deck) == 31
    assert variant.duplicates == "none"


@pytest.mark.parametrize("name", ["almonte-6p", "almonte-4p"])
def test_almonte_loner_asks_a_partner(name: str) -> None:
    """ALM-XCH-1, ALM4-ALL-1: with four there is one to ask."""
    hand = say(deal(name, upcard="AH"), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "1 ALONE")
    default_until(hand, PhaseKind.EXCHANGE)
    assert may_in_order(hand) == ["NO_ASK", "ASK(3)"] + ["ASK(5)"] * (name == "almonte-6p")
    say(hand, "1 ASK(3)")
    hand.apply(hand.default())
    assert (hand.actor, len(may(hand))) == (1, 6)


@pytest.mark.parametrize("name", ["almonte-6p", "british-6p-33", "british-6p-50"])
def test_six_hand_scores_are_one_three_and_six(name: str) -> None:
    """ALM-SCORE-1, B6-SCORE-1: played hands, by the table."""
    seen = set()
    for hand, rng in random_hands(build(name), "scores", 120):
        played = play_randomly(hand, rng)
        if played.end is not HandEnd.PLAYED:
            continue
        ours = makers(hand)
        taken = sum(played.tricks[seat] for seat in ours)
        side = hand.variant.side_of[ours[0]]
        if taken >= 3:
            points = 1 if taken < 5 else 6 if hand.lone_maker != NOBODY else 3
        else:
            points, side = (6 if hand.lone_defender != NOBODY else 3), 1 - side
        assert played.points[side] == points
        assert played.points[1 - side] == 0
        seen.add(points)
    assert seen >= {1, 3, 6}


# -- 4.7 two hands ------------------------------------------------------------------------------------


def test_two_handed_seats_deal_and_packs() -> None:
    """TWO-SEAT-1, TWO-DEAL-1, TWO-DECK-1: the rest under the upcard by pack."""
    for deck, rest in (("24", 13), ("32", 21), ("25", 14)):
        variant = build("two-handed", {"deck": deck})
        assert (variant.seats, len(variant.deck), variant.kitty) == (2, int(deck), rest)
        order = list(variant.deck)
        hand = Hand(variant, order, 0)
        assert hand.dealt[1] == (*order[0:3], *order[6:8])
        assert hand.dealt[0] == (*order[3:6], *order[8:10])
        assert (hand.upcard, len(hand.undealt)) == (order[10], rest)


def test_two_handed_second_round_is_first_come() -> None:
    """TWO-TRUMP-3: non-dealer, then dealer; not the suit turned down."""
    hand = say(deal("two-handed", upcard="9H"), "1 PASS", "0 TURN_DOWN")
    assert may_in_order(hand) == ["PASS", "NAME(S)", "NAME(C)", "NAME(D)"]
    named = say(hand.clone(), "1 NAME(S)")
    assert (named.maker, strain(named), named.phase.kind) == (1, "S", PhaseKind.PLAY)
    say(hand, "1 PASS")
    assert "NAME(H)" not in may(hand)
    say(hand, "0 NAME(D)")
    assert (hand.maker, strain(hand)) == (0, "D")


def test_two_handed_both_passing_twice_is_thrown_in_unless_the_dealer_is_stuck() -> None:
    """TWO-TRUMP-4."""
    hand = say(deal("two-handed", upcard="9H"), "1 PASS", "0 TURN_DOWN", "1, 0 PASS")
    assert result(hand).end is HandEnd.THROWN_IN
    game = Game(hand.variant)
    game.finish_hand(result(hand))
    assert game.dealer == 1
    stuck = say(deal("two-handed(stick_dealer=on)", upcard="9H"), "1 PASS", "0 TURN_DOWN", "1 PASS")
    assert may_in_order(stuck) == ["NAME(S)", "NAME(C)", "NAME(D)"]


def test_two_handed_joker_turned_up_makes_the_dealer_maker() -> None:
    """TWO-TRUMP-5, UPA-BEN-1: and the other seat leads."""
    hand = say(deal("two-handed(deck=25)", upcard="X1"), "0 NAME_BLIND(C)")
    assert (hand.maker, strain(hand), len(may(hand))) == (0, "C", 6)
    hand.apply(hand.default())
    assert (hand.phase.kind, hand.actor) == (PhaseKind.PLAY, 1)


def test_two_handed_non_dealer_leads_and_nobody_goes_alone() -> None:
    """TWO-LEAD-1."""
    for dealer in (0, 1):
        for orders in (True, False):
            hand = deal("two-handed", upcard="9H", dealer=dealer)
            eldest = 1 - dealer
            say(hand, f"{eldest} {'ORDER_UP' if orders else 'PASS'}")
            if not orders:
                say(hand, f"{dealer} TAKE_UP")
            assert asked_in(hand, PhaseKind.GOING_ALONE) == []
            default_until(hand, PhaseKind.PLAY)
    for hand, rng in random_hands(build("two-handed"), "two lead", 20):
        play_randomly(hand, rng)
        leaders = [seat for seat, act, _, _ in hand.events if act.kind is Kind.PLAY]
        assert leaders[:1] in ([], [hand.eldest])
        assert hand.lone_maker == hand.lone_defender == NOBODY


# -- 4.8 standard, 4.9 classic, 4.13 railroad ---------------------------------------------------------


@pytest.mark.parametrize(("name", "kitty"), [("standard", 3), ("classic", 3), ("railroad", 12), ("british", 4)])
def test_five_each_in_packets_of_three_and_two(name: str, kitty: int) -> None:
    """STD-DEAL-1, CLA-DEAL-1, BR-DEAL-1, DEAL-PAT-1."""
    variant = build(name)
    deck = list(variant.deck)
    hand = Hand(variant, deck, 1)
    assert hand.dealt[2] == (*deck[0:3], *deck[12:14])
    assert hand.dealt[1] == (*deck[9:12], *deck[18:20])
    assert (hand.upcard, len(hand.undealt)) == (deck[20], kitty)


def test_classic_may_be_dealt_two_then_three() -> None:
    """CLA-DEAL-1, DEAL-PAT-2."""
    variant = build("classic", {"deal_pattern": "packets-2-3"})
    assert Hand(variant, variant.deck, 0).dealt[1] == (*variant.deck[0:2], *variant.deck[8:11])


@pytest.mark.parametrize("deck", ["24", "25", "32", "33"])
def test_packs_of_standard_and_classic(deck: str) -> None:
    """STD-DECK-1, CLA-DECK-1, CUT-DECK-1."""
    for name in ("standard", "classic", "cutthroat-3p"):
        variant = build(name, {"deck": deck})
        jokers = [card for card in variant.deck if card >= 52]
        assert len(variant.deck) == int(deck)
        assert len(jokers) == int(deck) % 2


def test_caller_alone_may_go_alone_in_standard_and_defenders_by_option() -> None:
    """STD-ALONE-1, STD-SCORE-2: also in round 2."""
    hand = say(deal("standard", upcard="9H"), "1, 2, 3 PASS", "0 TURN_DOWN")
    assert {"NAME_ALONE(S)", "NAME_ALONE(C)", "NAME_ALONE(D)"} <= may(hand)
    say(hand, "1 NAME_ALONE(S)")
    assert (hand.lone_maker, hand.out, hand.phase.kind) == (1, (3,), PhaseKind.PLAY)
    option = say(deal("standard(alone_defenders=any)", upcard="9H"), "1 ORDER_UP")
    option.apply(option.default())
    assert asked_in(option, PhaseKind.GOING_ALONE) == [2, 0]
    assert build("standard").loner_exchange == "none"


def test_redeals_of_standard_are_options_that_are_off() -> None:
    """STD-RED-1: with the option off nobody is asked."""
    variant = build("standard")
    assert not variant.redeal_farmers_hand
    assert not variant.redeal_no_ace_no_face_no_trump
    farmers = {1: "9S TS 9H TD 9C"}
    assert deal("standard", upcard="TH", hands=farmers).phase.kind is PhaseKind.UPCARD_AUCTION
    for option in ("redeal_farmers_hand", "redeal_no_ace_no_face_no_trump"):
        hand = deal(build("standard", {option: "on"}).id, upcard="TH", hands=farmers)
        assert (hand.phase.kind, hand.actor) == (PhaseKind.REDEAL_CLAIM, 1)
        claims = "CLAIM_REDEAL" in may(hand)
        assert claims == (option == "redeal_farmers_hand")  # the nine of hearts is a card of the upcard's suit


def test_classic_dealer_may_take_the_upcard_unless_his_partner_plays_alone() -> None:
    """CLA-TRUMP-2."""
    hand = say(deal("classic", upcard="9H"), "1 ORDER_UP_ALONE")
    assert (hand.actor, may_in_order(hand)) == (0, ["LEAVE_UPCARD", "TAKE_UPCARD"])
    hand = say(deal("classic", upcard="9H"), "1 PASS", "2 ORDER_UP")
    assert (hand.actor, may_in_order(hand)) == (0, ["LEAVE_UPCARD", "TAKE_UPCARD"])
    hand = say(deal("classic", upcard="9H"), "1 PASS", "2 ORDER_UP_ALONE")
    assert hand.phase.kind is PhaseKind.GOING_ALONE


@pytest.mark.parametrize("name", ["classic(deck=25)", "railroad", "cutthroat-3p(deck=33)", "standard(deck=33)"])
def test_joker_turned_up_is_taken_by_the_dealer_even_where_he_need_not_take_an_upcard(name: str) -> None:
    """CLA-TRUMP-3, RR-TRUMP-1, CUT-TRUMP-1, STD-TRUMP-1, UPA-BEN-1, R-63: the dealer is the maker."""
    hand = say(deal(name, upcard="X1", dealer=2), "2 NAME_BLIND(S)")
    assert (hand.maker, strain(hand), hand.upcard_taken) == (2, "S", True)
    assert "X1" in cards(hand, 2)
    assert {word.split("(")[0] for word in may(hand)} == {"DISCARD"}


def test_classic_says_alone_with_the_call_and_any_defender_may_answer() -> None:
    """CLA-ALONE-1, CLA-ALONE-2: whether or not a maker is alone."""
    assert may(deal("classic", upcard="9H")) == {"PASS", "ORDER_UP", "ORDER_UP_ALONE"}
    for call in ("ORDER_UP", "ORDER_UP_ALONE"):
        hand = say(deal("classic", upcard="9H"), f"1 {call}", "0 LEAVE_UPCARD")
        assert (hand.phase.kind, hand.actor) == (PhaseKind.GOING_ALONE, 2)
        assert asked_in(hand.clone(), PhaseKind.GOING_ALONE) == [2, 0]
        say(hand, "2 ALONE")
        assert hand.lone_defender == 2
        assert hand.lone_maker == (1 if call == "ORDER_UP_ALONE" else NOBODY)


def test_railroad_defends_alone_only_against_a_loner_and_calls_for_the_best() -> None:
    """RR-ALONE-1, RR-XCH-1: the lone maker's call first, then the lone defender's."""
    hand = say(deal("railroad", upcard="9H"), "1 ORDER_UP", "0 LEAVE_UPCARD")
    assert hand.phase.kind is PhaseKind.PLAY
    hand = say(deal("railroad", upcard="9H"), "1 ORDER_UP_ALONE", "0 LEAVE_UPCARD")
    assert (hand.phase.kind, hand.actor) == (PhaseKind.GOING_ALONE, 2)
    say(hand, "2 ALONE")
    assert may_in_order(hand)[0] == "NO_CALL"
    assert {act.kind for act in hand.options()} == {Kind.NO_CALL, Kind.CALL_BEST}
    say(hand, "1 NO_CALL")
    assert hand.actor == 2
    called = hand.options()[1]
    hand.apply(called)
    assert hand.actor == 0
    assert called.card not in hand.hands[2]
    given = hand.options()[-1]
    hand.apply(given)
    assert given.card in hand.hands[2]
    assert hand.phase.kind is PhaseKind.PLAY


def test_railroad_lone_defender_scores_four_for_a_euchre() -> None:
    """RR-SCORE-1: and a lone march 4, a march 2, a euchre 2."""
    strong = {2: "JH JD AH KH QH", 1: "9S TS 9C TC 9D"}
    hand = say(deal("railroad", upcard="TH", hands=strong), "1 ORDER_UP_ALONE", "0 LEAVE_UPCARD", "2 ALONE")
    say(hand, "1, 2 NO_CALL")
    assert result(default_until(hand)).points == (4, 0)
    hand = say(deal("railroad", upcard="TH", hands=strong), "1 ORDER_UP_ALONE", "0 LEAVE_UPCARD", "2, 0 NOT_ALONE")
    say(hand, "1 NO_CALL")
    assert result(default_until(hand)).points == (2, 0)
    best = {1: "X1 JH JD AH KH"}
    hand = say(deal("railroad", upcard="TH", hands=best), "1 ORDER_UP_ALONE", "0 LEAVE_UPCARD", "2, 0 NOT_ALONE")
    say(hand, "1 NO_CALL")
    assert result(default_until(hand)).points == (0, 4)
    hand = say(deal("railroad", upcard="TH", hands=best), "1 ORDER_UP", "0 LEAVE_UPCARD")
    assert result(default_until(hand)).points == (0, 2)


@pytest.mark.parametrize(
    ("text", "winners", "totals", "adjudicated", "games", "start"),
    [
        ("railroad", (0,), (12, 7), False, 1, (2, 0)),
        ("railroad", (1,), (0, 13), False, 2, (0, 3)),
        ("railroad(laps=off)", (1,), (0, 13), False, 2, (0, 0)),
        ("railroad(slams=off)", (1,), (0, 13), False, 1, (0, 3)),
        ("british", (0,), (12, 0), False, 1, (0, 0)),
        ("british(laps=on,slams=on)", (0,), (12, 0), False, 2, (1, 0)),
        ("railroad", (0, 1), (0, 0), True, 1, (0, 0)),
        ("railroad", (0,), (8, 3), True, 1, (0, 0)),
    ],
)
def test_laps_and_slams_count_in_a_match(
    text: str,
    winners: tuple[int, ...],
    totals: tuple[int, int],
    adjudicated: bool,
    games: int,
    start: tuple[int, int],
) -> None:
    """RR-MATCH-1, RR-MATCH-2: by option, for a game that was won; a draw or a game cut short starts afresh."""
    variant = parse_variant(text)
    outcome = Outcome(winners, totals, is_adjudicated=adjudicated)
    assert games_won(variant, outcome) == games
    assert next_game_start(variant, outcome) == start


def test_hand_without_a_contract_qualifies_nobody() -> None:
    """CON-WIN-1: qualification is by a contract, or by a renege."""
    hand = say(deal("british", upcard="9H"), "1 ORDER_UP")
    hand.apply(hand.default())
    assert result(default_until(hand)).qualified == (False, False)
    assert result(default_until(hand)).contract_made is None


# -- 4.10 cutthroat, 4.11 call-ace --------------------------------------------------------------------


def test_cutthroat_maker_plays_against_both_others_for_one_hand() -> None:
    """CUT-SEAT-1: totals are individual."""
    variant = build("cutthroat-3p")
    assert (variant.seats, variant.alliance) == (3, Alliance.MAKER_AGAINST_ALL)
    hand = say(deal("cutthroat-3p", upcard="9H"), "1 ORDER_UP", "0 LEAVE_UPCARD")
    assert makers(hand) == [1]
    assert hand.active == (0, 1, 2)


def test_cutthroat_deal_and_pack() -> None:
    """CUT-DEAL-1, CUT-DECK-1: 24 = 15 + 1 + 8."""
    variant = build("cutthroat-3p")
    deck = list(variant.deck)
    hand = Hand(variant, deck, 0)
    assert hand.dealt[1] == (*deck[0:3], *deck[9:11])
    assert hand.dealt[0] == (*deck[6:9], *deck[13:15])
    assert (hand.upcard, len(hand.undealt)) == (deck[15], 8)


@pytest.mark.parametrize("name", ["cutthroat-3p", "call-ace-4p", "call-ace-5p", "call-ace-6p"])
def test_auction_where_nobody_is_the_dealers_partner(name: str) -> None:
    """CUT-TRUMP-1, CALL-TRUMP-1, CALL-ALONE-1: everybody may order up; all pass twice: thrown in."""
    alone = name.startswith("call-")
    hand = deal(name, upcard="9H")
    for seat in range(1, hand.variant.seats):
        assert may_in_order(hand) == ["PASS", "ORDER_UP"] + ["ORDER_UP_ALONE"] * alone
        say(hand, f"{seat} PASS")
    assert may_in_order(hand) == ["TURN_DOWN", "TAKE_UP"] + ["TAKE_UP_ALONE"] * alone
    say(hand, "0 TURN_DOWN")
    everybody = ", ".join(map(str, [*range(1, hand.variant.seats), 0]))
    say(hand, f"{everybody} PASS")
    assert result(hand).end is HandEnd.THROWN_IN


def test_two_cutthroat_defenders_who_arrive_together_play_on() -> None:
    """CUT-END-1, END-IND-2."""
    weak = {1: "9S TS 9C TC 9D"}
    hand = say(deal("cutthroat-3p", upcard="9H", hands=weak, totals=[8, 0, 8]), "1 ORDER_UP", "0 LEAVE_UPCARD")
    game = Game(hand.variant, totals=[8, 0, 8])
    game.finish_hand(result(default_until(hand)))
    assert (game.totals, game.outcome) == ((10, 0, 10), None)
    game = Game(hand.variant, totals=[9, 0, 8])
    game.finish_hand(result(hand))
    assert game.outcome is not None
    assert game.outcome.winners == (0,)


@pytest.mark.parametrize(
    ("name", "seats", "pack", "kitty"),
    [("call-ace-4p", 4, 24, 3), ("call-ace-5p", 5, 32, 6), ("call-ace-6p", 6, 32, 1)],
)
def test_call_ace_seats_pack_and_deal(name: str, seats: int, pack: int, kitty: int) -> None:
    """CALL-SEAT-1, CALL-DEAL-1, CALL-DECK-1."""
    variant = build(name)
    assert (variant.seats, len(variant.deck), variant.kitty) == (seats, pack, kitty)
    assert variant.sides == tuple((seat,) for seat in range(seats))
    deck = list(variant.deck)
    hand = Hand(variant, deck, 0)
    assert hand.dealt[1] == (*deck[0:3], *deck[3 * seats : 3 * seats + 2])
    assert hand.upcard == deck[5 * seats]


def call_ace(hands: dict[int, str], suit: str, *, kitty: str = "") -> Hand:
    undealt = {"kitty": kitty} if kitty else None
    hand = say(deal("call-ace-4p", upcard="9H", hands=hands, undealt=undealt), "1 ORDER_UP", "0 LEAVE_UPCARD")
    return say(hand, f"1 CALL_SUIT({suit})")


def test_maker_who_holds_the_highest_card_himself_has_no_ally() -> None:
    """CALL-ALLY-3, CALL-SCORE-1: he plays against all; five tricks are worth 2, for he did not declare alone."""
    hand = call_ace({1: "JH JD AH KH AS"}, "S")
    assert (hand.ally, makers(hand)) == (NOBODY, [1])
    assert hand.active == (0, 1, 2, 3)
    assert result(default_until(hand)).points == (0, 2, 0, 0)


def test_highest_card_in_the_hands_in_play_finds_the_ally() -> None:
    """CALL-ALLY-2: what lies in the kitty does not count, nor the left bower as a card of its printed suit."""
    hands = {0: "9S TS QS KS AS", 1: "AH KH QH JD TH", 2: "9D TD QD KD AD", 3: "JS JH JC TC 9C"}
    assert call_ace(hands, "C", kitty="AC KC QC").ally == 3  # by JC, a plain club while hearts are trumps
    assert call_ace(hands, "S", kitty="AC KC QC").ally == 0
    assert call_ace(hands, "D", kitty="AC KC QC").ally == 2  # JD is a heart


def test_called_suit_of_which_no_card_is_in_play_leaves_the_maker_against_all() -> None:
    """CALL-ALLY-3: the only spade that anybody holds is the left bower, a club."""
    hand = say(deal("call-ace-5p", upcard="TS", undealt={"kitty": "9S QS KS AS 8S 7S"}), "1, 2, 3, 4 PASS")
    say(hand, "0 TURN_DOWN", "1 NAME(C)", "1 CALL_SUIT(S)")
    assert (hand.ally, makers(hand)) == (NOBODY, [1])
    assert len(hand.active) == 5


def test_ally_is_never_announced() -> None:
    """CALL-ALLY-4: every view is the same whoever the ally is, his own but for his cards."""
    with_two = call_ace({2: "AS", 3: "KS"}, "S")
    with_three = call_ace({2: "KS", 3: "AS"}, "S")
    assert (with_two.ally, with_three.ally) == (2, 3)
    for seat in (0, 1):
        assert view(with_two, seat) == view(with_three, seat)
    assert "ally" not in {field.name for field in dataclasses.fields(view(with_two, 2))}


def test_declared_loner_calls_no_suit_and_nobody_defends_alone() -> None:
    """CALL-ALONE-1, CALL-SCORE-1: five tricks alone are worth 4."""
    hand = say(deal("call-ace-4p", upcard="9H", hands={1: "JH JD AH KH QH"}), "1 ORDER_UP_ALONE", "0 LEAVE_UPCARD")
    assert (hand.phase.kind, hand.ally, hand.active) == (PhaseKind.PLAY, NOBODY, (0, 1, 2, 3))
    assert "alone_defenders" not in hand.variant.options
    assert result(default_until(hand)).points == (0, 4, 0, 0)


# -- 4.12 auction -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_auction_seats_are_individuals_and_all_passing_is_thrown_in(seats: int) -> None:
    """AUC-SEAT-1, AUC-BID-3."""
    variant = build(f"auction-{seats}p")
    assert variant.seats == seats
    assert variant.sides == tuple((seat,) for seat in range(seats))
    everybody = ", ".join(map(str, [*range(1, seats), 0]))
    hand = say(deal(variant.id), f"{everybody} PASS")
    assert result(hand).end is HandEnd.THROWN_IN


def auction_ally(card: str, mine: str, widow: str, discard: str, idle: str = "") -> Hand:
    undealt = {"widow": widow} | ({"idle": idle} if idle else {})
    hand = say(deal("auction-5p", hands={1: mine}, undealt=undealt), "1 BID(3, S)", "2, 3, 4, 0 PASS")
    return say(hand, f"1 DISCARD({discard})", f"1 CALL_CARD({card})")


def test_card_that_is_idle_or_discarded_gives_no_ally() -> None:
    """AUC-ALLY-2, AUC-ALLY-1: his own discard may be called."""
    mine, widow = "AS KS QS TS 9S", "7H 8H 9H"
    assert auction_ally("7H", mine, widow, "7H 8H 9H").ally == NOBODY
    assert auction_ally("JC", mine, widow, "7H 8H 9H", idle="JC").ally == NOBODY
    found = auction_ally("JC", mine, widow, "7H 8H 9H")
    assert "JC" in cards(found, found.ally)
    assert makers(found) == sorted([1, found.ally])


# -- 4.24 dealer-makes --------------------------------------------------------------------------------


def test_dealer_is_the_maker_always_and_nobody_bids() -> None:
    """DM-TRUMP-1."""
    for dealer in range(4):
        hand = deal("dealer-makes", upcard="9H", dealer=dealer)
        assert (hand.actor, hand.maker, hand.phase.kind) == (dealer, dealer, PhaseKind.DEALER_MAKES)
        assert makers(hand) == sorted([dealer, (dealer + 2) % 4])
        assert len(view(hand, dealer).cards) == 5  # he has seen his hand
    kinds = {phase.kind for phase in build("dealer-makes").phases}
    assert not kinds & {PhaseKind.UPCARD_AUCTION, PhaseKind.BID_AUCTION}


def test_dealer_makes_scores_every_bonus_of_its_table() -> None:
    """DM-SCORE-1: played hands, by its four sentences."""
    seen: dict[int, int] = {}
    for hand, rng in random_hands(build("dealer-makes"), "bonus", 200):
        played = play_randomly(hand, rng)
        ours = makers(hand)
        taken = sum(played.tricks[seat] for seat in ours)
        side = hand.variant.side_of[ours[0]] if taken >= 3 else 1 - hand.variant.side_of[ours[0]]
        alone = (hand.lone_maker if taken >= 3 else hand.lone_defender) != NOBODY
        points = 1 + (taken < 3) + alone + (taken in (0, 5)) + (taken == 0 and alone)
        assert points_of(played.points, side) == points
        seen[points] = seen.get(points, 0) + 1
    assert set(seen) >= {1, 2, 3}


def points_of(points: Sequence[int], side: int) -> int:
    assert points[1 - side] == 0
    return points[side]
