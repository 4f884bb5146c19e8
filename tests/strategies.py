"""Generators that several test packages share: variants with random options, decks, answers.

Each comes twice: drawn from a ``random.Random`` (for loops of many games) and as a Hypothesis strategy (for
properties, so that a failure shrinks to the fewest options).
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from hypothesis import strategies as st

from referee.rules import (
    PRESETS,
    Action,
    Card,
    Hand,
    Kind,
    OptionSpec,
    PhaseKind,
    Question,
    Variant,
    VariantError,
    action,
    build,
)
from referee.rules.variant import OptionValue

PRESET_NAMES = tuple(PRESETS)


def number_range(spec: OptionSpec) -> tuple[int, int]:
    """Return bounds for a number option: its own, or from its minimum to twice its default and two."""
    return spec.minimum, spec.maximum if spec.maximum is not None else 2 * int(spec.default) + 2


def random_options(rng: random.Random, preset: str, share: float = 0.5) -> dict[str, OptionValue]:
    """Return values for about *share* of the options of *preset*, each allowed by the catalogue on its own."""
    chosen: dict[str, OptionValue] = {}
    for name, spec in PRESETS[preset].options.items():
        if rng.random() < share:
            chosen[name] = rng.randint(*number_range(spec)) if spec.is_number else rng.choice(spec.allowed)
    return chosen


def random_variant(rng: random.Random, preset: str | None = None, share: float = 0.5) -> Variant:
    """Return a variant with random options; combinations that contradict each other are drawn again."""
    name = preset or rng.choice(PRESET_NAMES)
    while True:
        try:
            return build(name, random_options(rng, name, share))
        except VariantError:
            continue


@st.composite
def variants(draw: st.DrawFn, preset: str | None = None) -> Variant:
    """Draw a variant; shrinks towards defaults."""
    name = preset or draw(st.sampled_from(PRESET_NAMES))
    chosen: dict[str, OptionValue] = {}
    for option, spec in PRESETS[name].options.items():
        value = draw(_option_values(spec))
        if value is not None:
            chosen[option] = value
    try:
        return build(name, chosen)
    except VariantError:
        return build(name, _without_contradictions(name, chosen))


def _option_values(spec: OptionSpec) -> st.SearchStrategy[OptionValue | None]:
    values: st.SearchStrategy[OptionValue] = (
        st.integers(*number_range(spec)) if spec.is_number else st.sampled_from(spec.allowed)
    )
    return st.one_of(st.none(), values)


def _without_contradictions(preset: str, chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return *chosen* less the options, last first, that do not go with the others."""
    kept: dict[str, OptionValue] = {}
    for option, value in chosen.items():
        try:
            build(preset, {**kept, option: value})
        except VariantError:
            continue
        kept[option] = value
    return kept


def seeds() -> st.SearchStrategy[random.Random]:
    """Draw a seeded generator."""
    return st.integers(0, 2**32 - 1).map(random.Random)


def shuffled_deck(variant: Variant, rng: random.Random) -> list[Card]:
    """Return the deck in random order."""
    deck = list(variant.deck)
    rng.shuffle(deck)
    return deck


def random_answer(question: Question, rng: random.Random) -> Action:
    """Return a lawful answer without listing every set of cards; any answer can come.

    Low bids come oftener than high ones, so that auctions are long and contracts of every height are played.
    """
    choice = question.choice
    if choice is None:
        if question.phase is PhaseKind.BID_AUCTION and rng.random() < 0.8:
            share = rng.random() ** 4
            return question.options[int(share * len(question.options))]
        return rng.choice(question.options)
    beside = [option for option in question.options if option.kind is not choice.kind]
    if beside and rng.random() < 0.3:
        return rng.choice(beside)
    size = rng.randint(choice.minimum, choice.maximum)
    return action(choice.kind, tuple(rng.sample(choice.cards, size)))


def random_renege(hand: Hand, rng: random.Random) -> Action | None:
    """Return a card of the actor that does not follow suit, ``None`` if there is none (REN-DEF-1)."""
    held = {action(Kind.PLAY, (card,)) for card in hand.hands[hand.actor]}
    wrong = sorted(held - set(hand.options()), key=lambda act: act.card)
    return rng.choice(wrong) if wrong else None
