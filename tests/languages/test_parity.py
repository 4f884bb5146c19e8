"""docs/heuristic.md leaves nothing open: its bots give the same answers in every language, in every preset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.rules import PRESETS
from tests.languages.parity import partings
from tests.languages.toolchains import TOOLCHAINS, arena

pytestmark = pytest.mark.slow

BOARDS = 3
OTHERS = [
    pytest.param(language, marks=pytest.mark.xdist_group(language)) for language in TOOLCHAINS if language != "go"
]

Built = Callable[[str], Path]


def play(night: Path, one: str, other: str, house: str, presets: list[str]) -> None:
    """Have *one* and *other* play each other, and *house* in the seats that are free."""
    variants = [word for preset in presets for word in ("-v", preset)]
    terms = ["-n", str(BOARDS), "-j", "1", "--seed", "parity", "--decision-seconds", "10"]
    arena("match", one, other, "--house", house, *variants, *terms, "--record", str(night))


@pytest.mark.parametrize("language", OTHERS)
def test_every_action_is_that_of_the_reference(built: Built, language: str, tmp_path: Path) -> None:
    reference = str(built("go"))
    play(tmp_path, str(built(language)), reference, reference, list(PRESETS))
    legs, parted = partings(tmp_path)
    assert legs >= 2 * BOARDS * len(PRESETS)
    assert parted == {}


@pytest.mark.xdist_group("go")
def test_bots_that_do_not_answer_alike_are_found(built: Built, tmp_path: Path) -> None:
    """A check of the check: it finds where another bot parts from the reference, on every board."""
    play(tmp_path, str(built("go")), "random", "random", ["standard"])
    legs, parted = partings(tmp_path)
    assert (legs, len(parted)) == (2 * BOARDS, BOARDS)
