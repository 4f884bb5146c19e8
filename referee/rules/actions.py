"""What a seat can do (RULES.md 3.0). Actions are interned: equal actions are the same object."""

from __future__ import annotations

import enum
from typing import Final

from referee.rules.cards import CARD_COUNT, NOBODY, UNFIXED, Card, Seat, Strain


class Kind(enum.IntEnum):
    """The vocabulary of RULES.md 3.0; numbers are those of ``euchre.v1.ActionKind``."""

    NO_CLAIM = 1
    CLAIM_REDEAL = 2
    PASS = 3
    ORDER_UP = 4
    ORDER_UP_ALONE = 5
    TAKE_DOWN_ALONE = 6
    TURN_DOWN = 7
    TAKE_UP = 8
    TAKE_UP_ALONE = 9
    NAME = 10
    NAME_ALONE = 11
    NAME_BLIND = 12
    LEAVE_UPCARD = 13
    TAKE_UPCARD = 14
    DISCARD = 15
    BID = 16
    CHOOSE = 17
    NOT_ALONE = 18
    ALONE = 19
    NO_ASK = 20
    ASK = 21
    GIVE = 22
    NO_OFFER = 23
    OFFER = 24
    DECLINE = 25
    ACCEPT = 26
    NO_CALL = 27
    CALL_BEST = 28
    NO_SWAP = 29
    SWAP = 30
    LEAVE_WIDOW = 31
    TAKE_WIDOW = 32
    KEEP_HAND = 33
    TAKE_HAND = 34
    SWAP_KITTY = 35
    KEEP_UPCARD = 36
    TAKE_AND_SHOW = 37
    STAY = 38
    DROP = 39
    CALL_SUIT = 40
    CALL_CARD = 41
    PLAY = 42


class BidName(enum.IntEnum):
    """What is undertaken, apart from the number; numbers are those of ``euchre.v1.BidName``."""

    NUMBER = 1
    ALONE = 2
    ALONE1 = 3
    ALONE2 = 4
    MOON = 5
    SEVEN_ALONE = 6
    EIGHT_ALONE = 7
    LITTLE_PEPPER = 8
    BIG_PEPPER = 9
    MISERE = 10
    NAP = 11
    WELLINGTON = 12
    BLUCHER = 13


BID_TEXTS: Final = {
    name: name.name.replace("SEVEN_", "7-").replace("EIGHT_", "8-") for name in BidName if name is not BidName.NUMBER
}
"""Named bids as RULES.md writes them."""


class Bid:
    """A bid without its strain. Interned: compare with ``is``."""

    __slots__ = ("name", "number")
    name: BidName
    number: int

    def __init__(self, name: BidName, number: int) -> None:
        self.name = name
        self.number = number

    def __repr__(self) -> str:
        return f"BID({self.number})" if self.name is BidName.NUMBER else BID_TEXTS[self.name]

    def __reduce__(self) -> tuple[object, tuple[BidName, int]]:
        return (bid, (self.name, self.number))


_BIDS: dict[tuple[int, int], Bid] = {}


def bid(name: BidName, number: int = 0) -> Bid:
    """Return the bid *name*; *number* is what is said with ``NUMBER`` and zero otherwise."""
    key = (int(name), number)
    found = _BIDS.get(key)
    if found is None:
        found = _BIDS[key] = Bid(name, number)
    return found


HIDDEN_KINDS: Final = frozenset(
    {Kind.DISCARD, Kind.GIVE, Kind.OFFER, Kind.ACCEPT, Kind.CALL_BEST, Kind.SWAP, Kind.SWAP_KITTY}
)
"""Kinds whose cards the table does not see (GEN-INFO-1)."""


class Action:
    """One action. Interned by :func:`action`: compare with ``is``, hash by identity.

    ``cards`` is sorted by number; ``card`` is its only or first card, or ``NOBODY``. ``is_play`` and
    ``is_hidden`` (one of ``HIDDEN_KINDS``) follow from ``kind``; they are asked for with every action, and Python
    3.11 reads a member through its enum ten times slower than an attribute.
    """

    __slots__ = ("bid", "card", "cards", "is_hidden", "is_play", "kind", "seat", "strain")
    kind: Kind
    cards: tuple[Card, ...]
    card: Card
    strain: Strain
    bid: Bid | None
    seat: Seat
    is_play: bool
    is_hidden: bool

    def __init__(self, kind: Kind, cards: tuple[Card, ...], strain: Strain, bid: Bid | None, seat: Seat) -> None:
        self.kind = kind
        self.cards = cards
        self.card = cards[0] if cards else NOBODY
        self.strain = strain
        self.bid = bid
        self.seat = seat
        self.is_play = kind is Kind.PLAY
        self.is_hidden = kind in HIDDEN_KINDS

    def __repr__(self) -> str:
        from referee.rules.notation import format_action

        return format_action(self)

    def __reduce__(self) -> tuple[object, tuple[Kind, tuple[Card, ...], Strain, Bid | None, Seat]]:
        return (action, (self.kind, self.cards, self.strain, self.bid, self.seat))

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self


_ACTIONS: dict[tuple[int, tuple[Card, ...], Strain, Bid | None, Seat], Action] = {}


def action(
    kind: Kind,
    cards: tuple[Card, ...] = (),
    strain: Strain = UNFIXED,
    bid: Bid | None = None,
    seat: Seat = NOBODY,
) -> Action:
    """Return the one action with these parts. The order of *cards* does not matter."""
    if len(cards) > 1:
        cards = tuple(sorted(cards))
    key = (int(kind), cards, strain, bid, seat)
    found = _ACTIONS.get(key)
    if found is None:
        found = _ACTIONS[key] = Action(kind, cards, strain, bid, seat)
    return found


def on_cards(kind: Kind) -> tuple[Action, ...]:
    """Return the actions of *kind* on one card, indexed by card."""
    return tuple(action(kind, (card,)) for card in range(CARD_COUNT))


def on_strains(kind: Kind) -> tuple[Action, ...]:
    """Return the actions of *kind* on one strain, indexed by strain."""
    return tuple(action(kind, strain=strain) for strain in range(UNFIXED))


PLAY: Final = on_cards(Kind.PLAY)
DISCARD: Final = on_cards(Kind.DISCARD)
PASS: Final = action(Kind.PASS)
