"""The computer player of the package ``euchre-cli``, seated in ``standard``.

It never plays alone, and passes where the dealer may not: he names his longest suit then. The package is imported as
``euchre``, like the wire contract; its modules are added to that package here, wherever it was installed.
"""

from __future__ import annotations

import random
from importlib import import_module, metadata
from typing import Any, ClassVar, Final

import euchre
from euchre.v1 import actions_pb2, play_pb2
from euchre_kit import Answer, Bot, Variant, run
from euchre_kit.cards import ACE, CLUBS, DIAMONDS, HEARTS, SPADES, SUITS, suit

K: Final = actions_pb2

_SUITS: Final = {
    SPADES: ("Spade", "Black"),
    CLUBS: ("Club", "Black"),
    DIAMONDS: ("Diamond", "Red"),
    HEARTS: ("Heart", "Red"),
}
_FACES: Final = ("Nine", "Ten", "Jack", "Queen", "King", "Ace")


def load() -> Any:
    """Return the module ``euchre.abstract`` of the package.

    :raises ImportError: if it is not installed.
    """
    try:
        package = str(metadata.distribution("euchre-cli").locate_file("euchre"))
    except metadata.PackageNotFoundError as error:
        raise ImportError("the package euchre-cli is not installed") from error
    if package not in euchre.__path__:
        euchre.__path__.append(package)
    return import_module("euchre.abstract")


class EuchreCliBot(Bot):
    """Asks a new computer player each time, with the hand and the cards of the question."""

    name = "euchre-cli"
    version = "1"
    variants: ClassVar[tuple[str, ...]] = ("standard",)

    def __init__(self) -> None:
        super().__init__()
        theirs = load()
        self._theirs = theirs
        # Suits are compared by identity there: one object each. They get into sets, whose order is to be repeatable.
        kind = type("Suit", (theirs.Suit,), {"__hash__": lambda suit: ord(suit.name[0])})
        self._suits = {number: kind(*names) for number, names in _SUITS.items()}
        faces = [theirs.Face(name, 9 + place) for place, name in enumerate(_FACES)]
        self._cards = {
            13 * (number - 1) + value - 1: theirs.Card(self._suits[number], faces[value - 9])
            for number in SUITS
            for value in range(9, ACE + 1)
        }

    def decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Answer; the player's own chance, which is the global one, is made to depend on the question."""
        random.seed(self.chance(request).getrandbits(64))
        return super().decide(request, variant)

    def _player(self, request: play_pb2.DecisionRequest) -> Any:
        player = self._theirs.Computer("computer", self._theirs.Team("team"))
        player.is_dealer = request.seat == request.dealer
        player.hand = [self._cards[card] for card in request.cards]
        return player

    def upcard_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Pass, accept or name."""
        kinds = [option.kind for option in request.options]
        if not any(kind in (K.ACTION_KIND_NAME, K.ACTION_KIND_NAME_ALONE) for kind in kinds):
            with_dealer = request.dealer in variant.partners(request.seat)
            if not self._player(request).call_pick_up(self._cards[request.upcard], with_dealer):
                return 0
            accepts = (K.ACTION_KIND_ORDER_UP, K.ACTION_KIND_TAKE_UP)
            return next((index for index, kind in enumerate(kinds) if kind in accepts), 0)
        strain = self._named(request)
        if not strain and kinds[0] != K.ACTION_KIND_PASS:
            strain = self._longest(request, variant)
        return next(
            (i for i, o in enumerate(request.options) if o.kind == K.ACTION_KIND_NAME and o.strain == strain), 0
        )

    def _named(self, request: play_pb2.DecisionRequest) -> int:
        """Return the suit the player names, 0 for none."""
        turned = suit(request.upcard)
        if all(suit(card) == turned for card in request.cards):
            return 0  # it would raise
        named = self._player(request).call_trump_suit(self._suits[turned])
        return next((number for number in SUITS if self._suits[number] is named and number != turned), 0)

    @staticmethod
    def _longest(request: play_pb2.DecisionRequest, variant: Variant) -> int:
        strains = [option.strain for option in request.options]
        return max(strains, key=lambda strain: sum(map(variant.order(strain).is_trump, request.cards)))

    def pick_up(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Discard the lowest card."""
        player = self._player(request)
        upcard = self._cards[request.upcard]
        player.hand.remove(upcard)
        return self._option(request, player.pick_up_card(upcard))

    def play(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Play a card."""
        trick = [self._cards[played.card] for played in request.trick]
        return self._option(request, self._player(request).play_card(trick, self._suits[request.strain]))

    def _option(self, request: play_pb2.DecisionRequest, card: Any) -> int:
        return next(i for i, o in enumerate(request.options) if self._cards[o.cards[0]] is card)


def main() -> None:
    """Play as the computer player of euchre-cli."""
    try:
        bot = EuchreCliBot()
    except ImportError as error:
        raise SystemExit(f"{error}; the extra 'outside' of euchre-bot-kit brings it") from error
    run(bot)


if __name__ == "__main__":
    main()
