"""Results as plain values: the leg that is stored, and the whole set that is counted.

A **leg** is one table: one seating of one board (or of one game). A **set** is all legs of a board, and it
is the unit of every statistic, because its legs share their cards. Nothing here does I/O; the store keeps
legs, everything else is computed from them again.
"""

from __future__ import annotations

import itertools
import json
import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, TypeAlias

HOUSE: Final = "house"
"""The name of every filler in a seating. The house is never rated, and no entrant may take its name."""

BOARDS: Final = "boards"
"""The unit in which a leg is one board, scored on its own."""
GAMES: Final = "games"
"""The unit in which a leg is a whole game to the target."""
UNITS: Final = (BOARDS, GAMES)

ENDS: Final = ("board", "rules", "hand-limit", "forfeit")
"""How a leg that counts can end. A stopped leg has no result: it is played again."""
_ENDS_OF_UNIT: Final = {BOARDS: ("board", "hand-limit", "forfeit"), GAMES: ("rules", "hand-limit", "forfeit")}

FAULT_KINDS: Final = ("timeout", "illegal", "renege", "disconnect", "forfeit", "stale")
"""The names of ``referee.service.outcome.FaultKind``, in lower case."""

MAX_NAME_LENGTH: Final = 64
"""Characters of an entrant's name."""

LegKey: TypeAlias = tuple[str, int, int, int]
"""(night, pairing, board, leg): what a leg is stored under, once."""


class ResultError(ValueError):
    """A result that cannot be true: which leg, and what contradicts what. Ours to repair, never a bot's fault."""


def validate_entrant_name(name: str) -> str:
    """Return *name* if an entrant may be registered under it.

    A name is 1 to 64 printable characters in Unicode normal form C, without a space at either end, and is not
    ``house``. It is text: it may hold markup, and whoever prints it escapes it. Raises :exc:`ResultError`.
    """
    if complaint := _name_complaint(name):
        raise ResultError(complaint)
    return name


def _name_complaint(name: str) -> str | None:
    shown = ascii(name if len(name) <= MAX_NAME_LENGTH else name[:20] + "...")
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        return f"an entrant's name has 1 to {MAX_NAME_LENGTH} characters, this has {len(name)}: {shown}"
    if not name.isprintable():
        return f"an entrant's name holds printable characters only, no line break or control code: {shown}"
    if name != name.strip():
        return f"an entrant's name neither begins nor ends with a space: {shown}"
    if not unicodedata.is_normalized("NFC", name):
        return f"an entrant's name is written in Unicode normal form C: {shown}"
    if name.casefold() == HOUSE:
        return f"the name {shown} is kept for the bots that fill free seats: choose another"
    return None


