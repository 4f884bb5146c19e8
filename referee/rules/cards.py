"""Cards, suits and strains as small integers, and their text forms (RULES.md part 1, Notation).

A suited card is ``13 * suit + rank``; jokers follow. The numbers are one less than those of the wire.
The two copies of a card in a double pack are the same number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from referee.rules.errors import NotationError

Card: TypeAlias = int
"""A card: 0..51 suited, 52..54 the jokers X1 X2 X3."""
Suit: TypeAlias = int
"""A printed suit: 0..3 for S C H D."""
Strain: TypeAlias = int
"""What a hand is played in: 0..3 a trump suit, 4 NT, 5 NTL, 6 not fixed yet."""
Seat: TypeAlias = int
"""A place at the table, 0 to N-1 clockwise (GEN-SEAT-1); ``NOBODY`` where there is none."""

SPADES: Final = 0
CLUBS: Final = 1
HEARTS: Final = 2
DIAMONDS: Final = 3
NT: Final = 4
NTL: Final = 5
UNFIXED: Final = 6
NOBODY: Final = -1

SUITS: Final = "SCHD"
RANKS: Final = "23456789TJQKA"
STRAIN_NAMES: Final = ("S", "C", "H", "D", "NT", "NTL")
CARD_COUNT: Final = 55
JACK: Final = 9
X1: Final = 52
X2: Final = 53
X3: Final = 54

CARD_NAMES: Final[tuple[str, ...]] = (
    *(rank + suit for suit in SUITS for rank in RANKS),
    "X1",
    "X2",
    "X3",
)
_CARDS: Final = {name: number for number, name in enumerate(CARD_NAMES)}
_STRAINS: Final = {name: number for number, name in enumerate(STRAIN_NAMES)}

SAME_COLOUR: Final = (CLUBS, SPADES, DIAMONDS, HEARTS)
"""The sister suit of each suit (CARD-COL-1)."""


def suit_of(card: Card) -> Suit:
    """Return the printed suit; 4 for a joker, which has none."""
    return card // 13


def rank_of(card: Card) -> int:
    """Return the rank, 0 for the two up to 12 for the ace. Meaningless for a joker."""
    return card % 13


def is_joker(card: Card) -> bool:
    """Tell whether *card* is printed as a joker (stand-ins are the variant's business)."""
    return card >= X1


def parse_card(text: str) -> Card:
    """Return the card written as rank then suit, ``"AS"``, ``"TC"``, ``"X1"``.

    :raises NotationError: for anything else.
    """
    card = _CARDS.get(text.strip().upper())
    if card is None:
        raise NotationError(f"{text!r} is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker")
    return card


def parse_cards(text: str) -> list[Card]:
    """Return the cards of a text separated by blanks or commas."""
    return [parse_card(word) for word in text.replace(",", " ").split()]


def format_card(card: Card) -> str:
    """Return the text form, ``"AS"``."""
    return CARD_NAMES[card]


def format_cards(cards: Iterable[Card]) -> str:
    """Return text forms separated by blanks, in the order given."""
    return " ".join(CARD_NAMES[card] for card in cards)


def parse_strain(text: str) -> Strain:
    """Return the strain written ``S C H D NT NTL``.

    :raises NotationError: for anything else.
    """
    strain = _STRAINS.get(text.strip().upper())
    if strain is None:
        raise NotationError(f"{text!r} is no strain; write S, C, H, D, NT or NTL")
    return strain


def format_strain(strain: Strain) -> str:
    """Return the text form; ``"-"`` while no strain is fixed."""
    return STRAIN_NAMES[strain] if strain != UNFIXED else "-"
