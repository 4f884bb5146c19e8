"""A bot that tries every answer on deals as they may be, and takes the one that gains most on average.

Deals are drawn from all that its seat has seen (:mod:`euchre_bots.sampling`); the rest of each hand is
played by rules of thumb (:mod:`euchre_bots.rollout`). All answers are tried on the same deals. The heuristic
bot's answer stands unless another is better beyond the noise of the sample.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from euchre.v1 import actions_pb2, play_pb2, variants_pb2
from euchre_bots.calls import NAMES, PASSES, K
from euchre_bots.heuristic import HeuristicBot, trick_state, turned_strain
from euchre_bots.judgement import holder_of_best, keep_order
from euchre_bots.rollout import Roller, World
from euchre_bots.sampling import Sampler
from euchre_kit import Answer, Knowledge, Variant, act, run
from euchre_kit.cards import NO_TRUMP, suit
from euchre_kit.scoring import NOBODY, Outline
from euchre_kit.simulator import Coding, Table, View, coding

_BATCH: Final = 8
"""Deals between two looks at the clock and at the answers."""
_LEAST: Final = 40
"""Deals without which nothing but the heuristic's answer is sure."""
_MOST: Final = 64
"""Deals after which more would tell little: how the others play is only guessed."""
_SHARE: Final = 0.4
"""Share of a decision's limit after which it is answered, whatever has been tried: machines may be busy."""
_SURE_CARD: Final = 1.2
"""Standard errors by which another card must beat the heuristic's."""
_SURE_CALL: Final = 2.0
"""The same of a call, which depends more on how the others judge."""
_LEAST_GAIN: Final = 0.02
"""Points by which it must: more than tricks that change no points."""
_HOPELESS: Final = 1.0
"""Standard errors by which an answer is behind the heuristic's when it is given up."""
_PLAIN: Final = 4.5
"""Standard errors by which it is ahead when no more deals are needed."""

Try = Callable[[World], None]
"""Does an answer in a world, up to the point where the others go on."""


