"""The conformance suite: what every bot must be able to do, in any language.

An examiner (:mod:`arena.examiner`) asks one process of the bot every kind of decision of every preset it plays, one at
a time and in batches, in odd but lawful states; drops its line and waits for it to come back; and sends it away. Each
failure says what was expected, by which rule, and carries the exact request, which can be put to the bot again.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from arena.bots import Bot
from arena.examiner import TOKEN, Candidate, Examiner, Line, LineLost, candidate
from euchre.v1 import actions_pb2, play_pb2
from referee.rules import (
    PRESETS,
    Action,
    Hand,
    PhaseKind,
    Question,
    Variant,
    build,
    format_action,
    format_card,
    parse_variant,
    starting_totals,
)
from referee.rules.actions import action as make_action
from referee.service import wire

_SURVEY_HANDS: Final = 400
"""Random hands played by the rules alone, to find deals that lead to every kind of decision."""
_FREE_HANDS: Final = 4
"""Hands of each preset in which the bot's own answers count."""
_HANDS_AT_ONCE: Final = 6
_CAUTION: Final = (0.0, 0.5, 0.85)
"""Shares of default answers, by table."""
_START_SECONDS: Final = 30.0
_LEAVE_SECONDS: Final = 5.0
_RETURN_SECONDS: Final = 15.0
_MOST_FAILURES: Final = 25
"""Of one preset; a bot that gets everything wrong need not be told thousands of times."""

