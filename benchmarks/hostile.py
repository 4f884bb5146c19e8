"""Do honest tables notice that one stream in four misbehaves? Throughput and strikes of the honest, same run.

64 streams of 16 tables each; every stream plays all seats of its tables. Three turns: the 48 honest streams alone;
all 64 honest; 48 honest beside 16 that answer nonsense, flood stale replies, send garbage and come back, or sleep.

``python benchmarks/hostile.py [--seconds 5]``
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections import Counter

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
STREAMS, TABLES, BAD_SHARE = 64, 16, 4
VARIANT = parse_variant("standard")
SEED = bytes(32)
MANNERS = ("nonsense", "flooder", "garbage", "sleeper")


# -- the client processes ----------------------------------------------------------------------------


async def play(channel: grpc.aio.Channel, token: str, manner: str) -> None:
    """Play one stream in a manner until it ends."""
    call = channel.stream_stream(PLAY)()
    hello = play_pb2.Hello(protocol_version=1, name=manner, token=token)
    await call.write(play_pb2.BotFrame(hello=hello).SerializeToString())
    while (data := await call.read()) is not grpc.aio.EOF:  # type: ignore[attr-defined]
        frame = play_pb2.RefereeFrame.FromString(data)
        answer = play_pb2.BotFrame()
        if frame.HasField("ping"):
            answer.pong.CopyFrom(frame.ping)
        if manner != "sleeper":
            option = 999 if manner == "nonsense" else 0
            for request in frame.requests:
                answer.replies.add(decision_id=request.decision_id, option=option)
                if manner == "flooder":
                    for _ in range(20):
                        answer.replies.add(decision_id=1, option=0)
        if manner == "garbage" and frame.requests:
            await call.write(b"\xff" * 200)
        elif answer.ByteSize():
            await call.write(answer.SerializeToString())
        if frame.HasField("goodbye"):
            await call.done_writing()


async def client(address: str, manners: list[tuple[str, str]]) -> None:
    """Keep a stream for each (token, manner); one that is ended comes back."""

    async def keep(token: str, manner: str) -> None:
        async with grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            while True:
                try:
                    await play(channel, token, manner)
                except grpc.aio.AioRpcError as error:
                    if error.code() not in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED):
                        return
                except (grpc.aio.UsageError, asyncio.InvalidStateError):
                    continue
                else:
                    return

    await asyncio.gather(*(keep(token, manner) for token, manner in manners))


# -- the server process ------------------------------------------------------------------------------


async def turn(address: str, honest: int, bad: int, seconds: float) -> tuple[float, Counter[str]]:
    """Return honest decisions per second, and faults of honest and bad streams."""
    decisions = 0
    faults: Counter[str] = Counter()

    async def keep_playing(referee: Referee, name: str, number: int) -> None:
        nonlocal decisions
        board = 0
        is_honest = name.startswith("honest")
        while not referee.is_lost(name):
            result = await referee.play(
                TableSpec(
                    variant=VARIANT,
                    instances=(name,) * VARIANT.seats,
                    first_dealer=0,
                    deck=lambda board, redeal: deck_for(SEED, VARIANT, f"hostile{number}", board, redeal),
                    first_board=board,
                )
            )
            board += 1
            if is_honest:
                decisions += sum(result.decisions)
            faults["honest" if is_honest else "bad"] += len(result.faults)

    policy = Policy(decision_seconds=2.0, grace_seconds=2.0)
    async with open_referee(address, policy) as referee:
        names = [f"honest{n}" for n in range(honest)]
        bad_names = [f"{MANNERS[n % len(MANNERS)]}.{n}" for n in range(bad)]
        with contextlib.ExitStack() as stack:
            for group in (names[: len(names) // 2], names[len(names) // 2 :], bad_names):
                manners = [(referee.admit(name), name.partition(".")[0]) for name in group]
                command = [sys.executable, __file__, "--client", referee.address, json.dumps(manners)]
                process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: ASYNC220 - before anything runs
                stack.callback(process.wait)
                stack.callback(process.kill)
            for name in (*names, *bad_names):
                await referee.wait_ready(name)
            async with trio.open_nursery() as nursery:
                for name in (*names, *bad_names):
                    for number in range(TABLES):
                        nursery.start_soon(keep_playing, referee, name, number)
                await trio.sleep(1.0)
                before, began = decisions, time.perf_counter()
                await trio.sleep(seconds)
                rate = (decisions - before) / (time.perf_counter() - began)
                nursery.cancel_scope.cancel()
    return rate, faults


async def measure(seconds: float) -> None:
    """Run the three turns and print them."""
    bad = STREAMS // BAD_SHARE
    honest = STREAMS - bad
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {TABLES} tables a stream, {seconds:g} s a turn")
    alone, _ = await turn("127.0.0.1:0", honest, 0, seconds)
    print(f"{honest} honest streams alone:        {alone:>9,.0f} honest decisions/s")
    together, _ = await turn("127.0.0.1:0", STREAMS, 0, seconds)
    together *= honest / STREAMS
    print(f"{honest} of {STREAMS} honest streams:        {together:>9,.0f}")
    beside, faults = await turn("127.0.0.1:0", honest, bad, seconds)
    print(f"{honest} honest beside {bad} that misbehave: {beside:>6,.0f}", end="  ")
    print(f"{beside / alone:.2f} of alone, {beside / together:.2f} of all honest; faults {dict(faults)}")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--client", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    if arguments.client:
        asyncio.run(client(arguments.client[0], json.loads(arguments.client[1])))
        return
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    bridge.run(measure, arguments.seconds)


if __name__ == "__main__":
    main()
