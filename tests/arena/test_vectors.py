"""``euchre-arena vectors``: what is reported for good files, failing ones and unusable ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from arena.vector_fields import VectorError
from arena.vectors import command, read_file, run_files

VECTORS = Path(__file__).parents[1] / "vectors"
LAWFUL = {
    "kind": "lawful",
    "variant": "british",
    "strain": "S",
    "led": "QS",
    "hand": "JC AH KD 9C TD",
    "lawful": "JC",
}


def vectors(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, arguments)


def write(path: Path, *cases: dict[str, Any], **members: Any) -> Path:
    document = {"format": 1, "vectors": [{"id": "V-1", "rules": ["PLAY-2"], "cases": list(cases)}], **members}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def script(*steps: dict[str, Any], variant: str = "british", **hand: Any) -> dict[str, Any]:
    return {"kind": "script", "variant": variant, "hands": [{**hand, "steps": list(steps)}]}


def test_our_own_files_pass_and_exit_zero() -> None:
    result = vectors(*map(str, sorted(VECTORS.glob("*.json"))))
    assert result.exit_code == 0
    assert "passed  V-161" in result.stdout
    assert " 0 failed" in result.stdout.splitlines()[-1]


def test_failing_case_is_reported_with_expected_and_found_and_exits_one(tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.json", LAWFUL, {**LAWFUL, "lawful": "JC AH"})
    result = vectors(str(path), "--failures-only")
    assert result.exit_code == 1
    assert "FAILED  V-1.2" in result.stdout
    assert "V-1.1" not in result.stdout
    assert "expected [PLAY(JC), PLAY(AH)]" in result.stdout
    assert "found    [PLAY(JC)]" in result.stdout
    assert result.stdout.splitlines()[-1] == "2 cases: 1 passed, 1 failed"


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"kind": "trick", "variant": "british", "strain": "C", "trick": "1:AC 2:JS 3:JC 0:X1", "winner": 3}, "winner"),
        ({"kind": "order", "variant": "british", "strain": "H", "cards": "JD JH", "up": "JH JD"}, "up"),
        ({"kind": "deal", "variant": "british", "expect": {"kitty_size": 3}}, "kitty_size"),
        ({"kind": "deal", "variant": "british", "expect": {"hands": {"1": [0, 1, 2, 3, 4]}}}, "seat 1"),
        ({"kind": "relabel", "variant": "buck", "image": "HDSC", "allowed": True, "cards": {}}, "allowed"),
        ({"kind": "refused_variant", "variant": "british", "message_names": []}, "british"),
        ({"kind": "limit", "variant": "pepper", "max_hands": 9, "totals": [1, 2], "first": [0]}, "first place"),
        ({"kind": "match", "variant": "railroad", "winner": 0, "totals": [11, 0], "games": 1}, "counts as games"),
        ({"kind": "mirror", "variant": "pepper", "games": 4}, "games in a set"),
        (
            {
                "kind": "score",
                "variant": "british",
                "hands": [{"maker": 0, "makers_tricks": 5, "expect": {"makers": 4}}],
            },
            "points of side 0 (makers)",
        ),
        (script({"seat": 2, "does": "PASS"}), "asked is"),
        (script({"seat": 1, "does": "TAKE_UP"}), "seat 1 may"),
        (script({"seat": 1, "refused": "PASS"}), "PASS is among the options"),
        (script({"expect": {"options": ["ORDER_UP", "PASS"]}}), "options, in order"),
        (script({"expect": {"hands": {"1": "AS"}}}), "cards of seat 1"),
        (
            {
                "kind": "same_view",
                "variant": "british",
                "worlds": [
                    {"deal": {"hands": {"1": "AS"}}, "expect": {"asked": 2}},
                    {"deal": {"hands": {"1": "AC"}}, "expect": {"asked": 2}},
                ],
                "steps": [{"seat": 1, "does": "PASS"}],
                "equal_for": [1],
            },
            "seat 1 sees the same",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_expectation_of_every_kind_is_found(tmp_path: Path, wrong: dict[str, Any], where: str) -> None:
    (outcome,) = run_files([write(tmp_path / "wrong.json", wrong)])
    assert not outcome.passed
    assert where in outcome.differences[0].where


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ({**LAWFUL, "kind": "lawfull"}, "unknown kind 'lawfull'"),
        ({**LAWFUL, "wisdom": 1}, "'wisdom' has no meaning here"),
        ({**LAWFUL, "hand": "JC AH KD 9C 1D"}, "'1D' is no card"),
        ({**LAWFUL, "hand": "JC JC"}, "not all of these cards are in the deck of british"),
        ({**LAWFUL, "variant": "britsh"}, "did you mean 'british'"),
        ({**LAWFUL, "led": 7}, "'led' is 7; wanted a string"),
        ({"kind": "lawful", "variant": "british", "strain": "S", "hand": "JC"}, "expects nothing"),
        ({"kind": "trick", "variant": "british", "strain": "S", "trick": "AS", "winner": 0}, "write seat:card"),
        (script({"seat": 1}), "a step needs one of"),
        (script({"expect": {"maker_of_trump": 1}}), "'maker_of_trump' has no meaning here"),
        (script({"defaults": 1}, deal={"hands": {"1": "AS AS"}}), "has not so many of AS"),
        (script({"defaults": 1}, deal={"hands": {"9": "AS"}}), "has no seat 9"),
        (script({"defaults": 1}, deal={"kitty": "AS KS QS JS TS"}), "5 cards for the kitty, which has 4"),
        (script({"defaults": 1}, deck="AS"), "not the deck of british"),
        ({"kind": "score", "variant": "buck", "hands": [{"bid": "NAP", "maker": 0, "expect": {}}]}, "has no bid NAP"),
    ],
)
def test_case_that_makes_no_sense_is_refused_in_one_line_and_exits_two(
    tmp_path: Path, case: dict[str, Any], told: str
) -> None:
    result = vectors(str(write(tmp_path / "odd.json", case)))
    assert result.exit_code == 2
    assert told in result.stderr
    assert "odd.json" in result.stderr
    assert "V-1" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON"),
        ("[]", "wanted an object"),
        ('{"format": 2, "vectors": []}', "is in format 2; this program reads format 1"),
        ('{"format": 1}', "'vectors' is missing"),
        ('{"format": 1, "vectors": [{"id": "V-1", "rules": [], "cases": []}]}', "at least one case"),
        ('{"format": 1, "vectors": [], "vector": []}', "'vector' has no meaning here"),
    ],
)
def test_unusable_file_is_refused_in_one_line_and_exits_two(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    result = vectors(str(path))
    assert result.exit_code == 2
    assert told in result.stderr
    assert str(path) in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_missing_file_and_binary_file_are_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "No such file" in vectors(str(tmp_path / "absent.json")).stderr
    assert "not UTF-8" in vectors(str(binary)).stderr


def test_vector_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    vector = {"id": "V-1", "rules": ["PLAY-2"], "cases": [LAWFUL]}
    with pytest.raises(VectorError, match="V-1 is in it twice"):
        read_file(write(tmp_path / "twice.json", vectors=[vector, vector]))


def test_no_case_runs_when_one_of_the_files_is_unusable(tmp_path: Path) -> None:
    result = vectors(str(write(tmp_path / "good.json", LAWFUL)), str(tmp_path / "absent.json"))
    assert result.exit_code == 2
    assert result.stdout == ""
