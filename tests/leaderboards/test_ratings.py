"""Ratings: published fits, a second implementation, hand-worked cases, simulated truth, properties."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize, special

from leaderboards import ratings
from leaderboards.ratings import OVERALL, PRIOR_DRAWS, VIRTUAL_SETS, RatingTable, fit, fit_pools
from leaderboards.results import HOUSE, ResultError, SetResult, sets_of
from leaderboards.statistics import ELO_PER_NATURAL_UNIT
from tests.leaderboards.makers import leg, match, pair_of_legs, rotation, set_result, simulate


def elo(table: RatingTable, entrant: str) -> float:
    value = table.row(entrant).elo
    assert value is not None
    return value


def error(table: RatingTable, entrant: str) -> float:
    value = table.row(entrant).error95
    assert value is not None
    return value


def every_number(table: RatingTable) -> list[float]:
    rows = [(row.elo, row.error95, row.score, row.points_per_board) for row in table.rows]
    return [value for value in (*itertools.chain.from_iterable(rows), *table.covariance.values()) if value is not None]


# --- published and second opinions --------------------------------------------------------------------------


def test_the_baseball_table_of_agresti(monkeypatch: pytest.MonkeyPatch) -> None:
    """A. Agresti, Categorical Data Analysis, table 10.10: American League East 1987, strengths about Baltimore's."""
    teams = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
    won = (
        (0, 7, 9, 7, 7, 9, 11),
        (6, 0, 7, 5, 11, 9, 9),
        (4, 6, 0, 7, 7, 8, 12),
        (6, 8, 6, 0, 6, 7, 10),
        (6, 2, 6, 7, 0, 7, 12),
        (4, 4, 5, 6, 6, 0, 6),
        (2, 4, 1, 3, 1, 7, 0),
    )
    published = (1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0)
    sets = [
        result
        for one, other in itertools.combinations(range(7), 2)
        for result in match(teams[one], teams[other], won[one][other], 0, won[other][one])
    ]
    with_prior = fit(sets)
    monkeypatch.setattr(ratings, "PRIOR_DRAWS", 1e-7)
    bare = fit(sets)
    for team, strength in zip(teams, published, strict=True):
        assert (elo(bare, team) - elo(bare, "Baltimore")) / ELO_PER_NATURAL_UNIT == pytest.approx(strength, abs=6e-4)
        difference = (elo(with_prior, team) - elo(with_prior, "Baltimore")) / ELO_PER_NATURAL_UNIT
        assert difference == pytest.approx(strength, abs=0.02)
    assert [row.entrant for row in bare.rows] == list(teams)


def _with_choix(sets: Sequence[SetResult]) -> dict[str, float]:
    """Return the same estimate by choix's iterative Luce spectral ranking.

    The prior is one more item of the comparisons, weights and halves become repetitions: 24 for a whole result.
    """
    names = sorted(set(itertools.chain.from_iterable(result.scores for result in sets)))
    wins: list[tuple[int, int]] = []
    for result in sets:
        for one, other in result.opponents:
            outcome, whole = result.result(one, other), 24 * 2 // len(result.scores)
            pair = (names.index(one), names.index(other))
            wins += [pair] * round(whole * outcome) + [pair[::-1]] * round(whole * (1.0 - outcome))
    prior = round(24 * PRIOR_DRAWS / 2)
    for index in range(len(names)):
        wins += [(index, len(names)), (len(names), index)] * prior
    strengths = choix.ilsr_pairwise(len(names) + 1, wins, max_iter=1000, tol=1e-12)[: len(names)]
    centred = (strengths - strengths.mean()) * ELO_PER_NATURAL_UNIT
    return dict(zip(names, map(float, centred), strict=True))


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (5, 2), (5, 3), (5, 4)])
def test_the_fit_is_that_of_choix(entrants: int, seats: int) -> None:
    league = simulate(
        np.random.default_rng(entrants + seats), entrants=entrants, sets=6, spread=250, draws=0.3, seats=seats
    )
    table = fit(league.sets)
    for name, other in _with_choix(league.sets).items():
        assert elo(table, name) == pytest.approx(other, abs=0.01)


