"""The last one out: ends what a worker leaves behind when it is killed without a chance to clean up.

Run as a script, ``python -I -S watchdog.py DIRECTORY``, in a session of its own. Lines on standard input say which
process groups live (``+PID``) and which have been ended in good order (``-PID``). When the worker is gone, by
whatever death, its end of the pipe closes; then every group still alive is killed and *DIRECTORY* (the worker's
socket) is removed. It imports next to nothing, so it costs little and starts at once.
"""

import os
import shutil
import signal
import sys


def main() -> None:
    """Keep the list until the pipe closes, then end what is on it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        sign, group = line[:1], int(line[1:])
        if sign == "+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    shutil.rmtree(sys.argv[1], ignore_errors=True)


if __name__ == "__main__":
    main()
