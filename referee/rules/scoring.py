"""Points of a hand (RULES.md 3.9, 3.11 and the presets' own tables). Pure functions of a finished hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.cards import NOBODY, Seat
from referee.rules.result import HandEnd, HandResult
from referee.rules.variant import (
    Alliance,
    BidValueScore,
    BonusScore,
    ContractScore,
    CountdownScore,
    FiveTrickScore,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.rules.hand import Hand


def makers_of(hand: Hand) -> tuple[Seat, ...]:
    """Return the seats of the maker's true side, the hidden ally included."""
    variant = hand.variant
    if variant.fixed_sides:
        return variant.sides[variant.side_of[hand.maker]] if hand.maker != NOBODY else ()
    return tuple([seat for seat in variant.everybody if hand.is_of_makers(seat)])


def opponents_of(hand: Hand, seat: Seat) -> list[Seat]:
    """Return the seats that gain when *seat* reneges: without fixed sides, those still in the hand (REN-PEN-2)."""
    variant = hand.variant
    if variant.fixed_sides:
        return [other for other in range(variant.seats) if variant.side_of[other] != variant.side_of[seat]]
    others = [other for other in range(variant.seats) if other != seat and other not in hand.out]
    if variant.alliance is Alliance.NONE or hand.maker == NOBODY:
        return others
    side = hand.is_of_makers(seat)
    return [other for other in others if hand.is_of_makers(other) != side]


def _pay(hand: Hand, points: list[int], seats: Iterable[Seat], amount: int) -> None:
    """Add *amount* once to every side that has one of *seats*."""
    side_of = hand.variant.side_of
    for side in {side_of[seat] for seat in seats}:
        points[side] += amount


def played_result(hand: Hand) -> HandResult:
    """Return the outcome of a hand whose tricks have all been played."""
    points = [0] * len(hand.variant.sides)
    makers = makers_of(hand)
    made: bool | None = None
    winner = NOBODY
    match hand.variant.scoring:
        case FiveTrickScore() as score:
            _score_five_tricks(hand, score, makers, points)
        case BonusScore() as score:
            _score_bonus(hand, score, makers, points)
        case ContractScore() as score:
            made = is_made(hand, makers)
            _score_contract(hand, score, points, made=made)
        case BidValueScore() as score:
            made = is_made(hand, makers)
            _settle_bid_value(hand, score, makers, points, made=made)
        case CountdownScore() as score:
            made = _countdown_made(hand, score)
            winner = _score_countdown(hand, score, points)
    return HandResult(
        end=HandEnd.PLAYED,
        points=tuple(points),
        tricks=tuple(hand.tricks_won),
        makers=makers,
        contract_made=made,
        qualified=_qualified(hand, made),
        instant_winner=winner,
        offender=NOBODY,
    )


def _qualified(hand: Hand, made: bool | None) -> tuple[bool, ...]:
    """CON-WIN-1: the declarer's side by a contract made, the others by one set; nobody if *made* is ``None``."""
    return tuple((hand.maker in seats) == made for seats in hand.variant.sides)


def _score_five_tricks(hand: Hand, score: FiveTrickScore, makers: tuple[Seat, ...], points: list[int]) -> None:
    tricks = sum([hand.tricks_won[seat] for seat in makers])
    if tricks >= 3:
        gainers: Iterable[Seat] = makers
        amount = score.three_or_four
        if tricks == 5:
            is_lone = hand.lone_maker != NOBODY
            amount = score.lone_march if is_lone and score.lone_march is not None else score.march
    else:
        gainers = [seat for seat in hand.variant.everybody if seat not in makers]
        if hand.lone_defender != NOBODY and score.lone_euchre is not None:
            amount = score.lone_euchre
        else:
            amount = score.makers_none if tricks == 0 else score.euchre
    _pay(hand, points, gainers, amount)


def _score_bonus(hand: Hand, score: BonusScore, makers: tuple[Seat, ...], points: list[int]) -> None:
    tricks = sum(hand.tricks_won[seat] for seat in makers)
    makers_won = tricks >= 3
    winners = [seat for seat in range(hand.variant.seats) if (seat in makers) == makers_won]
    is_alone = (hand.lone_maker if makers_won else hand.lone_defender) != NOBODY
    amount = score.three_or_more
    amount += score.defenders * (not makers_won)
    amount += score.alone * is_alone
    amount += score.all_five * (tricks in (0, 5))
    amount += score.makers_none_and_alone * (tricks == 0 and is_alone)
    _pay(hand, points, winners, amount)


