"""Cards as text: their suits, their order, and which of two wins (RULES.md 3.2 and SRV-LOW-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from tests.evaluator.tables import ALL_RANKS, SUITS, Game

SISTER = {"S": "C", "C": "S", "H": "D", "D": "H"}  # CARD-COL-1


def is_joker(game: Game, card: str) -> bool:
    return any(card in equals for equals in game["jokers"])


def effective_suit(game: Game, strain: str | None, card: str) -> str:
    """CARD-EFF-1 to -3; "joker" for a joker while nothing is trump."""
    trump = strain if strain in SISTER else None
    if is_joker(game, card):
        return trump or "joker"
    if trump and game["order"] != "napoleon" and card in ("J" + trump, "J" + SISTER[trump]):
        return trump
    return card[1]


def trump_order(game: Game, strain: str | None) -> list[list[str]]:
    """Return the trumps from high to low, cards of equal rank in one list (CARD-ORD-1, -5, -6)."""
    order = list(game["jokers"])
    if strain in SISTER:
        ranks = ALL_RANKS
        if game["order"] != "napoleon":
            order += [["J" + strain], ["J" + SISTER[strain]]]
            ranks = ALL_RANKS.replace("J", "")
        order += [[rank + strain] for rank in ranks]
    return order


def plain_ranks(game: Game, strain: str | None) -> str:
    """Return the ranks of a suit that is not trumps, from high to low (CARD-ORD-2 to -6)."""
    if strain == "NTL":
        return ALL_RANKS[::-1]
    if game["order"] == "almonte":
        return "J" + ALL_RANKS.replace("J", "")
    return ALL_RANKS


def place(order: list[list[str]], card: str) -> int | None:
    """Return how many ranks stand above *card*, ``None`` if it is not among them."""
    for above, equals in enumerate(order):
        if card in equals:
            return above
    return None


def beats(game: Game, strain: str | None, best: str, new: str) -> bool:
    """Tell whether *new*, played later, beats *best*, which was led or has won so far (PLAY-3)."""
    trumps = trump_order(game, strain)
    best_place, new_place = place(trumps, best), place(trumps, new)
    if best_place is None and new_place is None:
        if effective_suit(game, strain, new) != effective_suit(game, strain, best):
            return False
        ranks = plain_ranks(game, strain)
        best_place, new_place = ranks.index(best[0]), ranks.index(new[0])
    elif new_place is None:
        return False
    elif best_place is None:
        return True
    if best_place == new_place:
        return bool(game["copies"] == "later")  # CARD-DUP-1, -2
    return new_place < best_place


def lowness(game: Game, strain: str | None, card: str) -> tuple[int, int, int]:
    """SRV-LOW-1: sorts up, from the lowest card to the highest."""
    trump_place = place(trump_order(game, strain), card)
    within = SUITS.index(card[1]) if card[0] != "X" else -int(card[1])
    if trump_place is not None:
        return (1, -trump_place, within)
    return (0, -plain_ranks(game, strain).index(card[0]), within)


def up(game: Game, strain: str | None, cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=lambda card: lowness(game, strain, card))


def once(texts: Iterable[str]) -> list[str]:
    """Return equal texts once, in the order of their first."""
    return list(dict.fromkeys(texts))


def as_set(cards: Iterable[str]) -> str:
    """Return the one text of a set of cards: by suit S C H D, from the two up, jokers last."""
    return " ".join(
        sorted(cards, key=lambda c: (4, int(c[1])) if c[0] == "X" else (SUITS.index(c[1]), -ALL_RANKS.index(c[0])))
    )


def sets(word: str, cards: Sequence[str], size: int) -> list[str]:
    """SRV-ORDER-2: every set of *size* of the cards, which stand from low to high."""
    return once(f"{word}({as_set(chosen)})" for chosen in combinations(cards, size))


def without(cards: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
