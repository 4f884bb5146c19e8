"""The forty presets (RULES.md part 4) as data. One preset reads like its section of the rulebook.

A preset that descends from another is written as the other with its differences, as RULES.md does.
Options are in ``PRESETS[...].options``: the default and what is allowed there (RULES.md part 5).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.rules.actions import BidName, bid
from referee.rules.cards import NT, RANKS, X1, X2, X3, Card, Strain, parse_card
from referee.rules.phases.alone import GoingAlone
from referee.rules.phases.base import Phase
from referee.rules.phases.bidding import BidAuction, StrainChoice
from referee.rules.phases.exchange import Exchange
from referee.rules.phases.opening import BlindNaming, ForcedClubs, RedealClaim
from referee.rules.phases.play import Play
from referee.rules.phases.table import AllyCall, DropOut
from referee.rules.phases.upcard import PickUp, UpcardAuction
from referee.rules.phases.widow import DealerMakes, HandSwap, KittySwap, Widow, WidowDiscard
from referee.rules.variant import (
    Alliance,
    AllPass,
    AllyRule,
    BidRung,
    BidValueScore,
    BonusScore,
    ContractScore,
    CountdownScore,
    FiveTrickScore,
    JokerUpcard,
    OptionSpec,
    OptionValue,
    ReachRule,
    Scoring,
    WidowRule,
)

# -- packs -------------------------------------------------------------------------------------------


def _pack(lowest: str, *, copies: int = 1, jokers: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """Return every card from the ace down to rank *lowest*, *copies* times, then the jokers."""
    from_rank = RANKS.index(lowest)
    suited = [13 * suit + rank for suit in range(4) for rank in range(from_rank, 13)]
    return tuple(sorted(suited * copies + list(jokers)))


PACKS: dict[str, tuple[Card, ...]] = {
    "24": _pack("9"),
    "25": _pack("9", jokers=(X1,)),
    "28": _pack("8"),
    "32": _pack("7"),
    "33": _pack("7", jokers=(X1,)),
    "36": _pack("6"),
    "40": _pack("5"),
    "52": _pack("2"),
    "2x16": _pack("J", copies=2),
    "2x20": _pack("T", copies=2),
    "2x24": _pack("9", copies=2),
    "2x25": _pack("9", copies=2, jokers=(X1, X2)),
    "almonte-6p": _pack("8", jokers=(X1, X2, X3)),
    "almonte-4p": tuple(sorted((*_pack("J", jokers=(X1, X2, X3)), parse_card("TS"), parse_card("TH")))),
}
"""RULES.md part 4, "Packs"."""

# -- options -----------------------------------------------------------------------------------------

ON_OFF = ("off", "on")
FIVE_CARD_PATTERNS = ("packets-3-2", "packets-2-3", "alternating", "singles")


def _choice(default: OptionValue, *allowed: OptionValue) -> OptionSpec:
    return OptionSpec(default, allowed)


def _switch(default: str = "off") -> OptionSpec:
    return OptionSpec(default, ON_OFF)


def _number(default: int, minimum: int, maximum: int | None = None) -> OptionSpec:
    return OptionSpec(default, (), minimum, maximum)


OPTION_RULES: dict[str, str] = {
    "joker_card": "CARD-STAND-1",
    "two_jokers": "B6-ORD-1",
    "almonte_jokers": "ALM-DECK-1",
    "deck": "TWO-DECK-1, STD-DECK-1, CLA-DECK-1, NAP-DECK-1",
    "deal_pattern": "DEAL-PAT-1, DEAL-PAT-2, DEAL-PAT-3, DEAL-PAT-4, DEAL-PAT-6",
    "order_up_makers": "UPA-MAKE-1, UPA-MAKE-2",
    "dealer_partner_order": "UPA-R1-2",
    "auction_rounds": "CLA-TRUMP-1",
    "stick_dealer": "UPA-R2-2",
    "dealer_needs_natural": "UPA-NAT-1",
    "dealer_pickup": "UPA-PICK-1, UPA-PICK-2",
    "alone_timing": "ALONE-TIME-1, ALONE-TIME-2",
    "alone_makers": "ALONE-WHO-1",
    "alone_defenders": "ALONE-WHO-1",
    "loner_exchange": "XCH-ASK-1, XCH-OFFER-1, XCH-BEST-1, XCH-BID-1, XCH-UPTO-1",
    "loner_lead": "LEAD-1, LEAD-2, STD-LEAD-2",
    "cutthroat_march": "CUT-SCORE-1",
    "target": "BR-END-1, BID-END-1, BUCK-SCORE-1",
    "bid_rounds": "BIDA-END-1, BIDA-END-2",
    "dealer_must_bid": "BIDA-FORCE-1",
    "no_trump_kinds": "BIDA-NT-1",
    "min_bid": "BIDA-BID-2",
    "min_bid_nt": "BU32-AUC-1",
    "win_condition": "CON-WIN-1, CON-WIN-2, CON-WIN-3",
    "widow_when_alone": "BU48W-WID-2",
    "nap_misere": "NAP-AUC-2",
    "redeal_farmers_hand": "RED-1, RED-4",
    "redeal_no_ace_no_face_no_trump": "RED-2, RED-4",
    "renege": "REN-MODE-1",
    "renege_award": "REN-PEN-1",
    "renege_contract": "REN-PEN-6",
    "laps": "RR-MATCH-1",
    "slams": "RR-MATCH-2",
}
"""Every option of RULES.md part 5 and the rules it speaks of."""

REFUSED_TOGETHER: tuple[tuple[tuple[str, OptionValue], tuple[str, OptionValue]], ...] = (
    (("dealer_partner_order", "alone-only"), ("alone_timing", "after-trump")),
    (("two_jokers", "coloured-high"), ("joker_card", "two-of-spades")),
)
"""Pairs of values that contradict each other (RULES.md 5.1)."""


def _renege(award: int, *, contract: bool = False) -> dict[str, OptionSpec]:
    options = {
        "renege": _choice("established", "established", "immediate", "rejected"),
        "renege_award": _number(award, 0),
    }
    if contract:
        options["renege_contract"] = _choice("void", "void", "settle")
    return options


def _upcard_options(**defaults: OptionValue) -> dict[str, OptionSpec]:
    """Return the options of group UP of RULES.md 5.1."""
    options = {
        "deal_pattern": _choice("packets-3-2", *FIVE_CARD_PATTERNS),
        "auction_rounds": _choice(2, 2, 1),
        "stick_dealer": _switch(),
        "dealer_needs_natural": _switch(),
        "dealer_pickup": _choice("mandatory", "mandatory", "optional"),
        "redeal_farmers_hand": _switch(),
        "redeal_no_ace_no_face_no_trump": _switch(),
        **_renege(4),
    }
    return _with_defaults(options, defaults)


def _two_side_options(**defaults: OptionValue) -> dict[str, OptionSpec]:
    """Return the options of group UP2 of RULES.md 5.1, with the values of ``british``."""
    options = {
        **_upcard_options(),
        "order_up_makers": _choice("orderer-side", "orderer-side", "dealer-side"),
        "dealer_partner_order": _choice("takes-it-down", "normal", "takes-it-down", "alone-only"),
        "alone_timing": _choice("after-trump", "after-trump", "with-call"),
        "alone_makers": _choice("any", "any", "caller", "none"),
        "alone_defenders": _choice("any", "any", "against-loner", "none"),
        "loner_exchange": _choice("none", "none", "ask-one", "partner-offers-one", "call-best"),
        "loner_lead": _choice("left-of-loner", "left-of-loner", "eldest", "left-of-loner-if-ordered"),
        "laps": _switch(),
        "slams": _switch(),
    }
    return _with_defaults(options, defaults)


def _bid_options(
    *, award: int = 6, must: bool = True, strains: bool = True, least: tuple[int, int, int] = (1, 1, 6)
) -> dict[str, OptionSpec]:
    """Return the options of a bid auction; *least* is ``min_bid``: default, minimum, maximum."""
    options = {"bid_rounds": _choice("single", "single", "until-passed"), "min_bid": _number(*least)}
    if must:
        options["dealer_must_bid"] = _switch()
    if strains:
        options["no_trump_kinds"] = _choice("high", "high", "high-low")
    return {**options, **_renege(award, contract=True)}


def _with_defaults(options: dict[str, OptionSpec], defaults: dict[str, OptionValue]) -> dict[str, OptionSpec]:
    return {name: replace(spec, default=defaults.get(name, spec.default)) for name, spec in options.items()}


_WIN_CONDITION = _choice("qualified", "qualified", "any-points")
_JOKER_CARD = _choice("joker", "joker", "two-of-spades")

# -- bids --------------------------------------------------------------------------------------------

SUIT_STRAINS: tuple[Strain, ...] = (0, 1, 2, 3)
WITH_NT: tuple[Strain, ...] = (0, 1, 2, 3, NT)


def _numbers(hand_size: int, least: int = 1) -> tuple[BidRung, ...]:
    """Return plain bids of *least* tricks up to all; ranks leave room for bids between two numbers."""
    return tuple(
        BidRung(bid=bid(BidName.NUMBER, number), rank=10 * number, tricks=number, strains=())
        for number in range(least, hand_size + 1)
    )


def _named(
    name: BidName,
    rank: int,
    tricks: int,
    value: int,
    *,
    alone: bool = True,
    takes_widow: bool = True,
    receives: int = 0,
) -> BidRung:
    return BidRung(
        bid=bid(name),
        rank=rank,
        tricks=tricks,
        strains=(),
        value=value,
        alone=alone,
        takes_widow=takes_widow,
        receives=receives,
    )


def _peppers(hand_size: int) -> tuple[BidRung, ...]:
    """PEP-AUC-1, PEP3-AUC-1."""
    return (
        *_numbers(hand_size - 1),
        _named(BidName.LITTLE_PEPPER, 200, hand_size, hand_size, alone=False),
        _named(BidName.BIG_PEPPER, 210, hand_size, 2 * hand_size, alone=False),
    )


def _auction_rung(number: int, tricks: int, *, alone: bool = False, takes_widow: bool = True) -> BidRung:
    """AUC-BID-1, -2: the number is the value."""
    return BidRung(
        bid=bid(BidName.NUMBER, number),
        rank=10 * number,
        tricks=tricks,
        strains=(),
        value=number,
        alone=alone,
        takes_widow=takes_widow,
    )


def _nap_ladder() -> tuple[BidRung, ...]:
    """NAP-AUC-1, -2, NAP-SCORE-1."""
    nap, wellington = bid(BidName.NAP), bid(BidName.WELLINGTON)

    def number(tricks: int) -> BidRung:
        said = bid(BidName.NUMBER, tricks)
        return BidRung(bid=said, rank=10 * tricks, tricks=tricks, strains=SUIT_STRAINS, value=tricks)

    def all_five(name: BidName, rank: int, value: int) -> BidRung:
        return BidRung(bid=bid(name), rank=rank, tricks=5, strains=SUIT_STRAINS, value=value)

    misere = BidRung(bid=bid(BidName.MISERE), rank=35, tricks=0, strains=(NT,), value=3, is_misere=True)
    return (
        number(2),
        number(3),
        misere,
        number(4),
        all_five(BidName.NAP, 50, 5),
        replace(all_five(BidName.WELLINGTON, 60, 10), only_over=nap),
        replace(all_five(BidName.BLUCHER, 70, 20), only_over=wellington),
    )


# -- presets -----------------------------------------------------------------------------------------

_PLAY = Play()
_UPCARD_OPENING: tuple[Phase, ...] = (RedealClaim(), BlindNaming(), UpcardAuction(), PickUp())
_PARTNERS = (*_UPCARD_OPENING, GoingAlone(), Exchange(), _PLAY)
_BIDDING = (BidAuction(), _PLAY)

_KEEP_SCHD = ("SCHD", "SCDH")
_COLOUR_PAIRS = ("SCHD", "CSHD", "SCDH", "CSDH", "HDSC", "DHSC", "HDCS", "DHCS")


def _all_relabelings() -> tuple[str, ...]:
    from itertools import permutations

    return tuple("".join(order) for order in permutations("SCHD"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A preset before its options are resolved; the fields are those of ``Variant``."""

    id: str
    name: str
    section: str
    seats: int
    alliance: Alliance
    pack: str
    scoring: Scoring
    target: int
    questions: tuple[int, int]
    options: dict[str, OptionSpec]
    phases: tuple[Phase, ...]
    trump_making: str = "upcard-auction"
    card_order: str = "bowers"
    duplicates: str = "none"
    hand_size: int = 5
    upcard: bool = True
    widow: int = 0
    strains: tuple[Strain, ...] = SUIT_STRAINS
    ladder: tuple[BidRung, ...] = ()
    strain_in_bid: bool = False
    strain_by_lead: bool = False
    equal_bid_outbids: bool = False
    dealer_outbids_alone: bool = False
    all_pass: AllPass = AllPass.THROWN_IN
    joker_upcard: JokerUpcard = JokerUpcard.DEALER_MAKES
    forced_clubs: bool = False
    widow_rule: WidowRule = WidowRule.NONE
    ally_rule: AllyRule = AllyRule.NONE
    drop_floor: int = -(10**9)
    counts_down: bool = False
    several_at_goal: ReachRule = ReachRule.CANNOT_HAPPEN
    declarer_leads: bool = False
    makers_are_loners: bool = False
    other_of_two_leads: bool = False
    relabelings: tuple[str, ...] = _COLOUR_PAIRS
    fixed: dict[str, OptionValue] = field(default_factory=dict)
    """Option values that are a rule of the preset and no choice."""


