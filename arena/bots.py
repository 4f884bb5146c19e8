"""Entrants: what the organiser wrote, and the command that starts it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import OperatorError
from arena.schedule import HOUSE
from referee.rules.errors import nearest

BUILT_IN: Final = ("random", "heuristic", "search", "house")
"""Bots that come with the arena: ``python -m euchre_bots.NAME``."""
MAX_NAME_LENGTH: Final = 40

_NAME: Final = re.compile(r"\w(?:[\w .+@-]*[\w.+@-])?\Z")
_NAMED: Final = re.compile(r"\s*([^=/\s\"']+)\s*=\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Bot:
    """An entrant, or the house: how one instance of it is started."""

    name: str
    command: tuple[str, ...]
    """The program and its arguments; never a shell."""
    directory: str = ""
    """Where it runs; empty: where the arena runs."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Set on top of the arena's own environment."""
    spec: str = ""
    """What the organiser wrote."""

    def to_plain(self) -> dict[str, object]:
        """Return the bot as values that JSON knows."""
        return {
            "name": self.name,
            "command": list(self.command),
            "directory": self.directory,
            "environment": dict(self.environment),
        }

    @classmethod
    def from_plain(cls, values: Mapping[str, object]) -> Bot:
        """Return the bot that :meth:`to_plain` wrote."""
        command, environment = values["command"], values["environment"]
        assert isinstance(command, list)  # noqa: S101 (written by to_plain)
        assert isinstance(environment, dict)  # noqa: S101
        return cls(str(values["name"]), tuple(map(str, command)), str(values["directory"]), dict(environment))


def parse_bot(text: str, directory: Path | None = None) -> Bot:
    """Return the bot written as a built-in name, a command line, a path, or ``name=`` and any of these.

    A relative path starts at *directory*.

    :raises OperatorError: if there is no such bot, or its name cannot be used.
    """
    named = _NAMED.match(text)
    if named is not None and not ((directory or Path()) / text).exists():
        return make_bot(named[1], named[2], directory)
    return make_bot(None, text, directory)


def make_bot(
    name: str | None, spec: str, directory: Path | None = None, environment: Mapping[str, str] | None = None
) -> Bot:
    """Return the bot started by *spec*, called *name* (default: after what it is).

    :raises OperatorError: if there is no such bot, or its name cannot be used.
    """
    base = (directory or Path()).absolute()
    command = resolve_command(spec, base)
    if name is None:
        name = _usual_name(spec, command)
    return Bot(check_name(name), command, str(base), dict(environment or {}), spec.strip())


def house_bot(spec: str = "house", directory: Path | None = None) -> Bot:
    """Return the bot that fills free seats.

    :raises OperatorError: if there is no such bot.
    """
    base = (directory or Path()).absolute()
    return Bot(HOUSE, resolve_command(spec, base), str(base), spec=spec.strip())


def check_name(name: str) -> str:
    """Return *name* without blanks around it.

    :raises OperatorError: if no entrant can have it.
    """
    name = name.strip()
    if name.casefold() == HOUSE:
        raise OperatorError(
            f"a bot cannot be called {name!r}: that is who fills free seats; give it another name, as in me={HOUSE}"
        )
    if not _NAME.match(name) or len(name) > MAX_NAME_LENGTH:
        raise OperatorError(
            f"a bot cannot be called {name!r}: a name has up to {MAX_NAME_LENGTH} letters, digits, and . _ + - @ "
            "or blanks between them"
        )
    return name


def check_different(names: Iterable[str]) -> None:
    """Raise :class:`OperatorError` if two names are the same, upper and lower case apart."""
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise OperatorError(f"two bots are called {name!r}; tell them apart with a name, as in {name}-2=...")
        seen.add(name.casefold())


def resolve_command(spec: str, directory: Path) -> tuple[str, ...]:
    """Return the program and arguments that *spec* means.

    :raises OperatorError: if nothing of that name can be run.
    """
    if not spec.strip():
        raise OperatorError(
            f"a bot without a command; write one of {', '.join(BUILT_IN)}, a path, or a command in quotes"
        )
    whole = directory / Path(spec.strip()).expanduser()
    words = [spec.strip()] if whole.is_file() else _words(spec)
    program, arguments = words[0], words[1:]
    if program in BUILT_IN:
        return (sys.executable, "-m", f"euchre_bots.{program}", *arguments)
    path = directory / Path(program).expanduser()
    if os.sep in program or path.is_file():
        return (*_file_command(path), *arguments)
    if program in ("python", "python3"):
        return (shutil.which(program) or sys.executable, *arguments)
    found = shutil.which(program)
    if found is None:
        raise OperatorError(
            f"no bot {spec!r}{nearest(program, BUILT_IN)}; a bot is one of {', '.join(BUILT_IN)}, "
            "a file, or a command in quotes, as in 'me=python3 my_bot.py'"
        )
    return (found, *arguments)


def _words(spec: str) -> list[str]:
    try:
        return shlex.split(spec)
    except ValueError as error:
        raise OperatorError(f"the command {spec!r} cannot be read: {error}") from None


def _file_command(path: Path) -> tuple[str, ...]:
    if path.is_dir():
        raise OperatorError(f"{path} is a directory; name the program in it")
    if not path.is_file():
        siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        raise OperatorError(f"no bot {path}{nearest(path.name, siblings)}; there is no such file")
    if os.access(path, os.X_OK):
        return (str(path),)
    if path.suffix == ".py":
        return (sys.executable, str(path))
    raise OperatorError(
        f"{path} cannot be run; make it executable (chmod +x), or write how: 'name=PROGRAM {path.name}'"
    )


def _usual_name(spec: str, command: Sequence[str]) -> str:
    """Return a name after what is run: the built-in, the script an interpreter is given, or the program."""
    first = spec.split()[0]
    if first in BUILT_IN:
        return first
    scripts = [word for word in command if word.endswith((".py", ".js", ".mjs", ".ts", ".jar"))]
    stem = Path(scripts[0] if scripts else command[0]).stem
    return re.sub(r"[^\w.+@-]+", "-", stem).strip("-")[:MAX_NAME_LENGTH] or "bot"
