"""Two loops in one thread: values, exceptions, cancels and signals cross as the essay in bridge.py says."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import textwrap

import pytest
import trio

from referee.service import bridge


def test_what_main_returns_is_returned_and_what_it_raises_is_raised() -> None:
    async def main(first: int, second: int) -> int:
        await trio.lowlevel.checkpoint()
        return first + second

    async def broken() -> None:
        raise LookupError("as it is")

    assert bridge.run(main, 1, 2) == 3
    with pytest.raises(LookupError, match="as it is"):
        bridge.run(broken)


def test_a_coroutine_of_the_host_gives_its_result_or_its_exception() -> None:
    async def work(value: int) -> int:
        await asyncio.sleep(0)
        if value < 0:
            raise ValueError("negative")
        return value * 2

    async def main() -> None:
        assert await bridge.on_host(work(21)) == 42
        with pytest.raises(ValueError, match="negative"):
            await bridge.on_host(work(-1))

    bridge.run(main)


def test_a_cancel_crosses_and_waits_for_the_end() -> None:
    steps = []

    async def work() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await asyncio.sleep(0)
            steps.append("cleaned up")

    async def main() -> None:
        with trio.move_on_after(0.01) as scope:
            await bridge.on_host(work())
        steps.append("went on")
        assert scope.cancelled_caught

    bridge.run(main)
    assert steps == ["cleaned up", "went on"]


def test_a_coroutine_that_ends_in_spite_of_a_cancel_gives_its_result() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            return "done all the same"
        return ""

    async def main() -> str:
        with trio.move_on_after(0.01):
            return await bridge.on_host(stubborn())
        return "lost"

    assert bridge.run(main) == "done all the same"


PROGRAM = """
    import json, sys, trio
    from referee.service import bridge
    from referee.service.logs import configure_logging
    from referee.service.server import open_referee

    async def main():
        async with open_referee("127.0.0.1:0") as referee:
            print(json.dumps({"event": "open"}), flush=True)
            await trio.sleep_forever()

    configure_logging(json=True, stream=sys.stdout)
    try:
        bridge.run(main)
    except KeyboardInterrupt:
        print(json.dumps({"event": "interrupted"}), flush=True)
        sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_referee_in_good_order(number: signal.Signals) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdout is not None
        events = []
        for line in program.stdout:
            events.append(json.loads(line)["event"])
            if events[-1] == "open":
                program.send_signal(number)
        assert program.wait(timeout=10) == 130
        assert program.stderr is not None
        assert program.stderr.read() == ""
    assert events == ["referee_opened", "open", "referee_closed", "interrupted"]
