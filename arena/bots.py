"""Entrants: what the organiser wrote, and the command that starts it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from arena.errors import OperatorError
from arena.manifest import AskedLimits, Manifest, manifest_path, read_manifest
from arena.schedule import HOUSE
from referee.rules.errors import nearest

BUILT_IN: Final = ("random", "heuristic", "search", "house")
"""Bots that come with the arena: ``python -m euchre_bots.NAME``."""
MAX_NAME_LENGTH: Final = 40

Isolation: TypeAlias = Literal["process", "docker", "none"]
"""How the bots of an event are kept apart: each instance a process, each a container of its own, or not at all: one
process in all seats of an entrant, which sees its partner's cards."""
ISOLATIONS: Final[tuple[Isolation, ...]] = ("process", "docker", "none")

_DOCKER: Final = "docker:"
_REMOTE: Final = "remote:"
_NAME: Final = re.compile(r"\w(?:[\w .+@-]*[\w.+@-])?\Z")
_NAMED: Final = re.compile(r"\s*([^=/\s\"']+)\s*=\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Bot:
    """An entrant, or the house: how one instance of it is started."""

    name: str
    command: tuple[str, ...]
    """The program and its arguments, never a shell; of a container, the arguments of its entry point."""
    directory: str = ""
    """Where it runs; empty: where the arena runs."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Set on top of the arena's own environment."""
    spec: str = ""
    """What the organiser wrote."""
    image: str = ""
    """The image it is started from, in a container; empty: a process."""
    limits: AskedLimits = field(default_factory=AskedLimits)
    """What it asks for in its manifest."""
    remote: str = ""
    """The entrant whose bot dials in from elsewhere; empty: it is started here."""


def isolation_text(bot: Bot, isolation: Isolation) -> str:
    """Return how the instances of *bot* are kept apart, in a word: ``process``, ``docker``, ``none``, or ``remote``."""
    return "remote" if bot.remote else "docker" if bot.image else isolation


def parse_bot(text: str, directory: Path | None = None, isolation: Isolation = "process") -> Bot:
    """Return the bot written as one of the forms of :func:`make_bot`, or as ``name=`` and one of them.

    :raises OperatorError: if there is no such bot, or its name cannot be used.
    """
    named = _NAMED.match(text)
    if named is not None and not ((directory or Path()) / text).exists():
        return make_bot(named[1], named[2], directory, isolation=isolation)
    return make_bot(None, text, directory, isolation=isolation)


def make_bot(
    name: str | None,
    spec: str,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
    isolation: Isolation = "process",
) -> Bot:
    """Return the bot started by *spec*, called *name* (default: after what it is).

    *spec* is a built-in name, a manifest or the folder that holds one, ``docker:IMAGE``, ``remote:NAME``, a file, or a
    command line.
    A relative path starts at *directory*.

    :raises OperatorError: if there is no such bot, its name cannot be used, or it cannot be isolated so.
    """
    base = (directory or Path()).absolute()
    bot = _bot_of(spec.strip(), base, isolation)
    name = check_name(bot.name if name is None else name)
    return replace(bot, name=name, environment={**bot.environment, **(environment or {})}, spec=spec.strip())


def house_bot(spec: str = "house", directory: Path | None = None) -> Bot:
    """Return the bot that fills free seats. It is the organiser's own, and always a process.

    :raises OperatorError: if there is no such bot.
    """
    base = (directory or Path()).absolute()
    bot = _bot_of(spec.strip(), base, "process")
    if bot.remote:
        raise OperatorError(f"the house cannot be {spec.strip()!r}: it has to be there whenever a seat is free")
    return replace(bot, name=HOUSE, spec=spec.strip())


def _bot_of(spec: str, base: Path, isolation: Isolation) -> Bot:
    """Return the bot under a name of its own, not checked yet."""
    if spec.startswith(_DOCKER):
        image, *arguments = _words(spec.removeprefix(_DOCKER)) or [""]
        if not image:
            raise OperatorError(f"{spec!r} names no image; write docker:IMAGE")
        if isolation == "none":
            raise OperatorError(f"{spec!r} is a container, which never has two seats; isolation none is for processes")
        return Bot(_tidy(image.rpartition("/")[2].partition(":")[0]), tuple(arguments), image=image)
    if spec.startswith(_REMOTE):
        entrant = spec.removeprefix(_REMOTE).strip()
        if not entrant:
            raise OperatorError(f"{spec!r} names no entrant; write remote:NAME, as 'euchre-arena token' was told")
        return Bot(check_name(entrant), (), remote=entrant)
    found = manifest_path(base / Path(spec).expanduser()) if spec and spec not in BUILT_IN else None
    if found is not None:
        return _bot_of_manifest(read_manifest(found), isolation)
    if isolation == "docker":
        raise OperatorError(
            f"{spec!r} is no container; with isolation docker a bot is docker:IMAGE, or a manifest that names an image"
        )
    command = resolve_command(spec, base)
    return Bot(_usual_name(spec, command), command, str(base))


def _bot_of_manifest(manifest: Manifest, isolation: Isolation) -> Bot:
    """Return the bot that a manifest describes: its image where containers are wanted or it has no command."""
    if manifest.image and (isolation == "docker" or not manifest.command):
        return Bot(manifest.name, (), environment=manifest.environment, image=manifest.image, limits=manifest.limits)
    if isolation == "docker":
        raise OperatorError(f"{manifest.path} names no image, which isolation docker needs")
    program, *arguments = manifest.command
    command = (_manifest_program(manifest, program), *arguments)
    return Bot(
        manifest.name, command, str(manifest.directory), environment=manifest.environment, limits=manifest.limits
    )


def _manifest_program(manifest: Manifest, program: str) -> str:
    """Return the program of a manifest; a path starts at its folder, a plain name is looked for on the PATH."""
    if os.sep in program:
        path = manifest.directory / program
        if path.is_file():
            return str(path)
        how = f"build it first: {shlex.join(manifest.build)}" if manifest.build else "there is no such file"
        raise OperatorError(f"{manifest.path}: {program} is not there; {how}")
    if program in ("python", "python3"):
        return sys.executable  # what has grpcio and the kit
    found = shutil.which(program)
    if found is None:
        raise OperatorError(f"{manifest.path}: no program {program!r} on this machine; install it")
    return found


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


def check_process(bot: Bot, command: str) -> Bot:
    """Return *bot* if it is started here, as a process.

    :raises OperatorError: if not; *command* is the one that needs it so.
    """
    if bot.image or bot.remote:
        what = "a container" if bot.image else "somewhere else"
        raise OperatorError(f"{bot.spec!r} is {what}; {command} starts a process: give the command, or its manifest")
    return bot


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
        raise OperatorError(f"{path} is a directory without a bot.toml; name the program in it")
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
    return _tidy(Path(scripts[0] if scripts else command[0]).stem)


def _tidy(name: str) -> str:
    """Return *name* with what no name may hold replaced."""
    return re.sub(r"[^\w.+@-]+", "-", name).strip("-")[:MAX_NAME_LENGTH] or "bot"
