from euchre.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_NO_CLAIM: _ClassVar[ActionKind]
    ACTION_KIND_CLAIM_REDEAL: _ClassVar[ActionKind]
    ACTION_KIND_PASS: _ClassVar[ActionKind]
    ACTION_KIND_ORDER_UP: _ClassVar[ActionKind]
    ACTION_KIND_ORDER_UP_ALONE: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_DOWN_ALONE: _ClassVar[ActionKind]
    ACTION_KIND_TURN_DOWN: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_UP: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_UP_ALONE: _ClassVar[ActionKind]
    ACTION_KIND_NAME: _ClassVar[ActionKind]
    ACTION_KIND_NAME_ALONE: _ClassVar[ActionKind]
    ACTION_KIND_NAME_BLIND: _ClassVar[ActionKind]
    ACTION_KIND_LEAVE_UPCARD: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_UPCARD: _ClassVar[ActionKind]
    ACTION_KIND_DISCARD: _ClassVar[ActionKind]
    ACTION_KIND_BID: _ClassVar[ActionKind]
    ACTION_KIND_CHOOSE: _ClassVar[ActionKind]
    ACTION_KIND_NOT_ALONE: _ClassVar[ActionKind]
    ACTION_KIND_ALONE: _ClassVar[ActionKind]
    ACTION_KIND_NO_ASK: _ClassVar[ActionKind]
    ACTION_KIND_ASK: _ClassVar[ActionKind]
    ACTION_KIND_GIVE: _ClassVar[ActionKind]
    ACTION_KIND_NO_OFFER: _ClassVar[ActionKind]
    ACTION_KIND_OFFER: _ClassVar[ActionKind]
    ACTION_KIND_DECLINE: _ClassVar[ActionKind]
    ACTION_KIND_ACCEPT: _ClassVar[ActionKind]
    ACTION_KIND_NO_CALL: _ClassVar[ActionKind]
    ACTION_KIND_CALL_BEST: _ClassVar[ActionKind]
    ACTION_KIND_NO_SWAP: _ClassVar[ActionKind]
    ACTION_KIND_SWAP: _ClassVar[ActionKind]
    ACTION_KIND_LEAVE_WIDOW: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_WIDOW: _ClassVar[ActionKind]
    ACTION_KIND_KEEP_HAND: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_HAND: _ClassVar[ActionKind]
    ACTION_KIND_SWAP_KITTY: _ClassVar[ActionKind]
    ACTION_KIND_KEEP_UPCARD: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_AND_SHOW: _ClassVar[ActionKind]
    ACTION_KIND_STAY: _ClassVar[ActionKind]
    ACTION_KIND_DROP: _ClassVar[ActionKind]
    ACTION_KIND_CALL_SUIT: _ClassVar[ActionKind]
    ACTION_KIND_CALL_CARD: _ClassVar[ActionKind]
    ACTION_KIND_PLAY: _ClassVar[ActionKind]

