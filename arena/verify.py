"""Checks of a night from its journal alone: that nothing was changed, and that everything follows.

In this order, and the first thing that does not fit is named with its line and byte:

* every line has the form and the hash that follow from it and the line before it;
* the seed that the last line reveals is the one to which the first line is committed;
* every line says what it says in the one way of saying it;
* every board, dealt again from the seed, has the deck, the dealer and the number that were recorded;
* every action is one that the rules allow that seat then, those that nobody was asked for included, every fault
  was answered with the default, and every renege is marked;
* tricks, points and end of every hand, and end, points, winners and forfeits of every leg, are what the rules
  make of the actions, and who forfeits had as many strikes as the event allows;
* all legs of a set have the same boards, and every leg is one of the schedule that follows from the plan, in the
  seats of the schedule; in a night that is over none is missing whose pairing has no note to say why;
* the ratings that the last line states, and the legs that a results store holds, are what follows from the legs.

Two processes share the replaying.
"""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from arena.journal import (
    NO_HASH,
    DamagedJournal,
    LegKey,
    LegRecord,
    Line,
    Night,
    Note,
    Seating,
    body_of,
    find_journal,
    hash_of,
    leg_result,
    read_bytes,
    read_lines,
    tail_of,
)
from leaderboards.results import GAMES, LegResult, ResultError, sets_of
from referee.rules import Game, HandEnd, RulesError, Side, Variant, starting_totals
from referee.rules.relabel import relabel_deck
from referee.service.outcome import FaultKind, GameEnd
from referee.service.policy import Policy
from referee.service.record import DEFAULTED, RULES_VERSION, Json, RecordError, format_deck, to_text
from referee.service.shuffle import commitment, deck_for

if TYPE_CHECKING:
    from arena.schedule import Pairing
    from leaderboards.store import Store

WORKERS: Final = 2
RATING_TOLERANCE: Final = 0.11
"""Elo points by which ratings, rounded to a tenth, may differ between two machines' arithmetic."""
_BATCH_BYTES: Final = 1 << 20
"""Lines given to a worker at once."""
_SMALL_BYTES: Final = 1 << 20
"""Below this much text a second process would take longer to start than to help."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of bytes just checked, and of all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The first thing that does not fit."""

    line: int
    """From one; zero if it is in no line of the journal."""
    offset: int
    """Byte, from zero, in the text as it is before compression."""
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, byte {self.offset}: {self.message}" if self.line else self.message


@dataclass(slots=True, kw_only=True)
class Report:
    """What was checked, and what was found."""

    path: Path
    night: str = ""
    lines: int = 0
    is_over: bool = False
    """The night has been closed and its seed revealed."""
    decks_checked: bool = False
    legs: int = 0
    hands: int = 0
    actions: int = 0
    sets: int = 0
    notes: int = 0
    schedule_checked: bool = False
    ratings_checked: bool = False
    store_checked: bool = False
    instances_apart: bool = True
    """No instance sat at two legs of a set, so none saw a board twice."""
    last_hash: str = ""
    """Of the last line: two copies with the same one are the same journal."""
    seconds: float = 0.0
    problem: Problem | None = None

    @property
    def is_good(self) -> bool:
        """Tell whether everything fits."""
        return self.problem is None


class _Misfit(Exception):
    """Something does not fit."""

    def __init__(self, line: int, offset: int, message: str) -> None:
        super().__init__(line, offset, message)
        self.problem = Problem(line, offset, message)


# -- one leg -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Context:
    """What is needed to check a leg: the settings, who sat where, the seed once it is known."""

    night: str
    strikes: int
    max_hands: int
    seed: bytes | None = None
    seatings: dict[int, Seating] = field(default_factory=dict)


