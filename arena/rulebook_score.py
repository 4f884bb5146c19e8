"""The sections on the play, the score, the end of the game and the renege (RULES.md 3.7 to 3.9, 3.11, 3.12)."""

from __future__ import annotations

from collections.abc import Sequence

from arena.rulebook_page import (
    Block,
    Paragraph,
    Rules,
    Section,
    Table,
    bid_word,
    counted,
    has_partners,
    maker_word,
    number_word,
    say,
    section,
    sentence,
    somebody_may_be_alone,
)
from referee.rules.cards import NT
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
    ReachRule,
    Variant,
)


def play_section(variant: Variant) -> Section:
    """Return who leads and how tricks are played."""
    tricks = number_word(variant.hand_size)
    blocks: list[Block] = [_lead(variant)]
    trumps = any(strain < NT for strain in variant.strains)
    wins = (
        "the highest trump, or without a trump the highest card of the suit led, wins it"
        if trumps
        else ("the highest card of the suit led wins it")
    )
    blocks.append(
        say(
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
        say(
            f"There are {tricks} tricks; all are played, even when the result is settled. The last card of every hand "
            "is played without a question.",
            "PLAY-5",
            "SRV-ASK-2",
        )
    )
    return section("The play", *blocks)


def _lead(variant: Variant) -> Paragraph:
    if variant.declarer_leads:
        who = maker_word(variant) if not variant.counts_down else "the maker"
        if variant.all_pass is AllPass.NO_TRUMP:
            return say(f"{sentence(who)} leads to the first trick; without a maker, eldest.", "LEAD-4", "DC-LEAD-1")
        return say(f"{sentence(who)} leads to the first trick.", "LEAD-4")
    sentences = ["Eldest leads to the first trick; if he does not play, the next player clockwise who does."]
    rules = ["LEAD-1"]
    loner = "the maker's left, for the maker is a loner," if variant.makers_are_loners else "the loner's left"
    match variant.loner_lead:
        case "left-of-loner" if variant.makers_are_loners:
            sentences = ["The player on the maker's left leads to the first trick."]
            rules = ["LEAD-2", "CUT-LEAD-1"]
        case "left-of-loner" if somebody_may_be_alone(variant):
            sentences.append(f"Against a loner the player on {loner} leads instead.")
            rules.append("LEAD-2")
        case "left-of-loner-if-ordered" if somebody_may_be_alone(variant):
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
    return say(" ".join(sentences), *rules)


# -- scoring and the end -----------------------------------------------------------------------------


def scoring_section(variant: Variant) -> Section:
    """Return what a hand is worth."""
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
    return section("The score of a hand", *blocks)


def _five_trick_blocks(variant: Variant, score: FiveTrickScore) -> list[Block]:
    each = score.paid_to == "each-seat"
    makers = (
        "the makers"
        if has_partners(variant)
        else ("each of the maker's side" if each and variant.ally_rule is not AllyRule.NONE else "the maker")
    )
    others = "the defenders" if has_partners(variant) else ("each opponent" if each else "the opponent")
    rows = [("three or four", makers, str(score.three_or_four))]
    if score.lone_march is None:
        rows.append(("all five", makers, str(score.march)))
    else:
        loner = "the makers" if has_partners(variant) else "the maker"
        rows.append(("all five", makers, str(score.march)))
        rows.append(
            (
                "all five, a maker alone" if has_partners(variant) else "all five, called alone",
                loner,
                str(score.lone_march),
            )
        )
    if score.makers_none == score.euchre:
        rows.append(("fewer than three", others, str(score.euchre)))
    else:
        rows += [("one or two", others, str(score.euchre)), ("none", others, str(score.makers_none))]
    if score.lone_euchre is not None and score.lone_euchre != score.euchre and variant.alone_defenders != "none":
        rows.append(("fewer than three, a defender alone", others, str(score.lone_euchre)))
    side = "the makers" if has_partners(variant) or variant.ally_rule is not AllyRule.NONE else "the maker"
    blocks: list[Block] = [
        Table((f"Tricks of {side}", "Who scores", "Points"), tuple(rows), ("S5-1", "S5-2", "S5-3", "S5-4"))
    ]
    if variant.ally_rule is not AllyRule.NONE:
        blocks.append(
            say(
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
        say(
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
                (f"{bid_word(rung)}, {counted(cards, 'card')} received", f"{value}", f"-{value}")
                for cards, value in enumerate(score.value_by_cards_received)
                if cards <= _most_received(variant)
            ]
        elif rung.value:
            rows.append((bid_word(rung), str(rung.value), str(-rung.value)))
    return [
        say(
            f"A contract is *made* if {declarer} took the tricks undertaken, and *set* otherwise. {sentence(others)} "
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
        rows = tuple((bid_word(r), _needs(r, variant), str(r.value), str(r.value)) for r in variant.ladder)
    else:
        text = (
            "If the declarer fulfils his bid he gains its value; otherwise he loses it. Further tricks add nothing "
            "and the others score nothing."
        )
        rules = ("NAP-SCORE-1",)
        header = ("Bid", "Tricks needed", "Made", "Set")
        rows = tuple((bid_word(r), _needs(r, variant), str(r.value), str(-r.value)) for r in variant.ladder)
    return [say(text, *rules), Table(header, rows)]


def _needs(rung: BidRung, variant: Variant) -> str:
    if rung.is_misere:
        return "none"
    return f"all {rung.tricks}" if rung.tricks == variant.hand_size else f"{rung.tricks} or more"


def _countdown_blocks(variant: Variant, score: CountdownScore) -> list[Block]:
    owed = counted(score.maker_needs, "trick") if score.maker_needs else "the tricks he bid"
    blocks: list[Block] = [
        say(
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


def end_section(variant: Variant) -> Section:
    """Return how the game is won."""
    blocks: list[Block] = []
    who = "side" if variant.alliance is Alliance.FIXED and variant.seats > 2 else "player"
    if variant.counts_down:
        blocks.append(
            say(
                "After a hand, of the players at zero or below the one with the lowest total wins. If the lowest "
                "total is shared the game goes on, with everybody in, and the test is made again after each hand.",
                "BUCK-END-1",
                "BUCK-END-2",
            )
        )
        if isinstance(variant.scoring, CountdownScore) and variant.scoring.instant_win_tricks:
            tricks = counted(variant.scoring.instant_win_tricks, "trick")
            blocks.append(
                say(
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
        say(
            "A game that has not ended after the event's limit of hands (200 unless it says otherwise) is won by the "
            f"{who} ahead; equal totals share the place.",
            "SRV-LIMIT-1",
        )
    )
    return section("The end of the game", *blocks)


def _reach_blocks(variant: Variant, who: str) -> list[Block]:
    first = say(f"The first {who} at {variant.target} or more wins; it is looked at after each hand.", "GEN-SCORE-1")
    match variant.several_at_goal:
        case ReachRule.HIGHEST:
            several = say(
                "If several are there after the same hand the highest total wins; if that is shared, further hands "
                "are played until it is not.",
                "END-IND-1",
                "END-IND-2",
            )
        case ReachRule.BY_WIN_CONDITION:
            several = say("If both are there after the same hand the makers of that hand win.", "CON-WIN-3")
        case _:
            return [first]
    return [first, several]


def _qualified_blocks(variant: Variant, who: str) -> list[Block]:
    makers = "the makers" if who == "side" else "the declarer"
    blocks: list[Block] = [
        say(
            f"The goal is {variant.target}. After a hand a {who} wins if it stands at {variant.target} or more and "
            f"has earned it in that hand: as {makers[4:]} of a contract made, as "
            f"{'the defenders' if who == 'side' else 'another player'} of a contract set, or by a renege of the other "
            "side. Who is there without having earned it has not won yet; the game goes on.",
            "CON-WIN-1",
        )
    ]
    if variant.several_at_goal is ReachRule.BY_WIN_CONDITION:
        blocks.append(
            say(
                "If both sides are there the makers win after a contract made and the defenders after a contract "
                "set; but exactly equal totals always go to the makers.",
                "CON-WIN-2",
            )
        )
    else:
        blocks.append(
            say(
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
            say(
                "In a match the winner begins the next game with his points beyond the target; the loser begins at 0 "
                "(*laps*).",
                "RR-MATCH-1",
            )
        )
    if variant.slams:
        blocks.append(say("A game won while the other side has no point counts as two games (*slams*).", "RR-MATCH-2"))
    return blocks


def renege_section(variant: Variant) -> Section:
    """Return what failing to follow suit costs."""
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
        say(
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
            blocks.append(say("The card is refused, and nothing has happened.", "REN-MODE-1"))
            return section("Reneging", *blocks)
    blocks.append(say(f"{when}: its tricks score nothing, and {other} {gains}.", *rules))
    if variant.ladder:
        blocks.append(
            say(
                "The contract is settled as well: as set if the offender is of the declarer's side, otherwise as "
                "made at exactly the bid."
                if variant.renege_settles
                else "The contract is then neither made nor set. (Rated play settles it instead: SRV-RENEGE-1.)",
                "REN-PEN-6",
            )
        )
    return section("Reneging", *blocks)
