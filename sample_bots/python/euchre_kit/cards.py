"""Cards, suits and strains: their numbers on the wire, and their names.

A card is 1 to 55: ``13 * (suit - 1) + rank - 1`` for a suited card with rank 2 to 14 (ace), 53 to 55 for
the jokers X1 to X3. Suits are 1 to 4 for S C H D, strains 1 to 4 likewise, 5 no trump, 6 no trump low.
Zero means "none" everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SPADES: Final = 1
CLUBS: Final = 2
HEARTS: Final = 3
DIAMONDS: Final = 4
NO_TRUMP: Final = 5
NO_TRUMP_LOW: Final = 6

SUITS: Final = (SPADES, CLUBS, HEARTS, DIAMONDS)
JACK: Final = 11
ACE: Final = 14
CARD_LIMIT: Final = 56
"""One more than the greatest card number; the length of a table by card."""
STRAIN_LIMIT: Final = 7
"""One more than the greatest strain number."""

SISTER: Final = (0, CLUBS, SPADES, DIAMONDS, HEARTS)
"""By suit, the other suit of its colour."""

_SUIT_LETTERS: Final = "SCHD"
_RANK_LETTERS: Final = "23456789TJQKA"
_STRAIN_NAMES: Final = ("-", "S", "C", "H", "D", "NT", "NTL")
CARD_NAMES: Final = (
    "--",
    *(rank + suit for suit in _SUIT_LETTERS for rank in _RANK_LETTERS),
    "X1",
    "X2",
    "X3",
)
"""By card number: ``"AS"``, ``"TC"``, ``"X1"``."""
_NUMBERS: Final = {name: number for number, name in enumerate(CARD_NAMES)}


def card_name(card: int) -> str:
    """Return rank then suit, ``"AS"``."""
    return CARD_NAMES[card]


def card_names(cards: Iterable[int]) -> str:
    """Return names separated by blanks, in the order given."""
    return " ".join(CARD_NAMES[card] for card in cards)


def card_number(name: str) -> int:
    """Return the card of a name such as ``"AS"``.

    :raises ValueError: if there is no such card.
    """
    number = _NUMBERS.get(name.strip().upper())
    if not number:
        raise ValueError(f"{name!r} is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker")
    return number


def card_numbers(names: str) -> list[int]:
    """Return the cards of names separated by blanks."""
    return [card_number(name) for name in names.split()]


def suit(card: int) -> int:
    """Return the printed suit, 1 to 4; 0 for a joker."""
    return (card - 1) // 13 + 1 if card <= 52 else 0


def rank(card: int) -> int:
    """Return the rank, 2 to 14 (ace); 0 for a joker."""
    return (card - 1) % 13 + 2 if card <= 52 else 0


def strain_name(strain: int) -> str:
    """Return ``S C H D NT NTL``, or ``-`` for none."""
    return _STRAIN_NAMES[strain]
