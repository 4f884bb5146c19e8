"""The forty presets as tables, transcribed from RULES.md part 4, with the option defaults of part 5."""

from __future__ import annotations

from typing import Any

Game = dict[str, Any]
"""One variant: the fields of its table and, under their own names, the values of its options."""

SUITS = "SCHD"
ALL_RANKS = "AKQJT98765432"

# RULES.md part 4, "Packs": the ranks of each suit, high to low.
RANKS_OF_PACK = {
    "16": "AKQJ",
    "20": "AKQJT",
    "24": "AKQJT9",
    "28": "AKQJT98",
    "32": "AKQJT987",
    "36": "AKQJT9876",
    "40": "AKQJT98765",
    "52": ALL_RANKS,
}


def one_pack(ranks: str) -> list[str]:
    return [rank + suit for suit in SUITS for rank in ranks]


def cards_of_pack(pack: str) -> list[str]:
    """Return the cards of a pack by the names used below: "25" is 24 and a joker, "2x16" twice 16."""
    if pack == "almonte-6p":  # ALM-DECK-1
        return [*one_pack("AKQJT98"), "X1", "X2", "X3"]
    if pack == "almonte-4p":  # ALM4-DECK-1
        return [*one_pack("AKQJ"), "TS", "TH", "X1", "X2", "X3"]
    if pack == "2x25":  # B6-DECK-1
        return [*one_pack("AKQJT9"), *one_pack("AKQJT9"), "X1", "X2"]
    if pack.startswith("2x"):
        return one_pack(RANKS_OF_PACK[pack[2:]]) * 2
    if pack in ("25", "33"):
        return [*one_pack(RANKS_OF_PACK[str(int(pack) - 1)]), "X1"]
    return one_pack(RANKS_OF_PACK[pack])


# -- bids: (what is said, rank, tricks, and what is special about it) --------------------------------


def bid(said: str, rank: float, tricks: int, **special: Any) -> dict[str, Any]:
    return {"said": said, "rank": rank, "tricks": tricks, **special}


def numbers(first: int, last: int) -> list[dict[str, Any]]:
    return [bid(f"BID({number})", number, number, number=number) for number in range(first, last + 1)]


def peppers(tricks: int) -> list[dict[str, Any]]:
    """PEP-AUC-1, PEP-SCORE-1, -2, PEP3-AUC-1, PEP3-SCORE-1."""
    return [
        *numbers(1, tricks - 1),
        bid("LITTLE_PEPPER", 100, tricks, value=tricks),
        bid("BIG_PEPPER", 101, tricks, value=2 * tricks),
    ]


# -- the presets -------------------------------------------------------------------------------------

UPCARD_OPTIONS = {
    "deal_pattern": "packets-3-2",
    "auction_rounds": 2,
    "stick_dealer": "off",
    "dealer_needs_natural": "off",
    "dealer_pickup": "mandatory",
    "redeal_farmers_hand": "off",
    "redeal_no_ace_no_face_no_trump": "off",
    "renege": "established",
    "renege_award": 4,
}
BRITISH_OPTIONS = {
    **UPCARD_OPTIONS,
    "joker_card": "joker",
    "order_up_makers": "orderer-side",
    "dealer_partner_order": "takes-it-down",
    "alone_timing": "after-trump",
    "alone_makers": "any",
    "alone_defenders": "any",
    "loner_exchange": "none",
    "loner_lead": "left-of-loner",
    "target": 11,
    "laps": "off",
    "slams": "off",
}
BID_OPTIONS = {
    "bid_rounds": "single",
    "dealer_must_bid": "off",
    "no_trump_kinds": "high",
    "min_bid": 1,
    "win_condition": "qualified",
    "target": 52,
    "renege": "established",
    "renege_award": 6,
    "renege_contract": "void",
}


def preset(options: dict[str, Any], **fields: Any) -> Game:
    return {**fields, "options": options}


def like(base: Game, options: dict[str, Any] | None = None, drop: str = "", **fields: Any) -> Game:
    """Return *base* with other fields and options; *drop* names options it does not have."""
    kept = {name: value for name, value in base["options"].items() if name not in drop.split()}
    return {**base, **fields, "options": {**kept, **(options or {})}}


