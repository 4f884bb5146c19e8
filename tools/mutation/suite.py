"""The tests that try to tell a mutant from the rules, as plain calls: no collection, no reports, first failure wins.

They are the project's own tests, found by name and run in this process. A test with a fixture that is not a plain
function of its module, or marked slow, is left out.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import random
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

TEST_MODULES = (
    "tests.rules.test_vectors",
    "tests.rules.test_second_evaluator",
    "tests.rules.test_catalogue",
    "tests.rules.test_presets_upcard",
    "tests.rules.test_presets_bid",
    "tests.rules.test_presets_countdown",
    "tests.rules.test_shared_rules",
    "tests.rules.test_questions",
    "tests.rules.test_points_in_play",
    "tests.rules.test_known_trouble",
    "tests.rules.test_mutants_cards",
    "tests.rules.test_mutants_refusals",
    "tests.rules.test_mutants_values",
    "tests.rules.test_mutants_hands",
    "tests.rules.test_positions",
    "tests.battery.test_relabelling",
)
"""Where the killing tests are."""
LEFT_OUT = (
    "test_random_hands_",
    "test_positions_begin_",
    "test_the_evaluator_still_",
    "test_many_",
    "test_preset_tables_agree",
    "test_file_keeps_to_the_schema",
)
"""Tests of ``test_second_evaluator`` that a few hands of the same lock-step stand for, and one of files alone."""
HANDS = 5
OPTION_SETS = 4


class Step(NamedTuple):
    """One test with one set of parameters."""

    name: str
    run: Callable[[], object]


def steps() -> list[Step]:
    """Import the test modules and return their tests."""
    found: list[Step] = []
    for name in TEST_MODULES:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            continue
        for test_name, test in vars(module).items():
            if test_name.startswith("test_") and not test_name.startswith(LEFT_OUT) and callable(test):
                found += _steps_of(module, test_name, test)
    return found + list(_lock_steps())


def _lock_steps() -> Iterator[Step]:
    """Yield a few hands of every preset and of options, played in the rules and in the second evaluator."""
    agree = importlib.import_module("tests.rules.test_second_evaluator")
    rules = importlib.import_module("referee.rules")
    for name in rules.PRESETS:
        yield Step(f"table of {name}", lambda name=name: agree.test_preset_tables_agree(name))  # type: ignore[misc]
        yield Step(f"hands of {name}", lambda name=name: _hands(agree, rules.parse_variant(name)))  # type: ignore[misc]
        yield Step(f"game of {name}", lambda name=name: _game(rules.build(name)))  # type: ignore[misc]
        yield Step(f"options of {name}", lambda name=name: _options(agree, name))  # type: ignore[misc]


def _hands(agree: Any, variant: Any) -> None:
    for seed in range(HANDS):
        agree.play_in_lock_step(variant, random.Random(f"{variant.id} {seed}"))


def _game(variant: Any) -> None:
    checks = importlib.import_module("tests.battery.checks")
    effort = checks.Effort(twin=0.1, refused=0.1, replay=0.1, secrecy=0.2, request=0.3, reneges=0.05)
    checks.play_game(variant, random.Random(f"game {variant.id}"), checks.Tally(), effort, max_hands=30, most_hands=2)


def _options(agree: Any, name: str) -> None:
    rng = random.Random(f"options of {name}")
    for number, variant in enumerate(agree._random_variants(name, OPTION_SETS, rng)):
        for seed in range(2):
            agree.play_in_lock_step(variant, random.Random(f"{name} {number} {seed}"))


def _steps_of(module: ModuleType, test_name: str, test: Callable[..., object]) -> Iterator[Step]:
    marks = list(getattr(test, "pytestmark", []))
    if any(mark.name in ("slow", "skip", "skipif") for mark in marks):
        return
    tables = [_rows(mark) for mark in marks if mark.name == "parametrize"]
    for rows in itertools.product(*tables):
        given = {name: value for row in rows for name, value in row.items()}
        fixtures = {}
        if not hasattr(test, "hypothesis"):
            for name in inspect.signature(test).parameters.keys() - given.keys():
                fixtures[name] = getattr(getattr(module, name, None), "_get_wrapped_function", None)
            if None in fixtures.values():
                return
        label = "-".join(str(getattr(value, "id", value)) for value in given.values())
        short = f"{module.__name__.rpartition('.')[2]}::{test_name}"
        yield Step(f"{short}[{label[:60]}]" if label else short, _call(test, given, fixtures))


def _call(test: Callable[..., object], given: dict[str, Any], fixtures: dict[str, Any]) -> Callable[[], object]:
    return lambda: test(**given, **{name: wrapped()() for name, wrapped in fixtures.items()})


def _rows(mark: Any) -> list[dict[str, Any]]:
    names, values = mark.args[0], mark.args[1]
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = []
    for value in values:
        each = getattr(value, "values", value) if type(value).__name__ == "ParameterSet" else value
        rows.append(dict(zip(names, each if len(names) > 1 or each is not value else (each,), strict=True)))
    return rows
