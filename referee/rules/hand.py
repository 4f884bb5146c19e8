"""One deal, from the shuffled deck to its points. The only thing in the rules that changes."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from referee.rules.actions import Action, BidName, Kind, action, bid
from referee.rules.cards import CARD_NAMES, NOBODY, NT, UNFIXED, Card, Seat, Strain, Suit, format_strain
from referee.rules.deal import takers
from referee.rules.errors import ActionRefused, DealError, Reason
from referee.rules.phases.base import CardChoice, Phase, PhaseKind
from referee.rules.result import HandEnd, HandResult
from referee.rules.scoring import offence_result, played_result
from referee.rules.variant import AllPass, BidRung, Variant

EVERYBODY: Final = -1
"""As the seers of an event: all seats."""

Event = tuple[Seat, Action, bool, int]
"""Who acted; what; whether it was forced (SRV-ASK-2); the bit set of seats that saw the cards."""

NO_CONTRACT: Final = BidRung(bid=bid(BidName.NUMBER, 0), rank=-1, tricks=0, strains=())

_JOKER_HOLDERS_BID: Final = 3


class Question(NamedTuple):
    """What one seat is asked. ``options[0]`` is the default (SRV-DEFAULT-1).

    With a *choice* its sets are not enumerated: ``options`` holds the words beside it, or, if there are
    none, the first set alone.
    """

    seat: Seat
    phase: PhaseKind
    options: tuple[Action, ...]
    choice: CardChoice | None


_STATE: Final = (
    "active",
    "actor",
    "ally",
    "beats",
    "best",
    "best_seat",
    "bid_strain",
    "bidder",
    "blind_seat",
    "cards_left",
    "cards_received",
    "contract",
    "dealer",
    "dealt",
    "deck",
    "discards",
    "effective",
    "eldest",
    "events",
    "following",
    "giver",
    "hands",
    "joker_is_up",
    "kitty_taken",
    "later_wins",
    "leader",
    "led",
    "lone_defender",
    "lone_maker",
    "maker",
    "named_blind",
    "offered",
    "orderer",
    "out",
    "owed",
    "packs",
    "passes",
    "phase",
    "phase_index",
    "pickup_is_optional",
    "playing",
    "queue",
    "receiver",
    "renege_is_rejected",
    "reneges",
    "result",
    "round",
    "step",
    "strain",
    "taker",
    "totals",
    "trick",
    "tricks_won",
    "turned_suit",
    "turns",
    "undealt",
    "upcard",
    "upcard_taken",
    "variant",
    "widow_taken",
)
"""The slots of a hand: all that is copied and compared."""


class Hand:
    """The state of one hand. ``actor`` is the seat to act, ``NOBODY`` once ``result`` is set.

    Slots are public for the phases, the view and search programs; only :meth:`apply` and
    :meth:`table_talk` may be used to change them.
    """

    __slots__ = _STATE

    def __init__(
        self, variant: Variant, deck: Sequence[Card], dealer: Seat, totals: Sequence[int] | None = None
    ) -> None:
        """Deal *deck* (``deck[0]`` first) and begin the first phase.

        *totals* are those before this hand, in the order of ``variant.sides``; the start of a game if left out.

        :raises DealError: if the deck is not that of the variant, or dealer or totals do not fit.
        """
        if tuple(sorted(deck)) != variant.deck:
            raise DealError(f"not the deck of {variant.id}: {' '.join(CARD_NAMES[card] for card in deck)}")
        if not 0 <= dealer < variant.seats:
            raise DealError(f"dealer {dealer} is no seat of {variant.id}")
        if totals is None:
            totals = starting_totals(variant)
        if len(totals) != len(variant.sides):
            raise DealError(f"{len(totals)} totals for {len(variant.sides)} sides of {variant.id}")
        self.variant = variant
        self.deck = tuple(deck)
        self.dealer = dealer
        self.totals = tuple(totals)
        self._deal()
        self._begin()

    def _deal(self) -> None:
        variant, deck = self.variant, self.deck
        low = variant.tables.low_key[UNFIXED].__getitem__
        seats = takers(variant.deal_pattern, variant.seats, variant.hand_size, self.dealer)
        self.dealt: tuple[tuple[Card, ...], ...] = tuple([take(deck) for take in seats])
        self.hands: list[list[Card]] = [sorted(cards, key=low) for cards in self.dealt]
        rest = variant.seats * variant.hand_size
        self.upcard: Card = NOBODY
        if variant.upcard:
            self.upcard = deck[rest]
            rest += 1
        self.undealt: tuple[Card, ...] = deck[rest:]

    def _begin(self) -> None:
        variant = self.variant
        self.eldest: Seat = (self.dealer + 1) % variant.seats
        self.joker_is_up = self.upcard in variant.tables.jokers
        self.discards: list[tuple[Seat, tuple[Card, ...]]] = []
        self.upcard_taken = self.widow_taken = self.kitty_taken = False
        self.round = self.step = self.passes = self.turns = self.owed = self.cards_received = 0
        self.queue: list[Seat] = []
        self.turned_suit: Suit = self.upcard // 13 if self.upcard >= 0 else NOBODY
        self.named_blind: Seat = NOBODY
        self.blind_seat: Seat = NOBODY
        self.taker: Seat = NOBODY
        self.pickup_is_optional = False
        self.orderer: Seat = NOBODY
        self.maker: Seat = NOBODY
        self.contract = NO_CONTRACT
        self.bidder: Seat = NOBODY
        self.bid_strain: Strain = UNFIXED
        self.strain: Strain = UNFIXED
        self.effective: list[Suit] = variant.tables.effective[UNFIXED]
        self.lone_maker: Seat = NOBODY
        self.lone_defender: Seat = NOBODY
        self.out: tuple[Seat, ...] = ()
        self.active: tuple[Seat, ...] = ()
        self.ally: Seat = NOBODY
        self.receiver: Seat = NOBODY
        self.giver: Seat = NOBODY
        self.offered: Card = NOBODY
        self.reneges: list[tuple[Seat, Suit]] = []
        self.events: list[Event] = []
        self.trick: list[Card] = []
        self.led: Suit = 0
        self.beats: list[int] = []
        self.best = 0
        self.best_seat: Seat = NOBODY
        self.leader: Seat = NOBODY
        self.following: tuple[Seat, ...] = ()
        self.playing = self.cards_left = 0
        self.packs = variant.packs
        self.later_wins = variant.duplicates == "later"
        self.renege_is_rejected = variant.renege == "rejected"
        self.tricks_won = [0] * variant.seats
        self.result: HandResult | None = None
        self.actor: Seat = NOBODY
        self.phase_index = 0
        self.phase: Phase = variant.flow[0]
        self.phase.begin(self)
        if self.phase.may_be_forced:
            self.answer_forced()

    # -- asking and answering ------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Tell whether the hand has ended."""
        return self.result is not None

    def options(self) -> list[Action]:
        """Return every lawful action of ``actor`` in the canonical order, the default first; empty when over."""
        return self.phase.options(self) if self.result is None else []

    def question(self) -> Question:
        """Return what ``actor`` is asked, without enumerating sets of cards.

        :raises ActionRefused: if the hand is over.
        """
        options, choice = self.answers()
        return Question(self.actor, self.phase.kind, options, choice)

    def answers(self) -> tuple[tuple[Action, ...], CardChoice | None]:
        """Return ``options`` and ``choice`` of the question.

        :raises ActionRefused: if the hand is over.
        """
        if self.result is not None:
            raise ActionRefused(Reason.HAND_OVER, "the hand is over; nobody is asked")
        words, choice = self.phase.words(self), self.phase.choice(self)
        return (tuple(words) if words or choice is None else (choice.first(),)), choice

    def default(self) -> Action:
        """Return the default action (SRV-DEFAULT-1)."""
        return self.question().options[0]

    def refusal(self, act: Action) -> ActionRefused | None:
        """Return why *act* is impossible now, or ``None`` if a table would let it happen.

        A renege is not refused (unless ``renege = rejected``): it is played, remembered and penalised when
        established (REN-MODE-1). Does not check who sent the action.
        """
        if self.result is not None:
            return ActionRefused(Reason.HAND_OVER, f"{act!r}: the hand is over")
        return self.phase.refusal(self, act)

    def is_renege(self, act: Action) -> bool:
        """Tell whether *act* is a card of ``actor`` that fails to follow suit (REN-DEF-1)."""
        return (
            act.is_play
            and self.phase.kind is PhaseKind.PLAY
            and self.result is None
            and act.card in self.hands[self.actor]
            and act not in self.phase.options(self)
        )

    def apply(self, act: Action) -> None:
        """Do *act* for ``actor``, and whatever follows from it without a question.

        :raises ActionRefused: if it is impossible; nothing has changed then.
        """
        if self.result is not None:
            raise ActionRefused(Reason.HAND_OVER, f"{act!r}: the hand is over")
        self.phase.take(self, act)

    def seers(self, act: Action) -> int:
        """Return the bit set of seats that see the cards of *act*, an action of ``actor``; -1 for everybody."""
        if not act.is_hidden:
            return EVERYBODY
        seers = 1 << self.actor
        if act.kind is Kind.GIVE:
            seers |= 1 << self.receiver
        return seers

    def answer_forced(self) -> None:
        """Give the answers that everybody can see are the only ones (SRV-ASK-2)."""
        while self.result is None:
            answer = self.phase.forced(self)
            if answer is None:
                return
            self.events.append((self.actor, answer, True, EVERYBODY))
            self.phase.apply(self, answer)

    def table_talk(self, seat: Seat) -> None:
        """Stop the hand for forbidden talk by *seat*, as an established renege (REN-TALK-1)."""
        if self.result is not None:
            raise ActionRefused(Reason.HAND_OVER, "the hand is over")
        self._finish(offence_result(self, seat, HandEnd.TABLE_TALK))

    # -- for the phases ------------------------------------------------------------------------

    def next_phase(self) -> None:
        """Begin the next phase of the variant."""
        self.phase_index += 1
        self.phase = self.variant.flow[self.phase_index]
        self.phase.begin(self)

    def is_of_makers(self, seat: Seat) -> bool:
        """Tell whether *seat* is of the maker's true side, an unannounced ally included."""
        maker = self.maker
        if maker == NOBODY:
            return False
        if self.variant.fixed_sides:
            return self.variant.side_of[seat] == self.variant.side_of[maker]
        return seat in (maker, self.ally)

    def accept_upcard(self, seat: Seat, *, took_down: bool = False) -> None:
        """Fix trump by the upcard: who made it, and who is to take the card (UPA-MAKE-1, -2, UPA-PICK-1 to -3)."""
        variant = self.variant
        dealers_side = variant.order_up_makers == "dealer-side" and not took_down
        self.maker = self.dealer if dealers_side else seat
        self.orderer = seat if seat != self.dealer and not took_down else NOBODY
        self.taker = seat if took_down else self.dealer
        self.pickup_is_optional = (
            variant.pickup_is_optional and seat != self.dealer and not took_down and not self.joker_is_up
        )
        self.fix_strain(self.turned_suit)

    def fix_strain(self, strain: Strain) -> None:
        """Set what the hand is played in, and put every hand in its order (SRV-LOW-1)."""
        self.strain = strain
        tables = self.variant.tables
        self.effective = tables.effective[strain]
        low = tables.low_key[strain].__getitem__
        for cards in self.hands:
            cards.sort(key=low)

    def play_alone(self, seat: Seat) -> None:
        """Let *seat* play alone; its partners sit out (ALONE-OUT-1)."""
        if self.is_of_makers(seat):
            self.lone_maker = seat
        else:
            self.lone_defender = seat
        for partner in self.variant.partners(seat):
            self.sit_out(partner)

    def sit_out(self, seat: Seat) -> None:
        """Take *seat* out of the play of this hand."""
        self.out = (*self.out, seat)

    def _take(self, seat: Seat, cards: Iterable[Card]) -> None:
        held = self.hands[seat]
        held.extend(cards)
        held.sort(key=self.variant.tables.low_key[self.strain].__getitem__)

    def take_upcard(self, seat: Seat) -> None:
        """Add the upcard to a hand."""
        self.upcard_taken = True
        self._take(seat, (self.upcard,))

    def take_widow(self, seat: Seat) -> None:
        """Add the widow to a hand."""
        self.widow_taken = True
        self._take(seat, self.undealt[: self.variant.widow])

    def take_kitty(self, seat: Seat) -> None:
        """Add the kitty to a hand."""
        self.kitty_taken = True
        self._take(seat, self.undealt[: self.variant.kitty])

    def discard(self, seat: Seat, cards: tuple[Card, ...]) -> None:
        """Lay cards out of play."""
        for card in cards:
            self.hands[seat].remove(card)
        self.discards.append((seat, cards))

    def move_cards(self, giver: Seat, receiver: Seat, cards: tuple[Card, ...]) -> None:
        """Move cards from one hand to another."""
        for card in cards:
            self.hands[giver].remove(card)
        self._take(receiver, cards)

    def win_auction(self) -> None:
        """Make the standing bidder the declarer (BIDA-WON-1)."""
        self.maker = self.bidder
        if self.bid_strain != UNFIXED:
            self.fix_strain(self.bid_strain)
        elif self.contract.is_misere:
            self.fix_strain(NT)
        if self.contract.alone:
            self.play_alone(self.maker)

    def all_passed(self) -> None:
        """Do what the variant does when nobody makes trump."""
        match self.variant.all_pass:
            case AllPass.THROWN_IN:
                self._finish_thrown_in()
            case AllPass.NO_TRUMP:
                self.fix_strain(NT)
                self.next_phase()
            case AllPass.JOKER_HOLDER:
                self._declare_joker_holder()

    def _declare_joker_holder(self) -> None:
        """HAS-AUC-2, -3: he shows the joker and is the declarer with three; nobody is asked."""
        jokers = self.variant.tables.jokers
        holders = [seat for seat, cards in enumerate(self.hands) if any(card in jokers for card in cards)]
        if not holders:
            self._finish_thrown_in()
            return
        self.bidder = holders[0]
        three = bid(BidName.NUMBER, _JOKER_HOLDERS_BID)
        self.contract = BidRung(
            bid=three, rank=_JOKER_HOLDERS_BID, tricks=_JOKER_HOLDERS_BID, strains=self.variant.strains
        )
        self.events.append((self.bidder, action(Kind.BID, bid=three), True, EVERYBODY))
        self.win_auction()
        self.next_phase()

    def begin_play(self, leader: Seat) -> None:
        """Set up the tricks for the active seats."""
        self.playing = len(self.active)
        self.following = next_seats(self.active, self.variant.seats)
        self.cards_left = len(self.hands[leader])
        self.actor = self.leader = leader

    def note_renege(self, seat: Seat) -> bool:
        """Remember that *seat* did not follow the suit led; tell whether that ended the hand."""
        if self.variant.renege == "immediate":
            self._finish(offence_result(self, seat, HandEnd.RENEGE))
            return True
        self.reneges.append((seat, self.led))
        return False

    def is_renege_proved(self, seat: Seat, suit: Suit) -> bool:
        """End the hand if *seat* now plays the suit it failed to follow (REN-PROVE-1); tell whether it did."""
        if (seat, suit) not in self.reneges:
            return False
        self._finish(offence_result(self, seat, HandEnd.RENEGE))
        return True

    def finish_played(self) -> None:
        """Score a hand whose tricks have all been played."""
        self._finish(played_result(self))

    def finish_claimed(self) -> None:
        """End the deal by a claim: no score, the same dealer deals again (RED-4). The history says whose."""
        self._finish(self._scoreless(HandEnd.CLAIMED))

    def _finish_thrown_in(self) -> None:
        self._finish(self._scoreless(HandEnd.THROWN_IN))

    def _scoreless(self, end: HandEnd) -> HandResult:
        sides = len(self.variant.sides)
        return HandResult(
            end=end,
            points=(0,) * sides,
            tricks=tuple(self.tricks_won),
            makers=(),
            contract_made=None,
            qualified=(False,) * sides,
            instant_winner=NOBODY,
            offender=NOBODY,
        )

    def _finish(self, result: HandResult) -> None:
        self.result = result
        self.actor = NOBODY

    # -- as a value ----------------------------------------------------------------------------

    def clone(self) -> Hand:
        """Return an independent copy; search programs play on in it."""
        twin = _Twin()
        for name in _STATE:
            setattr(twin, name, getattr(self, name))
        twin.hands = [cards[:] for cards in self.hands]
        twin.discards = self.discards[:]
        twin.queue = self.queue[:]
        twin.reneges = self.reneges[:]
        twin.events = self.events[:]
        twin.trick = self.trick[:]
        twin.tricks_won = self.tricks_won[:]
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return _ALL_SLOTS(self) == _ALL_SLOTS(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Hand {self.describe()}>"

    def describe(self) -> str:
        """Return the public state in one line, for messages; it tells no hidden card."""
        trick = " ".join(CARD_NAMES[card] for card in self.trick)
        parts = [
            self.variant.id,
            f"dealer {self.dealer}",
            f"upcard {CARD_NAMES[self.upcard]}" if self.upcard >= 0 else "",
            f"strain {format_strain(self.strain)}",
            f"{self.phase.kind.name.lower().replace('_', ' ')}",
            f"seat {self.actor} to act" if self.actor >= 0 else "over",
            f"trick {trick}" if trick else "",
            f"after {len(self.events)} actions",
        ]
        return ", ".join(part for part in parts if part)


class _Twin(Hand):
    """A hand that is copied and not dealt; ``Hand.__new__`` would do, but a compiled class refuses it."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


_ALL_SLOTS: Final = attrgetter(*_STATE)


@functools.cache
def next_seats(active: tuple[Seat, ...], seats: int) -> tuple[Seat, ...]:
    """Return, by seat, the next active seat clockwise; ``NOBODY`` for seats that do not play."""
    following = [NOBODY] * seats
    for place, seat in enumerate(active):
        following[seat] = active[(place + 1) % len(active)]
    return tuple(following)


def starting_totals(variant: Variant) -> tuple[int, ...]:
    """Return the totals at the start of a game (GEN-SCORE-1)."""
    return (variant.target if variant.counts_down else 0,) * len(variant.sides)


def replay(
    variant: Variant,
    deck: Sequence[Card],
    dealer: Seat,
    actions: Iterable[Action],
    totals: Sequence[int] | None = None,
) -> Hand:
    """Return the hand after *actions* (those that were asked for; forced ones follow by themselves).

    :raises ActionRefused: if one of them is impossible.
    """
    hand = Hand(variant, deck, dealer, totals)
    for act in actions:
        hand.apply(act)
    return hand
