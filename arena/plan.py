"""The plan of an event in words and numbers: printed before the first deal."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from arena.bots import Bot
from arena.night import Night
from arena.progress import format_seconds
from arena.schedule import HOUSE, Unit, is_individual
from referee.rules import Game, Hand, Variant

SAMPLE_LEGS: Final[dict[Unit, int]] = {"boards": 30, "games": 3}
"""Legs of random play that an estimate rests on."""
MOST_HANDS: Final = 20
"""Of a game, in an estimate: random bidders are set so often that their games never end."""
USUAL_SECONDS: Final = 0.002
"""A decision of a bot nobody knows, referee included, when many tables are open."""
KNOWN_SECONDS: Final = {"random": 0.0005, "heuristic": 0.001, "search": 0.05, "house": 0.001}
"""The same of the bots that come with the arena."""
START_SECONDS: Final = 0.15
"""Starting one process, of one core."""


@dataclass(frozen=True, slots=True)
class LegEstimate:
    """What one leg is likely to hold, measured on random play."""

    hands: float
    decisions: float


@dataclass(slots=True)
class VariantPlan:
    """What is played of one variant."""

    variant: Variant
    pairings: int = 0
    boards: int = 0
    """Over all pairings."""
    legs: int = 0
    jobs: int = 0
    processes: int = 0
    """Processes started over all jobs."""
    hands: float = 0.0
    decisions: float = 0.0
    seconds: float = 0.0
    """Of one job after another."""
    houses: int = 0
    """Seats at a table that the house fills."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an event comes to."""

    variants: tuple[VariantPlan, ...]

    @property
    def legs(self) -> int:
        """Return the legs of all pairings."""
        return sum(part.legs for part in self.variants)

    @property
    def decisions(self) -> float:
        """Return the decisions of all legs, about."""
        return sum(part.decisions for part in self.variants)


def usual_concurrency() -> int:
    """Return how many jobs this machine plays at once: half its cores, since a job keeps about two busy."""
    return max(1, usable_cores() // 2)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=256)
def estimate_leg(variant: Variant, unit: Unit) -> LegEstimate:
    """Return what a leg of *variant* holds on the average when everybody plays at random."""
    chance = random.Random(variant.id)  # noqa: S311 (an estimate)
    hands = decisions = 0
    legs = SAMPLE_LEGS[unit]
    for leg in range(legs):
        game = Game(variant, first_dealer=leg % variant.seats, max_hands=MOST_HANDS)
        while game.outcome is None:
            hand = game.deal(chance.sample(variant.deck, len(variant.deck)))
            decisions += _play_out(hand, chance)
            hands += 1
            assert hand.result is not None  # noqa: S101 (played out)
            game.finish_hand(hand.result)
            if unit == "boards":
                break
    return LegEstimate(hands / legs, decisions / legs)


def _play_out(hand: Hand, chance: random.Random) -> int:
    questions = 0
    while hand.result is None:
        hand.apply(chance.choice(hand.question().options))
        questions += 1
    return questions


def plan_of(night: Night) -> Plan:
    """Return the numbers of *night*, counted by walking through its schedule."""
    parts = {variant.id: VariantPlan(variant) for variant in night.event.variants}
    paces = {name: _seconds_per_decision(bot) for name, bot in night.bots.items()}
    for pairing in night.event.pairings():
        variant, part = pairing.variant, parts[pairing.variant.id]
        leg = estimate_leg(variant, night.event.unit)
        legs = pairing.boards * pairing.legs
        jobs = sum(1 for _ in night.event.chunks(pairing))
        processes = pairing.legs * variant.seats if night.isolation != "none" else len(pairing.entrants)
        pace = sum(paces[name] for name in pairing.entrants) / len(pairing.entrants)
        part.pairings += 1
        part.boards += pairing.boards
        part.legs += legs
        part.jobs += jobs
        part.processes += jobs * processes
        part.hands += legs * leg.hands
        part.decisions += legs * leg.decisions
        part.seconds += legs * leg.decisions * pace + jobs * processes * START_SECONDS
        part.houses = variant.seats - len(pairing.entrants) if is_individual(variant) else 0
    return Plan(tuple(parts.values()))


def _seconds_per_decision(bot: Bot) -> float:
    return KNOWN_SECONDS.get(bot.spec.split()[0] if bot.spec else "", USUAL_SECONDS)


def _isolation_lines(night: Night) -> Iterator[str]:
    """Yield how the instances of a bot are kept apart."""
    boxed = [name for name, kind in night.isolations.items() if kind == "docker"]
    if night.isolation == "none":
        yield (
            "isolation none: a bot is one process in all its seats and sees its partner's cards; on the mirrored legs "
            "suits are renamed where the game allows it, and boards come in another order"
        )
    else:
        yield "every seat of every leg is a process of its own" + (
            f"; of {', '.join(boxed)} a container without network" if boxed else ""
        )
    remote = [name for name, kind in night.isolations.items() if kind == "remote"]
    if remote:
        yield f"isolation remote: {', '.join(remote)} dial in; only their authors know whether seats are kept apart"


def plan_lines(night: Night, plan: Plan, commitment: str, concurrency: int, finished: int) -> Iterator[str]:
    """Yield the plan as lines for people."""
    event = night.event
    unit = "boards, each scored on its own" if event.unit == "boards" else "whole games to the target"
    yield f"{night.name}: {len(event.entrants)} bots ({', '.join(sorted(event.entrants))}), {unit}"
    yield from _isolation_lines(night)
    pairs = len(event.entrants) * (len(event.entrants) - 1) // 2
    yield f"every two meet on {event.boards} {event.unit} of each variant ({pairs} pairs), all seatings of each"
    width = max(len(part.variant.id) for part in plan.variants)
    for part in plan.variants:
        label = night.labels.get(part.variant.id)
        notes = [
            f"= {label}" if label else "",
            f"{HOUSE} in {part.houses} of {part.variant.seats} seats" if part.houses else "",
        ]
        tail = "".join(f", {note}" for note in notes if note)
        sets = "pairings" if part.pairings != 1 else "pairing"
        yield (
            f"  {part.variant.id:{width}}  {part.pairings:,} {sets}, {part.boards:,} {event.unit}, {part.legs:,} legs, "
            f"about {part.hands:,.0f} hands{tail}"
        )
    yield (
        f"in all {plan.legs:,} legs" + (f", {finished:,} of them finished" if finished else "") + f", about "
        f"{plan.decisions:,.0f} decisions; {concurrency} {'jobs' if concurrency > 1 else 'job'} at a time"
    )
    share = (plan.legs - finished) / plan.legs
    likely = sum(part.seconds for part in plan.variants) * share / concurrency
    limit = plan.decisions * share * night.policy.decision_seconds / (concurrency * night.settings.tables)
    yield (
        f"about {format_seconds(likely)} with bots of ordinary speed; {format_seconds(max(limit, likely))} if every "
        f"decision took its {night.policy.decision_seconds:g} s"
    )
    cores = usable_cores()
    if concurrency > cores:
        yield f"warning: {concurrency} jobs at a time on {cores} cores: bots will lose thinking time to each other"
    yield f"seed commitment (SHA-256): {commitment}"
