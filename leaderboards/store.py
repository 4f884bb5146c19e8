"""The results store: every leg once, the plan of every night, in SQLite or PostgreSQL by the same code.

The legs are the truth. Sets, standings and ratings are computed from them, so nothing can disagree with them.

* **Written once.** The key of a leg is (night, pairing, board, leg). Storing it again changes nothing and says so;
  a job that was cut off is simply run again.
* **Several writers.** Every write transaction begins as one. In SQLite that is ``BEGIN IMMEDIATE`` with a busy
  timeout on a write-ahead log: a transaction that began by reading could not wait for its turn to write, it would
  fail as "locked" at once. In PostgreSQL ``ON CONFLICT DO NOTHING`` lets writers meet.
* **Short readers.** A read fetches a page of rows and ends its transaction before a row is handed out. A reader that
  kept one open while it sends would keep SQLite from ever shortening its log.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

from leaderboards.results import LegResult, validate_entrant_name

SCHEMA_VERSION: Final = 1
"""Of the tables below. A store of another version is refused, never guessed at."""
BUSY_TIMEOUT_SECONDS: Final = 60.0
"""How long a writer waits for its turn before it gives up."""
PAGE_ROWS: Final = 2000
"""Rows of one read transaction."""
RECORD_PAGE_ROWS: Final = 200
"""The same where the rows carry the hands."""
WRITE_ROWS: Final = 500
"""Legs of one write transaction."""
LOG_BYTES: Final = 16 * 1024 * 1024
"""SQLite shortens its write-ahead log to this after a checkpoint."""

NOTE_KINDS: Final = ("no-show", "quarantine", "infrastructure")
"""What may happen to a pairing that is not a result."""
WHOLE_NIGHT: Final = -1
"""The pairing of a note that concerns the night as a whole."""

_metadata = sa.MetaData()
_about = sa.Table(
    "about",
    _metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
_nights = sa.Table(
    "nights",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("begun", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
)
_legs = sa.Table(
    "legs",
    _metadata,
    sa.Column("night", sa.Integer, sa.ForeignKey("nights.number"), primary_key=True, autoincrement=False),
    sa.Column("pairing", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("leg", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("variant", sa.Text, nullable=False, index=True),
    sa.Column("result", sa.Text, nullable=False),
)
_records = sa.Table(
    "records",
    _metadata,
    sa.Column("night", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("pairing", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("leg", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.ForeignKeyConstraint(
        ["night", "pairing", "board", "leg"], ["legs.night", "legs.pairing", "legs.board", "legs.leg"]
    ),
)
_notes = sa.Table(
    "notes",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("night", sa.Integer, sa.ForeignKey("nights.number"), nullable=False, index=True),
    sa.Column("pairing", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("entrant", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),  # of the text, which is too long for an index
    sa.UniqueConstraint("night", "pairing", "kind", "entrant", "digest", name="one_note_once"),
)

_SCHEDULE = (_legs.c.pairing, _legs.c.board, _legs.c.leg)


class StoreError(Exception):
    """The store cannot do what was asked; one line for the operator: what, where, what to do."""


class NightConflictError(StoreError):
    """A night of this name exists and was planned otherwise."""


@dataclass(frozen=True, slots=True)
class Night:
    """A night as it was begun."""

    name: str
    plan: Mapping[str, Any]
    """What the schedule follows from."""
    commitment: str
    """SHA-256 of the night's secret seed, in hexadecimal."""
    begun: datetime
    finished: datetime | None


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened to a pairing and is not a result."""

    night: str
    pairing: int
    """``WHOLE_NIGHT`` if it concerns all of them."""
    kind: str
    """One of :data:`NOTE_KINDS`."""
    entrant: str
    """Empty if nobody's doing."""
    text: str


