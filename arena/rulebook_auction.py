"""The sections between the deal and the first lead, one for each phase of a variant (RULES.md 3.4 to 3.6, 3.10)."""

from __future__ import annotations

from arena.rulebook_page import (
    Block,
    Paragraph,
    Rules,
    Section,
    Table,
    and_list,
    bid_word,
    counted,
    has_jokers_up,
    has_partners,
    number_word,
    say,
    section,
    sentence,
)
from referee.rules.cards import format_strain
from referee.rules.phases.base import PhaseKind
from referee.rules.variant import Alliance, AllPass, AllyRule, BidRung, CountdownScore, JokerUpcard, Variant, WidowRule


def hand_sections(variant: Variant) -> list[Section]:
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


def _blind_naming(variant: Variant) -> Section | None:
    if not has_jokers_up(variant):
        return None
    if variant.joker_upcard is JokerUpcard.DEALER_MAKES:
        also = (
            " He is then asked once whether he plays alone."
            if variant.alone_with_call and variant.alone_makers != "none"
            else ""
        )
        whatever = ", although he need not take an upcard he is ordered to" if variant.pickup_is_optional else ""
        side = " and his side the makers" if variant.alliance is Alliance.FIXED and variant.seats > 2 else ""
        return section(
            "A joker turned up",
            say(
                f"If the upcard is a joker there is no auction. The dealer is the maker{side}: without having looked "
                "at his hand he names any of the four suits as trump. Then he takes the joker into his hand and "
                f"discards one of his {number_word(variant.hand_size + 1)} cards face down{whatever}.{also}",
                "UPA-BEN-1",
                *(["ALONE-TIME-2"] if also else []),
            ),
        )
    return section(
        "A joker turned up",
        say(
            "If the upcard is a joker the dealer, without having looked at his hand, names any of the four suits, "
            "and the joker counts as the upcard of that suit.",
            "ALM-TRUMP-2",
        ),
        say(
            "Then round 1 of the auction runs as usual among the others. If they all pass, the dealer takes up, and "
            "is the maker; he is not asked, and there is no round 2.",
            "ALM-TRUMP-3",
        ),
    )


def _forced_clubs(variant: Variant) -> Section | None:
    if not variant.forced_clubs:
        return None
    need = variant.scoring.others_need if isinstance(variant.scoring, CountdownScore) else 0
    return section(
        "A club turned up",
        say(
            "If the upcard is a club, clubs are trumps without an auction. There is no maker, nobody takes the "
            f"upcard, nobody may drop out, and everybody must take at least {counted(need, 'trick')}.",
            *(("BUCK-TRUMP-1", "DC-TRUMP-1") if variant.trump_making == "bid-auction" else ("BUCK-TRUMP-1",)),
        ),
    )


def _dealers_partner(variant: Variant) -> str:
    return "the dealer's partner" if variant.seats == 4 else "each of the dealer's partners"


def _upcard_auction(variant: Variant) -> Section:
    partner = _dealers_partner(variant)
    rounds = "in two rounds" if variant.auction_rounds == 2 else "in one round"
    text = (
        f"Trump is made {rounds}, eldest speaking first and the dealer last. In round 1 each player passes or *orders "
        "up* the upcard's suit as trump; the dealer, if the word comes to him, *takes up* or *turns down*. The first "
        "acceptance ends the auction."
    )
    blocks: list[Block] = [say(text, "UPA-R1-1", "UPA-R1-3")]
    if has_partners(variant):
        match variant.dealer_partner_order:
            case "takes-it-down":
                blocks.append(
                    say(
                        f"{sentence(partner)} may not order up. He may only pass or *take it down*: then he is "
                        "himself the maker, takes the upcard into his own hand, discards one card, and plays alone.",
                        "UPA-R1-2",
                        "UPA-PICK-3",
                    )
                )
            case "alone-only":
                blocks.append(say(f"{sentence(partner)} may order up only to play alone.", "UPA-R1-2"))
            case _:
                blocks.append(say(f"{sentence(partner)} may order up like anybody.", "UPA-R1-2"))
    if variant.dealer_needs_natural:
        but = " (a joker turned up he takes in any case)" if has_jokers_up(variant) else ""
        blocks.append(
            say(
                "The dealer may take up of his own will only if he holds a card whose printed suit is the upcard's; "
                f"the jack that would become the left bower does not count{but}. A card he is ordered to take he "
                "takes.",
                "UPA-NAT-1",
            )
        )
    if variant.auction_rounds == 2:
        blocks.append(
            say(
                "If the dealer turns the card down, round 2 begins with eldest: each player passes or *names* a suit "
                "other than the one turned down. The first name ends the auction.",
                "UPA-R2-1",
            )
        )
    if variant.auction_rounds == 2 and variant.stick_dealer:
        blocks.append(say("If all others have passed in round 2 the dealer must name a suit.", "UPA-R2-2"))
    else:
        blocks.append(_all_pass(variant, "round 2" if variant.auction_rounds == 2 else "the only round"))
    blocks.append(_who_is_maker(variant))
    if variant.alone_with_call and variant.alone_makers != "none":
        blocks.append(_alone_in_the_call(variant))
    return section("The auction", *blocks)


