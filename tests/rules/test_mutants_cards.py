"""Texts, views, suits renamed and the equality of variants: facts about the parts around a hand."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from referee.rules import (
    NOBODY,
    PRESETS,
    NotationError,
    PhaseKind,
    VariantError,
    build,
    format_card,
    format_cards,
    parse_action,
    parse_card,
    parse_cards,
    parse_variant,
    view,
)
from referee.rules.cards import CARD_NAMES, NT, NTL, UNFIXED, format_strain, is_joker, parse_strain, rank_of, suit_of
from referee.rules.deal import dealt_positions
from referee.rules.errors import nearest
from referee.rules.orders import CANNOT_WIN, JOKER_SUIT
from referee.rules.relabel import relabel_card, relabel_deck
from referee.rules.view import hidden_positions, seen_event, trick_so_far
from tests.rules.table import deal, default_until, say

# -- texts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no action; write it"),
        ("PLAY(AS", "is no action; write it"),
        ("PLAY(AS))", "is no action; write it"),
        ("PLAI(AS)", "'PLAI(AS)' is no action; did you mean 'PLAY'?"),
        ("MON(H)", "is no action; did you mean 'MOON'?"),
        ("PLAY", "PLAY needs cards, as in PLAY(AS)"),
        ("PLAY()", "PLAY needs cards, as in PLAY(AS)"),
        ("PLAY(1S)", "'1S' is no card"),
        ("NAME", "'' is no strain"),
        ("ASK", "ASK needs a seat"),
        ("ASK(x)", "ASK needs a seat"),
        ("PASS(AS)", "PASS stands alone"),
        ("BID", "BID needs a number"),
        ("BID(H)", "BID needs a number"),
        ("BID(3, H, S)", "more than one strain"),
        ("MOON(H S)", "more than one strain"),
    ],
)
def test_a_text_that_is_no_action_is_told_what_would_be_one(text: str, told: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_action(text)
    assert told in str(refused.value)


def test_the_nearest_word_is_named_alone() -> None:
    assert nearest("standart", ["standard", "standards", "buck"]) == "; did you mean 'standard'?"
    assert nearest("zzz", ["standard", "buck"]) == ""
    assert nearest("", ["standard", "buck"]) == ""


def test_the_nearest_word_may_be_written_in_capitals_or_be_longer() -> None:
    assert nearest("BUCK", ["standard", "buck"]) == "; did you mean 'buck'?"
    assert nearest("s", ["target", "stick_dealer", "slams"]) == "; did you mean 'stick_dealer'?"
    assert nearest("plAy", ["PASS", "PLAY"]) == "; did you mean 'PLAY'?"


def test_cards_and_strains_are_read_as_they_are_written() -> None:
    assert parse_cards("as, 9c X1") == [12, 20, 52]
    assert format_cards([12, 20, 52]) == "AS 9C X1"
    assert [parse_card(name) for name in CARD_NAMES] == list(range(55))
    assert [format_strain(strain) for strain in range(UNFIXED + 1)] == ["S", "C", "H", "D", "NT", "NTL", "-"]
    assert [parse_strain(f" {text.lower()} ") for text in ("S", "C", "H", "D", "NT", "NTL")] == list(range(6))
    assert [is_joker(card) for card in (0, 51, 52, 54)] == [False, False, True, True]
    assert (suit_of(51), suit_of(52), rank_of(0), rank_of(51)) == (3, 4, 0, 12)
    for text in ("", "-", "X"):
        with pytest.raises(NotationError):
            parse_strain(text)


# -- orders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "preset", ["standard(deck=25)", "almonte-4p", "napoleon(deck=52)", "bid-euchre(no_trump_kinds=high-low)"]
)
def test_a_card_beats_only_with_trumps_or_the_suit_led(preset: str) -> None:
    """PLAY-3: strength is nothing for any other card, and no two different cards that can win are equal."""
    variant = parse_variant(preset)
    tables = variant.tables
    for strain in variant.strains:
        for led in range(4):
            strengths = [tables.beats[strain][led][card] for card in set(variant.deck)]
            able = [strength for strength in strengths if strength != CANNOT_WIN]
            assert len(set(able)) == len(able)
            assert min(strengths) >= CANNOT_WIN
            for card in set(variant.deck):
                can_win = tables.effective[strain][card] in (led, strain)
                assert (tables.beats[strain][led][card] > CANNOT_WIN) == can_win
    for card in set(variant.deck) & tables.jokers:
        assert tables.effective[NT][card] == JOKER_SUIT == tables.effective[UNFIXED][card]


def test_while_no_strain_is_fixed_jokers_alone_are_trumps_and_in_no_trump_nothing_is() -> None:
    """SRV-LOW-1."""
    tables = parse_variant("almonte-4p(almonte_jokers=low-spades)").tables
    low = tables.low_key[UNFIXED]
    assert low[parse_card("4S")] < low[parse_card("3S")] < low[parse_card("2S")]
    assert low[parse_card("JD")] < low[parse_card("4S")]
    assert low[parse_card("AS")] < low[parse_card("JS")] < low[parse_card("JC")]
    printed = parse_variant("almonte-4p").tables
    joker, jack = parse_card("X1"), parse_card("JD")
    assert printed.low_key[NT][joker] < printed.low_key[NT][jack]
    assert printed.low_key[NT][parse_card("X3")] < printed.low_key[NT][parse_card("X2")] < printed.low_key[NT][joker]
    ordinary = build("bid-euchre").tables.low_key
    assert ordinary[NTL][parse_card("AS")] < ordinary[NTL][parse_card("9S")]
    assert ordinary[NT][parse_card("9S")] < ordinary[NT][parse_card("AS")]


# -- views ---------------------------------------------------------------------------------------------------


def test_a_view_names_loners_and_those_still_in_and_who_played_what() -> None:
    """GEN-INFO-1."""
    text = "standard(alone_timing=after-trump,alone_defenders=any)"
    hand = say(deal(text, upcard="9S"), "1 ORDER_UP")
    default_until(hand, PhaseKind.GOING_ALONE)
    assert view(hand, 0).loners == ()
    assert view(hand, 0).active == (0, 1, 2, 3)
    say(hand, "1 ALONE")
    assert view(hand, 0).loners == (1,)
    assert view(hand, 0).active == (0, 1, 2)
    say(hand, "2 ALONE")
    assert view(hand, 0).loners == (1, 2)
    assert view(hand, 0).active == (1, 2)
    leader = hand.actor
    hand.apply(hand.default())
    card = hand.trick[0]
    assert view(hand, 0).trick == trick_so_far(hand) == ((leader, card),)
    hand = default_until(say(deal("standard", upcard="9S"), "1 ORDER_UP"), PhaseKind.PLAY)
    for _ in range(3):
        hand.apply(hand.default())
    assert [seat for seat, _ in trick_so_far(hand)] == [1, 2, 3]
    assert [played for _, played in trick_so_far(hand)] == hand.trick


def test_hidden_cards_are_counted_for_those_who_did_not_see_them() -> None:
    """GEN-INFO-1."""
    hand = say(deal("standard", upcard="9S", hands={0: "AH KH QH TH 9H"}), "1 ORDER_UP", "0 DISCARD(9H)")
    event = hand.events[-1]
    assert [seen_event(event, seat).hidden_cards for seat in range(4)] == [0, 1, 1, 1]
    assert [seen_event(event, seat).action.cards for seat in range(4)] == [(parse_card("9H"),), (), (), ()]
    assert not any(seen_event(hand.events[0], seat).hidden_cards for seat in range(4))


def test_positions_not_dealt_to_a_seat_nor_turned_are_hidden_from_it() -> None:
    hand = deal("standard", upcard="9S")
    own = set(dealt_positions("packets-3-2", 4, 5, 0)[1])
    assert hidden_positions(hand, 1) == [position for position in range(24) if position not in own and position != 20]
    blind = deal("british", upcard="X1")
    assert hidden_positions(blind, 0) == [position for position in range(25) if position != 20]
    assert deal("bid-euchre").upcard == NOBODY
    assert len(hidden_positions(deal("bid-euchre"), 1)) == 24 - 6


# -- suits renamed -------------------------------------------------------------------------------------------


def test_a_card_keeps_its_rank_and_a_joker_its_place() -> None:
    """SRV-RELABEL-1."""
    assert format_cards(relabel_card(card, "HDSC") for card in parse_cards("2S AC KH 9D X1 X3")) == "2H AD KS 9C X1 X3"
    for card in range(52):
        assert relabel_card(relabel_card(card, "HDSC"), "HDSC") == card


def test_low_spades_that_stand_for_jokers_are_not_renamed_and_other_games_refused() -> None:
    """SRV-RELABEL-2."""
    variant = parse_variant("standard(deck=25,joker_card=two-of-spades)")
    assert variant.relabelings
    for image in variant.relabelings:
        renamed = relabel_deck(variant, variant.deck, image)
        assert parse_card("2S") in renamed
        assert sorted(renamed) == list(variant.deck)
    with pytest.raises(VariantError, match="is not the same game under"):
        relabel_deck(variant, variant.deck, "HDSC")


# -- variants as values --------------------------------------------------------------------------------------


def test_variants_are_equal_by_their_text_alone() -> None:
    standard = build("standard")
    assert standard == replace(standard, name="Another")
    assert standard != build("classic")
    assert standard != "standard"
    assert standard.__eq__("standard") is NotImplemented
    assert hash(standard) == hash(replace(standard, name="Another"))


@pytest.mark.parametrize("preset", PRESETS)
def test_partners_are_the_side_without_the_seat_clockwise_from_it(preset: str) -> None:
    """GEN-SEAT-2, -3."""
    variant = build(preset)
    assert pickle.loads(pickle.dumps(variant)) is variant  # noqa: S301
    for seat in range(variant.seats):
        assert variant.left(seat) == (seat + 1) % variant.seats
        side = variant.sides[variant.side_of[seat]]
        assert set(variant.partners(seat)) == (set(side) - {seat} if variant.fixed_sides else set())
        distances = [(other - seat) % variant.seats for other in variant.partners(seat)]
        assert distances == sorted(distances)


def test_values_that_a_bid_or_a_score_leaves_out_are_nothing() -> None:
    rung = build("bid-euchre").ladder[0]
    assert (rung.value, rung.alone, rung.takes_widow, rung.receives, rung.only_over) == (0, False, True, 0, None)
    assert rung.is_misere is False
    option = PRESETS["standard"].options["target"]
    assert (option.minimum, option.maximum, option.is_number) == (1, None, True)
    assert format_card(0) == "2S"


def test_dealing_patterns_that_nobody_wrote_are_our_own_bug() -> None:
    with pytest.raises(AssertionError, match="by hand"):
        dealt_positions("by hand", 4, 5, 0)
