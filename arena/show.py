"""A recorded hand for people, card by card; whole, or as one seat saw it. And the transcripts of every entrant.

Whatever is shown comes from replaying the record through the rules, so it cannot say what did not happen.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from rich.text import Text

from arena.egn import Imported
from arena.errors import OperatorError
from arena.journal import LegRecord, Seating, find_journal, located, read_legs, read_lines, read_night
from leaderboards.results import GAMES
from referee.rules import (
    NOBODY,
    UNFIXED,
    Action,
    Card,
    Hand,
    HandEnd,
    HandResult,
    Kind,
    Seat,
    Side,
    Variant,
    format_action,
    format_card,
    starting_totals,
)
from referee.rules.cards import format_strain
from referee.rules.view import seen_event
from referee.service.outcome import FaultKind, FaultRecord, GameEnd, HandRecord, PlayedAction
from referee.service.record import Json, replay_hand

TRANSCRIPTS_NAME: Final = "transcripts"
"""Where the transcripts of a night are, beside its journal."""
TRANSCRIPT_BYTES: Final = 1_000_000
"""Size of one entrant's transcript, at most."""
_RED: Final = "red"
_DIM: Final = "dim"
_BOLD: Final = "bold"
_PHASES: Final = {
    "redeal claim": "Claims",
    "blind naming": "Dealer names blind",
    "upcard auction": "Auction",
    "pick up": "Upcard",
    "going alone": "Alone",
    "exchange": "Exchange",
    "bid auction": "Auction",
    "strain choice": "Strain",
    "widow": "Widow",
    "widow discard": "Widow",
    "hand swap": "Widow",
    "dealer makes": "Dealer makes trump",
    "kitty swap": "Kitty",
    "drop out": "Stay or drop",
    "ally call": "Ally",
}
_WORDS: Final = {
    Kind.NO_CLAIM: "no claim",
    Kind.CLAIM_REDEAL: "claims a new deal",
    Kind.PASS: "passes",
    Kind.ORDER_UP: "orders it up",
    Kind.ORDER_UP_ALONE: "orders it up and plays alone",
    Kind.TAKE_DOWN_ALONE: "takes it down and plays alone",
    Kind.TURN_DOWN: "turns it down",
    Kind.TAKE_UP: "takes it up",
    Kind.TAKE_UP_ALONE: "takes it up and plays alone",
    Kind.NAME: "names",
    Kind.NAME_ALONE: "plays alone in",
    Kind.NAME_BLIND: "names blind",
    Kind.LEAVE_UPCARD: "leaves the upcard",
    Kind.TAKE_UPCARD: "takes the upcard",
    Kind.DISCARD: "discards",
    Kind.BID: "bids",
    Kind.CHOOSE: "chooses",
    Kind.NOT_ALONE: "not alone",
    Kind.ALONE: "plays alone",
    Kind.NO_ASK: "asks nobody",
    Kind.ASK: "asks seat",
    Kind.GIVE: "gives",
    Kind.NO_OFFER: "offers nothing",
    Kind.OFFER: "offers",
    Kind.DECLINE: "declines",
    Kind.ACCEPT: "accepts, laying down",
    Kind.NO_CALL: "calls for nothing",
    Kind.CALL_BEST: "calls for the best, laying down",
    Kind.NO_SWAP: "swaps nothing",
    Kind.SWAP: "swaps",
    Kind.LEAVE_WIDOW: "leaves the widow",
    Kind.TAKE_WIDOW: "takes the widow",
    Kind.KEEP_HAND: "keeps the hand",
    Kind.TAKE_HAND: "takes the widow for the hand",
    Kind.SWAP_KITTY: "swaps with the kitty",
    Kind.KEEP_UPCARD: "keeps the upcard's suit",
    Kind.TAKE_AND_SHOW: "takes the upcard and shows",
    Kind.STAY: "stays",
    Kind.DROP: "drops",
    Kind.CALL_SUIT: "calls for an ally in",
    Kind.CALL_CARD: "calls for an ally with",
    Kind.PLAY: "plays",
}


