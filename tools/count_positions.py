"""Write ``tests/positions/``: deals, prefixes of answers, and in how many ways each hand can go on.

The numbers come from the second evaluator (``tests/evaluator``), which shares no code with the engine; a test
holds the engine against them. The format is told in ``tests/positions/README.md``. Run from the root of the
repository as ``python -m tools.count_positions``, with names of presets to write only those; ``--check`` counts
again and exits 1 if a file would change.

For every preset the positions are found by random play with a fixed seed: one for each kind of question that
the preset asks, some under other options, and some close to the end that are counted to the end.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.rules import PRESETS, VariantError, build
from tests import evaluator
from tests.evaluator import scores
from tests.evaluator.counting import count

TARGET = Path(__file__).resolve().parent.parent / "tests" / "positions"
MOST: Final = 4000
"""A position is counted as deep as it has no more sequences than this."""
HANDS: Final = 1000
"""Random hands in which positions are looked for."""
OPTION_SETS: Final = 4
"""Variants with other options, beside the preset itself."""
CARDS_LEFT: Final = 3
"""Cards in a hand when a position is counted to the end; fewer where there are many seats."""

Position = dict[str, object]


@dataclass(frozen=True)
class Deal:
    """A hand before its first question, and the answers so far."""

    variant: str
    deck: tuple[str, ...]
    dealer: int
    totals: tuple[int, ...] | None
    answers: tuple[str, ...] = ()

    def state(self) -> evaluator.State:
        """Return the question that the answers lead to."""
        state = evaluator.deal(evaluator.game(self.variant), self.deck, self.dealer, self.totals)
        for text in self.answers:
            state = evaluator.apply(state, text)
        return state


def random_deal(variant: str, rng: random.Random) -> Deal:
    """Return a shuffled deal with a random dealer; half of them with totals close to the goal."""
    game = evaluator.game(variant)
    deck = sorted(game["cards"])
    rng.shuffle(deck)
    totals = None
    if rng.random() < 0.5:
        counts_down = game["scoring"] == "countdown"
        missing = [rng.randint(1, 9) for _ in scores.sides(game)]
        totals = tuple(points if counts_down else game["target"] - points for points in missing)
    return Deal(variant, tuple(deck), rng.randrange(game["seats"]), totals)


def play_on(deal: Deal, rng: random.Random) -> Iterator[tuple[Deal, evaluator.State]]:
    """Yield every question of a random hand, with the answers that lead to it."""
    state, answers = deal.state(), list(deal.answers)
    timid = rng.choice((0.3, 0.7, 0.95))
    while not state["result"]:
        yield Deal(deal.variant, deal.deck, deal.dealer, deal.totals, tuple(answers)), state
        options = evaluator.legal(state)
        passes = options[0] in ("PASS", "TURN_DOWN", "NO_CLAIM") and (len(options) == 1 or rng.random() < timid)
        text = options[0] if passes else rng.choice(options)
        answers.append(text)
        state = evaluator.apply(state, text)


def question_of(state: evaluator.State) -> str:
    """Return the kind of question that is open."""
    return str(state["to_do"][0][0])


def cards_left(state: evaluator.State) -> int:
    """Return how many cards the seat asked holds."""
    return len(state["hands"][state["to_do"][0][1]])


def is_near_the_end(state: evaluator.State) -> bool:
    """Tell whether a trick is led to and few are left."""
    playing = state["game"]["seats"] - len(state["out"])
    few = CARDS_LEFT if playing <= 4 else 2
    return question_of(state) == "card" and not state["trick"] and cards_left(state) == few


def positions(preset: str) -> list[Position]:
    """Return the positions of one preset: by kind of question, then those near the end."""
    rng = random.Random(f"positions of {preset}")
    variants = [preset, *other_options(preset, rng)]
    by_kind: dict[tuple[str, str], Deal] = {}
    ends: dict[tuple[str, bool], Deal] = {}
    for number in range(HANDS):
        variant = variants[0 if number % 2 else (number // 2) % len(variants)]
        for deal, state in play_on(random_deal(variant, rng), rng):
            kind = question_of(state)
            own = variant if kind in ("bid", "round 1", "card") else ""
            by_kind.setdefault((kind, own), deal)
            if is_near_the_end(state):
                ends.setdefault((variant, bool(state["out"])), deal)
    return [counted(deal) for deal in (*by_kind.values(), *ends.values())]


def other_options(preset: str, rng: random.Random) -> list[str]:
    """Return variants of *preset* with some options at other values."""
    found: list[str] = []
    for _ in range(200):
        chosen: dict[str, str | int] = {}
        for option, spec in PRESETS[preset].options.items():
            if rng.random() < 0.5 or option in ("target", "renege", "renege_award", "renege_contract", "laps", "slams"):
                continue
            if spec.is_number:
                chosen[option] = rng.randint(spec.minimum, int(spec.default) if spec.maximum is None else spec.maximum)
            else:
                chosen[option] = rng.choice(spec.allowed)
        try:
            variant = build(preset, chosen).id
        except VariantError:
            continue  # two values that do not go together
        if variant not in (preset, *found):
            found.append(variant)
        if len(found) == OPTION_SETS:
            break
    return found


def counted(deal: Deal) -> Position:
    """Return the position with its counts, as it stands in the file."""
    state = deal.state()
    found = count(state, MOST)
    position: Position = {
        "about": f"{question_of(state)}, after {len(deal.answers)} answers",
        "variant": deal.variant,
        "deck": " ".join(deal.deck),
        "dealer": deal.dealer,
        "totals": list(state["totals"]),
        "answers": list(deal.answers),
        "asked": evaluator.actor(state),
        "counts": found.counts,
    }
    if found.ends is not None:
        position["ends"] = [
            {"end": end, "points": list(points), "tricks": list(tricks), "winner": winner, "count": times}
            for (end, points, tricks, winner), times in sorted(found.ends.items(), key=str)
        ]
    return position


def text_of(preset: str) -> str:
    """Return the whole file of one preset, a line for each member of a position."""
    lines = ["{", ' "format": 1,', f' "preset": {json.dumps(preset)},', ' "positions": [']
    blocks = []
    for position in positions(preset):
        members = [f"   {json.dumps(name)}: {_member(name, value)}" for name, value in position.items()]
        blocks.append("  {\n" + ",\n".join(members) + "\n  }")
    return "\n".join(lines) + "\n" + ",\n".join(blocks) + "\n ]\n}\n"


def _member(name: str, value: object) -> str:
    if name == "ends" and isinstance(value, list):
        return "[\n" + ",\n".join(f"    {json.dumps(end)}" for end in value) + "\n   ]"
    return json.dumps(value)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", metavar="PRESET", help="only these")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    arguments = parser.parse_args()
    stale = []
    for preset in arguments.presets or PRESETS:
        path = TARGET / f"{preset}.json"
        text = text_of(preset)
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"not what the second evaluator counts: {', '.join(stale)}; run python -m tools.count_positions")


if __name__ == "__main__":
    main()
