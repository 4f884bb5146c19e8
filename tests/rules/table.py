"""A table for rule tests: deal a hand that is only partly stated, and let seats speak in the rulebook's words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from arena.vector_fields import Fields, complete_deck
from referee.rules import (
    NOBODY,
    UNFIXED,
    Hand,
    HandResult,
    Kind,
    PhaseKind,
    Variant,
    format_action,
    parse_action,
    parse_variant,
)
from referee.rules.cards import CARD_NAMES, format_strain
from tests.strategies import random_answer, shuffled_deck


def deal(
    text: str,
    *,
    upcard: str = "",
    hands: Mapping[int, str] | None = None,
    undealt: Mapping[str, str] | None = None,
    dealer: int = 0,
    totals: list[int] | None = None,
) -> Hand:
    """Return a hand of the variant *text*; cards not named follow in the order of the deck list.

    *undealt* may name ``kitty``, ``widow`` or ``idle``.
    """
    variant = parse_variant(text)
    members: dict[str, object] = {"hands": {str(seat): cards for seat, cards in (hands or {}).items()}}
    if upcard:
        members["upcard"] = upcard
    deck = complete_deck(variant, dealer, Fields("test", {**members, **(undealt or {})}))
    return Hand(variant, deck, dealer, totals)


def say(hand: Hand, *lines: str) -> Hand:
    """Let seats act, as in ``"1, 2 PASS"``; each has to be the seat asked and the action lawful."""
    for line in lines:
        match = re.fullmatch(r"(\d(?:, \d)*) (.+)", line)
        assert match is not None, line
        act = parse_action(match[2])
        for seat in map(int, match[1].split(", ")):
            assert hand.actor == seat, f"{line}: seat {hand.actor} is asked; {hand!r}"
            assert act in hand.options(), f"{line}: seat {seat} may {sorted(may(hand))}"
            hand.apply(act)
    return hand


def may(hand: Hand) -> set[str]:
    """Return the lawful actions as text."""
    return {format_action(act) for act in hand.options()}


def may_in_order(hand: Hand) -> list[str]:
    """Return the lawful actions as text, the default first."""
    return [format_action(act) for act in hand.options()]


def default_until(hand: Hand, phase: PhaseKind | None = None) -> Hand:
    """Answer with defaults until *phase*, or to the end."""
    while hand.result is None and hand.phase.kind is not phase:
        hand.apply(hand.default())
    return hand


def result(hand: Hand) -> HandResult:
    """Return the result of a hand that is over."""
    assert hand.result is not None, f"not over: {hand!r}"
    return hand.result


def cards(hand: Hand, seat: int) -> set[str]:
    """Return the cards of *seat*."""
    return {CARD_NAMES[card] for card in hand.hands[seat]}


def strain(hand: Hand) -> str:
    """Return the strain, ``"-"`` while none is fixed."""
    return format_strain(hand.strain) if hand.strain != UNFIXED else "-"


def makers(hand: Hand) -> list[int]:
    """Return the seats of the makers' true side."""
    return [seat for seat in range(hand.variant.seats) if hand.is_of_makers(seat)]


def asked_in(hand: Hand, phase: PhaseKind) -> list[int]:
    """Return the seats that are asked in *phase* from now on, all answering with the default."""
    seats = []
    default_until(hand, phase)
    while hand.result is None and hand.phase.kind is phase:
        seats.append(hand.actor)
        hand.apply(hand.default())
    return seats


def random_hands(variant: Variant, seed: str, count: int) -> Iterator[tuple[Hand, random.Random]]:
    """Yield *count* random deals with the generator that shuffled them."""
    for number in range(count):
        rng = random.Random(f"{seed} {variant.id} {number}")
        yield Hand(variant, shuffled_deck(variant, rng), rng.randrange(variant.seats)), rng


def play_randomly(hand: Hand, rng: random.Random) -> HandResult:
    """Answer every question at random and return the result."""
    while hand.result is None:
        hand.apply(random_answer(hand.question(), rng))
    return hand.result


def plays(hand: Hand) -> list[tuple[int, int]]:
    """Return who played which card, in order."""
    return [(seat, act.card) for seat, act, _, _ in hand.events if act.kind is Kind.PLAY]


def tricks_of(hand: Hand) -> list[list[tuple[int, int]]]:
    """Return the whole tricks played."""
    played, size = plays(hand), len(hand.active)
    if not played:
        return []
    return [played[at : at + size] for at in range(0, len(played) - size + 1, size)]


def has_maker(hand: Hand) -> bool:
    """Tell whether somebody made trump."""
    return hand.maker != NOBODY
