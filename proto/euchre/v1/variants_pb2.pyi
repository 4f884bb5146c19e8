from euchre.v1 import actions_pb2 as _actions_pb2
from euchre.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PhaseKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_KIND_UNSPECIFIED: _ClassVar[PhaseKind]
    PHASE_KIND_REDEAL_CLAIM: _ClassVar[PhaseKind]
    PHASE_KIND_BLIND_NAMING: _ClassVar[PhaseKind]
    PHASE_KIND_UPCARD_AUCTION: _ClassVar[PhaseKind]
    PHASE_KIND_FORCED_CLUBS: _ClassVar[PhaseKind]
    PHASE_KIND_PICK_UP: _ClassVar[PhaseKind]
    PHASE_KIND_GOING_ALONE: _ClassVar[PhaseKind]
    PHASE_KIND_EXCHANGE: _ClassVar[PhaseKind]
    PHASE_KIND_BID_AUCTION: _ClassVar[PhaseKind]
    PHASE_KIND_STRAIN_CHOICE: _ClassVar[PhaseKind]
    PHASE_KIND_WIDOW: _ClassVar[PhaseKind]
    PHASE_KIND_WIDOW_DISCARD: _ClassVar[PhaseKind]
    PHASE_KIND_HAND_SWAP: _ClassVar[PhaseKind]
    PHASE_KIND_DEALER_MAKES: _ClassVar[PhaseKind]
    PHASE_KIND_KITTY_SWAP: _ClassVar[PhaseKind]
    PHASE_KIND_DROP_OUT: _ClassVar[PhaseKind]
    PHASE_KIND_ALLY_CALL: _ClassVar[PhaseKind]
    PHASE_KIND_PLAY: _ClassVar[PhaseKind]

