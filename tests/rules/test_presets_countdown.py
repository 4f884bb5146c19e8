"""The games that count down (docs/rules.md 4.21 to 4.23): what no worked example states."""

from __future__ import annotations

import pytest

from referee.rules import (
    NOBODY,
    ActionRefused,
    Game,
    HandEnd,
    Kind,
    PhaseKind,
    build,
    parse_action,
)
from tests.rules.table import (
    asked_in,
    cards,
    deal,
    default_until,
    may,
    may_in_order,
    play_randomly,
    random_hands,
    result,
    say,
    strain,
)

COUNTDOWN = ["buck", "dirty-clubs", "dirty-clubs-3p"]


def test_seats_are_individuals() -> None:
    """BUCK-SEAT-1, DC3-DECK-1."""
    assert build("buck").sides == build("dirty-clubs").sides == ((0,), (1,), (2,), (3,))
    assert build("dirty-clubs-3p").sides == ((0,), (1,), (2,))


def test_buck_is_dealt_in_packets_with_three_cards_left() -> None:
    """BUCK-DECK-1, DEAL-PAT-1."""
    variant = build("buck")
    hand = deal("buck", upcard="9H")
    assert (len(variant.deck), variant.kitty, len(hand.undealt)) == (24, 3, 3)
    assert hand.dealt[1] == (*hand.deck[0:3], *hand.deck[12:14])


@pytest.mark.parametrize("name", ["buck", "dirty-clubs"])
def test_club_turned_up_is_trump_and_everybody_is_in(name: str) -> None:
    """BUCK-TRUMP-1, DC-TRUMP-1: no auction, no maker, no pick-up, no dropping; each needs a trick."""
    hand = deal(name, upcard="JC")
    assert (strain(hand), hand.maker, hand.phase.kind, hand.actor) == ("C", NOBODY, PhaseKind.PLAY, 1)
    with pytest.raises(ActionRefused):
        hand.apply(parse_action("DROP"))
    played = result(default_until(hand))
    assert played.makers == ()
    assert list(played.points) == [-tricks if tricks else 5 for tricks in played.tricks]


def test_buck_seat_that_drops_neither_wins_nor_loses() -> None:
    """BUCK-DROP-1, BUCK-TRUMP-2: asked from the maker's left; in round 2 clubs may be named."""
    hand = say(deal("buck", upcard="9H"), "1, 2, 3 PASS", "0 TURN_DOWN", "1, 2 PASS")
    assert may_in_order(hand) == ["PASS", "NAME(S)", "NAME(C)", "NAME(D)"]
    say(hand, "3 NAME(C)")
    assert hand.discards == []
    assert (hand.phase.kind, hand.actor) == (PhaseKind.DROP_OUT, 0)
    say(hand, "0 DROP", "1 STAY", "2 DROP")
    played = result(default_until(hand))
    assert played.points[0] == played.points[2] == 0
    assert played.tricks[1] + played.tricks[3] == 5


@pytest.mark.parametrize("name", COUNTDOWN)
def test_points_are_subtracted_trick_by_trick_or_five_added(name: str) -> None:
    """BUCK-SCORE-1, BUCK-SCORE-2, BUCK-SCORE-3, DC-SCORE-1, DC3-SCORE-1, BUCK-DROP-1: played hands."""
    variant = build(name)
    assert (variant.target, variant.counts_down) == ({"buck": 25, "dirty-clubs": 20, "dirty-clubs-3p": 15}[name], True)
    seen = set()
    for hand, rng in random_hands(variant, "countdown", 120):
        played = play_randomly(hand, rng)
        assert played.end is HandEnd.PLAYED  # all pass: NT with everybody in, never thrown in
        for seat, (tricks, points) in enumerate(zip(played.tricks, played.points, strict=True)):
            if seat not in hand.active:
                assert (tricks, points) == (0, 0)
                seen.add("dropped")
            elif seat == hand.maker:
                owed = 3 if name == "buck" else hand.contract.bid.number
                assert points == (-tricks if tricks >= owed else 5)
                seen.add(f"maker {tricks >= owed}")
            else:
                assert points == (-tricks if tricks else 5)
                seen.add(f"other {tricks > 0}")
        assert sum(played.tricks) == variant.hand_size
    assert seen == {"dropped", "maker True", "maker False", "other True", "other False"}


