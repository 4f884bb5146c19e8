"""Facts about points, contracts and the end of a game that few play-outs show."""

from __future__ import annotations

import pytest

from referee.rules import (
    NOBODY,
    PLAY,
    PRESETS,
    UNFIXED,
    Game,
    HandEnd,
    HandResult,
    Kind,
    Outcome,
    VariantError,
    build,
    games_won,
    parse_variant,
    winner_after,
)
from referee.rules.actions import PASS
from referee.rules.cards import CARD_COUNT, NT
from referee.rules.catalogue import INERT
from referee.rules.orders import JOKER_SUIT
from referee.rules.phases.base import PhaseKind
from referee.rules.presets import OPTION_RULES, REFUSED_TOGETHER
from referee.rules.variant import FiveTrickScore
from tests.rules.table import deal, default_until, makers, play_randomly, random_hands, result, say
from tests.rules.test_rule_ids import rule_ids


def outcome_of(points: tuple[int, ...], **changes: object) -> HandResult:
    """Return the result of a played hand of two sides."""
    plain = HandResult(
        end=HandEnd.PLAYED,
        points=points,
        tricks=(0, 0, 0, 0),
        makers=(0, 2),
        contract_made=None,
        qualified=(False,) * len(points),
        instant_winner=NOBODY,
        offender=NOBODY,
    )
    return plain._replace(**changes)  # type: ignore[arg-type]


# -- of a hand ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_contract_made_and_qualified_follow_from_the_tricks(preset: str) -> None:
    """CON-WIN-1; BUCK-SCORE-1, DC-SCORE-1: the maker's own tricks against what he undertook, else nothing is said."""
    variant = build(preset)
    for hand, rng in random_hands(variant, "made", 25):
        ended = play_randomly(hand, rng)
        assert len(ended.qualified) == len(variant.sides)
        if ended.end is not HandEnd.PLAYED:
            continue
        if variant.preset == "buck":
            undertaken = 3
        elif hand.bidder == NOBODY:
            undertaken = 0
        else:
            undertaken = hand.contract.tricks
        if hand.maker == NOBODY or not (variant.ladder or variant.counts_down):
            assert ended.contract_made is None
            assert not any(ended.qualified)
            continue
        seats = [hand.maker] if variant.counts_down else ended.makers
        tricks = sum(ended.tricks[seat] for seat in seats)
        made = tricks == 0 if hand.contract.is_misere else tricks >= undertaken
        assert ended.contract_made is made
        declarers = variant.side_of[hand.maker]
        assert ended.qualified == tuple((side == declarers) == made for side in range(len(variant.sides)))


def test_makers_are_nobody_before_trump_is_made() -> None:
    hand = deal("standard")
    hand.table_talk(1)
    assert result(hand).makers == ()
    assert result(hand).contract_made is None


def test_talk_between_a_bid_and_the_end_of_the_auction_settles_no_contract() -> None:
    """REN-TALK-1, REN-PEN-6: there is none yet."""
    hand = say(deal("bid-euchre(renege_contract=settle)"), "1 BID(3, H)")
    hand.table_talk(1)
    award = hand.variant.renege_award
    assert result(hand).points == (award, 0)
    assert result(hand).contract_made is None


@pytest.mark.parametrize(("talker", "made"), [(1, False), (2, True)])
def test_talk_in_dirty_clubs_settles_the_contract_at_the_bid_or_the_penalty(talker: int, *, made: bool) -> None:
    """REN-PEN-6 settle, DC-SCORE-1."""
    hand = say(deal("dirty-clubs(renege_contract=settle)", upcard="9H"), "1 BID(3)", "2, 3 PASS", "0 PASS")
    hand.table_talk(talker)
    award, penalty = hand.variant.renege_award, getattr(hand.variant.scoring, "penalty", None)
    assert result(hand).contract_made is made
    assert penalty is not None
    points = [0 if seat == talker else -award for seat in range(4)]
    points[1] += -3 if made else penalty
    assert result(hand).points == tuple(points)


# -- of a game ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [HandEnd.THROWN_IN, HandEnd.CLAIMED])
def test_a_hand_without_a_score_wins_nothing(end: HandEnd) -> None:
    """GEN-DEALER-3, RED-4: even to a side that stands at the goal."""
    assert winner_after(build("standard"), (10, 3), outcome_of((0, 0), end=end)) == NOBODY
    assert winner_after(build("standard"), (10, 3), outcome_of((1, 0))) == 0