def check_leg(data: Mapping[str, Json], context: Context) -> LegRecord:
    """Return the leg of a line that fits.

    :raises RecordError: if the rules, the seed or the settings make something else of it.
    """
    leg = LegRecord.from_json(data, context.seatings)
    _check_boards(leg)
    if context.seed is not None:
        _check_decks(leg, context.seed)
    _check_points(leg)
    end, winners = _end_of(leg, context.max_hands)
    if leg.end is not end:
        raise RecordError(f"the leg ended by {leg.end.name}; by its hands it is {end.name}", field="end")
    if leg.seating.unit == GAMES and leg.winners != winners:
        raise RecordError(f"winners {list(leg.winners)}; by the totals they are {list(winners)}", field="winners")
    _check_faults(leg)
    _check_strikes(leg, context.strikes)
    return leg


def _check_boards(leg: LegRecord) -> None:
    """SRV-BOARD-1: the boards in turn, a claimed deal again, the dealer moving on with the board."""
    seats, first = leg.variant.seats, leg.seating.first_dealer
    board, redeal = (0, 0) if leg.seating.unit == GAMES else (leg.board, 0)
    for number, hand in enumerate(leg.hands):
        if (hand.board, hand.redeal) != (board, redeal):
            raise RecordError(
                f"hand {number} is deal {hand.board}.{hand.redeal}, it should be {board}.{redeal}",
                field="deal",
                hand=number,
            )
        if hand.dealer != (first + board) % seats:
            raise RecordError(
                f"hand {number}: seat {hand.dealer} deals, it should be seat {(first + board) % seats}",
                field="dealer",
                hand=number,
            )
        is_claimed = hand.result is not None and hand.result.end is HandEnd.CLAIMED
        board, redeal = (board, redeal + 1) if is_claimed else (board + 1, 0)


def _check_decks(leg: LegRecord, seed: bytes) -> None:
    variant, relabel = leg.variant, leg.seating.relabel
    for number, hand in enumerate(leg.hands):
        deck = deck_for(seed, variant, leg.deck_name, hand.board, hand.redeal)
        if relabel:
            deck = relabel_deck(variant, deck, relabel)
        if tuple(deck) != hand.deck:
            place = next(at for at, (left, right) in enumerate(zip(deck, hand.deck, strict=True)) if left != right)
            raise RecordError(
                f"hand {number}: the deck is not the one that follows from the seed, {format_deck(deck)}",
                field="deck",
                hand=number,
                place=place,
            )


def _check_points(leg: LegRecord) -> None:
    """Those of the leg are those of its hands; a forfeit gives what a forfeit gives."""
    variant = leg.variant
    before = starting_totals(variant)
    points = (0,) * len(variant.sides) if leg.hands else forfeit_points(variant, leg.forfeited)
    for number, hand in enumerate(leg.hands):
        gains = tuple(after - total for after, total in zip(hand.totals, before, strict=True))
        if hand.result is None and gains != forfeit_points(variant, leg.forfeited):
            wanted = list(forfeit_points(variant, leg.forfeited))
            raise RecordError(
                f"hand {number}: points {list(gains)}; a forfeit gives {wanted}", field="points", hand=number
            )
        points = tuple(total + gain for total, gain in zip(points, gains, strict=True))
        before = hand.totals
    if leg.points != points:
        raise RecordError(f"points {list(leg.points)}; those of its hands are {list(points)}", field="points")


def forfeit_points(variant: Variant, forfeited: Sequence[Side]) -> tuple[int, ...]:
    """Return what a forfeit changes the totals by, by side: every other side gains the renege award."""
    award = -variant.renege_award if variant.counts_down else variant.renege_award
    return tuple(0 if side in forfeited else award for side in range(len(variant.sides)))


def _end_of(leg: LegRecord, max_hands: int) -> tuple[GameEnd, tuple[Side, ...]]:
    """Return how the leg ended, by its hands, and who won."""
    if not leg.hands or leg.hands[-1].result is None:
        return GameEnd.FORFEIT, _left_ahead(leg)
    game = Game(leg.variant, leg.seating.first_dealer, max_hands)
    is_board = leg.seating.unit != GAMES
    for number, hand in enumerate(leg.hands):
        result = hand.result
        if result is None or game.outcome is not None:
            raise RecordError(f"hand {number} is not the last, but the leg ended with it", field="end", hand=number)
        game.finish_hand(result)
        if is_board and result.end is not HandEnd.CLAIMED and number + 1 < len(leg.hands):
            raise RecordError(f"hand {number} is not the last, but the board was over", field="end", hand=number)
    if is_board:
        is_claimed = leg.hands[-1].result.end is HandEnd.CLAIMED
        if not is_claimed:
            return GameEnd.BOARD, ()
        if len(leg.hands) >= max_hands:
            return GameEnd.HAND_LIMIT, ()
    if game.outcome is None:
        raise RecordError("the leg was not over after its last hand", field="end")
    return GameEnd.HAND_LIMIT if game.outcome.is_adjudicated else GameEnd.RULES, game.outcome.winners


