"""Euchre Game Notation 1.4: games out of the journal for other people's tools, and games of other people in.

EGN (``.egn``, JSON) keeps who dealt, the card turned up, the calls, and the cards in the order played; whoever reads
it works out the rest by the rules of the four-handed game. Its match form (``.emn``) keeps several such games between
the same players. ``docs/record.md`` says which of our variants it can express and what is left out.

Nothing is written on trust. A hand is written only if reading it back gives the same hand, and only if leader, trick
winners and points by EGN's own plain rules, which are written out here without a look at ours, come to the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from arena.errors import OperatorError
from arena.journal import LegRecord, Night, find_journal, read_legs, read_night
from leaderboards.results import BOARDS, GAMES
from referee.rules import (
    NOBODY,
    Action,
    ActionRefused,
    Alliance,
    Card,
    Hand,
    HandEnd,
    Kind,
    PhaseKind,
    RulesError,
    Seat,
    Variant,
    action,
    build,
    format_card,
    parse_card,
    parse_variant,
    starting_totals,
)
from referee.rules.cards import X1
from referee.rules.deal import dealt_positions
from referee.rules.variant import FiveTrickScore
from referee.service.outcome import HandRecord, PlayedAction

EGN_VERSION: Final = "1.4"
EMN_VERSION: Final = "1.1"
EGN_TYPE: Final = "Euchre Game Notation"
EMN_TYPE: Final = "Euchre Match Notation"
MOST_DEALS: Final = 100
"""Deals of one EGN file; longer games and runs of boards go on in the next."""
_MOST_BYTES: Final = 16 << 20
"""A larger file is refused before it is read."""

Object: TypeAlias = dict[str, Any]
"""A JSON object of EGN."""


class EgnError(OperatorError):
    """A file that is no EGN, or a hand that cannot have happened under the rules it states."""


class _Inexpressible(Exception):
    """EGN has no words for it. The text is the reason."""


# -- cards and rules ---------------------------------------------------------------------------------


def format_egn_card(card: Card) -> str:
    """Return a card as EGN writes it: ``"Jd"``, and ``"B"`` for the joker."""
    name = format_card(card)
    return "B" if card == X1 else name[0] + name[1].lower()


def parse_egn_card(text: object) -> Card:
    """Return the card of ``"Jd"``, ``"Nd"`` (a nine) or ``"B"``.

    :raises EgnError: for cards that are not fully known (``X``, ``t``, ``R``, ...) and for anything else.
    """
    if text == "B":
        return X1
    if not isinstance(text, str) or not re.fullmatch(r"[2-9NTJQKA][SsHhCcDd]", text):
        raise EgnError(f"{text!r} is no card that can be dealt; EGN writes them like 9c, Ts, Jd and B")
    return parse_card(text.replace("N", "9"))


def why_inexpressible(variant: Variant) -> str:
    """Return why EGN cannot express a variant, or nothing if it can."""
    score = variant.scoring
    for is_so, reason in (
        (variant.seats != 4 or variant.alliance is not Alliance.FIXED, "EGN's games are for two sides of two"),
        (
            variant.trump_making != "upcard-auction" or variant.ladder,
            "EGN has no numeric bids, only the upcard auction",
        ),
        (variant.packs != 1 or variant.card_order != "bowers", "EGN has one pack, with bowers"),
        (variant.jokers not in ((), ((X1,),)), "EGN has one joker, printed as such"),
        (variant.hand_size != 5, "EGN deals five cards each"),
        (variant.order_up_makers != "orderer-side", "in EGN whoever calls is the maker"),
        (not isinstance(score, FiveTrickScore), "EGN scores 1, 2 and 4 points for the five tricks"),
        (
            isinstance(score, FiveTrickScore) and (score.three_or_four, score.march, score.euchre) != (1, 2, 2),
            "EGN scores 1 point, 2 for a march and 2 for a euchre",
        ),
    ):
        if is_so:
            return reason
    return ""


def ruleset_of(variant: Variant, unit: str, deals: int) -> Object:
    """Return EGN's rule set for a variant: the nearest that it can say."""
    score = cast("FiveTrickScore", variant.scoring)
    lowest = min(card % 13 for card in variant.deck if card < X1)
    ruleset: Object = {
        "std": variant.stick_dealer,
        "min_rank": lowest + 2,
        "canadian": variant.dealer_partner_order == "alone-only",
        "loner_lead": "LEFT_OF_DEALER" if variant.loner_lead == "eldest" else "LEFT_OF_LONER",
        "loner_march_score": score.lone_march or score.march,
        "loner_euchred_score": score.euchre,
        "defend_alone": variant.alone_defenders != "none",
        "joker": bool(variant.jokers),
        "num_players": 4,
    }
    ruleset.update({"winning_score": variant.target} if unit == GAMES else {"num_deals": deals})
    return ruleset


