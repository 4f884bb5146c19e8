"""What an organiser may write for a bot or a variant, and what he is told when it is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.bots import check_different, check_name, house_bot, isolation_text, make_bot, parse_bot
from arena.errors import OperatorError
from arena.schedule import HOUSE
from arena.variants import load_house_variant, load_variant


def complaint(function: object, *arguments: object) -> str:
    assert callable(function)
    with pytest.raises(OperatorError) as caught:
        function(*arguments)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_built_in_bot_is_started_with_this_python() -> None:
    bot = parse_bot("random")
    assert (bot.name, bot.command) == ("random", (sys.executable, "-m", "euchre_bots.random"))


def test_a_name_is_given_with_an_equals_sign() -> None:
    bot = parse_bot("ann=search --budget 0.1")
    assert bot.name == "ann"
    assert bot.command[1:] == ("-m", "euchre_bots.search", "--budget", "0.1")


def test_a_python_file_needs_no_execute_bit(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text("pass\n")
    bot = parse_bot("my_bot.py", tmp_path)
    assert (bot.name, bot.command) == ("my_bot", (sys.executable, str(tmp_path / "my_bot.py")))
    assert bot.directory == str(tmp_path)


def test_a_path_with_blanks_and_equals_signs_is_a_path(tmp_path: Path) -> None:
    program = tmp_path / "a=b c"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert parse_bot("a=b c", tmp_path).command == (str(program),)
    assert make_bot("x", "a=b c", tmp_path).command == (str(program),)


def test_a_command_is_split_like_a_shell_would_and_run_without_one() -> None:
    bot = parse_bot("me=sh -c 'echo $HOME; exit 1'")
    assert bot.command[1:] == ("-c", "echo $HOME; exit 1")


def test_a_command_is_called_after_the_script_it_runs() -> None:
    assert parse_bot("python3 -u bots/clever.py --fast").name == "clever"


def test_unknown_bots_are_told_the_nearest_name() -> None:
    assert "did you mean 'heuristic'?" in complaint(parse_bot, "heuristik")
    assert "search" in complaint(parse_bot, "no-such-thing-at-all")


def test_a_missing_file_is_told_its_nearest_neighbour(tmp_path: Path) -> None:
    (tmp_path / "clever.py").touch()
    assert "did you mean 'clever.py'?" in complaint(parse_bot, "./clevr.py", tmp_path)


def test_a_file_that_cannot_be_run_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "bot.lua").touch()
    assert "chmod +x" in complaint(parse_bot, "./bot.lua", tmp_path)
    assert "directory" in complaint(parse_bot, "./", tmp_path)


@pytest.mark.parametrize("name", ["", " ", "a/b", "a~b", "x" * 41, "-a", "tab\tbed", "esc\x1b[2J"])
def test_names_that_could_be_mistaken_are_refused(name: str) -> None:
    assert "cannot be called" in complaint(check_name, name)


def test_nobody_is_called_house() -> None:
    assert "fills free seats" in complaint(parse_bot, "House=random")
    assert "fills free seats" in complaint(parse_bot, "house")
    assert house_bot().name == HOUSE
    assert parse_bot("me=house").name == "me"


def test_two_bots_of_one_name_are_refused() -> None:
    assert "two bots are called 'Ann'" in complaint(check_different, ["ann", "bob", "Ann"])
    check_different(["ann", "bob"])


def test_unbalanced_quotes_are_one_line() -> None:
    assert "cannot be read" in complaint(parse_bot, "sh -c 'oops")
    assert "without a command" in complaint(parse_bot, "  ")


def manifest(directory: Path, *lines: str) -> Path:
    directory.mkdir(exist_ok=True)
    (directory / "bot.toml").write_text("\n".join(['name = "gopher"', 'version = "1"', *lines]) + "\n")
    return directory


def test_a_folder_with_a_manifest_is_a_bot(tmp_path: Path) -> None:
    folder = manifest(
        tmp_path / "g", 'command = ["./bin/bot", "--fast"]', "[environment]", 'LEVEL = "3"', "[limits]", "tables = 2"
    )
    (folder / "bin").mkdir()
    (folder / "bin" / "bot").touch()
    bot = make_bot(None, "g", tmp_path, {"MORE": "1"})
    assert (bot.name, bot.command) == ("gopher", (str(folder / "bin" / "bot"), "--fast"))
    assert bot.directory == str(folder)
    assert bot.environment == {"LEVEL": "3", "MORE": "1"}
    assert bot.limits.tables == 2
    assert parse_bot("other=g/bot.toml", tmp_path).name == "other"


def test_a_manifest_whose_program_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    manifest(tmp_path / "g", 'command = ["./bin/bot"]', 'build = ["go", "build", "-o", "bin/bot", "."]')
    assert "build it first: go build -o bin/bot ." in complaint(parse_bot, "g", tmp_path)


def test_an_image_is_a_bot(tmp_path: Path) -> None:
    bot = parse_bot("docker:registry/team/gopher:1.2 --level 3")
    assert (bot.name, bot.image, bot.command) == ("gopher", "registry/team/gopher:1.2", ("--level", "3"))
    assert parse_bot("me=docker:x").name == "me"
    assert "names no image" in complaint(parse_bot, "docker:")
    assert "never has two seats" in complaint(parse_bot, "docker:x", None, "none")


def test_a_remote_bot_is_named_after_its_entrant_unless_it_is_given_another_name() -> None:
    bot = parse_bot("remote:bob")
    assert (bot.name, bot.remote, bot.command, bot.spec) == ("bob", "bob", (), "remote:bob")
    bot = parse_bot("me=remote:bob")
    assert (bot.name, bot.remote) == ("me", "bob")
    assert "names no entrant" in complaint(parse_bot, "remote:")
    assert isolation_text(bot, "docker") == "remote"
    assert isolation_text(parse_bot("random", isolation="none"), "none") == "none"


def test_in_containers_only_what_has_an_image_is_a_bot(tmp_path: Path) -> None:
    both = manifest(tmp_path / "g", 'command = ["python3", "bot.py"]', 'image = "gopher:1"')
    assert parse_bot(str(both)).image == ""
    assert parse_bot(str(both), isolation="docker").image == "gopher:1"
    bare = manifest(tmp_path / "h", 'command = ["python3", "bot.py"]')
    assert "names no image" in complaint(parse_bot, str(bare), None, "docker")
    assert "is no container" in complaint(parse_bot, "random", None, "docker")


# -- variants ----------------------------------------------------------------------------------------


def test_rated_play_settles_contracts_after_a_renege() -> None:
    """SRV-RENEGE-1."""
    assert load_variant("bid-euchre").variant.options["renege_contract"] == "settle"
    assert load_variant("bid-euchre", is_rated=False).variant.options["renege_contract"] == "void"


def test_a_house_variant_can_be_used_like_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "pub.toml"
    file.write_text('base = "standard"\nname = "Pub rules"\n[options]\nstick_dealer = false\ntarget = 7\n')
    named = load_variant("pub.toml", tmp_path)
    assert named.label == "Pub rules"
    assert named.variant.id == "standard(stick_dealer=off,target=7)"


def test_the_base_of_a_house_variant_may_have_options_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "h.toml"
    file.write_text('base = "bid-euchre(target=32)"\n[options]\nno_trump_kinds = "high-low"\n')
    named = load_house_variant(file)
    assert named.label == "h"
    assert named.variant.options["target"] == 32
    assert named.variant.options["no_trump_kinds"] == "high-low"
    assert named.variant.options["renege_contract"] == "settle"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "standart"', "did you mean 'standard'?"),
        ('base = "standard"\noptons = {}', "no key 'optons'; did you mean 'options'?"),
        ('base = "standard"\n[options]\nstick_deeler = "on"', "did you mean 'stick_dealer'?"),
        ('base = "standard"\n[options]\nstick_dealer = "yes"', "it may be off, on"),
        ('base = "standard"\n[options]\ntarget = 0', "it is a number"),
        ('base = "standard"\n[options]\ntarget = [1]', "options.target"),
        ('base = "standard"\noptions = 3', "options is a table"),
        ('name = "x"', "base is missing"),
        ('base = "standard"\nname = "buck"', "no preset's name"),
        ('base = "standard', "not TOML"),
    ],
)
def test_a_wrong_house_variant_is_one_line_with_the_file_and_what_would_work(
    tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text)
    line = complaint(load_house_variant, file)
    assert line.startswith(str(file))
    assert said in line


def test_a_missing_house_variant_names_the_file() -> None:
    assert complaint(load_variant, "nowhere.toml").startswith("nowhere.toml: no such file")