@pytest.mark.parametrize("maker", [0, 1])
def test_equal_totals_at_the_goal_are_won_by_the_makers(maker: int) -> None:
    """CON-WIN-2."""
    variant = parse_variant("bid-euchre(win_condition=qualified)")
    assert variant.win_is_qualified
    target = variant.target
    makers = (maker, maker + 2)
    made = outcome_of((3, 3), contract_made=False, qualified=(maker == 1, maker == 0), makers=makers)
    assert winner_after(variant, (target, target), made) == maker
    assert winner_after(variant, (target + 1, target), made) == (0 if maker == 1 else 1)


def test_equal_totals_at_the_goal_after_a_void_contract_are_won_by_the_side_that_gained() -> None:
    """CON-WIN-1, REN-PEN-6."""
    variant = parse_variant("bid-euchre(win_condition=qualified)")
    void = outcome_of((2, 0), end=HandEnd.RENEGE, makers=(1, 3), qualified=(True, False), offender=1)
    assert winner_after(variant, (variant.target, variant.target), void) == 0


def test_three_equal_totals_at_the_goal_are_not_won_by_a_maker_who_was_set() -> None:
    """END-IND-1, -2."""
    variant = parse_variant("hoosier-3p(win_condition=qualified)")
    totals = (variant.target,) * 3
    was_set = outcome_of((0, 1, 1), makers=(0,), contract_made=False, qualified=(False, True, True))
    assert winner_after(variant, totals, was_set) == NOBODY


def test_a_slam_needs_every_other_side_at_nothing() -> None:
    """RR-MATCH-2."""
    variant = parse_variant("railroad(slams=on)")
    assert games_won(variant, Outcome((0,), (10, 0), is_adjudicated=False)) == 2
    assert games_won(variant, Outcome((0,), (10, 1), is_adjudicated=False)) == 1
    assert games_won(variant, Outcome((0,), (10, 0, 5), is_adjudicated=False)) == 1
    assert games_won(variant, Outcome((0, 1), (10, 10), is_adjudicated=False)) == 1


def test_default_play_of_a_game_that_counts_down_has_a_maker_or_no_contract() -> None:
    hand = default_until(deal("buck", upcard="9H"), PhaseKind.PLAY)
    assert result(default_until(hand)).contract_made is None


# -- of options ------------------------------------------------------------------------------------------------


def test_an_option_that_a_preset_does_not_have_is_played_at_a_value_it_may_take_elsewhere() -> None:
    """Part 5, "elsewhere": two options are read only where they are."""
    specs = [preset.options for preset in PRESETS.values()]
    somewhere = set().union(*specs)
    everywhere = set(somewhere).intersection(*specs)
    assert set(INERT) == somewhere - everywhere - {"deck", "cutthroat_march"}
    for option, value in INERT.items():
        having = [options[option] for options in specs if option in options]
        assert any(value in spec.allowed or (spec.is_number and isinstance(value, int)) for spec in having), option
    assert (INERT["min_bid"], INERT["min_bid_nt"], INERT["auction_rounds"]) == (1, 1, 2)
    assert (INERT["bid_rounds"], INERT["win_condition"]) == ("single", "any-points")


def test_a_switch_may_be_given_as_true_or_false_and_nothing_else_may() -> None:
    """5.1."""
    assert build("standard", {"stick_dealer": True}).stick_dealer is True
    assert build("standard", {"stick_dealer": False}).stick_dealer is False
    for option, value in (("loner_lead", True), ("target", True), ("stick_dealer", 1), ("auction_rounds", True)):
        if option not in PRESETS["classic"].options:
            continue
        with pytest.raises(VariantError, match="cannot be"):
            build("classic", {option: value})


def test_two_values_that_do_not_go_together_are_told_with_what_would() -> None:
    """5.1."""
    for pair in REFUSED_TOGETHER:
        (first, first_value), (second, second_value) = pair
        for name, preset in PRESETS.items():
            if first not in preset.options or second not in preset.options:
                continue
            with pytest.raises(VariantError) as refused:
                build(name, {first: first_value, second: second_value})
            others = [str(value) for value in preset.options[second].allowed if value != second_value]
            assert str(refused.value) == (
                f"{name}: {first}={first_value} does not go with {second}={second_value}; "
                f"set {second} to {', '.join(others)}"
            )


def test_napoleons_misere_is_without_trumps_and_every_other_bid_with() -> None:
    """NAP-TRUMP-1: with a deck of another size too."""
    for deck in ("28", "32", "52"):
        for rung in build("napoleon", {"deck": deck}).ladder:
            assert rung.strains == ((NT,) if rung.is_misere else (0, 1, 2, 3))


