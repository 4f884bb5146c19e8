"""Between rules values and messages of ``euchre.v1``, in pairs. The one module that touches both worlds.

What crosses inward is a rules value, never a message; every value out of range is refused here, never
deeper. Cards, suits and strains are one more on the wire than in the rules, because zero means "not said".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from euchre.v1 import actions_pb2, cards_pb2, play_pb2, variants_pb2
from referee.rules.actions import Action, Bid, BidName, Kind, action, bid
from referee.rules.cards import CARD_COUNT, NOBODY, UNFIXED, Card, Seat, Strain
from referee.rules.hand import EVERYBODY, Event, Hand
from referee.rules.notation import CARD_KINDS, STRAIN_KINDS
from referee.rules.orders import CANNOT_WIN
from referee.rules.phases.base import CardChoice, PhaseKind
from referee.rules.presets import OPTION_RULES
from referee.rules.result import HandResult
from referee.rules.variant import (
    Alliance,
    BidRung,
    BidValueScore,
    BonusScore,
    ContractScore,
    CountdownScore,
    FiveTrickScore,
    Variant,
)
from referee.rules.view import trick_so_far, visible_cards

_LONGEST_CARDS: Final = 16
"""More cards than any action names; longer lists are refused before they are read."""


class MalformedAction(ValueError):
    """A message that is no action: a missing, unknown or superfluous field. The text says which."""


# -- cards and actions -------------------------------------------------------------------------------


def card_to_message(card: Card) -> cards_pb2.Card:
    """Return the wire number of a card, ``CARD_UNSPECIFIED`` for ``NOBODY``."""
    return card + 1  # type: ignore[return-value]


def card_from_message(number: int) -> Card:
    """Return the card of a wire number.

    :raises MalformedAction: for ``CARD_UNSPECIFIED`` or an unknown number.
    """
    if not 1 <= number <= CARD_COUNT:
        raise MalformedAction(f"card {number} is no card; use 1 to {CARD_COUNT}")
    return number - 1


def strain_to_message(strain: Strain) -> cards_pb2.Strain:
    """Return the wire number of a strain, ``STRAIN_UNSPECIFIED`` while none is fixed."""
    return 0 if strain == UNFIXED else strain + 1  # type: ignore[return-value]


def strain_from_message(number: int) -> Strain:
    """Return the strain of a wire number.

    :raises MalformedAction: for ``STRAIN_UNSPECIFIED`` or an unknown number.
    """
    if not 1 <= number <= UNFIXED:
        raise MalformedAction(f"strain {number} is no strain; use 1 to {UNFIXED}")
    return number - 1


def bid_to_message(said: Bid) -> actions_pb2.Bid:
    """Return a bid as a message."""
    return actions_pb2.Bid(name=int(said.name), number=said.number)  # type: ignore[arg-type]


def bid_from_message(message: actions_pb2.Bid) -> Bid:
    """Return the bid of a message.

    :raises MalformedAction: if its name is unknown, or a number is missing or superfluous.
    """
    try:
        name = BidName(message.name)
    except ValueError:
        raise MalformedAction(f"bid name {message.name} is unknown") from None
    if (name is BidName.NUMBER) != (message.number > 0) or message.number > 1000:
        raise MalformedAction(f"bid {name.name} with number {message.number}")
    return bid(name, message.number)


_ACTION_MESSAGES: dict[Action, actions_pb2.Action] = {}


def action_to_message(act: Action) -> actions_pb2.Action:
    """Return an action as a message; the same object each time, not to be changed."""
    message = _ACTION_MESSAGES.get(act)
    if message is None:
        message = actions_pb2.Action(kind=int(act.kind), cards=[card + 1 for card in act.cards])  # type: ignore[arg-type,misc]
        message.strain = strain_to_message(act.strain)
        if act.bid is not None:
            message.bid.CopyFrom(bid_to_message(act.bid))
        if act.seat != NOBODY:
            message.seat = act.seat
        _ACTION_MESSAGES[act] = message
    return message


def action_from_message(message: actions_pb2.Action) -> Action:
    """Return the action of a message.

    :raises MalformedAction: if the kind is unknown, or a field is missing, superfluous or out of range.
    """
    try:
        kind = Kind(message.kind)
    except ValueError:
        raise MalformedAction(f"action kind {message.kind} is unknown") from None
    if len(message.cards) > _LONGEST_CARDS:
        raise MalformedAction(f"{kind.name} with {len(message.cards)} cards")
    if (kind in CARD_KINDS) != bool(message.cards):
        raise MalformedAction(f"{kind.name} {'needs' if kind in CARD_KINDS else 'takes no'} cards")
    if (kind is Kind.BID) != message.HasField("bid"):
        raise MalformedAction(f"{kind.name} {'needs' if kind is Kind.BID else 'takes no'} bid")
    if (kind is Kind.ASK) != message.HasField("seat"):
        raise MalformedAction(f"{kind.name} {'needs' if kind is Kind.ASK else 'takes no'} seat")
    if kind in STRAIN_KINDS and not message.strain:
        raise MalformedAction(f"{kind.name} needs strain")
    if message.strain and kind not in STRAIN_KINDS and kind is not Kind.BID:
        raise MalformedAction(f"{kind.name} takes no strain")
    return action(
        kind,
        cards=tuple(card_from_message(number) for number in message.cards),
        strain=strain_from_message(message.strain) if message.strain else UNFIXED,
        bid=bid_from_message(message.bid) if kind is Kind.BID else None,
        seat=message.seat if kind is Kind.ASK else NOBODY,
    )


_OPEN_EVENTS: dict[tuple[Seat, Action, bool], actions_pb2.Event] = {}


def event_to_message(event: Event, seat: Seat) -> actions_pb2.Event:
    """Return an event as *seat* saw it (GEN-INFO-1); ``NOBODY`` stands for the reader of a finished hand."""
    who, act, forced, seers = event
    if seers == EVERYBODY or seat == NOBODY or seers >> seat & 1:
        key = (who, act, forced)
        message = _OPEN_EVENTS.get(key)
        if message is None:
            message = actions_pb2.Event(seat=who, action=action_to_message(act), forced=forced)
            _OPEN_EVENTS[key] = message
        return message
    hidden = actions_pb2.Action(kind=int(act.kind))  # type: ignore[arg-type]
    return actions_pb2.Event(seat=who, action=hidden, hidden_cards=len(act.cards), forced=forced)


# -- requests ----------------------------------------------------------------------------------------


def decision_request(
    hand: Hand,
    number: int,
    *,
    table_id: int,
    decision_id: int,
    limit_milliseconds: int,
    bank_milliseconds: int = 0,
) -> play_pb2.DecisionRequest:
    """Return the request for ``hand.actor`` as a message: the readable twin of :class:`Requests`."""
    seat = hand.actor
    question = hand.question()
    message = play_pb2.DecisionRequest(
        decision_id=decision_id,
        table_id=table_id,
        variant=hand.variant.id,
        hand=number,
        seat=seat,
        dealer=hand.dealer,
        totals=hand.totals,
        phase=int(question.phase),  # type: ignore[arg-type]
        cards=[card + 1 for card in visible_cards(hand, seat)],  # type: ignore[misc]
        upcard=card_to_message(hand.upcard),
        strain=strain_to_message(hand.strain),
        loners=_loners(hand),
        active=[other for other in range(hand.variant.seats) if other not in hand.out],
        tricks_won=hand.tricks_won,
        trick=[play_pb2.TrickCard(seat=who, card=card + 1) for who, card in trick_so_far(hand)],  # type: ignore[arg-type]
        history=[event_to_message(event, seat) for event in hand.events],
        options=[action_to_message(option) for option in question.options],
        limit_milliseconds=limit_milliseconds,
        bank_milliseconds=bank_milliseconds,
    )
    if hand.maker != NOBODY:
        message.maker = hand.maker
    if hand.bidder != NOBODY:
        message.bidder = hand.bidder
        message.bid.CopyFrom(bid_to_message(hand.contract.bid))
    if question.choice is not None:
        message.choice.CopyFrom(_choice_to_message(question.choice))
    return message


def _loners(hand: Hand) -> list[Seat]:
    return [loner for loner in (hand.lone_maker, hand.lone_defender) if loner != NOBODY]


def _choice_to_message(choice: CardChoice) -> play_pb2.CardChoice:
    return play_pb2.CardChoice(
        kind=int(choice.kind),  # type: ignore[arg-type]
        cards=[card + 1 for card in choice.cards],  # type: ignore[misc]
        minimum=choice.minimum,
        maximum=choice.maximum,
    )


_MORE: Final = [bytes((number | 0x80,)) for number in range(0x80)]
_LAST: Final = [bytes((number,)) for number in range(0x80)]
_SHORT_VARINTS: Final = _LAST + [_MORE[number & 0x7F] + _LAST[number >> 7] for number in range(0x80, 0x4000)]


def _varint(number: int) -> bytes:
    """Return a number in the wire format's base 128."""
    if number < 0x4000:
        return _SHORT_VARINTS[number]
    parts = b""
    while number >= 0x4000:
        parts += _MORE[number & 0x7F]
        number >>= 7
    return parts + _SHORT_VARINTS[number]


