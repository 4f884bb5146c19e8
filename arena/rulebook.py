"""A variant in words: one page of rules, made from nothing but the fields of the ``Variant``.

The page is a value (:class:`Page`) of sections of paragraphs, lists and tables, so that the terminal, the
Markdown pages under ``docs/variants/`` and the JSON of ``euchre-arena variants --json`` say the same.
Rule ids are those of RULES.md. Nothing here asks which preset a variant was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.rules.actions import BidName
from referee.rules.cards import CARD_NAMES, JACK, NT, NTL, RANKS, SAME_COLOUR, Card, Strain, format_strain
from referee.rules.notation import format_action
from referee.rules.phases.base import PhaseKind
from referee.rules.phases.bidding import bid_actions
from referee.rules.presets import OPTION_RULES
from referee.rules.variant import (
    Alliance,
    AllPass,
    AllyRule,
    BidRung,
    BidValueScore,
    BonusScore,
    ContractScore,
    CountdownScore,
    FiveTrickScore,
    JokerUpcard,
    OptionSpec,
    ReachRule,
    Variant,
    WidowRule,
)

Rules: TypeAlias = tuple[str, ...]
"""Rule ids, in reading order."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences and the rules they tell."""

    text: str
    rules: Rules = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; every row is as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rules: Rules = ()


Block: TypeAlias = Paragraph | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The rules of one variant."""

    title: str
    variant_id: str
    summary: str
    sections: tuple[Section, ...]


NUMBER_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
)
SUIT_WORDS: Final = ("spades", "clubs", "hearts", "diamonds")
_RANK_WORDS: Final = {"T": "ten", "9": "nine", "8": "eight", "7": "seven", "6": "six", "5": "five", "2": "two"}


def number_word(number: int) -> str:
    """Return a small number in letters, a larger one in digits."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else str(number)


def counted(number: int, thing: str) -> str:
    """Return ``"three cards"``, ``"one card"``."""
    return f"{number_word(number)} {thing}{'' if number == 1 else 's'}"


