"""The kit agrees with the rules: scores, tricks, what can be known, and sets of cards."""

from __future__ import annotations

from collections import Counter

import pytest

from euchre.v1 import actions_pb2, play_pb2
from euchre_kit import Bot, Knowledge, Variant, card_sets, number_of_sets, set_at
from euchre_kit.bot import as_reply, decision_key
from euchre_kit.cards import CARD_NAMES, card_name, card_number, card_numbers, rank, suit
from euchre_kit.scoring import Outline, hand_points
from euchre_kit.simulator import Table, coding
from referee.rules import PRESETS, HandEnd, build, format_card
from referee.rules.cards import NOBODY
from referee.service import wire
from tests.bots_python.in_process import described, random_action, random_hands

HANDS = 40


def test_card_names_are_those_of_the_rules() -> None:
    assert [card_name(card) for card in range(1, 56)] == [format_card(card - 1) for card in range(1, 56)]
    assert card_numbers("AS 9d x1") == [card_number("AS"), card_number("9D"), card_number("X1")]
    assert (suit(card_number("TH")), rank(card_number("TH"))) == (3, 10)
    assert (suit(card_number("X2")), rank(card_number("X2"))) == (0, 0)
    assert len(CARD_NAMES) == 56
    with pytest.raises(ValueError, match="is no card"):
        card_number("1S")


@pytest.mark.parametrize("preset", PRESETS)
def test_points_computed_from_the_description_are_the_referees(preset: str) -> None:
    """RULES.md 3.9, 3.11 and the presets' tables, over random hands."""
    rules = build(preset)
    variant = described(rules)
    scored = 0
    for hand, _, rng in random_hands(rules, HANDS, preset):
        while not hand.is_over:
            hand.apply(random_action(hand, rng))
        result = hand.result
        assert result is not None
        if result.end is not HandEnd.PLAYED:
            continue
        scored += 1
        outline = Outline(
            maker=hand.maker,
            makers=result.makers,
            active=hand.active,
            lone_maker=hand.lone_maker,
            lone_defender=hand.lone_defender,
            rung=variant.rung(wire.bid_to_message(hand.contract.bid)) if hand.bidder != NOBODY else None,
            cards_received=hand.cards_received,
        )
        assert tuple(hand_points(variant, outline, result.tricks)) == result.points
    assert scored > HANDS // 4


@pytest.mark.parametrize("preset", PRESETS)
def test_knowledge_never_excludes_what_is_true(preset: str) -> None:
    """GEN-INFO-1: cards that others hold are possible; counts and tricks left are exact."""
    rules = build(preset)
    variant = described(rules)
    for hand, requests, rng in random_hands(rules, HANDS, preset):
        while not hand.is_over:
            request = requests.next()
            knowledge = Knowledge(request, variant)
            is_play = hand.phase.kind.name == "PLAY"
            for seat, cards in enumerate(hand.hands):
                if seat == hand.actor or seat in hand.out or hand.blind_seat == hand.actor:
                    continue
                # A taker of the upcard may have thrown it away; only chance does that.
                assert all(knowledge.may_hold(seat, card + 1) for card in cards), hand.describe()
                assert not is_play or knowledge.counts[seat] == len(cards)
            if is_play:
                assert knowledge.tricks_left == hand.cards_left
                assert not knowledge.unseen - Counter(variant.copies)
            hand.apply(random_action(hand, rng))


@pytest.mark.parametrize("preset", PRESETS)
def test_simulated_tricks_are_the_referees(preset: str) -> None:
    """PLAY-2 to PLAY-4, CARD-DUP-1, -2: the same cards are lawful and the same seat wins every trick."""
    rules = build(preset)
    variant = described(rules)
    for hand, _, rng in random_hands(rules, HANDS, preset):
        while not hand.is_over and hand.phase.kind.name != "PLAY":
            hand.apply(random_action(hand, rng))
        while not hand.is_over and (hand.strain > 5 or hand.trick):
            hand.apply(random_action(hand, rng))  # the lead that makes trump (NAP-TRUMP-1)
        if hand.is_over:
            continue
        code = coding(variant, hand.strain + 1)
        masks, used = [], 0
        for seat, cards in enumerate(hand.hands):
            mask = 0
            for card in cards if seat in hand.active else ():
                bit = next(bit for bit in code.bits[card + 1] if not used & bit)
                used |= bit
                mask |= bit
            masks.append(mask)
        table = Table(code, masks, hand.active, variant.side_of, hand.actor)
        before = list(hand.tricks_won)
        while not hand.is_over:
            assert table.turn == hand.actor
            assert set(code.cards(table.legal())) == {act.card + 1 for act in hand.options()}
            act = random_action(hand, rng)
            hand.apply(act)
            table.play(next(bit for bit in code.bits[act.card + 1] if bit & table.hands[table.turn]))
            if hand.is_over:
                while table.hands[table.turn]:
                    table.play(table.hands[table.turn])
        assert [won - old for won, old in zip(hand.tricks_won, before, strict=True)] == table.won


def test_sets_of_cards_are_counted_and_found_by_number() -> None:
    """SRV-ORDER-2."""
    choice = play_pb2.CardChoice(kind=actions_pb2.ACTION_KIND_SWAP, minimum=1, maximum=3)
    choice.cards.extend(card_numbers("8S 9S TS JS QS"))  # type: ignore[arg-type]
    sets = list(card_sets(choice))
    assert number_of_sets(choice) == len(sets) == 25
    assert [set_at(choice, index) for index in range(25)] == sets
    with pytest.raises(IndexError):
        set_at(choice, 25)


def test_answers_become_replies() -> None:
    request = play_pb2.DecisionRequest(decision_id=7, options=[actions_pb2.Action(kind=3), actions_pb2.Action(kind=4)])  # type: ignore[arg-type]
    first = as_reply(0, request)
    assert (first.decision_id, first.WhichOneof("choice")) == (7, "option")
    spelled = as_reply(request.options[1], request)
    assert (spelled.decision_id, spelled.action.kind) == (7, 4)
    assert as_reply(play_pb2.Reply(option=1, note="sure"), request).decision_id == 7
    for wrong in (None, 2, -1, "pass"):
        with pytest.raises(TypeError, match="decide returned"):
            as_reply(wrong, request)


class Opinions(Bot):
    """Has an opinion on one phase."""

    def play(self, request: play_pb2.DecisionRequest, variant: Variant) -> int:
        return 1


def test_phases_without_a_method_fall_through_to_the_default() -> None:
    variant = described(build("standard"))
    bot = Opinions()
    options = [actions_pb2.Action(kind=3), actions_pb2.Action(kind=4)]  # type: ignore[arg-type]
    assert bot.decide(play_pb2.DecisionRequest(phase=17, options=options), variant) == 1  # type: ignore[arg-type]
    assert bot.decide(play_pb2.DecisionRequest(phase=3, options=options), variant) == 0  # type: ignore[arg-type]


def test_chance_follows_from_the_question_alone() -> None:
    """The same question gets the same chance, whatever was asked in between; another seed another one."""
    rules = build("standard")
    keys: dict[int, list[bytes]] = {}
    for hand, requests, rng in random_hands(rules, 20, "chance"):
        while not hand.is_over:
            request = requests.next()
            again = play_pb2.DecisionRequest.FromString(request.SerializeToString())
            again.decision_id += 1000
            again.table_id += 5
            key = decision_key(5, request)
            assert decision_key(5, again) == key
            assert decision_key(6, request) != key
            keys.setdefault(key, []).append(request.SerializeToString())
            hand.apply(random_action(hand, rng))
    assert all(len(found) == 1 for found in keys.values())