_FALSE_HERE: Final = ("farmers", "go_under", "partners_best", "allow_no_trump", "fast_break", "four_trick_tokens")


def variant_of_ruleset(ruleset: Mapping[str, Any]) -> Variant:
    """Return the game that EGN's rule set describes: ``standard`` with options.

    :raises EgnError: naming what of it is not played here.
    """
    for name in _FALSE_HERE:
        if ruleset.get(name):
            raise EgnError(f"the rule set has {name}, which is not played here")
    for name, wanted in (("num_players", 4), ("loner_march_score", 4), ("loner_euchred_score", 2)):
        if ruleset.get(name, wanted) != wanted:
            raise EgnError(f"the rule set has {name} {ruleset[name]!r}; only {wanted} is played here")
    packs = {(9, False): "24", (9, True): "25", (7, False): "32", (7, True): "33"}
    pack = packs.get((ruleset.get("min_rank", 9), bool(ruleset.get("joker", False))))
    if pack is None:
        raise EgnError(f"the rule set has min_rank {ruleset.get('min_rank')!r}; 7 and 9 are played here")
    options: dict[str, str | int] = {
        "deck": pack,
        "stick_dealer": "on" if ruleset.get("std", True) else "off",
        "dealer_partner_order": "alone-only" if ruleset.get("canadian") else "normal",
        "loner_lead": "left-of-loner" if ruleset.get("loner_lead") == "LEFT_OF_LONER" else "eldest",
        "alone_defenders": "against-loner" if ruleset.get("defend_alone") else "none",
    }
    if ruleset.get("winning_score"):
        options["target"] = int(ruleset["winning_score"])
    try:
        return build("standard", options)
    except RulesError as error:
        raise EgnError(f"the rule set cannot be played here: {error}") from None


# -- a hand as EGN would score it --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EgnDeal:
    """One deal, as an EGN file has it, each card known."""

    number: int
    dealer: Seat
    upcard: Card
    hands: tuple[tuple[Card, ...], ...] | None
    """As dealt, by seat; ``None`` if the file does not say."""
    calls: tuple[str, ...]
    is_alone: bool
    lone_defender: Seat
    discard: Card
    """``NOBODY`` if the file does not say."""
    tricks: tuple[tuple[Card, ...], ...]
    board: tuple[int, int] | None = None
    """Board and claimed deals before, where the file is ours."""
    kitty: tuple[Card, ...] = ()
    """In the order of the deck, where the file is ours."""

    @property
    def is_called(self) -> bool:
        """Tell whether somebody made trump."""
        return bool(self.calls) and self.calls[-1] != "Pass"

    @property
    def is_ordered(self) -> bool:
        """Tell whether the upcard's suit was accepted."""
        return bool(self.calls) and self.calls[-1] == "Order"

    @property
    def caller(self) -> Seat:
        """Who called last: the maker, if trump was made."""
        return (self.dealer + len(self.calls)) % 4

    @property
    def trump(self) -> int:
        """The trump suit, 0 to 3 for S C H D."""
        return self.upcard // 13 if self.is_ordered else _SUIT_LETTERS.index(self.calls[-1])

    def active(self) -> list[Seat]:
        """Return who plays."""
        out = {(self.caller + 2) % 4} if self.is_alone else set()
        if self.lone_defender >= 0:
            out.add((self.lone_defender + 2) % 4)
        return [seat for seat in range(4) if seat not in out]


_SUIT_LETTERS: Final = ("s", "c", "h", "d")
_SISTERS: Final = (1, 0, 3, 2)
_JACK: Final = 9


