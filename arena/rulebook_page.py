"""What a page of rules is made of, and the few words and questions that all its sections share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.rules.cards import Card
from referee.rules.variant import Alliance, BidRung, Variant

Rules: TypeAlias = tuple[str, ...]
"""Rule ids, in reading order."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences and the rules they tell."""

    text: str
    rules: Rules = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; every row is as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rules: Rules = ()


Block: TypeAlias = Paragraph | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The rules of one variant."""

    title: str
    variant_id: str
    summary: str
    sections: tuple[Section, ...]


NUMBER_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
)
SUIT_WORDS: Final = ("spades", "clubs", "hearts", "diamonds")
RANK_WORDS: Final = {"T": "ten", "9": "nine", "8": "eight", "7": "seven", "6": "six", "5": "five", "2": "two"}


def number_word(number: int) -> str:
    """Return a small number in letters, a larger one in digits."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else str(number)


def counted(number: int, thing: str) -> str:
    """Return ``"three cards"``, ``"one card"``."""
    return f"{number_word(number)} {thing}{'' if number == 1 else 's'}"


def and_list(words: Sequence[str], last: str = "and") -> str:
    """Return ``"a, b and c"``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def sentence(text: str) -> str:
    """Return *text* with a capital letter."""
    return text[0].upper() + text[1:]


def say(text: str, *rules: str) -> Paragraph:
    """Return a paragraph."""
    return Paragraph(text, rules)


def section(title: str, *blocks: Block) -> Section:
    """Return a section."""
    return Section(title, blocks)


# -- what several sections ask ------------------------------------------------------------------------


def maker_word(variant: Variant) -> str:
    """Return what the seat that made trump is called where it bid for it, and elsewhere."""
    return "the declarer" if variant.trump_making == "bid-auction" else "the maker"


def joker_cards(variant: Variant) -> list[Card]:
    """Return the different cards of the deck that are jokers, high to low."""
    return [card for group in variant.jokers for card in group]


def has_jokers_up(variant: Variant) -> bool:
    """Tell whether a joker can be turned up."""
    return variant.upcard and bool(variant.tables.jokers)


def has_partners(variant: Variant) -> bool:
    """Tell whether there are fixed sides of more than one seat."""
    return variant.alliance is Alliance.FIXED and variant.seats > 2


def bid_word(rung: BidRung) -> str:
    """Return a bid as the notation writes it, without its strain."""
    return repr(rung.bid)


def somebody_may_be_alone(variant: Variant) -> bool:
    """Tell whether any seat can come to play alone."""
    return (
        variant.alone_makers != "none"
        or variant.alone_defenders != "none"
        or any(rung.alone for rung in variant.ladder)
        or (has_partners(variant) and variant.dealer_partner_order != "normal")
    )
