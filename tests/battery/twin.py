"""A slow lister of lawful actions: it tries every conceivable action against the rules' text.

It shares no rule with the engine. From a hand it takes what lies on the table (the cards held, the upcard,
the events) and which question is asked; who made trump, what is trump, what outbids what and in which order
options are listed it works out again from RULES.md, preset by preset where RULES.md does so.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator
from itertools import combinations

from referee.rules import Action, Bid, BidName, Card, Hand, Kind, PhaseKind, Seat, Strain, Variant, action, bid
from referee.rules.cards import CARD_NAMES, NT, NTL, UNFIXED

_WORDS = """
    NO_CLAIM CLAIM_REDEAL PASS TURN_DOWN ORDER_UP TAKE_UP ORDER_UP_ALONE TAKE_UP_ALONE TAKE_DOWN_ALONE NAME NAME_ALONE
    NAME_BLIND LEAVE_UPCARD TAKE_UPCARD NOT_ALONE ALONE BID CHOOSE NO_ASK ASK GIVE NO_OFFER OFFER DECLINE ACCEPT
    NO_CALL CALL_BEST NO_SWAP SWAP SWAP_KITTY LEAVE_WIDOW TAKE_WIDOW KEEP_HAND TAKE_HAND KEEP_UPCARD TAKE_AND_SHOW
    STAY DROP CALL_SUIT CALL_CARD DISCARD PLAY
