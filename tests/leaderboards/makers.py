"""Legs, sets and simulated leagues to test with."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from leaderboards.results import LegResult, SetResult
from leaderboards.statistics import ELO_PER_NATURAL_UNIT

PARTNERS = ((0, 2), (1, 3))
SINGLES = ((0,), (1,), (2,), (3,))


def leg(board: int = 0, number: int = 0, points: Sequence[int] = (1, 0), **changes: Any) -> LegResult:
    """Return a leg of a pair ``a`` against ``b``, who change sides in leg 1."""
    values: dict[str, Any] = {
        "night": "monday",
        "pairing": 0,
        "variant": "standard",
        "board": board,
        "leg": number,
        "legs": 2,
        "seating": ("a", "b", "a", "b") if number == 0 else ("b", "a", "b", "a"),
        "sides": PARTNERS,
        "points": tuple(points),
        "end": "board",
        "decisions": 26,
        "seconds": 0.25,
    }
    return LegResult(**(values | changes))


def pair_of_legs(board: int, first: Sequence[int], second: Sequence[int], **changes: Any) -> list[LegResult]:
    """Return both legs of a board; points by side: ``a`` has side 0 in the first and side 1 in the second."""
    return [leg(board, 0, first, **changes), leg(board, 1, second, **changes)]


def rotation(board: int, entrants: Sequence[str], points: Sequence[Sequence[int]], **changes: Any) -> list[LegResult]:
    """Return a set of individuals: in leg *r* the entrant of seat *s* sits in seat *s + r*; points by seat."""
    count = len(entrants)
    values: dict[str, Any] = {"sides": tuple((seat,) for seat in range(count)), "legs": count, "variant": "buck"}
    values |= changes
    return [
        leg(board, r, points[r], seating=tuple(entrants[(seat - r) % count] for seat in range(count)), **values)
        for r in range(count)
    ]


def set_result(
    scores: Mapping[str, float], board: int = 0, *, pairing: int = 0, variant: str = "standard", **changes: Any
) -> SetResult:
    """Return a set with the given scores."""
    values: dict[str, Any] = {"night": "monday", "legs": len(scores)} | changes
    return SetResult(pairing=pairing, variant=variant, board=board, scores=scores, **values)


def match(one: str, other: str, wins: int, draws: int, losses: int, **place: Any) -> list[SetResult]:
    """Return the sets of a match."""
    outcomes = [(1.0, 0.0)] * wins + [(0.0, 0.0)] * draws + [(0.0, 1.0)] * losses
    return [set_result({one: ours, other: theirs}, board, **place) for board, (ours, theirs) in enumerate(outcomes)]


@dataclass(frozen=True)
class League:
    """A simulated league and the truth behind it."""

    truth: dict[str, float]
    """Elo about a mean of 0."""
    sets: list[SetResult]


def simulate(
    rng: np.random.Generator, *, entrants: int, sets: int, spread: float, draws: float = 0.0, seats: int = 2
) -> League:
    """Return a league in which every *seats* entrants meet in so many *sets*.

    Strengths are normal with a standard deviation of *spread* Elo. Two entrants: *draws* is the share of draws
    among equals. More: scores are strength plus Gumbel noise, so that the chance between every two is logistic and the
    comparisons of one set hang together.
    """
    strengths = rng.normal(0.0, spread / ELO_PER_NATURAL_UNIT, entrants)
    names = [f"bot{index}" for index in range(entrants)]
    results: list[SetResult] = []
    for met in itertools.combinations(range(entrants), seats):
        for scores in _scores(rng, strengths[list(met)], sets, draws):
            results.append(set_result({names[i]: float(s) for i, s in zip(met, scores, strict=True)}, len(results)))
    centred = (strengths - strengths.mean()) * ELO_PER_NATURAL_UNIT
    return League(dict(zip(names, map(float, centred), strict=True)), results)


def _scores(rng: np.random.Generator, strengths: Any, sets: int, draws: float) -> Iterable[Sequence[float]]:
    if len(strengths) > 2:
        return [list(strengths + rng.gumbel(size=len(strengths))) for _ in range(sets)]
    expected = 1.0 / (1.0 + np.exp(strengths[1] - strengths[0]))
    drawn = draws * 2.0 * min(expected, 1.0 - expected)
    won = expected - drawn / 2.0
    outcomes = rng.choice(3, size=sets, p=[won, drawn, 1.0 - won - drawn])
    return [((1.0, 0.0), (0.0, 0.0), (0.0, 1.0))[outcome] for outcome in outcomes]
