"""Where the logs of workers go."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from referee.service.logs import Level, configure_logging

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""Names of levels, most talkative first."""


@dataclass(frozen=True, slots=True)
class LogTo:
    """Where logs go, and how much of them."""

    path: str = ""
    """A file that every worker appends to; empty: the standard error of the worker."""
    level: Level = "warning"


def parse_level(text: str) -> Level:
    """Return the level called *text*; raise ``KeyError`` if there is none."""
    return {str(level): level for level in LEVELS}[text]


def configure_worker_logs(log: LogTo) -> None:
    """Send everything that structlog is given to where *log* says, one JSON object a line."""
    stream = sys.stderr
    if log.path:
        stream = Path(log.path).open("a", encoding="utf-8", errors="replace")  # noqa: SIM115 (open as long as we live)
    configure_logging(json=True, level=log.level, stream=stream)
