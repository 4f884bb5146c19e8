"""The parts without I/O: shuffles, clocks, and tables driven by hand at the speed of thought."""

from __future__ import annotations

import hashlib
import hmac
import math
import random
from collections import Counter

import pytest

from euchre.v1 import play_pb2
from referee.rules import PRESETS, Action, Kind, action, parse_variant, replay
from referee.service.clock import NEVER, Deadlines, Rate
from referee.service.outcome import FaultKind, GameEnd, TableResult, TableSpec
from referee.service.policy import Policy
from referee.service.shuffle import commitment, deck_for
from referee.service.stream import Instance, Status, Stream, info_from_hello
from referee.service.table import Table

SEED = bytes(range(32))


# -- shuffle -----------------------------------------------------------------------------------------


def deck_by_the_page(seed: bytes, variant_text: str, match: str, board: int, redeal: int) -> list[int]:
    """Deal as the page of shuffle.py says, written a second time and with numbers of the wire."""
    cards = [card + 1 for card in parse_variant(variant_text).deck]
    stream = b""
    for block in range(200):
        message = f"{match}/{board}.{redeal}/{block}".encode()
        stream += hmac.new(seed, message, hashlib.sha256).digest()
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    for i in reversed(range(1, len(cards))):
        k = i + 1
        while words[0] >= k * (2**32 // k):
            words.pop(0)
        j = words.pop(0) % k
        cards[i], cards[j] = cards[j], cards[i]
    return [card - 1 for card in cards]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deck_follows_from_the_seed_as_the_page_says(preset: str) -> None:
    variant = parse_variant(preset)
    for board, redeal in ((0, 0), (7, 0), (7, 2), (123456, 0)):
        deck = deck_for(SEED, variant, "night/é", board, redeal)
        assert deck == deck_by_the_page(SEED, preset, "night/é", board, redeal)
        assert tuple(sorted(deck)) == variant.deck


def test_the_derivation_never_changes() -> None:
    """Published seeds must verify for ever: a changed deck is a broken promise."""
    deck = deck_for(SEED, parse_variant("standard"), "m", 0)
    digest = hashlib.sha256(bytes(deck)).hexdigest()
    assert digest == FIXED_DIGEST
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


FIXED_DIGEST = "29ba170fa06fca726d35054d00b6769bbb67ad3a6b63b49913a6a5bf0edc7383"


def test_decks_are_shuffled_and_no_deal_repeats() -> None:
    """KT-30, with its bounds of four standard deviations."""
    variant = parse_variant("standard")
    at_seat: Counter[tuple[int, int]] = Counter()
    turned: Counter[int] = Counter()
    deals = set()
    for board in range(10_000):
        deck = deck_for(SEED, variant, "kt30", board)
        deals.add(tuple(deck))
        for place in range(20):
            at_seat[deck[place], place // 5] += 1
        turned[deck[20]] += 1
    assert len(deals) == 10_000
    assert all(abs(count - 2083) <= 163 for count in at_seat.values())
    assert len(at_seat) == 96
    assert all(abs(count - 417) <= 80 for count in turned.values())


# -- clocks ------------------------------------------------------------------------------------------


class Timer:
    def __init__(self, name: str) -> None:
        self.name = name
        self.deadline = NEVER


def test_deadlines_come_in_order_and_only_the_last_one_set_counts() -> None:
    deadlines = Deadlines()
    first, second, third = Timer("a"), Timer("b"), Timer("c")
    deadlines.set(first, 5.0)
    deadlines.set(second, 3.0)
    deadlines.set(third, 3.0)
    deadlines.set(second, 4.0)
    assert deadlines.next() == 3.0
    assert deadlines.due(2.9) == []
    assert deadlines.due(4.0) == [third, second]
    deadlines.clear(first)
    assert deadlines.due(100.0) == []
    assert deadlines.next() == NEVER


def test_void_deadlines_do_not_pile_up() -> None:
    deadlines = Deadlines()
    timers = [Timer(str(number)) for number in range(50)]
    for turn in range(200_000):
        deadlines.set(timers[turn % 50], turn + 1e6)
    assert len(deadlines) < 3000
    assert len(deadlines.due(math.inf)) == 50


def test_a_rate_allows_a_burst_and_then_so_many_a_second() -> None:
    rate = Rate(10, 0.0)
    assert [rate.is_exceeded(0.0) for _ in range(12)] == [False] * 10 + [True] * 2
    assert not rate.is_exceeded(0.1)
    assert rate.is_exceeded(0.1)
    assert [rate.is_exceeded(100.0) for _ in range(11)] == [False] * 10 + [True]


def test_a_stream_rests_after_unusable_replies_and_not_for_long() -> None:
    stream = Stream(Policy(pause_after_illegal_seconds=0.02), 0.0, wake=lambda: None, end=lambda: None)
    assert stream.take_pause() == 0.0
    stream.offences = 3
    assert stream.take_pause() == pytest.approx(0.06)
    assert stream.take_pause() == 0.0
    stream.offences = 1000
    assert stream.take_pause() == 0.25


def test_output_that_nobody_reads_is_bounded_and_the_stream_ends() -> None:
    """KT-47."""
    policy = Policy(max_unread_bytes=1 << 14)
    ends: list[object] = []
    stream = Stream(policy, 0.0, wake=lambda: None, end=lambda: ends.append(stream.failure))
    instance = Instance("deaf", policy, Deadlines())
    hello = play_pb2.BotFrame(hello=play_pb2.Hello(protocol_version=1))
    instance.come(stream, info_from_hello(hello, policy), 0.0)
    stream.is_writing = True  # the first frame is on the way, and stays there
    for _ in range(1000):
        instance.tell(bytes(100))
    assert len(ends) == 1
    assert stream.failure is not None
    assert stream.failure.status is Status.RESOURCE_EXHAUSTED
    assert "wait unread, the limit is 16384" in stream.failure.sentence
    assert len(instance.take_frame(0.0)) < 2 << 14


def test_a_request_waits_for_company_only_while_most_others_are_out() -> None:
    instance = Instance("a", Policy(), Deadlines())
    hello = play_pb2.BotFrame(hello=play_pb2.Hello(protocol_version=1))
    stream = Stream(Policy(), 0.0, wake=lambda: None, end=lambda: None)
    instance.come(stream, info_from_hello(hello, Policy()), 0.0)
    assert not instance.expects_company, "a welcome waits for nothing"
    tables = [open_table("standard", match=f"w{number}") for number in range(4)]
    for place, table in enumerate(tables):
        assert table.question is not None
        instance.ask(table.question, 0.0)
        if place == 2:
            assert instance.take_frame(0.0)
    assert instance.expects_company, "three are out, one waits"
    for decision_id in (1, 2):
        del instance.open[decision_id]
    assert not instance.expects_company, "one is out, one waits"
    instance.take_frame(0.0)
    alone = Instance("b", Policy(), Deadlines())
    question = open_table("standard").question
    assert question is not None
    alone.ask(question, 0.0)
    assert not alone.expects_company, "a bot with one table never waits"


# -- tables ------------------------------------------------------------------------------------------


def open_table(text: str, policy: Policy | None = None, *, plays_game: bool = False, match: str = "t") -> Table:
    variant = parse_variant(text)
    spec = TableSpec(
        variant=variant,
        instances=tuple("abcdefgh"[: variant.seats]),
        first_dealer=0,
        deck=lambda board, redeal: deck_for(SEED, variant, match, board, redeal),
        plays_game=plays_game,
    )
    table = Table(1, spec, policy or Policy(), list(range(1, variant.seats + 1)))
    table.open()
    return table


def check_result(text: str, table: Table) -> TableResult:
    """Check what must hold of every result, however it came about."""
    result = table.result
    assert result is not None
    assert table.question is None
    variant = parse_variant(text)
    totals: tuple[int, ...] | None = None
    for record in result.hands:
        asked = [done.action for done in record.actions if not done.forced]
        hand = replay(variant, record.deck, record.dealer, asked, totals)
        assert hand.result == record.result
        assert len(hand.events) == len(record.actions)
        totals = record.totals
        for done in record.actions:
            assert not (done.forced and (done.fault or done.milliseconds))
    assert totals == result.totals
    strikes: Counter[int] = Counter()
    for fault in result.faults:
        if fault.kind in (FaultKind.TIMEOUT, FaultKind.ILLEGAL):
            strikes[variant.side_of[fault.seat]] += 1
        assert fault.kind is not FaultKind.STALE
    assert (result.end is GameEnd.FORFEIT) == bool(result.forfeited)
    assert (result.end is GameEnd.FORFEIT) == any(fault.kind is FaultKind.FORFEIT for fault in result.faults)
    assert not set(result.winners) & set(result.forfeited)
    return result


@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_survives_every_mixture_of_answers_and_faults(preset: str) -> None:
    rng = random.Random(preset)
    ends = set()
    for run in range(25):
        policy = Policy(strikes=rng.choice((1, 3, 1000)), bank_seconds=rng.choice((0.0, 2.0)), max_hands=12)
        table = open_table(preset, policy, plays_game=rng.random() < 0.5, match=f"m{run}")
        told: Counter[int] = Counter()
        faulty = rng.choice((0.0, 0.02, 0.3))
        steps = 0
        while table.question is not None:
            steps += 1
            question = table.question
            table.request_bytes(question, steps)
            chance = rng.random()
            if chance > faulty:
                if rng.random() < 0.1:
                    hand_card = rng.choice(parse_variant(preset).deck)
                    table.answer(action(Kind.PLAY, (hand_card,)), rng.random())
                else:
                    table.answer(rng.randrange(len(question.options)), rng.random() * 1.5, "note", 0.5)
            elif chance < faulty * 0.3:
                table.time_out()
            elif chance < faulty * 0.6:
                table.refuse("nonsense", 0.1)
            elif chance < faulty * 0.9:
                table.play_default_for_lost(0.0, rng.choice(("", "the stream was lost")))
            elif rng.random() < 0.02:
                table.stop()
            else:
                table.answer(99, 0.0)
        for _, notice in table.notices:
            kind = play_pb2.Notice.FromString(notice).WhichOneof("notice")
            assert kind is not None
            told[kind == "game_ended"] += 1
        result = check_result(preset, table)
        assert told[True] == parse_variant(preset).seats
        assert sum(result.decisions) >= sum(not done.forced for hand in result.hands for done in hand.actions)
        ends.add(result.end)
    assert len(ends) > 2


def test_no_question_follows_the_end_in_whatever_order_things_arrive() -> None:
    """KT-38: the last answer, a time-out and a stop in the same instant."""
    for order in (("answer", "stop"), ("time_out", "stop"), ("stop", "stop")):
        table = open_table("two-handed", Policy(strikes=1))
        for what in order:
            if what == "answer":
                while table.question is not None:
                    table.answer(0, 0.0)
            elif what == "time_out":
                table.time_out()
            else:
                table.stop()
        assert table.question is None
        assert sum(play_pb2.Notice.FromString(notice).HasField("game_ended") for _, notice in table.notices) == 2
        with pytest.raises(AssertionError, match="no question is open"):
            table.answer(0, 0.0)


def test_the_bank_pays_the_excess_alone() -> None:
    table = open_table("standard", Policy(decision_seconds=1.0, bank_seconds=2.0))
    for seconds in (0.2, 0.9, 1.0, 1.5):  # seats 1, 2, 3, 0
        assert table.question is not None
        assert table.question.extra_seconds == 2.0
        table.answer(0, seconds)
    for bank, seconds in ((2.0, 2.5), (2.0, 3.0), (2.0, 0.0), (1.5, 0.0)):
        assert table.question is not None
        assert table.question.extra_seconds == pytest.approx(bank)
        table.answer(0, seconds)
    assert table._banks == pytest.approx([1.5, 0.5, 0.0, 2.0])


def test_a_redeal_that_is_claimed_for_ever_is_adjudicated() -> None:
    """RED-4 has no bound of its own; max_hands is one."""
    variant = parse_variant("standard(redeal_farmers_hand=on)")
    table = None
    for board in range(2000):
        table = Table(
            1,
            TableSpec(
                variant=variant,
                instances=("a",) * 4,
                first_dealer=0,
                deck=lambda _, __, board=board: deck_for(SEED, variant, "farmer", board),  # type: ignore[misc]
            ),
            Policy(max_hands=5),
            [1, 2, 3, 4],
        )
        table.open()
        while table.question is not None and table.question.options[0].kind is Kind.NO_CLAIM:
            table.answer(len(table.question.options) - 1, 0.0)
        if table.result is not None:
            break
    assert table is not None
    assert table.result is not None
    assert table.result.end is GameEnd.HAND_LIMIT
    assert len(table.result.hands) == 5


def test_every_action_can_be_spelled_out() -> None:
    """What an index says, its action says too."""
    for preset in PRESETS:
        by_index, by_action = open_table(preset), open_table(preset)
        rng = random.Random(preset)
        while by_index.question is not None:
            assert by_action.question is not None
            chosen: Action = rng.choice(by_index.question.options)
            by_index.answer(by_index.question.options.index(chosen), 0.0)
            by_action.answer(chosen, 0.0)
        assert by_index.result == by_action.result
