"""A game is the same when its suits are renamed as its variant allows (SRV-RELABEL-1, -2)."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from referee.rules import Action, Hand, Variant, action, build, parse_variant
from referee.rules.cards import SUITS
from referee.rules.errors import VariantError
from referee.rules.relabel import relabel_card, relabel_deck
from tests.strategies import PRESET_NAMES, random_answer, random_variant, shuffled_deck


def _relabelled(variant: Variant, act: Action, image: str) -> Action:
    jokers = variant.tables.jokers
    cards = tuple(card if card in jokers else relabel_card(card, image) for card in act.cards)
    strain = SUITS.index(image[act.strain]) if act.strain < 4 else act.strain
    return action(act.kind, cards, strain, act.bid, act.seat)


def _play_both(variant: Variant, image: str, rng: random.Random) -> None:
    deck, dealer = shuffled_deck(variant, rng), rng.randrange(variant.seats)
    hand = Hand(variant, deck, dealer)
    twin = Hand(variant, relabel_deck(variant, deck, image), dealer)
    while hand.result is None:
        assert twin.actor == hand.actor
        question = hand.question()
        if question.choice is None:
            assert {_relabelled(variant, act, image) for act in question.options} == set(twin.options())
        act = random_answer(question, rng)
        hand.apply(act)
        twin.apply(_relabelled(variant, act, image))
    assert twin.result == hand.result


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_a_relabelled_hand_is_asked_played_and_scored_alike(preset: str) -> None:
    rng = random.Random(f"relabel {preset}")
    variant = build(preset)
    assert "SCHD" in variant.relabelings
    for image in variant.relabelings:
        for _ in range(3):
            _play_both(variant, image, rng)


def test_a_relabelled_hand_is_alike_under_random_options() -> None:
    rng = random.Random("relabel options")
    for number in range(200):
        variant = random_variant(rng, PRESET_NAMES[number % len(PRESET_NAMES)], share=0.6)
        _play_both(variant, rng.choice(variant.relabelings), rng)


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_any_other_renaming_is_refused(preset: str) -> None:
    variant = build(preset)
    for image in {"".join(order) for order in permutations(SUITS)} - set(variant.relabelings):
        with pytest.raises(VariantError, match=image):
            relabel_deck(variant, variant.deck, image)


def test_low_spades_that_stand_for_jokers_stay() -> None:
    variant = parse_variant("british(joker_card=two-of-spades)")
    assert variant.relabelings == ("SCHD", "SCDH")
    assert sorted(relabel_deck(variant, variant.deck, "SCDH")) == list(variant.deck)