class BidName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BID_NAME_UNSPECIFIED: _ClassVar[BidName]
    BID_NAME_NUMBER: _ClassVar[BidName]
    BID_NAME_ALONE: _ClassVar[BidName]
    BID_NAME_ALONE1: _ClassVar[BidName]
    BID_NAME_ALONE2: _ClassVar[BidName]
    BID_NAME_MOON: _ClassVar[BidName]
    BID_NAME_SEVEN_ALONE: _ClassVar[BidName]
    BID_NAME_EIGHT_ALONE: _ClassVar[BidName]
    BID_NAME_LITTLE_PEPPER: _ClassVar[BidName]
    BID_NAME_BIG_PEPPER: _ClassVar[BidName]
    BID_NAME_MISERE: _ClassVar[BidName]
    BID_NAME_NAP: _ClassVar[BidName]
    BID_NAME_WELLINGTON: _ClassVar[BidName]
    BID_NAME_BLUCHER: _ClassVar[BidName]
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_NO_CLAIM: ActionKind
ACTION_KIND_CLAIM_REDEAL: ActionKind
ACTION_KIND_PASS: ActionKind
ACTION_KIND_ORDER_UP: ActionKind
ACTION_KIND_ORDER_UP_ALONE: ActionKind
ACTION_KIND_TAKE_DOWN_ALONE: ActionKind
ACTION_KIND_TURN_DOWN: ActionKind
ACTION_KIND_TAKE_UP: ActionKind
ACTION_KIND_TAKE_UP_ALONE: ActionKind
ACTION_KIND_NAME: ActionKind
ACTION_KIND_NAME_ALONE: ActionKind
ACTION_KIND_NAME_BLIND: ActionKind
ACTION_KIND_LEAVE_UPCARD: ActionKind
ACTION_KIND_TAKE_UPCARD: ActionKind
ACTION_KIND_DISCARD: ActionKind
ACTION_KIND_BID: ActionKind
ACTION_KIND_CHOOSE: ActionKind
ACTION_KIND_NOT_ALONE: ActionKind
ACTION_KIND_ALONE: ActionKind
ACTION_KIND_NO_ASK: ActionKind
ACTION_KIND_ASK: ActionKind
ACTION_KIND_GIVE: ActionKind
ACTION_KIND_NO_OFFER: ActionKind
ACTION_KIND_OFFER: ActionKind
ACTION_KIND_DECLINE: ActionKind
ACTION_KIND_ACCEPT: ActionKind
ACTION_KIND_NO_CALL: ActionKind
ACTION_KIND_CALL_BEST: ActionKind
ACTION_KIND_NO_SWAP: ActionKind
ACTION_KIND_SWAP: ActionKind
ACTION_KIND_LEAVE_WIDOW: ActionKind
ACTION_KIND_TAKE_WIDOW: ActionKind
ACTION_KIND_KEEP_HAND: ActionKind
ACTION_KIND_TAKE_HAND: ActionKind
ACTION_KIND_SWAP_KITTY: ActionKind
ACTION_KIND_KEEP_UPCARD: ActionKind
ACTION_KIND_TAKE_AND_SHOW: ActionKind
ACTION_KIND_STAY: ActionKind
ACTION_KIND_DROP: ActionKind
ACTION_KIND_CALL_SUIT: ActionKind
ACTION_KIND_CALL_CARD: ActionKind
ACTION_KIND_PLAY: ActionKind
BID_NAME_UNSPECIFIED: BidName
BID_NAME_NUMBER: BidName
BID_NAME_ALONE: BidName
BID_NAME_ALONE1: BidName
BID_NAME_ALONE2: BidName
BID_NAME_MOON: BidName
BID_NAME_SEVEN_ALONE: BidName
BID_NAME_EIGHT_ALONE: BidName
BID_NAME_LITTLE_PEPPER: BidName
BID_NAME_BIG_PEPPER: BidName
BID_NAME_MISERE: BidName
BID_NAME_NAP: BidName
BID_NAME_WELLINGTON: BidName
BID_NAME_BLUCHER: BidName

class Bid(_message.Message):
    __slots__ = ("name", "number")
    NAME_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    name: BidName
    number: int
    def __init__(self, name: _Optional[_Union[BidName, str]] = ..., number: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "cards", "strain", "bid", "seat")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    STRAIN_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    strain: _cards_pb2.Strain
    bid: Bid
    seat: int
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., strain: _Optional[_Union[_cards_pb2.Strain, str]] = ..., bid: _Optional[_Union[Bid, _Mapping]] = ..., seat: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("seat", "action", "hidden_cards", "forced")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_CARDS_FIELD_NUMBER: _ClassVar[int]
    FORCED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action: Action
    hidden_cards: int
    forced: bool
    def __init__(self, seat: _Optional[int] = ..., action: _Optional[_Union[Action, _Mapping]] = ..., hidden_cards: _Optional[int] = ..., forced: _Optional[bool] = ...) -> None: ...
