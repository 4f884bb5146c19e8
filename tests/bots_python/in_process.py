"""Hands played by bots without a network: the referee's requests, the bots' decide, the referee's rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from euchre.v1 import actions_pb2, play_pb2
from euchre_kit import Bot, Variant
from euchre_kit.bot import as_reply
from referee.rules import Action, Hand
from referee.rules import Variant as Rules
from referee.service import wire

LIMITS = wire.limits_bytes(10_000, 0)


def described(rules: Rules) -> Variant:
    """Return the kit's variant, made from nothing but the description."""
    return Variant(wire.variant_to_message(rules))


class Requests:
    """The requests of one hand, by seat."""

    def __init__(self, hand: Hand, number: int = 0) -> None:
        self._hand = hand
        self._number = number
        self._requests = wire.Requests([1] * hand.variant.seats, hand.variant)
        self._decision = 0

    def next(self) -> play_pb2.DecisionRequest:
        """Return what the seat to act is asked."""
        hand = self._hand
        self._decision += 1
        question = hand.question()
        data = self._requests.build(
            hand, self._number, self._decision, options=question.options, choice=question.choice, limits=LIMITS
        )
        return play_pb2.DecisionRequest.FromString(data)


def answer(bot: Bot, request: play_pb2.DecisionRequest, variant: Variant) -> Action:
    """Return the bot's answer as an action of the rules."""
    reply = as_reply(bot.decide(request, variant), request)
    if reply.WhichOneof("choice") == "option":
        return wire.action_from_message(request.options[reply.option])
    return wire.action_from_message(reply.action)


def random_action(hand: Hand, rng: random.Random) -> Action:
    """Return any lawful action, quickly where there are very many."""
    question = hand.question()
    if question.choice is None or rng.random() < 0.3:
        return rng.choice(question.options)
    choice = question.choice
    size = rng.randint(choice.minimum, choice.maximum)
    chosen = sorted(rng.sample(range(len(choice.cards)), size))
    cards = [choice.cards[place] + 1 for place in chosen]
    return wire.action_from_message(_action_message(int(choice.kind), cards))


def _action_message(kind: int, cards: Sequence[int]) -> actions_pb2.Action:
    return actions_pb2.Action(kind=kind, cards=cards)  # type: ignore[arg-type]


def random_hands(rules: Rules, count: int, seed: str) -> Iterator[tuple[Hand, Requests, random.Random]]:
    """Yield hands dealt by chance, the deal going round."""
    rng = random.Random(seed)
    for number in range(count):
        hand = Hand(rules, rng.sample(rules.deck, len(rules.deck)), number % rules.seats)
        yield hand, Requests(hand, number), rng


def play_out(hand: Hand, requests: Requests, bots: Sequence[Bot], variant: Variant) -> list[Action]:
    """Play a hand to its end; every answer must be lawful. Return the answers."""
    answers = []
    while not hand.is_over:
        request = requests.next()
        act = answer(bots[hand.actor], request, variant)
        assert hand.refusal(act) is None, (act, hand.describe())
        assert not hand.is_renege(act), (act, hand.describe())
        hand.apply(act)
        answers.append(act)
    return answers
