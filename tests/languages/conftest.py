"""Samples that are built once for all tests of a run, whatever process of the run they are in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.languages.toolchains import TOOLCHAINS


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that returns the folder of a language's sample, built; it skips if the toolchain is missing."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return lambda language: TOOLCHAINS[language].build(shared)
