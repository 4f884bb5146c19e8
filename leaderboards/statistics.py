"""What a match between two entrants tells: Elo difference, its interval, and points, over whole sets.

**Scale.** Logistic Elo: a difference of *d* expects the score ``1 / (1 + 10 ** (-d / 400))`` per set, where a set
won counts 1, drawn 1/2, lost 0.

**Model.** The sets of a match are independent; the legs within one are not, and are never counted alone. Each set
is won, drawn or lost with chances *w*, *d*, *l*. What we know of the three after *W*, *D*, *L* sets is the
Dirichlet distribution with parameters *W* + 1/2, *D* + 1/2, *L* + 1/2: Jeffreys' prior, that is half a virtual set of
each result. Everything below is read from that one distribution, so it agrees with itself:

* the Elo difference is that of the mean score, ``(W + D/2 + 3/4) / (W + D + L + 3/2)``;
* the 95 % interval runs between the 2.5 % and 97.5 % quantiles of the score ``w + d/2``, computed exactly;
* the likelihood of superiority is the chance that ``w > l``, which is ``1 - I(1/2; W + 1/2, L + 1/2)`` with the
  regularised incomplete beta function *I*: draws say nothing about it.

So one set says almost nothing, a clean sweep is finite, and a thousand drawn sets give 0 with an interval near zero.
Over 2 to 40 sets the intervals cover the truth in 94 to 97 % of matches on the average of many strengths and draw
rates; the usual normal interval in 39 to 90 %, because after a sweep it has no width (table in ``docs/ratings.md``).

Sources: H. Jeffreys, Theory of Probability (1961), section 3.10; L. Brown, T. Cai, A. DasGupta, Interval Estimation
for a Binomial Proportion, Statistical Science 16 (2001), who recommend it for few trials; A. Gelman and others,
Bayesian Data Analysis (2013), sections 3.2 (mean and variance unknown) and 3.4 (Dirichlet).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from scipy import optimize, special

from leaderboards.results import SetResult

ELO_PER_NATURAL_UNIT: Final = 400.0 / math.log(10.0)
"""Elo points in one unit of the natural log of the odds: 173.72."""

VIRTUAL_SETS: Final = 0.5
"""Of each result: won, drawn, lost."""
VIRTUAL_MARGINS: Final = 1.0
"""How many sets the prior on the spread of the points per board is worth ..."""
VIRTUAL_SPREAD_POINTS: Final = 1.0
"""... and the spread it states, in points per board."""

CONFIDENCE: Final = 0.95
_TAIL: Final = (1.0 - CONFIDENCE) / 2.0
_LOG_ODDS_LIMIT: Final = 40.0
"""Far beyond anything a match can show: nearly 7000 Elo."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(100)  # ends right to 0.05 Elo; 200 nodes: to 0.01
_NODES, _WEIGHTS = (_NODES + 1.0) / 2.0, _WEIGHTS / 2.0


def score_from_elo(elo: float) -> float:
    """Return the expected score, between 0 and 1, at an Elo difference."""
    return float(special.expit(elo / ELO_PER_NATURAL_UNIT))


def elo_from_score(score: float) -> float:
    """Return the logistic Elo difference of a score strictly between 0 and 1.

    Raises ``ValueError`` for any other: a score of 0 or 1 has no finite Elo. :class:`SetStatistics` has one always.
    """
    if not 0.0 < score < 1.0:
        raise ValueError(f"a score of {score} has no finite Elo difference")
    return float(special.logit(score)) * ELO_PER_NATURAL_UNIT


