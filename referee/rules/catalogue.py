"""From a preset and option values to a variant; from text to a variant and back."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import replace

from referee.rules.actions import BidName
from referee.rules.cards import NT, NTL, X1, X2, Card, Strain, parse_card
from referee.rules.errors import VariantError, nearest
from referee.rules.orders import Jokers, card_tables
from referee.rules.presets import PACKS, PRESETS, REFUSED_TOGETHER, Preset
from referee.rules.variant import (
    Alliance,
    BidRung,
    FiveTrickScore,
    OptionSpec,
    OptionValue,
    Scoring,
    Variant,
)

_TEXT = re.compile(r"\s*([\w-]+)\s*(?:\(\s*(.*?)\s*\))?\s*\Z", re.DOTALL)

INERT: Mapping[str, OptionValue] = {
    "joker_card": "joker",
    "two_jokers": "identical",
    "almonte_jokers": "jokers",
    "deal_pattern": "packets-3-2",
    "order_up_makers": "orderer-side",
    "dealer_partner_order": "normal",
    "auction_rounds": 2,
    "stick_dealer": "off",
    "dealer_needs_natural": "off",
    "dealer_pickup": "mandatory",
    "alone_timing": "after-trump",
    "alone_makers": "none",
    "alone_defenders": "none",
    "loner_exchange": "none",
    "loner_lead": "eldest",
    "bid_rounds": "single",
    "dealer_must_bid": "off",
    "no_trump_kinds": "high",
    "min_bid": 1,
    "min_bid_nt": 1,
    "win_condition": "any-points",
    "widow_when_alone": "allowed",
    "nap_misere": "on",
    "redeal_farmers_hand": "off",
    "redeal_no_ace_no_face_no_trump": "off",
    "renege_contract": "void",
    "laps": "off",
    "slams": "off",
}
"""The value of an option that a preset does not have ("elsewhere" in RULES.md part 5)."""


def preset(name: str) -> Preset:
    """Return the preset *name*.

    :raises VariantError: naming the nearest one.
    """
    found = PRESETS.get(name)
    if found is None:
        raise VariantError(f"no variant {name!r}{nearest(name, PRESETS)}; 'euchre-arena variants' lists them all")
    return found


def parse_variant(text: str) -> Variant:
    """Return the variant written as ``preset`` or ``preset(option=value, …)``.

    :raises VariantError: for an unknown preset or option, or a value it may not take.
    """
    match = _TEXT.match(text)
    if match is None:
        raise VariantError(f"{text!r} is no variant; write a preset, or preset(option=value, option=value)")
    options: dict[str, OptionValue] = {}
    for part in filter(None, (piece.strip() for piece in (match[2] or "").split(","))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise VariantError(f"{text!r}: {part!r} is no option; write option=value")
        options[name] = value
    return build(match[1], options)


def build(name: str, options: Mapping[str, OptionValue] | None = None) -> Variant:
    """Return preset *name* with *options* in place of its defaults. Numbers may be given as text.

    :raises VariantError: naming what was wrong and what would work.
    """
    base = preset(name)
    given = {option: _checked(base, option, value) for option, value in (options or {}).items()}
    values = {option: given.get(option, spec.default) for option, spec in base.options.items()}
    for (first, first_value), (second, second_value) in REFUSED_TOGETHER:
        if values.get(first) == first_value and values.get(second) == second_value:
            others = ", ".join(str(v) for v in base.options[second].allowed if v != second_value)
            raise VariantError(
                f"{name}: {first}={first_value} does not go with {second}={second_value}; set {second} to {others}"
            )
    changed = {option: value for option, value in sorted(values.items()) if value != base.options[option].default}
    return _built(name, tuple(changed.items()))


def _checked(base: Preset, option: str, value: OptionValue) -> OptionValue:
    """Return *value* in its own type, or raise."""
    spec = base.options.get(option)
    if spec is None:
        has = ", ".join(sorted(base.options))
        raise VariantError(f"{base.id} has no option {option!r}{nearest(option, base.options)}; it has {has}")
    if spec.is_number:
        return _checked_number(base, option, spec, value)
    for allowed in spec.allowed:
        if str(value) == str(allowed):  # never so of True and False
            return allowed
    if isinstance(value, bool) and "on" in spec.allowed:
        return "on" if value else "off"
    texts = [str(allowed) for allowed in spec.allowed]
    hint = nearest(str(value), texts)
    raise VariantError(f"{base.id}: {option} cannot be {value!r}{hint}; it may be {', '.join(texts)}")


def _checked_number(base: Preset, option: str, spec: OptionSpec, value: OptionValue) -> int:
    text = str(value)
    # No more digits than the highest of all has: int() raises an error of its own for thousands of them.
    is_number = re.fullmatch(r"-?[0-9]{1,9}", text) is not None
    if not is_number or not spec.minimum <= int(text) <= spec.highest:
        bounds = f"{spec.minimum} to {spec.highest}"
        raise VariantError(f"{base.id}: {option} cannot be {value!r}; it is a number, {bounds}")
    return int(text)


@functools.lru_cache(maxsize=4096)
def _built(name: str, changed: tuple[tuple[str, OptionValue], ...]) -> Variant:
    base = PRESETS[name]
    options = {option: spec.default for option, spec in base.options.items()} | dict(changed)
    values: dict[str, OptionValue] = {**INERT, **base.fixed, **options}
    deck, jokers = _deck_and_jokers(base, values)
    undealt = len(deck) - base.seats * base.hand_size - base.upcard
    sides = _sides(base)
    strains = _strains(base, values)
    brackets = ",".join(f"{option}={value}" for option, value in changed)
    return Variant(
        id=f"{name}({brackets})" if brackets else name,
        preset=name,
        name=base.name,
        section=base.section,
        seats=base.seats,
        sides=sides,
        side_of=tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(base.seats)),
        alliance=base.alliance,
        deck=deck,
        packs=2 if base.duplicates != "none" else 1,
        card_order=base.card_order,
        jokers=jokers,
        duplicates=base.duplicates,
        hand_size=base.hand_size,
        upcard=base.upcard,
        kitty=undealt if base.upcard else 0,
        widow=base.widow,
        idle=0 if base.upcard else undealt - base.widow,
        trump_making=base.trump_making,
        strains=strains,
        phases=base.phases,
        ladder=_ladder(base, values, strains),
        strain_in_bid=base.strain_in_bid,
        strain_by_lead=base.strain_by_lead,
        equal_bid_outbids=base.equal_bid_outbids,
        dealer_outbids_alone=base.dealer_outbids_alone,
        all_pass=base.all_pass,
        joker_upcard=base.joker_upcard,
        forced_clubs=base.forced_clubs,
        widow_rule=base.widow_rule,
        ally_rule=base.ally_rule,
        drop_floor=base.drop_floor,
        scoring=_scoring(base, values),
        counts_down=base.counts_down,
        several_at_goal=base.several_at_goal,
        declarer_leads=base.declarer_leads,
        makers_are_loners=base.makers_are_loners,
        other_of_two_leads=base.other_of_two_leads,
        relabelings=_relabelings(base, values),
        questions=base.questions,
        options=options,
        specs=base.options,
        deal_pattern=str(values["deal_pattern"]),
        order_up_makers=str(values["order_up_makers"]),
        dealer_partner_order=str(values["dealer_partner_order"]),
        auction_rounds=int(values["auction_rounds"]),
        stick_dealer=values["stick_dealer"] == "on",
        dealer_needs_natural=values["dealer_needs_natural"] == "on",
        pickup_is_optional=values["dealer_pickup"] == "optional",
        alone_with_call=values["alone_timing"] == "with-call",
        alone_makers=str(values["alone_makers"]),
        alone_defenders=str(values["alone_defenders"]),
        loner_exchange=str(values["loner_exchange"]),
        loner_lead=str(values["loner_lead"]),
        target=int(values["target"]),
        until_passed=values["bid_rounds"] == "until-passed",
        dealer_must_bid=values["dealer_must_bid"] == "on",
        win_is_qualified=values["win_condition"] == "qualified",
        redeal_farmers_hand=values["redeal_farmers_hand"] == "on",
        redeal_no_ace_no_face_no_trump=values["redeal_no_ace_no_face_no_trump"] == "on",
        renege=str(values["renege"]),
        renege_award=int(values["renege_award"]),
        renege_settles=values["renege_contract"] == "settle",
        laps=values["laps"] == "on",
        slams=values["slams"] == "on",
        tables=card_tables(base.card_order, jokers),
    )


def _sides(base: Preset) -> tuple[tuple[int, ...], ...]:
    """GEN-SEAT-2, -3."""
    if base.alliance is Alliance.FIXED:
        return (tuple(range(0, base.seats, 2)), tuple(range(1, base.seats, 2)))
    return tuple((seat,) for seat in range(base.seats))


def _deck_and_jokers(base: Preset, values: Mapping[str, OptionValue]) -> tuple[tuple[Card, ...], Jokers]:
    """Return the deck, sorted, and what stands for its jokers, high to low."""
    deck = PACKS[str(values.get("deck", base.pack))]
    printed = [card for card in deck if card >= X1]
    stand_ins = printed
    if values["joker_card"] == "two-of-spades":
        stand_ins = [parse_card("2S")] * len(printed)
    elif values["almonte_jokers"] == "low-spades":
        stand_ins = [parse_card("2S"), parse_card("3S"), parse_card("4S")]
    cards = tuple(sorted([card for card in deck if card < X1] + stand_ins))
    ranked = tuple(dict.fromkeys(stand_ins))
    if base.duplicates != "none" and ranked == (X1, X2) and values["two_jokers"] == "identical":
        return cards, ((X1, X2),)
    return cards, tuple((card,) for card in ranked)


def _strains(base: Preset, values: Mapping[str, OptionValue]) -> tuple[Strain, ...]:
    """BIDA-NT-1: ``no_trump_kinds`` where the preset has it."""
    if "no_trump_kinds" not in base.options:
        return base.strains
    return (0, 1, 2, 3, NT, NTL) if values["no_trump_kinds"] == "high-low" else (0, 1, 2, 3, NT)


def _ladder(base: Preset, values: Mapping[str, OptionValue], strains: tuple[Strain, ...]) -> tuple[BidRung, ...]:
    """Return the bids that the options leave, each with the strains it can have."""
    rungs = []
    for rung in base.ladder:
        if rung.is_misere and values["nap_misere"] == "off":
            continue
        allowed = rung.strains or strains
        if rung.bid.name is BidName.NUMBER:
            least_nt = int(values["min_bid_nt"]) if "min_bid_nt" in base.options else int(values["min_bid"])
            allowed = tuple(
                strain for strain in allowed if rung.bid.number >= (int(values["min_bid"]) if strain < NT else least_nt)
            )
        takes_widow = rung.takes_widow and not (rung.alone and values["widow_when_alone"] == "forbidden")
        if allowed:
            rungs.append(replace(rung, strains=allowed, takes_widow=takes_widow))
    return tuple(rungs)


def _scoring(base: Preset, values: Mapping[str, OptionValue]) -> Scoring:
    if isinstance(base.scoring, FiveTrickScore) and "cutthroat_march" in base.options:
        return replace(base.scoring, march=int(values["cutthroat_march"]))
    return base.scoring


def _relabelings(base: Preset, values: Mapping[str, OptionValue]) -> tuple[str, ...]:
    """SRV-RELABEL-2: low spades as jokers fix the black suits."""
    if values["joker_card"] == "two-of-spades" or values["almonte_jokers"] == "low-spades":
        return tuple(image for image in base.relabelings if image.startswith("SC"))
    return base.relabelings


def rated(variant: Variant) -> Variant:
    """Return *variant* with the defaults of rated play (SRV-RENEGE-1).

    A bid game that leaves ``renege_contract`` at the preset's ``void`` is played with ``settle``.
    """
    if variant.options.get("renege_contract") != "void":
        return variant
    return build(variant.preset, {**variant.options, "renege_contract": "settle"})