def and_list(words: Sequence[str], last: str = "and") -> str:
    """Return ``"a, b and c"``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _say(text: str, *rules: str) -> Paragraph:
    return Paragraph(text, rules)


def _section(title: str, *blocks: Block) -> Section:
    return Section(title, blocks)


def page(variant: Variant) -> Page:
    """Return the rules of *variant* as a page."""
    sections = [
        _table_section(variant),
        _cards_section(variant),
        _deal_section(variant),
        _questions_section(variant),
        *_hand_sections(variant),
        _play_section(variant),
        _scoring_section(variant),
        _end_section(variant),
        _renege_section(variant),
        _options_section(variant),
        _bots_section(variant),
    ]
    return Page(variant.name, variant.id, summary(variant), tuple(sections))


# -- in one line -------------------------------------------------------------------------------------


def summary(variant: Variant) -> str:
    """Return the game in one sentence: who, with what, how trump is made, to how many points."""
    goal = f"from {variant.target} down to zero" if variant.counts_down else f"to {variant.target} points"
    return _sentence(
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


# -- the table and the cards -------------------------------------------------------------------------


def _table_section(variant: Variant) -> Section:
    blocks = [
        _say(
            f"Seats are numbered 0 to {variant.seats - 1} clockwise, and everything goes clockwise. *Eldest* is the "
            "player on the dealer's left, who speaks first.",
            "GEN-SEAT-1",
        )
    ]
    sides = [and_list([str(seat) for seat in side]) for side in variant.sides]
    match variant.alliance:
        case Alliance.FIXED if variant.seats == 2:
            blocks.append(_say("Two players, one against the other."))
        case Alliance.FIXED:
            seated = "so that partners face each other" if variant.seats == 4 else "seated alternately"
            blocks.append(
                _say(
                    f"{_sentence(number_word(variant.seats))} players in two sides, {seated}: seats {sides[0]} "
                    f"against seats {sides[1]}. A side scores together.",
                    "GEN-SEAT-2",
                )
            )
        case Alliance.NONE:
            blocks.append(
                _say(
                    f"{_sentence(number_word(variant.seats))} players, each for himself; each keeps a total of his "
                    "own.",
                    "GEN-SEAT-3",
                )
            )
        case Alliance.MAKER_AGAINST_ALL:
            blocks.append(
                _say(
                    f"{_sentence(number_word(variant.seats))} players, each with a total of his own. In each hand "
                    f"{_maker_word(variant)} plays alone against the {number_word(variant.seats - 1)} others, who are "
                    "one side until the hand ends.",
                    "GEN-SEAT-3",
                )
            )
        case Alliance.SILENT_ALLY:
            blocks.append(
                _say(
                    f"{_sentence(number_word(variant.seats))} players, each with a total of his own. In each hand the "
                    "maker and his ally play against the rest. Nobody says who the ally is: it shows in the play.",
                    "GEN-SEAT-3",
                    "CALL-ALLY-4",
                )
            )
    return _section("The table", *blocks)


def _maker_word(variant: Variant) -> str:
    """Return what the seat that made trump is called where it bid for it, and elsewhere."""
    return "the declarer" if variant.trump_making == "bid-auction" else "the maker"


def _rank_sets(variant: Variant) -> list[str]:
    """Return the ranks of each suit, high to low, without cards that stand for jokers."""
    jokers = variant.tables.jokers
    return [
        "".join(rank for at, rank in reversed(list(enumerate(RANKS))) if _is_suited(variant, 13 * suit + at, jokers))
        for suit in range(4)
    ]


def _is_suited(variant: Variant, card: Card, jokers: Iterable[Card]) -> bool:
    return card in variant.deck and card not in jokers


def _joker_cards(variant: Variant) -> list[Card]:
    """Return the different cards of the deck that are jokers, high to low."""
    return [card for group in variant.jokers for card in group]


def _cards_section(variant: Variant) -> Section:
    blocks: list[Block] = [_say(_deck_text(variant))]
    jokers = _joker_cards(variant)
    if jokers:
        blocks.append(_say(_joker_text(variant, jokers), "CARD-EFF-2"))
    if variant.card_order != "ace-high" and any(strain < NT for strain in variant.strains):
        blocks.append(
            _say(
                "The jack of trumps is the *right bower* and the other jack of its colour the *left bower*. The left "
                "bower is a trump in every respect and no card of its printed suit. Black are spades and clubs, red "
                "hearts and diamonds.",
                "CARD-COL-1",
                "CARD-BOW-1",
                "CARD-EFF-1",
            )
        )
    elif variant.card_order == "ace-high":
        blocks.append(_say("There are no bowers: a jack is a jack, of its own suit, also in trumps.", "CARD-ORD-6"))
    blocks.append(Table(("Cards", "High to low"), tuple(_order_rows(variant)), _order_rules(variant)))
    if variant.duplicates != "none":
        later = variant.duplicates == "later"
        blocks.append(
            _say(
                f"Of two identical cards in one trick the one played {'later' if later else 'first'} ranks higher.",
                *(("CARD-DUP-1",) if later else ("CARD-DUP-2",)),
            )
        )
    return _section("The cards", *blocks)


def _deck_text(variant: Variant) -> str:
    ranks = _rank_sets(variant)
    common = [rank for rank in ranks[0] if all(rank in suit for suit in ranks)]
    parts = [f"{' '.join(common)} of each suit"]
    extra = [
        f"the {_RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit]}"
        for suit, own in enumerate(ranks)
        for rank in own
        if rank not in common
    ]
    parts += extra
    jokers = sum(variant.deck.count(card) for card in set(_joker_cards(variant)))
    if jokers:
        stand_ins = all(card < 52 for card in _joker_cards(variant))
        names = and_list([CARD_NAMES[card] for card in dict.fromkeys(_joker_cards(variant))])
        if stand_ins:
            copies = " twice" if jokers > len(set(_joker_cards(variant))) else ""
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


def _deal_section(variant: Variant) -> Section:
    how, rule = _PATTERNS[variant.deal_pattern]
    blocks: list[Block] = [
        _say(f"{_sentence(counted(variant.hand_size, 'card'))} each, eldest first, {how}.", rule),
        _left_over(variant),
    ]
    if variant.has_redeals():
        blocks.append(_redeal_paragraph(variant))
    blocks.append(
        _say("After every hand, played or thrown in, the deal passes to the left.", "GEN-DEALER-2", "GEN-DEALER-3")
    )
    return _section("The deal", *blocks)


def _left_over(variant: Variant) -> Paragraph:
    if not variant.upcard:
        return _widow_and_idle(variant)
    text = "The next card is turned up: the *upcard*."
    if variant.kitty == 0:
        return _say(f"{text} It is the last card of the deck.", "DEAL-UP-1")
    under = (
        "card under it, the *kitty*, lies"
        if variant.kitty == 1
        else (f"{number_word(variant.kitty)} cards under it, the *kitty*, lie")
    )
    return _say(f"{text} The {under} face down{'' if _uses_kitty(variant) else ' and out of play'}.", "DEAL-UP-1")


def _widow_and_idle(variant: Variant) -> Paragraph:
    parts = []
    if variant.widow == 1:
        parts.append("The next card is the *widow*, face down.")
    elif variant.widow:
        parts.append(f"The next {number_word(variant.widow)} cards are the *widow*, face down.")
    if variant.idle:
        over = f"{number_word(variant.idle)} {'other ' if variant.widow else ''}cards left over"
        parts.append(f"The {over} lie idle, face down and out of play.")
    return _say(" ".join(parts), "DEAL-WID-1") if parts else _say("Nothing is left over.")


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
    joker = " With a joker turned up nobody is asked." if _joker_cards(variant) else ""
    return _say(
        "Before the first word of the auction every player, eldest first, is asked whether he claims a new deal. He "
        f"may if {', or if '.join(grounds)}. The first claim shows the hand and ends the deal: nothing is scored and "
        f"the same player deals again.{joker}",
        *rules,
        "RED-4",
        *(["RED-5"] if joker else []),
    )


# -- from the deal to the lead: one section a phase --------------------------------------------------


def _hand_sections(variant: Variant) -> list[Section]:
    """Return a section for every phase between the deal and the lead that this variant plays."""
    writers = {
        PhaseKind.BLIND_NAMING: _blind_naming,
        PhaseKind.UPCARD_AUCTION: _upcard_auction,
        PhaseKind.FORCED_CLUBS: _forced_clubs,
        PhaseKind.PICK_UP: _pick_up,
        PhaseKind.GOING_ALONE: _going_alone,
        PhaseKind.EXCHANGE: _exchange,
        PhaseKind.BID_AUCTION: _bid_auction,
        PhaseKind.STRAIN_CHOICE: _strain_choice,
        PhaseKind.WIDOW: _widow,
        PhaseKind.WIDOW_DISCARD: _widow_discard,
        PhaseKind.HAND_SWAP: _hand_swap,
        PhaseKind.DEALER_MAKES: _dealer_makes,
        PhaseKind.KITTY_SWAP: _kitty_swap,
        PhaseKind.DROP_OUT: _drop_out,
        PhaseKind.ALLY_CALL: _ally_call,
    }
    sections = []
    for phase in variant.phases:
        write = writers.get(phase.kind)
        section = write(variant) if write else None
        if section is not None:
            sections.append(section)
    return sections


def _has_jokers_up(variant: Variant) -> bool:
    return variant.upcard and bool(variant.tables.jokers)


def _blind_naming(variant: Variant) -> Section | None:
    if not _has_jokers_up(variant):
        return None
    if variant.joker_upcard is JokerUpcard.DEALER_MAKES:
        also = (
            " He is then asked once whether he plays alone."
            if variant.alone_with_call and variant.alone_makers != "none"
            else ""
        )
        whatever = ", although he need not take an upcard he is ordered to" if variant.pickup_is_optional else ""
        side = " and his side the makers" if variant.alliance is Alliance.FIXED and variant.seats > 2 else ""
        return _section(
            "A joker turned up",
            _say(
                f"If the upcard is a joker there is no auction. The dealer is the maker{side}: without having looked "
                "at his hand he names any of the four suits as trump. Then he takes the joker into his hand and "
                f"discards one of his {number_word(variant.hand_size + 1)} cards face down{whatever}.{also}",
                "UPA-BEN-1",
                *(["ALONE-TIME-2"] if also else []),
            ),
        )
    return _section(
        "A joker turned up",
        _say(
            "If the upcard is a joker the dealer, without having looked at his hand, names any of the four suits, "
            "and the joker counts as the upcard of that suit.",
            "ALM-TRUMP-2",
        ),
        _say(
            "Then round 1 of the auction runs as usual among the others. If they all pass, the dealer takes up, and "
            "is the maker; he is not asked, and there is no round 2.",
            "ALM-TRUMP-3",
        ),
    )


def _forced_clubs(variant: Variant) -> Section | None:
    if not variant.forced_clubs:
        return None
    need = variant.scoring.others_need if isinstance(variant.scoring, CountdownScore) else 0
    return _section(
        "A club turned up",
        _say(
            "If the upcard is a club, clubs are trumps without an auction. There is no maker, nobody takes the "
            f"upcard, nobody may drop out, and everybody must take at least {counted(need, 'trick')}.",
            *(("BUCK-TRUMP-1", "DC-TRUMP-1") if variant.trump_making == "bid-auction" else ("BUCK-TRUMP-1",)),
        ),
    )


def _has_partners(variant: Variant) -> bool:
    return variant.alliance is Alliance.FIXED and variant.seats > 2


def _partner_words(variant: Variant) -> tuple[str, str]:
    """Return what the dealer's partners are called, one or several, and the possessive of it."""
    return ("the dealer's partner", "he") if variant.seats == 4 else ("each of the dealer's partners", "he")


def _upcard_auction(variant: Variant) -> Section:
    partner = _partner_words(variant)[0]
    rounds = "in two rounds" if variant.auction_rounds == 2 else "in one round"
    text = (
        f"Trump is made {rounds}, eldest speaking first and the dealer last. In round 1 each player passes or *orders "
        "up* the upcard's suit as trump; the dealer, if the word comes to him, *takes up* or *turns down*. The first "
        "acceptance ends the auction."
    )
    blocks: list[Block] = [_say(text, "UPA-R1-1", "UPA-R1-3")]
    if _has_partners(variant):
        match variant.dealer_partner_order:
            case "takes-it-down":
                blocks.append(
                    _say(
                        f"{_sentence(partner)} may not order up. He may only pass or *take it down*: then he is "
                        "himself the maker, takes the upcard into his own hand, discards one card, and plays alone.",
                        "UPA-R1-2",
                        "UPA-PICK-3",
                    )
                )
            case "alone-only":
                blocks.append(_say(f"{_sentence(partner)} may order up only to play alone.", "UPA-R1-2"))
            case _:
                blocks.append(_say(f"{_sentence(partner)} may order up like anybody.", "UPA-R1-2"))
    if variant.dealer_needs_natural:
        but = " (a joker turned up he takes in any case)" if _has_jokers_up(variant) else ""
        blocks.append(
            _say(
                "The dealer may take up of his own will only if he holds a card whose printed suit is the upcard's; "
                f"the jack that would become the left bower does not count{but}. A card he is ordered to take he "
                "takes.",
                "UPA-NAT-1",
            )
        )
    if variant.auction_rounds == 2:
        blocks.append(
            _say(
                "If the dealer turns the card down, round 2 begins with eldest: each player passes or *names* a suit "
                "other than the one turned down. The first name ends the auction.",
                "UPA-R2-1",
            )
        )
    if variant.auction_rounds == 2 and variant.stick_dealer:
        blocks.append(_say("If all others have passed in round 2 the dealer must name a suit.", "UPA-R2-2"))
    else:
        blocks.append(_all_pass(variant, "round 2" if variant.auction_rounds == 2 else "the only round"))
    blocks.append(_who_is_maker(variant))
    if variant.alone_with_call and variant.alone_makers != "none":
        blocks.append(_alone_in_the_call(variant))
    return _section("The auction", *blocks)


