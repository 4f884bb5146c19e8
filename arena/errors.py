"""What can go wrong, by whose doing, and the exit code that says so.

    ArenaError
    ├── OperatorError          the command, a file or a name was wrong: one line, exit code 2
    └── InfrastructureError    our own doing (worker, store, host): never a bot's result, exit code 4

A bot's fault is neither: it is a result.
"""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """How a command ended, the same everywhere."""

    PASSED = 0
    FAILED = 1
    WRONG_COMMAND = 2
    UNDECIDED = 3
    """Not enough was played to say: an interval that straddles the bound, a night that was stopped."""
    INFRASTRUCTURE = 4


def only_one(error: BaseException) -> BaseException:
    """Return what a group holds if that is one exception, however deep; otherwise the group."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


class ArenaError(Exception):
    """Base of everything the arena raises on purpose."""


class OperatorError(ArenaError):
    """Something the organiser wrote is wrong. The message says what, where, and what would work."""


class InfrastructureError(ArenaError):
    """Our own side failed. The message names the job or the part."""
