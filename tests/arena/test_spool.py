"""Durable before told: whatever a bot has heard is on record, whoever is killed and when (KT-55, KT-56)."""

from __future__ import annotations

import hashlib
import hmac
import random
import resource
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ExitCode
from arena.journal import Journal, LegRecord, find_journal, read_legs
from arena.night import seed_bytes
from arena.spool import SPOOLS_NAME, Spool, SpoolError, SpoolPlace, Spools, read_spool
from arena.verify import verify
from tests.arena.journal_factory import legs_of, night_of
from tests.arena.test_night_play import Place
from tests.machine import await_true

ORIGIN = "ab" * 32


def some_legs(count: int = 6) -> list[LegRecord]:
    return list(legs_of(["standard", "cutthroat-3p"], count))[:count]


def results(legs: list[LegRecord]) -> list[object]:
    """Return the lines that the journal would hold of them, and the seatings before."""
    return [(leg.seating, leg.to_json(0)) for leg in legs]


# -- the file ----------------------------------------------------------------------------------------


def test_what_was_added_is_read_back(tmp_path: Path) -> None:
    legs = some_legs()
    place = SpoolPlace(str(tmp_path / "s"), ORIGIN)
    with Spool(place) as spool:
        spool.add(legs[:2])
        spool.add([])
        spool.add(legs[2:])
    assert results(read_spool(place)) == results(legs)


def test_a_torn_end_loses_nothing_before_it_wherever_it_was_torn(tmp_path: Path) -> None:
    legs = some_legs(4)
    place = SpoolPlace(str(tmp_path / "s"), ORIGIN)
    ends = []
    with Spool(place) as spool:
        for leg in legs:
            spool.add([leg])
            ends.append(Path(place.path).stat().st_size)
    whole = Path(place.path).read_bytes()
    for at in [*random.Random(1).sample(range(len(whole)), 40), *ends, *(end - 1 for end in ends)]:
        Path(place.path).write_bytes(whole[:at])
        assert results(read_spool(place)) == results(legs[: sum(end <= at for end in ends)]), at


def test_a_changed_byte_ends_what_is_believed(tmp_path: Path) -> None:
    legs = some_legs(4)
    place = SpoolPlace(str(tmp_path / "s"), ORIGIN)
    with Spool(place) as spool:
        spool.add(legs)
    whole = bytearray(Path(place.path).read_bytes())
    lines = bytes(whole).splitlines(keepends=True)
    whole[len(lines[0]) + len(lines[1]) + 30] ^= 1
    Path(place.path).write_bytes(whole)
    assert results(read_spool(place)) == results(legs[:1])


def test_the_spool_of_another_night_holds_nothing_of_this_one(tmp_path: Path) -> None:
    place = SpoolPlace(str(tmp_path / "s"), ORIGIN)
    with Spool(place) as spool:
        spool.add(some_legs(2))
    assert read_spool(replace(place, origin="cd" * 32)) == []
    assert read_spool(replace(place, path=str(tmp_path / "none"))) == []


def test_a_failed_write_adds_nothing_and_closes_the_spool(tmp_path: Path) -> None:
    legs = some_legs(6)
    place = SpoolPlace(str(tmp_path / "s"), ORIGIN)
    spool = Spool(place)
    spool.add(legs[:1])
    size = Path(place.path).stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))
    try:
        with pytest.raises(SpoolError, match="could not be written: File too large"):
            spool.add(legs[1:])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with pytest.raises(SpoolError, match="not open for writing"):
        spool.add(legs[1:])
    assert results(read_spool(place)) == results(legs[:1])


# -- adoption ----------------------------------------------------------------------------------------


def test_what_a_run_left_is_adopted_once_and_into_the_journal_alone(tmp_path: Path) -> None:
    legs = some_legs(5)
    with Journal(tmp_path / "journal.jsonl", night_of(["standard", "cutthroat-3p"])) as journal:
        journal.add_legs(legs[:2])
        killed = Spools(tmp_path, journal.origin)
        with Spool(killed.place("0.0.1")) as spool:
            spool.add(legs[1:4])
        with Spool(killed.place("1.0.2")) as spool:
            spool.add(legs[4:])
        with Spools(tmp_path, journal.origin).adopt() as left:
            assert len(left) == 4
            assert journal.add_legs(left) == 3
        assert not list((tmp_path / SPOOLS_NAME).iterdir())
        with Spools(tmp_path, journal.origin).adopt() as left:
            assert left == []
    assert sorted(leg.key for _, leg in read_legs(tmp_path / "journal.jsonl")) == sorted(leg.key for leg in legs)


def fail_unless_two(left: list[LegRecord]) -> None:
    if len(left) == 2:
        raise ZeroDivisionError


def test_an_adoption_that_fails_is_repeated(tmp_path: Path) -> None:
    killed = Spools(tmp_path, ORIGIN)
    with Spool(killed.place("0.0.1")) as spool:
        spool.add(some_legs(2))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), Spools(tmp_path, ORIGIN).adopt() as left:
            fail_unless_two(left)
    with Spools(tmp_path, ORIGIN).adopt() as left:
        assert len(left) == 2


