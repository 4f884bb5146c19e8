"""Where every card of a hand is and who knows it, kept from the actions alone.

The ledger tells the two copies of a card in a double pack apart by their place in the deck. It moves cards
as RULES.md says, without asking the engine, so the two accounts can be compared after every action; and it
knows which cards a seat has seen, so that the others can be dealt differently (``worlds.py``).
"""

from __future__ import annotations

from referee.rules import Alliance, Card, Hand, Kind, Seat
from referee.rules.deal import dealt_positions
from referee.rules.variant import JokerUpcard, WidowRule

Place = int
"""A card by its position in the deck."""

_FACE_DOWN = frozenset({Kind.DISCARD, Kind.ACCEPT, Kind.CALL_BEST, Kind.SWAP, Kind.SWAP_KITTY})
_TAKES_UPCARD = frozenset(
    {Kind.TAKE_UP, Kind.TAKE_UP_ALONE, Kind.TAKE_DOWN_ALONE, Kind.TAKE_UPCARD, Kind.TAKE_AND_SHOW}
)


class Ledger:
    """The cards of one hand; :meth:`follow` brings it up to date."""

    def __init__(self, hand: Hand) -> None:
        variant = hand.variant
        self.variant = variant
        self.deck = hand.deck
        self.dealer = hand.dealer
        positions = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, hand.dealer)
        self.hands: list[list[Place]] = [list(places) for places in positions]
        dealt = variant.seats * variant.hand_size
        self.upcard: list[Place] = [dealt] if variant.upcard else []
        self.undealt: list[Place] = list(range(dealt + len(self.upcard), len(hand.deck)))
        self.laid_down: list[Place] = []
        self.played: list[Place] = []
        self.used: list[tuple[Place, ...]] = []
        """The cards of each event, in the order of its action."""
        self.public: set[Place] = set(self.upcard)
        self.knows: list[set[Place]] = [set(places) for places in self.hands]
        self._offered: Place = -1
        self._giver: Seat = -1
        self._asked: Seat = -1
        self._has_bid = False
        self._is_widow_settled = False
        self.joker_is_up = bool(self.upcard) and self.deck[dealt] in variant.tables.jokers
        if self.joker_is_up:
            self.knows[self.dealer] = set()  # UPA-BEN-1: until he has named trump
        self.follow(hand)

    def follow(self, hand: Hand) -> None:
        """Read the events that are new."""
        for event in hand.events[len(self.used) :]:
            seat, act = event[0], event[1]
            before = len(self.used)
            if act.kind in _TAKES_UPCARD or self._is_given_the_upcard(seat, act.kind):
                self._take(self._taker(seat, act.kind), self.upcard)
            self._move(seat, act.kind, act.cards, act.seat)
            assert len(self.used) == before + 1
        self._settle_widow(hand)

    # -- movements -----------------------------------------------------------------------------------

    def _is_given_the_upcard(self, seat: Seat, kind: Kind) -> bool:
        """UPA-PICK-1 to -4, UPA-BEN-1: the dealer takes it without being asked."""
        variant = self.variant
        if kind is Kind.NAME_BLIND:
            return variant.joker_upcard is JokerUpcard.DEALER_MAKES
        if kind not in (Kind.ORDER_UP, Kind.ORDER_UP_ALONE):
            return False
        if kind is Kind.ORDER_UP_ALONE and self._are_partners(seat, self.dealer):
            return False
        return self.joker_is_up or variant.options.get("dealer_pickup") == "mandatory"

    def _are_partners(self, seat: Seat, other: Seat) -> bool:
        return self.variant.alliance is Alliance.FIXED and seat % 2 == other % 2

    def _taker(self, seat: Seat, kind: Kind) -> Seat:
        return seat if kind in _TAKES_UPCARD else self.dealer

    def _take(self, seat: Seat, places: list[Place]) -> None:
        """Move every card of *places* into a hand, where its owner sees it."""
        self.knows[seat].update(places)
        self.hands[seat].extend(places)
        places.clear()

    def _remove(self, seat: Seat, cards: tuple[Card, ...]) -> tuple[Place, ...]:
        """Take *cards* out of a hand; of two copies the one that most seats know."""
        held, removed = self.hands[seat], []
        for card in cards:
            copies = [place for place in held if self.deck[place] == card]
            assert copies, f"seat {seat} uses a card it does not hold"
            place = max(copies, key=lambda copy: sum(copy in known for known in self.knows))
            held.remove(place)
            removed.append(place)
        return tuple(removed)

    def _move(self, seat: Seat, kind: Kind, cards: tuple[Card, ...], asked: Seat) -> None:
        used: tuple[Place, ...] = ()
        match kind:
            case Kind.PLAY:
                used = self._remove(seat, cards)
                self.played.extend(used)
                self.public.update(used)
            case Kind.TAKE_AND_SHOW:
                used = self._remove(seat, cards)
                self.laid_down.extend(used)
                self.public.update(used)
            case Kind.GIVE:
                used = self._give(seat, cards)
            case Kind.OFFER:
                used = tuple([next(place for place in self.hands[seat] if self.deck[place] == cards[0])])
                self._offered, self._giver = used[0], seat
            case _ if kind in _FACE_DOWN:
                used = self._remove(seat, cards)
                self.laid_down.extend(used)
                self._after_laying_down(seat, kind)
            case Kind.TAKE_HAND:
                self.laid_down.extend(self.hands[seat])
                self.hands[seat].clear()
                self._take(seat, self.undealt)
            case Kind.TAKE_WIDOW:
                self._take_widow(seat)
            case Kind.ASK:
                self._asked = seat
            case Kind.NAME_BLIND:
                self.knows[seat].update(self.hands[seat])
            case Kind.BID:
                self._note_bid(seat)
        self.used.append(used)

    def _note_bid(self, seat: Seat) -> None:
        passes = len(self.used)
        if not self._has_bid and passes == self.variant.seats and self.variant.preset == "hasenpfeffer":
            jokers = self.variant.tables.jokers  # HAS-AUC-2: everybody has passed, and he shows it
            self.public.update(place for place in self.hands[seat] if self.deck[place] in jokers)
        self._has_bid = True

    def _give(self, giver: Seat, cards: tuple[Card, ...]) -> tuple[Place, ...]:
        receiver = self._receiver(giver)
        used = self._remove(giver, cards)
        self.hands[receiver].extend(used)
        self.knows[receiver].update(used)
        return used

    def _receiver(self, giver: Seat) -> Seat:
        return self._asked if self._asked >= 0 else self._last_layer

    _last_layer: Seat = -1

    def _after_laying_down(self, seat: Seat, kind: Kind) -> None:
        self._last_layer = seat
        if kind is Kind.ACCEPT:
            self.hands[self._giver].remove(self._offered)
            self.hands[seat].append(self._offered)
            self.knows[seat].add(self._offered)
        elif kind is Kind.SWAP_KITTY:
            self._take(seat, self.undealt)
        elif kind is Kind.DISCARD:
            self._asked = -1  # the loner of an ``ask-one`` has answered for the card he got

    def _take_widow(self, seat: Seat) -> None:
        widow, self.undealt = self.undealt[: self.variant.widow], self.undealt[self.variant.widow :]
        self._take(seat, widow)

    def _settle_widow(self, hand: Hand) -> None:
        """AUC-WID-1, HAS-WID-1: the declarer takes it as soon as he is one, unless his bid forgoes it."""
        if self._is_widow_settled or self.variant.widow_rule is not WidowRule.MUST or hand.maker < 0:
            return
        self._is_widow_settled = True
        number = next(act.bid.number for _, act, _, _ in reversed(hand.events) if act.bid is not None)
        if number != 15:
            self._take_widow(hand.maker)

    # -- accounts ------------------------------------------------------------------------------------

    def cards(self, places: list[Place]) -> list[Card]:
        """Return the cards at *places*, sorted by number."""
        return sorted(self.deck[place] for place in places)

    def hidden_from(self, seat: Seat) -> list[Place]:
        """Return the cards that *seat* has never seen."""
        seen = self.public | self.knows[seat]
        return [place for place in range(len(self.deck)) if place not in seen]

    def check(self, hand: Hand) -> None:
        """Assert that the engine has every card where the ledger has it, and each card once."""
        for seat, places in enumerate(self.hands):
            assert sorted(hand.hands[seat]) == self.cards(places), f"seat {seat}: {hand.describe()}"
        piles = [*self.hands, self.upcard, self.undealt, self.laid_down, self.played]
        everywhere = sorted(place for pile in piles for place in pile)
        assert everywhere == list(range(len(self.deck)))
        assert sorted(card for _, cards in hand.discards for card in cards) == self.cards(self.laid_down)
        assert hand.upcard_taken == (self.variant.upcard and not self.upcard)
        left_over = hand.undealt
        if hand.widow_taken:
            left_over = left_over[self.variant.widow :]
        if hand.kitty_taken:
            left_over = left_over[self.variant.kitty :]
        assert sorted(left_over) == self.cards(self.undealt)
        assert [self.deck[place] for place in self.played[len(self.played) - len(hand.trick) :]] == hand.trick
