"""What a played hand is worth, computed from the description of the variant (RULES.md 3.9, 3.11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from euchre_kit.variant import Rung, Variant

NOBODY = -1


@dataclass(slots=True)
class Outline:
    """All that matters of a hand for its points, besides the tricks."""

    maker: int = NOBODY
    makers: tuple[int, ...] = ()
    """The seats of the maker's true side, a silent ally included."""
    active: tuple[int, ...] = ()
    """Seats that played."""
    lone_maker: int = NOBODY
    lone_defender: int = NOBODY
    rung: Rung | None = None
    """The contract, in games with bids."""
    cards_received: int = 0
    """By a lone declarer from his partner."""


def hand_points(variant: Variant, outline: Outline, tricks: Sequence[int]) -> list[int]:
    """Return the points of a hand in the order of ``variant.sides``; *tricks* are by seat.

    In countdown games a minus is good. A hand stopped by a renege is not scored here.
    """
    points = [0] * len(variant.sides)
    match variant.scoring:
        case "five_trick":
            _five_tricks(variant, outline, tricks, points)
        case "bonus":
            _bonus(variant, outline, tricks, points)
        case "contract":
            _contract(variant, outline, tricks, points)
        case "bid_value":
            _bid_value(variant, outline, tricks, points)
        case "countdown":
            _countdown(variant, outline, tricks, points)
        case unknown:
            raise ValueError(f"{variant.id} is scored by {unknown!r}, which this kit does not know")
    return points


def _pay(variant: Variant, points: list[int], seats: Iterable[int], amount: int) -> None:
    for side in {variant.side_of[seat] for seat in seats}:
        points[side] += amount


def _others(variant: Variant, makers: Sequence[int]) -> list[int]:
    return [seat for seat in range(variant.seats) if seat not in makers]


def _five_tricks(variant: Variant, outline: Outline, tricks: Sequence[int], points: list[int]) -> None:
    score, makers = variant.message.five_trick, outline.makers
    taken = sum(tricks[seat] for seat in makers)
    if taken == 5:
        lone = outline.lone_maker != NOBODY and score.HasField("lone_march")
        _pay(variant, points, makers, score.lone_march if lone else score.march)
    elif taken >= 3:
        _pay(variant, points, makers, score.three_or_four)
    elif outline.lone_defender != NOBODY and score.HasField("lone_euchre"):
        _pay(variant, points, _others(variant, makers), score.lone_euchre)
    else:
        _pay(variant, points, _others(variant, makers), score.euchre if taken else score.makers_none)


def _bonus(variant: Variant, outline: Outline, tricks: Sequence[int], points: list[int]) -> None:
    score, makers = variant.message.bonus, outline.makers
    taken = sum(tricks[seat] for seat in makers)
    won = taken >= 3
    is_alone = (outline.lone_maker if won else outline.lone_defender) != NOBODY
    amount = score.three_or_more + score.defenders * (not won) + score.alone * is_alone
    amount += score.all_five * (taken in (0, 5)) + score.makers_none_and_alone * (taken == 0 and is_alone)
    _pay(variant, points, makers if won else _others(variant, makers), amount)


def is_made(rung: Rung, taken: int) -> bool:
    """Tell whether a contract is kept with *taken* tricks of the declarer's side."""
    return taken == 0 if rung.is_misere else taken >= rung.tricks


def _contract(variant: Variant, outline: Outline, tricks: Sequence[int], points: list[int]) -> None:
    rung = outline.rung
    assert rung is not None  # noqa: S101 (a contract game that is scored has a contract)
    made = is_made(rung, sum(tricks[seat] for seat in outline.makers))
    for side, seats in enumerate(variant.sides):
        taken = sum(tricks[seat] for seat in seats)
        if outline.maker not in seats:
            points[side] += taken
        elif made:
            points[side] += _made_value(variant, outline, rung, taken)
        else:
            points[side] -= _set_cost(variant, outline, rung)


def _lone_value(variant: Variant, outline: Outline, rung: Rung) -> int:
    values = variant.message.contract.lone_value_by_cards_received
    return values[outline.cards_received] if values else rung.value


def _made_value(variant: Variant, outline: Outline, rung: Rung, taken: int) -> int:
    score = variant.message.contract
    if rung.value:
        return _lone_value(variant, outline, rung)
    if score.made_top_bid and rung.number == score.made_top_bid:
        return score.made_top_value
    return taken


def _set_cost(variant: Variant, outline: Outline, rung: Rung) -> int:
    return _lone_value(variant, outline, rung) if rung.value else variant.message.contract.set_cost or rung.number


def _bid_value(variant: Variant, outline: Outline, tricks: Sequence[int], points: list[int]) -> None:
    score, rung, makers = variant.message.bid_value, outline.rung, outline.makers
    assert rung is not None  # noqa: S101
    if is_made(rung, sum(tricks[seat] for seat in makers)):
        _pay(variant, points, makers if score.made_to_each_of_side else (outline.maker,), rung.value)
    elif score.set_to_each_opponent:
        _pay(variant, points, _others(variant, makers), rung.value)
    else:
        _pay(variant, points, (outline.maker,), -rung.value)


def needs(variant: Variant, outline: Outline, seat: int) -> int:
    """Return how many tricks *seat* must take in a countdown game, lest it pay the penalty."""
    score = variant.message.countdown
    if seat != outline.maker:
        return score.others_need
    return score.maker_needs or (outline.rung.tricks if outline.rung else 0)


def _countdown(variant: Variant, outline: Outline, tricks: Sequence[int], points: list[int]) -> None:
    for seat in outline.active:
        taken = tricks[seat]
        missed = taken < needs(variant, outline, seat)
        points[variant.side_of[seat]] += variant.message.countdown.penalty if missed else -taken