class Alliance(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ALLIANCE_UNSPECIFIED: _ClassVar[Alliance]
    ALLIANCE_FIXED: _ClassVar[Alliance]
    ALLIANCE_NONE: _ClassVar[Alliance]
    ALLIANCE_MAKER_AGAINST_ALL: _ClassVar[Alliance]
    ALLIANCE_SILENT_ALLY: _ClassVar[Alliance]
PHASE_KIND_UNSPECIFIED: PhaseKind
PHASE_KIND_REDEAL_CLAIM: PhaseKind
PHASE_KIND_BLIND_NAMING: PhaseKind
PHASE_KIND_UPCARD_AUCTION: PhaseKind
PHASE_KIND_FORCED_CLUBS: PhaseKind
PHASE_KIND_PICK_UP: PhaseKind
PHASE_KIND_GOING_ALONE: PhaseKind
PHASE_KIND_EXCHANGE: PhaseKind
PHASE_KIND_BID_AUCTION: PhaseKind
PHASE_KIND_STRAIN_CHOICE: PhaseKind
PHASE_KIND_WIDOW: PhaseKind
PHASE_KIND_WIDOW_DISCARD: PhaseKind
PHASE_KIND_HAND_SWAP: PhaseKind
PHASE_KIND_DEALER_MAKES: PhaseKind
PHASE_KIND_KITTY_SWAP: PhaseKind
PHASE_KIND_DROP_OUT: PhaseKind
PHASE_KIND_ALLY_CALL: PhaseKind
PHASE_KIND_PLAY: PhaseKind
ALLIANCE_UNSPECIFIED: Alliance
ALLIANCE_FIXED: Alliance
ALLIANCE_NONE: Alliance
ALLIANCE_MAKER_AGAINST_ALL: Alliance
ALLIANCE_SILENT_ALLY: Alliance

class SuitOrder(_message.Message):
    __slots__ = ("suit", "cards", "ranks")
    SUIT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    suit: _cards_pb2.Suit
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, suit: _Optional[_Union[_cards_pb2.Suit, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., ranks: _Optional[_Iterable[int]] = ...) -> None: ...

class StrainOrder(_message.Message):
    __slots__ = ("strain", "suits")
    STRAIN_FIELD_NUMBER: _ClassVar[int]
    SUITS_FIELD_NUMBER: _ClassVar[int]
    strain: _cards_pb2.Strain
    suits: _containers.RepeatedCompositeFieldContainer[SuitOrder]
    def __init__(self, strain: _Optional[_Union[_cards_pb2.Strain, str]] = ..., suits: _Optional[_Iterable[_Union[SuitOrder, _Mapping]]] = ...) -> None: ...

class DeckCard(_message.Message):
    __slots__ = ("card", "copies")
    CARD_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    copies: int
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ..., copies: _Optional[int] = ...) -> None: ...

class Side(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seats: _Optional[_Iterable[int]] = ...) -> None: ...

class BidRung(_message.Message):
    __slots__ = ("bid", "rank", "tricks", "value", "alone", "strains")
    BID_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    STRAINS_FIELD_NUMBER: _ClassVar[int]
    bid: _actions_pb2.Bid
    rank: int
    tricks: int
    value: int
    alone: bool
    strains: _containers.RepeatedScalarFieldContainer[_cards_pb2.Strain]
    def __init__(self, bid: _Optional[_Union[_actions_pb2.Bid, _Mapping]] = ..., rank: _Optional[int] = ..., tricks: _Optional[int] = ..., value: _Optional[int] = ..., alone: _Optional[bool] = ..., strains: _Optional[_Iterable[_Union[_cards_pb2.Strain, str]]] = ...) -> None: ...

class FiveTrickScoring(_message.Message):
    __slots__ = ("three_or_four", "march", "lone_march", "euchre", "makers_none", "lone_euchre")
    THREE_OR_FOUR_FIELD_NUMBER: _ClassVar[int]
    MARCH_FIELD_NUMBER: _ClassVar[int]
    LONE_MARCH_FIELD_NUMBER: _ClassVar[int]
    EUCHRE_FIELD_NUMBER: _ClassVar[int]
    MAKERS_NONE_FIELD_NUMBER: _ClassVar[int]
    LONE_EUCHRE_FIELD_NUMBER: _ClassVar[int]
    three_or_four: int
    march: int
    lone_march: int
    euchre: int
    makers_none: int
    lone_euchre: int
    def __init__(self, three_or_four: _Optional[int] = ..., march: _Optional[int] = ..., lone_march: _Optional[int] = ..., euchre: _Optional[int] = ..., makers_none: _Optional[int] = ..., lone_euchre: _Optional[int] = ...) -> None: ...

class BonusScoring(_message.Message):
    __slots__ = ("three_or_more", "defenders", "alone", "all_five", "makers_none_and_alone")
    THREE_OR_MORE_FIELD_NUMBER: _ClassVar[int]
    DEFENDERS_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    ALL_FIVE_FIELD_NUMBER: _ClassVar[int]
    MAKERS_NONE_AND_ALONE_FIELD_NUMBER: _ClassVar[int]
    three_or_more: int
    defenders: int
    alone: int
    all_five: int
    makers_none_and_alone: int
    def __init__(self, three_or_more: _Optional[int] = ..., defenders: _Optional[int] = ..., alone: _Optional[int] = ..., all_five: _Optional[int] = ..., makers_none_and_alone: _Optional[int] = ...) -> None: ...

class ContractScoring(_message.Message):
    __slots__ = ("set_cost", "made_top_bid", "made_top_value", "lone_value_by_cards_received")
    SET_COST_FIELD_NUMBER: _ClassVar[int]
    MADE_TOP_BID_FIELD_NUMBER: _ClassVar[int]
    MADE_TOP_VALUE_FIELD_NUMBER: _ClassVar[int]
    LONE_VALUE_BY_CARDS_RECEIVED_FIELD_NUMBER: _ClassVar[int]
    set_cost: int
    made_top_bid: int
    made_top_value: int
    lone_value_by_cards_received: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, set_cost: _Optional[int] = ..., made_top_bid: _Optional[int] = ..., made_top_value: _Optional[int] = ..., lone_value_by_cards_received: _Optional[_Iterable[int]] = ...) -> None: ...

class BidValueScoring(_message.Message):
    __slots__ = ("made_to_each_of_side", "set_to_each_opponent")
    MADE_TO_EACH_OF_SIDE_FIELD_NUMBER: _ClassVar[int]
    SET_TO_EACH_OPPONENT_FIELD_NUMBER: _ClassVar[int]
    made_to_each_of_side: bool
    set_to_each_opponent: bool
    def __init__(self, made_to_each_of_side: _Optional[bool] = ..., set_to_each_opponent: _Optional[bool] = ...) -> None: ...

