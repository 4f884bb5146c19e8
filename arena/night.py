"""A night: the file an organiser writes, read and checked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from arena.bots import ISOLATIONS, Bot, Isolation, check_name, house_bot, isolation_text, make_bot
from arena.errors import OperatorError
from arena.referee_file import RefereeFile, load_referee
from arena.schedule import UNITS, Event, Unit
from arena.variants import NamedVariant, load_variant, read_toml
from referee.rules.errors import nearest
from referee.service.policy import Policy, PolicyError

DEFAULT_TABLES: Final = 8
DEFAULT_START_SECONDS: Final = 15.0
DEFAULT_RESTARTS: Final = 3
MOST_BOARDS: Final = 10_000_000

_KEYS: Final = (
    "name",
    "seed",
    "boards",
    "play",
    "variants",
    "bots",
    "house",
    "policy",
    "concurrency",
    "tables",
    "start_seconds",
    "restarts",
    "chunk_boards",
    "isolation",
    "referee",
    "metrics",
)
_BOT_KEYS: Final = ("run", "environment", "directory")
_POLICY_KEYS: Final = tuple(item.name for item in fields(Policy))
_NIGHT_NAME: Final = re.compile(r"\w[\w.+-]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How instances are run; none of it changes a deck."""

    tables: int = DEFAULT_TABLES
    """Tables one instance plays at once, at most; a bot may ask for fewer."""
    start_seconds: float = DEFAULT_START_SECONDS
    """Time an instance has from its start to its Hello."""
    restarts: int = DEFAULT_RESTARTS
    """How often an instance that crashed is started again within one chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One event, ready to be played."""

    name: str
    event: Event
    bots: Mapping[str, Bot]
    """By name."""
    house: Bot
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the organiser calls a variant, by canonical id, where that differs."""
    policy: Policy = field(default_factory=Policy)
    settings: Settings = field(default_factory=Settings)
    concurrency: int | None = None
    """Jobs at once; ``None``: as the machine allows."""
    isolation: Isolation = "process"
    """How instances are kept apart."""
    referee: RefereeFile | None = None
    """Where remote bots dial in."""
    metrics: str = ""
    """Where Prometheus finds the numbers of a run; empty: nowhere."""
    seed: bytes | None = None
    """What every deck follows from; ``None``: drawn when the night begins."""

    @property
    def remote(self) -> list[str]:
        """Return the entrants at the referee's door who are wanted, sorted."""
        return sorted({bot.remote for bot in self.bots.values() if bot.remote})

    @property
    def isolations(self) -> dict[str, str]:
        """Return how the instances of each bot are kept apart, by name."""
        return {name: isolation_text(self.bots[name], self.isolation) for name in sorted(self.bots)}

    def plan(self) -> dict[str, Any]:
        """Return what must stay the same for the night to be continued, as values that JSON knows."""
        return {
            "play": self.event.unit,
            "boards": self.event.boards,
            "chunk_boards": self.event.chunk_boards,
            "variants": [variant.id for variant in self.event.variants],
            "bots": {name: self.bots[name].spec for name in sorted(self.bots)},
            "house": self.house.spec,
            "policy": asdict(self.policy),
            "tables": self.settings.tables,
            "isolation": self.isolation,
        }


