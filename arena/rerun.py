"""One recorded decision, put to a bot again over the real wire.

The table is the referee's own, brought to the decision by the recorded answers, so the request is the one that was
sent then, byte for byte, apart from the numbers of table and decision, and the time left in a bank. The bot is
started as any entrant's bot is, connects to a private socket, and is asked this one question. What it answers is
judged by the same table.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent import futures
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from arena.bots import Bot, check_process, make_bot
from arena.errors import OperatorError
from arena.journal import LegRecord, Night, find_journal, read_night
from arena.launch import OUTPUT_BYTES, environment_of, exit_text, printable
from arena.show import select
from euchre.v1 import play_pb2, referee_pb2
from leaderboards.results import GAMES
from referee.rules import Action, Card, Seat, VariantError, format_action, format_card, parse_variant, starting_totals
from referee.service import wire
from referee.service.outcome import FaultKind, PlayedAction, TableSpec
from referee.service.policy import Policy
from referee.service.record import replay_hand
from referee.service.stream import PROTOCOL_VERSION, Status, StreamRefused, info_from_hello
from referee.service.table import Question, Table

DECISION_ID: Final = 1
PATIENCE_SECONDS: Final = 60.0
"""How long a bot may take altogether: it may be in a debugger."""
_GOODBYE_SECONDS: Final = 1.0
_LAST_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """One question of a recorded hand."""

    number: int
    """Among the questions of its hand, from zero."""
    place: int
    """Among the actions of its hand, from zero."""
    seat: Seat
    phase: str
    done: PlayedAction | None
    """What was done; ``None`` for the last question of a forfeit, at which nothing was done any more."""


@dataclass(frozen=True, slots=True)
class Rerun:
    """A decision, then and now."""

    decision: Decision
    entrant: str
    request: play_pb2.DecisionRequest
    answer: Action | None
    """What the bot does now; ``None`` if it did not answer, or something impossible."""
    complaint: str
    """Why there is no answer."""
    milliseconds: int
    note: str
    confidence: float | None

    @property
    def is_same(self) -> bool:
        """Tell whether it does what was done then."""
        done = self.decision.done
        return done is not None and self.answer is done.action


def decisions_of(leg: LegRecord, hand: int) -> list[Decision]:
    """Return the questions of a hand, in order.

    :raises OperatorError: if there is no such hand.
    """
    if not 0 <= hand < len(leg.hands):
        raise OperatorError(f"this leg has {len(leg.hands)} hands, from 0; there is no hand {hand}")
    record = leg.hands[hand]
    before = leg.hands[hand - 1].totals if hand else starting_totals(leg.variant)
    found: list[Decision] = []
    steps: list[PlayedAction | None] = [*record.actions, *([None] if record.result is None else [])]
    for place, done in enumerate(steps):
        if done is None or not done.forced:
            state = replay_hand(leg.variant, record.deck, record.dealer, before, record.actions[:place])
            phase = state.phase.kind.name.lower().replace("_", " ")
            found.append(Decision(len(found), place, state.actor, phase, done))
    return found


# -- the table as it was -----------------------------------------------------------------------------


def table_at(leg: LegRecord, hand: int, decision: int, policy: Policy) -> Table:
    """Return the referee's table with that decision open.

    :raises OperatorError: if there is no such decision, or the recorded answers do not lead to it.
    """
    decisions = decisions_of(leg, hand)
    if not 0 <= decision < len(decisions):
        raise OperatorError(f"hand {hand} has {len(decisions)} decisions, from 0; there is no decision {decision}")
    decks = {(record.board, record.redeal): record.deck for record in leg.hands}

    def deck(board: int, redeal: int) -> Sequence[Card]:
        return decks[board, redeal]

    table = Table(
        1,
        TableSpec(
            variant=leg.variant,
            instances=leg.seating.instances,
            first_dealer=leg.seating.first_dealer,
            deck=deck,
            first_board=leg.hands[0].board,
            plays_game=leg.seating.unit == GAMES,
        ),
        policy,
        [1] * leg.variant.seats,
    )
    table.open()
    for number, record in enumerate(leg.hands[: hand + 1]):
        place = decisions[decision].place if number == hand else len(record.actions)
        for done in record.actions[:place]:
            if not done.forced:
                _answer_as_recorded(table, done)
    return table


def _answer_as_recorded(table: Table, done: PlayedAction) -> None:
    seconds = done.milliseconds / 1000
    match done.fault:
        case FaultKind.TIMEOUT:
            table.time_out()
        case FaultKind.ILLEGAL:
            table.refuse("as recorded", seconds)
        case FaultKind.DISCONNECT:
            table.play_default_for_lost(seconds, "")
        case _:
            table.answer(done.action, seconds)


def policy_of(night: Night) -> Policy:
    """Return the settings of a recorded night; what it does not say is as usual."""
    known = {item.name for item in fields(Policy)}
    return Policy(**{name: value for name, value in (night.policy or {}).items() if name in known})  # type: ignore[arg-type]


# -- the bot -----------------------------------------------------------------------------------------


class _Door:
    """Serves one bot on one stream: welcomes it, asks the question, takes the answer, says goodbye."""

    def __init__(self, table: Table, question: Question, policy: Policy, token: str) -> None:
        self._table = table
        self._question = question
        self._policy = policy
        self._token = token
        self.answers: queue.Queue[tuple[play_pb2.Reply | None, float, str]] = queue.Queue()
        """Reply, seconds it took, complaint."""

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return the methods of the service."""
        return grpc.method_handlers_generic_handler(
            "euchre.v1.RefereeService",
            {
                "Play": grpc.stream_stream_rpc_method_handler(self._play),
                "DescribeVariant": grpc.unary_unary_rpc_method_handler(
                    self._describe,
                    request_deserializer=referee_pb2.DescribeVariantRequest.FromString,
                    response_serializer=referee_pb2.DescribeVariantResponse.SerializeToString,
                ),
            },
        )

    def _describe(
        self, request: referee_pb2.DescribeVariantRequest, context: Any
    ) -> referee_pb2.DescribeVariantResponse:
        try:
            variant = parse_variant(request.variant)
        except VariantError as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        return referee_pb2.DescribeVariantResponse(variant=wire.variant_to_message(variant))

    def _play(self, frames: Iterator[bytes], context: Any) -> Iterator[bytes]:
        try:
            self._admit(play_pb2.BotFrame.FromString(next(frames)))
            yield self._welcome()
            started = time.monotonic()
            yield wire.frame_bytes(b"", [], [self._question.payload])
            self.answers.put((self._reply(frames), time.monotonic() - started, ""))
        except StopIteration:
            self.answers.put((None, 0.0, "it closed its stream without an answer"))
        except (DecodeError, StreamRefused) as error:
            self.answers.put((None, 0.0, f"it was turned away: {error}"))
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        goodbye = play_pb2.Goodbye(reason="the one question has been asked")
        yield play_pb2.RefereeFrame(goodbye=goodbye).SerializeToString()
        for _ in frames:
            pass  # until the bot half-closes

    def _admit(self, first: play_pb2.BotFrame) -> None:
        info_from_hello(first, self._policy)
        if not secrets.compare_digest(first.hello.token.encode(), self._token.encode()):
            raise StreamRefused(Status.UNAUTHENTICATED, "unknown token")

    def _welcome(self) -> bytes:
        policy, seat = self._policy, self._question.seat
        welcome = play_pb2.Welcome(
            protocol_version=PROTOCOL_VERSION,
            tables=1,
            decision_limit_milliseconds=round(policy.decision_seconds * 1000),
            strikes=policy.strikes,
            grace_milliseconds=round(policy.grace_seconds * 1000),
        )
        head = play_pb2.RefereeFrame(welcome=welcome).SerializeToString()
        return wire.frame_bytes(head, [wire.table_opened_notice(1, self._table.variant, seat)], [])

    @staticmethod
    def _reply(frames: Iterator[bytes]) -> play_pb2.Reply:
        while True:
            for reply in play_pb2.BotFrame.FromString(next(frames)).replies:
                if reply.decision_id == DECISION_ID:
                    return reply


