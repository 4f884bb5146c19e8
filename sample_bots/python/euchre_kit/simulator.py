"""Tricks played fast: cards are bits, hands are integers, nothing is allocated per card.

The bits of one strain are ordered so that every trump is above every other card, and plain cards of equal
rank lie side by side. So the lowest card of a hand is its lowest bit, whatever its suit; what beats a card is
one mask; following suit is one more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from euchre_kit.variant import TRUMP, Order, Variant

NOBODY = -1


class Coding:
    """Cards as bits under one strain. A *place* is the number of a bit; each copy of a card has its own."""

    __slots__ = (
        "beaten_by",
        "bits",
        "card_at",
        "everything",
        "order",
        "plain_masks",
        "suit_mask_at",
        "suit_masks",
        "trump_mask",
    )

    order: Order
    card_at: list[int]
    """By place, the card."""
    bits: dict[int, tuple[int, ...]]
    """By card, the bits of its copies."""
    suit_mask_at: list[int]
    """By place, the cards of its effective suit."""
    suit_masks: list[int]
    """By suit, its cards."""
    plain_masks: tuple[int, ...]
    """The suits that are not trumps."""
    trump_mask: int
    beaten_by: list[int]
    """By place, the cards that win over it, played later to the same trick."""
    everything: int
    """All cards."""

    def __init__(self, variant: Variant, strain: int) -> None:
        order = variant.order(strain)
        self.order = order
        height, effective = order.height, order.effective
        # Cards of no suit (jokers while no strain is fixed) go to the bottom; they are never played so.
        self.card_at = sorted(variant.deck, key=lambda card: (_level(order, card), effective[card], card))
        gathered: dict[int, list[int]] = {}
        self.suit_masks = [0] * 5
        for place, card in enumerate(self.card_at):
            gathered.setdefault(card, []).append(1 << place)
            self.suit_masks[effective[card]] |= 1 << place
        self.bits = {card: tuple(bits) for card, bits in gathered.items()}
        self.suit_mask_at = [self.suit_masks[effective[card]] for card in self.card_at]
        self.everything = (1 << len(self.card_at)) - 1
        is_suit = 1 <= strain <= 4
        self.trump_mask = self.suit_masks[strain] if is_suit else 0
        self.plain_masks = tuple(
            self.suit_masks[suit] for suit in range(1, 5) if not (is_suit and suit == strain) and self.suit_masks[suit]
        )
        self.beaten_by = [
            self._beaten_by(place, [height[card] for card in self.card_at], later_wins=variant.later_wins)
            for place in range(len(self.card_at))
        ]

    def _beaten_by(self, place: int, heights: list[int], *, later_wins: bool) -> int:
        own, suit_mask = heights[place], self.suit_mask_at[place]
        mask = 0 if own > TRUMP else self.trump_mask
        for other, height in enumerate(heights):
            if suit_mask >> other & 1 and other != place and (height > own or (later_wins and height == own)):
                mask |= 1 << other
        return mask

    def mask(self, cards: Iterable[int]) -> int:
        """Return a set of cards as bits; equal cards take the bits of different copies."""
        mask = 0
        for card in cards:
            for bit in self.bits[card]:
                if not mask & bit:
                    mask |= bit
                    break
        return mask

    def cards(self, mask: int) -> list[int]:
        """Return the cards of a mask, low to high."""
        found = []
        while mask:
            bit = mask & -mask
            found.append(self.card_at[bit.bit_length() - 1])
            mask ^= bit
        return found


def _level(order: Order, card: int) -> int:
    """Return the rank of a card among all: trumps on top, plain cards counted down from the best of their suit."""
    height = order.height[card]
    if height > TRUMP or not height:
        return height
    return 50 + height - len(order.by_suit[order.effective[card]])


_CODINGS: dict[tuple[str, int], Coding] = {}


def coding(variant: Variant, strain: int) -> Coding:
    """Return the coding of *variant* under *strain*, made once."""
    key = (variant.id, strain)
    found = _CODINGS.get(key)
    if found is None:
        found = _CODINGS[key] = Coding(variant, strain)
    return found


View = tuple[Sequence[int], int]
"""By seat a number that is equal for seats that play together, and that of the maker."""


class Table:
    """A trick game in progress, for simulation. Hands and the cards not yet played are masks of one coding.

    *views* tells by seat whom it takes for a friend, where not all know that; empty: all know. The card of *reveals*,
    once played, tells all.
    """

    __slots__ = (
        "avoider",
        "best",
        "best_seat",
        "code",
        "following",
        "hands",
        "led_mask",
        "makers_team",
        "pending",
        "players",
        "reveals",
        "team",
        "turn",
        "unplayed",
        "views",
        "won",
    )

    def __init__(
        self,
        code: Coding,
        hands: Sequence[int],
        active: Sequence[int],
        team: Sequence[int],
        turn: int,
        *,
        makers_team: int = NOBODY,
        avoider: int = NOBODY,
    ) -> None:
        """Begin a trick with *turn* to lead.

        *team* tells by seat who plays together; *makers_team* is that of the maker; *avoider* wants no trick.
        """
        self.code = code
        self.hands = list(hands)
        self.players = len(active)
        self.following = [NOBODY] * len(self.hands)
        for place, seat in enumerate(active):
            self.following[seat] = active[(place + 1) % len(active)]
        self.team = team
        self.makers_team = makers_team
        self.avoider = avoider
        self.turn = turn
        self.best = NOBODY
        self.best_seat = NOBODY
        self.led_mask = 0
        self.pending = 0
        self.unplayed = code.everything
        self.views: list[View] = []
        self.reveals = 0
        self.won = [0] * len(self.hands)

    def copy(self) -> Table:
        """Return an independent copy."""
        twin = Table.__new__(Table)
        for name in Table.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = self.hands[:]
        twin.won = self.won[:]
        return twin

    def legal(self) -> int:
        """Return the cards that the seat to play may play, as a mask."""
        held = self.hands[self.turn]
        if self.best < 0:
            return held
        return held & self.led_mask or held

    def play(self, bit: int) -> None:
        """Play the card of *bit*, which the seat to play holds."""
        seat, code = self.turn, self.code
        place = bit.bit_length() - 1
        if bit == self.reveals:
            self.views = []
        self.hands[seat] ^= bit
        self.unplayed &= ~bit
        if self.best < 0:
            self.led_mask = code.suit_mask_at[place]
            self.best, self.best_seat = place, seat
            self.pending = self.players
        elif code.beaten_by[self.best] & bit:
            self.best, self.best_seat = place, seat
        self.pending -= 1
        if self.pending:
            self.turn = self.following[seat]
        else:
            self.won[self.best_seat] += 1
            self.turn = self.best_seat
            self.best = NOBODY

    def play_out(self) -> list[int]:
        """Play all that is left by :func:`choose`; return the tricks by seat."""
        code, hands, following, team, won = self.code, self.hands, self.following, self.team, self.won
        beaten_by, suit_mask_at = code.beaten_by, code.suit_mask_at
        turn, best, best_seat, pending = self.turn, self.best, self.best_seat, self.pending
        led_mask, unplayed, last = self.led_mask, self.unplayed, self.players - 1
        makers_team, avoider = self.makers_team, self.avoider
        views, reveals = self.views, self.reveals
        while True:
            held = hands[turn]
            if views:
                team, makers_team = views[turn]
            if best < 0:
                if not held:
                    return won
                bit = choose_lead(code, held, turn, unplayed, team, makers_team, avoider)
                best = bit.bit_length() - 1
                best_seat = turn
                led_mask = suit_mask_at[best]
                pending = last
                if bit == reveals:
                    team, makers_team, views = self.team, self.makers_team, []
                hands[turn] = held ^ bit
                unplayed &= ~bit
                turn = following[turn]
                if not pending:  # unopposed
                    won[best_seat] += 1
                    best = NOBODY
                continue
            legal = held & led_mask or held
            if legal & (legal - 1):
                bit = choose_follow(
                    code, held, legal, best, best_seat, pending, unplayed, turn, team, makers_team, avoider, led_mask
                )
            else:
                bit = legal
            if beaten_by[best] & bit:
                best = bit.bit_length() - 1
                best_seat = turn
            if bit == reveals:
                team, makers_team, views = self.team, self.makers_team, []
            hands[turn] = held ^ bit
            unplayed &= ~bit
            pending -= 1
            if pending:
                turn = following[turn]
            else:
                won[best_seat] += 1
                turn = best_seat
                best = NOBODY


_TRUMPS_TO_DRAW = 3
"""With so many trumps the makers lead them even without the highest."""
_BEATERS_BORNE = 1
"""So many higher cards of its suit may be out against a card that is led as a winner: some are not dealt."""
_BEATERS_FEARED = 2
"""With so many cards out against a partner's winning card, one that cannot follow trumps it."""


