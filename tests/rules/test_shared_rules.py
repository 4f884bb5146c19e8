"""The shared rules of docs/rules.md part 3 that no worked example states, each cited in the test's docstring."""

from __future__ import annotations

import random

import pytest

from arena.schedule import Pairing, is_individual
from leaderboards.results import LegResult, sets_of
from referee.rules import (
    NOBODY,
    PLAY,
    PRESETS,
    ActionRefused,
    Alliance,
    DealError,
    Game,
    Hand,
    HandEnd,
    Kind,
    PhaseKind,
    Variant,
    action,
    build,
    parse_card,
    parse_cards,
    parse_variant,
    view,
)
from referee.rules.actions import Action
from referee.rules.cards import SAME_COLOUR, SUITS, UNFIXED, format_cards
from referee.rules.deal import dealt_positions
from referee.rules.hand import EVERYBODY
from referee.rules.relabel import relabel_card, relabel_deck
from referee.rules.scoring import offence_result
from referee.rules.view import hidden_positions
from tests.rules.table import (
    asked_in,
    cards,
    deal,
    default_until,
    makers,
    may,
    may_in_order,
    play_randomly,
    plays,
    random_hands,
    result,
    say,
    strain,
    tricks_of,
)
from tests.strategies import random_answer, random_renege, shuffled_deck

ALL = [build(name) for name in PRESETS]
UPCARD = [variant for variant in ALL if variant.trump_making == "upcard-auction"]
BIDDING = [variant for variant in ALL if variant.ladder]
every_variant = pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.id)


# -- 3.1 table and turn -------------------------------------------------------------------------------


@every_variant
def test_everything_goes_clockwise(variant: Variant) -> None:
    """GEN-SEAT-1: auction and play."""
    assert [variant.left(seat) for seat in range(variant.seats)] == [*range(1, variant.seats), 0]
    for hand, rng in random_hands(variant, "clockwise", 5):
        play_randomly(hand, rng)
        for trick in tricks_of(hand):
            first = trick[0][0]
            turn = sorted(hand.active, key=lambda seat: (seat - first) % variant.seats)
            assert [seat for seat, _ in trick] == turn


@every_variant
def test_sides_sit_alternately_and_individuals_alone(variant: Variant) -> None:
    """GEN-SEAT-2, GEN-SEAT-3."""
    if variant.alliance is Alliance.FIXED:
        assert variant.sides == (tuple(range(0, variant.seats, 2)), tuple(range(1, variant.seats, 2)))
        assert all(variant.side_of[seat] != variant.side_of[variant.left(seat)] for seat in range(variant.seats))
    else:
        assert variant.sides == tuple((seat,) for seat in range(variant.seats))
    assert all(seat in variant.sides[variant.side_of[seat]] for seat in range(variant.seats))


def test_four_players_face_their_partners_and_six_and_eight_sit_in_turn() -> None:
    """GEN-SEAT-2: partners, clockwise from each seat."""
    assert [build("british").partners(seat) for seat in range(4)] == [[2], [3], [0], [1]]
    assert build("british-6p-33").partners(1) == [3, 5]
    assert build("bid-later-8p").partners(5) == [7, 1, 3]
    assert build("buck").partners(0) == []


@every_variant
def test_any_seat_may_deal_first_and_the_deal_passes_to_the_left(variant: Variant) -> None:
    """GEN-DEALER-1, GEN-DEALER-2."""
    for first in range(variant.seats):
        game = Game(variant, first, max_hands=1000)
        hand = game.deal(variant.deck)
        assert hand.dealer == first
        assert hand.eldest == (first + 1) % variant.seats
        game.finish_hand(result(default_until(hand)))
        assert game.dealer == (first + 1) % variant.seats


def seats_from_eldest(variant: Variant) -> str:
    return ", ".join(map(str, [*range(1, variant.seats), 0]))


@pytest.mark.parametrize(
    "name", ["british", "two-handed", "cutthroat-3p", "call-ace-5p", "auction-6p", "bid-us-48", "hoosier-3p", "pepper"]
)
def test_hand_thrown_in_scores_nothing_and_the_next_dealer_deals(name: str) -> None:
    """GEN-DEALER-3."""
    variant = build(name)
    game = Game(variant, 0, totals=[3] * len(variant.sides))
    upcard = "9H" if variant.upcard else ""
    hand = deal(name, upcard=upcard, totals=[3] * len(variant.sides))
    if variant.upcard:
        say(hand, f"{', '.join(map(str, range(1, variant.seats)))} PASS", "0 TURN_DOWN")
    say(hand, f"{seats_from_eldest(variant)} PASS")
    assert result(hand).end is HandEnd.THROWN_IN
    game.finish_hand(result(hand))
    assert game.totals == (3,) * len(variant.sides)
    assert (game.dealer, game.board, game.hands_played) == (1, 1, 1)
    assert plays(hand) == []


def test_deal_passes_on_after_a_renege_as_after_any_hand() -> None:
    """GEN-DEALER-4."""
    variant = build("bid-euchre", {"renege": "immediate"})
    game = Game(variant, 2)
    hand = Hand(variant, variant.deck, 2)
    rng = random.Random("renege")
    while hand.result is None:
        wrong = random_renege(hand, rng) if hand.phase.kind is PhaseKind.PLAY else None
        hand.apply(wrong or (hand.options()[1] if hand.phase.kind is PhaseKind.BID_AUCTION else hand.default()))
    assert result(hand).end is HandEnd.RENEGE
    game.finish_hand(result(hand))
    assert (game.dealer, game.board) == (3, 1)


