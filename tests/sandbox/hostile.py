# ruff: noqa: T201 (printing is how these programs report)
"""Programs that try to get out of their container. Each prints what it managed, and never the word "contained".

Run inside the test image as ``python3 /hostile.py WHAT``.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import time
from pathlib import Path


def network() -> None:
    """Reach anything but the referee's socket."""
    names = sorted(path.name for path in Path("/sys/class/net").iterdir())
    print("interfaces", *names)
    for address in (("127.0.0.1", 22), ("172.17.0.1", 2375), ("192.0.2.1", 80)):
        with socket.socket() as attempt:
            attempt.settimeout(2)
            try:
                attempt.connect(address)
                print("reached", address)
            except OSError as error:
                print("refused", type(error).__name__)


def files() -> None:
    """Write where nothing may be written, and read what is not ours."""
    for place in ("/hostile.txt", "/usr/bin/hostile", "/run/euchre/hostile", "/etc/passwd"):
        try:
            Path(place).write_text("x")
            print("wrote", place)
        except OSError as error:
            print("refused", place, error.errno)
    for place in ("/etc/shadow", "/proc/1/environ", "/var/run/docker.sock"):
        try:
            Path(place).read_bytes()
            print("read", place)
        except OSError as error:
            print("refused", place, error.errno)


def who() -> None:
    """Say who we are, what we may do and whom we see."""
    print("uid", os.getuid())
    status = Path("/proc/self/status").read_text()
    print(*(line for line in status.splitlines() if line.startswith(("CapEff", "CapBnd", "NoNewPrivs"))))
    print("processes", sum(path.name.isdecimal() for path in Path("/proc").iterdir()))


def fork() -> None:
    """Fork without end."""
    children = 0
    try:
        while children < 10_000:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            children += 1
    except OSError as error:
        print("forks", children, "then", type(error).__name__)
    sys.stdout.flush()
    os.killpg(0, signal.SIGKILL)


def memory() -> None:
    """Take memory without end."""
    blocks = []
    while True:
        blocks.append(bytearray(os.urandom(1 << 20) * 8))
        print("megabytes", 8 * len(blocks), flush=True)


def disk() -> None:
    """Fill the only place that can be written."""
    written = 0
    try:
        with Path("/tmp/fill").open("wb") as file:  # noqa: S108 (the container's own)
            while written < 1 << 30:
                written += file.write(b"x" * (1 << 20))
                file.flush()
    except OSError as error:
        print("bytes", written, "then errno", error.errno)


def log() -> None:
    """Print a great deal."""
    line = "x" * 1023 + "\n"
    for _ in range(200 * 1024):
        sys.stdout.write(line)
    print("the end", flush=True)


def stay() -> None:
    """Ignore every polite word, and leave a child that outlives us."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
    print("staying", flush=True)
    while True:
        with contextlib.suppress(InterruptedError):
            time.sleep(60)


if __name__ == "__main__":
    {f.__name__: f for f in (network, files, who, fork, memory, disk, log, stay)}[sys.argv[1]]()