def _all_pass(variant: Variant, when: str = "") -> Paragraph:
    in_it = f" in {when}" if when else ""
    match variant.all_pass:
        case AllPass.THROWN_IN:
            return _say(
                f"If everybody passes{in_it} the hand is thrown in: nothing is scored and the next player deals.",
                *(("GEN-DEALER-3", "UPA-R2-2") if when else ("GEN-DEALER-3",)),
            )
        case AllPass.NO_TRUMP:
            return _say(
                f"If everybody passes{in_it} the hand is played without trumps (NT). There is no maker, nobody may "
                "drop out, and everybody must take at least one trick.",
                *(("BUCK-TRUMP-3",) if when else ("DC-AUC-2", "BUCK-TRUMP-3")),
            )
        case AllPass.JOKER_HOLDER:
            return _say(
                f"If everybody passes{in_it} the holder of the joker shows it and is the declarer with a bid of "
                "three, whatever the lowest bid is; nobody is asked. If the joker lies in the widow the hand is "
                "thrown in.",
                "HAS-AUC-2",
                "HAS-AUC-3",
            )


def _who_is_maker(variant: Variant) -> Paragraph:
    side = " and his side are the *makers*, the others the *defenders*" if _has_partners(variant) else ""
    if variant.order_up_makers == "dealer-side":
        exception = (
            ""
            if variant.dealer_partner_order != "takes-it-down"
            else (", unless his partner took it down: then that partner is")
        )
        return _say(
            f"Whoever accepts the upcard in round 1, the dealer is the maker{exception}; in round 2 the player who "
            f"named the suit is the *maker*{side}.",
            "UPA-MAKE-2",
            "UPA-MAKE-1",
        )
    return _say(f"The player who ordered, took up or named is the *maker*{side}.", "UPA-MAKE-1")


def _alone_in_the_call(variant: Variant) -> Paragraph:
    if variant.order_up_makers == "dealer-side" and variant.alone_makers == "caller":
        who = "Only a call that makes the caller himself the maker can be made alone"
    elif variant.order_up_makers == "dealer-side":
        who = "A call by a player of the makers' side can be made alone"
    else:
        who = "Any of these calls can be made *alone*"
    return _say(f"{who}; it is said in the call itself and at no other time.", "ALONE-TIME-2", "ALONE-WHO-1")


def _partner_may_order_alone(variant: Variant) -> bool:
    if not _has_partners(variant) or not any(phase.kind is PhaseKind.UPCARD_AUCTION for phase in variant.phases):
        return False
    if variant.dealer_partner_order == "alone-only":
        return True
    return variant.dealer_partner_order == "normal" and variant.alone_with_call and variant.alone_makers != "none"


def _pick_up(variant: Variant) -> Section:
    six = number_word(variant.hand_size + 1)
    if variant.trump_making == "bid-auction":
        return _section(
            "The upcard",
            _say(
                f"The maker may now take the upcard, and then discards one of his {six} cards face down.", "DC-PICK-1"
            ),
        )
    if variant.pickup_is_optional:
        first = _say(
            "If the dealer was ordered up he may take the upcard or leave it; trump is its suit either way. If he "
            f"took up himself he takes it. Having taken it he discards one of his {six} cards face down; it may be "
            "the upcard.",
            "UPA-PICK-1",
            "UPA-PICK-2",
        )
    else:
        first = _say(
            f"When the upcard's suit has been accepted the dealer takes the upcard and discards one of his {six} "
            "cards face down; it may be the upcard.",
            "UPA-PICK-1",
        )
    blocks: list[Block] = [first]
    if _partner_may_order_alone(variant):
        blocks.append(
            _say("If the dealer's partner ordered up alone, nobody takes the upcard and nobody discards.", "UPA-PICK-4")
        )
    if variant.auction_rounds == 2:
        blocks.append(_say("Nobody takes the upcard after a name in round 2.", "UPA-PICK-5"))
    return _section("The upcard", *blocks)


def _going_alone(variant: Variant) -> Section | None:
    makers = None if variant.alone_with_call else _makers_alone(variant)
    defenders = _defenders_alone(variant)
    blocks: list[Block] = [block for block in (makers, defenders) if block is not None]
    takes_down = variant.dealer_partner_order == "takes-it-down" and any(
        phase.kind is PhaseKind.UPCARD_AUCTION for phase in variant.phases
    )
    if not blocks and not takes_down and variant.alone_makers == "none":
        return _section("Playing alone", _say("Nobody plays alone.", "ALONE-WHO-1"))
    if takes_down and makers is not None and _has_partners(variant):
        blocks.append(_say("After a card was taken down the makers are not asked.", "ALONE-POLL-1"))
    if not blocks:
        if variant.alliance is Alliance.FIXED:
            blocks.append(_say("The defenders may not play alone.", "ALONE-WHO-1"))
        else:
            blocks.append(_say("A maker who called alone calls no ally and plays against all.", "CALL-ALONE-1"))
    if variant.alliance is Alliance.FIXED:
        out = "His partner lays" if variant.seats == 4 else "His partners lay"
        cards = "his cards face down and sits" if variant.seats == 4 else "their cards face down and sit"
        both = " With a loner on each side only those two play." if defenders is not None else ""
        blocks.append(_say(f"{out} {cards} out.{both}", "ALONE-OUT-1", *(["ALONE-BOTH-1"] if both else [])))
    return _section("Playing alone", *blocks)


def _makers_alone(variant: Variant) -> Paragraph | None:
    if variant.alone_makers == "none":
        return None
    if variant.alone_makers == "caller":
        return _say("Before the first lead the maker is asked whether he plays alone.", "ALONE-TIME-1", "ALONE-WHO-1")
    partners = "his partner" if variant.seats == 4 else "his partners clockwise"
    return _say(
        f"Before the first lead the maker is asked whether he plays alone, then {partners}, until one says he does.",
        "ALONE-TIME-1",
        "ALONE-POLL-1",
        "ALONE-ONE-1",
    )


def _defenders_alone(variant: Variant) -> Paragraph | None:
    if variant.alone_defenders == "none" or variant.alliance is not Alliance.FIXED:
        return None
    only = "If a maker plays alone, the" if variant.alone_defenders == "against-loner" else "The"
    then = "" if variant.alone_defenders == "against-loner" or variant.alone_with_call else " Then"
    asked = f"{then} {'the' if then else only} defenders are asked".strip()
    return _say(
        f"{asked}, clockwise from the maker's left, whether one of them defends alone, until one says he does.",
        "ALONE-WHO-1",
        "ALONE-POLL-2" if variant.alone_with_call else "ALONE-POLL-1",
    )


