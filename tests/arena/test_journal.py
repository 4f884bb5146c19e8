"""The journal: nothing lost, nothing twice, whatever kills the writer and whenever."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InfrastructureError
from arena.journal import (
    DamagedJournal,
    Journal,
    JournalError,
    JournalWriteError,
    LegRecord,
    Note,
    closed_journal,
    compress,
    find_journal,
    leg_result,
    read_legs,
    read_lines,
    read_night,
    read_results,
    secret_seed,
    sync_store,
)
from arena.verify import verify
from leaderboards.results import sets_of
from leaderboards.store import Store
from referee.rules import PRESETS
from referee.service.outcome import GameEnd, TableResult
from tests.arena.journal_factory import SEED, legs_of, night_of, rated_id, write_journal

NOTE = Note(what="no-show", pairing=0, entrant="bravo", text="it never said Hello")


def _legs(count: int = 8, **options: object) -> list[LegRecord]:
    return list(legs_of(["standard"], count, **options))[:count]  # type: ignore[arg-type]


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    legs = _legs()
    with Journal(tmp_path / "j", night_of(["standard"])) as journal:
        assert journal.add_legs(legs[:5]) == 5
        assert journal.add_leg(legs[5])
        journal.add_note(NOTE)
    assert [leg_result("factory", leg) for _, leg in read_legs(tmp_path / "j")] == [
        leg_result("factory", leg) for leg in legs[:6]
    ]
    assert read_night(tmp_path / "j").commitment == night_of(["standard"]).commitment


def test_a_leg_is_written_once(tmp_path: Path) -> None:
    legs = _legs()
    with Journal(tmp_path / "j", night_of(["standard"])) as journal:
        assert journal.add_legs([legs[0], legs[1], legs[0]]) == 2
        assert not journal.add_leg(legs[1])
    with Journal(tmp_path / "j", night_of(["standard"])) as journal:
        assert journal.finished == {legs[0].key, legs[1].key}
        assert journal.add_legs(legs) == len(legs) - 2
    assert len(list(read_legs(tmp_path / "j"))) == len(legs)


def test_a_seating_is_described_once_and_before_its_first_leg(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard", "cutthroat-3p"], 3)
    with Journal(path, night_of(["standard", "cutthroat-3p"])) as journal:
        journal.add_legs(legs_of(["standard", "cutthroat-3p"], 5))
    kinds = [line.kind for line in read_lines(path)]
    assert kinds.count("seating") == 2 + 3
    known: set[object] = set()
    for line in read_lines(path):
        data = line.json()
        if line.kind == "seating":
            known.add(data["seating"])
        elif line.kind == "leg":
            assert data["seating"] in known


def test_another_plan_is_refused_and_what_differs_is_named(tmp_path: Path) -> None:
    night = night_of(["standard"])
    Journal(tmp_path / "j", night).release()
    for changed in (
        replace(night, plan={**night.plan, "boards": 99}),
        replace(night, commitment="0" * 64),
        replace(night, name="another"),
        replace(night, policy={"strikes": 5}),
    ):
        with pytest.raises(JournalError, match="another night"):
            Journal(tmp_path / "j", changed)
    Journal(tmp_path / "j", replace(night, started="later")).release()


def test_there_is_one_writer(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "j", night_of(["standard"])),
        pytest.raises(JournalError, match="another process"),
    ):
        Journal(tmp_path / "j", night_of(["standard"]))
    Journal(tmp_path / "j", night_of(["standard"])).release()


def test_a_torn_last_line_is_cut_off_wherever_it_was_torn(tmp_path: Path) -> None:
    legs = _legs(3)
    path = tmp_path / "j"
    with Journal(path, night_of(["standard"])) as journal:
        journal.add_legs(legs[:2])
    whole = path.read_bytes()
    with Journal(path, night_of(["standard"])) as journal:
        journal.add_leg(legs[2])
    full = path.read_bytes()
    places = [*random.Random(1).sample(range(len(whole) + 1, len(full)), 60), len(whole) + 1, len(full) - 1]
    for place in places:
        path.write_bytes(full[:place])
        with Journal(path, night_of(["standard"])) as journal:
            assert journal.finished == {legs[0].key, legs[1].key}
            assert journal.bytes_cut == place - len(whole)
            assert journal.add_leg(legs[2])
        assert path.read_bytes() == full


def test_a_first_line_torn_at_any_byte_begins_the_night_again(tmp_path: Path) -> None:
    path = tmp_path / "j"
    Journal(path, night_of(["standard"])).release()
    first = path.read_bytes()
    for place in range(0, len(first), 37):
        path.write_bytes(first[:place])
        Journal(path, night_of(["standard"])).release()
        assert path.read_bytes() == first


def test_a_whole_line_that_does_not_fit_is_never_cut_off(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"])
    text = bytearray(path.read_bytes())
    text[-200] ^= 1
    path.write_bytes(text)
    with pytest.raises(DamagedJournal):
        Journal(path, night_of(["standard"]))
    assert path.read_bytes() == bytes(text)


def test_a_full_disk_loses_nothing_that_was_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    legs = _legs()
    path = tmp_path / "j"
    real_write = os.write
    with Journal(path, night_of(["standard"])) as journal:
        journal.add_legs(legs[:2])
        before = path.read_bytes()

        def write_half(number: int, data: memoryview) -> int:
            if len(data) < 600:
                raise OSError(28, "No space left on device")
            return real_write(number, data[:500])

        monkeypatch.setattr(os, "write", write_half)
        with pytest.raises(JournalWriteError, match="No space left") as caught:
            journal.add_legs(legs[2:])
        assert isinstance(caught.value, InfrastructureError)
        monkeypatch.undo()
        assert path.read_bytes() == before
        with pytest.raises(JournalError, match="not open for writing"):
            journal.add_legs(legs[2:])
    with Journal(path, night_of(["standard"])) as journal:
        assert journal.add_legs(legs) == len(legs) - 2


def test_a_stopped_table_is_no_leg() -> None:
    leg = _legs(1)[0]
    stopped = TableResult(
        end=GameEnd.STOPPED,
        points=(0, 0),
        totals=(0, 0),
        winners=(),
        forfeited=(),
        hands=(),
        faults=(),
        decisions=(0,) * 4,
        think_seconds=(0.0,) * 4,
        slowest_seconds=(0.0,) * 4,
    )
    with pytest.raises(ValueError, match="was stopped"):
        LegRecord.of(leg.seating, 0, stopped)


# -- closing -----------------------------------------------------------------------------------------


def test_a_closed_journal_is_compressed_and_read_like_any_other(tmp_path: Path) -> None:
    open_one = write_journal(tmp_path / "a", ["standard"], 40)
    packed = write_journal(tmp_path / "b", ["standard"], 40, close=True)
    assert packed.name == "b.gz"
    assert not (tmp_path / "b").exists()
    assert read_results(packed) == read_results(open_one)
    assert packed.stat().st_size < open_one.stat().st_size / 3
    assert find_journal(tmp_path / "b") == packed
    with pytest.raises(JournalError, match="closed"):
        Journal(tmp_path / "b", night_of(["standard"]))


def test_compression_gives_the_same_bytes_for_the_same_night(tmp_path: Path) -> None:
    one = write_journal(tmp_path / "a", ["standard"], close=True)
    other = write_journal(tmp_path / "b", ["standard"], close=True)
    assert one.read_bytes() == other.read_bytes()


def test_a_night_is_closed_with_its_own_seed_only(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "j", night_of(["standard"])) as journal,
        pytest.raises(JournalError, match="not the seed"),
    ):
        journal.close(bytes(32))


def test_a_crash_while_closing_is_made_good(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"])
    with Journal(path, night_of(["standard"])) as journal:
        text_open = path.read_bytes()
        journal.close(SEED)
    packed = path.with_name("j.gz").read_bytes()
    assert closed_journal(path) == path.with_name("j.gz")
    # killed after the last line, before compressing
    import gzip

    path.with_name("j.gz").unlink()
    path.write_bytes(gzip.decompress(packed))
    with pytest.raises(JournalError, match="closed"):
        Journal(path, night_of(["standard"]))
    assert closed_journal(path) == path.with_name("j.gz")
    assert path.with_name("j.gz").read_bytes() == packed
    assert not path.exists()
    # killed after compressing, before removing
    path.write_bytes(gzip.decompress(packed))
    assert closed_journal(path) == path.with_name("j.gz")
    assert not path.exists()
    # not closed at all, or torn in the last line
    path.with_name("j.gz").unlink()
    assert closed_journal(path) is None
    for text in (text_open, gzip.decompress(packed)[:-1]):
        path.write_bytes(text)
        assert closed_journal(path) is None
    Journal(path, night_of(["standard"])).release()
    assert path.read_bytes() == text_open
    assert compress(path).exists()


def test_a_secret_seed_is_drawn_once_and_private(tmp_path: Path) -> None:
    seed = secret_seed(tmp_path)
    assert len(seed) == 32
    assert secret_seed(tmp_path) == seed
    assert (tmp_path / "seed").stat().st_mode & 0o077 == 0
    (tmp_path / "seed").write_text("12345\n")
    with pytest.raises(JournalError, match="changed by hand"):
        secret_seed(tmp_path)


# -- what is derived ---------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["boards", "games"])
def test_the_store_follows_the_journal_any_number_of_times(tmp_path: Path, unit: str) -> None:
    variants = ["standard", "cutthroat-3p", "buck"]
    path = tmp_path / "j"
    legs = list(legs_of(variants, 2, unit=unit))
    with Store(tmp_path / "results.db") as store, Journal(path, night_of(variants, unit=unit)) as journal:
        journal.add_legs(legs[:3])
        assert sync_store(path, store) == 3
        assert sync_store(path, store) == 0
        journal.add_legs(legs)
        journal.add_note(NOTE)
        journal.add_note(NOTE)
        assert sync_store(path, store) == len(legs) - 3
        assert sync_store(path, store) == 0
        assert store.legs("factory") == read_results(path)
        assert [note.text for note in store.notes("factory")] == [NOTE.text]
        assert store.night("factory").finished is None
        packed = journal.close(SEED)
        sync_store(packed, store)
        assert store.night("factory").finished is not None
    with Store(tmp_path / "empty.db") as store:
        assert sync_store(packed, store) == len(legs)
        assert store.legs("factory") == read_results(packed)


def test_the_order_of_completion_changes_no_result(tmp_path: Path) -> None:
    legs = list(legs_of(["standard", "cutthroat-3p"], 3))
    results = []
    for number in range(3):
        random.Random(number).shuffle(legs)
        with Journal(tmp_path / f"j{number}", night_of(["standard", "cutthroat-3p"])) as journal:
            journal.add_legs(legs)
        results.append(read_results(tmp_path / f"j{number}"))
    assert results[0] == results[1] == results[2]
    assert len(sets_of(results[0])) == 6


# -- size --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["boards", "games"])
def test_a_decision_takes_at_most_60_bytes(tmp_path: Path, unit: str) -> None:
    """Issue 4: at most 60 bytes a decision before compression; on every preset, headers and hashes included."""
    worst = 0.0
    for preset in PRESETS:
        if unit == "games" and preset not in ("standard", "two-handed", "cutthroat-3p", "buck", "railroad"):
            continue
        variants = [rated_id(preset)]
        path = write_journal(tmp_path / f"{preset}", variants, 20 if unit == "boards" else 2, unit=unit, faults=0.0)
        decisions = sum(leg_result("n", leg).decisions for _, leg in read_legs(path))
        worst = max(worst, path.stat().st_size / decisions)
    assert worst <= 60


# -- kill -9 -----------------------------------------------------------------------------------------

_WRITER = """
import sys
from pathlib import Path
from arena.journal import Journal
from tests.arena.journal_factory import legs_of, night_of

with Journal(Path(sys.argv[1]), night_of(["standard"])) as journal:
    for leg in legs_of(["standard"], 200):
        if journal.add_leg(leg):
            print(*leg.key, flush=True)
"""


def test_kill_9_of_the_writer_loses_no_leg_that_was_told(tmp_path: Path) -> None:
    path = tmp_path / "j"
    told: set[tuple[int, ...]] = set()
    rng = random.Random(7)
    for _ in range(6):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for _ in range(rng.randint(1, 40)):
            line = writer.stdout.readline()
            if not line:
                break
            told.add(tuple(map(int, line.split())))
        writer.send_signal(signal.SIGKILL)
        told |= {tuple(map(int, line.split())) for line in writer.stdout if line.endswith("\n")}
        writer.wait()
        writer.stdout.close()
        with Journal(path, night_of(["standard"])) as journal:
            assert told <= journal.finished
    keys = [leg.key for _, leg in read_legs(path)]
    assert len(keys) == len(set(keys))
    assert verify(path, seed=SEED, workers=1).is_good
