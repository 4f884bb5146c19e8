"""The rules of the Euchre family: pure functions and state machines, no I/O, no clock, no randomness.

The authority is ``docs/rules.md``; code cites its rule ids. Start with :func:`parse_variant`,
:class:`Hand` and :class:`Game`.
"""

from typing import Final

from referee.rules import hand as _hand
from referee.rules.actions import PLAY, Action, Bid, BidName, Kind, action, bid
from referee.rules.cards import NOBODY, UNFIXED, Card, Seat, Strain, format_card, format_cards, parse_card, parse_cards
from referee.rules.catalogue import build, parse_variant, rated
from referee.rules.errors import ActionRefused, DealError, NotationError, Reason, RulesError, VariantError
from referee.rules.game import Game, Outcome, games_won, leaders, next_game_start, winner_after
from referee.rules.hand import Hand, Question, replay, starting_totals
from referee.rules.notation import format_action, parse_action
from referee.rules.phases.base import CardChoice, PhaseKind
from referee.rules.presets import PRESETS
from referee.rules.result import HandEnd, HandResult
from referee.rules.variant import Alliance, BidRung, OptionSpec, Side, Variant
from referee.rules.view import View, view

BUILD_KIND: Final = "pure Python" if (_hand.__file__ or "").endswith(".py") else "compiled"
"""Which build of the rules runs; see docs/decisions/0005-compiled-build.md."""

__all__ = [
    "BUILD_KIND",
    "NOBODY",
    "PLAY",
    "PRESETS",
    "UNFIXED",
    "Action",
    "ActionRefused",
    "Alliance",
    "Bid",
    "BidName",
    "BidRung",
    "Card",
    "CardChoice",
    "DealError",
    "Game",
    "Hand",
    "HandEnd",
    "HandResult",
    "Kind",
    "NotationError",
    "OptionSpec",
    "Outcome",
    "PhaseKind",
    "Question",
    "Reason",
    "RulesError",
    "Seat",
    "Side",
    "Strain",
    "Variant",
    "VariantError",
    "View",
    "action",
    "bid",
    "build",
    "format_action",
    "format_card",
    "format_cards",
    "games_won",
    "leaders",
    "next_game_start",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_variant",
    "rated",
    "replay",
    "starting_totals",
    "view",
    "winner_after",
]
