"""The store keeps every leg once, in SQLite and in PostgreSQL, whoever writes, reads or is killed meanwhile."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from leaderboards import store as store_module
from leaderboards.ratings import fit
from leaderboards.results import FaultCount, LegResult, ResultError, sets_of
from leaderboards.store import WHOLE_NIGHT, NightConflictError, Store, StoreError
from tests.leaderboards.makers import leg, pair_of_legs

PLAN: dict[str, Any] = {"variants": ["standard", "buck"], "boards": 10, "bots": {"a": {"command": "./a"}}, "rate": 0.5}


@pytest.fixture
def results(place: str) -> Any:
    with Store(place) as opened:
        opened.begin_night("monday", PLAN, "c0ffee")
        yield opened


# --- legs ---------------------------------------------------------------------------------------------------


def test_a_leg_comes_back_as_it_was(results: Store) -> None:
    stored = leg(
        3,
        1,
        (-4, 7),
        pairing=2,
        seating=("<b>", "\u00dcb\u4e2d", "<b>", "\u00dcb\u4e2d"),
        end="forfeit",
        forfeited=("<b>",),
        faults=(FaultCount("<b>", "timeout", 3),),
        seconds=0.1 + 0.2,
        counts_down=True,
        record='{"hands": ["\u2660\\u0000"]}',
    )
    assert results.add_leg(stored)
    assert results.legs() == [stored]
    assert results.legs(records=False)[0].record == ""


def test_a_key_is_written_once_and_the_first_stays(results: Store) -> None:
    first = leg(0, 0, (1, 0), record="[1]")
    assert results.add_leg(first) is True
    assert results.add_leg(first) is False
    assert results.add_leg(leg(0, 0, (0, 4), record="[2]")) is False
    assert results.add_legs([first, leg(0, 1), leg(0, 1)]) == 1
    assert results.legs() == [first, leg(0, 1)]


def test_legs_are_in_schedule_order_however_they_came(results: Store) -> None:
    results.begin_night("alpha", {}, "beef")
    legs = [
        leg(b, n, pairing=p, night=night)
        for night in ("monday", "alpha")
        for p in (0, 1)
        for b in (0, 2, 10)
        for n in (0, 1)
    ]
    shuffled = list(legs)
    random.Random(1).shuffle(shuffled)
    assert results.add_legs(shuffled) == len(legs)
    assert results.legs() == legs


def test_legs_can_be_asked_for_by_night_and_by_variant(results: Store) -> None:
    results.begin_night("tuesday", {}, "beef")
    results.add_legs([leg(0), leg(0, variant="buck", pairing=1), leg(0, night="tuesday")])
    assert [one.night for one in results.legs("monday")] == ["monday", "monday"]
    assert [(one.night, one.pairing) for one in results.legs(variant="standard")] == [("monday", 0), ("tuesday", 0)]
    assert results.legs("tuesday", "buck") == results.legs("nobody knows") == []
    assert results.variants() == ["buck", "standard"]
    assert results.variants("tuesday") == ["standard"]
    assert (results.leg_count(), results.leg_count("tuesday")) == (3, 1)


def test_a_read_of_many_pages_gives_every_leg_once(results: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "PAGE_ROWS", 7)
    monkeypatch.setattr(store_module, "RECORD_PAGE_ROWS", 5)
    legs = [
        one
        for pairing in range(3)
        for board in range(6)
        for one in pair_of_legs(board, (1, 0), (0, 1), pairing=pairing)
    ]
    results.add_legs(legs)
    assert results.legs() == results.legs(records=False) == legs
    assert results.legs(variant="standard") == legs


def test_finished_names_what_need_not_be_played_again(results: Store) -> None:
    results.add_legs([leg(4, 1, pairing=2), leg(0, 0)])
    assert results.finished("monday") == {(2, 4, 1), (0, 0, 0)}
    assert results.finished("never begun") == set()


def test_a_leg_of_an_unknown_night_is_refused_and_leaves_nothing(results: Store) -> None:
    with pytest.raises(StoreError, match="no night 'sunday'"):
        results.add_legs([leg(0), leg(0, night="sunday")])
    assert results.leg_count() == 0


def test_results_outlive_the_store(place: str) -> None:
    with Store(place) as first:
        first.begin_night("monday", PLAN, "c0ffee")
        first.add_leg(leg())
    with Store(place) as second:
        assert second.legs() == [leg()]
        assert second.begin_night("monday", PLAN, "c0ffee") is False


def test_a_row_that_was_altered_behind_our_back_is_noticed(place: str, results: Store) -> None:
    results.add_leg(leg(0))
    with results._write() as connection:
        connection.execute(sa.text("UPDATE legs SET board = 7"))
    with pytest.raises(StoreError, match="altered"):
        results.legs()
    with results._write() as connection:
        connection.execute(
            sa.text('UPDATE legs SET board = 0, result = replace(result, \'"end":"board"\', \'"end":"void"\')')
        )
    with pytest.raises(ResultError, match="void"):
        results.legs()


# --- nights -------------------------------------------------------------------------------------------------


def test_a_night_is_begun_once_and_gone_on_with(results: Store) -> None:
    assert results.begin_night("tuesday", PLAN, "beef") is True
    assert results.begin_night("tuesday", json.loads(json.dumps(PLAN)), "beef") is False
    assert [night.name for night in results.nights()] == ["monday", "tuesday"]
    night = results.night("tuesday")
    assert (night.plan, night.commitment, night.finished) == (PLAN, "beef", None)
    results.mark_finished("tuesday")
    finished = results.night("tuesday").finished
    assert finished is not None
    assert finished >= night.begun
    results.mark_finished("tuesday")
    assert results.night("tuesday").finished == finished
    with pytest.raises(StoreError, match="no night 'sunday'"):
        results.night("sunday")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"boards": 20}, "boards is 20, was 10"),
        ({"boards": 10.0}, "boards is 10.0, was 10"),
        ({"bots": {"a": {"command": "./b"}}}, 'bots.a.command is "./b", was "./a"'),
        ({"bots": {}}, 'bots.a is gone (was {"command": "./a"})'),
        ({"variants": ["standard", "british"]}, 'variants[1] is "british", was "buck"'),
        ({"variants": ["standard"]}, 'variants is ["standard"], was ["standard", "buck"]'),
        ({"clock": True}, "clock is new (true)"),
    ],
)
def test_a_changed_night_is_refused_in_one_line_that_names_what_differs(
    results: Store, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(NightConflictError) as refusal:
        results.begin_night("monday", PLAN | change, "c0ffee")
    message = str(refusal.value)
    assert words in message
    assert "another name" in message
    assert len(message.splitlines()) == 1


def test_a_night_with_another_seed_is_refused(results: Store) -> None:
    with pytest.raises(NightConflictError, match="commitment is beef, was c0ffee"):
        results.begin_night("monday", PLAN, "beef")


@pytest.mark.parametrize("name", ["", "two\nlines"])
def test_a_night_has_a_printable_name(results: Store, name: str) -> None:
    with pytest.raises(StoreError, match="printable"):
        results.begin_night(name, {}, "")


def test_a_plan_is_json(results: Store) -> None:
    for plan in ({"rate": float("nan")}, {"bots": {1, 2}}):
        with pytest.raises(StoreError, match="must be JSON"):
            results.begin_night("tuesday", plan, "")
    assert [night.name for night in results.nights()] == ["monday"]


# --- notes --------------------------------------------------------------------------------------------------


def test_notes_are_kept_in_order_and_once(results: Store) -> None:
    """KT-57: a pairing that could not be played ends as a note with its reason."""
    last_words = "Traceback ...\n" * 500
    results.note("monday", 3, "no-show", "a", last_words)
    results.note("monday", WHOLE_NIGHT, "infrastructure", "", "the disk was full")
    results.note("monday", 3, "no-show", "a", last_words)
    assert [(note.pairing, note.kind, note.entrant) for note in results.notes("monday")] == [
        (3, "no-show", "a"),
        (WHOLE_NIGHT, "infrastructure", ""),
    ]
    assert results.notes()[0].text == last_words
    assert results.notes("sunday") == []


def test_a_bots_last_words_may_be_anything(results: Store) -> None:
    results.note("monday", 0, "no-show", "a", "nul \0, half a pair \ud800, bell \a")
    assert results.notes()[0].text == "nul \ufffd, half a pair ?, bell \a"


def test_a_note_of_an_unknown_kind_or_night_is_refused(results: Store) -> None:
    with pytest.raises(StoreError, match="kind 'sulking'"):
        results.note("monday", 0, "sulking", "a", "")
    with pytest.raises(StoreError, match="no night 'sunday'"):
        results.note("sunday", 0, "no-show", "a", "")
    with pytest.raises(ResultError, match="printable"):
        results.note("monday", 0, "no-show", "a\nb", "")


# --- places -------------------------------------------------------------------------------------------------


def test_a_place_that_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at as one\n" * 20)
    places = {
        str(tmp_path / "no" / "such" / "results.db"): "no folder",
        str(tmp_path): "unable to open",
        str(tmp_path / "text"): "not a database",
        "mysql://host/name": "not 'mysql'",
        "postgresql://arena@/none?host=/nonexistent": "connection",
        "://": "database URL",
    }
    for place, words in places.items():
        with pytest.raises(StoreError, match=words) as refusal:
            Store(place)
        assert len(str(refusal.value).splitlines()) == 1


def test_a_password_is_never_told() -> None:
    with pytest.raises(StoreError) as refusal:
        Store("postgresql://arena:hunter2@/none?host=/nonexistent")
    assert "hunter2" not in str(refusal.value)


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "photos.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE photos (name)")
    other.close()
    with pytest.raises(StoreError, match=r"something else \(tables photos"):
        Store(file)


def test_a_store_of_another_form_is_refused(place: str) -> None:
    with Store(place) as opened, opened._write() as connection:
        connection.execute(sa.text("UPDATE about SET value = '99'"))
    with pytest.raises(StoreError, match="form 99, this program knows form 1"):
        Store(place)


def test_a_url_names_a_sqlite_file_too(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'results.db'}") as opened:
        assert opened.begin_night("monday", {}, "")
        assert opened.place == str(tmp_path / "results.db")
    assert (tmp_path / "results.db").exists()


def test_a_writer_that_waits_in_vain_says_so_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    with Store(file) as holder, Store(file, busy_timeout_seconds=0.05) as waiting, holder._write():
        with pytest.raises(StoreError, match="locked") as refusal:
            waiting.begin_night("monday", {}, "")
        assert str(file) in str(refusal.value)


# --- several at once ----------------------------------------------------------------------------------------


_WRITER = """
import sys
from leaderboards.results import LegResult
from leaderboards.store import Store