class Store:
    """The results of many nights. *place* is a file (SQLite; made if absent) or a database URL.

    ``postgresql://user@host/name`` uses the psycopg driver. Safe to share between threads; each process opens its
    own. Close it, or use it in a ``with`` statement. Raises :exc:`StoreError`, also where the database is out of
    reach or holds something else.
    """

    def __init__(self, place: str | os.PathLike[str], *, busy_timeout_seconds: float = BUSY_TIMEOUT_SECONDS) -> None:
        self._url = _url_of(place)
        is_file = self._url.get_backend_name() == "sqlite" and self._url.database
        self.place = str(self._url.database) if is_file else self._url.render_as_string(hide_password=True)
        """Where the results are, for messages; the password is left out."""
        self._engine = _engine_for(self._url, busy_timeout_seconds)
        try:
            self._make_tables()
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        """Give back every connection."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- nights ---------------------------------------------------------------------------------------------

    def begin_night(self, name: str, plan: Mapping[str, Any], commitment: str) -> bool:
        """Begin a night, or go on with it; return whether it is new.

        *plan* is what the schedule follows from, as JSON values. A night goes on under the plan and the commitment
        it was begun with; anything else raises :exc:`NightConflictError`, which names what differs. There is no
        exception for a larger number of boards: a night's length is part of what was announced before the first
        deal, and to play on after seeing the standings would let the organiser choose when to stop.
        """
        if not name or not name.isprintable():
            raise StoreError(f"a night's name is printable text, not {name!a}")
        text = _canonical_json(plan)
        with self._write() as connection:
            row = connection.execute(sa.select(_nights).where(_nights.c.name == name)).one_or_none()
            if row is None:
                begun = datetime.now(UTC).isoformat(timespec="seconds")
                values = {"name": name, "plan": text, "commitment": commitment, "begun": begun}
                if self._insert_once(connection, _nights, values):
                    return True
                row = connection.execute(sa.select(_nights).where(_nights.c.name == name)).one()
        differences = list(_differences(json.loads(row.plan), json.loads(text)))
        if commitment != row.commitment:
            differences.append(f"the seed's commitment is {commitment}, was {row.commitment}")
        if differences:
            raise NightConflictError(
                f"night {name!r} in {self.place} was begun with another plan: {'; '.join(differences)}. "
                "Continue it with the file it was begun with, or give the changed night another name."
            )
        return False

    def nights(self) -> list[Night]:
        """Return all nights in the order in which they were begun."""
        with self._read() as connection:
            rows = connection.execute(sa.select(_nights).order_by(_nights.c.number)).all()
        return [
            Night(
                row.name,
                json.loads(row.plan),
                row.commitment,
                datetime.fromisoformat(row.begun),
                datetime.fromisoformat(row.finished) if row.finished else None,
            )
            for row in rows
        ]

    def night(self, name: str) -> Night:
        """Return one night. Raises :exc:`StoreError` if there is none of this name."""
        for night in self.nights():
            if night.name == name:
                return night
        raise self._no_night(name)

    def mark_finished(self, night: str) -> None:
        """Note that all of a night has been played. The first time counts."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._write() as connection:
            number = self._night_number(connection, night)
            connection.execute(
                sa.update(_nights).where(_nights.c.number == number, _nights.c.finished.is_(None)).values(finished=now)
            )

    # --- legs -----------------------------------------------------------------------------------------------

    def add_leg(self, leg: LegResult) -> bool:
        """Store a leg; return False, and change nothing, if its key is there already."""
        return self.add_legs([leg]) == 1

    def add_legs(self, legs: Iterable[LegResult]) -> int:
        """Store legs in order, each once; return how many were new. Raises :exc:`StoreError` for an unknown night."""
        waiting = list(legs)
        return sum(self._add_page(waiting[at : at + WRITE_ROWS]) for at in range(0, len(waiting), WRITE_ROWS))

    def _add_page(self, legs: Sequence[LegResult]) -> int:
        new = 0
        with self._write() as connection:
            numbers: dict[str, int] = {}
            for leg in legs:
                if leg.night not in numbers:
                    numbers[leg.night] = self._night_number(connection, leg.night)
                key = {"night": numbers[leg.night], "pairing": leg.pairing, "board": leg.board, "leg": leg.leg}
                result = leg.to_dict()
                record = result.pop("record")
                row = {**key, "variant": leg.variant, "result": _canonical_json(result)}
                if self._insert_once(connection, _legs, row):
                    new += 1
                    if record:
                        connection.execute(sa.insert(_records).values(**key, record=record))
        return new

    def legs(self, night: str | None = None, variant: str | None = None, *, records: bool = True) -> list[LegResult]:
        """Return the stored legs in schedule order: by night as begun, pairing, board, leg.

        With ``records=False`` the hands are left out (``record`` is empty), which is all that ratings need.
        """
        return list(self.each_leg(night, variant, records=records))

    def each_leg(
        self, night: str | None = None, variant: str | None = None, *, records: bool = True
    ) -> Iterator[LegResult]:
        """Yield what :meth:`legs` returns, a page of rows at a time; no transaction is open while you look at one.

        Legs stored meanwhile may be among them or not; none comes twice and none is half there.
        """
        for number, name in self._night_names(night).items():
            after = (-1, -1, -1)
            while True:
                with self._read() as connection:
                    rows = connection.execute(_page(number, variant, after, records=records)).all()
                for row in rows:
                    yield self._leg_of(row, name)
                if not rows:
                    break
                after = (rows[-1].pairing, rows[-1].board, rows[-1].leg)

    def finished(self, night: str) -> set[tuple[int, int, int]]:
        """Return (pairing, board, leg) of every leg of a night that is stored; empty for an unknown night."""
        query = sa.select(_legs.c.pairing, _legs.c.board, _legs.c.leg).join(_nights).where(_nights.c.name == night)
        with self._read() as connection:
            return {(row.pairing, row.board, row.leg) for row in connection.execute(query)}

    def leg_count(self, night: str | None = None) -> int:
        """Return how many legs are stored, of one night or of all."""
        query = sa.select(sa.func.count()).select_from(_legs)
        if night is not None:
            query = query.join(_nights).where(_nights.c.name == night)
        with self._read() as connection:
            return int(connection.execute(query).scalar_one())

    def variants(self, night: str | None = None) -> list[str]:
        """Return the variants of which there are legs, in order of name."""
        query = sa.select(_legs.c.variant).distinct()
        if night is not None:
            query = query.join(_nights).where(_nights.c.name == night)
        with self._read() as connection:
            return sorted(row.variant for row in connection.execute(query))

    # --- notes ----------------------------------------------------------------------------------------------

    def note(self, night: str, pairing: int, kind: str, entrant: str, text: str) -> None:
        """Keep what happened to a pairing and is not a result (see :data:`NOTE_KINDS`); the same note is kept once.

        *text* may be a bot's own last words: what no database keeps in it is replaced.
        """
        if kind not in NOTE_KINDS:
            raise StoreError(f"a note of kind {kind!r}, which is none of {', '.join(NOTE_KINDS)}")
        if entrant:
            validate_entrant_name(entrant)
        text = text.replace("\0", "\ufffd").encode(errors="replace").decode()
        digest = hashlib.sha256(text.encode()).hexdigest()
        with self._write() as connection:
            number = self._night_number(connection, night)
            row = {
                "night": number,
                "pairing": pairing,
                "kind": kind,
                "entrant": entrant,
                "text": text,
                "digest": digest,
            }
            self._insert_once(connection, _notes, row)

    def notes(self, night: str | None = None) -> list[Note]:
        """Return the notes of one night, or of all, in the order in which they were made."""
        query = sa.select(_nights.c.name, _notes).join_from(_notes, _nights).order_by(_notes.c.number)
        if night is not None:
            query = query.where(_nights.c.name == night)
        with self._read() as connection:
            rows = connection.execute(query).all()
        return [Note(row.name, row.pairing, row.kind, row.entrant, row.text) for row in rows]

    # --- transactions ---------------------------------------------------------------------------------------

    @contextmanager
    def _write(self) -> Iterator[sa.Connection]:
        """Hold a transaction that is a writing one from its first moment."""
        with self._translated():
            engine = self._engine.execution_options(is_writer=True)
            with engine.begin() as connection:
                yield connection

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        """Hold a transaction that sees one state; fetch, and leave it."""
        with self._translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sa.exc.SQLAlchemyError as error:
            raise StoreError(f"the results store {self.place}: {_reason(error)}") from error

    def _insert_once(self, connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> bool:
        """Insert a row unless its key is taken; return whether it was inserted."""
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        statement = insert(table).values(row).on_conflict_do_nothing().returning(*table.primary_key)
        return connection.execute(statement).one_or_none() is not None  # not every driver counts the rows

    # --- small parts ----------------------------------------------------------------------------------------

    def _make_tables(self) -> None:
        with self._write() as connection:
            if connection.dialect.name == "postgresql":  # two that start at once must not both create
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": 0x65756368})
            present = set(sa.inspect(connection).get_table_names())
            if present and "about" not in present:
                raise StoreError(
                    f"{self.place} is a database of something else (tables {', '.join(sorted(present)[:5])}): "
                    "name another file or database for the results"
                )
            _metadata.create_all(connection)
            self._insert_once(connection, _about, {"name": "schema", "value": str(SCHEMA_VERSION)})
            version = connection.execute(sa.select(_about.c.value).where(_about.c.name == "schema")).scalar_one()
        if version != str(SCHEMA_VERSION):
            raise StoreError(
                f"{self.place} holds results in form {version}, this program knows form {SCHEMA_VERSION}: "
                "use the program that wrote it, or another file"
            )

    def _night_number(self, connection: sa.Connection, name: str) -> int:
        number = connection.execute(sa.select(_nights.c.number).where(_nights.c.name == name)).scalar_one_or_none()
        if number is None:
            raise self._no_night(name)
        return int(number)

    def _no_night(self, name: str) -> StoreError:
        return StoreError(f"no night {name!r} in {self.place}: begin it first, or see which there are")

    def _night_names(self, night: str | None) -> dict[int, str]:
        query = sa.select(_nights.c.number, _nights.c.name).order_by(_nights.c.number)
        if night is not None:
            query = query.where(_nights.c.name == night)
        with self._read() as connection:
            return {row.number: row.name for row in connection.execute(query)}

    def _leg_of(self, row: sa.Row[Any], night: str) -> LegResult:
        leg = LegResult.from_dict({**json.loads(row.result), "record": row.record or ""})
        if leg.key != (night, row.pairing, row.board, row.leg) or leg.variant != row.variant:
            raise StoreError(f"{self.place}: the row of {leg.place} is kept under another key: the file was altered")
        return leg


def _page(night: int, variant: str | None, after: tuple[int, int, int], *, records: bool) -> sa.Select[Any]:
    """Return the query for the next page of a night's legs, in schedule order after the key *after*."""
    query = sa.select(_legs, _records.c.record if records else sa.literal("").label("record"))
    if records:
        query = query.outerjoin(_records)
    query = query.where(_legs.c.night == night, sa.tuple_(*_SCHEDULE) > after)
    if variant is not None:
        query = query.where(_legs.c.variant == variant)
    return query.order_by(*_SCHEDULE).limit(RECORD_PAGE_ROWS if records else PAGE_ROWS)


# --- engines ------------------------------------------------------------------------------------------------


def _url_of(place: str | os.PathLike[str]) -> sa.URL:
    """Return the database URL for a file or a URL."""
    text = os.fspath(place)
    if "://" not in text:
        return sa.URL.create("sqlite", database=str(Path(text)))
    try:
        url = sa.make_url(text)
    except sa.exc.ArgumentError as error:
        raise StoreError(f"no database URL: {error}") from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(
            f"the results store is a SQLite file or a PostgreSQL database (postgresql://user@host/name), "
            f"not {url.get_backend_name()!r}"
        )
    return url


def _engine_for(url: sa.URL, busy_timeout_seconds: float) -> sa.Engine:
    if url.get_backend_name() == "postgresql":
        try:
            return sa.create_engine(url, isolation_level="READ COMMITTED")
        except ModuleNotFoundError as error:
            raise StoreError(
                f"PostgreSQL needs the driver {error.name}: pip install 'euchre-arena[postgresql]'"
            ) from error
    if url.database and url.database != ":memory:":
        folder = Path(url.database).parent
        if not folder.is_dir():
            raise StoreError(f"there is no folder {str(folder)!r} for the results file {url.database!r}")
    engine = sa.create_engine(url, connect_args={"timeout": busy_timeout_seconds})

    def prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        _prepare_sqlite(connection, time.monotonic() + busy_timeout_seconds)

    sa.event.listen(engine, "connect", prepare)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, deadline: float) -> None:
    connection.isolation_level = None  # the driver begins nothing of its own accord; _begin_sqlite does
    cursor = connection.cursor()
    _use_write_ahead_log(cursor, deadline)
    cursor.execute("PRAGMA synchronous = FULL")  # a leg that was reported as stored survives a power cut
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
    cursor.close()