def choose_lead(
    code: Coding, held: int, seat: int, unplayed: int, team: Sequence[int], makers_team: int, avoider: int
) -> int:
    """Return the card to lead, as a bit: trumps from the top for the makers, likely winners, else low."""
    if avoider >= 0:
        return held & -held
    others = unplayed & ~held
    trump_mask, beaten_by = code.trump_mask, code.beaten_by
    trumps = held & trump_mask
    is_maker = team[seat] == makers_team
    trumps_out = others & trump_mask
    if trumps:
        top_trump = trumps.bit_length() - 1
        is_highest = not beaten_by[top_trump] & trumps_out
        if is_maker and trumps_out and is_highest:
            return 1 << top_trump
    best_bit, best_merit = 0, -1000
    for mask in code.plain_masks:
        mine = held & mask
        if mine:
            out = others & mask
            top = mine.bit_length() - 1
            beaters = (beaten_by[top] & out).bit_count()
            if beaters <= _BEATERS_BORNE:
                merit = out.bit_count() - 20 * beaters
                if merit > best_merit:
                    best_bit, best_merit = 1 << top, merit
    if best_bit:
        return best_bit
    if trumps:
        may_draw = is_maker and trumps_out and trumps.bit_count() >= _TRUMPS_TO_DRAW
        if trumps == held or may_draw:
            return 1 << top_trump if is_maker or is_highest else trumps & -trumps
        if not trumps_out:
            return 1 << top_trump
    plain = held & ~trump_mask
    return plain & -plain