# S5: (3 or 4 tricks, march, lone march, euchre, makers 0, lone euchre), RULES.md 3.9
british = preset(  # 4.1
    BRITISH_OPTIONS,
    seats=4,
    alliance="sides",
    pack="25",
    order="bowers",
    copies="none",
    hand=5,
    upcard=True,
    widow=0,
    making="upcard",
    after=("upcard", "poll", "exchange"),
    joker_up="dealer makes",
    nobody_bids="thrown in",
    s5=(1, 2, 4, 2, 2, 4),
    scoring="five tricks",
    lead_3=True,
)
british_33 = like(british, pack="33")  # 4.2
british_6p_33 = like(  # 4.3
    british, {"loner_exchange": "ask-one"}, seats=6, pack="33", s5=(1, 3, 6, 3, 3, 6)
)
british_6p_50 = like(british_6p_33, {"two_jokers": "identical"}, pack="2x25", copies="later")
north_american = like(  # 4.4
    british,
    {"deal_pattern": "singles", "dealer_partner_order": "normal", "stick_dealer": "on", "target": 10},
    drop="joker_card",
    pack="24",
    s5=(1, 2, 4, 2, 4, 4),
)
canadian = like(north_american, {"dealer_partner_order": "takes-it-down"})
almonte_6p = like(  # 4.5
    british_6p_33,
    {"almonte_jokers": "jokers", "deal_pattern": "singles", "target": 15},
    drop="joker_card",
    pack="almonte-6p",
    order="almonte",
    joker_up="dealer names",
)
almonte_4p = like(almonte_6p, seats=4, pack="almonte-4p")  # 4.6
two_handed = like(  # 4.7
    british,
    {"deck": "24", "dealer_pickup": "optional", "target": 10},
    drop="order_up_makers dealer_partner_order alone_timing alone_makers alone_defenders loner_exchange loner_lead",
    seats=2,
    after=("upcard",),
    s5=(1, 2, None, 2, 2, None),
    lead_3=False,
)
standard = like(  # 4.8
    british,
    {
        "deck": "24",
        "dealer_partner_order": "normal",
        "stick_dealer": "on",
        "alone_timing": "with-call",
        "alone_makers": "caller",
        "alone_defenders": "none",
        "loner_lead": "eldest",
        "target": 10,
    },
    lead_3=False,
)
classic = like(  # 4.9
    standard,
    {"stick_dealer": "off", "dealer_pickup": "optional", "alone_defenders": "any", "loner_lead": "left-of-loner"},
    s5=(1, 2, 4, 2, 2, 2),
    lead_3=True,
)
cutthroat_3p = like(  # 4.10
    two_handed,
    {"loner_lead": "left-of-loner", "cutthroat_march": 4},
    drop="laps slams",
    seats=3,
    alliance="maker against all",
    every_maker_is_a_loner=True,
)
call_ace_4p = like(  # 4.11
    classic,
    drop="deck joker_card order_up_makers dealer_partner_order alone_defenders loner_exchange laps slams",
    alliance="silent ally",
    pack="24",
    after=("upcard", "poll", "ally"),
    ally="suit",
    s5=(1, 2, 4, 2, 2, None),
    lead_3=False,
)
call_ace_5p = like(call_ace_4p, seats=5, pack="32")
call_ace_6p = like(call_ace_4p, seats=6, pack="32")
auction_5p = preset(  # 4.12
    {
        "deal_pattern": "packets-3-2",
        "loner_lead": "left-of-loner",
        "bid_rounds": "single",
        "dealer_must_bid": "off",
        "min_bid": 3,
        "target": 30,
        "renege": "established",
        "renege_award": 4,
        "renege_contract": "void",
    },
    seats=5,
    alliance="silent ally",
    pack="32",
    order="bowers",
    copies="none",
    hand=5,
    upcard=False,
    widow=3,
    making="bids",
    bids=[
        bid("BID(3)", 3, 3, number=3, value=3),
        bid("BID(4)", 4, 4, number=4, value=4),
        bid("BID(5)", 5, 5, number=5, value=5),
        bid("BID(8)", 8, 5, number=8, value=8, alone=True),
        bid("BID(15)", 15, 5, number=15, value=15, alone=True, no_widow=True),
    ],
    strain_in_bid=True,
    strains="S C H D",
    nobody_bids="thrown in",
    after=("take widow", "discard widow", "ally"),
    ally="card",
    scoring="auction",
    lead_3=False,
)
auction_6p = like(auction_5p, seats=6, pack="36")
auction_7p = like(auction_5p, seats=7, pack="40")
railroad = like(  # 4.13
    classic,
    {"alone_defenders": "against-loner", "loner_exchange": "call-best", "laps": "on", "slams": "on"},
    drop="deck",
    pack="33",
    s5=(1, 2, 4, 2, 2, 4),
)
bid_euchre = preset(  # 4.14
    BID_OPTIONS,
    seats=4,
    alliance="sides",
    pack="24",
    order="bowers",
    copies="none",
    hand=6,
    upcard=False,
    widow=0,
    making="bids",
    bids=numbers(1, 6),
    strain_in_bid=True,
    strains="S C H D NT",
    nobody_bids="thrown in",
    after=(),
    scoring="contract",
    declarer_leads=True,
)
bid_canadian_32 = like(  # 4.15
    bid_euchre,
    {"loner_exchange": "fixed-by-bid"},
    pack="2x16",
    copies="first",
    hand=8,
    bids=[
        *numbers(1, 8),
        bid("ALONE2", 100, 8, value=12, alone=True, receives=2),
        bid("ALONE1", 101, 8, value=18, alone=True, receives=1),
        bid("MOON", 102, 8, value=24, alone=True, receives=0),
    ],
    after=("exchange",),
)
bid_us_32 = like(
    bid_canadian_32,
    {"loner_exchange": "none", "min_bid": 3, "min_bid_nt": 5},
    bids=[
        *numbers(1, 7),
        bid("7-ALONE", 7.5, 7, value=14, alone=True),
        *numbers(8, 8),
        bid("8-ALONE", 8.5, 8, value=16, alone=True),
    ],
)
bid_us_48 = like(
    bid_canadian_32,
    {"loner_exchange": "up-to-3"},
    pack="2x24",
    hand=12,
    bids=[*numbers(1, 12), bid("ALONE", 100, 12, value=24, alone=True)],
)
bid_us_48_widow = like(
    bid_us_48,
    {"widow_when_alone": "allowed"},
    hand=11,
    widow=4,
    bids=[*numbers(1, 11), bid("ALONE", 100, 11, value=22, alone=True)],
    after=("offer widow", "discard widow", "exchange"),
)
bid_us_40 = like(
    bid_us_48,
    {"loner_exchange": "up-to-2"},
    pack="2x20",
    hand=10,
    bids=[*numbers(1, 10), bid("ALONE", 100, 10, value=20, value_with_two_cards=15, alone=True)],
    dealer_may_repeat_alone=True,
)
hoosier = like(  # 4.16
    bid_us_40,
    {"loner_exchange": "none", "target": 32},
    bids=[*numbers(1, 10), bid("ALONE", 100, 10, value=32, alone=True)],
    ten_scores_sixteen=10,
    dealer_may_repeat_alone=False,
)
hoosier_3p = like(  # 4.17
    hoosier,
    drop="loner_exchange",
    seats=3,
    alliance="each for himself",
    pack="2x16",
    widow=2,
    bids=[*numbers(1, 10), bid("ALONE", 100, 10, value=32, alone=True, no_widow=True)],
    after=("offer widow", "discard widow"),
)
cutthroat_bid_3p = like(
    hoosier_3p,
    pack="24",
    copies="none",
    hand=7,
    widow=3,
    bids=[*numbers(1, 7), bid("ALONE", 100, 7, value=32, alone=True, no_widow=True)],
    ten_scores_sixteen=7,
)
bid_later_24 = like(  # 4.18
    bid_euchre,
    {"dealer_must_bid": "on", "no_trump_kinds": "high-low", "min_bid": 3, "target": 32},
    strain_in_bid=False,
    equal_bid_replaces=True,
    after=("strain",),
)
bid_later_6p = like(bid_later_24, seats=6, pack="2x24", copies="first", hand=8, bids=numbers(1, 8))
bid_later_8p = like(bid_later_24, seats=8, pack="2x24", copies="first")
pepper = like(  # 4.19
    bid_euchre,
    {"bid_rounds": "until-passed", "target": 30},
    drop="win_condition",
    bids=peppers(6),
    strain_in_bid=False,
    after=("strain",),
    set_costs=6,
)
pepper_2p = like(pepper, seats=2, hand=8, bids=peppers(8), set_costs=8)  # 4.20
pepper_3p = like(pepper_2p, seats=3, alliance="each for himself")
buck = preset(  # 4.21
    {
        "deal_pattern": "packets-3-2",
        "auction_rounds": 2,
        "dealer_needs_natural": "off",
        "dealer_pickup": "mandatory",
        "target": 25,
        "renege": "established",
        "renege_award": 4,
    },
    seats=4,
    alliance="each for himself",
    pack="24",
    order="bowers",
    copies="none",
    hand=5,
    upcard=True,
    widow=0,
    making="upcard",
    clubs_are_forced=True,
    nobody_bids="no trump",
    after=("upcard", "drop"),
    scoring="countdown",
    maker_owes=3,
    all_tricks_win=5,
    lead_3=True,
)
dirty_clubs = like(  # 4.22
    buck,
    {
        "bid_rounds": "single",
        "no_trump_kinds": "high",
        "min_bid": 3,
        "target": 20,
        "renege_contract": "void",
    },
    drop="auction_rounds dealer_needs_natural dealer_pickup",
    making="bids",
    bids=numbers(1, 5),
    strain_in_bid=False,
    strains="S C H D NT",
    after=("strain", "offer upcard", "drop"),
    maker_owes=None,
    declarer_leads=True,
)
dirty_clubs_3p = like(  # 4.23
    dirty_clubs,
    {"bid_rounds": "until-passed", "target": 15},
    drop="deal_pattern",
    seats=3,
    hand=6,
    upcard=False,
    widow=6,
    hand_for_widow=True,
    clubs_are_forced=False,
    bids=numbers(1, 6),
    after=("strain", "drop"),
    all_tricks_win=None,
    may_not_drop_at=5,
)
dealer_makes = preset(  # 4.24
    {
        "deal_pattern": "packets-3-2",
        "alone_makers": "any",
        "alone_defenders": "any",
        "loner_exchange": "none",
        "loner_lead": "left-of-loner",
        "target": 11,
        "renege": "established",
        "renege_award": 4,
        "laps": "off",
        "slams": "off",
    },
    seats=4,
    alliance="sides",
    pack="24",
    order="bowers",
    copies="none",
    hand=5,
    upcard=True,
    widow=0,
    making="dealer",
    after=("kitty", "poll", "exchange"),
    scoring="bonus",
    lead_3=True,
)
hasenpfeffer = preset(  # 4.25
    {
        "joker_card": "joker",
        "deal_pattern": "packets-3-3",
        "bid_rounds": "until-passed",
        "dealer_must_bid": "off",
        "min_bid": 1,
        "win_condition": "any-points",
        "target": 10,
        "renege": "established",
        "renege_award": 4,
        "renege_contract": "void",
    },
    seats=4,
    alliance="sides",
    pack="25",
    order="bowers",
    copies="none",
    hand=6,
    upcard=False,
    widow=1,
    making="bids",
    bids=numbers(1, 6),
    strain_in_bid=False,
    strains="S C H D",
    nobody_bids="joker holder",
    after=("take widow", "strain", "discard widow"),
    scoring="contract",
    declarer_leads=True,
)
napoleon = preset(  # 4.26
    {
        "deck": "28",
        "deal_pattern": "packets-3-2",
        "bid_rounds": "single",
        "dealer_must_bid": "off",
        "min_bid": 2,
        "nap_misere": "on",
        "target": 25,
        "renege": "established",
        "renege_award": 4,
        "renege_contract": "void",
    },
    seats=4,
    alliance="maker against all",
    pack="28",
    order="napoleon",
    copies="none",
    hand=5,
    upcard=False,
    widow=0,
    making="bids",
    bids=[
        bid("BID(2)", 2, 2, number=2, value=2),
        bid("BID(3)", 3, 3, number=3, value=3),
        bid("MISERE", 3.5, 0, value=3, misere=True),
        bid("BID(4)", 4, 4, number=4, value=4),
        bid("NAP", 5, 5, value=5),
        bid("WELLINGTON", 6, 5, value=10, only_over="NAP"),
        bid("BLUCHER", 7, 5, value=20, only_over="WELLINGTON"),
    ],
    strain_in_bid=False,
    strains="S C H D",
    nobody_bids="thrown in",
    after=(),
    scoring="napoleon",
    declarer_leads=True,
)

