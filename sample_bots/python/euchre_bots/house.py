"""A plain bot that fills the seats no entrant has. It never changes, so that results stay comparable.

It calls with many trumps, never plays alone, keeps its highest cards, wins as cheaply as it can and throws
its lowest otherwise. It shares no code with the other sample bots: improving them leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from euchre.v1 import actions_pb2, play_pb2
from euchre_kit import Answer, Bot, Variant, act, run
from euchre_kit.cards import NO_TRUMP, SUITS, suit
from euchre_kit.variant import Order, Rung

K = actions_pb2


class HouseBot(Bot):
    """Counts trumps and aces; follows low, wins cheaply."""

    name = "house"
    version = "1"

    # -- calls ---------------------------------------------------------------------------------

    def upcard_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Call with three and a half trumps; if made to call, by the longest suit."""
        best, best_value = 0, 3.5
        if request.options[0].kind not in (K.ACTION_KIND_PASS, K.ACTION_KIND_TURN_DOWN):
            best_value = -1.0
        for index, option in enumerate(request.options):
            cards = [*request.cards]
            if option.kind == K.ACTION_KIND_NAME:
                strain = int(option.strain)
            elif option.kind == K.ACTION_KIND_ORDER_UP:
                strain = _turned(request)
            elif option.kind == K.ACTION_KIND_TAKE_UP:
                strain = _turned(request)
                cards.append(request.upcard)
            else:
                continue
            value = _strength(variant.order(strain), cards)
            if value > best_value:
                best, best_value = index, value
        return best

    def bid_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Make the lowest bid that the hand seems to be good for."""
        can_pass = request.options[0].kind == K.ACTION_KIND_PASS
        best, best_margin = 0, 0.0 if can_pass else -100.0
        for index, option in enumerate(request.options):
            if option.kind != K.ACTION_KIND_BID:
                continue
            rung = variant.rung(option.bid)
            strain = option.strain or _longest(variant, [*request.cards], rung.strains)
            margin = _tricks(variant, strain, [*request.cards], rung)
            if margin > best_margin:
                best, best_margin = index, margin
        return best

    def strain_choice(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Choose the suit of most trumps."""
        strains = [int(option.strain) for option in request.options]
        return strains.index(_longest(variant, [*request.cards], strains))

    def drop_out(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Stay with a trick in sight."""
        stays = _strength(variant.order(request.strain), [*request.cards]) >= 1.5
        return 0 if stays else len(request.options) - 1

    # -- cards ---------------------------------------------------------------------------------

    def otherwise(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Take what is free, give the highest, lay down the lowest."""
        height = variant.order(request.strain).height
        if request.HasField("choice"):
            return self._several(request, height)
        kinds = [option.kind for option in request.options]
        for kind in (K.ACTION_KIND_TAKE_UPCARD, K.ACTION_KIND_TAKE_WIDOW, K.ACTION_KIND_ASK):
            if kind in kinds:
                return kinds.index(kind)
        gives = [index for index, kind in enumerate(kinds) if kind in (K.ACTION_KIND_GIVE, K.ACTION_KIND_OFFER)]
        if gives:
            return max(gives, key=lambda index: height[request.options[index].cards[0]])
        return 0  # the lowest card, where cards are asked for

    def _several(self, request: play_pb2.DecisionRequest, height: Sequence[int]) -> Answer:
        choice = request.choice
        if choice.kind in (K.ACTION_KIND_SWAP, K.ACTION_KIND_SWAP_KITTY):
            return 0
        ranked = sorted(
            (int(card) for card in choice.cards), key=height.__getitem__, reverse=choice.kind == K.ACTION_KIND_GIVE
        )
        return act(choice.kind, ranked[: choice.minimum])

    def play(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Lead the top of a suit or low; win as cheaply as possible unless a partner has the trick."""
        order = variant.order(request.strain)
        cards = [int(option.cards[0]) for option in request.options]
        if not request.trick:
            return cards.index(self._lead(request, variant, order, cards))
        led = order.effective[request.trick[0].card]
        strength = order.strength[led]
        best = max(request.trick, key=lambda played: strength[played.card])
        if best.seat in variant.partners(request.seat):
            return 0
        winners = [card for card in cards if strength[card] > strength[best.card]]
        return cards.index(min(winners, key=strength.__getitem__)) if winners else 0

    @staticmethod
    def _lead(request: play_pb2.DecisionRequest, variant: Variant, order: Order, cards: Sequence[int]) -> int:
        if not request.strain:
            strain = _longest(variant, cards, SUITS)
            return max(cards, key=lambda card: (suit(card) == strain, variant.order(strain).height[card]))
        is_maker = request.HasField("maker") and request.maker == request.seat
        trumps = [card for card in cards if order.is_trump(card)]
        if is_maker and len(trumps) > 1:
            return max(trumps, key=order.height.__getitem__)
        tops = [card for card in cards if not order.is_trump(card) and card == order.by_suit[order.effective[card]][0]]
        return tops[0] if tops else cards[0]


def _turned(request: play_pb2.DecisionRequest) -> int:
    """Return the suit that the upcard stands for."""
    named = [event.action.strain for event in request.history if event.action.kind == K.ACTION_KIND_NAME_BLIND]
    return named[0] if named else suit(request.upcard)


def _strength(order: Order, cards: Sequence[int]) -> float:
    """Return trumps, the three highest counting half as much again, and half for each ace (or top) beside them."""
    trumps = sum(1.5 if card in order.trumps[:3] else 1.0 for card in cards if order.is_trump(card))
    tops = sum(card == order.by_suit[order.effective[card]][0] for card in cards if not order.is_trump(card))
    return trumps + tops / 2


def _longest(variant: Variant, cards: Sequence[int], strains: Sequence[int]) -> int:
    """Return the suit of greatest strength among *strains*; no trump only where there is no suit."""
    suits = [strain for strain in strains if strain < NO_TRUMP] or [*strains]
    return max(suits, key=lambda strain: _strength(variant.order(strain), cards))


def _tricks(variant: Variant, strain: int, cards: Sequence[int], rung: Rung) -> float:
    """Return by how much a hand seems better than a bid needs; a lower bid always seems safer."""
    if rung.is_misere or strain >= NO_TRUMP:
        return -50.0
    partners = 0 if rung.alone else len(variant.sides[variant.side_of[0]]) - 1
    own = 0.7 * _strength(variant.order(strain), cards)
    helped = own + (variant.hand_size - own) * partners / (variant.seats - 1) * 0.8
    return helped - rung.tricks + 0.01 * (20 - rung.rank)


if __name__ == "__main__":
    run(HouseBot())
