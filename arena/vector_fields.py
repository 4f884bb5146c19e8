"""The members of a vector file, read by type, and the words of its format.

See ``tests/vectors/README.md``; what is done with them is in :mod:`arena.vector_kinds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from referee.rules import Card, Seat, Variant, format_cards, parse_card, parse_cards, parse_variant, rated
from referee.rules.cards import RANKS, SUITS, X1
from referee.rules.deal import dealt_positions

T = TypeVar("T")


class VectorError(ValueError):
    """A vector file that cannot be used. The message names the file, the case and the member."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that was not as expected."""

    where: str
    expected: str
    found: str


class Fields:
    """The members of one JSON object, read by type. What nobody has read is refused, so no check is lost."""

    def __init__(self, where: str, members: Mapping[str, object]) -> None:
        self.where = where
        self._members = members
        self._read: set[str] = set()

    def at(self, where: str) -> Fields:
        """Return the same members, read as far, under another name."""
        twin = Fields(where, self._members)
        twin._read = self._read
        return twin

    def __contains__(self, name: str) -> bool:
        return name in self._members

    @property
    def names(self) -> list[str]:
        """The names of all members, in the order of the file."""
        return list(self._members)

    def value(self, name: str) -> object:
        """Return a member as it is.

        :raises VectorError: if it is missing.
        """
        self._read.add(name)
        if name not in self._members:
            raise VectorError(f"{self.where}: {name!r} is missing")
        return self._members[name]

    def _typed(self, name: str, kind: type[T], wanted: str) -> T:
        value = self.value(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise VectorError(f"{self.where}: {name!r} is {value!r}; wanted {wanted}")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string."""
        self._read.add(name)
        return default if default is not None and name not in self else self._typed(name, str, "a string")

    def integer(self, name: str, default: int | None = None) -> int:
        """Return a number."""
        self._read.add(name)
        return default if default is not None and name not in self else self._typed(name, int, "a number")

    def flag(self, name: str) -> bool:
        """Return a truth value; false if it is left out."""
        self._read.add(name)
        return name in self and self._typed(name, bool, "true or false")

    def texts(self, name: str) -> list[str]:
        """Return a list of strings."""
        values = self._typed(name, list, "a list of strings")
        if not all(isinstance(value, str) for value in values):
            raise VectorError(f"{self.where}: {name!r} is {values!r}; wanted a list of strings")
        return values

    def integers(self, name: str) -> list[int]:
        """Return a list of numbers."""
        values = self._typed(name, list, "a list of numbers")
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            raise VectorError(f"{self.where}: {name!r} is {values!r}; wanted a list of numbers")
        return values

    def lists_of_integers(self, name: str) -> list[list[int]]:
        """Return a list of lists of numbers."""
        values = self._typed(name, list, "a list of lists of numbers")
        return [Fields(f"{self.where}: {name}", {name: value}).integers(name) for value in values]

    def nested(self, name: str) -> Fields:
        """Return an object; an empty one if it is left out."""
        self._read.add(name)
        members = self._typed(name, dict, "an object") if name in self else {}
        return Fields(f"{self.where}: {name}", members)

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects."""
        values = self._typed(name, list, "a list of objects")
        if not all(isinstance(value, dict) for value in values):
            raise VectorError(f"{self.where}: {name!r} wants a list of objects")
        return [Fields(f"{self.where}: {name} {number}", value) for number, value in enumerate(values, start=1)]

    def by_seat(self, name: str) -> dict[Seat, object]:
        """Return an object whose names are seats."""
        members = self._typed(name, dict, "an object with seats as names")
        if not all(isinstance(seat, str) and seat.isdecimal() for seat in members):
            raise VectorError(f"{self.where}: {name!r} is {members!r}; its names have to be seats")
        return {int(seat): value for seat, value in members.items()}

    def refuse_unread(self) -> None:
        """Refuse members that have no meaning here.

        :raises VectorError: naming them.
        """
        unread = [name for name in self._members if name not in self._read]
        if unread:
            raise VectorError(f"{self.where}: {', '.join(map(repr, unread))} has no meaning here")


class Checks:
    """Collects what was not as expected, and counts what was compared."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []
        self.count = 0
        self.where = ""
        """Where in the case the next comparison is."""

    def equal(self, what: str, expected: object, found: object) -> None:
        """Compare; remember a difference."""
        self.count += 1
        if expected != found:
            where = f"{self.where}: {what}" if self.where else what
            self.differences.append(Difference(where, _shown(expected), _shown(found)))


class StopCase(Exception):
    """The script cannot go on after a difference."""


def _shown(value: object) -> str:
    if value is None:
        return "nobody or nothing"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_shown(each) for each in value) + "]"
    return str(value)


def read_variant(fields: Fields) -> Variant:
    """Return the variant of a case, with the defaults of rated play where it says so."""
    variant = parse_variant(fields.text("variant"))
    return rated(variant) if fields.flag("rated") else variant


def read_seat(fields: Fields, variant: Variant, name: str, default: int | None = None) -> Seat:
    """Return a seat of *variant*.

    :raises VectorError: if there is no such seat.
    """
    seat = fields.integer(name, default)
    if not 0 <= seat < variant.seats:
        raise VectorError(f"{fields.where}: {name!r} is {seat}; {variant.id} has seats 0 to {variant.seats - 1}")
    return seat


def read_totals(fields: Fields) -> list[int] | None:
    """Return the totals before the first hand, or ``None`` for those of the start of a game."""
    return fields.integers("totals") if "totals" in fields else None


def read_plays(fields: Fields, name: str) -> list[tuple[Seat, Card]]:
    """Return who played what, from text such as ``"1:AC 2:JS"``."""
    plays = []
    for word in fields.text(name).split():
        seat, colon, card = word.partition(":")
        if not colon or not seat.isdecimal():
            raise VectorError(f"{fields.where}: {word!r} is no play; write seat:card, as in 1:AC")
        plays.append((int(seat), parse_card(card)))
    return plays


def _cards_by_seat(fields: Fields, name: str) -> dict[Seat, list[Card]]:
    if name not in fields:
        return {}
    found = {}
    for seat, cards in fields.by_seat(name).items():
        if not isinstance(cards, str):
            raise VectorError(f"{fields.where}: {name!r} of seat {seat} is {cards!r}; wanted a string of cards")
        found[seat] = parse_cards(cards)
    return found


def deck_list(variant: Variant) -> list[Card]:
    """Return the deck as the format lists it: S C H D, each from the ace down, copies side by side, jokers last."""
    suited = [13 * suit + rank for suit in range(len(SUITS)) for rank in reversed(range(len(RANKS)))]
    copies = Counter(variant.deck)
    return [card for card in [*suited, X1, X1 + 1, X1 + 2] for _ in range(copies[card])]


def complete_deck(variant: Variant, dealer: Seat, deal: Fields) -> list[Card]:
    """Return a deck that deals what *deal* names; the other cards fill the free places in the order of the list.

    :raises VectorError: if it names too many cards, or cards that the deck does not have.
    """
    places: dict[int, Card] = {}
    positions = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, dealer)
    for seat, cards in _cards_by_seat(deal, "hands").items():
        if seat >= variant.seats:
            raise VectorError(f"{deal.where}: {variant.id} has no seat {seat}")
        _place(deal, places, cards, positions[seat], f"seat {seat}")
    rest = range(variant.seats * variant.hand_size, len(variant.deck))
    if "upcard" in deal:
        _place(deal, places, [parse_card(deal.text("upcard"))], rest[: variant.upcard], "the upcard")
    undealt = rest[int(variant.upcard) :]
    for name, size in (("kitty", variant.kitty), ("widow", variant.widow), ("idle", variant.idle)):
        if name in deal:
            _place(deal, places, parse_cards(deal.text(name)), undealt[:size], f"the {name}")
        undealt = undealt[size:]
    deal.refuse_unread()
    left = Counter(variant.deck)
    left.subtract(places.values())
    lacking = [card for card, count in left.items() if count < 0]
    if lacking:
        raise VectorError(f"{deal.where}: the deck of {variant.id} has not so many of {format_cards(lacking)}")
    others = iter([card for card in dict.fromkeys(deck_list(variant)) for _ in range(left[card])])
    return [places[place] if place in places else next(others) for place in range(len(variant.deck))]


def _place(deal: Fields, places: dict[int, Card], cards: Sequence[Card], free: Sequence[int], whose: str) -> None:
    if len(cards) > len(free):
        raise VectorError(f"{deal.where}: {len(cards)} cards for {whose}, which has {len(free)}")
    places.update(zip(free, cards, strict=False))
