"""The Java sample is built with Maven, passes its tests and the conformance suite, and plays in the real arena."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.new_bot import write_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("languages")]

SAMPLE = Path(__file__).resolve().parents[2] / "sample_bots" / "java"
PRESETS = ("standard", "bid-euchre", "buck")


def run(command: list[str], directory: Path, seconds: float = 600) -> str:
    """Return what *command* printed; its errors are the failure's text."""
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"{' '.join(command)} exited with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def arena(*arguments: str) -> str:
    """Return what a command of the arena printed."""
    return run([sys.executable, "-m", "arena.cli", *arguments], SAMPLE.parents[1])


@pytest.fixture(scope="module")
def maven() -> list[str]:
    """Return the command that starts Maven."""
    missing = [tool for tool in ("mvn", "java", "javac") if shutil.which(tool) is None]
    if missing:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}, and CI must test the Java sample")
        pytest.skip(reason)
    return ["mvn", "-q", "-B"]


@pytest.fixture(scope="module")
def bot(maven: list[str]) -> Path:
    """Return the folder of the sample, built, after its own tests have passed."""
    run([*maven, "package"], SAMPLE)
    return SAMPLE


def test_the_kits_own_tests_were_run(bot: Path) -> None:
    reports = {path.name: path.read_text(encoding="utf-8") for path in (bot / "target/surefire-reports").glob("*.txt")}
    for name in ("kit.ClientTest", "kit.VectorsTest", "heuristic.HeuristicBotTest", "template.TemplateBotTest"):
        assert "Failures: 0, Errors: 0, Skipped: 0" in reports[f"euchrebot.{name}.txt"], name


def test_a_start_is_recorded_and_nothing_is_unpacked_at_it(bot: Path) -> None:
    assert (bot / "target" / "bot.jsa").is_file()
    assert list((bot / "target" / "native").glob("*epoll*.so"))


def test_it_passes_the_conformance_suite_in_every_preset(bot: Path) -> None:
    arena("check", str(bot))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_beats_random_without_a_fault(bot: Path, preset: str) -> None:
    match = ["match", str(bot), "random", "-v", preset, "-n", "30", "-j", "1", "--seed", "java"]
    report = json.loads(arena(*match, "--decision-seconds", "10", "--json"))
    low, _ = report["overall"]["points_per_board_interval95"]
    assert low > 0
    assert report["faults"] == {}


def test_a_new_project_builds_passes_its_test_and_the_suite(maven: list[str], tmp_path: Path) -> None:
    project = tmp_path / "duke"
    write_project("java", project)
    run([*maven, "package"], project)
    assert list((project / "target" / "surefire-reports").glob("*MyBotTest.txt"))
    arena("check", str(project), "-v", "standard", "-v", "bid-us-48-widow")
