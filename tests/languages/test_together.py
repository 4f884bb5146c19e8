"""Bots of all languages at one table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.languages.toolchains import ROOT, TOOLCHAINS, arena

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("together")]

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
