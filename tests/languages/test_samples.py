"""Every sample is built with its language's tool, passes its own tests and the conformance suite, and plays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.new_bot import languages, write_project
from tests.languages.toolchains import SAMPLES, TOOLCHAINS, arena, run

PRESETS = ("standard", "bid-euchre", "buck")
GROUPED = [pytest.param(language, marks=pytest.mark.xdist_group(language)) for language in TOOLCHAINS]

Built = Callable[[str], Path]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("language", GROUPED)
def test_the_samples_own_tests_pass_and_its_style_is_kept(built: Built, language: str) -> None:
    sample = built(language)
    for command in TOOLCHAINS[language].checks:
        run(["sh", "-c", command], sample)


@pytest.mark.parametrize("language", GROUPED)
def test_it_passes_the_conformance_suite_in_every_preset(built: Built, language: str) -> None:
    arena("check", str(built(language)))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", GROUPED)
def test_it_beats_random_without_a_fault(built: Built, language: str, preset: str) -> None:
    match = ["match", str(built(language)), "random", "-v", preset, "-n", "30", "-j", "1", "--seed", language]
    report = json.loads(arena(*match, "--decision-seconds", "10", "--json"))
    low, _ = report["overall"]["points_per_board_interval95"]
    assert low > 0
    assert report["faults"] == {}


@pytest.mark.parametrize("language", GROUPED)
def test_a_new_project_builds_passes_its_test_and_the_suite(language: str, tmp_path: Path) -> None:
    TOOLCHAINS[language].need()
    project = tmp_path / "my-bot"
    write_project(language, project)
    for command in TOOLCHAINS[language].project:
        run(["sh", "-c", command], project)
    arena("check", str(project), "-v", "standard", "-v", "bid-us-48-widow")


@pytest.mark.xdist_group("java")
def test_a_start_of_java_is_recorded_and_nothing_is_unpacked_at_it(built: Built) -> None:
    target = built("java") / "target"
    assert (target / "bot.jsa").is_file()
    assert list((target / "native").glob("*epoll*.so"))


def test_no_sample_is_left_out() -> None:
    assert {*TOOLCHAINS, "python"} == {path.parent.name for path in SAMPLES.glob("*/bot.toml")} == {*languages()}


def test_the_lock_of_npm_pins_every_package_by_its_hash_and_none_is_a_binary() -> None:
    lock = json.loads((SAMPLES / "typescript" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {path: entry for path, entry in lock["packages"].items() if path}
    assert len(packages) > 10
    for path, entry in packages.items():
        assert entry["integrity"].startswith("sha512-"), path
        # Prebuilt programs come as packages for one system.
        assert not {"os", "cpu", "libc"} & entry.keys(), path
