"""A match: two bots, one variant or several, a yes or no at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots import ISOLATIONS, check_different, house_bot, parse_bot
from arena.errors import ExitCode, OperatorError
from arena.league import Played, Say, make_directory, open_store, play_in_memory, play_on_record
from arena.night import MOST_BOARDS, Night, Settings, check_door, isolation_of, seed_bytes
from arena.referee_file import load_referee
from arena.report import EloBound, MatchReport, report_match
from arena.schedule import UNITS, Event, Unit
from arena.variants import load_variant
from referee.rules.errors import nearest
from referee.service.policy import Policy, PolicyError

STORE_NAME = "results.sqlite"
"""The results store beside the journal of a match on record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOrder:
    """What the command line asks for."""

    entrant: str
    opponent: str
    variants: Sequence[str]
    boards: int
    play: str = UNITS[0]
    concurrency: int | None = None
    seed: str | None = None
    house: str = "house"
    policy: dict[str, float] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    chunk_boards: int = 0
    isolation: str = ISOLATIONS[0]
    referee: Path | None = None
    """The file of the referee where remote bots dial in."""
    metrics: str = ""


def night_of(order: MatchOrder) -> tuple[Night, str, str]:
    """Return the match as a night of two, and their names in the order given.

    :raises OperatorError: naming what was wrong and what would work.
    """
    isolation = isolation_of(order.isolation)
    bots = [parse_bot(text, isolation=isolation) for text in (order.entrant, order.opponent)]
    check_different(bot.name for bot in bots)
    named = [load_variant(text) for text in order.variants]
    variants = tuple(dict.fromkeys(one.variant for one in named))
    if not 1 <= order.boards <= MOST_BOARDS:
        raise OperatorError(f"-n {order.boards}: the number of boards is from 1 to {MOST_BOARDS}")
    unit = unit_of(order.play)
    try:
        policy = Policy(**order.policy)  # type: ignore[arg-type]
    except PolicyError as error:
        raise OperatorError(str(error)) from None
    first, second = (bot.name for bot in bots)
    night = Night(
        name=re.sub(r"[^\w.+-]+", "-", f"{first}-{second}"),
        event=Event(
            variants=variants,
            entrants=(first, second),
            boards=order.boards,
            unit=unit,
            chunk_boards=order.chunk_boards,
        ),
        bots={bot.name: bot for bot in bots},
        house=house_bot(order.house),
        labels={one.variant.id: one.label for one in named if one.label != one.variant.id},
        policy=policy,
        settings=order.settings,
        isolation=isolation,
        concurrency=order.concurrency,
        seed=None if order.seed is None else seed_bytes(order.seed),
        referee=None if order.referee is None else load_referee(order.referee),
        metrics=order.metrics,
    )
    check_door(night)
    return night, first, second


def unit_of(text: str) -> Unit:
    """Return the unit of play written as ``boards`` or ``games``.

    :raises OperatorError: for anything else.
    """
    for unit in UNITS:
        if text == unit:
            return unit
    raise OperatorError(f"--play {text!r}{nearest(text, UNITS)}; it is {' or '.join(UNITS)}")


def play_match(night: Night, record: Path | None, say: Say) -> Played:
    """Play a match, in memory or on record in the directory *record*, where it can be continued.

    :raises OperatorError, JournalError: if *record* cannot be used.
    :raises InfrastructureError: if it cannot be played.
    """
    if record is None:
        return play_in_memory(night, say)
    make_directory(record)
    with open_store(record / STORE_NAME) as store:
        return play_on_record(night, record, store, say)


def report_of(played: Played, night: Night, first: str, second: str) -> MatchReport:
    """Return the report of a match."""
    return report_match(first, second, played.legs, played.end, night.isolations)


def exit_code(report: MatchReport, bound: EloBound | None) -> ExitCode:
    """Return how the command ends: our own failures first, then the claim, then whether there is a result at all."""
    if report.missing:
        return ExitCode.INFRASTRUCTURE
    if bound is not None:
        if not report.statistics.sets:
            return ExitCode.UNDECIDED
        return bound.verdict(report.statistics.interval95())
    if report.is_stopped or not report.statistics.sets:
        return ExitCode.UNDECIDED
    return ExitCode.PASSED