@every_variant
def test_deck_is_dealt_in_the_order_given_and_any_order_will_do(variant: Variant) -> None:
    """GEN-MISDEAL-1: no cut, no misdeal; a deck that is not the variant's is refused."""
    rng = random.Random(f"deck {variant.id}")
    for dealer in range(variant.seats):
        deck = shuffled_deck(variant, rng)
        hand = Hand(variant, deck, dealer)
        places = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, dealer)
        assert [list(seat) for seat in hand.dealt] == [[deck[at] for at in seat] for seat in places]
        assert sorted(card for held in hand.dealt for card in held) + sorted(
            deck[variant.seats * variant.hand_size :]
        ) == sorted(card for held in hand.dealt for card in held) + sorted(
            ([hand.upcard] if variant.upcard else []) + list(hand.undealt)
        )
    with pytest.raises(DealError, match="not the deck"):
        Hand(variant, deck[:-1], 0)
    with pytest.raises(DealError, match="not the deck"):
        Hand(variant, [*deck[:-1], deck[0] if deck[0] != deck[-1] else deck[1]], 0)


def test_dealer_and_totals_that_do_not_fit_are_refused() -> None:
    """GEN-DEALER-1, GEN-SCORE-1: inputs are checked."""
    variant = build("british")
    with pytest.raises(DealError, match="dealer 4 is no seat"):
        Hand(variant, variant.deck, 4)
    with pytest.raises(DealError, match="dealer -1 is no seat"):
        Hand(variant, variant.deck, -1)
    with pytest.raises(DealError, match="3 totals for 2 sides"):
        Hand(variant, variant.deck, 0, [1, 2, 3])


@every_variant
def test_totals_start_at_nothing_or_at_the_number_counted_down_from(variant: Variant) -> None:
    """GEN-SCORE-1."""
    start = {"buck": 25, "dirty-clubs": 20, "dirty-clubs-3p": 15}.get(variant.id, 0)
    assert Game(variant).totals == (start,) * len(variant.sides)


def test_totals_may_go_below_nothing_and_the_goal_is_tested_when_a_hand_has_ended() -> None:
    """GEN-SCORE-1: side 0 is past its goal in tricks long before the hand is over."""
    weak = {0: "9S 9C 9H 9D TS TC"}
    hand = say(deal("bid-euchre", hands=weak), "1, 2, 3 PASS", "0 BID(6, S)")
    game = Game(hand.variant)
    game.finish_hand(result(default_until(hand)))
    assert game.totals[0] == -6
    strong = {0: "JS JC AS KS QS TS"}
    hand = say(deal("bid-euchre(win_condition=any-points,target=1)", hands=strong), "1, 2, 3 PASS", "0 BID(1, S)")
    default_until(say(hand, "0 PLAY(JS)"), None)
    assert sum(result(hand).tricks) == 6


def test_seat_knows_its_own_cards_the_upcard_and_what_is_said_and_played() -> None:
    """GEN-INFO-1: the discard is the dealer's secret, the cards played are everybody's."""
    hand = say(deal("british", upcard="9S", hands={0: "AH KH"}), "1 ORDER_UP", "0 DISCARD(KH)")
    for seat in range(4):
        seen = view(hand, seat)
        assert format_cards([seen.upcard]) == "9S"
        assert set(seen.cards) == set(hand.hands[seat])
        discard = seen.events[-1]
        assert discard.action.kind is Kind.DISCARD
        assert discard.hidden_cards == (0 if seat == 0 else 1)
        assert discard.action.cards == (tuple(parse_cards("KH")) if seat == 0 else ())
    default_until(hand, PhaseKind.PLAY)
    hand.apply(hand.options()[0])
    played = {view(hand, seat).events[-1].action for seat in range(4)}
    assert played == {PLAY[plays(hand)[0][1]]}
    assert {view(hand, seat).trick for seat in range(4)} == {tuple(plays(hand))}


def test_standing_bid_is_known_to_all_and_there_is_none_before_the_first() -> None:
    """GEN-INFO-1, SRV-ASK-1: every public action."""
    hand = deal("bid-euchre")
    assert [(view(hand, seat).contract, view(hand, seat).bidder) for seat in range(4)] == [(None, NOBODY)] * 4
    say(hand, "1 PASS", "2 BID(3, H)")
    for seat in range(4):
        standing = view(hand, seat).contract
        assert standing is not None
        assert (repr(standing.bid), standing.tricks, view(hand, seat).bidder) == ("BID(3)", 3, 2)
        assert view(hand, seat).strain == UNFIXED
    say(hand, "3, 0 PASS")
    assert {(view(hand, seat).strain, view(hand, seat).maker) for seat in range(4)} == {(2, 2)}


@every_variant
def test_hidden_positions_are_all_but_ones_own_cards_and_the_upcard(variant: Variant) -> None:
    """GEN-INFO-1, UPA-BEN-1: a dealer who names blind does not know his own either."""
    for hand, _ in random_hands(variant, "hidden", 6):
        for seat in range(variant.seats):
            hidden = set(hidden_positions(hand, seat))
            own = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, hand.dealer)[seat]
            blind = hand.joker_is_up and seat == hand.dealer
            known = (set() if blind else set(own)) | ({variant.seats * variant.hand_size} if variant.upcard else set())
            assert hidden == set(range(len(variant.deck))) - known


@every_variant
def test_no_card_occurs_oftener_than_there_are_packs(variant: Variant) -> None:
    """DEAL-PAT-5, V-001: one pack or two alike."""
    assert variant.packs == max(variant.deck.count(card) for card in variant.deck)


def test_card_exchanged_is_known_to_giver_and_taker_alone() -> None:
    """GEN-INFO-1."""
    hand = say(deal("british-6p-33", upcard="9S"), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "1 ALONE", "2, 4, 0 NOT_ALONE", "1 ASK(3)")
    given = hand.options()[-1]
    hand.apply(given)
    for seat in range(6):
        seen = view(hand, seat).events[-1]
        assert (seen.action is given) == (seat in (1, 3))
        assert seen.hidden_cards == (seat not in (1, 3))


def test_no_action_is_talk_and_talk_ends_the_hand_for_the_talking_side() -> None:
    """GEN-INFO-2: the vocabulary has no word for it; the event TABLE_TALK is an established renege."""
    assert not any("TALK" in kind.name or "SAY" in kind.name for kind in Kind)
    hand = say(deal("british", upcard="9S"), "1 PASS")
    hand.table_talk(2)
    assert (result(hand).end, result(hand).offender, result(hand).points) == (HandEnd.TABLE_TALK, 2, (0, 4))
    with pytest.raises(ActionRefused, match="over"):
        hand.table_talk(1)


