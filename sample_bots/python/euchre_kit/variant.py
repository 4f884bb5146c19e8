"""A variant as a bot wants it: tables by card number, sides by seat, bids and scores as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from euchre.v1 import actions_pb2, variants_pb2
from euchre_kit.cards import CARD_LIMIT, NO_TRUMP_LOW, SUITS, rank, suit

TRUMP: Final = 100
"""Added to the strength of a trump, so that it beats every other card."""


class Order:
    """The order of the cards under one strain. Tables are indexed by card number; zero fits no card."""

    __slots__ = ("by_suit", "effective", "height", "strain", "strength", "trump_count", "trumps")

    strain: int
    """1 to 4 a trump suit, 5 no trump, 6 no trump low, 0 not fixed yet."""
    effective: list[int]
    """The suit of a card for every purpose of play, bowers and jokers being trumps; 0: none."""
    height: list[int]
    """How high a card is in its suit: 1 the lowest; equal cards have equal heights. Trumps have TRUMP more."""
    strength: list[list[int]]
    """``strength[led][card]``: the greatest wins; 0: cannot win."""
    by_suit: list[tuple[int, ...]]
    """By suit, its cards from high to low, each once."""
    trumps: tuple[int, ...]
    """The trumps from high to low, each once."""
    trump_count: int
    """Trumps in the deck, copies counted."""

    def __init__(self, strain: int, suits: dict[int, tuple[list[int], list[int]]], copies: dict[int, int]) -> None:
        self.strain = strain
        self.effective = [0] * CARD_LIMIT
        self.height = [0] * CARD_LIMIT
        self.by_suit = [()] * 5
        for number, (cards, ranks) in suits.items():
            self.by_suit[number] = tuple(cards)
            bonus = TRUMP if number == strain else 0
            for card, place in zip(cards, ranks, strict=True):
                self.effective[card] = number
                self.height[card] = len(cards) - place + bonus
        self.strength = [
            [
                height if height > TRUMP or (height and self.effective[card] == led) else 0
                for card, height in enumerate(self.height)
            ]
            for led in range(5)
        ]
        self.trumps = self.by_suit[strain] if 1 <= strain <= 4 else ()
        self.trump_count = sum(copies.get(card, 0) for card in self.trumps)

    def is_trump(self, card: int) -> bool:
        """Tell whether *card* is a trump."""
        return self.height[card] > TRUMP


@dataclass(frozen=True, slots=True)
class Rung:
    """One bid of the ladder."""

    name: int
    """A BidName."""
    number: int
    rank: int
    """A bid outbids every bid of lower rank."""
    tricks: int
    """Tricks undertaken."""
    value: int
    """Points made or lost where the bid has a value of its own; zero where tricks are counted."""
    alone: bool
    strains: tuple[int, ...]
    is_misere: bool
    """Undertakes to take no trick."""


class Variant:
    """Everything about one variant. ``message`` is what the referee said; the rest is made from it."""

    def __init__(self, message: variants_pb2.Variant) -> None:
        self.message = message
        self.id: str = message.id
        self.seats: int = message.seats
        self.sides: list[tuple[int, ...]] = [tuple(side.seats) for side in message.sides]
        self.side_of: list[int] = [self._side_of(seat) for seat in range(self.seats)]
        self.alliance: int = message.alliance
        self.has_fixed_sides = message.alliance == variants_pb2.ALLIANCE_FIXED
        self.has_silent_ally = message.alliance == variants_pb2.ALLIANCE_SILENT_ALLY
        self.is_one_against_all = message.alliance == variants_pb2.ALLIANCE_MAKER_AGAINST_ALL
        self.hand_size: int = message.hand_size
        self.copies: dict[int, int] = {entry.card: entry.copies for entry in message.deck}
        self.deck: list[int] = [entry.card for entry in message.deck for _ in range(entry.copies)]
        self.strains: tuple[int, ...] = tuple(message.strains)
        self.later_wins = message.duplicates == "later"
        self.phases: frozenset[int] = frozenset(message.phases)
        self.options: dict[str, str] = {option.name: option.value for option in message.options}
        self.orders: list[Order] = self._orders(message)
        self.jokers: frozenset[int] = self._jokers()
        self.rungs: list[Rung] = [_rung(rung) for rung in message.bids]
        self._rung_of = {(rung.name, rung.number): rung for rung in self.rungs}
        self.scoring: str = message.WhichOneof("scoring") or ""
        """Which table of points: ``five_trick``, ``bonus``, ``contract``, ``bid_value``, ``countdown``."""
        self.counts_down: bool = message.counts_down
        self.target: int = message.target
        self.has_bids = bool(message.bids)
        self.trump_by_lead = (
            self.has_bids and not message.strain_in_bid and variants_pb2.PHASE_KIND_STRAIN_CHOICE not in self.phases
        )
        """The suit of the declarer's first lead is trump; before it there is none (NAP-TRUMP-1)."""
        self.declarer_leads = self.has_bids and "loner_lead" not in self.options

    def _side_of(self, seat: int) -> int:
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def _orders(self, message: variants_pb2.Variant) -> list[Order]:
        """Return the orders by strain; 0 is that of printed suits, for a strain not fixed yet."""
        told = {order.strain: order for order in message.orders}
        plain = {number: ([card for card in self._ranked() if suit(card) == number], None) for number in SUITS}
        unfixed = Order(
            0, {number: (cards, list(range(len(cards)))) for number, (cards, _) in plain.items()}, self.copies
        )
        orders = [unfixed] * (NO_TRUMP_LOW + 1)
        for strain, order in told.items():
            suits: dict[int, tuple[list[int], list[int]]] = {
                int(entry.suit): ([*entry.cards], [*entry.ranks]) for entry in order.suits
            }
            orders[strain] = Order(strain, suits, self.copies)
        return orders

    def _ranked(self) -> list[int]:
        return sorted(self.copies, key=rank, reverse=True)

    def _jokers(self) -> frozenset[int]:
        """Return what is a trump whatever suit is trumps."""
        suited = [order for order in self.orders if 1 <= order.strain <= 4]
        if not suited:
            return frozenset()
        return frozenset(card for card in self.copies if all(order.is_trump(card) for order in suited))

    # -- lookups -------------------------------------------------------------------------------

    def option(self, name: str, otherwise: str = "") -> str:
        """Return the value of an option, *otherwise* if the variant has no such option."""
        return self.options.get(name, otherwise)

    def order(self, strain: int) -> Order:
        """Return the order of the cards under *strain* (0: not fixed yet)."""
        return self.orders[strain]

    def rung(self, bid: actions_pb2.Bid) -> Rung:
        """Return what a bid undertakes.

        A forced bid may be below the least one of the ladder (HAS-AUC-2).
        """
        found = self._rung_of.get((bid.name, bid.number))
        if found is not None:
            return found
        return Rung(bid.name, bid.number, -1, bid.number, 0, alone=False, strains=self.strains, is_misere=False)

    def has_phase(self, phase: int) -> bool:
        """Tell whether a hand has this phase."""
        return phase in self.phases

    def partners(self, seat: int) -> list[int]:
        """Return the other seats of a fixed side; nobody in games without fixed sides."""
        return [other for other in self.sides[self.side_of[seat]] if other != seat]

    def left(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % self.seats


def _rung(message: variants_pb2.BidRung) -> Rung:
    return Rung(
        name=message.bid.name,
        number=message.bid.number,
        rank=message.rank,
        tricks=message.tricks,
        value=message.value,
        alone=message.alone,
        strains=tuple(message.strains),
        is_misere=message.bid.name == actions_pb2.BID_NAME_MISERE,
    )
