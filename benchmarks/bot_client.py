"""The two interfaces of grpcio as a bot's client: replies per second at 1 and at 64 tables, the same frames for both.

A server asks one and the same question for every table, waits for all replies and asks again; the client answers with
the last option. One process each.

    python -m benchmarks.bot_client
"""

from __future__ import annotations

import argparse
import asyncio
import queue
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

from euchre.v1 import play_pb2, referee_pb2_grpc
from referee.rules import Hand, build
from referee.service import wire

TABLES = (1, 64)
SECONDS = 4.0
END: Any = aio.EOF


def question() -> play_pb2.DecisionRequest:
    """Return the first question of a hand."""
    variant = build("standard")
    hand = Hand(variant, random.Random(1).sample(variant.deck, len(variant.deck)), 0)
    asked = hand.question()
    data = wire.Requests([1] * variant.seats, variant).build(
        hand, 0, 1, options=asked.options, choice=asked.choice, limits=wire.limits_bytes(1000, 0)
    )
    return play_pb2.DecisionRequest.FromString(data)


def answers(frame: play_pb2.RefereeFrame) -> play_pb2.BotFrame:
    """Return the last option of every question."""
    return play_pb2.BotFrame(
        replies=[
            play_pb2.Reply(decision_id=request.decision_id, option=len(request.options) - 1)
            for request in frame.requests
        ]
    )


class Server(referee_pb2_grpc.RefereeServiceServicer):
    """Asks as many tables as the client's name says."""

    def __init__(self) -> None:
        self.rates: list[float] = []

    async def Play(self, _: object, context: Any) -> None:  # noqa: N802 (the service's name for it)
        """Ask for a while; note the rate."""
        tables = int((await context.read()).hello.name)
        frame = play_pb2.RefereeFrame(requests=[question()] * tables)
        done, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            await context.write(frame)
            due = tables
            while due:
                due -= len((await context.read()).replies)
            done += tables
        self.rates.append(done / (time.perf_counter() - begun))
        await context.write(play_pb2.RefereeFrame(goodbye=play_pb2.Goodbye(reason="done")))
        while await context.read() is not END:
            pass


def blocking_client(address: str, tables: int) -> None:
    """Answer through the blocking interface, whose writer is a second thread."""
    with grpc.insecure_channel(address) as channel:
        to_send: queue.SimpleQueue[play_pb2.BotFrame | None] = queue.SimpleQueue()
        to_send.put(play_pb2.BotFrame(hello=play_pb2.Hello(name=str(tables))))
        stub = referee_pb2_grpc.RefereeServiceStub(channel)  # type: ignore[no-untyped-call]
        for frame in stub.Play(iter(to_send.get, None)):
            to_send.put(None if frame.HasField("goodbye") else answers(frame))


async def asyncio_client(address: str, tables: int) -> None:
    """Answer through grpc.aio, as the kit does."""
    async with aio.insecure_channel(address) as channel:
        call = referee_pb2_grpc.RefereeServiceStub(channel).Play()  # type: ignore[no-untyped-call]
        await call.write(play_pb2.BotFrame(hello=play_pb2.Hello(name=str(tables))))
        while (frame := await call.read()) is not END:
            if frame.HasField("goodbye"):
                await call.done_writing()
            else:
                await call.write(answers(frame))


async def measure(rounds: int) -> None:
    """Print the rates of both clients, round by round."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{Path(folder) / 'socket'}"
        server, service = aio.server(), Server()
        referee_pb2_grpc.add_RefereeServiceServicer_to_server(service, server)  # type: ignore[no-untyped-call]
        server.add_insecure_port(address)
        await server.start()
        print("| tables | blocking, replies/s | grpc.aio, replies/s | ratio |")
        print("|---|---|---|---|")
        for _ in range(rounds):
            for tables in TABLES:
                for kind in ("blocking", "asyncio"):
                    command = [sys.executable, "-m", "benchmarks.bot_client", "--client", kind, address, str(tables)]
                    await (await asyncio.create_subprocess_exec(*command)).wait()
                blocking, asynchronous = service.rates[-2:]
                print(
                    f"| {tables} | {blocking:,.0f} | {asynchronous:,.0f} | {asynchronous / blocking:.2f} |", flush=True
                )
        await server.stop(None)


def main() -> int:
    """Measure, or be one of the clients."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--client", choices=("blocking", "asyncio"), help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client == "blocking":
        blocking_client(given.rest[0], int(given.rest[1]))
    elif given.client == "asyncio":
        asyncio.run(asyncio_client(given.rest[0], int(given.rest[1])))
    else:
        asyncio.run(measure(given.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
