"""One game in progress: fed with answers and faults, it says what is to be sent and whom it asks next.

No I/O, no clock, no task. Whoever drives it calls one method at a time, :meth:`Table.answer`, :meth:`Table.refuse`,
:meth:`Table.time_out`, :meth:`Table.play_default_for_lost` or :meth:`Table.stop`, and afterwards takes the notices,
then looks at ``question`` (whom to ask next) and ``result`` (set once the game is over; ``question`` is ``None``
then). At most one question is open at any time, so everything happens in one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from referee.rules import Action, ActionRefused, CardChoice, Game, Hand, HandEnd, HandResult, Kind, Seat, Side
from referee.rules.game import leaders
from referee.service import wire
from referee.service.clock import NEVER
from referee.service.faults import CONSEQUENCE_OF, Event, cut, done_words, question_words
from referee.service.outcome import (
    FaultKind,
    FaultRecord,
    GameEnd,
    HandRecord,
    PlayedAction,
    TableResult,
    TableSpec,
)
from referee.service.policy import Policy

Notice: TypeAlias = tuple[Seat, bytes]
"""To whom, and a serialised ``euchre.v1.Notice``."""

_Answer: TypeAlias = tuple[int, FaultKind | None, str, float | None]
"""Milliseconds, fault, note, confidence of one action that was asked for."""

_made: Final = tuple.__new__
"""Makes a named tuple of all its parts, in half the time that calling its class takes."""

_UNSEEN: Final = 0
"""The decision id of a question that was never sent, because its instance was lost."""


class Question:
    """An open decision. The table makes it, the seat's stream sends it; the clock measures it."""

    __slots__ = (
        "choice",
        "deadline",
        "decision_id",
        "extra_seconds",
        "options",
        "payload",
        "seat",
        "started_at",
        "table",
        "used_seconds",
    )

    def __init__(
        self, table: Table, seat: Seat, options: tuple[Action, ...], choice: CardChoice | None, bank_seconds: float
    ) -> None:
        self.table = table
        self.seat = seat
        self.options = options
        self.choice = choice
        self.extra_seconds = bank_seconds
        """Beside the limit: what is in the bank, less what was used before the stream was lost."""
        self.decision_id = _UNSEEN
        self.payload = b""
        """The serialised request, kept while the question is open; sent again byte for byte after a lost stream."""
        self.started_at = NEVER
        """When the clock began to run; ``NEVER`` while it stands still."""
        self.used_seconds = 0.0
        """Time taken before the stream was lost."""
        self.deadline = NEVER


