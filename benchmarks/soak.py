"""Plays very many games through one referee and reports whether anything grows: memory, files, tasks, threads.

Eight streams of eight tables; a stream is dismissed after some hundred games and a new one comes in its place. Now and
then one vanishes and comes back, answers nonsense, or is late. Resident size is taken after the first tenth, when
caches are full, and at the end.

``python benchmarks/soak.py [--games 100000]``
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import gc
import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc
import structlog
import trio

from euchre.v1 import play_pb2
from referee.rules import parse_variant
from referee.service import bridge
from referee.service.outcome import TableSpec
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from referee.service.shuffle import deck_for

PLAY = "/euchre.v1.RefereeService/Play"
VARIANT = parse_variant("standard(target=2)")
SEED = bytes(32)
STREAMS, TABLES, GAMES_A_STREAM = 8, 8, 400


# -- the client process ------------------------------------------------------------------------------


async def stay(address: str, token: str, rng: random.Random) -> None:
    """Play one instance until Goodbye, with accidents."""
    while True:
        async with grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            with contextlib.suppress(grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
                if await play(channel, token, rng):
                    return


async def play(channel: grpc.aio.Channel, token: str, rng: random.Random) -> bool:
    """Play one stream; tell whether it ended with Goodbye."""
    call = channel.stream_stream(PLAY)()
    hello = play_pb2.Hello(protocol_version=1, name="soak", token=token)
    await call.write(play_pb2.BotFrame(hello=hello).SerializeToString())
    while (data := await call.read()) is not grpc.aio.EOF:  # type: ignore[attr-defined]
        frame = play_pb2.RefereeFrame.FromString(data)
        answer = play_pb2.BotFrame()
        if frame.HasField("ping"):
            answer.pong.CopyFrom(frame.ping)
        for request in frame.requests:
            chance = rng.random()
            option = rng.randrange(len(request.options)) if chance > 0.001 else 999
            if chance < 0.9995:
                answer.replies.add(decision_id=request.decision_id, option=option)
        if rng.random() < 0.0001:
            call.cancel()
            return False
        if answer.ByteSize():
            await call.write(answer.SerializeToString())
        if frame.HasField("goodbye"):
            await call.done_writing()
            return True
    return False


async def client(address: str) -> None:
    """Open a stream for every token that is read from standard input."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    rng = random.Random(1)
    async with asyncio.TaskGroup() as group:
        while line := await reader.readline():
            group.create_task(stay(address, line.decode().strip(), rng))


# -- the server process ------------------------------------------------------------------------------


class Soak:
    """The run, and what it counts."""

    def __init__(self, referee: Referee, games: int, send_token: trio.abc.SendStream) -> None:
        self._referee = referee
        self._wanted = games
        self._send_token = send_token
        self._sending = trio.Lock()
        self._begun = 0
        self.ended = 0
        self.marks = {games // 10: trio.Event(), games * 49 // 50: trio.Event()}
        """Set when so many games have ended: caches are full; nearly all streams still play."""

    async def stream(self, number: int) -> None:
        """Play games with one instance after the other."""
        generation = 0
        while self._begun < self._wanted:
            generation += 1
            name = f"s{number}.{generation}"
            token = self._referee.admit(name)
            async with self._sending:
                await self._send_token.send_all(f"{token}\n".encode())
            await self._referee.wait_ready(name)
            async with trio.open_nursery() as nursery:
                for _ in range(TABLES):
                    nursery.start_soon(self._table, name, GAMES_A_STREAM // TABLES)
            await self._referee.dismiss(name)

    async def _table(self, name: str, games: int) -> None:
        for _ in range(games):
            if self._begun >= self._wanted or self._referee.is_lost(name):
                return
            self._begun += 1
            match = f"soak{self._begun}"
            await self._referee.play(
                TableSpec(
                    variant=VARIANT,
                    instances=(name,) * VARIANT.seats,
                    first_dealer=0,
                    deck=lambda board, redeal, match=match: deck_for(SEED, VARIANT, match, board, redeal),  # type: ignore[misc]
                    plays_game=True,
                )
            )
            self.ended += 1
            if self.ended in self.marks:
                self.marks[self.ended].set()


def resources() -> dict[str, int]:
    """Return what a process can leak."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return {
        "resident KiB": resident,
        "open files": len(os.listdir("/proc/self/fd")),  # noqa: PTH208
        "threads": threading.active_count(),
        "asyncio tasks": len(asyncio.all_tasks()),
        "trio tasks": trio.lowlevel.current_statistics().tasks_living,
        "objects": len(gc.get_objects()),
    }


async def measure(games: int) -> None:
    """Run the soak and print what grew."""
    async with open_referee("127.0.0.1:0", Policy(decision_seconds=0.5, strikes=3, grace_seconds=5.0)) as referee:
        command = [sys.executable, __file__, "--client", referee.address]
        async with trio.open_nursery() as nursery:
            process: trio.Process = await nursery.start(
                functools.partial(trio.run_process, command, stdin=subprocess.PIPE)
            )
            soak = Soak(referee, games, process.stdin)
            began = time.perf_counter()
            seen: list[dict[str, int]] = []
            async with trio.open_nursery() as streams:
                for number in range(STREAMS):
                    streams.start_soon(soak.stream, number)
                for mark in soak.marks.values():
                    await mark.wait()
                    seen.append(resources())
            taken = time.perf_counter() - began
            print(f"{soak.ended:,} games in {taken:.0f} s; {json.dumps(referee.statistics())}")
            await process.stdin.aclose()
        for what, before in seen[0].items():
            print(f"{what:<14} {before:>10,} after a tenth {seen[1][what]:>10,} at the end")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--games", type=int, default=100_000)
    arguments = parser.parse_args()
    if arguments.client:
        asyncio.run(client(arguments.client))
        return
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    bridge.run(measure, arguments.games)


if __name__ == "__main__":
    main()
