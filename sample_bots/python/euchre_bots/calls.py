"""What a call may earn, and which call a seat makes that judges by it: on plain numbers, without messages.

The heuristic bot answers with these; the search bot lets the other seats of its simulated deals speak so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from euchre.v1 import actions_pb2
from euchre_bots.judgement import Judge, Role, keep
from euchre_kit import Variant
from euchre_kit.cards import NO_TRUMP
from euchre_kit.scoring import NOBODY, Outline, hand_points
from euchre_kit.simulator import coding
from euchre_kit.variant import Rung

K: Final = actions_pb2

Call = tuple[int, int]
"""An action kind, and the strain it names (0: none)."""

ALONE_CALLS: Final = frozenset(
    {
        K.ACTION_KIND_ORDER_UP_ALONE,
        K.ACTION_KIND_TAKE_UP_ALONE,
        K.ACTION_KIND_TAKE_DOWN_ALONE,
        K.ACTION_KIND_NAME_ALONE,
    }
)
PASSES: Final = frozenset({K.ACTION_KIND_PASS, K.ACTION_KIND_TURN_DOWN})
NAMES: Final = frozenset({K.ACTION_KIND_NAME, K.ACTION_KIND_NAME_ALONE})
TAKES: Final = frozenset({K.ACTION_KIND_TAKE_UP, K.ACTION_KIND_TAKE_UP_ALONE, K.ACTION_KIND_TAKE_DOWN_ALONE})


class Caller:
    """Judges the calls of one variant. *boldness* is added to what every call but a pass is thought to earn."""

    high_bid_margin = 0.18
    """Points per trick of the hand that are given up for a bid the others cannot reach."""
    enemy_contract = -0.1
    """What a contract of the other side is thought to earn, per trick of the hand."""
    stranger_contract = -0.03
    """The same where every seat is a side."""
    no_contract = -0.05
    """The same while nobody has bid and others may."""

    def __init__(self, variant: Variant, *, boldness: float = 0.0) -> None:
        self.variant = variant
        self.judge = Judge(variant)
        self.boldness = boldness
        self.suits = [strain for strain in variant.strains if strain < NO_TRUMP]
        self._utilities: dict[tuple[object, ...], list[float]] = {}
        self._earned: dict[tuple[object, ...], float] = {}

    # -- earning -------------------------------------------------------------------------------

    def utilities(self, *, lone: bool = False, rung: Rung | None = None, received: int = 0) -> list[float]:
        """Return, by tricks of the maker's side, its points less the mean of the other sides'."""
        key = (lone, rung and (rung.name, rung.number), received)
        found = self._utilities.get(key)
        if found is None:
            found = self._utilities[key] = _utilities(self.variant, lone=lone, rung=rung, received=received)
        return found

    def earns(
        self,
        role: Role,
        strain: int,
        cards: Sequence[int],
        *,
        rung: Rung | None = None,
        received: int = 0,
        bonus: float = 0.0,
    ) -> float:
        """Return what a maker with these cards may expect to earn; *bonus* is added to their count."""
        judge = self.judge
        count = judge.count_danger(cards) if role is Role.AVOIDER else judge.count(strain, cards) + bonus
        return self.earned_by_count(role, strain, count, rung, received)

    def earned_by_count(self, role: Role, strain: int, count: float, rung: Rung | None, received: int = 0) -> float:
        """Return what a maker whose hand counts so much may expect to earn."""
        key = (role, strain if strain >= NO_TRUMP else 1, round(count * 20), rung and rung.rank, received)
        found = self._earned.get(key)
        if found is None:
            lone = role is Role.LONER or (rung is not None and rung.alone)
            chances = self.judge.chances_of(role, strain, count)
            values = self.utilities(lone=lone, rung=rung, received=received)
            found = sum(chance * value for chance, value in zip(chances, values, strict=True))
            self._earned[key] = found
        return found

    def threshold(self, role: Role, rung: Rung | None, strain: int = 1) -> float:
        """Return the least count with which a call is worth making; about that of the hands that make it."""
        key = ("threshold", role, strain if strain >= NO_TRUMP else 1, rung and rung.rank)
        found = self._earned.get(key)
        if found is None:
            size = self.variant.hand_size
            steps = range(size * 10 + 1)
            found = next(
                (step / 10 for step in steps if self.earned_by_count(role, strain, step / 10, rung) > 0), float(size)
            )
            self._earned[key] = found
        return found

    # -- the upcard auction --------------------------------------------------------------------

    def is_with(self, seat: int, other: int) -> bool:
        """Tell whether two seats are of one fixed side (a seat is with itself)."""
        variant = self.variant
        return seat == other or (variant.has_fixed_sides and variant.side_of[seat] == variant.side_of[other])

    def upcard_calls(self, seat: int, dealer: int, round_number: int, turned: int) -> list[Call]:
        """Return the calls open to a seat (UPA-R1-1 to UPA-R2-2), a natural card being left to the referee."""
        variant = self.variant
        with_call = variant.option("alone_timing") == "with-call" and variant.option("alone_makers") != "none"
        if round_number == 2:
            calls: list[Call] = [(K.ACTION_KIND_NAME, strain) for strain in self.suits if strain != turned]
            if with_call:
                calls += [(K.ACTION_KIND_NAME_ALONE, strain) for strain in self.suits if strain != turned]
            is_stuck = seat == dealer and variant.option("stick_dealer") == "on"
            return calls if is_stuck else [(K.ACTION_KIND_PASS, 0), *calls]
        if seat == dealer:
            calls = [(K.ACTION_KIND_TURN_DOWN, 0), (K.ACTION_KIND_TAKE_UP, 0)]
            return [*calls, (K.ACTION_KIND_TAKE_UP_ALONE, 0)] if with_call else calls
        if self.is_with(seat, dealer):
            rule = variant.option("dealer_partner_order", "normal")
            if rule == "takes-it-down":
                return [(K.ACTION_KIND_PASS, 0), (K.ACTION_KIND_TAKE_DOWN_ALONE, 0)]
            if rule == "alone-only":
                return [(K.ACTION_KIND_PASS, 0), (K.ACTION_KIND_ORDER_UP_ALONE, 0)]
        calls = [(K.ACTION_KIND_PASS, 0), (K.ACTION_KIND_ORDER_UP, 0)]
        is_maker = variant.option("order_up_makers") != "dealer-side"
        return [*calls, (K.ACTION_KIND_ORDER_UP_ALONE, 0)] if with_call and is_maker else calls

    def best_upcard_call(
        self, seat: int, dealer: int, cards: Sequence[int], upcard: int, turned: int, calls: Sequence[Call]
    ) -> int:
        """Return the index of the call that earns most."""
        values = [self.upcard_call_value(seat, dealer, cards, upcard, turned, call) for call in calls]
        if calls[0][0] in PASSES and len(calls) > 1:
            in_round_two = calls[1][0] in NAMES
            values[0] = self.pass_value(seat, dealer, cards, turned, in_round_two=in_round_two)
        return max(range(len(values)), key=values.__getitem__)

    def upcard_call_value(
        self, seat: int, dealer: int, cards: Sequence[int], upcard: int, turned: int, call: Call
    ) -> float:
        """Return what a call is thought to earn; zero for a pass, which :meth:`pass_value` judges."""
        kind, strain = call
        if kind in PASSES:
            return 0.0
        role = Role.LONER if kind in ALONE_CALLS else Role.MAKER
        if kind in NAMES:
            return self.boldness + self.earns(role, strain, cards)
        if kind in TAKES:
            return self.boldness + self.earns(role, turned, self.best_of(turned, [*cards, upcard]))
        is_with_dealer = self.is_with(seat, dealer)
        if self.variant.option("order_up_makers") == "dealer-side" and not is_with_dealer:
            return -2.0  # the others would be the makers
        helped = self.upcard_count(turned, upcard)
        if kind == K.ACTION_KIND_ORDER_UP_ALONE and is_with_dealer:
            helped = 0.0  # nobody takes it (UPA-PICK-4)
        bonus = 0.8 * helped if is_with_dealer else -0.6 * helped
        return self.boldness + self.earns(role, turned, cards, bonus=bonus)

    def pass_value(self, seat: int, dealer: int, cards: Sequence[int], turned: int, *, in_round_two: bool) -> float:
        """Return what passing is thought to earn."""
        variant = self.variant
        is_stuck = variant.option("stick_dealer") == "on"
        if in_round_two:
            if seat == dealer or not is_stuck:
                return 0.0
            return -0.25 if self.is_with(seat, dealer) else 0.15
        if variant.option("auction_rounds") == "1":
            return 0.0
        later = max(self.earns(Role.MAKER, strain, cards) for strain in self.suits if strain != turned)
        if seat == dealer and is_stuck:
            return min(later, 0.0) * 0.4 + 0.2 * max(later, 0.0)
        return 0.3 * max(0.0, later)

    def upcard_count(self, strain: int, upcard: int) -> float:
        """Return what the upcard adds to the count of the hand that takes it."""
        order = self.variant.order(strain)
        copies, height = self.variant.copies, order.height
        above = sum(copies[card] for card in order.trumps if height[card] > height[upcard])
        return float(0.35 + 0.55 * 0.5**above)

    def best_of(self, strain: int, cards: Sequence[int]) -> list[int]:
        """Return the best hand that is left by one discard."""
        code = coding(self.variant, strain)
        if len(cards) > 9:
            return keep(code, cards, len(cards) - 1)
        judge, whole = self.judge, code.mask(cards)
        best, best_card = -1e9, cards[0]
        for card in dict.fromkeys(cards):
            count = judge.count_mask(code, whole & ~code.mask((card,)))
            if count > best:
                best, best_card = count, card
        left = [*cards]
        left.remove(best_card)
        return left

    # -- going alone ---------------------------------------------------------------------------

    def goes_alone(self, strain: int, cards: Sequence[int], *, is_maker: bool) -> bool:
        """Tell whether a seat of the makers' side does better alone."""
        alone = self.earns(Role.LONER, strain, cards)
        return alone > self.earns(Role.MAKER, strain, cards, bonus=0.0 if is_maker else 0.5)

    def defends_alone(self, strain: int, cards: Sequence[int]) -> bool:
        """Tell whether a defender would euchre the makers by himself."""
        return sum(self.judge.chances(Role.LONER, strain, cards, -1.2)[3:]) > 0.6

    # -- bids ----------------------------------------------------------------------------------

    def received(self, rung: Rung) -> int:
        """Return how many cards the loner of this bid is to receive."""
        if not rung.alone:
            return 0
        rule = self.variant.option("loner_exchange", "none")
        if rule == "fixed-by-bid":
            if rung.name == K.BID_NAME_ALONE2:
                return 2
            return 1 if rung.name == K.BID_NAME_ALONE1 else 0
        return int(rule[-1]) if rule[-1].isdigit() else 0

    def bid_value(self, rung: Rung, strains: Iterable[int], cards: Sequence[int], upcard: int = 0) -> float:
        """Return what a bid is thought to earn in the best of *strains*."""
        return self.boldness + max(self._bid_value(rung, strain, cards, upcard) for strain in strains)

    def _bid_value(self, rung: Rung, strain: int, cards: Sequence[int], upcard: int) -> float:
        if rung.is_misere:
            return self.earns(Role.AVOIDER, NO_TRUMP, cards, rung=rung)
        role, bonus, received = Role.MAKER, 0.0, 0
        if rung.alone:
            role, received = Role.LONER, self.received(rung)
            if self.variant.option("loner_exchange") == "fixed-by-bid":
                bonus = 0.7 * received
        if upcard:
            bonus += self.upcard_help(strain, cards, upcard)
        return self.earns(role, strain, cards, rung=rung, received=received, bonus=bonus)

    def upcard_help(self, strain: int, cards: Sequence[int], upcard: int) -> float:
        """Return what taking the upcard after a bid would add to the count (DC-PICK-1)."""
        if not upcard or strain >= NO_TRUMP:
            return 0.0
        judge = self.judge
        taken = judge.count(strain, self.best_of(strain, [*cards, upcard]))
        return max(0.0, taken - judge.count(strain, cards))

    def best_bid(
        self,
        bids: Sequence[tuple[Rung, Sequence[int]]],
        cards: Sequence[int],
        *,
        upcard: int,
        passing: float | None,
        others_follow: bool,
    ) -> int:
        """Return the index of the bid to make, -1 to pass.

        *passing* is what a pass is thought to earn, ``None`` where it is not allowed. While others may still
        speak and the auction goes round once, a little is given up for a bid they cannot reach.
        """
        values = [self.bid_value(rung, strains, cards, upcard) for rung, strains in bids]
        if not values:
            return -1
        best = max(values)
        if passing is not None and best <= passing:
            return -1
        if not others_follow:
            return values.index(best)
        least = best - self.high_bid_margin * self.variant.hand_size
        if passing is not None:
            least = max(least, passing)
        return max(
            (index for index, value in enumerate(values) if value >= least), key=lambda i: (bids[i][0].rank, values[i])
        )

    def standing_value(self, seat: int, bidder: int, rung: Rung | None, *, is_last: bool) -> float:
        """Return what passing is thought to earn in a bid auction: the standing bid goes to its bidder."""
        size = self.variant.hand_size
        if bidder == NOBODY or rung is None:
            return 0.0 if is_last else self.no_contract * size
        if not self.variant.has_fixed_sides:
            return self.stranger_contract * size
        if not self.is_with(seat, bidder):
            return self.enemy_contract * size
        values = self.utilities(lone=rung.alone, rung=rung)
        return 0.75 * values[min(size, rung.tricks + 1)] + 0.25 * values[max(0, rung.tricks - 1)]

    def best_strain(self, cards: Sequence[int], rung: Rung | None, upcard: int, strains: Sequence[int]) -> int:
        """Return the strain that earns most; a hand too large is cut down first."""
        size = self.variant.hand_size

        def value(strain: int) -> float:
            hand = keep(coding(self.variant, strain), cards, size) if len(cards) > size else cards
            bonus = self.upcard_help(strain, hand, upcard)
            return self.earns(Role.MAKER, strain, hand, rung=rung, bonus=bonus)

        return max(strains, key=value)

    # -- staying in ----------------------------------------------------------------------------

    def stays(self, strain: int, cards: Sequence[int], playing: int) -> bool:
        """Tell whether a seat should stay in a countdown hand in which *playing* seats are left."""
        score = self.variant.message.countdown
        chances = self.judge.chances(Role.DEFENDER, strain, cards, 0.12 * (self.variant.seats - playing))
        worth = sum(
            chance * (tricks if tricks >= score.others_need else -float(score.penalty))
            for tricks, chance in enumerate(chances)
        )
        return worth + self.boldness > 0


def _utilities(variant: Variant, *, lone: bool, rung: Rung | None, received: int) -> list[float]:
    """See :meth:`Caller.utilities`; seat 0 stands for the maker."""
    makers = [0] if lone and not variant.has_fixed_sides else [*variant.sides[variant.side_of[0]]]
    if variant.has_silent_ally and not lone:
        makers = [0, 1]
    active = [seat for seat in range(variant.seats) if not (lone and seat in variant.partners(0))]
    others = [seat for seat in active if seat not in makers] or [active[-1]]
    outline = Outline(
        maker=0,
        makers=tuple(makers),
        active=tuple(active),
        lone_maker=0 if lone else NOBODY,
        rung=rung,
        cards_received=received,
    )
    sign = -1 if variant.counts_down else 1
    values = []
    for taken in range(variant.hand_size + 1):
        tricks = [0] * variant.seats
        tricks[0] = taken
        for number in range(variant.hand_size - taken):
            tricks[others[number % len(others)]] += 1
        points = hand_points(variant, outline, tricks)
        own = points[variant.side_of[0]]
        rest = [value for side, value in enumerate(points) if side != variant.side_of[0]]
        values.append(sign * (own - sum(rest) / len(rest)))
    return values
