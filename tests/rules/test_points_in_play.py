"""Every ``score`` vector again by real play: hands are dealt and played until one has the facts that the vector states.

The vector's own runner sets the facts in a hand; here they have to come out of bids, polls and tricks. Random
play over decks that favour the maker more or less finds them; the seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.vector_fields import Checks, Fields, deck_list, read_totals, read_variant
from arena.vector_score import expect_score
from arena.vectors import Case, read_file
from referee.rules import NOBODY, Action, Card, Game, Hand, HandEnd, Kind, PhaseKind, Variant, parse_card
from referee.rules.deal import dealt_positions
from tests.strategies import random_answer, random_renege

VECTORS = Path(__file__).parents[1] / "vectors"
CASES = [case for path in sorted(VECTORS.glob("*.json")) for case in read_file(path) if case.kind == "score"]
MOST_DEALS = 6000


class Facts:
    """What one hand of a ``score`` case states."""

    def __init__(self, given: Fields, variant: Variant) -> None:
        self.maker = given.integer("maker") if "maker" in given else NOBODY
        self.ally = given.integer("ally") if "ally" in given else NOBODY
        self.bid = given.text("bid") if "bid" in given else ""
        self.lone_maker = given.integer("lone_maker") if "lone_maker" in given else NOBODY
        self.lone_defender = given.integer("lone_defender") if "lone_defender" in given else NOBODY
        self.dropped = set(given.integers("dropped")) if "dropped" in given else set()
        self.cards_received = given.integer("cards_received", 0)
        self.asks_for_cards = "cards_received" in given or not self.bid
        self.tricks = given.integers("tricks") if "tricks" in given else None
        self.makers_tricks = given.integer("makers_tricks") if "makers_tricks" in given else None
        self.offender = given.integer("renege") if "renege" in given else NOBODY
        rung = next((rung for rung in variant.ladder if repr(rung.bid) == self.bid), None)
        if rung is not None and rung.alone:
            self.lone_maker = self.maker
        self.bids_before: list[str] = []
        while rung is not None and rung.only_over is not None:
            self.bids_before.append(repr(rung.only_over))
            rung = next(each for each in variant.ladder if each.bid is rung.only_over)

    def holds(self, hand: Hand) -> bool:
        """Tell whether a finished hand is such a one."""
        assert hand.result is not None
        end = HandEnd.RENEGE if self.offender != NOBODY else HandEnd.PLAYED
        makers_tricks = sum(hand.tricks_won[seat] for seat in range(hand.variant.seats) if hand.is_of_makers(seat))
        return (
            hand.result.end is end
            and hand.result.offender == self.offender
            and (hand.maker, hand.ally) == (self.maker, self.ally)
            and (not self.bid or repr(hand.contract.bid) == self.bid)
            and (hand.lone_maker, hand.lone_defender) == (self.lone_maker, self.lone_defender)
            and (not self.dropped or set(hand.out) == self.dropped)
            and (not self.asks_for_cards or not self.bid or hand.cards_received == self.cards_received)
            and (self.tricks is None or hand.tricks_won == self.tricks)
            and (self.makers_tricks is None or makers_tricks == self.makers_tricks)
        )


def answer(hand: Hand, facts: Facts, rng: random.Random) -> Action:
    """Return what leads towards *facts*; at random where they say nothing."""
    options = {act.kind: act for act in hand.options()} if hand.question().choice is None else {}
    is_maker = hand.actor == facts.maker
    match hand.phase.kind:
        case PhaseKind.UPCARD_AUCTION:
            alone = facts.lone_maker == facts.maker and Kind.TAKE_UP_ALONE in options
            return options[Kind.TAKE_UP_ALONE if alone else Kind.TAKE_UP] if is_maker else options[Kind.PASS]
        case PhaseKind.BID_AUCTION:
            wanted = [act for act in hand.options() if repr(act.bid) == facts.bid]
            if is_maker and wanted:
                return rng.choice(wanted)
            before = [act for act in hand.options() if repr(act.bid) in facts.bids_before]
            if before:
                return before[0]
            return options.get(Kind.PASS) or hand.default()
        case PhaseKind.GOING_ALONE:
            alone = hand.actor in (facts.lone_maker, facts.lone_defender)
            return options[Kind.ALONE if alone else Kind.NOT_ALONE]
        case PhaseKind.DROP_OUT:
            return options[Kind.DROP if hand.actor in facts.dropped else Kind.STAY]
        case PhaseKind.EXCHANGE:
            sizes = [act for act in hand.options() if len(act.cards) == facts.cards_received]
            return rng.choice(sizes) if sizes and facts.bid else random_answer(hand.question(), rng)
        case PhaseKind.PLAY if hand.actor == facts.offender and rng.random() < 0.7:
            return random_renege(hand, rng) or random_answer(hand.question(), rng)
        case _:
            return random_answer(hand.question(), rng)


def decks(variant: Variant, facts: Facts, dealer: int, rng: random.Random) -> Iterator[list[Card]]:
    """Yield decks in which the maker holds more or fewer of the high spades."""
    key = variant.tables.low_key[0].__getitem__
    upcard = parse_card("AC" if facts.maker == NOBODY else "AS") if variant.upcard else NOBODY
    positions = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, dealer)
    favoured = positions[facts.maker if facts.maker != NOBODY else 0]
    while True:
        cards = deck_list(variant)
        if upcard != NOBODY:
            cards.remove(upcard)
        cards.sort(key=key, reverse=rng.random() < 0.7)
        count = rng.randint(0, variant.hand_size)
        chosen, others = cards[:count], cards[count:]
        rng.shuffle(others)
        deck: list[Card] = [NOBODY] * len(variant.deck)
        for place, card in zip(favoured, chosen, strict=False):
            deck[place] = card
        if upcard != NOBODY:
            deck[variant.seats * variant.hand_size] = upcard
        left = iter(others)
        yield [card if card != NOBODY else next(left) for card in deck]


def find(variant: Variant, facts: Facts, game: Game, rng: random.Random) -> Hand | None:
    """Return a played hand with these facts, ``None`` if none of many has them."""
    dealer = facts.maker if facts.maker != NOBODY else 0
    deals = decks(variant, facts, dealer, rng)
    for _ in range(MOST_DEALS):
        hand = Hand(variant, next(deals), dealer, game.totals)
        while hand.result is None:
            hand.apply(answer(hand, facts, rng))
        if facts.holds(hand):
            return hand
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_points_come_out_of_real_play(case: Case) -> None:
    fields = case.fields
    variant = read_variant(fields)
    game = Game(variant, totals=read_totals(fields))
    rng = random.Random(f"points {case.id}")
    checks = Checks()
    for given in fields.objects("hands"):
        facts = Facts(given, variant)
        hand = find(variant, facts, game, rng)
        assert hand is not None, f"{MOST_DEALS} deals and none of them is like {case.id}"
        assert hand.result is not None
        game.finish_hand(hand.result)
        expect_score(variant, game, hand, hand.result, given.nested("expect"), checks)
    assert checks.count
    assert checks.differences == []