TABLES: dict[str, Game] = {
    "british": british,
    "british-33": british_33,
    "british-6p-33": british_6p_33,
    "british-6p-50": british_6p_50,
    "north-american": north_american,
    "canadian": canadian,
    "almonte-6p": almonte_6p,
    "almonte-4p": almonte_4p,
    "two-handed": two_handed,
    "standard": standard,
    "classic": classic,
    "cutthroat-3p": cutthroat_3p,
    "call-ace-4p": call_ace_4p,
    "call-ace-5p": call_ace_5p,
    "call-ace-6p": call_ace_6p,
    "railroad": railroad,
    "auction-5p": auction_5p,
    "auction-6p": auction_6p,
    "auction-7p": auction_7p,
    "bid-euchre": bid_euchre,
    "bid-canadian-32": bid_canadian_32,
    "bid-us-32": bid_us_32,
    "bid-us-48": bid_us_48,
    "bid-us-48-widow": bid_us_48_widow,
    "bid-us-40": bid_us_40,
    "hoosier": hoosier,
    "hoosier-3p": hoosier_3p,
    "cutthroat-bid-3p": cutthroat_bid_3p,
    "bid-later-24": bid_later_24,
    "bid-later-6p": bid_later_6p,
    "bid-later-8p": bid_later_8p,
    "pepper": pepper,
    "pepper-2p": pepper_2p,
    "pepper-3p": pepper_3p,
    "buck": buck,
    "dirty-clubs": dirty_clubs,
    "dirty-clubs-3p": dirty_clubs_3p,
    "dealer-makes": dealer_makes,
    "hasenpfeffer": hasenpfeffer,
    "napoleon": napoleon,
}


