"""What an event decides about clocks, faults and limits: one frozen value, checked when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LONGEST_SECONDS: Final = 86_400.0
"""No single limit of time is longer than a day; a larger number is a slip of the pen."""


class PolicyError(ValueError):
    """A setting that makes no sense. The organiser's mistake; the message names the setting and its bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The settings of an event. Seconds are monotonic; sizes are bytes unless the name says otherwise.

    :raises PolicyError: for a value out of bounds.
    """

    # -- clocks ------------------------------------------------------------------------------------
    decision_seconds: float = 1.0
    """Time for one decision, from the moment the request is handed to the transport."""
    bank_seconds: float = 0.0
    """Extra time of a seat for a whole game; only what exceeds ``decision_seconds`` draws from it."""
    allowance_seconds: float = 0.05
    """Transport time granted on top of every decision and never charged. Not saved up, not owed."""

    gather_seconds: float = 0.001
    """While most open requests of a stream are on the way or being thought about, new ones wait at most so long, so
    that they leave together. A bot that has one table never waits; the clock begins when the frame leaves."""

    # -- faults ------------------------------------------------------------------------------------
    strikes: int = 3
    """At this many strikes in one game the side forfeits it."""
    grace_seconds: float = 5.0
    """How long an instance may be away, all its lost streams together, before it counts as lost. Every loss
    costs at least a tenth of it, so time can be gained by going and coming neither once nor often."""

    # -- games -------------------------------------------------------------------------------------
    max_hands: int = 200
    """Hands after which a game is adjudicated (SRV-LIMIT-1); claimed deals of one board count too."""

    # -- doors and limits --------------------------------------------------------------------------
    socket_mode: int = 0o660
    """Permissions of a unix socket's file."""
    hello_seconds: float = 5.0
    """Time from opening a stream to its Hello."""
    goodbye_seconds: float = 1.0
    """Time a bot has to half-close after Goodbye."""
    ping_seconds: float = 10.0
    """Silence after which a stream is pinged; after as long again without a sign of life it is lost."""
    max_frame_bytes: int = 1 << 18
    """Largest frame accepted from a bot; larger ones end the call with ``RESOURCE_EXHAUSTED``."""
    max_replies_per_frame: int = 4096
    """Replies in one frame; more end the call with ``RESOURCE_EXHAUSTED``."""
    max_tables_per_stream: int = 256
    """Tables one instance can sit at; a bot may ask for fewer in its Hello."""
    max_unread_bytes: int = 1 << 23
    """Output waiting for one bot that does not read; beyond it the stream is closed."""
    max_streams: int = 1024
    """Open streams of the whole referee, those still without a Hello included."""
    max_new_streams_per_second: int = 500
    """Streams opened in a second, whoever opens them; more are refused with ``RESOURCE_EXHAUSTED``."""
    max_stray_frames_per_second: int = 300
    """Frames and replies that answer no open decision (stale, empty) a bot may send in a second, and at once. An
    honest one sends at most one for each of its tables."""
    pause_after_illegal_seconds: float = 0.02
    """For every reply that could not be used, a stream is not read for so long (a quarter of a second at most), so that
    a bot which answers nonsense as fast as it can takes no processor time from the others. Its clocks go on."""

    def __post_init__(self) -> None:
        for name in ("decision_seconds", "hello_seconds", "goodbye_seconds", "ping_seconds"):
            self._check(name, 0.001, LONGEST_SECONDS)
        for name in (
            "bank_seconds",
            "allowance_seconds",
            "gather_seconds",
            "grace_seconds",
            "pause_after_illegal_seconds",
        ):
            self._check(name, 0.0, LONGEST_SECONDS)
        for name in ("strikes", "max_hands", "max_tables_per_stream", "max_streams", "max_new_streams_per_second"):
            self._check(name, 1, 1_000_000)
        self._check("max_replies_per_frame", 1, 1 << 20)
        self._check("socket_mode", 0o600, 0o777)
        self._check("max_frame_bytes", 1 << 10, 1 << 26)
        self._check("max_unread_bytes", 1 << 14, 1 << 30)
        self._check("max_stray_frames_per_second", 1, 1_000_000)

    def _check(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise PolicyError(f"{name} = {value!r}: it may be {low:g} to {high:g}")
