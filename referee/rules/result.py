"""How a hand ended and what it was worth."""

from __future__ import annotations

import enum
from typing import NamedTuple

from referee.rules.cards import Seat


class HandEnd(enum.IntEnum):
    """How; numbers are those of ``euchre.v1.HandEnd``."""

    PLAYED = 1
    THROWN_IN = 2
    """Nobody made trump (GEN-DEALER-3)."""
    CLAIMED = 3
    """A new deal was claimed (RED-4)."""
    RENEGE = 4
    TABLE_TALK = 5


class HandResult(NamedTuple):
    """The outcome of one hand. Points and the rest "by side" are in the order of ``Variant.sides``."""

    end: HandEnd
    points: tuple[int, ...]
    """Change of the totals, by side; in countdown games a minus is good."""
    tricks: tuple[int, ...]
    """Tricks taken, by seat; nothing after a renege counts them (REN-PEN-1)."""
    makers: tuple[Seat, ...]
    """The seats of the maker's true side, ascending; empty without a maker."""
    contract_made: bool | None
    """Whether a bid was kept; ``None`` where there was no contract, or it is void (REN-PEN-6)."""
    qualified: tuple[bool, ...]
    """By side: may win by this hand (CON-WIN-1)."""
    instant_winner: Seat
    """The seat that wins the game at once (BUCK-END-3), or ``NOBODY``."""
    offender: Seat
    """Who reneged or talked, or ``NOBODY``."""