def test_the_fit_is_that_of_a_general_optimiser() -> None:
    league = simulate(np.random.default_rng(11), entrants=6, sets=8, spread=300, draws=0.4)
    names = sorted(league.truth)

    def cost(strengths: NDArray[np.float64]) -> float:
        total = -PRIOR_DRAWS / 2.0 * float((special.log_expit(strengths) + special.log_expit(-strengths)).sum())
        for result in league.sets:
            (one, other) = result.opponents[0]
            gap = strengths[names.index(one)] - strengths[names.index(other)]
            outcome = result.result(one, other)
            total -= outcome * float(special.log_expit(gap)) + (1.0 - outcome) * float(special.log_expit(-gap))
        return total

    found = optimize.minimize(cost, np.zeros(len(names)), method="BFGS", options={"gtol": 1e-7}).x
    expected = (found - found.mean()) * ELO_PER_NATURAL_UNIT
    table = fit(league.sets)
    assert [elo(table, name) for name in names] == pytest.approx(list(expected), abs=0.05)


# --- by hand ------------------------------------------------------------------------------------------------


def test_two_entrants_by_hand() -> None:
    """12 won, 8 lost. With difference d: 12 - 20 s(d) = 1/2 (s(d/2) - 1/2), s the logistic function.

    Spread seen 12 (1-p)^2 + 8 p^2, of the model 20 p (1-p), virtual 8/4; curvature of the difference's half-direction
    2 * 20 p (1-p) + prior.
    """
    table = fit(match("a", "b", 12, 0, 8))

    def gradient(d: float) -> float:
        return float(12 - 20 * special.expit(d) - PRIOR_DRAWS * (special.expit(d / 2) - 0.5))

    d = optimize.brentq(gradient, 0, 2, xtol=1e-14)
    difference = table.difference("a", "b")
    assert difference is not None
    assert difference[0] == pytest.approx(d * ELO_PER_NATURAL_UNIT, abs=1e-6)
    p, own = special.expit(d), special.expit(d / 2)
    prior = PRIOR_DRAWS * own * (1 - own)
    seen, model, virtual = 12 * (1 - p) ** 2 + 8 * p**2, 20 * p * (1 - p), VIRTUAL_SETS / 4
    spread = seen + max(0.0, virtual * (model - seen) / (model + virtual))
    variance = 2 * (2 * spread + prior) / (2 * model + prior) ** 2
    assert difference[1] == pytest.approx(math.sqrt(variance) * ELO_PER_NATURAL_UNIT, rel=1e-9)
    assert error(table, "a") == pytest.approx(1.959964 * difference[1] / 2, rel=1e-6)


def test_a_winless_entrant_does_not_spoil_the_table() -> None:
    """KT-64: A-B 12-8, A-C 20-0, B-C 20-0: A about 70 above B, all finite."""
    table = fit([*match("A", "B", 12, 0, 8), *match("A", "C", 20, 0, 0), *match("B", "C", 20, 0, 0)])
    assert [row.entrant for row in table.rows] == ["A", "B", "C"]
    assert elo(table, "A") - elo(table, "B") == pytest.approx(70.4, abs=7.0)
    assert -1500.0 < elo(table, "C") < -400.0
    assert error(table, "C") > 150.0
    assert all(map(math.isfinite, every_number(table)))


def test_a_void_game_is_refused() -> None:
    """KT-64."""
    with pytest.raises(ResultError, match="void"):
        leg(end="void")


def test_one_set_gives_a_wide_interval() -> None:
    """KT-60: one pair, then two identical ones; never +-0."""
    for sets in (
        match("a", "b", 1, 0, 0),
        match("a", "b", 2, 0, 0),
        match("a", "b", 0, 1, 0),
        match("a", "b", 0, 2, 0),
    ):
        table = fit(sets)
        assert error(table, "a") > 120.0
        assert all(map(math.isfinite, every_number(table)))


def test_a_thousand_drawn_sets_give_a_narrow_interval() -> None:
    """KT-62: it would be +-15 for the difference by single games, and half that for a rating."""
    table = fit(match("a", "b", 0, 1000, 0))
    assert elo(table, "a") == elo(table, "b") == 0.0
    assert 0.0 < error(table, "a") < 2.0


