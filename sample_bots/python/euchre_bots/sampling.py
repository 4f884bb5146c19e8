"""Deals that are consistent with what a seat has seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp
from typing import Final

from euchre.v1 import play_pb2, variants_pb2
from euchre_bots.calls import Caller, K
from euchre_bots.judgement import Role, keep
from euchre_kit import Knowledge, Variant
from euchre_kit.scoring import NOBODY
from euchre_kit.simulator import coding

_DOUBT: Final = 0.15
"""How likely a call is that says nothing about the hand: other bots judge in other ways."""
_SOFTNESS: Final = 0.35
"""How far, in counts, a seat's judgement may differ from ours."""

_PLAY: Final = variants_pb2.PHASE_KIND_PLAY


class Sampler:
    """Draws deals for one question."""

    def __init__(self, request: play_pb2.DecisionRequest, knowledge: Knowledge, caller: Caller) -> None:
        self.knowledge = knowledge
        self.variant: Variant = knowledge.variant
        self.caller = caller
        self.pool = [*knowledge.unseen.elements()]
        me = knowledge.me
        is_play = request.phase == _PLAY
        if is_play:
            seats = [seat for seat in knowledge.active if seat != me]
        else:
            seats = [seat for seat in range(self.variant.seats) if seat != me]
            if self.variant.counts_down:
                seats = [seat for seat in seats if seat in knowledge.active]
        self.certain = {seat: knowledge.held_for_certain.get(seat, []) for seat in seats}
        self.draws = {seat: max(0, knowledge.counts[seat] - len(self.certain[seat])) for seat in seats}
        self.extra = self._extra(request, seats)
        # Seats with voids first: they are the hardest to serve.
        self.seats = sorted(seats, key=lambda seat: -knowledge.voids[seat].bit_count())
        self.is_constrained = any(knowledge.voids[seat] for seat in seats) or bool(knowledge.called_card)
        self.evidence = _evidence(request, knowledge, caller)
        self.played_by: dict[int, list[int]] = {}
        for seat, card in knowledge.played:
            self.played_by.setdefault(seat, []).append(card)
        self.effective = knowledge.order.effective

    def _extra(self, request: play_pb2.DecisionRequest, seats: Sequence[int]) -> dict[int, int]:
        """Return how many more cards a seat has chosen its hand from: an upcard's taker, a widow's."""
        knowledge = self.knowledge
        extra: dict[int, int] = {}
        if not request.strain:
            return extra
        if knowledge.upcard_taker in seats:
            extra[knowledge.upcard_taker] = 1
        maker = knowledge.maker
        if maker in seats and self.variant.has_bids:
            discarded = any(
                event.seat == maker and event.action.kind == K.ACTION_KIND_DISCARD for event in request.history
            )
            if discarded:
                extra[maker] = max(1, self.variant.message.widow)
        for event in request.history:
            if event.action.kind == K.ACTION_KIND_SWAP_KITTY and event.seat in seats:
                extra[event.seat] = 1
        return extra

    def deal(self, chance: random.Random) -> tuple[list[list[int]], list[int]]:
        """Return hands by seat (one's own as it is) and the cards left over."""
        hands, rest = self._deal_once(chance)
        if self.evidence:
            for _ in range(4):
                if chance.random() < self._likelihood(hands):
                    break
                hands, rest = self._deal_once(chance)
        return hands, rest

    def _deal_once(self, chance: random.Random) -> tuple[list[list[int]], list[int]]:
        pool = self.pool[:]
        chance.shuffle(pool)
        if self.is_constrained:
            served = self._serve(pool)
            if served is not None:
                return served
        return self._serve_freely(pool)

    def _serve_freely(self, pool: list[int]) -> tuple[list[list[int]], list[int]]:
        hands: list[list[int]] = [[] for _ in range(self.variant.seats)]
        hands[self.knowledge.me] = [*self.knowledge.mine]
        place = 0
        for seat in self.seats:
            number = self.draws[seat]
            more = self.extra.get(seat, 0)
            drawn = pool[place : place + number + more]
            place += len(drawn)
            if more:
                drawn, gone = self._keep(drawn, number)
                pool += gone
            hands[seat] = self.certain[seat] + drawn
        return hands, pool[place:]

    def _may_draw(self, seat: int, card: int) -> bool:
        knowledge = self.knowledge
        if knowledge.voids[seat] >> self.effective[card] & 1:
            return False
        return not (card == knowledge.called_card and seat == knowledge.maker)

    def _serve(self, pool: list[int]) -> tuple[list[list[int]], list[int]] | None:
        """Deal so that nobody gets a suit he has shown not to hold; ``None`` if no deal is such."""
        drawn: dict[int, list[int]] = {}
        for seat in self.seats:
            wanted = self.draws[seat] + self.extra.get(seat, 0)
            got: list[int] = []
            left: list[int] = []
            for card in pool:
                if len(got) < wanted and self._may_draw(seat, card):
                    got.append(card)
                else:
                    left.append(card)
            drawn[seat], pool = got, left
        for seat in self.seats:
            while len(drawn[seat]) < self.draws[seat]:
                if not self._find_card(seat, drawn, pool, {seat}):
                    return None
        hands: list[list[int]] = [[] for _ in range(self.variant.seats)]
        hands[self.knowledge.me] = [*self.knowledge.mine]
        for seat in self.seats:
            cards = drawn[seat]
            if len(cards) > self.draws[seat]:
                cards, gone = self._keep(cards, self.draws[seat])
                pool += gone
            hands[seat] = self.certain[seat] + cards
        return hands, pool

    def _find_card(self, seat: int, drawn: dict[int, list[int]], pool: list[int], asked: set[int]) -> bool:
        """Give *seat* one more card, from the pool or from another seat that finds another; tell whether it worked."""
        for place, card in enumerate(pool):
            if self._may_draw(seat, card):
                drawn[seat].append(pool.pop(place))
                return True
        for other in self.seats:
            if other in asked:
                continue
            place = next((place for place, card in enumerate(drawn[other]) if self._may_draw(seat, card)), -1)
            if place < 0:
                continue
            asked.add(other)
            card = drawn[other].pop(place)
            if len(drawn[other]) >= self.draws[other] or self._find_card(other, drawn, pool, asked):
                drawn[seat].append(card)
                return True
            drawn[other].insert(place, card)
        return False

    def _keep(self, drawn: list[int], number: int) -> tuple[list[int], list[int]]:
        """Return the cards a seat would have kept, and the others."""
        kept = keep(coding(self.variant, self.knowledge.strain), drawn, number)
        gone = [*drawn]
        for card in kept:
            gone.remove(card)
        return kept, gone

    def _likelihood(self, hands: Sequence[Sequence[int]]) -> float:
        """Return how well the calls heard fit these hands, 0 to 1."""
        total = 1.0
        for seat, strain, threshold, sign in self.evidence:
            whole = [*hands[seat], *self.played_by.get(seat, ())]
            over = sign * (self.caller.judge.count(strain, whole) - threshold) / _SOFTNESS
            total *= _DOUBT + (1 - _DOUBT) / (1 + exp(-over)) if over > -30 else _DOUBT
        return total


