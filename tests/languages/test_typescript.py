"""The TypeScript sample is built with npm, passes its tests and the conformance suite, and plays in the real arena."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.new_bot import write_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("typescript")]

SAMPLE = Path(__file__).resolve().parents[2] / "sample_bots" / "typescript"
PRESETS = ("standard", "bid-euchre", "buck")
OLDEST_NODE = 20


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
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "Node and npm are not installed"
    version = run([node, "--version"], SAMPLE).strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        return f"Node is {version}; the TypeScript sample needs {OLDEST_NODE} or later"
    return ""


@pytest.fixture(scope="module")
def npm() -> str:
    """Return the path of npm."""
    reason = missing()
    if reason:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}, and CI must test the TypeScript sample")
        pytest.skip(reason)
    return str(shutil.which("npm"))


@pytest.fixture(scope="module")
def bot(npm: str) -> Path:
    """Return the folder of the sample, built from its lock file."""
    run([npm, "ci"], SAMPLE)
    run([npm, "run", "build"], SAMPLE)
    return SAMPLE


def test_the_kits_own_tests_pass(npm: str, bot: Path) -> None:
    run([npm, "test"], bot)


def test_it_passes_the_conformance_suite_in_every_preset(bot: Path) -> None:
    arena("check", str(bot))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_beats_random_without_a_fault(bot: Path, preset: str) -> None:
    match = ["match", str(bot), "random", "-v", preset, "-n", "30", "-j", "1", "--seed", "typescript"]
    report = json.loads(arena(*match, "--decision-seconds", "10", "--json"))
    low, _ = report["overall"]["points_per_board_interval95"]
    assert low > 0
    assert report["faults"] == {}


def test_a_new_project_builds_passes_its_test_and_the_suite(npm: str, tmp_path: Path) -> None:
    project = tmp_path / "roland"
    write_project("typescript", project)
    run([npm, "ci"], project)
    run([npm, "test"], project)
    arena("check", str(project), "-v", "standard", "-v", "bid-us-48-widow")


def test_the_lock_pins_every_package_by_its_hash_and_none_is_a_binary() -> None:
    lock = json.loads((SAMPLE / "package-lock.json").read_text(encoding="utf-8"))
    packages = {path: entry for path, entry in lock["packages"].items() if path}
    assert len(packages) > 10
    for path, entry in packages.items():
        assert entry["integrity"].startswith("sha512-"), path
        # Prebuilt programs come as packages for one system.
        assert not {"os", "cpu", "libc"} & entry.keys(), path