def is_storable_text(text: str) -> bool:
    """Tell whether every database can keep *text* as it is."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How often an entrant committed one kind of fault in a leg."""

    entrant: str
    kind: str
    """One of :data:`FAULT_KINDS`."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LegResult:
    """One finished leg, as it is stored. Made only if it holds together; :exc:`ResultError` says what does not."""

    night: str
    pairing: int
    """Number of the pairing in the night's schedule."""
    variant: str
    """Canonical id, with the rated options."""
    board: int
    """In the unit ``games``: the number of the game in its pairing."""
    leg: int
    """0 to ``legs`` - 1."""
    legs: int
    """Legs in a whole set."""
    unit: str = BOARDS
    """``boards`` or ``games``."""
    seating: tuple[str, ...]
    """Entrant by seat; fillers are named ``house``."""
    sides: tuple[tuple[int, ...], ...]
    """Seats of each side. Every seat is on one side."""
    counts_down: bool = False
    """In a countdown game fewer points are better."""
    points: tuple[int, ...]
    """Change of the totals over the whole leg, by side."""
    end: str
    """One of :data:`ENDS`."""
    winners: tuple[str, ...] = ()
    """Entrants that won the game, several as partners or in a shared first place; none where a leg is a board."""
    forfeited: tuple[str, ...] = ()
    """Entrants whose side forfeited."""
    faults: tuple[FaultCount, ...] = ()
    hands: int = 1
    decisions: int = 0
    """Answers given or owed by bots in this leg."""
    seconds: float = 0.0
    """From the first deal to the end."""
    record: str = ""
    """The hands as JSON text; may be empty."""

    def __post_init__(self) -> None:
        for complaint in _complaints(self):
            raise ResultError(f"{self.place}: {complaint}")

    @property
    def key(self) -> LegKey:
        """What the leg is stored under."""
        return self.night, self.pairing, self.board, self.leg

    @property
    def place(self) -> str:
        """The leg in words, for messages."""
        return f"night {self.night!r}, pairing {self.pairing}, board {self.board}, leg {self.leg}"

    @property
    def entrants(self) -> frozenset[str]:
        """The rated ones among those who sat."""
        return frozenset(self.seating) - {HOUSE}

    def entrants_of(self, side: int) -> frozenset[str]:
        """Return the rated entrants of a side."""
        return frozenset(self.seating[seat] for seat in self.sides[side]) - {HOUSE}

    def side_of(self, entrant: str) -> int:
        """Return the side on which *entrant* sat; raises ``KeyError`` if it did not."""
        for side in range(len(self.sides)):
            if entrant in self.entrants_of(side):
                return side
        raise KeyError(entrant)

    def to_json(self) -> str:
        """Return the leg as one line of strict JSON (no NaN), keys in the order of the fields."""
        return json.dumps(self.to_dict(), allow_nan=False, ensure_ascii=False, separators=(",", ":"))

    def to_dict(self) -> dict[str, Any]:
        """Return the leg as values that JSON knows."""
        values = {name: _to_plain(getattr(self, name)) for name in _FIELD_NAMES}
        values["faults"] = [[fault.entrant, fault.kind, fault.count] for fault in self.faults]
        return values

    @classmethod
    def from_json(cls, text: str | bytes) -> LegResult:
        """Return the leg that :meth:`to_json` wrote. Raises :exc:`ResultError` for anything else."""
        try:
            values = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_doubles)
        except ValueError as error:
            raise ResultError(f"not the JSON of a leg: {error}") from error
        return cls.from_dict(values)

    @classmethod
    def from_dict(cls, values: object) -> LegResult:
        """Return the leg that :meth:`to_dict` wrote: every field, no other, each of its own type."""
        if not isinstance(values, dict):
            raise ResultError(f"a leg is a JSON object, this is {type(values).__name__}")
        if missing := [name for name in _FIELD_NAMES if name not in values]:
            raise ResultError(f"a leg without {', '.join(missing)}")
        if unknown := sorted(set(values) - set(_FIELD_NAMES)):
            raise ResultError(f"a leg has no field {', '.join(map(repr, unknown))}")
        plain = {name: _to_tuple(value) for name, value in values.items()}
        if isinstance(plain["seconds"], int) and not isinstance(plain["seconds"], bool):
            plain["seconds"] = float(plain["seconds"])
        if isinstance(plain["faults"], tuple):
            plain["faults"] = tuple(_fault_from_plain(fault) for fault in plain["faults"])
        return cls(**plain)


_FIELD_NAMES: Final = tuple(item.name for item in fields(LegResult))


def _to_plain(value: object) -> object:
    return [_to_plain(item) for item in value] if isinstance(value, tuple) else value


def _to_tuple(value: Any) -> Any:
    return tuple(_to_tuple(item) for item in value) if isinstance(value, list) else value


def _fault_from_plain(value: object) -> FaultCount:
    if not isinstance(value, tuple) or len(value) != 3:
        raise ResultError(f"a fault is [entrant, kind, count], not {value!r}")
    return FaultCount(*value)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


def _refuse_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("the same key twice")
    return values


# --- what must hold of a leg --------------------------------------------------------------------------------


def _complaints(leg: LegResult) -> Iterable[str]:
    """Yield what contradicts what; types first, because all else rests on them."""
    yield from _type_complaints(leg)
    yield from _number_complaints(leg)
    yield from _seating_complaints(leg)
    yield from _outcome_complaints(leg)


