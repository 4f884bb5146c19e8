"""Variants described for people and programs: what ``euchre-arena variants`` prints.

The words come from :mod:`arena.rulebook`, the data from the wire contract (``euchre.v1.Variant``).
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import Final

from google.protobuf.json_format import MessageToDict

from arena.rulebook import Page, Paragraph, Section, Table, example_bids, page, summary
from referee.rules import PRESETS, Variant, parse_variant
from referee.service.wire import variant_to_message

WIDTH: Final = 100
"""Columns of the text form."""
_EMPHASIS: Final = re.compile(r"\*([^*]+)\*")


def variant_of(text: str | Variant) -> Variant:
    """Return the variant itself, or the one written as ``preset`` or ``preset(option=value)``.

    :raises VariantError: naming what was wrong and what would work.
    """
    return parse_variant(text) if isinstance(text, str) else text


# -- lists -------------------------------------------------------------------------------------------


def list_text() -> str:
    """Return every preset with its name and the game in a sentence, in the order of RULES.md part 4."""
    lines = [
        f"{len(PRESETS)} variants; 'euchre-arena variants NAME' tells how one is played, '--json' gives it as data.",
        "",
    ]
    width = max(map(len, PRESETS))
    for name in PRESETS:
        variant = parse_variant(name)
        lines.append(f"{name:{width}}  {variant.name}")
        lines += textwrap.wrap(
            summary(variant), WIDTH, initial_indent=" " * (width + 2), subsequent_indent=" " * (width + 2)
        )
    return "\n".join(lines) + "\n"


def list_json() -> str:
    """Return every preset with its default options as a JSON list: the wire message and the summary."""
    variants = [parse_variant(name) for name in PRESETS]
    return _dump([{"summary": summary(variant), "variant": _message(variant)} for variant in variants])


# -- one variant -------------------------------------------------------------------------------------


def describe_json(variant: str | Variant) -> str:
    """Return one variant as a JSON object.

    ``variant`` is the protobuf JSON of ``euchre.v1.Variant`` (what ``DescribeVariant`` answers); ``bids`` every
    bid in notation, low to high; ``rules`` the same sections as the text, each paragraph with its rule ids.
    """
    chosen = variant_of(variant)
    rules = page(chosen)
    return _dump(
        {
            "summary": rules.summary,
            "variant": _message(chosen),
            "bids": example_bids(chosen),
            "rules": [_section_data(section) for section in rules.sections],
        }
    )


def _message(variant: Variant) -> dict[str, object]:
    fields: dict[str, object] = MessageToDict(variant_to_message(variant), preserving_proto_field_name=True)
    return fields


def _section_data(section: Section) -> dict[str, object]:
    return {"title": section.title, "blocks": [_block_data(block) for block in section.blocks]}


def _block_data(block: Paragraph | Table) -> dict[str, object]:
    if isinstance(block, Paragraph):
        return {"text": _plain(block.text), "rule_ids": list(block.rules)}
    rows = [dict(zip(block.header, row, strict=True)) for row in block.rows]
    return {"header": list(block.header), "rows": rows, "rule_ids": list(block.rules)}


def _dump(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def describe_text(variant: str | Variant, label: str = "") -> str:
    """Return one variant as text for a terminal: all that is needed to play it from scratch.

    *label* is what it is called where it was written; without, it is headed by what its preset is called.
    """
    rules = page(variant_of(variant))
    title = f"{label}, after {rules.title}" if label else rules.title
    lines = [f"{title} ({rules.variant_id})", "", *textwrap.wrap(rules.summary, WIDTH)]
    for section in rules.sections:
        lines += ["", section.title.upper()]
        for block in section.blocks:
            lines += ["", *(_paragraph_lines(block) if isinstance(block, Paragraph) else _table_lines(block))]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return _EMPHASIS.sub(r"\1", text).replace("`", "")


def _cited(text: str, rules: tuple[str, ...]) -> str:
    return f"{text} [{', '.join(rules)}]" if rules else text


def _paragraph_lines(block: Paragraph) -> list[str]:
    return textwrap.wrap(
        _cited(_plain(block.text), block.rules),
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )


def _table_lines(table: Table) -> list[str]:
    """Return the rows in columns; the last column wraps."""
    widths = [max(len(row[at]) for row in (table.header, *table.rows)) for at in range(len(table.header))]
    indent = 2 + sum(width + 2 for width in widths[:-1])
    lines = []
    for row in (table.header, *table.rows):
        head = "  " + "".join(f"{cell:{width}}  " for cell, width in zip(row[:-1], widths[:-1], strict=True))
        lines += textwrap.wrap(
            head + row[-1],
            max(WIDTH, indent + 30),
            subsequent_indent=" " * indent,
            drop_whitespace=True,
            break_on_hyphens=False,
        ) or [""]
    lines.insert(1, "  " + "  ".join("-" * width for width in widths)[: WIDTH - 2])
    if table.rules:
        lines.append(f"  [{', '.join(table.rules)}]")
    return lines


# -- Markdown ----------------------------------------------------------------------------------------


def describe_markdown(variant: str | Variant) -> str:
    """Return one variant as a Markdown page."""
    return markdown(page(variant_of(variant)))


def markdown(rules: Page) -> str:
    """Return a page of rules as Markdown, rule ids in small print."""
    lines = [f"# {rules.title}", "", f"`{rules.variant_id}`. {rules.summary}"]
    for section in rules.sections:
        lines += ["", f"## {section.title}"]
        for block in section.blocks:
            lines += ["", *(_markdown_paragraph(block) if isinstance(block, Paragraph) else _markdown_table(block))]
    return "\n".join(lines) + "\n"


def _small_print(rules: tuple[str, ...]) -> str:
    return f"<sub>{' · '.join(rules)}</sub>"


def _markdown_paragraph(block: Paragraph) -> list[str]:
    text = f"{block.text} {_small_print(block.rules)}" if block.rules else block.text
    return textwrap.wrap(text, 120, break_on_hyphens=False, break_long_words=False)


def _markdown_table(table: Table) -> list[str]:
    def line(cells: tuple[str, ...]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    lines = [line(table.header), line(("---",) * len(table.header)), *map(line, table.rows)]
    if table.rules:
        lines += ["", _small_print(table.rules)]
    return lines
