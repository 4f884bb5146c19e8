"""What a seat is sent, byte for byte, is the same in worlds that differ only in cards it cannot see (KT-32).

Over real connections: frames are compared as they arrive, so their number, size and order count too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import trio

from euchre.v1 import actions_pb2
from referee.rules import Action, Card, Hand, Seat, parse_variant
from referee.service.server import Referee
from tests.battery.ledger import Ledger
from tests.battery.worlds import other_world
from tests.service.harness import Client, bare_action, seat_clients, spec, with_referee

PRESETS = [
    "standard",
    "standard(redeal_no_ace_no_face_no_trump=on)",
    "british",
    "north-american(loner_exchange=partner-offers-one)",
    "two-handed",
    "bid-euchre",
    "bid-canadian-32",
    "buck",
    "dirty-clubs-3p",
    "dealer-makes",
    "hoosier",
    "pepper",
    "call-ace-5p",
]


def worlds(text: str, rng: random.Random) -> tuple[Hand, Hand, Seat] | None:
    """Return a hand after some actions, its twin in another world, and the seat that cannot tell them apart."""
    variant = parse_variant(text)
    deck = list(variant.deck)
    rng.shuffle(deck)
    hand = Hand(variant, deck, rng.randrange(variant.seats))
    ledger = Ledger(hand)
    for _ in range(rng.randrange(4, 40)):
        before = hand.clone()
        hand.apply(rng.choice(hand.options()))
        if hand.is_over:
            hand = before
            break
        ledger.follow(hand)
    seat = hand.actor
    twin = other_world(hand, ledger, ledger.hidden_from(seat), rng)
    return None if twin is None else (hand, twin, seat)


async def frames_of(referee: Referee, hand: Hand, seat: Seat, first_reply_is_nonsense: Seat = -1) -> list[bytes]:
    """Play the actions of *hand* over new connections; return all frames that *seat* got until it is asked again."""
    asked = [(who, act) for who, act, forced, _ in hand.events if not forced]
    prefix = f"world{referee.statistics()['instances']}."
    clients = await seat_clients(referee, hand.variant.seats, prefix)
    names = [f"{prefix}{number}" for number in range(hand.variant.seats)]

    def deck(board: int, redeal: int) -> Sequence[Card]:
        return hand.deck

    async with trio.open_nursery() as nursery:
        nursery.start_soon(referee.play, spec(hand.variant, names, deck=deck, first_dealer=hand.dealer))
        nonsense = first_reply_is_nonsense
        for who, act in asked:
            await answer(clients[who], act, is_nonsense=who == nonsense)
            if who == nonsense:
                nonsense = -1
        await clients[seat].request()
        found = list(clients[seat].frames)
        nursery.cancel_scope.cancel()
    return found


async def answer(client: Client, act: Action, *, is_nonsense: bool) -> None:
    request = await client.request()
    if is_nonsense:
        await client.send(bare_action(request, actions_pb2.Action()))
    else:
        await client.answer(request, act=act)


@pytest.mark.parametrize("text", PRESETS)
def test_a_seat_is_sent_the_same_bytes_in_worlds_it_cannot_tell_apart(text: str) -> None:
    """GEN-INFO-1, SRV-ASK-1, SRV-ASK-3."""
    rng = random.Random(text)
    pairs = [found for found in (worlds(text, rng) for _ in range(200)) if found is not None][:5]
    assert pairs, "no other world was found"

    @with_referee()
    async def run(referee: Referee) -> None:
        for hand, twin, seat in pairs:
            assert hand.deck != twin.deck
            sent = await frames_of(referee, hand, seat)
            assert sent == await frames_of(referee, twin, seat), hand.describe()
            assert len(sent) > 1

    run()


@with_referee()
async def test_a_fault_of_another_seat_is_not_seen(referee: Referee) -> None:
    """Seat 1 passes, or answers nonsense and is made to pass: nobody else is sent a byte more or less."""
    variant = parse_variant("standard")
    hand = Hand(variant, random.Random(8).sample(variant.deck, len(variant.deck)), 0)
    for _ in range(6):
        hand.apply(hand.default())
    seat = hand.actor
    assert seat != 1
    plain = await frames_of(referee, hand, seat)
    assert plain == await frames_of(referee, hand, seat, first_reply_is_nonsense=1)


@with_referee()
async def test_frames_differ_where_the_seat_can_see_a_difference(referee: Referee) -> None:
    """The comparison can fail: exchange a card of the seat's own."""
    variant = parse_variant("standard")
    deck = list(variant.deck)
    random.Random(1).shuffle(deck)
    hand = Hand(variant, deck, 0)
    swapped = deck[:]
    own, other = deck.index(hand.hands[1][0]), deck.index(hand.hands[2][0])
    swapped[own], swapped[other] = swapped[other], swapped[own]
    assert await frames_of(referee, hand, 1) != await frames_of(referee, Hand(variant, swapped, 0), 1)
