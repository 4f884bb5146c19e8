"""The order of the cards under every strain, as tables computed once (RULES.md 3.2).

Three families: ``bowers`` (CARD-ORD-1, -2), ``jack-high`` (Almonte, CARD-ORD-5) and ``ace-high``
(Napoleon, CARD-ORD-6). A *joker* here is whatever stands for one: X1 to X3, or low spades
(CARD-STAND-1, ALM-DECK-1).
"""

from __future__ import annotations

import functools
from typing import Final

from referee.rules.cards import CARD_COUNT, JACK, NTL, SAME_COLOUR, UNFIXED, Card, Strain, Suit, rank_of, suit_of

JOKER_SUIT: Final = 4
"""Effective suit of a joker while there are no trumps."""
CANNOT_WIN: Final = 0
"""Strength of a card that is neither a trump nor of the suit led (PLAY-3)."""

Jokers = tuple[tuple[Card, ...], ...]
"""The jokers from high to low; cards in one inner tuple rank the same (B6-ORD-1)."""


class CardTables:
    """Everything play needs to know about cards, by strain (0..6, 6 while none is fixed)."""

    __slots__ = ("beats", "effective", "jokers", "low_key", "plain_height", "trump_height")

    jokers: frozenset[Card]
    effective: list[list[Suit]]
    """``effective[strain][card]``: the suit for every purpose of play (CARD-EFF-3)."""
    beats: list[list[list[int]]]
    """``beats[strain][led][card]``: strength in a trick where *led* was led; the greatest wins."""
    low_key: list[list[int]]
    """``low_key[strain][card]``: sorts up, from the lowest card to the highest (SRV-LOW-1)."""

    def __init__(self, card_order: str, jokers: Jokers) -> None:
        self.jokers = frozenset(card for group in jokers for card in group)
        self.trump_height = [self._trump_heights(card_order, jokers, strain) for strain in range(7)]
        self.plain_height = [self._plain_heights(card_order, strain) for strain in range(7)]
        self.effective = [self._effective(strain) for strain in range(7)]
        self.beats = [[self._beats(strain, led) for led in range(5)] for strain in range(7)]
        self.low_key = [self._low_keys(strain) for strain in range(7)]

    @staticmethod
    def _trump_heights(card_order: str, jokers: Jokers, strain: Strain) -> list[int]:
        """Return heights among trumps, zero for a card that is no trump."""
        heights = [0] * CARD_COUNT
        if strain < 4:
            for rank in range(13):
                heights[13 * strain + rank] = rank + 1
            if card_order != "ace-high":
                heights[13 * SAME_COLOUR[strain] + JACK] = 20
                heights[13 * strain + JACK] = 21
        if strain < 4 or strain == UNFIXED:
            for below, group in enumerate(reversed(jokers)):
                for card in group:
                    heights[card] = 30 + below
        return heights

    @staticmethod
    def _plain_heights(card_order: str, strain: Strain) -> list[int]:
        """Return heights within a suit that is not trumps, by rank alone (the ace 13)."""
        heights = [rank_of(card) + 1 if card < 52 else 0 for card in range(CARD_COUNT)]
        if strain == NTL:
            return [14 - height if card < 52 else 0 for card, height in enumerate(heights)]
        if card_order == "jack-high":
            for suit in range(4):
                heights[13 * suit + JACK] = 14
        return heights

    def _effective(self, strain: Strain) -> list[Suit]:
        trumps = self.trump_height[strain]
        suits = []
        for card in range(CARD_COUNT):
            if trumps[card]:
                suits.append(strain if strain < 4 else JOKER_SUIT)
            else:
                suits.append(suit_of(card))
        return suits

    def _beats(self, strain: Strain, led: Suit) -> list[int]:
        trumps, plain, effective = self.trump_height[strain], self.plain_height[strain], self.effective[strain]
        return [
            100 + trumps[card] if trumps[card] else plain[card] if effective[card] == led else CANNOT_WIN
            for card in range(CARD_COUNT)
        ]

    def _low_keys(self, strain: Strain) -> list[int]:
        """SRV-LOW-1: (a) trump or not, (b) height, (c) suit S C H D, (d) X3 below X2 below X1."""
        keys = []
        trumps, plain = self.trump_height[strain], self.plain_height[strain]
        for card in range(CARD_COUNT):
            tie = 54 - card if card >= 52 else suit_of(card)
            height = 100 + trumps[card] if trumps[card] else plain[card]
            keys.append(height * 8 + tie)
        return keys


@functools.cache
def card_tables(card_order: str, jokers: Jokers) -> CardTables:
    """Return the tables of a card order and its jokers; equal arguments share one object."""
    return CardTables(card_order, jokers)
