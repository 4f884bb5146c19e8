"""Other worlds: the same hand with the cards that one seat cannot see dealt differently.

What the seat is shown has to be equal in all of them, to the byte on the wire (GEN-INFO-1, SRV-ASK-1).
"""

from __future__ import annotations

import random

from referee.rules import Hand, Seat, action, view
from referee.service.wire import Requests, event_to_message, limits_bytes
from tests.battery.ledger import Ledger, Place


def other_world(hand: Hand, ledger: Ledger, hidden: list[Place], rng: random.Random) -> Hand | None:
    """Return *hand* with some of the cards at *hidden* exchanged, after the same public actions.

    ``None`` if somebody could not have acted so in that world. Cards laid down or passed on in secret are
    those of the new world. Asserts that the same seats are asked the same questions throughout.
    """
    new_places = _permuted(hidden, rng)
    deck = list(hand.deck)
    for place, source in new_places.items():
        deck[place] = hand.deck[source]
    if tuple(deck) == hand.deck:
        return None
    twin = Hand(hand.variant, deck, hand.dealer, hand.totals)
    for index, (seat, act, forced, _) in enumerate(hand.events):
        if forced:
            continue
        if twin.is_over or len(twin.events) != index:
            return None  # a renege that this world proves, or a joker that another seat shows
        assert twin.actor == seat, f"seat {twin.actor} asked instead of {seat}; {hand.describe()}"
        used = ledger.used[index]
        moved = action(act.kind, tuple(deck[place] for place in used), act.strain, act.bid, act.seat) if used else act
        if twin.refusal(moved) is not None:
            return None
        twin.apply(moved)
    return None if twin.is_over else twin


def _permuted(hidden: list[Place], rng: random.Random) -> dict[Place, Place]:
    """Return a rearrangement of a few of the hidden cards; of all of them now and then."""
    count = len(hidden) if rng.random() < 0.2 else min(len(hidden), rng.choice((2, 2, 3, 4)))
    chosen = rng.sample(hidden, count)
    shuffled = chosen[:]
    rng.shuffle(shuffled)
    if shuffled == chosen and count > 1:
        shuffled = shuffled[1:] + shuffled[:1]
    return dict(zip(chosen, shuffled, strict=True))


def request_bytes(hand: Hand, kept: Requests | None = None) -> bytes:
    """Return the decision request of the seat to act, as sent; *kept* is its builder, a new one if left out."""
    builder = kept or Requests([7] * hand.variant.seats, hand.variant)
    question = hand.question()
    return builder.build(hand, 3, 11, question.options, question.choice, limits_bytes(1000, 0))


def history_bytes(hand: Hand, seat: Seat) -> list[bytes]:
    """Return the events as they are sent to *seat*."""
    return [event_to_message(event, seat).SerializeToString(deterministic=True) for event in hand.events]


def check_secrecy(hand: Hand, ledger: Ledger, seat: Seat, rng: random.Random, tries: int = 6) -> int:
    """Assert that *seat* cannot tell *hand* from other worlds; return how many there were."""
    hidden = ledger.hidden_from(seat)
    found = 0
    for _ in range(tries if len(hidden) > 1 else 0):
        twin = other_world(hand, ledger, hidden, rng)
        if twin is None:
            continue
        found += 1
        where = f"seat {seat}; {hand.describe()}; decks {hand.deck} {twin.deck}"
        assert len(twin.events) == len(hand.events), where
        assert view(twin, seat) == view(hand, seat), where
        assert history_bytes(twin, seat) == history_bytes(hand, seat), where
        assert twin.actor == hand.actor, where
        if hand.actor == seat:
            assert twin.options() == hand.options(), where
            assert twin.question() == hand.question(), where
            assert request_bytes(twin) == request_bytes(hand), where
    return found