def test_a_sweep_of_two_hundred_leaves_a_wide_interval() -> None:
    """A sandwich alone would shrink to a few points here, because no spread is left to be seen."""
    table = fit([*match("a", "b", 200, 0, 0), *match("a", "c", 100, 0, 100), *match("b", "c", 0, 0, 200)])
    assert error(table, "b") > 120.0
    assert error(table, "a") < error(table, "b")


def test_equal_ratings_share_a_place() -> None:
    circle = [*match("b", "c", 3, 1, 2), *match("c", "d", 3, 1, 2), *match("d", "b", 3, 1, 2)]
    table = fit([*circle, *(one for name in "bcd" for one in match("a", name, 5, 0, 1))])
    assert [(row.rank, row.is_tied, row.entrant) for row in table.rows] == [
        (1, False, "a"),
        (2, True, "b"),
        (2, True, "c"),
        (2, True, "d"),
    ]


def test_the_place_after_a_shared_one_is_skipped() -> None:
    table = fit([*match("a", "b", 0, 4, 0), *match("a", "c", 4, 0, 1), *match("b", "c", 4, 0, 1)])
    assert [row.rank for row in table.rows] == [1, 1, 3]


def test_groups_that_never_met_are_kept_apart_and_said() -> None:
    table = fit([*match("a", "b", 3, 0, 1), *match("c", "d", 9, 0, 0), *match("d", "e", 1, 0, 1)], ["idle"])
    assert [(row.entrant, row.group, row.rank) for row in table.rows] == [
        ("c", 1, 1),
        ("e", 1, 2),
        ("d", 1, 3),
        ("a", 2, 1),
        ("b", 2, 2),
        ("idle", 3, None),
    ]
    assert table.notes[0].startswith("2 groups never met: c, d, e; a, b.")
    assert table.difference("a", "c") is None
    assert table.los("a", "c") is None
    for group in (("a", "b"), ("c", "d", "e")):
        assert sum(elo(table, name) for name in group) == pytest.approx(0.0, abs=1e-6)


def test_an_entrant_without_sets_has_no_rating() -> None:
    """KT-65: absent, not nan and not 0."""
    row = fit(match("a", "b", 1, 0, 0), ["late"]).row("late")
    assert (row.rank, row.elo, row.error95, row.score, row.points_per_board, row.sets) == (
        None,
        None,
        None,
        None,
        None,
        0,
    )


def test_no_sets_at_all_give_an_empty_table() -> None:
    assert fit([]).rows == ()
    assert [row.entrant for row in fit([], ["b", "a"]).rows] == ["a", "b"]
    assert fit_pools([])[OVERALL].sets == 0


def test_the_house_is_not_rated() -> None:
    legs = rotation(0, ("a", "b", HOUSE, HOUSE), [(1, 0, 9, 9), (9, 1, 0, 9), (9, 9, 1, 0), (0, 9, 9, 1)])
    table = fit(sets_of(legs))
    assert {row.entrant for row in table.rows} == {"a", "b"}
    assert table.row("a").wins == 1


def test_a_forfeit_counts_as_a_loss_whatever_the_points() -> None:
    legs = [leg(0, 0, (9, 0)), leg(0, 1, (0, 9), end="forfeit", forfeited=("a",))]
    table = fit(sets_of(legs))
    assert (table.row("a").losses, table.row("a").forfeits, table.row("b").forfeits) == (1, 1, 0)
    assert elo(table, "b") > 0.0 > elo(table, "a")


def test_a_half_played_set_changes_nothing() -> None:
    """KT-55."""
    whole = pair_of_legs(0, (2, 0), (0, 0)) + pair_of_legs(1, (0, 1), (0, 0))
    assert fit(sets_of([*whole, leg(2, 0, (9, 0))])) == fit(sets_of(whole))


# --- pools --------------------------------------------------------------------------------------------------


def test_the_overall_pool_counts_every_set_of_every_variant_once() -> None:
    sets = [*match("a", "b", 3, 1, 0, variant="standard"), *match("a", "b", 0, 1, 2, variant="buck", pairing=1)]
    tables = fit_pools(sets, ["late"])
    assert list(tables) == [OVERALL, "standard", "buck"]
    assert [table.sets for table in tables.values()] == [7, 4, 3]
    row = tables[OVERALL].row("a")
    assert (row.sets, row.wins, row.draws, row.losses) == (7, 3, 2, 2)
    assert tables["standard"].row("late").rank is None
    assert tables[OVERALL].variants == ("standard", "buck")


