"""The bid games (docs/rules.md 4.14 to 4.20, 4.25, 4.26): what no worked example states."""

from __future__ import annotations

import random

import pytest

from referee.rules import (
    NOBODY,
    Alliance,
    BidName,
    Game,
    Hand,
    HandEnd,
    HandResult,
    Kind,
    PhaseKind,
    Variant,
    action,
    build,
    format_cards,
    view,
)
from referee.rules.cards import SUITS
from tests.rules.table import (
    asked_in,
    cards,
    deal,
    default_until,
    makers,
    may,
    may_in_order,
    random_hands,
    result,
    say,
    strain,
)
from tests.strategies import random_answer

DOUBLE_DECK = ["bid-canadian-32", "bid-us-32", "bid-us-48", "bid-us-48-widow", "bid-us-40"]
LATER = ["bid-later-24", "bid-later-6p", "bid-later-8p"]
PEPPER = ["pepper", "pepper-2p", "pepper-3p"]
THREE_HANDS = ["hoosier-3p", "cutthroat-bid-3p"]
CONTRACTS = ["bid-euchre", *DOUBLE_DECK, "hoosier", *THREE_HANDS, *LATER, *PEPPER, "hasenpfeffer"]


def bid_and_play(hand: Hand, rng: random.Random, *, highest: int | None = None) -> HandResult:
    """Play at random; with *highest* only numbers up to it are bid, so that contracts are made as well as set."""
    while hand.result is None:
        options = hand.options() if hand.phase.kind is PhaseKind.BID_AUCTION and highest is not None else []
        low = [act for act in options if act.bid is None or 0 < act.bid.number <= (highest or 0)]
        hand.apply(rng.choice(low) if low else random_answer(hand.question(), rng))
    return hand.result


def win_auction(hand: Hand, word: str) -> Hand:
    """Let the seat asked bid *word* and all others pass."""
    say(hand, f"{hand.actor} {word}")
    while hand.result is None and hand.phase.kind is PhaseKind.BID_AUCTION:
        hand.apply(action(Kind.PASS))
    return hand


# -- seats, auction, lead -----------------------------------------------------------------------------


def test_seats_and_sides_of_the_bid_games() -> None:
    """BID-SEAT-1, HAS-SEAT-1, HOO3-SEAT-1, NAP-SEAT-1, PEP3-DECK-1, LATER-DECK-1."""
    for name in ("bid-euchre", "hasenpfeffer", "pepper", *DOUBLE_DECK, "hoosier", "bid-later-24"):
        assert build(name).sides == ((0, 2), (1, 3))
    for name in (*THREE_HANDS, "pepper-3p"):
        assert (build(name).sides, build(name).alliance) == (((0,), (1,), (2,)), Alliance.NONE)
    assert build("napoleon").alliance is Alliance.MAKER_AGAINST_ALL
    assert build("napoleon").sides == ((0,), (1,), (2,), (3,))
    assert [len(build(name).sides[0]) for name in LATER] == [2, 3, 4]
    assert build("pepper-2p").sides == ((0,), (1,))


@pytest.mark.parametrize("name", ["bid-euchre", *LATER, *PEPPER, "hasenpfeffer", "napoleon"])
def test_nobody_plays_alone(name: str) -> None:
    """BID-ALONE-1, LATER-LEAD-1, PEP-LEAD-1, HAS-LEAD-1: no bid, no question, and everybody plays."""
    variant = build(name)
    assert not any(rung.alone for rung in variant.ladder)
    assert PhaseKind.GOING_ALONE not in {phase.kind for phase in variant.phases}
    for hand, rng in random_hands(variant, "together", 5):
        if bid_and_play(hand, rng).end is HandEnd.PLAYED:
            assert hand.active == tuple(range(variant.seats))
            assert next(seat for seat, act, _, _ in hand.events if act.kind is Kind.PLAY) == hand.maker