def _five(
    march: int = 2, lone_march: int | None = 4, euchre: int = 2, none: int = 2, lone_euchre: int | None = 4
) -> FiveTrickScore:
    """Return a row of table S5 paid to sides."""
    return FiveTrickScore(
        paid_to="side",
        three_or_four=1,
        march=march,
        lone_march=lone_march,
        euchre=euchre,
        makers_none=none,
        lone_euchre=lone_euchre,
    )


def _with(base: Preset, options: dict[str, OptionSpec] | None = None, **changes: object) -> Preset:
    """Return *base* with changed fields and added or replaced options."""
    merged = {**base.options, **(options or {})}
    return replace(base, options=merged, **changes)  # type: ignore[arg-type]


def _without(base: dict[str, OptionSpec], *names: str) -> dict[str, OptionSpec]:
    return {name: spec for name, spec in base.items() if name not in names}


BRITISH = Preset(
    id="british",
    name="British Euchre",
    section="4.1",
    seats=4,
    alliance=Alliance.FIXED,
    pack="25",
    phases=_PARTNERS,
    scoring=_five(),
    target=11,
    questions=(8, 28),
    other_of_two_leads=True,
    options={"joker_card": _JOKER_CARD, **_two_side_options()},
)
BRITISH_33 = _with(BRITISH, id="british-33", name="33-card Euchre (New Zealand)", section="4.2", pack="33")
BRITISH_6P_33 = _with(
    BRITISH,
    {"loner_exchange": _choice("ask-one", "none", "ask-one")},
    id="british-6p-33",
    name="Six-hand British Euchre, one pack",
    section="4.3",
    seats=6,
    pack="33",
    scoring=_five(3, 6, 3, 3, 6),
    questions=(12, 42),
)
BRITISH_6P_50 = _with(
    BRITISH_6P_33,
    {"two_jokers": _choice("identical", "identical", "coloured-high")},
    id="british-6p-50",
    name="Six-hand British Euchre, two packs",
    pack="2x25",
    duplicates="later",
)
NORTH_AMERICAN = Preset(
    id="north-american",
    name="North American Euchre (United States)",
    section="4.4",
    seats=4,
    alliance=Alliance.FIXED,
    pack="24",
    phases=_PARTNERS,
    scoring=_five(none=4),
    target=10,
    questions=(12, 28),
    other_of_two_leads=True,
    options=_two_side_options(deal_pattern="singles", dealer_partner_order="normal", stick_dealer="on"),
)
CANADIAN = replace(
    NORTH_AMERICAN,
    id="canadian",
    name="North American Euchre (Canada)",
    options=_with_defaults(NORTH_AMERICAN.options, {"dealer_partner_order": "takes-it-down"}),
)
ALMONTE_6P = replace(
    BRITISH_6P_33,
    id="almonte-6p",
    name="Almonte Euchre",
    section="4.5",
    pack="almonte-6p",
    card_order="jack-high",
    joker_upcard=JokerUpcard.DEALER_NAMES,
    target=15,
    options={
        "almonte_jokers": _choice("jokers", "jokers", "low-spades"),
        **_with_defaults(_without(BRITISH_6P_33.options, "joker_card"), {"deal_pattern": "singles"}),
    },
)
ALMONTE_4P = _with(
    ALMONTE_6P,
    {"loner_exchange": _choice("ask-one", "none", "ask-one", "partner-offers-one", "call-best")},
    id="almonte-4p",
    name="Almonte Euchre, four hands",
    section="4.6",
    seats=4,
    pack="almonte-4p",
    questions=(8, 28),
    relabelings=("SCHD", "HDSC"),
)
TWO_HANDED = Preset(
    id="two-handed",
    name="Two-handed Euchre",
    section="4.7",
    seats=2,
    alliance=Alliance.FIXED,
    pack="24",
    phases=(*_UPCARD_OPENING, _PLAY),
    scoring=_five(lone_march=None, lone_euchre=None),
    target=10,
    questions=(4, 12),
    options={
        "joker_card": _JOKER_CARD,
        "deck": _choice("24", "24", "25", "32"),
        **_upcard_options(dealer_pickup="optional"),
        "laps": _switch(),
        "slams": _switch(),
    },
)
STANDARD = Preset(
    id="standard",
    name="Euchre, stick the dealer",
    section="4.8",
    seats=4,
    alliance=Alliance.FIXED,
    pack="24",
    phases=_PARTNERS,
    scoring=_five(),
    target=10,
    questions=(14, 24),
    options={
        "joker_card": _JOKER_CARD,
        "deck": _choice("24", "24", "25", "32", "33"),
        **_two_side_options(
            dealer_partner_order="normal",
            stick_dealer="on",
            alone_timing="with-call",
            alone_makers="caller",
            alone_defenders="none",
            loner_lead="eldest",
        ),
    },
)
CLASSIC = replace(
    STANDARD,
    id="classic",
    name="Four-hand Euchre, reference form",
    section="4.9",
    scoring=_five(lone_euchre=2),
    questions=(8, 26),
    other_of_two_leads=True,
    options=_with_defaults(
        STANDARD.options,
        {
            "stick_dealer": "off",
            "dealer_pickup": "optional",
            "alone_defenders": "any",
            "loner_lead": "left-of-loner",
        },
    ),
)
CUTTHROAT_3P = Preset(
    id="cutthroat-3p",
    name="Cutthroat (three-handed) Euchre",
    section="4.10",
    seats=3,
    alliance=Alliance.MAKER_AGAINST_ALL,
    pack="24",
    phases=(*_UPCARD_OPENING, _PLAY),
    scoring=replace(_five(march=4, lone_march=None, lone_euchre=None), paid_to="each-seat"),
    target=10,
    questions=(6, 18),
    several_at_goal=ReachRule.HIGHEST,
    makers_are_loners=True,
    options={
        "joker_card": _JOKER_CARD,
        "deck": _choice("24", "24", "25", "32", "33"),
        **_upcard_options(dealer_pickup="optional"),
        "loner_lead": _choice("left-of-loner", "left-of-loner", "eldest"),
        "cutthroat_march": _choice(4, 4, 3),
    },
)
CALL_ACE_4P = Preset(
    id="call-ace-4p",
    name="Call-Ace Euchre, four hands",
    section="4.11",
    seats=4,
    alliance=Alliance.SILENT_ALLY,
    pack="24",
    phases=(*_UPCARD_OPENING, GoingAlone(), AllyCall(), _PLAY),
    scoring=replace(_five(lone_euchre=None), paid_to="each-seat"),
    target=10,
    questions=(8, 25),
    ally_rule=AllyRule.SUIT,
    several_at_goal=ReachRule.HIGHEST,
    options={
        **_upcard_options(dealer_pickup="optional"),
        "alone_timing": _choice("with-call", "after-trump", "with-call"),
        "alone_makers": _choice("caller", "caller", "none"),
        "loner_lead": _choice("left-of-loner", "left-of-loner", "eldest"),
    },
)
CALL_ACE_5P = replace(
    CALL_ACE_4P, id="call-ace-5p", name="Call-Ace Euchre, five hands", seats=5, pack="32", questions=(10, 31)
)
CALL_ACE_6P = replace(
    CALL_ACE_4P, id="call-ace-6p", name="Call-Ace Euchre, six hands", seats=6, pack="32", questions=(12, 37)
)
AUCTION_5P = Preset(
    id="auction-5p",
    name="Auction Euchre, five hands",
    section="4.12",
    seats=5,
    alliance=Alliance.SILENT_ALLY,
    pack="32",
    upcard=False,
    widow=3,
    widow_rule=WidowRule.MUST,
    trump_making="bid-auction",
    phases=(BidAuction(), Widow(), WidowDiscard(), AllyCall(), _PLAY),
    ladder=(
        _auction_rung(3, 3),
        _auction_rung(4, 4),
        _auction_rung(5, 5),
        _auction_rung(8, 5, alone=True),
        _auction_rung(15, 5, alone=True, takes_widow=False),
    ),
    strain_in_bid=True,
    ally_rule=AllyRule.CARD,
    scoring=BidValueScore(made_to_each_of_side=True, set_to_each_opponent=True),
    target=30,
    questions=(5, 27),
    several_at_goal=ReachRule.HIGHEST,
    options={
        "deal_pattern": _choice("packets-3-2", *FIVE_CARD_PATTERNS),
        "loner_lead": _choice("left-of-loner", "left-of-loner", "eldest"),
        **_bid_options(award=4, strains=False, least=(3, 3, 5)),
    },
)
AUCTION_6P = replace(
    AUCTION_5P, id="auction-6p", name="Auction Euchre, six hands", seats=6, pack="36", questions=(6, 32)
)
AUCTION_7P = replace(
    AUCTION_5P, id="auction-7p", name="Auction Euchre, seven hands", seats=7, pack="40", questions=(7, 37)
)
RAILROAD = Preset(
    id="railroad",
    name="Railroad Euchre",
    section="4.13",
    seats=4,
    alliance=Alliance.FIXED,
    pack="33",
    phases=_PARTNERS,
    scoring=_five(),
    target=10,
    questions=(8, 24),
    other_of_two_leads=True,
    options={
        "joker_card": _JOKER_CARD,
        **_with_defaults(
            _without(CLASSIC.options, "deck", "joker_card"),
            {"alone_defenders": "against-loner", "loner_exchange": "call-best", "laps": "on", "slams": "on"},
        ),
    },
)
BID_EUCHRE = Preset(
    id="bid-euchre",
    name="Bid Euchre",
    section="4.14",
    seats=4,
    alliance=Alliance.FIXED,
    pack="24",
    hand_size=6,
    upcard=False,
    trump_making="bid-auction",
    phases=_BIDDING,
    strains=WITH_NT,
    ladder=_numbers(6),
    strain_in_bid=True,
    scoring=ContractScore(),
    target=52,
    questions=(4, 24),
    several_at_goal=ReachRule.BY_WIN_CONDITION,
    declarer_leads=True,
    options={**_bid_options(), "win_condition": _WIN_CONDITION},
    fixed={"deal_pattern": "singles"},
)


