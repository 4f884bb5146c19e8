"""The conformance suite passes good bots, and names what bad ones do wrong."""

from __future__ import annotations

import json
import random
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from google.protobuf import json_format

from arena.bots import Bot, parse_bot
from arena.check import CheckReport, Suite, judge, survey
from arena.check_report import read_request, report_json, report_junit, report_lines, write_requests
from arena.errors import OperatorError
from euchre.v1 import actions_pb2, cards_pb2, play_pb2, variants_pb2
from referee.rules import PRESETS, build

pytestmark = pytest.mark.xdist_group("check")

HEAD = """
import os, sys, grpc, queue
from euchre.v1 import play_pb2 as p, referee_pb2_grpc
def play(answer, hello=None, leave=True, code=0):
    out = queue.SimpleQueue()
    out.put(p.BotFrame(hello=hello or p.Hello(protocol_version=1, name="bad", token=os.environ["EUCHRE_TOKEN"])))
    stub = referee_pb2_grpc.RefereeServiceStub(grpc.insecure_channel(os.environ["EUCHRE_ADDRESS"]))
    for frame in stub.Play(iter(out.get, None)):
        replies = [r for request in frame.requests for r in answer(request)]
        if replies:
            out.put(p.BotFrame(replies=replies))
        if frame.HasField("ping"):
            out.put(p.BotFrame(pong=frame.ping))
        if frame.HasField("goodbye") and leave:
            out.put(None)
    sys.exit(code)
def first(request):
    return [p.Reply(decision_id=request.decision_id, option=0)]
"""


def scripted(directory: Path, text: str) -> Bot:
    path = directory / "bad.py"
    path.write_text(HEAD + text)
    return Bot("bad", (sys.executable, str(path)))


def examine(bot: Bot, *presets: str, limit: float = 2.0) -> CheckReport:
    return Suite(bot, presets or ("standard",), limit_seconds=limit, hands=1).run()


def test_a_good_bot_passes_every_part() -> None:
    report = examine(parse_bot("random"), "standard", "bid-us-48-widow", "buck", limit=5.0)
    assert [check for check, passed in report.checks if not passed] == []
    assert report.passed
    assert [check for check, _ in report.checks] == [
        "start and Hello",
        "ping",
        "standard",
        "bid-us-48-widow",
        "buck",
        "notices and faults",
        "coming back",
        "goodbye",
        "SIGTERM",
        "refused",
    ]
    assert len(report.seconds) > 100


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("lambda r: [p.Reply(decision_id=r.decision_id)]", "neither option nor action"),
        ("lambda r: [p.Reply(decision_id=r.decision_id, option=99)]", "option 99 was chosen"),
        ("lambda r: [p.Reply(decision_id=r.decision_id, action=p.DecisionRequest().options.add())]", "malformed"),
        ("lambda r: first(r) + first(r)", "is not open, but an answer to it came"),
        ("lambda r: [p.Reply(decision_id=r.decision_id + 1, option=0)]", "is not open, but an answer to it came"),
    ],
)
def test_a_wrong_answer_is_named(tmp_path: Path, answer: str, sentence: str) -> None:
    report = examine(scripted(tmp_path, f"play({answer})"), limit=0.05)
    assert not report.passed
    assert any(sentence in failure.sentence for failure in report.failures)


def test_the_request_of_a_failure_can_be_put_to_the_bot_again(tmp_path: Path) -> None:
    bot = scripted(tmp_path, "play(lambda r: [p.Reply(decision_id=r.decision_id, option=99)])")
    report = examine(bot)
    assert write_requests(report, tmp_path / "faults") > 0
    request = read_request(tmp_path / "faults" / "failure-001.json")
    assert request == report.failures[0].request
    reply, fault = Suite(bot, [], limit_seconds=2.0).run_one(request)
    assert reply is not None
    assert reply.option == 99
    assert fault is not None
    assert "option 99" in fault[0]
    good, nothing = Suite(parse_bot("random"), [], limit_seconds=5.0).run_one(request)
    assert good is not None
    assert nothing is None


@pytest.mark.parametrize(
    ("text", "check", "sentence"),
    [
        ("sys.exit(3)", "start and Hello", "its exit code is 3"),
        (
            "play(first, p.Hello(protocol_version=99, token=os.environ['EUCHRE_TOKEN']))",
            "start and Hello",
            "version is 99",
        ),
        ("play(first, p.Hello(protocol_version=1, token='x'))", "start and Hello", "token is not the value"),
        ("play(first)", "coming back", "no new Hello came"),
    ],
)
def test_a_bot_that_does_not_keep_the_contract_is_told(
    tmp_path: Path, text: str, check: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.check._START_SECONDS", 3.0)
    monkeypatch.setattr("arena.check._RETURN_SECONDS", 0.5)
    report = examine(scripted(tmp_path, text))
    assert any(failure.check == check and sentence in failure.sentence for failure in report.failures)
    assert (check, False) in report.checks


def test_a_crash_in_a_hand_is_told_with_exit_code_and_last_lines(tmp_path: Path) -> None:
    report = examine(scripted(tmp_path, "play(lambda r: print('lost my cards', flush=True) or os._exit(7))"))
    assert any("exit code is 7" in failure.sentence for failure in report.failures)
    assert "lost my cards" in report.output


@pytest.mark.parametrize("preset", PRESETS)
def test_the_survey_asks_every_phase_that_can_ask(preset: str) -> None:
    variant = build(preset)
    asked = {kind.partition(":")[0] for guided in survey(variant, random.Random(3)) for kind in guided.kinds}
    silent = {"REDEAL_CLAIM", "FORCED_CLUBS"}
    if variant.options.get("loner_exchange", "none") == "none":
        silent.add("EXCHANGE")
    if not variant.jokers:
        silent.add("BLIND_NAMING")
    if variant.alone_with_call and variant.alone_defenders == "none":
        silent.add("GOING_ALONE")
    if variant.widow_rule.value == "must":
        silent.add("WIDOW")
    assert asked == {phase.kind.name for phase in variant.phases} - silent


def test_a_renege_is_named_as_one() -> None:
    play, ten, nine = actions_pb2.ACTION_KIND_PLAY, cards_pb2.CARD_TS, cards_pb2.CARD_9H
    request = play_pb2.DecisionRequest(
        phase=variants_pb2.PHASE_KIND_PLAY, cards=[ten, nine], options=[actions_pb2.Action(kind=play, cards=[ten])]
    )
    fault = judge(request, play_pb2.Reply(action=actions_pb2.Action(kind=play, cards=[nine])))
    assert fault is not None
    assert "does not follow suit" in fault[0]
    assert "REN-DEF-1" in fault[1]


def test_reports_are_readable_by_programs(tmp_path: Path) -> None:
    report = examine(scripted(tmp_path, "play(lambda r: [p.Reply(decision_id=r.decision_id, option=99)])"))
    values = json.loads(report_json(report))
    assert values["passed"] is False
    json_format.ParseDict(values["failures"][0]["request"], play_pb2.DecisionRequest())
    root = ET.fromstring(report_junit(report))  # noqa: S314 (our own)
    assert int(root.attrib["failures"]) == sum(not passed for _, passed in report.checks)
    assert any("--only" in line for line in report_lines(report, tmp_path))


def test_a_file_that_is_no_request_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(OperatorError, match=r"x\.json holds no decision request"):
        read_request(tmp_path / "x.json")
