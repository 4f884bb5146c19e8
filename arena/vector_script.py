"""Scripts of a vector file: hands of one game, dealt and played step by step, with facts to check between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from arena.vector_fields import (
    Checks,
    Fields,
    StopCase,
    VectorError,
    complete_deck,
    read_plays,
    read_seat,
    read_totals,
    read_variant,
)
from referee.rules import (
    NOBODY,
    PLAY,
    UNFIXED,
    Action,
    Card,
    Game,
    HandResult,
    Kind,
    RulesError,
    Seat,
    Variant,
    format_action,
    format_card,
    format_cards,
    parse_action,
    parse_cards,
    view,
)
from referee.rules.cards import format_strain
from referee.rules.hand import EVERYBODY


class Table:
    """A game in which the steps of a script are taken."""

    def __init__(self, game: Game, deck: Sequence[Card]) -> None:
        self.game = game
        self.board = f"{game.board}.{game.redeals}" if game.redeals else str(game.board)
        self.hand_number = game.hands_played
        self.dealer = game.dealer
        self.hand = game.deal(deck)
        self.plays_told = 0
        """Plays of ``trick`` steps so far; the last trick is played before the script tells it."""

    @property
    def variant(self) -> Variant:
        """The variant that is played."""
        return self.game.variant

    def act(self, act: Action) -> None:
        """Let the seat that is asked do *act*; count the hand when it ends."""
        self.hand.apply(act)
        self.plays_told += act.kind is Kind.PLAY
        self._count()

    def talk(self, seat: Seat) -> None:
        """Let *seat* talk (REN-TALK-1)."""
        self.hand.table_talk(seat)
        self._count()

    def _count(self) -> None:
        if self.hand.result is not None:
            self.game.finish_hand(self.hand.result)

    def plays(self) -> list[tuple[Seat, Card]]:
        """Return every card played in this hand, in order, by whom."""
        return [(seat, act.card) for seat, act, _, _ in self.hand.events if act.kind is Kind.PLAY]


def run_script(fields: Fields, checks: Checks) -> None:
    """One or more hands of a game, dealt and played."""
    variant = read_variant(fields)
    game = Game(variant, read_seat(fields, variant, "dealer", 0), totals=read_totals(fields))
    for number, hand_fields in enumerate(fields.objects("hands"), start=1):
        if number > 1 and game.hands_played < number - 1:
            raise VectorError(f"{hand_fields.where}: the hand before is not over")
        table = Table(game, _deck(variant, game.dealer, hand_fields))
        for step in hand_fields.objects("steps"):
            checks.where = step.where.rsplit(": ", 1)[-1]
            if len(fields.objects("hands")) > 1:
                checks.where = f"hand {number}, {checks.where}"
            _take_step(table, step, checks)
            step.refuse_unread()
        hand_fields.refuse_unread()
    fields.refuse_unread()


def _deck(variant: Variant, dealer: Seat, fields: Fields) -> list[Card]:
    if "deck" in fields:
        return parse_cards(fields.text("deck"))
    return complete_deck(variant, dealer, fields.nested("deal"))


def _take_step(table: Table, step: Fields, checks: Checks) -> None:
    if "does" in step:
        _does(table, step, checks)
    elif "refused" in step:
        _is_refused(table, step, checks)
    elif "defaults" in step:
        _take_defaults(table, step)
    elif "trick" in step:
        _play_trick(table, step, checks)
    elif "talks" in step:
        table.talk(read_seat(step, table.variant, "talks"))
    elif "expect" in step:
        _expect(table, step.nested("expect"), checks)
    else:
        raise VectorError(f"{step.where}: a step needs one of does, refused, defaults, trick, talks, expect")


def _does(table: Table, step: Fields, checks: Checks) -> None:
    seat, act = step.integer("seat"), parse_action(step.text("does"))
    hand = table.hand
    checks.equal(f"{seat} {act!r}: asked is", seat, hand.actor if hand.actor != NOBODY else None)
    if seat != hand.actor:
        raise StopCase
    is_renege = step.flag("renege")
    if is_renege:
        refused = hand.refusal(act)
        checks.equal(f"{seat} {act!r} is accepted", None, None if refused is None else str(refused))
        checks.equal(f"{seat} {act!r} is a renege", True, hand.is_renege(act))
    elif act not in hand.options():
        checks.equal(f"seat {seat} may", repr(act), action_texts(hand.options()))
    if checks.differences:
        raise StopCase
    table.act(act)


def _is_refused(table: Table, step: Fields, checks: Checks) -> None:
    seat, act = step.integer("seat"), parse_action(step.text("refused"))
    hand = table.hand
    checks.equal("asked", seat, hand.actor)
    checks.equal(f"{act!r} is among the options", False, act in hand.options())
    before = hand.clone()
    try:
        hand.apply(act)
    except RulesError:
        checks.equal("the state is unchanged", True, hand == before)
    else:
        checks.equal(f"{seat} {act!r}", "refused", "accepted")
        raise StopCase


def _take_defaults(table: Table, step: Fields) -> None:
    """Let the seats asked give their defaults: so many times, or until the hand ends."""
    if step.value("defaults") == "all":
        while not table.hand.is_over:
            table.act(table.hand.default())
        return
    for _ in range(step.integer("defaults")):
        table.act(table.hand.default())


def _play_trick(table: Table, step: Fields, checks: Checks) -> None:
    plays = read_plays(step, "trick")
    for seat, card in plays:
        told, played = table.plays_told, table.plays()
        if told < len(played):  # the last trick, which is played without a question
            checks.equal(f"{seat}:{format_card(card)} is played", (seat, card), played[told])
            table.plays_told += 1
            continue
        checks.equal(f"{seat}:{format_card(card)}: next to play", seat, table.hand.actor)
        if seat != table.hand.actor or PLAY[card] not in table.hand.options():
            checks.equal(f"seat {seat} may play", format_card(card), action_texts(table.hand.options()))
            raise StopCase
        table.act(PLAY[card])
    if table.plays_told % len(plays):
        raise VectorError(f"{step.where}: the trick is not whole")
    played = table.plays()
    following = played[table.plays_told][0] if table.plays_told < len(played) else table.hand.leader
    checks.equal("winner", read_seat(step, table.variant, "winner"), following)


def action_texts(actions: Iterable[Action]) -> list[str]:
    """Return the text forms, in the same order."""
    return [format_action(act) for act in actions]


def _none_for_nobody(seat: Seat) -> Seat | None:
    return None if seat == NOBODY else seat


def _result(table: Table) -> HandResult:
    if table.hand.result is None:
        raise StopCase
    return table.hand.result


def _ended(table: Table) -> str | None:
    result = table.hand.result
    return None if result is None else result.end.name.lower().replace("_", " ")


def _makers(table: Table) -> list[Seat]:
    return [seat for seat in range(table.variant.seats) if table.hand.is_of_makers(seat)]


def _last_event(table: Table) -> str:
    seat, act, _, _ = table.hand.events[-1]
    return f"{seat} {format_action(act)}"


def _last_seen_by(table: Table) -> list[Seat]:
    _, _, _, seers = table.hand.events[-1]
    return [seat for seat in range(table.variant.seats) if seers == EVERYBODY or seers >> seat & 1]


def _winner(table: Table) -> int | None:
    outcome = table.game.outcome
    return None if outcome is None else outcome.winners[0]


FACTS: dict[str, Callable[[Table], object]] = {
    "asked": lambda table: _none_for_nobody(table.hand.actor),
    "phase": lambda table: table.hand.phase.kind.name.lower().replace("_", " "),
    "strain": lambda table: None if table.hand.strain == UNFIXED else format_strain(table.hand.strain),
    "maker": lambda table: _none_for_nobody(table.hand.maker),
    "makers": _makers,
    "contract": lambda table: None if table.hand.bidder == NOBODY else repr(table.hand.contract.bid),
    "ally": lambda table: _none_for_nobody(table.hand.ally),
    "active": lambda table: [seat for seat in range(table.variant.seats) if seat not in table.hand.out],
    "leader": lambda table: _none_for_nobody(table.hand.leader),
    "upcard_taken": lambda table: table.hand.upcard_taken,
    "tricks": lambda table: list(table.hand.tricks_won),
    "questions": lambda table: sum(not forced for _, _, forced, _ in table.hand.events),
    "last": _last_event,
    "last_seen_by": _last_seen_by,
    "option_count": lambda table: len(table.hand.options()),
    "option_kinds": lambda table: sorted({act.kind.name for act in table.hand.options()}),
    "option_sizes": lambda table: sorted({len(act.cards) for act in table.hand.options()}),
    "ended": _ended,
    "points": lambda table: list(_result(table).points),
    "totals": lambda table: list(table.game.totals),
    "winner": _winner,
    "next_dealer": lambda table: table.game.dealer,
    "dealer": lambda table: table.dealer,
    "deck": lambda table: table.board,
    "hand_number": lambda table: table.hand_number,
}
"""Facts of a script that are compared as they stand."""


def _expect(table: Table, expect: Fields, checks: Checks) -> None:
    for name in expect.names:
        if name in FACTS:
            checks.equal(name, expect.value(name), FACTS[name](table))
        elif name in _LISTS:
            _LISTS[name](table, [parse_action(text) for text in expect.texts(name)], checks)
        elif name == "default":
            checks.equal(name, parse_action(expect.text(name)), table.hand.default())
        elif name in _BY_SEAT:
            for seat, value in expect.by_seat(name).items():
                _BY_SEAT[name](table, seat, value, checks)
    expect.refuse_unread()


def _same_options(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("options, in order", action_texts(wanted), action_texts(table.hand.options()))
    checks.equal("default", action_texts(wanted[:1]), action_texts([table.hand.default()]))


def _same_options_in_any_order(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("options, in any order", sorted(action_texts(wanted)), sorted(action_texts(table.hand.options())))


def _options_begin(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("first options", action_texts(wanted), action_texts(table.hand.options()[: len(wanted)]))


def _options_end(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("last options", action_texts(wanted), action_texts(table.hand.options()[-len(wanted) :]))


def _options_include(table: Table, wanted: list[Action], checks: Checks) -> None:
    options = table.hand.options()
    checks.equal("missing options", [], action_texts(act for act in wanted if act not in options))


def _options_exclude(table: Table, unwanted: list[Action], checks: Checks) -> None:
    options = table.hand.options()
    checks.equal("options too many", [], action_texts(act for act in unwanted if act in options))


_LISTS: dict[str, Callable[[Table, list[Action], Checks], None]] = {
    "options": _same_options,
    "options_any_order": _same_options_in_any_order,
    "options_begin": _options_begin,
    "options_end": _options_end,
    "options_include": _options_include,
    "options_exclude": _options_exclude,
}


def _text_of_cards(value: object) -> list[Card]:
    if not isinstance(value, str):
        raise VectorError(f"{value!r}: wanted a string of cards")
    return parse_cards(value)


def _held(table: Table, seat: Seat, value: object, checks: Checks) -> None:
    checks.equal(f"number of cards of seat {seat}", value, len(table.hand.hands[seat]))


def _sees(table: Table, seat: Seat, value: object, checks: Checks) -> None:
    checks.equal(f"number of its cards that seat {seat} sees", value, len(view(table.hand, seat).cards))


def _cards(table: Table, seat: Seat, value: object, checks: Checks) -> None:
    expected, found = sorted(_text_of_cards(value)), sorted(table.hand.hands[seat])
    checks.equal(f"cards of seat {seat}", format_cards(expected), format_cards(found))


def _holds(table: Table, seat: Seat, value: object, checks: Checks) -> None:
    lacking = Counter(_text_of_cards(value)) - Counter(table.hand.hands[seat])
    checks.equal(f"seat {seat} lacks", "", format_cards(lacking.elements()))


def _discarded(table: Table, seat: Seat, value: object, checks: Checks) -> None:
    found = sorted(card for who, cards in table.hand.discards for card in cards if who == seat)
    checks.equal(f"discards of seat {seat}", format_cards(sorted(_text_of_cards(value))), format_cards(found))


_BY_SEAT: dict[str, Callable[[Table, Seat, object, Checks], None]] = {
    "held": _held,
    "sees": _sees,
    "hands": _cards,
    "holds": _holds,
    "discarded": _discarded,
}


def run_same_view(fields: Fields, checks: Checks) -> None:
    """Several deals, the same actions: some seats see the same all the time (SRV-ASK-3)."""
    variant = read_variant(fields)
    dealer = read_seat(fields, variant, "dealer", 0)
    seats = fields.integers("equal_for")
    seen = []
    for world in fields.objects("worlds"):
        table = Table(Game(variant, dealer), _deck(variant, dealer, world))
        views = [[view(table.hand, seat) for seat in seats]]
        for step in fields.objects("steps"):
            _does(table, step, checks)
            views.append([view(table.hand, seat) for seat in seats])
        checks.where = world.where.rsplit(": ", 1)[-1]
        _expect(table, world.nested("expect"), checks)
        world.refuse_unread()
        seen.append(views)
    for other in seen[1:]:
        for moment, (these, those) in enumerate(zip(seen[0], other, strict=True)):
            for seat, this, that in zip(seats, these, those, strict=True):
                checks.equal(f"seat {seat} sees the same after {moment} actions", True, this == that)
    fields.refuse_unread()