def _all_pass(variant: Variant, when: str = "") -> Paragraph:
    in_it = f" in {when}" if when else ""
    match variant.all_pass:
        case AllPass.THROWN_IN:
            return say(
                f"If everybody passes{in_it} the hand is thrown in: nothing is scored and the next player deals.",
                *(("GEN-DEALER-3", "UPA-R2-2") if when else ("GEN-DEALER-3",)),
            )
        case AllPass.NO_TRUMP:
            return say(
                f"If everybody passes{in_it} the hand is played without trumps (NT). There is no maker, nobody may "
                "drop out, and everybody must take at least one trick.",
                *(("BUCK-TRUMP-3",) if when else ("DC-AUC-2", "BUCK-TRUMP-3")),
            )
        case AllPass.JOKER_HOLDER:
            return say(
                f"If everybody passes{in_it} the holder of the joker shows it and is the declarer with a bid of "
                "three, whatever the lowest bid is; nobody is asked. If the joker lies in the widow the hand is "
                "thrown in.",
                "HAS-AUC-2",
                "HAS-AUC-3",
            )


def _who_is_maker(variant: Variant) -> Paragraph:
    side = " and his side are the *makers*, the others the *defenders*" if has_partners(variant) else ""
    if variant.order_up_makers == "dealer-side":
        exception = (
            ""
            if variant.dealer_partner_order != "takes-it-down"
            else (", unless his partner took it down: then that partner is")
        )
        return say(
            f"Whoever accepts the upcard in round 1, the dealer is the maker{exception}; in round 2 the player who "
            f"named the suit is the *maker*{side}.",
            "UPA-MAKE-2",
            "UPA-MAKE-1",
        )
    return say(f"The player who ordered, took up or named is the *maker*{side}.", "UPA-MAKE-1")


def _alone_in_the_call(variant: Variant) -> Paragraph:
    if variant.order_up_makers == "dealer-side" and variant.alone_makers == "caller":
        but = ", apart from that of the dealer's partner," if variant.dealer_partner_order == "alone-only" else ""
        who = f"Only a call that makes the caller himself the maker{but} can be made alone"
    elif variant.order_up_makers == "dealer-side":
        who = "A call by a player of the makers' side can be made alone"
    else:
        who = "Any of these calls can be made *alone*"
    return say(f"{who}; it is said in the call itself and at no other time.", "ALONE-TIME-2", "ALONE-WHO-1")


def _partner_may_order_alone(variant: Variant) -> bool:
    if not has_partners(variant) or not any(phase.kind is PhaseKind.UPCARD_AUCTION for phase in variant.phases):
        return False
    if variant.dealer_partner_order == "alone-only":
        return True
    return variant.dealer_partner_order == "normal" and variant.alone_with_call and variant.alone_makers != "none"


