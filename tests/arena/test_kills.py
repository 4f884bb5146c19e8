"""Kill -9 of everybody in turn, at a hundred random moments: the night comes out as if nothing had happened."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ExitCode
from arena.journal import find_journal, read_results
from leaderboards.results import LegResult
from leaderboards.store import Store
from tests.arena.test_night_play import Place, workers_of
from tests.machine import PATIENCE_SECONDS, await_true, file_sizes, processes_with

KILLS = 100
SEED = 56
LONGEST_WAIT_SECONDS = 0.8
"""Between two kills, where the moment is drawn from the clock."""
MARK = "NIGHT_OF_KILLS"


class Nights:
    """The same night over and over, each time in a directory of its own; all its processes carry a mark."""

    def __init__(self, directory: Path) -> None:
        self.place = Place(directory)
        self.place.write(
            "ann=first",
            "bob=last",
            "cid=last",
            boards=16,
            variants='"two-handed", "pepper-2p"',
            head="restarts = 1000",
        )
        night_file = directory / "n.toml"
        night_file.write_text(night_file.read_text().replace("policy = {", "policy = { grace_seconds = 600,"))
        self.scratch = directory / "t"
        self.scratch.mkdir()
        self.environment = {**os.environ, MARK: str(directory), "TMPDIR": str(self.scratch)}

    def command(self, name: str, *more: str) -> list[str]:
        return [
            *(sys.executable, "-m", "arena.cli", "night", "n.toml"),
            *("--directory", f"nights/{name}", "--db", f"{name}.sqlite"),
            *more,
        ]

    def run(self, *command: str) -> str:
        """Return what a command prints; it must succeed."""
        done = subprocess.run(
            command or self.command("calm"),
            cwd=self.place.directory,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert done.returncode == ExitCode.PASSED, (done.stdout, done.stderr)
        return done.stdout

    def cli(self, *arguments: str) -> str:
        return self.run(sys.executable, "-m", "arena.cli", *arguments)

    def standings(self, name: str) -> Any:
        """Return the standings without their faults: whoever was killed while it was asked something was cut off."""
        found = json.loads(self.cli("standings", "--db", f"{name}.sqlite", "--json"))
        for pool in found["pools"]:
            for row in pool["entrants"]:
                assert set(row.pop("faults")) <= {"disconnect"}
        return found

    def is_over(self, name: str) -> bool:
        directory = self.place.directory / "nights" / name
        return (directory / "journal.jsonl.gz").exists() and not (directory / "journal.jsonl").exists()

    def sizes(self, name: str) -> dict[Path, int]:
        """Return the sizes of what a night must not lose: its journal, its spools, its store."""
        sizes = file_sizes(self.place.directory / "nights" / name)
        sizes.pop(self.place.directory / "nights" / name / "log.jsonl", None)
        for path in self.place.directory.glob(f"{name}.sqlite*"):
            with contextlib.suppress(FileNotFoundError):
                sizes[path] = path.stat().st_size
        return sizes

    def legs(self, name: str) -> list[LegResult]:
        """Return what is on record in schedule order, decks and play included, but for what depends on clocks."""
        found = read_results(find_journal(self.place.directory / "nights" / name))
        return [replace(leg, seconds=0.0, faults=(), record=timeless(leg.record)) for leg in found]

    def processes(self) -> list[tuple[int, str]]:
        """Return everything that lives and was started by a night of this test, however deep."""
        return processes_with(MARK, str(self.place.directory))


def timeless(record: str) -> str:
    """Return the hands of a leg without milliseconds and faults: ``1:QC/12~disconnect`` becomes ``1:QC``."""
    hands = json.loads(record)
    for hand in hands:
        hand["play"] = [word.partition("/")[0] for word in hand["play"].split()]
    return json.dumps(hands)


@dataclass
class Killer:
    """Kills the arena, a worker (which holds the referee) and a bot in turn."""

    nights: Nights
    chance: random.Random
    kills: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        return self.kills.total()

    def haunt(self, name: str, process: subprocess.Popen[bytes]) -> None:
        """Kill until the arena itself is dead, or the night has ended, or it was enough."""
        while self.count < KILLS and self._await_moment(name, process):
            role = ("arena", "worker", "bot")[self.count % 3]
            victim = self._victim(role, process)
            if victim is None:
                return
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
                self.kills[role] += 1
            if role == "arena":
                return

    def _await_moment(self, name: str, process: subprocess.Popen[bytes]) -> bool:
        """Wait for a random moment: by the clock, or in the middle of a write; False if the run is over before."""
        kind = self.chance.choice(["clock", "write"])
        pause = self.chance.uniform(0, LONGEST_WAIT_SECONDS if kind == "clock" else 0.003)
        self.moments[kind] += 1
        if kind == "write":
            before = self.nights.sizes(name)
            while self.nights.sizes(name) == before:
                if process.poll() is not None:
                    return False
                time.sleep(0.001)
        give_up = time.monotonic() + pause
        while (left := give_up - time.monotonic()) > 0:
            time.sleep(min(left, 0.02))
            if process.poll() is not None:
                return False
        return process.poll() is None

    def _victim(self, role: str, process: subprocess.Popen[bytes]) -> int | None:
        """Return somebody of that role, once there is one; None if the run is over before."""
        while process.poll() is None:
            found = {
                "arena": lambda: [process.pid],
                "worker": lambda: workers_of(process.pid),
                "bot": self.nights.place.bots,
            }[role]()
            if found:
                return self.chance.choice(sorted(found))
            time.sleep(0.005)
        return None


@pytest.mark.slow
def test_a_hundred_kills_lose_nothing_double_nothing_and_leave_nobody_behind(tmp_path: Path) -> None:
    """KT-52, KT-55, KT-56: after each of them the same command goes on to the table of an undisturbed night."""
    say = sys.stdout.write
    say(f"seed {SEED}\n")
    nights = Nights(tmp_path)
    nights.run()
    calm = nights.legs("calm")
    assert len(calm) == 2 * 3 * 16 * 2
    standings = nights.standings("calm")
    killer = Killer(nights, random.Random(SEED))
    played = 0
    while killer.count < KILLS:
        name = f"night{played}"
        played += 1
        while not nights.is_over(name):
            concurrency = killer.chance.choice(["1", "1", "1", "2"])
            with (tmp_path / "output").open("wb") as output:
                process = subprocess.Popen(
                    nights.command(name, "-j", concurrency),
                    cwd=tmp_path,
                    env=nights.environment,
                    stdout=output,
                    stderr=output,
                )
            with process:
                try:
                    killer.haunt(name, process)
                    code = process.wait(PATIENCE_SECONDS)
                except BaseException:
                    process.kill()
                    raise
            said = (tmp_path / "output").read_text()
            assert code in (-signal.SIGKILL, ExitCode.PASSED, ExitCode.INFRASTRUCTURE), said
            assert "Traceback" not in said, said
            if killer.chance.random() < 0.3:  # otherwise the next run meets what is left of this one
                await_true(lambda: not nights.processes())
        legs = nights.legs(name)
        keys = [leg.key for leg in legs]
        assert len(set(keys)) == len(keys)
        assert legs == calm
        with Store(tmp_path / f"{name}.sqlite") as store:
            assert [
                replace(leg, seconds=0.0, faults=(), record=timeless(leg.record)) for leg in store.each_leg("n")
            ] == calm
        assert nights.standings(name) == standings
        nights.cli("verify", f"nights/{name}")
        assert not (tmp_path / "nights" / name / "spool").exists()
    say(f"{dict(killer.kills)} in {played} nights, moments {dict(killer.moments)}\n")
    await_true(lambda: not nights.processes())
    assert not list(nights.scratch.iterdir()), "a socket was left"
