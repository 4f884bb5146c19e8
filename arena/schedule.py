"""Who meets whom, on which boards, in which seats: a pure, lazy function of the event.

An event is a row of *pairings*, numbered in schedule order. Where two sides play, a pairing is two entrants;
where everybody plays for himself (SRV-MIRROR-3), it is as many different entrants as there are seats, and the
``house`` bot fills the seats that are left. A pairing has boards; each board is played in *legs* (SRV-MIRROR-1,
-2), and all legs of a board are a *set*. A *chunk* is a run of boards of one pairing: the unit of work.

Nothing here depends on concurrency, on the clock or on the order in which the bots are listed: the boards and
seats of a pairing follow from the names that meet, the variant and the number of the board.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

from referee.rules import Alliance, Variant

HOUSE: Final = "house"
"""The name of whoever fills a free seat; never rated, and no entrant may have it."""

Unit: TypeAlias = Literal["boards", "games"]
"""What a leg is: one board scored on its own, or a whole game to the target."""
UNITS: Final[tuple[Unit, ...]] = ("boards", "games")

_SMALLEST_CHUNK: Final = 50
_LARGEST_CHUNK: Final = 500
_CHUNKS_PER_PAIRING: Final = 4
_MOST_BASE_BLOCKS: Final = 12
_EVEN_ENOUGH: Final = 0.2


@dataclass(frozen=True, slots=True)
class Leg:
    """One seating of one board."""

    board: int
    leg: int
    seating: tuple[str, ...]
    """Entrant by seat."""


@dataclass(frozen=True)
class Pairing:
    """Entrants that meet on one variant, over a number of boards."""

    number: int
    """Place in the schedule, from zero."""
    variant: Variant
    entrants: tuple[str, ...]
    """Those who are rated, sorted by name; the house is not among them."""
    boards: int

    @property
    def key(self) -> str:
        """Return what names this meeting whatever else the event holds: ``"ann~bob"``."""
        return "~".join(self.entrants)

    @property
    def match(self) -> str:
        """Return the name its decks are derived from (see ``referee.service.shuffle``)."""
        return f"{self.variant.id}/{self.key}"

    @cached_property
    def legs(self) -> int:
        """Return how many legs make a set."""
        return len(self.seatings(0))

    def seatings(self, board: int) -> list[tuple[str, ...]]:
        """Return the seating of every leg of *board*."""
        if is_individual(self.variant):
            return rotations(seat_order(self.entrants, self.variant.seats, board))
        return rotations(tuple(self.entrants[side] for side in self.variant.side_of))

    def set_of(self, board: int) -> Iterator[Leg]:
        """Yield the legs of *board*, in order."""
        for leg, seating in enumerate(self.seatings(board)):
            yield Leg(board, leg, seating)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of boards of one pairing: what one job plays."""

    pairing: Pairing
    number: int
    """Place among the chunks of the pairing, from zero."""
    boards: range

    def legs(self) -> Iterator[Leg]:
        """Yield every leg, in schedule order."""
        for board in self.boards:
            yield from self.pairing.set_of(board)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What is played: everything the schedule follows from."""

    variants: tuple[Variant, ...]
    entrants: tuple[str, ...]
    boards: int
    """Sets in which each two entrants meet, on each variant."""
    unit: Unit = "boards"
    chunk_boards: int = field(default=0)
    """Boards of one chunk; zero: :func:`usual_chunk`."""

    def pairings(self) -> Iterator[Pairing]:
        """Yield the pairings in schedule order: variant by variant, everybody in turn."""
        number = 0
        for variant in self.variants:
            for entrants, boards in meetings(variant, sorted(self.entrants), self.boards):
                yield Pairing(number, variant, tuple(sorted(entrants)), boards)
                number += 1

    def chunks(self, pairing: Pairing) -> Iterator[Chunk]:
        """Yield the chunks of *pairing*, in board order."""
        size = self.chunk_boards or usual_chunk(pairing.boards)
        for number, first in enumerate(range(0, pairing.boards, size)):
            yield Chunk(pairing, number, range(first, min(first + size, pairing.boards)))


def usual_chunk(boards: int) -> int:
    """Return the boards of a chunk when the organiser does not say: small enough to share, large enough to pay."""
    return min(max(math.ceil(boards / _CHUNKS_PER_PAIRING), _SMALLEST_CHUNK), _LARGEST_CHUNK)


def is_individual(variant: Variant) -> bool:
    """Tell whether everybody is scored for himself, sides that last one hand included (SRV-MIRROR-3)."""
    return variant.alliance is not Alliance.FIXED


def rotations(seating: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the legs of a set, *seating* first.

    In leg *r* whoever sat in seat *s* sits in seat *s + r*; repetitions are left out (SRV-MIRROR-1, -2).
    """
    seats = len(seating)
    turned = (tuple(seating[(seat - turn) % seats] for seat in range(seats)) for turn in range(seats))
    return list(dict.fromkeys(turned))


