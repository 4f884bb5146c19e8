"""A variant by any of its names: a preset, a preset with options, or a house variant in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.errors import OperatorError
from referee.rules import PRESETS, Variant, VariantError, build, parse_variant, rated
from referee.rules.errors import nearest

_KEYS: Final = ("base", "name", "options")


@dataclass(frozen=True, slots=True)
class NamedVariant:
    """A variant and what the organiser calls it."""

    label: str
    """The name in a house file; otherwise the canonical id."""
    variant: Variant
    """With the defaults of rated play (SRV-RENEGE-1), unless asked for without."""


def load_variant(text: str, directory: Path | None = None, *, is_rated: bool = True) -> NamedVariant:
    """Return the variant that *text* names, with the defaults of rated play unless *is_rated* is false.

    *text* is a preset, ``preset(option=value, …)``, or the path of a house file; a relative path starts at
    *directory*.

    :raises OperatorError: naming what was wrong and the nearest thing that would work.
    """
    if text.strip().endswith(".toml"):
        return load_house_variant((directory or Path()) / Path(text.strip()).expanduser(), is_rated=is_rated)
    try:
        variant = parse_variant(text)
    except VariantError as error:
        raise OperatorError(str(error)) from None
    if is_rated:
        variant = rated(variant)
    return NamedVariant(variant.id, variant)


def load_house_variant(path: Path, *, is_rated: bool = True) -> NamedVariant:
    """Return the house variant written in the TOML file *path*: ``base``, ``name`` and a table ``[options]``.

    :raises OperatorError: naming the file and the key.
    """
    table = read_toml(path, "house variant")
    for key in table:
        if key not in _KEYS:
            raise OperatorError(
                f"{path}: no key {key!r}{nearest(key, _KEYS)}; a house variant has base, name, [options]"
            )
    base = table.get("base")
    if not isinstance(base, str):
        raise OperatorError(f'{path}: base is missing; write the preset it starts from, as in base = "standard"')
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise OperatorError(f"{path}: options is a table of option = value, not {options!r}")
    for option, value in options.items():
        if not isinstance(value, str | int):
            raise OperatorError(f"{path}: options.{option} is a word, a number or true/false, not {value!r}")
    try:
        # base may hold options of its own: "bid-euchre(target=32)".
        start = parse_variant(base)
        variant = build(start.preset, {**start.options, **options})
    except VariantError as error:
        raise OperatorError(f"{path}: {error}") from None
    name = table.get("name", path.stem)
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or name.strip() in PRESETS:
        raise OperatorError(f"{path}: name is a text that is no preset's name, not {name!r}")
    return NamedVariant(name.strip(), rated(variant) if is_rated else variant)


def read_toml(path: Path, what: str) -> Mapping[str, Any]:
    """Return the top table of a TOML file.

    :raises OperatorError: if it cannot be read or is not TOML; the message gives line and column.
    """
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        raise OperatorError(f"{path}: no such file (a {what} was expected)") from None
    except UnicodeDecodeError as error:
        raise OperatorError(f"{path}: not UTF-8 text at byte {error.start}; save it as UTF-8") from None
    except OSError as error:
        raise OperatorError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OperatorError(f"{path}: not TOML: {error}") from None
