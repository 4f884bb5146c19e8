"""The Go sample is built with Go's tool, passes its tests and the conformance suite, and plays in the real arena."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.new_bot import write_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("go")]

SAMPLE = Path(__file__).resolve().parents[2] / "sample_bots" / "go"
PRESETS = ("standard", "bid-euchre", "buck")


def run(command: list[str], directory: Path, seconds: float = 600) -> str:
    """Return what *command* printed; its errors are the failure's text."""
    # A checkout that belongs to somebody else (a container's mount) has no readable version.
    environment = {**os.environ, "GOFLAGS": "-buildvcs=false"}
    done = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)} exited with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def arena(*arguments: str) -> str:
    """Return what a command of the arena printed."""
    return run([sys.executable, "-m", "arena.cli", *arguments], SAMPLE.parents[1])


@pytest.fixture(scope="module")
def go() -> str:
    """Return the path of the Go tool."""
    found = shutil.which("go")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Go is not installed, and CI must test the Go sample")
        pytest.skip("Go is not installed")
    return found


@pytest.fixture(scope="module")
def bot(go: str) -> Path:
    """Return the folder of the sample, built."""
    run([go, "build", "-p", "1", "-o", "bin/bot", "."], SAMPLE)
    return SAMPLE


def test_the_kits_own_tests_pass_and_the_code_is_formatted(go: str, bot: Path) -> None:
    run([go, "vet", "./..."], bot)
    run([go, "test", "-p", "1", "./..."], bot)
    assert run(["gofmt", "-l", "."], bot) == ""


def test_it_passes_the_conformance_suite_in_every_preset(bot: Path) -> None:
    arena("check", str(bot))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_beats_random_without_a_fault(bot: Path, preset: str) -> None:
    match = ["match", str(bot), "random", "-v", preset, "-n", "30", "-j", "1", "--seed", "go"]
    report = json.loads(arena(*match, "--decision-seconds", "10", "--json"))
    low, _ = report["overall"]["points_per_board_interval95"]
    assert low > 0
    assert report["faults"] == {}


def test_a_new_project_builds_passes_its_test_and_the_suite(go: str, tmp_path: Path) -> None:
    project = tmp_path / "gopher"
    write_project("go", project)
    run([go, "build", "-p", "1", "-o", "bin/bot", "."], project)
    run([go, "test", "-p", "1", "./..."], project)
    arena("check", str(project), "-v", "standard", "-v", "bid-us-48-widow")
