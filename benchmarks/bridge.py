"""What it costs to let trio, or a thread, into the path of a frame: four echoes over gRPC in one run.

The server answers every frame of 64 replies with a frame of 64 requests, as bytes; nothing is computed. They differ
only in who does it: the asyncio handler alone; the same beside a trio guest that sleeps (what the referee does); a trio
task that gets the frame through a channel; a thread. docs/decisions/0001-bridge.md quotes the figures.

``python benchmarks/bridge.py [--seconds 2] [--rounds 5]``
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import trio

REPLIES = bytes(64 * 8)
REQUESTS = bytes(64 * 300)
EOF = grpc.aio.EOF  # type: ignore[attr-defined]

Handler = Callable[[object, Any], Awaitable[None]]


async def client(address: str, seconds: float) -> None:
    """Exchange frames for some seconds; print how many there were."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream("/echo.Echo/Echo")()
        count = 0
        began = time.perf_counter()
        while (taken := time.perf_counter() - began) < seconds:
            await call.write(REPLIES)
            await call.read()
            count += 1
        await call.done_writing()
        print(json.dumps(taken / count * 1e6))


async def on_asyncio(_: object, context: Any) -> None:
    """Answer in the handler."""
    while await context.read() is not EOF:
        await context.write(REQUESTS)


async def in_a_thread(_: object, context: Any) -> None:
    """Let a thread make every answer."""
    while await context.read() is not EOF:
        await context.write(await asyncio.to_thread(lambda: REQUESTS))


class TrioTask:
    """Answers in a trio task, one for each stream."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery

    async def handle(self, _: object, context: Any) -> None:
        """Carry frames to the task, and its answers back."""
        to_task, frames = trio.open_memory_channel[bytes](16)
        answers: asyncio.Queue[bytes] = asyncio.Queue()
        self._nursery.start_soon(self._answer, frames, answers)
        while (data := await context.read()) is not EOF:
            to_task.send_nowait(data)
            await context.write(await answers.get())
        to_task.close()

    @staticmethod
    async def _answer(frames: trio.MemoryReceiveChannel[bytes], answers: asyncio.Queue[bytes]) -> None:
        async for _ in frames:
            answers.put_nowait(REQUESTS)


async def serve(handler: Handler, seconds: float) -> float:
    """Return microseconds per exchange with a client in a process of its own."""
    server = grpc.aio.server()
    method = grpc.stream_stream_rpc_method_handler(handler)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", {"Echo": method}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    command = [sys.executable, __file__, "--client", f"127.0.0.1:{port}", str(seconds)]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    out, _ = await process.communicate()
    await server.stop(0)
    return float(json.loads(out))


async def beside_trio(guest: Callable[..., Awaitable[None]], work: Callable[[], Awaitable[float]]) -> float:
    """Run *work* on asyncio while a trio guest runs."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    scope = trio.CancelScope()

    async def main() -> None:
        with scope:
            await guest()

    trio.lowlevel.start_guest_run(
        main,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        done_callback=lambda _: ended.set(),
        host_uses_signal_set_wakeup_fd=True,
    )
    try:
        return await work()
    finally:
        scope.cancel()
        await ended.wait()


async def in_a_trio_task(seconds: float) -> float:
    """Measure with a trio task in the path."""
    nurseries: asyncio.Queue[trio.Nursery] = asyncio.Queue()

    async def guest() -> None:
        async with trio.open_nursery() as nursery:
            nurseries.put_nowait(nursery)
            await trio.sleep_forever()

    async def work() -> float:
        return await serve(TrioTask(await nurseries.get()).handle, seconds)

    return await beside_trio(guest, work)


async def measure(seconds: float, rounds: int) -> None:
    """Take turns, and print the medians."""
    ways: dict[str, Callable[[], Awaitable[float]]] = {
        "asyncio alone": lambda: serve(on_asyncio, seconds),
        "asyncio beside a trio guest": lambda: beside_trio(trio.sleep_forever, lambda: serve(on_asyncio, seconds)),
        "a trio task in the path": lambda: in_a_trio_task(seconds),
        "a thread in the path": lambda: serve(in_a_thread, seconds),
    }
    found: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, work in ways.items():
            found[way].append(await work())
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, medians of {rounds} rounds of {seconds:g} s")
    first = statistics.median(found["asyncio alone"])
    for way, values in found.items():
        median = statistics.median(values)
        print(f"{way:<28} {median:>6.0f} us/exchange  {median / first:.2f}")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--client", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.client:
        with contextlib.suppress(grpc.RpcError):
            asyncio.run(client(arguments.client[0], float(arguments.client[1])))
    else:
        asyncio.run(measure(arguments.seconds, arguments.rounds))


if __name__ == "__main__":
    main()
