"""What tests ask of the machine they run on: who lives, what is on the disk, which port is free, what comes to pass.

The machine may be busy with other tests, and processes and files come and go while they are being listed.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import psutil

PATIENCE_SECONDS = 120.0
"""How long something that will come to pass may take on a busy machine."""


def await_true(is_so: Callable[[], bool]) -> None:
    """Wait until something outside, which sets no event, is so; fail after :data:`PATIENCE_SECONDS`."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.01)


def read_until(stream: IO[str] | None, text: str) -> None:
    """Read what a process says until a line holds *text*; fail if it ends before, with all that it said."""
    assert stream is not None
    said = []
    for line in stream:
        said.append(line)
        if text in line:
            return
    raise AssertionError(f"it ended and never said {text!r}", said)


def command_lines() -> Iterator[tuple[int, str]]:
    """Yield the number and the command line of every process that lives; a zombie holds nothing and is none."""
    for process in psutil.process_iter(["cmdline"]):
        if words := process.info["cmdline"]:
            yield process.pid, " ".join(words)


def processes_naming(text: object) -> list[int]:
    """Return the processes that live and have *text* (a path of one's own, say) in their command line."""
    return [pid for pid, line in command_lines() if str(text) in line]


def children_naming(pid: int, text: str) -> list[int]:
    """Return the children of a process with *text* in their command line; none if it is gone."""
    try:
        children = {child.pid for child in psutil.Process(pid).children()}
    except psutil.NoSuchProcess:
        return []
    return [child for child in processes_naming(text) if child in children]


def processes_with(variable: str, value: str) -> list[tuple[int, str]]:
    """Return the number and the name of every process that lives with *value* in an environment variable."""
    found = psutil.process_iter(["environ", "name", "status"])
    return [
        (process.pid, process.info["name"])
        for process in found
        if process.info["status"] != psutil.STATUS_ZOMBIE and (process.info["environ"] or {}).get(variable) == value
    ]


def is_alive(pid: int) -> bool:
    """Tell whether a process lives; a zombie has died and was not waited for."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def file_sizes(directory: Path) -> dict[Path, int]:
    """Return the size in bytes of every file below a directory; nothing if there is none."""
    sizes = {}
    for folder, _, files in os.walk(directory):
        for path in (Path(folder) / file for file in files):
            with contextlib.suppress(FileNotFoundError):
                sizes[path] = path.stat().st_size
    return sizes


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that nobody holds now, and that Linux gives to nobody who asks for any port."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_768)
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