def _tag(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


_NUMBER_TAGS: Final = [_tag(field, 0) for field in range(32)]
_FIELD_TAGS: Final = [_tag(field, 2) for field in range(32)]


def _field(field: int, payload: bytes) -> bytes:
    """Return a field that holds a message, text or packed numbers."""
    return _FIELD_TAGS[field] + _varint(len(payload)) + payload


def _number(field: int, number: int) -> bytes:
    """Return a field that holds a number; nothing for zero, which proto3 leaves out."""
    return _NUMBER_TAGS[field] + _varint(number) if number else b""


def _signed_numbers(field: int, numbers: Sequence[int]) -> bytes:
    """Return a field that holds packed ``sint32`` numbers; nothing if there are none."""
    return _field(field, b"".join([_varint(number << 1 if number >= 0 else ~number << 1 | 1) for number in numbers]))


# Parts of a request that recur, as bytes with their tags. Each is made once by protobuf.
_OPTIONS: dict[Action, bytes] = {}
_EVENTS: dict[Event, bytes] = {}
_SEEN_EVENTS: dict[Event, bytes] = {}
_HIDDEN_EVENTS: dict[Event, bytes] = {}
_CONTRACTS: dict[tuple[object, ...], bytes] = {}
_CACHED: Final = 50_000
"""Entries after which a cache begins anew, so that a long night cannot fill the memory."""

_PHASES: Final = [_number(8, number) for number in range(max(PhaseKind) + 1)]
_CARD_NUMBERS: Final = bytes.maketrans(bytes(range(CARD_COUNT)), bytes(range(1, CARD_COUNT + 1)))
_MOST_SEATS: Final = 8
_TRICK: Final = [
    [
        _field(18, play_pb2.TrickCard(seat=seat, card=card + 1).SerializeToString())  # type: ignore[arg-type]
        for card in range(CARD_COUNT)
    ]
    for seat in range(_MOST_SEATS)
]
_CARDS: Final = [b"", *[_tag(9, 2) + _varint(count) for count in range(1, 64)]]
_TRICKS_WON: Final = [_tag(17, 2) + _varint(seats) for seats in range(_MOST_SEATS + 1)]
_DECISION_ID: Final = _tag(1, 0)


def _option_bytes(act: Action) -> bytes:
    if len(_OPTIONS) >= _CACHED:
        _OPTIONS.clear()
    found = _OPTIONS[act] = _field(20, action_to_message(act).SerializeToString())
    return found


def _event_bytes(event: Event, seat: Seat) -> bytes:
    """Return an event of the history as *seat* saw it; one that all saw alike is kept in ``_EVENTS``."""
    seers = event[3]
    if seers == EVERYBODY:
        cache = _EVENTS
    elif seers >> seat & 1:
        cache = _SEEN_EVENTS
    else:
        cache = _HIDDEN_EVENTS
    found = cache.get(event)
    if found is None:
        if len(cache) >= _CACHED:
            cache.clear()
        found = cache[event] = _field(19, event_to_message(event, seat).SerializeToString())
    return found


def _contract_bytes(hand: Hand) -> bytes:
    """Return fields 11 to 16: strain, maker, bid, bidder, loners, active."""
    key = (hand.strain, hand.maker, hand.bidder, hand.contract.bid, hand.lone_maker, hand.lone_defender, hand.out)
    seats = hand.variant.seats
    found = _CONTRACTS.get((seats, key))
    if found is None:
        if len(_CONTRACTS) >= _CACHED:
            _CONTRACTS.clear()
        message = play_pb2.DecisionRequest(
            strain=strain_to_message(hand.strain),
            loners=_loners(hand),
            active=[other for other in range(seats) if other not in hand.out],
        )
        if hand.maker != NOBODY:
            message.maker = hand.maker
        if hand.bidder != NOBODY:
            message.bidder = hand.bidder
            message.bid.CopyFrom(bid_to_message(hand.contract.bid))
        found = _CONTRACTS[seats, key] = message.SerializeToString()
    return found


class Requests:
    """The decision requests of one table, as bytes.

    Building the message anew costs protobuf 31 µs and 4 µs more to serialise (docs/performance.md). Here the parts
    that recur (options, events, the contract) are serialised once and joined, and only what changed since the
    last question is looked at. The bytes are those that protobuf makes of :func:`decision_request`, field by field
    in order; a test compares them over random games of every preset.
    """

    __slots__ = (
        "_contract",
        "_contract_strain",
        "_deals",
        "_events_told",
        "_hand",
        "_histories",
        "_tables",
        "_told_to_all",
        "_tricks_won",
        "_upcard",
    )

    def __init__(self, table_ids: Sequence[int], variant: Variant) -> None:
        """*table_ids* by seat what each seat's stream calls the table."""
        name = _field(3, variant.id.encode())
        self._tables = [_number(2, table_id) + name for table_id in table_ids]
        self._tricks_won = _TRICKS_WON[variant.seats]
        self._hand: Hand | None = None
        self._contract = b""
        self._contract_strain = NOBODY
        self._upcard = b""
        self._deals: list[bytes] = []
        """By seat, fields 2 to 7."""
        self._events_told = 0
        self._histories: list[bytes] = []
        """By seat, the history up to the last event that not all saw alike."""
        self._told_to_all = b""
        """The history since then."""

    def _begin_hand(self, hand: Hand, number: int) -> None:
        self._hand = hand
        self._contract_strain = NOBODY
        self._upcard = _number(10, hand.upcard + 1)
        first = _number(4, number)
        last = _number(6, hand.dealer) + _signed_numbers(7, hand.totals)
        self._deals = [table + first + _number(5, seat) + last for seat, table in enumerate(self._tables)]
        self._events_told = 0
        self._histories = [b""] * len(self._tables)
        self._told_to_all = b""

    def _tell(self, events: Sequence[Event]) -> None:
        """Add events to the histories; what all saw alike is written once."""
        known = _EVENTS.get
        for event in events:
            if event[3] == EVERYBODY:
                self._told_to_all += known(event) or _event_bytes(event, NOBODY)
            else:
                told = self._told_to_all
                self._histories = [
                    history + told + _event_bytes(event, seat) for seat, history in enumerate(self._histories)
                ]
                self._told_to_all = b""

    def _contract_of(self, hand: Hand) -> bytes:
        """Return fields 11 to 16; once play has begun only the first lead can change them (NAP-TRUMP-1)."""
        found = _contract_bytes(hand)
        if hand.playing:
            self._contract, self._contract_strain = found, hand.strain
        return found

    def build(
        self,
        hand: Hand,
        number: int,
        decision_id: int,
        options: Sequence[Action],
        choice: CardChoice | None,
        limits: bytes,
    ) -> bytes:
        """Return the request for ``hand.actor``.

        *options* and *choice* are those of ``hand.question()``, *limits* those of :func:`limits_bytes`.
        """
        if hand is not self._hand:
            self._begin_hand(hand, number)
        seat = hand.actor
        events = hand.events
        if len(events) > self._events_told:
            self._tell(events[self._events_told :])
            self._events_told = len(events)
        cards = bytes(hand.hands[seat]) if hand.blind_seat != seat else b""
        parts = [
            _DECISION_ID,
            _varint(decision_id),
            self._deals[seat],
            _PHASES[hand.phase.kind],
            _CARDS[len(cards)],
            cards.translate(_CARD_NUMBERS),
            self._upcard,
            self._contract if self._contract_strain == hand.strain else self._contract_of(hand),
            self._tricks_won,
            bytes(hand.tricks_won),
        ]
        if hand.trick:
            who, following, trick = hand.leader, hand.following, _TRICK
            for card in hand.trick:
                parts.append(trick[who][card])
                who = following[who]
        parts += (self._histories[seat], self._told_to_all)
        offered = _OPTIONS.get
        parts += [offered(option) or _option_bytes(option) for option in options]
        if choice is not None:
            parts.append(_field(21, _choice_to_message(choice).SerializeToString()))
        parts.append(limits)
        return b"".join(parts)


def limits_bytes(limit_milliseconds: int, bank_milliseconds: int) -> bytes:
    """Return the last fields of a request: the time for it and the time in the bank."""
    return _number(22, limit_milliseconds) + _number(23, bank_milliseconds)


# -- replies -----------------------------------------------------------------------------------------


def _lenient_frame() -> type[Message]:
    """Return a BotFrame that reads no text: a note is bytes, and everything else is carried along unread."""
    file = descriptor_pb2.FileDescriptorProto(name="referee/service/lenient.proto", syntax="proto3")
    label = descriptor_pb2.FieldDescriptorProto
    reply = file.message_type.add(name="LenientReply")
    reply.field.add(name="note", number=5, type=label.TYPE_BYTES, label=label.LABEL_OPTIONAL)
    frame = file.message_type.add(name="LenientFrame")
    frame.field.add(
        name="replies", number=2, type=label.TYPE_MESSAGE, type_name=".LenientReply", label=label.LABEL_REPEATED
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("LenientFrame"))


_LENIENT_FRAME: Final[Any] = _lenient_frame()


def bot_frame(data: bytes) -> play_pb2.BotFrame:
    """Return the frame that *data* is. Notes that are no text are dropped: they decide nothing (KT-39).

    :raises DecodeError: if it is none.
    """
    try:
        return play_pb2.BotFrame.FromString(data)
    except DecodeError:
        lenient = _LENIENT_FRAME.FromString(data)
        for reply in lenient.replies:
            reply.note = reply.note.decode(errors="replace").encode()
        return play_pb2.BotFrame.FromString(lenient.SerializeToString())


def choice_from_reply(reply: play_pb2.Reply) -> int | Action:
    """Return what a reply says: an index into the options, or an action.

    :raises MalformedAction: if it says neither, or no action.
    """
    match reply.WhichOneof("choice"):
        case "option":
            return reply.option
        case "action":
            return action_from_message(reply.action)
        case _:
            raise MalformedAction("a reply without a choice; set option or action")


# -- notices -----------------------------------------------------------------------------------------


def table_opened_notice(table_id: int, variant: Variant, seat: Seat) -> bytes:
    """Return the serialised notice that a game begins."""
    return _field(1, _number(1, table_id) + _field(2, variant.id.encode()) + _number(3, seat))


def hand_ended_message(
    number: int, hand: Hand, result: HandResult | None, points: Sequence[int], totals: Sequence[int]
) -> play_pb2.HandEnded:
    """Return the notice that reveals a finished hand, without its table.

    *result* is ``None`` when a forfeit cut the hand short; *totals* are those after the hand.
    """
    message = play_pb2.HandEnded(
        hand=number,
        end=play_pb2.HAND_END_FORFEIT if result is None else int(result.end),  # type: ignore[arg-type]
        points=points,
        totals=totals,
        tricks_won=hand.tricks_won,
        upcard=card_to_message(hand.upcard),
        undealt=[card + 1 for card in hand.undealt],  # type: ignore[misc]
        dealt=[play_pb2.Cards(cards=[card + 1 for card in cards]) for cards in hand.dealt],  # type: ignore[misc]
        history=[event_to_message(event, NOBODY) for event in hand.events],
    )
    if result is not None and result.offender != NOBODY:
        message.offender = result.offender
    return message


_REVEALED: dict[Event, bytes] = {}


def hand_ended_bytes(
    number: int, hand: Hand, result: HandResult | None, points: Sequence[int], totals: Sequence[int]
) -> bytes:
    """Return :func:`hand_ended_message` serialised: the same bytes, joined from cached parts."""
    parts = [
        _number(2, number),
        _number(3, play_pb2.HAND_END_FORFEIT if result is None else int(result.end)),
        _signed_numbers(4, points),
        _signed_numbers(5, totals),
        _field(6, bytes(hand.tricks_won)),
    ]
    parts += [_field(7, _field(1, bytes(cards).translate(_CARD_NUMBERS))) for cards in hand.dealt]
    parts.append(_number(8, hand.upcard + 1))
    if hand.undealt:
        parts.append(_field(9, bytes(hand.undealt).translate(_CARD_NUMBERS)))
    known = _REVEALED.get
    parts += [known(event) or _revealed_bytes(event) for event in hand.events]
    if result is not None and result.offender != NOBODY:
        parts.append(_tag(11, 0) + _varint(result.offender))
    return b"".join(parts)


def _revealed_bytes(event: Event) -> bytes:
    if len(_REVEALED) >= _CACHED:
        _REVEALED.clear()
    found = _REVEALED[event] = _field(10, event_to_message(event, NOBODY).SerializeToString())
    return found


def game_ended_message(end: int, totals: Sequence[int], winners: Sequence[int]) -> play_pb2.GameEnded:
    """Return the notice that a game is over, without its table."""
    return play_pb2.GameEnded(end=end, totals=totals, winners=winners)  # type: ignore[arg-type]


def hand_ended_notices(body: bytes, table_ids: Sequence[int]) -> list[bytes]:
    """Return the serialised notice of a finished hand for every one of *table_ids*: the same but for the table."""
    return [_field(2, _number(1, table_id) + body) for table_id in table_ids]


def game_ended_notices(body: bytes, table_ids: Sequence[int]) -> list[bytes]:
    """Return the serialised notice of a finished game for every one of *table_ids*: the same but for the table."""
    return [_field(3, _number(1, table_id) + body) for table_id in table_ids]


def fault_notice(
    kind: int,
    text: str,
    *,
    table_id: int = 0,
    decision_id: int = 0,
    instead: Action | None = None,
    strikes_left: int = 0,
) -> bytes:
    """Return the serialised notice of a fault."""
    fault = play_pb2.Fault(
        kind=kind,  # type: ignore[arg-type]
        table_id=table_id,
        decision_id=decision_id,
        message=text,
        strikes_left=strikes_left,
    )
    if instead is not None:
        fault.instead.CopyFrom(action_to_message(instead))
    return play_pb2.Notice(fault=fault).SerializeToString()


# -- frames ------------------------------------------------------------------------------------------

_NOTICES: Final = _tag(2, 2)
_REQUESTS: Final = _tag(3, 2)


def frame_bytes(head: bytes, notices: Iterable[bytes], requests: Iterable[bytes]) -> bytes:
    """Return a RefereeFrame of serialised parts; *head* is a serialised frame to begin with, or empty."""
    parts = [head]
    for notice in notices:
        parts += (_NOTICES, _varint(len(notice)), notice)
    for request in requests:
        parts += (_REQUESTS, _varint(len(request)), request)
    return b"".join(parts)


# -- variants ----------------------------------------------------------------------------------------

_ALLIANCES: Final = {
    Alliance.FIXED: variants_pb2.ALLIANCE_FIXED,
    Alliance.NONE: variants_pb2.ALLIANCE_NONE,
    Alliance.MAKER_AGAINST_ALL: variants_pb2.ALLIANCE_MAKER_AGAINST_ALL,
    Alliance.SILENT_ALLY: variants_pb2.ALLIANCE_SILENT_ALLY,
}


def variant_to_message(variant: Variant) -> variants_pb2.Variant:
    """Return every dimension of a variant as data."""
    strains = variant.strains
    message = variants_pb2.Variant(
        id=variant.id,
        preset=variant.preset,
        name=variant.name,
        section=variant.section,
        seats=variant.seats,
        sides=[variants_pb2.Side(seats=side) for side in variant.sides],
        alliance=_ALLIANCES[variant.alliance],
        deck=[
            variants_pb2.DeckCard(card=card + 1, copies=variant.deck.count(card))  # type: ignore[arg-type]
            for card in dict.fromkeys(variant.deck)
        ],
        hand_size=variant.hand_size,
        upcard=variant.upcard,
        kitty=variant.kitty,
        widow=variant.widow,
        idle=variant.idle,
        duplicates=variant.duplicates,
        strains=[strain_to_message(strain) for strain in strains],
        orders=[_order_message(variant, strain) for strain in strains],
        phases=[int(phase.kind) for phase in variant.phases],  # type: ignore[misc]
        bids=[_rung_message(rung, height) for height, rung in enumerate(variant.ladder)],
        strain_in_bid=variant.strain_in_bid,
        equal_bid_outbids=variant.equal_bid_outbids,
        counts_down=variant.counts_down,
        target=variant.target,
        several_at_goal=variant.several_at_goal.value,
        renege_award=variant.renege_award,
        options=[_option_message(variant, name) for name in sorted(variant.options)],
        relabelings=variant.relabelings,
        fewest_questions=variant.questions[0],
        most_questions=variant.questions[1],
        card_order=variant.card_order,
        trump_making=variant.trump_making,
    )
    _fill_scoring(message, variant)
    return message


def _order_message(variant: Variant, strain: Strain) -> variants_pb2.StrainOrder:
    tables = variant.tables
    suits = []
    for suit in range(4):
        strength = tables.beats[strain][suit]
        cards = [card for card in dict.fromkeys(variant.deck) if tables.effective[strain][card] == suit]
        cards.sort(key=lambda card: (-strength[card], card))
        heights = [strength[card] for card in cards]
        suits.append(
            variants_pb2.SuitOrder(
                suit=suit + 1,  # type: ignore[arg-type]
                cards=[card + 1 for card in cards],  # type: ignore[misc]
                ranks=[heights.index(height) for height in heights],
            )
        )
        if CANNOT_WIN in heights:
            raise AssertionError(f"{variant.id}: a card of the suit led that cannot win")
    return variants_pb2.StrainOrder(strain=strain_to_message(strain), suits=suits)


def _rung_message(rung: BidRung, height: int) -> variants_pb2.BidRung:
    return variants_pb2.BidRung(
        bid=bid_to_message(rung.bid),
        rank=height,
        tricks=rung.tricks,
        value=rung.value,
        alone=rung.alone,
        strains=[strain_to_message(strain) for strain in rung.strains],
    )


def _option_message(variant: Variant, name: str) -> variants_pb2.Option:
    spec = variant.specs[name]
    message = variants_pb2.Option(
        name=name,
        value=str(variant.options[name]),
        default_value=str(spec.default),
        allowed=[str(value) for value in spec.allowed],
        rules=OPTION_RULES[name],
    )
    if spec.is_number:
        message.minimum = spec.minimum
        message.maximum = spec.highest
    return message


def _fill_scoring(message: variants_pb2.Variant, variant: Variant) -> None:
    match variant.scoring:
        case FiveTrickScore() as score:
            message.five_trick.CopyFrom(
                variants_pb2.FiveTrickScoring(
                    three_or_four=score.three_or_four,
                    march=score.march,
                    lone_march=score.lone_march,
                    euchre=score.euchre,
                    makers_none=score.makers_none,
                    lone_euchre=score.lone_euchre,
                )
            )
        case BonusScore() as score:
            message.bonus.CopyFrom(
                variants_pb2.BonusScoring(
                    three_or_more=score.three_or_more,
                    defenders=score.defenders,
                    alone=score.alone,
                    all_five=score.all_five,
                    makers_none_and_alone=score.makers_none_and_alone,
                )
            )
        case ContractScore() as score:
            message.contract.CopyFrom(
                variants_pb2.ContractScoring(
                    set_cost=score.set_cost,
                    made_top_bid=score.made_top_bid,
                    made_top_value=score.made_top_value,
                    lone_value_by_cards_received=score.value_by_cards_received,
                )
            )
        case BidValueScore() as score:
            message.bid_value.CopyFrom(
                variants_pb2.BidValueScoring(
                    made_to_each_of_side=score.made_to_each_of_side,
                    set_to_each_opponent=score.set_to_each_opponent,
                )
            )
        case CountdownScore() as score:
            message.countdown.CopyFrom(
                variants_pb2.CountdownScoring(
                    maker_needs=score.maker_needs,
                    others_need=score.others_need,
                    penalty=score.penalty,
                    instant_win_tricks=score.instant_win_tricks,
                )
            )
