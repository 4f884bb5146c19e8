"""Which build is it that the tests run on? See docs/decisions/0005-compiled-build.md."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILED = [
    *(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "referee" / "rules").rglob("*.py")),
    *(f"referee.service.{name}" for name in ("clock", "hall", "shuffle", "stream", "table", "wire")),
]


@pytest.mark.parametrize("name", sorted(name for name in COMPILED if not name.endswith("__init__")))
def test_a_module_is_compiled_if_that_was_asked_for_and_otherwise_runs_from_its_source(name: str) -> None:
    found = importlib.import_module(name).__file__
    assert found is not None
    assert Path(found).is_relative_to(ROOT)
    assert found.endswith(".py") == (os.environ.get("EUCHRE_COMPILE") != "1")