place, file = sys.argv[1:]
with open(file) as lines:
    legs = [LegResult.from_json(line) for line in lines]
with Store(place) as store:
    store.begin_night("monday", {}, "")
    done = store.finished("monday")
    for leg in legs:
        if (leg.pairing, leg.board, leg.leg) not in done:
            assert store.add_leg(leg)
            print(leg.board, leg.leg, flush=True)
"""
"""Stores the legs of a file that are not there yet, one by one, and tells of each when it is stored."""


def _start_writer(place: str, file: Path, legs: list[LegResult]) -> subprocess.Popen[str]:
    file.write_text("".join(f"{one.to_json()}\n" for one in legs))
    command = [sys.executable, "-c", _WRITER, place, str(file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_eight_processes_write_while_a_reader_polls(place: str, tmp_path: Path) -> None:
    """KT-67: all eight open a place that does not exist yet, begin the night and store 200 results each."""
    writers = [
        _start_writer(
            place,
            tmp_path / f"legs{pairing}",
            [one for board in range(100) for one in pair_of_legs(board, (1, 0), (0, 1), pairing=pairing, record="[1]")],
        )
        for pairing in range(8)
    ]
    seen = [0]
    with Store(place) as reader:
        while any(writer.poll() is None for writer in writers):
            sets = sets_of(reader.each_leg(records=False))
            fit(sets)
            seen.append(len(sets))
        for writer in writers:
            told, complaints = writer.communicate()
            assert (writer.returncode, complaints, len(told.splitlines())) == (0, "", 200)
        assert reader.leg_count() == 1600
        assert len(sets_of(reader.legs())) == 800
        assert len(reader.nights()) == 1
    assert seen == sorted(seen)
    assert len(set(seen)) > 2, "the reader was never at work while the writers were"


def test_threads_may_share_a_store(results: Store) -> None:
    legs = [pair_of_legs(board, (1, 0), (0, 0), pairing=pairing) for pairing in range(4) for board in range(15)]
    threads = [
        threading.Thread(target=lambda part=part: [results.add_legs(pair) for pair in legs[part::4]])
        for part in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.leg_count() == 120


@pytest.mark.slow
def test_a_writer_killed_at_random_loses_nothing_and_doubles_nothing(place: str, tmp_path: Path) -> None:
    """KT-56: signal 9 at 20 random moments of a run of 200 pairs, resumed each time."""
    legs = [one for board in range(200) for one in pair_of_legs(board, (board % 3, 1), (board % 2, 0), record="[1]")]
    told: list[str] = []
    generator = random.Random(56)
    for life in range(21):
        with _start_writer(place, tmp_path / "legs", legs) as writer:
            assert writer.stdout is not None
            lines = generator.randint(1, 20) if life < 20 else len(legs)
            for line in writer.stdout:
                told.append(line)
                lines -= 1
                if not lines:
                    writer.kill()
            # What it stored last before it died may or may not have been told.
    assert len(told) == len(set(told)), "a leg was stored twice"
    with Store(place) as opened:
        stored = opened.legs()
        finished = {f"{board} {number}\n" for _, board, number in opened.finished("monday")}
    assert finished >= set(told)
    assert stored == legs
    assert fit(sets_of(stored)) == fit(sets_of(legs))


# --- readers ------------------------------------------------------------------------------------------------


def _big_legs(count: int) -> list[LegResult]:
    record = json.dumps("x" * 8000)
    return [leg(board, number, record=record) for board in range(count // 2) for number in (0, 1)]


def _log_bytes(file: Path) -> int:
    return file.with_name(f"{file.name}-wal").stat().st_size


def test_a_slow_reader_does_not_hold_the_log_open(tmp_path: Path) -> None:
    """KT-68: an export stands half-way while 40 MB are written; the log stays a tenth of that."""
    file = tmp_path / "results.db"
    with Store(file) as writer, Store(file) as reader:
        writer.begin_night("monday", PLAN, "c0ffee")
        legs = _big_legs(5000)
        writer.add_legs(legs[:1000])
        export = reader.each_leg()
        first = next(export)
        writer.add_legs(legs[1000:])
        assert _log_bytes(file) < 16 * 1024 * 1024
        assert [first, *export] == legs


def test_a_transaction_left_open_would_hold_the_log_open(tmp_path: Path) -> None:
    """The control of the test above: what it looks for does happen to a reader that keeps its transaction."""
    file = tmp_path / "results.db"
    with Store(file) as writer:
        writer.begin_night("monday", PLAN, "c0ffee")
        held = sqlite3.connect(file, isolation_level=None)
        held.execute("BEGIN")
        held.execute("SELECT count(*) FROM legs").fetchone()
        writer.add_legs(_big_legs(5000))
        assert _log_bytes(file) > 30 * 1024 * 1024
        held.close()


@pytest.mark.slow
def test_a_hundred_thousand_results_while_an_export_stands_open(place: str, tmp_path: Path) -> None:
    """KT-68: the log stays below 64 MiB and the export sees what was there when it read."""
    with Store(place) as writer, Store(place) as reader:
        writer.begin_night("monday", PLAN, "c0ffee")
        writer.add_legs(pair_of_legs(0, (1, 0), (0, 0)))
        export = reader.each_leg(records=False)
        next(export)
        for block in range(50):
            writer.add_legs(
                [
                    one
                    for board in range(1000)
                    for one in pair_of_legs(block * 1000 + board + 1, (1, 0), (0, 0), record="[1]")
                ]
            )
            if place.startswith(str(tmp_path)):
                assert _log_bytes(Path(place)) < 64 * 1024 * 1024
        assert writer.leg_count() == 100_002
        assert sum(1 for _ in export) in (1, 100_001)
