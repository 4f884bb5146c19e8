"""``euchre-arena new-bot LANGUAGE DIR``: a ready project, copied from the sample of its language.

Each ``sample_bots/<language>/template.toml`` says what makes up a new project::

    include = ["kit/**", "template/**", "go.mod"]      # files, relative to the language's folder
    build = "go build -o bin/bot ."                    # what to type first
    run = "./bin/bot"                                  # how the bot starts, in the new folder

    [rename]                                           # old path = "new path", also of whole folders
    "template" = "."

    [[replace]]                                        # in every text file copied
    text = "template-bot"
    with = "{name}"

The wire contract is copied beside it, to ``proto/euchre/v1``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.errors import InfrastructureError, OperatorError
from referee.rules.errors import nearest

TEMPLATE_FILE: Final = "template.toml"
_ROOT: Final = Path(__file__).resolve().parent.parent
_SAMPLES: Final = _ROOT / "sample_bots"
_PROTO: Final = _ROOT / "proto" / "euchre" / "v1"
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,38}[a-z0-9]\Z")
_NEVER: Final = frozenset({"node_modules", "target", "dist", "build", "bin", "__pycache__", ".venv"})
"""Folders that a build makes."""


@dataclass(frozen=True, slots=True)
class Template:
    """What ``template.toml`` says."""

    language: str
    directory: Path
    include: tuple[str, ...]
    rename: dict[str, str]
    replace: tuple[tuple[str, str], ...]
    build: str
    run: str


def languages() -> list[str]:
    """Return the languages there is a template for, sorted."""
    return sorted(path.parent.name for path in _SAMPLES.glob(f"*/{TEMPLATE_FILE}"))


def load_template(language: str) -> Template:
    """Return the template of *language*.

    :raises OperatorError: if there is none.
    """
    known = languages()
    if language not in known:
        raise OperatorError(
            f"no template for {language!r}{nearest(language, known)}; there is one for {', '.join(known)}"
        )
    directory = _SAMPLES / language
    values: dict[str, Any] = tomllib.loads((directory / TEMPLATE_FILE).read_text(encoding="utf-8"))
    try:
        return Template(
            language=language,
            directory=directory,
            include=tuple(values["include"]),
            rename=dict(values.get("rename", {})),
            replace=tuple((entry["text"], entry["with"]) for entry in values.get("replace", ())),
            build=str(values["build"]),
            run=str(values["run"]),
        )
    except (KeyError, TypeError) as error:
        raise InfrastructureError(f"{directory / TEMPLATE_FILE} is not complete: {error}") from error


def write_project(language: str, directory: Path, name: str | None = None) -> tuple[Template, list[Path]]:
    """Write a new project to *directory*, which must not exist or be empty; return its template and its files.

    :raises OperatorError: if there is no such language, the name cannot be used, or the directory is not empty.
    """
    template = load_template(language)
    name = name or directory.resolve().name.lower().replace("_", "-")
    if not _NAME.match(name):
        raise OperatorError(
            f"a bot cannot be called {name!r} here; use small letters, digits and dashes, or give another with --name"
        )
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise OperatorError(f"{directory} exists and is not empty; choose another directory")
    written = [
        _copy(source, directory / _renamed(source.relative_to(template.directory), template.rename), template, name)
        for source in _included(template)
    ]
    contract = Path("proto", "euchre", "v1")
    written += [
        _copy(source, directory / contract / source.name, template, name) for source in sorted(_PROTO.glob("*.proto"))
    ]
    return template, written


def _included(template: Template) -> list[Path]:
    found = {
        path
        for pattern in template.include
        for path in template.directory.glob(pattern)
        if path.is_file() and not _NEVER & set(path.relative_to(template.directory).parts)
    }
    if not found:
        raise InfrastructureError(f"{template.directory / TEMPLATE_FILE} includes no file")
    return sorted(found)


def _renamed(path: Path, rename: dict[str, str]) -> Path:
    """Return where *path* goes; the longest old path that it begins with counts."""
    for old in sorted(rename, key=len, reverse=True):
        if path == Path(old) or Path(old) in path.parents:
            return Path(rename[old]) / path.relative_to(old) if path != Path(old) else Path(rename[old])
    return path


def _copy(source: Path, target: Path, template: Template, name: str) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    content = source.read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        target.write_bytes(content)
    else:
        for old, new in template.replace:
            text = text.replace(old, new.replace("{name}", name))
        target.write_text(text, encoding="utf-8")
    target.chmod(source.stat().st_mode & 0o777)
    return target


def next_steps(template: Template, directory: Path) -> list[str]:
    """Return what to type next, a line each."""
    return [
        f"cd {directory}",
        template.build,
        "euchre-arena check .",
        "euchre-arena match . heuristic -v standard -n 100",
    ]
