"""Run rule scenarios written as data: the files of ``tests/vectors``, and any that a bot author adds.

A *vector* is one worked example of the rulebook (``V-041``) with one or more *cases*; a case is one thing to
try. ``tests/vectors/README.md`` documents the format for readers in any language. What the kinds of case do is
in :mod:`arena.vector_kinds`; this module reads the files, runs every case and reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena.vector_fields import Difference, Fields, VectorError
from arena.vector_kinds import run_case

FORMAT = 1
"""The version of the file format that this module reads."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to try, with where it is from."""

    id: str
    """The vector's id; with a number behind a dot where the vector has several cases: ``V-047.2``."""
    kind: str
    rules: tuple[str, ...]
    """The rule ids it tests."""
    source: Path
    fields: Fields


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case."""

    case: Case
    differences: tuple[Difference, ...]
    """Where the rules did something else; empty when the case passed."""

    @property
    def passed(self) -> bool:
        """Tell whether everything was as expected."""
        return not self.differences


def read_file(path: Path) -> list[Case]:
    """Return the cases of one file, in its order.

    :raises VectorError: if the file cannot be read or is not in the format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise VectorError(f"{path}: cannot be read: {reason}") from error
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise VectorError(f"{path}: is no JSON: {error.msg} in line {error.lineno}, column {error.colno}") from error
    if not isinstance(document, dict):
        raise VectorError(f"{path}: wanted an object with 'format' and 'vectors' at the top")
    return list(_cases(path, Fields(str(path), document)))


def _cases(path: Path, document: Fields) -> Iterator[Case]:
    version = document.integer("format")
    if version != FORMAT:
        raise VectorError(f"{path}: is in format {version}; this program reads format {FORMAT}")
    document.text("section", "")
    document.text("title", "")
    vectors = document.objects("vectors")
    document.refuse_unread()
    seen: set[str] = set()
    for vector in vectors:
        name = vector.text("id")
        if name in seen:
            raise VectorError(f"{path}: vector {name} is in it twice")
        seen.add(name)
        rules = tuple(vector.texts("rules"))
        cases = vector.objects("cases")
        if not cases or not rules:
            raise VectorError(f"{path}: vector {name} needs at least one case and one rule id")
        vector.refuse_unread()
        for number, fields in enumerate(cases, start=1):
            case_id = f"{name}.{number}" if len(cases) > 1 else name
            yield Case(case_id, fields.text("kind"), rules, path, fields.at(f"{path}: {case_id}"))


def run(case: Case) -> Outcome:
    """Return the outcome of one case.

    :raises VectorError: if the case makes no sense: an unknown kind, member, card or variant.
    """
    return Outcome(case, tuple(run_case(case.kind, case.fields)))


def run_files(paths: Iterable[Path]) -> list[Outcome]:
    """Return the outcomes of all cases of all files, in order; every file is read before the first case runs.

    :raises VectorError: for the first file that cannot be read or used.
    """
    cases = [case for path in paths for case in read_file(path)]
    return [run(case) for case in cases]


def report_lines(outcomes: Sequence[Outcome], *, failures_only: bool = False) -> Iterator[str]:
    """Yield one line for every outcome, what differed under the failed ones, and a summary."""
    for outcome in outcomes:
        case = outcome.case
        if outcome.passed:
            if not failures_only:
                yield f"passed  {case.id:<8} {case.kind:<9} {', '.join(case.rules)}"
            continue
        yield f"FAILED  {case.id:<8} {case.kind:<9} {', '.join(case.rules)}  ({case.source})"
        for difference in outcome.differences:
            yield f"        {difference.where}"
            yield f"          expected {difference.expected}"
            yield f"          found    {difference.found}"
    failed = sum(not outcome.passed for outcome in outcomes)
    yield f"{len(outcomes)} cases: {len(outcomes) - failed} passed, {failed} failed"


def command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Vector files, as in tests/vectors.")],
    failures_only: Annotated[bool, typer.Option("--failures-only", help="Do not list what passed.")] = False,
) -> None:
    """Run rule scenarios from files and report each (exit 0 all passed, 1 some failed, 2 a file is unusable)."""
    try:
        outcomes = run_files(files)
    except VectorError as error:
        typer.echo(f"euchre-arena vectors: {error}", err=True)
        raise typer.Exit(2) from error
    for line in report_lines(outcomes, failures_only=failures_only):
        typer.echo(line)
    if not all(outcome.passed for outcome in outcomes):
        raise typer.Exit(1)
