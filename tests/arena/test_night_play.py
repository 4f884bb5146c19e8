"""Whole nights with real processes: stopped, killed, continued, with bots that misbehave."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ExitCode
from arena.journal import find_journal, read_results
from arena.verify import verify
from leaderboards.conduct import WINDOW_LEGS, counted, quarantines
from leaderboards.results import LegResult, sets_of
from leaderboards.store import Store
from tests.machine import PATIENCE_SECONDS, await_true, children_naming, processes_naming, read_until

SOURCE = Path(__file__).parents[1] / "bots" / "scripted.py"


class Place:
    """A directory with a night in it, and the processes that play it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.bot = directory / "scripted.py"
        # A copy of its own, so that every process of this test can be told by its command line.
        self.bot.write_bytes(SOURCE.read_bytes())

    def write(self, *bots: str, head: str = "", boards: int = 24, variants: str = '"two-handed"') -> None:
        lines = [
            f'{name} = "{sys.executable} {self.bot} {cue}"' for name, _, cue in (bot.partition("=") for bot in bots)
        ]
        head += "\npolicy = { decision_seconds = 30 }"  # the machine may be busy
        text = f'boards = {boards}\nseed = "s"\nchunk_boards = 12\nvariants = [{variants}]\n{head}\n[bots]\n'
        (self.directory / "n.toml").write_text(text + "\n".join(lines) + "\n")

    def start(self, *more: str, limit: int | None = None) -> subprocess.Popen[str]:
        def limit_files() -> None:
            assert limit is not None
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.Popen(
            [sys.executable, "-m", "arena.cli", "night", "n.toml", *more],
            cwd=self.directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit_files if limit is not None else None,
        )

    def play(self, *more: str, limit: int | None = None) -> tuple[int, str, str]:
        with self.start(*more, limit=limit) as process:
            out, err = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, out, err

    def legs(self) -> list[LegResult]:
        """Return what is on record, in schedule order, without what depends on the clock."""
        found = read_results(find_journal(self.directory / "nights" / "n"))
        return [replace(leg, seconds=0.0, record="") for leg in sorted(found, key=lambda leg: leg.key)]

    def decks(self) -> list[object]:
        found = read_results(find_journal(self.directory / "nights" / "n"))
        return [[hand["deck"] for hand in json.loads(leg.record)] for leg in sorted(found, key=lambda leg: leg.key)]

    def wait_for_legs(self, process: subprocess.Popen[str], count: int, night: str = "n") -> None:
        """Wait until so many legs are on the disk, and *process* still plays."""
        journal = self.directory / "nights" / night / "journal.jsonl"

        def are_there() -> bool:
            assert process.poll() is None, process.communicate()
            with contextlib.suppress(FileNotFoundError):
                return journal.read_bytes().count(b'"kind":"leg"') >= count
            return False

        try:
            await_true(are_there)
        except AssertionError:
            process.terminate()
            log = self.directory / "nights" / night / "log.jsonl"
            raise AssertionError(process.communicate(), log.read_text() if log.exists() else "no log") from None

    def bots(self) -> list[int]:
        """Return the processes of our bots that live."""
        return processes_naming(self.bot)


def workers_of(pid: int) -> list[int]:
    return children_naming(pid, "arena.worker")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    await_true(lambda: not found.bots())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Place:
    found = Place(tmp_path_factory.mktemp("undisturbed"))
    found.write("ann=first", "bob=last", "cid=last")
    code, _, err = found.play("-j", "1")
    assert code == ExitCode.PASSED, err
    return found


@pytest.mark.slow
def test_the_same_night_gives_the_same_results_and_decks_at_any_concurrency(place: Place, undisturbed: Place) -> None:
    place.write("cid=last", "bob=last", "ann=first")  # nor does the order of the bots matter
    code, _, err = place.play("-j", "3")
    assert code == ExitCode.PASSED, err
    assert place.legs() == undisturbed.legs()
    assert place.decks() == undisturbed.decks()


def test_the_store_holds_what_the_journal_holds(undisturbed: Place) -> None:
    """KT-56."""
    with Store(undisturbed.directory / "results.sqlite") as store:
        stored = [replace(leg, seconds=0.0, record="") for leg in store.each_leg("n")]
    assert stored == undisturbed.legs()
    assert len(stored) == 3 * 24 * 2


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_signal_stops_in_good_order_and_the_same_command_continues(
    place: Place, undisturbed: Place, number: signal.Signals
) -> None:
    place.write("ann=first", "bob=last", "cid=last")
    with place.start("-j", "2") as process:
        place.wait_for_legs(process, 20)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == ExitCode.UNDECIDED, err
    assert "what is finished is kept" in err
    assert "continue with: euchre-arena night n.toml" in out
    assert not place.bots()
    finished = len(place.legs())
    assert 20 <= finished < 144
    code, out, err = place.play("-j", "1")
    assert code == ExitCode.PASSED, err
    assert f"{finished} of them finished" in out
    assert place.legs() == undisturbed.legs()


@pytest.mark.slow
def test_a_second_signal_stops_at_once(place: Place) -> None:
    place.write("ann=slow 10", "bob=slow 10")
    with place.start("-j", "1") as process:
        await_true(lambda: len(place.bots()) == 4)
        place_is_playing = place.directory / "nights" / "n" / "journal.jsonl"
        await_true(place_is_playing.exists)
        process.send_signal(signal.SIGINT)
        read_until(process.stderr, "what is finished is kept")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_SECONDS)
    assert time.monotonic() - began < 30, "the boards in progress would take minutes"
    assert process.returncode == ExitCode.UNDECIDED
    assert not place.bots()