def is_made(hand: Hand, makers: tuple[Seat, ...]) -> bool:
    """Tell whether the contract was kept by the tricks of *makers*."""
    tricks = sum(hand.tricks_won[seat] for seat in makers)
    return tricks == 0 if hand.contract.is_misere else tricks >= hand.contract.tricks


def _made_value(hand: Hand, score: ContractScore, tricks: int) -> int:
    """Return what a made contract is worth when its side took *tricks*."""
    rung = hand.contract
    if rung.value:
        return _lone_value(hand, score)
    if rung.bid.number == score.made_top_bid:
        return score.made_top_value
    return tricks


def _set_cost(hand: Hand, score: ContractScore) -> int:
    rung = hand.contract
    return _lone_value(hand, score) if rung.value else score.set_cost or rung.bid.number


def _lone_value(hand: Hand, score: ContractScore) -> int:
    values = score.value_by_cards_received
    return values[hand.cards_received] if values else hand.contract.value


def _score_contract(hand: Hand, score: ContractScore, points: list[int], *, made: bool) -> None:
    variant = hand.variant
    for side, seats in enumerate(variant.sides):
        tricks = sum(hand.tricks_won[seat] for seat in seats)
        if hand.maker not in seats:
            points[side] += tricks
        elif made:
            points[side] += _made_value(hand, score, tricks)
        else:
            points[side] -= _set_cost(hand, score)


def _settle_bid_value(
    hand: Hand, score: BidValueScore, makers: tuple[Seat, ...], points: list[int], *, made: bool
) -> None:
    value = hand.contract.value
    if made:
        _pay(hand, points, makers if score.made_to_each_of_side else (hand.maker,), value)
    elif score.set_to_each_opponent:
        _pay(hand, points, (seat for seat in range(hand.variant.seats) if seat not in makers), value)
    else:
        _pay(hand, points, (hand.maker,), -value)


def _countdown_made(hand: Hand, score: CountdownScore) -> bool | None:
    if hand.maker == NOBODY:
        return None
    return hand.tricks_won[hand.maker] >= (score.maker_needs or hand.contract.tricks)


def _score_countdown(hand: Hand, score: CountdownScore, points: list[int]) -> Seat:
    """Add the points; return the seat that wins at once, or ``NOBODY``."""
    winner = NOBODY
    for seat in hand.active:
        tricks = hand.tricks_won[seat]
        needs = score.others_need
        if seat == hand.maker:
            needs = score.maker_needs or hand.contract.tricks
        points[hand.variant.side_of[seat]] += -tricks if tricks >= needs else score.penalty
        if score.instant_win_tricks and tricks == score.instant_win_tricks:
            winner = seat
    return winner


def offence_result(hand: Hand, offender: Seat, end: HandEnd) -> HandResult:
    """Return the outcome of a hand stopped by a renege or by table talk (REN-PEN-1 to -6, REN-TALK-1)."""
    variant = hand.variant
    points = [0] * len(variant.sides)
    gainers = opponents_of(hand, offender)
    award = variant.renege_award
    _pay(hand, points, gainers, -award if variant.counts_down else award)
    made: bool | None = None
    if variant.renege_settles and hand.maker != NOBODY:
        made = not hand.is_of_makers(offender)
        _settle_contract(hand, points, made=made)
    gaining = {variant.side_of[seat] for seat in gainers}
    by_contract = _qualified(hand, made)
    return HandResult(
        end=end,
        points=tuple(points),
        tricks=tuple(hand.tricks_won),
        makers=makers_of(hand),
        contract_made=made,
        qualified=tuple(side in gaining or by_contract[side] for side in range(len(variant.sides))),
        instant_winner=NOBODY,
        offender=offender,
    )


def _settle_contract(hand: Hand, points: list[int], *, made: bool) -> None:
    """REN-PEN-6 ``settle``: the contract as set, or as made at exactly the bid; no trick points."""
    declarers = hand.variant.side_of[hand.maker]
    match hand.variant.scoring:
        case ContractScore() as score:
            tricks = hand.contract.tricks
            points[declarers] += _made_value(hand, score, tricks) if made else -_set_cost(hand, score)
        case BidValueScore() as score:
            _settle_bid_value(hand, score, makers_of(hand), points, made=made)
        case CountdownScore() as score:
            points[declarers] += -hand.contract.tricks if made else score.penalty
        case _:
            pass
