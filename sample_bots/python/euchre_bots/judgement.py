"""What a hand is worth: a score by counting, turned into chances of tricks by a few simulated deals.

The count is the same for every game: trumps by how many higher ones are out, plain winners by how likely
they are followed, voids. What the count means in a game (how many seats, who is whose partner, what is left
undealt, who gets a widow) is measured, not told: the first time a variant asks for it, a few hundred random
deals are played out by the simulator, and the relation of count and tricks is kept.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp
from typing import Final

from euchre.v1 import variants_pb2
from euchre_kit.cards import NO_TRUMP, NO_TRUMP_LOW
from euchre_kit.simulator import Coding, Table, coding
from euchre_kit.variant import Variant

_TRICKS: Final = 1200
"""Simulated tricks per relation: 240 deals of five, fewer of larger hands, in some 15 ms."""
_SEED: Final = 1
_KERNEL: Final = 0.8
"""Width of the neighbourhood in which counts are alike, in standard deviations of the count."""
_REMEMBERED: Final = 50_000
"""Counts of hands that are kept."""


class Role(Enum):
    """In what capacity a hand takes its tricks."""

    MAKER = "maker"
    """As maker with the partners it has, an ally called included; the tricks are the side's."""
    LONER = "loner"
    """As maker without them."""
    DEFENDER = "defender"
    """Against a maker with a better hand; the tricks are the seat's own."""
    AVOIDER = "avoider"
    """As a declarer who undertakes to take no trick."""


@dataclass(frozen=True, slots=True)
class _Relation:
    counts: list[float]
    tricks: list[int]
    slope: float
    width: float


