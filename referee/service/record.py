"""Hands as text and back: the part of the game record that tells what happened on the table (docs/record.md).

A hand is one JSON object. Its ``play`` is a line for people, one word for every action in the order they
happened::

    1:PASS/12 2:ORDER_UP/30 0:DISCARD(9C)/8 1:AS/3 2:9S/1 3:KH/1050~timeout 0:TS/2 ... 1:QD! 2:KC!

that is the seat, what it did as RULES.md writes it (a card played is the card alone), and the time it took in
milliseconds; ``!`` marks an answer nobody was asked for (SRV-ASK-2), ``~`` a fault. Reading a hand replays it
through the rules, so what has been read has been checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from referee.rules import (
    NOBODY,
    Action,
    ActionRefused,
    Card,
    Hand,
    HandEnd,
    HandResult,
    Kind,
    RulesError,
    Seat,
    Variant,
    format_action,
    format_card,
    parse_action,
    parse_card,
    starting_totals,
)
from referee.service.outcome import FaultKind, HandRecord, PlayedAction

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What JSON can say."""

RULES_VERSION: Final = "1.0"
"""Version of RULES.md as implemented; it changes when the outcome of any recorded hand would."""
WIRE_VERSION: Final = "euchre.v1"
"""The contract the bots spoke."""
FORFEIT: Final = "forfeit"
"""As the end of a hand: a forfeit cut it short."""
CONFIDENCE_DIGITS: Final = 3
"""Digits kept of how sure a bot said it was."""
DEFAULTED: Final = frozenset({FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.DISCONNECT})
"""Faults after which the default was played (SRV-DEFAULT-1)."""

_END_WORDS: Final = {end: end.name.lower().replace("_", "-") for end in HandEnd}
_ENDS: Final = {word: end for end, word in _END_WORDS.items()}
_FAULT_WORDS: Final = {fault: fault.name.lower() for fault in FaultKind}
_FAULTS: Final = {word: fault for fault, word in _FAULT_WORDS.items()}


class RecordError(ValueError):
    """A record that does not fit: not well formed, or not what the rules make of it. The text says which."""

    def __init__(self, message: str, *, field: str = "", hand: int = -1, place: int = -1) -> None:
        super().__init__(message)
        self.field = field
        """The key of the value that does not fit, if it is one."""
        self.hand = hand
        """The hand that does not fit, counted from zero, or -1."""
        self.place = place
        """The action of ``play`` that does not fit, counted from zero, or -1."""


# -- actions -----------------------------------------------------------------------------------------

_TEXT_OF: dict[Action, str] = {}
_ACTION_OF: dict[str, Action] = {}


def format_done(act: Action) -> str:
    """Return an action as the record writes it: a card played is the card alone, and there are no blanks."""
    text = _TEXT_OF.get(act)
    if text is None:
        text = format_card(act.card) if act.kind is Kind.PLAY else format_action(act).replace(", ", ",")
        text = _TEXT_OF[act] = text.replace(" ", ",")
    return text


def parse_done(text: str) -> Action:
    """Return the action written by :func:`format_done`.

    :raises RecordError: for any other text, other spellings of an action included.
    """
    act = _ACTION_OF.get(text)
    if act is None:
        try:
            act = parse_action(f"PLAY({text})" if len(text) == 2 else text)
        except RulesError as error:
            raise RecordError(str(error)) from None
        if format_done(act) != text:
            raise RecordError(f"{text!r} is written {format_done(act)!r}")
        _ACTION_OF[text] = act
    return act


def format_play(actions: Iterable[PlayedAction]) -> str:
    """Return what was done as one line; :func:`parse_play` reads it back."""
    words = []
    for done in actions:
        word = f"{done.seat}:{_TEXT_OF.get(done.action) or format_done(done.action)}"
        word += "!" if done.forced else f"/{done.milliseconds}"
        words.append(word if done.fault is None else f"{word}~{_FAULT_WORDS[done.fault]}")
    return " ".join(words)


