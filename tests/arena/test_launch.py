"""Bots as processes: their output, their environment, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio

from arena.bots import Bot
from arena.launch import BotProcess, Processes, Tail, environment_of, exit_text, open_processes, printable
from tests.machine import await_true, is_alive


def play(function: Callable[[Processes], Awaitable[None]]) -> None:
    async def run() -> None:
        async with open_processes() as processes:
            with trio.fail_after(60):
                await function(processes)

    trio.run(run)


def python(code: str) -> Bot:
    return Bot("ann", (sys.executable, "-c", code))


async def output_of(processes: Processes, code: str, **variables: str) -> list[str]:
    process = await processes.start(python(code), variables)
    assert await process.wait() == 0
    await process.end()
    return process.output.lines(1000, 10_000)


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 (the world outside sets no event)
        await trio.sleep(0.01)


def test_a_tail_keeps_the_end_and_no_more_than_its_size() -> None:
    tail = Tail(100)
    for number in range(1000):
        tail.add(f"line {number}\n".encode())
    lines = tail.lines(3)
    assert lines == ["line 997", "line 998", "line 999"]
    assert len(tail.lines(1000)) <= 11


def test_a_tail_is_safe_to_print() -> None:
    tail = Tail()
    tail.add(b"\x1b[2J\xff\x00 gone\tand\n\n  \nback" + b"x" * 500)
    assert tail.lines(5, 20) == ["?[2J\ufffd? gone and", "back" + "x" * 16]
    assert all(line.isprintable() for line in tail.lines())


def test_control_codes_do_not_reach_a_terminal() -> None:
    assert printable("a\x1b[31mb\u202ec\td") == "a?[31mb?c d"


def test_an_exit_is_told_in_words() -> None:
    assert exit_text(3) == "exit code 3"
    assert exit_text(-9) == "killed by SIGKILL"
    assert exit_text(-200) == "killed by signal 200"


def test_a_bot_is_not_told_our_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EUCHRE_DB", "postgresql://me:hush-hush@host/db")
    monkeypatch.setenv("EUCHRE_TOKEN", "somebody else's")
    monkeypatch.setenv("PGPASSWORD", "hush-hush")
    monkeypatch.setenv("ORDINARY", "yes")
    bot = Bot("ann", ("x",), environment={"LEVEL": "3", "ORDINARY": "no"})
    found = environment_of(bot, {"EUCHRE_TOKEN": "mine"})
    assert found["EUCHRE_TOKEN"] == "mine"  # noqa: S105
    assert found["LEVEL"] == "3"
    assert found["ORDINARY"] == "no"
    assert "hush-hush" not in str(found)


def test_both_outputs_are_kept_in_order() -> None:
    async def run(processes: Processes) -> None:
        said = await output_of(
            processes, "import sys; print('one', flush=True); print('two', file=sys.stderr, flush=True); print('three')"
        )
        assert said == ["one", "two", "three"]

    play(run)


def test_a_bot_holds_no_descriptor_of_ours_or_of_another_bot() -> None:
    """KT-51."""

    async def run(processes: Processes) -> None:
        with open(os.devnull) as ours:  # noqa: PTH123, ASYNC230 (a descriptor, no file)
            os.set_inheritable(ours.fileno(), True)
            other = await processes.start(python("import time; time.sleep(1000)"), {})
            (said,) = await output_of(processes, "import os; print(*sorted(map(int, os.listdir('/proc/self/fd'))))")
            await other.end()
        # 0, 1, 2, and the directory that is being listed.
        assert said.split() == ["0", "1", "2", "3"]

    play(run)


def test_a_bot_reads_an_empty_input_and_leads_a_session() -> None:
    async def run(processes: Processes) -> None:
        said = await output_of(processes, "import os, sys; print(repr(sys.stdin.read()), os.getsid(0) == os.getpid())")
        assert said == ["'' True"]

    play(run)


def test_a_dead_bot_is_noticed_though_its_child_holds_the_pipe() -> None:
    """KT-36: the exit is seen, not only the end of the output."""

    async def run(processes: Processes) -> None:
        code = "import subprocess; subprocess.Popen(['sleep', '1000']); print('bye')"
        process = await processes.start(python(code), {})
        began = time.monotonic()
        assert await process.wait() == 0
        assert time.monotonic() - began < 10
        assert process.output.lines() == ["bye"]
        await process.end()

    play(run)


@pytest.mark.parametrize("how", ["stop", "end"])
def test_stopping_ends_the_whole_group_however_stubborn(how: str) -> None:
    async def run(processes: Processes) -> None:
        code = (
            "import signal, subprocess, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "child = subprocess.Popen(['sleep', '1000']); print(child.pid, flush=True); time.sleep(1000)"
        )
        process = await processes.start(python(code), {})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.wait)
            await until(lambda: bool(process.output.lines()))
            await getattr(process, how)()
        (child,) = process.output.lines()
        assert process.ending_text() == "killed by SIGKILL"
        await until(lambda: not is_alive(int(child)))

    play(run)


def test_a_polite_bot_is_given_time_to_leave() -> None:
    async def run(processes: Processes) -> None:
        code = (
            "import signal, sys, time\n"
            "signal.signal(signal.SIGTERM, lambda *_: (print('leaving', flush=True), sys.exit(0)))\n"
            "print('ready', flush=True)\ntime.sleep(1000)"
        )
        process = await processes.start(python(code), {})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.wait)
            await until(lambda: process.output.lines() == ["ready"])
            await process.stop()
        assert process.output.lines() == ["ready", "leaving"]
        assert process.ending_text() == "exit code 0"

    play(run)


def test_a_flood_is_slowed_and_bounded() -> None:
    """KT-49: what a bot prints costs us little, and only itself time."""

    async def run(processes: Processes) -> None:
        process = await processes.start(python("import os\nwhile True: os.write(1, b'x' * 65536)"), {})
        with trio.move_on_after(1.0):
            await process.drain()
        assert len("".join(process.output.lines(10**9, 10**9))) <= 65536
        await process.end()

    play(run)


def test_a_directory_and_every_process_are_gone_when_a_worker_is_killed(tmp_path: Path) -> None:
    """KT-52: a watchdog ends what a worker that was killed has left."""
    code = f"""