class Judge:
    """Counts hands of one variant and tells what tricks to expect of them."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        size, seats = variant.hand_size, variant.seats
        hidden = max(1, len(variant.deck) - size)
        in_hands = min(1.0, (seats - 1) * size / hidden)
        each = min(1.0, size / hidden)
        cards = len(variant.deck) + 1
        self._unbeaten = [(1 - in_hands) ** number for number in range(cards)]
        """By higher cards out: the chance that nobody holds one."""
        self._followed = [(1 - (1 - each) ** number) ** max(0, seats - 2) for number in range(cards)]
        """By cards of a suit that are out: the chance that the opponents can follow."""
        self._relations: dict[tuple[Role, int], _Relation] = {}
        self._chances: dict[tuple[Role, int, int], list[float]] = {}
        self._counts: dict[int, float] = {}
        self._typical: float | None = None

    # -- counting ------------------------------------------------------------------------------

    def count(self, strain: int, cards: Sequence[int]) -> float:
        """Return the count of a hand under *strain*; about a trick per unit."""
        code = coding(self.variant, strain)
        return self.count_mask(code, code.mask(cards))

    def count_mask(self, code: Coding, mine: int) -> float:
        """Return the count of a hand given as a mask."""
        key = mine << 3 | code.order.strain
        found = self._counts.get(key)
        if found is None:
            if len(self._counts) >= _REMEMBERED:
                self._counts.clear()
            found = self._counts[key] = self._count_mask(code, mine)
        return found

    def _count_mask(self, code: Coding, mine: int) -> float:
        out = code.everything & ~mine
        unbeaten = self._unbeaten
        trump_mask = code.trump_mask
        if not trump_mask:
            return self._count_no_trump(code, mine, out)
        total = 0.0
        trumps, trumps_out = mine & trump_mask, out & trump_mask
        spare = trumps.bit_count()
        while trumps:
            bit = trumps & -trumps
            trumps ^= bit
            above = (trumps_out >> bit.bit_length()).bit_count()
            total += 0.35 + 0.05 * unbeaten[above] + 0.55 * 0.5**above
        for suit_mask in code.plain_masks:
            held = mine & suit_mask
            suit_out = out & suit_mask
            if not held:
                if spare:
                    spare -= 1
                    total += 0.3
                continue
            followed = self._followed[suit_out.bit_count()]
            top = held.bit_length()
            total += 0.9 * unbeaten[(suit_out >> top).bit_count()] * followed
            held ^= 1 << top - 1
            if held:
                top = held.bit_length()
                total += 0.4 * unbeaten[(suit_out >> top).bit_count()] * followed
        return total

    def _count_no_trump(self, code: Coding, mine: int, out: int) -> float:
        total = 0.0
        others = max(1, self.variant.seats - 1)
        for suit_mask in code.plain_masks:
            held, suit_out = mine & suit_mask, out & suit_mask
            length = held.bit_count()
            total += max(0.0, length - suit_out.bit_count() / others) * 0.3
            while held:
                top = held.bit_length()
                held ^= 1 << top - 1
                total += self._unbeaten[(suit_out >> top).bit_count()]
        return total

    def count_danger(self, cards: Sequence[int]) -> float:
        """Return how likely a hand is to be made to take a trick in no trump; lower is safer."""
        code = coding(self.variant, NO_TRUMP)
        mine = code.mask(cards)
        out = code.everything & ~mine
        total = 0.0
        for suit_mask in code.plain_masks:
            held, suit_out = mine & suit_mask, out & suit_mask
            place = 0
            while held:
                bit = held & -held
                held ^= bit
                below = (suit_out & (bit - 1)).bit_count()
                total += max(0, below - place) / (1 + place)
                place += 1
        return total

    # -- expecting -----------------------------------------------------------------------------

    def chances(self, role: Role, strain: int, cards: Sequence[int], bonus: float = 0.0) -> list[float]:
        """Return the chance of each number of tricks, 0 to all; *bonus* is added to the count."""
        count = self.count_danger(cards) if role is Role.AVOIDER else self.count(strain, cards) + bonus
        return self.chances_of(role, strain, count)

    def chances_of(self, role: Role, strain: int, count: float) -> list[float]:
        """Return the chance of each number of tricks for a hand of this count."""
        kind = _kind(strain)
        key = (role, kind, round(count * 20))
        found = self._chances.get(key)
        if found is None:
            relation = self._relations.get((role, kind))
            if relation is None:
                relation = self._relations[role, kind] = self._measure(role, kind)
            found = self._chances[key] = _spread(relation, count, self.variant.hand_size)
        return found

    def expected(self, role: Role, strain: int, cards: Sequence[int]) -> float:
        """Return the mean number of tricks."""
        return sum(tricks * chance for tricks, chance in enumerate(self.chances(role, strain, cards)))

    def best_strain(self, cards: Sequence[int], strains: Sequence[int]) -> tuple[float, int]:
        """Return the greatest count among suits and its strain; no trumps are compared by what they take."""
        best = max((self.count(strain, cards), strain) for strain in strains if strain < NO_TRUMP)
        for strain in strains:
            if strain >= NO_TRUMP:
                taken = self.expected(Role.MAKER, strain, cards)
                if taken > _mean(self.chances_of(Role.MAKER, best[1], best[0])):
                    best = (self.count(strain, cards), strain)
        return best

    def typical_count(self) -> float:
        """Return the mean count of random hands in their best suit."""
        if self._typical is None:
            rng = random.Random(_SEED)
            suits = [strain for strain in self.variant.strains if strain < NO_TRUMP]
            hands = (rng.sample(self.variant.deck, self.variant.hand_size) for _ in range(200))
            counts = [max(self.count(suit, hand) for suit in suits) for hand in hands]
            self._typical = sum(counts) / len(counts)
        return self._typical

    # -- measuring -----------------------------------------------------------------------------

    def _measure(self, role: Role, kind: int) -> _Relation:
        """Play random deals and return how tricks follow from counts."""
        rng = random.Random(_SEED)
        deals = _TRICKS // self.variant.hand_size
        trials = [self._trial(role, kind, rng) for _ in range(deals)]
        counts, tricks = [count for count, _ in trials], [taken for _, taken in trials]
        mean_count, mean_tricks = sum(counts) / deals, sum(tricks) / deals
        spread = sum((count - mean_count) ** 2 for count in counts) / deals
        together = sum((count - mean_count) * (taken - mean_tricks) for count, taken in trials) / deals
        slope = together / spread if spread else 0.0
        return _Relation(counts, tricks, slope, max(1e-3, _KERNEL * spread**0.5))

    def _trial(self, role: Role, kind: int, rng: random.Random) -> tuple[float, int]:
        """Deal and play one hand; return the count of seat 0 before play and the tricks it (or its side) took."""
        variant = self.variant
        deck = rng.sample(variant.deck, len(variant.deck))
        size, seats = variant.hand_size, variant.seats
        hands = [deck[seat * size : (seat + 1) * size] for seat in range(seats)]
        rest = deck[seats * size :]
        if role is Role.AVOIDER:
            return self._try_avoider(hands)
        if role is Role.DEFENDER:
            return self._try_defender(hands, kind, rng)
        strain = self._own_strain(hands[0], kind)
        count = self.count(strain, hands[0])
        code = coding(variant, strain)
        active = list(range(seats))
        if role is Role.LONER:
            partners = variant.partners(0)
            active = [seat for seat in active if seat not in partners]
            self._exchange(code, hands, partners)
        if variant.message.widow and variant.has_bids and not (role is Role.LONER and not variant.has_fixed_sides):
            hands[0] = keep(code, hands[0] + rest[: variant.message.widow], size)
        team = self._teams(code, hands, role)
        leader = 0 if variant.declarer_leads else rng.choice(active)
        if role is Role.LONER and variant.option("loner_lead") == "left-of-loner":
            leader = active[1]
        table = Table(code, [code.mask(hand) for hand in hands], active, team, leader, makers_team=team[0])
        won = table.play_out()
        return count, sum(won[seat] for seat in active if team[seat] == team[0])

    def _own_strain(self, cards: Sequence[int], kind: int) -> int:
        if kind >= NO_TRUMP:
            return kind
        return max((self.count(strain, cards), strain) for strain in self.variant.strains if strain < NO_TRUMP)[1]

    def _exchange(self, code: Coding, hands: list[list[int]], partners: Sequence[int]) -> None:
        """Give the loner what the variant gives him."""
        rule = self.variant.option("loner_exchange", "none")
        if rule in ("none", "fixed-by-bid"):  # a bid that fixes the number is judged by its own bonus
            return
        moved = int(rule[-1]) if rule[-1].isdigit() else 1
        for _ in range(moved if partners else 0):
            gift = best_gift(code, hands[partners[0]])
            worst = keep_order(code, hands[0])[-1]
            hands[partners[0]].remove(gift)
            hands[0].remove(worst)
            hands[0].append(gift)

    def _teams(self, code: Coding, hands: list[list[int]], role: Role) -> list[int]:
        """Return who plays with whom when seat 0 is the maker."""
        variant = self.variant
        if variant.has_fixed_sides:
            return variant.side_of
        if variant.alliance == variants_pb2.ALLIANCE_NONE:
            return list(range(variant.seats))
        team = [0] + [1] * (variant.seats - 1)
        if variant.has_silent_ally and role is Role.MAKER:
            ally = called_ally(variant, code, hands)
            if ally:
                team[ally] = 0
        return team

    def _try_avoider(self, hands: list[list[int]]) -> tuple[float, int]:
        code = coding(self.variant, NO_TRUMP)
        team = [0] + [1] * (self.variant.seats - 1)
        masks = [code.mask(hand) for hand in hands]
        table = Table(code, masks, range(self.variant.seats), team, 0, makers_team=0, avoider=0)
        return self.count_danger(hands[0]), table.play_out()[0]

    def _try_defender(self, hands: list[list[int]], kind: int, rng: random.Random) -> tuple[float, int]:
        variant = self.variant
        if kind >= NO_TRUMP:
            strain, maker = kind, rng.randrange(1, variant.seats)
        else:
            suits = [suit for suit in variant.strains if suit < NO_TRUMP]
            _, strain, maker = max(
                (self.count(suit, hand), suit, seat) for seat, hand in enumerate(hands) if seat for suit in suits
            )
        code = coding(variant, strain)
        team = variant.side_of if variant.has_fixed_sides else list(range(variant.seats))
        leader = maker if variant.declarer_leads else rng.randrange(variant.seats)
        masks = [code.mask(hand) for hand in hands]
        table = Table(code, masks, range(variant.seats), team, leader, makers_team=team[maker])
        return self.count(strain, hands[0]), table.play_out()[0]


def _kind(strain: int) -> int:
    """Return 1 for every suit, else the strain itself."""
    return strain if strain in (NO_TRUMP, NO_TRUMP_LOW) else 1


def _mean(chances: Sequence[float]) -> float:
    return sum(tricks * chance for tricks, chance in enumerate(chances))


def _spread(relation: _Relation, count: float, most: int) -> list[float]:
    """Return the chances of tricks at *count*: those of the deals around it, shifted along the slope."""
    chances = [0.0] * (most + 1)
    width, slope = relation.width, relation.slope
    lowest, highest = min(relation.counts), max(relation.counts)
    centre = min(max(count, lowest), highest)
    for seen, tricks in zip(relation.counts, relation.tricks, strict=True):
        distance = (centre - seen) / width
        weight = exp(-0.5 * distance * distance)
        at = min(max(tricks + slope * (count - seen), 0.0), float(most))
        below = int(at)
        part = at - below
        chances[below] += weight * (1 - part)
        if part:
            chances[below + 1] += weight * part
    total = sum(chances)
    return [chance / total for chance in chances]


# -- choosing cards to keep and to give ----------------------------------------------------------


def card_values(code: Coding, cards: Sequence[int]) -> dict[int, float]:
    """Return what each card is worth keeping: trumps by height, then winners, then cards of short suits last."""
    order = code.order
    mine = code.mask(cards)
    values = {}
    for card in cards:
        height = order.height[card]
        if order.is_trump(card):
            values[card] = 100.0 + height
            continue
        suit_mask = code.suit_masks[order.effective[card]]
        place = code.bits[card][-1].bit_length()
        above = ((code.everything & ~mine & suit_mask) >> place).bit_count()
        length = (mine & suit_mask).bit_count()
        values[card] = 40.0 * 0.45**above + height / 10 + (length if not code.trump_mask else -length) * 0.5
        if code.trump_mask and length == 1 and above:
            values[card] -= 3.0  # its going makes a void
    return values


def keep_order(code: Coding, cards: Sequence[int]) -> list[int]:
    """Return the cards from the best to keep to the first to go."""
    values = card_values(code, cards)
    return sorted(cards, key=lambda card: -values[card])


def keep(code: Coding, cards: Sequence[int], number: int) -> list[int]:
    """Return the *number* of cards that are best kept."""
    return keep_order(code, cards)[:number]


def best_gift(code: Coding, cards: Sequence[int]) -> int:
    """Return the card that helps a loner most: the highest trump, else the surest winner."""
    return keep_order(code, cards)[0]


def suit_to_call(code: Coding, cards: Sequence[int], suits: Sequence[int]) -> int:
    """Return the suit whose best card a maker is to look for elsewhere (CALL-ALLY-1)."""
    order = code.order

    def merit(suit: int) -> tuple[bool, int]:
        held = [card for card in cards if order.effective[card] == suit]
        has_best = order.by_suit[suit][0] in held
        return (not has_best, len(held) if held else -1)

    return max(suits, key=merit)


def called_ally(variant: Variant, code: Coding, hands: Sequence[Sequence[int]], maker: int = 0) -> int:
    """Return the ally that *maker* gets by his best call, or the maker himself if he gets none."""
    order = code.order
    if variants_pb2.PHASE_KIND_WIDOW in variant.phases:
        wanted = next((card for card in order.trumps if card not in hands[maker]), 0)
        return next((seat for seat, hand in enumerate(hands) if wanted in hand), maker)
    suits = [suit for suit in range(1, 5) if suit != order.strain]
    return holder_of_best(code, hands, suit_to_call(code, hands[maker], suits), maker)


def holder_of_best(code: Coding, hands: Sequence[Sequence[int]], suit: int, otherwise: int) -> int:
    """Return who holds the highest card of a suit among *hands*."""
    for card in code.order.by_suit[suit]:
        for seat, hand in enumerate(hands):
            if card in hand:
                return seat
    return otherwise