# -- a hand as a story -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One action, and what it was an answer to."""

    place: int
    """In the history of the hand, from zero."""
    phase: str
    done: PlayedAction
    shown: Action
    """What may be shown of it."""
    hidden_cards: int
    """Cards that may not be shown."""


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick, whole or cut short."""

    plays: tuple[Step, ...]
    winner: Seat
    """``NOBODY`` if it was not completed."""


@dataclass(frozen=True, slots=True)
class Story:
    """A hand from the deal to its end."""

    hand: Hand
    """As it was at the end."""
    steps: tuple[Step, ...]
    """Before the first card was played."""
    tricks: tuple[Trick, ...]


def story_of(variant: Variant, record: HandRecord, before: Sequence[int], seat: Seat = NOBODY) -> Story:
    """Return a recorded hand step by step; with *seat*, only what that seat may know (GEN-INFO-1).

    *before* are the totals before the hand.
    """
    hand = replay_hand(variant, record.deck, record.dealer, before, record.actions)
    steps = []
    phases = _phases(variant, record, before)
    for place, (done, event, phase) in enumerate(zip(record.actions, hand.events, phases, strict=True)):
        seen = seen_event(event, seat) if seat != NOBODY else None
        steps.append(Step(place, phase, done, seen.action if seen else done.action, seen.hidden_cards if seen else 0))
    first = next((place for place, step in enumerate(steps) if step.done.action.kind is Kind.PLAY), len(steps))
    return Story(hand, tuple(steps[:first]), tuple(_tricks(hand, steps[first:])))


def _phases(variant: Variant, record: HandRecord, before: Sequence[int]) -> list[str]:
    """Return what each action was an answer to; a forced one belongs to the question before it."""
    hand = Hand(variant, record.deck, record.dealer, before)
    phases: list[str] = []
    for done in record.actions:
        if done.forced:
            kind = "play" if done.action.kind is Kind.PLAY else _FORCED_PHASES.get(done.action.kind, "bid auction")
            phases.append(kind)
            continue
        phases.append(hand.phase.kind.name.lower().replace("_", " "))
        hand.apply(done.action)
    return phases


_FORCED_PHASES: Final = {
    Kind.TAKE_UP: "upcard auction",
    Kind.STAY: "drop out",
    Kind.NOT_ALONE: "going alone",
}


def _tricks(hand: Hand, plays: Sequence[Step]) -> Iterator[Trick]:
    """Yield the tricks: who wins one leads to the next, and the count says who took the last."""
    size = max(len(hand.active), 1)
    whole = len(plays) // size
    left = list(hand.tricks_won)
    for number, at in enumerate(range(0, len(plays), size)):
        cards = tuple(plays[at : at + size])
        winner = NOBODY
        if number + 1 < whole or (number + 1 == whole and len(plays) > at + size):
            winner = plays[at + size].done.seat
        elif number + 1 == whole and any(left):
            winner = next(seat for seat, count in enumerate(left) if count)
        if winner != NOBODY:
            left[winner] -= 1
        yield Trick(cards, winner)


# -- pieces of text ----------------------------------------------------------------------------------


def card_text(card: Card) -> Text:
    """Return a card as RULES.md writes it, hearts and diamonds in red."""
    name = format_card(card)
    return Text(name, style=_RED if name[1] in "HD" else "")


def cards_text(cards: Iterable[Card]) -> Text:
    """Return cards with blanks between them."""
    return Text(" ").join([card_text(card) for card in cards])


def action_text(step: Step) -> Text:
    """Return what was done in words."""
    act = step.shown
    text = Text(_WORDS[act.kind])
    if act.kind is Kind.BID:
        bid = format_action(act)
        text.append(" " + (bid[4:-1].replace(", ", " ") if bid.startswith("BID(") else bid))
    elif act.strain != UNFIXED:
        text.append(f" {format_strain(act.strain)}", style=_RED if act.strain in (2, 3) else "")
    if act.seat >= 0:
        text.append(f" {act.seat}")
    if act.cards:
        text.append(" ").append_text(cards_text(act.cards))
    elif step.hidden_cards:
        text.append(" " + " ".join(["??"] * step.hidden_cards))
    return text


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:.1f} s"


_FAULT_WORDS: Final = {
    FaultKind.TIMEOUT: "no reply in time",
    FaultKind.ILLEGAL: "unusable reply",
    FaultKind.DISCONNECT: "stream lost",
    FaultKind.RENEGE: "renege",
}


def _marks(done: PlayedAction, seat: Seat) -> str:
    """Return time and fault of an action, as far as *seat* may know them."""
    if seat not in (NOBODY, done.seat):
        return ""
    if done.forced:
        return "not asked"
    words = [_seconds(done.milliseconds)]
    if done.fault is not None:
        words.append(f"({_FAULT_WORDS[done.fault]}{'' if done.fault is FaultKind.RENEGE else ': default'})")
    if done.confidence is not None:
        words.append(f"sure {done.confidence:.0%}")
    if done.note:
        words.append(f"“{done.note}”")
    return " ".join(words)


# -- one hand ----------------------------------------------------------------------------------------


def hand_lines(leg: LegRecord, number: int, seat: Seat = NOBODY) -> list[Text]:
    """Return hand *number* of a leg as lines of text; with *seat*, only what that seat may know.

    :raises OperatorError: if there is no such hand or seat.
    """
    variant = leg.variant
    if not 0 <= number < len(leg.hands):
        raise OperatorError(
            f"this leg has {len(leg.hands)} hands, 0 to {len(leg.hands) - 1}; there is no hand {number}"
        )
    if not (seat == NOBODY or 0 <= seat < variant.seats):
        raise OperatorError(f"{variant.id} has seats 0 to {variant.seats - 1}; there is no seat {seat}")
    record = leg.hands[number]
    before = leg.hands[number - 1].totals if number else starting_totals(variant)
    story = story_of(variant, record, before, seat)
    page = _Page(leg, record, before, story, seat)
    return [*page.head(), Text(), *page.deal(), Text(), *page.talk(), *page.play(), *page.end()]


@dataclass(frozen=True, slots=True)
class _Page:
    """One hand on its way to the page."""

    leg: LegRecord
    record: HandRecord
    before: Sequence[int]
    story: Story
    seat: Seat

    @property
    def _width(self) -> int:
        return max(len(name) for name in self.leg.seating.entrants)

    def _who(self, seat: Seat) -> str:
        return f"{seat} {self.leg.seating.entrants[seat]:<{self._width}}"

    def head(self) -> Iterator[Text]:
        """Say which hand it is."""
        leg, seating, record = self.leg, self.leg.seating, self.record
        unit = "game" if seating.unit == GAMES else "board"
        place = f"pairing {seating.pairing}, {unit} {leg.board}, leg {seating.leg} of {seating.legs}"
        yield Text(f"{seating.variant}: {place}, hand {record.number} of {len(leg.hands)}", style=_BOLD)
        line = f"deal {record.board}.{record.redeal}, dealt by seat {record.dealer}"
        totals = ", ".join(f"{_side_name(leg, side)} {total}" for side, total in enumerate(self.before))
        line += f"; totals before: {totals}"
        if self.seat != NOBODY:
            line += f"; as seat {self.seat} saw it"
        yield Text(line)

    def deal(self) -> Iterator[Text]:
        """Show the hands as dealt."""
        hand, variant = self.story.hand, self.leg.variant
        low = variant.tables.low_key[UNFIXED].__getitem__
        for seat, cards in enumerate(hand.dealt):
            line = Text(f"  {self._who(seat)}  ")
            if self.seat in (NOBODY, seat):
                line.append_text(cards_text(sorted(cards, key=low, reverse=True)))
            else:
                line.append(" ".join(["??"] * len(cards)))
            if seat == self.record.dealer:
                line.append("  dealer", style=_DIM)
            yield line
        rest = Text("  ")
        if hand.upcard != NOBODY:
            rest.append("upcard ").append_text(card_text(hand.upcard)).append("   ")
        if hand.undealt:
            name = "kitty" if variant.kitty else "widow" if variant.widow else "idle"
            rest.append(f"{name} ")
            is_seen = self.seat in (NOBODY, _taker_of_rest(hand))
            rest.append_text(cards_text(hand.undealt) if is_seen else Text(" ".join(["??"] * len(hand.undealt))))
        if rest.plain.strip():
            yield rest

    def talk(self) -> Iterator[Text]:
        """Show everything before the first card."""
        title = ""
        for step in self.story.steps:
            heading = _PHASES.get(step.phase, step.phase)
            if heading != title:
                title = heading
                yield Text(heading, style=_BOLD)
            line = Text(f"  {self._who(step.done.seat)}  ").append_text(action_text(step))
            marks = _marks(step.done, self.seat)
            if marks:
                line.append(" " * max(1, 44 - len(line.plain))).append(marks, style=_DIM)
            yield line
        hand = self.story.hand
        if hand.strain != UNFIXED:
            yield self._contract()

    def _contract(self) -> Text:
        hand = self.story.hand
        text = Text("  played in ", style=_BOLD).append(
            format_strain(hand.strain), style=_RED if hand.strain in (2, 3) else ""
        )
        if hand.maker != NOBODY:
            text.append(f", made by {self._who(hand.maker).strip()}")
        if hand.bidder != NOBODY:
            text.append(f" with {hand.contract.bid!r}")
        for name, loner in (("alone", hand.lone_maker), ("defending alone", hand.lone_defender)):
            if loner != NOBODY:
                text.append(f", seat {loner} {name}")
        return text

    def play(self) -> Iterator[Text]:
        """Show the tricks, a column for each seat."""
        tricks = self.story.tricks
        if not tricks:
            return
        yield Text("Tricks", style=_BOLD).append("   > leads, * takes the trick; times in ms", style=_DIM)
        seats = range(self.leg.variant.seats)
        columns = max(11, self._width + 3)
        yield Text("     " + "".join(f"{self._who(seat):<{columns}}" for seat in seats).rstrip(), style=_DIM)
        for number, trick in enumerate(tricks, 1):
            line = Text(f"  {number:<2} ")
            by_seat = {step.done.seat: step for step in trick.plays}
            for seat in seats:
                line.append_text(self._cell(trick, by_seat.get(seat), columns))
            line.rstrip()
            yield line

    def _cell(self, trick: Trick, step: Step | None, columns: int) -> Text:
        cell = Text()
        if step is not None:
            cell.append(">" if step is trick.plays[0] else " ")
            cell.append_text(card_text(step.done.action.card))
            cell.append("*" if step.done.seat == trick.winner else " ", style=_BOLD)
            if self.seat in (NOBODY, step.done.seat) and not step.done.forced:
                mark = {FaultKind.RENEGE: "r"}.get(step.done.fault, "!") if step.done.fault is not None else ""
                cell.append(f"{step.done.milliseconds}{mark}", style=_DIM)
        cell.append(" " * max(0, columns - len(cell.plain)))
        return cell

    def end(self) -> Iterator[Text]:
        """Say how it ended, what it was worth, and what went wrong."""
        record = self.record
        points = [after - total for after, total in zip(record.totals, self.before, strict=True)]
        yield Text("Result", style=_BOLD)
        yield Text(f"  {_end_sentence(self.leg, record.result)}")
        sides = range(len(points))
        gains = ", ".join(f"{_side_name(self.leg, side)} {points[side]:+d}" for side in sides)
        totals = ", ".join(f"{_side_name(self.leg, side)} {record.totals[side]}" for side in sides)
        yield Text(f"  points: {gains}; totals: {totals}")
        for fault in _faults_of(self.leg, record, self.seat):
            yield Text(f"  {fault.kind.name.lower()}: {fault.message}", style="yellow")


def _taker_of_rest(hand: Hand) -> Seat:
    """Return who took the widow or the kitty and so knows it, ``NOBODY`` if nobody did."""
    for seat, act, _, _ in hand.events:
        if act.kind in (Kind.TAKE_WIDOW, Kind.TAKE_HAND, Kind.SWAP_KITTY):
            return seat
    return hand.maker if hand.widow_taken else NOBODY


def _faults_of(leg: LegRecord, record: HandRecord, seat: Seat) -> Iterator[FaultRecord]:
    return (fault for fault in leg.faults if fault.hand == record.number and seat in (NOBODY, fault.seat))


def _side_name(leg: LegRecord, side: Side) -> str:
    """Return who is on a side, everybody once."""
    seats = leg.variant.sides[side]
    return "/".join(dict.fromkeys(leg.seating.entrants[seat] for seat in seats))


def _end_sentence(leg: LegRecord, result: HandResult | None) -> str:
    if result is None:
        names = " and ".join(_side_name(leg, side) for side in leg.forfeited)
        return f"cut short: {names} forfeited"
    match result.end:
        case HandEnd.THROWN_IN:
            return "thrown in: nobody made trump"
        case HandEnd.CLAIMED:
            return "a new deal was claimed"
        case HandEnd.RENEGE:
            return f"stopped: the renege of seat {result.offender} was established"
        case HandEnd.TABLE_TALK:
            return f"stopped: seat {result.offender} talked"
        case HandEnd.PLAYED:
            taken = [
                f"{_side_name(leg, side)} {sum(result.tricks[seat] for seat in seats)}"
                for side, seats in enumerate(leg.variant.sides)
            ]
            made = {True: "; the contract is made", False: "; the contract is set", None: ""}[result.contract_made]
            return f"tricks: {', '.join(taken)}{made}"


# -- a leg, a night ----------------------------------------------------------------------------------


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def leg_line(leg: LegRecord) -> str:
    """Return one line about a leg, for a list."""
    seating = leg.seating
    points = ", ".join(f"{_side_name(leg, side)} {gain:+d}" for side, gain in enumerate(leg.points))
    end = "" if leg.end in (GameEnd.BOARD, GameEnd.RULES) else f"  {leg.end.name.lower().replace('_', '-')}"
    faults = f"  {_count(len(leg.faults), 'fault')}" if leg.faults else ""
    return (
        f"--pairing {seating.pairing} --board {leg.board} --leg {seating.leg}  {seating.variant}  "
        f"{_count(len(leg.hands), 'hand')}  {points}{end}{faults}"
    )


def select(
    path: Path, *, pairing: int | None = None, board: int | None = None, leg: int | None = None
) -> Iterator[LegRecord]:
    """Yield the legs of a journal that were asked for, in the order of completion.

    :raises JournalError: if there is no journal, or it is damaged.
    """
    for _, record in read_legs(find_journal(path), pairing=pairing, board=board):
        if leg is None or record.seating.leg == leg:
            yield record


def show_lines(
    path: Path,
    *,
    pairing: int | None = None,
    board: int | None = None,
    leg: int | None = None,
    hand: int | None = None,
    seat: Seat = NOBODY,
    most: int = 40,
) -> Iterator[Text]:
    """Yield what was asked for: a list of legs, or every hand of one leg, or one hand.

    :raises OperatorError: if there is nothing of the kind.
    """
    found = select(path, pairing=pairing, board=board, leg=leg)
    if pairing is None or board is None or leg is None:
        night = read_night(find_journal(path))
        yield Text(f"night {night.name}; choose one of its legs with the options in front of it", style=_BOLD)
        count = 0
        for count, record in enumerate(found, 1):
            if count <= most:
                yield Text(leg_line(record))
        if count > most:
            yield Text(f"... and {count - most} more; --pairing and --board shorten the list", style=_DIM)
        if not count:
            raise OperatorError(f"no such leg in {path}; without --pairing and --board all are listed")
        return
    record = next(found, None)  # type: ignore[assignment]
    if record is None:
        raise OperatorError(f"no pairing {pairing}, board {board}, leg {leg} in {path}; without them all are listed")
    if not record.hands:
        yield Text(leg_line(record))
        for fault in record.faults:
            yield Text(f"  {fault.kind.name.lower()}: {fault.message}", style="yellow")
    for number in range(len(record.hands)) if hand is None else [hand]:
        if hand is None and number:
            yield Text()
        yield from hand_lines(record, number, seat)


def game_lines(
    games: Sequence[Imported], *, game: int | None = None, hand: int | None = None, seat: Seat = NOBODY
) -> Iterator[Text]:
    """Yield the hands of games that were read from EGN.

    :raises OperatorError: if there is no such game or hand.
    """
    if game is None and len(games) > 1:
        yield Text(f"{len(games)} games; choose one with --board", style=_BOLD)
        for number, one in enumerate(games):
            names = ", ".join(one.players)
            yield Text(f"--board {number}  {one.variant.id}  {_count(len(one.hands), 'hand')}  {names}")
        return
    number = game or 0
    if not 0 <= number < len(games):
        raise OperatorError(f"there are {len(games)} games, from 0; there is no game {number}")
    one = games[number]
    for place in range(len(one.hands)) if hand is None else [hand]:
        if not 0 <= place < len(one.hands):
            raise OperatorError(f"the game has {len(one.hands)} hands, from 0; there is no hand {place}")
        if hand is None and place:
            yield Text()
        yield from _imported_hand(one, number, place, seat)


def _imported_hand(game: Imported, number: int, place: int, seat: Seat) -> Iterator[Text]:
    """Yield a hand as if it had been the only one of a leg; EGN tells no times."""
    before = game.hands[place - 1].totals if place else game.initial_score
    start = starting_totals(game.variant)
    record = game.hands[place]
    gains = tuple(after - total for after, total in zip(record.totals, before, strict=True))
    totals = tuple(total + gain for total, gain in zip(start, gains, strict=True))
    leg = LegRecord(
        seating=Seating(
            pairing=0,
            variant=game.variant.id,
            leg=0,
            legs=1,
            match="",
            first_dealer=record.dealer,
            entrants=game.players,
            instances=game.players,
        ),
        board=number,
        hands=(replace(record, number=0, totals=totals),),
        end=GameEnd.BOARD,
        points=gains,
    )
    yield from hand_lines(leg, 0, seat)


# -- transcripts -------------------------------------------------------------------------------------


def transcript_name(entrant: str) -> str:
    """Return the file name of an entrant's transcript; any name gives a safe one."""
    return urllib.parse.quote(entrant, safe=" ").replace(".", "%2E") + ".txt"


