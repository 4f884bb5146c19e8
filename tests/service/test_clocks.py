"""Clocks against real processes: what is the bot's time, what is ours, and what becomes of the dead and the hanging."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog
import trio

from referee.service import bridge
from referee.service.clock import Pulse
from referee.service.outcome import FaultKind, TableResult
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from tests.machine import PATIENCE_SECONDS
from tests.service.harness import spec

SCRIPTED = Path(__file__).parents[1] / "bots" / "scripted.py"
HELD_UP = "referee_was_held_up"


class Log(list[structlog.typing.EventDict]):
    """Keeps what the referee logs."""

    def __call__(self, _: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        self.append(event)
        raise structlog.DropEvent

    def logger(self) -> structlog.typing.WrappedLogger:
        return structlog.wrap_logger(None, processors=[structlog.processors.add_log_level, self])

    def of(self, event: str) -> list[structlog.typing.EventDict]:
        return [entry for entry in self if entry["event"] == event]


def with_processes(policy: Policy, test: Callable[[Referee, Log], Awaitable[None]]) -> None:
    """Run *test* with a referee on a unix socket."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder, trio.fail_after(PATIENCE_SECONDS):
            log = Log()
            async with open_referee(f"unix:{Path(folder) / 'referee'}", policy, log=log.logger()) as referee:
                await test(referee, log)

    bridge.run(main)


