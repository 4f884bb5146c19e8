"""What a variant is: one frozen value in which every dimension of RULES.md part 2 is a field."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.rules.actions import Action, Bid
from referee.rules.cards import Card, Seat, Strain
from referee.rules.orders import CardTables, Jokers

if TYPE_CHECKING:
    from referee.rules.phases.base import Phase

Side: TypeAlias = int
"""An index into ``Variant.sides``; totals, points and winners are in this order."""


class Alliance(enum.Enum):
    """Who plays with whom."""

    FIXED = "fixed"
    """Sides for the whole game."""
    NONE = "none"
    """Everybody for himself."""
    MAKER_AGAINST_ALL = "maker-against-all"
    """For one hand the maker against all others; totals are individual."""
    SILENT_ALLY = "silent-ally"
    """For one hand the maker and an unannounced ally against the rest; totals are individual."""


class AllPass(enum.Enum):
    """What happens when nobody makes trump."""

    THROWN_IN = "thrown in"
    """No score, next dealer (GEN-DEALER-3)."""
    NO_TRUMP = "no trump"
    """The hand is played in NT without a maker (BUCK-TRUMP-3, DC-AUC-2)."""
    JOKER_HOLDER = "joker holder"
    """The joker's holder is the declarer with a bid of three (HAS-AUC-2, -3)."""


class JokerUpcard(enum.Enum):
    """What happens when a joker is turned up."""

    DEALER_MAKES = "dealer makes"
    """The dealer names blind and is the maker (UPA-BEN-1)."""
    DEALER_NAMES = "dealer names"
    """The dealer names blind, then round 1 runs (ALM-TRUMP-2, -3)."""


class WidowRule(enum.Enum):
    """What the declarer does with the widow."""

    NONE = "none"
    MAY = "may"
    """He may take all of it (BU48W-WID-1, HOO3-WID-1)."""
    MUST = "must"
    """He must take it (AUC-WID-1, HAS-WID-1)."""


class AllyRule(enum.Enum):
    """How the maker gets an ally."""

    NONE = "none"
    SUIT = "suit"
    """He calls a suit (CALL-ALLY-1)."""
    CARD = "card"
    """He calls a card (AUC-ALLY-1)."""