def parse_play(text: str) -> tuple[PlayedAction, ...]:
    """Return what was done.

    :raises RecordError: naming the word that is none.
    """
    if not text:
        return ()
    done: list[PlayedAction] = []
    for word in text.split(" "):
        try:
            done.append(_WORDS.get(word) or _parse_word(word))
        except RecordError as error:
            raise RecordError(str(error), field="play", place=len(done)) from None
    return tuple(done)


_WORDS: dict[str, PlayedAction] = {}
_MOST_WORDS: Final = 1 << 16
"""Words remembered; they repeat, because few times are long."""


def _parse_word(word: str) -> PlayedAction:
    seat, _, rest = word.partition(":")
    rest, tilde, fault = rest.partition("~")
    forced = rest.endswith("!")
    text, _, time = (rest[:-1], "", "0") if forced else rest.partition("/")
    if not (seat.isdecimal() and time.isdecimal() and seat.isascii() and time.isascii()):
        raise RecordError(f"{word!r} is no action of a record; they look like 2:ORDER_UP/30, 1:AS/3 and 0:TC!")
    if tilde and fault not in _FAULTS:
        raise RecordError(f"{word!r}: no fault is called {fault!r}")
    done = PlayedAction(
        seat=int(seat),
        action=parse_done(text),
        forced=forced,
        milliseconds=int(time),
        fault=_FAULTS[fault] if tilde else None,
    )
    if format_play([done]) != word:
        raise RecordError(f"{word!r} is written {format_play([done])!r}")
    if len(_WORDS) < _MOST_WORDS:
        _WORDS[word] = done
    return done


# -- hands -------------------------------------------------------------------------------------------


def format_deck(deck: Iterable[Card]) -> str:
    """Return the cards in the order dealt, two letters each and nothing between them."""
    return "".join([format_card(card) for card in deck])


_CARD_OF: dict[str, Card] = {}


def parse_deck(text: str) -> tuple[Card, ...]:
    """Return the cards of a deck.

    :raises RecordError: for two letters that are no card.
    """
    cards = []
    for at in range(0, len(text), 2):
        name = text[at : at + 2]
        card = _CARD_OF.get(name)
        if card is None:
            try:
                card = parse_card(name)
            except RulesError as error:
                raise RecordError(str(error), field="deck") from None
            if format_card(card) != name:
                raise RecordError(f"{name!r} is written {format_card(card)!r}", field="deck")
            _CARD_OF[name] = card
        cards.append(card)
    return tuple(cards)


def end_word(result: HandResult | None) -> str:
    """Return how a hand ended, as the record writes it: ``played``, ``thrown-in``, ... or ``forfeit``."""
    return FORFEIT if result is None else _END_WORDS[result.end]


def format_hand(hand: HandRecord, points: Sequence[int]) -> dict[str, Json]:
    """Return a hand as a JSON object; *points* are those it changed the totals by, a forfeit included."""
    data: dict[str, Json] = {
        "deal": f"{hand.board}.{hand.redeal}",
        "dealer": hand.dealer,
        "deck": format_deck(hand.deck),
        "play": format_play(hand.actions),
    }
    said = _format_said(hand.actions)
    if said:
        data["said"] = said
    data["end"] = end_word(hand.result)
    if hand.result is not None:
        data["tricks"] = list(hand.result.tricks)
    data["points"] = list(points)
    return data


def _format_said(actions: Sequence[PlayedAction]) -> list[Json]:
    """Return what bots wrote beside their actions: place, confidence, note."""
    said: list[Json] = []
    for place, done in enumerate(actions):
        if done.note or done.confidence is not None:
            confidence = None if done.confidence is None else round(done.confidence, CONFIDENCE_DIGITS)
            said.append([place, confidence, done.note])
    return said