def _left_ahead(leg: LegRecord) -> tuple[Side, ...]:
    """Return the sides with the best totals among those that did not forfeit."""
    variant = leg.variant
    totals = leg.hands[-1].totals if leg.hands else leg.points
    others = [side for side in range(len(variant.sides)) if side not in leg.forfeited]
    best = (min if variant.counts_down else max)((totals[side] for side in others), default=0)
    return tuple(side for side in others if totals[side] == best)


_TOLD: Final = (FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.RENEGE)
"""Faults that stand in the list of the leg each time they stand at an action."""


def _check_faults(leg: LegRecord) -> None:
    """Compare the list of faults with the marks at the actions; a forfeit has one without an action."""
    marked = Counter(
        (done.fault, done.seat, hand.number)
        for hand in leg.hands
        for done in hand.actions
        if done.fault is not None and done.fault in _TOLD
    )
    told = Counter((fault.kind, fault.seat, fault.hand) for fault in leg.faults if fault.kind in _TOLD)
    seats = range(leg.variant.seats)
    if any(fault.seat not in seats for fault in leg.faults):
        raise RecordError("a fault of a seat that there is not", field="faults")
    if marked - told:
        kind, seat, hand = next(iter(marked - told))
        raise RecordError(
            f"hand {hand}: a {_word(kind)} of seat {seat} is not among the faults", hand=hand, field="play"
        )
    unplayed = told - marked
    if unplayed.total() > (1 if leg.forfeited else 0):
        kind, seat, hand = next(iter(unplayed))
        raise RecordError(f"a {_word(kind)} of seat {seat} in hand {hand} that is at no action", field="faults")


def _word(kind: FaultKind | None) -> str:
    return kind.name.lower() if kind is not None else ""


def _check_strikes(leg: LegRecord, strikes: int) -> None:
    """Count the strikes: at so many a side forfeits, and not before."""
    side_of = leg.variant.side_of
    count = Counter(side_of[done.seat] for hand in leg.hands for done in hand.actions if done.fault in DEFAULTED)
    by_fault = {side_of[fault.seat] for fault in leg.faults if fault.kind is FaultKind.FORFEIT}
    if set(leg.forfeited) != by_fault or len(by_fault) != len(leg.forfeited):
        raise RecordError(
            f"sides {list(leg.forfeited)} forfeited, and faults say {sorted(by_fault)}", field="forfeited"
        )
    if bool(leg.forfeited) != (leg.end is GameEnd.FORFEIT):
        raise RecordError(f"the leg ended by {leg.end.name}", field="end")
    for side in range(len(leg.variant.sides)):
        # The strike by which a side forfeits has no action any more; a side that never came had none at all.
        allowed = strikes - 1
        if count[side] > allowed or (leg.hands and side in leg.forfeited and count[side] != allowed):
            raise RecordError(f"side {side} had {count[side]} strikes before the end; at {strikes} it forfeits")


# -- one line ----------------------------------------------------------------------------------------


def offset_in(raw: bytes, error: RecordError) -> int:
    """Return the place in a line of what *error* complains about, as near as it says."""
    at = 0
    for _ in range(error.hand + 1):
        at = max(raw.find(b'{"deal":', at + 1), 0)
    if not error.field:
        return at
    key = f'"{error.field}":'.encode()
    found = raw.find(key, at) if error.hand >= 0 else raw.rfind(key)
    if found < 0:
        return at
    at = found + len(key)
    if error.place >= 0:
        at += 1
        if error.field == "deck":
            return at + 2 * error.place
        for _ in range(error.place):
            at = raw.find(b" ", at) + 1
    return at