def test_bid_euchre_offers_one_to_six_tricks_in_five_strains() -> None:
    """BID-AUC-1: one turn each."""
    hand = deal("bid-euchre")
    strains = ("S", "C", "H", "D", "NT")
    assert may_in_order(hand) == ["PASS"] + [f"BID({n}, {s})" for n in range(1, 7) for s in strains]
    assert asked_in(hand, PhaseKind.BID_AUCTION) == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("name", "most"), [("bid-us-48-widow", 11), ("bid-us-40", 10), ("bid-us-48", 12), ("hoosier", 10)]
)
def test_alone_is_above_every_number_in_any_strain(name: str, most: int) -> None:
    """BU48W-AUC-1, BU40-AUC-1, BU48-AUC-1, HOO-AUC-1: all tricks."""
    hand = say(deal(name), f"1 BID({most}, S)")
    assert may_in_order(hand) == ["PASS"] + [f"ALONE({s})" for s in ("S", "C", "H", "D", "NT")]
    (rung,) = [rung for rung in hand.variant.ladder if rung.bid.name is BidName.ALONE]
    assert (rung.tricks, rung.alone) == (most, True)
    say(hand, "2 ALONE(NT)")
    default_until(hand, PhaseKind.PLAY)
    assert hand.out == (0,)


def test_options_of_the_bid_auction() -> None:
    """BID-AUC-2: dealer_must_bid, bid_rounds and no_trump_kinds, for all five double-deck games too."""
    for name in ("bid-euchre", *DOUBLE_DECK):
        options = build(name).options
        assert (options["dealer_must_bid"], options["bid_rounds"], options["no_trump_kinds"]) == (
            "off",
            "single",
            "high",
        )
        hand = say(deal(f"{name}(dealer_must_bid=on)"), "1, 2, 3 PASS")
        assert "PASS" not in may(hand)
        hand = say(deal(f"{name}(bid_rounds=until-passed)"), "1, 2 PASS")
        hand.apply(next(act for act in hand.options() if act.kind is Kind.BID))
        say(hand, "0 PASS")
        assert hand.actor == 1
        low = next(rung for rung in build(name, {"no_trump_kinds": "high-low"}).ladder if 5 in rung.strains)
        assert low.bid.number == (5 if name == "bid-us-32" else 1)


# -- points -------------------------------------------------------------------------------------------


def expected_points(hand: Hand) -> list[int]:
    """Return the points of a played contract by the sentences of 3.11 and part 4."""
    variant, said = hand.variant, hand.contract.bid
    taken = [sum(result(hand).tricks[seat] for seat in seats) for seats in variant.sides]
    declarer = variant.side_of[hand.maker]
    expected = taken[:]  # every other side: 1 a trick
    if said.name is not BidName.NUMBER:
        tricks, value = NAMED[variant.preset][said.name]
        if variant.preset == "bid-us-40":
            value = {0: 20, 1: 20, 2: 15}[hand.cards_received]
        expected[declarer] = value if taken[declarer] >= tricks else -value
    elif taken[declarer] < said.number:
        expected[declarer] = -{"pepper": 6, "pepper-2p": 8, "pepper-3p": 8}.get(variant.preset, said.number)
    elif said.number == {"hoosier": 10, "hoosier-3p": 10, "cutthroat-bid-3p": 7}.get(variant.preset):
        expected[declarer] = 16
    return expected


NAMED: dict[str, dict[BidName, tuple[int, int]]] = {
    "bid-canadian-32": {BidName.ALONE2: (8, 12), BidName.ALONE1: (8, 18), BidName.MOON: (8, 24)},
    "bid-us-32": {BidName.SEVEN_ALONE: (7, 14), BidName.EIGHT_ALONE: (8, 16)},
    "bid-us-48": {BidName.ALONE: (12, 24)},
    "bid-us-48-widow": {BidName.ALONE: (11, 22)},
    "bid-us-40": {BidName.ALONE: (10, 20)},
    "hoosier": {BidName.ALONE: (10, 32)},
    "hoosier-3p": {BidName.ALONE: (10, 32)},
    "cutthroat-bid-3p": {BidName.ALONE: (7, 32)},
    "pepper": {BidName.LITTLE_PEPPER: (6, 6), BidName.BIG_PEPPER: (6, 12)},
    "pepper-2p": {BidName.LITTLE_PEPPER: (8, 8), BidName.BIG_PEPPER: (8, 16)},
    "pepper-3p": {BidName.LITTLE_PEPPER: (8, 8), BidName.BIG_PEPPER: (8, 16)},
}


