"""The journal of a night: one append-only file of JSON Lines, the truth from which all else is derived.

The file holds, in this order: a line that opens the night, one line for every finished leg and every note in the
order in which they were finished, and a line that closes the night and reveals its seed. Before the first leg of a
seating stands a line that describes the seating, so that the legs need not repeat it. Every line ends with a hash
over itself and the hash of the line before (``sha``), so no byte can change, and no line can go, come or change
places, without the rest of the file saying so. ``docs/record.md`` describes every field.

There is one writer: the process that holds the lock on the file. A line is on the disk before
:meth:`Journal.add_legs` returns, and only then may anybody be told the result. After ``kill -9`` the file may end in
a torn line, which was told to nobody; opening cuts it off. A closed journal is compressed, and read like any other.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import json
import os
import secrets
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Self, TypeAlias, cast

from arena.errors import InfrastructureError, OperatorError
from leaderboards.results import BOARDS, GAMES, UNITS, FaultCount, LegResult
from referee.rules import Hand, RulesError, Seat, Side, Variant, parse_variant
from referee.service.outcome import FaultKind, FaultRecord, GameEnd, HandRecord, TableResult
from referee.service.record import (
    RULES_VERSION,
    WIRE_VERSION,
    Json,
    RecordError,
    format_hands,
    integers,
    read_hands,
    to_text,
)
from referee.service.shuffle import SEED_BYTES, commitment

if TYPE_CHECKING:
    from leaderboards.store import Store

FORMAT: Final = 1
"""Version of the file format."""
JOURNAL_NAME: Final = "journal.jsonl"
"""The name of a journal in the directory of its night."""
SEED_NAME: Final = "seed"
"""The name of the secret seed beside it, until the journal has revealed it."""
NO_HASH: Final = "0" * 64
"""What stands for the hash of the line before the first."""
LONGEST_MESSAGE: Final = 500
"""Characters kept of the sentence of a fault or a note."""

_TAIL: Final = b',"sha":"'
_TAIL_BYTES: Final = len(_TAIL) + 64 + len('"}')
_END_WORDS: Final = {
    GameEnd.RULES: "rules",
    GameEnd.BOARD: "board",
    GameEnd.HAND_LIMIT: "hand-limit",
    GameEnd.FORFEIT: "forfeit",
}
_ENDS: Final = {word: end for end, word in _END_WORDS.items()}
_FAULTS: Final = {kind.name.lower(): kind for kind in FaultKind}

LegKey: TypeAlias = tuple[int, int, int]
"""(pairing, board, leg): what a leg of a night is known by."""


class JournalError(OperatorError):
    """A journal that is not there, not of this night, closed, or in use. The text says what to do."""


class JournalWriteError(InfrastructureError):
    """The disk would not take it. What was recorded before is still there."""


class DamagedJournal(JournalError):
    """A byte that does not fit."""

    def __init__(self, path: Path, line: int, offset: int, message: str) -> None:
        super().__init__(f"{path.name}, line {line}, byte {offset}: {message}")
        self.path = path
        self.line = line
        """From one."""
        self.offset = offset
        """From zero, in the text as it is before compression."""
        self.message = message


# -- what the lines say ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What the first line says: the event, as it was fixed before the first deal."""

    name: str
    plan: Mapping[str, Json]
    """The night as planned; any JSON."""
    commitment: str
    """SHA-256 of the seed, in hexadecimal."""
    variants: tuple[str, ...]
    """Canonical ids of all that is played."""
    entrants: tuple[str, ...] = ()
    policy: Mapping[str, Json] | None = None
    """The settings of clocks and faults."""
    started: str = ""
    """When, in UTC, for people; not compared when a night goes on."""
    rules: str = RULES_VERSION
    wire: str = WIRE_VERSION

    def to_json(self) -> dict[str, Json]:
        """Return the line."""
        return {
            "kind": "night",
            "format": FORMAT,
            "night": self.name,
            "started": self.started,
            "rules": self.rules,
            "wire": self.wire,
            "commitment": self.commitment,
            "entrants": list(self.entrants),
            "variants": {variant.id: dict(variant.options) for variant in map(variant_of, self.variants)},
            "policy": _sorted_json(dict(self.policy or {})),
            "plan": _sorted_json(dict(self.plan)),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Night:
        """Return what a line says.

        :raises RecordError: if it is no such line, or of another format.
        """
        if data.get("kind") != "night":
            raise RecordError("this is not the first line of a journal")
        if data.get("format") != FORMAT:
            raise RecordError(f"format {data.get('format')}; this program reads format {FORMAT}")
        try:
            return cls(
                name=cast("str", data["night"]),
                plan=cast("Mapping[str, Json]", data["plan"]),
                commitment=cast("str", data["commitment"]),
                variants=tuple(cast("Mapping[str, Json]", data["variants"])),
                entrants=tuple(cast("list[str]", data["entrants"])),
                policy=cast("Mapping[str, Json]", data["policy"]),
                started=cast("str", data["started"]),
                rules=cast("str", data["rules"]),
                wire=cast("str", data["wire"]),
            )
        except KeyError as missing:
            raise RecordError(f"the first line does not say {missing}") from None


def _sorted_json(value: Json) -> Json:
    """Return *value* with all keys sorted, as plain JSON values; tuples become lists."""
    return cast("Json", json.loads(json.dumps(value, sort_keys=True, allow_nan=False)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Who sat where, for all boards of one leg number of one pairing."""

    pairing: int
    variant: str
    """Canonical id."""
    leg: int
    legs: int
    """Legs of a whole set."""
    match: str
    """The name under which the decks are dealt (``referee.service.shuffle``)."""
    first_dealer: Seat
    entrants: tuple[str, ...]
    """By seat."""
    instances: tuple[str, ...]
    """By seat."""
    unit: str = BOARDS
    relabel: str = ""
    """What S C H D were renamed to (SRV-RELABEL-1); empty: nothing was."""

    def to_json(self, number: int) -> dict[str, Json]:
        """Return the line of seating *number*."""
        data: dict[str, Json] = {"kind": "seating", "seating": number}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "relabel" or value:
                data[item.name] = list(value) if isinstance(value, tuple) else value
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Seating:
        """Return what a line says.

        :raises RecordError: if it does not fit together.
        """
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
        values.pop("kind")
        values.pop("seating")
        values.pop("sha", None)
        try:
            seating = cls(**values)  # type: ignore[arg-type]
            seats = variant_of(seating.variant).seats
        except (TypeError, RulesError) as error:
            raise RecordError(f"this is no seating: {error}") from None
        if len(seating.entrants) != seats or len(seating.instances) != seats:
            raise RecordError(f"{seating.variant} has {seats} seats")
        if not (0 <= seating.leg < seating.legs and 0 <= seating.first_dealer < seats and seating.unit in UNITS):
            raise RecordError(f"leg {seating.leg} of {seating.legs}, dealer {seating.first_dealer}, {seating.unit!r}")
        return seating


@lru_cache(maxsize=256)
def variant_of(text: str) -> Variant:
    """Return the variant of a canonical id.

    :raises RulesError: if there is none.
    """
    return parse_variant(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegRecord:
    """One finished leg, as it was played."""

    seating: Seating
    board: int
    """In the unit ``games``: the number of the game in its pairing."""
    hands: tuple[HandRecord, ...]
    end: GameEnd
    points: tuple[int, ...]
    """By side."""
    winners: tuple[Side, ...] = ()
    """In the unit ``games``: the winning side, or all that share the first place."""
    forfeited: tuple[Side, ...] = ()
    faults: tuple[FaultRecord, ...] = ()
    match: str = ""
    """The name under which the decks are dealt, if not that of the seating."""

    @classmethod
    def of(cls, seating: Seating, board: int, result: TableResult, *, match: str = "") -> LegRecord:
        """Return the record of a table that has ended.

        :raises ValueError: if it was stopped; a stopped leg counts nowhere and is played again.
        """
        if result.end is GameEnd.STOPPED:
            raise ValueError(f"pairing {seating.pairing}, board {board}, leg {seating.leg} was stopped")
        return cls(
            seating=seating,
            board=board,
            hands=result.hands,
            end=result.end,
            points=result.points,
            winners=result.winners if seating.unit == GAMES else (),
            forfeited=result.forfeited,
            faults=tuple(fault for fault in result.faults if fault.kind is not FaultKind.STALE),
            match="" if match == seating.match else match,
        )

    @property
    def key(self) -> LegKey:
        """What the leg is known by."""
        return self.seating.pairing, self.board, self.seating.leg

    @property
    def variant(self) -> Variant:
        """The game."""
        return variant_of(self.seating.variant)

    @property
    def deck_name(self) -> str:
        """The name under which its decks are dealt."""
        return self.match or self.seating.match

    def to_json(self, seating_number: int) -> dict[str, Json]:
        """Return the line."""
        data: dict[str, Json] = {"kind": "leg", "seating": seating_number, "board": self.board}
        if self.match:
            data["match"] = self.match
        data["hands"] = format_hands(self.variant, self.hands)
        data["end"] = _END_WORDS[self.end]
        data["points"] = list(self.points)
        if self.seating.unit == GAMES:
            data["winners"] = list(self.winners)
        if self.forfeited:
            data["forfeited"] = list(self.forfeited)
        if self.faults:
            data["faults"] = [
                [fault.kind.name.lower(), fault.seat, fault.hand, fault.message[:LONGEST_MESSAGE]]
                for fault in self.faults
            ]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Json], seatings: Mapping[int, Seating]) -> LegRecord:
        """Return what a line says; its hands have been replayed through the rules.

        :raises RecordError: if it does not fit together.
        """
        return cls.with_replays(data, seatings)[0]

    @classmethod
    def with_replays(
        cls, data: Mapping[str, Json], seatings: Mapping[int, Seating]
    ) -> tuple[LegRecord, tuple[Hand, ...]]:
        """Return what a line says, and every hand as replayed.

        :raises RecordError: if it does not fit together.
        """
        number = data.get("seating")
        seating = seatings.get(number) if isinstance(number, int) else None
        if seating is None:
            raise RecordError(f"no line before this describes seating {number}")
        end = _ENDS.get(str(data.get("end")))
        if end is None:
            raise RecordError(f"no leg ends by {data.get('end')!r}")
        variant = variant_of(seating.variant)
        sides = len(variant.sides)
        hands = read_hands(variant, data.get("hands"))
        (board,) = integers([data.get("board")], "board")
        match = data.get("match", "")
        if not isinstance(match, str):
            raise RecordError("match is a text")
        record = cls(
            seating=seating,
            board=board,
            hands=tuple(record for record, _ in hands),
            end=end,
            points=integers(data.get("points"), "points", sides),
            winners=integers(data.get("winners", []), "winners"),
            forfeited=integers(data.get("forfeited", []), "forfeited"),
            faults=tuple(_fault_from_json(item) for item in cast("list[Json]", data.get("faults", []))),
            match=match,
        )
        return record, tuple(hand for _, hand in hands)


def _fault_from_json(value: Json) -> FaultRecord:
    match value:
        case [str(kind), int(seat), int(hand), str(message)] if kind in _FAULTS:
            return FaultRecord(kind=_FAULTS[kind], seat=seat, hand=hand, message=message)
        case _:
            raise RecordError(f"{json.dumps(value)} is no fault; it is the kind, the seat, the hand and a sentence")


def leg_result(night: str, leg: LegRecord, *, with_hands: bool = True) -> LegResult:
    """Return a leg as the results store keeps it. Everything in it follows from the record."""
    seating, variant = leg.seating, leg.variant
    seats_of = [{seating.entrants[seat] for seat in seats} for seats in variant.sides]
    faults = Counter((seating.entrants[fault.seat], fault.kind.name.lower()) for fault in leg.faults)
    done = [action for hand in leg.hands for action in hand.actions if not action.forced]
    return LegResult(
        night=night,
        pairing=seating.pairing,
        variant=seating.variant,
        board=leg.board,
        leg=seating.leg,
        legs=seating.legs,
        unit=seating.unit,
        seating=seating.entrants,
        sides=variant.sides,
        counts_down=variant.counts_down,
        points=leg.points,
        end=_END_WORDS[leg.end],
        winners=tuple(sorted(set().union(*(seats_of[side] for side in leg.winners)))),
        forfeited=tuple(sorted(set().union(*(seats_of[side] for side in leg.forfeited)))),
        faults=tuple(FaultCount(entrant, kind, count) for (entrant, kind), count in sorted(faults.items())),
        hands=len(leg.hands),
        decisions=len(done),
        seconds=sum(action.milliseconds for action in done) / 1000,
        record=to_text(format_hands(variant, leg.hands)) if with_hands else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that happened beside the tables: a no-show, a quarantine, an infrastructure fault."""

    what: str
    """One word: ``no-show``, ``quarantine``, ``infrastructure``, ..."""
    text: str
    """A sentence."""
    pairing: int | None = None
    entrant: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return the line."""
        text = self.text[:LONGEST_MESSAGE]
        return {"kind": "note", "what": self.what, "pairing": self.pairing, "entrant": self.entrant, "text": text}

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Note:
        """Return what a line says.

        :raises RecordError: if it does not fit together.
        """
        match data:
            case {"what": str(what), "pairing": int() | None as pairing, "entrant": str(entrant), "text": str(text)}:
                return cls(what=what, text=text, pairing=pairing, entrant=entrant)
            case _:
                raise RecordError("a note says what, pairing, entrant and text")


# -- lines and their hashes --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a journal."""

    number: int
    """From one."""
    offset: int
    """Of its first byte, from zero, in the text as it is before compression."""
    raw: bytes
    """Without the line break."""
    sha: str

    def json(self) -> dict[str, Json]:
        """Return what it says, without the hash."""
        data = json.loads(self.raw)
        data.pop("sha")
        return cast("dict[str, Json]", data)

    @property
    def kind(self) -> str:
        """``night``, ``seating``, ``leg``, ``note`` or ``end``."""
        start = self.raw[: len('{"kind":"seating"')]
        return start.split(b'"')[3].decode("ascii", "replace") if start.count(b'"') >= 4 else ""


def hash_of(previous: str, body: bytes) -> str:
    """Return the hash of a line: SHA-256 over the hash of the line before, in hexadecimal, and the line up to
    ``,"sha"``.
    """
    return hashlib.sha256(previous.encode() + body).hexdigest()


def tail_of(sha: str) -> bytes:
    """Return how a line with this hash ends."""
    return _TAIL + sha.encode() + b'"}'


def body_of(raw: bytes) -> bytes:
    """Return a line up to ``,"sha"``: what its hash is taken of."""
    return raw[:-_TAIL_BYTES]


def sealed(previous: str, data: Mapping[str, Json]) -> tuple[bytes, str]:
    """Return the line that follows the one with hash *previous*, without its line break, and its hash."""
    body = to_text(dict(data))[:-1].encode()
    sha = hash_of(previous, body)
    return body + tail_of(sha), sha


def find_journal(path: Path) -> Path:
    """Return the journal at *path*: the file itself, its compressed form, or the journal of that directory.

    :raises JournalError: if there is none.
    """
    plain = path / JOURNAL_NAME if path.is_dir() else path
    for candidate in (plain, plain.with_name(plain.name + ".gz")):
        if candidate.is_file():
            return candidate
    raise JournalError(f"no journal at {path}; give the file, or the directory of the night that holds {JOURNAL_NAME}")


def read_bytes(path: Path) -> IO[bytes]:
    """Return the text of a journal, plain or compressed, open for reading from its beginning.

    :raises DamagedJournal: if a compressed one does not unpack.
    """
    file = path.open("rb")
    if file.read(2) != b"\x1f\x8b":
        file.seek(0)
        return file
    with file:
        return io.BytesIO(_unpacked(path, path.read_bytes()))


def read_lines(path: Path, origin: str = NO_HASH) -> Iterator[Line]:
    """Yield the lines of a journal after checking form and hash of each; *origin* stands before the first.

    :raises DamagedJournal: at the first line that does not fit, after the lines before it.
    """
    previous, offset = origin, 0
    with read_bytes(path) as file:
        for number, raw in enumerate(file, 1):
            line = _checked_line(path, Line(number, offset, raw, ""), previous)
            yield line
            previous, offset = line.sha, offset + len(raw)


def _checked_line(path: Path, line: Line, previous: str) -> Line:
    """Return *line* without its line break and with its hash, if it follows the line with hash *previous*."""
    raw = line.raw
    if not raw.endswith(b"\n"):
        raise DamagedJournal(
            path, line.number, line.offset, "the last line is torn; going on with the night cuts it off"
        )
    raw = raw[:-1]
    body, tail = body_of(raw), raw[-_TAIL_BYTES:]
    if not (len(raw) > _TAIL_BYTES and tail.startswith(_TAIL) and tail.endswith(b'"}')):
        at = line.offset + max(0, len(raw) - _TAIL_BYTES)
        raise DamagedJournal(path, line.number, at, "the line does not end with its hash")
    said = tail[len(_TAIL) : -2].decode("ascii", "replace")
    sha = hash_of(previous, body)
    if said != sha:
        raise DamagedJournal(
            path,
            line.number,
            line.offset,
            f"the line does not follow the line before it: its hash is {said[:12]}..., it should be {sha[:12]}...; a "
            "byte of it was changed, or lines before it were removed, added or exchanged",
        )
    return Line(line.number, line.offset, raw, sha)


def read_night(path: Path) -> Night:
    """Return what the first line says.

    :raises DamagedJournal: if it is none.
    """
    for line in read_lines(path):
        with located(path, line):
            return Night.from_json(line.json())
    raise JournalError(f"{path} is empty")


@contextlib.contextmanager
def located(path: Path, line: Line) -> Iterator[None]:
    """Say which line it is when what it says does not fit."""
    try:
        yield
    except (RecordError, RulesError, ValueError, KeyError, TypeError) as error:
        raise DamagedJournal(path, line.number, line.offset, str(error) or repr(error)) from error


def read_legs(path: Path, *, pairing: int | None = None, board: int | None = None) -> Iterator[tuple[Line, LegRecord]]:
    """Yield every leg in the order of completion, its hands replayed through the rules; or those of one pairing
    or board only.

    :raises DamagedJournal: at the first line that does not fit.
    """
    seatings: dict[int, Seating] = {}
    for line in read_lines(path):
        record = None
        with located(path, line):
            if line.kind == "seating":
                data = line.json()
                seatings[cast("int", data["seating"])] = Seating.from_json(data)
            elif line.kind == "leg":
                data = line.json()
                seating = seatings.get(cast("int", data["seating"]))
                is_wanted = pairing is None or (seating is not None and seating.pairing == pairing)
                if is_wanted and (board is None or data["board"] == board):
                    record = LegRecord.from_json(data, seatings)
        if record is not None:
            yield line, record


def read_results(path: Path) -> list[LegResult]:
    """Return the results of a journal in schedule order, whatever the order of completion."""
    night = read_night(path).name
    results = [leg_result(night, leg) for _, leg in read_legs(path)]
    return sorted(results, key=lambda result: result.key)


# -- compression -------------------------------------------------------------------------------------

_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
"""Without name and time, so that the same journal gives the same file."""


def _packed(text: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    sizes = zlib.crc32(text).to_bytes(4, "little") + (len(text) & 0xFFFFFFFF).to_bytes(4, "little")
    return _GZIP_HEADER + packer.compress(text) + packer.flush() + sizes


def _unpacked(path: Path, packed: bytes) -> bytes:
    """Return the text of a compressed journal; refuse any byte that the compression could not have written."""

    def damaged(at: int, message: str) -> DamagedJournal:
        return DamagedJournal(path, 0, at, f"(of the compressed file) {message}")

    if packed[: len(_GZIP_HEADER)] != _GZIP_HEADER:
        at = next(i for i, byte in enumerate(_GZIP_HEADER) if packed[i : i + 1] != bytes([byte]))
        raise damaged(at, "not the head of a compressed journal")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = unpacker.decompress(packed[len(_GZIP_HEADER) :])
    except zlib.error as error:
        raise damaged(0, f"does not unpack: {error}") from None
    end = len(packed) - len(unpacker.unused_data)
    sizes = zlib.crc32(text).to_bytes(4, "little") + (len(text) & 0xFFFFFFFF).to_bytes(4, "little")
    if not unpacker.eof or unpacker.unused_data != sizes:
        raise damaged(end, "the checksum does not fit: a byte of it was changed, or it was cut short")
    again = _packed(text)
    if len(again) == len(packed) and again != packed:
        at = next(i for i, (left, right) in enumerate(zip(again, packed, strict=True)) if left != right)
        raise damaged(at, "not what compressing this text gives")
    return text


def compress(path: Path) -> Path:
    """Replace a plain journal by its compressed form and return that. Safe to repeat after a crash."""
    packed = path.with_name(path.name + ".gz")
    partial = path.with_name(path.name + ".gz.partial")
    with partial.open("wb") as file:
        file.write(_packed(path.read_bytes()))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(packed)
    _sync_directory(path.parent)
    path.unlink()
    _sync_directory(path.parent)
    return packed


def _sync_directory(path: Path) -> None:
    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def closed_journal(path: Path) -> Path | None:
    """Return the compressed journal if the one that belongs at *path* is closed, ``None`` if it is not there yet or
    still open. What a crash kept from being compressed is compressed now.
    """
    packed = path.with_name(path.name + ".gz")
    if not path.exists():
        return packed if packed.exists() else None
    lines = path.read_bytes().split(b"\n")
    is_closed = len(lines) > 1 and not lines[-1] and lines[-2].startswith(b'{"kind":"end"')
    return compress(path) if is_closed else None


# -- writing -----------------------------------------------------------------------------------------


def secret_seed(directory: Path) -> bytes:
    """Return the seed of the night in *directory*, drawn and kept (readable by its owner only) at the first call.

    It is on the disk before this returns, so a commitment to it can always be kept.

    :raises JournalError: if the file is not what was written.
    """
    path = directory / SEED_NAME
    try:
        text = path.read_text("ascii")
    except FileNotFoundError:
        seed = secrets.token_bytes(SEED_BYTES)
        partial = directory / f"{SEED_NAME}.partial"
        partial.unlink(missing_ok=True)
        number = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(number, "w", encoding="ascii") as file:  # noqa: PTH123 - the number is already open
            file.write(seed.hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        _sync_directory(directory)
        return seed
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise JournalError(f"{path} is not a seed of {SEED_BYTES} bytes in hexadecimal; it was changed by hand")
    return seed


class Journal:
    """An open journal. One at a time, for one thread of one process. Use it as a context manager."""

    def __init__(self, path: Path, night: Night) -> None:
        """Open the journal at *path* for *night*: begin it, or go on with it.

        :raises DamagedJournal: if what is there does not fit.
        :raises JournalError: if another process writes it, if it is closed, or is the journal of another night.
        """
        self.path = path
        self.night = night
        self.notes: list[Note] = []
        self.bytes_cut = 0
        """Bytes of a torn last line that were cut off."""
        self._finished: set[LegKey] = set()
        self._numbers: dict[Seating, int] = {}
        self.origin = NO_HASH
        """Hash of the first line, which is that of no other night."""
        self._previous = NO_HASH
        self._end = 0
        self._is_broken = False
        packed = path.with_name(path.name + ".gz")
        if packed.exists() and not path.exists():
            raise JournalError(f"{packed} is closed: the night is over and its seed is public; begin another night")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            self._lock()
            self._recover()
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Close the file, not the night; another :class:`Journal` may go on with it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @property
    def finished(self) -> frozenset[LegKey]:
        """The legs that are on the disk."""
        return frozenset(self._finished)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(
                f"{self.path} is being written by another process; let it finish, or stop it first"
            ) from None

    def _recover(self) -> None:
        """Read what is there, cut off a torn last line, and check that it is the journal of this night."""
        size = os.fstat(self._file).st_size
        keep = self._whole_lines(size)
        if keep < size:
            self.bytes_cut = size - keep
            os.ftruncate(self._file, keep)
            os.fsync(self._file)
        self._end = keep
        if keep == 0:
            self._write([self.night.to_json()])
            self.origin = self._previous
            _sync_directory(self.path.parent)
            return
        for line in read_lines(self.path):
            with located(self.path, line):
                self._remember(line)

    def _whole_lines(self, size: int) -> int:
        """Return the number of bytes up to the last line break."""
        end = size
        while end > 0:
            start = max(0, end - (1 << 16))
            found = os.pread(self._file, end - start, start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
        return 0

    def _remember(self, line: Line) -> None:
        self._previous = line.sha
        if line.kind == "leg":
            # Who continues a night wants to know which legs there are; verify asks what is in them.
            data = line.json()
            seating = self._seating(cast("int", data["seating"]))
            self._finished.add((seating.pairing, cast("int", data["board"]), seating.leg))
        elif line.kind == "seating":
            data = line.json()
            self._numbers[Seating.from_json(data)] = cast("int", data["seating"])
        elif line.kind == "note":
            self.notes.append(Note.from_json(line.json()))
        elif line.kind == "night":
            self.origin = line.sha
            self._check_night(Night.from_json(line.json()))
        elif line.kind == "end":
            raise JournalError(f"{self.path} is closed: the night is over and its seed is public; begin another night")
        else:
            raise RecordError(f"no line is of the kind {line.kind!r}")

    def _seating(self, number: int) -> Seating:
        for seating, known in self._numbers.items():
            if known == number:
                return seating
        raise RecordError(f"no line before this describes seating {number}")

    def _check_night(self, found: Night) -> None:
        wanted = replace(self.night, started=found.started).to_json()
        for name, value in found.to_json().items():
            if value != wanted[name]:
                raise JournalError(
                    f"{self.path} is the journal of another night: {name} is {_shortened(value)} there and "
                    f"{_shortened(wanted[name])} here; go on with the night as it was planned, or begin another"
                )
        self.night = found

    def _write(self, lines: Iterable[Mapping[str, Json]]) -> None:
        """Append *lines*, all of them or none, and return when they are on the disk."""
        if self._is_broken or self._file < 0:
            raise JournalError(f"{self.path} is not open for writing any more")
        previous, text = self._previous, bytearray()
        for data in lines:
            raw, previous = sealed(previous, data)
            text += raw + b"\n"
        try:
            left = memoryview(text)
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            # What a failed write or fsync left behind is unknown: cut it off, and write no more.
            self._is_broken = True
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise JournalWriteError(
                f"{self.path} could not be written: {error.strerror}; nothing that was already recorded is lost; make "
                "room and go on with the night"
            ) from error
        self._previous = previous
        self._end += len(text)

    def add_legs(self, legs: Iterable[LegRecord]) -> int:
        """Write finished legs, those that are there already left out, and return how many were new.

        They are on the disk when this returns; tell nobody before. One call with many legs waits for the disk once.

        :raises JournalWriteError: if they could not be written; none of them has been, then.
        """
        numbers, finished = dict(self._numbers), set(self._finished)
        lines: list[dict[str, Json]] = []
        count = 0
        for leg in legs:
            if leg.key in finished:
                continue
            number = numbers.get(leg.seating)
            if number is None:
                number = numbers[leg.seating] = len(numbers)
                lines.append(leg.seating.to_json(number))
            lines.append(leg.to_json(number))
            finished.add(leg.key)
            count += 1
        if lines:
            self._write(lines)
            self._numbers, self._finished = numbers, finished
        return count

    def add_leg(self, leg: LegRecord) -> bool:
        """Write one finished leg; tell whether it was new. See :meth:`add_legs`."""
        return self.add_legs([leg]) == 1

    def add_note(self, note: Note) -> None:
        """Write a note; it is on the disk when this returns."""
        self._write([note.to_json()])
        self.notes.append(note)

    def close(self, seed: bytes, ratings: Mapping[str, Json] | None = None) -> Path:
        """End the night: reveal its seed, compress the journal, and return the compressed file.

        *ratings* is what :func:`arena.verify.ratings_of` makes of the legs; it is kept so that it can be checked.

        :raises JournalError: if *seed* is not the one that the first line commits to.
        """
        if commitment(seed) != self.night.commitment:
            raise JournalError("this is not the seed to which the night has been committed")
        end: dict[str, Json] = {"kind": "end", "legs": len(self._finished), "notes": len(self.notes)}
        if ratings is not None:
            end["ratings"] = dict(ratings)
        end["seed"] = seed.hex()
        self._write([end])
        packed = compress(self.path)
        self.release()
        return packed


def _shortened(value: Json) -> str:
    text = to_text(value)
    return text if len(text) <= 200 else text[:200] + "..."


# -- the store ---------------------------------------------------------------------------------------


def sync_store(path: Path, store: Store) -> int:
    """Bring the results store up to date with the journal and return how many legs were new to it.

    The store is derived: this may be called at any time, any number of times, on an empty store too.

    :raises DamagedJournal: if the journal does not fit.
    """
    from leaderboards.store import NOTE_KINDS, WHOLE_NIGHT

    night = read_night(path)
    store.begin_night(night.name, dict(night.plan), night.commitment)
    known = store.finished(night.name)
    seatings: dict[int, Seating] = {}
    legs: list[LegResult] = []
    notes: list[Note] = []
    is_over = False
    for line in read_lines(path):
        with located(path, line):
            if line.kind == "seating":
                data = line.json()
                seatings[cast("int", data["seating"])] = Seating.from_json(data)
            elif line.kind == "leg":
                data = line.json()
                seating = seatings[cast("int", data["seating"])]
                if (seating.pairing, data["board"], seating.leg) not in known:
                    legs.append(leg_result(night.name, LegRecord.from_json(data, seatings)))
            elif line.kind == "note":
                notes.append(Note.from_json(line.json()))
            elif line.kind == "end":
                is_over = True
    store.add_legs(legs)
    for note in notes:
        if note.what in NOTE_KINDS:
            pairing = WHOLE_NIGHT if note.pairing is None else note.pairing
            store.note(night.name, pairing, note.what, note.entrant, note.text)
    if is_over:
        store.mark_finished(night.name)
    return len(legs)
