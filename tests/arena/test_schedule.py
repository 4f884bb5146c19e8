"""Who meets whom, on which boards, in which seats."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, islice, pairwise

import pytest

from arena.schedule import (
    HOUSE,
    Event,
    balanced_blocks,
    boards_per_block,
    is_individual,
    rotations,
    round_robin,
    seat_order,
    usual_chunk,
)
from referee.rules import PRESETS, parse_variant

NAMES = ["ann", "bob", "cid", "dot", "eve", "fay", "gus"]


def event(variant: str, entrants: int, boards: int = 10, chunk_boards: int = 0) -> Event:
    return Event(
        variants=(parse_variant(variant),),
        entrants=tuple(NAMES[:entrants]),
        boards=boards,
        chunk_boards=chunk_boards,
    )


def test_every_two_entrants_meet_once_in_a_round_robin() -> None:
    for count in range(2, 12):
        names = [str(number) for number in range(count)]
        pairs = [frozenset(pair) for pair in round_robin(names)]
        assert len(pairs) == len(set(pairs)) == math.comb(count, 2)


def test_nobody_plays_twice_in_a_round_of_the_round_robin() -> None:
    pairs = list(round_robin(NAMES[:6]))
    for first in range(0, len(pairs), 3):
        assert len({name for pair in pairs[first : first + 3] for name in pair}) == 6


def test_mirrored_legs_exchange_the_sides_of_two() -> None:
    """SRV-MIRROR-1."""
    pairing = next(event("standard", 2).pairings())
    assert pairing.seatings(0) == [("ann", "bob", "ann", "bob"), ("bob", "ann", "bob", "ann")]
    assert pairing.legs == 2


def test_a_set_of_individuals_is_all_rotations() -> None:
    """SRV-MIRROR-2: in leg r, who sat in seat s sits in seat s + r."""
    pairing = next(event("buck", 4).pairings())
    first, *others = pairing.seatings(5)
    for turn, seating in enumerate(others, 1):
        assert [seating[(seat + turn) % 4] for seat in range(4)] == list(first)
    assert len(set(pairing.seatings(5))) == pairing.legs == 4


def test_rotations_that_repeat_a_seating_are_left_out() -> None:
    """SRV-MIRROR-2."""
    assert rotations(("a", "b", "a", "b")) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    assert rotations(("a", "a", "a")) == [("a", "a", "a")]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_entrant_has_every_seat_equally_often_in_a_set_and_no_copy_plays_against_another(preset: str) -> None:
    """SRV-MIRROR-3 says which presets are individual games."""
    variant = parse_variant(preset)
    individual = ("cutthroat-3p", "napoleon", "call-ace-", "auction-", "hoosier-3p", "cutthroat-bid-3p", "pepper-3p")
    assert is_individual(variant) == preset.startswith((*individual, "buck", "dirty-clubs"))
    for entrants in (2, 3, 7):
        for pairing in islice(event(preset, entrants, 3).pairings(), 8):
            for board in range(pairing.boards):
                seatings = pairing.seatings(board)
                for seating in seatings:
                    for side in variant.sides:
                        assert len({seating[seat] for seat in side}) == 1
                    copies = Counter(seating[side[0]] for side in variant.sides)
                    assert all(count == 1 for name, count in copies.items() if name != HOUSE)
                for name in pairing.entrants:
                    sides = Counter(variant.side_of[seating.index(name)] for seating in seatings)
                    assert len(sides) == len(variant.sides)
                    assert len(set(sides.values())) == 1


def test_free_seats_are_filled_by_the_house_and_never_by_a_second_copy() -> None:
    pairing = next(event("buck", 3).pairings())
    for board in range(12):
        assert Counter(pairing.seatings(board)[0]) == {"ann": 1, "bob": 1, "cid": 1, HOUSE: 1}


def test_neighbours_change_evenly_over_the_boards() -> None:
    """Over twelve boards of four players everybody follows everybody else equally often."""
    follows: Counter[tuple[str, str]] = Counter()
    for board in range(12):
        order = seat_order(NAMES[:4], 4, board)
        follows.update(pairwise((*order, order[0])))
    assert len(follows) == 12
    assert set(follows.values()) == {4}


def test_an_odd_board_is_the_board_before_it_the_other_way_round() -> None:
    for seats, entrants in ((3, 3), (4, 2), (5, 4), (7, 7)):
        for board in range(0, 20, 2):
            forward, back = (seat_order(NAMES[:entrants], seats, number) for number in (board, board + 1))
            assert back == (forward[0], *reversed(forward[1:]))


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_individual_games_are_a_balanced_design(seats: int) -> None:
    for entrants in range(2, 31):
        blocks = balanced_blocks(entrants, seats)
        plays = Counter(index for block in blocks for index in block)
        meets = Counter(pair for block in blocks for pair in combinations(sorted(block), 2))
        numbers = [meets[pair] for pair in combinations(range(entrants), 2)]
        assert all(len(set(block)) == min(entrants, seats) for block in blocks)
        assert set(plays.values()) == {plays[0]}, "everybody plays equally often"
        assert min(numbers) >= 1, "everybody meets everybody"
        assert max(numbers) - min(numbers) <= 2
        if entrants <= 9:
            assert max(numbers) - min(numbers) <= 1
        boards = boards_per_block(entrants, seats, 100, len(blocks))
        assert boards * sum(numbers) / len(numbers) >= 100, "on the average every two share the boards asked for"


def test_seven_players_at_tables_of_three_make_the_fano_plane() -> None:
    blocks = balanced_blocks(7, 3)
    assert len(blocks) == 7
    assert set(Counter(pair for block in blocks for pair in combinations(block, 2)).values()) == {1}


def test_the_order_in_which_bots_are_listed_changes_nothing() -> None:
    one = event("buck", 6)
    other = Event(variants=one.variants, entrants=tuple(reversed(one.entrants)), boards=10)
    assert [(p.number, p.match, p.boards) for p in one.pairings()] == [
        (p.number, p.match, p.boards) for p in other.pairings()
    ]


def test_a_pairing_of_two_keeps_its_boards_and_seats_when_others_join() -> None:
    def of_ann_and_bob(entrants: int) -> tuple[str, list[tuple[str, ...]]]:
        found = next(pairing for pairing in event("standard", entrants).pairings() if pairing.key == "ann~bob")
        return found.match, found.seatings(3)

    assert of_ann_and_bob(2) == of_ann_and_bob(7)


def test_chunks_cover_every_board_once_whatever_their_size() -> None:
    for size in (0, 1, 7, 1000):
        this = event("standard", 2, boards=103, chunk_boards=size)
        pairing = next(this.pairings())
        legs = [(leg.board, leg.leg) for chunk in this.chunks(pairing) for leg in chunk.legs()]
        assert legs == [(board, leg) for board in range(103) for leg in range(2)]


def test_a_usual_chunk_is_neither_tiny_nor_huge() -> None:
    assert usual_chunk(10) == 50
    assert usual_chunk(800) == 200
    assert usual_chunk(1_000_000) == 500


def test_the_schedule_is_lazy() -> None:
    """The first job of a night of a million boards and forty variants costs nothing."""
    variants = tuple(parse_variant(preset) for preset in PRESETS)
    night = Event(variants=variants, entrants=tuple(f"bot{number}" for number in range(100)), boards=1_000_000)
    pairing = next(night.pairings())
    chunk = next(night.chunks(pairing))
    assert next(chunk.legs()).board == 0