class SearchBot(HeuristicBot):
    """Determinised search.

    *budget_ms* bounds the processor time of a decision; *samples* bounds the number of deals alone, without a clock.
    """

    name = "search"
    version = "1"
    tables = 1

    def __init__(
        self, *, budget_ms: float = 40.0, samples: int = 0, blunder: float = 0.0, boldness: float = 0.0
    ) -> None:
        super().__init__(blunder=blunder, boldness=boldness)
        self.budget_seconds = budget_ms / 1000
        self.samples = samples
        self._rollers: dict[str, Roller] = {}
        self._latest = 0.0

    def roller(self, variant: Variant) -> Roller:
        """Return what plays out worlds of a variant."""
        found = self._rollers.get(variant.id)
        if found is None:
            found = self._rollers[variant.id] = Roller(variant, self.caller(variant))
        return found

    # -- the search ----------------------------------------------------------------------------

    def search(
        self,
        request: play_pb2.DecisionRequest,
        answers: int,
        value: Callable[[random.Random, Sequence[int]], list[float]],
        sure: float,
    ) -> int:
        """Return the index of the best of so many answers; the first is the heuristic's.

        *value* draws a deal and returns what the answers asked for gain in it; *sure* is the number of standard errors
        by which another answer must be better.
        """
        start = time.thread_time()
        most = self.samples or _MOST
        chance = self.chance(request)
        rivals = [_Rival(index) for index in range(1, answers)]
        tried = 0
        while tried < most and rivals:
            asked = [0, *(rival.index for rival in rivals)]
            for _ in range(min(_BATCH, most - tried)):
                first, *others = value(chance, asked)
                for rival, gain in zip(rivals, others, strict=True):
                    rival.add(gain - first)
                tried += 1
            if tried > _BATCH:  # not by the first few alone
                rivals = [rival for rival in rivals if rival.merit > -_HOPELESS]
            if not self.samples and (
                time.perf_counter() > self._latest or time.thread_time() - start > self.budget_seconds
            ):
                break
            if tried >= _LEAST and len(rivals) == 1 and rivals[0].merit > _PLAIN:
                break
        better = [rival for rival in rivals if rival.merit > sure and rival.mean > _LEAST_GAIN]
        return max(better, key=lambda rival: rival.mean).index if better else 0

    # -- questions -----------------------------------------------------------------------------

    def decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Search where there is a choice."""
        limit = request.limit_milliseconds / 1000 or 2 * self.budget_seconds
        self._latest = time.perf_counter() + _SHARE * limit
        heuristic = super().decide(request, variant)
        if len(request.options) == 1 and not request.HasField("choice"):
            return heuristic
        if request.phase == variants_pb2.PHASE_KIND_PLAY and request.strain:
            return self._search_play(request, variant, heuristic)
        return self._search_call(request, variant, heuristic)

    def _search_play(self, request: play_pb2.DecisionRequest, variant: Variant, heuristic: Answer) -> Answer:
        knowledge = Knowledge(request, variant)
        code = coding(variant, request.strain)
        bits = self._distinct(request, knowledge, code, heuristic)
        if len(bits) == 1:
            return next(iter(bits.values()))
        plays = sorted(bits, key=lambda bit: bits[bit] != heuristic)
        roller = self.roller(variant)
        sampler = Sampler(request, knowledge, self.caller(variant))
        scene = _Scene(request, knowledge, code, roller)

        def value(chance: random.Random, asked: Sequence[int]) -> list[float]:
            hands, _rest = sampler.deal(chance)
            return scene.values(hands, [plays[index] for index in asked])

        return bits[plays[self.search(request, len(plays), value, _SURE_CARD)]]

    @staticmethod
    def _distinct(
        request: play_pb2.DecisionRequest, knowledge: Knowledge, code: Coding, heuristic: Answer
    ) -> dict[int, Answer]:
        """Return the bits to try and their options: one of cards that nobody else's card lies between."""
        others = code.mask([*knowledge.unseen.elements(), *(played.card for played in request.trick)])
        for cards in knowledge.held_for_certain.values():
            others |= code.mask(cards)
        found: dict[int, Answer] = {}
        group: dict[tuple[int, int], int] = {}
        for index, option in enumerate(request.options):
            bit = code.bits[option.cards[0]][0]
            suit_mask = code.suit_mask_at[bit.bit_length() - 1]
            key = (suit_mask, (others & suit_mask & (bit - 1)).bit_count())
            if key in group and index != heuristic:
                continue
            if key in group:
                del found[group[key]]
            group[key] = bit
            found[bit] = index
        return found

    def _search_call(self, request: play_pb2.DecisionRequest, variant: Variant, heuristic: Answer) -> Answer:
        tries = self._tries(request, variant, heuristic)
        if tries is None or len(tries) < 2:
            return heuristic
        roller = self.roller(variant)
        knowledge = Knowledge(request, variant)
        sampler = Sampler(request, knowledge, self.caller(variant))
        scene = _world(request, knowledge, variant)
        me, phase = request.seat, request.phase

        def value(chance: random.Random, asked: Sequence[int]) -> list[float]:
            scene.hands, scene.rest = sampler.deal(chance)
            gains = []
            for index in asked:
                world = scene.copy()
                tries[index][1](world)
                gains.append(roller.value(world, phase, me))
            return gains

        return tries[self.search(request, len(tries), value, _SURE_CALL)][0]

    # -- answers to try ------------------------------------------------------------------------

    def _tries(
        self, request: play_pb2.DecisionRequest, variant: Variant, heuristic: Answer
    ) -> list[tuple[Answer, Try]] | None:
        """Return the answers to try, the heuristic's first; ``None`` where a search makes no sense."""
        if request.phase in (variants_pb2.PHASE_KIND_REDEAL_CLAIM, variants_pb2.PHASE_KIND_BLIND_NAMING):
            return None
        answers: list[Answer] = [heuristic]
        answers += [index for index in range(len(request.options)) if index != heuristic]
        if request.HasField("choice"):
            answers = [heuristic, *self._sets(request, variant, heuristic)]
        found = []
        for answer in answers:
            action = request.options[answer] if isinstance(answer, int) else answer
            assert isinstance(action, actions_pb2.Action)  # noqa: S101 (the heuristic returns no replies)
            attempt = self._attempt(request, variant, action)
            if attempt is not None:
                found.append((answer, attempt))
            elif answer is heuristic:
                return None
        return self._thinned(request, variant, found)

    def _thinned(
        self, request: play_pb2.DecisionRequest, variant: Variant, found: list[tuple[Answer, Try]]
    ) -> list[tuple[Answer, Try]]:
        """Leave out bids that are plainly worse than others, so that time is spent where it matters."""
        if request.phase != variants_pb2.PHASE_KIND_BID_AUCTION or len(found) < 6:
            return found
        caller, cards = self.caller(variant), [*request.cards]

        def value(answer: Answer) -> float:
            option = request.options[answer] if isinstance(answer, int) else None
            if option is None or option.kind != K.ACTION_KIND_BID:
                return 1e9
            rung = variant.rung(option.bid)
            return caller.bid_value(rung, (option.strain,) if option.strain else rung.strains, cards, request.upcard)

        rest = sorted(found[1:], key=lambda item: -value(item[0]))
        return [found[0], *rest[:7]]

    def _sets(self, request: play_pb2.DecisionRequest, variant: Variant, heuristic: Answer) -> list[Answer]:
        """Return sets of cards near those the heuristic would choose, and the words beside the choice."""
        choice, code = request.choice, coding(variant, request.strain)
        order = keep_order(code, [*choice.cards])
        if choice.kind != K.ACTION_KIND_GIVE:
            order.reverse()  # the first to go first
        sets = []
        for size in range(choice.minimum, choice.maximum + 1):
            base = order[:size]
            sets.append(base)
            for place in range(max(0, size - 2), size):
                sets += [[*base[:place], *base[place + 1 :], other] for other in order[size : size + 3]]
        taken = sorted(int(card) for card in heuristic.cards) if isinstance(heuristic, actions_pb2.Action) else []
        found: list[Answer] = []
        seen = {tuple(taken)}
        for cards in sets:
            key = tuple(sorted(int(card) for card in cards))
            if key not in seen:
                seen.add(key)
                found.append(act(choice.kind, cards))
        words = [index for index, option in enumerate(request.options) if option.kind != choice.kind]
        return [*found, *(word for word in words if word != heuristic)]

    def _attempt(self, request: play_pb2.DecisionRequest, variant: Variant, action: actions_pb2.Action) -> Try | None:
        """Return what doing *action* means in a world, ``None`` if this bot cannot tell."""
        phases = variants_pb2
        match request.phase:
            case phases.PHASE_KIND_UPCARD_AUCTION:
                return self._try_upcard(request, variant, action)
            case phases.PHASE_KIND_BID_AUCTION:
                return self._try_bid(request, variant, action)
            case phases.PHASE_KIND_EXCHANGE:
                return self._try_exchange(request, variant, action)
            case phases.PHASE_KIND_PLAY:
                return self._try_trump_lead(action)
            case _:
                return self._try_simple(request, variant, action)

    def _try_upcard(self, request: play_pb2.DecisionRequest, variant: Variant, action: actions_pb2.Action) -> Try:
        me, roller = request.seat, self.roller(variant)
        if action.kind not in PASSES:
            return lambda world: roller.call_upcard(world, me, (action.kind, action.strain))
        rounds = int(variant.option("auction_rounds", "2"))
        in_round_two = any(option.kind in NAMES for option in request.options)

        def pass_on(world: World) -> None:
            if me != request.dealer:
                world.turn = variant.left(me)
            elif not in_round_two and rounds > 1:
                world.turn, world.round = variant.left(me), 2
            elif variant.counts_down:
                world.strain = NO_TRUMP  # everybody plays (BUCK-TRUMP-3)
            else:
                world.is_thrown_in = True

        return pass_on

    def _try_bid(self, request: play_pb2.DecisionRequest, variant: Variant, action: actions_pb2.Action) -> Try:
        me, roller = request.seat, self.roller(variant)
        rung = variant.rung(action.bid) if action.kind == K.ACTION_KIND_BID else None

        def say(world: World) -> None:
            world.turns += 1
            world.turn = variant.left(me)
            if rung is None:
                world.passes += 1
            else:
                roller.bid(world, me, rung, action.strain)

        return say

    def _try_exchange(
        self, request: play_pb2.DecisionRequest, variant: Variant, action: actions_pb2.Action
    ) -> Try | None:
        me, roller, kind = request.seat, self.roller(variant), action.kind
        cards = [*action.cards]
        loners = [*request.loners]
        mine = me if me in loners else next((seat for seat in loners if self.caller(variant).is_with(seat, me)), NOBODY)
        if mine == NOBODY:
            return None
        rule = variant.option("loner_exchange")

        def done(world: World) -> None:
            world.exchanged = world.exchanged.union((mine,))

        def give(world: World) -> None:
            done(world)
            roller.lay_down(world, me, cards)
            world.hands[mine] += cards
            if rule == "ask-one":
                world.hands[mine] = self.caller(variant).best_of(world.strain, world.hands[mine])
            world.received = len(cards)

        def offer(world: World) -> None:
            give(world)
            world.hands[mine] = self.caller(variant).best_of(world.strain, world.hands[mine])

        def lay_down(world: World) -> None:
            done(world)
            roller.lay_down(world, me, cards)
            if kind != K.ACTION_KIND_DISCARD or rule == "fixed-by-bid":
                roller.be_given(world, me, len(cards))

        if kind == K.ACTION_KIND_GIVE:
            return give
        if kind == K.ACTION_KIND_OFFER:
            return offer
        if kind in (K.ACTION_KIND_DISCARD, K.ACTION_KIND_SWAP, K.ACTION_KIND_CALL_BEST, K.ACTION_KIND_ACCEPT):
            return lay_down
        if kind == K.ACTION_KIND_ASK:
            return lambda world: None if action.seat == variant.partners(me)[0] else done(world)
        return done

    @staticmethod
    def _try_trump_lead(action: actions_pb2.Action) -> Try:
        """Lead a card whose suit becomes trump (NAP-TRUMP-1)."""

        def lead(world: World) -> None:
            world.strain = suit(action.cards[0])

        return lead

    def _try_simple(
        self, request: play_pb2.DecisionRequest, variant: Variant, action: actions_pb2.Action
    ) -> Try | None:
        me, roller, kind = request.seat, self.roller(variant), action.kind
        cards = [*action.cards]

        def do(world: World) -> None:
            match kind:
                case K.ACTION_KIND_TAKE_UPCARD:
                    world.taker, world.is_optional = me, False
                case K.ACTION_KIND_LEAVE_UPCARD:
                    world.taker = NOBODY
                case K.ACTION_KIND_DISCARD:
                    world.taker = NOBODY
                    roller.lay_down(world, me, cards)
                case K.ACTION_KIND_ALONE:
                    roller.play_alone(world, me)
                case K.ACTION_KIND_NOT_ALONE | K.ACTION_KIND_STAY | K.ACTION_KIND_KEEP_HAND | K.ACTION_KIND_NO_SWAP:
                    world.asked = world.asked.union((me,))
                case K.ACTION_KIND_DROP:
                    world.asked = world.asked.union((me,))
                    world.out = world.out.union((me,))
                case K.ACTION_KIND_CHOOSE:
                    roller.choose_strain(world, action.strain)
                case K.ACTION_KIND_TAKE_WIDOW:
                    world.widow_done = True
                    roller.take_widow(world)
                case K.ACTION_KIND_LEAVE_WIDOW:
                    world.widow_done = True
                case K.ACTION_KIND_TAKE_HAND:
                    roller.take_hand(world, me)
                case K.ACTION_KIND_SWAP_KITTY:
                    roller.lay_down(world, me, cards)
                    roller.swap_kitty(world, me, world.hands[me])
                case K.ACTION_KIND_KEEP_UPCARD:
                    roller.make_by_dealer(world, 0, world.turned)
                case K.ACTION_KIND_TAKE_AND_SHOW:
                    roller.make_by_dealer(world, cards[0], suit(cards[0]))
                case K.ACTION_KIND_CALL_CARD:
                    world.ally = next((s for s, hand in enumerate(world.hands) if cards[0] in hand), me)
                case K.ACTION_KIND_CALL_SUIT:
                    world.ally = holder_of_best(coding(variant, world.strain), world.hands, action.strain, me)

        return do