# -- 3.2 cards ----------------------------------------------------------------------------------------


def test_black_suits_and_red_suits_are_sisters() -> None:
    """CARD-COL-1."""
    assert {SUITS[one] + SUITS[other] for one, other in enumerate(SAME_COLOUR)} == {"SC", "CS", "HD", "DH"}


def ranking(variant: Variant, trump: str, led: str) -> str:
    """Return the cards that can win a trick, from the highest down, when *led* is led."""
    number = {"NT": 4, "NTL": 5}.get(trump, SUITS.find(trump))
    beats = variant.tables.beats[number][SUITS.index(led)]
    able = sorted({card for card in variant.deck if beats[card]}, key=beats.__getitem__, reverse=True)
    return format_cards(able)


@pytest.mark.parametrize(
    ("trump", "order"),
    [
        ("S", "X1 JS JC AS KS QS TS 9S"),
        ("C", "X1 JC JS AC KC QC TC 9C"),
        ("H", "X1 JH JD AH KH QH TH 9H"),
        ("D", "X1 JD JH AD KD QD TD 9D"),
    ],
)
def test_trump_suit_has_joker_and_both_bowers_on_top(trump: str, order: str) -> None:
    """CARD-BOW-1, CARD-ORD-1, BR-ORD-1, HAS-ORD-1."""
    assert ranking(build("british"), trump, trump) == order
    assert ranking(build("hasenpfeffer"), trump, trump) == order
    assert ranking(build("north-american"), trump, trump) == order[3:]


@pytest.mark.parametrize("name", ["british", "bid-euchre", "hasenpfeffer", "standard"])
def test_sister_suit_has_no_jack_and_the_others_have_theirs(name: str) -> None:
    """CARD-ORD-2, BR-ORD-1, BID-ORD-1, HAS-ORD-1: after the trumps, the suit led."""
    variant = build(name)
    trumps = ranking(variant, "S", "S")
    assert ranking(variant, "S", "C") == f"{trumps} AC KC QC TC 9C"
    assert ranking(variant, "S", "H") == f"{trumps} AH KH QH JH TH 9H"
    assert ranking(variant, "S", "D") == f"{trumps} AD KD QD JD TD 9D"


def test_shorter_and_longer_packs_have_the_same_orders() -> None:
    """CARD-ORD-1, CARD-ORD-2: what the deck holds."""
    assert ranking(build("auction-7p"), "H", "H") == "JH JD AH KH QH TH 9H 8H 7H 6H 5H"
    assert ranking(build("auction-7p"), "H", "C").endswith(" AC KC QC JC TC 9C 8C 7C 6C 5C")
    assert ranking(build("bid-canadian-32"), "D", "H").endswith(" AH KH QH")


def test_without_trumps_jacks_stay_in_their_suits() -> None:
    """CARD-ORD-3, BID-ORD-1."""
    variant = build("bid-euchre")
    for suit in SUITS:
        assert ranking(variant, "NT", suit) == " ".join(rank + suit for rank in "AKQJT9")


def test_effective_suit_is_trump_for_jokers_and_bowers_and_printed_otherwise() -> None:
    """CARD-EFF-3."""
    variant = build("british")
    names = ["JS", "JC", "JH", "JD", "AS", "X1"]
    expected = {"S": "SSHDSS", "C": "CCHDSC", "H": "SCHHSH", "D": "SCDDSD"}
    for trump, suits in expected.items():
        effective = variant.tables.effective[SUITS.index(trump)]
        assert "".join(SUITS[effective[parse_card(name)]] for name in names) == suits
    no_trump = build("bid-euchre").tables.effective[4]
    assert "".join(SUITS[no_trump[parse_card(name)]] for name in names[:5]) == "SCHDS"


# -- 3.4 upcard auction -------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", UPCARD, ids=lambda variant: variant.id)
def test_round_one_starts_with_eldest_and_the_first_acceptance_ends_it(variant: Variant) -> None:
    """UPA-R1-1, UPA-R1-3: asked in turn, the dealer last, who takes up or turns down."""
    last = variant.seats - 1
    for accepting in range(variant.seats):
        hand = deal(variant.id, upcard="9H" if variant.id != "almonte-4p" else "AH")
        for seat in [*range(1, variant.seats), 0][:accepting]:
            say(hand, f"{seat} PASS")
        seat = hand.actor
        assert seat == (accepting + 1) % variant.seats
        if accepting == last:
            assert {"TURN_DOWN", "TAKE_UP"} <= may(hand)
            assert not may(hand) & {"PASS", "ORDER_UP"}
        assert strain(hand) == "-"
        accepted = next(act for act in hand.options() if act.kind not in (Kind.PASS, Kind.TURN_DOWN))
        hand.apply(accepted)
        assert strain(hand) == "H"
        assert hand.phase.kind is not PhaseKind.UPCARD_AUCTION
        assert hand.maker == seat


@pytest.mark.parametrize("variant", [v for v in UPCARD if "stick_dealer" in v.options], ids=lambda variant: variant.id)
def test_stuck_dealer_names_a_suit_and_another_may_pass(variant: Variant) -> None:
    """UPA-R2-2, UPA-R2-1, UPA-PICK-5: with nobody taking the upcard after a name."""
    for stick in ("on", "off"):
        upcard = "9H" if variant.id != "almonte-4p" else "AH"
        hand = deal(build(variant.preset, {"stick_dealer": stick}).id, upcard=upcard)
        others = ", ".join(map(str, range(1, variant.seats)))
        say(hand, f"{others} PASS", "0 TURN_DOWN")
        assert hand.actor == 1
        assert {"PASS", "NAME(S)", "NAME(C)", "NAME(D)"} <= may(hand)
        say(hand, f"{others} PASS")
        assert hand.actor == 0
        assert ("PASS" in may(hand)) == (stick == "off")
        assert "NAME(H)" not in may(hand)
        say(hand, "0 NAME(C)")
        assert (strain(hand), hand.maker, hand.upcard_taken) == ("C", 0, False)
        assert hand.discards == []
        assert [len(held) for held in hand.hands] == [5] * variant.seats


