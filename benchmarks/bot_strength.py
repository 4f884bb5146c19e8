"""Strength of the sample bots against each other, over mirrored boards of every preset, without a network.

Two-sided games: both sides are played by one bot each, and exchanged on the second leg of a board.
Other games: the two bots and the house bot sit as the arena seats them, and every rotation is a leg.
The unit is the set, all legs of one board; its margin is the points of the first bot's side less those of the
second's, per leg (in countdown games with the sign turned).

    python -m benchmarks.bot_strength heuristic random --sets 200
    python -m benchmarks.bot_strength search heuristic --sets 100 --presets standard,buck --jobs 2
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import multiprocessing
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.schedule import HOUSE, rotations, seat_order
from euchre.v1 import play_pb2
from euchre_kit import Bot
from euchre_kit.bot import as_reply
from euchre_kit.variant import Variant as KitVariant
from referee.rules import PRESETS, Action, Alliance, Hand, HandEnd, Variant, parse_variant
from referee.service import wire

Decide = Callable[[Any, Any], Any]
MAX_REDEALS = 50
LIMITS = wire.limits_bytes(10_000, 0)
SIGNIFICANT = 1.96


@dataclass(frozen=True)
class Tally:
    """What many sets gave: margins per leg, set by set."""

    variant: str
    margins: list[float]
    seconds: float

    @property
    def mean(self) -> float:
        """Points per leg."""
        return statistics.fmean(self.margins)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return statistics.stdev(self.margins) / math.sqrt(len(self.margins)) if len(self.margins) > 1 else math.inf

    @property
    def z(self) -> float:
        """The mean in standard errors."""
        error = self.standard_error
        return self.mean / error if error else math.copysign(math.inf, self.mean) if self.mean else 0.0

    @property
    def results(self) -> tuple[int, int, int]:
        """Sets won, drawn and lost by the first bot."""
        won = sum(margin > 0 for margin in self.margins)
        lost = sum(margin < 0 for margin in self.margins)
        return won, len(self.margins) - won - lost, lost


def make_bot(text: str) -> Bot:
    """Return the bot of ``module`` or ``module:key=value:key=value``, for instance ``search:samples=20``."""
    name, *settings = text.split(":")
    module = importlib.import_module(f"euchre_bots.{name}")
    kind = next(
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    )
    given = {key: float(value) if "." in value else int(value) for key, value in (item.split("=") for item in settings)}
    return kind(**given)


def ask(bot: Bot, request: Any, description: KitVariant) -> Action:
    """Return the bot's answer as an action of the rules."""
    reply = as_reply(bot.decide(request, description), request)
    if reply.WhichOneof("choice") == "option":
        return wire.action_from_message(request.options[reply.option])
    return wire.action_from_message(reply.action)


def play_leg(
    variant: Variant, description: KitVariant, decks: Iterator[list[int]], dealer: int, bots: Sequence[Bot]
) -> tuple[int, ...]:
    """Return the points by side of one deal; a claimed deal is dealt again."""
    for number in range(MAX_REDEALS):
        hand = Hand(variant, next(decks), dealer)
        requests = wire.Requests([1] * variant.seats, variant)
        decision = 0
        while not hand.is_over:
            decision += 1
            seat = hand.actor
            question = hand.question()
            request = play_pb2.DecisionRequest.FromString(
                requests.build(hand, number, decision, options=question.options, choice=question.choice, limits=LIMITS)
            )
            act = ask(bots[seat], request, description)
            if hand.refusal(act) is not None or hand.is_renege(act):
                raise AssertionError(f"unlawful {act!r} by {bots[seat].name}; {hand.describe()}")
            hand.apply(act)
        if hand.result is not None and hand.result.end is not HandEnd.CLAIMED:
            return hand.result.points
    return (0,) * len(variant.sides)


def decks_of(variant: Variant, seed: str) -> Iterator[list[int]]:
    rng = random.Random(seed)
    while True:
        yield rng.sample(variant.deck, len(variant.deck))


