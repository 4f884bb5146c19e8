"""Random hands per second in the rules engine: beside OpenSpiel, and every preset beside ``standard``.

    python -m benchmarks.rules                      # everything, about a minute
    python -m benchmarks.rules standard pepper      # some presets
    python -m benchmarks.rules --seconds 0.3        # a quick look
    python -m benchmarks.rules --markdown           # tables for docs/performance.md

Everything that is compared is measured in the same run, in turns of some hundredths of a second, by the processor
time of this process, so that a busy machine slows both sides alike. A hand counts from the shuffled deck to
its points; a decision is one question, asked by ``Hand.question`` (beside OpenSpiel, which lists its
actions, by ``Hand.options``) and answered at random. A choice of several cards is drawn, never enumerated.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules import BUILD_KIND, PRESETS, Action, CardChoice, Hand, Variant, action, build

SLICE_SECONDS = 0.04
"""Processor time of one turn."""
LIMIT = 2.0
"""A preset may cost so many times ``standard`` per decision (aim of the project)."""
OPEN_SPIEL_AIM = 0.5
"""Aim: this share of OpenSpiel's hands per second on the same game."""


@dataclass
class Tally:
    """Work done and what it took."""

    hands: int = 0
    decisions: int = 0
    seconds: float = 0.0

    @property
    def hands_per_second(self) -> float:
        """Hands in a second of processor time."""
        return self.hands / self.seconds

    @property
    def microseconds_per_decision(self) -> float:
        """Processor time of one question, its answer, and its share of dealing and scoring."""
        return 1e6 * self.seconds / self.decisions


Player = Callable[[], int]
"""Plays one hand and returns how many decisions it had."""


def our_player(variant: Variant, rng: random.Random) -> Player:
    """Return a player of random hands of *variant*."""
    deck, draw, shuffle = list(variant.deck), rng.random, rng.shuffle
    seats = variant.seats

    def play() -> int:
        shuffle(deck)
        hand = Hand(variant, deck, int(draw() * seats))
        decisions = 0
        while hand.result is None:
            decisions += 1
            question = hand.question()
            options, choice = question.options, question.choice
            if choice is None:
                hand.apply(options[int(draw() * len(options))])
            else:
                hand.apply(_draw_cards(options, choice, draw))
        return decisions

    return play


def our_list_player(variant: Variant, rng: random.Random) -> Player:
    """Return a player that lists the options as OpenSpiel does, for the comparison with it."""
    deck, draw, shuffle = list(variant.deck), rng.random, rng.shuffle

    def play() -> int:
        shuffle(deck)
        hand = Hand(variant, deck, int(draw() * 4))
        decisions = 0
        while hand.result is None:
            decisions += 1
            options = hand.options()
            hand.apply(options[int(draw() * len(options))])
        return decisions

    return play


def _draw_cards(options: Sequence[Action], choice: CardChoice, draw: Callable[[], float]) -> Action:
    """Return a word beside the choice, now and then, or a random set of cards."""
    if options[0].kind is not choice.kind and draw() < 0.25:
        return options[0]
    size = choice.minimum + int(draw() * (choice.maximum + 1 - choice.minimum))
    cards = list(choice.cards)
    return action(choice.kind, tuple([cards.pop(int(draw() * len(cards))) for _ in range(size)]))


def open_spiel_player(rng: random.Random) -> Player:
    """Return a player of random hands of OpenSpiel's ``euchre``, stepped from Python."""
    import pyspiel

    game: Any = pyspiel.load_game("euchre", {"stick_the_dealer": True, "allow_lone_defender": False})
    deck, draw, shuffle = list(range(24)), rng.random, rng.shuffle

    def play() -> int:
        shuffle(deck)
        state = game.new_initial_state()
        state.apply_action(int(draw() * 4))
        for card in deck[:21]:
            state.apply_action(card)
        decisions = 0
        while not state.is_terminal():
            decisions += 1
            options = state.legal_actions()
            state.apply_action(options[int(draw() * len(options))])
        state.returns()
        return decisions

    return play


