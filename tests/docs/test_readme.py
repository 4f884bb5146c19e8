"""What the README tells people to type does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(heading: str) -> str:
    """Return the first fenced block after *heading*."""
    found = re.search(rf"^#+ {re.escape(heading)}$.*?^```\w*\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1]


def type_in(script: str, directory: Path) -> str:
    """Return what a shell prints that is given *script*, where ``euchre-arena`` is the one under test."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-eu"],
        input=script,
        cwd=directory,
        env={**os.environ, "PATH": path, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_a_newcomers_walk_ends_with_two_matches_that_can_be_read(tmp_path: Path) -> None:
    said = type_in(block("A newcomer's walk"), tmp_path)
    assert re.search(r"^passed: 40 presets, \d+ decisions, no fault$", said, re.MULTILINE)
    won = re.search(r"^my-bot against random: 100 sets of boards, (\d+) won, \d+ drawn, (\d+) lost", said, re.MULTILINE)
    lost = re.search(
        r"^my-bot against heuristic: 100 sets of boards, (\d+) won, \d+ drawn, (\d+) lost", said, re.MULTILINE
    )
    assert won is not None
    assert lost is not None
    # Its rule of play is far better than chance; without bidding it is far worse than heuristic.
    assert int(won[1]) > 2 * int(won[2])
    assert 2 * int(lost[1]) < int(lost[2])
    assert len(re.findall(r"^Elo difference [+-]\d+, 95 % interval", said, re.MULTILINE)) == 2


def test_the_match_of_the_readme_is_played(tmp_path: Path) -> None:
    lines = [line for line in block("Play a match").splitlines() if line.startswith("euchre-arena")]
    said = type_in("\n".join(lines).replace("-n 200", "-n 10"), tmp_path)
    assert "heuristic against random: 10 sets of boards" in said
    assert "napoleon" in said


def test_every_document_that_the_readme_names_exists() -> None:
    named = re.findall(r"`((?:docs|tests|examples|sample_bots)/[\w./-]*|CONTRIBUTING\.md)`", README)
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []
