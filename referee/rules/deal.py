"""Who is dealt which card of the deck (RULES.md 3.3). The deck order is an input."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import chain
from operator import itemgetter

from referee.rules.cards import Card, Seat


def _packets(pattern: str, seats: int, hand_size: int) -> Iterable[list[int]]:
    """Yield, for each time round, how many cards each seat gets in dealing order."""
    match pattern:
        case "packets-3-2":
            return ([3] * seats, [2] * seats)
        case "packets-2-3":
            return ([2] * seats, [3] * seats)
        case "packets-3-3":
            return ([3] * seats, [3] * seats)
        case "alternating":
            return ([3 - place % 2 for place in range(seats)], [2 + place % 2 for place in range(seats)])
        case "singles":
            return ([1] * seats for _ in range(hand_size))
        case _:
            raise AssertionError(pattern)


@functools.cache
def dealt_positions(pattern: str, seats: int, hand_size: int, dealer: Seat) -> tuple[tuple[int, ...], ...]:
    """Return, by seat, the positions of its cards in the deck (DEAL-PAT-1 to -6).

    The cards after ``seats * hand_size`` are not dealt: upcard first where there is one, then the rest.
    """
    order = [(dealer + 1 + place) % seats for place in range(seats)]
    got: list[list[int]] = [[] for _ in range(seats)]
    position = 0
    for seat, count in chain.from_iterable(
        zip(order, packet, strict=True) for packet in _packets(pattern, seats, hand_size)
    ):
        got[seat].extend(range(position, position + count))
        position += count
    return tuple(tuple(positions) for positions in got)


Taker = Callable[[tuple[Card, ...]], tuple[Card, ...]]
"""Takes the cards of one seat out of a deck."""


@functools.cache
def takers(pattern: str, seats: int, hand_size: int, dealer: Seat) -> tuple[Taker, ...]:
    """Return, by seat, what takes its cards out of a deck: :func:`dealt_positions`, faster."""
    return tuple(itemgetter(*places) for places in dealt_positions(pattern, seats, hand_size, dealer))