def _use_write_ahead_log(cursor: DBAPICursor, deadline: float) -> None:
    """Switch the file to a write-ahead log; SQLite does not wait its turn for that, so we do."""
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: sa.Connection) -> None:
    is_writer = connection.get_execution_options().get("is_writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")


def _reason(error: sa.exc.SQLAlchemyError) -> str:
    """Return the database's own words, on one line."""
    words = str(getattr(error, "orig", None) or error).strip().splitlines()
    return " ".join(word.strip() for word in words if word.strip()) or type(error).__name__


# --- plans --------------------------------------------------------------------------------------------------


def _canonical_json(value: object) -> str:
    """Return JSON that is equal for equal values: keys sorted, no spaces, no NaN."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise StoreError(f"what is stored must be JSON: {error}") from error


def _differences(old: object, new: object, at: str = "") -> Iterator[str]:
    """Yield in words where *new* differs from *old*."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            name = f"{at}.{key}" if at else key
            if key not in new:
                yield f"{name} is gone (was {_brief(old[key])})"
            elif key not in old:
                yield f"{name} is new ({_brief(new[key])})"
            else:
                yield from _differences(old[key], new[key], name)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, f"{at}[{index}]")
    elif old != new or type(old) is not type(new):
        yield f"{at} is {_brief(new)}, was {_brief(old)}"


def _brief(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."
