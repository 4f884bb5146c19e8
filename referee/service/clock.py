"""Deadlines and banks. Time is a parameter: monotonic seconds, read by whoever calls.

The time of a decision runs from the moment its request is handed to the transport to the arrival of the reply,
less the measured transport time of the stream, which counts up to the policy's allowance. The deadline grants the
whole allowance to everybody; nothing of it is saved for a later decision.
"""

from __future__ import annotations

import heapq
import math
from typing import Final, Protocol

NEVER: Final = math.inf


class Timed(Protocol):
    """Something with a deadline. Changing or clearing the deadline makes its older entries void."""

    deadline: float


class Deadlines:
    """The open deadlines, the earliest first.

    What leaves in one frame is due at one time, so an entry is a list. Nothing is removed when a decision is answered:
    it is void because its ``deadline`` has changed. Void ones are swept out when they outnumber the living, so memory
    stays in proportion to what is open.
    """

    __slots__ = ("_count", "_entries", "_held", "_sweep_at")

    _LEAST = 1024

    def __init__(self) -> None:
        self._entries: list[tuple[float, int, list[Timed]]] = []
        self._count = 0
        self._held = 0
        """Things in all entries."""
        self._sweep_at = self._LEAST

    def __len__(self) -> int:
        """Return the number of things held, void ones included."""
        return self._held

    def set(self, timed: Timed, deadline: float) -> None:
        """Let *timed* be due at *deadline* and at no other time."""
        timed.deadline = deadline
        self.add([timed], deadline)

    def add(self, together: list[Timed], deadline: float) -> None:
        """Keep things whose ``deadline`` has been set to *deadline* already; the list is kept too."""
        self._count += 1
        heapq.heappush(self._entries, (deadline, self._count, together))
        self._held += len(together)
        if self._held > self._sweep_at:
            self._sweep()

    def _sweep(self) -> None:
        living = []
        self._held = 0
        for deadline, count, together in self._entries:
            left = [timed for timed in together if timed.deadline == deadline]
            if left:
                living.append((deadline, count, left))
                self._held += len(left)
        heapq.heapify(living)
        self._entries = living
        self._sweep_at = max(self._LEAST, 2 * self._held)

    @staticmethod
    def clear(timed: Timed) -> None:
        """Let *timed* be due never."""
        timed.deadline = NEVER

    def next(self) -> float:
        """Return the earliest deadline, ``NEVER`` if there is none. It may be a void one."""
        return self._entries[0][0] if self._entries else NEVER

    def due(self, now: float) -> list[Timed]:
        """Remove and return what is due at *now*, the earliest first, equals in the order they were set."""
        found = []
        while self._entries and self._entries[0][0] <= now:
            deadline, _, together = heapq.heappop(self._entries)
            self._held -= len(together)
            for timed in together:
                if timed.deadline == deadline:
                    timed.deadline = NEVER
                    found.append(timed)
        return found


class Pulse:
    """Tells our own delay: it beats every *interval*, and a beat that comes late says for how long nobody looked.

    What is read after such a gap may have lain there since its beginning, so that is when it counts as arrived, for as
    long as what piled up may take to be read.
    """

    __slots__ = ("_at", "_interval", "_since", "_slack", "_until")

    _LONGEST_RESPITE = 0.25

    def __init__(self, now: float, interval: float, slack: float) -> None:
        self._interval = interval
        self._slack = slack
        self._at = now
        self._since = now
        self._until = now

    def beat(self, now: float) -> float:
        """Note that the loop is alive; return for how many seconds it was held up, zero if it was not."""
        late = now - self._at - self._interval
        if late > self._slack:
            if now >= self._until:
                self._since = self._at
            self._until = now + min(late, self._LONGEST_RESPITE)
        self._at = now
        return max(0.0, late)

    def arrival(self, now: float) -> float:
        """Return when something that is read at *now* arrived, by the benefit of the doubt."""
        if now < self._until:
            return self._since
        if now - self._at - self._interval > self._slack:
            return self._at
        return now


class Rate:
    """Tells when something happens more often than *per_second*, with bursts of as many allowed."""

    __slots__ = ("_left", "_per_second", "_then")

    def __init__(self, per_second: int, now: float) -> None:
        self._per_second = per_second
        self._left = float(per_second)
        self._then = now

    def is_exceeded(self, now: float) -> bool:
        """Count one more at *now*; tell whether it is one too many."""
        self._left = min(self._per_second, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left < 1.0:
            return True
        self._left -= 1.0
        return False