def test_dealer_who_may_choose_takes_the_upcard_or_leaves_it() -> None:
    """UPA-PICK-2: trump is the upcard's suit either way."""
    for word, taken in (("TAKE_UPCARD", True), ("LEAVE_UPCARD", False)):
        hand = say(deal("classic", upcard="9H", hands={0: "AS KS"}), "1 ORDER_UP")
        assert may_in_order(hand) == ["LEAVE_UPCARD", "TAKE_UPCARD"]
        say(hand, f"0 {word}")
        assert strain(hand) == "H"
        assert ("9H" in cards(hand, 0)) == taken
        assert (hand.phase.kind is PhaseKind.PICK_UP) == taken
        assert len(hand.hands[0]) == 5 + taken


def test_dealer_who_may_choose_is_not_asked_when_he_takes_up_himself() -> None:
    """UPA-PICK-2, TWO-TRUMP-2."""
    hand = say(deal("classic", upcard="9H"), "1, 2, 3 PASS", "0 TAKE_UP")
    assert hand.upcard_taken
    assert all(word.startswith("DISCARD") for word in may(hand))


@pytest.mark.parametrize("name", ["classic(dealer_partner_order=alone-only)", "classic", "standard", "railroad"])
def test_nobody_takes_the_upcard_when_the_dealers_partner_orders_up_alone(name: str) -> None:
    """UPA-PICK-4, STD-ALONE-2, CLA-TRUMP-2: nobody discards, the dealer sits out."""
    hand = say(deal(name, upcard="9H"), "1 PASS", "2 ORDER_UP_ALONE")
    assert hand.phase.kind is not PhaseKind.PICK_UP
    assert (strain(hand), hand.maker, hand.upcard_taken, hand.discards) == ("H", 2, False, [])
    assert hand.out == (0,)
    default_until(hand, PhaseKind.PLAY)
    assert hand.active == (1, 2, 3)
    assert "9H" not in {name for seat in range(4) for name in cards(hand, seat)}


# -- 3.5 going alone ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["british", "north-american", "almonte-6p", "dealer-makes"])
def test_after_trump_alone_is_asked_between_the_upcard_and_the_lead(name: str) -> None:
    """ALONE-TIME-1: no call has an alone form."""
    variant = build(name)
    order = [phase.kind for phase in variant.phases]
    assert order.index(PhaseKind.GOING_ALONE) == order.index(PhaseKind.PLAY) - 2  # the exchange is between them
    for hand, rng in random_hands(variant, "alone", 20):
        while hand.result is None:
            if hand.phase.kind in (PhaseKind.UPCARD_AUCTION, PhaseKind.PICK_UP, PhaseKind.DEALER_MAKES):
                assert not any(w.endswith("_ALONE") and w != "TAKE_DOWN_ALONE" for w in may(hand))
            if hand.phase.kind is PhaseKind.GOING_ALONE:
                assert hand.strain != UNFIXED
                assert plays(hand) == []
            hand.apply(random_answer(hand.question(), rng))


def test_with_the_call_alone_is_said_in_the_call_and_at_no_other_time() -> None:
    """ALONE-TIME-2, ALONE-POLL-2, STD-ALONE-1: in `standard` nobody is asked afterwards."""
    hand = deal("standard", upcard="9H")
    assert may(hand) == {"PASS", "ORDER_UP", "ORDER_UP_ALONE"}
    say(hand, "1 ORDER_UP")
    hand.apply(hand.default())
    assert hand.phase.kind is PhaseKind.PLAY
    hand = say(deal("standard", upcard="9H"), "1, 2, 3 PASS")
    assert may_in_order(hand) == ["TURN_DOWN", "TAKE_UP", "TAKE_UP_ALONE"]


def test_dealer_who_named_blind_is_asked_once_after_his_discard() -> None:
    """ALONE-TIME-2: the one seat that could not say it in the call."""
    hand = say(deal("railroad", upcard="X1"), "0 NAME_BLIND(H)")
    assert hand.phase.kind is PhaseKind.PICK_UP
    hand.apply(hand.default())
    assert asked_in(hand, PhaseKind.GOING_ALONE) == [0]  # against-loner: no defender is asked
    hand = say(deal("railroad(alone_makers=none)", upcard="X1"), "0 NAME_BLIND(H)")
    assert asked_in(hand, PhaseKind.GOING_ALONE) == []


def test_with_the_call_only_defenders_are_asked_after_the_pick_up() -> None:
    """ALONE-POLL-2: in the order of ALONE-POLL-1, as alone_defenders allows."""
    hand = say(deal("classic", upcard="9H"), "1, 2 PASS", "3 ORDER_UP", "0 TAKE_UPCARD")
    assert hand.phase.kind is PhaseKind.PICK_UP
    assert asked_in(hand, PhaseKind.GOING_ALONE) == [0, 2]
    hand = say(deal("classic(alone_defenders=against-loner)", upcard="9H"), "1, 2 PASS", "3 ORDER_UP", "0 LEAVE_UPCARD")
    assert asked_in(hand, PhaseKind.GOING_ALONE) == []
    hand = say(
        deal("classic(alone_defenders=against-loner)", upcard="9H"), "1, 2 PASS", "3 ORDER_UP_ALONE", "0 LEAVE_UPCARD"
    )
    assert asked_in(hand, PhaseKind.GOING_ALONE) == [0, 2]
    hand = say(deal("classic(alone_defenders=none)", upcard="9H"), "1, 2 PASS", "3 ORDER_UP_ALONE", "0 LEAVE_UPCARD")
    assert asked_in(hand, PhaseKind.GOING_ALONE) == []


