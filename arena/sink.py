"""Where finished legs go: into memory for a quick match, or into the journal of a night and the results store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from arena import journal
from arena.errors import InfrastructureError
from arena.job import INFRASTRUCTURE, NO_SHOW, QUARANTINE, JobNote, LegPlayed
from arena.journal import Journal, JournalError, LegRecord, leg_result, sync_store
from arena.night import Night
from arena.spool import SpoolPlace, Spools, read_spool
from leaderboards.conduct import LegConduct, Place, conduct_of
from leaderboards.results import LegResult
from leaderboards.store import Store, StoreError
from referee.service.record import Json

KEPT_NOTES = frozenset({NO_SHOW, QUARANTINE, INFRASTRUCTURE})
"""Kinds of note that belong to the record of a night."""


class Sink(Protocol):
    """Takes what the runner has finished, and knows what was finished before."""

    def finished(self) -> frozenset[Place]:
        """Return the legs that need not be played."""

    def conducts(self) -> Iterable[LegConduct]:
        """Yield how everybody behaved in them."""

    def add(self, legs: Sequence[LegPlayed]) -> None:
        """Keep finished legs; they are safe when this returns."""

    def note(self, pairing: int, note: JobNote) -> None:
        """Keep what happened to a pairing and is not a result."""

    def is_noted(self, pairing: int, note: JobNote) -> bool:
        """Tell whether this very note has been kept before."""

    def spool(self, name: str) -> SpoolPlace | None:
        """Return where a job called *name* writes finished legs before they are told; ``None``: nowhere."""

    def left_in(self, spool: SpoolPlace) -> list[LegRecord]:
        """Return what a worker that died has finished."""

    def remove_spool(self, spool: SpoolPlace) -> None:
        """Forget a spool: everything in it has been kept."""


class MemorySink:
    """Keeps the legs of one match, for its report."""

    def __init__(self, night: str) -> None:
        self.night = night
        self.results: list[LegResult] = []

    def finished(self) -> frozenset[Place]:
        """Return nothing: nothing was played before."""
        return frozenset()

    def conducts(self) -> Iterable[LegConduct]:
        """Return nothing: nothing was played before."""
        return ()

    def add(self, legs: Sequence[LegPlayed]) -> None:
        """Keep them until we end."""
        self.results += [leg_result(self.night, leg.record) for leg in legs]

    def note(self, pairing: int, note: JobNote) -> None:
        """Keep nothing: the runner has it."""

    def is_noted(self, pairing: int, note: JobNote) -> bool:
        """Return False: nothing was noted before."""
        return False

    def spool(self, name: str) -> None:
        """Return ``None``: there is no record to be complete."""

    def left_in(self, spool: SpoolPlace) -> list[LegRecord]:
        """Return nothing."""
        return []

    def remove_spool(self, spool: SpoolPlace) -> None:
        """Do nothing."""


class NightSink:
    """The journal of a night, which is the truth, and the results store, which follows it."""

    def __init__(self, night: Night, seed_commitment: str, directory: Path, store: Store) -> None:
        """Open both; take into the journal what workers of earlier runs have left; bring the store up to date.

        :raises JournalError: if the journal is damaged, in use, closed, or that of another plan.
        :raises StoreError: if the store cannot be used, or has a night of this name with another plan.
        """
        self._night = night.name
        self.store = store
        store.begin_night(night.name, night.plan(), seed_commitment)
        self.journal = Journal(
            directory / journal.JOURNAL_NAME,
            journal.Night(
                name=night.name,
                plan=night.plan(),
                commitment=seed_commitment,
                variants=tuple(variant.id for variant in night.event.variants),
                entrants=tuple(sorted(night.bots)),
                policy=night.plan()["policy"],
                started=datetime.now(UTC).isoformat(timespec="seconds"),
            ),
        )
        self._spools = Spools(directory, self.journal.origin)
        try:
            with self._spools.adopt() as legs:
                self.journal.add_legs(legs)
            sync_store(self.journal.path, store)
        except BaseException:
            self.journal.release()
            raise

        self._noted = {(note.pairing, note.what, note.entrant, note.text) for note in self.journal.notes}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spools.close()
        self.journal.release()

    def close(self, seed: bytes, ratings: Mapping[str, Json]) -> Path:
        """End the night and return its compressed journal; no more spools are needed then."""
        closed = self.journal.close(seed, ratings)
        self._spools.discard()
        return closed

    def finished(self) -> frozenset[Place]:
        """Return the legs in the journal."""
        return self.journal.finished

    def conducts(self) -> Iterable[LegConduct]:
        """Yield how everybody behaved in them."""
        return (conduct_of(leg) for leg in self.store.each_leg(self._night, records=False))

    def add(self, legs: Sequence[LegPlayed]) -> None:
        """Write them into the journal, then into the store.

        :raises InfrastructureError: if either cannot be written.
        """
        try:
            self.journal.add_legs(leg.record for leg in legs)
            self.store.add_legs(leg_result(self._night, leg.record) for leg in legs)
        except (JournalError, StoreError) as error:
            raise InfrastructureError(str(error)) from error

    def note(self, pairing: int, note: JobNote) -> None:
        """Write a note that belongs to the record.

        :raises InfrastructureError: if it cannot be written.
        """
        if note.kind not in KEPT_NOTES or self.is_noted(pairing, note):
            return
        self._noted.add((pairing, note.kind, note.entrant, note.text[: journal.LONGEST_MESSAGE]))
        text = note.text[: journal.LONGEST_MESSAGE]
        try:
            self.journal.add_note(journal.Note(what=note.kind, pairing=pairing, entrant=note.entrant, text=text))
            self.store.note(self._night, pairing, note.kind, note.entrant, text)
        except (JournalError, StoreError) as error:
            raise InfrastructureError(str(error)) from error

    def spool(self, name: str) -> SpoolPlace:
        """Return a new place beside the journal.

        :raises InfrastructureError: if its directory cannot be made.
        """
        try:
            return self._spools.place(name)
        except OSError as error:
            raise InfrastructureError(f"{self.journal.path.parent} cannot be written: {error.strerror}") from error

    def left_in(self, spool: SpoolPlace) -> list[LegRecord]:
        """Return what a worker that died has finished, once it is gone."""
        return read_spool(spool)

    def remove_spool(self, spool: SpoolPlace) -> None:
        """Forget a spool whose legs are in the journal."""
        self._spools.remove(spool)

    def is_noted(self, pairing: int, note: JobNote) -> bool:
        """Tell whether the journal has this note."""
        return (pairing, note.kind, note.entrant, note.text[: journal.LONGEST_MESSAGE]) in self._noted
