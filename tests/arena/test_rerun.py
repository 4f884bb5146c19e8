"""One recorded decision, put to a real bot over the real wire."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.errors import OperatorError
from arena.journal import LegRecord, read_legs
from arena.rerun import decision_lines, decisions_of, rerun, rerun_lines, table_at
from euchre.v1 import play_pb2
from referee.rules import parse_variant
from referee.service.outcome import TableSpec
from referee.service.policy import Policy
from referee.service.shuffle import deck_for
from referee.service.table import Table
from tests.arena.journal_factory import SEED, answer_at_random, seatings_of, write_journal

WHERE: dict[str, Any] = {"pairing": 0, "board": 0, "leg": 0}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_journal(tmp_path_factory.mktemp("rerun") / "j", ["standard"], 1, unit="games", close=True)


_BOT = """\
import os, queue, sys
import grpc
from euchre.v1 import play_pb2, referee_pb2_grpc

frames = queue.SimpleQueue()
hello = play_pb2.Hello(protocol_version=1, name="test", token=os.environ["EUCHRE_TOKEN"])
frames.put(play_pb2.BotFrame(hello=hello))
channel = grpc.insecure_channel(os.environ["EUCHRE_ADDRESS"])
opened = 0
for frame in referee_pb2_grpc.RefereeServiceStub(channel).Play(iter(frames.get, None)):
    opened += sum(notice.HasField("table_opened") for notice in frame.notices)
    for request in frame.requests:
        reply = play_pb2.Reply(decision_id=request.decision_id)
        BODY
        frames.put(play_pb2.BotFrame(replies=[reply]))
    if frame.HasField("goodbye"):
        frames.put(None)
