"""Generate ``docs/variants/``: a page of rules for every preset of the catalogue, and an index.

Run as ``python tools/generate_variant_docs.py``; ``--check`` compares instead of writing and exits 1 on a
difference. The words are those of ``euchre-arena variants`` (``arena/rulebook*.py``).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from arena.describe import describe_markdown
from arena.rulebook import summary
from referee.rules import PRESETS, parse_variant

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "variants"
COMMAND = "python tools/generate_variant_docs.py"
_NOTICE = f"<!-- Generated from the catalogue; change the rules or arena/rulebook*.py, then run {COMMAND} -->\n\n"

_INDEX_HEAD = f"""# The variants

The games the referee plays: {len(PRESETS)} presets, each with options. One page each, with all that is needed to play
from scratch. `euchre-arena variants NAME` prints the same page for a terminal, `--json` gives it to a program, and both
accept options too, as in `standard(stick_dealer=off)`. The ids in small print are those of the rulebook.

| Variant | Game |
| --- | --- |
"""


def pages() -> dict[str, str]:
    """Return the text of every file of ``docs/variants/`` by its name."""
    files = {f"{name}.md": _NOTICE + describe_markdown(name) for name in PRESETS}
    rows = []
    for name in PRESETS:
        variant = parse_variant(name)
        rows.append(f"| [`{name}`]({name}.md) | **{variant.name}.** {summary(variant)} |\n")
    files["README.md"] = _NOTICE + _INDEX_HEAD + "".join(rows)
    return files


def differences(target: Path = TARGET) -> list[str]:
    """Return the names of the files under *target* that are missing, stale or left over."""
    wanted = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in target.glob("*.md")}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def write(target: Path = TARGET) -> None:
    """Write every page to *target* and remove pages of presets that are no more."""
    target.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for name, text in wanted.items():
        (target / name).write_text(text, encoding="utf-8")
    for path in target.glob("*.md"):
        if path.name not in wanted:
            path.unlink()


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    if not parser.parse_args().check:
        write()
        return
    stale = differences()
    if stale:
        sys.exit(f"docs/variants is not current ({', '.join(stale)}); run: {COMMAND}")


if __name__ == "__main__":
    main()
