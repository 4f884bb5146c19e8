"""``standard`` against OpenSpiel's ``euchre``, an engine that nobody here wrote."""

from __future__ import annotations

from itertools import product

import pytest

from tests.oracles.openspiel import LockStep, card_to_theirs

pytest.importorskip("pyspiel", reason="open-spiel is not installed (pip install 'euchre-arena[test]')")

SETTINGS: list[tuple[bool, bool, bool]] = list(product((False, True), (False, True), (False, True)))
"""Stick the dealer, lone defenders, alone said with the call."""


def _name(setting: tuple[bool, bool, bool]) -> str:
    words = ("stick", "lone-defender", "alone-with-call")
    return ",".join(word for word, on in zip(words, setting, strict=True) if on) or "plain"


def _play(setting: tuple[bool, bool, bool], hands: int) -> LockStep:
    stick_dealer, lone_defender, alone_with_call = setting
    table = LockStep(
        stick_dealer=stick_dealer,
        lone_defender=lone_defender,
        alone_with_call=alone_with_call,
        seed=20_000 + SETTINGS.index(setting),
    )
    for _ in range(hands):
        table.play_hand()
    counts = table.counts
    assert counts.hands == hands
    assert counts.decisions > 10 * hands
    assert counts.loners > hands // 20
    assert (counts.lone_defenders > hands // 20) == lone_defender
    assert (counts.thrown_in > 0) != stick_dealer
    return table


@pytest.mark.parametrize("setting", SETTINGS, ids=_name)
def test_seat_options_and_returns_agree_in_a_slice_of_hands(setting: tuple[bool, bool, bool]) -> None:
    _play(setting, 500)


@pytest.mark.slow
def test_seat_options_and_returns_agree_in_40000_hands() -> None:
    assert sum(_play(setting, 5_000).counts.hands for setting in SETTINGS) == 40_000


def test_cards_have_openspiels_numbers() -> None:
    import pyspiel

    from referee.rules import parse_card

    assert card_to_theirs(parse_card("9C")) == 0
    assert card_to_theirs(parse_card("JC")) == 8
    assert card_to_theirs(parse_card("AS")) == 23
    assert pyspiel.euchre.PASS_ACTION == 24