def game(text: str) -> Game:
    """Return the variant written as ``preset`` or ``preset(option=value,option=value)``."""
    name, _, inside = text.strip().removesuffix(")").partition("(")
    table = TABLES[name]
    options = dict(table["options"])
    for part in inside.split(",") if inside else []:
        option, _, value = part.partition("=")
        if option.strip() not in options:
            raise KeyError(f"{name} has no option {option}")
        is_number = isinstance(options[option.strip()], int)
        options[option.strip()] = int(value) if is_number else value.strip()
    chosen = {**table, **options, "name": text}
    chosen["cards"], chosen["jokers"] = cards_and_jokers(chosen)
    return chosen


def cards_and_jokers(chosen: Game) -> tuple[list[str], list[list[str]]]:
    """Return the deck, and its jokers from high to low, those of equal rank in one list."""
    cards = cards_of_pack(str(chosen.get("deck", chosen["pack"])))
    jokers = [[card] for card in cards if card[0] == "X"]
    if len(jokers) == 2 and chosen["two_jokers"] == "identical":  # B6-ORD-1
        jokers = [["X1", "X2"]]
    stand_ins = {}
    if chosen.get("joker_card") == "two-of-spades":  # CARD-STAND-1
        stand_ins = {"X1": "2S", "X2": "2S"}
        jokers = [["2S"]] if jokers else []
    if chosen.get("almonte_jokers") == "low-spades":  # ALM-DECK-1
        stand_ins = {"X1": "2S", "X2": "3S", "X3": "4S"}
        jokers = [["2S"], ["3S"], ["4S"]]
    return [stand_ins.get(card, card) for card in cards], jokers