class ReachRule(enum.Enum):
    """Who wins when several are at the goal."""

    CANNOT_HAPPEN = "cannot-happen"
    BY_WIN_CONDITION = "by-win-condition"
    """CON-WIN-1 to -3."""
    HIGHEST = "highest"
    """The highest total; equal: play on (END-IND-1, -2, PEP-END-1)."""
    LOWEST = "lowest"
    """The lowest total; equal: play on (BUCK-END-1, -2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidRung:
    """One bid of the ladder."""

    bid: Bid
    rank: int
    """A bid outbids every bid of lower rank."""
    tricks: int
    """Tricks undertaken; zero with MISERE."""
    strains: tuple[Strain, ...]
    """What it can be bid (or, without ``strain_in_bid``, played) in."""
    value: int = 0
    """Points made or lost where the bid has a value of its own; zero where tricks are counted."""
    alone: bool = False
    takes_widow: bool = True
    """The declarer has the use of the widow."""
    receives: int = 0
    """Cards the loner discards and receives under ``fixed-by-bid`` (XCH-BID-1)."""
    only_over: Bid | None = None
    """The only bid it may follow (NAP-AUC-2)."""
    is_misere: bool = False
    """No trick at all, in NT (NAP-TRUMP-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveTrickScore:
    """A row of the table in RULES.md 3.9; a column that does not exist is ``None``."""

    paid_to: str
    """``side`` or ``each-seat``; the points are the same, this is for people."""
    three_or_four: int
    march: int
    lone_march: int | None
    euchre: int
    makers_none: int
    lone_euchre: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusScore:
    """Points of dealer-makes (DM-SCORE-1)."""

    three_or_more: int
    defenders: int
    alone: int
    all_five: int
    makers_none_and_alone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractScore:
    """Points of the bid games (RULES.md 3.11)."""

    set_cost: int = 0
    """What a set contract costs whatever was bid (PEP-SCORE-1); zero: the number bid."""
    made_top_bid: int = 0
    """A made bid of this many tricks ..."""
    made_top_value: int = 0
    """... scores this instead (HOO-SCORE-1)."""
    value_by_cards_received: tuple[int, ...] = ()
    """For a lone bid, its value by cards received: 0, 1, 2 (BU40-SCORE-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidValueScore:
    """Points by the value of the bid (AUC-SCORE-1, -2, NAP-SCORE-1)."""

    made_to_each_of_side: bool
    set_to_each_opponent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CountdownScore:
    """Points of the countdown games (BUCK-SCORE-1 to -3, DC-SCORE-1, DC3-SCORE-1)."""

    maker_needs: int
    """Tricks the maker needs; zero: his bid."""
    others_need: int
    penalty: int
    instant_win_tricks: int
    """Taking so many wins at once (BUCK-END-3); zero: it does not."""


Scoring: TypeAlias = FiveTrickScore | BonusScore | ContractScore | BidValueScore | CountdownScore

OptionValue: TypeAlias = str | int

_HIGHEST: Final = 999_999_999
"""Of a number without a bound of its own: what every implementation can add up."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a preset (RULES.md part 5): its default and what it may be."""

    default: OptionValue
    allowed: tuple[OptionValue, ...] = ()
    """The values; empty for a number between the bounds."""
    minimum: int = 0
    maximum: int | None = None
    """``None``: the rules give no bound; see :attr:`highest`."""

    @property
    def is_number(self) -> bool:
        """Tell whether any number between the bounds will do."""
        return not self.allowed

    @property
    def highest(self) -> int:
        """The highest number it may be: the bound of the rules, or what every implementation can add up."""
        return _HIGHEST if self.maximum is None else self.maximum


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One game, ready to be dealt. Made by ``catalogue.build``; equal ids are equal games."""

    id: str
    """Canonical text: the preset and, in brackets, the options that differ from its defaults."""
    preset: str
    name: str
    section: str
    seats: int
    sides: tuple[tuple[Seat, ...], ...]
    side_of: tuple[Side, ...]
    """By seat."""
    alliance: Alliance
    deck: tuple[Card, ...]
    """All cards, sorted by number, the copies of a double pack side by side."""
    packs: int
    card_order: str
    jokers: Jokers
    duplicates: str
    """``none``, ``first`` or ``later`` (CARD-DUP-1, -2)."""
    hand_size: int
    upcard: bool
    kitty: int
    widow: int
    idle: int
    trump_making: str
    strains: tuple[Strain, ...]
    phases: tuple[Phase, ...]
    ladder: tuple[BidRung, ...]
    strain_in_bid: bool
    strain_by_lead: bool
    """The suit of the declarer's first lead is trump (NAP-TRUMP-1)."""
    equal_bid_outbids: bool
    dealer_outbids_alone: bool
    """The dealer may bid ALONE over another's ALONE (BU40-AUC-2)."""
    all_pass: AllPass
    joker_upcard: JokerUpcard
    forced_clubs: bool
    """A club turned up is trump without an auction (BUCK-TRUMP-1)."""
    widow_rule: WidowRule
    ally_rule: AllyRule
    drop_floor: int
    """A seat with this many points or fewer may not drop (DC3-DROP-1); negative: no such rule."""
    scoring: Scoring
    counts_down: bool
    several_at_goal: ReachRule
    declarer_leads: bool
    """LEAD-4."""
    makers_are_loners: bool
    """Every maker counts as playing alone for the opening lead (CUT-LEAD-1)."""
    other_of_two_leads: bool
    """LEAD-3."""
    relabelings: tuple[str, ...]
    questions: tuple[int, int]
    """Fewest and most questions in one hand with default options (RULES.md 4.27)."""
    options: dict[str, OptionValue]
    specs: dict[str, OptionSpec]
    deal_pattern: str
    order_up_makers: str
    dealer_partner_order: str
    auction_rounds: int
    stick_dealer: bool
    dealer_needs_natural: bool
    pickup_is_optional: bool
    alone_with_call: bool
    alone_makers: str
    alone_defenders: str
    loner_exchange: str
    loner_lead: str
    target: int
    until_passed: bool
    dealer_must_bid: bool
    win_is_qualified: bool
    redeal_farmers_hand: bool
    redeal_no_ace_no_face_no_trump: bool
    renege: str
    renege_award: int
    renege_settles: bool
    laps: bool
    slams: bool
    tables: CardTables = field(repr=False)
    everybody: tuple[Seat, ...] = field(init=False, repr=False)
    """All seats."""
    flow: tuple[Phase, ...] = field(init=False, repr=False)
    """The phases that are not idle under these options."""
    fixed_sides: bool = field(init=False, repr=False)
    """The alliance is ``Alliance.FIXED``."""
    calls: dict[tuple[Bid, bool], tuple[Action, ...]] = field(init=False, repr=False)
    """What a bid auction has worked out so far: see ``phases.bidding``."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "everybody", tuple(range(self.seats)))
        object.__setattr__(self, "flow", tuple(phase for phase in self.phases if not phase.is_idle(self)))
        object.__setattr__(self, "fixed_sides", self.alliance is Alliance.FIXED)
        object.__setattr__(self, "calls", {})

    def __hash__(self) -> int:
        return hash(self.id)

    def __eq__(self, other: object) -> bool:
        return self.id == other.id if isinstance(other, Variant) else NotImplemented

    def __reduce__(self) -> tuple[object, tuple[str]]:
        from referee.rules.catalogue import parse_variant

        return (parse_variant, (self.id,))

    def left(self, seat: Seat) -> Seat:
        """Return the next seat clockwise."""
        return (seat + 1) % self.seats

    def partners(self, seat: Seat) -> list[Seat]:
        """Return the seats of the same fixed side, clockwise from *seat*, without it."""
        if not self.fixed_sides:
            return []
        side = self.side_of[seat]
        around = ((seat + step) % self.seats for step in range(1, self.seats))
        return [other for other in around if self.side_of[other] == side]

    def has_redeals(self) -> bool:
        """Tell whether any redeal option is on."""
        return self.redeal_farmers_hand or self.redeal_no_ace_no_face_no_trump
