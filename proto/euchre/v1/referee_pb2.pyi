from euchre.v1 import play_pb2 as _play_pb2
from euchre.v1 import variants_pb2 as _variants_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListVariantsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class VariantSummary(_message.Message):
    __slots__ = ("id", "name", "seats")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    seats: int
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., seats: _Optional[int] = ...) -> None: ...

class ListVariantsResponse(_message.Message):
    __slots__ = ("variants",)
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    variants: _containers.RepeatedCompositeFieldContainer[VariantSummary]
    def __init__(self, variants: _Optional[_Iterable[_Union[VariantSummary, _Mapping]]] = ...) -> None: ...

class DescribeVariantRequest(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: str
    def __init__(self, variant: _Optional[str] = ...) -> None: ...

class DescribeVariantResponse(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: _variants_pb2.Variant
    def __init__(self, variant: _Optional[_Union[_variants_pb2.Variant, _Mapping]] = ...) -> None: ...
