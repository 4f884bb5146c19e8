"""A second implementation of RULES.md that shares nothing with ``referee.rules``.

It exists to be compared with the engine. It is written straight from the rulebook, as the most obvious
slow functions: cards and actions are the texts of the notation, a state is a plain dict that is never
changed, and every preset is a table transcribed from its section. Nothing here imports the engine.
"""

from tests.evaluator.hands import State, actor, apply, deal, legal, talk
from tests.evaluator.tables import Game, game

__all__ = ["Game", "State", "actor", "apply", "deal", "game", "legal", "talk"]