@pytest.mark.parametrize("name", CONTRACTS)
def test_contracts_score_as_written(name: str) -> None:
    """BID-SCORE-1, BDD-SCORE-1, HOO-SCORE-1, HOO-SCORE-2, HOO3-SCORE-1, LATER-SCORE-1, PEP-SCORE-1 to -3,
    PEP3-SCORE-1, HAS-SCORE-1, CON-MADE-1, CON-SET-1, CON-ALONE-1: played hands with low and with high bids."""
    seen = set()
    for number, (hand, rng) in enumerate(random_hands(build(name), "contracts", 60)):
        played = bid_and_play(hand, rng, highest=3 if number % 2 else None)
        if played.end is not HandEnd.PLAYED:
            continue
        assert list(played.points) == expected_points(hand)
        seen.add(played.points[hand.variant.side_of[hand.maker]] > 0)
    assert seen == {True, False}


def test_four_hands_score_of_a_renege_stays_six_in_the_double_deck_games() -> None:
    """BDD-SCORE-1: target 52, qualified, renege 6."""
    for name in DOUBLE_DECK:
        variant = build(name)
        assert (variant.target, variant.win_is_qualified, variant.renege_award) == (52, True, 6)


# -- endings ------------------------------------------------------------------------------------------


def expected_winner(variant: Variant, totals: list[int], hand: Hand) -> int | None:
    """CON-WIN-1 to -3, END-IND-1, -2, from the sentences."""
    played = result(hand)
    there = [side for side, total in enumerate(totals) if total >= variant.target]
    declarer = variant.side_of[hand.maker]
    made = played.points[declarer] > 0
    if variant.options.get("win_condition") == "qualified":
        if len(variant.sides) == 2 and len(there) == 2 and totals[0] == totals[1]:
            return declarer
        there = [side for side in there if (side == declarer) == made]
    elif len(variant.sides) == 2 and len(there) == 2 and "win_condition" in variant.options:
        return declarer
    best = max((totals[side] for side in there), default=0)
    at_best = [side for side in there if totals[side] == best]
    return at_best[0] if len(at_best) == 1 else None


@pytest.mark.parametrize(
    "text",
    [
        "bid-euchre",
        "bid-euchre(target=32)",
        "bid-euchre(win_condition=any-points)",
        "bid-us-48",
        "hoosier",
        "hoosier-3p",
        "cutthroat-bid-3p",
        "bid-later-24",
        "bid-later-6p",
        "bid-later-8p(win_condition=any-points)",
        "pepper",
        "pepper-2p",
        "pepper-3p",
        "hasenpfeffer",
        "hasenpfeffer(win_condition=qualified)",
    ],
)
def test_games_end_as_written(text: str) -> None:
    """BID-END-1, HOO-END-1, HOO3-END-1, LATER-END-1, PEP-END-1, PEP3-END-1, HAS-END-1, CON-WIN-1, CON-WIN-2, CON-WIN-3,
    END-IND-1, END-IND-2: played hands with every side near the goal."""
    seen = set()
    for number, (dealt, rng) in enumerate(random_hands(build(text.split("(")[0]), f"ends {text}", 120)):
        hand = deal(text)
        variant = hand.variant
        totals = [variant.target + rng.randint(-8, 2 if variant.win_is_qualified else -1) for _ in variant.sides]
        game = Game(variant, dealt.dealer, totals=totals)
        hand = game.deal(dealt.deck)
        if bid_and_play(hand, rng, highest=3 if number % 2 else None).end is not HandEnd.PLAYED:
            continue
        game.finish_hand(result(hand))
        after = [total + points for total, points in zip(totals, result(hand).points, strict=True)]
        winner = expected_winner(variant, after, hand)
        assert (None if game.outcome is None else game.outcome.winners[0]) == winner, (totals, after)
        seen.add(winner)
    assert seen == {None, *range(len(build(text.split("(")[0]).sides))}


