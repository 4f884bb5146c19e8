"""What one seat may know of a hand, and no more (GEN-INFO-1, SRV-ASK-1)."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.actions import Action, action
from referee.rules.cards import NOBODY, Card, Seat, Strain
from referee.rules.hand import EVERYBODY, Event, Hand
from referee.rules.phases.base import PhaseKind
from referee.rules.variant import BidRung, Variant


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An action as one seat saw it."""

    seat: Seat
    action: Action
    """Without the cards that this seat may not know."""
    hidden_cards: int
    """How many cards are left out."""
    forced: bool


@dataclass(frozen=True, slots=True)
class View:
    """A hand from one seat. Two hands that differ only in what the seat cannot see have equal views."""

    variant: Variant
    seat: Seat
    dealer: Seat
    totals: tuple[int, ...]
    phase: PhaseKind
    actor: Seat
    cards: tuple[Card, ...]
    """The seat's cards, low to high; empty while it must name trump blind (UPA-BEN-1)."""
    upcard: Card
    strain: Strain
    maker: Seat
    contract: BidRung | None
    """The standing bid, then the contract."""
    bidder: Seat
    loners: tuple[Seat, ...]
    active: tuple[Seat, ...]
    """Seats that have not sat out or dropped."""
    tricks_won: tuple[int, ...]
    trick: tuple[tuple[Seat, Card], ...]
    events: tuple[SeenEvent, ...]


def seen_event(event: Event, seat: Seat) -> SeenEvent:
    """Return *event* as *seat* saw it."""
    who, act, forced, seers = event
    if seers == EVERYBODY or seers >> seat & 1:
        return SeenEvent(who, act, 0, forced)
    return SeenEvent(who, action(act.kind), len(act.cards), forced)


def visible_cards(hand: Hand, seat: Seat) -> tuple[Card, ...]:
    """Return the cards of *seat* as far as it may see them."""
    return () if hand.blind_seat == seat else tuple(hand.hands[seat])


def trick_so_far(hand: Hand) -> tuple[tuple[Seat, Card], ...]:
    """Return who played what to the trick being played, in order."""
    seat = hand.leader
    played = []
    for card in hand.trick:
        played.append((seat, card))
        seat = hand.following[seat]
    return tuple(played)


def view(hand: Hand, seat: Seat) -> View:
    """Return what *seat* knows of *hand* now."""
    has_bid = hand.bidder != NOBODY
    return View(
        variant=hand.variant,
        seat=seat,
        dealer=hand.dealer,
        totals=hand.totals,
        phase=hand.phase.kind,
        actor=hand.actor,
        cards=visible_cards(hand, seat),
        upcard=hand.upcard,
        strain=hand.strain,
        maker=hand.maker,
        contract=hand.contract if has_bid else None,
        bidder=hand.bidder,
        loners=tuple(loner for loner in (hand.lone_maker, hand.lone_defender) if loner != NOBODY),
        active=tuple(other for other in range(hand.variant.seats) if other not in hand.out),
        tricks_won=tuple(hand.tricks_won),
        trick=trick_so_far(hand),
        events=tuple(seen_event(event, seat) for event in hand.events),
    )


def hidden_positions(hand: Hand, seat: Seat) -> list[int]:
    """Return the positions of the deck whose cards *seat* has not been dealt or shown at the deal.

    For tests and search programs: shuffling these before anybody has acted changes nothing the seat knows.
    """
    from referee.rules.deal import dealt_positions

    variant = hand.variant
    own = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, hand.dealer)[seat]
    known = set() if hand.blind_seat == seat else set(own)
    if variant.upcard:
        known.add(variant.seats * variant.hand_size)
    return [position for position in range(len(hand.deck)) if position not in known]