"""


def _bot(tmp_path: Path, body: str) -> list[str]:
    """Return the command of a bot that does *body* with every ``request``; it answers with ``reply``."""
    path = tmp_path / "bot.py"
    path.write_text(_BOT.replace("BODY", body))
    return [sys.executable, str(path)]


@pytest.mark.parametrize("variant", ["standard", "bid-us-48-widow", "cutthroat-3p", "dealer-makes"])
def test_the_request_is_the_one_that_was_sent_then(variant: str) -> None:
    """Byte for byte, but for the numbers of table and decision and the time left in a bank."""
    game = parse_variant(variant)
    seating = seatings_of(game, 0, "boards", "n")[0]
    policy = Policy(bank_seconds=30.0)
    spec = TableSpec(
        variant=game,
        instances=seating.instances,
        first_dealer=0,
        deck=lambda board, redeal: deck_for(SEED, game, "n", board, redeal),
        first_board=3,
    )
    rng = random.Random(4)
    table = Table(77, spec, policy, [5] * game.seats)
    table.open()
    sent: list[bytes] = []
    while table.question is not None:
        sent.append(table.request_bytes(table.question, 1000 + len(sent)))
        answer_at_random(table, table.question, rng, 0.05)
    assert table.result is not None
    leg = LegRecord.of(seating, 3, table.result)
    decisions = decisions_of(leg, 0)
    assert len(decisions) >= len(sent) - bool(leg.forfeited)
    for decision, payload in zip(decisions, sent, strict=True):
        again = table_at(leg, 0, decision.number, policy)
        assert again.question is not None
        now = play_pb2.DecisionRequest.FromString(again.request_bytes(again.question, 1))
        then = play_pb2.DecisionRequest.FromString(payload)
        # Times are recorded in whole milliseconds, so the bank may be off by one for each decision.
        assert abs(now.bank_milliseconds - then.bank_milliseconds) <= len(decisions)
        for message in (now, then):
            message.decision_id = message.table_id = message.bank_milliseconds = 0
        assert now.SerializeToString(deterministic=True) == then.SerializeToString(deterministic=True)


def test_a_bot_answers_and_both_answers_are_shown(journal: Path, tmp_path: Path) -> None:
    bot = _bot(tmp_path, 'reply.option = 0; reply.note = "low"; reply.confidence = 0.25; assert opened == 1')
    result = rerun(journal, bot, hand=1, decision=2, **WHERE)
    assert result.complaint == ""
    assert result.answer is not None
    assert (result.note, result.confidence) == ("low", 0.25)
    page = "\n".join(rerun_lines(result))
    assert "recorded " in page
    assert 'sure 25%  "low"' in page
    assert ("the same" in page) == result.is_same


def test_the_same_answer_is_called_the_same(journal: Path, tmp_path: Path) -> None:
    legs = [leg for _, leg in read_legs(journal)]
    decision = next(item for item in decisions_of(legs[0], 0) if item.phase == "play" and item.done is not None)
    assert decision.done is not None
    body = f"reply.action.kind = 42; reply.action.cards.append({decision.done.action.card + 1})"
    result = rerun(journal, _bot(tmp_path, body), decision=decision.number, **WHERE)
    assert result.is_same


def test_an_answer_that_cannot_be_used_is_told_as_the_referee_would(journal: Path, tmp_path: Path) -> None:
    for body, words in (
        ("reply.option = 99", "option 99 is none of the"),
        ("pass", "without a choice"),
        ("reply.action.kind = 1", "not open"),
    ):
        result = rerun(journal, _bot(tmp_path, body), decision=0, **WHERE)
        assert result.answer is None
        assert words in result.complaint
        assert "no usable answer" in "\n".join(rerun_lines(result))


def test_a_bot_that_crashes_hangs_or_is_not_there_is_told_apart(journal: Path, tmp_path: Path) -> None:
    crash = rerun(journal, _bot(tmp_path, 'print("oh dear"); raise SystemExit(3)'), decision=0, **WHERE)
    assert "exit code 3" in crash.complaint
    assert "oh dear" in crash.complaint
    hang = rerun(
        journal, [sys.executable, "-c", "import time; time.sleep(600)"], decision=0, patience_seconds=0.5, **WHERE
    )
    assert "no answer within 0.5 s" in hang.complaint
    with pytest.raises(OperatorError):
        rerun(journal, ["/no/such/bot"], decision=0, **WHERE)


def test_a_wrong_token_is_turned_away(journal: Path, tmp_path: Path) -> None:
    command = _bot(tmp_path, "reply.option = 0")
    path = Path(command[1])
    path.write_text(path.read_text().replace('os.environ["EUCHRE_TOKEN"]', '"guess"'))
    result = rerun(journal, command, decision=0, **WHERE)
    assert result.answer is None
    assert "turned away" in result.complaint or "exit code" in result.complaint


def test_the_question_at_which_a_side_forfeited_can_be_asked(tmp_path: Path) -> None:
    for seed in range(40):
        path = write_journal(tmp_path / f"j{seed}", ["standard"], 1, seed=seed, faults=0.4)
        leg = next(leg for _, leg in read_legs(path))
        if leg.forfeited and leg.seating.leg == 0:
            break
    hand = len(leg.hands) - 1
    last = decisions_of(leg, hand)[-1]
    assert last.done is None
    result = rerun(path, _bot(tmp_path, "reply.option = 0"), decision=last.number, hand=hand, **WHERE)
    assert result.answer is not None
    assert "nothing: the side forfeited here" in "\n".join(rerun_lines(result))
    assert "forfeited here" in "\n".join(decision_lines(path, hand=hand, **WHERE))


def test_decisions_are_listed_with_their_numbers(journal: Path) -> None:
    lines = list(decision_lines(journal, hand=2, **WHERE))
    leg = next(leg for _, leg in read_legs(journal))
    assert len(lines) == 1 + len(decisions_of(leg, 2))
    assert lines[1].split()[:2] == ["0", "seat"]


@pytest.mark.parametrize(
    "wanted", [{"pairing": 5}, {"board": 5}, {"leg": 5}, {"hand": 500}, {"decision": 500}, {"hand": -1}]
)
def test_what_is_not_there_is_said(journal: Path, wanted: dict[str, int]) -> None:
    with pytest.raises(OperatorError, match=r"there is no|no pairing"):
        rerun(journal, ["random"], **{**WHERE, "decision": 0, **wanted})
