"""The kit's client against the real referee, over a unix socket, each bot a process of its own."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio

from referee.rules import Variant, parse_variant
from referee.service import bridge
from referee.service.outcome import FaultKind, GameEnd, TableResult, TableSpec
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee

PATIENCE = 60.0
"""Seconds after which a test that hangs is a failure; nothing waits for this to pass."""
UNHURRIED = Policy(decision_seconds=20.0)

BROKEN_BOT = """
from euchre_kit import Bot, run
class Broken(Bot):
    name = "broken"
    def decide(self, request, variant):
        return {answer}
run(Broken())
"""


def decks(variant: Variant, seed: int) -> Callable[[int, int], Sequence[int]]:
    def deck(board: int, redeal: int) -> list[int]:
        return random.Random(f"{seed}/{board}/{redeal}").sample(variant.deck, len(variant.deck))

    return deck


def spec(variant: Variant, instances: Sequence[str], seed: int = 1, dealer: int = 0) -> TableSpec:
    return TableSpec(variant=variant, instances=tuple(instances), first_dealer=dealer, deck=decks(variant, seed))


def start(command: Sequence[str], address: str, token: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "EUCHRE_ADDRESS": address, "EUCHRE_TOKEN": token, "EUCHRE_SEED": "7", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


async def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Wait for a bot to leave; return its exit code and what it wrote to stderr."""
    output = await trio.to_thread.run_sync(process.communicate)
    return process.returncode, output[1].decode()


def run_with_referee(tmp_path: Path, test: Callable[[Referee], object], policy: Policy = UNHURRIED) -> None:
    async def main() -> None:
        with trio.fail_after(PATIENCE):
            async with open_referee(f"unix:{tmp_path / 'r'}", policy) as referee:
                await test(referee)  # type: ignore[misc]

    bridge.run(main)


async def play_all(referee: Referee, specs: Sequence[TableSpec]) -> list[TableResult]:
    results: list[TableResult] = []
    for name in dict.fromkeys(name for one in specs for name in one.instances):
        await referee.wait_ready(name)

    async def play(one: TableSpec) -> None:
        results.append(await referee.play(one))

    async with trio.open_nursery() as nursery:
        for one in specs:
            nursery.start_soon(play, one)
    return results


@pytest.mark.parametrize(
    ("bot", "presets"),
    [
        ("random", ["standard", "british-6p-50", "auction-7p", "buck", "bid-us-48-widow", "dealer-makes"]),
        ("house", ["almonte-6p", "call-ace-5p", "dirty-clubs-3p", "napoleon", "hasenpfeffer", "railroad"]),
        ("heuristic", ["standard", "british-6p-33", "auction-5p", "bid-canadian-32", "dirty-clubs", "pepper-2p"]),
    ],
)
def test_bots_play_over_the_wire_without_a_fault(tmp_path: Path, bot: str, presets: list[str]) -> None:
    async def test(referee: Referee) -> None:
        variants = [parse_variant(preset) for preset in presets]
        seats = max(variant.seats for variant in variants)
        names = [f"{bot}{seat}" for seat in range(seats)]
        processes = [start(["-m", f"euchre_bots.{bot}"], referee.address, referee.admit(name)) for name in names]
        results = await play_all(referee, [spec(variant, names[: variant.seats]) for variant in variants])
        for name in names:
            await referee.dismiss(name)
        for process in processes:
            assert await ended(process) == (0, "")
        assert [result.end for result in results] == [GameEnd.BOARD] * len(variants)
        assert [result.faults for result in results] == [()] * len(variants)

    run_with_referee(tmp_path, test)


def test_search_keeps_its_budget_under_a_real_clock(tmp_path: Path) -> None:
    """20 ms to think beside a limit of 2 s; one table at a time, as it said in its Hello."""

    async def test(referee: Referee) -> None:
        variant = parse_variant("two-handed")
        names = ["search", "heuristic"]
        processes = [
            start(["-m", "euchre_bots.search", "--budget-ms", "20"], referee.address, referee.admit("search")),
            start(["-m", "euchre_bots.heuristic"], referee.address, referee.admit("heuristic")),
        ]
        results = await play_all(referee, [spec(variant, names, seed) for seed in range(4)])
        for name in names:
            await referee.dismiss(name)
        for process in processes:
            assert await ended(process) == (0, "")
        assert [result.faults for result in results] == [()] * 4

    run_with_referee(tmp_path, test, Policy(decision_seconds=2.0))


def test_wrong_token_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    async def test(referee: Referee) -> None:
        code, said = await ended(start(["-m", "euchre_bots.random"], referee.address, "no such token"))
        assert code == 2
        assert said.count("\n") == 1
        assert "UNAUTHENTICATED" in said

    run_with_referee(tmp_path, test)


def test_missing_address_is_one_line_and_exit_code_2() -> None:
    process = start(["-m", "euchre_bots.random"], "", "token")
    said = process.communicate(timeout=PATIENCE)[1].decode()
    assert process.returncode == 2
    assert said.count("\n") == 1
    assert "EUCHRE_ADDRESS" in said