def _pick_up(variant: Variant) -> Section:
    six = number_word(variant.hand_size + 1)
    if variant.trump_making == "bid-auction":
        return section(
            "The upcard",
            say(f"The maker may now take the upcard, and then discards one of his {six} cards face down.", "DC-PICK-1"),
        )
    if variant.pickup_is_optional:
        first = say(
            "If the dealer was ordered up he may take the upcard or leave it; trump is its suit either way. If he "
            f"took up himself he takes it. Having taken it he discards one of his {six} cards face down; it may be "
            "the upcard.",
            "UPA-PICK-1",
            "UPA-PICK-2",
        )
    else:
        first = say(
            f"When the upcard's suit has been accepted the dealer takes the upcard and discards one of his {six} "
            "cards face down; it may be the upcard.",
            "UPA-PICK-1",
        )
    blocks: list[Block] = [first]
    if _partner_may_order_alone(variant):
        blocks.append(
            say("If the dealer's partner ordered up alone, nobody takes the upcard and nobody discards.", "UPA-PICK-4")
        )
    if variant.auction_rounds == 2:
        blocks.append(say("Nobody takes the upcard after a name in round 2.", "UPA-PICK-5"))
    return section("The upcard", *blocks)


def _going_alone(variant: Variant) -> Section | None:
    makers = None if variant.alone_with_call else _makers_alone(variant)
    defenders = _defenders_alone(variant)
    blocks: list[Block] = [block for block in (makers, defenders) if block is not None]
    takes_down = variant.dealer_partner_order == "takes-it-down" and any(
        phase.kind is PhaseKind.UPCARD_AUCTION for phase in variant.phases
    )
    if not blocks and not takes_down and variant.alone_makers == "none":
        return section("Playing alone", say("Nobody plays alone.", "ALONE-WHO-1"))
    if takes_down and makers is not None and has_partners(variant):
        blocks.append(say("After a card was taken down the makers are not asked.", "ALONE-POLL-1"))
    if not blocks:
        if variant.alliance is Alliance.FIXED:
            blocks.append(say("The defenders may not play alone.", "ALONE-WHO-1"))
        else:
            blocks.append(say("A maker who called alone calls no ally and plays against all.", "CALL-ALONE-1"))
    if variant.alliance is Alliance.FIXED:
        out = "A loner's partner lays" if variant.seats == 4 else "A loner's partners lay"
        cards = "his cards face down and sits" if variant.seats == 4 else "their cards face down and sit"
        both = " With a loner on each side only those two play." if defenders is not None else ""
        blocks.append(say(f"{out} {cards} out.{both}", "ALONE-OUT-1", *(["ALONE-BOTH-1"] if both else [])))
    return section("Playing alone", *blocks)


