from euchre.v1 import actions_pb2 as _actions_pb2
from euchre.v1 import cards_pb2 as _cards_pb2
from euchre.v1 import variants_pb2 as _variants_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HandEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HAND_END_UNSPECIFIED: _ClassVar[HandEnd]
    HAND_END_PLAYED: _ClassVar[HandEnd]
    HAND_END_THROWN_IN: _ClassVar[HandEnd]
    HAND_END_CLAIMED: _ClassVar[HandEnd]
    HAND_END_RENEGE: _ClassVar[HandEnd]
    HAND_END_TABLE_TALK: _ClassVar[HandEnd]
    HAND_END_FORFEIT: _ClassVar[HandEnd]

class GameEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_END_UNSPECIFIED: _ClassVar[GameEnd]
    GAME_END_RULES: _ClassVar[GameEnd]
    GAME_END_BOARD: _ClassVar[GameEnd]
    GAME_END_HAND_LIMIT: _ClassVar[GameEnd]
    GAME_END_FORFEIT: _ClassVar[GameEnd]
    GAME_END_STOPPED: _ClassVar[GameEnd]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_TIMEOUT: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL: _ClassVar[FaultKind]
    FAULT_KIND_RENEGE: _ClassVar[FaultKind]
    FAULT_KIND_DISCONNECT: _ClassVar[FaultKind]
    FAULT_KIND_FORFEIT: _ClassVar[FaultKind]
    FAULT_KIND_STALE: _ClassVar[FaultKind]
HAND_END_UNSPECIFIED: HandEnd
HAND_END_PLAYED: HandEnd
HAND_END_THROWN_IN: HandEnd
HAND_END_CLAIMED: HandEnd
HAND_END_RENEGE: HandEnd
HAND_END_TABLE_TALK: HandEnd
HAND_END_FORFEIT: HandEnd
GAME_END_UNSPECIFIED: GameEnd
GAME_END_RULES: GameEnd
GAME_END_BOARD: GameEnd
GAME_END_HAND_LIMIT: GameEnd
GAME_END_FORFEIT: GameEnd
GAME_END_STOPPED: GameEnd
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_TIMEOUT: FaultKind
FAULT_KIND_ILLEGAL: FaultKind
FAULT_KIND_RENEGE: FaultKind
FAULT_KIND_DISCONNECT: FaultKind
FAULT_KIND_FORFEIT: FaultKind
FAULT_KIND_STALE: FaultKind

