"""Any bot of OpenSpiel that plays its ``euchre``, seated in ``standard``; as a program, its ISMCTS.

OpenSpiel's bots want a whole state, with every hand in it. It is rebuilt for each question from what the seat asked
knows: cards it has not seen are dealt at random, such that nobody has a suit he has shown not to hold. The dealer's
discard is guessed as well, several times over if it is hidden, because OpenSpiel's own resampling of hidden cards
leaves it as it is.

Where the rules differ: OpenSpiel asks for the discard before it asks who plays alone, so a call made alone is thought
over in two steps, the call first. It never lets the card turned up be discarded; where another has done so and it
shows, there is no state to think about, and the default is played.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from euchre.v1 import actions_pb2, play_pb2, variants_pb2
from euchre_kit import Answer, Bot, Knowledge, Variant, run
from euchre_kit.cards import rank, suit

try:
    import pyspiel
except ModuleNotFoundError as missing:
    if __name__ == "__main__":
        raise SystemExit("OpenSpiel is not installed; the extra 'outside' of euchre-bot-kit brings it") from missing
    raise

K: Final = actions_pb2

PASS, FIRST_SUIT, ALONE, TOGETHER = 24, 25, 29, 30
"""OpenSpiel's numbers of what is no card."""
_SUIT_TO_THEIRS: Final = (0, 3, 0, 2, 1)
"""By our suit (S C H D from 1), its place in their C D H S."""
_GUESSES: Final = 4
"""Guesses of a hidden discard, among which the simulations are shared out."""
_DEALS: Final = 200
"""Tries to deal the unseen cards such that nobody has a suit he has shown not to hold."""

_ACCEPTS: Final = frozenset(
    {K.ACTION_KIND_ORDER_UP, K.ACTION_KIND_ORDER_UP_ALONE, K.ACTION_KIND_TAKE_UP, K.ACTION_KIND_TAKE_UP_ALONE}
)
_NAMES: Final = frozenset({K.ACTION_KIND_NAME, K.ACTION_KIND_NAME_ALONE})
_PASSES: Final = frozenset({K.ACTION_KIND_PASS, K.ACTION_KIND_TURN_DOWN})
_ALONE_CALLS: Final = frozenset({K.ACTION_KIND_ORDER_UP_ALONE, K.ACTION_KIND_TAKE_UP_ALONE, K.ACTION_KIND_NAME_ALONE})

Think = Callable[[Sequence[Any], int], int]
"""Returns an action for one information state, given several states that may be the true one, and a seed."""


def card_to_theirs(card: int) -> int:
    """Return OpenSpiel's number of a card, ``4 * rank + suit`` from the nine of clubs."""
    return 4 * (rank(card) - 9) + _SUIT_TO_THEIRS[suit(card)]


def call_to_theirs(action: actions_pb2.Action, turned: int) -> int:
    """Return OpenSpiel's number of a pass, an acceptance or a name."""
    if action.kind in _PASSES:
        return PASS
    return FIRST_SUIT + _SUIT_TO_THEIRS[turned if action.kind in _ACCEPTS else action.strain]


class UnlikeError(Exception):
    """What has been seen cannot happen in OpenSpiel's game."""


@dataclass
class _Deal:
    """The hands as they were dealt, and what the dealer has discarded (0: nothing, or nothing yet)."""

    hands: list[list[int]] = field(default_factory=list)
    discard: int = 0


