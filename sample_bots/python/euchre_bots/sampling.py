"""Deals that are consistent with what a seat has seen, likelier ones more often.

What the others have done is evidence: a deal in which a seat would have called or played as it did is likelier than
one in which it would not. Each seat is judged as the heuristic bot would play it, with room for doubt.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import exp
from typing import Final

from euchre.v1 import play_pb2, variants_pb2
from euchre_bots.calls import NAMES, PASSES, TAKES, Caller, K
from euchre_bots.heuristic import teams_as_seen, turned_strain
from euchre_bots.judgement import Role, keep
from euchre_kit import Knowledge, Variant
from euchre_kit.scoring import NOBODY
from euchre_kit.simulator import Coding, choose_follow, choose_lead, coding

_CALL_DOUBT: Final = 0.02
"""How likely a call is that the heuristic would not make with the hand: other bots judge in other ways."""
_PASS_DOUBT: Final = 0.1
"""The same of a pass, and of staying in or dropping out."""
_PLAY_DOUBT: Final = 0.35
"""The same of a card played."""
_BID_DOUBT: Final = 0.05
"""The same of a bid."""
_SOFTNESS: Final = 0.35
"""How far, in counts, a bidder's judgement may differ from ours."""
_TRIES: Final = 24
"""Hands drawn for a seat until one fits its deeds."""

_PLAY: Final = variants_pb2.PHASE_KIND_PLAY

Check = Callable[[list[int]], float]
"""Tells how well the cards a seat holds now fit one of its deeds: 1 if it would have done the same, else the doubt."""


