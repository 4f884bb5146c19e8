"""The command line: what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import run
from arena.errors import ExitCode
from arena.report import parse_bound

SCRIPTED = f"{sys.executable} {Path(__file__).parents[1] / 'bots' / 'scripted.py'}"
FIRST, LAST = f"ann={SCRIPTED} first", f"bob={SCRIPTED} last"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in an empty directory; return exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EUCHRE_DB", raising=False)

    def run_command(*arguments: str) -> tuple[int, str, str]:
        # The machine may be busy: nobody here is tested for speed.
        patience = ["--decision-seconds", "30"] if arguments[:2] == ("match", FIRST) else []
        code = run([*arguments, *patience])
        said = capfd.readouterr()
        return code, said.out, said.err

    return run_command


def night_file(directory: Path, text: str = "") -> str:
    file = directory / "friday.toml"
    file.write_text(
        text
        or f"""
        boards = 4
        seed = "tests"
        variants = ["two-handed", "pepper-2p"]
        policy = {{ decision_seconds = 30 }}
        [bots]
        ann = "{SCRIPTED} first"
        bob = "{SCRIPTED} last"
        """
    )
    return str(file)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["match", "randon", "random"], "no bot 'randon'; did you mean 'random'?"),
        (["match", "random", "random"], "two bots are called 'random'"),
        (["match", "random", "house"], "fills free seats"),
        (["match", "random", "a=random", "-v", "standart"], "no variant 'standart'; did you mean 'standard'?"),
        (["match", "random", "a=random", "-v", "buck(targt=3)"], "did you mean 'target'?"),
        (["match", "random", "a=random", "-v", "no.toml"], "no.toml: no such file"),
        (["match", "random", "a=random", "-n", "0"], "-n 0"),
        (["match", "random", "a=random", "--play", "game"], "did you mean 'games'?"),
        (["match", "random", "a=random", "--assert-elo", "at least 3"], "is no claim"),
        (["match", "random", "a=random", "--decision-seconds", "-1"], "decision_seconds"),
        (["match", "random", "a=random", "--house", "no"], "no bot 'no'"),
        (["match", "random", "a=random", "-j", "0"], "-j"),
        (["match", "random", "a=random", "--record", "/proc/x"], "/proc/x cannot be made"),
        (["match", "random", "a=random", "--isolation", "docer"], "did you mean 'docker'?"),
        (["match", "random"], "Missing argument"),
        (["match", "random", "a=random", "--bords", "3"], "No such option"),
        (["mach"], "No such command"),
        (["night", "none.toml"], "none.toml: no such file"),
        (["standings"], "no results at results.sqlite"),
        (["variants", "bukc"], "did you mean 'buck'?"),
        (["vectors", "none.json"], "none.json"),
    ],
)
def test_a_mistake_is_one_line_on_standard_error_and_exit_code_2(arena: Run, arguments: list[str], said: str) -> None:
    code, out, err = arena(*arguments)
    assert code == ExitCode.WRONG_COMMAND
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_match_prints_the_plan_first_and_the_numbers_last(arena: Run) -> None:
    code, out, _ = arena("match", FIRST, LAST, "-n", "6", "--seed", "7", "-v", "two-handed")
    assert code == ExitCode.PASSED
    lines = out.splitlines()
    assert lines[0].startswith("ann-bob: 2 bots")
    assert "two-handed  1 pairing, 6 boards, 12 legs" in out
    committed = next(line for line in lines if line.startswith("seed commitment"))
    assert lines.index(committed) < lines.index("")
    assert "6 sets" in out
    assert "95 % interval" in out
    assert "likelihood of superiority" in out
    assert "Points per board" in out
    assert "ann took" in out
    assert "decisions/s" in out
    assert lines[-1].startswith("seed: ")


def test_a_match_as_json_is_json_and_nothing_else_on_standard_output(arena: Run) -> None:
    code, out, err = arena("match", FIRST, LAST, "-n", "5", "--seed", "7", "-v", "two-handed", "-v", "buck", "--json")
    data = json.loads(out)
    assert code == ExitCode.PASSED
    assert data["overall"]["sets"] == 10
    assert set(data["variants"]) == {"two-handed", "buck"}
    assert data["legs"] == 5 * 2 + 5 * 4
    assert set(data["thinking"]) == {"ann", "bob", "house"}
    assert "seed commitment" in err


def test_the_same_seed_gives_the_same_result_at_any_concurrency(arena: Run) -> None:
    def numbers(*more: str) -> object:
        _, out, _ = arena("match", FIRST, LAST, "-v", "two-handed", "-n", "9", "--chunk-boards", "3", "--json", *more)
        data = json.loads(out)
        return data["overall"], data["hands"]

    one = numbers("--seed", "7", "-j", "1")
    assert numbers("--seed", "7", "-j", "3") == one
    assert numbers("--seed", "8", "-j", "3") != one


def test_without_a_seed_every_match_has_other_decks(arena: Run) -> None:
    command = ("match", FIRST, LAST, "-v", "two-handed", "-n", "1", "--json")
    seeds = {json.loads(arena(*command)[1])["seed"] for _ in range(2)}
    assert len(seeds) == 2


@pytest.mark.parametrize(
    ("claim", "interval", "code"),
    [
        (">= -20", (-20, 30), ExitCode.PASSED),
        (">= -20", (-20.1, 30), ExitCode.UNDECIDED),
        (">= -20", (-50, -20.1), ExitCode.FAILED),
        (">=-20", (-50, -20), ExitCode.UNDECIDED),
        ("<= 5.5", (-50, 5.5), ExitCode.PASSED),
        ("<= 5.5", (-50, 6), ExitCode.UNDECIDED),
        ("<= +5.5", (6, 60), ExitCode.FAILED),
        ("> 0", (1, 2), ExitCode.PASSED),
        ("<0", (1, 2), ExitCode.FAILED),
    ],
)
def test_a_claim_holds_over_the_whole_interval_or_over_none_or_is_open(
    claim: str, interval: tuple[float, float], code: ExitCode
) -> None:
    assert parse_bound(claim).verdict(interval) is code


@pytest.mark.parametrize(
    ("claim", "code"), [(">= -2000", 0), (">= 2000", 1), ("<= -2000", 1), ("<= 2000", 0), (">= 0", 3)]
)
def test_a_claim_decides_the_exit_code(arena: Run, claim: str, code: int) -> None:
    twin = f"bob={SCRIPTED} first"
    command = ("match", FIRST, twin, "-v", "two-handed", "-n", "3", "--seed", "1", "--assert-elo", claim)
    assert arena(*command)[0] == code


def test_a_match_in_which_somebody_does_not_come_is_undecided(arena: Run) -> None:
    code, out, err = arena("match", FIRST, f"bob={SCRIPTED} exit", "-n", "3")
    assert code == ExitCode.UNDECIDED
    assert "bob did not come" in err
    assert "cannot open my opening book" in err
    assert "no whole set" in out


def test_a_match_on_record_is_continued_and_not_played_twice(arena: Run, tmp_path: Path) -> None:
    command = ("match", FIRST, LAST, "-n", "4", "--seed", "7", "--record", "here")
    code, out, _ = arena(*command)
    assert code == ExitCode.PASSED
    code, again, _ = arena(*command)
    assert code == ExitCode.PASSED
    assert "is over already" in again
    result = next(line for line in out.splitlines() if "4 sets" in line)
    assert result in again


def test_games_are_counted_as_games(arena: Run) -> None:
    _, out, _ = arena("match", FIRST, LAST, "-n", "2", "--play", "games", "-v", "two-handed", "--seed", "2")
    assert "whole games to the target" in out
    assert "2 games, 4 legs" in out
    assert "Points per game" in out


def test_a_house_variant_is_played_under_its_own_name(arena: Run, tmp_path: Path) -> None:
    (tmp_path / "pub.toml").write_text('base = "two-handed"\nname = "Pub"\n[options]\ntarget = 5\n')
    code, out, _ = arena("match", FIRST, LAST, "-n", "2", "-v", "pub.toml")
    assert code == ExitCode.PASSED
    assert "two-handed(target=5)" in out
    assert "= Pub" in out
    code, out, _ = arena("variants", "pub.toml")
    assert code == ExitCode.PASSED
    assert out.startswith("Pub, after ")


def test_a_night_ends_with_standings_and_its_seed(arena: Run, tmp_path: Path) -> None:
    code, out, _ = arena("night", night_file(tmp_path))
    assert code == ExitCode.PASSED
    assert "1 pairing, 4 boards, 8 legs" in out
    assert "the night is over; its seed was" in out
    assert "overall: 8 sets of boards in 2 variants" in out
    assert (tmp_path / "nights" / "friday" / "journal.jsonl.gz").exists()
    code, out, _ = arena("night", night_file(tmp_path))
    assert code == ExitCode.PASSED
    assert "friday is over already" in out
    assert "overall: 8 sets of boards in 2 variants" in out


def test_standings_can_be_asked_for_later(arena: Run, tmp_path: Path) -> None:
    arena("night", night_file(tmp_path))
    code, out, _ = arena("standings", "--json")
    assert code == ExitCode.PASSED
    pools = {pool["pool"]: pool for pool in json.loads(out)["pools"]}
    assert set(pools) == {"overall", "pepper-2p(renege_contract=settle)", "two-handed"}
    assert {row["entrant"] for row in pools["overall"]["entrants"]} == {"ann", "bob"}
    code, out, _ = arena("standings", "-v", "two-handed", "--night", "friday")
    assert code == ExitCode.PASSED
    assert "two-handed: 4 sets" in out
    code, _, err = arena("standings", "--night", "fryday")
    assert code == ExitCode.WRONG_COMMAND
    assert "did you mean 'friday'?" in err
    code, _, err = arena("standings", "-v", "buck")
    assert code == ExitCode.WRONG_COMMAND
    assert "nothing of buck has been played" in err


def test_another_plan_under_the_same_name_is_refused(arena: Run, tmp_path: Path) -> None:
    file = night_file(tmp_path)
    arena("night", file)
    Path(file).write_text(Path(file).read_text().replace("boards = 4", "boards = 5"))
    code, _, err = arena("night", file)
    assert code == ExitCode.WRONG_COMMAND
    assert err.count("\n") == 1


def test_the_plan_alone_plays_nothing(arena: Run, tmp_path: Path) -> None:
    code, out, _ = arena("night", night_file(tmp_path), "--plan")
    assert code == ExitCode.PASSED
    assert "16 legs" in out
    assert not (tmp_path / "nights").exists()
    assert not (tmp_path / "results.sqlite").exists()


def test_variants_are_listed_and_described(arena: Run, tmp_path: Path) -> None:
    code, out, _ = arena("variants")
    assert code == ExitCode.PASSED
    assert "standard" in out
    assert "almonte-6p" in out
    code, out, _ = arena("variants", "buck", "--json")
    assert code == ExitCode.PASSED
    json.loads(out)
    (tmp_path / "pub.toml").write_text('base = "bid-euchre"\n[options]\ntarget = 5\n')
    code, out, _ = arena("variants", "pub.toml")
    assert code == ExitCode.PASSED
    assert "bid-euchre(target=5)" in out


def test_vectors_are_run_and_reported(arena: Run) -> None:
    file = Path(__file__).parents[1] / "vectors" / "7.02-lawful-cards.json"
    code, out, _ = arena("vectors", str(file))
    assert code == ExitCode.PASSED
    assert "0 failed" in out


def test_a_bug_of_ours_never_looks_like_a_no(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from arena import describe

    def broken() -> str:
        raise RuntimeError("oh")

    monkeypatch.setattr(describe, "list_text", broken)
    code, _, err = arena("variants")
    assert code == ExitCode.INFRASTRUCTURE
    assert "RuntimeError: oh" in err


def test_the_version_says_which_build_runs(arena: Run) -> None:
    code, out, _ = arena("--version")
    assert code == ExitCode.PASSED
    assert re.fullmatch(r"euchre-arena \d+\.\d+\.\d+ \((pure Python|compiled)\), Python 3\.\d+\.\d+\S*\n", out)


def test_no_command_at_all_gets_the_help_and_a_line(arena: Run) -> None:
    code, out, err = arena()
    assert code == ExitCode.WRONG_COMMAND
    assert "Commands" in out
    assert err == "euchre-arena: a command is missing (see euchre-arena --help)\n"


def test_help_names_every_command(arena: Run) -> None:
    code, out, _ = arena("--help")
    assert code == ExitCode.PASSED
    for command in ("match", "night", "standings", "variants", "vectors"):
        assert command in out