def test_a_worker_of_an_earlier_run_can_neither_begin_a_spool_nor_go_on_with_one(tmp_path: Path) -> None:
    """Otherwise it could tell a result after the night has begun to play that leg again."""
    killed = Spools(tmp_path, ORIGIN)
    late = killed.place("0.1.2")
    held = Spool(killed.place("0.0.1"))
    held.add(some_legs(1))
    adopted: list[LegRecord] = []

    def adopt() -> None:
        with Spools(tmp_path, ORIGIN).adopt() as left:
            adopted.extend(left)

    thread = threading.Thread(target=adopt)
    thread.start()
    await_true(lambda: not Path(late.path).parent.exists())
    assert not adopted, "it did not wait for the worker"
    with pytest.raises(FileNotFoundError):
        Spool(late)
    held.add(some_legs(3)[1:])
    held.close()
    thread.join()
    assert len(adopted) == 3
    with pytest.raises(SpoolError):
        held.add(some_legs(1))


# -- killed between the disk and the bots ------------------------------------------------------------

KILLED_WORKER = """
import os, signal, sys
from arena.spool import Spool, SpoolPlace
from tests.arena.test_job import bot, job
from arena.job import play_job
from dataclasses import replace
path, told, when = sys.argv[1:]
add, calls = Spool.add, 0
def die_at_the_third_call(self, legs):
    global calls
    calls += 1
    if calls == 3 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    if calls == 3 and when == "in the write":
        os.fdatasync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
    add(self, legs)
    if calls == 3:
        os.kill(os.getpid(), signal.SIGKILL)
Spool.add = die_at_the_third_call
this = job([bot("ann", "told", told), bot("bob", "told", told)], "two-handed", boards=30)
play_job(replace(this, spool=SpoolPlace(path, "ab" * 32)))
"""


@pytest.mark.parametrize("when", ["before", "in the write", "after"])
def test_a_worker_killed_around_the_write_has_told_nothing_that_is_not_on_the_disk(tmp_path: Path, when: str) -> None:
    told, place = tmp_path / "told", SpoolPlace(str(tmp_path / "spool"), ORIGIN)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_WORKER, place.path, str(told), when],
        cwd=Path(__file__).parents[2],
        timeout=120,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    kept = {line.split(" ", 1)[1] for leg in read_spool(place) for line in told_lines(leg, bytes(32))}
    heard = {line.split(" ", 1)[1] for line in told.read_text().splitlines()} if told.exists() else set()
    assert heard <= kept
    assert kept
    # What was written last had been told to nobody. (What was told before, a bot may not have read yet.)
    assert heard < kept or when == "before"


def told_lines(leg: LegRecord, seed: bytes) -> list[str]:
    """Return what the scripted bot writes down in every seat of a leg of one board."""
    (hand,) = leg.hands
    assert hand.result is not None
    words = [
        ":".join([str(done.seat), str(int(done.action.kind)), *map(str, done.action.cards)]) for done in hand.actions
    ]
    said = f"{list(hand.result.points)} {list(hand.result.tricks)} {' '.join(words)}"
    lines = []
    for instance in leg.seating.instances:
        message = f"instance/{leg.seating.match}/{instance}".encode()
        digest = hmac.digest(hashlib.sha256(seed).digest(), message, "sha256")
        lines.append(f"{int.from_bytes(digest[:8], 'big') >> 1} {said}")
    return lines


@pytest.mark.slow
def test_everything_that_was_told_is_on_record_when_all_die_in_the_moment_of_telling(tmp_path: Path) -> None:
    """The bots answer at random, so a leg that is played twice would not be told the same way twice."""
    place = Place(tmp_path)
    told = tmp_path / "told"
    place.write(f"ann=told {told} 6", f"bob=told {told} 6", boards=20, head="restarts = 1000")
    killed = 0
    while True:
        code, _, err = place.play("-j", "2")
        if code == ExitCode.PASSED:
            break
        assert code == -signal.SIGKILL, err
        killed += 1
    await_true(lambda: not place.bots())
    assert len(list(tmp_path.glob("told.*"))) == 6
    assert 1 <= killed <= 6, "several bots may have heard something in the same moment"
    journal = find_journal(tmp_path / "nights" / "n")
    on_record = [line for _, leg in read_legs(journal) for line in told_lines(leg, seed_bytes("s"))]
    assert len(on_record) == 20 * 2 * 2
    heard = told.read_text().splitlines()
    assert len(heard) == len(set(heard))
    assert set(heard) <= set(on_record), "a result was told that is not on record"
    assert len(heard) > len(on_record) // 2, "hardly anything was told"
    assert not (tmp_path / "nights" / "n" / SPOOLS_NAME).exists()
    assert verify(journal).problem is None


def test_a_night_that_was_stopped_leaves_no_spool(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write("ann=first", "bob=last", boards=48)
    with place.start("-j", "1") as process:
        place.wait_for_legs(process, 1)
        spools = tmp_path / "nights" / "n" / SPOOLS_NAME
        assert spools.is_dir()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
    assert process.returncode == ExitCode.UNDECIDED
    assert not spools.exists()
