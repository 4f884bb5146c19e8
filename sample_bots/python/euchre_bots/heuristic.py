"""A bot that judges by rules of thumb: expected tricks for every call, and a short policy for every trick.

It plays every variant from its description alone: what a call may earn follows from the chances of tricks
(:mod:`euchre_bots.judgement`) and the scoring of the variant.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from euchre.v1 import actions_pb2, play_pb2
from euchre_bots.calls import Caller, K
from euchre_bots.judgement import best_gift, card_values, keep_order, suit_to_call
from euchre_kit import Answer, Bot, Knowledge, Variant, act, number_of_sets, run, set_at
from euchre_kit.cards import NO_TRUMP, suit
from euchre_kit.scoring import NOBODY
from euchre_kit.simulator import Coding, choose_follow, choose_lead, coding
from euchre_kit.variant import Rung


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
        self._callers: dict[str, Caller] = {}

    def caller(self, variant: Variant) -> Caller:
        """Return the judge of calls of a variant."""
        found = self._callers.get(variant.id)
        if found is None:
            found = self._callers[variant.id] = Caller(variant, boldness=self.boldness)
        return found

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
        calls = [(int(option.kind), int(option.strain)) for option in request.options]
        turned = turned_strain(request)
        return self.caller(variant).best_upcard_call(
            request.seat, request.dealer, [*request.cards], request.upcard, turned, calls
        )

    def pick_up(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Take the upcard if some discard makes the hand better; discard what is missed least."""
        strain = request.strain
        if request.options[0].kind == K.ACTION_KIND_DISCARD:
            return self._discard_one(request, variant)
        caller = self.caller(variant)
        better = caller.upcard_help(strain, [*request.cards], request.upcard) > 0
        return option_of(request, K.ACTION_KIND_TAKE_UPCARD if better else K.ACTION_KIND_LEAVE_UPCARD)

    def _discard_one(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        judge, strain = self.caller(variant).judge, request.strain
        values = card_values(coding(variant, strain), [*request.cards])

        def left(option: actions_pb2.Action) -> tuple[float, float]:
            hand = [*request.cards]
            hand.remove(option.cards[0])
            return judge.count(strain, hand), -values[option.cards[0]]

        return max(range(len(request.options)), key=lambda index: left(request.options[index]))

    def going_alone(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Play alone if that earns more than playing with the partners."""
        knowledge, caller = Knowledge(request, variant), self.caller(variant)
        cards = [*request.cards]
        if knowledge.is_maker_side(request.seat):
            alone = caller.goes_alone(request.strain, cards, is_maker=request.seat == knowledge.maker)
        else:
            alone = caller.defends_alone(request.strain, cards)
        return option_of(request, K.ACTION_KIND_ALONE if alone else K.ACTION_KIND_NOT_ALONE)

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
        if is_sure(card_values(code, cards)[worst]):
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
        weak = [card for card in reversed(order) if not is_sure(values[card])]
        number = min(max(len(weak), choice.minimum), choice.maximum)
        if not number:
            return 0
        return act(choice.kind, [*reversed(order)][:number])

    def bid_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Bid what is likely to be made; high while others may still outbid it, low at the end."""
        caller = self.caller(variant)
        options = [(index, o) for index, o in enumerate(request.options) if o.kind == K.ACTION_KIND_BID]
        bids: list[tuple[Rung, Sequence[int]]] = []
        for _, option in options:
            rung = variant.rung(option.bid)
            bids.append((rung, (option.strain,) if option.strain else rung.strains))
        waiting = variant.seats - 1 - len(request.history)
        passing = None
        if request.options[0].kind == K.ACTION_KIND_PASS:
            bidder = request.bidder if request.HasField("bidder") else NOBODY
            standing = variant.rung(request.bid) if request.HasField("bid") else None
            passing = caller.standing_value(request.seat, bidder, standing, is_last=waiting <= 0)
        chosen = caller.best_bid(
            bids,
            [*request.cards],
            upcard=request.upcard,
            passing=passing,
            others_follow=waiting > 0 and variant.option("bid_rounds") != "until-passed",
        )
        return options[chosen][0] if chosen >= 0 else 0

    def strain_choice(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Choose the strain that earns most."""
        rung = variant.rung(request.bid) if request.HasField("bid") else None
        strains = [int(option.strain) for option in request.options]
        best = self.caller(variant).best_strain([*request.cards], rung, request.upcard, strains)
        return strains.index(best)

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
        judge = self.caller(variant).judge
        count, _ = judge.best_strain(request.cards, [s for s in variant.strains if s < NO_TRUMP])
        is_poor = count < judge.typical_count() - 0.1
        return option_of(request, K.ACTION_KIND_TAKE_HAND if is_poor else K.ACTION_KIND_KEEP_HAND)

    def dealer_makes(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Make the trump that leaves the best hand."""
        judge = self.caller(variant).judge

        def count(option: actions_pb2.Action) -> float:
            if option.kind == K.ACTION_KIND_KEEP_UPCARD:
                return judge.count(suit(request.upcard), request.cards)
            hand = [*request.cards, request.upcard]
            hand.remove(option.cards[0])
            return judge.count(suit(option.cards[0]), hand)

        return max(range(len(request.options)), key=lambda index: count(request.options[index]))

    def kitty_swap(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Swap if the kitty is likely to be better than the worst cards."""
        judge, code = self.caller(variant).judge, coding(variant, request.strain)
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
        stays = self.caller(variant).stays(request.strain, [*request.cards], len(request.active))
        return option_of(request, K.ACTION_KIND_STAY if stays else K.ACTION_KIND_DROP)

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
        _, strain = self.caller(variant).judge.best_strain(cards, [s for s in variant.strains if s in held])
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


def is_sure(value: float) -> bool:
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


def trick_state(code: Coding, request: play_pb2.DecisionRequest) -> tuple[int, int, int]:
    """Return the place of the best card of the trick, who played it, and the mask of the suit led."""
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


def main() -> None:
    """Play as the heuristic bot; the arguments weaken or embolden it."""
    parser = argparse.ArgumentParser(prog="python -m euchre_bots.heuristic")
    parser.add_argument("--blunder", type=float, default=0.0, help="chance of a decision at random")
    parser.add_argument("--boldness", type=float, default=0.0, help="points added to what a call is thought to earn")
    given = parser.parse_args()
    run(HeuristicBot(blunder=given.blunder, boldness=given.boldness))


if __name__ == "__main__":
    main()
