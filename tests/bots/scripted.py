# ruff: noqa: T201 - a bot may print
"""A bot that behaves, or misbehaves, on cue: ``python scripted.py CUE [ARGUMENT]``.

It speaks the wire with grpcio and the generated messages alone, so that what it does wrong is its own doing.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NoReturn

import grpc

from euchre.v1 import play_pb2, referee_pb2_grpc

LONG_SECONDS: Final = 1000
Answer = Callable[[play_pb2.DecisionRequest], "play_pb2.Reply | None"]
Heed = Callable[[play_pb2.Notice], None]


def ignore(notice: play_pb2.Notice) -> None:
    """Do nothing."""


def play(
    answer: Answer, *, tables: int = 0, variants: tuple[str, ...] = (), heed: Heed = ignore, version: int = 1
) -> None:
    """Play until goodbye; *answer* gives the reply to a request, or nothing; *heed* is given every notice."""
    with grpc.insecure_channel(os.environ["EUCHRE_ADDRESS"]) as channel:
        to_send: queue.SimpleQueue[play_pb2.BotFrame | None] = queue.SimpleQueue()
        hello = play_pb2.Hello(
            protocol_version=version,
            name=os.environ["EUCHRE_NAME"],
            token=os.environ["EUCHRE_TOKEN"],
            tables=tables,
            variants=variants,
        )
        to_send.put(play_pb2.BotFrame(hello=hello))

        def frames() -> Iterator[play_pb2.BotFrame]:
            while (frame := to_send.get()) is not None:
                yield frame

        stub = referee_pb2_grpc.RefereeServiceStub(channel)  # type: ignore[no-untyped-call]
        for frame in stub.Play(frames()):
            for notice in frame.notices:
                heed(notice)
            replies = [reply for request in frame.requests if (reply := answer(request)) is not None]
            if replies:
                to_send.put(play_pb2.BotFrame(replies=replies))
            if frame.HasField("ping"):
                to_send.put(play_pb2.BotFrame(pong=frame.ping))
            if frame.HasField("goodbye"):
                to_send.put(None)


def first(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
    """Answer with the default."""
    return play_pb2.Reply(decision_id=request.decision_id, option=0)


def last(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
    """Answer with the last option: bids much, plays high cards."""
    return play_pb2.Reply(decision_id=request.decision_id, option=len(request.options) - 1)


# -- cues --------------------------------------------------------------------------------------------


def cue_exit() -> NoReturn:
    """Leave at once."""
    print("cannot open my opening book", file=sys.stderr, flush=True)
    sys.exit(3)


def cue_garbage() -> None:
    """Print what no terminal should see, and leave."""
    os.write(1, b"\x1b[2J\xff\xfe" + bytes(range(256)) + b"\nlast words\n")


def cue_silent() -> None:
    """Never say hello."""
    print("thinking about my name", flush=True)
    time.sleep(LONG_SECONDS)


def cue_mute() -> None:
    """Say hello and answer nothing."""
    print("I shall not answer", flush=True)
    play(lambda request: None)


def cue_spin() -> None:
    """Say hello, and then think for ever without a pause."""

    def answer(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
        while True:
            pass

    play(answer)


def cue_old() -> None:
    """Speak another version of the protocol."""
    try:
        play(first, version=99)
    except grpc.RpcError as error:
        print(error.code().name, error.details(), flush=True)
        os._exit(4)


def cue_nonsense() -> None:
    """Answer with an option that there is not."""
    print("nonsense it is", flush=True)
    play(lambda request: play_pb2.Reply(decision_id=request.decision_id, option=999))


def cue_first() -> None:
    """Play the default."""
    play(first)


def cue_last() -> None:
    """Play the last option."""
    play(last)


def cue_slow() -> None:
    """Take a while for every answer, one table at a time."""

    def answer(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
        time.sleep(float(sys.argv[2]))
        return first(request)

    play(answer, tables=1)


def cue_crash() -> None:
    """Die in the middle of a hand, after so many answers."""
    left = int(sys.argv[2])

    def answer(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
        nonlocal left
        if left == 0:
            print("segmentation fault, so to speak", flush=True)
            os._exit(7)
        left -= 1
        return first(request)

    play(answer)


def cue_crash_once() -> None:
    """Die in the middle of the first hand, and only in the life in which no file says that it has died before."""
    mark = Path(f"{sys.argv[2]}.{os.environ['EUCHRE_SEED']}")

    def answer(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
        if not mark.exists():
            mark.touch()
            os._exit(9)
        return first(request)

    play(answer)


def cue_crash_late() -> None:
    """Die at the first question if nobody else has; come back after so many seconds: ``crash-late MARK SECONDS``."""
    mark, seed = Path(sys.argv[2]), os.environ["EUCHRE_SEED"]
    if mark.exists() and mark.read_text() == seed:
        time.sleep(float(sys.argv[3]))

    def answer(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
        try:
            with mark.open("x") as file:
                file.write(seed)
        except FileExistsError:
            return first(request)
        os._exit(9)

    play(answer)


def cue_flood() -> None:
    """Print without end while playing."""

    def shout() -> None:
        while True:
            os.write(2, b"x" * 9000 + b" half a line")

    threading.Thread(target=shout, daemon=True).start()
    play(first)


def cue_parent() -> None:
    """Start a child that outlives everything, and play."""
    child = subprocess.Popen(["sleep", str(LONG_SECONDS)])
    Path(f"{sys.argv[2]}.{child.pid}").touch()
    play(first)


def cue_stubborn() -> None:
    """Do not leave when the game is over, nor when asked to."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    play(first)
    time.sleep(LONG_SECONDS)