def test_what_cutthroat_pays_for_a_march_is_an_option() -> None:
    """CUT-SCORE-1."""
    having = [name for name, preset in PRESETS.items() if "cutthroat_march" in preset.options]
    assert having == ["cutthroat-3p"]
    for value in PRESETS["cutthroat-3p"].options["cutthroat_march"].allowed:
        scoring = build("cutthroat-3p", {"cutthroat_march": value}).scoring
        assert isinstance(scoring, FiveTrickScore)
        assert scoring.march == value
    assert isinstance(build("standard").scoring, FiveTrickScore)


# -- what is public without a question ---------------------------------------------------------------------


def test_nobody_is_of_the_makers_before_there_is_a_maker() -> None:
    """UPA-R1-1, BIDA-WON-1: in no variant, with fixed sides or without."""
    for preset in PRESETS:
        for hand, _ in random_hands(build(preset), "nobody", 1):
            if hand.maker == NOBODY:
                assert makers(hand) == [], preset


def test_once_a_hand_is_over_no_card_is_a_renege() -> None:
    """REN-DEF-1: whatever is left in the hands when talk stops it within a trick."""
    hand = default_until(
        say(deal("standard", upcard="9S", hands={3: "AH KH AD KD QD", 1: "JH TH 9H QH JD"}), "1 ORDER_UP"),
        PhaseKind.PLAY,
    )
    hand.apply(hand.default())
    led = hand.led
    assert {hand.effective[card] for card in hand.hands[3]} > {led}
    hand.table_talk(1)
    assert result(hand).end is HandEnd.TABLE_TALK
    assert not any(hand.is_renege(PLAY[card]) for seat in range(4) for card in hand.hands[seat])


def test_a_result_with_another_number_of_sides_is_not_counted() -> None:
    """A result of another variant is a programming error; the totals stay."""
    game = Game(build("standard"), first_dealer=0)
    with pytest.raises(ValueError, match="argument"):
        game.finish_hand(outcome_of((1, 0, 0)))
    assert game.totals == (0, 0)


def test_a_wrong_word_is_told_the_words_and_the_cards_to_choose() -> None:
    """DM-XCH-1: the question has a word and a choice of cards; the refusal names both."""
    hand = default_until(deal("dealer-makes"), PhaseKind.KITTY_SWAP)
    refusal = hand.refusal(PASS)
    assert refusal is not None
    assert f"lawful are NO_SWAP, {Kind.SWAP_KITTY.name} of cards;" in str(refusal)


def test_a_number_out_of_bounds_is_told_both_bounds() -> None:
    """5.1."""
    seen = set()
    for name, preset in PRESETS.items():
        for option, spec in preset.options.items():
            if not spec.is_number:
                continue
            highest = 999_999_999 if spec.maximum is None else spec.maximum
            assert spec.highest == highest
            for value in (spec.minimum - 1, highest + 1):
                with pytest.raises(VariantError) as refused:
                    build(name, {option: value})
                assert str(refused.value).endswith(f"it is a number, {spec.minimum} to {highest}")
            seen.add(spec.maximum is None)
    assert seen == {True, False}


def test_every_option_cites_rules_that_exist() -> None:
    """What ``DescribeVariant`` and the pages of the variants say about an option leads to a rule."""
    known = set(rule_ids())
    for option, cited in OPTION_RULES.items():
        assert [rule for rule in cited.split(", ") if rule not in known] == [], option


def test_tables_have_a_row_for_each_strain_and_each_suit_led() -> None:
    """CARD-EFF-3, SRV-LOW-1: strains 0 to 6, the last while none is fixed; four suits led, and a joker."""
    for preset in PRESETS:
        tables = build(preset).tables
        rows = (tables.trump_height, tables.plain_height, tables.effective, tables.beats, tables.low_key)
        assert {len(table) for table in rows} == {UNFIXED + 1}
        assert {len(by_led) for by_led in tables.beats} == {JOKER_SUIT + 1}
        cards = [*tables.trump_height, *tables.plain_height, *tables.effective, *tables.low_key]
        cards += [row for by_led in tables.beats for row in by_led]
        assert {len(row) for row in cards} == {CARD_COUNT}


def test_one_round_of_bidding_and_a_stuck_dealer_go_together_and_nobody_is_stuck() -> None:
    """5.1 ``auction_rounds``: with 1 there is no round 2, of which ``stick_dealer`` speaks (UPA-R2-2)."""
    both = [name for name, preset in PRESETS.items() if {"auction_rounds", "stick_dealer"} <= preset.options.keys()]
    assert both
    for name in both:
        variant = build(name, {"auction_rounds": 1, "stick_dealer": "on"})
        assert (variant.auction_rounds, variant.stick_dealer) == (1, True)
    hand = say(deal("standard(auction_rounds=1,stick_dealer=on)", upcard="9S"), "1, 2, 3 PASS", "0 TURN_DOWN")
    assert result(hand).end is HandEnd.THROWN_IN
