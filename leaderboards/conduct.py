"""The written rule by which an entrant is put out of a night, and what counts then.

**An entrant is quarantined as soon as more than half of its last twenty legs were bad.** A leg is bad for an entrant
that had a timeout, an unlawful answer, a lost stream or a forfeit in it; a renege does not make it bad, the rules of
the game punish that. The legs are looked at in schedule order, so the same legs lead to the same verdict whatever was
played first. What the entrant played up to and with that leg counts; later legs of the night in which it sat are
kept, but count nowhere, and no more are begun.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from leaderboards.results import HOUSE, LegResult

WINDOW_LEGS: Final = 20
"""The legs looked at; before an entrant has played so many it is not quarantined."""
MOST_BAD_LEGS: Final = 10
"""Legs among them that may be bad."""
BAD_FAULTS: Final = frozenset({"timeout", "illegal", "disconnect", "forfeit"})
"""Kinds of fault that make a leg bad."""

Place: TypeAlias = tuple[int, int, int]
"""(pairing, board, leg)."""


@dataclass(frozen=True, slots=True)
class LegConduct:
    """Who sat in a leg, and who misbehaved."""

    place: Place
    entrants: frozenset[str]
    offenders: frozenset[str]


def conduct_of(leg: LegResult) -> LegConduct:
    """Return how the rated entrants of *leg* behaved."""
    offenders = {fault.entrant for fault in leg.faults if fault.kind in BAD_FAULTS} | set(leg.forfeited)
    return LegConduct((leg.pairing, leg.board, leg.leg), leg.entrants, frozenset(offenders - {HOUSE}))


class Conduct:
    """The record of every entrant of one night, leg by leg in schedule order."""

    def __init__(self) -> None:
        self.quarantined: dict[str, Place] = {}
        """The last leg that counts, by entrant that was put out."""
        self._recent: dict[str, deque[bool]] = {}

    def add(self, leg: LegConduct) -> list[str]:
        """Take the next leg; return who is put out by it, in order of name."""
        put_out = []
        for entrant in sorted(leg.entrants - self.quarantined.keys()):
            recent = self._recent.setdefault(entrant, deque(maxlen=WINDOW_LEGS))
            recent.append(entrant in leg.offenders)
            if len(recent) == WINDOW_LEGS and sum(recent) > MOST_BAD_LEGS:
                self.quarantined[entrant] = leg.place
                put_out.append(entrant)
        return put_out

    def counts(self, leg: LegConduct) -> bool:
        """Tell whether a leg that has been looked at counts: nobody in it had been put out before it."""
        return all(leg.place <= self.quarantined.get(entrant, leg.place) for entrant in leg.entrants)


def quarantines(legs: Iterable[LegResult]) -> Mapping[str, Place]:
    """Return the last leg that counts of every entrant put out, of *legs* of one night in any order."""
    conduct = Conduct()
    for leg in sorted(map(conduct_of, legs), key=lambda leg: leg.place):
        conduct.add(leg)
    return conduct.quarantined


def counted(legs: Iterable[LegResult]) -> list[LegResult]:
    """Return the legs that count, in the order given; nights are judged apart."""
    kept = list(legs)
    nights: dict[str, Conduct] = {}
    for night, leg in sorted(((leg.night, conduct_of(leg)) for leg in kept), key=lambda item: (item[0], item[1].place)):
        nights.setdefault(night, Conduct()).add(leg)
    return [leg for leg in kept if nights[leg.night].counts(conduct_of(leg))]