def cue_told() -> None:
    """Answer at random, and write down the result of every hand as soon as it is told: ``told FILE [KILLS]``.

    With KILLS the arena and its worker are killed in the very moment in which a result has been heard, so many times
    over all processes that write into FILE.
    """
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    heard = 0

    def heed(notice: play_pb2.Notice) -> None:
        nonlocal heard
        if not notice.HasField("hand_ended"):
            return
        ended = notice.hand_ended
        words = [
            ":".join([str(event.seat), str(int(event.action.kind)), *(str(card - 1) for card in event.action.cards)])
            for event in ended.history
        ]
        line = f"{os.environ['EUCHRE_SEED']} {list(ended.points)} {list(ended.tricks_won)} {' '.join(words)}\n"
        number = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(number, line.encode())
        os.close(number)
        heard += 1
        if heard % 3 == 0:
            kill_the_arena()

    def kill_the_arena() -> None:
        for count in range(kills):
            try:
                os.close(os.open(f"{sys.argv[2]}.{count}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            worker = os.getppid()
            arena = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])
            os.kill(arena, signal.SIGKILL)
            os.kill(worker, signal.SIGKILL)
            return

    def answer(request: play_pb2.DecisionRequest) -> play_pb2.Reply:
        return play_pb2.Reply(decision_id=request.decision_id, option=os.urandom(1)[0] % len(request.options))

    play(answer, heed=heed)


def cue_late() -> None:
    """Answer every request after so many seconds, on as many tables as there are: ``late SECONDS``."""
    pause = float(sys.argv[2])
    due: list[tuple[float, int]] = []
    arrived: queue.SimpleQueue[play_pb2.RefereeFrame] = queue.SimpleQueue()

    def frames() -> Iterator[play_pb2.BotFrame]:
        hello = play_pb2.Hello(
            protocol_version=1, name=os.environ["EUCHRE_NAME"], token=os.environ["EUCHRE_TOKEN"], tables=256
        )
        yield play_pb2.BotFrame(hello=hello)
        while True:
            frame = None
            with contextlib.suppress(queue.Empty):
                frame = arrived.get(timeout=max(0.0, due[0][0] - time.monotonic()) if due else None)
            now = time.monotonic()
            if frame is not None:
                due.extend((now + pause, request.decision_id) for request in frame.requests)
                if frame.HasField("ping"):
                    yield play_pb2.BotFrame(pong=frame.ping)
                if frame.HasField("goodbye"):
                    return
            ripe = [decision for when, decision in due if when <= now]
            del due[: len(ripe)]
            if ripe:
                yield play_pb2.BotFrame(replies=[play_pb2.Reply(decision_id=decision, option=0) for decision in ripe])

    with grpc.insecure_channel(os.environ["EUCHRE_ADDRESS"]) as channel:
        for frame in referee_pb2_grpc.RefereeServiceStub(channel).Play(frames()):  # type: ignore[no-untyped-call]
            arrived.put(frame)


def cue_buck_only() -> None:
    """Play one variant and no other."""
    play(first, variants=("buck",))


if __name__ == "__main__":
    globals()[f"cue_{sys.argv[1].replace('-', '_')}"]()
    sys.stdout.flush()
    os._exit(0)
