"""Between rules values and messages of ``euchre.v1``, in pairs. The one module that touches both worlds.

What crosses inward is a rules value, never a message; every value out of range is refused here, never
deeper. Cards, suits and strains are one more on the wire than in the rules, because zero means "not said".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from euchre.v1 import actions_pb2, cards_pb2, play_pb2, variants_pb2

from referee.rules.actions import Action, Bid, BidName, Kind, action, bid
from referee.rules.cards import CARD_COUNT, NOBODY, UNFIXED, Card, Seat, Strain
from referee.rules.hand import EVERYBODY, Event, Hand
from referee.rules.notation import CARD_KINDS, STRAIN_KINDS
from referee.rules.orders import CANNOT_WIN
from referee.rules.phases.base import CardChoice
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


class SeatRequest:
    """The decision request of one seat at one table, kept from question to question.

    Building it anew costs 31 µs with a full history, bringing a kept one up to date 3 µs
    (docs/performance.md), so only what changed since the last question is touched.
    """

    __slots__ = ("_events_sent", "_hand", "_message", "_seat")

    def __init__(self, table_id: int, variant: Variant, seat: Seat) -> None:
        self._message = play_pb2.DecisionRequest(table_id=table_id, variant=variant.id, seat=seat)
        self._seat = seat
        self._hand: Hand | None = None
        self._events_sent = 0

    def _begin_hand(self, hand: Hand, number: int) -> None:
        message = self._message
        self._hand = hand
        self._events_sent = 0
        message.hand = number
        message.dealer = hand.dealer
        message.upcard = card_to_message(hand.upcard)
        for name in ("totals", "history", "loners", "active"):
            message.ClearField(name)  # type: ignore[arg-type]
        message.totals.extend(hand.totals)
        for name in ("maker", "bid", "bidder", "choice"):
            message.ClearField(name)  # type: ignore[arg-type]

    def build(
        self, hand: Hand, number: int, decision_id: int, *, limit_milliseconds: int, bank_milliseconds: int = 0
    ) -> play_pb2.DecisionRequest:
        """Return the request for ``hand.actor``, which must be this seat. Valid until the next call."""
        if hand is not self._hand:
            self._begin_hand(hand, number)
        message, seat = self._message, self._seat
        message.decision_id = decision_id
        message.phase = int(hand.phase.kind)  # type: ignore[assignment]
        message.limit_milliseconds = limit_milliseconds
        message.bank_milliseconds = bank_milliseconds
        message.strain = strain_to_message(hand.strain)
        if hand.maker != NOBODY:
            message.maker = hand.maker
        if hand.bidder != NOBODY:
            message.bidder = hand.bidder
            message.bid.CopyFrom(bid_to_message(hand.contract.bid))
        message.cards[:] = [card + 1 for card in visible_cards(hand, seat)]  # type: ignore[misc]
        message.loners[:] = [loner for loner in (hand.lone_maker, hand.lone_defender) if loner != NOBODY]
        out = hand.out
        message.active[:] = [other for other in range(hand.variant.seats) if other not in out]
        message.tricks_won[:] = hand.tricks_won
        message.ClearField("trick")
        for who, card in trick_so_far(hand):
            message.trick.add(seat=who, card=card + 1)  # type: ignore[arg-type]
        events = hand.events
        if len(events) > self._events_sent:
            message.history.extend([event_to_message(event, seat) for event in events[self._events_sent :]])
            self._events_sent = len(events)
        question = hand.question()
        message.ClearField("options")
        message.options.extend([action_to_message(option) for option in question.options])
        if question.choice is not None:
            _fill_choice(message.choice, question.choice)
        elif message.HasField("choice"):
            message.ClearField("choice")
        return message


def _fill_choice(message: play_pb2.CardChoice, choice: CardChoice) -> None:
    message.kind = int(choice.kind)  # type: ignore[assignment]
    message.cards[:] = [card + 1 for card in choice.cards]  # type: ignore[misc]
    message.minimum = choice.minimum
    message.maximum = choice.maximum


# -- notices -----------------------------------------------------------------------------------------


def hand_ended_message(
    table_id: int, number: int, hand: Hand, result: HandResult | None, totals: Sequence[int]
) -> play_pb2.HandEnded:
    """Return the notice that reveals a finished hand; *result* is ``None`` when a forfeit cut it short.

    *totals* are those after the hand.
    """
    message = play_pb2.HandEnded(
        table_id=table_id,
        hand=number,
        end=play_pb2.HAND_END_FORFEIT if result is None else int(result.end),  # type: ignore[arg-type]
        points=result.points if result is not None else (0,) * len(totals),
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
        if spec.maximum is not None:
            message.maximum = spec.maximum
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
