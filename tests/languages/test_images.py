"""The samples' own images play in sealed containers. Those that need an interpreter need a base that has it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import docker
import pytest

from tests.languages.toolchains import SAMPLES, arena, run
from tests.sandbox.conftest import BASE, engine

__all__ = ["engine"]

pytestmark = pytest.mark.slow

COMPILED = [pytest.param(language, marks=pytest.mark.xdist_group(language)) for language in ("go", "rust", "cpp")]

Built = Callable[[str], Path]


def play_from_image(engine: docker.DockerClient, folder: Path, name: str, base: dict[str, str]) -> None:
    """Build the image of *folder* and let it play."""
    tag = f"euchre-bot-{name}:{os.getpid()}"
    engine.images.build(path=str(folder), tag=tag, rm=True, buildargs=base)
    try:
        match = ["match", f"sealed=docker:{tag}", "random", "-v", "standard", "-v", "bid-euchre", "-n", "3", "-j", "1"]
        report = json.loads(arena(*match, "--seed", "sealed", "--decision-seconds", "10", "--json"))
    finally:
        engine.images.remove(tag, force=True)
    assert (report["legs"], report["faults"], report["notes"]) == (12, {}, [])
    assert report["overall"]["points_per_board"] > 0


@pytest.mark.parametrize("language", COMPILED)
def test_a_compiled_sample_plays_from_its_image(engine: docker.DockerClient, built: Built, language: str) -> None:
    play_from_image(engine, built(language), language, {"BASE": BASE} if language == "rust" else {})


@pytest.mark.xdist_group("docker")
def test_the_python_sample_plays_from_its_image(engine: docker.DockerClient, tmp_path: Path) -> None:
    said = engine.containers.run(BASE, ["python3", "-c", "import sys; print(*sys.version_info[:2])"], remove=True)
    if said.split() != [str(part).encode() for part in sys.version_info[:2]]:
        pytest.skip(f"the base image has Python {said.decode().strip()}, and packages are installed for this one's")
    sample = SAMPLES / "python"
    run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(tmp_path / "dist"), str(sample)], tmp_path)
    (tmp_path / "Dockerfile").write_bytes((sample / "Dockerfile").read_bytes())
    for path in tmp_path.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    play_from_image(engine, tmp_path, "python", {"BASE": BASE})
