"""How many ways a hand can go on: the numbers in ``tests/positions/`` (see the README there)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.evaluator.hands import State, apply, legal

Ending = tuple[str, tuple[int, ...], tuple[int, ...], int | None]
"""How a hand ended; points by side; tricks by seat; the side that has won the game with it."""
Ends = Counter[Ending]
"""How often a hand ended in a way."""


@dataclass(frozen=True)
class Count:
    counts: list[int]
    """Sequences of exactly 1, 2, 3 … answers."""
    ends: Ends | None
    """How the hands ended, if every one was followed to its end."""


def count(root: State, most: int) -> Count:
    """Count from *root*, one answer deeper as long as there are no more than *most* sequences (and once at least)."""
    counts: list[int] = []
    ends: Ends = Counter()
    level = [root]
    while True:
        ends.update(_ending(state) for state in level if state["result"])
        level = [state for state in level if not state["result"]]
        if not level:
            return Count(counts, ends)
        following = sum(len(legal(state)) for state in level)
        if counts and following > most:
            return Count(counts, None)
        counts.append(following)
        if following > most:
            return Count(counts, None)
        level = [apply(state, text) for state in level for text in legal(state)]


def _ending(state: State) -> Ending:
    result = state["result"]
    return (result["end"], result["points"], result["tricks"], result["winner"])
