"""Random games of every preset and of random option combinations, checked at every step.

The default run is a slice; the slow tests play the whole family.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import Phase, given, settings

from referee.rules import PRESETS, Hand, HandEnd, PhaseKind, Variant, build
from referee.rules.variant import WidowRule
from tests.battery.checks import Effort, Tally, play_game, play_hand
from tests.strategies import PRESET_NAMES, random_variant, seeds, shuffled_deck, variants

THOROUGH = Effort(twin=0.1, refused=0.05, replay=0.1, secrecy=0.4, request=0.5, reneges=0.02)
LIGHT = Effort(twin=0.002, refused=0.01, replay=0.02, secrecy=0.02, request=0.02, reneges=0.01)


def _expected_phases(variant: Variant) -> set[PhaseKind]:
    phases = {phase.kind for phase in variant.phases} - {PhaseKind.FORCED_CLUBS}
    if not variant.has_redeals():
        phases -= {PhaseKind.REDEAL_CLAIM}
    if variant.widow_rule is WidowRule.MUST:
        phases -= {PhaseKind.WIDOW}  # SRV-ASK-4
    if not variant.jokers or not variant.upcard:
        phases -= {PhaseKind.BLIND_NAMING}
    if variant.loner_exchange == "none":
        phases -= {PhaseKind.EXCHANGE}
    if variant.preset == "standard" and variant.alone_defenders == "none" and not variant.jokers:
        phases -= {PhaseKind.GOING_ALONE}  # said with the call
    if variant.preset.startswith("call-ace") and not variant.jokers:
        phases -= {PhaseKind.GOING_ALONE}
    return phases


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_preset_holds_in_a_few_random_hands(preset: str) -> None:
    rng, tally = random.Random(f"few {preset}"), Tally()
    variant = build(preset)
    play_game(variant, rng, tally, THOROUGH, max_hands=8)
    for _ in range(2):
        play_game(variant, rng, tally, LIGHT, max_hands=40, most_hands=12)
    assert tally.positions > 50
    assert tally.worlds > 10
    assert tally.twins > 5
    assert tally.ends[HandEnd.PLAYED] > 0


def test_three_hundred_option_combinations_hold() -> None:
    rng, tally = random.Random("three hundred"), Tally()
    for number in range(300):
        preset = PRESET_NAMES[number % len(PRESET_NAMES)]
        variant = random_variant(rng, preset, share=0.6)
        play_game(variant, rng, tally, Effort(twin=0.02, refused=0.02, reneges=0.02), max_hands=30, most_hands=2)
    assert tally.hands >= 450
    assert tally.reneges > 50
    assert set(tally.ends) >= {HandEnd.PLAYED, HandEnd.THROWN_IN, HandEnd.RENEGE}
    assert set(PhaseKind) - set(tally.phases) == {PhaseKind.FORCED_CLUBS}


@settings(
    max_examples=60,
    report_multiple_bugs=False,
    phases=(Phase.explicit, Phase.generate),
)
@given(variant=variants(), rng=seeds())
def test_any_variant_holds_in_a_hand(variant: Variant, rng: random.Random) -> None:
    hand = Hand(variant, shuffled_deck(variant, rng), rng.randrange(variant.seats))
    play_hand(hand, rng, Tally(), Effort(twin=0.05, refused=0.05, replay=0.1, secrecy=0.3, request=0.3))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_preset_holds_in_250_games(preset: str) -> None:
    rng, tally = random.Random(f"games {preset}"), Tally()
    variant = build(preset)
    for number in range(250):
        play_game(variant, rng, tally, LIGHT, max_hands=200 if number < 10 else 12)
    assert set(tally.phases) == _expected_phases(variant)
    assert tally.worlds > 100
    assert tally.twins > 50


@pytest.mark.slow
def test_three_thousand_option_combinations_hold() -> None:
    rng, tally = random.Random("three thousand"), Tally()
    for number in range(3000):
        variant = random_variant(rng, PRESET_NAMES[number % len(PRESET_NAMES)], share=rng.choice((0.2, 0.5, 1.0)))
        play_game(variant, rng, tally, Effort(twin=0.02, secrecy=0.1), max_hands=30, most_hands=2)
    assert set(PhaseKind) - set(tally.phases) == {PhaseKind.FORCED_CLUBS}


def test_every_preset_is_here() -> None:
    assert len(PRESETS) == len(PRESET_NAMES) == 40