@pytest.mark.parametrize(
    ("alone_makers", "who"), [("any", {"partner", "dealer"}), ("caller", {"dealer"}), ("none", set())]
)
def test_alone_in_a_call_is_for_the_side_that_the_call_makes_makers(alone_makers: str, who: set[str]) -> None:
    """ALONE-WHO-1, ALONE-TIME-2, UPA-MAKE-2: whoever orders up, the dealer's side are the makers here."""
    text = f"standard(alone_makers={alone_makers},order_up_makers=dealer-side)"
    hand = deal(text, upcard="9H")
    assert may(hand) == {"PASS", "ORDER_UP"}  # an opponent of the dealer
    say(hand, "1 PASS")
    assert ("ORDER_UP_ALONE" in may(hand)) == ("partner" in who)
    say(hand, "2, 3 PASS")
    assert ("TAKE_UP_ALONE" in may(hand)) == ("dealer" in who)
    say(hand, "0 TURN_DOWN")
    assert ("NAME_ALONE(S)" in may(hand)) == bool(who)  # in round 2 the caller is the maker


def test_partner_who_orders_up_alone_for_the_dealers_side_plays_alone_himself() -> None:
    """ALONE-WHO-1, UPA-MAKE-2, UPA-PICK-4: the dealer is the maker and sits out."""
    hand = deal("standard(alone_makers=any,order_up_makers=dealer-side)", upcard="9H")
    say(hand, "1 PASS", "2 ORDER_UP_ALONE")
    assert (hand.maker, hand.lone_maker, hand.out, hand.phase.kind) == (0, 2, (0,), PhaseKind.PLAY)


def test_first_partner_to_say_alone_plays_alone() -> None:
    """ALONE-ONE-1: the others of his side are not asked; they sit out."""
    hand = say(deal("british-6p-33", upcard="9H"), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "1 NOT_ALONE", "3 ALONE")
    assert (hand.actor, hand.lone_maker) == (2, 3)
    say(hand, "2 NOT_ALONE", "4 ALONE")
    assert hand.lone_defender == 4
    assert sorted(hand.out) == [0, 1, 2, 5]
    assert default_until(hand, PhaseKind.PLAY).active == (3, 4)


# -- 3.6 exchange -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bid", "count"), [("ALONE2", 2), ("ALONE1", 1), ("MOON", 0)])
def test_fixed_exchange_is_discarded_first_and_given_blind(bid: str, count: int) -> None:
    """XCH-BID-1, BC32-XCH-1: neither may decline."""
    hand = say(deal("bid-canadian-32"), f"1 {bid}(H)")
    while hand.phase.kind is PhaseKind.BID_AUCTION:
        hand.apply(action(Kind.PASS))
    if count:
        assert (hand.actor, hand.phase.kind) == (1, PhaseKind.EXCHANGE)
        assert all(act.kind is Kind.DISCARD and len(act.cards) == count for act in hand.options())
        hand.apply(hand.default())
        assert hand.actor == 3
        assert len(hand.hands[1]) == 8 - count
        assert view(hand, 3).events[-1].hidden_cards == count
        assert all(act.kind is Kind.GIVE and len(act.cards) == count for act in hand.options())
        hand.apply(hand.default())
    assert (hand.phase.kind, hand.actor, hand.cards_received) == (PhaseKind.PLAY, 1, count)
    assert len(hand.hands[1]) == 8


@pytest.mark.parametrize(
    ("name", "most"), [("bid-us-48", 3), ("bid-us-48(loner_exchange=up-to-2)", 2), ("bid-us-40", 2)]
)
def test_loner_chooses_how_many_and_none_is_no_exchange(name: str, most: int) -> None:
    """XCH-UPTO-1, BU48-XCH-1, BU40-XCH-1."""
    for count in range(most + 1):
        hand = say(deal(name, dealer=3), "0 ALONE(S)")
        while hand.phase.kind is PhaseKind.BID_AUCTION:
            hand.apply(action(Kind.PASS))
        sizes = {len(act.cards) for act in hand.options()}
        assert sizes == set(range(most + 1))
        assert hand.actor == 0
        chosen = next(act for act in hand.options() if len(act.cards) == count)
        hand.apply(chosen)
        if count:
            assert {len(act.cards) for act in hand.options()} == {count}
            assert hand.actor == 2
            hand.apply(hand.default())
        assert (hand.phase.kind, hand.actor, hand.cards_received) == (PhaseKind.PLAY, 0, count)


# -- 3.7 lead and play --------------------------------------------------------------------------------


def test_eldest_leads_and_if_he_sits_out_the_next_active_seat() -> None:
    """LEAD-1."""
    for dealer in range(4):
        eldest, next_seat = (dealer + 1) % 4, (dealer + 2) % 4
        hand = default_until(say(deal("standard", upcard="9H", dealer=dealer), f"{eldest} ORDER_UP"), PhaseKind.PLAY)
        assert hand.actor == eldest
        hand = say(deal("standard", upcard="9H", dealer=dealer), f"{eldest}, {next_seat} PASS")
        say(hand, f"{(dealer + 3) % 4} ORDER_UP_ALONE")
        assert eldest in hand.out
        assert default_until(hand, PhaseKind.PLAY).actor == next_seat


@every_variant
def test_leader_may_lead_any_card_and_all_cards_are_played(variant: Variant) -> None:
    """PLAY-1, PLAY-5, NAP-PLAY-1, BR-PLAY-1: as many tricks as cards, even when the result is settled."""
    for hand, rng in random_hands(variant, "leads", 10):
        while hand.result is None:
            if hand.phase.kind is PhaseKind.PLAY and not hand.trick:
                assert {act.card for act in hand.options()} == set(hand.hands[hand.actor])
            hand.apply(random_answer(hand.question(), rng))
        if result(hand).end is HandEnd.PLAYED:
            assert sum(result(hand).tricks) == variant.hand_size
            assert len(plays(hand)) == variant.hand_size * len(hand.active)
            assert not any(hand.hands[seat] for seat in hand.active)