"""
WORDS_IN_ORDER = {word: index for index, word in enumerate(_WORDS.split())}
"""SRV-ORDER-1: the words of every phase, in the order in which each phase lists its own."""

CARD_KINDS = frozenset(
    {Kind.DISCARD, Kind.GIVE, Kind.OFFER, Kind.ACCEPT, Kind.CALL_BEST, Kind.SWAP, Kind.SWAP_KITTY}
    | {Kind.TAKE_AND_SHOW, Kind.CALL_CARD, Kind.PLAY}
)
SET_KINDS = frozenset({Kind.DISCARD, Kind.GIVE, Kind.SWAP, Kind.SWAP_KITTY})
STRAIN_KINDS = frozenset({Kind.NAME, Kind.NAME_ALONE, Kind.NAME_BLIND, Kind.CHOOSE, Kind.CALL_SUIT})
SUIT_NAMES = "SCHD"
RANKS_UP = "23456789TJQKA"
_SET_PHASES = frozenset({PhaseKind.EXCHANGE, PhaseKind.WIDOW_DISCARD, PhaseKind.KITTY_SWAP})


# -- every conceivable action ----------------------------------------------------------------------------


@functools.cache
def _argument_free() -> tuple[Action, ...]:
    """Return every action that names no card."""
    found = [action(kind) for kind in Kind if kind not in CARD_KINDS and kind is not Kind.BID]
    found += [action(kind, strain=strain) for kind in STRAIN_KINDS for strain in range(UNFIXED)]
    found += [action(Kind.ASK, seat=seat) for seat in range(8)]
    numbers = [bid(BidName.NUMBER, number) for number in range(1, 17)]
    names = [bid(name) for name in BidName if name is not BidName.NUMBER]
    found += [action(Kind.BID, strain=strain, bid=said) for said in numbers + names for strain in range(UNFIXED + 1)]
    return tuple(found)


def conceivable(hand: Hand, rng: random.Random) -> Iterator[Action]:
    """Yield every action that somebody might try: all words, bids, cards, and sets of cards.

    Sets are tried all where some set may be open, otherwise a few; sets with cards not held are always few.
    """
    yield from _argument_free()
    cards = sorted({*hand.variant.deck, 0, 52, 54})
    for kind in CARD_KINDS:
        for card in cards:
            yield action(kind, (card,))
    held = hand.hands[hand.actor]
    are_open = hand.phase.kind in _SET_PHASES
    for kind in SET_KINDS:
        for size in (2, 3, 4):
            if are_open:
                yield from {action(kind, chosen) for chosen in combinations(held, size)}
            for _ in range(2):
                yield action(kind, tuple(rng.choices(cards, k=size)))
                yield action(kind, tuple(rng.choices(held, k=size)))


# -- the table -------------------------------------------------------------------------------------------


class Table:
    """What RULES.md speaks of, read off a hand's events."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.variant: Variant = hand.variant
        self.options = hand.variant.options
        self.preset = hand.variant.preset
        self.seats = hand.variant.seats
        self.dealer = hand.dealer
        self.eldest = (hand.dealer + 1) % self.seats
        self.seat = hand.actor
        self.held = list(hand.hands[hand.actor])
        self.has_fixed_sides = self.preset not in _INDIVIDUALS
        self.upcard_suit = self._suit_turned_up()
        self.calls: list[tuple[Seat, Action]] = [(who, act) for who, act, _, _ in hand.events]
        self.trump, self.maker = self._trump_and_maker()

    def option(self, name: str, otherwise: object = None) -> object:
        """Return an option's value, or *otherwise* where the preset does not have it."""
        return self.options.get(name, otherwise)

    def said(self, *kinds: Kind) -> list[tuple[Seat, Action]]:
        """Return the events of some kinds, in order."""
        return [(who, act) for who, act in self.calls if act.kind in kinds]

    # cards

    def is_joker(self, card: Card) -> bool:
        """Tell whether *card* is a joker or stands for one (CARD-STAND-1, ALM-DECK-1)."""
        name = CARD_NAMES[card]
        if name[0] == "X":
            return True
        if self.option("almonte_jokers") == "low-spades":
            return name in ("2S", "3S", "4S")
        # Without a printed joker in the pack there is no 2S either; Napoleon's 2S is a plain card.
        return name == "2S" and self.option("joker_card") == "two-of-spades"

    def effective_suit(self, card: Card) -> str:
        """CARD-EFF-3."""
        name = CARD_NAMES[card]
        if self.trump in SUIT_NAMES:
            if self.is_joker(card):
                return self.trump
            if self._has_bowers() and name[0] == "J" and _same_colour(name[1], self.trump):
                return self.trump
        return "joker" if self.is_joker(card) else name[1]

    def _has_bowers(self) -> bool:
        return self.preset != "napoleon"

    def low_key(self, card: Card) -> tuple[int, int, int]:
        """SRV-LOW-1."""
        name = CARD_NAMES[card]
        if self.is_joker(card):
            high = {"X1": 3, "X2": 2, "X3": 1, "2S": 3, "3S": 2, "4S": 1}[name]
            if self.preset == "british-6p-50" and self.option("two_jokers") == "identical":
                return (1, 90, high)
            return (1, 90 + high, high)
        rank, suit = RANKS_UP.index(name[0]), SUIT_NAMES.index(name[1])
        if self.trump in SUIT_NAMES and self.effective_suit(card) == self.trump:
            if self._has_bowers() and name[0] == "J":
                rank = 51 if name[1] == self.trump else 50
            return (1, rank, suit)
        if self.trump == "NTL":
            rank = -rank
        elif self.preset.startswith("almonte") and name[0] == "J":
            rank = 50
        return (0, rank, suit)

    # trump

    def _suit_turned_up(self) -> str:
        if not self.variant.upcard:
            return ""
        named = [act.strain for _, act, _, _ in self.hand.events if act.kind is Kind.NAME_BLIND]
        return SUIT_NAMES[named[0]] if named else CARD_NAMES[self.hand.upcard][-1]

    def joker_is_up(self) -> bool:
        """Tell whether the upcard is a joker."""
        return self.variant.upcard and self.is_joker(self.hand.upcard)

    def _trump_and_maker(self) -> tuple[str, Seat]:
        """Return what the hand is played in (``"-"`` while open) and who made it (-1 nobody)."""
        if self.preset in ("buck", "dirty-clubs") and self.upcard_suit == "C":
            return "C", -1
        if self.preset == "dealer-makes":
            return self._dealers_trump()
        if self._is_bid_game():
            return self._contract_trump()
        return self._auctioned_trump()

    def _dealers_trump(self) -> tuple[str, Seat]:
        if self.said(Kind.KEEP_UPCARD):
            return self.upcard_suit, self.dealer
        shown = self.said(Kind.TAKE_AND_SHOW)
        return (CARD_NAMES[shown[0][1].card][1] if shown else "-"), self.dealer

    def _auctioned_trump(self) -> tuple[str, Seat]:
        for who, act in self.calls:
            match act.kind:
                case Kind.NAME | Kind.NAME_ALONE:
                    return SUIT_NAMES[act.strain], who
                case Kind.NAME_BLIND if not self.preset.startswith("almonte"):
                    return SUIT_NAMES[act.strain], self.dealer
                case Kind.TAKE_DOWN_ALONE:
                    return self.upcard_suit, who
                case Kind.ORDER_UP | Kind.ORDER_UP_ALONE | Kind.TAKE_UP | Kind.TAKE_UP_ALONE:
                    dealers = self.option("order_up_makers") == "dealer-side"
                    return self.upcard_suit, self.dealer if dealers else who
        is_passed_out = len(self.said(Kind.PASS, Kind.TURN_DOWN)) == self.seats * int(
            str(self.option("auction_rounds", 2))
        )
        return ("NT" if self.preset == "buck" and is_passed_out else "-"), -1

    def _is_bid_game(self) -> bool:
        return PhaseKind.BID_AUCTION in [phase.kind for phase in self.variant.phases]

    def bids(self) -> list[tuple[Seat, Action]]:
        """Return the bids made so far; the last one stands."""
        return self.said(Kind.BID)

    def _contract_trump(self) -> tuple[str, Seat]:
        if self.hand.phase.kind in (PhaseKind.BID_AUCTION, PhaseKind.HAND_SWAP, PhaseKind.FORCED_CLUBS):
            return "-", -1
        bids = self.bids()
        if not bids:
            return "NT", -1  # only the Dirty Clubs games go on when everybody has passed
        declarer, last = bids[-1]
        if self.preset == "napoleon":
            if last.bid is not None and last.bid.name is BidName.MISERE:
                return "NT", declarer
            plays = self.said(Kind.PLAY)
            return (CARD_NAMES[plays[0][1].card][1] if plays else "-"), declarer
        chosen = self.said(Kind.CHOOSE)
        if chosen:
            return _strain_name(chosen[0][1].strain), declarer
        return (_strain_name(last.strain) if last.strain != UNFIXED else "-"), declarer

    # sides

    def partners(self, seat: Seat) -> list[Seat]:
        """Return the partners of *seat*, clockwise from it; none in games of individuals."""
        if not self.has_fixed_sides:
            return []
        around = [(seat + step) % self.seats for step in range(1, self.seats)]
        return [other for other in around if other % 2 == seat % 2]

    @functools.cached_property
    def trick(self) -> list[tuple[Seat, Card]]:
        """The cards of the trick that is being played."""
        plays = self.said(Kind.PLAY)
        playing = self.seats - len(self._out())
        return [(who, act.card) for who, act in plays[len(plays) - len(plays) % playing :]]

    def _out(self) -> set[Seat]:
        out = {who for who, _ in self.said(Kind.DROP)}
        alone = self.said(Kind.ALONE, Kind.ORDER_UP_ALONE, Kind.TAKE_UP_ALONE, Kind.TAKE_DOWN_ALONE, Kind.NAME_ALONE)
        loners = [who for who, _ in alone]
        bids = self.bids()
        if bids and self.maker >= 0 and _is_alone_bid(self.preset, bids[-1][1].bid):
            loners.append(self.maker)
        for loner in loners:
            out.update(self.partners(loner))
        return out