@contextmanager
def _bot_process(bot: Bot, variables: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Run the bot in a session of its own; on leaving, it and everything it started are gone."""
    with tempfile.NamedTemporaryFile(prefix="euchre-rerun-", suffix=".log") as output:
        try:
            process = subprocess.Popen(  # noqa: S603 (what the operator asked for, without a shell)
                list(bot.command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=bot.directory or None,
                env=environment_of(bot, variables),
                start_new_session=True,
            )
        except OSError as error:
            raise OperatorError(f"{bot.command[0]} could not be started: {error.strerror}") from None
        try:
            yield process, Path(output.name)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GOODBYE_SECONDS)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _last_lines(path: Path) -> str:
    text = path.read_bytes()[-OUTPUT_BYTES:].decode(errors="replace")
    lines = [printable(line.strip())[:200] for line in text.splitlines() if line.strip()]
    return " | ".join(lines[-_LAST_LINES:])


def rerun(
    path: Path,
    bot: Sequence[str],
    *,
    pairing: int,
    board: int,
    leg: int,
    decision: int,
    hand: int = 0,
    patience_seconds: float = PATIENCE_SECONDS,
) -> Rerun:
    """Return what *bot*, a command or the name of a built-in, does at a recorded decision.

    :raises OperatorError: if there is no such decision or no such bot.
    """
    record = next(select(path, pairing=pairing, board=board, leg=leg), None)
    if record is None:
        raise OperatorError(f"no pairing {pairing}, board {board}, leg {leg} in {path}")
    policy = policy_of(read_night(find_journal(path)))
    table = table_at(record, hand, decision, policy)
    question = table.question
    if question is None:
        raise OperatorError(f"hand {hand}: the recorded answers do not lead to decision {decision}")
    command = check_process(make_bot("rerun", bot[0] if len(bot) == 1 else shlex.join(bot)), "rerun")
    payload = table.request_bytes(question, DECISION_ID)
    reply, seconds, complaint = _ask(table, question, policy, command, patience_seconds)
    answer = _judge(table, question, reply, seconds) if reply is not None else complaint
    return Rerun(
        decision=decisions_of(record, hand)[decision],
        entrant=record.seating.entrants[question.seat],
        request=play_pb2.DecisionRequest.FromString(payload),
        answer=answer if isinstance(answer, Action) else None,
        complaint="" if isinstance(answer, Action) else answer,
        milliseconds=int(seconds * 1000),
        note=reply.note[:200] if reply is not None else "",
        confidence=reply.confidence if reply is not None and reply.HasField("confidence") else None,
    )


def _ask(
    table: Table, question: Question, policy: Policy, bot: Bot, patience_seconds: float
) -> tuple[play_pb2.Reply | None, float, str]:
    """Start the bot, ask it the question, and return reply, seconds and complaint."""
    token = secrets.token_urlsafe(24)
    door = _Door(table, question, policy, token)
    with tempfile.TemporaryDirectory(prefix="euchre-rerun-") as directory:
        address = f"unix:{directory}/referee"
        server = grpc.server(futures.ThreadPoolExecutor(4))
        server.add_generic_rpc_handlers((door.handlers(),))
        server.add_insecure_port(address)
        server.start()
        variables = {"EUCHRE_ADDRESS": address, "EUCHRE_TOKEN": token, "EUCHRE_NAME": bot.name, "EUCHRE_SEED": "0"}
        try:
            with _bot_process(bot, variables) as (process, output):
                return _wait(door, process, output, patience_seconds)
        finally:
            server.stop(None).wait()


def _wait(
    door: _Door, process: subprocess.Popen[bytes], output: Path, patience_seconds: float
) -> tuple[play_pb2.Reply | None, float, str]:
    deadline = time.monotonic() + patience_seconds
    while time.monotonic() < deadline:
        with suppress(queue.Empty):
            reply, seconds, complaint = door.answers.get(timeout=0.05)
            return reply, seconds, complaint if reply is not None else f"{complaint}{_ending(process, output)}"
        if process.poll() is not None and door.answers.empty():
            return None, 0.0, f"it said nothing{_ending(process, output)}"
    return None, patience_seconds, f"no answer within {patience_seconds:g} s{_ending(process, output, wait=False)}"


def _ending(process: subprocess.Popen[bytes], output: Path, *, wait: bool = True) -> str:
    """Return how a process has ended, if it does so in a moment, and what it printed last."""
    with suppress(subprocess.TimeoutExpired):
        code = process.wait(_GOODBYE_SECONDS if wait else 0)
        return f"; it ended with {exit_text(code)}; it printed last: {_last_lines(output) or 'nothing'}"
    return f"; it printed last: {_last_lines(output) or 'nothing'}"


def _judge(table: Table, question: Question, reply: play_pb2.Reply, seconds: float) -> Action | str:
    """Return what the table makes of a reply: the action, or why it is none."""
    faults = len(table.faults)
    seat = question.seat
    try:
        said = wire.choice_from_reply(reply)
    except wire.MalformedAction as malformed:
        return str(malformed)
    options = question.options
    table.answer(said, min(seconds, 0.001))
    refused = [fault for fault in table.faults[faults:] if fault.seat == seat and fault.kind is FaultKind.ILLEGAL]
    if refused:
        return refused[0].message
    return options[said] if isinstance(said, int) else said


# -- for people --------------------------------------------------------------------------------------


def decision_lines(path: Path, *, pairing: int, board: int, leg: int, hand: int = 0) -> Iterator[str]:
    """Yield the decisions of a recorded hand with their numbers.

    :raises OperatorError: if there is no such hand.
    """
    record = next(select(path, pairing=pairing, board=board, leg=leg), None)
    if record is None:
        raise OperatorError(f"no pairing {pairing}, board {board}, leg {leg} in {path}")
    yield f"decisions of hand {hand}; choose one with --decision"
    for decision in decisions_of(record, hand):
        seat = decision.seat
        who = f"seat {seat} {record.seating.entrants[seat]}"
        yield f"{decision.number:>4}  {who}  {decision.phase}: {_done_words(decision.done)}"


def rerun_lines(result: Rerun) -> Iterator[str]:
    """Yield a decision, what was done then, and what is done now."""
    request, done = result.request, result.decision.done
    cards = " ".join(_card_name(card) for card in request.cards)
    yield f"decision {result.decision.number}, seat {result.decision.seat} ({result.entrant}), {result.decision.phase}"
    yield f"  holds    {cards or '(its hand is hidden from it)'}"
    if request.trick:
        yield "  trick    " + " ".join(f"{card.seat}:{_card_name(card.card)}" for card in request.trick)
    options = ", ".join(format_action(wire.action_from_message(option)) for option in request.options)
    yield f"  options  {options}"
    yield f"  recorded {_done_words(done)}{_remark(done.confidence, done.note) if done is not None else ''}"
    if result.answer is None:
        yield f"  now      no usable answer: {result.complaint}"
        return
    same = "the same" if result.is_same else "another answer"
    remark = _remark(result.confidence, result.note)
    yield f"  now      {format_action(result.answer)}  {result.milliseconds} ms  {same}{remark}"


def _done_words(done: PlayedAction | None) -> str:
    if done is None:
        return "nothing: the side forfeited here"
    fault = f"  ({done.fault.name.lower()})" if done.fault is not None else ""
    return f"{format_action(done.action)}  {done.milliseconds} ms{fault}"


def _card_name(number: int) -> str:
    return format_card(wire.card_from_message(number))


def _remark(confidence: float | None, note: str) -> str:
    sure = "" if confidence is None else f"  sure {confidence:.0%}"
    return sure + (f"  {json.dumps(note, ensure_ascii=False)}" if note else "")
