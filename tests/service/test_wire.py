"""Messages and rules values: what is joined from parts is what protobuf would have made."""

from __future__ import annotations

import random

import pytest
from google.protobuf.message import DecodeError

from euchre.v1 import actions_pb2, play_pb2
from referee.rules import PLAY, PRESETS, PhaseKind, parse_variant
from referee.rules.hand import Hand
from referee.service import wire


def random_hands(preset: str, seed: int, count: int) -> list[Hand]:
    """Return fresh hands of a preset with shuffled decks and totals that are not the starting ones."""
    rng = random.Random(f"{preset}/{seed}")
    variant = parse_variant(preset)
    hands = []
    for _ in range(count):
        deck = list(variant.deck)
        rng.shuffle(deck)
        totals = [rng.randrange(-300, 300) for _ in variant.sides]
        hands.append(Hand(variant, deck, rng.randrange(variant.seats), totals))
    return hands


@pytest.mark.parametrize("preset", PRESETS)
def test_requests_joined_from_parts_are_those_of_protobuf_byte_for_byte(preset: str) -> None:
    rng = random.Random(preset)
    seen = set()
    seats = range(parse_variant(preset).seats)
    requests = wire.Requests([7 + 200 * seat for seat in seats], parse_variant(preset))
    for number, hand in enumerate(random_hands(preset, 1, 30)):
        decision_id = rng.choice([1, 127, 128, 16383, 16384, 1 << 40])
        while not hand.is_over:
            question = hand.question()
            seen.add(question.phase)
            bank = rng.choice([0, 5, 60_000])
            built = requests.build(
                hand,
                number,
                decision_id,
                question.options,
                question.choice,
                wire.limits_bytes(1000, bank),
            )
            plain = wire.decision_request(
                hand,
                number,
                table_id=7 + 200 * hand.actor,
                decision_id=decision_id,
                limit_milliseconds=1000,
                bank_milliseconds=bank,
            )
            assert built == plain.SerializeToString(deterministic=True)
            hand.apply(rng.choice(hand.options()))
    assert PhaseKind.PLAY in seen
    assert len(seen) > 1 or preset == "standard"


def test_a_frame_joined_from_parts_reads_as_the_frame() -> None:
    welcome = play_pb2.RefereeFrame(welcome=play_pb2.Welcome(protocol_version=1))
    notices = [wire.table_opened_notice(3, parse_variant("standard"), 2), wire.fault_notice(6, "x" * 300)]
    requests = [play_pb2.DecisionRequest(decision_id=9, variant="v" * 200).SerializeToString(), b""]
    frame = play_pb2.RefereeFrame.FromString(wire.frame_bytes(welcome.SerializeToString(), notices, requests))
    assert frame.welcome.protocol_version == 1
    assert [notice.WhichOneof("notice") for notice in frame.notices] == ["table_opened", "fault"]
    assert [request.decision_id for request in frame.requests] == [9, 0]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_reveal_joined_from_parts_is_that_of_protobuf_byte_for_byte(preset: str) -> None:
    rng = random.Random(preset)
    for number, hand in enumerate(random_hands(preset, 4, 10)):
        stop_after = rng.choice([3, 1000])
        while not hand.is_over and len(hand.events) < stop_after:
            hand.apply(rng.choice(hand.options()))
        points = [rng.randrange(-9, 200) for _ in hand.variant.sides]
        message = wire.hand_ended_message(number, hand, hand.result, points, hand.totals)
        body = wire.hand_ended_bytes(number, hand, hand.result, points, hand.totals)
        assert body == message.SerializeToString(deterministic=True)


def test_a_reveal_after_a_renege_names_the_offender() -> None:
    hand = random_hands("standard(renege=immediate)", 2, 1)[0]
    while hand.phase.kind is not PhaseKind.PLAY:
        hand.apply(hand.default())
    while not hand.is_over:
        held = [PLAY[card] for card in hand.hands[hand.actor]]
        hand.apply(next((act for act in held if hand.is_renege(act)), hand.default()))
    assert hand.result is not None
    message = wire.hand_ended_message(0, hand, hand.result, hand.result.points, (0, 4))
    assert message.HasField("offender")
    assert wire.hand_ended_bytes(0, hand, hand.result, hand.result.points, (0, 4)) == message.SerializeToString()


