"""What is shown while a match or a night is played: bars on a terminal, a line now and then otherwise."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

LINE_SECONDS: Final = 10.0
"""Between two lines where there is no terminal."""


class Show(Protocol):
    """Shows how far it is. Made with the number of legs in all and of those finished before."""

    def advance(self, legs: int, decisions: int) -> None:
        """Count finished legs."""

    def say(self, text: str) -> None:
        """Show a line at once, and leave it there."""

    def skip(self, legs: int) -> None:
        """Count legs that will not be played."""


class BarShow:
    """A bar on a terminal."""

    def __init__(self, console: Console, total: int, done: int, what: str) -> None:
        self._console = console
        self._decisions = 0
        self._began = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("legs · {task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=False),
            console=console,
        )
        self._task = self._progress.add_task(escape(what), total=total, completed=done, rate="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def advance(self, legs: int, decisions: int) -> None:
        """Move the bar."""
        self._decisions += decisions
        rate = self._decisions / max(time.monotonic() - self._began, 0.001)
        self._progress.update(self._task, advance=legs, rate=f"{rate:,.0f} decisions/s")

    def say(self, text: str) -> None:
        """Print above the bar."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def skip(self, legs: int) -> None:
        """Shorten the bar."""
        task = self._progress.tasks[self._task]
        self._progress.update(self._task, total=(task.total or 0) - legs)


class LineShow:
    """A line every few seconds."""

    def __init__(self, console: Console, total: int, done: int, what: str) -> None:
        self._console = console
        self._total = total
        self._done = done
        self._played = 0
        self._decisions = 0
        self._what = what
        self._began = self._last = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._played:
            self._line()

    def advance(self, legs: int, decisions: int) -> None:
        """Count, and print if it is time to."""
        self._done += legs
        self._played += legs
        self._decisions += decisions
        if time.monotonic() - self._last >= LINE_SECONDS:
            self._line()

    def say(self, text: str) -> None:
        """Print it."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def skip(self, legs: int) -> None:
        """Count them out."""
        self._total -= legs

    def _line(self) -> None:
        self._last = time.monotonic()
        seconds = self._last - self._began
        left = (self._total - self._done) * seconds / max(self._played, 1)
        rate = self._decisions / max(seconds, 0.001)
        self.say(
            f"{self._what}: {self._done} of {self._total} legs, {rate:,.0f} decisions/s, "
            f"{format_seconds(seconds)} so far, about {format_seconds(left)} left"
        )


def open_show(total: int, done: int, what: str, console: Console | None = None) -> BarShow | LineShow:
    """Return what suits where standard error goes."""
    console = console or Console(stderr=True)
    return (BarShow if console.is_terminal else LineShow)(console, total, done, what)


def format_seconds(seconds: float) -> str:
    """Return a time for people: ``0.4 s``, ``48 s``, ``5 min``, ``2 h 10 min``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours < 48 else f"{hours / 24:.1f} days"
