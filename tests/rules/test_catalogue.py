"""The catalogue against the machine-readable rulebook, and what it says to wrong names and values (RULES.md part 5)."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.rules import PRESETS, OptionSpec, Variant, VariantError, build, format_card, parse_variant, rated
from referee.rules.cards import format_strain
from referee.rules.game import DEFAULT_MAX_HANDS
from referee.rules.presets import OPTION_RULES, REFUSED_TOGETHER
from referee.rules.variant import (
    BidValueScore,
    BonusScore,
    ContractScore,
    CountdownScore,
    FiveTrickScore,
    Scoring,
)

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules.md"
SHARED = ROOT.parent / "shared" / "rules"
NO_SHARED = "the rulebook's own directory ../shared/rules is not beside this checkout"


@pytest.fixture(scope="module")
def rulebook() -> dict[str, Any]:
    if not (SHARED / "presets.json").exists():
        pytest.skip(NO_SHARED)
    loaded: dict[str, Any] = json.loads((SHARED / "presets.json").read_text(encoding="utf-8"))
    return loaded


# -- every field --------------------------------------------------------------------------------------


def preset_as_json(variant: Variant) -> dict[str, Any]:
    """Return every field of presets.json, from the catalogue."""
    copies = Counter(variant.deck)
    return {
        "id": variant.id,
        "name": variant.name,
        "section": variant.section,
        "seats": variant.seats,
        "sides": [list(side) for side in variant.sides],
        "alliance": variant.alliance.value,
        "deck_size": len(variant.deck),
        "deck": {format_card(card): count for card, count in copies.items()},
        "card_order": variant.card_order,
        "duplicates": variant.duplicates,
        "hand_size": variant.hand_size,
        "upcard": variant.upcard,
        "kitty": variant.kitty,
        "widow": variant.widow,
        "idle": variant.idle,
        "trump_making": variant.trump_making,
        "strains": [format_strain(strain) for strain in variant.strains],
        "bids": bids_as_json(variant),
        "goal": "countdown" if variant.counts_down else "reach",
        "target": variant.target,
        "several_at_goal": variant.several_at_goal.value,
        "scoring": scoring_as_json(variant, variant.scoring),
        "renege_award": variant.renege_award,
        "relabelings": list(variant.relabelings),
        "questions": {"min": variant.questions[0], "max": variant.questions[1]},
        "options": {name: spec_as_json(spec) for name, spec in variant.specs.items()},
    }


def bids_as_json(variant: Variant) -> list[list[str]] | None:
    ranks = itertools.groupby(variant.ladder, key=lambda rung: rung.rank)
    return [[repr(rung.bid) for rung in rungs] for _, rungs in ranks] or None


def spec_as_json(spec: OptionSpec) -> dict[str, Any]:
    if spec.is_number:
        return {"default": spec.default, "allowed": {"integer": True, "min": spec.minimum, "max": spec.maximum}}
    return {"default": spec.default, "allowed": list(spec.allowed)}


def scoring_as_json(variant: Variant, scoring: Scoring) -> dict[str, Any]:
    match scoring:
        case FiveTrickScore():
            row = ("paid_to", "three_or_four", "march", "lone_march", "euchre", "makers_none", "lone_euchre")
            return {"kind": "five-trick", **{name: getattr(scoring, name) for name in row}}
        case BonusScore():
            parts = ("three_or_more", "defenders", "alone", "all_five", "makers_none_and_alone")
            return {"kind": "bonus", **{name: getattr(scoring, name) for name in parts}}
        case ContractScore():
            return contract_as_json(variant, scoring)
        case BidValueScore():
            return {
                "kind": "bid-value",
                "made": "each-seat-of-the-side-gains" if scoring.made_to_each_of_side else "declarer-gains",
                "set": "each-opponent-gains" if scoring.set_to_each_opponent else "declarer-loses",
                "values": {repr(rung.bid): {"tricks": rung.tricks, "value": rung.value} for rung in variant.ladder},
            }
        case CountdownScore():
            return {
                "kind": "countdown",
                "maker_needs": scoring.maker_needs or "bid",
                "others_need": scoring.others_need,
                "penalty": scoring.penalty,
                "instant_win_tricks": scoring.instant_win_tricks or None,
            }


def contract_as_json(variant: Variant, scoring: ContractScore) -> dict[str, Any]:
    named: dict[str, dict[str, Any]] = {}
    for rung in variant.ladder:
        if rung.value:
            named[repr(rung.bid)] = {"tricks": rung.tricks, "value": rung.value}
            if scoring.value_by_cards_received:
                by_cards = {str(count): value for count, value in enumerate(scoring.value_by_cards_received)}
                named[repr(rung.bid)] = {"tricks": rung.tricks, "value_by_cards_received": by_cards}
    top = {"made_top_bid": {"bid": scoring.made_top_bid, "value": scoring.made_top_value}}
    return {
        "kind": "contract",
        "made": "tricks",
        "set": scoring.set_cost or "bid",
        "opponents": "tricks",
        "named": named,
        **(top if scoring.made_top_bid else {}),
    }


@pytest.mark.parametrize("name", PRESETS)
def test_preset_equals_the_rulebook_in_every_field(name: str, rulebook: dict[str, Any]) -> None:
    wanted = dict(next(preset for preset in rulebook["presets"] if preset["id"] == name))
    wanted["deck"] = {each["card"]: each["copies"] for each in wanted["deck"]}
    assert preset_as_json(build(name)) == wanted


def test_the_presets_are_those_of_the_rulebook_in_its_order(rulebook: dict[str, Any]) -> None:
    assert list(PRESETS) == [preset["id"] for preset in rulebook["presets"]]
    assert len(PRESETS) == 40


def test_settings_around_the_presets_equal_the_rulebook(rulebook: dict[str, Any]) -> None:
    """SRV-LIMIT-1, SRV-RENEGE-1, 5.1."""
    assert rulebook["event_settings"] == {
        "max_hands": {"default": DEFAULT_MAX_HANDS, "allowed": {"integer": True, "min": 1, "max": None}}
    }
    assert [dict(pair) for pair in REFUSED_TOGETHER] == rulebook["refused_together"]
    for name in PRESETS:
        options = rated(build(name)).options
        for option, value in rulebook["rated_defaults"].items():
            assert options.get(option, value) == value, (name, option)


def test_rulebook_page_is_a_copy_of_the_authority() -> None:
    """docs/rules.md is RULES.md byte for byte: copy it again if this fails."""
    if not (SHARED / "RULES.md").exists():
        pytest.skip(NO_SHARED)
    ours, authority = RULES.read_bytes(), (SHARED / "RULES.md").read_bytes()
    differing = [
        number
        for number, (one, other) in enumerate(itertools.zip_longest(ours.splitlines(), authority.splitlines()), start=1)
        if one != other
    ]
    assert ours == authority, f"docs/rules.md differs from RULES.md, first in line {differing[:1]}"


# -- text and back ------------------------------------------------------------------------------------


def every_single_change() -> list[tuple[str, str, str | int]]:
    changes: list[tuple[str, str, str | int]] = []
    for name, preset in PRESETS.items():
        for option, spec in preset.options.items():
            values = spec.allowed or (spec.minimum, spec.maximum or spec.minimum + 40)
            changes += [(name, option, value) for value in values if value != spec.default]
    return changes


def refused(name: str, options: dict[str, str | int]) -> bool:
    try:
        build(name, options)
    except VariantError:
        return True
    return False


def test_every_preset_is_its_own_text() -> None:
    for name in PRESETS:
        variant = build(name)
        assert variant.id == name
        assert parse_variant(name) is variant
        assert parse_variant(f" {name} ( ) ") is variant


def test_every_single_change_survives_the_way_through_text() -> None:
    """Canonical ids: only what differs from the default, in alphabetical order; read back they give the same."""
    kept = 0
    for name, option, value in every_single_change():
        if refused(name, {option: value}):
            continue
        kept += 1
        variant = build(name, {option: value})
        assert variant.id == f"{name}({option}={value})"
        assert parse_variant(variant.id) is variant
        assert parse_variant(variant.id).options[option] == value
        assert variant != build(name)
        assert pickle.loads(pickle.dumps(variant)) is variant  # noqa: S301
    assert kept > 700


def test_id_lists_changes_alphabetically_and_leaves_defaults_out() -> None:
    variant = parse_variant("standard( target = 11 ,stick_dealer=off, deck=24,renege=established )")
    assert variant.id == "standard(stick_dealer=off,target=11)"
    assert build("standard", {"target": "11", "stick_dealer": False}) is variant
    assert hash(variant) == hash(parse_variant(variant.id))


@pytest.mark.parametrize("text", ["", "standard)", "standard(target=11", "stand ard", "standard(target=11)x", "()"])
def test_text_that_is_no_variant_is_refused(text: str) -> None:
    with pytest.raises(VariantError, match=re.escape(repr(text))):
        parse_variant(text)


def test_word_without_a_value_is_refused() -> None:
    with pytest.raises(VariantError, match="'stick_dealer' is no option; write option=value"):
        parse_variant("standard(stick_dealer)")


# -- wrong names and values ---------------------------------------------------------------------------


def test_unknown_preset_is_answered_with_the_nearest() -> None:
    with pytest.raises(VariantError, match="no variant 'standrad'; did you mean 'standard'"):
        parse_variant("standrad")
    with pytest.raises(VariantError, match="'zzzz'; 'euchre-arena variants' lists them all"):
        parse_variant("zzzz")


def test_unknown_option_is_answered_with_the_nearest_and_all() -> None:
    with pytest.raises(VariantError, match="standard has no option 'stick_the_dealer'; did you mean 'stick_dealer'"):
        parse_variant("standard(stick_the_dealer=on)")
    with pytest.raises(VariantError, match=r"bid_rounds, .*, win_condition"):
        build("bid-euchre", {"stick_dealer": "on"})


def test_wrong_value_is_answered_with_the_nearest_and_all() -> None:
    with pytest.raises(VariantError, match=r"deck cannot be '23'.*it may be 24, 25, 32, 33"):
        parse_variant("standard(deck=23)")
    with pytest.raises(VariantError, match="'takes-it-dwn'; did you mean 'takes-it-down'"):
        build("british", {"dealer_partner_order": "takes-it-dwn"})


@pytest.mark.parametrize("value", [0, -1, "0", "eleven", "", "1.5", "1e3", True, 10**10])
def test_target_is_a_positive_number(value: str | int) -> None:
    with pytest.raises(VariantError, match=r"target cannot be .*; it is a number, 1 to 999999999"):
        build("british", {"target": value})


@pytest.mark.parametrize("name", PRESETS)
def test_numbers_are_accepted_at_their_bounds_and_refused_beyond(name: str) -> None:
    """5.1: min_bid, min_bid_nt, target, renege_award."""
    for option, spec in PRESETS[name].options.items():
        if not spec.is_number:
            continue
        assert build(name, {option: spec.minimum}).options[option] == spec.minimum
        with pytest.raises(VariantError, match=rf"{option} cannot be {spec.minimum - 1}; it is a number"):
            build(name, {option: spec.minimum - 1})
        highest = spec.maximum if spec.maximum is not None else 999_999_999
        assert build(name, {option: highest}).options[option] == highest
        with pytest.raises(VariantError, match=f"{option} cannot be"):
            build(name, {option: highest + 1})


def test_renege_award_may_be_nothing() -> None:
    """5.1: the award may be 0."""
    assert build("british", {"renege_award": 0}).renege_award == 0


def test_values_that_contradict_each_other_are_refused_naming_both_and_what_works() -> None:
    """5.1: alone-only needs with-call; coloured-high needs jokers."""
    with pytest.raises(VariantError, match=r"dealer_partner_order=alone-only.*alone_timing=after-trump.*with-call"):
        build("british", {"dealer_partner_order": "alone-only"})
    assert build("british", {"dealer_partner_order": "alone-only", "alone_timing": "with-call"})
    assert build("classic", {"dealer_partner_order": "alone-only"})
    with pytest.raises(VariantError, match=r"two_jokers=coloured-high.*joker_card=two-of-spades.*joker"):
        build("british-6p-50", {"two_jokers": "coloured-high", "joker_card": "two-of-spades"})


# -- 5 and 5.1, from the page itself ------------------------------------------------------------------

GROUPS = {
    "UP2": "british british-33 british-6p-33 british-6p-50 north-american canadian almonte-6p almonte-4p standard "
    "classic railroad",
    "UP": "UP2 two-handed cutthroat-3p call-ace-4p call-ace-5p call-ace-6p",
    "BID": "bid-euchre bid-canadian-32 bid-us-32 bid-us-48 bid-us-48-widow bid-us-40 hoosier hoosier-3p "
    "cutthroat-bid-3p bid-later-24 bid-later-6p bid-later-8p",
    "AUCTION": "BID pepper pepper-2p pepper-3p dirty-clubs dirty-clubs-3p auction-5p auction-6p auction-7p "
    "hasenpfeffer napoleon",
}


def presets_of(words: str) -> set[str]:
    found: set[str] = set()
    for word in re.findall(r"[\w-]+", words):
        if word in GROUPS:
            found |= presets_of(GROUPS[word])
        elif word in PRESETS:
            found.add(word)
    return found


def rows_of_5_1() -> list[tuple[list[str], set[str], str]]:
    """Return options, presets and "allowed there" of every row of the table in 5.1."""
    table = RULES.read_text(encoding="utf-8").split("| option | presets | allowed there |")[1].split("\n---")[0]
    rows = []
    for line in table.splitlines()[2:]:
        if not line.startswith("|"):
            continue
        options, presets, allowed = (cell.strip() for cell in line.strip().strip("|").split(" | "))
        if presets == "every preset":
            named = set(PRESETS)
        else:
            taken, _, without = presets.partition(" without ")
            named = presets_of(taken) - presets_of(without.replace("those below", ""))
        rows.append((re.findall(r"`([a-z_]+)`", options), named, allowed))
    return rows


def test_a_preset_has_the_options_that_5_1_gives_it_and_no_others() -> None:
    wanted: dict[str, set[str]] = {name: set() for name in PRESETS}
    for options, named, _ in rows_of_5_1():
        for name in named:
            wanted[name] |= set(options)
    assert {name: set(preset.options) for name, preset in PRESETS.items()} == wanted


def bounds_of(allowed: str, name: str) -> tuple[int, int] | None:
    """Return the bounds of a cell such as ``"1 to the hand size less one"``."""
    match = re.match(r"(\d+) to (\d+|the hand size( less one)?)", allowed)
    if match is None:
        return None
    highest = int(match[2]) if match[2].isdecimal() else build(name).hand_size - (match[3] is not None)
    return int(match[1]), highest


def test_an_option_has_the_values_that_5_1_allows() -> None:
    given: dict[tuple[str, str], str] = {}
    for options, named, allowed in rows_of_5_1():
        for option, name in itertools.product(options, named):
            # "those below" of a row have rows of their own further down
            given[option, name] = allowed
    for (option, name), allowed in given.items():
        spec = PRESETS[name].options[option]
        if option.startswith("min_bid"):
            assert (spec.minimum, spec.maximum) == bounds_of(allowed, name), (name, option)
        elif allowed.startswith("`"):
            values = re.findall(r"`([\w-]+)`", allowed.split(";")[0].split(" only ")[0])
            assert [str(value) for value in spec.allowed] == values, (name, option)
        elif allowed.startswith("all") and not spec.is_number:
            assert set(map(str, spec.allowed)) == values_in_part_5(option), (name, option)


def values_in_part_5(option: str) -> set[str]:
    """Return all values of *option* in the table at the head of part 5."""
    table = RULES.read_text(encoding="utf-8").split("## 5. Options")[1].split("### 5.1")[0]
    (row,) = (line for line in table.splitlines() if option in option_names(line))
    return set(re.findall(r"[\w-]+", row.strip("| ").split(" | ")[1]))


def test_every_option_of_the_table_in_5_is_known_with_its_rules() -> None:
    table = RULES.read_text(encoding="utf-8").split("## 5. Options")[1].split("### 5.1")[0]
    named = [name for line in table.splitlines() if line.startswith("| `") for name in option_names(line)]
    assert set(named) == set(OPTION_RULES)
    assert {option for preset in PRESETS.values() for option in preset.options} == set(OPTION_RULES)


def option_names(line: str) -> list[str]:
    return re.findall(r"`([a-z_]+)`", line.split(" | ")[0])


def test_rated_play_settles_contracts_unless_told_otherwise() -> None:
    """SRV-RENEGE-1: in every game with a bid auction, and nothing else changes."""
    assert rated(build("pepper")).id == "pepper(renege_contract=settle)"
    assert rated(build("pepper", {"target": 20})).id == "pepper(renege_contract=settle,target=20)"
    assert rated(build("pepper", {"renege_contract": "settle"})).id == "pepper(renege_contract=settle)"
    assert rated(build("british")) is build("british")
    with_contract = {name for name in PRESETS if rated(build(name)) is not build(name)}
    assert with_contract == presets_of("AUCTION")
