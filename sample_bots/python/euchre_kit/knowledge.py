"""What one seat can tell from a question: where cards are, where they cannot be, who plays with whom."""

from __future__ import annotations

from collections import Counter
from typing import Final

from euchre.v1 import actions_pb2, play_pb2
from euchre_kit.variant import Order, Rung, Variant

NOBODY: Final = -1

_LEAVE_THE_HAND: Final = frozenset(
    {
        actions_pb2.ACTION_KIND_DISCARD,
        actions_pb2.ACTION_KIND_ACCEPT,
        actions_pb2.ACTION_KIND_CALL_BEST,
        actions_pb2.ACTION_KIND_SWAP,
        actions_pb2.ACTION_KIND_SWAP_KITTY,
        actions_pb2.ACTION_KIND_GIVE,
    }
)
"""Kinds whose cards leave the hand of the seat that acts, and are not told to all."""

_ORDERS: Final = frozenset(
    {
        actions_pb2.ACTION_KIND_ORDER_UP,
        actions_pb2.ACTION_KIND_ORDER_UP_ALONE,
        actions_pb2.ACTION_KIND_TAKE_UP,
        actions_pb2.ACTION_KIND_TAKE_UP_ALONE,
    }
)


class Knowledge:
    """What the seat asked knows, beyond the fields of the request that say it outright.

    Cards are counted with their copies. Nothing here rests on more than the request.
    """

    __slots__ = (
        "active",
        "called_card",
        "called_suit",
        "counts",
        "declarer_shown_joker",
        "held_for_certain",
        "loners",
        "maker",
        "me",
        "mine",
        "order",
        "passed",
        "played",
        "rung",
        "strain",
        "tricks_left",
        "turned_down",
        "unseen",
        "upcard_taker",
        "variant",
        "voids",
    )

    me: int
    """The seat asked."""
    mine: list[int]
    """Its cards, low to high."""
    order: Order
    """The order of the cards under the strain of this hand, or of printed suits while none is fixed."""
    active: list[int]
    """Seats that play, as far as is known; ascending."""
    played: list[tuple[int, int]]
    """Who played which card, in order."""
    tricks_left: int
    """Tricks not yet complete."""
    counts: list[int]
    """By seat, the cards it holds (those of seats that sit out are left at what they held)."""
    unseen: Counter[int]
    """Cards that this seat cannot place: in other hands, or out of play."""
    held_for_certain: dict[int, list[int]]
    """By seat, cards it is known to hold: an upcard taken."""
    voids: list[int]
    """By seat, the suits it has shown not to hold, as bits ``1 << suit``."""
    upcard_taker: int
    """Who has taken the upcard into his hand, or NOBODY."""
    turned_down: bool
    """The upcard is known to be out of play."""
    maker: int
    rung: Rung | None
    """The standing bid, then the contract."""
    called_suit: int
    """The suit a maker called for an ally, or 0."""
    called_card: int
    """The card a maker called for an ally, or 0."""
    declarer_shown_joker: bool
    """Nobody bid, and the joker's holder had to show it (HAS-AUC-2)."""
    passed: list[int]
    """Seats that said PASS or TURN_DOWN, in order, one entry each time."""

    def __init__(self, request: play_pb2.DecisionRequest, variant: Variant) -> None:
        self.variant = variant
        self.me = request.seat
        self.mine = [*request.cards]
        self.strain: int = request.strain
        self.order = variant.order(request.strain)
        self.active = [*request.active]
        self.loners = [*request.loners]
        self.maker = request.maker if request.HasField("maker") else NOBODY
        self.rung = variant.rung(request.bid) if request.HasField("bid") else None
        self.played = []
        self.held_for_certain = {}
        self.voids = [0] * variant.seats
        self.counts = [variant.hand_size] * variant.seats
        self.upcard_taker = NOBODY
        self.turned_down = False
        self.called_suit = self.called_card = 0
        self.declarer_shown_joker = False
        self.passed = []
        self.unseen = Counter(variant.copies)
        self.unseen.subtract(self.mine)
        upcard_is_loose = self._read(request)
        self._place_upcard(request, is_loose=upcard_is_loose)
        self._count_tricks()
        self.unseen = +self.unseen  # drop what is used up

    # -- reading the history -------------------------------------------------------------------

    def _read(self, request: play_pb2.DecisionRequest) -> bool:
        """Go through the history; tell whether its taker may have given the upcard away again."""
        kinds = actions_pb2
        ordered_by = NOBODY
        took = left = named_blind = is_loose = False
        for event in request.history:
            seat, action = event.seat, event.action
            kind = action.kind
            if kind == kinds.ACTION_KIND_PLAY:
                self.played.append((seat, action.cards[0]))
            elif kind == kinds.ACTION_KIND_PASS or kind == kinds.ACTION_KIND_TURN_DOWN:
                self.passed.append(seat)
                left = left or kind == kinds.ACTION_KIND_TURN_DOWN
            elif kind in _LEAVE_THE_HAND:
                # Only the first discard is that for the upcard, and nobody gives away what he wanted.
                is_loose = is_loose or kind != kinds.ACTION_KIND_DISCARD
                if seat == self.me:
                    self.unseen.subtract(action.cards)
            elif kind in _ORDERS:
                ordered_by = seat
                left = kind == kinds.ACTION_KIND_ORDER_UP_ALONE and self._is_partner_of_dealer(request, seat)
            elif kind == kinds.ACTION_KIND_TAKE_DOWN_ALONE or kind == kinds.ACTION_KIND_TAKE_UPCARD:
                self.upcard_taker, took = seat, True
            elif kind == kinds.ACTION_KIND_LEAVE_UPCARD or kind == kinds.ACTION_KIND_KEEP_UPCARD:
                left = True
            elif kind == kinds.ACTION_KIND_NAME_BLIND:
                named_blind = True
            elif kind == kinds.ACTION_KIND_TAKE_AND_SHOW:
                self.upcard_taker, took = seat, True
                self.unseen.subtract(action.cards)
            elif kind == kinds.ACTION_KIND_CALL_SUIT:
                self.called_suit = action.strain
            elif kind == kinds.ACTION_KIND_CALL_CARD:
                self.called_card = action.cards[0]
            elif kind == kinds.ACTION_KIND_BID and event.forced and seat in self.passed:
                self.declarer_shown_joker = True
        if not took and not left and request.strain:
            is_joker = request.upcard in self.variant.jokers
            must = self.variant.option("dealer_pickup", "mandatory") == "mandatory" or is_joker
            was_ordered = ordered_by != NOBODY and (must or ordered_by == request.dealer)
            if was_ordered or (ordered_by == NOBODY and named_blind):
                self.upcard_taker = request.dealer
        self.turned_down = left and not took
        return is_loose

    def _is_partner_of_dealer(self, request: play_pb2.DecisionRequest, seat: int) -> bool:
        variant = self.variant
        return (
            variant.has_fixed_sides
            and seat != request.dealer
            and variant.side_of[seat] == variant.side_of[request.dealer]
        )

    def _place_upcard(self, request: play_pb2.DecisionRequest, *, is_loose: bool) -> None:
        """Say who holds the upcard. A taker may have discarded it at once, but then he would hardly have taken it."""
        upcard = request.upcard
        if not upcard or self.upcard_taker == self.me:
            return  # one's own is in hand, played, or among the own discards
        if self.upcard_taker != NOBODY and is_loose:
            return
        if self.unseen[upcard] > 0:
            self.unseen[upcard] -= 1
        if self.upcard_taker != NOBODY:
            self.held_for_certain.setdefault(self.upcard_taker, []).append(upcard)

    def _count_tricks(self) -> None:
        """Find voids, what is played and what is left."""
        effective = self.order.effective
        players = max(1, len(self.active))
        led = 0
        for number, (seat, card) in enumerate(self.played):
            if number % players == 0:
                led = effective[card]
            elif effective[card] != led:
                self.voids[seat] |= 1 << led
            self.counts[seat] -= 1
            held = self.held_for_certain.get(seat)
            if held and card in held:
                held.remove(card)
            else:
                self.unseen[card] -= 1
        self.tricks_left = self.variant.hand_size - len(self.played) // players
        self.counts[self.me] = len(self.mine)

    # -- questions -----------------------------------------------------------------------------

    def may_hold(self, seat: int, card: int) -> bool:
        """Tell whether *seat* may hold *card*, as far as this seat can tell."""
        if seat == self.me:
            return card in self.mine
        if card in self.held_for_certain.get(seat, ()):
            return True
        if self.unseen[card] <= 0 or self.voids[seat] >> self.order.effective[card] & 1:
            return False
        return not (card == self.called_card and seat == self.maker)

    def is_boss(self, card: int) -> bool:
        """Tell whether no card that another seat may hold is higher in the suit of *card*."""
        height, suit = self.order.height, self.order.effective[card]
        others = [seat for seat in self.active if seat != self.me]
        return not any(
            height[other] > height[card] and any(self.may_hold(seat, other) for seat in others)
            for other in self.order.by_suit[suit]
        )

    def unseen_of(self, suit: int) -> int:
        """Return how many cards of an effective suit are in other hands or out of play, unknown to this seat."""
        effective = self.order.effective
        placed = sum(effective[card] == suit for cards in self.held_for_certain.values() for card in cards)
        return placed + sum(count for card, count in self.unseen.items() if effective[card] == suit)

    def is_maker_side(self, seat: int) -> bool:
        """Tell whether *seat* is known to be of the maker's side; an unannounced ally only if he is known."""
        if self.maker == NOBODY:
            return False
        if seat == self.maker:
            return True
        if self.variant.has_fixed_sides:
            return self.variant.side_of[seat] == self.variant.side_of[self.maker]
        return seat == self.known_ally()

    def known_ally(self) -> int:
        """Return the maker's ally if this seat knows him: it holds, or somebody has played, what was called."""
        if self.called_card:
            if self.called_card in self.mine:
                return self.me
            return next((seat for seat, card in self.played if card == self.called_card), NOBODY)
        if self.called_suit:
            return self._holder_of_highest()
        return NOBODY

    def _holder_of_highest(self) -> int:
        """Return who holds or held the highest card of the called suit that is in play, if that is certain."""
        seen = {card: seat for seat, card in self.played}
        seen.update(dict.fromkeys(self.mine, self.me))
        for card in self.order.by_suit[self.called_suit]:
            if card in seen:
                return seen[card] if seen[card] != self.maker else NOBODY
            if self.unseen[card] > 0:
                return NOBODY
        return NOBODY
