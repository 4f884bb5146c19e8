"""Standings as people and programs read them: layout, ties, names as text, strict JSON (KT-65, KT-66)."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from leaderboards.ratings import OVERALL, RatingTable, fit, fit_pools
from leaderboards.standings import (
    CrossTable,
    format_certainty,
    format_elo,
    format_percent,
    format_points,
    match_lines,
    match_to_dict,
    neighbours_line,
    pool_report,
    render,
    standings_report,
    standings_table,
    to_json,
)
from leaderboards.statistics import SetStatistics, statistics_between
from tests.leaderboards.makers import match, set_result


def strictly(text: str) -> Any:
    """Parse JSON as a strict parser does."""

    def refuse(name: str) -> object:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def small_league() -> dict[str, RatingTable]:
    sets = [
        *match("search", "heuristic", 30, 10, 20),
        *match("search", "random", 50, 4, 6, pairing=1),
        *match("heuristic", "random", 45, 5, 10, pairing=2),
        set_result({"search": 2.0, "random": 0.0}, 90, pairing=1, faults={"random": {"timeout": 3, "illegal": 1}}),
    ]
    return fit_pools(sets)


SMALL = """\
standard: 181 sets of boards
#  entrant      Elo  ±95%  sets     W-D-L  score  pts/board  faults
───────────────────────────────────────────────────────────────────
1  search      +126   ±45   121  81-14-26  72.7%      +0.23       0
2  heuristic    +59   ±44   120  65-15-40  60.4%      +0.10       0
3  random      -184   ±52   121   16-9-96  16.9%      -0.33       4

   score % against         1         2        3
───────────────────────────────────────────────
1  search                  ·      58.3     86.9
                              30-10-20   51-4-6
2  heuristic            41.7         ·     79.2
                    20-10-30            45-5-10
3  random               13.1      20.8        ·
                      6-4-51   10-5-45

Likelihood of superiority: search over heuristic 96.3%, heuristic over random
>99.9%.
Faults: random illegal 1, timeout 3.