def _exchange(variant: Variant) -> Section | None:
    first = number_word(variant.hand_size)
    six = number_word(variant.hand_size + 1)
    several = "his partner" if variant.seats == 4 else "one partner of his choice"
    match variant.loner_exchange:
        case "ask-one":
            text = (
                f"A loner may ask {several} for a card, without saying which. That partner must give one card of his "
                f"own choice, shown to nobody else. The loner then discards one of his {six} cards face down, the "
                "card received included if he likes."
            )
            rules: Rules = ("XCH-ASK-1",)
        case "partner-offers-one":
            text = (
                "A loner's partner may offer him one card face down. The loner declines it, or first discards one of "
                f"his {first} cards and only then sees and takes the card offered."
            )
            rules = ("XCH-OFFER-1",)
        case "call-best":
            text = (
                "A loner may discard one card face down and call for his partner's best; the partner must then give "
                "one card of his own choice."
            )
            rules = ("XCH-BEST-1",)
        case "fixed-by-bid":
            bids = and_list(
                [f"{counted(rung.receives, 'card')} with {_bid_word(rung)}" for rung in variant.ladder if rung.receives]
            )
            text = (
                f"A loner first discards, seen by nobody, as many cards as his bid says: {bids}. Only then does his "
                "partner, without having seen them, give him as many. Neither may decline."
            )
            rules = ("XCH-BID-1",)
        case "up-to-2" | "up-to-3":
            most = number_word(int(variant.loner_exchange[-1]))
            text = (
                f"A loner may first discard up to {most} cards, seen by nobody; only then does his partner, without "
                "having seen them, give him as many. The partner may not decline."
            )
            rules = ("XCH-UPTO-1",)
        case _:
            return None
    tail = " If both sides have a loner the maker's exchange comes first." if _both_may_be_alone(variant) else ""
    return _section("Cards for the loner", _say(text + tail, *rules))


def _both_may_be_alone(variant: Variant) -> bool:
    return variant.alone_defenders != "none" and variant.alliance is Alliance.FIXED and not variant.ladder


def _bid_word(rung: BidRung) -> str:
    if rung.bid.name is BidName.NUMBER:
        return f"BID({rung.bid.number})"
    return repr(rung.bid)


def _bid_auction(variant: Variant) -> Section:
    blocks: list[Block] = [_turns(variant), _ladder_text(variant), _ladder_table(variant)]
    for rung in variant.ladder:
        if rung.only_over is not None:
            over = repr(rung.only_over)
            blocks.append(_say(f"{_bid_word(rung)} may be bid only over {over}.", "NAP-AUC-2"))
    if variant.dealer_outbids_alone:
        blocks.append(
            _say("The dealer, and only he, may bid ALONE over another's ALONE; his then stands.", "BU40-AUC-2")
        )
    if variant.dealer_must_bid:
        blocks.append(_say("If nobody has bid when the dealer first speaks he must bid.", "BIDA-FORCE-1"))
    else:
        blocks.append(_all_pass(variant))
    won = "The winner is the *declarer*"
    if variant.alliance is Alliance.FIXED and variant.seats > 2:
        won += " and his side are the *makers*"
    if variant.strain_by_lead:
        won += ". There is no trump until he leads: the suit of his first card is trump from then on"
    blocks.append(_say(f"{won}.", "BIDA-WON-1", *(["NAP-TRUMP-1"] if variant.strain_by_lead else [])))
    if any(rung.is_misere for rung in variant.ladder):
        blocks.append(_say("MISERE is played without trumps (NT).", "NAP-TRUMP-1"))
    lone = [rung for rung in variant.ladder if rung.alone]
    if lone and variant.alliance is Alliance.FIXED:
        partners = "partner lays his cards" if variant.seats == 4 else "partners lay their cards"
        sits = "sits" if variant.seats == 4 else "sit"
        blocks.append(
            _say(
                f"A declarer whose bid is alone plays without help: his {partners} down and {sits} out.", "ALONE-OUT-1"
            )
        )
    return _section("The auction", *blocks)


def _turns(variant: Variant) -> Paragraph:
    if variant.until_passed:
        others = number_word(variant.seats - 1)
        passes = "the other player has passed" if variant.seats == 2 else f"{others} players have passed in succession"
        return _say(
            f"Eldest speaks first. The turn goes round until {passes} after a bid; a player who passed may bid when "
            "his turn comes again.",
            "BIDA-TURN-1",
            "BIDA-END-2",
        )
    return _say("Each player speaks once, eldest first and the dealer last.", "BIDA-TURN-1", "BIDA-END-1")


def _ladder_text(variant: Variant) -> Paragraph:
    if variant.strain_in_bid:
        strains = sorted({strain for rung in variant.ladder for strain in rung.strains})
        names = and_list([format_strain(strain) for strain in strains], "or")
        text = f"A bid names a strain, {names}. Strains have no rank: only a higher bid outbids."
        rules = ["BIDA-BID-1", "BIDA-BID-2"]
    elif variant.equal_bid_outbids:
        text = "A bid names no suit. It must be at least as high as the standing one; an equal one replaces it."
        rules = ["BIDA-BID-2", "LATER-AUC-2"]
    else:
        text = "A bid names no suit. Each must be higher than the standing one."
        rules = ["BIDA-BID-2"]
    return _say(f"{text} The auction is over as soon as nobody can outbid.", *rules, "BIDA-END-3")


def _ladder_table(variant: Variant) -> Table:
    rows = []
    strains_differ = len({rung.strains for rung in variant.ladder}) > 1
    for rung in variant.ladder:
        row = [_bid_word(rung), _undertaking(variant, rung)]
        if strains_differ:
            row.append(" ".join(format_strain(strain) for strain in rung.strains))
        rows.append(tuple(row))
    header = ("Bid, low to high", "Undertakes", *(["Strains"] if strains_differ else []))
    return Table(header, tuple(rows))


def _undertaking(variant: Variant, rung: BidRung) -> str:
    if rung.is_misere:
        return "no trick at all"
    how_many = "all " if rung.tricks == variant.hand_size else "at least "
    text = f"{how_many}{counted(rung.tricks, 'trick')}"
    if rung.alone:
        text += ", alone"
    if variant.widow and variant.widow_rule is not WidowRule.NONE and not rung.takes_widow:
        text += ", without the widow"
    if rung.receives:
        text += f", after receiving {counted(rung.receives, 'card')}"
    return text


def _strain_choice(variant: Variant) -> Section:
    strains = and_list([format_strain(strain) for strain in variant.strains], "or")
    who = "maker" if variant.counts_down else "declarer"
    rule = (
        "HAS-STRAIN-1"
        if variant.widow_rule is WidowRule.MUST
        else (
            "DC-STRAIN-1"
            if variant.counts_down
            else ("LATER-STRAIN-1" if variant.equal_bid_outbids else "PEP-STRAIN-1")
        )
    )
    return _section("The strain", _say(f"The {who} chooses what the hand is played in: {strains}.", rule))