def meetings(variant: Variant, entrants: Sequence[str], boards: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield who meets on *variant*, and on how many boards."""
    if not is_individual(variant):
        for pair in round_robin(entrants):
            yield pair, boards
        return
    blocks = balanced_blocks(len(entrants), variant.seats)
    each = boards_per_block(len(entrants), variant.seats, boards, len(blocks))
    for block in blocks:
        yield tuple(entrants[index] for index in block), each


def round_robin(entrants: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every two of *entrants* once, by the circle method: in each round everybody plays at most once."""
    circle: list[str | None] = [*entrants]
    if len(circle) % 2:
        circle.append(None)
    for _ in range(len(circle) - 1):
        for one, other in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if one is not None and other is not None:
                yield one, other
        circle.insert(1, circle.pop())


# -- individual games --------------------------------------------------------------------------------


def balanced_blocks(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Return who plays together, as indices, so that every two meet equally often, or as nearly as is sensible.

    With no more entrants than seats there is one block: everybody. Otherwise base blocks are moved around the
    circle of entrants (a cyclic design), so all play equally often, and how often two meet depends on their
    distance on the circle alone; base blocks are added until all distances occur about equally often. Every
    combination once is taken where that is no longer.
    """
    if entrants <= seats:
        return [tuple(range(entrants))]
    blocks = _cyclic_design(entrants, seats)
    if math.comb(entrants, seats) <= len(blocks):
        return list(itertools.combinations(range(entrants), seats))
    return blocks


def _cyclic_design(entrants: int, seats: int) -> list[tuple[int, ...]]:
    uses = [0] * entrants
    best: list[tuple[int, ...]] = []
    bases: list[tuple[int, ...]] = []
    smallest_spread = math.inf
    for _ in range(_MOST_BASE_BLOCKS):
        bases.append(_next_base(uses, entrants, seats))
        meets = _meetings_by_distance(uses, entrants)
        spread = (max(meets) - min(meets)) / (sum(meets) / len(meets))
        if spread < smallest_spread:
            smallest_spread, best = spread, list(bases)
        if spread <= _EVEN_ENOUGH:
            break
    return [tuple(sorted((index + shift) % entrants for index in base)) for base in best for shift in range(entrants)]


def _next_base(uses: list[int], entrants: int, seats: int) -> tuple[int, ...]:
    """Return a block that holds the distances used least so far; count them in *uses*, by distance."""
    block = [0]
    while len(block) < seats:
        free = (index for index in range(entrants) if index not in block)

        def cost(index: int) -> tuple[float, int]:
            distances = [_distance(index, other, entrants) for other in block]
            crowded = [_weight(distance, entrants) * (uses[distance] + 1) for distance in distances]
            repeated = len(distances) - len(set(distances))
            return sum(crowded) + repeated, index

        chosen = min(free, key=cost)
        for other in block:
            uses[_distance(chosen, other, entrants)] += 1
        block.append(chosen)
    return tuple(block)


def _distance(one: int, other: int, entrants: int) -> int:
    return min((one - other) % entrants, (other - one) % entrants)


def _weight(distance: int, entrants: int) -> int:
    """Return how often two at *distance* meet for each base block that holds it: twice across the circle."""
    return 2 if 2 * distance == entrants else 1


def _meetings_by_distance(uses: Sequence[int], entrants: int) -> list[int]:
    return [uses[distance] * _weight(distance, entrants) for distance in range(1, entrants // 2 + 1)]


def boards_per_block(entrants: int, seats: int, boards: int, blocks: int) -> int:
    """Return how many boards each block plays so that every two entrants share about *boards* of them, or more."""
    players = min(entrants, seats)
    return math.ceil(boards * math.comb(entrants, 2) / (blocks * math.comb(players, 2)))


def seat_order(entrants: Sequence[str], seats: int, board: int) -> tuple[str, ...]:
    """Return the first leg's seating of *board*, the house in free seats.

    Who sits behind whom changes from board to board, and every odd board is the even one before it the other
    way round, so nobody gains by always sitting before or behind the same opponent.
    """
    around = [*entrants[1:], *[HOUSE] * (seats - len(entrants))]
    count = math.factorial(len(around))
    # A step that shares no divisor with the count visits every order once, far apart in turn.
    step = next(size for size in range(max(1, round(count * 0.618)), count + 2) if math.gcd(size, count) == 1)
    order = (entrants[0], *_permutation(around, board // 2 * step % count))
    return order if board % 2 == 0 else (order[0], *reversed(order[1:]))


def _permutation(items: Sequence[str], index: int) -> Iterator[str]:
    """Yield the permutation number *index* of *items* in lexicographic order of positions."""
    left = list(items)
    while left:
        place, index = divmod(index, math.factorial(len(left) - 1))
        yield left.pop(place)