class Hello(_message.Message):
    __slots__ = ("protocol_version", "name", "token", "variants", "tables", "version")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    name: str
    token: str
    variants: _containers.RepeatedScalarFieldContainer[str]
    tables: int
    version: str
    def __init__(self, protocol_version: _Optional[int] = ..., name: _Optional[str] = ..., token: _Optional[str] = ..., variants: _Optional[_Iterable[str]] = ..., tables: _Optional[int] = ..., version: _Optional[str] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol_version", "tables", "decision_limit_milliseconds", "strikes", "grace_milliseconds")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    DECISION_LIMIT_MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    GRACE_MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    tables: int
    decision_limit_milliseconds: int
    strikes: int
    grace_milliseconds: int
    def __init__(self, protocol_version: _Optional[int] = ..., tables: _Optional[int] = ..., decision_limit_milliseconds: _Optional[int] = ..., strikes: _Optional[int] = ..., grace_milliseconds: _Optional[int] = ...) -> None: ...

class TrickCard(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: _cards_pb2.Card
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class CardChoice(_message.Message):
    __slots__ = ("kind", "cards", "minimum", "maximum")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    kind: _actions_pb2.ActionKind
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    minimum: int
    maximum: int
    def __init__(self, kind: _Optional[_Union[_actions_pb2.ActionKind, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ...) -> None: ...

class DecisionRequest(_message.Message):
    __slots__ = ("decision_id", "table_id", "variant", "hand", "seat", "dealer", "totals", "phase", "cards", "upcard", "strain", "maker", "bid", "bidder", "loners", "active", "tricks_won", "trick", "history", "options", "choice", "limit_milliseconds", "bank_milliseconds")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    STRAIN_FIELD_NUMBER: _ClassVar[int]
    MAKER_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    BIDDER_FIELD_NUMBER: _ClassVar[int]
    LONERS_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    TRICKS_WON_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    BANK_MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    table_id: int
    variant: str
    hand: int
    seat: int
    dealer: int
    totals: _containers.RepeatedScalarFieldContainer[int]
    phase: _variants_pb2.PhaseKind
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    upcard: _cards_pb2.Card
    strain: _cards_pb2.Strain
    maker: int
    bid: _actions_pb2.Bid
    bidder: int
    loners: _containers.RepeatedScalarFieldContainer[int]
    active: _containers.RepeatedScalarFieldContainer[int]
    tricks_won: _containers.RepeatedScalarFieldContainer[int]
    trick: _containers.RepeatedCompositeFieldContainer[TrickCard]
    history: _containers.RepeatedCompositeFieldContainer[_actions_pb2.Event]
    options: _containers.RepeatedCompositeFieldContainer[_actions_pb2.Action]
    choice: CardChoice
    limit_milliseconds: int
    bank_milliseconds: int
    def __init__(self, decision_id: _Optional[int] = ..., table_id: _Optional[int] = ..., variant: _Optional[str] = ..., hand: _Optional[int] = ..., seat: _Optional[int] = ..., dealer: _Optional[int] = ..., totals: _Optional[_Iterable[int]] = ..., phase: _Optional[_Union[_variants_pb2.PhaseKind, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., upcard: _Optional[_Union[_cards_pb2.Card, str]] = ..., strain: _Optional[_Union[_cards_pb2.Strain, str]] = ..., maker: _Optional[int] = ..., bid: _Optional[_Union[_actions_pb2.Bid, _Mapping]] = ..., bidder: _Optional[int] = ..., loners: _Optional[_Iterable[int]] = ..., active: _Optional[_Iterable[int]] = ..., tricks_won: _Optional[_Iterable[int]] = ..., trick: _Optional[_Iterable[_Union[TrickCard, _Mapping]]] = ..., history: _Optional[_Iterable[_Union[_actions_pb2.Event, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[_actions_pb2.Action, _Mapping]]] = ..., choice: _Optional[_Union[CardChoice, _Mapping]] = ..., limit_milliseconds: _Optional[int] = ..., bank_milliseconds: _Optional[int] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("decision_id", "option", "action", "confidence", "note")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    OPTION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    option: int
    action: _actions_pb2.Action
    confidence: float
    note: str
    def __init__(self, decision_id: _Optional[int] = ..., option: _Optional[int] = ..., action: _Optional[_Union[_actions_pb2.Action, _Mapping]] = ..., confidence: _Optional[float] = ..., note: _Optional[str] = ...) -> None: ...

class TableOpened(_message.Message):
    __slots__ = ("table_id", "variant", "seat")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    table_id: int
    variant: str
    seat: int
    def __init__(self, table_id: _Optional[int] = ..., variant: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class Cards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class HandEnded(_message.Message):
    __slots__ = ("table_id", "hand", "end", "points", "totals", "tricks_won", "dealt", "upcard", "undealt", "history", "offender")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_WON_FIELD_NUMBER: _ClassVar[int]
    DEALT_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    UNDEALT_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    OFFENDER_FIELD_NUMBER: _ClassVar[int]
    table_id: int
    hand: int
    end: HandEnd
    points: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    tricks_won: _containers.RepeatedScalarFieldContainer[int]
    dealt: _containers.RepeatedCompositeFieldContainer[Cards]
    upcard: _cards_pb2.Card
    undealt: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    history: _containers.RepeatedCompositeFieldContainer[_actions_pb2.Event]
    offender: int
    def __init__(self, table_id: _Optional[int] = ..., hand: _Optional[int] = ..., end: _Optional[_Union[HandEnd, str]] = ..., points: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., tricks_won: _Optional[_Iterable[int]] = ..., dealt: _Optional[_Iterable[_Union[Cards, _Mapping]]] = ..., upcard: _Optional[_Union[_cards_pb2.Card, str]] = ..., undealt: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., history: _Optional[_Iterable[_Union[_actions_pb2.Event, _Mapping]]] = ..., offender: _Optional[int] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("table_id", "end", "totals", "winners")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    table_id: int
    end: GameEnd
    totals: _containers.RepeatedScalarFieldContainer[int]
    winners: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, table_id: _Optional[int] = ..., end: _Optional[_Union[GameEnd, str]] = ..., totals: _Optional[_Iterable[int]] = ..., winners: _Optional[_Iterable[int]] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("kind", "table_id", "decision_id", "message", "instead", "strikes_left")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    INSTEAD_FIELD_NUMBER: _ClassVar[int]
    STRIKES_LEFT_FIELD_NUMBER: _ClassVar[int]
    kind: FaultKind
    table_id: int
    decision_id: int
    message: str
    instead: _actions_pb2.Action
    strikes_left: int
    def __init__(self, kind: _Optional[_Union[FaultKind, str]] = ..., table_id: _Optional[int] = ..., decision_id: _Optional[int] = ..., message: _Optional[str] = ..., instead: _Optional[_Union[_actions_pb2.Action, _Mapping]] = ..., strikes_left: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("table_opened", "hand_ended", "game_ended", "fault")
    TABLE_OPENED_FIELD_NUMBER: _ClassVar[int]
    HAND_ENDED_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    table_opened: TableOpened
    hand_ended: HandEnded
    game_ended: GameEnded
    fault: Fault
    def __init__(self, table_opened: _Optional[_Union[TableOpened, _Mapping]] = ..., hand_ended: _Optional[_Union[HandEnded, _Mapping]] = ..., game_ended: _Optional[_Union[GameEnded, _Mapping]] = ..., fault: _Optional[_Union[Fault, _Mapping]] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class BotFrame(_message.Message):
    __slots__ = ("hello", "replies", "pong")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    REPLIES_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    replies: _containers.RepeatedCompositeFieldContainer[Reply]
    pong: Ping
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., replies: _Optional[_Iterable[_Union[Reply, _Mapping]]] = ..., pong: _Optional[_Union[Ping, _Mapping]] = ...) -> None: ...

class RefereeFrame(_message.Message):
    __slots__ = ("welcome", "notices", "requests", "ping", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    requests: _containers.RepeatedCompositeFieldContainer[DecisionRequest]
    ping: Ping
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., requests: _Optional[_Iterable[_Union[DecisionRequest, _Mapping]]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...