@contextmanager
def bot(referee: Referee, name: str, *cue: str) -> Iterator[subprocess.Popen[bytes]]:
    """Hold a process of the scripted bot as instance *name*."""
    variables = {"EUCHRE_ADDRESS": referee.address, "EUCHRE_TOKEN": referee.admit(name), "EUCHRE_NAME": name}
    with subprocess.Popen(
        [sys.executable, str(SCRIPTED), *cue],
        env={**os.environ, **variables, "EUCHRE_SEED": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


async def play_many(referee: Referee, count: int, seats: list[str]) -> list[TableResult]:
    """Return the results of so many boards, all at once."""
    results: list[TableResult] = []

    async def play(number: int) -> None:
        results.append(await referee.play(spec("two-handed", seats, match=f"m{number}")))

    async with trio.open_nursery() as tables:
        for number in range(count):
            tables.start_soon(play, number)
    return results


def faults_of(results: list[TableResult]) -> list[str]:
    return [fault.message for result in results for fault in result.faults]


@pytest.mark.slow
def test_a_bot_that_answers_at_95_percent_of_its_time_loses_none_of_a_thousand_decisions() -> None:
    """KT-40. On 128 tables at once, in a process of its own, for which a busy machine has no processor at times."""

    async def run(referee: Referee, log: Log) -> None:
        with bot(referee, "p0", "late", str(0.95 * referee.policy.decision_seconds)):
            await referee.wait_ready("p0")
            results = []
            for _ in range(3):
                results += await play_many(referee, 128, ["p0", "p0"])
            assert faults_of(results) == [], log.of(HELD_UP)
            assert sum(sum(result.decisions) for result in results) >= 1000
            slowest = max(max(result.slowest_seconds) for result in results)
            sys.stdout.write(f"slowest {slowest:.3f} s; held up {log.of(HELD_UP)}\n")
            assert slowest >= 0.95 * 0.9 * referee.policy.decision_seconds

    with_processes(Policy(decision_seconds=3.0), run)


def test_quick_bots_lose_nothing_to_a_referee_that_is_held_up() -> None:
    """KT-40: 64 tables at 50 ms a move while we do nothing for 0.2 s, time and again; it is logged."""

    async def run(referee: Referee, log: Log) -> None:
        with bot(referee, "p0", "late", "0"), bot(referee, "p1", "late", "0"):
            await referee.wait_ready("p0")
            await referee.wait_ready("p1")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(hold_up, 0.2)
                results = await play_many(referee, 64, ["p0", "p1"])
                nursery.cancel_scope.cancel()
            assert faults_of(results) == [], log.of(HELD_UP)
            assert max(entry["seconds"] for entry in log.of(HELD_UP)) >= 0.15

    with_processes(Policy(decision_seconds=0.05), run)


async def hold_up(seconds: float) -> None:
    """Let the loop do nothing for a while, again and again."""
    while True:
        time.sleep(seconds)  # noqa: ASYNC251 - this is what holds it up
        await trio.sleep(0.05)


def test_our_own_delay_is_not_taken_from_the_bank() -> None:
    """KT-40: the answers lie unread for 0.6 s, and count as if they had been read at once."""

    async def run(referee: Referee, log: Log) -> None:
        with bot(referee, "p0", "late", "0.02"):
            await referee.wait_ready("p0")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(hold_up, 0.6)
                results = await play_many(referee, 8, ["p0", "p0"])
                nursery.cancel_scope.cancel()
            assert faults_of(results) == []
            assert len(log.of(HELD_UP)) >= 2
            assert max(max(result.slowest_seconds) for result in results) < 0.4

    with_processes(Policy(decision_seconds=0.05, bank_seconds=30.0), run)


def test_a_pulse_gives_the_benefit_of_the_doubt_for_our_own_delay_alone() -> None:
    pulse = Pulse(100.0, interval=0.02, slack=0.01)
    assert pulse.beat(100.02) == pytest.approx(0.0)
    assert pulse.arrival(100.025) == 100.025
    assert pulse.beat(100.045) == pytest.approx(0.005)
    assert pulse.arrival(100.07) == 100.07, "a beat is not due to the microsecond"
    assert pulse.arrival(100.5) == 100.045, "nobody has looked since"
    assert pulse.beat(100.5) == pytest.approx(0.435)
    assert pulse.arrival(100.6) == 100.045, "it may have lain there"
    for beat in range(1, 20):
        pulse.beat(100.5 + beat * 0.02)
    assert pulse.arrival(100.885) == 100.885, "what piled up has been read"


# -- the hanging and the dead ------------------------------------------------------------------------


def test_a_crash_is_noticed_within_100_ms() -> None:
    """KT-36, KT-42: kill -9 of the process; ten times, so that a busy machine does not decide."""
    took: list[float] = []

    async def run(referee: Referee, log: Log) -> None:
        for number in range(10):
            name = f"p{number}"
            with bot(referee, name, "mute") as process:
                await referee.wait_ready(name)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(referee.play, spec("two-handed", [name, name]))
                    while not referee.statistics()["tables"]:
                        await trio.lowlevel.checkpoint()
                    process.kill()
                    began = trio.current_time()
                    while not log.of("stream_lost"):
                        await trio.lowlevel.checkpoint()
                    took.append(trio.current_time() - began)
                    nursery.cancel_scope.cancel()
                assert log.of("stream_lost")[0]["decisions_open"] == 1
                log.clear()

    with_processes(Policy(), run)
    assert sorted(took)[2] < 0.1, took


@pytest.mark.parametrize("cue", ["mute", "spin"])
def test_a_hanging_bot_loses_its_clock_and_nobody_elses(cue: str) -> None:
    """KT-37: asleep or busy for ever, the default falls between the limit and 100 ms after it."""

    async def run(referee: Referee, log: Log) -> None:
        with bot(referee, "p0", cue), bot(referee, "p1", "late", "0"):
            await referee.wait_ready("p0")
            await referee.wait_ready("p1")
            began = trio.current_time()
            result = await referee.play(spec("two-handed", ["p0", "p1"], plays_game=True))
            took = trio.current_time() - began
            assert [fault.kind for fault in result.faults] == [FaultKind.TIMEOUT] * 3 + [FaultKind.FORFEIT]
            assert result.forfeited == (0,)
            assert took >= 3 * 1.0, "before its time"
            held_up = sum(entry["seconds"] for entry in log.of(HELD_UP))
            # Ten answers of the other bot in between, by a process that a busy machine may keep waiting.
            assert took < 3 * (1.0 + 0.1) + 2 * held_up + 2.0, log

    with_processes(Policy(decision_seconds=1.0), run)