def write_transcripts(path: Path, directory: Path, limit: int = TRANSCRIPT_BYTES) -> dict[str, Path]:
    """Write for every entrant what its seats saw, at most *limit* bytes each, and return the files.

    Hands in which the entrant committed a fault come first, because they are what its author looks for; then all
    others in the order of completion, as far as there is room. What was left out is counted at the end.

    :raises JournalError: if the journal cannot be read.
    """
    directory.mkdir(parents=True, exist_ok=True)
    journal = find_journal(path)
    night = read_night(journal).name
    transcripts: dict[str, _Transcript] = {}
    for only_faults in (True, False):
        seatings: dict[int, Seating] = {}
        for line in read_lines(journal):
            with located(journal, line):
                if line.kind == "seating":
                    data = line.json()
                    seating = seatings[len(seatings)] = Seating.from_json(data)
                    for entrant in seating.entrants:
                        transcripts.setdefault(entrant, _Transcript(entrant, night, limit))
                elif line.kind == "leg":
                    _add_leg(transcripts, line.json(), seatings, only_faults=only_faults)
    return {name: transcript.write(directory) for name, transcript in sorted(transcripts.items())}


def _add_leg(
    transcripts: dict[str, _Transcript],
    data: Mapping[str, Json],
    seatings: Mapping[int, Seating],
    *,
    only_faults: bool,
) -> None:
    """Add the hands of a leg, those with a fault of the seat or those without; replay nothing that has no room."""
    faulty = {(fault[1], fault[2]) for fault in cast("list[list[int]]", data.get("faults", []))}
    hands = len(cast("list[Json]", data["hands"]))
    record = None
    for seat, entrant in enumerate(seatings[cast("int", data["seating"])].entrants):
        wanted = [number for number in range(hands) if ((seat, number) in faulty) == only_faults]
        transcript = transcripts[entrant]
        if transcript.is_full:
            transcript.left_out += len(wanted)
            continue
        for number in wanted:
            record = record or LegRecord.from_json(data, seatings)
            transcript.add(record, number, seat)


