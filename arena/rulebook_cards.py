"""The sections on the table, the cards and the deal (RULES.md 3.1 to 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from arena.rulebook_page import (
    RANK_WORDS,
    SUIT_WORDS,
    Block,
    Paragraph,
    Rules,
    Section,
    Table,
    and_list,
    counted,
    joker_cards,
    maker_word,
    number_word,
    say,
    section,
    sentence,
)
from referee.rules.cards import CARD_NAMES, JACK, NT, NTL, RANKS, SAME_COLOUR, Card, Strain
from referee.rules.phases.base import PhaseKind
from referee.rules.variant import Alliance, Variant


def table_section(variant: Variant) -> Section:
    """Return who sits where and scores with whom."""
    blocks = [
        say(
            f"Seats are numbered 0 to {variant.seats - 1} clockwise, and everything goes clockwise. *Eldest* is the "
            "player on the dealer's left, who speaks first.",
            "GEN-SEAT-1",
        )
    ]
    sides = [and_list([str(seat) for seat in side]) for side in variant.sides]
    match variant.alliance:
        case Alliance.FIXED if variant.seats == 2:
            blocks.append(say("Two players, one against the other."))
        case Alliance.FIXED:
            seated = "so that partners face each other" if variant.seats == 4 else "seated alternately"
            blocks.append(
                say(
                    f"{sentence(number_word(variant.seats))} players in two sides, {seated}: seats {sides[0]} "
                    f"against seats {sides[1]}. A side scores together.",
                    "GEN-SEAT-2",
                )
            )
        case Alliance.NONE:
            blocks.append(
                say(
                    f"{sentence(number_word(variant.seats))} players, each for himself; each keeps a total of his own.",
                    "GEN-SEAT-3",
                )
            )
        case Alliance.MAKER_AGAINST_ALL:
            blocks.append(
                say(
                    f"{sentence(number_word(variant.seats))} players, each with a total of his own. In each hand "
                    f"{maker_word(variant)} plays alone against the {number_word(variant.seats - 1)} others, who are "
                    "one side until the hand ends.",
                    "GEN-SEAT-3",
                )
            )
        case Alliance.SILENT_ALLY:
            blocks.append(
                say(
                    f"{sentence(number_word(variant.seats))} players, each with a total of his own. In each hand the "
                    "maker and his ally play against the rest. Nobody says who the ally is: it shows in the play.",
                    "GEN-SEAT-3",
                    "CALL-ALLY-4",
                )
            )
    return section("The table", *blocks)


def _rank_sets(variant: Variant) -> list[str]:
    """Return the ranks of each suit, high to low, without cards that stand for jokers."""
    jokers = variant.tables.jokers
    return [
        "".join(rank for at, rank in reversed(list(enumerate(RANKS))) if _is_suited(variant, 13 * suit + at, jokers))
        for suit in range(4)
    ]


def _is_suited(variant: Variant, card: Card, jokers: Iterable[Card]) -> bool:
    return card in variant.deck and card not in jokers


def cards_section(variant: Variant) -> Section:
    """Return the deck, the jokers and bowers, and the order of the cards."""
    blocks: list[Block] = [say(_deck_text(variant))]
    jokers = joker_cards(variant)
    if jokers:
        blocks.append(say(_joker_text(variant, jokers), "CARD-EFF-2"))
    if variant.card_order != "ace-high" and any(strain < NT for strain in variant.strains):
        blocks.append(
            say(
                "The jack of trumps is the *right bower* and the other jack of its colour the *left bower*. The left "
                "bower is a trump in every respect and no card of its printed suit. Black are spades and clubs, red "
                "hearts and diamonds.",
                "CARD-COL-1",
                "CARD-BOW-1",
                "CARD-EFF-1",
            )
        )
    elif variant.card_order == "ace-high":
        blocks.append(say("There are no bowers: a jack is a jack, of its own suit, also in trumps.", "CARD-ORD-6"))
    blocks.append(Table(("Cards", "High to low"), tuple(_order_rows(variant)), _order_rules(variant)))
    if variant.duplicates != "none":
        later = variant.duplicates == "later"
        blocks.append(
            say(
                f"Of two identical cards in one trick the one played {'later' if later else 'first'} ranks higher.",
                *(("CARD-DUP-1",) if later else ("CARD-DUP-2",)),
            )
        )
    return section("The cards", *blocks)


def _deck_text(variant: Variant) -> str:
    ranks = _rank_sets(variant)
    common = [rank for rank in ranks[0] if all(rank in suit for suit in ranks)]
    parts = [f"{' '.join(common)} of each suit"]
    extra = [
        f"the {RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit]}"
        for suit, own in enumerate(ranks)
        for rank in own
        if rank not in common
    ]
    parts += extra
    jokers = sum(variant.deck.count(card) for card in set(joker_cards(variant)))
    if jokers:
        stand_ins = all(card < 52 for card in joker_cards(variant))
        names = and_list([CARD_NAMES[card] for card in dict.fromkeys(joker_cards(variant))])
        if stand_ins:
            copies = " twice" if jokers > len(set(joker_cards(variant))) else ""
            parts.append(f"the {names}{copies} in place of {'the joker' if jokers == 1 else 'the jokers'}")
        else:
            parts.append(f"{counted(jokers, 'joker')} ({names})")
    twice = ", every suited card twice" if variant.packs == 2 else ""
    return f"{len(variant.deck)} cards: {and_list(parts)}{twice}. The ten is written T."


def _joker_text(variant: Variant, jokers: list[Card]) -> str:
    count = sum(variant.deck.count(card) for card in set(jokers))
    if count == 1:
        return "The joker is the highest trump, and it is a trump in every respect whatever is trump."
    text = f"The {number_word(count)} jokers are the highest trumps, and trumps in every respect whatever is trump"
    if len(variant.jokers) == count:
        return f"{text}; among them {' ranks above '.join(CARD_NAMES[card] for card in jokers)}."
    return f"{text}; they are alike."


def _order_rules(variant: Variant) -> Rules:
    rules = {"bowers": ["CARD-ORD-1", "CARD-ORD-2"], "jack-high": ["CARD-ORD-5"], "ace-high": ["CARD-ORD-6"]}[
        variant.card_order
    ]
    rules += ["CARD-ORD-3"] * (NT in variant.strains and variant.card_order == "bowers")
    rules += ["CARD-ORD-4"] * (NTL in variant.strains)
    return tuple(rules)


def _order_rows(variant: Variant) -> Iterable[tuple[str, str]]:
    """Yield the order of trumps, of the other suits, and of the suits without trumps."""
    if any(strain < NT for strain in variant.strains):
        yield "Trumps", _order(variant, [(trump, trump) for trump in range(4)])
        if variant.card_order == "ace-high":
            yield "Other suits", _order(variant, [(trump, SAME_COLOUR[trump]) for trump in range(4)])
        else:
            yield "The other suit of that colour", _order(variant, [(trump, SAME_COLOUR[trump]) for trump in range(4)])
            yield "The suits of the other colour", _order(variant, [(trump, (trump + 2) % 4) for trump in range(4)])
    if NT in variant.strains:
        yield "No trump (NT): every suit", _order(variant, [(NT, suit) for suit in range(4)])
    if NTL in variant.strains:
        yield "No trump low (NTL): every suit", _order(variant, [(NTL, suit) for suit in range(4)])


def _order(variant: Variant, suits: Sequence[tuple[Strain, int]]) -> str:
    """Return the order that all of *suits*, given with the strain, have. Brackets: only some suits have this card."""
    orders = [
        [_card_word(variant, card, strain) for card in ordered_cards(variant, strain, suit)] for strain, suit in suits
    ]
    longest = max(orders, key=len)
    return " ".join(word if all(word in order for order in orders) else f"({word})" for word in longest)


def _card_word(variant: Variant, card: Card, strain: Strain) -> str:
    if card in variant.tables.jokers:
        return CARD_NAMES[card]
    if variant.card_order != "ace-high" and strain < NT and card % 13 == JACK:
        if card // 13 == strain:
            return "right-bower"
        if card // 13 == SAME_COLOUR[strain]:
            return "left-bower"
    return RANKS[card % 13]


def ordered_cards(variant: Variant, strain: Strain, suit: int) -> list[Card]:
    """Return the different cards of one effective suit under *strain*, high to low."""
    strength = variant.tables.beats[strain][suit]
    effective = variant.tables.effective[strain]
    cards = [card for card in dict.fromkeys(variant.deck) if effective[card] == suit]
    return sorted(cards, key=lambda card: (-strength[card], card))


# -- the deal ----------------------------------------------------------------------------------------

_PATTERNS: Final = {
    "packets-3-2": ("three cards to each in turn, then two to each", "DEAL-PAT-1"),
    "packets-2-3": ("two cards to each in turn, then three to each", "DEAL-PAT-2"),
    "alternating": ("three and two by turns the first time round, two and three the second", "DEAL-PAT-3"),
    "singles": ("one card at a time", "DEAL-PAT-4"),
    "packets-3-3": ("three cards to each in turn, then three again", "DEAL-PAT-6"),
}


def deal_section(variant: Variant) -> Section:
    """Return how the cards are dealt, what is left over, and who deals next."""
    how, rule = _PATTERNS[variant.deal_pattern]
    blocks: list[Block] = [
        say(f"{sentence(counted(variant.hand_size, 'card'))} each, eldest first, {how}.", rule),
        _left_over(variant),
    ]
    if variant.has_redeals():
        blocks.append(_redeal_paragraph(variant))
    blocks.append(
        say("After every hand, played or thrown in, the deal passes to the left.", "GEN-DEALER-2", "GEN-DEALER-3")
    )
    return section("The deal", *blocks)


def _left_over(variant: Variant) -> Paragraph:
    if not variant.upcard:
        return _widow_and_idle(variant)
    text = "The next card is turned up: the *upcard*."
    if variant.kitty == 0:
        return say(f"{text} It is the last card of the deck.", "DEAL-UP-1")
    under = (
        "card under it, the *kitty*, lies"
        if variant.kitty == 1
        else (f"{number_word(variant.kitty)} cards under it, the *kitty*, lie")
    )
    return say(f"{text} The {under} face down{'' if _uses_kitty(variant) else ' and out of play'}.", "DEAL-UP-1")


def _widow_and_idle(variant: Variant) -> Paragraph:
    parts = []
    if variant.widow == 1:
        parts.append("The next card is the *widow*, face down.")
    elif variant.widow:
        parts.append(f"The next {number_word(variant.widow)} cards are the *widow*, face down.")
    if variant.idle:
        over = f"{number_word(variant.idle)} {'other ' if variant.widow else ''}cards left over"
        parts.append(f"The {over} lie idle, face down and out of play.")
    return say(" ".join(parts), "DEAL-WID-1") if parts else say("Nothing is left over.")


def _uses_kitty(variant: Variant) -> bool:
    return any(phase.kind is PhaseKind.KITTY_SWAP for phase in variant.phases)


def _redeal_paragraph(variant: Variant) -> Paragraph:
    grounds, rules = [], []
    if variant.redeal_farmers_hand:
        grounds.append("every card of it is a ten or lower")
        rules.append("RED-1")
    if variant.redeal_no_ace_no_face_no_trump:
        grounds.append("it holds no ace, no king, queen or jack, no joker and no card of the upcard's suit")
        rules.append("RED-2")
    joker = " With a joker turned up nobody is asked." if joker_cards(variant) else ""
    return say(
        "Before the first word of the auction every player, eldest first, is asked whether he claims a new deal. He "
        f"may if {', or if '.join(grounds)}. The first claim shows the hand and ends the deal: nothing is scored and "
        f"the same player deals again.{joker}",
        *rules,
        "RED-4",
        *(["RED-5"] if joker else []),
    )