class Sampler:
    """Draws deals for one question."""

    def __init__(self, request: play_pb2.DecisionRequest, knowledge: Knowledge, caller: Caller) -> None:
        self.knowledge = knowledge
        self.variant: Variant = knowledge.variant
        self.caller = caller
        self.pool = [*knowledge.unseen.elements()]
        self.checks = Evidence(request, knowledge, caller).checks
        seats = self._seats_to_serve(request)
        self.certain = {seat: knowledge.held_for_certain.get(seat, []) for seat in seats}
        self.draws = {seat: max(0, knowledge.counts[seat] - len(self.certain[seat])) for seat in seats}
        self._shorten_idle()
        self._add_idle(seats)
        self.extra = self._extra(request, seats)
        # Seats with voids are the hardest to serve; then those that must have been strong to do what they did.
        self.order = {
            seat: (-knowledge.voids[seat].bit_count(), seat != knowledge.maker, -len(self.checks.get(seat, ())))
            for seat in seats
        }
        self.seats = seats
        self.is_constrained = any(knowledge.voids[seat] for seat in seats) or bool(knowledge.called_card)
        self.effective = knowledge.order.effective
        self._fits: dict[tuple[int, ...], float] = {}

    def _seats_to_serve(self, request: play_pb2.DecisionRequest) -> list[int]:
        knowledge = self.knowledge
        if request.phase == _PLAY or self.variant.counts_down:
            return [seat for seat in knowledge.active if seat != knowledge.me]
        return [seat for seat in range(self.variant.seats) if seat != knowledge.me]

    def _shorten_idle(self) -> None:
        """Take from seats that sit out what they have given away; what they hold is not counted."""
        missing = sum(self.draws.values()) - len(self.pool)
        for seat in self.draws:
            if missing > 0 and seat not in self.knowledge.active:
                less = min(missing, self.draws[seat])
                self.draws[seat] -= less
                missing -= less

    def _add_idle(self, seats: list[int]) -> None:
        """Deal to seats that sit out as well, if their hands are told by what they did and there are cards enough."""
        knowledge = self.knowledge
        spare = len(self.pool) - sum(self.draws.values())
        for seat in range(self.variant.seats):
            if seat == knowledge.me or seat in seats or not self.checks.get(seat):
                continue
            certain = knowledge.held_for_certain.get(seat, [])
            wanted = knowledge.counts[seat] - len(certain)
            if 0 < wanted <= spare:
                seats.append(seat)
                self.certain[seat], self.draws[seat] = certain, wanted
                spare -= wanted

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
        for doubts in (True, False):
            served = self._serve(chance, heeds_deeds=doubts)
            if served is not None:
                return served
        return self._serve_freely(chance)

    def _serve(self, chance: random.Random, *, heeds_deeds: bool) -> tuple[list[list[int]], list[int]] | None:
        """Deal seat by seat; ``None`` if the cards left do not suit somebody."""
        pool, gone = self.pool[:], []
        hands: list[list[int]] = [[] for _ in range(self.variant.seats)]
        hands[self.knowledge.me] = [*self.knowledge.mine]
        needed = sum(self.draws.values())
        seats = sorted(self.seats, key=lambda seat: (self.order[seat], chance.random()))
        for seat in seats:
            number = self.draws[seat]
            allowed = [card for card in pool if self._may_draw(seat, card)] if self.is_constrained else pool
            if len(allowed) < number:
                return None
            more = min(self.extra.get(seat, 0), len(pool) - needed, len(allowed) - number)
            checks = self.checks.get(seat) if heeds_deeds else None
            hand, left_out = self._draw(chance, seat, allowed, number, max(0, more), checks)
            for card in hand:
                pool.remove(card)
            for card in left_out:
                pool.remove(card)
            gone += left_out
            needed -= number
            hands[seat] = self.certain[seat] + hand
        chance.shuffle(pool)
        return hands, pool + gone

    def _draw(
        self,
        chance: random.Random,
        seat: int,
        allowed: list[int],
        number: int,
        more: int,
        checks: Sequence[Check] | None,
    ) -> tuple[list[int], list[int]]:
        """Return the cards of a seat, drawn until they fit its deeds, and those it has laid away."""
        best, best_fit = ([], []), -1.0  # type: tuple[list[int], list[int]], float
        certain = self.certain[seat]
        for _ in range(_TRIES if checks else 1):
            drawn = chance.sample(allowed, number + more)
            gone: list[int] = []
            if more:
                drawn, gone = self._keep(drawn, number)
            if not checks:
                return drawn, gone
            least = chance.random()
            fit = self._fit(seat, certain + drawn, checks, least, best_fit)
            if fit >= least:
                return drawn, gone
            if fit > best_fit:
                best, best_fit = (drawn, gone), fit
        return best

    def _fit(self, seat: int, hand: list[int], checks: Sequence[Check], least: float, best_fit: float) -> float:
        """Return how well a hand fits the deeds of its seat; less exactly where it is below both bounds."""
        key = (seat, *sorted(hand))
        found = self._fits.get(key)
        if found is not None:
            return found
        fit = 1.0
        for check in checks:
            fit *= check(hand)
            if fit < least and fit <= best_fit:
                return fit
        self._fits[key] = fit
        return fit

    def _may_draw(self, seat: int, card: int) -> bool:
        knowledge = self.knowledge
        if knowledge.voids[seat] >> self.effective[card] & 1:
            return False
        return not (card == knowledge.called_card and seat == knowledge.maker)

    def _serve_freely(self, chance: random.Random) -> tuple[list[list[int]], list[int]]:
        """Deal with respect to voids as far as it goes: seats exchange cards until each has what it may hold."""
        pool = self.pool[:]
        chance.shuffle(pool)
        seats = sorted(self.seats, key=self.order.__getitem__)
        drawn: dict[int, list[int]] = {}
        for seat in seats:
            wanted = self.draws[seat]
            got: list[int] = []
            left: list[int] = []
            for card in pool:
                (got if len(got) < wanted and self._may_draw(seat, card) else left).append(card)
            drawn[seat], pool = got, left
        for seat in seats:
            while len(drawn[seat]) < self.draws[seat]:
                if not self._find_card(seat, drawn, pool, {seat}):
                    break  # no deal is such; the hand stays short
        hands: list[list[int]] = [[] for _ in range(self.variant.seats)]
        hands[self.knowledge.me] = [*self.knowledge.mine]
        for seat in seats:
            hands[seat] = self.certain[seat] + drawn[seat]
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


