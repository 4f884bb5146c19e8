"""The sections that are tables: the hand as questions, the options, what a bot may want (RULES.md 3.14, part 5)."""

from __future__ import annotations

from typing import TypeAlias

from arena.rulebook_page import Block, Section, Table, counted, has_jokers_up, has_partners, number_word, say, section
from referee.rules.cards import format_strain
from referee.rules.notation import format_action
from referee.rules.phases.base import PhaseKind
from referee.rules.phases.bidding import bid_actions
from referee.rules.presets import OPTION_RULES
from referee.rules.variant import Alliance, AllyRule, OptionSpec, Variant, WidowRule

_Row: TypeAlias = tuple[str, str, str]
"""Step; who is asked; the answers, the default first."""


def questions_section(variant: Variant) -> Section:
    """Return the hand as the questions the referee puts, in order."""
    rows: list[_Row] = []
    for phase in variant.phases:
        rows += _asked(variant, phase.kind)
    return section(
        "The hand at a glance",
        say(
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
            return asked if has_jokers_up(variant) else []
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
    if not has_partners(variant):
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
    elif variant.alone_makers != "none" and has_jokers_up(variant):
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
    return f"a number, {spec.minimum} to {spec.highest}"


def options_section(variant: Variant) -> Section:
    """Return every option with its value here, what it may be, and its rules."""
    rows = []
    for name in sorted(variant.options):
        spec, value = variant.specs[name], variant.options[name]
        shown = str(value) if value == spec.default else f"{value} (default {spec.default})"
        rows.append((name, shown, allowed_text(spec), OPTION_RULES[name]))
    return section(
        "The options",
        say(f"Write a variant with other values as `{variant.preset}(option=value, option=value)`."),
        Table(("Option", "Here", "May be", "Rules"), tuple(rows)),
    )


def bots_section(variant: Variant) -> Section:
    """Return what only programs want to know."""
    least, most = variant.questions
    blocks: list[Block] = [
        say(
            f"With default options one hand puts {least} to {most} questions to all seats together."
            if least != most
            else f"With default options one hand puts {least} questions to all seats together.",
            "SRV-ASK-1",
        )
    ]
    suits = ", ".join(variant.relabelings)
    blocks.append(
        say(
            f"Renaming the suits of a whole deck leaves the game the same if S C H D become one of: {suits}."
            if len(variant.relabelings) < 24
            else "Renaming the suits of a whole deck in any way leaves the game the same.",
            "SRV-RELABEL-1",
        )
    )
    return section("For bots", *blocks)


def example_bids(variant: Variant) -> list[str]:
    """Return every bid of the ladder in notation, low to high, by strain."""
    return [format_action(act) for rung in variant.ladder for act in bid_actions(variant, rung)]