def _widow(variant: Variant) -> Section:
    size = number_word(variant.widow)
    if variant.widow_rule is WidowRule.MUST:
        text = (
            "The declarer takes the widow card, seen by him alone; he must."
            if variant.widow == 1
            else f"The declarer takes the {size} cards of the widow; he must."
        )
        rules: Rules = ("HAS-WID-1",) if variant.widow == 1 else ("AUC-WID-1",)
    else:
        text = f"Before the first lead the declarer may take the {size} cards of the widow, all of them or none."
        rules = ("BU48W-WID-1",) if variant.alliance is Alliance.FIXED else ("HOO3-WID-1",)
    without = [_bid_word(rung) for rung in variant.ladder if not rung.takes_widow]
    if without:
        text += f" With {and_list(without, 'or')} he does without."
    return _section("The widow", _say(text, *rules))


def _widow_discard(variant: Variant) -> Section:
    total = number_word(variant.hand_size + variant.widow)
    return _section(
        "The discard",
        _say(
            f"If he took the widow he discards {number_word(variant.widow)} of his {total} cards face down; cards of "
            "the widow are among those he may discard.",
            *(
                ("HAS-WID-2",)
                if variant.widow == 1
                else ("AUC-WID-1",)
                if variant.widow_rule is WidowRule.MUST
                else ("BU48W-WID-1",)
                if variant.alliance is Alliance.FIXED
                else ("HOO3-WID-1",)
            ),
        ),
    )


def _hand_swap(variant: Variant) -> Section:
    return _section(
        "The widow",
        _say(
            "First the dealer's right, then the dealer, then the dealer's left may, having seen his hand, lay all of "
            "it down and take the widow unseen in its place. The first who does ends this; the others are not asked.",
            "DC3-WID-1",
        ),
    )


def _dealer_makes(variant: Variant) -> Section:
    return _section(
        "Making trump",
        _say("There is no auction. The dealer is the maker and his side the makers, always.", "DM-TRUMP-1"),
        _say(
            "Having seen his hand he either keeps the upcard's suit as trump, and the upcard leaves the game; or he "
            "takes the upcard into his hand and discards, face up, a card of another suit, whose printed suit is "
            "trump.",
            "DM-TRUMP-2",
            "DM-TRUMP-3",
        ),
    )


def _kitty_swap(variant: Variant) -> Section:
    size = number_word(variant.kitty)
    return _section(
        "The kitty",
        _say(
            f"Then one player may discard {size} cards face down and take the {size} cards of the kitty. They are "
            "asked in this order, until one does: the dealer's left, the dealer's right, the dealer's partner, the "
            "dealer.",
            "DM-XCH-1",
        ),
    )


def _drop_out(variant: Variant) -> Section:
    text = (
        "With a maker, each other player, clockwise from the maker's left, says whether he stays or drops. Who drops "
        "lays his cards down and neither wins nor loses anything in this hand."
    )
    blocks: list[Block] = [_say(text, "BUCK-DROP-1")]
    if variant.drop_floor >= 0:
        points = f"{variant.drop_floor} point{'' if variant.drop_floor == 1 else 's'}"
        blocks.append(_say(f"A player with {points} or fewer may not drop, and is not asked.", "DC3-DROP-1"))
    blocks.append(_say("If all others drop the maker plays his cards unopposed and takes every trick.", "BUCK-DROP-2"))
    return _section("Dropping out", *blocks)


def _ally_call(variant: Variant) -> Section:
    if variant.ally_rule is AllyRule.SUIT:
        return _section(
            "The ally",
            _say("A maker who does not play alone calls a suit other than trump.", "CALL-ALLY-1"),
            _say(
                "Who holds the highest card of that suit among the hands in play is his ally; the kitty, an upcard "
                "left lying and discards do not count, and the left bower is no card of its printed suit.",
                "CALL-ALLY-2",
            ),
            _say(
                "If the maker holds that card himself, or nobody holds a card of the suit, he has no ally and plays "
                "against all.",
                "CALL-ALLY-3",
            ),
        )
    return _section(
        "The ally",
        _say(
            "A declarer who does not play alone calls any one card that is not in his hand. Its holder is his ally, "
            "silently.",
            "AUC-ALLY-1",
        ),
        _say("If the card is idle or among his own discards he has no ally.", "AUC-ALLY-2"),
    )


# -- the play ----------------------------------------------------------------------------------------


def _play_section(variant: Variant) -> Section:
    tricks = number_word(variant.hand_size)
    blocks: list[Block] = [_lead(variant)]
    trumps = any(strain < NT for strain in variant.strains)
    wins = (
        "the highest trump, or without a trump the highest card of the suit led, wins it"
        if trumps
        else ("the highest card of the suit led wins it")
    )
    blocks.append(
        _say(
            "The leader plays any card. Every other player in turn must follow suit if he can and may otherwise play "
            f"any card; nobody has to trump or to beat. When each has played one card {wins}, and the winner leads to "
            "the next.",
            "PLAY-1",
            "PLAY-2",
            "PLAY-3",
            "PLAY-4",
        )
    )
    blocks.append(
        _say(
            f"There are {tricks} tricks; all are played, even when the result is settled. The last card of every hand "
            "is played without a question.",
            "PLAY-5",
            "SRV-ASK-2",
        )
    )
    return _section("The play", *blocks)


def _lead(variant: Variant) -> Paragraph:
    if variant.declarer_leads:
        who = _maker_word(variant) if not variant.counts_down else "the maker"
        if variant.all_pass is AllPass.NO_TRUMP:
            return _say(f"{_sentence(who)} leads to the first trick; without a maker, eldest.", "LEAD-4", "DC-LEAD-1")
        return _say(f"{_sentence(who)} leads to the first trick.", "LEAD-4")
    sentences = ["Eldest leads to the first trick; if he does not play, the next player clockwise who does."]
    rules = ["LEAD-1"]
    loner = "the maker's left, for the maker is a loner," if variant.makers_are_loners else "the loner's left"
    match variant.loner_lead:
        case "left-of-loner" if variant.makers_are_loners:
            sentences = ["The player on the maker's left leads to the first trick."]
            rules = ["LEAD-2", "CUT-LEAD-1"]
        case "left-of-loner" if _somebody_may_be_alone(variant):
            sentences.append(f"Against a loner the player on {loner} leads instead.")
            rules.append("LEAD-2")
        case "left-of-loner-if-ordered" if _somebody_may_be_alone(variant):
            sentences.append(
                "When a player ordered the dealer up and plays alone, the player on his left leads instead."
            )
            rules.append("STD-LEAD-2")
        case _:
            pass
    if variant.other_of_two_leads:
        sentences.append(
            "If exactly two play and one of them is of the makers, the other leads, before any other rule."
        )
        rules.append("LEAD-3")
    return _say(" ".join(sentences), *rules)


def _somebody_may_be_alone(variant: Variant) -> bool:
    return (
        variant.alone_makers != "none"
        or variant.alone_defenders != "none"
        or any(rung.alone for rung in variant.ladder)
        or (_has_partners(variant) and variant.dealer_partner_order != "normal")
    )


# -- scoring and the end -----------------------------------------------------------------------------


def _scoring_section(variant: Variant) -> Section:
    match variant.scoring:
        case FiveTrickScore() as score:
            blocks = _five_trick_blocks(variant, score)
        case BonusScore() as score:
            blocks = _bonus_blocks(score)
        case ContractScore() as score:
            blocks = _contract_blocks(variant, score)
        case BidValueScore() as score:
            blocks = _bid_value_blocks(variant, score)
        case CountdownScore() as score:
            blocks = _countdown_blocks(variant, score)
    return _section("The score of a hand", *blocks)


def _points(number: int) -> str:
    return str(number)


