"""What a worker has finished, on the disk before any bot is told: a file for each job, beside the journal.

The arena alone writes the journal, a moment later. Between the two stands this file. When the legs of a job are in the
journal its spool is removed; when a worker or the arena is killed, what the spool holds and the journal does not is
adopted. So whatever has been told to a bot is on record, and no leg is played twice.

The lines are those of the journal, chained by hash from the journal's first line, so that a spool can belong to one
night only. The worker holds a lock on its file; whoever adopts waits for that lock, and removes the directory of the
earlier run before the night goes on: a worker of that run can then finish nothing more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast

from arena.errors import InfrastructureError
from arena.journal import DamagedJournal, LegRecord, Seating, located, read_lines, sealed

SPOOLS_NAME: Final = "spool"
"""The directory of a night that holds a directory of spools for each run."""
WAIT_SECONDS: Final = 30.0
"""How long an adopter waits for a worker that is still there."""
_POLL_SECONDS: Final = 0.02


class SpoolError(InfrastructureError):
    """A spool that cannot be written, or whose worker does not leave."""


@dataclass(frozen=True, slots=True)
class SpoolPlace:
    """Where the finished legs of one job go, and which night they belong to."""

    path: str
    origin: str
    """Hash of the first line of the night's journal."""


class Spool:
    """The spool of one job, open for writing. Use it as a context manager."""

    def __init__(self, place: SpoolPlace) -> None:
        """Make the file.

        :raises OSError: if its directory is gone, because the night goes on without us.
        """
        self._path = place.path
        self._previous = place.origin
        self._numbers: dict[Seating, int] = {}
        self._end = 0
        self._file = os.open(place.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            # Whoever held the lock for a moment has adopted the empty file and removed it.
            Path(place.path).stat()
            _sync(Path(place.path).parent)
        except OSError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, legs: Iterable[LegRecord]) -> None:
        """Write finished legs, all of them or none; they are on the disk when this returns.

        :raises SpoolError: if they could not be written, or the spool is closed.
        """
        if self._file < 0:
            raise SpoolError(f"{self._path} is not open for writing any more")
        numbers, previous, text = dict(self._numbers), self._previous, bytearray()
        for leg in legs:
            lines = []
            number = numbers.get(leg.seating)
            if number is None:
                number = numbers[leg.seating] = len(numbers)
                lines.append(leg.seating.to_json(number))
            lines.append(leg.to_json(number))
            for line in lines:
                raw, previous = sealed(previous, line)
                text += raw + b"\n"
        try:
            left = memoryview(text)
            while left:
                left = left[os.write(self._file, left) :]
            os.fdatasync(self._file)
        except OSError as error:
            # What a failed write left behind is unknown: cut it off, and write no more.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            self.close()
            raise SpoolError(f"{self._path} could not be written: {error.strerror}") from error
        self._numbers, self._previous = numbers, previous
        self._end += len(text)

    def close(self) -> None:
        """Write no more, and let the file be adopted."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read_spool(place: SpoolPlace) -> list[LegRecord]:
    """Return the legs of a spool up to the first byte that does not fit: a torn end was told to nobody, and a spool of
    another night holds nothing of this one. None if there is no such file. Waits for its worker to leave.

    :raises SpoolError: if the worker does not leave.
    """
    try:
        with _locked(Path(place.path)):
            return list(_legs(place))
    except FileNotFoundError:
        return []


def _legs(place: SpoolPlace) -> Iterator[LegRecord]:
    path = Path(place.path)
    seatings: dict[int, Seating] = {}
    with contextlib.suppress(DamagedJournal):
        for line in read_lines(path, place.origin):
            with located(path, line):
                data = line.json()
                if line.kind == "seating":
                    seatings[cast("int", data["seating"])] = Seating.from_json(data)
                    continue
                leg = LegRecord.from_json(data, seatings)
            yield leg


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a spool once its worker has let go of it."""
    give_up = time.monotonic() + WAIT_SECONDS
    with path.open("rb") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > give_up:
                    raise SpoolError(
                        f"{path} is still being written by a worker of an earlier run; end that process, then go on"
                    ) from None
                time.sleep(_POLL_SECONDS)
            else:
                break
        yield


class Spools:
    """The spools of one run of a night."""

    def __init__(self, night: Path, origin: str) -> None:
        self._all = night / SPOOLS_NAME
        self._origin = origin
        self._directory: Path | None = None

    def adopt(self) -> AbstractContextManager[list[LegRecord]]:
        """Give, in a ``with``, the legs that earlier runs left; once they are safe, at its end, the spools are removed.

        :raises SpoolError: if a worker of an earlier run does not leave.
        """
        return self._adopt()

    @contextlib.contextmanager
    def _adopt(self) -> Iterator[list[LegRecord]]:
        runs = sorted(self._all.glob("*/")) if self._all.is_dir() else []
        legs: list[LegRecord] = []
        with contextlib.ExitStack() as locks:
            for run in runs:
                # From now on no worker of that run can begin a spool; those that have begun let go of their locks.
                gone = run if run.suffix == ".gone" else run.rename(run.with_suffix(".gone"))
                for path in sorted(gone.iterdir()):
                    locks.enter_context(_locked(path))
                    legs += _legs(SpoolPlace(str(path), self._origin))
            yield legs
            for run in self._all.glob("*.gone"):
                shutil.rmtree(run)

    def place(self, name: str) -> SpoolPlace:
        """Return a new place for the spool of a job called *name*."""
        if self._directory is None:
            self._all.mkdir(exist_ok=True)
            _sync(self._all.parent)
            self._directory = Path(tempfile.mkdtemp(dir=self._all))
            _sync(self._all)
        return SpoolPlace(str((self._directory / f"{name}.jsonl").absolute()), self._origin)

    def remove(self, place: SpoolPlace) -> None:
        """Remove a spool whose legs are in the journal."""
        Path(place.path).unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove everything: the night is over."""
        shutil.rmtree(self._all, ignore_errors=True)

    def close(self) -> None:
        """Remove what is empty."""
        for directory in (self._directory, self._all):
            if directory is not None:
                with contextlib.suppress(OSError):
                    directory.rmdir()


def _sync(directory: Path) -> None:
    number = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