def run_slice(play: Player, tally: Tally) -> None:
    """Play for one turn."""
    hands = decisions = 0
    begun = time.process_time()
    end = begun + SLICE_SECONDS
    while True:
        decisions += play()
        hands += 1
        now = time.process_time()
        if now >= end:
            break
    tally.hands += hands
    tally.decisions += decisions
    tally.seconds += now - begun


def measure(players: dict[str, Player], seconds: float) -> dict[str, Tally]:
    """Return the tally of each player after *seconds* of processor time each, in turns."""
    tallies = {name: Tally() for name in players}
    for play in players.values():
        play()
    while min(tally.seconds for tally in tallies.values()) < seconds:
        for name, play in players.items():
            run_slice(play, tallies[name])
    return tallies


def print_open_spiel(seconds: float, *, markdown: bool) -> None:
    """Measure and print our engine beside OpenSpiel, on the game that both know."""
    try:
        theirs = open_spiel_player(random.Random(2))
    except ImportError:
        print("OpenSpiel is not installed (pip install open-spiel): not compared", file=sys.stderr)
        return
    same_game = build("standard", {"alone_timing": "after-trump"})
    tallies = measure({"ours": our_list_player(same_game, random.Random(1)), "OpenSpiel": theirs}, seconds)
    ours, other = tallies["ours"], tallies["OpenSpiel"]
    ratio = ours.hands_per_second / other.hands_per_second
    rows = [
        (
            f"referee.rules, {BUILD_KIND}",
            f"{ours.hands_per_second:,.0f}",
            f"{ours.microseconds_per_decision:.2f}",
        ),
        ("OpenSpiel, stepped from Python", f"{other.hands_per_second:,.0f}", f"{other.microseconds_per_decision:.2f}"),
    ]
    print_table(("program", "hands/s", "µs/decision"), rows, markdown=markdown)
    print(f"\nratio {ratio:.2f} of OpenSpiel's hands per second (aim: at least {OPEN_SPIEL_AIM})\n")


def print_presets(names: Sequence[str], seconds: float, *, markdown: bool) -> bool:
    """Measure and print presets beside ``standard``; tell whether all keep the limit."""
    wanted = ["standard", *(name for name in names if name != "standard")]
    players = {name: our_player(build(name), random.Random(name)) for name in wanted}
    tallies = measure(players, seconds)
    standard = tallies["standard"].microseconds_per_decision
    rows = []
    slow = []
    for name in wanted:
        tally = tallies[name]
        relative = tally.microseconds_per_decision / standard
        if relative > LIMIT:
            slow.append(name)
        rows.append(
            (
                name,
                f"{tally.hands_per_second:,.0f}",
                f"{tally.decisions / tally.hands:.1f}",
                f"{tally.microseconds_per_decision:.2f}",
                f"{relative:.2f}",
            )
        )
    print_table(("preset", "hands/s", "decisions/hand", "µs/decision", "of standard"), rows, markdown=markdown)
    print(f"\nmore than {LIMIT:g} times standard per decision: {', '.join(slow) or 'none'}")
    return not slow


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, markdown: bool) -> None:
    """Print rows, the first column to the left and the others to the right."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return f"| {' | '.join(cells)} |" if markdown else "  ".join(cells)

    print(line(head))
    if markdown:
        print(f"| {' | '.join('-' * width if i == 0 else '-' * (width - 1) + ':' for i, width in enumerate(widths))} |")
    for row in rows:
        print(line(row))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 if every preset keeps the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__.split("\n", 1)[0])
    parser.add_argument("presets", nargs="*", help="presets to measure; all if left out")
    parser.add_argument("--seconds", type=float, default=1.5, help="processor time for each (default 1.5)")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.presets if name not in PRESETS]
    if unknown:
        parser.error(f"no such preset: {', '.join(unknown)}")
    print_open_spiel(3 * options.seconds, markdown=options.markdown)
    return 0 if print_presets(options.presets or list(PRESETS), options.seconds, markdown=options.markdown) else 1


if __name__ == "__main__":
    sys.exit(main())