def _five_trick_blocks(variant: Variant, score: FiveTrickScore) -> list[Block]:
    each = score.paid_to == "each-seat"
    makers = (
        "the makers"
        if _has_partners(variant)
        else ("each of the maker's side" if each and variant.ally_rule is not AllyRule.NONE else "the maker")
    )
    others = "the defenders" if _has_partners(variant) else ("each opponent" if each else "the opponent")
    rows = [("three or four", makers, _points(score.three_or_four))]
    if score.lone_march is None:
        rows.append(("all five", makers, _points(score.march)))
    else:
        loner = "the makers" if _has_partners(variant) else "the maker"
        rows.append(("all five", makers, _points(score.march)))
        rows.append(
            (
                "all five, a maker alone" if _has_partners(variant) else "all five, called alone",
                loner,
                _points(score.lone_march),
            )
        )
    if score.makers_none == score.euchre:
        rows.append(("fewer than three", others, _points(score.euchre)))
    else:
        rows += [("one or two", others, _points(score.euchre)), ("none", others, _points(score.makers_none))]
    if score.lone_euchre is not None and score.lone_euchre != score.euchre and variant.alone_defenders != "none":
        rows.append(("fewer than three, a defender alone", others, _points(score.lone_euchre)))
    side = "the makers" if _has_partners(variant) or variant.ally_rule is not AllyRule.NONE else "the maker"
    blocks: list[Block] = [
        Table((f"Tricks of {side}", "Who scores", "Points"), tuple(rows), ("S5-1", "S5-2", "S5-3", "S5-4"))
    ]
    if variant.ally_rule is not AllyRule.NONE:
        blocks.append(
            _say(
                "A maker who turns out to be his own ally has not called alone: his five tricks are worth "
                f"{score.march}.",
                "CALL-SCORE-1",
            )
        )
    return blocks


def _bonus_blocks(score: BonusScore) -> list[Block]:
    def value(*, defends: bool, alone: bool, all_five: bool) -> str:
        nothing = all_five and defends and alone
        return str(
            score.three_or_more
            + score.defenders * defends
            + score.alone * alone
            + score.all_five * all_five
            + score.makers_none_and_alone * nothing
        )

    rows = tuple(
        (
            f"{'defenders' if defends else 'makers'}, {'one of them alone' if alone else 'not alone'}",
            value(defends=defends, alone=alone, all_five=False),
            value(defends=defends, alone=alone, all_five=True),
        )
        for defends in (False, True)
        for alone in (False, True)
    )
    return [
        _say(
            f"The side with three or more tricks scores {score.three_or_more}, and more for each that is true: it "
            f"defends ({score.defenders}); its player went alone ({score.alone}); it took all five "
            f"({score.all_five}); the makers took none and its player went alone ({score.makers_none_and_alone}).",
            "DM-SCORE-1",
        ),
        Table(("The side that scores", "3 or 4 tricks", "5 tricks"), rows),
    ]


def _contract_blocks(variant: Variant, score: ContractScore) -> list[Block]:
    sided = variant.alliance is Alliance.FIXED and variant.seats > 2
    declarer = "the makers" if sided else "the declarer"
    others = "the defenders" if sided else ("the other player" if variant.seats == 2 else "each other player")
    rows = []
    top = score.made_top_bid
    cost = str(-score.set_cost) if score.set_cost else "minus the number bid"
    numbers = [rung for rung in variant.ladder if not rung.value]
    rows.append((_numbers_word(numbers, top), "1 a trick", cost))
    if top:
        rows.append((f"BID({top})", str(score.made_top_value), str(-top)))
    for rung in variant.ladder:
        if rung.value and score.value_by_cards_received:
            rows += [
                (f"{_bid_word(rung)}, {counted(cards, 'card')} received", f"{value}", f"-{value}")
                for cards, value in enumerate(score.value_by_cards_received)
                if cards <= _most_received(variant)
            ]
        elif rung.value:
            rows.append((_bid_word(rung), str(rung.value), str(-rung.value)))
    return [
        _say(
            f"A contract is *made* if {declarer} took the tricks undertaken, and *set* otherwise. {_sentence(others)} "
            f"score{'' if sided else 's'} 1 for every trick of {'their' if sided else 'his'} own, whether it was made "
            "or set.",
            "CON-MADE-1",
            "CON-SET-1",
            *(["CON-ALONE-1"] if len(rows) > 1 + bool(top) else []),
        ),
        Table(("Contract", f"Made: {declarer}", f"Set: {declarer}"), tuple(rows)),
    ]


def _most_received(variant: Variant) -> int:
    return int(variant.loner_exchange[-1]) if variant.loner_exchange.startswith("up-to-") else 0


def _numbers_word(numbers: Sequence[BidRung], without: int) -> str:
    said = [rung.bid.number for rung in numbers if rung.bid.number != without]
    return f"BID({said[0]})" if len(said) == 1 else f"BID({said[0]}) to BID({said[-1]})"


def _bid_value_blocks(variant: Variant, score: BidValueScore) -> list[Block]:
    if score.made_to_each_of_side:
        text = (
            "If the maker's side takes the tricks undertaken each of its members gains the value of the bid; "
            "otherwise every opponent gains it."
        )
        rules: Rules = ("AUC-SCORE-1", "AUC-SCORE-2")
        header = ("Bid", "Tricks needed", "Made: each of the side", "Set: each opponent")
        rows = tuple((_bid_word(r), _needs(r, variant), str(r.value), str(r.value)) for r in variant.ladder)
    else:
        text = (
            "If the declarer fulfils his bid he gains its value; otherwise he loses it. Further tricks add nothing "
            "and the others score nothing."
        )
        rules = ("NAP-SCORE-1",)
        header = ("Bid", "Tricks needed", "Made", "Set")
        rows = tuple((_bid_word(r), _needs(r, variant), str(r.value), str(-r.value)) for r in variant.ladder)
    return [_say(text, *rules), Table(header, rows)]


def _needs(rung: BidRung, variant: Variant) -> str:
    if rung.is_misere:
        return "none"
    return f"all {rung.tricks}" if rung.tricks == variant.hand_size else f"{rung.tricks} or more"


def _countdown_blocks(variant: Variant, score: CountdownScore) -> list[Block]:
    owed = counted(score.maker_needs, "trick") if score.maker_needs else "the tricks he bid"
    blocks: list[Block] = [
        _say(
            f"Everybody starts at {variant.target} and wants to come down to zero.",
            *(("BUCK-SCORE-1",) if score.maker_needs else ("DC-SCORE-1",)),
        ),
        Table(
            ("A player who", "Change of his total"),
            (
                ("took the tricks he owed", "1 off for every trick taken"),
                (f"is the maker and took fewer than {owed}", f"{score.penalty} added, nothing off"),
                (
                    "played and took no trick"
                    if score.others_need == 1
                    else f"played and took fewer than {score.others_need}",
                    f"{score.penalty} added",
                ),
                ("dropped", "none"),
            ),
            ("BUCK-SCORE-1", "BUCK-SCORE-2", "BUCK-SCORE-3")
            if score.maker_needs
            else ("DC-SCORE-1", "BUCK-SCORE-1", "BUCK-SCORE-3"),
        ),
    ]
    return blocks


