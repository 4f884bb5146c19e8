"""Decisions per second of the referee over gRPC, beside a raw grpc.aio echo of equal messages in the same run.

One server process and one client process on one machine. Four exchanges take turns, so that all see the same
noise, and the median of the rounds is reported:

* **referee**: a bot that answers every request with option 0; each of the N tables has one question open.
* **echo, read**: a server that answers every frame with a recorded frame of the same run, and the same bot, which
  reads the requests and writes its replies.
* **echo, messages**: the same with the generated classes on the server too, as any grpc.aio service has them: it
  parses each frame and serialises the recorded one.
* **echo, raw**: bytes at both ends; nobody parses anything: what grpc.aio alone can do.

Beside the wall clock stands the processor time of the server per exchange, which a busy machine disturbs less, and the
round trip as the client sees it, from writing to having read: half of them are shorter than p50, 99 of 100 than p99.

``python benchmarks/decisions.py [--seconds 3] [--rounds 5] [--games] [--profile FILE]``
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import cProfile
import json
import os
import pstats
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import structlog
import trio

from euchre.v1 import play_pb2
from referee.rules import BUILD_KIND, parse_variant
from referee.service import bridge
from referee.service.outcome import TableSpec
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from referee.service.shuffle import deck_for
from referee.service.wire import frame_bytes

PLAY = "/euchre.v1.RefereeService/Play"
ECHO = "/echo.Echo/Echo"
ECHO_MESSAGES = "/echo.Echo/Messages"
SEED = bytes(32)
TABLES = (1, 64)
ECHOES = ("echo-raw", "echo-read", "echo-messages")


# -- the client process ------------------------------------------------------------------------------


def replies_to(data: bytes) -> tuple[bytes, int, play_pb2.RefereeFrame]:
    """Return the frame that answers all requests of a frame with option 0, and how many those are."""
    frame = play_pb2.RefereeFrame.FromString(data)
    answer = play_pb2.BotFrame()
    add = answer.replies.add
    for request in frame.requests:
        add(decision_id=request.decision_id, option=0)
    if frame.HasField("ping"):
        answer.pong.CopyFrom(frame.ping)
    return answer.SerializeToString(), len(frame.requests), frame


def quantiles(trips: list[float]) -> dict[str, float]:
    """Return the round trip in microseconds that half of *trips* keep, and the one that 99 of 100 keep."""
    trips.sort()
    return {"p50": trips[len(trips) // 2] * 1e6, "p99": trips[len(trips) * 99 // 100] * 1e6}


async def client(mode: str, address: str, token: str, seconds: float) -> None:
    """Play or echo until told Goodbye or for some seconds; print how many decisions, how long, and the round trips."""
    trips: list[float] = []
    async with grpc.aio.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)]) as channel:
        method = {"play": PLAY, "echo-messages": ECHO_MESSAGES}.get(mode, ECHO)
        call = channel.stream_stream(method)()
        if mode == "play":
            hello = play_pb2.Hello(protocol_version=1, name="bench", token=token)
            await call.write(play_pb2.BotFrame(hello=hello).SerializeToString())
            written = time.perf_counter()
            while True:
                data = await call.read()
                trip = time.perf_counter() - written
                answer, count, frame = replies_to(data)
                if frame.HasField("goodbye"):
                    await call.done_writing()
                    print(json.dumps(quantiles(trips)))
                    return
                if count:
                    trips.append(trip)
                if count or frame.HasField("ping"):
                    written = time.perf_counter()
                    await call.write(answer)
        hello = play_pb2.BotFrame(hello=play_pb2.Hello(token=token)).SerializeToString()
        await call.write(hello)
        first = await call.read()
        answer, count, _ = replies_to(first)
        frames = decisions = 0
        began = time.perf_counter()
        while (taken := time.perf_counter() - began) < seconds:
            written = time.perf_counter()
            await call.write(answer)
            data = await call.read()
            trips.append(time.perf_counter() - written)
            frames += 1
            if mode != "echo-raw":
                answer, count, _ = replies_to(data)
            decisions += count
        await call.done_writing()
        print(json.dumps({"decisions": decisions, "frames": frames, "seconds": taken, **quantiles(trips)}))


# -- the server process ------------------------------------------------------------------------------


class Echo:
    """Answers every frame with the next recorded one."""

    def __init__(self) -> None:
        self.frames: dict[str, list[bytes]] = {}

    async def echo(self, _: object, context: Any) -> None:
        """Serve one stream; its first message names the recording."""
        hello = play_pb2.BotFrame.FromString(await context.read())
        frames = self.frames[hello.hello.token]
        at = 0
        await context.write(frames[0])
        while await context.read() is not grpc.aio.EOF:  # type: ignore[attr-defined]
            at = (at + 1) % len(frames)
            await context.write(frames[at])

    async def messages(self, _: object, context: Any) -> None:
        """Serve one stream with message classes."""
        hello = await context.read()
        frames = [play_pb2.RefereeFrame.FromString(frame) for frame in self.frames[hello.hello.token]]
        at = 0
        await context.write(frames[0])
        while await context.read() is not grpc.aio.EOF:  # type: ignore[attr-defined]
            at = (at + 1) % len(frames)
            await context.write(frames[at])


async def start_echo(echo: Echo) -> tuple[grpc.aio.Server, str]:
    """Return a running echo server and its address."""
    server = grpc.aio.server()
    methods = {
        "Echo": grpc.stream_stream_rpc_method_handler(echo.echo),
        "Messages": grpc.stream_stream_rpc_method_handler(
            echo.messages,
            request_deserializer=play_pb2.BotFrame.FromString,
            response_serializer=play_pb2.RefereeFrame.SerializeToString,
        ),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, f"127.0.0.1:{port}"


@contextlib.contextmanager
def client_process(mode: str, address: str, token: str, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """Run the client in a process of its own."""
    command = [sys.executable, __file__, "--client", mode, address, token, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def measure_echo(mode: str, address: str, name: str, seconds: float) -> tuple[float, ...]:
    """Return decisions per second; microseconds per exchange, the server's processor time of these; p50 and p99."""
    busy = time.process_time()
    with client_process(mode, address, name, seconds) as process:
        out = await trio.to_thread.run_sync(lambda: process.communicate()[0])
    result = json.loads(out)
    busy = time.process_time() - busy
    frames = result["frames"]
    rate = result["decisions"] / result["seconds"]
    return rate, result["seconds"] / frames * 1e6, busy / frames * 1e6, result["p50"], result["p99"]