def _type_complaints(leg: LegResult) -> Iterable[str]:
    for names, is_right, wanted in (
        (("night", "variant", "unit", "end", "record"), _is_text, "text"),
        (("pairing", "board", "leg", "legs", "hands", "decisions"), _is_integer, "a whole number"),
        (("counts_down",), lambda value: isinstance(value, bool), "true or false"),
        (("seconds",), lambda value: isinstance(value, float), "a number of seconds as float"),
        (("seating", "winners", "forfeited"), lambda value: _is_tuple_of(value, _is_text), "a tuple of names"),
        (("points",), lambda value: _is_tuple_of(value, _is_integer), "a tuple of whole numbers"),
        (("sides",), lambda value: _is_tuple_of(value, _is_seats), "a tuple of tuples of seats"),
        (("faults",), lambda value: _is_tuple_of(value, _is_fault), "a tuple of FaultCount"),
    ):
        for name in names:
            if not is_right(getattr(leg, name)):
                yield f"{name} is {wanted}, not {getattr(leg, name)!r}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seats(value: object) -> bool:
    return _is_tuple_of(value, _is_integer)


def _is_fault(value: object) -> bool:
    return (
        isinstance(value, FaultCount) and _is_text(value.entrant) and _is_text(value.kind) and _is_integer(value.count)
    )


def _is_tuple_of(value: object, is_right: Any) -> bool:
    return isinstance(value, tuple) and all(is_right(item) for item in value)


def _number_complaints(leg: LegResult) -> Iterable[str]:
    if not leg.night or not leg.variant:
        yield "the night and the variant have a name"
    for name in ("pairing", "board", "leg", "hands", "decisions"):
        if getattr(leg, name) < 0:
            yield f"{name} is {getattr(leg, name)}, which is below zero"
    if leg.leg >= leg.legs:
        yield f"leg {leg.leg} of a set of {leg.legs} legs, which are numbered from 0"
    if not (math.isfinite(leg.seconds) and leg.seconds >= 0):
        yield f"{leg.seconds} seconds"
    if not is_storable_text(leg.record):
        yield "the record holds a NUL or half a surrogate pair, which no database keeps: escape it as JSON does"


def _seating_complaints(leg: LegResult) -> Iterable[str]:
    if sorted(itertools.chain.from_iterable(leg.sides)) != list(range(len(leg.seating))):
        yield f"the sides {leg.sides} do not hold each of the {len(leg.seating)} seats once"
    if len(leg.sides) < 2 or not all(leg.sides):
        yield f"the sides {leg.sides}: there are two or more, and none is empty"
    if len(leg.points) != len(leg.sides):
        yield f"{len(leg.points)} numbers of points for {len(leg.sides)} sides"
    for name in leg.seating:
        if name != HOUSE and (complaint := _name_complaint(name)):
            yield complaint
    on_sides = Counter(itertools.chain.from_iterable(leg.entrants_of(side) for side in range(len(leg.sides))))
    for name, sides in on_sides.items():
        if sides > 1:
            yield f"{name!r} sits on {sides} sides: no copy of an entrant plays against it"


def _outcome_complaints(leg: LegResult) -> Iterable[str]:
    if leg.unit not in UNITS:
        yield f"the unit {leg.unit!r} is none of {', '.join(UNITS)}"
    elif leg.end not in _ENDS_OF_UNIT[leg.unit]:
        yield f"the end {leg.end!r} in the unit {leg.unit!r}, where it is one of {', '.join(_ENDS_OF_UNIT[leg.unit])}"
    if (leg.end == "forfeit") != bool(leg.forfeited):
        yield f"it ended by {leg.end!r}, and {', '.join(map(repr, leg.forfeited)) or 'nobody'} forfeited"
    for what, names in (("winner", leg.winners), ("forfeited", leg.forfeited)):
        if len(set(names)) != len(names):
            yield f"{what}: {names!r} names somebody twice"
        for name in names:
            if name not in leg.seating:
                yield f"{what}: {name!r} has no seat in {leg.seating!r}"
    if leg.unit == BOARDS and leg.winners:
        yield f"winners {leg.winners!r}, but a board has none"
    if leg.unit == GAMES and leg.end != "forfeit" and not leg.winners:
        yield "a game that was played to its end has a winner"
    for fault in leg.faults:
        if fault.entrant not in leg.seating:
            yield f"a fault of {fault.entrant!r}, who has no seat in {leg.seating!r}"
        if fault.kind not in FAULT_KINDS:
            yield f"a fault of kind {fault.kind!r}, which is none of {', '.join(FAULT_KINDS)}"
        if fault.count < 1:
            yield f"{fault.count} faults of kind {fault.kind!r}"
    if len({(fault.entrant, fault.kind) for fault in leg.faults}) != len(leg.faults):
        yield "the same kind of fault of the same entrant is counted twice"