def test_a_single_pool_can_be_asked_for() -> None:
    tables = fit_pools(match("a", "b", 3, 1, 0), pools=["standard", "unheard-of"])
    assert [(name, table.sets) for name, table in tables.items()] == [("standard", 4), ("unheard-of", 0)]


def test_boards_and_games_in_one_pool_are_said() -> None:
    mixed = [set_result({"a": 1.0, "b": 0.0}), set_result({"a": 1.0, "b": 0.0}, 1, unit="games")]
    table = fit(mixed)
    assert table.units == ("boards", "games")
    assert any("mixed" in note for note in table.notes)


def test_the_crosstable_shows_every_pair_from_both_sides() -> None:
    table = fit([*match("a", "b", 3, 1, 2), *match("a", "c", 1, 0, 0)])
    assert set(table.crosstable) == {("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")}
    assert table.crosstable["b", "a"] == table.crosstable["a", "b"].swapped()
    assert table.crosstable["a", "b"].wins == 3


def test_points_are_against_the_mean_of_the_opponents() -> None:
    table = fit([set_result({"a": 6.0, "b": 3.0, "c": 0.0, "d": 3.0})])
    assert [table.row(name).points_per_board for name in "abcd"] == [1.0, 0.0, -1.0, 0.0]


# --- more than two in a set ---------------------------------------------------------------------------------


def test_a_set_of_four_weighs_three_results_not_six() -> None:
    """Four of equal strength, all scores tied: six comparisons of weight 1/2, each entrant in three of them."""
    sets = [set_result(dict.fromkeys("abcd", 0.0), board) for board in range(10)]
    comparisons = ratings._compare(sets, {name: index for index, name in enumerate("abcd")})
    assert comparisons.weight.sum() == pytest.approx(10 * 3)


def test_comparisons_of_one_set_hang_together_and_the_interval_says_so() -> None:
    """``a`` wins its set outright or comes last, all three comparisons alike: that is one result, not three.

    Taken for three of separate sets they would seem three times as sure.
    """
    together = [
        set_result(
            {"a": 9.0 if board % 2 else -9.0, "b": float(board % 3), "c": float((board + 1) % 3), "d": 1.0}, board
        )
        for board in range(60)
    ]
    table = fit(together)
    comparisons = ratings._compare(together, {name: index for index, name in enumerate("abcd")})
    apart = ratings._Comparisons(
        np.arange(len(comparisons.cluster)),
        comparisons.first,
        comparisons.second,
        comparisons.result,
        comparisons.weight,
    )
    strengths = ratings._most_likely(4, comparisons)
    naive, clustered = (
        ratings._centred(strengths, ratings._covariance(4, evidence, strengths), [[0, 1, 2, 3]])[1][0, 0]
        for evidence in (apart, comparisons)
    )
    assert clustered > 2.0 * naive
    assert error(table, "a") == pytest.approx(1.959964 * math.sqrt(clustered), rel=1e-6)
    assert any("every two of a set are compared" in note for note in table.notes)


# --- simulated truth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entrants", "sets", "spread", "draws", "seats"),
    [(2, 10, 150, 0.6, 2), (4, 10, 200, 0.3, 2), (6, 10, 300, 0.3, 2), (4, 20, 200, 0.0, 4)],
)
def test_intervals_cover_the_truth(entrants: int, sets: int, spread: float, draws: float, seats: int) -> None:
    """80 leagues each, seed 7. Ratings and differences, 95 % nominal; the prior makes small leagues cautious."""
    covered, total = _coverage(80, entrants, sets, spread, draws, seats)
    assert 0.91 <= covered / total <= 1.0, (covered, total)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "sets", "spread", "draws", "seats", "least", "most"),
    [
        (2, 100, 150, 0.9, 2, 0.93, 0.98),
        (4, 40, 200, 0.5, 2, 0.94, 0.985),
        (8, 20, 150, 0.0, 2, 0.935, 0.975),
        (4, 40, 600, 0.2, 2, 0.90, 0.98),
        (6, 10, 200, 0.0, 4, 0.925, 0.97),
    ],
)
def test_intervals_cover_the_truth_in_many_leagues(
    entrants: int, sets: int, spread: float, draws: float, seats: int, least: float, most: float
) -> None:
    """400 leagues each, seed 7."""
    covered, total = _coverage(400, entrants, sets, spread, draws, seats)
    assert least <= covered / total <= most, (covered, total)