@pytest.mark.parametrize(
    ("before", "bid", "taken", "after", "winner"),
    [
        ([57, 50], 5, 4, (52, 52), 0),  # set, exactly equal: the makers
        ([57, 51], 5, 4, (52, 53), 1),  # set, unequal: the defenders
        ([58, 50], 5, 4, (53, 52), 1),  # set, and the makers ahead: the defenders all the same
        ([50, 52], 2, 4, (54, 54), 0),  # made, equal
        ([50, 55], 2, 4, (54, 57), 0),  # made, behind
        ([40, 40], 6, 4, (34, 42), None),  # equal before and far from it
        ([50, 50], 6, 5, (44, 51), None),
    ],
)
def test_both_at_the_target(
    before: list[int], bid: int, taken: int, after: tuple[int, int], winner: int | None
) -> None:
    """CON-WIN-1, CON-WIN-2: side 0 are the makers, in real play."""
    spades = ["9S", "TS", "QS", "KS", "AS", "JC", "JS"]
    mine = {4: "JS JC AS KS 9H 9D", 5: "JS JC AS KS QS 9D"}[taken]
    hand = deal("bid-euchre", hands={0: mine, 2: "9C TC QC KC TH TD"}, totals=before)
    say(hand, "1, 2, 3 PASS", f"0 BID({bid}, S)")
    for name in reversed(spades):
        if hand.result is None and name in mine and hand.actor == 0:
            say(hand, f"0 PLAY({name})")
            while hand.result is None and hand.trick:
                hand.apply(hand.default())
    default_until(hand)
    game = Game(hand.variant, totals=before)
    game.finish_hand(result(hand))
    assert result(hand).tricks[0] + result(hand).tricks[2] == taken
    assert game.totals == after
    assert (None if game.outcome is None else game.outcome.winners[0]) == winner


def test_goals_of_the_bid_games() -> None:
    """BID-END-1, HOO-END-1, LATER-END-1, PEP-END-1, HAS-END-1, NAP-END-1."""
    targets = {name: build(name).target for name in (*CONTRACTS, "napoleon")}
    assert {name for name, target in targets.items() if target == 52} == {"bid-euchre", *DOUBLE_DECK}
    assert {name for name, target in targets.items() if target == 32} == {"hoosier", *THREE_HANDS, *LATER}
    assert {name for name, target in targets.items() if target == 30} == set(PEPPER)
    assert (targets["hasenpfeffer"], targets["napoleon"]) == (10, 25)
    assert build("bid-euchre", {"target": 32}).target == 32


def test_totals_shared_at_the_top_of_pepper_are_played_off() -> None:
    """PEP3-END-1, END-IND-2: three seats, two of them equal and ahead; then they differ."""
    variant = build("pepper-3p")
    game = Game(variant, totals=[29, 29, 0])

    def hand_with(points: tuple[int, int, int]) -> HandResult:
        return HandResult(
            end=HandEnd.PLAYED,
            points=points,
            tricks=(0, 0, 0),
            makers=(2,),
            contract_made=True,
            qualified=(False, False, True),
            instant_winner=NOBODY,
            offender=NOBODY,
        )

    game.finish_hand(hand_with((2, 2, 4)))
    assert (game.totals, game.outcome) == ((31, 31, 4), None)
    game.finish_hand(hand_with((0, 0, 8)))
    assert game.outcome is None
    game.finish_hand(hand_with((1, 2, 5)))
    assert game.outcome is not None
    assert game.outcome.winners == (1,)


# -- widows -------------------------------------------------------------------------------------------