class CountdownScoring(_message.Message):
    __slots__ = ("maker_needs", "others_need", "penalty", "instant_win_tricks")
    MAKER_NEEDS_FIELD_NUMBER: _ClassVar[int]
    OTHERS_NEED_FIELD_NUMBER: _ClassVar[int]
    PENALTY_FIELD_NUMBER: _ClassVar[int]
    INSTANT_WIN_TRICKS_FIELD_NUMBER: _ClassVar[int]
    maker_needs: int
    others_need: int
    penalty: int
    instant_win_tricks: int
    def __init__(self, maker_needs: _Optional[int] = ..., others_need: _Optional[int] = ..., penalty: _Optional[int] = ..., instant_win_tricks: _Optional[int] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("name", "value", "default_value", "allowed", "minimum", "maximum", "rules")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    default_value: str
    allowed: _containers.RepeatedScalarFieldContainer[str]
    minimum: int
    maximum: int
    rules: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., default_value: _Optional[str] = ..., allowed: _Optional[_Iterable[str]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ..., rules: _Optional[str] = ...) -> None: ...

class Variant(_message.Message):
    __slots__ = ("id", "preset", "name", "section", "seats", "sides", "alliance", "deck", "hand_size", "upcard", "kitty", "widow", "idle", "duplicates", "strains", "orders", "phases", "bids", "strain_in_bid", "equal_bid_outbids", "five_trick", "bonus", "contract", "bid_value", "countdown", "counts_down", "target", "several_at_goal", "renege_award", "options", "relabelings", "fewest_questions", "most_questions", "card_order", "trump_making")
    ID_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    ALLIANCE_FIELD_NUMBER: _ClassVar[int]
    DECK_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    WIDOW_FIELD_NUMBER: _ClassVar[int]
    IDLE_FIELD_NUMBER: _ClassVar[int]
    DUPLICATES_FIELD_NUMBER: _ClassVar[int]
    STRAINS_FIELD_NUMBER: _ClassVar[int]
    ORDERS_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    BIDS_FIELD_NUMBER: _ClassVar[int]
    STRAIN_IN_BID_FIELD_NUMBER: _ClassVar[int]
    EQUAL_BID_OUTBIDS_FIELD_NUMBER: _ClassVar[int]
    FIVE_TRICK_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    BID_VALUE_FIELD_NUMBER: _ClassVar[int]
    COUNTDOWN_FIELD_NUMBER: _ClassVar[int]
    COUNTS_DOWN_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SEVERAL_AT_GOAL_FIELD_NUMBER: _ClassVar[int]
    RENEGE_AWARD_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RELABELINGS_FIELD_NUMBER: _ClassVar[int]
    FEWEST_QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    MOST_QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    CARD_ORDER_FIELD_NUMBER: _ClassVar[int]
    TRUMP_MAKING_FIELD_NUMBER: _ClassVar[int]
    id: str
    preset: str
    name: str
    section: str
    seats: int
    sides: _containers.RepeatedCompositeFieldContainer[Side]
    alliance: Alliance
    deck: _containers.RepeatedCompositeFieldContainer[DeckCard]
    hand_size: int
    upcard: bool
    kitty: int
    widow: int
    idle: int
    duplicates: str
    strains: _containers.RepeatedScalarFieldContainer[_cards_pb2.Strain]
    orders: _containers.RepeatedCompositeFieldContainer[StrainOrder]
    phases: _containers.RepeatedScalarFieldContainer[PhaseKind]
    bids: _containers.RepeatedCompositeFieldContainer[BidRung]
    strain_in_bid: bool
    equal_bid_outbids: bool
    five_trick: FiveTrickScoring
    bonus: BonusScoring
    contract: ContractScoring
    bid_value: BidValueScoring
    countdown: CountdownScoring
    counts_down: bool
    target: int
    several_at_goal: str
    renege_award: int
    options: _containers.RepeatedCompositeFieldContainer[Option]
    relabelings: _containers.RepeatedScalarFieldContainer[str]
    fewest_questions: int
    most_questions: int
    card_order: str
    trump_making: str
    def __init__(self, id: _Optional[str] = ..., preset: _Optional[str] = ..., name: _Optional[str] = ..., section: _Optional[str] = ..., seats: _Optional[int] = ..., sides: _Optional[_Iterable[_Union[Side, _Mapping]]] = ..., alliance: _Optional[_Union[Alliance, str]] = ..., deck: _Optional[_Iterable[_Union[DeckCard, _Mapping]]] = ..., hand_size: _Optional[int] = ..., upcard: _Optional[bool] = ..., kitty: _Optional[int] = ..., widow: _Optional[int] = ..., idle: _Optional[int] = ..., duplicates: _Optional[str] = ..., strains: _Optional[_Iterable[_Union[_cards_pb2.Strain, str]]] = ..., orders: _Optional[_Iterable[_Union[StrainOrder, _Mapping]]] = ..., phases: _Optional[_Iterable[_Union[PhaseKind, str]]] = ..., bids: _Optional[_Iterable[_Union[BidRung, _Mapping]]] = ..., strain_in_bid: _Optional[bool] = ..., equal_bid_outbids: _Optional[bool] = ..., five_trick: _Optional[_Union[FiveTrickScoring, _Mapping]] = ..., bonus: _Optional[_Union[BonusScoring, _Mapping]] = ..., contract: _Optional[_Union[ContractScoring, _Mapping]] = ..., bid_value: _Optional[_Union[BidValueScoring, _Mapping]] = ..., countdown: _Optional[_Union[CountdownScoring, _Mapping]] = ..., counts_down: _Optional[bool] = ..., target: _Optional[int] = ..., several_at_goal: _Optional[str] = ..., renege_award: _Optional[int] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping]]] = ..., relabelings: _Optional[_Iterable[str]] = ..., fewest_questions: _Optional[int] = ..., most_questions: _Optional[int] = ..., card_order: _Optional[str] = ..., trump_making: _Optional[str] = ...) -> None: ...