async def measure_referee(
    referee: Referee, name: str, tables: int, seconds: float, variant_text: str, *, plays_game: bool
) -> tuple[float, ...]:
    """Return what :func:`measure_echo` does; an exchange is one decision at each table."""
    variant = parse_variant(variant_text)
    token = referee.admit(name)

    async def keep_playing(number: int) -> None:
        board = 0
        while True:
            await referee.play(
                TableSpec(
                    variant=variant,
                    instances=(name,) * variant.seats,
                    first_dealer=0,
                    deck=lambda board, redeal: deck_for(SEED, variant, f"bench{number}", board, redeal),
                    first_board=board,
                    plays_game=plays_game,
                )
            )
            board += 1

    with client_process("play", referee.address, token, seconds) as process:
        await referee.wait_ready(name)
        async with trio.open_nursery() as nursery:
            for number in range(tables):
                nursery.start_soon(keep_playing, number)
            await trio.sleep(0.5)
            busy = time.process_time()
            before, began = referee.statistics()["decisions"], time.perf_counter()
            await trio.sleep(seconds)
            decisions = referee.statistics()["decisions"] - before
            rate = decisions / (time.perf_counter() - began)
            busy = (time.process_time() - busy) / decisions
            nursery.cancel_scope.cancel()
        await referee.dismiss(name)
        trips = json.loads(await trio.to_thread.run_sync(lambda: process.communicate()[0]))
    return rate, tables / rate * 1e6, tables * busy * 1e6, trips["p50"], trips["p99"]


