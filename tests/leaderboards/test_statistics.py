"""Elo, its interval and its likelihood over whole sets: published values, hand-worked cases, properties, coverage."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from leaderboards.results import sets_of
from leaderboards.statistics import SetStatistics, elo_from_score, score_from_elo, statistics_between
from tests.leaderboards.makers import match, pair_of_legs, set_result

_counts = st.integers(0, 10_000)


# --- the scale ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "elo"),
    [
        (0.5, 0.0),
        (10 / 11, 400.0),  # ten times the odds, by definition
        (1 / 11, -400.0),
        (12 / 20, 70.436504),  # 400 * log10(12 / 8), KT-64
        (0.64, 99.95),  # A. Elo's round figures: 100 points, 64 %; 200 points, 76 %
        (0.76, 200.24),
        (1811.5 / 3502, 12.00),  # KT-61: 880 wins, 759 losses, 1863 draws
    ],
)
def test_logistic_elo_has_the_published_values(score: float, elo: float) -> None:
    assert elo_from_score(score) == pytest.approx(elo, abs=0.01)
    assert score_from_elo(elo) == pytest.approx(score, abs=1e-4)


@given(st.floats(-2000, 2000))
def test_score_and_elo_undo_each_other(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize("score", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_a_score_without_finite_elo_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="no finite Elo"):
        elo_from_score(score)


# --- Elo of a match -----------------------------------------------------------------------------------------


def test_elo_by_hand() -> None:
    """Three won, one drawn, two lost: (3 + 1/2 + 3/4) / (6 + 3/2) = 17/30, odds 17 to 13."""
    assert SetStatistics(3, 1, 2).elo() == pytest.approx(400.0 * math.log10(17 / 13))


def test_without_draws_the_interval_is_near_the_jeffreys_interval_of_the_binomial() -> None:
    """Brown, Cai, DasGupta (2001), table 5, n = 7, X = 3: 0.139 to 0.766. Half a virtual draw moves it a little."""
    low, high = map(score_from_elo, SetStatistics(3, 0, 4).interval95())
    assert (low, high) == pytest.approx((0.139, 0.766), abs=0.02)


@pytest.mark.parametrize(
    "counts", [(1, 0, 0), (0, 1, 0), (0, 0, 0), (10, 0, 0), (12, 5, 8), (0, 3, 40), (200, 500, 180)]
)
def test_the_interval_is_that_of_a_million_draws_from_the_dirichlet_distribution(counts: tuple[int, int, int]) -> None:
    chances = np.random.default_rng(20).dirichlet([count + 0.5 for count in counts], 1_000_000)
    low, high = np.quantile(chances[:, 0] + chances[:, 1] / 2.0, [0.025, 0.975])
    got = [score_from_elo(end) for end in SetStatistics(*counts).interval95()]
    assert got == [pytest.approx(low, abs=2e-3), pytest.approx(high, abs=2e-3)]


def test_one_pair_says_almost_nothing() -> None:
    """KT-60: one pair won; then two identical pairs."""
    low, high = SetStatistics(1, 0, 0).interval95()
    assert low < -200.0
    assert high > 700.0
    assert 0.5 < SetStatistics(1, 0, 0).los() < 0.85
    low, high = SetStatistics(2, 0, 0).interval95()
    assert low < -50.0
    assert SetStatistics(2, 0, 0).los() < 0.95


def test_one_drawn_pair_says_almost_nothing() -> None:
    """KT-60: never +-0."""
    low, high = SetStatistics(0, 1, 0).interval95()
    assert low == pytest.approx(-high)
    assert high > 250.0


def test_a_thousand_split_pairs_are_zero_with_an_interval_near_zero() -> None:
    """KT-62: by single games it would be +-15."""
    match_ = SetStatistics(0, 1000, 0)
    low, high = match_.interval95()
    assert match_.elo() == 0.0
    assert -1.0 < low < 0.0 < high < 1.0
    assert match_.los() == pytest.approx(0.5)


def test_a_clean_sweep_is_finite() -> None:
    """KT-64."""
    sweep = SetStatistics(200, 0, 0)
    low, high = sweep.interval95()
    assert 600.0 < low < sweep.elo() < high < 2000.0
    assert 0.999 < sweep.los() <= 1.0


def test_likelihood_of_superiority_has_the_published_value() -> None:
    """Kai Laskos, Computer Chess Club, 22 January 2014: W 5975, L 6077, D 26894; exact 0.176424, by erf 0.176414."""
    assert SetStatistics(5975, 26894, 6077).los() == pytest.approx(0.17642, abs=2e-5)


def test_likelihood_agrees_with_the_normal_law_where_sets_are_many() -> None:
    won, lost = 5100, 4900
    normal = 0.5 * (1.0 + math.erf((won - lost) / math.sqrt(2.0 * (won + lost))))
    assert SetStatistics(won, 3000, lost).los() == pytest.approx(normal, abs=1e-3)


@given(_counts, _counts, _counts)
@example(10**9, 0, 0)
@example(0, 10**9, 0)
@example(1, 10**9, 0)
@settings(max_examples=50)
def test_everything_is_finite_and_the_estimate_lies_within(won: int, drawn: int, lost: int) -> None:
    one = SetStatistics(won, drawn, lost)
    low, high = one.interval95()
    assert all(map(math.isfinite, (low, one.elo(), high, one.los())))
    assert low < one.elo() < high
    assert 0.0 <= one.los() <= 1.0


@given(_counts, _counts, _counts)
@settings(max_examples=50)
def test_swapping_the_entrants_mirrors_everything(won: int, drawn: int, lost: int) -> None:
    one, other = SetStatistics(won, drawn, lost), SetStatistics(won, drawn, lost).swapped()
    assert one.elo() == pytest.approx(-other.elo(), abs=1e-9)
    assert one.interval95() == pytest.approx(tuple(-end for end in reversed(other.interval95())), abs=1e-5)
    assert one.los() + other.los() == pytest.approx(1.0)
    assert other.swapped() == one


@given(_counts, _counts, _counts)
@settings(max_examples=50)
def test_likelihood_and_interval_tell_the_same(won: int, drawn: int, lost: int) -> None:
    """Both are read from one distribution: sure to 97.5 % means that the interval leaves out 0."""
    one = SetStatistics(won, drawn, lost)
    low, _ = one.interval95()
    if abs(one.los() - 0.975) > 1e-3:
        assert (low > 0.0) == (one.los() > 0.975)


@given(_counts, _counts, _counts)
@settings(max_examples=50)
def test_one_more_win_raises_elo_and_likelihood(won: int, drawn: int, lost: int) -> None:
    before, after = SetStatistics(won, drawn, lost), SetStatistics(won + 1, drawn, lost)
    assert after.elo() > before.elo()
    assert after.los() >= before.los()


@pytest.mark.parametrize(("sets", "least", "mean"), [(5, 0.85, 0.93), (15, 0.85, 0.94), (25, 0.90, 0.94)])
def test_the_interval_covers_the_truth_in_95_of_100_matches(sets: int, least: float, mean: float) -> None:
    """By counting out every possible match, at scores from 0.5 to 0.97 and draw rates up to 0.8: no simulation."""
    results = [counts for counts in itertools.product(range(sets + 1), repeat=3) if sum(counts) == sets]
    ends = np.array([SetStatistics(*counts).interval95() for counts in results])
    coverage = []
    for score, draws in itertools.product((0.5, 0.6, 0.75, 0.9, 0.97), (0.0, 0.3, 0.8)):
        drawn = draws * 2.0 * min(score, 1.0 - score)
        chances = [score - drawn / 2.0, drawn, 1.0 - score - drawn / 2.0]
        truth = elo_from_score(score)
        is_covered = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        coverage.append(float(stats.multinomial.pmf(results, sets, chances) @ is_covered))
    assert min(coverage) >= least, coverage
    assert mean <= float(np.mean(coverage)) <= 0.97, coverage


# --- points per board ---------------------------------------------------------------------------------------


def test_points_per_board_by_hand() -> None:
    """Margins 1, 2, 0, 1 per set of two boards, so 1/2, 1, 0, 1/2 per board: mean 1/2, squares about it 1/2.

    With one virtual set of spread 1: variance (1/2 + 1) / 4, error of the mean sqrt(3/32), Student's t of 4 at 97.5 %
    is 2.776445 (any table).
    """
    boards = [((2, 1), (0, 0)), ((1, 0), (1, 2)), ((1, 0), (1, 0)), ((0, 0), (0, 1))]
    legs = [leg for board, (first, second) in enumerate(boards) for leg in pair_of_legs(board, first, second)]
    found = statistics_between(sets_of(legs), "a", "b")
    assert (found.wins, found.draws, found.losses, found.boards) == (3, 1, 0, 8)
    assert (found.points_for, found.points_against) == (7.0, 3.0)
    assert found.points_per_board() == 0.5
    half = 2.776445 * math.sqrt(3 / 32)
    assert found.points_interval95() == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)


def test_sets_of_different_length_weigh_by_their_boards() -> None:
    """Two boards won by 2, four boards won by 1: 3 points in 6 boards; off by +1 and -1, in sets of 3 boards."""
    sets = [set_result({"a": 2.0, "b": 0.0}, legs=2), set_result({"a": 1.0, "b": 0.0}, 1, legs=4)]
    found = statistics_between(sets, "a", "b")
    assert found.points_per_board() == 0.5
    half = 4.302653 * math.sqrt((2 / 9 + 1) / 2 / 2)  # Student's t of 2 at 97.5 %
    assert found.points_interval95() == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)


def test_one_set_and_two_equal_sets_give_wide_points() -> None:
    """KT-60."""
    one = statistics_between(match("a", "b", 1, 0, 0), "a", "b")
    two = statistics_between(match("a", "b", 2, 0, 0), "a", "b")
    for found, least in ((one, 10.0), (two, 2.0)):
        interval = found.points_interval95()
        assert interval is not None
        assert interval[1] - interval[0] > least


def test_without_a_set_the_points_are_unknown() -> None:
    assert SetStatistics().points_interval95() is None
    assert SetStatistics().score is None


def test_the_points_interval_covers_the_truth() -> None:
    """4,000 matches of 12 sets with normal margins about 0.3, spread 1.5 points per board; seed 5."""
    rng = np.random.default_rng(5)
    covered = 0
    for margins in rng.normal(0.3, 1.5, (4000, 12)):
        found = SetStatistics(
            wins=12,
            points_for=2.0 * float(margins.sum()),
            boards=24,
            margin_squares=4.0 * float((margins**2).sum()),
            margin_boards=4.0 * float(margins.sum()),
            board_squares=48,
        )
        low, high = found.points_interval95() or (0.0, 0.0)
        covered += low <= 0.3 <= high
    assert 0.935 <= covered / 4000 <= 0.965


@given(st.lists(st.tuples(st.integers(-30, 30), st.integers(-30, 30)), max_size=20))
def test_sums_of_sets_are_the_same_in_any_grouping(points: list[tuple[int, int]]) -> None:
    sets = [set_result({"a": float(ours), "b": float(theirs)}, board) for board, (ours, theirs) in enumerate(points)]
    whole = statistics_between(sets, "a", "b")
    parts = statistics_between(sets[:7], "a", "b") + statistics_between(sets[7:], "a", "b")
    assert whole == parts
    assert whole.swapped() == statistics_between(sets, "b", "a")
    interval = whole.points_interval95()
    assert interval is None or (math.isfinite(interval[0]) and interval[0] < whole.points_per_board() < interval[1])


def test_sets_of_others_are_passed_over() -> None:
    sets = [*match("a", "b", 2, 0, 0), *match("a", "c", 0, 0, 5), set_result({"a": 1.0, "b": 0.0, "c": 2.0}, 9)]
    found = statistics_between(sets, "a", "b")
    assert (found.wins, found.draws, found.losses) == (3, 0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"wins": -1},
        {"points_for": float("inf")},
        {"wins": 2, "boards": 2, "board_squares": 1},
        {"wins": 1, "boards": 2, "board_squares": 4, "points_for": 6.0, "margin_squares": 35.0},
    ],
)
def test_sums_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="SetStatistics"):
        SetStatistics(**wrong)  # type: ignore[arg-type]