def test_a_killed_night_is_continued_without_losing_or_doubling_a_leg(place: Place, undisturbed: Place) -> None:
    """KT-55, KT-56: no process is left behind by kill -9 either."""
    place.write("ann=first", "bob=last", "cid=last")
    for legs in (10, 60):
        with place.start("-j", "2") as process:
            place.wait_for_legs(process, legs)
            process.kill()
            process.communicate()
        await_true(lambda: not place.bots())
    code, _, err = place.play("-j", "2")
    assert code == ExitCode.PASSED, err
    assert place.legs() == undisturbed.legs()


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_its_legs_are_played_again(place: Place, undisturbed: Place) -> None:
    place.write("ann=first", "bob=last", "cid=last")
    with place.start("-j", "1") as process:
        place.wait_for_legs(process, 10)
        (worker,) = workers_of(process.pid)
        os.kill(worker, signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == ExitCode.PASSED, err
    assert "its worker died" in err
    assert "infrastructure" in out
    assert place.legs() == undisturbed.legs()


def test_who_does_not_come_is_left_out_and_the_night_goes_on(place: Place) -> None:
    """KT-57: the good pairings are played, the bad ones named, and the night stays open for another try."""
    place.write("ann=first", "bob=exit", "cid=last", "dot=garbage", head="start_seconds = 30")
    code, out, err = place.play("-j", "2")
    assert code == ExitCode.PASSED, err
    assert "no-show" in out
    assert "bob did not come: it ended (exit code 3)" in out
    assert "cannot open my opening book" in out
    assert "dot did not come: it ended (exit code 0)" in out
    assert "last words" in out
    assert "\x1b" not in out
    assert "5 pairings were not played" in out
    assert {frozenset(leg.entrants) for leg in place.legs()} == {frozenset({"ann", "cid"})}
    assert len(place.legs()) == 48
    with Store(place.directory / "results.sqlite") as store:
        assert {note.entrant for note in store.notes("n")} == {"bob", "dot"}


@pytest.mark.slow
def test_a_bot_that_was_mended_plays_what_it_missed(place: Place) -> None:
    place.write("ann=first", "bob=first", "cid=last")
    whole = place.bot.read_text()
    place.bot.write_text(
        whole.replace(
            "import grpc\n", "if os.environ['EUCHRE_NAME'] == 'bob':\n    sys.exit('no licence')\nimport grpc\n"
        )
    )
    code, out, _ = place.play()
    assert code == ExitCode.PASSED
    assert "no licence" in out
    assert "continue with" in out
    place.bot.write_text(whole)
    code, out, err = place.play()
    assert code == ExitCode.PASSED, err
    assert "48 of them finished" in out
    assert "the night is over" in out
    assert len(sets_of(place.legs())) == 72


@pytest.mark.slow
def test_a_night_can_be_closed_without_those_who_did_not_come(place: Place) -> None:
    place.write("ann=first", "bob=exit", "cid=last", variants='"two-handed", "pepper-2p"')
    code, out, _ = place.play("--finish")
    assert code == ExitCode.PASSED
    assert "the night is over" in out
    assert verify(place.directory / "nights" / "n").problem is None


@pytest.mark.slow
def test_a_quarantine_is_the_same_at_any_concurrency_and_after_a_stop(place: Place) -> None:
    place.write("ann=first", "bob=last", "mad=nonsense", boards=18, variants='"standard", "two-handed"')
    results = []
    for name, concurrency in (("one", "1"), ("three", "3"), ("stopped", "1")):
        where = ("--directory", f"nights/{name}", "--db", f"{name}.sqlite")
        if name == "stopped":
            with place.start("-j", "2", *where) as process:
                place.wait_for_legs(process, 50, name)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=PATIENCE_SECONDS)
        code, out, err = place.play("-j", concurrency, *where)
        assert code == ExitCode.PASSED, err
        assert "the night is over" in out
        journal = find_journal(place.directory / "nights" / name)
        legs = read_results(journal)
        assert list(quarantines(legs)) == ["mad"]
        kept = sorted(counted(legs), key=lambda leg: leg.key)
        assert sum("mad" in leg.entrants for leg in kept) == WINDOW_LEGS
        assert sum("mad" not in leg.entrants for leg in kept) == 2 * 18 * 2
        assert verify(journal).problem is None
        with Store(place.directory / f"{name}.sqlite") as store:
            assert any("mad is quarantined from pairing" in note.text for note in store.notes("n"))
        results.append([replace(leg, seconds=0.0, record="") for leg in kept])
    assert results[0] == results[1] == results[2]


@pytest.mark.slow
def test_a_full_disk_is_our_own_fault_and_nothing_recorded_is_lost(place: Place, undisturbed: Place) -> None:
    place.write("ann=first", "bob=last", "cid=last")
    code, _, err = place.play("-j", "2", limit=120_000)
    assert code == ExitCode.INFRASTRUCTURE, err
    assert "could not be written" in err or "store" in err
    assert "Traceback" not in err
    code, _, err = place.play("-j", "2")
    assert code == ExitCode.PASSED, err
    assert place.legs() == undisturbed.legs()


@pytest.mark.slow
def test_two_arenas_cannot_play_one_night_at_once(place: Place) -> None:
    place.write("ann=slow 10", "bob=slow 10")
    with place.start("-j", "1") as process:
        place.wait_for_legs(process, 0)
        await_true(lambda: bool(place.bots()))
        code, _, err = place.play()
        assert code == ExitCode.WRONG_COMMAND
        assert "another process" in err
        assert err.count("\n") == 1
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_SECONDS)
