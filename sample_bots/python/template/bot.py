"""my-bot, a Euchre bot."""

from euchre_kit import Bot, run


class MyBot(Bot):
    """Plays the last option: of the cards that may be played, the highest."""

    def decide(self, request, variant):
        """Return the index of an option."""
        return len(request.options) - 1


run(MyBot())
