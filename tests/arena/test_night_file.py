"""The night file: what it may hold, and the one line for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import OperatorError
from arena.night import load_night, seed_bytes

GOOD = """
boards = 10
variants = ["standard", "buck"]
[bots]
ann = "random"
bob = { run = "house", environment = { LEVEL = "3" } }
"""


def write(directory: Path, text: str) -> Path:
    file = directory / "friday.toml"
    file.write_text(text)
    return file


def test_a_short_night_file_is_enough(tmp_path: Path) -> None:
    night = load_night(write(tmp_path, GOOD))
    assert night.name == "friday"
    assert [variant.id for variant in night.event.variants] == ["standard", "buck"]
    assert sorted(night.bots) == ["ann", "bob"]
    assert night.bots["bob"].environment == {"LEVEL": "3"}
    assert night.bots["bob"].directory == str(tmp_path)
    assert night.seed is None
    assert (night.event.unit, night.event.boards) == ("boards", 10)


def test_everything_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "pub.toml").write_text('base = "standard"\n[options]\ntarget = 7\n')
    text = """
        name = "cup-2"
        seed = 42
        boards = 3
        play = "games"
        variants = ["pub.toml"]
        house = "random"
        concurrency = 2
        tables = 4
        start_seconds = 3
        restarts = 0
        chunk_boards = 2
        policy = { decision_seconds = 0.5, strikes = 5 }
        bots = { ann = "random", bob = "random" }
    """
    night = load_night(write(tmp_path, text))
    assert night.seed == seed_bytes("42")
    assert night.labels == {"standard(target=7)": "pub"}
    assert night.policy.decision_seconds == 0.5
    assert night.policy.strikes == 5
    assert night.concurrency == 2
    assert (night.settings.tables, night.settings.start_seconds, night.settings.restarts) == (4, 3.0, 0)
    assert night.event.chunk_boards == 2


def test_a_seed_of_64_digits_is_the_seed_itself() -> None:
    assert seed_bytes("0f" * 32) == bytes([15] * 32)
    assert len(seed_bytes("any text")) == 32
    assert seed_bytes("any text") != seed_bytes("any text ")


def test_the_plan_holds_what_must_not_change_and_nothing_else(tmp_path: Path) -> None:
    plan = load_night(write(tmp_path, GOOD)).plan()
    assert load_night(write(tmp_path, "concurrency = 3\nstart_seconds = 99\n" + GOOD)).plan() == plan
    for change in ("tables = 3", "chunk_boards = 3", "house = 'random'", "policy = { strikes = 9 }", "play = 'games'"):
        assert load_night(write(tmp_path, change + GOOD)).plan() != plan


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("boards = 10", "bords = 10", "no key 'bords'; did you mean 'boards'?"),
        ("boards = 10", "", "boards is missing"),
        ("boards = 10", "boards = 0", "boards is a whole number from 1"),
        ("boards = 10", "boards = true", "boards is a whole number"),
        ("boards = 10", 'boards = "ten"', "not 'ten'"),
        ("boards = 10", "boards = 10\nplay = 'game'", "did you mean 'games'?"),
        ("boards = 10", "boards = 10\nseed = 1.5", "seed is a text or a number"),
        ("boards = 10", "boards = 10\nname = 'a b'", "name is up to 80 letters"),
        ("boards = 10", "boards = 10\nhouse = 'hous'", "house: no bot 'hous'; did you mean 'house'?"),
        ("boards = 10", "boards = 10\nisolation = 'doker'", "did you mean 'docker'?"),
        ("boards = 10", "boards = 10\nisolation = 'docker'", "bots.ann: 'random' is no container"),
        ('"random"', '"remote:ann"', "there is no referee to dial; name its file"),
        ('"random"', '"remote:"', "bots.ann: 'remote:' names no entrant"),
        ("boards = 10", "boards = 10\nhouse = 'remote:bob'", "the house cannot be 'remote:bob'"),
        ("boards = 10", "boards = 10\nreferee = 3", "referee is a text"),
        ("boards = 10", "boards = 10\nreferee = 'none.toml'", "none.toml: no such file"),
        ("boards = 10", "boards = 10\nmetrics = 3", "metrics is a text"),
        ("boards = 10", "boards = 10\nisolation = 'non'", "did you mean 'none'?"),
        ("boards = 10", "boards = 10\nstart_seconds = 0", "start_seconds is a number of seconds"),
        ("boards = 10", "boards = 10\npolicy = { strike = 3 }", "no key 'policy.strike'; did you mean 'strikes'?"),
        ("boards = 10", "boards = 10\npolicy = { strikes = 0 }", "policy.strikes"),
        ("boards = 10", "boards = 10\npolicy = { strikes = 1.5 }", "policy.strikes is a whole number"),
        ("boards = 10", "boards = 10\npolicy = { decision_seconds = 'x' }", "policy.decision_seconds"),
        ("boards = 10", "boards = 10\npolicy = 3", "policy is a table"),
        ('"buck"', '"bukc"', "variants[1]: no variant 'bukc'; did you mean 'buck'?"),
        ('"buck"', '"standard"', "in the list already"),
        ('"buck"', '"buck(target=x)"', "variants[1]: buck: target cannot be 'x'"),
        ('"buck"', '"pub.toml"', "pub.toml: no such file"),
        ('["standard", "buck"]', "[]", "variants is a list"),
        ('ann = "random"', 'ann = "randon"', "bots.ann: no bot 'randon'; did you mean 'random'?"),
        ('ann = "random"', 'ann = "./ann.py"', "there is no such file"),
        ('ann = "random"', "ann = 3", "bots.ann is a command"),
        ('ann = "random"', 'house = "random"', "fills free seats"),
        ('ann = "random"', 'Bob = "random"', "two bots have that name"),
        ('ann = "random"', 'bob = "random"', "not TOML"),
        ('ann = "random"', "", "two or more"),
        ('ann = "random"', '"a/b" = "random"', "cannot be called 'a/b'"),
        ('ann = "random"', 'ann = { run = "random", environ = {} }', "did you mean 'environment'?"),
        ('ann = "random"', 'ann = { run = "random", directory = "x" }', "bots.ann.directory is a directory"),
        ('LEVEL = "3"', "LEVEL = 3", "bots.bob.environment is a table of texts"),
        ('LEVEL = "3"', 'EUCHRE_TOKEN = "3"', "bots.bob.environment.EUCHRE_TOKEN"),
        ("[bots]", "[bots", "line 4"),
    ],
)
def test_a_wrong_night_file_is_one_line_with_the_file_the_key_and_what_would_work(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    file = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(OperatorError) as caught:
        load_night(file)
    line = str(caught.value)
    assert line.startswith(str(file))
    assert said in line
    assert "\n" not in line


def test_a_missing_or_unreadable_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="no such file"):
        load_night(tmp_path / "monday.toml")
    with pytest.raises(OperatorError, match="cannot be read"):
        load_night(tmp_path)
    file = tmp_path / "latin.toml"
    file.write_bytes(b'name = "\xe9"')
    with pytest.raises(OperatorError, match="UTF-8"):
        load_night(file)


@pytest.mark.parametrize("name", ["night.toml", "demo.toml"])
def test_the_examples_are_good_night_files(name: str) -> None:
    night = load_night(Path(__file__).parents[2] / "examples" / name)
    assert len(night.bots) == 3
    assert len(night.event.variants) >= 4


def test_remote_bots_come_in_by_the_file_of_a_referee(tmp_path: Path) -> None:
    (tmp_path / "door.toml").write_text('listen = "127.0.0.1:7000"')
    file = write(tmp_path, 'referee = "door.toml"\nmetrics = "127.0.0.1:0"' + GOOD.replace('"random"', '"remote:anna"'))
    night = load_night(file)
    assert night.remote == ["anna"]
    assert night.isolations == {"ann": "remote", "bob": "process"}
    assert night.metrics == "127.0.0.1:0"
    assert night.referee is not None
    assert night.referee.listen == "127.0.0.1:7000"
    assert night.plan()["bots"]["ann"] == "remote:anna"


def test_isolation_and_referee_of_the_command_line_take_the_place_of_the_files(tmp_path: Path) -> None:
    door = tmp_path / "door.toml"
    door.write_text("")
    night = load_night(write(tmp_path, GOOD.replace('"random"', '"remote:anna"')), isolation="none", referee=door)
    assert night.isolations == {"ann": "remote", "bob": "none"}
    assert night.plan()["isolation"] == "none"
    with pytest.raises(OperatorError, match="which never has two seats"):
        load_night(write(tmp_path, GOOD.replace('"random"', '"docker:image"')), isolation="none")
