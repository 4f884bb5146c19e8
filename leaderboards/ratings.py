"""Ratings of a pool of entrants: a pure function of whole sets.

**Model.** Bradley and Terry (1952): *a* beats *b* with chance ``1 / (1 + exp(-(a - b)))`` where *a* and *b* are
strengths; a draw is half a win and half a loss. Strengths are shown on the logistic Elo scale, 400 points for ten
times the odds. Each group of entrants that met one another, directly or through others, has a mean of 0; between
groups nothing can be compared, and the table says so.

**Evidence.** The unit is the whole set. In a set of *m* rated entrants every two that were opponents are compared,
and each comparison weighs ``2 / m``: so the set weighs *m* - 1, as many results as are free in an order of *m*, and
1 where two met. (With scores of independent spread that weight makes the information of all comparisons together
exactly that of the scores.) Each set counts once, in its variant's pool and in the overall pool.

**Prior.** Every entrant has half a virtual set, drawn, against an opponent of strength 0. So the winless and the
unbeaten are finite, and the estimate is the mode of a proper posterior; where both won now and then, it hardly shows.

**Intervals.** 95 %, by the sandwich ``H^-1 M H^-1`` with the set as the cluster: *H* is the curvature at the estimate
and *M* the sum, over sets, of the squared gradient of the set as a whole. So comparisons within one set may be
correlated as they like, and sets often drawn give the narrow interval they deserve. A bare sandwich collapses where
somebody lost everything (no spread is left to be seen); therefore the spread seen between two entrants is pulled
towards that of the model with the weight of ``VIRTUAL_SETS`` even sets, and the prior counts as evidence too.
Coverage in simulated leagues is in ``docs/ratings.md``.

Sources: R. Bradley, M. Terry, Biometrika 39 (1952); D. Hunter, MM algorithms for generalized Bradley-Terry models,
Annals of Statistics 32 (2004), for when an estimate exists; H. White, Econometrica 50 (1982), and C. Varin, N. Reid,
D. Firth, An overview of composite likelihood methods, Statistica Sinica 21 (2011), for the sandwich.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse, special

from leaderboards.results import SetResult
from leaderboards.statistics import ELO_PER_NATURAL_UNIT, SetStatistics

OVERALL: Final = "overall"
"""The pool of all variants together."""
PRIOR_DRAWS: Final = 0.5
"""Virtual sets, drawn, of every entrant against an opponent of strength 0."""
VIRTUAL_SETS: Final = 8.0
"""Even sets by which the spread seen between two entrants is pulled towards the model's."""

_QUANTILE: Final = 1.959963984540054
_MOST_STEPS: Final = 200
_STEP_TOLERANCE: Final = 1e-11
"""In strength; a point of Elo is 0.006."""