# -- 3.8 renege ---------------------------------------------------------------------------------------


SIX = {name for name in PRESETS if name.startswith(("bid-", "hoosier", "cutthroat-bid", "pepper"))}


@every_variant
def test_renege_costs_four_and_in_the_bid_euchre_family_six(variant: Variant) -> None:
    """REN-PEN-1, REN-MODE-2, *-REN-1: BR-REN-1 B6-REN-1 NA-REN-1 TWO-REN-1 STD-REN-1 CLA-REN-1 CUT-REN-1 CALL-REN-1
    AUC-REN-1 BID-REN-1 HOO-REN-1 HOO3-REN-1 PEP-REN-1 PEP3-REN-1 BUCK-REN-1 DM-REN-1 HAS-REN-1 NAP-REN-1.

    Real play: reneges are thrown in at random until one is established; every side that opposes the offender
    gains the award once, nobody else anything.
    """
    award = 6 if variant.id in SIX else 4
    assert variant.renege_award == award
    established = 0
    for hand, rng in random_hands(variant, "renege", 60):
        while hand.result is None:
            is_play = hand.phase.kind is PhaseKind.PLAY and rng.random() < 0.5
            wrong = random_renege(hand, rng) if is_play else None
            hand.apply(wrong or random_answer(hand.question(), rng))
        if result(hand).end is not HandEnd.RENEGE:
            continue
        established += 1
        offender = result(hand).offender
        gain = -award if variant.counts_down else award
        gainers = {variant.side_of[seat] for seat in opponents(hand, offender)}
        assert result(hand).points == tuple(gain * (side in gainers) for side in range(len(variant.sides)))
        assert all(result(hand).qualified[side] for side in gainers)  # REN-PEN-5
    assert established > 3


def opponents(hand: Hand, offender: int) -> list[int]:
    """REN-PEN-2, from the public facts alone."""
    variant = hand.variant
    others = [seat for seat in range(variant.seats) if seat != offender]
    match variant.alliance:
        case Alliance.FIXED:
            return [seat for seat in others if seat % 2 != offender % 2]
        case Alliance.NONE:
            return [seat for seat in others if seat in hand.active]
        case _:
            of_makers = {hand.maker, hand.ally} - {NOBODY}
            return [seat for seat in others if (seat in of_makers) != (offender in of_makers)]


# -- 3.9 to 3.12 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [v for v in ALL if not v.ladder and not v.counts_down], ids=lambda v: v.id)
def test_only_one_side_scores_in_a_hand_of_five_tricks(variant: Variant) -> None:
    """S5-5: so two sides cannot reach the goal together."""
    scored = 0
    for hand, rng in random_hands(variant, "one side", 25):
        played = play_randomly(hand, rng)
        if played.end is not HandEnd.PLAYED:
            continue
        scored += 1
        scorers = {side for side, points in enumerate(played.points) if points}
        ours = {variant.side_of[seat] for seat in makers(hand)}
        theirs = set(range(len(variant.sides))) - ours
        assert scorers in (ours, theirs)
        assert min(played.points) == 0
    assert scored > 2


@pytest.mark.parametrize("variant", BIDDING, ids=lambda variant: variant.id)
def test_bid_auction_starts_with_eldest_and_goes_clockwise(variant: Variant) -> None:
    """BIDA-TURN-1: the dealer speaks last."""
    for dealer in range(variant.seats):
        hand = default_until(
            deal(variant.id, upcard="9H" if variant.upcard else "", dealer=dealer), PhaseKind.BID_AUCTION
        )
        seats: list[int] = []
        while hand.result is None and hand.phase.kind is PhaseKind.BID_AUCTION and len(seats) < variant.seats:
            seats.append(hand.actor)
            hand.apply(hand.default())
        assert seats == [(dealer + step) % variant.seats for step in range(1, variant.seats + 1)]


LEAST_BID = {"napoleon": 2, "bid-us-32": 3, "dirty-clubs": 3, "dirty-clubs-3p": 3} | {
    name: 3 for name in PRESETS if name.startswith(("bid-later", "auction-"))
}
MOST_BID = {"napoleon": 4, "pepper": 5, "pepper-2p": 7, "pepper-3p": 7} | {
    name: 15 for name in PRESETS if name.startswith("auction-")
}


@pytest.mark.parametrize("variant", BIDDING, ids=lambda variant: variant.id)
def test_numbers_run_from_the_least_bid_to_the_hand_size(variant: Variant) -> None:
    """BIDA-BID-2, BID-AUC-1, BU48W-AUC-1, BU40-AUC-1, HOO-AUC-1, HOO3-AUC-1, LATER-AUC-1, PEP-AUC-1, PEP3-AUC-1,
    DC-AUC-1, DC3-AUC-1, HAS-AUC-1."""
    hand = default_until(deal(variant.id, upcard="9H" if variant.upcard else ""), PhaseKind.BID_AUCTION)
    said = [act.bid for act in hand.options() if act.bid is not None]
    numbers = {each.number for each in said if each.number}
    least, most = LEAST_BID.get(variant.id, 1), MOST_BID.get(variant.id, variant.hand_size)
    if variant.id.startswith("auction-"):
        assert numbers == {3, 4, 5, 8, 15}
    else:
        assert numbers == set(range(least, most + 1))


ALL_STRAINS = {"S", "C", "H", "D", "NT", "NTL"}