class Evidence:
    """What the others have done, as checks of hands by seat."""

    def __init__(self, request: play_pb2.DecisionRequest, knowledge: Knowledge, caller: Caller) -> None:
        self.request = request
        self.knowledge = knowledge
        self.variant = knowledge.variant
        self.caller = caller
        self.played_by: dict[int, list[int]] = {}
        for seat, card in knowledge.played:
            self.played_by.setdefault(seat, []).append(card)
        self.checks: dict[int, list[Check]] = {}
        if not self.variant.has_silent_ally:  # what a seat plays depends on whom it takes for a friend
            self._read_plays()
        self._read_calls()

    def _add(self, seat: int, check: Check) -> None:
        self.checks.setdefault(seat, []).append(check)

    # -- calls ---------------------------------------------------------------------------------

    def _read_calls(self) -> None:
        request, variant = self.request, self.variant
        is_bid = variant.has_phase(variants_pb2.PHASE_KIND_BID_AUCTION)
        named_blind = any(event.action.kind == K.ACTION_KIND_NAME_BLIND for event in request.history)
        turns: dict[int, int] = {}
        playing = variant.seats
        for event in request.history:
            seat, action = event.seat, event.action
            kind = action.kind
            turns[seat] = turns.get(seat, 0) + 1
            still = playing
            playing -= kind == K.ACTION_KIND_DROP
            if kind == K.ACTION_KIND_PLAY:
                break
            if seat == self.knowledge.me or event.forced:
                continue
            if kind in (K.ACTION_KIND_STAY, K.ACTION_KIND_DROP):
                self._add(seat, self._stay_check(seat, still, stays=kind == K.ACTION_KIND_STAY))
            elif kind in (K.ACTION_KIND_ALONE, K.ACTION_KIND_NOT_ALONE):
                self._add(seat, self._alone_check(seat, alone=kind == K.ACTION_KIND_ALONE))
            elif kind == K.ACTION_KIND_BID:
                if seat == request.bidder and (check := self._bid_check(seat, action)) is not None:
                    self._add(seat, check)
            elif kind in _CALLS and not is_bid and not named_blind and request.upcard:
                round_number = 2 if kind in NAMES or turns[seat] > 1 else 1
                self._add(seat, self._upcard_check(seat, round_number, (int(kind), int(action.strain))))

    def _whole(self, seat: int) -> Sequence[int]:
        return self.played_by.get(seat, ())

    def _stay_check(self, seat: int, playing: int, *, stays: bool) -> Check:
        caller, strain, played = self.caller, self.request.strain, self._whole(seat)

        def check(hand: list[int]) -> float:
            return 1.0 if caller.stays(strain, [*hand, *played], playing) == stays else _PASS_DOUBT

        return check

    def _alone_check(self, seat: int, *, alone: bool) -> Check:
        caller, knowledge, strain, played = self.caller, self.knowledge, self.request.strain, self._whole(seat)
        is_ours, is_maker = knowledge.is_maker_side(seat), seat == knowledge.maker
        doubt = _CALL_DOUBT if alone else _PASS_DOUBT

        def check(hand: list[int]) -> float:
            whole = [*hand, *played]
            would = (
                caller.goes_alone(strain, whole, is_maker=is_maker) if is_ours else caller.defends_alone(strain, whole)
            )
            return 1.0 if would == alone else doubt

        return check

    def _bid_check(self, seat: int, action: object) -> Check | None:
        caller, played = self.caller, self._whole(seat)
        rung = self.variant.rung(action.bid)  # type: ignore[attr-defined]
        suit: int = self.request.strain or action.strain  # type: ignore[attr-defined]
        if not suit or rung.is_misere:
            return None
        threshold = caller.threshold(Role.LONER if rung.alone else Role.MAKER, rung, suit)

        def check(hand: list[int]) -> float:
            over = (caller.judge.count(suit, [*hand, *played]) - threshold) / _SOFTNESS
            return _BID_DOUBT + (1 - _BID_DOUBT) / (1 + exp(-over)) if over > -30 else _BID_DOUBT

        return check

    def _upcard_check(self, seat: int, round_number: int, call: tuple[int, int]) -> Check:
        caller, request, played = self.caller, self.request, self._whole(seat)
        dealer, upcard, turned = request.dealer, request.upcard, turned_strain(request)
        calls = caller.upcard_calls(seat, dealer, round_number, turned)
        holds_upcard = self.knowledge.upcard_taker == seat
        passes = call[0] in PASSES
        doubt = _PASS_DOUBT if passes else _CALL_DOUBT
        may_skip = passes and round_number == 1 and seat != dealer

        def check(hand: list[int]) -> float:
            whole = [*hand, *played]
            if holds_upcard and call[0] in TAKES:
                lone = call[0] != K.ACTION_KIND_TAKE_UP
                earned = caller.earns(Role.LONER if lone else Role.MAKER, turned, whole)
                return 1.0 if earned > 0 else doubt
            if may_skip:  # then a pass is thought to earn something, never less than nothing
                values = (caller.upcard_call_value(seat, dealer, whole, upcard, turned, other) for other in calls[1:])
                if max(values) <= 0:
                    return 1.0
            best = calls[caller.best_upcard_call(seat, dealer, whole, upcard, turned, calls)]
            return 1.0 if best == call or (passes and best[0] in PASSES) else doubt

        return check

    # -- plays ---------------------------------------------------------------------------------

    def _read_plays(self) -> None:
        knowledge = self.knowledge
        if not knowledge.strain or not knowledge.played:
            return
        variant = self.variant
        code = coding(variant, knowledge.strain)
        team = teams_as_seen(knowledge)
        makers_team = team[knowledge.maker] if knowledge.maker != NOBODY else NOBODY
        avoider = knowledge.maker if knowledge.rung is not None and knowledge.rung.is_misere else NOBODY
        players = max(1, len(knowledge.active))
        unplayed = code.everything
        best = best_seat = NOBODY
        led_mask = 0
        for number, (seat, card) in enumerate(knowledge.played):
            in_trick = number % players
            if not in_trick:
                best = NOBODY
            later = [other for who, other in knowledge.played[number:] if who == seat]
            if seat != knowledge.me and not (variant.trump_by_lead and number == 0):
                state = (best, best_seat, players - in_trick, unplayed, led_mask)
                self._add(seat, _play_check(code, seat, card, later, state, team, makers_team, avoider))
            bit = next(bit for bit in reversed(code.bits[card]) if bit & unplayed)
            unplayed &= ~bit
            place = bit.bit_length() - 1
            if best < 0:
                best, best_seat, led_mask = place, seat, code.suit_mask_at[place]
            elif code.beaten_by[best] & bit:
                best, best_seat = place, seat


_CALLS: Final = frozenset(
    {
        *PASSES,
        *NAMES,
        *TAKES,
        K.ACTION_KIND_ORDER_UP,
        K.ACTION_KIND_ORDER_UP_ALONE,
    }
)


def _play_check(
    code: Coding,
    seat: int,
    card: int,
    later: list[int],
    state: tuple[int, int, int, int, int],
    team: Sequence[int],
    makers_team: int,
    avoider: int,
) -> Check:
    """Return the check of one card played; *later* is what the seat has played from then on."""
    best, best_seat, pending, unplayed, led_mask = state

    def check(hand: list[int]) -> float:
        held = code.mask([*hand, *later])
        if best < 0:
            bit = choose_lead(code, held, seat, unplayed, team, makers_team, avoider)
        else:
            legal = held & led_mask or held
            if not legal & (legal - 1):
                return 1.0
            bit = choose_follow(
                code, held, legal, best, best_seat, pending, unplayed, seat, team, makers_team, avoider, led_mask
            )
        return 1.0 if code.card_at[bit.bit_length() - 1] == card else _PLAY_DOUBT

    return check