def seed_bytes(text: str) -> bytes:
    """Return the 32 bytes that a seed text stands for: 64 hexadecimal digits themselves, any other text its SHA-256."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    return hashlib.sha256(text.encode()).digest()


def load_night(path: Path, *, isolation: str | None = None, referee: Path | None = None) -> Night:
    """Return the night written in the TOML file *path*; bots and variant files are found from its directory.

    *isolation* and the file *referee* take the place of what it says.

    :raises OperatorError: naming the file, the key and what would work.
    """
    table = dict(read_toml(path, "night file"))
    if isolation is not None:
        table["isolation"] = isolation_of(isolation)
    if referee is not None:
        table["referee"] = str(referee.absolute())
    try:
        return _night(table, path)
    except PolicyError as error:
        raise OperatorError(f"{path}: policy.{error}") from None
    except _Wrong as error:
        raise OperatorError(f"{path}: {error}") from None
    except OperatorError as error:
        raise OperatorError(f"{path}: {error}" if not str(error).startswith(str(path)) else str(error)) from None


class _Wrong(Exception):
    """A value of the night file that cannot be; the message begins with its key."""


def _night(table: Mapping[str, Any], path: Path) -> Night:
    _check_keys(table, _KEYS, "a night has")
    directory = path.parent
    variants = _variants(table, directory)
    isolation = isolation_of(table.get("isolation", ISOLATIONS[0]))
    bots = _bots(table, directory, isolation)
    labels = {named.variant.id: named.label for named in variants if named.label != named.variant.id}
    seed = table.get("seed")
    if seed is not None and not isinstance(seed, str | int):
        raise _Wrong(f"seed is a text or a number, not {seed!r}")
    settings = Settings(
        tables=_whole(table, "tables", DEFAULT_TABLES, 1, 256),
        start_seconds=_seconds(table, "start_seconds", DEFAULT_START_SECONDS),
        restarts=_whole(table, "restarts", DEFAULT_RESTARTS, 0, 1000),
    )
    referee = _text(table, "referee", "referee.toml")
    house = table.get("house", "house")
    if not isinstance(house, str):
        raise _Wrong(f'house is the bot that fills free seats, as in house = "random", not {house!r}')
    night = Night(
        name=_name(table, path),
        event=Event(
            variants=tuple(named.variant for named in variants),
            entrants=tuple(bots),
            boards=_whole(table, "boards", None, 1, MOST_BOARDS),
            unit=_unit(table),
            chunk_boards=_whole(table, "chunk_boards", 0, 0, MOST_BOARDS),
        ),
        bots=bots,
        house=_located("house", lambda: house_bot(house, directory)),
        labels=labels,
        policy=_policy(table),
        settings=settings,
        isolation=isolation,
        concurrency=_whole(table, "concurrency", 0, 0, 1024) or None,
        seed=None if seed is None else seed_bytes(str(seed)),
        referee=_located("referee", lambda: load_referee(directory / referee)) if referee else None,
        metrics=_text(table, "metrics", "127.0.0.1:9465"),
    )
    check_door(night)
    return night


def check_door(night: Night) -> None:
    """Raise :class:`OperatorError` if remote bots are entered and there is no door for them."""
    if night.remote and night.referee is None:
        raise OperatorError(
            f"{', '.join(night.remote)} would dial in from elsewhere, and there is no referee to dial; name its file "
            'with --referee, or in a night file as referee = "referee.toml" (docs/remote.md)'
        )


def _text(table: Mapping[str, Any], key: str, example: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise _Wrong(f'{key} is a text, as in {key} = "{example}", not {value!r}')
    return value.strip()


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], what: str, prefix: str = "") -> None:
    for key in table:
        if key not in known:
            raise _Wrong(f"no key {prefix + key!r}{nearest(key, known)}; {what} {', '.join(known)}")


def _located(key: str, make: Any) -> Any:
    """Return ``make()``; put *key* before what it complains about."""
    try:
        return make()
    except OperatorError as error:
        raise _Wrong(f"{key}: {error}") from None


def _name(table: Mapping[str, Any], path: Path) -> str:
    name = table.get("name", path.stem)
    if not isinstance(name, str) or not _NIGHT_NAME.match(name) or len(name) > 80:
        raise _Wrong(f"name is up to 80 letters, digits, and . _ + - without blanks, not {name!r}")
    return name


def _unit(table: Mapping[str, Any]) -> Unit:
    play = table.get("play", UNITS[0])
    for unit in UNITS:
        if play == unit:
            return unit
    raise _Wrong(f"play is {' or '.join(UNITS)}, not {play!r}{nearest(str(play), UNITS)}")


def _whole(table: Mapping[str, Any], key: str, default: int | None, low: int, high: int) -> int:
    value = table.get(key, default)
    if value is None:
        raise _Wrong(f"{key} is missing; write {key} = 100")
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _Wrong(f"{key} is a whole number from {low} to {high}, not {value!r}")
    return value


def _seconds(table: Mapping[str, Any], key: str, default: float) -> float:
    value = table.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.1 <= value <= 3600:
        raise _Wrong(f"{key} is a number of seconds from 0.1 to 3600, not {value!r}")
    return float(value)


def _variants(table: Mapping[str, Any], directory: Path) -> list[NamedVariant]:
    texts = table.get("variants")
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise _Wrong(
            'variants is a list of presets, as in variants = ["standard", "british"]; '
            "'euchre-arena variants' lists them"
        )
    found: list[NamedVariant] = []
    for number, text in enumerate(texts):
        named: NamedVariant = _located(f"variants[{number}]", lambda text=text: load_variant(text, directory))
        for other in found:
            if other.variant == named.variant:
                raise _Wrong(f"variants[{number}]: {text!r} is {named.variant.id}, which is in the list already")
        found.append(named)
    return found


def isolation_of(text: object) -> Isolation:
    """Return the isolation called *text*.

    :raises OperatorError: if there is none.
    """
    for isolation in ISOLATIONS:
        if text == isolation:
            return isolation
    raise OperatorError(
        f"isolation is {', '.join(ISOLATIONS[:-1])} or {ISOLATIONS[-1]}, not {text!r}{nearest(str(text), ISOLATIONS)}"
    )


def _bots(table: Mapping[str, Any], directory: Path, isolation: Isolation) -> dict[str, Bot]:
    entries = table.get("bots")
    if not isinstance(entries, dict) or len(entries) < 2:
        raise _Wrong('bots is a table [bots] of two or more, one a line: NAME = "COMMAND"')
    bots: dict[str, Bot] = {}
    for name, entry in entries.items():
        bot = _bot(name, entry, directory, isolation)
        if bot.name.casefold() in map(str.casefold, bots):
            raise _Wrong(f"bots.{name}: two bots have that name, upper and lower case apart")
        bots[bot.name] = bot
    return bots


def _bot(name: str, entry: Any, directory: Path, isolation: Isolation) -> Bot:
    key = f"bots.{name}"
    _located(key, lambda: check_name(name))
    if isinstance(entry, str):
        bot: Bot = _located(key, lambda: make_bot(name, entry, directory, isolation=isolation))
        return bot
    if not isinstance(entry, dict) or not isinstance(entry.get("run"), str):
        raise _Wrong(f'{key} is a command, or a table with run = "COMMAND", not {entry!r}')
    _check_keys(entry, _BOT_KEYS, "a bot has", f"{key}.")
    environment = entry.get("environment", {})
    if not isinstance(environment, dict) or not all(isinstance(value, str) for value in environment.values()):
        raise _Wrong(f'{key}.environment is a table of texts, as in {{ LEVEL = "3" }}, not {environment!r}')
    for variable in environment:
        if variable.startswith("EUCHRE_"):
            raise _Wrong(f"{key}.environment.{variable}: names that begin with EUCHRE_ are the arena's to set")
    where = entry.get("directory", ".")
    if not isinstance(where, str) or not (directory / where).is_dir():
        raise _Wrong(f"{key}.directory is a directory, as seen from the night file, not {where!r}")
    bot = _located(key, lambda: make_bot(name, entry["run"], directory / where, environment, isolation))
    return bot  # noqa: RET504 (typed above)


def _policy(table: Mapping[str, Any]) -> Policy:
    values = table.get("policy", {})
    if not isinstance(values, dict):
        raise _Wrong(f"policy is a table [policy] of settings, not {values!r}")
    _check_keys(values, _POLICY_KEYS, "a policy has", "policy.")
    whole = {item.name for item in fields(Policy) if item.type == "int"}
    for key, value in values.items():
        if key in whole and not (isinstance(value, int) and not isinstance(value, bool)):
            raise _Wrong(f"policy.{key} is a whole number, not {value!r}")
    return Policy(**values)