_INDIVIDUALS = frozenset(
    {"cutthroat-3p", "call-ace-4p", "call-ace-5p", "call-ace-6p", "auction-5p", "auction-6p", "auction-7p"}
    | {"hoosier-3p", "cutthroat-bid-3p", "pepper-3p", "buck", "dirty-clubs", "dirty-clubs-3p", "napoleon"}
)
"""Presets without fixed sides (RULES.md part 4, "sides")."""


def _same_colour(suit: str, other: str) -> bool:
    return (suit in "SC") == (other in "SC")


def _strain_name(strain: Strain) -> str:
    return SUIT_NAMES[strain] if strain < NT else ("NT", "NTL")[strain - NT]


def _is_alone_bid(preset: str, said: Bid | None) -> bool:
    assert said is not None
    if preset.startswith("auction"):
        return said.number in (8, 15)
    return said.name in (
        BidName.ALONE,
        BidName.ALONE1,
        BidName.ALONE2,
        BidName.MOON,
        BidName.SEVEN_ALONE,
        BidName.EIGHT_ALONE,
    )


# -- the rules -------------------------------------------------------------------------------------------


def is_lawful(table: Table, act: Action) -> bool:
    """Tell whether *act* is among the lawful answers to the question that is asked."""
    return _PHASES[table.hand.phase.kind](table, act)


def is_renege(table: Table, act: Action) -> bool:
    """REN-DEF-1: a card that is held, of another effective suit than the one led, which is held too."""
    trick = table.trick
    if act.kind is not Kind.PLAY or not trick or act.card not in table.held:
        return False
    led = table.effective_suit(trick[0][1])
    return table.effective_suit(act.card) != led and led in map(table.effective_suit, table.held)


