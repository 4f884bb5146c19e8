"""The C++ sample is built with CMake, passes its tests and the conformance suite, and plays in the real arena."""

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

SAMPLE = Path(__file__).resolve().parents[2] / "sample_bots" / "cpp"
PRESETS = ("standard", "bid-euchre", "buck")
ALIKE = ("standard", "almonte-6p", "bid-us-48-widow", "buck", "call-ace-5p", "dealer-makes", "napoleon", "pepper-3p")
TOOLS = ("cmake", "g++", "pkg-config", "protoc", "grpc_cpp_plugin")


def run(command: list[str], directory: Path, seconds: float = 600) -> str:
    """Return what *command* printed; its errors are the failure's text."""
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"{' '.join(command)} exited with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def arena(*arguments: str) -> str:
    """Return what a command of the arena printed."""
    return run([sys.executable, "-m", "arena.cli", *arguments], SAMPLE.parents[1])


def missing() -> str:
    """Return what of the toolchain is missing, nothing if it is complete."""
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    if absent:
        return f"{', '.join(absent)} not installed"
    for package in ("grpc++_unsecure", "gtest", "nlohmann_json"):
        if subprocess.run(["pkg-config", "--exists", package], check=False).returncode != 0:
            return f"the development files of {package} are not installed"
    return ""


def build(folder: Path) -> None:
    """Configure and build a project, with warnings as errors."""
    run(["cmake", "-B", "build", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"], folder)
    run(["cmake", "--build", "build", "-j", "2"], folder)


@pytest.fixture(scope="module")
def toolchain() -> None:
    """Skip if the toolchain is not complete; CI must have it."""
    reason = missing()
    if reason:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}, and CI must test the C++ sample")
        pytest.skip(reason)


@pytest.fixture(scope="module")
def bot(toolchain: None) -> Path:
    """Return the folder of the sample, built."""
    build(SAMPLE)
    return SAMPLE


def test_the_kits_own_tests_pass(bot: Path) -> None:
    run(["ctest", "--test-dir", "build", "--output-on-failure", "--no-tests=error"], bot)


def test_it_passes_the_conformance_suite_in_every_preset(bot: Path) -> None:
    arena("check", str(bot))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_beats_random_without_a_fault(bot: Path, preset: str) -> None:
    match = ["match", str(bot), "random", "-v", preset, "-n", "30", "-j", "1", "--seed", "cpp"]
    report = json.loads(arena(*match, "--decision-seconds", "10", "--json"))
    low, _ = report["overall"]["points_per_board_interval95"]
    assert low > 0
    assert report["faults"] == {}


def test_it_plays_as_the_go_bot_does(bot: Path) -> None:
    """docs/heuristic.md: the common heuristic is the same in every language."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed, so there is no bot to compare with")
    reference = SAMPLE.parent / "go"
    run([go, "build", "-buildvcs=false", "-p", "1", "-o", "bin/bot", "."], reference)
    variants = [word for preset in ALIKE for word in ("-v", preset)]
    common = ["random", *variants, "-n", "2", "-j", "1", "--seed", "alike", "--isolation", "none", "--json"]
    reports = [
        json.loads(arena("match", f"same={folder}", *common, "--decision-seconds", "10")) for folder in (bot, reference)
    ]
    assert reports[0]["faults"] == reports[1]["faults"] == {}
    assert reports[0]["variants"] == reports[1]["variants"]


def test_a_new_project_builds_passes_its_test_and_the_suite(toolchain: None, tmp_path: Path) -> None:
    project = tmp_path / "bjarne"
    write_project("cpp", project)
    build(project)
    run(["ctest", "--test-dir", "build", "--output-on-failure", "--no-tests=error"], project)
    arena("check", str(project), "-v", "standard", "-v", "bid-us-48-widow")