def _with_said(actions: tuple[PlayedAction, ...], said: Json) -> tuple[PlayedAction, ...]:
    done = list(actions)
    for item in said if isinstance(said, list) else [said]:
        match item:
            case [int(place), int() | float() | None as confidence, str(note)] if 0 <= place < len(done):
                sure = None if confidence is None else float(confidence)
                done[place] = done[place]._replace(note=note, confidence=sure)
            case _:
                raise RecordError("said is a list of place, confidence or null, and note", field="said")
    return tuple(done)


_HAND_KEYS: Final = ("deal", "dealer", "deck", "play", "said", "end", "tricks", "points")


def read_hand(
    variant: Variant, data: Mapping[str, Json], number: int, before: Sequence[int]
) -> tuple[HandRecord, Hand]:
    """Return the hand of a JSON object, and the same hand replayed through the rules.

    *number* counts the hands of the table from zero; *before* are the totals before the hand.

    :raises RecordError: if it is not well formed, an action is impossible, somebody else was to act, or end,
        tricks or points are not what the rules make of it. (The points of a hand that a forfeit cut short are
        a matter of the whole table and are not checked here.)
    """
    absent = {"tricks"} if data.get("end") == FORFEIT else set()
    absent |= {"said"} - data.keys()
    expected = tuple([key for key in _HAND_KEYS if key not in absent])
    if tuple(data) != expected:
        raise RecordError(f"a hand says {', '.join(expected)} in this order, not {', '.join(data)}")
    board, redeal = _deal_number(data["deal"])
    points = integers(data["points"], "points", len(variant.sides))
    deck, play, dealer = data["deck"], data["play"], data["dealer"]
    if not isinstance(deck, str) or not isinstance(play, str) or not isinstance(dealer, int):
        raise RecordError("deck and play are texts and dealer a number")
    actions = parse_play(play)
    hand = replay_hand(variant, parse_deck(deck), dealer, before, actions)
    result = hand.result
    if data["end"] != end_word(result):
        raise RecordError(f"the hand ended as {data['end']!r}; by the rules it is {_state(hand)}", field="end")
    if result is not None:
        tricks = integers(data["tricks"], "tricks", variant.seats)
        if tricks != result.tricks:
            raise RecordError(f"tricks {list(tricks)}; by the rules they are {list(result.tricks)}", field="tricks")
        if points != result.points:
            raise RecordError(f"points {list(points)}; by the rules they are {list(result.points)}", field="points")
    if "said" in data:
        actions = _with_said(actions, data["said"])
    return (
        HandRecord(
            number=number,
            board=board,
            redeal=redeal,
            dealer=dealer,
            deck=hand.deck,
            actions=actions,
            result=result,
            totals=tuple(total + gain for total, gain in zip(before, points, strict=True)),
        ),
        hand,
    )


def _state(hand: Hand) -> str:
    return f"not over ({hand.describe()})" if hand.result is None else repr(end_word(hand.result))


def _deal_number(value: Json) -> tuple[int, int]:
    board, _, redeal = value.partition(".") if isinstance(value, str) else ("", "", "")
    if not (board.isdecimal() and redeal.isdecimal()) or f"{int(board)}.{int(redeal)}" != value:
        raise RecordError(f"deal {value!r}; it is the board and its claimed deals so far, as in '12.0'", field="deal")
    return int(board), int(redeal)


def integers(value: Json, name: str, count: int | None = None) -> tuple[int, ...]:
    """Return a list of whole numbers.

    :raises RecordError: if it is anything else, or not *count* of them.
    """
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        raise RecordError(f"{name} {json.dumps(value)}; they are whole numbers", field=name)
    if count is not None and len(value) != count:
        raise RecordError(f"{len(value)} {name} where {count} are wanted", field=name)
    return tuple(item for item in value if isinstance(item, int))