@pytest.mark.parametrize(
    "variant", [v for v in BIDDING if "no_trump_kinds" in v.options], ids=lambda variant: variant.id
)
def test_no_trump_kinds_allows_high_or_high_and_low_of_equal_rank(variant: Variant) -> None:
    """BIDA-NT-1."""
    for kinds, strains in (("high", ALL_STRAINS - {"NTL"}), ("high-low", ALL_STRAINS)):
        changed = build(variant.preset, {"no_trump_kinds": kinds})
        hand = default_until(deal(changed.id, upcard="9H" if variant.upcard else ""), PhaseKind.BID_AUCTION)
        highest = max(changed.ladder, key=lambda rung: rung.rank)
        if changed.strain_in_bid:
            top = {word for word in may(hand) if word.startswith(repr(highest.bid).rstrip(")"))}
            assert {word.rstrip(")").replace("(", ", ").split(", ")[-1] for word in top} == strains
            hand.apply(next(act for act in hand.options() if act.bid is highest.bid))
            assert not {act.bid for act in hand.options() if act.bid is highest.bid} or variant.id == "bid-us-40"
        else:
            hand.apply(next(act for act in hand.options() if act.bid is highest.bid))
            while hand.phase.kind is PhaseKind.BID_AUCTION:
                hand.apply(action(Kind.PASS))
            assert {word.removeprefix("CHOOSE(").rstrip(")") for word in may(hand)} == strains


@pytest.mark.parametrize("name", ["bid-euchre", "bid-us-48", "hoosier", "pepper", "hasenpfeffer", "dirty-clubs"])
def test_winner_of_the_auction_is_declarer_and_leads(name: str) -> None:
    """BIDA-WON-1, LEAD-4, PEP-LEAD-1, HAS-LEAD-1, DC-LEAD-1, BID-LEAD-1."""
    hand = deal(name, upcard="9H" if build(name).upcard else "", dealer=1)
    say(hand, "2 PASS")
    hand.apply(next(act for act in hand.options() if act.kind is Kind.BID))
    while hand.phase.kind is PhaseKind.BID_AUCTION:
        hand.apply(action(Kind.PASS))
    assert hand.maker == 3
    assert makers(hand) == ([1, 3] if hand.variant.alliance is Alliance.FIXED else [3])
    default_until(hand, PhaseKind.PLAY)
    assert (hand.actor, hand.leader) == (3, 3)


@pytest.mark.parametrize(
    "variant", [v for v in BIDDING if any(r.alone for r in v.ladder)], ids=lambda variant: variant.id
)
def test_alone_contract_has_a_fixed_value_and_the_others_a_point_a_trick(variant: Variant) -> None:
    """CON-ALONE-1, by real play of every alone bid: made or set, in the double-deck games and the three-hand ones."""
    outcomes = set()
    alone = [rung for rung in variant.ladder if rung.alone]
    for hand, rng in random_hands(variant, "alone contract", 80):
        rung = rng.choice(alone)
        wanted = {act for act in hand.options() if act.bid is rung.bid}
        hand.apply(rng.choice(sorted(wanted, key=repr)))
        play_randomly_without_bids(hand, rng)
        played = result(hand)
        declarer = variant.side_of[hand.maker]
        tricks = [sum(played.tricks[seat] for seat in seats) for seats in variant.sides]
        is_made = tricks[declarer] >= hand.contract.tricks
        value = {"bid-us-40": {0: 20, 1: 20, 2: 15}}.get(variant.id, {}).get(hand.cards_received, hand.contract.value)
        outcomes.add(is_made)
        if variant.preset.startswith("auction-"):
            expected = [value * ((side == declarer) == is_made) for side in range(variant.seats)]
        else:
            expected = tricks[:]
            expected[declarer] = value if is_made else -value
        assert list(played.points) == expected
    assert False in outcomes


def play_randomly_without_bids(hand: Hand, rng: random.Random) -> None:
    while hand.result is None:
        if hand.phase.kind is PhaseKind.BID_AUCTION:
            hand.apply(action(Kind.PASS))
        else:
            hand.apply(random_answer(hand.question(), rng))


def test_equal_best_totals_play_on_until_they_differ() -> None:
    """END-IND-2, CUT-END-1, CALL-END-1, PEP3-END-1: the test is made again after each further hand."""
    variant = build("cutthroat-3p")
    game = Game(variant, totals=[9, 9, 3])
    euchred = result(say(play_cutthroat(maker_wins=False)))
    game.finish_hand(euchred)
    assert game.totals == (11, 11, 3)
    assert game.outcome is None
    game.finish_hand(result(deal_thrown_in("cutthroat-3p")))
    assert game.outcome is None
    made = result(play_cutthroat(maker_wins=True))
    game.finish_hand(made)
    assert game.totals == (11, 11, 7)
    assert game.outcome is None  # the seat that scored has not reached the goal, the two ahead are still equal


def play_cutthroat(*, maker_wins: bool) -> Hand:
    """Seat 2 orders up hearts with the best or the worst hand."""
    mine = "JH JD AH KH QH" if maker_wins else "9S TS 9C TC 9D"
    hand = say(deal("cutthroat-3p", upcard="9H", hands={2: mine}), "1 PASS", "2 ORDER_UP", "0 LEAVE_UPCARD")
    return default_until(hand)


def deal_thrown_in(name: str) -> Hand:
    hand = say(deal(name, upcard="9H"), "1, 2 PASS", "0 TURN_DOWN", "1, 2, 0 PASS")
    assert result(hand).end is HandEnd.THROWN_IN
    return hand


# -- 3.14 what the service adds -----------------------------------------------------------------------

SINGLE_BY_HIDDEN_CARDS = frozenset({PhaseKind.REDEAL_CLAIM, PhaseKind.UPCARD_AUCTION, PhaseKind.PLAY})
FORCED_KINDS = frozenset({Kind.PASS, Kind.BID, Kind.TAKE_UP, Kind.STAY, Kind.PLAY})


@every_variant
def test_seat_is_asked_unless_public_information_leaves_one_answer(variant: Variant) -> None:
    """SRV-ASK-1, SRV-ASK-2, SRV-ASK-3: one option is offered only where hidden cards force it, forced answers only
    where the table says so, and the last trick is played without a question."""
    for hand, rng in random_hands(variant, "asked", 12):
        while hand.result is None:
            if len(hand.options()) == 1:
                assert hand.phase.kind in SINGLE_BY_HIDDEN_CARDS
                assert hand.phase.kind is not PhaseKind.PLAY or hand.cards_left > 1
            hand.apply(random_answer(hand.question(), rng))
        forced = [(seat, act) for seat, act, is_forced, _ in hand.events if is_forced]
        assert {act.kind for _, act in forced} <= FORCED_KINDS
        if result(hand).end is HandEnd.PLAYED:
            last = [(seat, act.card) for seat, act in forced if act.kind is Kind.PLAY]
            assert last == tricks_of(hand)[-1]