def _end_section(variant: Variant) -> Section:
    blocks: list[Block] = []
    who = "side" if variant.alliance is Alliance.FIXED and variant.seats > 2 else "player"
    if variant.counts_down:
        blocks.append(
            _say(
                "After a hand, of the players at zero or below the one with the lowest total wins. If the lowest "
                "total is shared the game goes on, with everybody in, and the test is made again after each hand.",
                "BUCK-END-1",
                "BUCK-END-2",
            )
        )
        if isinstance(variant.scoring, CountdownScore) and variant.scoring.instant_win_tricks:
            tricks = counted(variant.scoring.instant_win_tricks, "trick")
            blocks.append(
                _say(
                    f"A player who takes all {tricks} of a hand wins the game at once, maker or not, whatever the "
                    "totals.",
                    "BUCK-END-3",
                )
            )
    elif variant.win_is_qualified:
        blocks += _qualified_blocks(variant, who)
    else:
        blocks += _reach_blocks(variant, who)
    blocks += _match_blocks(variant)
    blocks.append(
        _say(
            "A game that has not ended after the event's limit of hands (200 unless it says otherwise) is won by the "
            f"{who} ahead; equal totals share the place.",
            "SRV-LIMIT-1",
        )
    )
    return _section("The end of the game", *blocks)


def _reach_blocks(variant: Variant, who: str) -> list[Block]:
    first = _say(f"The first {who} at {variant.target} or more wins; it is looked at after each hand.", "GEN-SCORE-1")
    match variant.several_at_goal:
        case ReachRule.HIGHEST:
            several = _say(
                "If several are there after the same hand the highest total wins; if that is shared, further hands "
                "are played until it is not.",
                "END-IND-1",
                "END-IND-2",
            )
        case ReachRule.BY_WIN_CONDITION:
            several = _say("If both are there after the same hand the makers of that hand win.", "CON-WIN-3")
        case _:
            return [first]
    return [first, several]


def _qualified_blocks(variant: Variant, who: str) -> list[Block]:
    makers = "the makers" if who == "side" else "the declarer"
    blocks: list[Block] = [
        _say(
            f"The goal is {variant.target}. After a hand a {who} wins if it stands at {variant.target} or more and "
            f"has earned it in that hand: as {makers[4:]} of a contract made, as "
            f"{'the defenders' if who == 'side' else 'another player'} of a contract set, or by a renege of the other "
            "side. Who is there without having earned it has not won yet; the game goes on.",
            "CON-WIN-1",
        )
    ]
    if variant.several_at_goal is ReachRule.BY_WIN_CONDITION:
        blocks.append(
            _say(
                "If both sides are there the makers win after a contract made and the defenders after a contract "
                "set; but exactly equal totals always go to the makers.",
                "CON-WIN-2",
            )
        )
    else:
        blocks.append(
            _say(
                "Of several who have won in the same hand the highest total wins; if that is shared, further hands "
                "are played until it is not.",
                "END-IND-1",
                "END-IND-2",
            )
        )
    return blocks


def _match_blocks(variant: Variant) -> list[Block]:
    blocks: list[Block] = []
    if variant.laps:
        blocks.append(
            _say(
                "In a match the winner begins the next game with his points beyond the target; the loser begins at 0 "
                "(*laps*).",
                "RR-MATCH-1",
            )
        )
    if variant.slams:
        blocks.append(_say("A game won while the other side has no point counts as two games (*slams*).", "RR-MATCH-2"))
    return blocks


def _renege_section(variant: Variant) -> Section:
    gains = f"subtracts {variant.renege_award}" if variant.counts_down else f"gains {variant.renege_award}"
    if variant.alliance is Alliance.FIXED:
        other = "the other side" if variant.seats > 2 else "the other player"
    else:
        other = (
            "every opponent still in the hand"
            if variant.alliance is Alliance.NONE
            else "every member of the other side"
        )
    blocks: list[Block] = [
        _say(
            "To play a card of another suit while holding one of the suit led is a *renege*. It is never among the "
            "options offered.",
            "REN-DEF-1",
            "REN-MODE-1",
        )
    ]
    match variant.renege:
        case "established":
            when = (
                "It is established the moment the same player plays, in this hand, a card of the suit he did not "
                "follow. Then the hand stops at once"
            )
            rules: Rules = ("REN-PROVE-1", "REN-PEN-1", "REN-PEN-2")
        case "immediate":
            when, rules = "The hand stops the moment the wrong card is played", ("REN-MODE-1", "REN-PEN-1", "REN-PEN-2")
        case _:
            blocks.append(_say("The card is refused, and nothing has happened.", "REN-MODE-1"))
            return _section("Reneging", *blocks)
    blocks.append(_say(f"{when}: its tricks score nothing, and {other} {gains}.", *rules))
    if variant.ladder:
        blocks.append(
            _say(
                "The contract is settled as well: as set if the offender is of the declarer's side, otherwise as "
                "made at exactly the bid."
                if variant.renege_settles
                else "The contract is then neither made nor set. (Rated play settles it instead: SRV-RENEGE-1.)",
                "REN-PEN-6",
            )
        )
    return _section("Reneging", *blocks)


# -- the hand as questions ---------------------------------------------------------------------------

_Row: TypeAlias = tuple[str, str, str]
"""Step; who is asked; the answers, the default first."""


def _questions_section(variant: Variant) -> Section:
    rows: list[_Row] = []
    for phase in variant.phases:
        rows += _asked(variant, phase.kind)
    return _section(
        "The hand at a glance",
        _say(
            "Each row is a question the referee puts, in this order; a row that does not arise is passed over. The "
            "answers stand in their canonical order and the first is the default, played for a seat that does not "
            "answer. *Up* means from the lowest card to the highest.",
            "SRV-ASK-1",
            "SRV-ORDER-1",
            "SRV-DEFAULT-1",
            "SRV-LOW-1",
        ),
        Table(("Step", "Asked", "Answers"), tuple(rows)),
    )


def _asked(variant: Variant, kind: PhaseKind) -> list[_Row]:
    """Return the questions of one phase."""
    size, widow, kitty = variant.hand_size, variant.widow, variant.kitty
    match kind:
        case PhaseKind.REDEAL_CLAIM:
            asked = [("redeal claim", "everybody, eldest first", "NO_CLAIM, CLAIM_REDEAL")]
            return asked if variant.has_redeals() else []
        case PhaseKind.BLIND_NAMING:
            asked = [("joker turned up", "the dealer, blind", "NAME_BLIND(S C H D)")]
            return asked if _has_jokers_up(variant) else []
        case PhaseKind.FORCED_CLUBS:
            return [("club turned up", "nobody", "clubs are trumps; on to the play")] if variant.forced_clubs else []
        case PhaseKind.UPCARD_AUCTION:
            return _auction_rows(variant)
        case PhaseKind.PICK_UP:
            return _pick_up_rows(variant)
        case PhaseKind.GOING_ALONE:
            return _alone_rows(variant)
        case PhaseKind.EXCHANGE:
            return _exchange_rows(variant)
        case PhaseKind.BID_AUCTION:
            first = "" if variant.dealer_must_bid and variant.seats == 1 else "PASS, "
            form = "bids from the lowest up" + (", by strain within a bid" if variant.strain_in_bid else "")
            turns = "round and round" if variant.until_passed else "one turn each"
            rows = [("auction", f"everybody, eldest first, {turns}", f"{first}{form}")]
            if variant.dealer_must_bid:
                rows.append(("auction", "the dealer when nobody has bid", form))
            return rows
        case PhaseKind.STRAIN_CHOICE:
            strains = " ".join(format_strain(strain) for strain in variant.strains)
            return [("strain", "the winner of the auction", f"CHOOSE({strains})")]
        case PhaseKind.WIDOW:
            asked = [("widow", "the declarer", "LEAVE_WIDOW, TAKE_WIDOW")]
            return asked if variant.widow_rule is WidowRule.MAY else [("widow", "nobody", "the declarer takes it")]
        case PhaseKind.WIDOW_DISCARD:
            how = "up" if widow == 1 else f"sets of {widow}"
            return [
                (
                    "discard",
                    "the declarer who took the widow",
                    f"DISCARD({counted(widow, 'card')} of {size + widow}), {how}",
                )
            ]
        case PhaseKind.HAND_SWAP:
            return [("hand for the widow", "the dealer's right, the dealer, the dealer's left", "KEEP_HAND, TAKE_HAND")]
        case PhaseKind.DEALER_MAKES:
            return [("making trump", "the dealer", "KEEP_UPCARD, TAKE_AND_SHOW(card of another suit), up")]
        case PhaseKind.KITTY_SWAP:
            who = "the dealer's left, right, partner, then the dealer"
            return [("kitty", who, f"NO_SWAP, SWAP_KITTY({counted(kitty, 'card')}), sets of {kitty}")]
        case PhaseKind.DROP_OUT:
            return [("dropping out", "everybody but the maker, from his left", "STAY, DROP")]
        case PhaseKind.ALLY_CALL:
            answer = (
                "CALL_SUIT(a suit but trump)"
                if variant.ally_rule is AllyRule.SUIT
                else ("CALL_CARD(a card not held), from the highest down")
            )
            return [("ally", "a maker who is not alone", answer)]
        case PhaseKind.PLAY:
            return [("every trick but the last", "everybody who plays, the leader first", "PLAY(a lawful card), up")]