_Vector: TypeAlias = NDArray[np.float64]
_Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """One entrant's line of a rating table."""

    rank: int | None
    """1 is the best of its group; entrants whose ratings agree to a whole point share a rank. None if unrated."""
    is_tied: bool
    entrant: str
    elo: float | None
    """Relative to the mean of its group. None for an entrant that met no rated opponent."""
    error95: float | None
    """Half the width of the 95 % interval."""
    group: int
    """Entrants of different groups never met, not even through others; groups count from 1, the largest first."""
    sets: int
    """Whole sets against rated opponents."""
    wins: int
    """Opponents beaten, over all sets; where two meet, that is sets won."""
    draws: int
    losses: int
    boards: int
    """Boards played in those sets."""
    points_per_board: float | None
    """Points, less the mean of the opponents' points, per board played."""
    faults: Mapping[str, int]
    """Count by kind."""
    forfeits: int
    """Sets lost by forfeit."""

    @property
    def score(self) -> float | None:
        """Share of the comparisons won, draws half, from 0 to 1; None without any."""
        count = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2.0) / count if count else None

    @property
    def fault_count(self) -> int:
        """Faults of all kinds."""
        return sum(self.faults.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTable:
    """The ratings of one pool, best first; one group after another, the unrated last."""

    pool: str
    """A variant, or :data:`OVERALL`."""
    rows: tuple[RatingRow, ...]
    crosstable: Mapping[tuple[str, str], SetStatistics]
    """The sets of every two that met, under (entrant, opponent) and under (opponent, entrant)."""
    covariance: Mapping[tuple[str, str], float]
    """Of the ratings of every two rated entrants of one group, in Elo squared."""
    sets: int
    """Whole sets in the pool."""
    variants: tuple[str, ...]
    units: tuple[str, ...]
    """``boards``, ``games`` or, if they were mixed, both."""
    most_entrants: int
    """Of any set; above 2 the comparisons within one set are several."""
    notes: tuple[str, ...]
    """What a reader has to know, a sentence each."""

    def row(self, entrant: str) -> RatingRow:
        """Return an entrant's line; raises ``KeyError`` for a stranger."""
        for row in self.rows:
            if row.entrant == entrant:
                return row
        raise KeyError(entrant)

    def difference(self, entrant: str, opponent: str) -> tuple[float, float] | None:
        """Return the Elo difference and its standard error; None if the two cannot be compared."""
        one, other = self.row(entrant), self.row(opponent)
        if one.elo is None or other.elo is None or one.group != other.group:
            return None
        variance = (
            self.covariance[entrant, entrant]
            + self.covariance[opponent, opponent]
            - 2.0 * self.covariance[entrant, opponent]
        )
        return one.elo - other.elo, math.sqrt(max(0.0, variance))

    def los(self, entrant: str, opponent: str) -> float | None:
        """Return how sure it is that *entrant* is better than *opponent*, 0 to 1; None if they cannot be compared."""
        difference = self.difference(entrant, opponent)
        if difference is None:
            return None
        elo, error = difference
        return float(special.ndtr(elo / error)) if error > 0.0 else 0.5


def fit_pools(
    sets: Iterable[SetResult], entrants: Iterable[str] = (), *, pools: Iterable[str] | None = None
) -> dict[str, RatingTable]:
    """Return a table for the overall pool, then one for each variant in the order in which they appear.

    *entrants* are listed even if they played no set. *pools* narrows what is fitted.
    """
    every = list(sets)
    by_pool: dict[str, list[SetResult]] = {OVERALL: every}
    for result in every:
        by_pool.setdefault(result.variant, []).append(result)
    wanted = by_pool if pools is None else {pool: by_pool.get(pool, []) for pool in pools}
    listed = tuple(entrants)
    return {pool: fit(results, listed, pool=pool) for pool, results in wanted.items()}


def fit(sets: Sequence[SetResult], entrants: Iterable[str] = (), *, pool: str = OVERALL) -> RatingTable:
    """Return the rating table of *sets*; *entrants* are listed even if they played none. Never holds NaN."""
    names = sorted({*entrants, *itertools.chain.from_iterable(result.scores for result in sets)})
    comparisons = _compare(sets, {name: index for index, name in enumerate(names)})
    groups = _groups(len(names), comparisons)
    strengths = _most_likely(len(names), comparisons)
    covariance = _covariance(len(names), comparisons, strengths)
    elo, elo_covariance = _centred(strengths, covariance, groups)
    crosstable = _crosstable(sets)
    return RatingTable(
        pool=pool,
        rows=_rows(names, groups, elo, elo_covariance, _tallies(sets, names)),
        crosstable=crosstable,
        covariance=_named_covariance(names, groups, elo_covariance),
        sets=len(sets),
        variants=tuple(dict.fromkeys(result.variant for result in sets)),
        units=tuple(sorted({result.unit for result in sets})),
        most_entrants=max((len(result.scores) for result in sets), default=0),
        notes=tuple(_notes(sets, names, groups)),
    )


# --- evidence -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Comparisons:
    """Every comparison of every set, as columns of equal length."""

    cluster: NDArray[np.intp]
    """Which set."""
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    result: _Vector
    """1, 1/2 or 0, as the first sees it."""
    weight: _Vector


def _compare(sets: Sequence[SetResult], number: Mapping[str, int]) -> _Comparisons:
    rows = [
        (cluster, number[one], number[other], result.result(one, other), 2.0 / len(result.scores))
        for cluster, result in enumerate(sets)
        for one, other in result.opponents
    ]
    columns = [np.array(column) for column in zip(*rows, strict=True)] if rows else [np.zeros(0)] * 5
    cluster, first, second, results, weights = columns
    return _Comparisons(
        cluster.astype(np.intp),
        first.astype(np.intp),
        second.astype(np.intp),
        results.astype(np.float64),
        weights.astype(np.float64),
    )


def _groups(count: int, comparisons: _Comparisons) -> list[list[int]]:
    """Return who is connected with whom by comparisons: the largest group first, then by lowest number."""
    parent = list(range(count))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    met = {(int(one), int(other)) for one, other in zip(comparisons.first, comparisons.second, strict=True)}
    for one, other in met:
        parent[root(one)] = root(other)
    members: dict[int, list[int]] = {}
    for index in range(count):
        members.setdefault(root(index), []).append(index)
    return sorted(members.values(), key=lambda group: (-len(group), group[0]))


# --- the fit ------------------------------------------------------------------------------------------------


def _most_likely(count: int, comparisons: _Comparisons) -> _Vector:
    """Return the strengths at the mode of the posterior, by Newton's method with halved steps.

    The posterior is strictly log-concave, so there is one mode and the climb cannot end anywhere else.
    """
    strengths: _Vector = np.zeros(count)
    height = _log_posterior(strengths, comparisons)
    for _ in range(_MOST_STEPS if count else 0):
        gradient, curvature = _slopes(strengths, comparisons)
        step = linalg.solve(curvature, gradient, assume_a="pos")
        noise = 1e-12 * max(1.0, abs(height))
        while (reached := _log_posterior(strengths + step, comparisons)) < height - noise:
            step = step / 2.0
        strengths, height = strengths + step, reached
        if float(np.max(np.abs(step))) < _STEP_TOLERANCE:
            return strengths
    if count:
        raise ArithmeticError(f"the ratings did not settle in {_MOST_STEPS} steps")
    return strengths


def _log_posterior(strengths: _Vector, comparisons: _Comparisons) -> float:
    gap = strengths[comparisons.first] - strengths[comparisons.second]
    won, lost = special.log_expit(gap), special.log_expit(-gap)
    data = np.dot(comparisons.weight, comparisons.result * won + (1.0 - comparisons.result) * lost)
    prior = PRIOR_DRAWS * 0.5 * (special.log_expit(strengths) + special.log_expit(-strengths)).sum()
    return float(data + prior)


def _slopes(strengths: _Vector, comparisons: _Comparisons) -> tuple[_Vector, _Matrix]:
    """Return the gradient of the log posterior and its negative second derivative."""
    first, second = comparisons.first, comparisons.second
    expected = special.expit(strengths[first] - strengths[second])
    pull = comparisons.weight * (comparisons.result - expected)
    gradient = PRIOR_DRAWS * (0.5 - special.expit(strengths))
    np.add.at(gradient, first, pull)
    np.add.at(gradient, second, -pull)
    curvature = np.diag(_prior_curvature(strengths))
    _add_pairs(curvature, comparisons, comparisons.weight * expected * (1.0 - expected))
    return gradient, curvature


def _prior_curvature(strengths: _Vector) -> _Vector:
    return np.asarray(PRIOR_DRAWS * special.expit(strengths) * special.expit(-strengths))


def _add_pairs(matrix: _Matrix, comparisons: _Comparisons, amounts: _Vector) -> None:
    """Add ``amount * (e_i - e_j)(e_i - e_j)'`` for every comparison of *i* with *j*."""
    first, second = comparisons.first, comparisons.second
    np.add.at(matrix, (first, first), amounts)
    np.add.at(matrix, (second, second), amounts)
    np.add.at(matrix, (first, second), -amounts)
    np.add.at(matrix, (second, first), -amounts)


def _covariance(count: int, comparisons: _Comparisons, strengths: _Vector) -> _Matrix:
    """Return the covariance of the strengths by the regularised sandwich of the module's docstring."""
    _, curvature = _slopes(strengths, comparisons)
    spread = np.diag(_prior_curvature(strengths))
    spread += _seen_spread(count, comparisons, strengths)
    _add_missing_spread(spread, comparisons, strengths)
    inverse = linalg.inv(curvature) if count else curvature
    return np.asarray(inverse @ spread @ inverse)


def _seen_spread(count: int, comparisons: _Comparisons, strengths: _Vector) -> _Matrix:
    """Return the sum over sets of the set's gradient times itself."""
    expected = special.expit(strengths[comparisons.first] - strengths[comparisons.second])
    pull = comparisons.weight * (comparisons.result - expected)
    rows = np.concatenate((comparisons.cluster, comparisons.cluster))
    columns = np.concatenate((comparisons.first, comparisons.second))
    clusters = int(comparisons.cluster.max(initial=-1)) + 1
    gradients = sparse.csr_array((np.concatenate((pull, -pull)), (rows, columns)), shape=(clusters, count))
    return np.asarray((gradients.T @ gradients).toarray())


def _add_missing_spread(spread: _Matrix, comparisons: _Comparisons, strengths: _Vector) -> None:
    """Add, for every two that met, what pulls the spread seen between them towards that of the model.

    With *R* seen and *V* expected, and *a* that of the virtual even sets, the spread becomes
    ``V (R + a) / (V + a)``, that is *R* and ``a (V - R) / (V + a)`` more.
    """
    count = len(strengths)
    expected = special.expit(strengths[comparisons.first] - strengths[comparisons.second])
    squares = comparisons.weight**2
    pair = comparisons.first * count + comparisons.second
    pairs, place = np.unique(pair, return_inverse=True)
    seen = np.bincount(place, squares * (comparisons.result - expected) ** 2, len(pairs))
    model = np.bincount(place, squares * expected * (1.0 - expected), len(pairs))
    virtual = VIRTUAL_SETS / 4.0 * np.bincount(place, squares, len(pairs)) / np.bincount(place, minlength=len(pairs))
    missing = np.maximum(0.0, virtual * (model - seen) / (model + virtual))
    for which, amount in zip(pairs, missing, strict=True):
        one, other = divmod(int(which), count)
        spread[one, one] += amount
        spread[other, other] += amount
        spread[one, other] -= amount
        spread[other, one] -= amount


def _centred(strengths: _Vector, covariance: _Matrix, groups: list[list[int]]) -> tuple[_Vector, _Matrix]:
    """Return ratings and their covariance in Elo, each group about its own mean."""
    centring = np.eye(len(strengths))
    for group in groups:
        centring[np.ix_(group, group)] -= 1.0 / len(group)
    elo = centring @ strengths * ELO_PER_NATURAL_UNIT
    return elo, centring @ covariance @ centring.T * ELO_PER_NATURAL_UNIT**2


# --- the table ----------------------------------------------------------------------------------------------


class _Tally:
    """An entrant's sums, while they are made."""

    __slots__ = ("boards", "draws", "faults", "forfeits", "losses", "margin", "sets", "wins")

    def __init__(self) -> None:
        self.sets = self.wins = self.draws = self.losses = self.boards = self.forfeits = 0
        self.margin = 0.0
        self.faults: dict[str, int] = {}

    def add(self, result: SetResult, entrant: str) -> None:
        for kind, count in result.faults.get(entrant, {}).items():
            self.faults[kind] = self.faults.get(kind, 0) + count
        opponents = [one if other == entrant else other for one, other in result.opponents if entrant in (one, other)]
        if not opponents:
            return
        outcomes = [result.result(entrant, opponent) for opponent in opponents]
        self.sets += 1
        self.wins += outcomes.count(1.0)
        self.draws += outcomes.count(0.5)
        self.losses += outcomes.count(0.0)
        self.boards += result.legs
        self.forfeits += entrant in result.forfeited
        theirs = sum(result.points[opponent] for opponent in opponents) / len(opponents)
        self.margin += result.points[entrant] - theirs


def _tallies(sets: Sequence[SetResult], names: Sequence[str]) -> dict[str, _Tally]:
    tallies = {name: _Tally() for name in names}
    for result in sets:
        for name in result.scores:
            tallies[name].add(result, name)
    return tallies


def _rows(
    names: Sequence[str],
    groups: list[list[int]],
    elo: _Vector,
    covariance: _Matrix,
    tallies: Mapping[str, _Tally],
) -> tuple[RatingRow, ...]:
    group_of = {index: number for number, group in enumerate(groups, start=1) for index in group}
    shown = {index: _shown(elo[index]) for group in groups if len(group) > 1 for index in group}
    order = sorted(
        range(len(names)),
        key=lambda index: (
            index not in shown,
            group_of[index] if index in shown else 0,
            -shown.get(index, 0),
            names[index].casefold(),
            names[index],
        ),
    )
    rows = []
    for index in order:
        tally = tallies[names[index]]
        rated = index in shown
        peers = [shown[peer] for peer in groups[group_of[index] - 1]] if rated else []
        rows.append(
            RatingRow(
                rank=1 + sum(peer > shown[index] for peer in peers) if rated else None,
                is_tied=rated and peers.count(shown[index]) > 1,
                entrant=names[index],
                elo=float(elo[index]) if rated else None,
                error95=_QUANTILE * math.sqrt(max(0.0, float(covariance[index, index]))) if rated else None,
                group=group_of[index],
                sets=tally.sets,
                wins=tally.wins,
                draws=tally.draws,
                losses=tally.losses,
                boards=tally.boards,
                points_per_board=tally.margin / tally.boards if tally.boards else None,
                faults=dict(sorted(tally.faults.items())),
                forfeits=tally.forfeits,
            )
        )
    return tuple(rows)


def _shown(elo: float) -> int:
    """Return a rating as it is printed: whole points. Rounded twice, lest the last bit part equals."""
    return round(round(float(elo), 6))


def _crosstable(sets: Sequence[SetResult]) -> dict[tuple[str, str], SetStatistics]:
    sums: dict[tuple[str, str], SetStatistics] = {}
    for result in sets:
        for pair in result.opponents:
            sums[pair] = sums.get(pair, SetStatistics()) + SetStatistics.of_set(result, *pair)
    return sums | {(other, one): statistics.swapped() for (one, other), statistics in sums.items()}


def _named_covariance(
    names: Sequence[str], groups: list[list[int]], covariance: _Matrix
) -> dict[tuple[str, str], float]:
    return {
        (names[one], names[other]): float(covariance[one, other])
        for group in groups
        if len(group) > 1
        for one, other in itertools.product(group, repeat=2)
    }


def _notes(sets: Sequence[SetResult], names: Sequence[str], groups: list[list[int]]) -> Iterable[str]:
    rated = [group for group in groups if len(group) > 1]
    if len(rated) > 1:
        parts = "; ".join(", ".join(names[index] for index in group) for group in rated)
        yield f"{len(rated)} groups never met: {parts}. Ratings of different groups cannot be compared."
    idle = [names[group[0]] for group in groups if len(group) == 1]
    if idle:
        yield f"Not rated, for want of a set against a rated opponent: {', '.join(idle)}."
    if len({result.unit for result in sets}) > 1:
        yield "Boards and whole games are mixed in this pool; each set counts once."
    if max((len(result.scores) for result in sets), default=0) > 2:
        yield (
            "Where more than two entrants meet, every two of a set are compared (W-D-L counts opponents); "
            "the intervals take the whole set as one piece of evidence."
        )
