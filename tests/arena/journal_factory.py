"""Journals of nights played in this process by random bots, faults and reneges included."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.journal import Journal, LegRecord, Night, Note, Seating, leg_result
from arena.verify import ratings_of
from referee.rules import Action, Kind, Variant, action, parse_variant, rated
from referee.service.outcome import TableResult, TableSpec
from referee.service.policy import Policy
from referee.service.shuffle import commitment, deck_for
from referee.service.table import Question, Table

SEED = bytes(range(32))
POLICY = Policy()


def random_reply(question: Question, rng: random.Random) -> int | Action:
    """Return a lawful answer, any of the sets of cards included."""
    choice = question.choice
    if choice is not None and rng.random() < 0.5:
        size = rng.randint(choice.minimum, choice.maximum)
        return action(choice.kind, tuple(rng.sample(choice.cards, size)))
    return rng.randrange(len(question.options))


def answer_at_random(table: Table, question: Question, rng: random.Random, faults: float) -> None:
    """Answer, or now and then fail to, in one of the ways there are; *faults* is how often, from 0 to 1."""
    seconds = rng.expovariate(50.0)
    if rng.random() >= faults:
        note = "long suit \N{BLACK SPADE SUIT}" if rng.random() < 0.02 else ""
        confidence = rng.random() if rng.random() < 0.02 else None
        table.answer(random_reply(question, rng), seconds, note, confidence)
        return
    match rng.randrange(4):
        case 0:
            table.time_out()
        case 1:
            table.refuse('a frame of "garbage" <b>', seconds)
        case 2:
            table.note_disconnect("the stream is gone")
            table.play_default_for_lost(seconds, "")
        case 3:
            cards = [act.card for act in question.options if act.kind is Kind.PLAY]
            if not cards:
                table.answer(len(question.options), seconds)
            else:  # any card of the deck: not held, lawful, or a renege
                table.answer(action(Kind.PLAY, (rng.choice(table.variant.deck),)), seconds)


def play_table(spec: TableSpec, rng: random.Random, faults: float = 0.0) -> TableResult:
    """Return what becomes of a table of the referee when everybody answers at random."""
    table = Table(1, spec, POLICY, range(spec.variant.seats))
    table.open()
    while table.result is None:
        assert table.question is not None
        answer_at_random(table, table.question, rng, faults)
        table.notices.clear()
    return table.result


def seatings_of(variant: Variant, pairing: int, unit: str, night: str) -> list[Seating]:
    """Return the legs of every set of a pairing: two, or a rotation for each seat."""
    seats = variant.seats
    if len(variant.sides) == 2:
        names = [("alpha", "bravo")[side] for side in variant.side_of]
        turns = [0, 1]
    else:
        names = [f"bot{seat}" for seat in range(seats)]
        turns = list(range(seats))
    return [
        Seating(
            pairing=pairing,
            variant=variant.id,
            leg=leg,
            legs=len(turns),
            match=f"{night}/p{pairing}",
            first_dealer=0,
            entrants=tuple(names[(seat - turn) % seats] for seat in range(seats)),
            instances=tuple(f"p{pairing}.leg{leg}.seat{seat}" for seat in range(seats)),
            unit=unit,
        )
        for leg, turn in enumerate(turns)
    ]


def legs_of(
    variants: Sequence[str],
    boards: int,
    *,
    unit: str = "boards",
    night: str = "factory",
    seed: int = 1,
    faults: float = 0.02,
) -> Iterator[LegRecord]:
    """Yield the legs of a night in schedule order."""
    rng = random.Random(seed)
    for pairing, text in enumerate(variants):
        variant = parse_variant(text)
        for board in range(boards):
            for seating in seatings_of(variant, pairing, unit, night):
                is_game = unit == "games"
                match = f"{seating.match}/{board}" if is_game else seating.match
                spec = TableSpec(
                    variant=variant,
                    instances=seating.instances,
                    first_dealer=seating.first_dealer,
                    deck=functools.partial(deck_for, SEED, variant, match),
                    first_board=0 if is_game else board,
                    plays_game=is_game,
                )
                yield LegRecord.of(seating, board, play_table(spec, rng, faults), match=match)


def night_of(variants: Sequence[str], *, name: str = "factory", unit: str = "boards") -> Night:
    """Return the opening of a night."""
    return Night(
        name=name,
        plan={"play": unit, "variants": list(variants)},
        commitment=commitment(SEED),
        variants=tuple(variants),
        entrants=("alpha", "bravo"),
        policy={"strikes": 3, "max_hands": 200},
        started="2026-01-02T03:04:05Z",
    )


def rated_id(preset: str) -> str:
    """Return the canonical id of a preset as it is rated."""
    return rated(parse_variant(preset)).id


def write_journal(
    path: Path,
    variants: Sequence[str],
    boards: int = 2,
    *,
    unit: str = "boards",
    seed: int = 1,
    faults: float = 0.02,
    close: bool = False,
) -> Path:
    """Write a journal with a note in it and return where it is."""
    with Journal(path, night_of(variants, unit=unit)) as journal:
        legs = list(legs_of(variants, boards, unit=unit, seed=seed, faults=faults))
        journal.add_legs(legs)
        journal.add_note(Note(what="no-show", pairing=0, entrant="bravo", text="it never said Hello"))
        if not close:
            return path
        return journal.close(SEED, ratings_of(leg_result(journal.night.name, leg) for leg in legs))
