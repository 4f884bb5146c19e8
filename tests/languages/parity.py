"""Where bots part that should answer alike: one night, the same boards in every seating, compared action by action."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TypeAlias

from arena.journal import find_journal, read_legs
from referee.service.outcome import HandRecord

Board: TypeAlias = tuple[str, int]
"""Variant and number of a board."""


def partings(night: Path) -> tuple[int, dict[Board, str]]:
    """Return how many legs *night* has, and for each board that was not played alike in all seatings where it parted.

    Bots that give the same answers to the same questions play the same deck in the same way wherever they sit, so
    every leg of a board is the same, action by action, whoever made the action. Points alone would hide most
    differences.
    """
    legs: dict[Board, list[tuple[HandRecord, ...]]] = defaultdict(list)
    for _, record in read_legs(find_journal(night)):
        legs[record.seating.variant, record.board].append(record.hands)
    parted = {}
    for board, (first, *others) in legs.items():
        for other in others:
            if found := _parting(first, other):
                parted[board] = found
    return sum(map(len, legs.values())), parted


def _parting(one: tuple[HandRecord, ...], other: tuple[HandRecord, ...]) -> str:
    """Return the first difference of two legs, empty if there is none."""
    for mine, theirs in zip(one, other, strict=False):
        assert mine.deck == theirs.deck
        said, heard = ([(played.seat, played.action) for played in hand.actions] for hand in (mine, theirs))
        for place, (left, right) in enumerate(zip(said, heard, strict=False)):
            if left != right:
                return f"hand {mine.number}, action {place}: {left} or {right}"
        if len(said) != len(heard):
            return f"hand {mine.number}: {len(said)} or {len(heard)} actions"
    return "" if len(one) == len(other) else f"{len(one)} or {len(other)} hands"
