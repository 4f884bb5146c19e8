"""The commands that read the record, as an operator types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from arena.errors import OperatorError
from arena.journal import sync_store
from arena.record_commands import register
from leaderboards.store import Store
from tests.arena.journal_factory import SEED, write_journal

app = typer.Typer()
register(app)


def _run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_journal(tmp_path_factory.mktemp("commands") / "journal.jsonl", ["standard"], 3, close=True)


def test_show(journal: Path) -> None:
    code, said = _run("show", journal)
    assert code == 0
    assert "--pairing 0 --board 2 --leg 1  standard" in said
    code, said = _run("show", journal.parent, "--pairing", 0, "--board", 2, "--leg", 1, "--hand", 0, "--seat", 3)
    assert code == 0
    assert "as seat 3 saw it" in said
    with pytest.raises(OperatorError, match="no hand 7"):
        _run("show", journal, "--pairing", 0, "--board", 2, "--leg", 1, "--hand", 7)
    with pytest.raises(OperatorError, match="no journal at"):
        _run("show", journal.parent / "absent")


def test_verify_says_what_fits_and_exits_0_and_1(journal: Path, tmp_path: Path) -> None:
    code, said = _run("verify", journal)
    assert code == 0
    assert "everything fits" in said
    code, said = _run("verify", journal, "--json")
    report = json.loads(said)
    assert (code, report["is_good"], report["legs"]) == (0, True, 6)
    damaged = tmp_path / "journal.jsonl.gz"
    data = bytearray(journal.read_bytes())
    data[200] ^= 4
    damaged.write_bytes(data)
    code, said = _run("verify", tmp_path)
    assert code == 1
    assert "does not fit" in said


def test_verify_compares_a_store(journal: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "results.db") as store:
        sync_store(journal, store)
    code, said = _run("verify", journal, "--db", tmp_path / "results.db")
    assert code == 0
    assert "the store holds the same" in said
    with Store(tmp_path / "empty.db"):
        pass
    code, said = _run("verify", journal, "--db", tmp_path / "empty.db")
    assert code == 1
    assert "the store lacks" in said
    with pytest.raises(OperatorError, match="no results at"):
        _run("verify", journal, "--db", tmp_path / "absent.db")


def test_verify_takes_the_seed_of_an_open_night(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"], 1)
    assert "NOT checked" in _run("verify", path)[1]
    assert "dealt again" in _run("verify", path, "--seed", SEED.hex())[1]
    assert _run("verify", path, "--seed", "another")[0] == 1


def test_export_and_show_what_was_exported(journal: Path, tmp_path: Path) -> None:
    code, said = _run("export", journal, "--format", "egn", "--out", tmp_path)
    assert code == 0
    assert "legs in " in said
    (match,) = tmp_path.glob("*.emn")
    assert "--board 0" in _run("show", match)[1]
    with pytest.raises(OperatorError, match="no format"):
        _run("export", journal, "--format", "pgn")


def test_transcripts(journal: Path, tmp_path: Path) -> None:
    code, said = _run("transcripts", journal, "--out", tmp_path / "t", "--limit", 5000)
    assert code == 0
    assert "alpha: " in said
    assert (tmp_path / "t" / "bravo.txt").stat().st_size <= 5000


def test_rerun(journal: Path) -> None:
    where = ("--pairing", 0, "--board", 0, "--leg", 0)
    code, said = _run("rerun", journal, *where)
    assert code == 0
    assert "choose one with --decision" in said
    code, said = _run("rerun", journal, *where, "--decision", 0, "--", "random")
    assert code == 0
    assert "recorded " in said
    assert "  now " in said
    assert _run("rerun", journal, *where, "--decision", 0, "--", "false")[0] == 1
    with pytest.raises(OperatorError, match="which bot"):
        _run("rerun", journal, *where, "--decision", 0)


def test_a_night_is_found_by_its_name(journal: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "nights" / "league-1").mkdir(parents=True)
    (tmp_path / "nights" / "league-1" / journal.name).write_bytes(journal.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert _run("verify", "league-1")[0] == 0