def _plain_suit(card: Card, trump: int) -> int:
    if card == X1 or (card % 13 == _JACK and card // 13 == _SISTERS[trump]):
        return trump
    return card // 13


def _plain_height(card: Card, trump: int) -> int:
    if card == X1:
        return 102
    if card % 13 == _JACK and _plain_suit(card, trump) == trump:
        return 101 if card // 13 == trump else 100
    return card % 13 + (50 if card // 13 == trump else 0)


def plays_of(deal: EgnDeal, loner_lead: str) -> list[tuple[Seat, Card, Seat]]:
    """Return who played what, and who took that trick, by EGN's rules for replaying.

    :raises EgnError: if a trick has the wrong number of cards.
    """
    active, trump = deal.active(), deal.trump
    after = deal.caller if deal.is_alone and loner_lead == "LEFT_OF_LONER" else deal.dealer
    seat = _next_of(active, (after + 1) % 4)
    plays: list[tuple[Seat, Card, Seat]] = []
    for trick in deal.tricks:
        if len(trick) != len(active):
            raise EgnError(f"deal {deal.number}: {len(trick)} cards to a trick of {len(active)} seats")
        who = []
        for _ in trick:
            who.append(seat)
            seat = _next_of(active, (seat + 1) % 4)
        led = _plain_suit(trick[0], trump)
        able = [at for at, card in enumerate(trick) if _plain_suit(card, trump) in (led, trump)]
        winner = who[max(able, key=lambda at: _plain_height(trick[at], trump))]
        plays += [(who[at], card, winner) for at, card in enumerate(trick)]
        seat = winner
    return plays


def _next_of(active: Sequence[Seat], seat: Seat) -> Seat:
    while seat not in active:
        seat = (seat + 1) % 4
    return seat


def points_of(deal: EgnDeal, ruleset: Mapping[str, Any]) -> tuple[int, int]:
    """Return what a deal is worth to sides 0 and 1 by EGN's table of scores.

    :raises EgnError: if a trick has the wrong number of cards.
    """
    if not deal.is_called:
        return 0, 0
    size = len(deal.active())
    winners = [winner for _, _, winner in plays_of(deal, ruleset["loner_lead"])][::size]
    makers = deal.caller % 2
    taken = sum(winner % 2 == makers for winner in winners)
    points = [0, 0]
    if taken >= 3:
        march = ruleset["loner_march_score"] if deal.is_alone else 2
        points[makers] = march if taken == 5 else 1
    else:
        euchre = ruleset["loner_euchred_score"] if deal.is_alone else 2
        points[1 - makers] = 4 if deal.lone_defender >= 0 else euchre
    return points[0], points[1]


# -- writing -----------------------------------------------------------------------------------------


def _deal_of(record: HandRecord, hand: Hand) -> EgnDeal:
    """Return a finished hand in EGN's terms.

    :raises _Inexpressible: if it has none.
    """
    result = hand.result
    if result is None or result.end not in (HandEnd.PLAYED, HandEnd.THROWN_IN):
        raise _Inexpressible(f"EGN has no words for {_UNSAYABLE_ENDS.get(result.end, '') if result else 'a forfeit'}")
    if hand.joker_is_up:
        raise _Inexpressible("EGN has no call for a joker turned up")
    calls: list[str] = []
    for _, act, _, _ in hand.events:
        if act.kind in _UNSAYABLE:
            raise _Inexpressible(f"EGN has no words for {_UNSAYABLE[act.kind]}")
        word = _call_of(act)
        if word:
            calls.append(word)
    lone_defender = hand.lone_defender
    if hand.lone_maker not in (NOBODY, hand.maker):
        raise _Inexpressible("in EGN only the caller plays alone")
    if lone_defender != NOBODY and hand.lone_maker == NOBODY:
        raise _Inexpressible("in EGN a defender plays alone only against a loner")
    cards = [act.card for _, act, _, _ in hand.events if act.kind is Kind.PLAY]
    size = max(len(hand.active), 1)
    discards = [act.card for _, act, _, _ in hand.events if act.kind is Kind.DISCARD]
    return EgnDeal(
        number=0,
        dealer=hand.dealer,
        upcard=hand.upcard,
        hands=hand.dealt,
        calls=tuple(calls),
        is_alone=hand.lone_maker != NOBODY,
        lone_defender=lone_defender,
        discard=discards[0] if discards else NOBODY,
        tricks=tuple(tuple(cards[at : at + size]) for at in range(0, len(cards), size)),
        board=(record.board, record.redeal),
        kitty=hand.undealt,
    )


_UNSAYABLE_ENDS: Final = {
    HandEnd.CLAIMED: "a new deal that was claimed",
    HandEnd.RENEGE: "a hand stopped by a renege",
    HandEnd.TABLE_TALK: "a hand stopped by table talk",
}
_UNSAYABLE: Final = {
    Kind.TAKE_DOWN_ALONE: "a partner who takes the upcard down",
    Kind.ASK: "a card asked of the partner",
    Kind.OFFER: "a card offered by the partner",
    Kind.CALL_BEST: "a call for the partner's best",
    Kind.NAME_BLIND: "trump named blind",
}


def _call_of(act: Action) -> str:
    match act.kind:
        case Kind.PASS | Kind.TURN_DOWN:
            return "Pass"
        case Kind.ORDER_UP | Kind.ORDER_UP_ALONE | Kind.TAKE_UP | Kind.TAKE_UP_ALONE:
            return "Order"
        case Kind.NAME | Kind.NAME_ALONE:
            return _SUIT_LETTERS[act.strain]
        case _:
            return ""


def _deal_to_json(deal: EgnDeal, number: int, variant: Variant) -> Object:
    cards = [[format_egn_card(card) for card in hand] for hand in deal.hands or ()]
    bidding: Object = {
        "phaseNumber": 0,
        "type": "EUCHRE_BIDDING",
        "calls": list(deal.calls),
        "isAlone": deal.is_alone,
    }
    if variant.alone_defenders != "none" and deal.is_alone:
        bidding["aloneDefender"] = deal.lone_defender
    if deal.discard != NOBODY:
        bidding["discard"] = format_egn_card(deal.discard)
    if deal.board is not None:
        kitty = " ".join(format_egn_card(card) for card in deal.kitty)
        bidding["callAnnotations"] = {"0": [f"board {deal.board[0]}.{deal.board[1]}; kitty {kitty}"]}
    phases = [bidding]
    if deal.tricks:
        tricks = [[format_egn_card(card) for card in trick] for trick in deal.tricks]
        phases.append({"phaseNumber": 1, "type": "TRICK_PLAY", "tricks": tricks})
    return {
        "dealNumber": number,
        "initialState": {"dealer": deal.dealer, "upCard": format_egn_card(deal.upcard), "playerCards": cards},
        "phases": phases,
    }


def deals_of(leg: LegRecord) -> list[Object]:
    """Return the deals of a leg, numbered from zero.

    :raises _Inexpressible: if one of them has no place in EGN.
    """
    variant = leg.variant
    ruleset = ruleset_of(variant, leg.seating.unit, 1)
    deals = []
    before = starting_totals(variant)
    for number, record in enumerate(leg.hands):
        hand = _replayed(variant, record, before)
        deal = _deal_of(record, hand)
        written = _deal_to_json(deal, number, variant)
        _check_reading_back(variant, record, hand, before, written, ruleset)
        deals.append(written)
        before = record.totals
    return deals


def _replayed(variant: Variant, record: HandRecord, before: Sequence[int]) -> Hand:
    hand = Hand(variant, record.deck, record.dealer, before)
    for done in record.actions:
        if not done.forced:
            hand.apply(done.action)
    return hand


def _check_reading_back(
    variant: Variant,
    record: HandRecord,
    hand: Hand,
    before: Sequence[int],
    written: Object,
    ruleset: Mapping[str, Any],
) -> None:
    """Refuse a hand that another reader of EGN, or we ourselves, would understand otherwise."""
    try:
        deal = _deal_from_json(written, record.number)
        again = _hand_of(variant, deal, before, ruleset["loner_lead"])
        points = points_of(deal, ruleset)
        plays = plays_of(deal, ruleset["loner_lead"]) if deal.tricks else []
    except EgnError as error:
        raise _Inexpressible(str(error)) from None
    mine = [(seat, act.card) for seat, act, _, _ in hand.events if act.kind is Kind.PLAY]
    if [(seat, card) for seat, card, _ in plays] != mine:
        raise _Inexpressible("by EGN's rules somebody else would have led")
    if hand.result is None or points != hand.result.points:
        raise _Inexpressible("EGN's table of scores gives other points")
    if again != hand:
        raise _Inexpressible("EGN does not tell this hand from another")


@dataclass(frozen=True, slots=True)
class Export:
    """What was written, and what was not."""

    files: tuple[Path, ...]
    legs: int
    left_out: Mapping[str, int]
    """Legs by the reason why EGN cannot express them."""


@dataclass(slots=True)
class _Run:
    """Boards, or a game, of one seating on their way into a file."""

    leg: LegRecord
    boards: list[int] = field(default_factory=list)
    deals: list[Object] = field(default_factory=list)
    score: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, leg: LegRecord, deals: Sequence[Object]) -> None:
        for deal in deals:
            self.deals.append({**deal, "dealNumber": len(self.deals)})
        self.boards.append(leg.board)
        self.score = [total + gain for total, gain in zip(self.score, leg.points, strict=True)]


def export(path: Path, directory: Path) -> Export:
    """Write every leg of a journal that EGN can express, and return what was written.

    Into *directory* go, for each pairing, an ``.egn`` file for each game (in the unit ``boards``: for each hundred
    boards of a leg number) and an ``.emn`` file with all of them.

    :raises EgnError: if EGN can express none of the variants.
    :raises JournalError: if the journal cannot be read.
    """
    journal = find_journal(path)
    night = read_night(journal)
    reasons = {text: why_inexpressible(parse_variant(text)) for text in night.variants}
    if all(reasons.values()):
        raise EgnError("; ".join(f"{text} cannot be written: {reason}" for text, reason in reasons.items()))
    runs: dict[tuple[Any, ...], _Run] = {}
    left_out: Counter[str] = Counter()
    count = 0
    for _, leg in read_legs(journal):
        try:
            _add_to_run(runs, leg)
            count += 1
        except _Inexpressible as reason:
            left_out[f"{leg.seating.variant}: {reason}"] += 1
    directory.mkdir(parents=True, exist_ok=True)
    files = list(_write_runs(night, runs, directory, is_whole=not left_out))
    return Export(tuple(files), count, dict(sorted(left_out.items())))


def _add_to_run(runs: dict[tuple[Any, ...], _Run], leg: LegRecord) -> None:
    reason = why_inexpressible(leg.variant)
    if reason:
        raise _Inexpressible(reason)
    if not leg.hands:
        raise _Inexpressible("EGN has no words for a forfeit")
    deals = deals_of(leg)
    seating = leg.seating
    part = leg.board if seating.unit == GAMES else leg.board // MOST_DEALS
    key = (seating.pairing, part, seating.leg, seating.entrants)
    run = runs.get(key)
    if run is None:
        run = runs[key] = _Run(leg)
    run.add(leg, deals)


def _write_runs(
    night: Night, runs: Mapping[tuple[Any, ...], _Run], directory: Path, *, is_whole: bool
) -> Iterator[Path]:
    pairings: dict[int, list[tuple[_Run, Object]]] = {}
    for key in sorted(runs):
        run = runs[key]
        _sort_boards(run)
        for part, game in enumerate(_games_of(night, run)):
            number = "" if len(run.deals) <= MOST_DEALS else f"-part{part}"
            name = f"{night.name}-p{key[0]}-{_unit_word(run)}{run.boards[0]}-leg{key[2]}{number}.egn"
            yield _write(directory / name, game)
            pairings.setdefault(key[0], []).append((run, game))
    for pairing, games in pairings.items():
        yield _write(directory / f"{night.name}-p{pairing}.emn", match_of(night, pairing, games, is_whole=is_whole))


def _unit_word(run: _Run) -> str:
    return "game" if run.leg.seating.unit == GAMES else "board"


def _sort_boards(run: _Run) -> None:
    """Put boards in order, whatever the order of completion; a game is in order."""
    if run.leg.seating.unit == BOARDS:
        order = sorted(range(len(run.deals)), key=lambda at: run.boards[at])
        run.deals = [{**run.deals[at], "dealNumber": number} for number, at in enumerate(order)]
        run.boards.sort()


def _games_of(night: Night, run: _Run) -> Iterator[Object]:
    """Yield a run as EGN, a hundred deals at a time; the score goes on."""
    seating, variant = run.leg.seating, run.leg.variant
    score = list(starting_totals(variant))
    for part, at in enumerate(range(0, len(run.deals), MOST_DEALS)):
        deals = [{**deal, "dealNumber": number} for number, deal in enumerate(run.deals[at : at + MOST_DEALS])]
        ruleset = ruleset_of(variant, seating.unit, len(deals))
        before = list(score)
        for deal in deals:
            gains = points_of(_deal_from_json(deal, 0), ruleset)
            score = [total + gain for total, gain in zip(score, gains, strict=True)]
        boards = f"{run.boards[0]}" if len(run.boards) == 1 else f"{run.boards[0]}-{run.boards[-1]}"
        place = f"pairing {seating.pairing}, {_unit_word(run)} {boards}, leg {seating.leg}"
        yield {
            "fileType": EGN_TYPE,
            "version": EGN_VERSION,
            "metadata": {
                "gameId": _cut(f"{night.name}/p{seating.pairing}/{run.boards[0]}/leg{seating.leg}/{part}", 64),
                "title": _cut(f"{night.name}: {' - '.join(seating.entrants[:2])}, {place}", 128),
                "description": f"Euchre Arena; variant {seating.variant}; {place}",
                **({"date": night.started} if re.fullmatch(r"[0-9T:.Z+-]{1,64}", night.started) else {}),
                "players": [_cut(name, 64) for name in seating.entrants],
                "initialScore": before,
                "finalScore": list(score),
                "ruleset": ruleset,
            },
            "deals": deals,
        }


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def match_of(night: Night, pairing: int, games: Sequence[tuple[_Run, Object]], *, is_whole: bool) -> Object:
    """Return the games of a pairing in EGN's match form; the result only if every leg is among them."""
    entrants = sorted({name for run, _ in games for name in run.leg.seating.entrants})
    team_of = {name: f"team-{number:02}" for number, name in enumerate(entrants, 1)}
    players: dict[tuple[str, int], str] = {}
    entries = []
    scores: Counter[str] = Counter(dict.fromkeys(team_of.values(), 0))
    for index, (run, game) in enumerate(games):
        seats: Counter[str] = Counter()
        ids = []
        for name in run.leg.seating.entrants:
            seats[name] += 1
            ids.append(players.setdefault((name, seats[name]), f"p-{len(players) + 1:02}"))
        entries.append({"gameIndex": index, "playersOverride": ids, "gameData": game})
        metadata = game["metadata"]
        for side in (0, 1):
            gain = metadata["finalScore"][side] - metadata["initialScore"][side]
            scores[team_of[run.leg.seating.entrants[side]]] += gain
    match: Object = {
        "fileType": EMN_TYPE,
        "version": EMN_VERSION,
        "metadata": {
            "matchId": _cut(f"{night.name}/p{pairing}", 64),
            "title": _cut(f"{night.name}: {' - '.join(entrants)}", 128),
            "teams": [
                {
                    "id": team_of[name],
                    "name": _cut(name, 64),
                    "playerIds": [number for (who, _), number in players.items() if who == name],
                }
                for name in entrants
            ],
            "players": [{"id": number, "name": _cut(name, 64)} for (name, _), number in players.items()],
            "matchFormat": {"type": "FIXED_GAMES", "target": len(games)},
        },
        "games": entries,
    }
    if is_whole:
        best = max(scores.values())
        winners = [team for team, score in scores.items() if score == best]
        is_draw = len(winners) > 1
        match["metadata"]["result"] = {
            "status": "DRAW" if is_draw else "COMPLETED",
            "winner": [] if is_draw else winners,
            "scores": dict(scores),
        }
    return match


def format_egn(game: Object) -> str:
    """Return EGN or EMN as text: the same game always gives the same bytes."""
    return json.dumps(game, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _write(path: Path, game: Object) -> Path:
    path.write_text(format_egn(game), "utf-8")
    return path


# -- reading -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A game that was read: what EGN says, and the hands it stands for."""

    variant: Variant
    players: tuple[str, ...]
    unit: str
    """``games`` if it is played to a target, ``boards`` if for a number of deals."""
    initial_score: tuple[int, int]
    hands: tuple[HandRecord, ...]
    """With no times, and cards nobody showed in the order of the rules."""
    source: Object
    """The file."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Totals at the end."""
        return self.hands[-1].totals if self.hands else self.initial_score


def read_egn(path: Path) -> list[Imported]:
    """Return the game of an ``.egn`` file, or the games of an ``.emn`` file.

    Every deal is played again by our rules; a call or card that they do not allow is an error.

    :raises EgnError: naming the file, the deal and what does not fit.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise EgnError(f"{path} is larger than {_MOST_BYTES >> 20} MiB")
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise EgnError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise EgnError(f"{path} is no JSON: {error}") from None
    try:
        return [import_game(game) for game in _games_in(data)]
    except EgnError as error:
        raise EgnError(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise EgnError(f"{path} does not hold together: {error!r}") from None


def _games_in(data: Any) -> list[Object]:
    match data:
        case {"fileType": "Euchre Game Notation"}:
            return [data]
        case {"fileType": "Euchre Match Notation", "games": list(games)}:
            return [game["gameData"] for game in games]
        case _:
            raise EgnError(f"this is neither {EGN_TYPE} nor {EMN_TYPE}")


def import_game(data: Object) -> Imported:
    """Return the game of an EGN object.

    :raises EgnError: if it is of another version, or a deal cannot be played.
    """
    if not re.match(r"1\.[0-6](\.|$)", str(data.get("version"))):
        raise EgnError(f"version {data.get('version')!r}; versions 1.0 to 1.6 are read here")
    metadata = data["metadata"]
    ruleset = _full_ruleset(metadata.get("ruleset", {}))
    variant = _stated_variant(metadata) or variant_of_ruleset(ruleset)
    first, second = metadata["initialScore"]
    unit = BOARDS if ruleset.get("num_deals") else GAMES
    totals: tuple[int, ...] = (first, second)
    hands = []
    for number, item in enumerate(data["deals"]):
        if not isinstance(item, dict):
            raise EgnError(f"deal {number} is in the condensed form, which is not read here")
        deal = _deal_from_json(item, number)
        start = totals if unit == GAMES else starting_totals(variant)
        hand = _hand_of(variant, deal, start, ruleset["loner_lead"])
        hands.append(_record_of(hand, deal, number, totals))
        totals = hands[-1].totals
    names = [player if isinstance(player, str) else player["name"] for player in metadata["players"]]
    return Imported(
        variant=variant,
        players=tuple(names),
        unit=unit,
        initial_score=(first, second),
        hands=tuple(hands),
        source=data,
    )


def _full_ruleset(ruleset: Mapping[str, Any]) -> Object:
    return {"loner_lead": "LEFT_OF_DEALER", "loner_march_score": 4, "loner_euchred_score": 2, **ruleset}


def _stated_variant(metadata: Mapping[str, Any]) -> Variant | None:
    """Return the variant that a file of our own names, ``None`` for another's file."""
    found = re.match(r"Euchre Arena; variant ([^;]+);", str(metadata.get("description", "")))
    if found is None:
        return None
    try:
        return parse_variant(found[1])
    except RulesError as error:
        raise EgnError(f"the description names a variant that there is not: {error}") from None


def _deal_from_json(data: Object, number: int) -> EgnDeal:
    state = data["initialState"]
    phases = {phase["type"]: phase for phase in data["phases"]}
    bidding = phases.get("EUCHRE_BIDDING", {"calls": []})
    play = phases.get("TRICK_PLAY", {"tricks": []})
    calls = tuple(bidding["calls"])
    for call in calls:
        if call not in ("Pass", "Order", *_SUIT_LETTERS):
            raise EgnError(f"deal {number}: the call {call!r} is not played here")
    hands = tuple(tuple(parse_egn_card(card) for card in cards) for cards in state.get("playerCards", []))
    annotations = bidding.get("callAnnotations", {}).get("0", [])
    ours = re.fullmatch(r"board (\d+)\.(\d+); kitty((?: \w{1,2})*)", annotations[0]) if annotations else None
    return EgnDeal(
        number=number,
        dealer=state["dealer"],
        upcard=parse_egn_card(state["upCard"]),
        hands=hands if len(hands) == 4 and all(len(cards) == 5 for cards in hands) else None,
        calls=calls,
        is_alone=bool(bidding.get("isAlone", False)),
        lone_defender=bidding.get("aloneDefender", NOBODY),
        discard=parse_egn_card(bidding["discard"]) if "discard" in bidding else NOBODY,
        tricks=tuple(tuple(parse_egn_card(card) for card in trick) for trick in play["tricks"]),
        board=(int(ours[1]), int(ours[2])) if ours else None,
        kitty=tuple(parse_egn_card(card) for card in ours[3].split()) if ours else (),
    )


def _hand_of(variant: Variant, deal: EgnDeal, before: Sequence[int], loner_lead: str) -> Hand:
    """Return the hand that a deal stands for, played to its end by our rules."""
    if not 0 <= deal.dealer < 4:
        raise EgnError(f"deal {deal.number}: there is no seat {deal.dealer}")
    plays = plays_of(deal, loner_lead) if deal.is_called else []
    cards = [card for _, card, _ in plays]
    deck, discard = _deck_of(variant, deal, plays)
    try:
        hand = Hand(variant, deck, deal.dealer, before)
    except RulesError as error:
        raise EgnError(f"deal {deal.number}: {error}") from None
    calls = iter(deal.calls)
    played = iter(cards)
    while not hand.is_over:
        act = _answer(hand, deal, calls, played, discard)
        if act is None:
            raise EgnError(f"deal {deal.number}: it breaks off; {hand.describe()}")
        if act.kind is Kind.PLAY and hand.is_renege(act):
            raise EgnError(f"deal {deal.number}: {act!r} does not follow suit; {hand.describe()}")
        try:
            hand.apply(act)
        except ActionRefused as refused:
            raise EgnError(f"deal {deal.number}: {refused}") from None
    happened = [act.card for _, act, _, _ in hand.events if act.kind is Kind.PLAY]
    if len(happened) > len(cards):
        raise EgnError(f"deal {deal.number}: its tricks break off")
    if next(calls, None) is not None or happened != cards:
        raise EgnError(f"deal {deal.number}: it goes on after the hand has ended")
    return hand


def _answer(hand: Hand, deal: EgnDeal, calls: Iterator[str], played: Iterator[Card], discard: Card) -> Action | None:
    """Return what the seat asked did, by the file; ``None`` if the file does not say."""
    match hand.phase.kind:
        case PhaseKind.UPCARD_AUCTION:
            call = next(calls, None)
            return None if call is None else _action_of(hand, deal, call)
        case PhaseKind.PICK_UP:
            if not hand.upcard_taken:
                return action(Kind.LEAVE_UPCARD if discard == NOBODY else Kind.TAKE_UPCARD)
            return action(Kind.DISCARD, (discard,)) if discard != NOBODY else hand.default()
        case PhaseKind.GOING_ALONE:
            loner = deal.caller if hand.is_of_makers(hand.actor) and deal.is_alone else deal.lone_defender
            return action(Kind.ALONE if hand.actor == loner else Kind.NOT_ALONE)
        case PhaseKind.PLAY:
            card = next(played, None)
            return None if card is None else action(Kind.PLAY, (card,))
        case PhaseKind.REDEAL_CLAIM | PhaseKind.EXCHANGE:
            return hand.default()
        case _:
            raise EgnError(f"deal {deal.number}: EGN does not answer a question of {hand.phase.kind.name}")


def _action_of(hand: Hand, deal: EgnDeal, call: str) -> Action:
    is_dealer = hand.actor == hand.dealer
    alone = deal.is_alone and hand.variant.alone_with_call
    if call == "Pass":
        return action(Kind.TURN_DOWN if is_dealer and hand.round == 1 else Kind.PASS)
    if call == "Order":
        if is_dealer:
            return action(Kind.TAKE_UP_ALONE if alone else Kind.TAKE_UP)
        return action(Kind.ORDER_UP_ALONE if alone else Kind.ORDER_UP)
    return action(Kind.NAME_ALONE if alone else Kind.NAME, strain=_SUIT_LETTERS.index(call))


def _deck_of(variant: Variant, deal: EgnDeal, plays: Sequence[tuple[Seat, Card, Seat]]) -> tuple[list[Card], Card]:
    """Return a deck that the deal can have come from, and what the dealer discarded.

    Where the file does not tell the hands, they are what was played; cards that nobody showed fill the rest, in the
    order of the rules.
    """
    discard = deal.discard
    if deal.hands is not None:
        hands = [list(cards) for cards in deal.hands]
        if discard == NOBODY and not variant.pickup_is_optional:
            discard = _unplayed_by(deal, hands[deal.dealer], plays)
    else:
        hands, discard = _hands_shown(deal, plays)
    shown = [card for cards in hands for card in cards] + [deal.upcard]
    unseen = list((Counter(variant.deck) - Counter(shown)).elements())
    if len(unseen) + len(shown) != len(variant.deck):
        raise EgnError(f"deal {deal.number}: a card is there twice, or is not one of {variant.id}")
    for seat, cards in enumerate(hands):
        while len(cards) < variant.hand_size:
            cards.append(unseen.pop(0))
            if seat == deal.dealer and discard == NOBODY and _is_picked_up(deal):
                discard = cards[-1]
    rest = list(deal.kitty) if sorted(deal.kitty) == sorted(unseen) else unseen
    positions = dealt_positions(variant.deal_pattern, 4, variant.hand_size, deal.dealer)
    deck = [NOBODY] * (4 * variant.hand_size) + [deal.upcard, *rest]
    for places, cards in zip(positions, hands, strict=True):
        for place, card in zip(places, cards, strict=True):
            deck[place] = card
    return deck, discard


def _is_picked_up(deal: EgnDeal) -> bool:
    """Tell whether the dealer takes the upcard; his partner's loner leaves it (UPA-PICK-4)."""
    return deal.is_ordered and not (deal.is_alone and deal.caller == (deal.dealer + 2) % 4)


def _unplayed_by(deal: EgnDeal, dealt: Sequence[Card], plays: Sequence[tuple[Seat, Card, Seat]]) -> Card:
    """Return the card that a dealer who took the upcard did not play, ``NOBODY`` if he took none or sat out."""
    played = {card for seat, card, _ in plays if seat == deal.dealer}
    left = [card for card in (*dealt, deal.upcard) if card not in played]
    return left[0] if _is_picked_up(deal) and len(left) == 1 else NOBODY


def _hands_shown(deal: EgnDeal, plays: Sequence[tuple[Seat, Card, Seat]]) -> tuple[list[list[Card]], Card]:
    """Return the hands as far as the play shows them, and the dealer's discard if it can be known."""
    hands = [[card for who, card, _ in plays if who == seat] for seat in range(4)]
    dealers, discard = hands[deal.dealer], deal.discard
    if not _is_picked_up(deal):
        return hands, discard
    if deal.upcard in dealers:
        dealers.remove(deal.upcard)
        if discard != NOBODY:
            dealers.append(discard)
        return hands, discard
    if len(deal.active()) == 4 or deal.dealer in deal.active():
        if discard not in (NOBODY, deal.upcard):
            raise EgnError(f"deal {deal.number}: the dealer took a card that he neither played nor discarded")
        return hands, deal.upcard  # he may discard the card just turned up
    if discard not in (NOBODY, deal.upcard):
        dealers.append(discard)
    return hands, deal.upcard if discard == NOBODY else discard


def _record_of(hand: Hand, deal: EgnDeal, number: int, before: Sequence[int]) -> HandRecord:
    board, redeal = deal.board or (number, 0)
    gains = hand.result.points if hand.result is not None else ()
    return HandRecord(
        number=number,
        board=board,
        redeal=redeal,
        dealer=hand.dealer,
        deck=hand.deck,
        actions=tuple(
            PlayedAction(seat=seat, action=act, forced=forced, milliseconds=0, fault=None)
            for seat, act, forced, _ in hand.events
        ),
        result=hand.result,
        totals=tuple(total + gain for total, gain in zip(before, gains, strict=True)),
    )


def same_game(imported: Imported) -> Object:
    """Return an imported game as EGN again.

    For a file that tells all hands this is the same file, its annotations and other words kept as they were.

    :raises EgnError: if a hand cannot be written.
    """
    deals = []
    totals: Sequence[int] = imported.initial_score
    variant = imported.variant
    for record, source in zip(imported.hands, imported.source["deals"], strict=True):
        start = totals if imported.unit == GAMES else starting_totals(variant)
        try:
            deal = _deal_of(record, _replayed(variant, record, start))
        except _Inexpressible as reason:
            raise EgnError(f"deal {record.number}: {reason}") from None
        deals.append(_deal_to_json(deal, source["dealNumber"], variant))
        totals = record.totals
    return {**imported.source, "deals": deals}


def format_export(result: Export) -> Iterable[str]:
    """Yield what came of an export, a line each."""
    yield f"{result.legs} legs in {len(result.files)} files"
    for reason, count in result.left_out.items():
        yield f"left out: {count} legs: {reason}"