def recorded_frames(tables: int, variant_text: str) -> list[bytes]:
    """Return the frames of one board at each of *tables* tables, as the referee would send them in step."""
    from referee.service.table import Table

    variant = parse_variant(variant_text)
    playing = []
    for number in range(tables):
        spec = TableSpec(
            variant=variant,
            instances=("x",) * variant.seats,
            first_dealer=0,
            deck=lambda board, redeal, number=number: deck_for(SEED, variant, f"bench{number}", board, redeal),  # type: ignore[misc]
        )
        table = Table(number, spec, Policy(), [number * 4 + seat + 1 for seat in range(variant.seats)])
        table.open()
        playing.append(table)
    frames = []
    decision = 0
    while any(table.question for table in playing):
        notices, requests = [], []
        for table in playing:
            if table.question is None:
                continue
            notices += [notice for _, notice in table.notices]
            table.notices.clear()
            decision += 1
            requests.append(table.request_bytes(table.question, decision))
            table.answer(0, 0.0)
        if len(requests) == tables:
            frames.append(frame_bytes(b"", notices, requests))
    return frames


async def measure(arguments: argparse.Namespace) -> None:
    """Run all exchanges in turn and print the table."""
    echo = Echo()
    server, echo_address = await bridge.on_host(start_echo(echo))
    policy = Policy(decision_seconds=60.0)
    rows = []
    async with open_referee("127.0.0.1:0", policy) as referee:
        for tables in TABLES if arguments.tables is None else (arguments.tables,):
            echo.frames[str(tables)] = recorded_frames(tables, arguments.variant)
            found: dict[str, list[tuple[float, ...]]] = {mode: [] for mode in (*ECHOES, "referee")}
            for turn in range(arguments.rounds):
                for mode in ECHOES:
                    found[mode].append(await measure_echo(mode, echo_address, str(tables), arguments.seconds))
                name = f"bench{tables}.{turn}"
                found["referee"].append(
                    await measure_referee(
                        referee, name, tables, arguments.seconds, arguments.variant, plays_game=arguments.games
                    )
                )
            rows.append(
                (
                    tables,
                    {
                        mode: [statistics.median(column) for column in zip(*got, strict=True)]
                        for mode, got in found.items()
                    },
                )
            )
    await bridge.on_host(server.stop(0))
    report(rows, arguments)


def report(rows: list[tuple[int, dict[str, list[float]]]], arguments: argparse.Namespace) -> None:
    """Print the medians and the ratios: of the rate, and of the median round trip."""
    print(f"{BUILD_KIND}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {arguments.variant}, ", end="")
    print(f"medians of {arguments.rounds} rounds of {arguments.seconds:g} s; client in a process of its own")
    head = f"{'tables':>6}  {'exchange':<13} {'decisions/s':>11} {'us':>6} {'server us':>9} {'p50 us':>6} {'p99 us':>6}"
    print(f"{head}  {'rate as a share of echo':<35}  p50 in those of echo")
    for tables, found in rows:
        for mode, (rate, microseconds, busy, p50, p99) in found.items():
            shares = "  ".join(f"{echo[5:]} {rate / found[echo][0]:.2f}" for echo in ECHOES)
            trips = "  ".join(f"{echo[5:]} {p50 / found[echo][3]:.2f}" for echo in ECHOES)
            print(
                f"{tables:>6}  {mode:<13} {rate:>11,.0f} {microseconds:>6,.0f} {busy:>9,.0f} {p50:>6,.0f} {p99:>6,.0f}"
                f"  {shares}  {trips}"
            )


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--client", nargs=4, metavar=("MODE", "ADDRESS", "TOKEN", "SECONDS"), help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--games", action="store_true", help="whole games, which end at their own times")
    parser.add_argument("--profile", type=Path, help="write a profile of the server process to this file")
    arguments = parser.parse_args()
    if arguments.client:
        mode, address, token, seconds = arguments.client
        asyncio.run(client(mode, address, token, float(seconds)))
        return
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    if arguments.profile:
        with cProfile.Profile() as profile:
            bridge.run(measure, arguments)
        profile.dump_stats(arguments.profile)
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
    else:
        bridge.run(measure, arguments)


if __name__ == "__main__":
    main()
