"""The engine counts what the second evaluator counted (``tests/positions/``; SRV-ASK-1 to -4, SRV-ORDER-1, -2)."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.rules import (
    NOBODY,
    PRESETS,
    Hand,
    HandEnd,
    PhaseKind,
    format_action,
    parse_action,
    parse_cards,
    parse_variant,
    replay,
    winner_after,
)
from tests import evaluator
from tests.evaluator.counting import count

POSITIONS = Path(__file__).parents[1] / "positions"
_ENDS = {HandEnd.PLAYED: "played", HandEnd.THROWN_IN: "thrown in", HandEnd.CLAIMED: "claimed"}

Ends = Counter[tuple[str, tuple[int, ...], tuple[int, ...], int | None]]


def _positions(preset: str) -> list[dict[str, Any]]:
    content = json.loads((POSITIONS / f"{preset}.json").read_text(encoding="utf-8"))
    assert content["format"] == 1
    assert content["preset"] == preset
    return list(content["positions"])


def _hand(position: dict[str, Any]) -> Hand:
    answers = map(parse_action, position["answers"])
    variant = parse_variant(position["variant"])
    return replay(variant, parse_cards(position["deck"]), position["dealer"], answers, position["totals"])


def _walk(hand: Hand, counts: list[int], ends: Ends | None, depth: int = 0) -> None:
    """Add to ``counts[depth]`` the options of *hand*, and so on for each of them; with *ends* also how hands end."""
    if hand.is_over:
        if ends is not None:
            ends[_ending(hand)] += 1
        return
    options = hand.options()
    counts[depth] += len(options)
    if depth + 1 == len(counts) and ends is None:
        return
    for option in options:
        twin = hand.clone()
        twin.apply(option)
        _walk(twin, counts, ends, depth + 1)


def _ending(hand: Hand) -> tuple[str, tuple[int, ...], tuple[int, ...], int | None]:
    result = hand.result
    assert result is not None
    totals = [total + points for total, points in zip(hand.totals, result.points, strict=True)]
    winner = winner_after(hand.variant, totals, result)
    return (_ENDS[result.end], result.points, result.tricks, None if winner == NOBODY else winner)


@pytest.mark.parametrize("preset", PRESETS)
def test_engine_counts_what_the_second_evaluator_counted(preset: str) -> None:
    for position in _positions(preset):
        hand = _hand(position)
        assert hand.actor == position["asked"], position["about"]
        counts, ends = [0] * len(position["counts"]), Ends() if "ends" in position else None
        _walk(hand, counts, ends)
        assert counts == position["counts"], (position["about"], position["variant"])
        if ends is not None:
            told = {
                (end["end"], tuple(end["points"]), tuple(end["tricks"]), end["winner"]): end["count"]
                for end in position["ends"]
            }
            assert ends == told, (position["about"], position["variant"])


@pytest.mark.parametrize("preset", PRESETS)
def test_positions_begin_with_every_kind_of_question_and_go_to_the_end(preset: str) -> None:
    positions = _positions(preset)
    assert any(position["variant"] == preset and not position["answers"] for position in positions)
    assert any("ends" in position and position["answers"] for position in positions)
    begun = {_hand(position).phase.kind for position in positions}
    assert begun >= _kinds_asked({position["variant"] for position in positions}, random.Random(preset))


def _kinds_asked(variants: set[str], rng: random.Random) -> set[PhaseKind]:
    """Return the kinds of questions that random hands of *variants* ask."""
    kinds = set()
    for variant in map(parse_variant, sorted(variants)):
        for _ in range(30):
            hand = Hand(variant, rng.sample(variant.deck, len(variant.deck)), rng.randrange(variant.seats))
            while not hand.is_over:
                kinds.add(hand.phase.kind)
                hand.apply(rng.choice(hand.options()))
    return kinds


@pytest.mark.parametrize("preset", ["standard", "bid-us-40", "dirty-clubs", "napoleon"])
def test_the_evaluator_still_counts_so(preset: str) -> None:
    """The files are what it counts; ``python -m tools.count_positions --check`` compares them all."""
    for position in _positions(preset)[:3]:
        game = evaluator.game(position["variant"])
        state = evaluator.deal(game, position["deck"].split(), position["dealer"], position["totals"])
        for text in position["answers"]:
            state = evaluator.apply(state, text)
        assert evaluator.actor(state) == position["asked"]
        assert count(state, max(position["counts"])).counts[: len(position["counts"])] == position["counts"]


def test_answers_are_written_as_the_notation_writes_them() -> None:
    for preset in PRESETS:
        for position in _positions(preset):
            assert [format_action(parse_action(text)) for text in position["answers"]] == position["answers"]