import sys, trio
from pathlib import Path
from arena.bots import Bot
from arena.launch import open_processes
async def main():
    async with open_processes() as processes:
        bot = Bot("ann", (sys.executable, "-c", "import time; time.sleep(1000)"))
        pids = [(await processes.start(bot, {{}})).pid for _ in range(3)]
        Path({str(tmp_path / "pids")!r} + ".new").write_text(f"{{processes.directory}} " + " ".join(map(str, pids)))
        Path({str(tmp_path / "pids")!r} + ".new").rename({str(tmp_path / "pids")!r})
        await trio.sleep_forever()
trio.run(main)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as worker:
        await_true((tmp_path / "pids").exists)
        directory, *pids = (tmp_path / "pids").read_text().split()
        assert all(is_alive(int(pid)) for pid in pids)
        worker.send_signal(signal.SIGKILL)
    await_true(lambda: not any(is_alive(int(pid)) for pid in pids) and not Path(directory).exists())


@pytest.mark.slow
def test_two_hundred_processes_start_beside_a_busy_referee() -> None:
    """KT-45: none hangs, because none is forked, and none holds our listening socket or a connection."""
    from referee.service import bridge
    from referee.service.policy import Policy
    from referee.service.server import open_referee

    async def run() -> None:
        async with (
            open_processes() as processes,
            open_referee(f"unix:{processes.directory / 'referee'}", Policy()),
        ):
            started: list[BotProcess] = []
            for _ in range(200):
                began = trio.current_time()
                started.append(await processes.start(Bot("ann", ("/bin/sleep", "1000")), {}))
                assert trio.current_time() - began < 60
            for process in (started[0], started[-1]):
                held = sorted(path.name for path in Path(f"/proc/{process.pid}/fd").iterdir())  # noqa: ASYNC240
                assert held == ["0", "1", "2"]
            async with trio.open_nursery() as nursery:
                for process in started:
                    nursery.start_soon(process.end)

    bridge.run(run)
