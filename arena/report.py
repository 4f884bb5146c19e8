"""What a match has come to: numbers first, then words; and the yes or no that a CI run asks for."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.errors import ExitCode, OperatorError
from arena.job import Thinking
from arena.progress import format_seconds
from arena.runner import NightEnd
from leaderboards import standings
from leaderboards.conduct import counted
from leaderboards.results import LegResult, SetResult, sets_of
from leaderboards.statistics import SetStatistics, statistics_between

_BOUND: Final = re.compile(r"\s*(>=|<=|>|<|≥|≤)\s*([+-]?\d+(?:\.\d+)?)\s*\Z")


@dataclass(frozen=True, slots=True)
class EloBound:
    """A claim about the Elo difference, for use in CI."""

    is_floor: bool
    """The difference is at least this; otherwise at most."""
    elo: float

    def verdict(self, interval: tuple[float, float]) -> ExitCode:
        """Return whether the claim holds over the whole 95 % interval, over none of it, or cannot be told yet."""
        low, high = interval if self.is_floor else (-interval[1], -interval[0])
        bound = self.elo if self.is_floor else -self.elo
        if low >= bound:
            return ExitCode.PASSED
        return ExitCode.FAILED if high < bound else ExitCode.UNDECIDED

    def __str__(self) -> str:
        return f"{'>=' if self.is_floor else '<='} {self.elo:g}"


def parse_bound(text: str) -> EloBound:
    """Return the claim written as ``>= -20``.

    :raises OperatorError: if it is none.
    """
    match = _BOUND.match(text)
    if match is None:
        raise OperatorError(f"--assert-elo {text!r} is no claim; write a comparison and a number, as in '>= -20'")
    return EloBound(match[1] in (">=", ">", "≥"), float(match[2]))


@dataclass(frozen=True, slots=True)
class VariantReport:
    """Two entrants on one variant."""

    variant: str
    statistics: SetStatistics


@dataclass(frozen=True, slots=True)
class MatchReport:
    """Two entrants over everything they have played."""

    entrant: str
    opponent: str
    unit: str
    statistics: SetStatistics
    variants: tuple[VariantReport, ...]
    faults: Mapping[str, Mapping[str, int]]
    """By entrant, by kind."""
    thinking: Mapping[str, Thinking]
    legs: int
    """That count in no whole set are among them."""
    hands: int
    decisions: int
    seconds: float
    notes: tuple[str, ...]
    missing: int
    is_stopped: bool
    isolation: Mapping[str, str] = field(default_factory=dict)
    """How the instances of each bot were kept apart: ``process``, ``docker``, ``remote`` or ``none``."""


def report_match(
    entrant: str,
    opponent: str,
    legs: Sequence[LegResult],
    end: NightEnd,
    isolation: Mapping[str, str] | None = None,
) -> MatchReport:
    """Return what *legs* of one match say, whole sets only."""
    counting = counted(legs)
    sets = sets_of(counting)
    variants = tuple(
        VariantReport(variant, statistics_between(_of_variant(sets, variant), entrant, opponent))
        for variant in dict.fromkeys(result.variant for result in sets)
    )
    faults: dict[str, Counter[str]] = {}
    for leg in legs:
        for fault in leg.faults:
            faults.setdefault(fault.entrant, Counter())[fault.kind] += fault.count
    return MatchReport(
        entrant=entrant,
        opponent=opponent,
        unit=legs[0].unit if legs else "boards",
        statistics=statistics_between(sets, entrant, opponent),
        variants=variants,
        faults={name: dict(sorted(count.items())) for name, count in sorted(faults.items())},
        thinking=dict(sorted(end.thinking.items())),
        legs=len(legs),
        hands=sum(leg.hands for leg in legs),
        decisions=end.decisions,
        seconds=end.seconds,
        notes=tuple(note.text for _, note in end.notes),
        missing=end.missing,
        is_stopped=end.is_stopped,
        isolation=dict(isolation or {}),
    )


def _of_variant(sets: Sequence[SetResult], variant: str) -> list[SetResult]:
    return [result for result in sets if result.variant == variant]


def match_lines(report: MatchReport) -> Iterator[str]:
    """Yield the report as lines for people."""
    if not report.statistics.sets:
        yield f"{report.entrant} and {report.opponent} have played no whole set; there is nothing to compare"
    else:
        yield from standings.match_lines(report.entrant, report.opponent, report.statistics, unit=report.unit)
        if len(report.variants) > 1:
            yield from _variant_lines(report)
    yield from _conduct_lines(report)


def _variant_lines(report: MatchReport) -> Iterator[str]:
    width = max(len(part.variant) for part in report.variants)
    for part in report.variants:
        numbers = part.statistics
        low, high = numbers.interval95()
        yield (
            f"  {part.variant:{width}}  {numbers.wins}-{numbers.draws}-{numbers.losses}, Elo {numbers.elo():+.0f}, "
            f"{low:+.0f} to {high:+.0f}"
        )


def _conduct_lines(report: MatchReport) -> Iterator[str]:
    for name, faults in report.faults.items():
        yield f"Faults of {name}: " + ", ".join(f"{count} {kind}" for kind, count in faults.items())
    for thinking in report.thinking.values():
        yield thinking_text(thinking)
    if report.isolation:
        yield isolation_line(report.isolation)
    if report.seconds:
        rate = report.decisions / report.seconds
        yield f"{report.decisions:,} decisions in {format_seconds(report.seconds)}, {rate:,.0f} decisions/s"


def isolation_line(isolation: Mapping[str, str]) -> str:
    """Return how the instances of every bot were kept apart, in a line."""
    kinds = set(isolation.values())
    said = kinds.pop() if len(kinds) == 1 else ", ".join(f"{name} {kind}" for name, kind in isolation.items())
    return f"Isolation: {said}"


def thinking_text(thinking: Thinking) -> str:
    """Return how long an entrant thought, in a line."""
    if not thinking.decisions:
        return f"{thinking.entrant} was asked nothing"
    mean = 1000 * thinking.seconds / thinking.decisions
    return (
        f"{thinking.entrant} took {mean:.2f} ms a decision over {thinking.decisions:,} decisions, "
        f"{1000 * thinking.slowest_seconds:.0f} ms at most"
    )


def match_json(report: MatchReport, seed: str, commitment: str, verdict: ExitCode | None) -> str:
    """Return the report as JSON text, without NaN."""
    data = {
        "entrant": report.entrant,
        "opponent": report.opponent,
        "play": report.unit,
        "overall": standings.match_to_dict(report.entrant, report.opponent, report.statistics),
        "variants": {
            part.variant: standings.match_to_dict(report.entrant, report.opponent, part.statistics)
            for part in report.variants
        },
        "isolation": dict(report.isolation),
        "faults": report.faults,
        "thinking": {
            name: {
                "decisions": thinking.decisions,
                "seconds": round(thinking.seconds, 6),
                "milliseconds_per_decision": round(1000 * thinking.seconds / max(thinking.decisions, 1), 4),
                "slowest_milliseconds": round(1000 * thinking.slowest_seconds, 3),
            }
            for name, thinking in report.thinking.items()
        },
        "legs": report.legs,
        "hands": report.hands,
        "decisions": report.decisions,
        "seconds": round(report.seconds, 3),
        "decisions_per_second": round(report.decisions / report.seconds, 1) if report.seconds else None,
        "notes": list(report.notes),
        "missing_legs": report.missing,
        "stopped": report.is_stopped,
        "seed": seed,
        "commitment": commitment,
        "verdict": None if verdict is None else verdict.name.lower(),
    }
    return json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False)
