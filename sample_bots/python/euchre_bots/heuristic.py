"""A bot that judges by rules of thumb: expected tricks for every call, and a short policy for every trick.

It plays every variant from its description alone: what a call may earn follows from the chances of tricks
(:mod:`euchre_bots.judgement`) and the scoring of the variant.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from typing import Final

from euchre.v1 import actions_pb2, play_pb2
from euchre_bots.judgement import (
    Judge,
    Role,
    best_gift,
    card_values,
    keep,
    keep_order,
    suit_to_call,
)
from euchre_kit import Answer, Bot, Knowledge, Variant, act, number_of_sets, run, set_at
from euchre_kit.cards import NO_TRUMP, suit
from euchre_kit.scoring import NOBODY, Outline, hand_points
from euchre_kit.simulator import choose_follow, choose_lead, coding
from euchre_kit.variant import Rung

K: Final = actions_pb2

_ALONE_CALLS: Final = frozenset(
    {
        K.ACTION_KIND_ORDER_UP_ALONE,
        K.ACTION_KIND_TAKE_UP_ALONE,
        K.ACTION_KIND_TAKE_DOWN_ALONE,
        K.ACTION_KIND_NAME_ALONE,
    }
)


class HeuristicBot(Bot):
    """Counts, compares with what the call may earn, and plays by a policy.

    *blunder* is the chance that a decision is made at random, to weaken a copy; *boldness* is added to what
    every call is thought to earn.
    """

    name = "heuristic"
    version = "1"

    def __init__(self, *, blunder: float = 0.0, boldness: float = 0.0) -> None:
        super().__init__()
        self.blunder = blunder
        self.boldness = boldness
        self._judges: dict[str, Judge] = {}
        self._utilities: dict[tuple[object, ...], list[float]] = {}

    def judge(self, variant: Variant) -> Judge:
        """Return the judge of a variant."""
        found = self._judges.get(variant.id)
        if found is None:
            found = self._judges[variant.id] = Judge(variant)
        return found

    # -- what a call earns ---------------------------------------------------------------------

    def utilities(
        self, variant: Variant, *, lone: bool = False, rung: Rung | None = None, received: int = 0
    ) -> list[float]:
        """Return, by tricks of the maker's side, its points less the mean of the other sides'."""
        key = (variant.id, lone, rung and (rung.name, rung.number), received)
        found = self._utilities.get(key)
        if found is None:
            found = self._utilities[key] = _utilities(variant, lone=lone, rung=rung, received=received)
        return found

    def earns(
        self,
        variant: Variant,
        role: Role,
        strain: int,
        cards: Sequence[int],
        *,
        rung: Rung | None = None,
        received: int = 0,
        bonus: float = 0.0,
    ) -> float:
        """Return what a maker with these cards may expect to earn."""
        lone = role is Role.LONER or (rung is not None and rung.alone)
        chances = self.judge(variant).chances(role, strain, cards, bonus)
        values = self.utilities(variant, lone=lone, rung=rung, received=received)
        return sum(chance * value for chance, value in zip(chances, values, strict=True))

    # -- questions -----------------------------------------------------------------------------

    def decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Answer at random now and then, if told to blunder; else judge."""
        if self.blunder:
            chance = self.chance(request)
            if chance.random() < self.blunder:
                return any_action(request, chance)
        if len(request.options) == 1 and not request.HasField("choice"):
            return 0
        return super().decide(request, variant)

    def redeal_claim(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Claim whenever the hand allows it: such a hand is poor."""
        return len(request.options) - 1

    def upcard_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Take the call that earns most, if that is more than passing."""
        options = [*request.options]
        values = [self._call_value(request, variant, option) for option in options]
        best = max(range(len(options)), key=lambda index: values[index])
        return best

    def _call_value(self, request: play_pb2.DecisionRequest, variant: Variant, option: actions_pb2.Action) -> float:
        kind = option.kind
        if kind in (K.ACTION_KIND_PASS, K.ACTION_KIND_TURN_DOWN):
            return self._pass_value(request, variant)
        role = Role.LONER if kind in _ALONE_CALLS else Role.MAKER
        cards: Sequence[int] = request.cards
        if kind in (K.ACTION_KIND_NAME, K.ACTION_KIND_NAME_ALONE):
            return self.boldness + self.earns(variant, role, option.strain, cards)
        strain = turned_strain(request)
        me, dealer = request.seat, request.dealer
        is_with_dealer = variant.has_fixed_sides and variant.side_of[me] == variant.side_of[dealer]
        if kind in (K.ACTION_KIND_TAKE_UP, K.ACTION_KIND_TAKE_UP_ALONE, K.ACTION_KIND_TAKE_DOWN_ALONE):
            cards = self._with_upcard(request, variant, strain)
            return self.boldness + self.earns(variant, role, strain, cards)
        if variant.option("order_up_makers") == "dealer-side" and not is_with_dealer:
            return -2.0  # the others would be the makers
        helped = upcard_count(variant, strain, request.upcard)
        if kind == K.ACTION_KIND_ORDER_UP_ALONE and is_with_dealer:
            helped = 0.0  # nobody takes it (UPA-PICK-4)
        bonus = 0.8 * helped if is_with_dealer else -0.6 * helped
        return self.boldness + self.earns(variant, role, strain, cards, bonus=bonus)

    def _pass_value(self, request: play_pb2.DecisionRequest, variant: Variant) -> float:
        """Return what passing is thought to earn."""
        me, dealer = request.seat, request.dealer
        is_with_dealer = variant.has_fixed_sides and variant.side_of[me] == variant.side_of[dealer]
        in_round_two = any(option.kind in (K.ACTION_KIND_NAME, K.ACTION_KIND_NAME_ALONE) for option in request.options)
        is_stuck = variant.option("stick_dealer") == "on"
        if in_round_two:
            if me == dealer:
                return 0.0
            return (-0.25 if is_with_dealer else 0.15) if is_stuck else 0.0
        if variant.option("auction_rounds") == "1":
            return 0.0
        turned = turned_strain(request)
        later = max(
            self.earns(variant, Role.MAKER, strain, request.cards)
            for strain in variant.strains
            if strain < NO_TRUMP and strain != turned
        )
        if me == dealer and is_stuck:
            return min(later, 0.0) * 0.4 + 0.2 * max(later, 0.0)
        return 0.3 * max(0.0, later)

    def _with_upcard(self, request: play_pb2.DecisionRequest, variant: Variant, strain: int) -> list[int]:
        """Return the best hand that can be made by taking the upcard and discarding."""
        return self._best_of(variant, strain, [*request.cards, request.upcard])

    def _best_of(self, variant: Variant, strain: int, cards: Sequence[int]) -> list[int]:
        """Return the best hand that is left by one discard."""
        judge = self.judge(variant)
        hands = [[*cards[:place], *cards[place + 1 :]] for place in range(len(cards))]
        return max(hands, key=lambda hand: judge.count(strain, hand))

    def pick_up(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Take the upcard if some discard makes the hand better; discard what is missed least."""
        strain = request.strain
        if request.options[0].kind == K.ACTION_KIND_DISCARD:
            return self._discard_one(request, variant)
        judge = self.judge(variant)
        better = judge.count(strain, self._with_upcard(request, variant, strain)) > judge.count(strain, request.cards)
        return option_of(request, K.ACTION_KIND_TAKE_UPCARD if better else K.ACTION_KIND_LEAVE_UPCARD)

    def _discard_one(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        judge, strain = self.judge(variant), request.strain
        values = card_values(coding(variant, strain), [*request.cards])

        def left(option: actions_pb2.Action) -> tuple[float, float]:
            hand = [*request.cards]
            hand.remove(option.cards[0])
            return judge.count(strain, hand), -values[option.cards[0]]

        return max(range(len(request.options)), key=lambda index: left(request.options[index]))

    def going_alone(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Play alone if that earns more than playing with the partners."""
        strain, cards = request.strain, request.cards
        alone = self.earns(variant, Role.LONER, strain, cards)
        knowledge = Knowledge(request, variant)
        if request.seat == knowledge.maker:
            with_partners = self.earns(variant, Role.MAKER, strain, cards)
        elif knowledge.is_maker_side(request.seat):
            with_partners = self.earns(variant, Role.MAKER, strain, cards, bonus=0.5)
        else:
            return self._defend_alone(request, variant)
        return option_of(request, K.ACTION_KIND_ALONE if alone > with_partners else K.ACTION_KIND_NOT_ALONE)

    def _defend_alone(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Defend alone with a hand that would euchre the makers by itself."""
        judge = self.judge(variant)
        chances = judge.chances(Role.LONER, request.strain, request.cards, -1.2)
        is_worth_it = sum(chances[3:]) > 0.6
        return option_of(request, K.ACTION_KIND_ALONE if is_worth_it else K.ACTION_KIND_NOT_ALONE)

    def exchange(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Give the best, discard the worst, and take what help there is."""
        code = coding(variant, request.strain)
        cards = [*request.cards]
        kinds = {option.kind for option in request.options}
        if request.HasField("choice"):
            return self._exchange_several(request, variant)
        if K.ACTION_KIND_ASK in kinds:
            return option_of(request, K.ACTION_KIND_ASK)
        for kind in (K.ACTION_KIND_GIVE, K.ACTION_KIND_OFFER):
            if kind in kinds:
                return option_of(request, kind, best_gift(code, cards))
        if K.ACTION_KIND_DISCARD in kinds:
            return self._discard_one(request, variant)
        worst = keep_order(code, cards)[-1]
        if is_sure(code.order.by_suit, card_values(code, cards)[worst]):
            return 0
        for kind in (K.ACTION_KIND_ACCEPT, K.ACTION_KIND_CALL_BEST):
            if kind in kinds:
                return option_of(request, kind, worst)
        return 0

    def _exchange_several(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Give the best cards, or lay down the worst and be given as many."""
        choice, code = request.choice, coding(variant, request.strain)
        order = keep_order(code, [*choice.cards])
        if choice.kind == K.ACTION_KIND_GIVE:
            return act(choice.kind, order[: choice.maximum])
        values = card_values(code, [*choice.cards])
        weak = [card for card in reversed(order) if not is_sure(code.order.by_suit, values[card])]
        number = min(max(len(weak), choice.minimum), choice.maximum)
        if not number:
            return 0
        return act(choice.kind, [*reversed(order)][:number])

    def bid_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Bid what is likely to be made; high while others may still outbid it, low at the end."""
        passing, best, best_index = self._standing_value(request, variant), -1e9, 0
        bids: list[tuple[int, float, Rung]] = []
        for index, option in enumerate(request.options):
            if option.kind != K.ACTION_KIND_BID:
                continue
            rung = variant.rung(option.bid)
            strains = [option.strain] if option.strain else rung.strains
            value = self.boldness + self._bid_value(request, variant, rung, strains)
            bids.append((index, value, rung))
            if value > best:
                best, best_index = value, index
        can_pass = request.options[0].kind == K.ACTION_KIND_PASS
        if can_pass and best <= passing:
            return 0
        waiting = variant.seats - 1 - len(request.history)
        if waiting <= 0 or variant.option("bid_rounds") == "until-passed":
            return best_index
        # Others may outbid: give up a little for a bid they cannot reach.
        margin = 0.06 * variant.hand_size
        bold = [(rung.rank, value, index) for index, value, rung in bids if value >= best - margin and value > passing]
        return max(bold)[2] if bold else best_index

    def _bid_value(
        self, request: play_pb2.DecisionRequest, variant: Variant, rung: Rung, strains: Iterable[int]
    ) -> float:
        if rung.is_misere:
            return self.earns(variant, Role.AVOIDER, NO_TRUMP, request.cards, rung=rung)
        role, bonus, received = Role.MAKER, 0.0, 0
        if rung.alone:
            role = Role.LONER
            received = received_by(variant, rung)
            if variant.option("loner_exchange") == "fixed-by-bid":
                bonus = 0.7 * received
        return max(
            self.earns(
                variant,
                role,
                strain,
                request.cards,
                rung=rung,
                received=received,
                bonus=bonus + self._upcard_help(request, variant, strain),
            )
            for strain in strains
        )

    def _upcard_help(self, request: play_pb2.DecisionRequest, variant: Variant, strain: int) -> float:
        """Return what taking the upcard after a bid would add to the count (DC-PICK-1)."""
        if not request.upcard or strain >= NO_TRUMP:
            return 0.0
        judge = self.judge(variant)
        taken = judge.count(strain, self._with_upcard(request, variant, strain))
        return max(0.0, taken - judge.count(strain, request.cards))

    def _standing_value(self, request: play_pb2.DecisionRequest, variant: Variant) -> float:
        """Return what passing is thought to earn: the standing bid goes to its bidder."""
        size = variant.hand_size
        if not request.HasField("bidder"):
            return 0.0 if len(request.history) >= variant.seats - 1 else -0.05 * size
        if variant.has_fixed_sides and variant.side_of[request.bidder] == variant.side_of[request.seat]:
            standing = variant.rung(request.bid)
            values = self.utilities(variant, lone=standing.alone, rung=standing)
            made = values[min(size, standing.tricks + 1)]
            return 0.75 * made + 0.25 * values[max(0, standing.tricks - 1)]
        return -0.1 * size if variant.has_fixed_sides else -0.03 * size

    def strain_choice(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Choose the strain that earns most."""
        rung = variant.rung(request.bid) if request.HasField("bid") else None
        cards = [*request.cards]

        def value(option: actions_pb2.Action) -> float:
            bonus = self._upcard_help(request, variant, option.strain)
            hand = cards
            if len(cards) > variant.hand_size:
                hand = keep(coding(variant, option.strain), cards, variant.hand_size)
            return self.earns(variant, Role.MAKER, option.strain, hand, rung=rung, bonus=bonus)

        return max(range(len(request.options)), key=lambda index: value(request.options[index]))

    def widow(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Take it: as many of the worst cards go."""
        return option_of(request, K.ACTION_KIND_TAKE_WIDOW)

    def widow_discard(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Discard what is missed least."""
        if not request.HasField("choice"):
            return self._discard_one(request, variant)
        code = coding(variant, request.strain)
        return act(request.choice.kind, keep_order(code, [*request.cards])[-request.choice.minimum :])

    def hand_swap(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Take the widow for a hand that counts less than most."""
        judge = self.judge(variant)
        count, _ = judge.best_strain(request.cards, [s for s in variant.strains if s < NO_TRUMP])
        is_poor = count < judge.typical_count() - 0.1
        return option_of(request, K.ACTION_KIND_TAKE_HAND if is_poor else K.ACTION_KIND_KEEP_HAND)

    def dealer_makes(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Make the trump that leaves the best hand."""
        judge = self.judge(variant)

        def count(option: actions_pb2.Action) -> float:
            if option.kind == K.ACTION_KIND_KEEP_UPCARD:
                return judge.count(suit(request.upcard), request.cards)
            hand = [*request.cards, request.upcard]
            hand.remove(option.cards[0])
            return judge.count(suit(option.cards[0]), hand)

        return max(range(len(request.options)), key=lambda index: count(request.options[index]))

    def kitty_swap(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Swap if the kitty is likely to be better than the worst cards."""
        judge, code = self.judge(variant), coding(variant, request.strain)
        number = request.choice.minimum
        order = keep_order(code, [*request.cards])
        kept, gone = order[:-number], order[-number:]
        hidden = [*Knowledge(request, variant).unseen.elements()]
        chance = self.chance(request)
        trials = 24
        swapped = sum(judge.count(request.strain, kept + chance.sample(hidden, number)) for _ in range(trials)) / trials
        return act(request.choice.kind, gone) if swapped > judge.count(request.strain, request.cards) else 0

    def drop_out(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Stay if the tricks to expect outweigh the penalty for none."""
        others = len(request.active)
        bonus = 0.12 * (variant.seats - others)
        chances = self.judge(variant).chances(Role.DEFENDER, request.strain, request.cards, bonus)
        score = variant.message.countdown
        worth = sum(
            chance * (tricks if tricks >= score.others_need else -float(score.penalty))
            for tricks, chance in enumerate(chances)
        )
        return option_of(request, K.ACTION_KIND_STAY if worth + self.boldness > 0 else K.ACTION_KIND_DROP)

    def ally_call(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Call the best trump that another may hold, or the suit in which help is likely."""
        options = request.options
        if options[0].kind == K.ACTION_KIND_CALL_CARD:
            unseen = Knowledge(request, variant).unseen
            return next((i for i, option in enumerate(options) if unseen[option.cards[0]] > 0), 0)
        code = coding(variant, request.strain)
        wanted = suit_to_call(code, [*request.cards], [option.strain for option in options])
        return next(index for index, option in enumerate(options) if option.strain == wanted)

    def play(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Play by the policy of the simulator, with all that is known of the cards."""
        if not request.strain:
            return self._lead_to_make_trump(request, variant)
        knowledge = Knowledge(request, variant)
        code = coding(variant, request.strain)
        held = code.mask(knowledge.mine)
        known = [card for cards in knowledge.held_for_certain.values() for card in cards]
        unplayed = code.mask([*knowledge.unseen.elements(), *known, *knowledge.mine])
        team = teams_as_seen(knowledge)
        makers_team = team[knowledge.maker] if knowledge.maker != NOBODY else NOBODY
        avoider = knowledge.maker if knowledge.rung is not None and knowledge.rung.is_misere else NOBODY
        seat = request.seat
        if not request.trick:
            bit = choose_lead(code, held, seat, unplayed, team, makers_team, avoider)
        else:
            best, best_seat, led_mask = trick_state(code, request)
            legal = held & led_mask or held
            pending = len(knowledge.active) - len(request.trick)
            bit = choose_follow(
                code, held, legal, best, best_seat, pending, unplayed, seat, team, makers_team, avoider, led_mask
            )
        return option_of(request, K.ACTION_KIND_PLAY, code.card_at[bit.bit_length() - 1])

    def _lead_to_make_trump(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Lead the best card of the suit that is best as trumps (NAP-TRUMP-1)."""
        cards = [*request.cards]
        held = {suit(card) for card in cards}
        _, strain = self.judge(variant).best_strain(cards, [s for s in variant.strains if s in held])
        height = variant.order(strain).height
        return option_of(request, K.ACTION_KIND_PLAY, max(cards, key=lambda card: height[card]))


# -- helpers that other bots use as well ---------------------------------------------------------


def any_action(request: play_pb2.DecisionRequest, chance: random.Random) -> Answer:
    """Return any lawful action, every set of cards being one."""
    if not request.HasField("choice"):
        return chance.randrange(len(request.options))
    choice = request.choice
    words = [index for index, option in enumerate(request.options) if option.kind != choice.kind]
    index = chance.randrange(len(words) + number_of_sets(choice))
    return words[index] if index < len(words) else act(choice.kind, set_at(choice, index - len(words)))


def option_of(request: play_pb2.DecisionRequest, kind: int, card: int = 0) -> int:
    """Return the index of the option of this kind (and card), the default if there is none."""
    for index, option in enumerate(request.options):
        if option.kind == kind and (not card or option.cards[0] == card):
            return index
    return 0


def turned_strain(request: play_pb2.DecisionRequest) -> int:
    """Return the suit that accepting the upcard would make trump."""
    for event in request.history:
        if event.action.kind == K.ACTION_KIND_NAME_BLIND:
            return event.action.strain
    return suit(request.upcard)


def upcard_count(variant: Variant, strain: int, upcard: int) -> float:
    """Return what the upcard adds to the count of the hand that takes it."""
    order = variant.order(strain)
    above = sum(variant.copies[card] for card in order.trumps if order.height[card] > order.height[upcard])
    return float(0.35 + 0.55 * 0.5**above)


def received_by(variant: Variant, rung: Rung) -> int:
    """Return how many cards the loner of this bid is to receive."""
    rule = variant.option("loner_exchange", "none")
    if rule == "fixed-by-bid":
        return {K.BID_NAME_ALONE1: 1, K.BID_NAME_ALONE2: 2}.get(rung.name, 0)  # type: ignore[call-overload,no-any-return]
    return int(rule[-1]) if rule[-1].isdigit() else 0


def is_sure(by_suit: object, value: float) -> bool:
    """Tell whether a card of this value (see ``card_values``) is a trump or the best of its suit."""
    return value >= 38.0


def teams_as_seen(knowledge: Knowledge) -> list[int]:
    """Return by seat a number that is equal for seats that play together, as far as the seat asked knows."""
    variant = knowledge.variant
    if variant.has_fixed_sides:
        return variant.side_of
    if not (variant.has_silent_ally or variant.is_one_against_all) or knowledge.maker == NOBODY:
        return [*range(variant.seats)]
    teams = [1] * variant.seats
    teams[knowledge.maker] = 0
    ally = knowledge.known_ally()
    if ally != NOBODY:
        teams[ally] = 0
    elif knowledge.me == knowledge.maker:
        return [*range(variant.seats)]  # one of them is a friend, nobody says who
    return teams


def trick_state(code: object, request: play_pb2.DecisionRequest) -> tuple[int, int, int]:
    """Return the place of the best card of the trick, who played it, and the mask of the suit led."""
    from euchre_kit.simulator import Coding

    assert isinstance(code, Coding)
    best = best_seat = -1
    led_mask = 0
    used = 0
    for played in request.trick:
        bit = next(bit for bit in code.bits[played.card] if not used & bit)
        used |= bit
        place = bit.bit_length() - 1
        if best < 0:
            led_mask = code.suit_mask_at[place]
            best, best_seat = place, played.seat
        elif code.beaten_by[best] & bit:
            best, best_seat = place, played.seat
    return best, best_seat, led_mask


def _utilities(variant: Variant, *, lone: bool, rung: Rung | None, received: int) -> list[float]:
    """See :meth:`HeuristicBot.utilities`; seat 0 stands for the maker."""
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


def main() -> None:
    """Play as the heuristic bot; the arguments weaken or embolden it."""
    parser = argparse.ArgumentParser(prog="python -m euchre_bots.heuristic")
    parser.add_argument("--blunder", type=float, default=0.0, help="chance of a decision at random")
    parser.add_argument("--boldness", type=float, default=0.0, help="points added to what a call is thought to earn")
    given = parser.parse_args()
    run(HeuristicBot(blunder=given.blunder, boldness=given.boldness))


if __name__ == "__main__":
    main()
