"""Bots of all languages at one table; and those that play by the same rules of thumb give the same answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.languages.toolchains import ROOT, TOOLCHAINS, arena

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("together")]

ALIKE = ("standard", "british", "two-handed", "bid-us-48-widow", "napoleon", "buck")

Built = Callable[[str], Path]


def test_a_night_of_six_languages_is_played_without_a_fault(built: Built, tmp_path: Path) -> None:
    for language in TOOLCHAINS:
        built(language)
    where = ["--directory", str(tmp_path / "night"), "--db", str(tmp_path / "results.sqlite")]
    arena("night", str(ROOT / "examples" / "languages.toml"), *where)
    standings = json.loads(arena("standings", "--db", str(tmp_path / "results.sqlite"), "--json"))
    (overall,) = [pool for pool in standings["pools"] if pool["pool"] == "overall"]
    faults = {row["entrant"]: row["faults"] for row in overall["entrants"]}
    assert faults == {language: {} for language in ("python", *TOOLCHAINS)}
    assert arena("verify", str(tmp_path / "night"))


def test_the_same_questions_get_the_same_answers_in_every_language(built: Built) -> None:
    """docs/heuristic.md leaves nothing open: the same decks against the same opponent end in the same points."""
    variants = [word for preset in ALIKE for word in ("-v", preset)]
    points = {}
    for language in TOOLCHAINS:
        match = ["match", f"bot={built(language)}", "random", *variants, "-n", "12", "-j", "1", "--seed", "alike"]
        report = json.loads(arena(*match, "--decision-seconds", "10", "--json"))
        assert report["faults"] == {}
        points[language] = {name: pool["points_per_board"] for name, pool in report["variants"].items()}
    assert len(points["go"]) == len(ALIKE)
    for language, found in points.items():
        assert found == points["go"], language
