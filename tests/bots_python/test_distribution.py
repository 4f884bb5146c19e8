"""The distribution ``euchre-bot-kit`` holds the kit, the bots and the wire contract, and needs nothing of ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("referee", "arena", "leaderboards"):
            raise ImportError(name + " is not in a bot's container")
sys.meta_path.insert(0, Hidden())
"""


def _has_setuptools() -> bool:
    try:
        return int(metadata.version("setuptools").partition(".")[0]) >= 77
    except metadata.PackageNotFoundError:
        return False


@pytest.mark.skipif(not _has_setuptools(), reason="needs setuptools 77 or newer to build without fetching anything")
def test_installed_kit_runs_every_bot_without_the_arena(tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("dist", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "proto", tmp_path / "proto", ignore=ignore)
    shutil.copytree(ROOT / "sample_bots" / "python", tmp_path / "sample_bots" / "python", ignore=ignore)
    target = tmp_path / "container"
    install = ["pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    subprocess.run(
        [sys.executable, "-m", *install, str(tmp_path / "sample_bots" / "python")], check=True, capture_output=True
    )
    assert (target / "euchre" / "v1" / "referee_pb2_grpc.py").is_file()
    for bot in ("random", "house", "heuristic", "search"):
        script = f"{HIDDEN}\nimport runpy\nrunpy.run_module('euchre_bots.{bot}', run_name='__main__')"
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": str(target), "EUCHRE_ADDRESS": ""},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "EUCHRE_ADDRESS is not set" in done.stderr


def test_a_new_project_is_at_most_fifteen_lines_and_runs(tmp_path: Path) -> None:
    """What ``euchre-arena new-bot python`` copies finds the kit beside it."""
    shutil.copy(ROOT / "sample_bots" / "python" / "template" / "bot.py", tmp_path / "bot.py")
    done = subprocess.run(
        [sys.executable, "bot.py"],
        env={**os.environ, "EUCHRE_ADDRESS": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert len((tmp_path / "bot.py").read_text().splitlines()) <= 15