@pytest.mark.parametrize("name", COUNTDOWN)
def test_lowest_total_at_nothing_or_below_wins_and_equals_play_on(name: str) -> None:
    """BUCK-END-1, BUCK-END-2, BUCK-END-3, DC-END-1, DC3-END-1: five tricks win at once but in the three-hand game."""
    variant = build(name)
    ends = set()
    for dealt, rng in random_hands(variant, "low", 200):
        totals = [rng.randint(-1, 4) if rng.random() < 0.7 else 20 for _ in variant.sides]
        game = Game(variant, dealt.dealer, totals=totals)
        hand = game.deal(dealt.deck)
        played = play_randomly(hand, rng)
        game.finish_hand(played)
        after = [total + points for total, points in zip(totals, played.points, strict=True)]
        there = [total for total in after if total <= 0]
        winner = None
        if there and after.count(min(there)) == 1:
            winner = after.index(min(there))
        if 5 in played.tricks and name != "dirty-clubs-3p":
            winner = played.tricks.index(5)
            ends.add("at once")
        ends.add("equal" if there and winner is None else "won" if winner is not None else "on")
        assert (None if game.outcome is None else game.outcome.winners[0]) == winner
    assert ends == {"equal", "won", "on"} | ({"at once"} if name != "dirty-clubs-3p" else set())


def test_all_tricks_of_the_three_hand_game_only_count() -> None:
    """DC3-END-1, DC3-SCORE-1: six tricks are six points, no instant win."""
    mine = "JS JC AS KS QS TS"
    hand = say(deal("dirty-clubs-3p", hands={1: mine}), "2, 0, 1 KEEP_HAND", "1 BID(6)")
    say(hand, "1 CHOOSE(S)", "2, 0 STAY")
    game = Game(hand.variant)
    game.finish_hand(result(default_until(hand)))
    assert (game.totals, game.outcome) == ((20, 9, 20), None)


def test_five_tricks_win_dirty_clubs_at_once() -> None:
    """DC-END-1, BUCK-END-3: whatever the totals, maker or not."""
    hand = say(deal("dirty-clubs", upcard="9H", hands={1: "JS JC AS KS QS"}, totals=[1, 20, 1, 1]), "1 BID(5)")
    say(hand, "1 CHOOSE(S)", "1 LEAVE_UPCARD", "2, 3, 0 STAY")
    game = Game(hand.variant, totals=[1, 20, 1, 1])
    game.finish_hand(result(default_until(hand)))
    assert game.outcome is not None
    assert game.outcome.winners == (1,)


def test_defender_who_takes_all_tricks_wins_buck_at_once() -> None:
    """BUCK-END-3: the seat is not the maker."""
    hand = say(deal("buck", upcard="9H", hands={2: "JH JD AH KH QH", 1: "9S TS 9D TD 9C"}), "1 ORDER_UP")
    hand.apply(hand.default())
    say(hand, "2, 3, 0 STAY")
    played = result(default_until(hand))
    assert played.tricks[2] == 5
    assert played.instant_winner == 2
    assert played.points[1] == 5


def test_dirty_clubs_maker_may_leave_the_upcard_and_dropping_follows_no_trump_too() -> None:
    """DC-PICK-1, DC-DROP-1, DC-STRAIN-1, DC-LEAD-1."""
    hand = say(deal("dirty-clubs", upcard="9H"), "1 PASS", "2 BID(3)", "3, 0 PASS", "2 CHOOSE(NT)", "2 LEAVE_UPCARD")
    assert "9H" not in cards(hand, 2)
    assert asked_in(hand.clone(), PhaseKind.DROP_OUT) == [3, 0, 1]
    say(hand, "3 DROP", "0 DROP", "1 STAY")
    assert (hand.active, hand.actor) == ((1, 2), 2)


def test_three_hand_widow_is_taken_unseen_and_nobody_else_sees_the_hand_laid_down() -> None:
    """DC3-WID-1, DC3-AUC-1, DC3-DECK-1: the first who swaps ends the phase; all pass: NT, everybody in."""
    hand = deal("dirty-clubs-3p", undealt={"widow": "9D TD JD QD KD AD"}, dealer=1)
    assert hand.actor == 0  # the dealer's right
    old = cards(hand, 0)
    say(hand, "0 TAKE_HAND")
    assert cards(hand, 0) == {"9D", "TD", "JD", "QD", "KD", "AD"}
    assert not cards(hand, 0) & old
    assert (hand.phase.kind, hand.actor) == (PhaseKind.BID_AUCTION, 2)
    say(hand, "2, 0, 1 PASS")
    assert (strain(hand), hand.maker, hand.phase.kind, hand.actor) == ("NT", NOBODY, PhaseKind.PLAY, 2)
    assert len(may(hand)) == 6


def test_seat_with_few_points_is_not_asked_to_drop() -> None:
    """DC3-DROP-1: five or fewer."""
    for points, asked in ((5, [0]), (6, [2, 0]), (-3, [0]), (15, [2, 0])):
        hand = say(deal("dirty-clubs-3p", totals=[15, 15, points]), "2, 0, 1 KEEP_HAND", "1 BID(6)", "1 CHOOSE(S)")
        assert asked_in(hand, PhaseKind.DROP_OUT) == asked
        assert not any(act.kind is Kind.DROP for _, act, _, _ in hand.events)