def test_notices_to_several_seats_differ_in_the_table_alone() -> None:
    ended = wire.game_ended_message(2, (3, -1), (0,))
    for table_id, notice in zip(
        (0, 9, 400), wire.game_ended_notices(ended.SerializeToString(), (0, 9, 400)), strict=True
    ):
        read = play_pb2.Notice.FromString(notice).game_ended
        assert read.table_id == table_id
        read.table_id = 0
        assert read == ended
    hand = play_pb2.HandEnded(hand=3)
    (notice,) = wire.hand_ended_notices(hand.SerializeToString(), (70000,))
    assert play_pb2.Notice.FromString(notice).hand_ended == play_pb2.HandEnded(hand=3, table_id=70000)


def test_an_empty_reply_is_no_choice_and_index_zero_is_one() -> None:
    """KT-33."""
    with pytest.raises(wire.MalformedAction, match="without a choice"):
        wire.choice_from_reply(play_pb2.Reply(decision_id=1))
    assert wire.choice_from_reply(play_pb2.Reply(decision_id=1, option=0)) == 0


def test_a_note_that_is_no_text_is_dropped_and_the_reply_is_read() -> None:
    """KT-39."""
    replies = [play_pb2.Reply(decision_id=1 << 63, option=3, note="fine"), play_pb2.Reply(decision_id=7, note="XY")]
    replies[1].action.kind = 3  # type: ignore[assignment]
    frame = play_pb2.BotFrame(replies=replies, pong=play_pb2.Ping(nonce=5))
    spoiled = frame.SerializeToString().replace(b"XY", b"\xff\xfe")
    with pytest.raises(DecodeError):
        play_pb2.BotFrame.FromString(spoiled)
    read = wire.bot_frame(spoiled)
    assert [reply.note for reply in read.replies] == ["fine", "\N{REPLACEMENT CHARACTER}" * 2]
    read.replies[1].note = "XY"
    assert read == frame
    with pytest.raises(DecodeError):
        wire.bot_frame(b"\xff\xff")


def test_every_action_of_random_games_returns_from_its_message() -> None:
    rng = random.Random(5)
    for preset in PRESETS:
        for hand in random_hands(preset, 3, 3):
            while not hand.is_over:
                act = rng.choice(hand.options())
                assert wire.action_from_message(wire.action_to_message(act)) is act
                hand.apply(act)


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (actions_pb2.Action(), "kind 0 is unknown"),
        (actions_pb2.Action(kind=999), "kind 999 is unknown"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=42), "PLAY needs cards"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=42, cards=[0]), "card 0"),  # type: ignore[arg-type,list-item]
        (actions_pb2.Action(kind=42, cards=[56]), "card 56"),  # type: ignore[arg-type,list-item]
        (actions_pb2.Action(kind=42, cards=[1] * 17), "17 cards"),  # type: ignore[arg-type,list-item]
        (actions_pb2.Action(kind=3, cards=[1]), "PASS takes no cards"),  # type: ignore[arg-type,list-item]
        (actions_pb2.Action(kind=3, seat=0), "PASS takes no seat"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=10), "NAME needs strain"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=10, strain=7), "strain 7"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=16), "BID needs bid"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=16, bid=actions_pb2.Bid(name=99)), "bid name 99"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=16, bid=actions_pb2.Bid(name=1)), "bid NUMBER with number 0"),  # type: ignore[arg-type]
        (actions_pb2.Action(kind=20, strain=1), "NO_ASK takes no strain"),  # type: ignore[arg-type]
    ],
)
def test_a_malformed_action_is_refused_with_the_reason(message: actions_pb2.Action, complaint: str) -> None:
    with pytest.raises(wire.MalformedAction, match=complaint):
        wire.action_from_message(message)