def _redeal_claim(table: Table, act: Action) -> bool:
    if act.kind is Kind.NO_CLAIM:
        return True
    names = [CARD_NAMES[card] for card in table.held]
    if act.kind is not Kind.CLAIM_REDEAL or any(table.is_joker(card) for card in table.held):
        return False
    is_farmers = all(name[0] in "23456789T" for name in names)
    has_nothing = not any(name[0] in "AKQJ" or name[1] == table.upcard_suit for name in names)
    return (table.option("redeal_farmers_hand") == "on" and is_farmers) or (
        table.option("redeal_no_ace_no_face_no_trump") == "on" and has_nothing
    )


def _blind_naming(table: Table, act: Action) -> bool:
    return act.kind is Kind.NAME_BLIND and act.strain < NT


def _upcard_auction(table: Table, act: Action) -> bool:
    turned_down = len(table.said(Kind.PASS, Kind.TURN_DOWN)) >= table.seats
    if turned_down:
        return _round_two(table, act)
    return _dealers_round_one(table, act) if table.seat == table.dealer else _others_round_one(table, act)


def _round_two(table: Table, act: Action) -> bool:
    if act.kind is Kind.PASS:
        return not (table.seat == table.dealer and table.option("stick_dealer") == "on")
    if act.kind is Kind.NAME_ALONE and not _alone_with_call(table):
        return False
    if act.kind not in (Kind.NAME, Kind.NAME_ALONE) or act.strain >= NT:
        return False
    return SUIT_NAMES[act.strain] != table.upcard_suit


def _alone_with_call(table: Table) -> bool:
    return table.option("alone_timing") == "with-call" and table.option("alone_makers") != "none"


def _others_round_one(table: Table, act: Action) -> bool:
    if act.kind is Kind.PASS:
        return True
    is_partner = table.dealer in table.partners(table.seat)
    rule = table.option("dealer_partner_order", "normal") if is_partner else "normal"
    if rule == "takes-it-down":
        return act.kind is Kind.TAKE_DOWN_ALONE
    if rule == "alone-only":
        return act.kind is Kind.ORDER_UP_ALONE
    if act.kind is Kind.ORDER_UP:
        return True
    if act.kind is not Kind.ORDER_UP_ALONE or not _alone_with_call(table):
        return False
    if table.option("order_up_makers") != "dealer-side":
        return True
    return is_partner and table.option("alone_makers") == "any"  # the dealer is the maker, his partner no caller


def _dealers_round_one(table: Table, act: Action) -> bool:
    if table.joker_is_up():
        return act.kind is Kind.TAKE_UP  # ALM-TRUMP-3
    if act.kind is Kind.TURN_DOWN:
        return True
    has_natural = any(CARD_NAMES[card][1] == table.upcard_suit and not table.is_joker(card) for card in table.held)
    if table.option("dealer_needs_natural") == "on" and not has_natural:
        return False
    return act.kind is Kind.TAKE_UP or (act.kind is Kind.TAKE_UP_ALONE and _alone_with_call(table))


def _pick_up(table: Table, act: Action) -> bool:
    if len(table.held) > table.variant.hand_size:
        return act.kind is Kind.DISCARD and len(act.cards) == 1 and act.card in table.held
    return act.kind in (Kind.LEAVE_UPCARD, Kind.TAKE_UPCARD)


def _going_alone(table: Table, act: Action) -> bool:
    return act.kind in (Kind.NOT_ALONE, Kind.ALONE)


# bids: (what, tricks or nothing) from low to high, by preset


def _ladder(table: Table) -> list[list[Bid]]:
    """Return the bids from low to high; bids in one inner list rank the same. Minimums are not applied."""
    numbers = [[bid(BidName.NUMBER, number)] for number in range(1, table.variant.hand_size + 1)]
    match table.preset:
        case "bid-canadian-32":
            return numbers + [[bid(name)] for name in (BidName.ALONE2, BidName.ALONE1, BidName.MOON)]
        case "bid-us-32":
            return [*numbers[:7], [bid(BidName.SEVEN_ALONE)], numbers[7], [bid(BidName.EIGHT_ALONE)]]
        case "bid-us-48" | "bid-us-48-widow" | "bid-us-40" | "hoosier" | "hoosier-3p" | "cutthroat-bid-3p":
            return [*numbers, [bid(BidName.ALONE)]]
        case "pepper" | "pepper-2p" | "pepper-3p":
            return [*numbers[:-1], [bid(BidName.LITTLE_PEPPER)], [bid(BidName.BIG_PEPPER)]]
        case "napoleon":
            named = [[bid(name)] for name in (BidName.NAP, BidName.WELLINGTON, BidName.BLUCHER)]
            misere = [[bid(BidName.MISERE)]] if table.option("nap_misere") == "on" else []
            return [*numbers[1:3], *misere, numbers[3], *named]
        case "auction-5p" | "auction-6p" | "auction-7p":
            return [[bid(BidName.NUMBER, number)] for number in (3, 4, 5, 8, 15)]
        case _:
            return numbers