def _evidence(
    request: play_pb2.DecisionRequest, knowledge: Knowledge, caller: Caller
) -> list[tuple[int, int, float, int]]:
    """Return what calls say: seat, strain, the count from which on it is likely, and its sign (-1: a pass)."""
    found: list[tuple[int, int, float, int]] = []
    me, strain = knowledge.me, request.strain
    turned = 0
    if request.upcard:
        turned = (request.upcard - 1) // 13 + 1 if request.upcard <= 52 else 0
    for event in request.history:
        seat, action = event.seat, event.action
        if seat == me or event.forced or seat not in knowledge.active:
            continue
        kind = action.kind
        if kind in (K.ACTION_KIND_PASS, K.ACTION_KIND_TURN_DOWN):
            if turned and not caller.variant.has_bids:
                found.append((seat, turned, caller.threshold(Role.MAKER, None), -1))
        elif kind in (K.ACTION_KIND_ORDER_UP, K.ACTION_KIND_TAKE_UP, K.ACTION_KIND_NAME):
            found.append((seat, strain or action.strain, caller.threshold(Role.MAKER, None), 1))
        elif kind in (K.ACTION_KIND_NAME_ALONE, K.ACTION_KIND_ORDER_UP_ALONE, K.ACTION_KIND_TAKE_UP_ALONE):
            found.append((seat, strain or action.strain, caller.threshold(Role.MAKER, None) + 1.0, 1))
        elif kind == K.ACTION_KIND_ALONE and strain:
            found.append((seat, strain, caller.threshold(Role.MAKER, None) + 1.0, 1))
        elif kind == K.ACTION_KIND_BID and seat == request.bidder:
            rung = caller.variant.rung(action.bid)
            suit = strain or action.strain
            if suit and not rung.is_misere:
                role = Role.LONER if rung.alone else Role.MAKER
                found.append((seat, suit, caller.threshold(role, rung, suit), 1))
        elif kind == K.ACTION_KIND_STAY and strain and seat != NOBODY:
            found.append((seat, strain, 0.8, 1))
    # The first pass of round 1 speaks about the suit turned; later ones are about every other suit.
    first: dict[int, tuple[int, int, float, int]] = {}
    rest = []
    for item in found:
        if item[3] < 0:
            first.setdefault(item[0], item)
        else:
            rest.append(item)
    return [*first.values(), *rest]
