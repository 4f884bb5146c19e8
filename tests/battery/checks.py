"""What has to be true of every hand and every game of every variant, checked while random games are played."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from euchre.v1 import actions_pb2
from referee.rules import (
    Action,
    ActionRefused,
    Alliance,
    Game,
    Hand,
    HandEnd,
    HandResult,
    Kind,
    PhaseKind,
    Reason,
    Seat,
    Variant,
    action,
    format_action,
    parse_action,
    replay,
    view,
)
from referee.service.wire import Requests, action_from_message, action_to_message
from tests.battery.ledger import Ledger
from tests.battery.twin import listed
from tests.battery.worlds import check_secrecy, request_bytes
from tests.strategies import random_answer, random_renege, shuffled_deck

RENEGE_SHARE = 0.03
_SEEN_ON_THE_WIRE: set[Action] = set()


@dataclass
class Effort:
    """How often the dear checks are made: shares of all positions."""

    twin: float = 0.05
    refused: float = 0.05
    replay: float = 0.05
    secrecy: float = 0.1
    request: float = 0.2
    reneges: float = RENEGE_SHARE
    """Share of the cards that are played wrong, where one can be."""


@dataclass
class Tally:
    """What was checked, so that a test can say that it was not nothing."""

    games: int = 0
    hands: int = 0
    positions: int = 0
    phases: Counter[PhaseKind] = field(default_factory=Counter)
    ends: Counter[HandEnd] = field(default_factory=Counter)
    twins: int = 0
    worlds: int = 0
    reneges: int = 0


class RenegeWatch:
    """Follows reneges by itself and says when the hand has to stop and for whom (REN-PROVE-1, REN-PEN-4)."""

    def __init__(self) -> None:
        self.open: set[tuple[Seat, int]] = set()

    def after(self, hand: Hand, act: Action, seat: Seat, led: int, *, is_renege: bool) -> Seat:
        """Return who is to be penalised for *act* now, or -1. *led* is the suit of the trick, -1 on lead."""
        if hand.variant.renege == "immediate":
            return seat if is_renege else -1
        suit = hand.effective[act.card]
        proved = (seat, suit) in self.open
        if is_renege:
            self.open.add((seat, led))
        return seat if proved else -1


def play_game(
    variant: Variant, rng: random.Random, tally: Tally, effort: Effort, *, max_hands: int, most_hands: int | None = None
) -> Game:
    """Play a random game to its end (at most *most_hands* hands of it), checking everything on the way."""
    game = Game(variant, rng.randrange(variant.seats), max_hands)
    while game.outcome is None and (most_hands is None or game.hands_played < most_hands):
        before = game.totals
        dealer, board, redeals = game.dealer, game.board, game.redeals
        hand = play_hand(game.deal(shuffled_deck(variant, rng)), rng, tally, effort)
        result = hand.result
        assert result is not None
        game.finish_hand(result)
        assert game.totals == tuple(t + p for t, p in zip(before, result.points, strict=True))
        if result.end is HandEnd.CLAIMED:  # RED-4, SRV-BOARD-1
            assert (game.dealer, game.board, game.redeals) == (dealer, board, redeals + 1)
        else:  # GEN-DEALER-2 to -4
            assert (game.dealer, game.board, game.redeals) == ((dealer + 1) % variant.seats, board + 1, 0)
        check_outcome(game, result)
    tally.games += 1
    return game


def play_hand(hand: Hand, rng: random.Random, tally: Tally, effort: Effort) -> Hand:
    """Play a random hand to its end and return it."""
    ledger, watch, actions = Ledger(hand), RenegeWatch(), list[Action]()
    requests = Requests([7] * hand.variant.seats, hand.variant)
    reneged = False
    ledger.check(hand)
    while hand.result is None:
        tally.positions += 1
        tally.phases[hand.phase.kind] += 1
        check_position(hand, actions, ledger, rng, tally, effort)
        if rng.random() < effort.request:
            assert request_bytes(hand, requests) == request_bytes(hand)
        act, is_renege = _draw(hand, rng, effort.reneges)
        seat, led = hand.actor, hand.led if hand.trick else -1
        events = len(hand.events)
        hand.apply(act)
        actions.append(act)
        check_on_the_wire(act)
        reneged |= is_renege
        tally.reneges += is_renege
        offender = -1
        if act.kind is Kind.PLAY:
            offender = watch.after(hand, act, seat, led, is_renege=is_renege)
            for who, forced_act, _, _ in hand.events[events + 1 :]:  # the last trick
                if offender < 0:
                    offender = watch.after(hand, forced_act, who, -1, is_renege=False)
        if act.kind is Kind.ASK:
            assert hand.actor == act.seat  # XCH-ASK-1: the partner of his choice
        ledger.follow(hand)
        ledger.check(hand)
        _check_offence(hand, offender)
    check_result(hand, len(actions), was_reneged=reneged)
    tally.hands += 1
    tally.ends[hand.result.end] += 1
    return hand


def _draw(hand: Hand, rng: random.Random, reneges: float) -> tuple[Action, bool]:
    if hand.phase.kind is PhaseKind.PLAY and hand.variant.renege != "rejected" and rng.random() < reneges:
        wrong = random_renege(hand, rng)
        if wrong is not None:
            assert hand.is_renege(wrong)
            return wrong, True
    act = random_answer(hand.question(), rng)
    assert not hand.is_renege(act)
    return act, False


# -- a position ------------------------------------------------------------------------------------------


def check_position(
    hand: Hand, actions: list[Action], ledger: Ledger, rng: random.Random, tally: Tally, effort: Effort
) -> None:
    """Check what has to be true whenever a seat is asked."""
    check_question(hand)
    if rng.random() < effort.replay:
        check_clone_and_replay(hand, actions, rng)
    rarity = 1 if hand.phase.kind is PhaseKind.PLAY else 3  # most positions are plays; most rules are not
    if rng.random() < effort.twin * rarity:
        check_twin(hand, rng)
        tally.twins += 1
    if rng.random() < effort.refused:
        check_refused_actions(hand, rng)
    if rng.random() < effort.secrecy:
        tally.worlds += check_secrecy(hand, ledger, rng.randrange(hand.variant.seats), rng)
        tally.worlds += check_secrecy(hand, ledger, hand.actor, rng, tries=2)


def check_question(hand: Hand) -> None:
    """The question, the options and the default tell the same; none is a renege, none is refused."""
    assert 0 <= hand.actor < hand.variant.seats
    question = hand.question()
    assert question.seat == hand.actor
    assert question.phase is hand.phase.kind
    assert question.options[0] is hand.default()
    choice = question.choice
    if choice is None or len(choice.cards) <= 12:
        options = hand.options()
        assert len(set(options)) == len(options) > 0
        assert options[0] is question.options[0]  # SRV-DEFAULT-1
        if choice is None:
            assert options == list(question.options)
        else:
            words = [option for option in question.options if option.kind is not choice.kind]
            sets = choice.sets()
            assert sets[0] is choice.first()
            assert options == words + sets
            assert list(question.options) == (words or sets[:1])
    for option in question.options:
        assert hand.refusal(option) is None
        assert not hand.is_renege(option)  # SRV-DEFAULT-2


def check_twin(hand: Hand, rng: random.Random) -> None:
    """Options equal those of the slow lister; of all other conceivable actions only a renege is accepted."""
    options = hand.options()
    lawful, others = listed(hand, rng)
    assert options == lawful, f"{hand.describe()}; hand {hand.hands[hand.actor]}"
    for act, is_renege in others.items():
        refused = hand.refusal(act)
        assert hand.is_renege(act) == is_renege, f"{act!r}; {hand.describe()}"
        if is_renege and hand.variant.renege != "rejected":
            assert refused is None, f"{act!r}; {hand.describe()}"
        else:
            assert refused is not None, f"{act!r}; {hand.describe()}"
            assert (refused.reason is Reason.MUST_FOLLOW) == is_renege


def check_refused_actions(hand: Hand, rng: random.Random) -> None:
    """An action that is refused raises and leaves everything as it was."""
    before = hand.clone()
    options = set(hand.options()) if hand.question().choice is None else None
    cards = tuple(rng.choices(hand.variant.deck, k=rng.randint(1, 4)))
    tried = [action(kind) for kind in Kind] + [action(kind, cards[:1]) for kind in Kind]
    tried += [action(kind, cards) for kind in (Kind.DISCARD, Kind.GIVE, Kind.SWAP, Kind.SWAP_KITTY)]
    for act in tried:
        refused = hand.refusal(act)
        assert hand == before, f"refusal({act!r}) changed something"
        if refused is None:
            assert options is None or act in options or hand.is_renege(act)
            continue
        with pytest.raises(ActionRefused) as raised:
            hand.apply(act)
        assert raised.value.reason is refused.reason
        assert str(raised.value) == str(refused)
        assert hand == before, f"apply({act!r}) was refused and changed something"


def check_clone_and_replay(hand: Hand, actions: list[Action], rng: random.Random) -> None:
    """A clone equals its original and goes its own way; a replay of the same answers equals it too."""
    again = replay(hand.variant, hand.deck, hand.dealer, actions, hand.totals)
    assert again == hand
    before = hand.clone()
    assert before == hand
    twin = hand.clone()
    while twin.result is None:
        twin.apply(random_answer(twin.question(), rng))
    assert twin != hand
    assert before == hand, "playing on in a clone changed the original"
    for seat in range(hand.variant.seats):
        assert view(before, seat) == view(hand, seat)


def check_on_the_wire(act: Action) -> None:
    """Text and message forms read back to the same action."""
    if act in _SEEN_ON_THE_WIRE:
        return
    _SEEN_ON_THE_WIRE.add(act)
    assert parse_action(format_action(act)) is act
    message = action_to_message(act)
    assert action_from_message(message) is act
    assert action_from_message(actions_pb2.Action.FromString(message.SerializeToString())) is act


# -- the end of a hand -----------------------------------------------------------------------------------


def _check_offence(hand: Hand, offender: Seat) -> None:
    result = hand.result
    if offender < 0:
        assert result is None or result.end is not HandEnd.RENEGE
        return
    assert result is not None
    assert result.end is HandEnd.RENEGE
    assert result.offender == offender
    variant = hand.variant
    gain = -variant.renege_award if variant.counts_down else variant.renege_award
    if not variant.renege_settles:
        gains = {0, gain} if variant.renege_award else {0}
        assert set(result.points) <= gains
        assert result.points[variant.side_of[offender]] == 0
        if variant.alliance is Alliance.FIXED:
            assert result.points[1 - variant.side_of[offender]] == gain


def check_result(hand: Hand, asked: int, *, was_reneged: bool) -> None:
    """Check what has to be true of every finished hand."""
    result, variant = hand.result, hand.variant
    assert result is not None
    assert hand.actor == -1
    assert hand.options() == []
    assert len(result.points) == len(variant.sides) == len(result.qualified)
    tricks = sum(result.tricks)
    if result.end is HandEnd.PLAYED:
        assert tricks == variant.hand_size
        assert not any(hand.hands[seat] for seat in hand.active)
        assert all(len(hand.hands[seat]) == variant.hand_size - _given_by(hand, seat) for seat in hand.out)
        assert all(result.tricks[seat] == 0 for seat in hand.out)
    elif result.end in (HandEnd.THROWN_IN, HandEnd.CLAIMED):
        assert not any(result.points)
        assert tricks == 0
    if variant.id == variant.preset and not was_reneged:
        least, most = variant.questions  # RULES.md 4.27
        assert least <= asked <= most, f"{asked} questions; {hand.describe()}"


def _given_by(hand: Hand, seat: Seat) -> int:
    """Return how many cards *seat* has passed to its partner (RULES.md 3.6)."""
    words = [(who, act) for who, act, _, _ in hand.events]
    given = sum(len(act.cards) for who, act in words if who == seat and act.kind is Kind.GIVE)
    accepted = (offer for offer, answer in pairwise(words) if answer[1].kind is Kind.ACCEPT)
    return given + sum(who == seat for who, _ in accepted)


def check_outcome(game: Game, result: HandResult) -> None:
    """Check the end of a game against the goal of its family (RULES.md 3.11, 3.12)."""
    variant, totals, outcome = game.variant, game.totals, game.outcome
    best = min(totals) if variant.counts_down else max(totals)
    is_reached = best <= 0 if variant.counts_down else best >= variant.target
    if outcome is None:
        assert game.hands_played < game.max_hands
        assert result.instant_winner == -1
        if is_reached and result.end in (HandEnd.PLAYED, HandEnd.RENEGE) and not variant.win_is_qualified:
            assert totals.count(best) > 1, f"nobody has won at {totals}"
        return
    assert outcome.totals == totals
    if outcome.is_adjudicated:  # SRV-LIMIT-1
        assert game.hands_played == game.max_hands
        assert outcome.winners == tuple(side for side, total in enumerate(totals) if total == best)
        return
    (winner,) = outcome.winners
    if result.instant_winner >= 0:  # BUCK-END-3
        assert result.tricks[result.instant_winner] == 5
        assert winner == variant.side_of[result.instant_winner]
        return
    assert totals[winner] <= 0 if variant.counts_down else totals[winner] >= variant.target
    if variant.win_is_qualified:
        assert result.qualified[winner] or len(set(totals)) == 1
    elif len(totals) > 2 or variant.counts_down:
        assert totals[winner] == best
        assert totals.count(best) == 1