class Rebuilder:
    """Makes OpenSpiel's states of one question, from nothing but the question."""

    def __init__(self, request: play_pb2.DecisionRequest, variant: Variant) -> None:
        self.request = request
        self.knowledge = Knowledge(request, variant)
        self.variant = variant
        self.me: int = request.seat
        self.dealer: int = request.dealer
        self.game: Any = pyspiel.load_game(
            "euchre",
            {
                "stick_the_dealer": variant.option("stick_dealer") == "on",
                "allow_lone_defender": variant.option("alone_defenders", "none") == "any",
            },
        )
        self.calls = [event for event in request.history if event.action.kind in _ACCEPTS | _NAMES | _PASSES]
        made = [event for event in self.calls if event.action.kind not in _PASSES]
        self.call: Any = made[0] if made else None
        self.was_accepted = self.call is not None and self.call.action.kind in _ACCEPTS
        self.taker = self.knowledge.upcard_taker
        discards = [event for event in request.history if event.action.kind == K.ACTION_KIND_DISCARD]
        self.has_discarded = bool(discards)
        self.own_discard = next((event.action.cards[0] for event in discards if event.seat == self.me), 0)

    @property
    def has_hidden_discard(self) -> bool:
        """Tell whether another seat has laid a card away that this seat has not seen."""
        return self.has_discarded and self.taker != self.me

    def state(self, chance: random.Random) -> Any:
        """Return OpenSpiel's state at the question, its hidden cards dealt by *chance*."""
        deal = self._deal(chance)
        state = self.game.new_initial_state()
        state.apply_action(self.dealer)
        for index in range(20):
            state.apply_action(card_to_theirs(deal.hands[(self.dealer + index) % 4][index // 4]))
        state.apply_action(card_to_theirs(self.request.upcard))
        for event in self.calls:
            state.apply_action(call_to_theirs(event.action, suit(self.request.upcard)))
        if self.call is not None:
            self._after_call(state, deal)
        return state

    def _after_call(self, state: Any, deal: _Deal) -> None:
        if self.was_accepted:
            if self.request.phase == variants_pb2.PHASE_KIND_PICK_UP:
                return
            self._discard(state, deal)
        said = {event.seat: event.action.kind for event in self.request.history if event.action.kind in _SAID}
        maker = self.call.seat
        asked_alone = self.request.phase == variants_pb2.PHASE_KIND_GOING_ALONE
        if asked_alone and self.me == maker:
            return
        lone = self.call.action.kind in _ALONE_CALLS or said.get(maker) == K.ACTION_KIND_ALONE
        state.apply_action(ALONE if lone else TOGETHER)
        while not state.is_terminal() and state.legal_actions() == [ALONE, TOGETHER]:  # the defenders
            seat = state.current_player()
            if asked_alone and seat == self.me:
                return
            state.apply_action(ALONE if said.get(seat) == K.ACTION_KIND_ALONE else TOGETHER)
        for event in self.request.history:
            if event.action.kind == K.ACTION_KIND_PLAY:
                state.apply_action(card_to_theirs(event.action.cards[0]))

    @staticmethod
    def _discard(state: Any, deal: _Deal) -> None:
        theirs = card_to_theirs(deal.discard) if deal.discard else state.legal_actions()[0]
        state.apply_action(theirs)

    # -- the hands -----------------------------------------------------------------------------

    def _deal(self, chance: random.Random) -> _Deal:
        """Return hands as dealt: one's own as it was, the others' by chance."""
        knowledge, upcard = self.knowledge, self.request.upcard
        if self.own_discard == upcard or (knowledge.voids[self.taker] >> suit(upcard) & 1 and self.taker >= 0):
            raise UnlikeError("the card turned up was discarded")
        played: dict[int, list[int]] = {seat: [] for seat in range(4)}
        for seat, card in knowledge.played:
            played[seat].append(card)
        hands = []
        for seat in range(4):
            known = [*played[seat], *(knowledge.mine if seat == self.me else ())]
            if seat == self.me and self.own_discard:
                known.append(self.own_discard)
            if upcard in known:
                known.remove(upcard)  # taken up, not dealt
            hands.append(known)
        return self._fill(hands, chance, self.own_discard)

    def _fill(self, hands: list[list[int]], chance: random.Random, discard: int) -> _Deal:
        missing = [5 - len(hand) for hand in hands]
        guess = self.has_hidden_discard and missing[self.dealer] > 0
        missing[self.dealer] -= guess
        for _ in range(_DEALS):
            drawn = self._draw(missing, chance)
            if drawn is not None:
                break
        else:
            raise UnlikeError("no deal fits the cards shown: the card turned up was discarded")
        more, left = drawn
        if guess:
            discard = chance.choice(left)
            more[self.dealer].append(discard)
        return _Deal([[*hand, *cards] for hand, cards in zip(hands, more, strict=True)], discard)

    def _draw(self, missing: list[int], chance: random.Random) -> tuple[list[list[int]], list[int]] | None:
        """Return cards for every seat, none of a suit it has shown not to hold, and those left; ``None`` if stuck."""
        effective, voids = self.knowledge.order.effective, self.knowledge.voids
        pool = [*self.knowledge.unseen.elements()]
        drawn: list[list[int]] = [[], [], [], []]
        for seat in sorted(range(4), key=lambda seat: -voids[seat].bit_count()):
            allowed = [card for card in pool if not voids[seat] >> effective[card] & 1]
            if len(allowed) < missing[seat]:
                return None
            drawn[seat] = chance.sample(allowed, missing[seat])
            pool = [card for card in pool if card not in drawn[seat]]
        return drawn, pool


_SAID: Final = frozenset({K.ACTION_KIND_ALONE, K.ACTION_KIND_NOT_ALONE})


class OpenSpielBot(Bot):
    """Answers with the actions of an OpenSpiel bot."""

    name = "openspiel"
    version = "1"
    tables = 1
    variants: ClassVar[tuple[str, ...]] = ("standard",)

    def __init__(self, think: Think) -> None:
        super().__init__()
        self.think = think

    def decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Answer; by default where OpenSpiel has no such state."""
        try:
            return super().decide(request, variant)
        except UnlikeError:
            return self.otherwise(request, variant)

    def upcard_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Pass or call; then, where one says so with the call, alone or not."""
        rebuilder, chance = Rebuilder(request, variant), self.chance(request)
        turned = suit(request.upcard)
        state = rebuilder.state(chance)
        chosen = self.think([state], chance.getrandbits(30))
        matching = [i for i, option in enumerate(request.options) if call_to_theirs(option, turned) == chosen]
        if len(matching) < 2:
            return matching[0] if matching else 0
        state.apply_action(chosen)
        while state.legal_actions() != [ALONE, TOGETHER]:  # the dealer discards first
            is_mine = state.current_player() == request.seat
            state.apply_action(
                self.think([state], chance.getrandbits(30)) if is_mine else chance.choice(state.legal_actions())
            )
        alone = self.think([state], chance.getrandbits(30)) == ALONE
        return next(i for i in matching if (request.options[i].kind in _ALONE_CALLS) == alone)

    def going_alone(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Play alone or not."""
        alone = self._thought(request, variant) == ALONE
        return next(i for i, o in enumerate(request.options) if (o.kind == K.ACTION_KIND_ALONE) == alone)

    def pick_up(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Discard a card."""
        return self._card(request, variant)

    def play(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Play a card."""
        return self._card(request, variant)

    def _card(self, request: play_pb2.DecisionRequest, variant: Variant) -> int:
        if len(request.options) == 1:
            return 0
        chosen = self._thought(request, variant)
        return next((i for i, o in enumerate(request.options) if card_to_theirs(o.cards[0]) == chosen), 0)

    def _thought(self, request: play_pb2.DecisionRequest, variant: Variant) -> int:
        rebuilder, chance = Rebuilder(request, variant), self.chance(request)
        guesses = _GUESSES if rebuilder.has_hidden_discard else 1
        return self.think([rebuilder.state(chance) for _ in range(guesses)], chance.getrandbits(30))


def ismcts(simulations: int, *, exploration: float = 2.0) -> Think:
    """Return the thinking of OpenSpiel's ISMCTS with random play-outs; the simulations are shared among the states."""

    def think(states: Sequence[Any], seed: int) -> int:
        visits: dict[int, float] = {}
        for number, state in enumerate(states):
            bot = pyspiel.ISMCTSBot(
                seed + number,
                pyspiel.RandomRolloutEvaluator(1, seed + number),
                exploration,
                max(1, simulations // len(states)),
                -1,
                pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
                False,
                False,
            )
            policy, _action = bot.step_with_policy(state)
            for action, share in policy:
                visits[action] = visits.get(action, 0.0) + share
        return max(sorted(visits), key=visits.__getitem__)

    return think


class IsmctsBot(OpenSpielBot):
    """OpenSpiel's ISMCTS with *simulations* a decision."""

    name = "openspiel-ismcts"

    def __init__(self, *, simulations: int = 1000) -> None:
        super().__init__(ismcts(simulations))


def main() -> None:
    """Play as OpenSpiel's ISMCTS."""
    parser = argparse.ArgumentParser(prog="python -m euchre_bots.outside.openspiel")
    parser.add_argument("--simulations", type=int, default=1000, help="simulations a decision")
    given = parser.parse_args()
    run(IsmctsBot(simulations=given.simulations))


if __name__ == "__main__":
    main()