def test_widow_of_a_lone_bid_is_an_option() -> None:
    """BU48W-WID-2: allowed, the widow comes first and then the exchange; forbidden, the exchange alone."""
    hand = win_auction(deal("bid-us-48-widow"), "ALONE(S)")
    assert may_in_order(hand) == ["LEAVE_WIDOW", "TAKE_WIDOW"]
    say(hand, "1 TAKE_WIDOW")
    assert len(hand.hands[1]) == 15
    hand.apply(hand.default())
    assert (hand.phase.kind, hand.actor, len(hand.hands[1])) == (PhaseKind.EXCHANGE, 1, 11)
    assert {len(act.cards) for act in hand.options()} == {0, 1, 2, 3}
    hand = win_auction(deal("bid-us-48-widow(widow_when_alone=forbidden)"), "ALONE(S)")
    assert hand.phase.kind is PhaseKind.EXCHANGE
    hand = win_auction(deal("bid-us-48-widow(widow_when_alone=forbidden)"), "BID(8, S)")
    assert hand.phase.kind is PhaseKind.WIDOW


@pytest.mark.parametrize(("name", "size", "widow"), [("hoosier-3p", 10, 2), ("cutthroat-bid-3p", 7, 3)])
def test_three_hand_declarer_may_take_the_whole_widow(name: str, size: int, widow: int) -> None:
    """HOO3-WID-1: and discards as many, cards just taken included; the others do not see it."""
    hand = win_auction(deal(name), "BID(5, S)")
    assert (hand.actor, may_in_order(hand)) == (1, ["LEAVE_WIDOW", "TAKE_WIDOW"])
    left = say(hand.clone(), "1 LEAVE_WIDOW")
    assert (left.phase.kind, len(left.hands[1])) == (PhaseKind.PLAY, size)
    say(hand, "1 TAKE_WIDOW")
    taken = set(hand.undealt)
    assert taken <= set(hand.hands[1])
    assert len(hand.hands[1]) == size + widow
    assert {len(act.cards) for act in hand.options()} == {widow}
    same = action(Kind.DISCARD, tuple(hand.undealt))
    assert same in hand.options()
    hand.apply(same)
    assert view(hand, 2).events[-1].hidden_cards == widow
    assert (hand.phase.kind, len(hand.hands[1])) == (PhaseKind.PLAY, size)


@pytest.mark.parametrize("name", THREE_HANDS)
def test_three_hand_alone_is_without_the_widow_against_both(name: str) -> None:
    """HOO3-ALONE-1, HOO3-LEAD-1: the declarer leads, nobody sits out."""
    hand = win_auction(deal(name, dealer=2), "ALONE(NT)")
    assert hand.phase.kind is PhaseKind.PLAY
    assert (hand.actor, hand.active, hand.widow_taken) == (0, (0, 1, 2), False)
    hand = win_auction(deal(name, dealer=2), "BID(3, H)")
    say(hand, "0 LEAVE_WIDOW")
    assert (hand.actor, hand.active) == (0, (0, 1, 2))


# -- the rest of each game ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bid-later-6p", "bid-later-8p", "bid-us-48", "hoosier-3p"])
def test_first_of_two_equal_cards_wins(name: str) -> None:
    """LATER-DUP-1, CARD-DUP-2, HOO3-DECK-1, BU48-DECK-1: in every trick of random hands."""
    variant = build(name)
    assert variant.duplicates == "first"
    decided = 0
    for hand, rng in random_hands(variant, "copies", 40):
        while hand.result is None:
            if hand.phase.kind is not PhaseKind.PLAY:
                hand.apply(random_answer(hand.question(), rng))
                continue
            before = list(hand.tricks_won)
            played: list[tuple[int, int]] = []
            for _ in hand.active:
                if hand.result is not None:
                    break
                answer = random_answer(hand.question(), rng)
                played.append((hand.actor, answer.card))
                hand.apply(answer)
            if hand.result is not None or len(played) < len(hand.active):
                break
            winner = next(seat for seat in range(variant.seats) if hand.tricks_won[seat] > before[seat])
            card = dict(played)[winner]
            first = next(seat for seat, other in played if other == card)
            assert winner == first
            decided += sum(other == card for _, other in played) == 2
    assert decided > 5