Elo about a mean of 0 in each pool; ± is half the 95 % interval over whole sets.
"""


def test_a_small_league_looks_like_this() -> None:
    assert render(standings_report(small_league()), width=80) == SMALL


def test_one_variant_is_shown_once_and_several_with_the_overall_pool_first() -> None:
    assert "overall" not in render(standings_report(small_league()))
    two = fit_pools([*match("a", "b", 3, 1, 0), *match("a", "b", 1, 1, 0, variant="buck", pairing=1)])
    titles = [line for line in render(standings_report(two)).splitlines() if " sets of boards" in line]
    assert titles == [
        "overall: 6 sets of boards in 2 variants",
        "standard: 4 sets of boards",
        "buck: 2 sets of boards",
    ]


def test_shared_places_are_marked_and_explained() -> None:
    table = fit([*match("a", "b", 4, 0, 1), *match("a", "c", 4, 0, 1), *match("b", "c", 1, 1, 1)])
    text = render(standings_table(table))
    assert [line.split()[0] for line in text.splitlines()[3:]] == ["1", "2=", "2="]
    assert "shared" in render(standings_report({OVERALL: table}))
    assert "shared" not in render(standings_report(small_league()))


NAMES = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "[bold red]x[/]",
    "[link=http://x]y",
    ":smile:",
    "x" * 64,
]


def test_names_are_shown_as_they_are() -> None:
    """KT-66: no markup, no emoji code, nothing cut off."""
    table = fit([one for other in NAMES for one in match("a", other, 2, 0, 1)], ["[b]late[/b]"])
    text = render(pool_report(table), width=120)
    for name in [*NAMES[:-1], "[b]late[/b]"]:
        assert name in text
    narrow = render(standings_table(table), width=80)
    assert sum(line.count("x") for line in narrow.splitlines() if set(line[4:24].strip()) == {"x"}) == 64
    assert strictly(to_json({OVERALL: table}))["pools"][0]["entrants"][-1]["entrant"] == "[b]late[/b]"


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("entrants", [2, 3, 9, 30])
def test_nothing_is_wider_than_the_terminal_and_nothing_is_cut(width: int, entrants: int) -> None:
    names = [f"entrant-{number}" for number in range(entrants)]
    sets = [
        one
        for index, name in enumerate(names)
        for other in names[index + 1 :]
        for one in match(name, other, 2 + index % 3, 1, 1, pairing=index)
    ]
    text = render(pool_report(fit(sets)), width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\u2026" not in text
    heads = [line for line in text.splitlines() if "score % against" in line]
    assert [number for line in heads for number in line.split()[3:]] == (
        [str(number) for number in range(1, entrants + 1)] if entrants > 2 else []
    )


def test_the_crosstable_leaves_out_who_never_met() -> None:
    text = render(CrossTable(fit([*match("a", "b", 3, 1, 0), *match("b", "c", 4, 0, 0)])))
    line = next(line for line in text.splitlines() if line.startswith("1  a"))
    assert line.split() == ["1", "a", "\u00b7", "87.5"]


def test_groups_stand_apart_and_the_unrated_last() -> None:
    table = fit([*match("a", "b", 1, 0, 0), *match("c", "d", 0, 1, 0)], ["idle"])
    rows = render(standings_table(table)).splitlines()[3:]
    assert [row.split()[:3] if row else [] for row in rows] == [
        ["1", "a", rows[0].split()[2]],
        ["2", "b", rows[1].split()[2]],
        [],
        ["1=", "c", "0"],
        ["1=", "d", "0"],
        [],
        ["-", "idle", "-"],
    ]
    text = render(pool_report(table))
    assert "2 groups never met: a, b; c, d." in text
    assert "Not rated, for want of a set against a rated opponent: idle." in text


def test_many_neighbours_are_named_by_place() -> None:
    names = [f"a-rather-long-name-{number}" for number in range(6)]
    sets = [one for better, worse in itertools.pairwise(names) for one in match(better, worse, 5, 0, 3)]
    line = neighbours_line(fit(sets))
    assert line.startswith("Likelihood of superiority over the next in the table: #1 ")
    assert line.count("#") == 5
    assert neighbours_line(fit([])) == ""


def test_games_are_called_games() -> None:
    table = fit([set_result({"a": 1.0, "b": 0.0}, unit="games", points={"a": 10.0, "b": 3.0})])
    text = render(standings_table(table))
    assert "1 set of games" in text
    assert "pts/game" in text
    assert "+3.50" in text


def test_forfeits_are_told() -> None:
    table = fit([set_result({"a": 1.0, "b": 0.0}, forfeited=frozenset("a"), faults={"a": {"forfeit": 1}})])
    assert "Faults: a forfeit 1, 1 set lost by forfeit." in render(pool_report(table))


# --- JSON ---------------------------------------------------------------------------------------------------


def test_json_of_a_small_league() -> None:
    found = strictly(to_json(small_league()))
    assert (found["format"], found["version"]) == ("euchre-arena/standings", 1)
    assert [pool["pool"] for pool in found["pools"]] == [OVERALL, "standard"]
    pool = found["pools"][1]
    assert (pool["sets"], pool["units"], pool["variants"], pool["notes"]) == (181, ["boards"], ["standard"], [])
    first, _, last = pool["entrants"]
    assert (first["rank"], first["entrant"], first["wins"], first["draws"], first["losses"]) == (
        1,
        "search",
        81,
        14,
        26,
    )
    assert first["interval95"] == [first["elo"] - first["error95"], first["elo"] + first["error95"]]
    assert last["faults"] == {"illegal": 1, "timeout": 3}
    assert [(pair["entrant"], pair["opponent"], pair["wins"]) for pair in pool["pairs"]] == [
        ("search", "heuristic", 30),
        ("search", "random", 51),
        ("heuristic", "random", 45),
    ]
    assert [pair["los"] > 0.8 for pair in pool["neighbours"]] == [True, True]


def test_json_of_the_unbeaten_and_of_who_never_played_has_no_nan() -> None:
    """KT-65."""
    found = strictly(to_json(fit_pools(match("best", "worst", 20, 0, 0), ["late"])))
    best, worst, late = found["pools"][0]["entrants"]
    assert best["elo"] > 300 > -300 > worst["elo"]
    assert best["score"] == 1.0
    for what in ("rank", "elo", "error95", "interval95", "score", "points_per_board"):
        assert late[what] is None
    assert strictly(to_json(fit_pools([])))["pools"][0]["entrants"] == []


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(-3, 3)), max_size=15),
    st.integers(60, 160),
)
@settings(max_examples=40)
def test_any_league_can_be_printed_and_parsed(played: list[tuple[str, str, int]], width: int) -> None:
    sets = [set_result({one: float(margin), other: 0.0}, board) for board, (one, other, margin) in enumerate(played)]
    tables = fit_pools(sets, "abcde")
    strictly(to_json(tables))
    text = render(standings_report(tables), width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "nan" not in text
    assert "inf" not in text


# --- a match ------------------------------------------------------------------------------------------------


def test_a_match_in_three_lines() -> None:
    sets = match("a", "b", 60, 20, 20)
    assert match_lines("a", "b", statistics_between(sets, "a", "b")) == [
        "a against b: 100 sets of boards, 60 won, 20 drawn, 20 lost (70.0%)",
        "Elo difference +145, 95 % interval +82 to +211 (over sets); likelihood of superiority >99.9%",
        "Points per board +0.20, 95 % interval +0.12 to +0.28 (over sets)",
    ]


def test_a_match_without_sets_says_that_nothing_is_known() -> None:
    assert match_lines("a", "b", SetStatistics(), unit="games") == [
        "a against b: 0 sets of games, 0 won, 0 drawn, 0 lost",
        "Elo difference 0, 95 % interval -577 to +577 (over sets); likelihood of superiority 50.0%",
    ]
    found = strictly(json.dumps(match_to_dict("a", "b", SetStatistics()), allow_nan=False))
    assert (found["score"], found["points_per_board"], found["points_per_board_interval95"]) == (None, None, None)


# --- numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "value", "text"),
    [
        (format_elo, 12.5001, "+13"),
        (format_elo, -0.4, "0"),
        (format_elo, -12.6, "-13"),
        (format_points, 0.004, "0.00"),
        (format_points, -0.004, "0.00"),
        (format_points, 1.239, "+1.24"),
        (format_percent, 1.0, "100.0%"),
        (format_percent, 0.99999, "99.9%"),
        (format_percent, 0.00001, "0.1%"),
        (format_percent, 0.0, "0.0%"),
        (format_certainty, 1.0, ">99.9%"),
        (format_certainty, 0.0, "<0.1%"),
        (format_certainty, 0.5, "50.0%"),
    ],
)
def test_numbers_are_printed_so(function: Any, value: float, text: str) -> None:
    assert function(value) == text