def _check_wording(line: Line, data: Mapping[str, Json]) -> None:
    """Refuse a line that says *data* in another way than the journal would."""
    body, wanted = body_of(line.raw), to_text(dict(data))[:-1].encode()
    if body != wanted:
        same = next(
            (at for at, (left, right) in enumerate(zip(body, wanted, strict=False)) if left != right),
            min(len(body), len(wanted)),
        )
        said, instead = body[same : same + 24].decode("ascii", "replace"), wanted[same : same + 24].decode()
        raise _Misfit(line.number, line.offset + same, f"here stands {said!r}; it would be written {instead!r}")


def _seating_number(data: Mapping[str, Json], known_seatings: int) -> int:
    number = data["seating"]
    if not isinstance(number, int) or not 0 <= number < known_seatings:
        raise RecordError(f"no line before this describes seating {number}", field="seating")
    return number


def _check_leg_line(line: Line, known_seatings: int, context: Context) -> tuple[int, LegRecord]:
    """Return the number of the seating and the leg of a line that fits, or raise :class:`_Misfit`."""
    try:
        data = line.json()
        number = _seating_number(data, known_seatings)
        leg = check_leg(data, context)
    except json.JSONDecodeError as error:
        raise _Misfit(line.number, line.offset + error.pos, f"this is no JSON: {error.msg}") from None
    except RecordError as error:
        raise _Misfit(line.number, line.offset + offset_in(line.raw, error), str(error)) from None
    except (RulesError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise _Misfit(line.number, line.offset, f"this is no leg: {error!r}") from None
    _check_wording(line, leg.to_json(number))
    return number, leg


@dataclass(frozen=True, slots=True)
class _Leg:
    """What is kept of a leg that fits."""

    line: int
    offset: int
    seating: int
    deck_name: str
    result: LegResult
    """Without the hands."""


@dataclass(slots=True)
class _Batch:
    """What a number of legs came to."""

    legs: list[_Leg] = field(default_factory=list)
    hands: int = 0
    actions: int = 0
    bytes: int = 0
    problem: Problem | None = None


_Item: TypeAlias = tuple[Line, int]
"""The line of a leg, and how many seatings were described before it."""


def _check_batch(items: Sequence[_Item], context: Context) -> _Batch:
    """Check legs up to the first that does not fit."""
    batch = _Batch()
    for line, known_seatings in items:
        try:
            number, leg = _check_leg_line(line, known_seatings, context)
            result = leg_result(context.night, leg, with_hands=False)
        except _Misfit as misfit:
            batch.problem = misfit.problem
            break
        except ResultError as error:
            batch.problem = Problem(line.number, line.offset, str(error))
            break
        batch.legs.append(_Leg(line.number, line.offset, number, leg.deck_name, result))
        batch.hands += len(leg.hands)
        batch.actions += sum([len(hand.actions) for hand in leg.hands])
        batch.bytes += len(line.raw) + 1
    return batch


# -- the whole ---------------------------------------------------------------------------------------


def verify(
    path: Path,
    *,
    seed: bytes | None = None,
    store: Store | None = None,
    workers: int = WORKERS,
    progress: Progress | None = None,
) -> Report:
    """Return what came of checking the journal at *path*, a file or the directory of a night.

    *seed* checks the decks of a night that has not revealed its own yet. *store* is compared with the legs.
    *progress* is called now and then.

    :raises JournalError: if there is no journal.
    """
    started = time.perf_counter()
    check = _Verification(find_journal(path), seed, store, workers, progress or (lambda done, total: None))
    try:
        check.run()
    except _Misfit as misfit:
        check.report.problem = misfit.problem
    except DamagedJournal as damage:
        check.report.problem = check.locate(damage)
    check.report.seconds = time.perf_counter() - started
    return check.report


class _Verification:
    """One journal being verified."""

    def __init__(self, path: Path, seed: bytes | None, store: Store | None, workers: int, progress: Progress) -> None:
        self.report = Report(path=path)
        self._path = path
        self._seed = seed
        self._store = store
        self._workers = workers
        self._progress = progress
        self._night: Night | None = None
        self._context = Context("", 0, 0, seed)
        self._end: tuple[Line, Mapping[str, Json]] | None = None
        self._notes: list[Note] = []
        self._legs: list[_Leg] = []
        self._bytes = 0

    def run(self) -> None:
        """Check everything, or raise at the first thing that does not fit."""
        self._read()
        self._replay()
        self._check_keys()
        self._check_schedule()
        self._check_sets()
        self._check_end()
        self._check_store()

    # -- all lines but the legs ----------------------------------------------------------------------

    def _read(self) -> None:
        """Check the chain and every line that is no leg."""
        report = self.report
        for line in read_lines(self._path):
            report.lines, report.last_hash = line.number, line.sha
            self._bytes += len(line.raw) + 1
            if self._end is not None:
                raise _Misfit(line.number, line.offset, "a line after the one that closes the night")
            if line.kind == "leg" and line.number > 1:
                report.legs += 1
            else:
                self._read_other(line)
        if self._night is None:
            raise _Misfit(1, 0, "the journal is empty")
        report.is_over = self._end is not None
        report.decks_checked = self._context.seed is not None

    def _read_other(self, line: Line) -> None:
        try:
            data = line.json()
            wanted = self._understood(line, data)
        except json.JSONDecodeError as error:
            raise _Misfit(line.number, line.offset + error.pos, f"this is no JSON: {error.msg}") from None
        except RecordError as error:
            raise _Misfit(line.number, line.offset + offset_in(line.raw, error), str(error)) from None
        except (RulesError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise _Misfit(line.number, line.offset, f"this line does not hold together: {error!r}") from None
        _check_wording(line, wanted)

    def _understood(self, line: Line, data: Mapping[str, Json]) -> Mapping[str, Json]:
        """Remember what a line says; return it as the journal would write it."""
        kind = data.get("kind")
        if (kind == "night") != (line.number == 1):
            raise RecordError("the first line opens the night, and no other does", field="kind")
        match kind:
            case "night":
                return self._open_night(Night.from_json(data))
            case "seating":
                number = len(self._context.seatings)
                seating = Seating.from_json(data)
                if self._night is not None and seating.variant not in self._night.variants:
                    raise RecordError(f"the night does not play {seating.variant}", field="variant")
                self._context.seatings[number] = seating
                return seating.to_json(number)
            case "note":
                note = Note.from_json(data)
                self._notes.append(note)
                self.report.notes += 1
                return note.to_json()
            case "end":
                return self._close_night(line, data)
            case _:
                raise RecordError(f"no line is of the kind {kind!r}", field="kind")

    def _open_night(self, night: Night) -> Mapping[str, Json]:
        if night.rules != RULES_VERSION:
            raise RecordError(
                f"the night was played by version {night.rules} of the rules; this program has {RULES_VERSION}",
                field="rules",
            )
        self._night = night
        self.report.night = night.name
        policy = night.policy or {}
        self._context.night = night.name
        self._context.strikes = cast("int", policy.get("strikes", Policy().strikes))
        self._context.max_hands = cast("int", policy.get("max_hands", Policy().max_hands))
        if self._seed is not None and commitment(self._seed) != night.commitment:
            raise RecordError("the seed given is not the one to which this night is committed", field="commitment")
        return night.to_json()

    def _close_night(self, line: Line, data: Mapping[str, Json]) -> Mapping[str, Json]:
        seed = data.get("seed")
        revealed = bytes.fromhex(seed) if isinstance(seed, str) else b""
        if self._night is None or commitment(revealed) != self._night.commitment:
            raise RecordError("the seed is not the one to which the first line is committed", field="seed")
        self._context.seed = revealed
        self._end = line, data
        end: dict[str, Json] = {"kind": "end", "legs": self.report.legs, "notes": self.report.notes}
        if "ratings" in data:
            end["ratings"] = data["ratings"]
        end["seed"] = revealed.hex()
        return end

    # -- the legs ------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[list[_Item]]:
        items: list[_Item] = []
        size = known_seatings = 0
        for line in read_lines(self._path):
            if line.kind == "seating":
                known_seatings += 1
            elif line.kind == "leg":
                items.append((line, known_seatings))
                size += len(line.raw)
            if size >= _BATCH_BYTES:
                yield items
                items, size = [], 0
        if items:
            yield items

    def _replay(self) -> None:
        """Check every leg; raise at the first that does not fit, in the order of the lines."""
        if self._workers < 2 or self._bytes < _SMALL_BYTES:
            for items in self._batches():
                self._take(_check_batch(items, self._context))
            return
        # Spawned, not forked: whoever calls may have threads.
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(self._workers, context) as pool:
            waiting: list[concurrent.futures.Future[_Batch]] = []
            try:
                for items in self._batches():
                    waiting.append(pool.submit(_check_batch, items, self._context))
                    if len(waiting) > 2 * self._workers:
                        self._take(waiting.pop(0).result())
                while waiting:
                    self._take(waiting.pop(0).result())
            finally:
                pool.shutdown(cancel_futures=True)

    def _take(self, batch: _Batch) -> None:
        self._legs += batch.legs
        self.report.hands += batch.hands
        self.report.actions += batch.actions
        self._progress(batch.bytes, self._bytes)
        if batch.problem is not None:
            raise _Misfit(batch.problem.line, batch.problem.offset, batch.problem.message)

    # -- what follows from the legs ------------------------------------------------------------------

    def _check_keys(self) -> None:
        """No leg twice."""
        lines: dict[LegKey, int] = {}
        for leg in self._legs:
            key = leg.result.key[1:]
            if key in lines:
                raise _Misfit(leg.line, leg.offset, f"the leg of line {lines[key]} a second time: {leg.result.place}")
            lines[key] = leg.line

    def _check_sets(self) -> None:
        """All legs of a set on the same boards, in seats that balance."""
        sets: dict[tuple[int, int], list[_Leg]] = {}
        for leg in self._legs:
            sets.setdefault((leg.result.pairing, leg.result.board), []).append(leg)
        for legs in sets.values():
            first = self._context.seatings[legs[0].seating]
            sat: list[str] = []
            for leg in legs:
                seating = self._context.seatings[leg.seating]
                if (leg.deck_name, seating.first_dealer) != (legs[0].deck_name, first.first_dealer):
                    raise _Misfit(leg.line, leg.offset, f"not the boards of the leg in line {legs[0].line}, of one set")
                sat += dict.fromkeys(seating.instances)
            if len(set(sat)) != len(sat):
                self.report.instances_apart = False
            try:
                self.report.sets += len(sets_of(leg.result for leg in legs))
            except ResultError as error:
                raise _Misfit(legs[-1].line, legs[-1].offset, str(error)) from None

    def _check_schedule(self) -> None:
        """Every leg is of the schedule, in its seats; in a night that is over none is missing without a note."""
        night = self._night
        if night is None or not {"variants", "bots", "boards", "play"} <= set(night.plan):
            return
        from arena.schedule import Event, Unit
        from referee.rules import parse_variant

        plan = night.plan
        event = Event(
            variants=tuple(parse_variant(text) for text in cast("list[str]", plan["variants"])),
            entrants=tuple(cast("list[str]", plan["bots"])),
            boards=cast("int", plan["boards"]),
            unit=cast("Unit", plan["play"]),
        )
        pairings: dict[int, Pairing] = {pairing.number: pairing for pairing in event.pairings()}
        for leg in self._legs:
            complaint = _unscheduled(leg, self._context.seatings[leg.seating], pairings)
            if complaint:
                raise _Misfit(leg.line, leg.offset, f"{leg.result.place}: {complaint}")
        if self._end is not None:
            self._check_complete(pairings)
        self.report.schedule_checked = True

    def _check_complete(self, pairings: Mapping[int, Pairing]) -> None:
        excused = {note.pairing for note in self._notes}
        if None in excused or self._end is None:
            return
        played = {leg.result.key[1:] for leg in self._legs}
        line = self._end[0]
        for number, pairing in pairings.items():
            if number in excused:
                continue
            for board in range(pairing.boards):
                for leg in range(pairing.legs):
                    if (number, board, leg) not in played:
                        message = f"pairing {number}, board {board}, leg {leg} is missing, and no note says why"
                        raise _Misfit(line.number, line.offset, message)

    def _check_end(self) -> None:
        """Compare the ratings of the last line with those that follow."""
        if self._end is None or "ratings" not in self._end[1]:
            return
        line, data = self._end
        wanted = ratings_of([leg.result for leg in self._legs])
        for place, said, follows in differences(data["ratings"], wanted):
            at = offset_in(line.raw, RecordError("", field="ratings"))
            raise _Misfit(line.number, line.offset + at, f"rating {place} is {said}; from the legs it is {follows}")
        self.report.ratings_checked = True

    def _check_store(self) -> None:
        """Compare the store: it holds these legs, as they are, and no others."""
        if self._store is None or self._night is None:
            return
        kept = {leg.key: leg for leg in self._store.each_leg(self._night.name, records=False)}
        for leg in self._legs:
            stored = kept.pop(leg.result.key, None)
            if stored is None:
                raise _Misfit(leg.line, leg.offset, f"the store lacks {leg.result.place}")
            for name, value in leg.result.to_dict().items():
                if value != stored.to_dict()[name]:
                    raise _Misfit(
                        leg.line,
                        leg.offset,
                        f"the store says of {leg.result.place}: {name} is {stored.to_dict()[name]!r}; it is {value!r}",
                    )
        for stored in kept.values():
            raise _Misfit(0, 0, f"the store has {stored.place}, which is not in the journal")
        self.report.store_checked = True

    # -- a line whose hash does not fit --------------------------------------------------------------

    def locate(self, damage: DamagedJournal) -> Problem:
        """Return what is wrong with a line whose hash does not fit, to the byte if the rules can tell."""
        here = Problem(damage.line, damage.offset, damage.message)
        if damage.line == 0:
            return here
        with read_bytes(self._path) as file:
            lines = file.read().split(b"\n")
        raw = lines[damage.line - 1]
        start = sum(len(before) + 1 for before in lines[: damage.line - 1])
        line = Line(damage.line, start, raw, "")
        at = _damaged_hash(lines, damage.line, self.report.last_hash)
        if at is not None:
            return Problem(damage.line, start + at, f"{damage.message} (the hash itself)")
        self._context.seed = self._seed or self._revealed_seed(lines)
        try:
            if line.kind == "leg":
                _check_leg_line(line, len(self._context.seatings), self._context)
            else:
                self._read_other(line)
        except _Misfit as misfit:
            found = misfit.problem
            return Problem(found.line, found.offset, f"{damage.message}; {found.message}")
        except Exception:  # noqa: BLE001 - a damaged line may break anything; its hash is wrong all the same
            return here
        return here

    def _revealed_seed(self, lines: Sequence[bytes]) -> bytes | None:
        """Return the seed of the last line if it is the one committed to, whatever else is damaged."""
        try:
            seed = bytes.fromhex(json.loads(lines[-2])["seed"])
        except (ValueError, KeyError, TypeError, IndexError):
            return None
        return seed if self._night is not None and commitment(seed) == self._night.commitment else None


def _damaged_hash(lines: Sequence[bytes], number: int, previous: str) -> int | None:
    """Return where in line *number* its own hash was changed, if the line itself and the next one are whole."""
    raw = lines[number - 1]
    sha = hash_of(previous or NO_HASH, body_of(raw))
    tail = raw[len(body_of(raw)) :]
    wanted = tail_of(sha)
    if len(tail) != len(wanted):
        return None
    different = [at for at, (left, right) in enumerate(zip(tail, wanted, strict=True)) if left != right]
    following = lines[number] if number < len(lines) else b""
    is_followed = following and following.endswith(tail_of(hash_of(sha, body_of(following))))
    if is_followed or len(different) == 1:
        return len(raw) - len(tail) + different[0]
    return None


def _unscheduled(leg: _Leg, seating: Seating, pairings: Mapping[int, Pairing]) -> str:
    """Return what of a leg is not as the schedule has it, or nothing."""
    result = leg.result
    pairing = pairings.get(result.pairing)
    if pairing is None:
        return "the schedule has no such pairing"
    if result.variant != pairing.variant.id:
        return f"the schedule has {pairing.variant.id}"
    if result.board >= pairing.boards or result.legs != pairing.legs:
        return f"the schedule has {pairing.boards} boards in {pairing.legs} legs"
    seats = pairing.seatings(result.board)[result.leg]
    if seating.entrants != seats:
        return f"the schedule seats {', '.join(seats)}"
    is_game = result.unit == GAMES
    name = f"{pairing.match}/{result.board}" if is_game else pairing.match
    if leg.deck_name != name:
        return f"its decks are named {leg.deck_name!r}, by the schedule {name!r}"
    dealer = result.board % pairing.variant.seats if is_game else 0
    return f"seat {dealer} deals board 0 by the schedule" if seating.first_dealer != dealer else ""


# -- ratings -----------------------------------------------------------------------------------------


def ratings_of(results: Iterable[LegResult]) -> dict[str, Json]:
    """Return the ratings that follow from legs in any order: by pool, by entrant, Elo and half the 95 % interval
    rounded to a tenth, then sets won, drawn and lost.
    """
    from leaderboards.conduct import counted
    from leaderboards.ratings import fit_pools

    legs = counted(sorted(results, key=lambda leg: leg.key))
    tables = fit_pools(sets_of(legs), sorted({name for leg in legs for name in leg.entrants}))
    return {
        pool: {
            row.entrant: [_rounded(row.elo), _rounded(row.error95), row.wins, row.draws, row.losses]
            for row in sorted(table.rows, key=lambda row: row.entrant)
        }
        for pool, table in tables.items()
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1) + 0.0


def differences(said: Json, follows: Json, place: str = "") -> Iterator[tuple[str, Json, Json]]:
    """Yield where two ratings differ by more than rounding: the place, what is said, what follows."""
    if isinstance(said, dict) and isinstance(follows, dict):
        for key in dict.fromkeys([*said, *follows]):
            yield from differences(said.get(key), follows.get(key), f"{place}/{key}".lstrip("/"))
    elif isinstance(said, list) and isinstance(follows, list) and len(said) == len(follows):
        for number, (left, right) in enumerate(zip(said, follows, strict=True)):
            yield from differences(left, right, f"{place}[{number}]")
    elif isinstance(said, float) and isinstance(follows, float):
        if not abs(said - follows) <= RATING_TOLERANCE:
            yield place, said, follows
    elif type(said) is not type(follows) or said != follows:
        yield place, said, follows


# -- for people --------------------------------------------------------------------------------------


def format_report(report: Report) -> list[str]:
    """Return the report as lines: what was checked, then whether it fits."""
    lines = [f"{report.path}: night {report.night!r}" if report.night else f"{report.path}"]
    if report.problem is not None:
        return [*lines, f"does not fit: {report.problem}"]
    state = "closed, its seed revealed" if report.is_over else "not closed yet"
    lines.append(f"  {report.lines:,} lines, each with the right hash; {state}; last hash {report.last_hash}")
    decks = (
        "decks dealt again from the seed" if report.decks_checked else "decks NOT checked: the seed is not known yet"
    )
    lines.append(f"  {report.legs:,} legs, {report.hands:,} hands, {report.actions:,} actions replayed; {decks}")
    if report.schedule_checked:
        lines.append("  every leg is one of the schedule" + (", and none is missing" if report.is_over else ""))
    else:
        lines.append("  schedule NOT checked: the plan is not one of a night file")
    lines.append(
        f"  {report.sets:,} whole sets; "
        + ("ratings computed again" if report.ratings_checked else "no ratings stated")
        + ("; the store holds the same" if report.store_checked else "")
    )
    if not report.instances_apart:
        lines.append("  an instance sat at several legs of one board: isolation was none")
    lines.append(f"everything fits ({report.seconds:.1f} s)")
    return lines
