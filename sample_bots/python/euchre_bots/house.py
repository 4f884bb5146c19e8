"""A plain bot that never changes: it fills the seats no entrant has."""

from __future__ import annotations

from euchre_kit import Bot, run


class HouseBot(Bot):
    """Passes, stays, follows low: the default of the rules at every question."""

    name = "house"
    version = "1"


if __name__ == "__main__":
    run(HouseBot())
