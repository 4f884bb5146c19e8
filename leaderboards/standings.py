"""Standings as text for people and as JSON for programs: pure functions of rating tables.

Names are text that did not come from us: they are printed as they are, and nothing in them is markup.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, ConsoleRenderable, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from leaderboards.ratings import OVERALL, RatingRow, RatingTable
from leaderboards.results import BOARDS, GAMES
from leaderboards.statistics import SetStatistics

FORMAT: Final = "euchre-arena/standings"
"""What the JSON says it is."""
FORMAT_VERSION: Final = 1

_NOTHING: Final = "-"
_GAP: Final = 2
_CROSS_HEADER: Final = "score % against"
_CROSS_NAME_WIDTH: Final = 24
_LONGEST_BY_NAME: Final = 160


# --- tables for people --------------------------------------------------------------------------------------


def standings_table(table: RatingTable) -> Table:
    """Return the standings of one pool, best first, for a terminal 80 columns wide or wider."""
    shown = Table(
        title=Text(_title(table), style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        header_style="bold",
    )
    for header, right in (
        ("#", False),
        ("entrant", False),
        ("Elo", True),
        ("\u00b195%", True),
        ("sets", True),
        ("W-D-L", True),
        ("score", True),
        (_points_header(table), True),
        ("faults", True),
    ):
        is_name = header == "entrant"
        shown.add_column(
            header,
            justify="right" if right else "left",
            no_wrap=not is_name,
            overflow="fold",
            min_width=10 if is_name else None,
        )
    for row, following in itertools.zip_longest(table.rows, table.rows[1:]):
        is_last_of_group = following is not None and (row.rank is None, row.group) != (
            following.rank is None,
            following.group,
        )
        shown.add_row(*_cells(row), end_section=is_last_of_group and row.rank is not None)
    return shown


def _cells(row: RatingRow) -> Iterator[Text]:
    yield Text(format_rank(row), style="bold")
    yield Text(row.entrant, style="cyan")
    yield Text(_NOTHING if row.elo is None else format_elo(row.elo), style="bold")
    yield Text(_NOTHING if row.error95 is None else f"\u00b1{row.error95:.0f}")
    yield Text(str(row.sets))
    yield Text(f"{row.wins}-{row.draws}-{row.losses}")
    yield Text(_NOTHING if row.score is None else format_percent(row.score))
    yield Text(_NOTHING if row.points_per_board is None else format_points(row.points_per_board))
    yield Text(str(row.fault_count), style="yellow" if row.fault_count else "")


def _title(table: RatingTable) -> str:
    units = " and ".join(table.units) or BOARDS
    evidence = f"{_count(table.sets, 'set')} of {units}"
    if table.pool == OVERALL and len(table.variants) != 1:
        evidence += f" in {_count(len(table.variants), 'variant')}"
    return f"{table.pool}: {evidence}"


def _points_header(table: RatingTable) -> str:
    return {(BOARDS,): "pts/board", (GAMES,): "pts/game", (): "pts/board"}.get(table.units, "pts/leg")


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Who scored what against whom, for a terminal of any width: opponents that do not fit go into further blocks."""

    table: RatingTable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = [row.entrant for row in self.table.rows if row.rank is not None]
        cells = {(one, other): self._cell(one, other, is_long=True) for one in names for other in names}
        for_names = min(max(map(cell_len, [*names, _CROSS_HEADER])), _CROSS_NAME_WIDTH) + _GAP + 4
        long = max((len(line) for cell in cells.values() for line in cell.plain.split("\n")), default=0) + _GAP
        is_long = for_names + long * len(names) <= options.max_width
        if not is_long:
            cells = {(one, other): self._cell(one, other, is_long=False) for one, other in cells}
        most = max(1, (options.max_width - for_names) // (long if is_long else 5 + _GAP))
        blocks = -(-len(names) // most)
        for block in range(blocks):
            if block:
                yield Text("")
            yield self._block(names, range(block * len(names) // blocks, (block + 1) * len(names) // blocks), cells)

    def _block(self, names: Sequence[str], columns: range, cells: Mapping[tuple[str, str], Text]) -> Table:
        block = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True, header_style="bold")
        block.add_column("", justify="right", no_wrap=True)
        block.add_column(_CROSS_HEADER, overflow="fold", max_width=_CROSS_NAME_WIDTH, min_width=10)
        for column in columns:
            block.add_column(str(column + 1), justify="right", no_wrap=True)
        for number, name in enumerate(names):
            scores = (cells[name, names[column]] for column in columns)
            block.add_row(Text(str(number + 1), style="bold"), Text(name, style="cyan"), *scores)
        return block

    def _cell(self, entrant: str, opponent: str, *, is_long: bool) -> Text:
        if entrant == opponent:
            return Text("\u00b7", style="dim")
        met = self.table.crosstable.get((entrant, opponent))
        if met is None or met.score is None:
            return Text("")
        cell = Text(f"{100.0 * met.score:.1f}")
        if is_long:
            cell.append(f"\n{met.wins}-{met.draws}-{met.losses}", style="dim")
        return cell


def neighbours_line(table: RatingTable) -> str:
    """Return how sure each place is against the next one, in one sentence; empty where nobody has a neighbour."""
    pairs = [
        (better, worse, sure)
        for better, worse in itertools.pairwise(row for row in table.rows if row.rank is not None)
        if (sure := table.los(better.entrant, worse.entrant)) is not None
    ]
    by_name = ", ".join(f"{one.entrant} over {other.entrant} {format_certainty(sure)}" for one, other, sure in pairs)
    by_place = ", ".join(f"#{one.rank} {format_certainty(sure)}" for one, _, sure in pairs)
    if not pairs:
        return ""
    if len(by_name) <= _LONGEST_BY_NAME:
        return f"Likelihood of superiority: {by_name}."
    return f"Likelihood of superiority over the next in the table: {by_place}."


def faults_line(table: RatingTable) -> str:
    """Return who committed which faults, in one sentence; empty if nobody did."""
    parts = []
    for row in table.rows:
        kinds = [f"{kind} {count}" for kind, count in row.faults.items()]
        if row.forfeits:
            kinds.append(f"{_count(row.forfeits, 'set')} lost by forfeit")
        if kinds:
            parts.append(f"{row.entrant} {', '.join(kinds)}")
    return f"Faults: {'; '.join(parts)}." if parts else ""


def pool_report(table: RatingTable, *, crosstable: bool = True) -> ConsoleRenderable:
    """Return one pool in full: standings, likelihoods, crosstable, faults, notes."""
    parts: list[RenderableType] = [standings_table(table)]
    lines = [line for line in (neighbours_line(table), faults_line(table), *table.notes) if line]
    if crosstable and len(table.crosstable) > 2:
        parts.append(Padding(CrossTable(table), (1, 0, 0, 0)))
    if lines:
        parts.append(Padding(Group(*(Text(line) for line in lines)), (1, 0, 0, 0)))
    return Group(*parts)


def standings_report(tables: Mapping[str, RatingTable], *, crosstables: bool = True) -> ConsoleRenderable:
    """Return all pools in full, one below the other, and how to read them.

    The overall pool is left out where it has one variant only, because it would say the same twice.
    """
    shown = [table for name, table in tables.items() if not (name == OVERALL and _is_repeated(tables))]
    parts: list[RenderableType] = []
    for table in shown:
        parts += [pool_report(table, crosstable=crosstables), Text("")]
    parts.append(Text(_legend(shown), style="dim"))
    return Group(*parts)


def _is_repeated(tables: Mapping[str, RatingTable]) -> bool:
    return len(tables) == 2 and len(tables[OVERALL].variants) == 1


def _legend(tables: Iterable[RatingTable]) -> str:
    legend = "Elo about a mean of 0 in each pool; \u00b1 is half the 95 % interval over whole sets."
    if any(row.is_tied for table in tables for row in table.rows):
        legend += ' "=" marks places that are shared: the ratings agree to a point.'
    return legend


def render(item: RenderableType, *, width: int = 80) -> str:
    """Return *item* as plain text without colour, *width* columns wide, no line ending in spaces."""
    out = StringIO()
    console = Console(file=out, width=width, color_system=None, force_terminal=False, highlight=False, markup=False)
    console.print(item)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


# --- one match ----------------------------------------------------------------------------------------------


def match_lines(entrant: str, opponent: str, match: SetStatistics, *, unit: str = BOARDS) -> list[str]:
    """Return what a match says about *entrant* against *opponent*, line by line."""
    low, high = match.interval95()
    lines = [
        f"{entrant} against {opponent}: {_count(match.sets, 'set')} of {unit}, "
        f"{match.wins} won, {match.draws} drawn, {match.losses} lost"
        + ("" if match.score is None else f" ({format_percent(match.score)})"),
        f"Elo difference {format_elo(match.elo())}, 95 % interval {format_elo(low)} to {format_elo(high)} (over sets); "
        f"likelihood of superiority {format_certainty(match.los())}",
    ]
    interval = match.points_interval95()
    if interval is not None:
        each = "game" if unit == GAMES else "board"
        lines.append(
            f"Points per {each} {format_points(match.points_per_board())}, "
            f"95 % interval {format_points(interval[0])} to {format_points(interval[1])} (over sets)"
        )
    return lines


def match_to_dict(entrant: str, opponent: str, match: SetStatistics) -> dict[str, Any]:
    """Return the same as values for JSON; what is unknown is None, and nothing is NaN."""
    interval = match.points_interval95()
    return {
        "entrant": entrant,
        "opponent": opponent,
        "sets": match.sets,
        "wins": match.wins,
        "draws": match.draws,
        "losses": match.losses,
        "score": match.score,
        "elo": match.elo(),
        "elo_interval95": list(match.interval95()),
        "los": match.los(),
        "boards": match.boards,
        "points_per_board": match.points_per_board() if match.boards else None,
        "points_per_board_interval95": None if interval is None else list(interval),
    }


# --- JSON ---------------------------------------------------------------------------------------------------


def to_dict(tables: Mapping[str, RatingTable]) -> dict[str, Any]:
    """Return all pools as values for JSON, in the order given."""
    return {"format": FORMAT, "version": FORMAT_VERSION, "pools": [pool_to_dict(table) for table in tables.values()]}


def pool_to_dict(table: RatingTable) -> dict[str, Any]:
    """Return one pool as values for JSON: entrants best first, every pair that met once."""
    order = [row.entrant for row in table.rows]
    return {
        "pool": table.pool,
        "sets": table.sets,
        "variants": list(table.variants),
        "units": list(table.units),
        "entrants": [_row_to_dict(row) for row in table.rows],
        "pairs": [
            match_to_dict(one, other, table.crosstable[one, other])
            for one, other in itertools.combinations(order, 2)
            if (one, other) in table.crosstable
        ],
        "neighbours": [
            {"entrant": one.entrant, "opponent": other.entrant, "los": table.los(one.entrant, other.entrant)}
            for one, other in itertools.pairwise(row for row in table.rows if row.rank is not None)
        ],
        "notes": list(table.notes),
    }


def _row_to_dict(row: RatingRow) -> dict[str, Any]:
    is_rated = row.elo is not None and row.error95 is not None
    return {
        "rank": row.rank,
        "is_tied": row.is_tied,
        "entrant": row.entrant,
        "elo": row.elo,
        "error95": row.error95,
        "interval95": [row.elo - row.error95, row.elo + row.error95] if is_rated else None,  # type: ignore[operator]
        "group": row.group,
        "sets": row.sets,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "score": row.score,
        "boards": row.boards,
        "points_per_board": row.points_per_board,
        "faults": dict(row.faults),
        "forfeits": row.forfeits,
    }


def to_json(tables: Mapping[str, RatingTable], *, indent: int | None = 2) -> str:
    """Return all pools as strict JSON: a number is a number, and what is not known is null."""
    return json.dumps(to_dict(tables), allow_nan=False, ensure_ascii=False, indent=indent)


# --- numbers ------------------------------------------------------------------------------------------------


def format_rank(row: RatingRow) -> str:
    """Return ``1``, or ``2=`` for a shared place, or ``-`` for none."""
    if row.rank is None:
        return _NOTHING
    return f"{row.rank}=" if row.is_tied else str(row.rank)


def format_elo(elo: float) -> str:
    """Return whole points with their sign; zero has none."""
    points = round(round(elo, 6))
    return f"{points:+d}" if points else "0"


def format_points(points: float) -> str:
    """Return points to two places with their sign; zero has none."""
    text = f"{points:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def format_percent(share: float) -> str:
    """Return a share as a percentage to one place; 0 and 100 only where they are exact."""
    percent = 100.0 * share
    if 0.0 < share < 1.0:
        percent = min(max(percent, 0.1), 99.9)
    return f"{percent:.1f}%"


def format_certainty(likelihood: float) -> str:
    """Return a likelihood as a percentage; never quite 0 or 100, because nothing measured is."""
    if likelihood > 0.9995:
        return ">99.9%"
    if likelihood < 0.0005:
        return "<0.1%"
    return f"{100.0 * likelihood:.1f}%"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