def leg_margins(
    variant: Variant, description: KitVariant, board: int, entrants: Sequence[Bot], seed: str
) -> list[float]:
    """Return the margin of the first of *entrants* over the second in every leg; the third is the house bot."""
    first, second, house = entrants
    seats = variant.seats
    dealer = board % seats
    sign = -1 if variant.counts_down else 1
    is_two_sided = variant.alliance is Alliance.FIXED or seats == 2
    margins: list[float] = []
    names = ("first", "second")
    order = tuple(names[seat % 2] for seat in range(seats)) if is_two_sided else seat_order(names, seats, board)
    entrant = {"first": first, "second": second, HOUSE: house}
    for seating in rotations(order):
        bots = [entrant[name] for name in seating]
        points = play_leg(variant, description, decks_of(variant, f"{seed}/{variant.id}/{board}"), dealer, bots)
        own, other = (points[variant.side_of[seating.index(name)]] for name in names)
        margins.append(sign * (own - other))
    return margins


def measure(job: tuple[str, str, str, int, int, str]) -> Tally:
    """Return the tally of some boards."""
    text, first, second, begin, end, seed = job
    variant = parse_variant(text)
    description = KitVariant(wire.variant_to_message(variant))
    bots = []
    for name in (first, second, "house"):
        bot = make_bot(name)
        bot.seed = 1
        bots.append(bot)
    start = time.perf_counter()
    margins = [statistics.fmean(leg_margins(variant, description, board, bots, seed)) for board in range(begin, end)]
    return Tally(variant.id, margins, time.perf_counter() - start)


def _chunks(
    texts: Sequence[str], first: str, second: str, sets: int, seed: str
) -> list[tuple[str, str, str, int, int, str]]:
    size = max(1, min(sets, 25))
    return [
        (text, first, second, begin, min(begin + size, sets), seed) for text in texts for begin in range(0, sets, size)
    ]


def measure_all(
    texts: Sequence[str], first: str, second: str, sets: int, seed: str, jobs: int, report: Callable[[Tally], None]
) -> list[Tally]:
    """Measure every variant and hand each tally to *report* as it is complete, in order."""
    chunks = _chunks(texts, first, second, sets, seed)
    done: dict[str, Tally] = {}
    finished = []
    with multiprocessing.Pool(jobs) as pool:
        for chunk, part in zip(chunks, pool.imap(measure, chunks), strict=True):
            earlier = done.get(chunk[0])
            if earlier is not None:
                part = Tally(part.variant, earlier.margins + part.margins, earlier.seconds + part.seconds)
            done[chunk[0]] = part
            if chunk[4] == sets:
                finished.append(part)
                report(part)
    return finished


HEADER = "| preset | sets | won | drawn | lost | points per board | ± 95 % | z |\n|---|---|---|---|---|---|---|---|"


def row(tally: Tally) -> str:
    won, drawn, lost = tally.results
    return (
        f"| {tally.variant} | {len(tally.margins)} | {won} | {drawn} | {lost} | {tally.mean:+.2f} "
        f"| {SIGNIFICANT * tally.standard_error:.2f} | {tally.z:+.1f} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--presets", default="all", help="comma separated, or all")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the margins of every set to this file")
    parser.add_argument("--at-least", type=float, help="exit 1 if any z is below this")
    given = parser.parse_args()
    texts = list(PRESETS) if given.presets == "all" else given.presets.split(",")
    print(HEADER, flush=True)
    tallies = measure_all(
        texts,
        given.first,
        given.second,
        given.sets,
        given.seed,
        given.jobs,
        lambda tally: print(row(tally), flush=True),
    )
    if given.json:
        given.json.write_text(json.dumps({tally.variant: tally.margins for tally in tallies}))
    if given.at_least is not None and any(tally.z < given.at_least for tally in tallies):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
