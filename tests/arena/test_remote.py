"""A standing referee and bots that dial in, as their users start them: real commands, real processes, real ports."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families

from arena.errors import ExitCode
from arena.journal import find_journal, read_results
from arena.referee_command import ask_lobby
from arena.referee_file import load_referee
from referee.service.entrants import Entrants
from tests.machine import PATIENCE_SECONDS, await_true, free_port, processes_naming, read_until

SCRIPTED = Path(__file__).parents[1] / "bots" / "scripted.py"

Samples = dict[tuple[str, str], float]


class Place:
    """A directory with a referee file, tokens of ann and bob, and every process started from it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port, self.metrics_port = free_port(), free_port()
        self.bot = directory / "scripted.py"
        # A copy of its own, so that every process of this test can be told by its command line.
        self.bot.write_bytes(SCRIPTED.read_bytes())
        self._running: list[subprocess.Popen[str]] = []
        self.write()
        for name in ("ann", "bob"):
            (directory / f"{name}.token").write_text(Entrants(directory / "tokens.json").new_token(name))

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def write(self, *lines: str, wait_seconds: float = 30) -> None:
        head = [
            f'listen = "{self.address}"',
            f'metrics = "127.0.0.1:{self.metrics_port}"',
            f"wait_seconds = {wait_seconds}",
        ]
        (self.directory / "r.toml").write_text("\n".join([*head, *lines]) + "\n")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "arena.cli", *arguments],
            cwd=self.directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.append(process)
        return process

    def end(self, process: subprocess.Popen[str]) -> tuple[int, str, str]:
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, out, err

    def run(self, *arguments: str) -> tuple[int, str, str]:
        return self.end(self.start(*arguments))

    def referee(self) -> subprocess.Popen[str]:
        """Start a standing referee and wait until it listens."""
        process = self.start("referee", "r.toml", "--log-level", "error")
        assert process.stdout is not None
        assert "dial in at" in process.stdout.readline()
        return process

    def join(self, name: str, *bot: str, options: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        command = bot or (sys.executable, str(self.bot), "last")
        return self.start("join", self.address, "--token-file", f"{name}.token", *options, "--", *command)

    def lobby(self) -> dict[str, dict[str, Any]]:
        """Return who is there, by entrant."""
        answer = trio.run(ask_lobby, load_referee(self.directory / "r.toml"))
        return {one["entrant"]: one for one in answer["attendance"]}

    def close(self) -> None:
        for process in self._running:
            if process.poll() is None:
                process.kill()
            process.communicate()
        await_true(lambda: not self.bots())

    def bots(self) -> list[int]:
        """Return the processes of our bots that live."""
        return processes_naming(self.bot)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    found.close()


def scrape(port: int) -> Samples:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (sample.name, "/".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_remote_bot_plays_a_match_and_the_numbers_are_those_of_its_report(place: Place) -> None:
    referee = place.referee()
    joined = place.join("bob", options=("--spare", "2"))
    before = scrape(place.metrics_port)
    metrics_port = free_port()
    match = place.start(
        *("match", "remote:bob", "random", "-v", "two-handed", "-n", "40", "--decision-seconds", "30", "--json"),
        *("--referee", "r.toml", "--metrics", f"127.0.0.1:{metrics_port}"),
    )
    seen: list[Samples] = []
    while match.poll() is None:
        with contextlib.suppress(OSError):
            seen.append(scrape(metrics_port))
        time.sleep(0.02)
    code, out, err = place.end(match)
    assert code == ExitCode.PASSED, err
    report = json.loads(out)
    assert report["isolation"] == {"bob": "remote", "random": "process"}
    assert (report["legs"], report["missing_legs"], report["faults"]) == (80, 0, {})

    after = scrape(place.metrics_port)
    gain = {key: value - before.get(key, 0) for key, value in after.items()}
    assert gain["euchre_decisions_total", ""] == report["decisions"]
    assert gain["euchre_decision_seconds_count", ""] == report["decisions"]
    thought = sum(one["seconds"] for one in report["thinking"].values())
    assert gain["euchre_decision_seconds_sum", ""] == pytest.approx(thought, abs=1e-3)
    assert gain["euchre_games_total", "board"] == report["legs"]
    assert after["euchre_tables", ""] == 0
    decisions = [one["euchre_decisions_total", ""] for one in seen]
    assert decisions == sorted(decisions)
    assert 0 <= decisions[0] <= decisions[-1] <= report["decisions"]

    joined.send_signal(signal.SIGINT)
    code, _, err = place.end(joined)
    assert code == ExitCode.PASSED, err
    referee.terminate()
    code, out, err = place.end(referee)
    assert (code, out.splitlines()[-1]) == (ExitCode.PASSED, "closed"), err
    assert not (place.directory / "r.sock").exists()


def test_sigterm_lets_a_match_finish_and_lets_nobody_in(place: Place) -> None:
    referee = place.referee()
    place.join("bob", sys.executable, str(place.bot), "slow", "0.08", options=("--spare", "2"))
    match = place.start(
        *("match", "remote:bob", "random", "-v", "two-handed", "-n", "12", "--chunk-boards", "12"),
        *("--decision-seconds", "30", "--json", "--referee", "r.toml"),
    )
    await_true(lambda: place.lobby()["bob"]["playing"] == 2)
    referee.terminate()
    code, out, err = place.end(match)
    assert code == ExitCode.PASSED, err
    report = json.loads(out)
    assert (report["legs"], report["missing_legs"], report["faults"], report["notes"]) == (24, 0, {}, [])
    code, out, err = place.end(referee)
    assert code == ExitCode.PASSED, err
    assert "no bot comes in any more" in out


def night_file(place: Place, *, grace_seconds: float = 5.0, boards: int = 6, head: str = "") -> None:
    (place.directory / "n.toml").write_text(
        f'boards = {boards}\nseed = "s"\nvariants = ["two-handed"]\nreferee = "r.toml"\nstart_seconds = 20\n{head}\n'
        f"policy = {{ decision_seconds = 30, grace_seconds = {grace_seconds} }}\n"
        f'[bots]\nbob = "remote:bob"\nhome = "{sys.executable} {place.bot} last"\n'
    )


def test_a_night_without_a_standing_referee_opens_the_doors_itself(place: Place) -> None:
    night_file(place)
    joined = place.join("bob", options=("--once", "--spare", "2"))
    code, out, err = place.run("night", "n.toml")
    assert code == ExitCode.PASSED, err
    assert "bob dial in at" in err
    assert "Isolation: bob remote, home process" in out
    assert place.end(joined)[0] == ExitCode.PASSED
    assert len(list(read_results(find_journal(place.directory / "nights" / "n")))) == 12
    code, out, err = place.run("verify", "n")
    assert (code, "everything fits" in out) == (ExitCode.PASSED, True), err
    with pytest.raises(OSError, match="refused"), socket.create_connection(("127.0.0.1", place.port)):
        pass


def test_a_match_that_is_killed_while_it_waits_leaves_no_referee_behind(place: Place) -> None:
    match = place.start("match", "remote:bob", "random", "--referee", "r.toml")

    def is_open() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", place.port), timeout=5):
            return True
        return False

    await_true(is_open)
    match.kill()
    match.communicate()
    await_true(lambda: not is_open())
    await_true(lambda: not (place.directory / "r.sock").exists())


def test_ctrl_c_while_a_match_waits_for_bots_ends_it_at_once(place: Place) -> None:
    match = place.start("match", "remote:bob", "random", "--referee", "r.toml")
    read_until(match.stderr, "waiting up to 30 s for bob")
    began = time.monotonic()
    match.send_signal(signal.SIGINT)
    code, _, _ = place.end(match)
    assert code == ExitCode.UNDECIDED
    assert time.monotonic() - began < 25


def test_who_does_not_dial_in_is_a_no_show_though_somebody_else_waits(place: Place) -> None:
    place.write(wait_seconds=0)
    night_file(place, head="restarts = 0")
    text = (place.directory / "n.toml").read_text().replace("start_seconds = 20", "start_seconds = 5")
    (place.directory / "n.toml").write_text(text)
    place.referee()
    place.join("ann", options=("--spare", "2"))
    await_true(lambda: place.lobby()["ann"]["waiting"] == 2)
    code, out, err = place.run("night", "n.toml")
    assert code == ExitCode.PASSED, err
    assert "no-show" in out
    assert "within 5 s nobody dialled in as bob for leg0.bob.1; 0 of its 2 seats were taken" in out
    assert list(read_results(find_journal(place.directory / "nights" / "n"))) == []
    assert (place.lobby()["ann"]["waiting"], place.lobby()["ann"]["playing"]) == (2, 0)


def test_a_copy_that_crashes_at_its_seat_is_started_again_and_comes_back_to_it(place: Place) -> None:
    night_file(place, grace_seconds=60)
    place.referee()
    crashing = (sys.executable, str(place.bot), "crash-once", str(place.directory / "mark"))
    joined = place.join("bob", *crashing, options=("--once", "--spare", "2"))
    code, _, err = place.run("night", "n.toml")
    assert code == ExitCode.PASSED, err
    code, _, err = place.end(joined)
    assert code == ExitCode.PASSED
    # More than the two that were seated first, if they took so long to start again that others got their seats.
    assert err.count("ended at its seat (exit code 9); it is started again") >= 2
    legs = list(read_results(find_journal(place.directory / "nights" / "n")))
    kinds = {(fault.entrant, fault.kind) for leg in legs for fault in leg.faults}
    assert (len(legs), kinds) == (12, {("bob", "disconnect")})
    assert [leg.forfeited for leg in legs if leg.forfeited] == []


@pytest.mark.slow
def test_a_copy_that_comes_back_when_its_seat_was_taken_does_not_keep_its_crew_there_for_ever(place: Place) -> None:
    night_file(place, grace_seconds=5)
    place.referee()
    crashing = (sys.executable, str(place.bot), "crash-late", str(place.directory / "mark"), "4")
    joined = place.join("bob", *crashing, options=("--once", "--spare", "2"))
    code, _, err = place.run("night", "n.toml")
    assert code == ExitCode.PASSED, err
    code, _, err = place.end(joined)
    assert code == ExitCode.PASSED
    assert err.count("ended at its seat (exit code 9); it is started again") == 1
    assert len(re.findall("copy [0-9]+ plays", err)) == 3, "a third took the seat"
    legs = list(read_results(find_journal(place.directory / "nights" / "n")))
    assert (len(legs), [leg.forfeited for leg in legs if leg.forfeited]) == (12, [])


@pytest.mark.slow
def test_a_referee_that_was_killed_and_started_again_costs_nobody_the_match(place: Place) -> None:
    night_file(place, grace_seconds=60, boards=20)
    referee = place.referee()
    # One that dials again by itself: the kit's.
    place.join("bob", "random", options=("--spare", "2"))
    night = place.start("night", "n.toml")
    await_true(lambda: place.lobby()["bob"]["playing"] == 2)
    referee.kill()
    referee.communicate()
    place.referee()
    code, _, err = place.end(night)
    assert code == ExitCode.PASSED, err
    assert "the standing referee is back" in err
    legs = list(read_results(find_journal(place.directory / "nights" / "n")))
    assert len(legs) == 40
    assert {leg.end for leg in legs} == {"board"}


@pytest.mark.slow
def test_a_referee_that_stays_away_is_our_own_fault_and_no_bot_is_blamed(place: Place) -> None:
    night_file(place, grace_seconds=2, boards=20)
    referee = place.referee()
    place.join("bob", "random", options=("--spare", "2"))
    night = place.start("night", "n.toml")
    await_true(lambda: place.lobby()["bob"]["playing"] == 2)
    referee.kill()
    referee.communicate()
    read_until(night.stderr, "is gone; trying to reach it again")
    read_until(night.stderr, "where remote bots dial in, is gone")
    place.referee()
    code, out, err = place.end(night)
    assert code == ExitCode.PASSED, err
    assert "infrastructure: pairing 0" in out
    legs = list(read_results(find_journal(place.directory / "nights" / "n")))
    assert len(legs) == 40
    assert [fault for leg in legs for fault in leg.faults if fault.kind == "forfeit"] == []
    assert {leg.end for leg in legs} == {"board"}


def test_tls_from_the_file_of_the_referee_to_the_command_of_the_author(place: Place, certificates: Path) -> None:
    place.write("[tls]", f'certificate = "{certificates}/server.pem"', f'key = "{certificates}/server.key"')
    night_file(place, boards=2)
    place.referee()
    token, command = "bob.token", (sys.executable, str(place.bot), "last")
    joined = place.start(
        *("join", f"localhost:{place.port}", "--token-file", token, "--roots", str(certificates / "server.pem")),
        *("--once", "--spare", "2", "--", *command),
    )
    code, _, err = place.run("night", "n.toml")
    assert code == ExitCode.PASSED, err
    code, _, err = place.end(joined)
    assert code == ExitCode.PASSED, err
    assert "no TLS" not in err


# -- mistakes ----------------------------------------------------------------------------------------


def test_a_wrong_token_ends_join_with_one_line(place: Place) -> None:
    place.referee()
    token = (place.directory / "bob.token").read_text().strip()
    (place.directory / "bob.token").write_text(token[:-1] + ("0" if token[-1] != "0" else "1"))
    code, _, err = place.end(place.join("bob"))
    assert code == ExitCode.WRONG_COMMAND
    last = err.splitlines()[-1]
    assert re.match(rf"euchre-arena: the referee at {place.address} refuses: this token is not known here", last)
    assert token not in err


def test_a_bot_that_does_not_start_ends_join_with_its_last_words(place: Place) -> None:
    place.referee()
    code, _, err = place.end(place.join("bob", sys.executable, str(place.bot), "exit", options=("--spare", "1")))
    assert code == ExitCode.WRONG_COMMAND
    assert "before it said hello, 3 times in a row" in err
    assert "cannot open my opening book" in err.splitlines()[-1]


def test_an_address_in_use_is_one_line_in_every_command(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", place.port))
        taken.listen()
        night_file(place)
        for command in (("referee", "r.toml"), ("night", "n.toml")):
            code, _, err = place.run(*command)
            assert code == ExitCode.WRONG_COMMAND, err
            assert err.splitlines()[-1].startswith(f"euchre-arena: cannot listen on {place.address}: it is in use")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", place.metrics_port))
        taken.listen()
        metrics = f"127.0.0.1:{place.metrics_port}"
        for arguments in (["referee", "r.toml"], ["match", "random", "a=random", "-n", "1", "--metrics", metrics]):
            code, _, err = place.run(*arguments)
            assert code == ExitCode.WRONG_COMMAND, err
            assert err.splitlines()[-1].startswith(f"euchre-arena: metrics cannot be served at {metrics}")


def test_two_referees_of_one_file_do_not_run_and_one_that_was_killed_is_no_hindrance(place: Place) -> None:
    first = place.referee()
    code, _, err = place.run("referee", "r.toml")
    assert (code, "a referee of r.toml runs already" in err) == (ExitCode.WRONG_COMMAND, True)
    first.kill()
    first.communicate()
    assert (place.directory / "r.sock").exists()
    place.referee()
    code, out, err = place.run("lobby", "r.toml")
    assert code == ExitCode.PASSED, err
    assert out.splitlines()[0] == f"bots dial in at {place.address}; 0 streams are open"
    assert re.fullmatch(r"bob +0 +0 +0  never", out.splitlines()[-1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["match", "remote:bob", "random"], "name its file with --referee"),
        (["match", "remote:", "random", "--referee", "r.toml"], "names no entrant"),
        (["match", "remote:boob", "random", "--referee", "r.toml"], "did you mean 'bob'?"),
        (["match", "remote:bob", "random", "--house", "remote:bob", "--referee", "r.toml"], "the house cannot be"),
        (["match", "remote:bob", "random", "--referee", "nosuch.toml"], "nosuch.toml: no such file"),
        (["check", "remote:bob"], "check starts a process"),
        (["lobby", "r.toml"], "no referee of r.toml runs"),
        (["token", "r.toml", "house"], "cannot be called 'house'"),
        (["token", "r.toml", "bb", "--revoke"], "did you mean 'bob'?"),
        (["join", "127.0.0.1:1", "--", "random"], "--token-file"),
        (["join", "nowhere", "--token-file", "bob.token", "--", "random"], "host:port"),
        (["join", "127.0.0.1:1", "--token-file", "r.toml", "--", "random"], "holds no token"),
        (["join", "127.0.0.1:1", "--token-file", "none", "--", "random"], "none cannot be read"),
        (["join", "127.0.0.1:1", "--token-file", "bob.token", "--", "randm"], "did you mean 'random'?"),
        (["join", "127.0.0.1:1", "--token-file", "bob.token", "--plaintext", "--tls", "--", "random"], "--plaintext"),
        (["join", "x.org:1", "--token-file", "bob.token", "--key", "k", "--", "random"], "belong together"),
        (["join", "x.org:1", "--token-file", "bob.token", "--roots", "k", "--", "random"], "k cannot be read"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_would_work(
    made: Path, arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from arena.cli import run

    monkeypatch.chdir(made)
    monkeypatch.delenv("EUCHRE_TOKEN", raising=False)
    assert run(arguments) == ExitCode.WRONG_COMMAND
    err = capfd.readouterr().err
    assert said in err.splitlines()[-1], err


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = Place(tmp_path_factory.mktemp("mistakes"))
    yield found.directory
    found.close()


def test_a_token_is_printed_once_and_neither_it_nor_its_secret_is_kept(place: Place) -> None:
    code, token, err = place.run("token", "r.toml", "bob")
    assert (code, "shown this once" in err) == (ExitCode.PASSED, True)
    assert Entrants(place.directory / "tokens.json").entrant(token.strip()) == "bob"
    (place.directory / "bob.token").write_text(token)
    for path in place.directory.iterdir():
        if path.suffix != ".token" and path.is_file():
            for name in ("ann", "bob"):
                secret = (place.directory / f"{name}.token").read_text().strip().partition(".")[2]
                assert secret not in path.read_text()
    assert (place.directory / "tokens.json").stat().st_mode & 0o777 == 0o600