class _Transcript:
    """What one entrant saw, on its way to a file."""

    _TAIL_BYTES: Final = 200

    def __init__(self, entrant: str, night: str, limit: int) -> None:
        self._entrant = entrant
        self._room = limit - self._TAIL_BYTES
        self._limit = limit
        self._parts: list[str] = []
        self.left_out = 0
        """Hands for which there was no room."""
        self._put(f"What {entrant} saw in the night {night}; hands with a fault of its own come first.\n\n")

    @property
    def is_full(self) -> bool:
        """Tell whether a hand has been left out; later ones are too, however short."""
        return self.left_out > 0

    def _put(self, part: str) -> bool:
        size = len(part.encode())
        if size > self._room:
            return False
        self._parts.append(part)
        self._room -= size
        return True

    def add(self, record: LegRecord, number: int, seat: Seat) -> None:
        """Add a hand as *seat* saw it, if there is room."""
        if self.is_full or not self._put(_plain(hand_lines(record, number, seat)) + "\n\n"):
            self.left_out += 1

    def write(self, directory: Path) -> Path:
        """Write the file at once, and return it."""
        path = directory / transcript_name(self._entrant)
        partial = path.with_name(path.name + ".partial")
        missing = _count(self.left_out, "hand")
        tail = f"Left out: {missing}; a transcript has at most {self._limit} bytes.\n" if self.left_out else ""
        partial.write_text("".join(self._parts) + tail, "utf-8")
        partial.replace(path)
        return path


def _plain(lines: Iterable[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


def seats_of(seating: Seating, entrant: str) -> list[Seat]:
    """Return the seats an entrant has."""
    return [seat for seat, name in enumerate(seating.entrants) if name == entrant]