@pytest.mark.parametrize(("name", "bid"), [("pepper", "BID(3)"), ("pepper-2p", "BIG_PEPPER"), ("pepper-3p", "BID(1)")])
def test_pepper_declarer_names_one_of_five_strains_before_he_leads(name: str, bid: str) -> None:
    """PEP-STRAIN-1, PEP-LEAD-1."""
    hand = win_auction(deal(name), bid)
    assert (hand.actor, may_in_order(hand)) == (1, [f"CHOOSE({s})" for s in ("S", "C", "H", "D", "NT")])
    say(hand, "1 CHOOSE(NT)")
    assert (strain(hand), hand.phase.kind, hand.actor) == ("NT", PhaseKind.PLAY, 1)


def test_napoleon_plays_one_against_three_with_aces_high_and_no_bowers() -> None:
    """NAP-SEAT-1, NAP-ORD-1, CARD-ORD-6: in every suit, trumps included, for every pack."""
    hand = win_auction(deal("napoleon"), "BID(2)")
    assert (makers(hand), hand.active) == ([1], (0, 1, 2, 3))
    for deck, ranks in (("28", "AKQJT98"), ("32", "AKQJT987"), ("52", "AKQJT98765432")):
        variant = build("napoleon", {"deck": deck})
        for led, suit in enumerate(SUITS):
            beats = variant.tables.beats[2][led]
            able = sorted({card for card in variant.deck if beats[card]}, key=beats.__getitem__, reverse=True)
            trumps = " ".join(rank + "H" for rank in ranks)
            plain = "" if suit == "H" else " " + " ".join(rank + suit for rank in ranks)
            assert format_cards(able) == trumps + plain


def test_napoleon_points_are_the_declarers_alone() -> None:
    """NAP-SCORE-1, NAP-PLAY-1: played hands, by the table of values."""
    values = {"BID(2)": 2, "BID(3)": 3, "MISERE": 3, "BID(4)": 4, "NAP": 5, "WELLINGTON": 10, "BLUCHER": 20}
    needs = {"BID(2)": 2, "BID(3)": 3, "BID(4)": 4, "NAP": 5, "WELLINGTON": 5, "BLUCHER": 5}
    seen = set()
    for number, (hand, rng) in enumerate(random_hands(build("napoleon"), "nap", 400)):
        played = bid_and_play(hand, rng, highest=2 if number % 3 == 0 else None)
        if played.end is not HandEnd.PLAYED:
            continue
        said, taken = repr(hand.contract.bid), played.tricks[hand.maker]
        made = taken == 0 if said == "MISERE" else taken >= needs[said]
        expected = [0, 0, 0, 0]
        expected[hand.maker] = values[said] if made else -values[said]
        assert list(played.points) == expected
        assert sum(played.tricks) == 5
        seen.add((said, made))
    assert {said for said, _ in seen} == set(values)


def test_hasenpfeffer_widow_is_the_declarers_alone_to_see() -> None:
    """HAS-WID-1, HAS-WID-2, HAS-STRAIN-1: he has to take it, and may lay it down again."""
    hand = win_auction(deal("hasenpfeffer", undealt={"widow": "X1"}), "BID(2)")
    assert (hand.actor, hand.phase.kind, len(hand.hands[1])) == (1, PhaseKind.STRAIN_CHOICE, 7)
    assert "X1" in cards(hand, 1)
    assert may(hand) == {"CHOOSE(S)", "CHOOSE(C)", "CHOOSE(H)", "CHOOSE(D)"}
    say(hand, "1 CHOOSE(D)", "1 DISCARD(X1)")
    assert (hand.actor, hand.phase.kind) == (1, PhaseKind.PLAY)
    for seat in (0, 2, 3):
        assert view(hand, seat).events[-1].hidden_cards == 1


def test_hasenpfeffer_jokers_holder_has_to_bid_three_whatever_the_least_bid() -> None:
    """HAS-AUC-2."""
    hand = say(deal("hasenpfeffer(min_bid=5)", hands={2: "X1"}), "1, 2, 3, 0 PASS")
    assert (hand.maker, repr(hand.contract.bid), hand.contract.tricks) == (2, "BID(3)", 3)
    assert view(hand, 0).events[-1].forced
    hand = say(deal("hasenpfeffer(joker_card=two-of-spades)", hands={2: "2S"}), "1, 2, 3, 0 PASS")
    assert hand.maker == 2