@dataclass(frozen=True, slots=True)
class SetStatistics:
    """The sums over the whole sets of a match, as the first entrant sees them."""

    wins: int = 0
    """Sets won."""
    draws: int = 0
    losses: int = 0
    points_for: float = 0.0
    """Over all legs of all sets, higher is better."""
    points_against: float = 0.0
    boards: int = 0
    """Boards played: a set of two legs is its board played twice."""
    margin_squares: float = 0.0
    """Sum over the sets of the square of the margin, points for less points against."""
    margin_boards: float = 0.0
    """Sum over the sets of the margin times the boards played."""
    board_squares: int = 0
    """Sum over the sets of the square of the boards played."""

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses, self.boards) < 0:
            raise ValueError(f"counts below zero: {self}")
        if not all(map(math.isfinite, (self.points_for, self.points_against, self.margin_squares, self.margin_boards))):
            raise ValueError(f"points that are not numbers: {self}")
        if self.boards and not self.boards**2 <= self.board_squares * self.sets:
            raise ValueError(f"the boards played do not fit the sets: {self}")
        if self.margin_squares + 1e-9 < (self.points_for - self.points_against) ** 2 / max(1, self.sets) * (1.0 - 1e-9):
            raise ValueError(f"the squared margins do not fit the points: {self}")

    @classmethod
    def of_set(cls, result: SetResult, entrant: str, opponent: str) -> Self:
        """Return the statistics of one set between two who met in it."""
        outcome = result.result(entrant, opponent)
        ours, theirs = result.points[entrant], result.points[opponent]
        margin = ours - theirs
        return cls(
            wins=int(outcome == 1.0),
            draws=int(outcome == 0.5),
            losses=int(outcome == 0.0),
            points_for=ours,
            points_against=theirs,
            boards=result.legs,
            margin_squares=margin**2,
            margin_boards=margin * result.legs,
            board_squares=result.legs**2,
        )

    def __add__(self, other: SetStatistics) -> SetStatistics:
        return SetStatistics(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.points_for + other.points_for,
            self.points_against + other.points_against,
            self.boards + other.boards,
            self.margin_squares + other.margin_squares,
            self.margin_boards + other.margin_boards,
            self.board_squares + other.board_squares,
        )

    def swapped(self) -> SetStatistics:
        """Return the same match as the opponent sees it."""
        return SetStatistics(
            self.losses,
            self.draws,
            self.wins,
            self.points_against,
            self.points_for,
            self.boards,
            self.margin_squares,
            -self.margin_boards,
            self.board_squares,
        )

    @property
    def sets(self) -> int:
        """Whole sets."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """Share of the sets won, draws half, from 0 to 1; None without a set. Nothing virtual is in it."""
        return (self.wins + self.draws / 2.0) / self.sets if self.sets else None

    def elo(self) -> float:
        """Return the Elo difference; finite always, 0 without a set."""
        won, drawn, lost = self._posterior()
        return math.log((won + drawn / 2.0) / (lost + drawn / 2.0)) * ELO_PER_NATURAL_UNIT

    def interval95(self) -> tuple[float, float]:
        """Return the lower and upper end of the 95 % interval of the Elo difference; finite always."""
        won, drawn, lost = self._posterior()
        low = _log_odds_quantile(won, drawn, lost)
        high = -_log_odds_quantile(lost, drawn, won)
        return low * ELO_PER_NATURAL_UNIT, high * ELO_PER_NATURAL_UNIT

    def los(self) -> float:
        """Return the likelihood of superiority: how sure it is that the entrant is the better one, 0 to 1."""
        won, _, lost = self._posterior()
        return float(special.betaincc(won, lost, 0.5))

    def points_per_board(self) -> float:
        """Return the mean of (points for - points against) per board played; 0 without one."""
        return (self.points_for - self.points_against) / self.boards if self.boards else 0.0

    def points_interval95(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the points per board, over sets; None without a set.

        Student's t on what the margin of each set is off from that of so many boards at the mean, where one virtual
        set says that this spreads by one point per board (a scaled inverse chi-squared prior on the variance). So one
        set gives a wide interval, and so do two equal ones; after twenty sets the prior no longer shows.
        """
        if not self.sets or not self.boards:
            return None
        mean = self.points_per_board()
        squares = self.margin_squares - 2.0 * mean * self.margin_boards + mean * mean * self.board_squares
        boards_per_set = self.boards / self.sets
        freedom = self.sets - 1 + VIRTUAL_MARGINS
        seen = max(0.0, squares) / boards_per_set**2
        variance = (seen + VIRTUAL_MARGINS * VIRTUAL_SPREAD_POINTS**2) / freedom
        half = float(special.stdtrit(freedom, 1.0 - _TAIL)) * math.sqrt(variance / self.sets)
        return mean - half, mean + half

    def _posterior(self) -> tuple[float, float, float]:
        return self.wins + VIRTUAL_SETS, self.draws + VIRTUAL_SETS, self.losses + VIRTUAL_SETS


def statistics_between(sets: Iterable[SetResult], entrant: str, opponent: str) -> SetStatistics:
    """Return the statistics of the sets in which *entrant* met *opponent*; the other sets are passed over."""
    pair = tuple(sorted((entrant, opponent)))
    met = (SetStatistics.of_set(result, entrant, opponent) for result in sets if pair in result.opponents)
    return sum(met, SetStatistics())


def _log_odds_quantile(won: float, drawn: float, lost: float) -> float:
    """Return the 2.5 % quantile of the log odds of ``w + d/2`` under a Dirichlet distribution."""

    def excess(log_odds: float) -> float:
        return _chance_below(float(special.expit(log_odds)), won, drawn, lost) - _TAIL

    return float(optimize.brentq(excess, -_LOG_ODDS_LIMIT, _LOG_ODDS_LIMIT, xtol=1e-8))


def _chance_below(score: float, won: float, drawn: float, lost: float) -> float:
    """Return the chance that ``w + d/2 <= score`` under a Dirichlet distribution.

    The decided share ``t = w + l`` and the part won of it, ``y = w / t``, are independent beta variables, and
    ``w + d/2 = 1/2 + t (y - 1/2)``. We integrate the chance of *y* over the quantiles of *t*, leaving out the stretch
    (small *t*) in which the score lies beyond what *y* can reach and the chance is 0 or 1.
    """
    reachable = abs(2.0 * score - 1.0)
    start = float(special.betainc(won + lost, drawn, reachable))
    decided = special.betaincinv(won + lost, drawn, start + (1.0 - start) * _NODES)
    part_won = np.clip(0.5 + (score - 0.5) / np.maximum(decided, 1e-300), 0.0, 1.0)
    within = (1.0 - start) * float(np.dot(_WEIGHTS, special.betainc(won, lost, part_won)))
    return within + (start if score > 0.5 else 0.0)
