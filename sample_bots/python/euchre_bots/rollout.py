"""The rest of a hand, played out in a dealt world: the other seats call by :mod:`euchre_bots.calls`.

A :class:`World` is one deal as it may be, at the point a question was asked. :class:`Roller` takes it to its
end, phase by phase in the order of the variant, and tells the points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from euchre.v1 import variants_pb2
from euchre_bots.calls import ALONE_CALLS, NAMES, PASSES, TAKES, Call, Caller, K
from euchre_bots.judgement import best_gift, called_ally, card_values, keep, keep_order
from euchre_kit import Variant
from euchre_kit.cards import CLUBS, NO_TRUMP, suit
from euchre_kit.scoring import NOBODY, Outline, hand_points
from euchre_kit.simulator import Table, coding
from euchre_kit.variant import Rung

_TIE_BREAK: Final = 0.01
"""What a trick is worth beside the points, so that equal points are not chosen between by chance."""


class World:
    """One deal as it may be. Slots are what the phases need; seats are numbers, cards lists."""

    __slots__ = (
        "ally",
        "asked",
        "bid_strain",
        "bidder",
        "dealer",
        "exchanged",
        "hands",
        "is_optional",
        "is_thrown_in",
        "lone_defender",
        "lone_maker",
        "maker",
        "named_blind",
        "orderer",
        "out",
        "passes",
        "received",
        "rest",
        "round",
        "rung",
        "strain",
        "swapped",
        "taker",
        "turn",
        "turned",
        "turns",
        "upcard",
        "widow_done",
    )

    hands: list[list[int]]
    rest: list[int]
    """Cards in no hand: the widow or kitty first, as far as anybody may still take it."""

    def __init__(self, dealer: int, upcard: int) -> None:
        self.hands = []
        self.rest = []
        self.dealer = dealer
        self.upcard = upcard
        self.turned = suit(upcard) if upcard else 0
        self.named_blind = False
        self.turn = NOBODY
        self.round = 1
        self.passes = self.turns = 0
        self.strain = 0
        self.maker = self.bidder = self.orderer = self.taker = NOBODY
        self.is_optional = False
        self.rung: Rung | None = None
        self.bid_strain = 0
        self.lone_maker = self.lone_defender = NOBODY
        self.out: frozenset[int] = frozenset()
        self.asked: frozenset[int] = frozenset()
        """Seats that have answered in the poll of this phase."""
        self.exchanged: frozenset[int] = frozenset()
        """Loners whose exchange is over."""
        self.received = 0
        self.ally = NOBODY
        self.widow_done = self.swapped = self.is_thrown_in = False

    def copy(self) -> World:
        """Return an independent copy."""
        twin = World.__new__(World)
        for name in World.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = [hand[:] for hand in self.hands]
        twin.rest = self.rest[:]
        return twin


class Roller:
    """Takes worlds of one variant to their end."""

    def __init__(self, variant: Variant, caller: Caller) -> None:
        self.variant = variant
        self.caller = caller
        self.phases = [int(phase) for phase in variant.message.phases]
        self._steps: dict[int, Callable[[World], None]] = {
            variants_pb2.PHASE_KIND_FORCED_CLUBS: self._forced_clubs,
            variants_pb2.PHASE_KIND_UPCARD_AUCTION: self._upcard_auction,
            variants_pb2.PHASE_KIND_BID_AUCTION: self._bid_auction,
            variants_pb2.PHASE_KIND_STRAIN_CHOICE: self._strain_choice,
            variants_pb2.PHASE_KIND_PICK_UP: self._pick_up,
            variants_pb2.PHASE_KIND_GOING_ALONE: self._going_alone,
            variants_pb2.PHASE_KIND_EXCHANGE: self._exchange,
            variants_pb2.PHASE_KIND_WIDOW: self._widow,
            variants_pb2.PHASE_KIND_WIDOW_DISCARD: self._widow_discard,
            variants_pb2.PHASE_KIND_HAND_SWAP: self._hand_swap,
            variants_pb2.PHASE_KIND_DEALER_MAKES: self._dealer_makes,
            variants_pb2.PHASE_KIND_KITTY_SWAP: self._kitty_swap,
            variants_pb2.PHASE_KIND_DROP_OUT: self._drop_out,
            variants_pb2.PHASE_KIND_ALLY_CALL: self._ally_call,
        }

    def value(self, world: World, phase: int, me: int) -> float:
        """Return what *me* gains when the hand goes on from *phase*: its points less the mean of the others'."""
        for kind in self.phases[self.phases.index(phase) :]:
            step = self._steps.get(kind)
            if step is not None:
                step(world)
            if world.is_thrown_in:
                return 0.0
        return self._play(world, me)

    def worth(self, points: Sequence[int], me: int) -> float:
        """Return the points of the side of *me* less the mean of the others'; less is more where totals count down."""
        own = self.variant.side_of[me]
        rest = (sum(points) - points[own]) / (len(points) - 1)
        return rest - points[own] if self.variant.counts_down else points[own] - rest

    # -- making trump --------------------------------------------------------------------------

    def _forced_clubs(self, world: World) -> None:
        if not world.strain and world.turned == CLUBS:
            world.strain = CLUBS

    def _upcard_auction(self, world: World) -> None:
        variant, caller = self.variant, self.caller
        if world.strain:
            return
        seat, dealer = world.turn, world.dealer
        if seat == NOBODY:
            seat = variant.left(dealer)
        rounds = int(variant.option("auction_rounds", "2"))
        while True:
            if world.named_blind and seat == dealer:
                call: Call = (K.ACTION_KIND_TAKE_UP, 0)
            else:
                calls = caller.upcard_calls(seat, dealer, world.round, world.turned)
                best = caller.best_upcard_call(seat, dealer, world.hands[seat], world.upcard, world.turned, calls)
                call = calls[best]
            if call[0] not in PASSES:
                self.call_upcard(world, seat, call)
                return
            if seat != dealer:
                seat = variant.left(seat)
            elif world.round < rounds:
                world.round += 1
                seat = variant.left(dealer)
            else:
                self._all_passed(world)
                return

    def call_upcard(self, world: World, seat: int, call: Call) -> None:
        """Fix trump by a call other than a pass (UPA-MAKE-1, -2, UPA-PICK-1 to -4)."""
        kind, strain = call
        variant, dealer = self.variant, world.dealer
        if kind in NAMES:
            world.maker, world.strain = seat, strain
        else:
            took_down = kind == K.ACTION_KIND_TAKE_DOWN_ALONE
            dealers_side = variant.option("order_up_makers") == "dealer-side" and not took_down
            world.strain = world.turned
            world.maker = dealer if dealers_side else seat
            world.taker = seat if took_down else dealer
            world.orderer = seat if kind not in TAKES else NOBODY
            world.is_optional = (
                kind not in TAKES
                and variant.option("dealer_pickup") == "optional"
                and world.upcard not in variant.jokers
            )
            if kind == K.ACTION_KIND_ORDER_UP_ALONE and seat != dealer and self.caller.is_with(seat, dealer):
                world.taker = NOBODY
        if kind in ALONE_CALLS:
            self.play_alone(world, seat)

    def _all_passed(self, world: World) -> None:
        if self.variant.counts_down:
            world.strain = NO_TRUMP  # everybody plays (BUCK-TRUMP-3)
        elif self.variant.jokers and self.variant.has_bids:
            self._declare_joker_holder(world)
        else:
            world.is_thrown_in = True

    def _declare_joker_holder(self, world: World) -> None:
        """HAS-AUC-2, -3."""
        jokers = self.variant.jokers
        holder = next((seat for seat, hand in enumerate(world.hands) if jokers.intersection(hand)), NOBODY)
        if holder == NOBODY:
            world.is_thrown_in = True
            return
        world.bidder = world.maker = holder
        three = next((rung for rung in self.variant.rungs if rung.number == 3), self.variant.rungs[0])
        world.rung = three

    def play_alone(self, world: World, seat: int) -> None:
        """Let *seat* play alone; its partners sit out."""
        if self.caller.is_with(seat, world.maker):
            world.lone_maker = seat
        else:
            world.lone_defender = seat
        world.out = world.out.union(self.variant.partners(seat))

    def _pick_up(self, world: World) -> None:
        taker = world.taker
        if taker == NOBODY:
            return
        world.taker = NOBODY
        hand = world.hands[taker]
        if world.is_optional and self.caller.upcard_help(world.strain, hand, world.upcard) <= 0:
            return
        world.hands[taker] = self.caller.best_of(world.strain, [*hand, world.upcard])

    # -- bids ----------------------------------------------------------------------------------

    def outbids(self, world: World, seat: int, rung: Rung) -> bool:
        """Tell whether a bid may be made over the standing one (as far as the ladder tells)."""
        if world.rung is None:
            return True
        if self.variant.message.equal_bid_outbids:
            return rung.rank >= world.rung.rank
        return rung.rank > world.rung.rank

    def _bid_auction(self, world: World) -> None:
        variant = self.variant
        if world.strain or world.maker != NOBODY:
            return
        until_passed = variant.option("bid_rounds") == "until-passed"
        seat = world.turn if world.turn != NOBODY else variant.left(world.dealer)
        while not self._is_auction_over(world, until_passed=until_passed):
            self._bid(world, seat, until_passed=until_passed)
            seat = variant.left(seat)
        if world.bidder == NOBODY:
            self._all_passed(world)
        else:
            self._win_auction(world)

    def _is_auction_over(self, world: World, *, until_passed: bool) -> bool:
        seats = self.variant.seats
        if world.bidder == NOBODY:
            return world.passes >= seats
        top = self.variant.rungs[-1].rank
        if world.rung is not None and world.rung.rank >= top and not self.variant.message.equal_bid_outbids:
            return True
        return world.passes >= seats - 1 if until_passed else world.turns >= seats

    def _bid(self, world: World, seat: int, *, until_passed: bool) -> None:
        variant, caller = self.variant, self.caller
        bids: list[tuple[Rung, Sequence[int]]] = []
        for rung in variant.rungs:
            if self.outbids(world, seat, rung):
                if variant.message.strain_in_bid:
                    bids += [(rung, (strain,)) for strain in rung.strains]
                else:
                    bids.append((rung, rung.strains))
        waiting = variant.seats - 1 - world.turns
        must = world.bidder == NOBODY and waiting == 0 and variant.option("dealer_must_bid") == "on"
        passing = caller.standing_value(seat, world.bidder, world.rung, is_last=waiting <= 0)
        hand = world.hands[seat]
        chosen = caller.best_bid(
            self._worth_trying(bids, hand),
            hand,
            upcard=world.upcard,
            passing=None if must else passing,
            others_follow=waiting > 0 and not until_passed,
        )
        world.turns += 1
        if chosen < 0:
            world.passes += 1
            return
        rung, strains = self._worth_trying(bids, hand)[chosen]
        self.bid(world, seat, rung, strains[0] if variant.message.strain_in_bid else 0)

    def _worth_trying(
        self, bids: list[tuple[Rung, Sequence[int]]], hand: Sequence[int]
    ) -> list[tuple[Rung, Sequence[int]]]:
        """Leave out all suits but the best, which can only be better, to save time."""
        if not self.variant.message.strain_in_bid:
            return bids
        judge = self.caller.judge
        best = max(self.caller.suits, key=lambda strain: judge.count(strain, hand))
        return [(rung, strains) for rung, strains in bids if strains[0] >= NO_TRUMP or strains[0] == best]

    def bid(self, world: World, seat: int, rung: Rung, strain: int) -> None:
        """Make a bid the standing one."""
        world.passes = 0
        world.bidder, world.rung, world.bid_strain = seat, rung, strain

    def _win_auction(self, world: World) -> None:
        rung = world.rung
        world.maker = world.bidder
        world.strain = world.bid_strain
        if rung is not None and rung.is_misere:
            world.strain = NO_TRUMP
        if rung is not None and rung.alone:
            self.play_alone(world, world.maker)

    def _strain_choice(self, world: World) -> None:
        if world.maker == NOBODY or world.strain:
            return
        hand = world.hands[world.maker]
        self.choose_strain(world, self.caller.best_strain(hand, world.rung, world.upcard, self.variant.strains))

    def choose_strain(self, world: World, strain: int) -> None:
        """Fix the strain after an auction; the maker may now take an upcard (DC-PICK-1)."""
        world.strain = strain
        if world.upcard:
            world.taker, world.is_optional = world.maker, True

    # -- widow and kitty -----------------------------------------------------------------------

    def takes_widow(self, rung: Rung | None) -> bool:
        """Tell whether a declarer with this bid has the use of the widow."""
        variant = self.variant
        if rung is None or not rung.alone:
            return True
        if variant.has_fixed_sides:
            return variant.option("widow_when_alone", "allowed") == "allowed"
        lowest = next(other for other in variant.rungs if other.alone)
        return variant.has_silent_ally and rung.rank == lowest.rank

    def _widow(self, world: World) -> None:
        if world.maker == NOBODY or world.widow_done:
            return
        world.widow_done = True
        if self.takes_widow(world.rung):
            self.take_widow(world)

    def take_widow(self, world: World) -> None:
        """Add the widow to the maker's hand."""
        size = self.variant.message.widow
        world.hands[world.maker] += world.rest[:size]
        world.rest = world.rest[size:]

    def _widow_discard(self, world: World) -> None:
        if world.maker == NOBODY:
            return
        hand = world.hands[world.maker]
        if len(hand) > self.variant.hand_size:
            world.hands[world.maker] = keep(coding(self.variant, world.strain), hand, self.variant.hand_size)

    def _hand_swap(self, world: World) -> None:
        variant, judge = self.variant, self.caller.judge
        if world.swapped:
            return
        world.swapped = True
        for seat in ((world.dealer - 1) % variant.seats, world.dealer, variant.left(world.dealer)):
            if seat in world.asked:
                continue
            hand = world.hands[seat]
            if max(judge.count(strain, hand) for strain in self.caller.suits) < judge.typical_count() - 0.1:
                self.take_hand(world, seat)
                return

    def take_hand(self, world: World, seat: int) -> None:
        """Swap a whole hand for the widow."""
        size = self.variant.message.widow
        world.hands[seat], world.rest = world.rest[:size], world.rest[size:]
        world.swapped = True

    def _dealer_makes(self, world: World) -> None:
        if world.strain:
            return
        judge, hand = self.caller.judge, world.hands[world.dealer]
        best, shown, strain = judge.count(world.turned, hand), 0, world.turned
        for card in hand:
            named = suit(card)
            if named == world.turned:
                continue
            left = [*hand, world.upcard]
            left.remove(card)
            count = judge.count(named, left)
            if count > best:
                best, shown, strain = count, card, named
        self.make_by_dealer(world, shown, strain)

    def make_by_dealer(self, world: World, shown: int, strain: int) -> None:
        """Make trump by a discard shown, or (0) by keeping the upcard's suit."""
        world.maker, world.strain = world.dealer, strain
        if shown:
            world.hands[world.dealer].append(world.upcard)
            world.hands[world.dealer].remove(shown)

    def _kitty_swap(self, world: World) -> None:
        variant, judge = self.variant, self.caller.judge
        if world.swapped:
            return
        world.swapped = True
        dealer, size = world.dealer, variant.message.kitty
        code = coding(variant, world.strain)
        average = 0.8 * judge.typical_count() / variant.hand_size
        order = [variant.left(dealer), (dealer - 1) % variant.seats, *variant.partners(dealer), dealer]
        for seat in order:
            if seat in world.asked:
                continue
            hand = world.hands[seat]
            kept = keep(code, hand, len(hand) - size)
            if judge.count(world.strain, kept) + average * size > judge.count(world.strain, hand):
                self.swap_kitty(world, seat, kept)
                return

    def swap_kitty(self, world: World, seat: int, kept: list[int]) -> None:
        """Take the kitty to the cards kept."""
        size = self.variant.message.kitty
        world.hands[seat] = kept + world.rest[:size]
        world.rest = world.rest[size:]
        world.swapped = True

    # -- alone, exchange, who is in ------------------------------------------------------------

    def _going_alone(self, world: World) -> None:
        variant, caller, maker = self.variant, self.caller, world.maker
        if maker == NOBODY:
            return
        if world.lone_maker == NOBODY:
            self._ask_makers(world)
        rule = variant.option("alone_defenders", "none")
        if (
            rule == "none"
            or not variant.has_fixed_sides
            or world.lone_defender != NOBODY
            or (rule == "against-loner" and world.lone_maker == NOBODY)
        ):
            return
        for step in range(1, variant.seats):
            seat = (maker + step) % variant.seats
            if seat in world.asked or caller.is_with(seat, maker):
                continue
            if caller.defends_alone(world.strain, world.hands[seat]):
                self.play_alone(world, seat)
                return

    def _ask_makers(self, world: World) -> None:
        variant, maker = self.variant, world.maker
        rule = variant.option("alone_makers", "none")
        with_call = variant.option("alone_timing") == "with-call"
        if rule == "none" or (with_call and not world.named_blind):
            return
        seats = [maker, *variant.partners(maker)] if rule == "any" and not with_call else [maker]
        for seat in seats:
            hand = world.hands[seat]
            if seat not in world.asked and self.caller.goes_alone(world.strain, hand, is_maker=seat == maker):
                self.play_alone(world, seat)
                return

    def _exchange(self, world: World) -> None:
        for loner in (world.lone_maker, world.lone_defender):
            if loner != NOBODY and loner not in world.exchanged:
                self._exchange_for(world, loner)

    def _exchange_for(self, world: World, loner: int) -> None:
        variant = self.variant
        rule = variant.option("loner_exchange", "none")
        partners = variant.partners(loner)
        if rule == "none" or not partners:
            return
        code = coding(variant, world.strain)
        hand = world.hands[loner]
        if rule == "ask-one":
            gift = best_gift(code, world.hands[partners[0]])
            world.hands[loner] = self.caller.best_of(world.strain, [*hand, gift])
            return
        most = self.caller.received(world.rung) if rule == "fixed-by-bid" and world.rung else 1
        if rule.startswith("up-to-"):
            most = int(rule[-1])
        order = keep_order(code, hand)
        values = card_values(code, hand)
        number = most if rule == "fixed-by-bid" else sum(values[card] < 38.0 for card in order[-most:])
        self.swap(world, loner, order[len(order) - number :])

    def swap(self, world: World, loner: int, gone: Sequence[int]) -> None:
        """Lay cards down and be given as many by the partner."""
        self.lay_down(world, loner, gone)
        self.be_given(world, loner, len(gone))

    def lay_down(self, world: World, seat: int, gone: Sequence[int]) -> None:
        """Discard cards."""
        for card in gone:
            world.hands[seat].remove(card)

    def be_given(self, world: World, loner: int, number: int) -> None:
        """Add the best cards of the loner's partner to his hand."""
        giver = self.variant.partners(loner)[0]
        code = coding(self.variant, world.strain)
        gifts = keep_order(code, world.hands[giver])[:number]
        world.hands[loner] += gifts
        world.received = len(gifts)

    def _drop_out(self, world: World) -> None:
        maker = world.maker
        if maker == NOBODY:
            return
        seats = self.variant.seats
        for step in range(1, seats):
            seat = (maker + step) % seats
            if seat in world.asked:
                continue
            if not self.caller.stays(world.strain, world.hands[seat], seats - len(world.out)):
                world.out = world.out.union((seat,))

    def _ally_call(self, world: World) -> None:
        maker = world.maker
        if maker == NOBODY or world.lone_maker != NOBODY or world.ally != NOBODY:
            return
        code = coding(self.variant, world.strain)
        world.ally = called_ally(self.variant, code, world.hands, maker)

    # -- the tricks ----------------------------------------------------------------------------

    def _play(self, world: World, me: int) -> float:
        variant = self.variant
        active = [seat for seat in range(variant.seats) if seat not in world.out]
        leader = self.leader(world, active)
        if not world.strain:
            self._make_trump_by_lead(world, leader)
        code = coding(variant, world.strain)
        team = self.teams(world)
        masks = [code.mask(hand) if seat in active else 0 for seat, hand in enumerate(world.hands)]
        makers_team = team[world.maker] if world.maker != NOBODY else NOBODY
        avoider = world.maker if world.rung is not None and world.rung.is_misere else NOBODY
        table = Table(code, masks, active, team, leader, makers_team=makers_team, avoider=avoider)
        if variant.trump_by_lead and avoider == NOBODY and masks[leader] & code.trump_mask:
            table.play(1 << (masks[leader] & code.trump_mask).bit_length() - 1)
        won = table.play_out()
        return self.result(self.outline(world, active), won, team, me)

    def result(self, outline: Outline, won: Sequence[int], team: Sequence[int], me: int) -> float:
        """Return what *me* gained by these tricks."""
        own = sum(taken for seat, taken in enumerate(won) if team[seat] == team[me])
        if outline.rung is not None and outline.rung.is_misere and me == outline.maker:
            own = -own
        return self.worth(hand_points(self.variant, outline, won), me) + _TIE_BREAK * own

    def outline(self, world: World, active: Sequence[int]) -> Outline:
        """Return what the scoring needs to know."""
        return Outline(
            maker=world.maker,
            makers=self.makers(world),
            active=tuple(active),
            lone_maker=world.lone_maker,
            lone_defender=world.lone_defender,
            rung=world.rung,
            cards_received=world.received,
        )

    def makers(self, world: World) -> tuple[int, ...]:
        """Return the seats of the maker's true side."""
        variant, maker = self.variant, world.maker
        if maker == NOBODY:
            return ()
        if variant.has_fixed_sides:
            return variant.sides[variant.side_of[maker]]
        return (maker,) if world.ally in (NOBODY, maker) else (maker, world.ally)

    def teams(self, world: World) -> list[int]:
        """Return by seat a number that is equal for seats that play together."""
        variant = self.variant
        if variant.has_fixed_sides:
            return variant.side_of
        if world.maker == NOBODY or not (variant.has_silent_ally or variant.is_one_against_all):
            return [*range(variant.seats)]
        makers = self.makers(world)
        return [0 if seat in makers else 1 for seat in range(variant.seats)]

    def leader(self, world: World, active: Sequence[int]) -> int:
        """Return who leads to the first trick (LEAD-1 to LEAD-4)."""
        variant, maker = self.variant, world.maker
        if variant.declarer_leads and maker != NOBODY:
            return maker
        if len(active) == 2 and variant.seats > 2 and maker != NOBODY:
            others = [seat for seat in active if seat not in self.makers(world)]
            if len(others) == 1:
                return others[0]
        loner = world.lone_maker if world.lone_maker != NOBODY else world.lone_defender
        if variant.is_one_against_all:
            loner = maker
        rule = variant.option("loner_lead", "eldest")
        after = world.dealer
        if loner != NOBODY and (
            rule == "left-of-loner" or (rule == "left-of-loner-if-ordered" and loner == world.orderer)
        ):
            after = loner
        seat = variant.left(after)
        while seat not in active:
            seat = variant.left(seat)
        return seat

    def _make_trump_by_lead(self, world: World, leader: int) -> None:
        """NAP-TRUMP-1: the suit led is trump; he leads his best."""
        hand = world.hands[leader]
        held = {suit(card) for card in hand}
        judge = self.caller.judge
        world.strain = max(held, key=lambda strain: judge.count(strain, hand))