def _strains_of_bid(table: Table, said: Bid) -> list[Strain]:
    """Return the strains a bid may be made in; ``UNFIXED`` alone where it has none."""
    if table.preset.startswith(("bid-later", "pepper", "dirty", "hasen", "napo")):
        return [UNFIXED] if said.name is not BidName.NUMBER or said.number >= _minimum(table) else []
    strains = [0, 1, 2, 3]
    if not table.preset.startswith("auction"):
        strains += [NT] if table.option("no_trump_kinds") == "high" else [NT, NTL]
    if said.name is not BidName.NUMBER:
        return strains
    least_nt = int(str(table.option("min_bid_nt", _minimum(table))))
    return [strain for strain in strains if said.number >= (_minimum(table) if strain < NT else least_nt)]


def _minimum(table: Table) -> int:
    return int(str(table.option("min_bid")))


def _outbids(table: Table, said: Bid, seat: Seat) -> bool:
    order = [rung for rungs in _ladder(table) for rung in rungs]
    if said not in order:
        return False
    bids = table.bids()
    standing = bids[-1][1].bid if bids else None
    over = {BidName.WELLINGTON: BidName.NAP, BidName.BLUCHER: BidName.WELLINGTON}.get(said.name)
    if over is not None:
        return standing is not None and standing.name is over  # NAP-AUC-2
    if standing is None:
        return True
    if said is standing:
        if table.preset.startswith("bid-later"):
            return True  # LATER-AUC-2
        is_dealers = table.preset == "bid-us-40" and seat == table.dealer != bids[-1][0]
        return is_dealers and said.name is BidName.ALONE  # BU40-AUC-2
    return order.index(said) > order.index(standing)


def _bid_auction(table: Table, act: Action) -> bool:
    if act.kind is Kind.PASS:
        turns = len(table.said(Kind.PASS, Kind.BID))
        is_dealers_first = table.seat == table.dealer and turns == table.seats - 1
        must = table.option("dealer_must_bid") == "on" and is_dealers_first and not table.bids()
        return not must
    if act.kind is not Kind.BID or act.bid is None:
        return False
    return act.strain in _strains_of_bid(table, act.bid) and _outbids(table, act.bid, table.seat)


def _strain_choice(table: Table, act: Action) -> bool:
    if act.kind is not Kind.CHOOSE:
        return False
    if act.strain < NT:
        return True
    if table.preset == "hasenpfeffer":
        return False
    return act.strain == NT or (act.strain == NTL and table.option("no_trump_kinds") == "high-low")


def _widow(table: Table, act: Action) -> bool:
    return act.kind in (Kind.LEAVE_WIDOW, Kind.TAKE_WIDOW)


def _widow_discard(table: Table, act: Action) -> bool:
    surplus = len(table.held) - table.variant.hand_size
    return act.kind is Kind.DISCARD and len(act.cards) == surplus and _holds(table, act.cards)


def _holds(table: Table, cards: Iterable[Card]) -> bool:
    left = list(table.held)
    for card in cards:
        if card not in left:
            return False
        left.remove(card)
    return True


def _hand_swap(table: Table, act: Action) -> bool:
    return act.kind in (Kind.KEEP_HAND, Kind.TAKE_HAND)


def _dealer_makes(table: Table, act: Action) -> bool:
    if act.kind is Kind.KEEP_UPCARD:
        return True
    if act.kind is not Kind.TAKE_AND_SHOW or len(act.cards) != 1 or not _holds(table, act.cards):
        return False
    return CARD_NAMES[act.card][1] != table.upcard_suit


def _kitty_swap(table: Table, act: Action) -> bool:
    return act.kind is Kind.NO_SWAP or (
        act.kind is Kind.SWAP_KITTY and len(act.cards) == 3 and _holds(table, act.cards)
    )