@every_variant
def test_default_is_the_first_option_lawful_and_never_a_renege(variant: Variant) -> None:
    """SRV-DEFAULT-1, SRV-DEFAULT-2: also with reneges about."""
    for hand, rng in random_hands(variant, "default", 12):
        while hand.result is None:
            default = hand.default()
            assert default is hand.options()[0]
            assert hand.refusal(default) is None
            assert not hand.is_renege(default)
            wrong = random_renege(hand, rng) if hand.phase.kind is PhaseKind.PLAY else None
            hand.apply(wrong or random_answer(hand.question(), rng))


def test_default_of_a_seat_that_names_blind_rests_on_nothing_it_may_not_know() -> None:
    """SRV-DEFAULT-2, GEN-INFO-1: the first suit in the order S C H D whatever the dealer holds."""
    for mine in ("AS KS QS JS TS", "AH KH QH JH TH"):
        assert repr(deal("british", upcard="X1", hands={0: mine}).default()) == "NAME_BLIND(S)"


def test_event_may_raise_the_award_of_a_renege() -> None:
    """SRV-RENEGE-2: a lone euchre of six among six hands, five in dealer-makes."""
    for name, worst in (("british-6p-33", 6), ("dealer-makes", 5)):
        variant = build(name, {"renege_award": worst + 1})
        hand = Hand(variant, variant.deck, 0)
        assert max(offence_result(hand, 0, HandEnd.RENEGE).points) == worst + 1


def test_games_whose_sides_last_one_hand_are_individual_games() -> None:
    """SRV-MIRROR-3: the set is as many legs as seats, and everybody sits everywhere once."""
    names = [name for name in PRESETS if name in ("cutthroat-3p", "napoleon") or name.startswith(("call-", "auction-"))]
    assert len(names) == 8
    for name in names:
        variant = build(name)
        assert is_individual(variant)
        entrants = tuple(f"bot{seat}" for seat in range(variant.seats))
        pairing = Pairing(0, variant, entrants, 1)
        assert pairing.legs == variant.seats
        for seat in range(variant.seats):
            assert {seating[seat] for seating in pairing.seatings(0)} == set(entrants)


def test_set_is_the_unit_that_is_counted_and_its_games_may_differ_in_length() -> None:
    """SRV-MIRROR-4."""

    def leg(number: int, seating: tuple[str, ...], points: tuple[int, int], hands: int) -> LegResult:
        return LegResult(
            night="n",
            pairing=0,
            variant="british",
            board=0,
            leg=number,
            legs=2,
            unit="games",
            seating=seating,
            sides=((0, 2), (1, 3)),
            points=points,
            end="rules",
            winners=(seating[0],),
            hands=hands,
        )

    first = leg(0, ("a", "b", "a", "b"), (11, 9), hands=12)
    second = leg(1, ("b", "a", "b", "a"), (11, 2), hands=7)
    assert sets_of([first]) == []
    (both,) = sets_of([first, second])
    assert both.legs == 2
    assert both.result("a", "b") == 0.5


def test_low_spades_as_jokers_leave_only_relabellings_that_fix_the_black_suits() -> None:
    """SRV-RELABEL-2."""
    assert parse_variant("british(joker_card=two-of-spades)").relabelings == ("SCHD", "SCDH")
    assert parse_variant("almonte-6p(almonte_jokers=low-spades)").relabelings == ("SCHD", "SCDH")
    assert parse_variant("almonte-4p(almonte_jokers=low-spades)").relabelings == ("SCHD",)
    for text in ("british(target=5,stick_dealer=on)", "british", "bid-euchre(no_trump_kinds=high-low)"):
        assert len(parse_variant(text).relabelings) == 8


RELABELLED = [
    *ALL,
    parse_variant("british(joker_card=two-of-spades)"),
    parse_variant("almonte-4p(almonte_jokers=low-spades)"),
]


@pytest.mark.parametrize("variant", RELABELLED, ids=lambda variant: variant.id)
def test_relabelled_game_is_the_same_under_new_names(variant: Variant) -> None:
    """SRV-RELABEL-1, SRV-RELABEL-3: renamed actions lead to the same result, but options are listed in the order of
    the new names, so NAME(S) is still named first."""
    for image in variant.relabelings:
        for hand, rng in random_hands(variant, f"relabel {image}", 3):
            twin = Hand(variant, relabel_deck(variant, hand.deck, image), hand.dealer)
            while hand.result is None:
                renamed = {rename(variant, act, image) for act in hand.options()}
                assert set(twin.options()) == renamed
                names = [act.strain for act in twin.options() if act.kind is Kind.NAME]
                assert names == sorted(names)
                answer = random_answer(hand.question(), rng)
                hand.apply(answer)
                twin.apply(rename(variant, answer, image))
            assert twin.result == hand.result


def rename(variant: Variant, act: Action, image: str) -> Action:
    jokers = variant.tables.jokers
    renamed = tuple(card if card in jokers else relabel_card(card, image) for card in act.cards)
    suit = SUITS.index(image[act.strain]) if act.strain < 4 else act.strain
    return action(act.kind, renamed, suit, act.bid, act.seat)


def test_every_seat_sees_every_public_event() -> None:
    """SRV-ASK-1: words and cards played are said to all."""
    hand, rng = next(random_hands(build("british"), "public", 1))
    play_randomly(hand, rng)
    for _, act, _, seers in hand.events:
        if act.kind in (Kind.PASS, Kind.ORDER_UP, Kind.NAME, Kind.PLAY, Kind.ALONE, Kind.NOT_ALONE):
            assert seers == EVERYBODY