def _auction_rows(variant: Variant) -> list[_Row]:
    alone = variant.alone_with_call and variant.alone_makers != "none"
    dealer_side = variant.order_up_makers == "dealer-side"
    others_alone = alone and not dealer_side
    partner_alone = alone and (not dealer_side or variant.alone_makers == "any")
    order = "PASS, ORDER_UP"
    rows: list[_Row] = []
    if not _has_partners(variant):
        rows.append(("round 1", "everybody but the dealer, eldest first", order + ", ORDER_UP_ALONE" * others_alone))
    else:
        partner = {
            "takes-it-down": "PASS, TAKE_DOWN_ALONE",
            "alone-only": "PASS, ORDER_UP_ALONE",
            "normal": order + ", ORDER_UP_ALONE" * partner_alone,
        }[variant.dealer_partner_order]
        rows.append(("round 1", "an opponent of the dealer", order + ", ORDER_UP_ALONE" * others_alone))
        rows.append(("round 1", "a partner of the dealer", partner))
    rows.append(("round 1", "the dealer", "TURN_DOWN, TAKE_UP" + ", TAKE_UP_ALONE" * alone))
    if variant.auction_rounds == 2:
        name = "NAME(another suit)" + ", NAME_ALONE(another suit)" * alone
        rows.append(("round 2", "everybody, eldest first", f"PASS, {name}"))
        if variant.stick_dealer:
            rows[-1] = ("round 2", "everybody but the dealer, eldest first", f"PASS, {name}")
            rows.append(("round 2", "the dealer", name))
    return rows


def _pick_up_rows(variant: Variant) -> list[_Row]:
    who = "the maker" if variant.trump_making == "bid-auction" else "the dealer"
    rows: list[_Row] = []
    if variant.pickup_is_optional or variant.trump_making == "bid-auction":
        when = who if variant.trump_making == "bid-auction" else "the dealer, if he was ordered up"
        rows.append(("upcard", when, "LEAVE_UPCARD, TAKE_UPCARD"))
    rows.append(("upcard", "who took it", f"DISCARD(one card of {variant.hand_size + 1}), up"))
    return rows


def _alone_rows(variant: Variant) -> list[_Row]:
    rows: list[_Row] = []
    if variant.alone_makers != "none" and not variant.alone_with_call:
        who = "the maker, then his partners" if variant.alone_makers == "any" else "the maker"
        rows.append(("alone", who, "NOT_ALONE, ALONE"))
    elif variant.alone_makers != "none" and _has_jokers_up(variant):
        rows.append(("alone", "a dealer who named trump blind", "NOT_ALONE, ALONE"))
    if variant.alone_defenders != "none" and variant.alliance is Alliance.FIXED:
        only = ", if a maker is alone" if variant.alone_defenders == "against-loner" else ""
        rows.append(("alone", f"the defenders, from the maker's left{only}", "NOT_ALONE, ALONE"))
    return rows


def _exchange_rows(variant: Variant) -> list[_Row]:
    step = "cards for the loner"
    match variant.loner_exchange:
        case "ask-one":
            return [
                (step, "the loner", "NO_ASK, ASK(partner)"),
                (step, "the partner asked", "GIVE(card), up"),
                (step, "the loner", f"DISCARD(one card of {variant.hand_size + 1}), up"),
            ]
        case "partner-offers-one":
            return [
                (step, "the loner's partner", "NO_OFFER, OFFER(card), up"),
                (step, "the loner, not seeing it", "DECLINE, ACCEPT(discard), up"),
            ]
        case "call-best":
            return [(step, "the loner", "NO_CALL, CALL_BEST(discard), up"), (step, "his partner", "GIVE(card), up")]
        case "fixed-by-bid":
            return [
                (step, "the loner", "DISCARD(as many as the bid says), by set"),
                (step, "his partner", "GIVE(as many), by set"),
            ]
        case "up-to-2" | "up-to-3":
            most = number_word(int(variant.loner_exchange[-1]))
            return [
                (step, "the loner", f"NO_SWAP, SWAP(one to {most} cards), by set"),
                (step, "his partner", "GIVE(as many), by set"),
            ]
        case _:
            return []


# -- options and what a bot needs --------------------------------------------------------------------


def allowed_text(spec: OptionSpec) -> str:
    """Return what an option may be, in words."""
    if not spec.is_number:
        return ", ".join(str(value) for value in spec.allowed)
    if spec.maximum is None:
        return f"a number, at least {spec.minimum}"
    return f"a number, {spec.minimum} to {spec.maximum}"


def _options_section(variant: Variant) -> Section:
    rows = []
    for name in sorted(variant.options):
        spec, value = variant.specs[name], variant.options[name]
        shown = str(value) if value == spec.default else f"{value} (default {spec.default})"
        rows.append((name, shown, allowed_text(spec), OPTION_RULES[name]))
    return _section(
        "The options",
        _say(f"Write a variant with other values as `{variant.preset}(option=value, option=value)`."),
        Table(("Option", "Here", "May be", "Rules"), tuple(rows)),
    )


def _bots_section(variant: Variant) -> Section:
    least, most = variant.questions
    blocks: list[Block] = [
        _say(
            f"With default options one hand puts {least} to {most} questions to all seats together."
            if least != most
            else f"With default options one hand puts {least} questions to all seats together.",
            "SRV-ASK-1",
        )
    ]
    suits = ", ".join(variant.relabelings)
    blocks.append(
        _say(
            f"Renaming the suits of a whole deck leaves the game the same if S C H D become one of: {suits}."
            if len(variant.relabelings) < 24
            else "Renaming the suits of a whole deck in any way leaves the game the same.",
            "SRV-RELABEL-1",
        )
    )
    return _section("For bots", *blocks)


def example_bids(variant: Variant) -> list[str]:
    """Return every bid of the ladder in notation, low to high, by strain."""
    return [format_action(act) for rung in variant.ladder for act in bid_actions(variant, rung)]