def _exchange(table: Table, act: Action) -> bool:
    is_mine = _holds(table, act.cards)
    one = len(act.cards) == 1 and is_mine
    last = table.calls[-1][1]
    match str(table.option("loner_exchange")):
        case "ask-one":
            if last.kind is Kind.ASK:
                return act.kind is Kind.GIVE and one
            if last.kind is Kind.GIVE:
                return act.kind is Kind.DISCARD and one
            return act.kind is Kind.NO_ASK or (act.kind is Kind.ASK and act.seat in table.partners(table.seat))
        case "partner-offers-one":
            if last.kind is Kind.OFFER:
                return act.kind is Kind.DECLINE or (act.kind is Kind.ACCEPT and one)
            return act.kind is Kind.NO_OFFER or (act.kind is Kind.OFFER and one)
        case "call-best":
            if last.kind is Kind.CALL_BEST:
                return act.kind is Kind.GIVE and one
            return act.kind is Kind.NO_CALL or (act.kind is Kind.CALL_BEST and one)
        case "fixed-by-bid":
            said = table.bids()[-1][1].bid
            count = 2 if said is not None and said.name is BidName.ALONE2 else 1
            kind = Kind.GIVE if last.kind is Kind.DISCARD else Kind.DISCARD
            return act.kind is kind and len(act.cards) == count and is_mine
        case "up-to-2" | "up-to-3" as rule:
            if last.kind is Kind.SWAP:
                return act.kind is Kind.GIVE and len(act.cards) == len(last.cards) and is_mine
            return act.kind is Kind.NO_SWAP or (
                act.kind is Kind.SWAP and 1 <= len(act.cards) <= int(rule[-1]) and is_mine
            )
    return False


def _drop_out(table: Table, act: Action) -> bool:
    total = table.hand.totals[table.seat]
    may_drop = not (table.preset == "dirty-clubs-3p" and total <= 5)
    return act.kind is Kind.STAY or (act.kind is Kind.DROP and may_drop)


def _ally_call(table: Table, act: Action) -> bool:
    if table.preset.startswith("call-ace"):
        return act.kind is Kind.CALL_SUIT and act.strain < NT and SUIT_NAMES[act.strain] != table.trump
    return act.kind is Kind.CALL_CARD and act.card in table.variant.deck and act.card not in table.held


def _play(table: Table, act: Action) -> bool:
    return act.kind is Kind.PLAY and act.card in table.held and not is_renege(table, act)


_PHASES = {
    PhaseKind.REDEAL_CLAIM: _redeal_claim,
    PhaseKind.BLIND_NAMING: _blind_naming,
    PhaseKind.UPCARD_AUCTION: _upcard_auction,
    PhaseKind.PICK_UP: _pick_up,
    PhaseKind.GOING_ALONE: _going_alone,
    PhaseKind.EXCHANGE: _exchange,
    PhaseKind.BID_AUCTION: _bid_auction,
    PhaseKind.STRAIN_CHOICE: _strain_choice,
    PhaseKind.WIDOW: _widow,
    PhaseKind.WIDOW_DISCARD: _widow_discard,
    PhaseKind.HAND_SWAP: _hand_swap,
    PhaseKind.DEALER_MAKES: _dealer_makes,
    PhaseKind.KITTY_SWAP: _kitty_swap,
    PhaseKind.DROP_OUT: _drop_out,
    PhaseKind.ALLY_CALL: _ally_call,
    PhaseKind.PLAY: _play,
}


# -- the order -------------------------------------------------------------------------------------------


def order_key(table: Table, act: Action) -> tuple[object, ...]:
    """Return what SRV-ORDER-1 and -2 sort by."""
    ladder = [rung for rungs in _ladder(table) for rung in rungs] if act.bid is not None else []
    height = ladder.index(act.bid) if act.bid is not None else 0
    strain = act.strain if act.strain != UNFIXED else -1
    seat = (act.seat - table.seat) % table.seats if act.kind is Kind.ASK else 0
    cards = sorted(table.low_key(card) for card in act.cards)
    if act.kind is Kind.CALL_CARD:
        cards = [(-a, -b, -c) for a, b, c in cards]
    return (WORDS_IN_ORDER[act.kind.name], height, strain, seat, len(cards), cards)


def listed(hand: Hand, rng: random.Random) -> tuple[list[Action], dict[Action, bool]]:
    """Return the lawful actions in canonical order, and of every conceivable action whether it is a renege.

    Actions that are lawful are not in the second part.
    """
    table = Table(hand)
    lawful, others = set(), {}
    for act in conceivable(hand, rng):
        if is_lawful(table, act):
            lawful.add(act)
        else:
            others[act] = is_renege(table, act)
    return sorted(lawful, key=functools.partial(order_key, table)), others
