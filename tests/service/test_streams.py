"""Streams that end in every way there is, and loops: whole classes of trouble rather than single inputs."""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from referee.service import bridge
from referee.service.outcome import GameEnd, TableResult
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from tests.machine import PATIENCE_SECONDS
from tests.service.harness import BRISK, Client, StreamEnded, seat_clients, spec

PING_SECONDS = 1.0


class Cable:
    """A way to a port that can be cut without a word: nothing passes any more, and nobody is told."""

    def __init__(self, port: int) -> None:
        self.address = ""
        self._port = port
        self._is_cut = False

    def cut(self) -> None:
        self._is_cut = True

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
            self.address = f"127.0.0.1:{listener.socket.getsockname()[1]}"
            nursery.start_soon(trio.serve_listeners, self._connect, [listener])
            yield
            nursery.cancel_scope.cancel()

    async def _connect(self, ours: trio.SocketStream) -> None:
        async with await trio.open_tcp_stream("127.0.0.1", self._port) as theirs, trio.open_nursery() as nursery:
            nursery.start_soon(self._carry, ours, theirs)
            nursery.start_soon(self._carry, theirs, ours)

    async def _carry(self, source: trio.SocketStream, sink: trio.SocketStream) -> None:
        try:
            async for chunk in source:
                if self._is_cut:
                    await trio.sleep_forever()
                await sink.send_all(chunk)
        except trio.BrokenResourceError:
            return


def test_eight_bots_vanish_and_a_ninth_is_served() -> None:
    """KT-42: capacity for eight, all in the middle of a question, one cut off silently; every table is decided."""
    policy = Policy(
        decision_seconds=300.0, grace_seconds=0.2, goodbye_seconds=0.1, ping_seconds=PING_SECONDS, max_streams=8
    )

    async def main() -> None:
        with trio.fail_after(PATIENCE_SECONDS):
            async with open_referee("127.0.0.1:0", policy) as referee:
                cable = Cable(int(referee.address.rpartition(":")[2]))
                async with cable.laid():
                    await vanish_and_come(referee, cable)

    async def vanish_and_come(referee: Referee, cable: Cable) -> None:
        clients = []
        for number in range(8):
            address = cable.address if number == 7 else referee.address
            clients.append(Client(address, referee.admit(f"p{number}")))
            await clients[-1].open()
        results: list[TableResult] = []

        async def play(number: int) -> None:
            results.append(await referee.play(spec("two-handed", [f"p{number}"] * 2, plays_game=True)))

        async with trio.open_nursery() as nursery:
            for number in range(8):
                nursery.start_soon(play, number)
            for client in clients:
                await client.request()
            late = Client(referee.address, referee.admit("ninth"))
            with pytest.raises(StreamEnded, match="8 streams are open"):
                await late.open()
            began = trio.current_time()
            cable.cut()
            for client in clients[:7]:
                await client.vanish()
            late = await come_in(referee, "tenth")
            assert trio.current_time() - began < 2 * PING_SECONDS + 10.0
            nursery.start_soon(late.play_honestly)
            for number in range(8):
                await referee.wait_lost(f"p{number}")
            assert trio.current_time() - began < 2 * PING_SECONDS + 10.0, "silence is found by keep-alive"
            assert (await referee.play(spec("two-handed", ["tenth"] * 2))).faults == ()
            assert referee.statistics()["streams"] == 1
            assert [result.end for result in results] == [GameEnd.FORFEIT] * 8
            nursery.cancel_scope.cancel()
        await clients[7].vanish()

    bridge.run(main)


async def come_in(referee: Referee, name: str) -> Client:
    """Knock until there is room."""
    token = referee.admit(name)
    while True:
        client = Client(referee.address, token)
        try:
            await client.open()
        except StreamEnded as refused:
            if "8 streams are open" not in refused.details:
                raise
            await client.vanish()
        else:
            return client


def test_two_referees_in_two_threads_do_not_know_of_each_other() -> None:
    """KT-46: a loop each, and no error of a poller that wakes up for the other's events.

    In a process of its own: gRPC's poller is one for all loops a process has had, those of earlier tests among them.
    """
    command = [sys.executable, "-c", "from tests.service import test_streams as t; t.play_in_two_threads()"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr


def play_in_two_threads() -> None:
    """Play at two referees at once; fail if anything is logged as a warning or worse."""
    records: list[logging.LogRecord] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = records.append  # type: ignore[method-assign,assignment]
    played: list[int] = []

    def run() -> None:
        async def main() -> None:
            with tempfile.TemporaryDirectory() as folder, trio.fail_after(PATIENCE_SECONDS):
                async with open_referee(f"unix:{Path(folder) / 'referee'}", BRISK) as referee:
                    clients = await seat_clients(referee, 2)
                    async with trio.open_nursery() as nursery:
                        for client in clients:
                            nursery.start_soon(client.play_honestly)
                        give_up, count = time.monotonic() + 3.0, 0
                        while time.monotonic() < give_up:
                            result = await referee.play(spec("two-handed", match=f"m{count}"))
                            assert result.faults == ()
                            count += 1
                        played.append(count)
                        nursery.cancel_scope.cancel()

        bridge.run(main)

    logging.getLogger().addHandler(handler)
    threads = [threading.Thread(target=run) for _ in range(2)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
    finally:
        logging.getLogger().removeHandler(handler)
    assert len(played) == 2
    assert min(played) > 1
    assert not records, [record.getMessage() for record in records]


def test_a_cancelled_game_ends_at_once_for_a_bot_that_thinks() -> None:
    """KT-46: whatever its stream waits for; no question follows."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder, trio.fail_after(PATIENCE_SECONDS):
            policy = replace(BRISK, decision_seconds=300.0)
            async with open_referee(f"unix:{Path(folder) / 'referee'}", policy) as referee:
                clients = await seat_clients(referee, 2)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(referee.play, spec("two-handed"))
                    await clients[1].request()
                    nursery.cancel_scope.cancel()
                assert referee.statistics()["tables"] == 0, "the referee waits for nobody"
                began = trio.current_time()
                for client in clients:
                    assert (await client.notice("game_ended")).end == GameEnd.STOPPED
                assert trio.current_time() - began < 10.0, "the bot had 300 s"
                assert not any(client._requests for client in clients)

    bridge.run(main)