def replay_hand(
    variant: Variant, deck: Sequence[Card], dealer: Seat, before: Sequence[int], actions: Sequence[PlayedAction]
) -> Hand:
    """Return the hand after recorded *actions*, each of them checked.

    Checked are: who acts, whether it is possible, which answers were forced (SRV-ASK-2), that a fault was
    answered with the default and that every renege is marked as one.

    :raises RecordError: naming the first action that does not fit.
    """
    try:
        hand = Hand(variant, deck, dealer, before)
    except RulesError as error:
        raise RecordError(str(error), field="deck") from None
    for place, done in enumerate(actions):
        if not done.forced:
            _replay_action(hand, place, done)
    happened = hand.events
    for place, (event, done) in enumerate(zip(happened, actions, strict=False)):
        if event[0] != done.seat or event[1] is not done.action or event[2] != done.forced:
            raise _misfit(place, f"is {format_play([done])}; by the rules it is {_event_text(event)}")
    if len(happened) != len(actions):
        raise RecordError(
            f"{len(actions)} actions are recorded; by the rules there are {len(happened)}",
            field="play",
            place=min(len(actions), len(happened)),
        )
    return hand


def _misfit(place: int, message: str) -> RecordError:
    return RecordError(f"action {place} {message}", field="play", place=place)


def _event_text(event: tuple[Seat, Action, bool, int]) -> str:
    return f"{event[0]}:{format_done(event[1])}{'!' if event[2] else ''}"


def _replay_action(hand: Hand, place: int, done: PlayedAction) -> None:
    if hand.actor != done.seat:
        whose = "the hand is over" if hand.actor == NOBODY else f"seat {hand.actor} is to act"
        raise _misfit(place, f"is {format_play([done])}, but {whose}")
    act = done.action
    if done.fault in DEFAULTED and hand.default() is not act:
        raise _misfit(place, f"is {format_play([done])}, but the default was {format_done(hand.default())}")
    if act.kind is Kind.PLAY and (_is_renege(hand, act) != (done.fault is FaultKind.RENEGE)):
        said = "is marked as a renege and is none" if done.fault is FaultKind.RENEGE else "is a renege and not marked"
        raise _misfit(place, f"{said}: {format_play([done])}")
    try:
        hand.apply(act)
    except ActionRefused as refused:
        raise _misfit(place, f"is impossible: {refused}") from None


def _is_renege(hand: Hand, act: Action) -> bool:
    """Tell the same as ``hand.is_renege``, quickly for the card that follows suit."""
    if not hand.trick or hand.effective[act.card] == hand.led:
        return False
    return hand.refusal(act) is None and hand.is_renege(act)


# -- the hands of one table --------------------------------------------------------------------------


def format_hands(variant: Variant, hands: Sequence[HandRecord]) -> list[Json]:
    """Return the hands of a table, from its first deal on, as JSON values."""
    before = starting_totals(variant)
    data: list[Json] = []
    for hand in hands:
        points = tuple(after - total for after, total in zip(hand.totals, before, strict=True))
        data.append(format_hand(hand, points))
        before = hand.totals
    return data


def read_hands(variant: Variant, data: Json) -> list[tuple[HandRecord, Hand]]:
    """Return the hands of a table, each with its replay.

    :raises RecordError: naming the first hand that does not fit.
    """
    if not isinstance(data, list):
        raise RecordError("hands are a list")
    before = starting_totals(variant)
    hands = []
    for number, item in enumerate(data):
        if not isinstance(item, dict):
            raise RecordError(f"hand {number} is no object", hand=number)
        try:
            record, hand = read_hand(variant, item, number, before)
        except RecordError as error:
            raise RecordError(f"hand {number}: {error}", field=error.field, hand=number, place=error.place) from None
        hands.append((record, hand))
        before = record.totals
    return hands


def to_text(value: Json) -> str:
    """Return *value* as the record writes JSON: no blanks, keys in the order given, nothing but ASCII."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
