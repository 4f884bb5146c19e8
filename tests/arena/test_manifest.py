"""A bot's manifest says what it is, and mistakes in it are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import OperatorError
from arena.manifest import manifest_path, read_manifest
from referee.rules import PRESETS


def write(directory: Path, text: str) -> Path:
    path = directory / "bot.toml"
    path.write_text(text)
    return path


def test_everything_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        name = "gopher"
        version = "1.2"
        authors = ["Ada"]
        language = "go"
        variants = ["bid-*", "buck"]
        command = ["./bin/bot", "--fast"]
        image = "gopher:1"
        build = ["go", "build"]
        environment = { LEVEL = "3" }
        limits = { tables = 4, start_seconds = 2.5, memory_mib = 64 }
        """,
    )
    manifest = read_manifest(path)
    assert manifest.name == "gopher"
    assert manifest.command == ("./bin/bot", "--fast")
    assert manifest.directory == tmp_path
    assert manifest.variants == tuple(p for p in PRESETS if p.startswith("bid-") or p == "buck")
    assert manifest.environment == {"LEVEL": "3"}
    assert (manifest.limits.tables, manifest.limits.start_seconds, manifest.limits.memory_mib) == (4, 2.5, 64)


def test_all_presets_are_played_unless_it_says_which(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path, 'name = "a"\nversion = "1"\nimage = "a"'))
    assert manifest.variants == tuple(PRESETS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('version = "1"\nimage = "a"', "name is ''; it is missing"),
        ('name = "a"\nversion = "1"', "neither command nor image"),
        ('name = "a"\nversion = "1"\nimage = "a"\nvariants = ["buk"]', "did you mean 'buck'"),
        ('name = "a"\nversion = "1"\ncomand = ["x"]', "unknown key comand; did you mean 'command'"),
        ('name = "a"\nversion = "1"\ncommand = "x"', "command is 'x'; it is a list of texts"),
        ('name = "a"\nversion = "1"\nimage = "a"\n[limits]\ntables = -1', "limits.tables is -1"),
        ('name = "a"\nversion = "1"\nimage = "a"\n[limits]\ntabels = 1', "unknown key limits.tabels; did you mean"),
        ('name = "a"\nversion = "1"\nimage = "a"\n[environment]\nEUCHRE_TOKEN = "1"', "belong to the arena"),
        ("name = ", "is no TOML"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(OperatorError) as caught:
        read_manifest(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_folder_stands_for_the_manifest_in_it(tmp_path: Path) -> None:
    path = write(tmp_path, 'name = "a"\nversion = "1"\nimage = "a"')
    assert manifest_path(tmp_path) == path
    assert manifest_path(path) == path
    assert manifest_path(tmp_path / "other") is None