def _makers_alone(variant: Variant) -> Paragraph | None:
    if variant.alone_makers == "none":
        return None
    if variant.alone_makers == "caller":
        return say("Before the first lead the maker is asked whether he plays alone.", "ALONE-TIME-1", "ALONE-WHO-1")
    partners = "his partner" if variant.seats == 4 else "his partners clockwise"
    return say(
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
    return say(
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
                [f"{counted(rung.receives, 'card')} with {bid_word(rung)}" for rung in variant.ladder if rung.receives]
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
    return section("Cards for the loner", say(text + tail, *rules))


def _both_may_be_alone(variant: Variant) -> bool:
    return variant.alone_defenders != "none" and variant.alliance is Alliance.FIXED and not variant.ladder


def _bid_auction(variant: Variant) -> Section:
    blocks: list[Block] = [_turns(variant), _ladder_text(variant), _ladder_table(variant)]
    for rung in variant.ladder:
        if rung.only_over is not None:
            over = repr(rung.only_over)
            blocks.append(say(f"{bid_word(rung)} may be bid only over {over}.", "NAP-AUC-2"))
    if variant.dealer_outbids_alone:
        blocks.append(
            say("The dealer, and only he, may bid ALONE over another's ALONE; his then stands.", "BU40-AUC-2")
        )
    if variant.dealer_must_bid:
        blocks.append(say("If nobody has bid when the dealer first speaks he must bid.", "BIDA-FORCE-1"))
    else:
        blocks.append(_all_pass(variant))
    won = "The winner is the *maker*" if variant.counts_down else "The winner is the *declarer*"
    if variant.alliance is Alliance.FIXED and variant.seats > 2:
        won += " and his side are the *makers*"
    if variant.strain_by_lead:
        won += ". There is no trump until he leads: the suit of his first card is trump from then on"
    blocks.append(say(f"{won}.", "BIDA-WON-1", *(["NAP-TRUMP-1"] if variant.strain_by_lead else [])))
    if any(rung.is_misere for rung in variant.ladder):
        blocks.append(say("MISERE is played without trumps (NT).", "NAP-TRUMP-1"))
    lone = [rung for rung in variant.ladder if rung.alone]
    if lone and variant.alliance is Alliance.FIXED:
        partners = "partner lays his cards" if variant.seats == 4 else "partners lay their cards"
        sits = "sits" if variant.seats == 4 else "sit"
        blocks.append(
            say(f"A declarer whose bid is alone plays without help: his {partners} down and {sits} out.", "ALONE-OUT-1")
        )
    return section("The auction", *blocks)


def _turns(variant: Variant) -> Paragraph:
    if variant.until_passed:
        others = number_word(variant.seats - 1)
        passes = "the other player has passed" if variant.seats == 2 else f"{others} players have passed in succession"
        return say(
            f"Eldest speaks first. The turn goes round until {passes} after a bid; a player who passed may bid when "
            "his turn comes again.",
            "BIDA-TURN-1",
            "BIDA-END-2",
        )
    return say("Each player speaks once, eldest first and the dealer last.", "BIDA-TURN-1", "BIDA-END-1")


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
    return say(f"{text} The auction is over as soon as nobody can outbid.", *rules, "BIDA-END-3")


def _ladder_table(variant: Variant) -> Table:
    rows = []
    strains_differ = len({rung.strains for rung in variant.ladder}) > 1
    for rung in variant.ladder:
        row = [bid_word(rung), _undertaking(variant, rung)]
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
    return section("The strain", say(f"The {who} chooses what the hand is played in: {strains}.", rule))


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
    without = [bid_word(rung) for rung in variant.ladder if not rung.takes_widow]
    if without:
        text += f" With {and_list(without, 'or')} he does without."
    return section("The widow", say(text, *rules))


def _widow_discard(variant: Variant) -> Section:
    total = number_word(variant.hand_size + variant.widow)
    return section(
        "The discard",
        say(
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
    return section(
        "The widow",
        say(
            "First the dealer's right, then the dealer, then the dealer's left may, having seen his hand, lay all of "
            "it down and take the widow unseen in its place. The first who does ends this; the others are not asked.",
            "DC3-WID-1",
        ),
    )


def _dealer_makes(variant: Variant) -> Section:
    return section(
        "Making trump",
        say("There is no auction. The dealer is the maker and his side the makers, always.", "DM-TRUMP-1"),
        say(
            "Having seen his hand he either keeps the upcard's suit as trump, and the upcard leaves the game; or he "
            "takes the upcard into his hand and discards, face up, a card of another suit, whose printed suit is "
            "trump.",
            "DM-TRUMP-2",
            "DM-TRUMP-3",
        ),
    )


def _kitty_swap(variant: Variant) -> Section:
    size = number_word(variant.kitty)
    return section(
        "The kitty",
        say(
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
    blocks: list[Block] = [say(text, "BUCK-DROP-1")]
    if variant.drop_floor >= 0:
        points = f"{variant.drop_floor} point{'' if variant.drop_floor == 1 else 's'}"
        blocks.append(say(f"A player with {points} or fewer may not drop, and is not asked.", "DC3-DROP-1"))
    blocks.append(say("If all others drop the maker plays his cards unopposed and takes every trick.", "BUCK-DROP-2"))
    return section("Dropping out", *blocks)


def _ally_call(variant: Variant) -> Section:
    if variant.ally_rule is AllyRule.SUIT:
        return section(
            "The ally",
            say("A maker who does not play alone calls a suit other than trump.", "CALL-ALLY-1"),
            say(
                "Who holds the highest card of that suit among the hands in play is his ally; the kitty, an upcard "
                "left lying and discards do not count, and the left bower is no card of its printed suit.",
                "CALL-ALLY-2",
            ),
            say(
                "If the maker holds that card himself, or nobody holds a card of the suit, he has no ally and plays "
                "against all.",
                "CALL-ALLY-3",
            ),
        )
    return section(
        "The ally",
        say(
            "A declarer who does not play alone calls any one card that is not in his hand. Its holder is his ally, "
            "silently.",
            "AUC-ALLY-1",
        ),
        say("If the card is idle or among his own discards he has no ally.", "AUC-ALLY-2"),
    )