class Table:
    """A game in progress (see the module). Public attributes are for reading."""

    __slots__ = (
        "_answers",
        "_awards",
        "_banks",
        "_deck",
        "_game",
        "_hand",
        "_hands",
        "_is_ending",
        "_limit_seconds",
        "_limits",
        "_policy",
        "_requests",
        "_seats",
        "_start",
        "_strikes",
        "decisions",
        "faults",
        "notices",
        "number",
        "question",
        "result",
        "slowest_seconds",
        "spec",
        "table_ids",
        "think_seconds",
        "variant",
    )

    def __init__(self, number: int, spec: TableSpec, policy: Policy, table_ids: Sequence[int]) -> None:
        """Take the seats; nothing is dealt before :meth:`open`.

        *number* names the table in logs, *table_ids* by seat what each seat's stream calls it.

        :raises ValueError: if the spec does not fit together.
        """
        variant = spec.variant
        if len(spec.instances) != variant.seats:
            raise ValueError(f"{variant.id} has {variant.seats} seats, not {len(spec.instances)}")
        if not 0 <= spec.first_dealer < variant.seats or spec.first_board < 0:
            raise ValueError(f"first dealer {spec.first_dealer}, first board {spec.first_board}: no such seat or board")
        self.number = number
        self.spec = spec
        self.variant = variant
        self.table_ids = tuple(table_ids)
        self._policy = policy
        self._seats = range(variant.seats)
        self._game = Game(variant, (spec.first_dealer + spec.first_board) % variant.seats, policy.max_hands)
        self._start = self._game.totals
        self._requests = wire.Requests(self.table_ids, variant)
        self._limit_seconds = policy.decision_seconds
        self._banks = [policy.bank_seconds] * variant.seats
        self._limits = [self._limits_of(policy.bank_seconds)] * variant.seats
        self._strikes = [0] * len(variant.sides)
        self._is_ending = False
        self._hands: list[HandRecord] = []
        self.faults: list[FaultRecord] = []
        self._answers: list[_Answer] = []
        self._deck: tuple[int, ...] = ()
        self._hand: Hand
        self.decisions = [0] * variant.seats
        self.think_seconds = [0.0] * variant.seats
        self.slowest_seconds = [0.0] * variant.seats
        self.notices: list[Notice] = []
        """To be sent, in order; whoever sends them clears the list."""
        self.question: Question | None = None
        self.result: TableResult | None = None

    # -- driving -----------------------------------------------------------------------------------

    def open(self) -> None:
        """Tell every seat that the game begins, deal, and ask the first question."""
        for seat in self._seats:
            self.notices.append((seat, wire.table_opened_notice(self.table_ids[seat], self.variant, seat)))
        self._deal()
        self._go_on()

    def request_bytes(self, question: Question, decision_id: int) -> bytes:
        """Return the serialised request of the open *question* under the id that its stream gives it."""
        question.decision_id = decision_id
        question.payload = self._requests.build(
            self._hand,
            self._game.hands_played,
            decision_id,
            question.options,
            question.choice,
            self._limits[question.seat],
        )
        return question.payload

    def answer(self, said: int | Action, seconds: float, note: str = "", confidence: float | None = None) -> None:
        """Do what the seat says, an index into the options or an action; the default if that is impossible."""
        question, hand = self._open_question(), self._hand
        seat = question.seat
        fault: FaultKind | None = None
        if isinstance(said, int):
            if said >= len(question.options):
                count = len(question.options)
                self.refuse(f"option {said} is none of the {count} options, 0 to {count - 1}", seconds)
                return
            act = question.options[said]
        else:
            act = said
            if act.kind is Kind.PLAY and act not in question.options and act.card in hand.hands[seat]:
                fault = FaultKind.RENEGE
        try:
            hand.apply(act)
        except ActionRefused as refusal:
            self.refuse(str(refusal), seconds)
            return
        self._count(seat, seconds)
        self._answers.append((int(seconds * 1000), fault, note, confidence))
        if fault is not None:
            self._note_renege(question, act)
        self._go_on()

    def refuse(self, complaint: str, seconds: float) -> None:
        """Play the default because the reply cannot be used; *complaint* says what arrived and what is wrong."""
        question = self._open_question()
        self._count(question.seat, seconds)
        self._default(Event.ILLEGAL, f"it was answered with something impossible: {complaint}", seconds)

    def time_out(self) -> None:
        """Play the default because no reply came in time: the limit and all the bank are used up."""
        seat = self._open_question().seat
        bank = self._banks[seat]
        seconds = self._limit_seconds + bank
        self._count(seat, seconds)
        from_bank = f" and the {bank:.3g} s that were in the bank" if bank else ""
        self._default(Event.TIMED_OUT, f"no reply within {self._limit_seconds:g} s{from_bank}", seconds)

    def play_default_for_lost(self, seconds: float, incident: str) -> None:
        """Play the default because the instance is gone for good.

        *incident* is the sentence for the record, empty if this loss stands on it already.
        """
        self._count(self._open_question().seat, seconds)
        self._default(Event.STREAM_GONE, incident, seconds)

    def note_disconnect(self, incident: str) -> int:
        """Put a lost stream on the record of the open question's seat; return the number of the fault."""
        self._record(FaultKind.DISCONNECT, self._open_question().seat, incident)
        return len(self.faults) - 1

    def explain_fault(self, number: int, reason: str) -> None:
        """Add a reason to a fault on the record, if the game goes on."""
        if self.result is None:
            fault = self.faults[number]
            self.faults[number] = replace(fault, message=cut(f"{fault.message}; {reason}"))

    def end_after_this_hand(self) -> None:
        """Stop when the hand in progress has ended."""
        self._is_ending = True

    def stop(self) -> None:
        """End the game now; it counts nowhere. Nothing of the hand in progress is revealed."""
        if self.result is None:
            self._close_hand(None)
            self._end(GameEnd.STOPPED, ())

    def break_off(self) -> None:
        """Give the game up without a result: nothing that was not told yet is told, but that it is over."""
        ended = wire.game_ended_message(int(GameEnd.STOPPED), self._start, ()).SerializeToString()
        self.notices = list(zip(self._seats, wire.game_ended_notices(ended, self.table_ids), strict=True))

    # -- hands -------------------------------------------------------------------------------------

    def _deal(self) -> None:
        game, spec = self._game, self.spec
        self._deck = tuple(spec.deck(spec.first_board + game.board, game.redeals))
        self._hand = game.deal(self._deck)
        self._answers = []

    def _go_on(self) -> None:
        """Ask the next question, after as many ends and deals as lie before it."""
        self.question = None
        while self._hand.result is not None:
            self._finish_hand(self._hand.result)
            if self.result is not None:
                return
            self._deal()
        hand = self._hand
        seat = hand.actor
        options, choice = hand.answers()
        self.question = Question(self, seat, options, choice, self._banks[seat])

    def _finish_hand(self, result: HandResult) -> None:
        game = self._game
        number = game.hands_played
        hand = self._hand
        board, redeal = self._board_and_redeal()
        game.finish_hand(result)
        self._hands.append(self._hand_record(number, board, redeal, result))
        ended = wire.hand_ended_bytes(number, hand, result, result.points, game.totals)
        self.notices += zip(self._seats, wire.hand_ended_notices(ended, self.table_ids), strict=True)
        if not self.spec.plays_game:
            if result.end is not HandEnd.CLAIMED:
                self._end(GameEnd.BOARD, leaders(self.variant, game.totals))
            elif game.hands_played >= self._policy.max_hands:
                self._end(GameEnd.HAND_LIMIT, leaders(self.variant, game.totals))
        elif game.outcome is not None:
            end = GameEnd.HAND_LIMIT if game.outcome.is_adjudicated else GameEnd.RULES
            self._end(end, game.outcome.winners)
        if self._is_ending and self.result is None:
            self._end(GameEnd.STOPPED, ())

    def _board_and_redeal(self) -> tuple[int, int]:
        return self.spec.first_board + self._game.board, self._game.redeals

    def _hand_record(self, number: int, board: int, redeal: int, result: HandResult | None) -> HandRecord:
        hand = self._hand
        answers = iter(self._answers)
        played = []
        for seat, act, forced, _ in hand.events:
            if forced:
                played.append(_made(PlayedAction, (seat, act, True, 0, None, "", None)))
            else:
                milliseconds, fault, note, confidence = next(answers)
                played.append(_made(PlayedAction, (seat, act, False, milliseconds, fault, note, confidence)))
        return HandRecord(
            number=number,
            board=board,
            redeal=redeal,
            dealer=hand.dealer,
            deck=self._deck,
            actions=tuple(played),
            result=result,
            totals=self._game.totals,
        )

    def _close_hand(self, result: HandResult | None) -> None:
        board, redeal = self._board_and_redeal()
        self._hands.append(self._hand_record(self._game.hands_played, board, redeal, result))

    def _end(self, end: GameEnd, winners: Sequence[Side], forfeited: tuple[Side, ...] = ()) -> None:
        self.question = None
        totals = self._game.totals
        self.result = TableResult(
            end=end,
            points=tuple(total - before for total, before in zip(totals, self._start, strict=True)),
            totals=totals,
            winners=tuple(winners),
            forfeited=forfeited,
            hands=tuple(self._hands),
            faults=tuple(self.faults),
            decisions=tuple(self.decisions),
            think_seconds=tuple(self.think_seconds),
            slowest_seconds=tuple(self.slowest_seconds),
        )
        ended = wire.game_ended_message(int(end), totals, winners).SerializeToString()
        self.notices += zip(self._seats, wire.game_ended_notices(ended, self.table_ids), strict=True)

    # -- time --------------------------------------------------------------------------------------

    def _count(self, seat: Seat, seconds: float) -> None:
        """Count a decision and its time; draw only the excess from the bank."""
        self.decisions[seat] += 1
        self.think_seconds[seat] += seconds
        if seconds > self.slowest_seconds[seat]:
            self.slowest_seconds[seat] = seconds
        if seconds > self._limit_seconds and self._banks[seat] > 0.0:
            self._banks[seat] = max(0.0, self._banks[seat] - (seconds - self._limit_seconds))
            self._limits[seat] = self._limits_of(self._banks[seat])

    def _limits_of(self, bank_seconds: float) -> bytes:
        return wire.limits_bytes(round(self._limit_seconds * 1000), int(bank_seconds * 1000))

    # -- faults ------------------------------------------------------------------------------------

    def _open_question(self) -> Question:
        if self.question is None:
            raise AssertionError(f"table {self.number}: no question is open")
        return self.question

    def _default(self, event: Event, complaint: str, seconds: float) -> None:
        """Play the default for the open question, put the fault on the record, and go on or forfeit."""
        question, hand = self._open_question(), self._hand
        consequence = CONSEQUENCE_OF[event]
        kind = consequence.record
        assert kind is not None  # noqa: S101 - the table of faults says so
        seat = question.seat
        side = self.variant.side_of[seat]
        where = question_words(hand, self._game.hands_played, seat)
        if consequence.strike:
            self._strikes[side] += 1
        is_forfeit = self._strikes[side] >= self._policy.strikes
        instead = None if is_forfeit else question.options[0]
        if complaint:
            done = done_words(instead, self._strikes[side], self._policy.strikes)
            self._tell(question, kind, f"{where}: {complaint}; {done}", instead)
        if is_forfeit:
            self._forfeit(question, side)
            return
        hand.apply(question.options[0])
        self._answers.append((int(seconds * 1000), kind, "", None))
        self._go_on()

    def _note_renege(self, question: Question, act: Action) -> None:
        is_immediate = self.variant.renege == "immediate"
        follows = "it ends the hand at once" if is_immediate else "it is paid for when it is established"
        seat = question.seat
        text = (
            f"hand {self._game.hands_played}, seat {seat}: {act!r} does not follow suit though the seat could; "
            f"it was played, and {follows} (RULES.md 3.8)"
        )
        self._tell(question, FaultKind.RENEGE, text, None)

    def _forfeit(self, question: Question, side: Side) -> None:
        """End the game: nothing for the side that forfeits, the renege award for every other."""
        game, variant = self._game, self.variant
        award = -variant.renege_award if variant.counts_down else variant.renege_award
        points = tuple(0 if other == side else award for other in range(len(variant.sides)))
        strikes = self._policy.strikes
        text = f"hand {game.hands_played}: {strikes} strikes; the side of seat {question.seat} forfeits the game"
        self._tell(question, FaultKind.FORFEIT, text, None)
        game.totals = tuple(total + gained for total, gained in zip(game.totals, points, strict=True))
        self._close_hand(None)
        ended = wire.hand_ended_bytes(game.hands_played, self._hand, None, points, game.totals)
        self.notices += zip(self._seats, wire.hand_ended_notices(ended, self.table_ids), strict=True)
        others = [other for other in range(len(variant.sides)) if other != side]
        best = (min if variant.counts_down else max)(game.totals[other] for other in others)
        self._end(GameEnd.FORFEIT, [other for other in others if game.totals[other] == best], (side,))

    def _tell(self, question: Question, kind: FaultKind, text: str, instead: Action | None) -> None:
        """Record a fault and tell it to the seat it concerns, nobody else."""
        seat = question.seat
        text = cut(text)
        self._record(kind, seat, text)
        left = max(0, self._policy.strikes - self._strikes[self.variant.side_of[seat]])
        notice = wire.fault_notice(
            int(kind),
            text,
            table_id=self.table_ids[seat],
            decision_id=question.decision_id,
            instead=instead,
            strikes_left=left,
        )
        self.notices.append((seat, notice))

    def _record(self, kind: FaultKind, seat: Seat, text: str) -> None:
        self.faults.append(FaultRecord(kind=kind, seat=seat, hand=self._game.hands_played, message=cut(text)))
