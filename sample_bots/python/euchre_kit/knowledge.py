"""What one seat can tell from a question: a summary of its history."""

from __future__ import annotations

from euchre.v1 import play_pb2
from euchre_kit.variant import Variant


class Knowledge:
    """What the seat asked knows beyond its own cards (made from one request, in a few dozen microseconds)."""

    def __init__(self, request: play_pb2.DecisionRequest, variant: Variant) -> None:
        self.request = request
        self.variant = variant
