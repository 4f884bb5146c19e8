"""The one place that configures logging; everybody else only logs.

Event names are constants, facts are keys (``table=7, seat=2``), so that lines can be searched and counted. What belongs
to everything that follows (a night, a worker) is bound with ``structlog.contextvars.bind_contextvars``.
"""

from __future__ import annotations

import logging
import sys
from typing import Literal, TextIO

import structlog

Level = Literal["debug", "info", "warning", "error"]


def configure_logging(*, json: bool = False, level: Level = "info", stream: TextIO | None = None) -> None:
    """Write log lines to *stream* (standard error if left out), for people or as one JSON object a line."""
    target = sys.stderr if stream is None else stream
    last: list[structlog.typing.Processor] = (
        [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(default=str)]
        if json
        else [structlog.dev.ConsoleRenderer(colors=target.isatty())]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(file=target),
        cache_logger_on_first_use=False,
    )
