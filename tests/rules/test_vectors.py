"""The worked examples of docs/rules.md part 7, each case one test."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from arena.vectors import Case, read_file, run

VECTORS = Path(__file__).parents[1] / "vectors"
RULES = Path(__file__).parents[2] / "docs" / "rules.md"
FILES = sorted(VECTORS.glob("*.json"))
CASES = [case for path in FILES for case in read_file(path)]

WITHDRAWN = {"V-050", "V-146", "V-158"}
"""RULES.md part 6, "Withdrawn ids"."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_vector(case: Case) -> None:
    outcome = run(case)
    told = [f"{d.where}: expected {d.expected}, found {d.found}" for d in outcome.differences]
    assert outcome.passed, f"{case.id} ({', '.join(case.rules)}): " + "; ".join(told)


def _part_seven() -> str:
    return RULES.read_text(encoding="utf-8").split("\n## 7. Worked examples", 1)[1]


def _rows() -> dict[str, list[str]]:
    """Return, for every row of a table of part 7, its cells."""
    rows = (line.strip().strip("|").split(" | ") for line in _part_seven().splitlines() if line.startswith("| V-"))
    return {cells[0].strip(): [cell.strip() for cell in cells] for cells in rows}


def _vector_rules() -> dict[str, tuple[str, ...]]:
    return {case.id.split(".")[0]: case.rules for case in CASES}


def test_every_worked_example_is_a_vector_and_every_vector_an_example() -> None:
    examples = set(re.findall(r"^(?:\| |\*\*)(V-\d+)", _part_seven(), re.MULTILINE))
    assert set(_vector_rules()) == examples
    assert not examples & WITHDRAWN


def test_vector_ids_are_unique_across_files() -> None:
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids))


def _cited(cell: str) -> list[str]:
    """Return the rule ids of a cell such as ``"AUC-BID-1, -2"`` or ``"S5-1 to -4"``; patterns are left out."""
    ids: list[str] = []
    for word in re.findall(r"[A-Z0-9]+(?:-[A-Z0-9]+)*-\d+|(?<![A-Z0-9])-\d+|to", cell):
        if word == "to":
            ids.append(word)
        elif word.startswith("-"):
            stem = next(each for each in reversed(ids) if each != "to").rsplit("-", 1)[0]
            if ids[-1] == "to":
                ids.pop()
                first = int(ids[-1].rsplit("-", 1)[1])
                ids += [f"{stem}-{number}" for number in range(first + 1, int(word[1:]) + 1)]
            else:
                ids.append(stem + word)
        else:
            ids.append(word)
    return [each for each in ids if not each.startswith("R-")]


@pytest.mark.parametrize(("name", "cells"), _rows().items(), ids=_rows().keys())
def test_vector_cites_the_rules_of_its_row(name: str, cells: list[str]) -> None:
    wanted = [] if name == "V-001" else _cited(cells[-1])  # V-001 names its rules by a pattern
    assert wanted or name in ("V-001", "V-215")
    assert set(wanted) <= set(_vector_rules()[name])


def test_lawful_and_trick_vectors_repeat_the_tables_word_for_word() -> None:
    """The tables of 7.2 and 7.3 again, read from the page itself."""
    rows = _rows()
    compared = 0
    for path in FILES:
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            cells, case = rows.get(vector["id"], []), vector["cases"][0]
            if case["kind"] == "lawful" and len(cells) == 7:
                assert [case[name] for name in ("strain", "led", "hand", "lawful")] == cells[2:6], vector["id"]
                compared += 1
            elif case["kind"] == "trick" and len(cells) == 6:
                assert [case["strain"], case["trick"], str(case["winner"])] == cells[2:5], vector["id"]
                compared += 1
    assert compared == 36


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_keeps_to_the_schema(path: Path) -> None:
    schema = json.loads((VECTORS / "schema" / "format-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    errors = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(json.loads(path.read_text("utf-8")))]
    assert errors == []
