"""Suit relabellings that leave a game the same (SRV-RELABEL-1 to -3)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import SUITS, Card
from referee.rules.errors import VariantError
from referee.rules.variant import Variant


def relabel_card(card: Card, image: str) -> Card:
    """Return *card* with its suit renamed; *image* is what S C H D become, as in ``HDSC``. Jokers stay."""
    return card if card >= 52 else 13 * SUITS.index(image[card // 13]) + card % 13


def relabel_deck(variant: Variant, deck: Sequence[Card], image: str) -> list[Card]:
    """Return the deck with its suits renamed, low spades that stand for jokers included.

    :raises VariantError: if the game is not the same under *image*.
    """
    if image not in variant.relabelings:
        raise VariantError(
            f"{variant.id} is not the same game under {image}; it is under {', '.join(variant.relabelings)}"
        )
    jokers = variant.tables.jokers
    return [card if card in jokers else relabel_card(card, image) for card in deck]
