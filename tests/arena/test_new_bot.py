"""A new project is copied whole, under its own name, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import OperatorError
from arena.new_bot import languages, load_template, write_project


@pytest.mark.parametrize("language", languages())
def test_a_project_holds_the_contract_and_its_own_name(language: str, tmp_path: Path) -> None:
    directory = tmp_path / "my-first-bot"
    template, written = write_project(language, directory)
    assert (directory / "proto" / "euchre" / "v1" / "play.proto").is_file()
    assert (directory / "bot.toml").is_file()
    assert 'name = "my-first-bot"' in (directory / "bot.toml").read_text()
    assert all(path.is_file() for path in written)
    assert template.build
    assert template.run


def test_there_is_a_template_for_python() -> None:
    assert "python" in languages()
    assert load_template("python").language == "python"


def test_a_language_without_a_template_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="no template for 'pyton'; did you mean 'python'"):
        write_project("pyton", tmp_path / "x")


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(OperatorError, match="exists and is not empty"):
        write_project("python", tmp_path, "my-bot")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="small letters, digits and dashes"):
        write_project("python", tmp_path / "x", "My Bot!")