def _coverage(leagues: int, entrants: int, sets: int, spread: float, draws: float, seats: int) -> tuple[int, int]:
    rng = np.random.default_rng(7)
    covered = total = 0
    for _ in range(leagues):
        league = simulate(rng, entrants=entrants, sets=sets, spread=spread, draws=draws, seats=seats)
        table = fit(league.sets)
        for name, truth in league.truth.items():
            covered += abs(elo(table, name) - truth) <= error(table, name)
            total += 1
    return covered, total


def test_more_sets_find_the_truth() -> None:
    """Within four standard errors, and those shrink with the root of the number of sets."""
    errors = []
    for sets in (80, 1280):
        league = simulate(np.random.default_rng(3), entrants=4, sets=sets, spread=150, draws=0.3)
        table = fit(league.sets)
        assert all(abs(elo(table, name) - truth) < 2.05 * error(table, name) for name, truth in league.truth.items())
        errors.append(np.mean([error(table, name) for name in league.truth]))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


# --- properties ---------------------------------------------------------------------------------------------

_names = st.sampled_from("abcde")


@st.composite
def _sets(draw: st.DrawFn) -> list[SetResult]:
    results = []
    for board in range(draw(st.integers(0, 12))):
        entrants = draw(st.lists(_names, min_size=1, max_size=4, unique=True))
        scores = {name: float(draw(st.integers(-2, 2))) for name in entrants}
        forfeited = frozenset(draw(st.sets(st.sampled_from(entrants), max_size=2)))
        results.append(set_result(scores, board, forfeited=forfeited))
    return results


@given(_sets())
@settings(max_examples=60)
def test_whatever_happened_every_number_is_finite(sets: list[SetResult]) -> None:
    table = fit(sets, ["late"])
    assert all(map(math.isfinite, every_number(table)))
    for row in table.rows:
        assert (row.elo is None) == (row.rank is None) == (row.sets == 0)
        assert row.error95 is None or row.error95 > 0.0


@given(_sets(), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_neither_the_order_of_the_sets_nor_the_names_matter(sets: list[SetResult], random: Random) -> None:
    shuffled = list(sets)
    random.shuffle(shuffled)
    renamed = [
        set_result(
            {name.translate({97 + i: 122 - i for i in range(5)}): score for name, score in result.scores.items()},
            result.board,
            forfeited=frozenset(name.translate({97 + i: 122 - i for i in range(5)}) for name in result.forfeited),
        )
        for result in shuffled
    ]
    one, other = fit(sets), fit(renamed)
    for row in one.rows:
        twin = other.row(row.entrant.translate({97 + i: 122 - i for i in range(5)}))
        if row.elo is None:
            assert twin.elo is None
        else:
            assert twin.elo == pytest.approx(row.elo, abs=1e-4)
            assert twin.error95 == pytest.approx(row.error95, abs=1e-4)
            assert (twin.rank, twin.is_tied) == (row.rank, row.is_tied)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
@settings(max_examples=40)
def test_swapping_a_match_mirrors_its_ratings(won: int, drawn: int, lost: int) -> None:
    one, other = fit(match("a", "b", won, drawn, lost)), fit(match("a", "b", lost, drawn, won))
    if won + drawn + lost:
        assert elo(one, "a") == pytest.approx(-elo(other, "a"), abs=1e-6)
        assert error(one, "a") == pytest.approx(error(other, "a"), abs=1e-6)
        assert (elo(one, "a") > 1e-9) == (won > lost)
        one_sure, other_sure = one.los("a", "b"), other.los("a", "b")
        assert one_sure is not None
        assert other_sure == pytest.approx(1.0 - one_sure)
