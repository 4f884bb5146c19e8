"""What the rules refuse.

RulesError
├── VariantError         the operator named a variant, option or value that does not exist
├── NotationError        a text is no card, action or strain
├── DealError            a deck or dealer does not fit the variant (our own bug, or a forged record)
└── ActionRefused        an action that no table would let happen; the state is unchanged
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable


class RulesError(ValueError):
    """Base of everything the rules raise on purpose."""


class VariantError(RulesError):
    """No such preset or option, or a value it may not take. The message names what would work."""


class NotationError(RulesError):
    """A text that is no card, strain or action. The message holds the text."""


class DealError(RulesError):
    """A deck, dealer or list of totals that does not fit the variant."""


class Reason(enum.Enum):
    """Why an action is impossible; the sentence beside it is for people."""

    HAND_OVER = "hand over"
    """The hand has ended; nobody is asked anything."""
    NOT_OPEN = "not open"
    """The question asked has no such answer."""
    NOT_HELD = "not held"
    """A card that the seat does not hold."""
    WRONG_CARDS = "wrong cards"
    """A set of cards of the wrong size."""
    MUST_FOLLOW = "must follow"
    """A renege under ``renege = rejected`` (REN-MODE-1)."""


class ActionRefused(RulesError):
    """An action that is impossible now. Nothing has changed; ask again or play the default."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def nearest(word: str, words: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the closest of *words*, or an empty text.

    Closest is, capitals aside, the most alike, or else the first of which *word* is the beginning.
    """
    known = {name.lower(): name for name in words}
    wanted = word.lower()
    close = difflib.get_close_matches(wanted, known, n=1)
    if not close and wanted:
        close = [name for name in known if name.startswith(wanted)][:1]
    return f"; did you mean {known[close[0]]!r}?" if close else ""