def _double_deck(
    preset: str, name: str, pack: str, size: int, ladder: tuple[BidRung, ...], exchange: OptionSpec
) -> Preset:
    """Return a game of RULES.md 4.15: bid-euchre with two packs and bids to play alone."""
    return _with(
        BID_EUCHRE,
        {"min_bid": _number(1, 1, size), "loner_exchange": exchange},
        id=preset,
        name=name,
        section="4.15",
        pack=pack,
        duplicates="first",
        hand_size=size,
        phases=(BidAuction(), Exchange(), _PLAY),
        ladder=ladder,
        questions=(4, 4 * size),
    )


_UP_TO_3 = _choice("up-to-3", "none", "up-to-2", "up-to-3")

BID_CANADIAN_32 = _double_deck(
    "bid-canadian-32",
    "Canadian double-deck Bid Euchre",
    "2x16",
    8,
    (
        *_numbers(8),
        _named(BidName.ALONE2, 200, 8, 12, receives=2),
        _named(BidName.ALONE1, 210, 8, 18, receives=1),
        _named(BidName.MOON, 220, 8, 24),
    ),
    _choice("fixed-by-bid", "fixed-by-bid"),
)
BID_US_32 = _with(
    _double_deck(
        "bid-us-32",
        "American double-deck Bid Euchre, 32 cards",
        "2x16",
        8,
        (
            *_numbers(7),
            _named(BidName.SEVEN_ALONE, 75, 7, 14),
            *_numbers(8, 8),
            _named(BidName.EIGHT_ALONE, 85, 8, 16),
        ),
        _choice("none", "none", "up-to-2", "up-to-3"),
    ),
    {"min_bid": _number(3, 1, 8), "min_bid_nt": _number(5, 1, 8)},
)
BID_US_48 = _double_deck(
    "bid-us-48",
    "American double-deck Bid Euchre, 48 cards",
    "2x24",
    12,
    (*_numbers(12), _named(BidName.ALONE, 200, 12, 24)),
    _UP_TO_3,
)
BID_US_48_WIDOW = _with(
    _double_deck(
        "bid-us-48-widow",
        "American double-deck Bid Euchre, 48 cards, with a widow",
        "2x24",
        11,
        (*_numbers(11), _named(BidName.ALONE, 200, 11, 22)),
        _UP_TO_3,
    ),
    {"widow_when_alone": _choice("allowed", "allowed", "forbidden")},
    phases=(BidAuction(), Widow(), WidowDiscard(), Exchange(), _PLAY),
    widow=4,
    widow_rule=WidowRule.MAY,
    questions=(4, 46),
)
BID_US_40 = replace(
    _double_deck(
        "bid-us-40",
        "American double-deck Bid Euchre, 40 cards",
        "2x20",
        10,
        (*_numbers(10), _named(BidName.ALONE, 200, 10, 20)),
        _choice("up-to-2", "none", "up-to-2"),
    ),
    dealer_outbids_alone=True,
    scoring=ContractScore(value_by_cards_received=(20, 20, 15)),
)
HOOSIER = replace(
    _double_deck(
        "hoosier",
        "Hoosier Bid Euchre",
        "2x20",
        10,
        (*_numbers(10), _named(BidName.ALONE, 200, 10, 32)),
        _choice("none", "none", "up-to-2", "up-to-3"),
    ),
    section="4.16",
    scoring=ContractScore(made_top_bid=10, made_top_value=16),
    target=32,
)
HOOSIER_3P = replace(
    HOOSIER,
    id="hoosier-3p",
    name="Hoosier Bid Euchre, three hands",
    section="4.17",
    seats=3,
    alliance=Alliance.NONE,
    pack="2x16",
    phases=(BidAuction(), Widow(), WidowDiscard(), _PLAY),
    ladder=(*_numbers(10), _named(BidName.ALONE, 200, 10, 32, takes_widow=False)),
    widow=2,
    widow_rule=WidowRule.MAY,
    questions=(3, 32),
    several_at_goal=ReachRule.HIGHEST,
    options=_without(HOOSIER.options, "loner_exchange"),
)
CUTTHROAT_BID_3P = _with(
    HOOSIER_3P,
    {"min_bid": _number(1, 1, 7)},
    id="cutthroat-bid-3p",
    name="Cutthroat Bid Euchre",
    pack="24",
    duplicates="none",
    hand_size=7,
    ladder=(*_numbers(7), _named(BidName.ALONE, 200, 7, 32, takes_widow=False)),
    scoring=ContractScore(made_top_bid=7, made_top_value=16),
    widow=3,
    questions=(3, 23),
)
BID_LATER_24 = _with(
    BID_EUCHRE,
    {
        "bid_rounds": _choice("single", "single"),
        "dealer_must_bid": _switch("on"),
        "no_trump_kinds": _choice("high-low", "high", "high-low"),
        "min_bid": _number(3, 1, 6),
    },
    id="bid-later-24",
    name="Bid Euchre, trump named after the auction",
    section="4.18",
    phases=(BidAuction(), StrainChoice(), _PLAY),
    strain_in_bid=False,
    equal_bid_outbids=True,
    target=32,
    questions=(25, 25),
)
BID_LATER_6P = _with(
    BID_LATER_24,
    {"min_bid": _number(3, 1, 8)},
    id="bid-later-6p",
    name="Bid Euchre, trump named after the auction, six hands",
    seats=6,
    pack="2x24",
    duplicates="first",
    hand_size=8,
    ladder=_numbers(8),
    questions=(49, 49),
)
BID_LATER_8P = replace(
    BID_LATER_24,
    id="bid-later-8p",
    name="Bid Euchre, trump named after the auction, eight hands",
    seats=8,
    pack="2x24",
    duplicates="first",
    questions=(49, 49),
)
PEPPER = replace(
    BID_EUCHRE,
    id="pepper",
    name="Pepper",
    section="4.19",
    phases=(BidAuction(), StrainChoice(), _PLAY),
    ladder=_peppers(6),
    strain_in_bid=False,
    scoring=ContractScore(set_cost=6),
    target=30,
    questions=(4, 43),
    several_at_goal=ReachRule.HIGHEST,
    options=_with_defaults(_bid_options(least=(1, 1, 5)), {"bid_rounds": "until-passed"}),
)
PEPPER_2P = _with(
    PEPPER,
    {"min_bid": _number(1, 1, 7)},
    id="pepper-2p",
    name="Pepper, two hands",
    section="4.20",
    seats=2,
    hand_size=8,
    ladder=_peppers(8),
    scoring=ContractScore(set_cost=8),
    questions=(2, 25),
)
PEPPER_3P = replace(
    PEPPER_2P, id="pepper-3p", name="Pepper, three hands", seats=3, alliance=Alliance.NONE, questions=(3, 41)
)
BUCK = Preset(
    id="buck",
    name="Buck Euchre",
    section="4.21",
    seats=4,
    alliance=Alliance.NONE,
    pack="24",
    phases=(ForcedClubs(), UpcardAuction(), PickUp(), DropOut(), _PLAY),
    strains=WITH_NT,
    all_pass=AllPass.NO_TRUMP,
    forced_clubs=True,
    scoring=CountdownScore(maker_needs=3, others_need=1, penalty=5, instant_win_tricks=5),
    counts_down=True,
    target=25,
    questions=(9, 27),
    several_at_goal=ReachRule.LOWEST,
    other_of_two_leads=True,
    relabelings=_KEEP_SCHD,
    options=_without(_upcard_options(), "stick_dealer", "redeal_farmers_hand", "redeal_no_ace_no_face_no_trump"),
)
DIRTY_CLUBS = replace(
    BUCK,
    id="dirty-clubs",
    name="Dirty Clubs",
    section="4.22",
    trump_making="bid-auction",
    phases=(ForcedClubs(), BidAuction(), StrainChoice(), PickUp(), DropOut(), _PLAY),
    ladder=_numbers(5),
    scoring=CountdownScore(maker_needs=0, others_need=1, penalty=5, instant_win_tricks=5),
    target=20,
    questions=(10, 26),
    declarer_leads=True,
    options={
        "deal_pattern": _choice("packets-3-2", *FIVE_CARD_PATTERNS),
        **_bid_options(award=4, must=False, least=(3, 1, 5)),
    },
)
DIRTY_CLUBS_3P = replace(
    DIRTY_CLUBS,
    id="dirty-clubs-3p",
    name="Dirty Clubs, three hands",
    section="4.23",
    seats=3,
    hand_size=6,
    upcard=False,
    widow=6,
    forced_clubs=False,
    phases=(HandSwap(), BidAuction(), StrainChoice(), DropOut(), _PLAY),
    ladder=_numbers(6),
    scoring=CountdownScore(maker_needs=0, others_need=1, penalty=5, instant_win_tricks=0),
    drop_floor=5,
    target=15,
    questions=(10, 30),
    relabelings=_COLOUR_PAIRS,
    options=_with_defaults(_bid_options(award=4, must=False, least=(3, 1, 6)), {"bid_rounds": "until-passed"}),
    fixed={"deal_pattern": "singles"},
)
DEALER_MAKES = Preset(
    id="dealer-makes",
    name="Dealer-makes Euchre (no auction)",
    section="4.24",
    seats=4,
    alliance=Alliance.FIXED,
    pack="24",
    trump_making="dealer-makes",
    phases=(DealerMakes(), KittySwap(), GoingAlone(), Exchange(), _PLAY),
    scoring=BonusScore(three_or_more=1, defenders=1, alone=1, all_five=1, makers_none_and_alone=1),
    target=11,
    questions=(12, 25),
    other_of_two_leads=True,
    options={
        "deal_pattern": _choice("packets-3-2", *FIVE_CARD_PATTERNS),
        "alone_makers": _choice("any", "any", "caller", "none"),
        "alone_defenders": _choice("any", "any", "against-loner", "none"),
        "loner_exchange": _choice("none", "none", "ask-one", "partner-offers-one", "call-best"),
        "loner_lead": _choice("left-of-loner", "left-of-loner", "eldest"),
        "laps": _switch(),
        "slams": _switch(),
        **_renege(4),
    },
)
HASENPFEFFER = Preset(
    id="hasenpfeffer",
    name="Hasenpfeffer",
    section="4.25",
    seats=4,
    alliance=Alliance.FIXED,
    pack="25",
    hand_size=6,
    upcard=False,
    widow=1,
    widow_rule=WidowRule.MUST,
    trump_making="bid-auction",
    phases=(BidAuction(), Widow(), StrainChoice(), WidowDiscard(), _PLAY),
    ladder=_numbers(6),
    all_pass=AllPass.JOKER_HOLDER,
    scoring=ContractScore(),
    target=10,
    questions=(4, 41),
    several_at_goal=ReachRule.BY_WIN_CONDITION,
    declarer_leads=True,
    options={
        "joker_card": _JOKER_CARD,
        "deal_pattern": _choice("packets-3-3", "packets-3-3", "singles"),
        **_with_defaults(_bid_options(award=4, strains=False), {"bid_rounds": "until-passed"}),
        "win_condition": replace(_WIN_CONDITION, default="any-points"),
    },
)
NAPOLEON = Preset(
    id="napoleon",
    name="Napoleon (Nap)",
    section="4.26",
    seats=4,
    alliance=Alliance.MAKER_AGAINST_ALL,
    pack="28",
    card_order="ace-high",
    upcard=False,
    trump_making="bid-auction",
    phases=_BIDDING,
    strains=WITH_NT,
    ladder=_nap_ladder(),
    strain_by_lead=True,
    scoring=BidValueScore(made_to_each_of_side=False, set_to_each_opponent=False),
    target=25,
    questions=(4, 20),
    several_at_goal=ReachRule.HIGHEST,
    declarer_leads=True,
    relabelings=_all_relabelings(),
    options={
        "deck": _choice("28", "28", "32", "52"),
        "deal_pattern": _choice("packets-3-2", *FIVE_CARD_PATTERNS),
        **_bid_options(award=4, strains=False, least=(2, 2, 4)),
        "nap_misere": _switch("on"),
    },
)

