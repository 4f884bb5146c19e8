"""``bot.toml``: what a bot says of itself: its name and version, what it plays, how it is built and started.

::

    name = "gopher"
    version = "1.0.0"
    authors = ["Ada", "Bob"]
    language = "go"
    variants = ["*"]                   # presets it plays; patterns such as "bid-*" are allowed
    command = ["./bin/bot"]            # how to start it, in the manifest's folder
    image = "gopher:1"                 # the image for --isolation docker
    build = ["go", "build", "-o", "bin/bot", "."]

    [environment]                      # set for the bot
    LEVEL = "3"

    [limits]                           # what it asks for; the event's own limits are upper bounds
    tables = 16
    start_seconds = 20
    memory_mib = 512
    cpus = 1.0
    processes = 64

A manifest has a ``command`` or an ``image`` or both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from arena.errors import OperatorError
from referee.rules import PRESETS
from referee.rules.errors import nearest

FILE_NAME: Final = "bot.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedLimits:
    """What a bot asks for; zero: whatever the event gives."""

    tables: int = 0
    start_seconds: float = 0.0
    memory_mib: int = 0
    cpus: float = 0.0
    processes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The contents of one ``bot.toml``."""

    path: Path
    name: str
    version: str
    authors: tuple[str, ...] = ()
    language: str = ""
    variants: tuple[str, ...] = tuple(PRESETS)
    """The presets it plays, in catalogue order."""
    command: tuple[str, ...] = ()
    image: str = ""
    build: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: AskedLimits = field(default_factory=AskedLimits)

    @property
    def directory(self) -> Path:
        """Return the folder of the manifest, where its commands run."""
        return self.path.parent


def manifest_path(path: Path) -> Path | None:
    """Return the manifest that *path* is, or the one in the folder *path*, or ``None``."""
    if path.is_dir():
        path = path / FILE_NAME
    return path if path.suffix == ".toml" and path.is_file() else None


def read_manifest(path: Path) -> Manifest:
    """Return the manifest in *path*.

    :raises OperatorError: naming the file, the key and what would do.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorError(f"{path} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise OperatorError(f"{path} is no TOML: {error}") from None
    reader = _Reader(path, values)
    manifest = Manifest(
        path=path.absolute(),
        name=reader.text("name", required=True),
        version=reader.text("version", required=True),
        authors=reader.texts("authors"),
        language=reader.text("language"),
        variants=_variants(path, reader.texts("variants") or ("*",)),
        command=reader.texts("command"),
        image=reader.text("image"),
        build=reader.texts("build"),
        environment=reader.environment(),
        limits=_limits(path, reader.table("limits")),
    )
    reader.finish()
    if not manifest.command and not manifest.image:
        raise OperatorError(f'{path}: neither command nor image; say how it starts, as in command = ["./bin/bot"]')
    return manifest


def _variants(path: Path, patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if not any(fnmatchcase(preset, pattern) for preset in PRESETS):
            raise OperatorError(f"{path}: variants: no preset matches {pattern!r}{nearest(pattern, PRESETS)}")
    return tuple(preset for preset in PRESETS if any(fnmatchcase(preset, pattern) for pattern in patterns))


def _limits(path: Path, values: dict[str, Any]) -> AskedLimits:
    reader = _Reader(path, values, "limits.")
    limits = AskedLimits(
        tables=int(reader.number("tables", whole=True)),
        start_seconds=reader.number("start_seconds"),
        memory_mib=int(reader.number("memory_mib", whole=True)),
        cpus=reader.number("cpus"),
        processes=int(reader.number("processes", whole=True)),
    )
    reader.finish()
    return limits


class _Reader:
    """Takes keys out of a table one by one, and refuses those nobody asked for."""

    def __init__(self, path: Path, values: dict[str, Any], prefix: str = "") -> None:
        self._path = path
        self._values = dict(values)
        self._prefix = prefix
        self._known: list[str] = []

    def _take(self, key: str, fits: Callable[[Any], bool], wanted: str, default: Any) -> Any:
        self._known.append(key)
        value = self._values.pop(key, default)
        if not fits(value):
            raise OperatorError(f"{self._path}: {self._prefix}{key} is {value!r}; it is {wanted}")
        return value

    def text(self, key: str, *, required: bool = False) -> str:
        def fits(value: Any) -> bool:
            return isinstance(value, str) and (bool(value.strip()) or not required) and value.isprintable()

        wanted = f'a text in one line, as in {key} = "..."'
        value: str = self._take(key, fits, f"missing or not {wanted}" if required else wanted, "")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(item, str) and item for item in value)

        return tuple(self._take(key, fits, f'a list of texts, as in {key} = ["..."]', []))

    def number(self, key: str, *, whole: bool = False) -> float:
        def fits(value: Any) -> bool:
            kinds = int if whole else (int, float)
            return isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value < 1e9

        return float(self._take(key, fits, f"a {'whole ' if whole else ''}number, zero or more", 0))

    def table(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self._take(key, lambda value: isinstance(value, dict), f"a table, [{key}]", {})
        return found

    def environment(self) -> dict[str, str]:
        values = self.table("environment")
        for name, value in values.items():
            if not isinstance(value, str) or name.startswith("EUCHRE_"):
                raise OperatorError(
                    f"{self._path}: environment.{name}: values are texts, and EUCHRE_ names belong to the arena"
                )
        return values

    def finish(self) -> None:
        for key in self._values:
            hint = nearest(key, self._known)
            raise OperatorError(
                f"{self._path}: unknown key {self._prefix}{key}{hint or '; known are ' + ', '.join(self._known)}"
            )
