"""Write the description of every preset as JSON, for kits in other languages to test their readers of it.

So are the variants with options that the vectors of cards and tricks name, each under the text it has there.

Run as ``python tools/write_variant_json.py``; ``--check`` compares instead of writing and exits 1 on a difference.
The form is the JSON mapping of protobuf for ``euchre.v1.Variant``: what DescribeVariant answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from google.protobuf.json_format import MessageToDict

from referee.rules import PRESETS, parse_variant
from referee.service.wire import variant_to_message

VECTORS = Path(__file__).resolve().parent.parent / "tests" / "vectors"
TARGET = VECTORS / "variants"
CARD_KINDS = ("lawful", "trick", "order")
"""The kinds of cases that a kit for bots can run from a description alone."""


def described() -> list[str]:
    """Return the texts of the variants to describe: the presets in catalogue order, then those of the vectors."""
    named = {
        case["variant"]
        for path in VECTORS.glob("*.json")
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]
        for case in vector["cases"]
        if case["kind"] in CARD_KINDS
    }
    return [*PRESETS, *sorted(named - PRESETS.keys())]


def texts() -> dict[str, str]:
    """Return by file name what the files are to hold: a line for each member of the message, for readable diffs."""
    return {f"{text}.json": _text(MessageToDict(variant_to_message(parse_variant(text)))) for text in described()}


def _text(message: dict[str, object]) -> str:
    members = (f"{json.dumps(name)}: {_lines(value)}" for name, value in message.items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(value: object) -> str:
    """Return a value in one line, a list of objects in one line for each."""
    if not (isinstance(value, list) and value and isinstance(value[0], dict)):
        return json.dumps(value)
    return "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in value) + "\n]"


def differences(target: Path = TARGET) -> list[str]:
    """Return the names of files that are missing, stale or left over in *target*."""
    wanted = texts()
    found = {path.name: path.read_text(encoding="utf-8") for path in target.glob("*.json")}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    if parser.parse_args().check:
        stale = differences()
        if stale:
            sys.exit(f"stale variant descriptions, run tools/write_variant_json.py: {', '.join(stale)}")
        return
    TARGET.mkdir(parents=True, exist_ok=True)
    wanted = texts()
    for path in TARGET.glob("*.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (TARGET / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