def choose_follow(
    code: Coding,
    held: int,
    legal: int,
    best: int,
    best_seat: int,
    pending: int,
    unplayed: int,
    seat: int,
    team: Sequence[int],
    makers_team: int,
    avoider: int,
    led_mask: int,
) -> int:
    """Return the card to follow with, as a bit. *pending* counts the seats still to play, this one included."""
    beaters = code.beaten_by[best]
    winners = legal & beaters
    if avoider >= 0:
        return _follow_under(legal, winners, best_seat, pending, seat, avoider)
    if not winners:
        return legal & -legal
    if pending == 1:
        return legal & -legal if team[best_seat] == team[seat] else winners & -winners
    danger = unplayed & ~held
    followers = winners & led_mask
    if team[best_seat] == team[seat]:
        return _support(code, legal, winners, followers, beaters & danger & led_mask, danger & led_mask)
    if followers:
        top = followers.bit_length() - 1
        if pending == 2 or not code.beaten_by[top] & danger & led_mask:
            return 1 << top
    return winners & -winners


def _support(code: Coding, legal: int, winners: int, followers: int, threats: int, danger: int) -> int:
    """Return a card for a trick that a partner is winning: high if that makes it safe, else low."""
    if followers:
        if threats:
            top = followers.bit_length() - 1
            if not code.beaten_by[top] & danger:
                return 1 << top
    elif threats.bit_count() >= _BEATERS_FEARED and not threats & code.trump_mask:
        return winners & -winners
    return legal & -legal


def _follow_under(legal: int, winners: int, best_seat: int, pending: int, seat: int, avoider: int) -> int:
    """Return a card for a hand in which *avoider* must take no trick."""
    losers = legal & ~winners
    if seat == avoider:
        if losers:
            return 1 << losers.bit_length() - 1
        return 1 << winners.bit_length() - 1 if pending == 1 else winners & -winners
    if best_seat == avoider:
        return 1 << losers.bit_length() - 1 if losers else winners & -winners
    return legal & -legal