_IN_ORDER: Iterable[Preset] = (
    BRITISH,
    BRITISH_33,
    BRITISH_6P_33,
    BRITISH_6P_50,
    NORTH_AMERICAN,
    CANADIAN,
    ALMONTE_6P,
    ALMONTE_4P,
    TWO_HANDED,
    STANDARD,
    CLASSIC,
    CUTTHROAT_3P,
    CALL_ACE_4P,
    CALL_ACE_5P,
    CALL_ACE_6P,
    RAILROAD,
    AUCTION_5P,
    AUCTION_6P,
    AUCTION_7P,
    BID_EUCHRE,
    BID_CANADIAN_32,
    BID_US_32,
    BID_US_48,
    BID_US_48_WIDOW,
    BID_US_40,
    HOOSIER,
    HOOSIER_3P,
    CUTTHROAT_BID_3P,
    BID_LATER_24,
    BID_LATER_6P,
    BID_LATER_8P,
    PEPPER,
    PEPPER_2P,
    PEPPER_3P,
    BUCK,
    DIRTY_CLUBS,
    DIRTY_CLUBS_3P,
    DEALER_MAKES,
    HASENPFEFFER,
    NAPOLEON,
)

PRESETS: dict[str, Preset] = {
    preset.id: replace(preset, options={**preset.options, "target": _number(preset.target, 1)}) for preset in _IN_ORDER
}
"""Every preset by id, in the order of the table at the head of RULES.md part 4."""
