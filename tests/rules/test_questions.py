"""How many questions a hand asks (docs/rules.md 4.27, SRV-ASK-1 to -4): the bounds are kept, and both are reached."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path

import pytest

from referee.rules import PRESETS, Action, BidName, Hand, Kind, PhaseKind, Variant, build
from tests.rules.table import deal, play_randomly, random_hands

RULES = Path(__file__).parents[2] / "docs" / "rules.md"


def bounds_on_the_page() -> dict[str, tuple[int, int]]:
    """Return the table of 4.27."""
    section = RULES.read_text(encoding="utf-8").split("### 4.27", 1)[1].split("\n---", 1)[0]
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \|", section, re.MULTILINE)
    return {name: (int(least), int(most)) for name, least, most in rows}


def questions(hand: Hand) -> int:
    """Return how many questions have been answered."""
    return sum(not forced for _, _, forced, _ in hand.events)


@pytest.mark.parametrize("name", PRESETS)
def test_random_hands_stay_within_the_bounds(name: str) -> None:
    """4.27: and the catalogue has the numbers of the page."""
    least, most = bounds_on_the_page()[name]
    assert build(name).questions == (least, most)
    for hand, rng in random_hands(build(name), "questions", 100):
        play_randomly(hand, rng)
        assert least <= questions(hand) <= most


@pytest.mark.parametrize("name", PRESETS)
def test_both_bounds_are_reached(name: str) -> None:
    """4.27: all ways through the phases before the play are tried, over deals that differ in the upcard."""
    variant = build(name)
    counts = [count for hand in deals(variant) for count in Ways().extremes(hand)]
    assert (min(counts), max(counts)) == bounds_on_the_page()[name]


def deals(variant: Variant) -> list[Hand]:
    """Return a deal for every kind of upcard, or with the joker in a hand and left over."""
    if variant.upcard:
        names = ["AH", "AC"] + ["X1"] * bool(variant.jokers)
        return [deal(variant.id, upcard=name) for name in names]
    if variant.jokers:
        return [deal(variant.id, hands={2: "X1"}), deal(variant.id, undealt={"widow": "X1"})]
    return [deal(variant.id)]


class Ways:
    """Fewest and most questions still to come, over every way through the phases before the play.

    Which card is discarded or given, and which suit is named, never changes who is asked how often, so one of
    each kind is tried; of the bids the lowest, the highest and all with a name.
    """

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[int, int]] = {}

    def extremes(self, hand: Hand) -> tuple[int, int]:
        """Return the fewest and the most."""
        if hand.result is not None or hand.phase.kind is PhaseKind.PLAY:
            before = questions(hand)
            while hand.result is None:
                hand.apply(hand.default())
            return (questions(hand) - before,) * 2
        key = state(hand)
        if key not in self.known:
            ways = []
            for act in one_of_each(hand.options()):
                twin = hand.clone()
                twin.apply(act)
                ways.append(self.extremes(twin))
            self.known[key] = 1 + min(least for least, _ in ways), 1 + max(most for _, most in ways)
        return self.known[key]


def one_of_each(options: list[Action]) -> list[Action]:
    found: dict[Hashable, Action] = {}
    numbers = [act for act in options if act.bid is not None and act.bid.name is BidName.NUMBER]
    for act in options:
        if act in numbers and act not in (numbers[0], numbers[-1]):
            continue
        found.setdefault((act.kind, len(act.cards), act.bid, act.seat), act)
    return list(found.values())


def state(hand: Hand) -> Hashable:
    """Return all that decides who is asked from here on."""
    turns = hand.turns if not hand.variant.until_passed else min(hand.turns, hand.variant.seats)
    return (
        (hand.phase_index, hand.actor, hand.round, hand.step, tuple(hand.queue)),
        (hand.passes, turns, hand.contract.bid, hand.bidder, hand.maker),
        (hand.lone_maker, hand.lone_defender, hand.out, hand.giver, hand.receiver, hand.owed, hand.offered >= 0),
        (hand.taker, hand.pickup_is_optional, hand.upcard_taken, hand.widow_taken, hand.kitty_taken),
        (hand.named_blind, hand.strain, hand.cards_received),
    )


def test_last_trick_and_answers_that_all_can_see_are_no_questions() -> None:
    """SRV-ASK-2: four tricks of four cards each, and one call, one discard, four polls."""
    hand = deal("british", upcard="AH")
    assert hand.options()[1].kind is Kind.ORDER_UP
    hand.apply(hand.options()[1])
    while hand.result is None:
        hand.apply(hand.default())
    assert questions(hand) == 1 + 1 + 4 + 16