class _Scene:
    """The tricks as they stand, ready to be filled with hands."""

    def __init__(self, request: play_pb2.DecisionRequest, knowledge: Knowledge, code: Coding, roller: Roller) -> None:
        self.knowledge = knowledge
        self.code = code
        self.roller = roller
        self.me = request.seat
        self.active = knowledge.active
        self.won = [*request.tricks_won]
        self.trick = trick_state(code, request) if request.trick else (NOBODY, NOBODY, 0)
        self.pending = len(self.active) - len(request.trick) if request.trick else 0
        gone = code.everything
        for card in (*knowledge.unseen.elements(), *knowledge.mine):
            gone &= ~self._bit(card, gone)
        for cards in knowledge.held_for_certain.values():
            for card in cards:
                gone &= ~self._bit(card, gone)
        self.unplayed = code.everything & ~gone
        world = _world(request, knowledge, knowledge.variant)
        world.received = _received(request)
        self.world = world
        self.avoider = world.maker if world.rung is not None and world.rung.is_misere else NOBODY
        self.results: dict[tuple[int, ...], float] = {}
        self.outline: Outline | None = None
        self.team: Sequence[int] = ()
        self.reveals = 0
        """The card that will tell who the ally is; 0 once it is played."""

    def _bit(self, card: int, among: int) -> int:
        return next((bit for bit in self.code.bits[card] if bit & among), 0)

    def values(self, hands: Sequence[Sequence[int]], plays: Sequence[int]) -> list[float]:
        """Return what each play gains if these are the hands."""
        self._settle_sides(hands)
        code, me, active = self.code, self.me, self.active
        masks = [0] * len(hands)
        taken = 0
        for seat in active:
            mask = 0
            for card in hands[seat]:
                for bit in code.bits[card]:
                    if not taken & bit and self.unplayed & bit:
                        taken |= bit
                        mask |= bit
                        break
            masks[seat] = mask
        makers_team = self.team[self.world.maker] if self.world.maker != NOBODY else NOBODY
        table = Table(code, masks, active, self.team, me, makers_team=makers_team, avoider=self.avoider)
        table.best, table.best_seat, table.led_mask = self.trick
        table.pending = self.pending
        table.unplayed = self.unplayed
        table.won = self.won
        if self.roller.variant.has_silent_ally and self.world.maker != NOBODY:
            table.views, table.reveals = self._views(), self.reveals
        gains = []
        for bit in plays:
            trial = table.copy()
            card = code.card_at[bit.bit_length() - 1]
            trial.play(next((own for own in code.bits[card] if masks[me] & own), bit))
            won = trial.play_out()
            gains.append(self._gain(won))
        return gains

    def _views(self) -> list[View]:
        """Return whom every seat takes for a friend while the ally is hidden; nothing once he is known."""
        if not self.reveals:
            return []
        seats, maker, ally = len(self.team), self.world.maker, self.world.ally
        against = [0 if seat == maker else 1 for seat in range(seats)]
        views: list[View] = [(against, 0)] * seats
        views[maker] = ([*range(seats)], maker)
        if ally != NOBODY:
            views[ally] = (self.team, 0) if ally != maker else views[maker]
        return views

    def _settle_sides(self, hands: Sequence[Sequence[int]]) -> None:
        """Find who plays with whom in this deal; fixed, unless an ally is hidden."""
        if self.outline is not None and not self.roller.variant.has_silent_ally:
            return
        world, knowledge = self.world, self.knowledge
        if knowledge.called_card or knowledge.called_suit:
            whole = [list(hand) for hand in hands]
            for seat, card in knowledge.played:
                whole[seat].append(card)
            if knowledge.called_card:
                world.ally = next((s for s, hand in enumerate(whole) if knowledge.called_card in hand), world.maker)
                telling = knowledge.called_card
            else:
                world.ally = holder_of_best(self.code, whole, knowledge.called_suit, world.maker)
                held = {card for hand in whole for card in hand}
                telling = next((card for card in self.code.order.by_suit[knowledge.called_suit] if card in held), 0)
            self.reveals = next((bit for bit in self.code.bits.get(telling, ()) if bit & self.unplayed), 0)
        outline = self.roller.outline(world, self.active)
        if self.outline is None or outline.makers != self.outline.makers:
            self.outline = outline
            self.results = {}
        self.team = self.roller.teams(world)

    def _gain(self, won: list[int]) -> float:
        key = tuple(won)
        found = self.results.get(key)
        if found is None:
            assert self.outline is not None  # noqa: S101 (set before the first play)
            found = self.results[key] = self.roller.result(self.outline, won, self.team, self.me)
        return found


