"""The kit a Euchre bot is written with: ``from euchre_kit import Bot, run``.

A bot is a class with one method that answers a question::

    from euchre_kit import Bot, run


    class LastOption(Bot):
        name = "last-option"

        def decide(self, request, variant):
            return len(request.options) - 1


    if __name__ == "__main__":
        run(LastOption())

Everything else here helps to decide well: :class:`Variant` (the game's order of cards, sides, bids and
scores), :class:`Knowledge` (what the history of a hand tells), :mod:`euchre_kit.simulator` (tricks played
fast), :mod:`euchre_kit.cards` (names and numbers). Cards, suits, strains and seats are the numbers of the
wire everywhere: no conversion, no surprise.
"""

from euchre_kit.bot import Answer, Bot, act, card_sets, number_of_sets, set_at
from euchre_kit.client import run
from euchre_kit.knowledge import Knowledge
from euchre_kit.variant import Variant

__all__ = [
    "Answer",
    "Bot",
    "Knowledge",
    "Variant",
    "act",
    "card_sets",
    "number_of_sets",
    "run",
    "set_at",
]