def test_sigterm_ends_a_bot_quietly(tmp_path: Path) -> None:
    async def test(referee: Referee) -> None:
        process = start(["-m", "euchre_bots.heuristic"], referee.address, referee.admit("one"))
        await referee.wait_ready("one")
        process.send_signal(signal.SIGTERM)
        assert await ended(process) == (0, "")

    run_with_referee(tmp_path, test)


def test_decide_that_raises_is_shown_and_the_default_played(tmp_path: Path) -> None:
    async def test(referee: Referee) -> None:
        names = ["broken", "house"]
        token = referee.admit("broken")
        script = BROKEN_BOT.format(answer="1 // 0")
        processes = [
            start(["-c", script], referee.address, token),
            start(["-m", "euchre_bots.house"], referee.address, referee.admit("house")),
        ]
        (result,) = await play_all(referee, [spec(parse_variant("two-handed"), names)])
        for name in names:
            await referee.dismiss(name)
        code, said = await ended(processes[0])
        assert code == 0
        assert "ZeroDivisionError" in said
        assert "played option 0 instead" in said
        assert (await ended(processes[1]))[0] == 0
        assert result.end is GameEnd.BOARD
        assert result.faults == ()

    run_with_referee(tmp_path, test)


@pytest.mark.parametrize("answer", ["None", "99", "'pass'"])
def test_answer_that_is_none_leaves_a_strict_bot(tmp_path: Path, answer: str) -> None:
    """EUCHRE_STRICT: for an author who would rather see it stop."""

    async def test(referee: Referee) -> None:
        names = ["broken", "house"]
        token = referee.admit("broken")
        broken = start(["-c", BROKEN_BOT.format(answer=answer)], referee.address, token, EUCHRE_STRICT="1")
        house = start(["-m", "euchre_bots.house"], referee.address, referee.admit("house"))
        for name in names:
            await referee.wait_ready(name)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referee.play, spec(parse_variant("two-handed"), names))
            code, said = await ended(broken)
            nursery.cancel_scope.cancel()
        assert code == 1
        assert "decide returned" in said
        await referee.dismiss("house")
        assert (await ended(house))[0] == 0

    run_with_referee(tmp_path, test)


def test_bot_waits_for_a_referee_that_comes_late(tmp_path: Path) -> None:
    """A bot started first tries again until the socket is there; then it plays."""

    async def main() -> None:
        with trio.fail_after(PATIENCE):
            address = f"unix:{tmp_path / 'r'}"
            early = start(["-m", "euchre_bots.house"], address, "unknown")
            async with open_referee(address, UNHURRIED):
                code, said = await ended(early)
            # Refused by a referee that was not there when it started: so it came back.
            assert code == 2
            assert "UNAUTHENTICATED" in said

    bridge.run(main)


class Line:
    """A unix socket before the referee's, that can be cut."""

    def __init__(self, path: Path, referee_path: str, cut_after: int) -> None:
        self.address = f"unix:{path}"
        self.connections = 0
        self._path = path
        self._referee_path = referee_path
        self._cut_after = cut_after

    async def serve(self, task_status: trio.TaskStatus[list[trio.SocketListener]] = trio.TASK_STATUS_IGNORED) -> None:
        listener = trio.socket.socket(trio.socket.AF_UNIX)
        await listener.bind(str(self._path))
        listener.listen()
        await trio.serve_listeners(self._forward, [trio.SocketListener(listener)], task_status=task_status)

    async def _forward(self, bot: trio.SocketStream) -> None:
        self.connections += 1
        is_cut = self.connections == 1
        referee = await trio.open_unix_socket(self._referee_path)
        async with bot, referee, trio.open_nursery() as nursery:
            nursery.start_soon(self._copy, referee, bot, None, nursery.cancel_scope)
            await self._copy(bot, referee, self._cut_after if is_cut else None, nursery.cancel_scope)

    @staticmethod
    async def _copy(
        source: trio.SocketStream, sink: trio.SocketStream, most: int | None, whole: trio.CancelScope
    ) -> None:
        copied = 0
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in source:
                copied += len(data)
                if most is not None and copied > most:
                    break
                await sink.send_all(data)
        whole.cancel()


def test_bot_comes_back_after_a_lost_line(tmp_path: Path) -> None:
    """KT-41: within the grace time; the open questions are asked again and the game goes on to its end."""

    async def test(referee: Referee) -> None:
        variant = parse_variant("bid-us-48")
        names = [f"bot{seat}" for seat in range(4)]
        line = Line(tmp_path / "line", referee.address.removeprefix("unix:"), cut_after=900)
        async with trio.open_nursery() as nursery:
            await nursery.start(line.serve)
            addresses = [line.address, *[referee.address] * 3]
            processes = [
                start(["-m", "euchre_bots.random"], address, referee.admit(name))
                for name, address in zip(names, addresses, strict=True)
            ]
            (result,) = await play_all(referee, [spec(variant, names)])
            for name in names:
                await referee.dismiss(name)
            left = [await ended(process) for process in processes]
            nursery.cancel_scope.cancel()
        assert [code for code, _ in left] == [0] * 4
        assert "the stream was lost" in left[0][1]  # the referee's notice, told on return
        assert line.connections == 2
        assert result.end is GameEnd.BOARD
        assert [fault.kind for fault in result.faults] == [FaultKind.DISCONNECT]

    run_with_referee(tmp_path, test)