def _received(request: play_pb2.DecisionRequest) -> int:
    """Return how many cards the lone declarer was given."""
    gifts = [
        len(event.action.cards) or event.hidden_cards
        for event in request.history
        if event.action.kind == K.ACTION_KIND_GIVE
    ]
    return gifts[0] if gifts else 0


def _world(request: play_pb2.DecisionRequest, knowledge: Knowledge, variant: Variant) -> World:
    """Return a world with all that is public; its hands are still to be dealt."""
    world = World(request.dealer, request.upcard)
    world.turned = turned_strain(request) if request.upcard else 0
    world.strain = request.strain
    world.maker = knowledge.maker
    world.rung = knowledge.rung
    world.bidder = request.bidder if request.HasField("bidder") else NOBODY
    world.round = 2 if any(option.kind in NAMES for option in request.options) else 1
    polled = set()
    asked_kinds = (
        K.ACTION_KIND_NOT_ALONE,
        K.ACTION_KIND_STAY,
        K.ACTION_KIND_DROP,
        K.ACTION_KIND_KEEP_HAND,
        K.ACTION_KIND_NO_SWAP,
    )
    for event in request.history:
        kind = event.action.kind
        if kind == K.ACTION_KIND_NAME_BLIND:
            world.named_blind = True
        elif kind in (K.ACTION_KIND_ORDER_UP, K.ACTION_KIND_ORDER_UP_ALONE):
            world.orderer = event.seat
        elif kind in asked_kinds:
            polled.add(event.seat)
        elif kind == K.ACTION_KIND_BID:
            world.turns += 1
            world.passes = 0
            world.bid_strain = event.action.strain
        elif kind == K.ACTION_KIND_PASS and variant.has_bids:
            world.turns += 1
            world.passes += 1
        elif kind in (K.ACTION_KIND_TAKE_HAND, K.ACTION_KIND_SWAP_KITTY):
            world.swapped = True
        elif kind in (K.ACTION_KIND_TAKE_WIDOW, K.ACTION_KIND_LEAVE_WIDOW):
            world.widow_done = True
    world.asked = frozenset(polled) if request.phase in _POLLS else frozenset()
    if request.phase not in (variants_pb2.PHASE_KIND_WIDOW, variants_pb2.PHASE_KIND_BID_AUCTION):
        world.widow_done = world.widow_done or request.phase != variants_pb2.PHASE_KIND_STRAIN_CHOICE
    for loner in request.loners:
        if knowledge.is_maker_side(loner):
            world.lone_maker = loner
        else:
            world.lone_defender = loner
    active = set(request.active)
    world.out = frozenset(seat for seat in range(variant.seats) if seat not in active)
    return world


