"""The deck of every board, from one secret seed. Written so that a stranger can do the same in any language.

The seed is 32 random bytes. ``SHA-256(seed)`` is published before the first deal (:func:`commitment`), the seed
itself after the last. Then anybody can deal every board again:

1. *Words.* Block *n* (0, 1, 2 …) is ``HMAC-SHA-256(key = seed, message)``, where the message is the UTF-8 text
   ``MATCH/BOARD.REDEAL/n``, numbers in decimal without leading zeros: ``night7/p3/12.0/0``. A block is eight
   32-bit words, big-endian, in order; the words of block 0 are followed by those of block 1, and so on.
2. *Numbers.* To draw a number from 0 to k-1, take words until one is below ``k * floor(2**32 / k)``; the number
   is that word modulo k. (Taking every word would favour small numbers by a hair.)
3. *Shuffle.* Begin with the cards of the variant sorted by number (those of ``euchre.v1.Card``; a card of a
   double pack stands there twice). For i from the last position down to 1, draw j from 0 to i (k = i + 1) and
   exchange the cards at positions i and j. What results is the deck in the order dealt, first card first.

``MATCH`` names all that is dealt from the same boards; mirrored legs share it, so they share their decks.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import struct
from collections.abc import Iterator
from typing import Final

from referee.rules import Card, Variant

SEED_BYTES: Final = 32
_WORDS: Final = struct.Struct(">8I")
_SPAN: Final = 1 << 32


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of *seed* in lower-case hexadecimal, to be published before the first deal."""
    return hashlib.sha256(seed).hexdigest()


def deck_for(seed: bytes, variant: Variant, match: str, board: int, redeal: int = 0) -> list[Card]:
    """Return the deck of one board in the order dealt: the same for the same arguments, everywhere and always.

    *redeal* counts the claimed deals of the board (SRV-BOARD-1).
    """
    words = _words(seed, f"{match}/{board}.{redeal}")
    deck = list(variant.deck)
    for last, count, usable in _draws(len(deck)):
        word = next(words)
        while word >= usable:
            word = next(words)
        chosen = word % count
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck


@functools.cache
def _draws(cards: int) -> tuple[tuple[int, int, int], ...]:
    """Return, for each draw: the last position, how many numbers there are, and below what a word is usable."""
    return tuple((last, last + 1, _SPAN - _SPAN % (last + 1)) for last in range(cards - 1, 0, -1))


def _words(seed: bytes, name: str) -> Iterator[int]:
    block = 0
    while True:
        yield from _WORDS.unpack(hmac.digest(seed, f"{name}/{block}".encode(), "sha256"))
        block += 1