_PHASE_RULES: Final = {
    PhaseKind.REDEAL_CLAIM: "RED-4",
    PhaseKind.BLIND_NAMING: "UPA-BEN-1",
    PhaseKind.UPCARD_AUCTION: "UPA-R1-1, UPA-R2-1",
    PhaseKind.PICK_UP: "UPA-PICK-1, UPA-PICK-2",
    PhaseKind.GOING_ALONE: "ALONE-POLL-1",
    PhaseKind.EXCHANGE: "XCH-ASK-1, XCH-OFFER-1, XCH-BEST-1, XCH-BID-1, XCH-UPTO-1",
    PhaseKind.BID_AUCTION: "BIDA-BID-1, BIDA-END-1",
    PhaseKind.STRAIN_CHOICE: "LATER-STRAIN-1",
    PhaseKind.WIDOW: "BU48W-WID-1, HOO3-WID-1",
    PhaseKind.WIDOW_DISCARD: "AUC-WID-1",
    PhaseKind.HAND_SWAP: "DC3-WID-1",
    PhaseKind.DEALER_MAKES: "DM-TRUMP-1",
    PhaseKind.KITTY_SWAP: "DM-XCH-1",
    PhaseKind.DROP_OUT: "BUCK-DROP-1",
    PhaseKind.ALLY_CALL: "CALL-ALLY-1, AUC-ALLY-1",
    PhaseKind.PLAY: "PLAY-1, PLAY-2",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One thing the bot did wrong."""

    check: str
    """The part of the suite, for a decision the preset."""
    sentence: str
    """What was expected and what came."""
    rules: str = ""
    """Rule ids."""
    request: play_pb2.DecisionRequest | None = None
    reply: play_pb2.Reply | None = None


@dataclass(slots=True)
class PresetReport:
    """What was asked of one preset."""

    preset: str
    hands: int = 0
    decisions: int = 0
    asked: set[str] = field(default_factory=set)
    """Kinds of decision, as phase and the words offered."""
    failures: int = 0


@dataclass(slots=True)
class CheckReport:
    """The outcome of the whole suite."""

    bot: str
    name: str = ""
    """What it called itself in its Hello."""
    version: str = ""
    checks: list[tuple[str, bool]] = field(default_factory=list)
    """Each part and whether it passed, in order."""
    presets: list[PresetReport] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """Time of each decision that was asked alone."""
    start_seconds: float = 0.0
    """From starting the process to its Hello."""
    output: list[str] = field(default_factory=list)
    """Its last lines in the life in which it first failed."""

    @property
    def passed(self) -> bool:
        """Tell whether nothing failed."""
        return not self.failures

    def percentile(self, share: float) -> float:
        """Return the time within which *share* of the decisions were answered, in seconds; zero if none was."""
        ranked = sorted(self.seconds)
        return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0


# -- judging -----------------------------------------------------------------------------------------


def judge(request: play_pb2.DecisionRequest, reply: play_pb2.Reply) -> tuple[str, str] | None:
    """Return what is wrong with *reply* as a sentence and rule ids, or ``None``. Needs the request alone."""
    rules = _PHASE_RULES.get(PhaseKind(request.phase), "")
    kind = reply.WhichOneof("choice")
    if kind is None:
        return "the reply has neither option nor action; an empty answer is not option 0", ""
    if kind == "option":
        if reply.option >= len(request.options):
            return f"option {reply.option} was chosen, but there are {len(request.options)}: 0 is the first", ""
        return None
    try:
        said = wire.action_from_message(reply.action)
    except wire.MalformedAction as malformed:
        return f"the action is malformed: {malformed}", ""
    if any(reply.action == option for option in request.options) or _is_of_choice(request, reply.action):
        return None
    text = format_action(said)
    if said.kind.name == "PLAY" and said.card + 1 in request.cards:
        return f"{text} does not follow suit: lawful are {_options_text(request)}", f"{rules}, REN-DEF-1"
    return f"{text} is not open; lawful are {_options_text(request)}", rules


def _is_of_choice(request: play_pb2.DecisionRequest, said: actions_pb2.Action) -> bool:
    """Tell whether *said* is one of the sets of cards that the request asks for."""
    choice = request.choice
    if not request.HasField("choice") or said.kind != choice.kind:
        return False
    if not choice.minimum <= len(said.cards) <= choice.maximum:
        return False
    held = list(choice.cards)
    for card in said.cards:
        if card not in held:
            return False
        held.remove(card)
    return True


def _options_text(request: play_pb2.DecisionRequest) -> str:
    texts = [format_action(wire.action_from_message(option)) for option in request.options]
    if request.HasField("choice"):
        choice = request.choice
        cards = " ".join(format_card(card - 1) for card in choice.cards)
        kind = actions_pb2.ActionKind.Name(choice.kind).removeprefix("ACTION_KIND_")
        texts.append(f"{kind} of {choice.minimum} to {choice.maximum} of {cards}")
    return ", ".join(texts)


def chosen_action(request: play_pb2.DecisionRequest, reply: play_pb2.Reply) -> Action:
    """Return the action of a reply that :func:`judge` has nothing against."""
    if reply.WhichOneof("choice") == "option":
        return wire.action_from_message(request.options[reply.option])
    return wire.action_from_message(reply.action)


# -- finding deals -----------------------------------------------------------------------------------


def kind_of_question(question: Question) -> str:
    """Return what kind of decision a question is: its phase and the words that are open."""
    words = sorted({option.kind.name for option in question.options})
    if question.choice is not None:
        words.append(f"{question.choice.kind.name} {question.choice.minimum}-{question.choice.maximum}")
    return f"{question.phase.name}: {' '.join(dict.fromkeys(words))}"


def random_answer(question: Question, rng: random.Random) -> Action:
    """Return a lawful answer by chance, without listing all sets of cards."""
    choice = question.choice
    if choice is not None and (rng.random() < 0.5 or question.options[0].kind is choice.kind):
        count = rng.randint(choice.minimum, choice.maximum)
        return make_action(choice.kind, tuple(rng.sample(choice.cards, count)))
    return rng.choice(question.options)


@dataclass(frozen=True, slots=True)
class Guided:
    """A hand whose course is fixed beforehand: a deal, the totals, and every answer."""

    deck: tuple[int, ...]
    dealer: int
    totals: tuple[int, ...]
    answers: tuple[Action, ...]
    kinds: frozenset[str]


def survey(variant: Variant, rng: random.Random, hands: int = _SURVEY_HANDS) -> list[Guided]:
    """Return few hands that together ask every kind of decision that *hands* random ones met."""
    found: dict[str, Guided] = {}
    for number in range(hands):
        guided = _random_course(variant, rng, number % variant.seats)
        for kind in guided.kinds:
            found.setdefault(kind, guided)
    cover: list[Guided] = []
    missing = set(found)
    while missing:
        best = max(set(found.values()), key=lambda guided: (len(missing & guided.kinds), guided.deck))
        cover.append(best)
        missing -= best.kinds
    return cover


def _random_course(variant: Variant, rng: random.Random, dealer: int) -> Guided:
    deck = list(variant.deck)
    rng.shuffle(deck)
    start = starting_totals(variant)
    totals = tuple(total + rng.randint(-variant.target // 2, 0) for total in start) if rng.random() < 0.5 else start
    hand = Hand(variant, deck, dealer, totals)
    answers, kinds = [], set()
    # Mere chance ends most auctions at the highest bid; the more cautious a table, the more else is seen.
    caution = rng.choice(_CAUTION)
    while not hand.is_over:
        question = hand.question()
        kinds.add(kind_of_question(question))
        answers.append(question.options[0] if rng.random() < caution else random_answer(question, rng))
        hand.apply(answers[-1])
    return Guided(tuple(deck), dealer, totals, tuple(answers), frozenset(kinds))


# -- the suite ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Running:
    """A hand in progress at the examiner: one table for each seat, all of them the bot's."""

    hand: Hand
    number: int
    first_table: int
    answers: list[Action] | None
    """The course, last first; ``None``: the bot's own answers count."""


class Suite:
    """One run over one bot."""

    def __init__(
        self,
        bot: Bot,
        presets: Sequence[str],
        *,
        limit_seconds: float,
        hands: int = _FREE_HANDS,
        seed: int = 1,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.report = CheckReport(bot.name)
        self._bot = bot
        self._presets = presets
        self._limit = limit_seconds
        self._hands = hands
        self._rng = random.Random(seed)  # noqa: S311 (the same questions for everybody)
        self._progress = progress
        self._decision = 0
        self._table = 0
        self._tables = 1

    def run(self) -> CheckReport:
        """Examine the bot from its start to its end."""
        with tempfile.TemporaryDirectory(prefix="euchre-check-") as name, Examiner(Path(name)) as examiner:
            self._in_one_life(examiner, self._greet_and_play, "start and Hello")
            self._in_one_life(examiner, self._terminate, "SIGTERM")
            self._refuse(examiner)
        return self.report

    def run_one(self, request: play_pb2.DecisionRequest) -> tuple[play_pb2.Reply | None, tuple[str, str] | None]:
        """Put one request to a fresh process; return its reply and what is wrong with it."""
        with (
            tempfile.TemporaryDirectory(prefix="euchre-check-") as name,
            Examiner(Path(name)) as examiner,
            candidate(self._bot, examiner.address) as process,
        ):
            line = self._greeting(examiner, process)
            if line is None:
                return None, (self.report.failures[-1].sentence, "")
            line.send(play_pb2.RefereeFrame(requests=[request]))
            try:
                replies = self._collect(line, [request])
            except LineLost as lost:
                process.wait(1.0)
                return None, (f"{lost}; its last lines: {process.last_lines(5)}", "")
            reply = replies.get(request.decision_id)
            if reply is None:
                return None, (f"no reply within {self._limit:g} s", "")
            return reply, judge(request, reply)

    # -- one life of the process -----------------------------------------------------------------------

    def _in_one_life(self, examiner: Examiner, act: Callable[[Examiner, Candidate], None], what: str) -> None:
        before = len(self.report.failures)
        try:
            with candidate(self._bot, examiner.address) as process:
                try:
                    act(examiner, process)
                except LineLost as lost:
                    code = process.wait(1.0)
                    how = "it still runs" if code is None else f"its exit code is {code}"
                    self._fail(what, f"{lost}; {how}")
                if before == 0 and len(self.report.failures) > 0:
                    self.report.output = process.last_lines(10)
        except OSError as error:
            self._fail(what, f"it cannot be started: {error}")

    def _greet_and_play(self, examiner: Examiner, process: Candidate) -> None:
        line = self._greeting(examiner, process)
        if line is None:
            return
        self._part("ping", lambda: self._ping(line))
        for preset in self._presets:
            self._progress(preset)
            self._play_preset(line, preset)
        self._part("notices and faults", lambda: self._notices(line))
        returned = self._return(examiner, process, line)
        if returned is not None:
            self._part("goodbye", lambda: self._goodbye(returned, process))

    def _greeting(self, examiner: Examiner, process: Candidate) -> Line | None:
        check = "start and Hello"
        line = examiner.wait_line(_START_SECONDS, process)
        hello = self._hello(line) if line is not None else None
        if line is None or hello is None:
            code = process.wait(0.5)
            how = "it still runs" if code is None else f"its exit code is {code}"
            self._fail(check, f"no Hello arrived within {_START_SECONDS:g} s; {how}")
            self._mark(check, passed=False)
            return None
        self.report.start_seconds = time.monotonic() - process.started_at
        self._part(check, lambda: self._check_hello(hello))
        self.report.name, self.report.version = hello.name, hello.version
        self._tables = hello.tables or 64
        if hello.variants:
            self._presets = [preset for preset in self._presets if preset in hello.variants]
        line.send(self._welcome())
        return line

    def _welcome(self) -> play_pb2.RefereeFrame:
        milliseconds = round(self._limit * 1000)
        return play_pb2.RefereeFrame(
            welcome=play_pb2.Welcome(
                protocol_version=1,
                tables=self._tables,
                decision_limit_milliseconds=milliseconds,
                strikes=3,
                grace_milliseconds=round(_RETURN_SECONDS * 1000),
            )
        )

    @staticmethod
    def _hello(line: Line) -> play_pb2.Hello | None:
        frame = line.receive(_START_SECONDS)
        if frame is None or not frame.HasField("hello"):
            return None
        return None if frame.replies or frame.HasField("pong") else frame.hello

    def _check_hello(self, hello: play_pb2.Hello) -> None:
        check = "start and Hello"
        if hello.protocol_version != 1:
            self._fail(check, f"protocol_version is {hello.protocol_version}; this contract is version 1")
        if hello.token != TOKEN:
            self._fail(check, "token is not the value of EUCHRE_TOKEN")
        if len(hello.name) > 64 or not hello.name.isprintable():
            self._fail(check, "name may have at most 64 printable characters")
        unknown = [preset for preset in hello.variants if preset not in PRESETS]
        if unknown:
            self._fail(check, f"variants holds {', '.join(unknown)}, which no referee plays")

    # -- parts -----------------------------------------------------------------------------------------

    def _part(self, check: str, act: Callable[[], None]) -> None:
        before = len(self.report.failures)
        act()
        self._mark(check, passed=len(self.report.failures) == before)

    def _mark(self, check: str, *, passed: bool) -> None:
        self.report.checks.append((check, passed))

    def _fail(self, check: str, sentence: str, rules: str = "") -> None:
        self.report.failures.append(Failure(check=check, sentence=sentence, rules=rules))

    def _ping(self, line: Line) -> None:
        nonce = 2**53 + 17
        line.send(play_pb2.RefereeFrame(ping=play_pb2.Ping(nonce=nonce)))
        frame = line.receive(self._limit)
        if frame is None or not frame.HasField("pong") or frame.pong.nonce != nonce:
            self._fail("ping", f"a ping with nonce {nonce} must be answered by a pong with the same nonce")

    def _notices(self, line: Line) -> None:
        """Send notices that are of no use: the bot hears them and goes on."""
        variant = build("standard")
        notices = [
            play_pb2.Notice(),
            play_pb2.Notice(table_opened=play_pb2.TableOpened(table_id=9999, variant=variant.id, seat=1)),
            play_pb2.Notice(
                fault=play_pb2.Fault(
                    kind=play_pb2.FAULT_KIND_STALE, decision_id=1, message="decision 1 is not open any more"
                )
            ),
            play_pb2.Notice(game_ended=play_pb2.GameEnded(table_id=9999, end=play_pb2.GAME_END_STOPPED, totals=[0, 0])),
        ]
        line.send(play_pb2.RefereeFrame(notices=notices))
        preset = self._presets[0] if self._presets else "standard"
        running = self._deal(build(preset), self._random_course(build(preset)))
        self._play(line, [running], PresetReport(preset), "notices and faults")

    def _random_course(self, variant: Variant) -> Guided:
        return _random_course(variant, self._rng, 0)

    def _return(self, examiner: Examiner, process: Candidate, line: Line) -> Line | None:
        """Drop the line with a question open: the bot comes back and answers the question when it is sent again."""
        check = "coming back"
        preset = self._presets[0] if self._presets else "standard"
        running = self._deal(build(preset), self._random_course(build(preset)))
        request = self._request(running)
        line.end(grpc.StatusCode.UNAVAILABLE)
        again = examiner.wait_line(_RETURN_SECONDS, process)
        hello = self._hello(again) if again is not None else None
        if again is None or hello is None:
            self._fail(check, f"the stream was lost (UNAVAILABLE); no new Hello came within {_RETURN_SECONDS:g} s")
            self._mark(check, passed=False)
            return None
        if hello.token != TOKEN:
            self._fail(check, "the new Hello has another token")
        again.send(self._welcome())
        again.send(play_pb2.RefereeFrame(requests=[request]))

        def act() -> None:
            self._judge_all(self._collect(again, [request]), [request], check, None)

        self._part(check, act)
        return again

    def _goodbye(self, line: Line, process: Candidate) -> None:
        line.send(play_pb2.RefereeFrame(goodbye=play_pb2.Goodbye(reason="the examination is over")))
        if not line.is_half_closed.wait(_LEAVE_SECONDS):
            self._fail("goodbye", f"the bot must close its side after Goodbye; it has not within {_LEAVE_SECONDS:g} s")
        line.end()
        code = process.wait(_LEAVE_SECONDS)
        if code is None:
            self._fail("goodbye", f"the process still runs {_LEAVE_SECONDS:g} s after Goodbye")
        elif code != 0:
            self._fail("goodbye", f"the exit code after Goodbye is {code}; it is 0 when all went well")

    def _terminate(self, examiner: Examiner, process: Candidate) -> None:
        line = examiner.wait_line(_START_SECONDS, process)
        if line is None or self._hello(line) is None:
            return  # said already
        line.send(self._welcome())

        def act() -> None:
            process.terminate()
            if process.wait(_LEAVE_SECONDS) is None:
                self._fail("SIGTERM", f"the process still runs {_LEAVE_SECONDS:g} s after SIGTERM")

        self._part("SIGTERM", act)

    def _refuse(self, examiner: Examiner) -> None:
        """Refuse it for good: it leaves, and does not knock again and again."""
        examiner.refuse_with = grpc.StatusCode.UNAUTHENTICATED
        examiner.calls = 0

        def act(_: Examiner, process: Candidate) -> None:
            code = process.wait(_START_SECONDS)
            if code is None:
                self._fail(
                    "refused", f"UNAUTHENTICATED is final, but the process still runs after {_START_SECONDS:g} s"
                )
            elif code == 0:
                self._fail("refused", "UNAUTHENTICATED ends with exit code 0; it is not 0 when the bot was refused")
            if examiner.calls > 1:
                self._fail("refused", f"UNAUTHENTICATED is final, but the bot came {examiner.calls} times")

        self._part("refused", lambda: self._in_one_life(examiner, act, "refused"))
        examiner.refuse_with = None

    # -- decisions -------------------------------------------------------------------------------------

    def _play_preset(self, line: Line, preset: str) -> None:
        report = PresetReport(preset)
        self.report.presets.append(report)
        variant = build(preset)
        for guided in survey(variant, self._rng):
            self._play(line, [self._deal(variant, guided)], report, preset)
        free = [self._deal(variant, None) for _ in range(self._hands)]
        at_once = max(1, min(_HANDS_AT_ONCE, self._tables))
        for first in range(0, len(free), at_once):
            self._play(line, free[first : first + at_once], report, preset)
        self._mark(preset, passed=report.failures == 0)

    def _deal(self, variant: Variant, guided: Guided | None) -> _Running:
        first_table = self._table + 1
        self._table += variant.seats
        if guided is not None:
            hand = Hand(variant, guided.deck, guided.dealer, guided.totals)
            return _Running(hand, 0, first_table, list(reversed(guided.answers)))
        deck = list(variant.deck)
        self._rng.shuffle(deck)
        return _Running(Hand(variant, deck, self._rng.randrange(variant.seats)), 0, first_table, None)

    def _request(self, running: _Running) -> play_pb2.DecisionRequest:
        self._decision += 1
        return wire.decision_request(
            running.hand,
            running.number,
            table_id=running.first_table + running.hand.actor,
            decision_id=self._decision,
            limit_milliseconds=round(self._limit * 1000),
        )

    def _play(self, line: Line, hands: list[_Running], report: PresetReport, check: str) -> None:
        """Play hands to their end, one frame of questions after another.

        :raises LineLost: if the bot goes.
        """
        report.hands += len(hands)
        running = hands
        while running:
            requests = [self._request(one) for one in running]
            report.asked.update(kind_of_question(one.hand.question()) for one in running)
            report.decisions += len(requests)
            asked_at = time.monotonic()
            line.send(play_pb2.RefereeFrame(requests=requests))
            replies = self._collect(line, requests)
            if len(requests) == 1 and replies:
                self.report.seconds.append(time.monotonic() - asked_at)
            good = self._judge_all(replies, requests, check, report)
            if report.failures >= _MOST_FAILURES:
                return
            for one, request in zip(running, requests, strict=True):
                self._advance(one, request, good.get(request.decision_id))
            running = [one for one in running if not one.hand.is_over]

    def _advance(self, running: _Running, request: play_pb2.DecisionRequest, reply: play_pb2.Reply | None) -> None:
        if running.answers is not None:
            running.hand.apply(running.answers.pop())
        elif reply is not None:
            running.hand.apply(chosen_action(request, reply))
        else:
            running.hand.apply(running.hand.default())

    def _collect(self, line: Line, requests: Sequence[play_pb2.DecisionRequest]) -> dict[int, play_pb2.Reply]:
        """Return the replies that came in time, by decision.

        :raises LineLost: if the bot goes.
        """
        wanted = {request.decision_id for request in requests}
        replies: dict[int, play_pb2.Reply] = {}
        deadline = time.monotonic() + self._limit * max(1, len(requests))
        while wanted - replies.keys():
            frame = line.receive(max(0.0, deadline - time.monotonic()))
            if frame is None:
                break
            for reply in frame.replies:
                if reply.decision_id in replies or reply.decision_id not in wanted:
                    self._fail("answers", f"decision {reply.decision_id} is not open, but an answer to it came")
                else:
                    replies[reply.decision_id] = reply
        return replies

    def _judge_all(
        self,
        replies: dict[int, play_pb2.Reply],
        requests: Iterable[play_pb2.DecisionRequest],
        check: str,
        report: PresetReport | None,
    ) -> dict[int, play_pb2.Reply]:
        """Note what is wrong; return the good replies."""
        good = {}
        for request in requests:
            reply = replies.get(request.decision_id)
            if reply is None:
                fault: tuple[str, str] | None = (f"no reply came within {self._limit:g} s", "")
            else:
                fault = judge(request, reply)
            if fault is None and reply is not None:
                good[request.decision_id] = reply
            elif fault is not None:
                kept = play_pb2.DecisionRequest.FromString(request.SerializeToString())
                self.report.failures.append(
                    Failure(check=check, sentence=fault[0], rules=fault[1], request=kept, reply=reply)
                )
                if report is not None:
                    report.failures += 1
        return good


def preset_names(wanted: Sequence[str]) -> list[str]:
    """Return the presets to examine: *wanted*, or all of them.

    :raises VariantError: if one does not exist.
    """
    return [parse_variant(name).preset for name in wanted] if wanted else list(PRESETS)


def failure_lines(report: CheckReport) -> Iterator[str]:
    """Yield each failure in a line or two for people."""
    for number, failure in enumerate(report.failures, 1):
        rules = f" [{failure.rules}]" if failure.rules else ""
        yield f"{number}. {failure.check}: {failure.sentence}{rules}"