_POLLS: Final = frozenset(
    {
        variants_pb2.PHASE_KIND_GOING_ALONE,
        variants_pb2.PHASE_KIND_DROP_OUT,
        variants_pb2.PHASE_KIND_HAND_SWAP,
        variants_pb2.PHASE_KIND_KITTY_SWAP,
    }
)


class _Rival:
    """An answer that may be better than the heuristic's, and by how much it was."""

    __slots__ = ("index", "mean", "number", "squares")

    def __init__(self, index: int) -> None:
        self.index = index
        self.number = 0
        self.mean = 0.0
        self.squares = 0.0

    def add(self, difference: float) -> None:
        """Count the difference of one deal."""
        self.number += 1
        step = difference - self.mean
        self.mean += step / self.number
        self.squares += step * (difference - self.mean)

    @property
    def merit(self) -> float:
        """The mean difference in standard errors; one point is added to the noise, lest a few equal deals seem sure."""
        spread = math.sqrt((self.squares + 1.0) / max(1, self.number - 1))
        return self.mean / spread * math.sqrt(self.number)


def main() -> None:
    """Play as the search bot."""
    parser = argparse.ArgumentParser(prog="python -m euchre_bots.search")
    parser.add_argument("--budget-ms", type=float, default=40.0, help="processor time for a decision")
    parser.add_argument("--samples", type=int, default=0, help="deals to try, whatever the time")
    parser.add_argument("--blunder", type=float, default=0.0, help="chance of a decision at random")
    given = parser.parse_args()
    run(SearchBot(budget_ms=given.budget_ms, samples=given.samples, blunder=given.blunder))


if __name__ == "__main__":
    main()
