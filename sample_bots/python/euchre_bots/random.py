"""A bot that does anything lawful, with equal chances: the zero of every scale."""

from __future__ import annotations

from euchre.v1 import play_pb2
from euchre_kit import Answer, Bot, Variant, act, number_of_sets, run, set_at


class RandomBot(Bot):
    """Picks one of all lawful actions; every set of cards is an action of its own."""

    name = "random"
    version = "1"

    def decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Return any lawful action."""
        chance = self.chance(request)
        if not request.HasField("choice"):
            return chance.randrange(len(request.options))
        choice = request.choice
        words = [index for index, option in enumerate(request.options) if option.kind != choice.kind]
        index = chance.randrange(len(words) + number_of_sets(choice))
        if index < len(words):
            return words[index]
        return act(choice.kind, set_at(choice, index - len(words)))


if __name__ == "__main__":
    run(RandomBot())
