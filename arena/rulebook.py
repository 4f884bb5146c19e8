"""A variant in words: one page of rules, made from nothing but the fields of the ``Variant``.

The page is a value (:class:`~arena.rulebook_page.Page`) of sections of paragraphs and tables, so that the terminal,
the Markdown pages under ``docs/variants/`` and the JSON of ``euchre-arena variants --json`` say the same. The sections
are written in ``rulebook_cards``, ``rulebook_auction``, ``rulebook_score`` and ``rulebook_flow``. Rule ids are those of
RULES.md. Nothing here asks which preset a variant was made from.
"""

from __future__ import annotations

from arena.rulebook_auction import hand_sections
from arena.rulebook_cards import cards_section, deal_section, table_section
from arena.rulebook_flow import bots_section, example_bids, options_section, questions_section
from arena.rulebook_page import Page, Paragraph, Section, Table, number_word, sentence
from arena.rulebook_score import end_section, play_section, renege_section, scoring_section
from referee.rules.cards import NT
from referee.rules.variant import Alliance, Variant

__all__ = ["Page", "Paragraph", "Section", "Table", "example_bids", "page", "summary"]


def page(variant: Variant) -> Page:
    """Return the rules of *variant* as a page."""
    sections = [
        table_section(variant),
        cards_section(variant),
        deal_section(variant),
        questions_section(variant),
        *hand_sections(variant),
        play_section(variant),
        scoring_section(variant),
        end_section(variant),
        renege_section(variant),
        options_section(variant),
        bots_section(variant),
    ]
    return Page(variant.name, variant.id, summary(variant), tuple(sections))


# -- in one line -------------------------------------------------------------------------------------


def summary(variant: Variant) -> str:
    """Return the game in one sentence: who, with what, how trump is made, to how many points."""
    goal = f"from {variant.target} down to zero" if variant.counts_down else f"to {variant.target} points"
    return sentence(
        f"{_players(variant)}, {len(variant.deck)} cards, {number_word(variant.hand_size)} each; "
        f"{_trump_making(variant)}; {goal}."
    )


def _players(variant: Variant) -> str:
    seats = number_word(variant.seats)
    match variant.alliance:
        case Alliance.FIXED if variant.seats == 2:
            return "two players"
        case Alliance.FIXED:
            return f"{seats} players in two sides of {number_word(variant.seats // 2)}"
        case Alliance.NONE:
            return f"{seats} players, each for himself"
        case Alliance.MAKER_AGAINST_ALL:
            return f"{seats} players, in every hand one against the rest"
        case Alliance.SILENT_ALLY:
            return f"{seats} players, in every hand one and his unannounced ally against the rest"


def _trump_making(variant: Variant) -> str:
    if variant.trump_making == "upcard-auction":
        return "trump is made by taking a card turned up"
    if variant.trump_making == "dealer-makes":
        return "the dealer makes trump, without an auction"
    if variant.strain_by_lead:
        return "the highest bidder's first lead makes trump"
    if variant.strain_in_bid:
        return (
            "the players bid tricks in a suit or in no trump"
            if NT in variant.strains
            else ("the players bid with a trump suit")
        )
    return "the players bid tricks, and the highest bidder then names trump"
