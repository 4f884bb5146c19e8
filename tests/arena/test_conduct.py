"""The rule of quarantine, and what counts then."""

from __future__ import annotations

import random

from leaderboards.conduct import MOST_BAD_LEGS, WINDOW_LEGS, Conduct, LegConduct, counted, quarantines
from leaderboards.results import FaultCount, LegResult


def leg(board: int, *offenders: str, pairing: int = 0, kind: str = "timeout") -> LegResult:
    return LegResult(
        night="n",
        pairing=pairing,
        variant="standard",
        board=board,
        leg=0,
        legs=2,
        seating=("ann", "bob", "ann", "bob"),
        sides=((0, 2), (1, 3)),
        points=(1, 0),
        end="board",
        faults=tuple(FaultCount(name, kind, 2) for name in offenders),
    )


def test_more_than_half_of_twenty_legs_bad_is_too_much() -> None:
    legs = [leg(board, *(["bob"] if board <= MOST_BAD_LEGS else [])) for board in range(40)]
    assert quarantines(legs) == {"bob": (0, WINDOW_LEGS - 1, 0)}


def test_half_of_twenty_bad_legs_is_not() -> None:
    legs = [leg(board, *(["bob"] if board % 2 else [])) for board in range(100)]
    assert quarantines(legs) == {}


def test_a_bot_that_breaks_late_is_put_out_then() -> None:
    legs = [leg(board, *(["ann"] if board >= 500 else [])) for board in range(600)]
    assert quarantines(legs) == {"ann": (0, 500 + MOST_BAD_LEGS, 0)}


def test_nobody_is_put_out_before_twenty_legs() -> None:
    assert quarantines([leg(board, "bob") for board in range(WINDOW_LEGS - 1)]) == {}


def test_a_renege_does_not_make_a_leg_bad() -> None:
    assert quarantines([leg(board, "bob", kind="renege") for board in range(50)]) == {}


def test_the_order_in_which_legs_arrive_changes_nothing() -> None:
    legs = [leg(board, *(["bob"] if board % 3 else []), pairing=pairing) for pairing in range(3) for board in range(20)]
    expected = counted(legs)
    shuffled = random.Random(7).sample(legs, len(legs))
    assert sorted(counted(shuffled), key=lambda one: one.key) == expected
    assert len(expected) == WINDOW_LEGS


def test_legs_after_the_quarantine_count_for_nobody() -> None:
    conduct = Conduct()
    for board in range(WINDOW_LEGS):
        conduct.add(LegConduct((0, board, 0), frozenset({"ann", "bob"}), frozenset({"bob"})))
    assert conduct.counts(LegConduct((0, WINDOW_LEGS - 1, 0), frozenset({"ann", "bob"}), frozenset()))
    assert not conduct.counts(LegConduct((0, WINDOW_LEGS - 1, 1), frozenset({"ann", "bob"}), frozenset()))
    assert conduct.counts(LegConduct((5, 0, 0), frozenset({"ann", "cid"}), frozenset()))


def test_nights_are_judged_apart() -> None:
    from dataclasses import replace

    legs = [leg(board, "bob") for board in range(WINDOW_LEGS - 1)]
    assert len(counted(legs + [replace(one, night="m") for one in legs])) == 2 * (WINDOW_LEGS - 1)
