"""Journals of nights played in this process by random bots, faults and reneges included."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.journal import Journal, LegRecord, Night, Note, Seating
from referee.rules import (
    Action,
    Card,
    Game,
    Hand,
    HandEnd,
    Kind,
    Variant,
    action,
    leaders,
    parse_variant,
    rated,
    starting_totals,
)
from referee.service.outcome import FaultKind, FaultRecord, GameEnd, HandRecord, PlayedAction, TableResult
from referee.service.shuffle import commitment, deck_for

SEED = bytes(range(32))
FAULT_SHARE = 0.02
RENEGE_SHARE = 0.02


def random_choice(hand: Hand, rng: random.Random) -> Action:
    """Return a lawful action, any of the sets of cards included."""
    question = hand.question()
    if question.choice is not None and (not question.options or rng.random() < 0.5):
        size = rng.randint(question.choice.minimum, question.choice.maximum)
        return action(question.choice.kind, tuple(rng.sample(question.choice.cards, size)))
    return rng.choice(question.options)


def play_hand(
    variant: Variant,
    deck: Sequence[Card],
    dealer: int,
    totals: Sequence[int],
    rng: random.Random,
    *,
    number: int = 0,
    board: int = 0,
    redeal: int = 0,
    faults: list[FaultRecord] | None = None,
    share: float = 1.0,
) -> tuple[HandRecord, Hand]:
    """Return a hand played at random; *share* scales how often a bot faults."""
    hand = Hand(variant, deck, dealer, totals)
    actions: list[PlayedAction] = []

    def note_forced() -> None:
        for seat, act, forced, _ in hand.events[len(actions) :]:
            actions.append(PlayedAction(seat=seat, action=act, forced=forced, milliseconds=0, fault=None))

    note_forced()
    while not hand.is_over:
        seat, act, fault = hand.actor, random_choice(hand, rng), None
        if rng.random() < FAULT_SHARE * share:
            fault = rng.choice([FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.DISCONNECT])
            act = hand.default()
        elif act.kind is Kind.PLAY and hand.trick and rng.random() < RENEGE_SHARE * share:
            act = action(Kind.PLAY, (rng.choice(hand.hands[seat]),))
            fault = FaultKind.RENEGE if hand.is_renege(act) else None
        if fault is not None and faults is not None:
            faults.append(
                FaultRecord(kind=fault, seat=seat, hand=number, message=f"{fault.name} of seat {seat} \N{EM DASH} <b>")
            )
        hand.apply(act)
        milliseconds = int(rng.expovariate(0.05))
        actions.append(PlayedAction(seat=seat, action=act, forced=False, milliseconds=milliseconds, fault=fault))
        note_forced()
    assert hand.result is not None
    record = HandRecord(
        number=number,
        board=board,
        redeal=redeal,
        dealer=dealer,
        deck=tuple(deck),
        actions=tuple(actions),
        result=hand.result,
        totals=tuple(total + gain for total, gain in zip(totals, hand.result.points, strict=True)),
    )
    return record, hand


def play_table(
    variant: Variant,
    match: str,
    board: int,
    first_dealer: int,
    rng: random.Random,
    *,
    plays_game: bool,
    share: float = 1.0,
) -> TableResult:
    """Return a table played at random: one board, or a game from board 0 of *match*."""
    hands: list[HandRecord] = []
    faults: list[FaultRecord] = []
    game = Game(variant, first_dealer)
    start = starting_totals(variant)
    turn, redeal = (0, 0) if plays_game else (board, 0)
    while True:
        dealer = (first_dealer + turn) % variant.seats
        deck = deck_for(SEED, variant, match, turn, redeal)
        record, hand = play_hand(
            variant,
            deck,
            dealer,
            game.totals,
            rng,
            number=len(hands),
            board=turn,
            redeal=redeal,
            faults=faults,
            share=share,
        )
        hands.append(record)
        assert hand.result is not None
        game.finish_hand(hand.result)
        is_claimed = hand.result.end is HandEnd.CLAIMED
        if game.outcome is not None and plays_game:
            end = GameEnd.HAND_LIMIT if game.outcome.is_adjudicated else GameEnd.RULES
            winners = game.outcome.winners
            break
        if not plays_game and not is_claimed:
            end, winners = GameEnd.BOARD, leaders(variant, game.totals)
            break
        turn, redeal = (turn, redeal + 1) if is_claimed else (turn + 1, 0)
    return TableResult(
        end=end,
        points=tuple(after - before for after, before in zip(game.totals, start, strict=True)),
        totals=game.totals,
        winners=winners,
        forfeited=(),
        hands=tuple(hands),
        faults=tuple(faults),
        decisions=tuple(
            sum(not done.forced and done.seat == seat for record in hands for done in record.actions)
            for seat in range(variant.seats)
        ),
        think_seconds=(0.0,) * variant.seats,
        slowest_seconds=(0.0,) * variant.seats,
    )


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
    share: float = 1.0,
) -> Iterator[LegRecord]:
    """Yield the legs of a night in schedule order."""
    rng = random.Random(seed)
    for pairing, text in enumerate(variants):
        variant = parse_variant(text)
        for board in range(boards):
            for seating in seatings_of(variant, pairing, unit, night):
                match = seating.match if unit == "boards" else f"{seating.match}/g{board}"
                result = play_table(variant, match, board, 0, rng, plays_game=unit == "games", share=share)
                yield LegRecord.of(seating, board, result, match=match)


def night_of(variants: Sequence[str], *, name: str = "factory", unit: str = "boards", boards: int = 2) -> Night:
    """Return the opening of a night."""
    return Night(
        name=name,
        plan={"play": unit, "boards": boards, "variants": list(variants)},
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
    share: float = 1.0,
    close: bool = False,
) -> Path:
    """Write a journal with a note in it and return where it is."""
    with Journal(path, night_of(variants, unit=unit, boards=boards)) as journal:
        journal.add_legs(legs_of(variants, boards, unit=unit, seed=seed, share=share))
        journal.add_note(Note(what="no-show", pairing=0, entrant="bravo", text="it never said Hello"))
        return journal.close(SEED) if close else path
