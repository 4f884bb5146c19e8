"""A night from its file to its standings: begun or continued, played, reported, closed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import trio

from arena.errors import OperatorError, only_one
from arena.journal import JOURNAL_NAME, closed_journal, read_night, secret_seed, sync_store
from arena.logs import LogTo
from arena.night import Night
from arena.plan import plan_lines, plan_of, usual_concurrency
from arena.progress import open_show
from arena.runner import NightEnd, Runner
from arena.sandbox import check_image, connect
from arena.show import TRANSCRIPTS_NAME, write_transcripts
from arena.sink import MemorySink, NightSink, Sink
from arena.verify import ratings_of
from leaderboards.conduct import counted
from leaderboards.ratings import RatingTable, fit_pools
from leaderboards.results import LegResult, sets_of
from leaderboards.store import Store, StoreError
from referee.rules.errors import nearest
from referee.service.logs import Level
from referee.service.shuffle import SEED_BYTES, commitment

LOG_NAME: Final = "log.jsonl"
"""The log of a night, beside its journal."""

Say = Callable[[str], None]
"""Prints one line of the plan or the report."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a run has come to."""

    legs: list[LegResult]
    """Without their hands; those of earlier runs too."""
    end: NightEnd
    seed: bytes
    commitment: str


@contextmanager
def open_store(place: str | Path) -> Iterator[Store]:
    """Hold the results store at *place*.

    :raises OperatorError: for whatever the store complains about.
    """
    try:
        with Store(place) as store:
            yield store
    except StoreError as error:
        raise OperatorError(str(error)) from None


def make_directory(directory: Path) -> None:
    """Make *directory* if it is not there.

    :raises OperatorError: if it cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OperatorError(f"{directory} cannot be made: {error.strerror}; name another directory") from None


def play_in_memory(night: Night, say: Say, log: LogTo | None = None) -> Played:
    """Play *night* and keep nothing.

    :raises InfrastructureError: if it cannot be played.
    """
    seed = night.seed if night.seed is not None else secrets.token_bytes(SEED_BYTES)
    sink = MemorySink(night.name)
    end = _play(night, seed, sink, say, log or LogTo())
    return Played(sorted(sink.results, key=lambda leg: leg.key), end, seed, commitment(seed))


def play_on_record(
    night: Night, directory: Path, store: Store, say: Say, *, finish: bool = False, log_level: Level = "warning"
) -> Played:
    """Play what is missing of *night*, on record in *directory* and *store*; close it when all is played.

    With *finish* it is closed though pairings are missing because somebody did not come.

    :raises JournalError: if the journal is damaged, in use, or that of another plan.
    :raises StoreError: if the store cannot be used, or has a night of this name with another plan.
    :raises InfrastructureError: if results cannot be kept.
    """
    closed = closed_journal(directory / JOURNAL_NAME)
    if closed is not None:
        return _already_over(night, closed, store, say)
    make_directory(directory)
    seed = night.seed if night.seed is not None else secret_seed(directory)
    committed = commitment(seed)
    with NightSink(night, committed, directory, store) as sink:
        end = _play(night, seed, sink, say, LogTo(str((directory / LOG_NAME).absolute()), log_level))
        legs = list(store.each_leg(night.name, records=False))
        if end.is_complete or (finish and not (end.is_stopped or end.missing)):
            closed = sink.close(seed, ratings_of(legs))
            store.mark_finished(night.name)
            write_transcripts(closed, directory / TRANSCRIPTS_NAME)
            say(f"the night is over; its seed was {seed.hex()}")
    return Played(legs, end, seed, committed)


def _already_over(night: Night, path: Path, store: Store, say: Say) -> Played:
    """Return what a closed night holds; check that it is this one."""
    found = read_night(path)
    if found.name != night.name or dict(found.plan) != dict(_plain(night.plan())):
        raise OperatorError(f"{path} is another night, and it is over; give this one another name or --directory")
    sync_store(path, store)
    say(f"{night.name} is over already ({path}); these are its standings")
    legs = list(store.each_leg(night.name, records=False))
    return Played(legs, NightEnd(), b"", found.commitment)


def _plain(value: Mapping[str, Any]) -> Mapping[str, Any]:
    plain: Mapping[str, Any] = json.loads(json.dumps(value))
    return plain


def _play(night: Night, seed: bytes, sink: Sink, say: Say, log: LogTo) -> NightEnd:
    """Print the plan, then play what is missing."""
    check_images(night)
    concurrency = night.concurrency or usual_concurrency()
    plan = plan_of(night)
    finished = len(sink.finished())
    for line in plan_lines(night, plan, commitment(seed), concurrency, finished):
        say(line)
    if finished >= plan.legs:
        return NightEnd()
    show = open_show(plan.legs, finished, night.name)
    with show:
        try:
            return trio.run(Runner(night, seed, sink, show, concurrency, log).run)
        except BaseExceptionGroup as group:
            raise only_one(group) from group


def check_images(night: Night) -> None:
    """See that the containers of *night* can be started.

    :raises OperatorError: if no engine answers, or an image is not on this machine.
    """
    images = sorted({bot.image for bot in (*night.bots.values(), night.house) if bot.image})
    if images:
        with closing(connect()) as client:
            for image in images:
                check_image(client, image)


def rating_tables(legs: Iterable[LegResult], entrants: Iterable[str] = ()) -> dict[str, RatingTable]:
    """Return the ratings of every pool that follow from *legs*, the rule of conduct applied."""
    return fit_pools(sets_of(counted(legs)), entrants)


def standings_of(store: Store, night: str | None, variant: str | None) -> dict[str, RatingTable]:
    """Return the ratings of everything in *store*, or of one night or one variant of it.

    :raises OperatorError: if there is no such night or variant in it.
    """
    known = [found.name for found in store.nights()]
    if night is not None and night not in known:
        held = f"it holds {', '.join(known)}" if known else "it holds none yet"
        raise OperatorError(f"no night {night!r} in {store.place}{nearest(night, known)}; {held}")
    legs = counted(store.each_leg(night, records=False))
    if variant is not None:
        played = sorted({leg.variant for leg in legs})
        legs = [leg for leg in legs if leg.variant == variant]
        if not legs:
            held = ", ".join(played) or "no results"
            raise OperatorError(f"nothing of {variant} has been played; in {store.place} are {held}")
    return fit_pools(sets_of(legs))
