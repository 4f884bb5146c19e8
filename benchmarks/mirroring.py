"""Deals needed to tell the heuristic bot from a slightly weakened copy of itself, plain against mirrored.

The copy makes a share of its decisions at random. Every board is played in all its legs. A leg taken alone is a
plain deal; the mean of the legs of a board is what mirroring counts. Both see the same difference in strength,
with different noise, so the deals needed follow from one run: ``c * variance / mean**2`` for plain deals, and that
of the set times its legs for mirrored ones, with ``c = (1.645 + 1.645)**2`` for an error of 5 % either way.
Draws of whole boards give the intervals.

    python -m benchmarks.mirroring --boards 3000 --blunder 0.1
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.bot_strength import leg_margins, make_bot
from euchre_kit.variant import Variant as KitVariant
from referee.rules import parse_variant
from referee.service import wire

PRESETS = ("standard", "north-american", "british", "two-handed", "bid-euchre", "buck")
CERTAINTY = (1.645 + 1.645) ** 2
CHUNK = 100
DRAWS = 400


@dataclass(frozen=True)
class Need:
    """Deals needed, by the margins of all legs of some boards."""

    mean: float
    plain: float
    mirrored: float

    @property
    def saved(self) -> float:
        """How many times fewer deals mirroring needs."""
        return self.plain / self.mirrored


def need(boards: Sequence[Sequence[float]]) -> Need:
    """Return what it takes to tell the bots apart whose margins these are."""
    legs = len(boards[0])
    mean = statistics.fmean(margin for board in boards for margin in board)
    by_leg = statistics.fmean(statistics.variance([board[leg] for board in boards]) for leg in range(legs))
    by_set = statistics.variance([statistics.fmean(board) for board in boards])
    return Need(mean, CERTAINTY * by_leg / mean**2, CERTAINTY * by_set * legs / mean**2)


def interval(boards: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the middle 95 % of the saving over redrawn boards."""
    rng = random.Random(1)
    saved = sorted(need(rng.choices(boards, k=len(boards))).saved for _ in range(DRAWS))
    return saved[round(DRAWS * 0.025)], saved[round(DRAWS * 0.975) - 1]


def play(job: tuple[str, float, int, int]) -> list[list[float]]:
    """Return the margins of the sound bot over the weakened one, by board and leg."""
    preset, blunder, begin, end = job
    variant = parse_variant(preset)
    description = KitVariant(wire.variant_to_message(variant))
    bots = [make_bot(text) for text in ("heuristic", f"heuristic:blunder={blunder}", "house")]
    for number, bot in enumerate(bots):
        bot.seed = number
    return [leg_margins(variant, description, board, bots, "mirroring") for board in range(begin, end)]


def main() -> int:
    """Print the table of docs/mirroring.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--blunder", type=float, default=0.1, help="share of the copy's decisions made at random")
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    print("| preset | legs a set | points per leg | deals, plain | deals, mirrored | times fewer | 95 % |")
    print("|---|---|---|---|---|---|---|")
    with multiprocessing.Pool(given.jobs) as pool:
        for preset in given.presets.split(","):
            chunks = [
                (preset, given.blunder, begin, min(begin + CHUNK, given.boards))
                for begin in range(0, given.boards, CHUNK)
            ]
            boards = [board for part in pool.imap(play, chunks) for board in part]
            found, (low, high) = need(boards), interval(boards)
            print(
                f"| {preset} | {len(boards[0])} | {found.mean:+.3f} | {found.plain:,.0f} | {found.mirrored:,.0f} "
                f"| {found.saved:.1f} | {low:.1f} to {high:.1f} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