# --- sets ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SetResult:
    """All legs of one board together: what is counted, tested and rated."""

    night: str
    pairing: int
    variant: str
    board: int
    unit: str = BOARDS
    legs: int = 2
    scores: Mapping[str, float]
    """What decides the set, by rated entrant, higher is better: in the unit ``boards`` the points of its side over
    all legs (the sign turned in countdown games), in the unit ``games`` the games won (a shared first place is
    shared out)."""
    forfeited: frozenset[str] = frozenset()
    """Entrants that forfeited in any leg."""
    points: Mapping[str, float] = field(default_factory=dict)
    """Points over all legs by rated entrant, higher is better; the scores if left out."""
    partners: frozenset[frozenset[str]] = frozenset()
    """Pairs of entrants that shared a side; they are not compared."""
    faults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Count by kind, by rated entrant, of those who committed any."""

    def __post_init__(self) -> None:
        if not all(math.isfinite(score) for score in itertools.chain(self.scores.values(), self.points.values())):
            raise ResultError(f"{self.place}: a score is not a number: {dict(self.scores)} {dict(self.points)}")
        points = dict(self.points) if self.points else dict(self.scores)
        if set(points) != set(self.scores):
            raise ResultError(f"{self.place}: points of {sorted(points)}, scores of {sorted(self.scores)}")
        for name in (*self.forfeited, *self.faults):
            if name not in self.scores:
                raise ResultError(f"{self.place}: {name!r} did not play")
        object.__setattr__(self, "scores", MappingProxyType(dict(self.scores)))
        object.__setattr__(self, "points", MappingProxyType(points))

    def __reduce__(self) -> tuple[Any, ...]:
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values["scores"], values["points"] = dict(self.scores), dict(self.points)
        return _remake_set, (values,)

    @property
    def place(self) -> str:
        """The set in words, for messages."""
        return f"night {self.night!r}, pairing {self.pairing}, board {self.board}"

    @property
    def entrants(self) -> tuple[str, ...]:
        """The rated entrants, in order of name."""
        return tuple(sorted(self.scores))

    @property
    def opponents(self) -> tuple[tuple[str, str], ...]:
        """Every pair of entrants that this set compares, each pair and the pairs in order of name."""
        pairs = itertools.combinations(self.entrants, 2)
        return tuple(pair for pair in pairs if frozenset(pair) not in self.partners)

    def result(self, entrant: str, opponent: str) -> float:
        """Return 1.0 if *entrant* beat *opponent* over the set, 0.5 for a draw, 0.0 if it lost.

        Who forfeited loses, whatever the points; if both did, it is a draw. Raises ``KeyError`` for a stranger.
        """
        ours, theirs = self.scores[entrant], self.scores[opponent]
        if (entrant in self.forfeited) != (opponent in self.forfeited):
            return 0.0 if entrant in self.forfeited else 1.0
        if entrant in self.forfeited or ours == theirs:
            return 0.5
        return 1.0 if ours > theirs else 0.0


def _remake_set(values: dict[str, Any]) -> SetResult:
    return SetResult(**values)


def sets_of(legs: Iterable[LegResult]) -> list[SetResult]:
    """Return the whole sets among *legs*, in schedule order; a set that lacks a leg counts nowhere.

    Schedule order is pairing, then board, within a night; nights stay in the order in which they first appear.
    Raises :exc:`ResultError` for legs that contradict one another (the same leg twice, another variant or other
    entrants within a set).
    """
    nights: dict[str, int] = {}
    found: dict[tuple[int, int, int], dict[int, LegResult]] = {}
    for leg in legs:
        night = nights.setdefault(leg.night, len(nights))
        of_set = found.setdefault((night, leg.pairing, leg.board), {})
        if leg.leg in of_set:
            raise ResultError(f"{leg.place}: this leg is given twice")
        of_set[leg.leg] = leg
    ordered = (list(of_set.values()) for _, of_set in sorted(found.items(), key=lambda item: item[0]))
    return [set_of(of_set) for of_set in ordered if len(of_set) >= of_set[0].legs]


def set_of(legs: Collection[LegResult]) -> SetResult:
    """Return the result of the set that *legs* make. Raises :exc:`ResultError` if they are not one whole set."""
    ordered = sorted(legs, key=lambda leg: leg.leg)
    first = ordered[0]
    _check_set(ordered)
    points = {name: float(sum(_points_of(leg, name) for leg in ordered)) for name in first.entrants}
    scores = points if first.unit == BOARDS else {name: sum(_win_of(leg, name) for leg in ordered) for name in points}
    return SetResult(
        night=first.night,
        pairing=first.pairing,
        variant=first.variant,
        board=first.board,
        unit=first.unit,
        legs=first.legs,
        scores=scores,
        points=points,
        forfeited=frozenset(itertools.chain.from_iterable(leg.forfeited for leg in ordered)) - {HOUSE},
        partners=_partners(ordered),
        faults=_faults(ordered),
    )


def _check_set(legs: list[LegResult]) -> None:
    first = legs[0]
    if [leg.leg for leg in legs] != list(range(first.legs)):
        raise ResultError(f"{first.place}: legs {[leg.leg for leg in legs]} are not a set of {first.legs}")
    for leg in legs:
        for name in ("night", "pairing", "board", "variant", "unit", "legs", "sides", "counts_down"):
            if getattr(leg, name) != getattr(first, name):
                raise ResultError(
                    f"{leg.place}: {name} is {getattr(leg, name)!r}, but {getattr(first, name)!r} in leg {first.leg}"
                )
        if sorted(leg.seating) != sorted(first.seating):
            raise ResultError(f"{leg.place}: seated are {leg.seating!r}, but {first.seating!r} in leg {first.leg}")
    if len(legs) > 1:
        _check_balance(legs)


def _check_balance(legs: list[LegResult]) -> None:
    """Refuse a set in which luck cannot cancel: an entrant that had one side oftener than another."""
    for name in legs[0].entrants:
        times = Counter(leg.side_of(name) for leg in legs)
        if len(times) != len(legs[0].sides) or len(set(times.values())) != 1:
            raise ResultError(f"{legs[0].place}: {name!r} did not sit on every side equally often: {dict(times)}")


def _points_of(leg: LegResult, entrant: str) -> int:
    points = leg.points[leg.side_of(entrant)]
    return -points if leg.counts_down else points


def _win_of(leg: LegResult, entrant: str) -> float:
    """Return the entrant's share of the game: 1 for the only winner, a part of it for a shared first place."""
    if entrant not in leg.winners:
        return 0.0
    winning = {side for side, seats in enumerate(leg.sides) if any(leg.seating[seat] in leg.winners for seat in seats)}
    return 1.0 / len(winning)


def _partners(legs: list[LegResult]) -> frozenset[frozenset[str]]:
    return frozenset(
        frozenset(pair)
        for leg in legs
        for side in range(len(leg.sides))
        for pair in itertools.combinations(leg.entrants_of(side), 2)
    )


def _faults(legs: list[LegResult]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for fault in itertools.chain.from_iterable(leg.faults for leg in legs):
        if fault.entrant != HOUSE:
            counts.setdefault(fault.entrant, Counter())[fault.kind] += fault.count
    return {name: dict(count) for name, count in sorted(counts.items())}
