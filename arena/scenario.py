"""Play out one case of a vector file and return where the rules did something else.

Every kind of case is a function of :data:`KINDS`. Real play is preferred: a ``script`` deals a deck and lets the
seats act. Where an example states a situation alone ("makers' tricks: 4"), the hand is put into it by setting
the same slots that the phases set; ``tests/vectors/README.md`` says which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from referee.rules import (
    NOBODY,
    PLAY,
    UNFIXED,
    Action,
    Card,
    Game,
    Hand,
    HandEnd,
    HandResult,
    Kind,
    Outcome,
    RulesError,
    Seat,
    Strain,
    Variant,
    VariantError,
    format_action,
    format_card,
    format_cards,
    games_won,
    leaders,
    next_game_start,
    parse_action,
    parse_card,
    parse_cards,
    parse_variant,
    rated,
    view,
)
from referee.rules.cards import RANKS, SUITS, X1, format_strain, parse_strain
from referee.rules.deal import dealt_positions
from referee.rules.hand import EVERYBODY
from referee.rules.relabel import relabel_card, relabel_deck
from referee.rules.scoring import offence_result, played_result

T = TypeVar("T")

_FILLERS = 2
"""Cards each seat keeps beside the one it plays to a single trick, so that the hand goes on after it."""


class VectorError(ValueError):
    """A vector file that cannot be used. The message names the file, the case and the member."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that was not as expected."""

    where: str
    expected: str
    found: str


class Fields:
    """The members of one JSON object, read by type. What nobody has read is refused, so no check is lost."""

    def __init__(self, where: str, members: Mapping[str, object]) -> None:
        self.where = where
        self._members = members
        self._read: set[str] = set()

    def at(self, where: str) -> Fields:
        """Return the same members, read as far, under another name."""
        twin = Fields(where, self._members)
        twin._read = self._read
        return twin

    def __contains__(self, name: str) -> bool:
        return name in self._members

    @property
    def names(self) -> list[str]:
        """The names of all members, in the order of the file."""
        return list(self._members)

    def value(self, name: str) -> object:
        """Return a member as it is.

        :raises VectorError: if it is missing.
        """
        self._read.add(name)
        if name not in self._members:
            raise VectorError(f"{self.where}: {name!r} is missing")
        return self._members[name]

    def _typed(self, name: str, kind: type[T], wanted: str) -> T:
        value = self.value(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise VectorError(f"{self.where}: {name!r} is {value!r}; wanted {wanted}")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string."""
        self._read.add(name)
        return default if default is not None and name not in self else self._typed(name, str, "a string")

    def integer(self, name: str, default: int | None = None) -> int:
        """Return a number."""
        self._read.add(name)
        return default if default is not None and name not in self else self._typed(name, int, "a number")

    def flag(self, name: str) -> bool:
        """Return a truth value; false if it is left out."""
        self._read.add(name)
        return name in self and self._typed(name, bool, "true or false")

    def texts(self, name: str) -> list[str]:
        """Return a list of strings."""
        values = self._typed(name, list, "a list of strings")
        if not all(isinstance(value, str) for value in values):
            raise VectorError(f"{self.where}: {name!r} is {values!r}; wanted a list of strings")
        return values

    def integers(self, name: str) -> list[int]:
        """Return a list of numbers."""
        values = self._typed(name, list, "a list of numbers")
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            raise VectorError(f"{self.where}: {name!r} is {values!r}; wanted a list of numbers")
        return values

    def nested(self, name: str) -> Fields:
        """Return an object; an empty one if it is left out."""
        self._read.add(name)
        members = self._typed(name, dict, "an object") if name in self else {}
        return Fields(f"{self.where}: {name}", members)

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects."""
        values = self._typed(name, list, "a list of objects")
        if not all(isinstance(value, dict) for value in values):
            raise VectorError(f"{self.where}: {name!r} wants a list of objects")
        return [Fields(f"{self.where}: {name} {number}", value) for number, value in enumerate(values, start=1)]

    def by_seat(self, name: str) -> dict[Seat, object]:
        """Return an object whose names are seats."""
        members = self._typed(name, dict, "an object with seats as names")
        if not all(isinstance(seat, str) and seat.isdecimal() for seat in members):
            raise VectorError(f"{self.where}: {name!r} is {members!r}; its names have to be seats")
        return {int(seat): value for seat, value in members.items()}

    def refuse_unread(self) -> None:
        """Refuse members that have no meaning here.

        :raises VectorError: naming them.
        """
        unread = [name for name in self._members if name not in self._read]
        if unread:
            raise VectorError(f"{self.where}: {', '.join(map(repr, unread))} has no meaning here")


class Checks:
    """Collects what was not as expected, and counts what was compared."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []
        self.count = 0
        self.where = ""
        """Where in the case the next comparison is."""

    def equal(self, what: str, expected: object, found: object) -> None:
        """Compare; remember a difference."""
        self.count += 1
        if expected != found:
            where = f"{self.where}: {what}" if self.where else what
            self.differences.append(Difference(where, _shown(expected), _shown(found)))


class _StopCase(Exception):
    """The script cannot go on after a difference."""


def _shown(value: object) -> str:
    if value is None:
        return "nobody or nothing"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_shown(each) for each in value) + "]"
    return str(value)


def run_case(kind: str, fields: Fields) -> list[Difference]:
    """Return where the rules did something else than *fields* expect; an empty list if nowhere.

    :raises VectorError: if the case makes no sense.
    """
    runner = KINDS.get(kind)
    if runner is None:
        raise VectorError(f"{fields.where}: unknown kind {kind!r}; known are {', '.join(KINDS)}")
    fields.text("note", "")
    checks = Checks()
    try:
        runner(fields, checks)
    except _StopCase:
        pass
    except RulesError as error:
        raise VectorError(f"{fields.where}: {error}") from error
    if not checks.count:
        raise VectorError(f"{fields.where}: expects nothing")
    return checks.differences


# -- reading ---------------------------------------------------------------------------------------------


def _variant(fields: Fields) -> Variant:
    variant = parse_variant(fields.text("variant"))
    return rated(variant) if fields.flag("rated") else variant


def _seat(fields: Fields, variant: Variant, name: str, default: int | None = None) -> Seat:
    seat = fields.integer(name, default)
    if not 0 <= seat < variant.seats:
        raise VectorError(f"{fields.where}: {name!r} is {seat}; {variant.id} has seats 0 to {variant.seats - 1}")
    return seat


def _totals(fields: Fields) -> list[int] | None:
    return fields.integers("totals") if "totals" in fields else None


def _plays(fields: Fields, name: str) -> list[tuple[Seat, Card]]:
    """Return who played what, from text such as ``"1:AC 2:JS"``."""
    plays = []
    for word in fields.text(name).split():
        seat, colon, card = word.partition(":")
        if not colon or not seat.isdecimal():
            raise VectorError(f"{fields.where}: {word!r} is no play; write seat:card, as in 1:AC")
        plays.append((int(seat), parse_card(card)))
    return plays


def _cards_by_seat(fields: Fields, name: str) -> dict[Seat, list[Card]]:
    if name not in fields:
        return {}
    found = {}
    for seat, cards in fields.by_seat(name).items():
        if not isinstance(cards, str):
            raise VectorError(f"{fields.where}: {name!r} of seat {seat} is {cards!r}; wanted a string of cards")
        found[seat] = parse_cards(cards)
    return found


def deck_list(variant: Variant) -> list[Card]:
    """Return the deck as the format lists it: S C H D, each from the ace down, copies side by side, jokers last."""
    suited = [13 * suit + rank for suit in range(len(SUITS)) for rank in reversed(range(len(RANKS)))]
    copies = Counter(variant.deck)
    return [card for card in [*suited, X1, X1 + 1, X1 + 2] for _ in range(copies[card])]


def complete_deck(variant: Variant, dealer: Seat, deal: Fields) -> list[Card]:
    """Return a deck that deals what *deal* names; the other cards fill the free places in the order of the list.

    :raises VectorError: if it names too many cards, or cards that the deck does not have.
    """
    places: dict[int, Card] = {}
    positions = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, dealer)
    for seat, cards in _cards_by_seat(deal, "hands").items():
        if seat >= variant.seats:
            raise VectorError(f"{deal.where}: {variant.id} has no seat {seat}")
        _place(deal, places, cards, positions[seat], f"seat {seat}")
    rest = range(variant.seats * variant.hand_size, len(variant.deck))
    if "upcard" in deal:
        _place(deal, places, [parse_card(deal.text("upcard"))], rest[: variant.upcard], "the upcard")
    undealt = rest[int(variant.upcard) :]
    for name, size in (("kitty", variant.kitty), ("widow", variant.widow), ("idle", variant.idle)):
        if name in deal:
            _place(deal, places, parse_cards(deal.text(name)), undealt[:size], f"the {name}")
        undealt = undealt[size:]
    deal.refuse_unread()
    left = Counter(variant.deck)
    left.subtract(places.values())
    lacking = [card for card, count in left.items() if count < 0]
    if lacking:
        raise VectorError(f"{deal.where}: the deck of {variant.id} has not so many of {format_cards(lacking)}")
    others = iter([card for card in dict.fromkeys(deck_list(variant)) for _ in range(left[card])])
    return [places[place] if place in places else next(others) for place in range(len(variant.deck))]


def _place(deal: Fields, places: dict[int, Card], cards: Sequence[Card], free: Sequence[int], whose: str) -> None:
    if len(cards) > len(free):
        raise VectorError(f"{deal.where}: {len(cards)} cards for {whose}, which has {len(free)}")
    places.update(zip(free, cards, strict=False))


# -- deal, order, relabel, refused variants ---------------------------------------------------------------


def _run_deal(fields: Fields, checks: Checks) -> None:
    """Who is dealt which places of the deck, and how many cards lie where."""
    variant = _variant(fields)
    dealer = _seat(fields, variant, "dealer", 0)
    expect = fields.nested("expect")
    hand = Hand(variant, deck_list(variant), dealer)
    sizes = {
        "deck_size": len(variant.deck),
        "hand_size": variant.hand_size,
        "upcards": int(hand.upcard != NOBODY),
        "kitty_size": variant.kitty,
        "widow_size": variant.widow,
        "idle_size": variant.idle,
        "copies": max(Counter(variant.deck).values()),
    }
    for name, size in sizes.items():
        if name in expect:
            checks.equal(name, expect.integer(name), size)
    if "hand_size" in expect:
        checks.equal("cards in each hand", {expect.integer("hand_size")}, {len(cards) for cards in hand.dealt})
    positions = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, dealer)
    if "hands" in expect:
        for seat, places in expect.by_seat("hands").items():
            checks.equal(f"seat {seat}", places, sorted(positions[seat]))
            checks.equal(f"cards of seat {seat}", tuple(hand.deck[at] for at in positions[seat]), hand.dealt[seat])
    rest = list(range(variant.seats * variant.hand_size, len(variant.deck)))
    if "upcard" in expect:
        checks.equal("upcard", expect.integer("upcard"), rest[0] if hand.upcard == hand.deck[rest[0]] else None)
    undealt = rest[len(rest) - len(hand.undealt) :]
    checks.equal("undealt cards", tuple(hand.deck[at] for at in undealt), hand.undealt)
    for name, size in (("kitty", variant.kitty), ("widow", variant.widow), ("idle", variant.idle)):
        if name in expect:
            checks.equal(name, expect.integers(name), undealt[:size])
        undealt = undealt[size:]
    expect.refuse_unread()
    fields.refuse_unread()


def _run_order(fields: Fields, checks: Checks) -> None:
    """Cards sorted up (SRV-LOW-1)."""
    variant = _variant(fields)
    strain = parse_strain(fields.text("strain")) if "strain" in fields else UNFIXED
    key = variant.tables.low_key[strain].__getitem__
    found = sorted(parse_cards(fields.text("cards")), key=key)
    checks.equal("up", fields.text("up"), format_cards(found))
    fields.refuse_unread()


def _run_relabel(fields: Fields, checks: Checks) -> None:
    """Rename the suits of a deck: what cards become under it (SRV-RELABEL-1)."""
    variant = _variant(fields)
    image = fields.text("image")
    try:
        renamed = dict(zip(variant.deck, relabel_deck(variant, variant.deck, image), strict=True))
    except VariantError:
        renamed = {}
    checks.equal("allowed", fields.flag("allowed"), bool(renamed))
    if "all_images" in fields:
        checks.equal("all images", sorted(fields.texts("all_images")), sorted(variant.relabelings))
    cards = fields.nested("cards")
    for name in cards.names:
        expected, card = cards.text(name), renamed.get(parse_card(name))
        checks.equal(name, expected, None if card is None else format_card(card))
    if renamed:
        is_same_deck = sorted(renamed[card] for card in variant.deck) == sorted(variant.deck)
        checks.equal("the deck is the same afterwards", True, is_same_deck)
        checks.equal("cards go where suits go", True, all(_is_renamed(variant, c, image) for c in renamed.items()))
    fields.refuse_unread()


def _is_renamed(variant: Variant, renamed: tuple[Card, Card], image: str) -> bool:
    before, after = renamed
    return after == (before if before in variant.tables.jokers else relabel_card(before, image))


def _run_refused_variant(fields: Fields, checks: Checks) -> None:
    """Ask for a variant that does not exist (5.1)."""
    text, words = fields.text("variant"), fields.texts("message_names")
    try:
        parse_variant(text)
    except VariantError as error:
        checks.equal(text, "refused", "refused")
        for word in words:
            checks.equal(f"the message {str(error)!r} names {word}", True, word in str(error))
    else:
        checks.equal(text, "refused", "accepted")
    fields.refuse_unread()


# -- single situations in play --------------------------------------------------------------------------


def _in_play(variant: Variant, strain: Strain, hands: Mapping[Seat, list[Card]], leader: Seat) -> Hand:
    """Return a hand in the middle of its play: *leader* to lead, the seats of *hands* active."""
    hand = Hand(variant, deck_list(variant), 0)
    hand.phase_index = len(variant.phases) - 1
    hand.phase = variant.phases[-1]
    hand.blind_seat = NOBODY
    hand.hands = [list(hands.get(seat, [])) for seat in range(variant.seats)]
    hand.fix_strain(strain)
    for seat in range(variant.seats):
        if seat not in hands:
            hand.sit_out(seat)
    hand.active = tuple(sorted(hands))
    hand.begin_play(leader)
    return hand


def _run_lawful(fields: Fields, checks: Checks) -> None:
    """Which cards of a hand may be played; the last seat asked holds the hand."""
    variant = _variant(fields)
    strain = parse_strain(fields.text("strain"))
    cards = parse_cards(fields.text("hand"))
    left = Counter(variant.deck)
    left.subtract(cards)
    hands = {0: cards}
    if "led" in fields:
        led = parse_card(fields.text("led"))
        left.subtract([led])
        others = [card for card in left for _ in range(left[card])]
        hands = {variant.seats - 1: [led, *others[: len(cards) - 1]], 0: cards}
    if min(left.values()) < 0:
        raise VectorError(f"{fields.where}: not all of these cards are in the deck of {variant.id}")
    hand = _in_play(variant, strain, hands, max(hands))
    if "led" in fields:
        hand.apply(PLAY[parse_card(fields.text("led"))])
    options = hand.options()
    if "lawful" in fields:
        lawful = parse_cards(fields.text("lawful"))
        expected = {PLAY[card] for card in lawful}
        checks.equal("lawful cards", _texts(sorted(expected, key=_number)), _texts(sorted(options, key=_number)))
        checks.equal("every other card is a renege", set(), {c for c in cards if _is_lawful(hand, c) != (c in lawful)})
    if "default" in fields:
        checks.equal("default", fields.text("default"), format_card(hand.default().card))
    fields.refuse_unread()


def _number(act: Action) -> tuple[Card, ...]:
    return act.cards


def _is_lawful(hand: Hand, card: Card) -> bool:
    return not hand.is_renege(PLAY[card])


def _run_trick(fields: Fields, checks: Checks) -> None:
    """Who wins one trick."""
    variant = _variant(fields)
    strain = parse_strain(fields.text("strain"))
    plays = _plays(fields, "trick")
    effective = variant.tables.effective[strain]
    led = effective[plays[0][1]]
    left = Counter(variant.deck)
    left.subtract(card for _, card in plays)
    if min(left.values()) < 0:
        raise VectorError(f"{fields.where}: not all of these cards are in the deck of {variant.id}")
    harmless = [card for card in left for _ in range(left[card]) if effective[card] != led]
    hands = {
        seat: [card, *harmless[_FILLERS * place : _FILLERS * (place + 1)]] for place, (seat, card) in enumerate(plays)
    }
    hand = _in_play(variant, strain, hands, plays[0][0])
    for seat, card in plays:
        checks.equal("next to play", seat, hand.actor)
        hand.apply(PLAY[card])
    winner = _seat(fields, variant, "winner")
    checks.equal("winner", winner, hand.leader)
    checks.equal("leads to the next trick", winner, hand.actor)
    checks.equal("tricks by seat", [int(seat == winner) for seat in range(variant.seats)], hand.tricks_won)
    fields.refuse_unread()


# -- scripts ---------------------------------------------------------------------------------------------


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


def _run_script(fields: Fields, checks: Checks) -> None:
    """One or more hands of a game, dealt and played."""
    variant = _variant(fields)
    game = Game(variant, _seat(fields, variant, "dealer", 0), totals=_totals(fields))
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
        table.talk(_seat(step, table.variant, "talks"))
    elif "expect" in step:
        _expect(table, step.nested("expect"), checks)
    else:
        raise VectorError(f"{step.where}: a step needs one of does, refused, defaults, trick, talks, expect")


def _does(table: Table, step: Fields, checks: Checks) -> None:
    seat, act = step.integer("seat"), parse_action(step.text("does"))
    hand = table.hand
    checks.equal(f"{seat} {act!r}: asked is", seat, hand.actor if hand.actor != NOBODY else None)
    if seat != hand.actor:
        raise _StopCase
    is_renege = step.flag("renege")
    if is_renege:
        refused = hand.refusal(act)
        checks.equal(f"{seat} {act!r} is accepted", None, None if refused is None else str(refused))
        checks.equal(f"{seat} {act!r} is a renege", True, hand.is_renege(act))
    elif act not in hand.options():
        checks.equal(f"seat {seat} may", repr(act), _texts(hand.options()))
    if checks.differences:
        raise _StopCase
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
        raise _StopCase


def _take_defaults(table: Table, step: Fields) -> None:
    """Let the seats asked give their defaults: so many times, or until the hand ends."""
    if step.value("defaults") == "all":
        while not table.hand.is_over:
            table.act(table.hand.default())
        return
    for _ in range(step.integer("defaults")):
        table.act(table.hand.default())


def _play_trick(table: Table, step: Fields, checks: Checks) -> None:
    plays = _plays(step, "trick")
    for seat, card in plays:
        told, played = table.plays_told, table.plays()
        if told < len(played):  # the last trick, which is played without a question
            checks.equal(f"{seat}:{format_card(card)} is played", (seat, card), played[told])
            table.plays_told += 1
            continue
        checks.equal(f"{seat}:{format_card(card)}: next to play", seat, table.hand.actor)
        if seat != table.hand.actor or PLAY[card] not in table.hand.options():
            checks.equal(f"seat {seat} may play", format_card(card), _texts(table.hand.options()))
            raise _StopCase
        table.act(PLAY[card])
    if table.plays_told % len(plays):
        raise VectorError(f"{step.where}: the trick is not whole")
    played = table.plays()
    following = played[table.plays_told][0] if table.plays_told < len(played) else table.hand.leader
    checks.equal("winner", _seat(step, table.variant, "winner"), following)


def _texts(actions: Iterable[Action]) -> list[str]:
    return [format_action(act) for act in actions]


def _none_for_nobody(seat: Seat) -> Seat | None:
    return None if seat == NOBODY else seat


def _result(table: Table) -> HandResult:
    if table.hand.result is None:
        raise _StopCase
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
    checks.equal("options, in order", _texts(wanted), _texts(table.hand.options()))
    checks.equal("default", _texts(wanted[:1]), _texts([table.hand.default()]))


def _same_options_in_any_order(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("options, in any order", sorted(_texts(wanted)), sorted(_texts(table.hand.options())))


def _options_begin(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("first options", _texts(wanted), _texts(table.hand.options()[: len(wanted)]))


def _options_end(table: Table, wanted: list[Action], checks: Checks) -> None:
    checks.equal("last options", _texts(wanted), _texts(table.hand.options()[-len(wanted) :]))


def _options_include(table: Table, wanted: list[Action], checks: Checks) -> None:
    options = table.hand.options()
    checks.equal("missing options", [], _texts(act for act in wanted if act not in options))


def _options_exclude(table: Table, unwanted: list[Action], checks: Checks) -> None:
    options = table.hand.options()
    checks.equal("options too many", [], _texts(act for act in unwanted if act in options))


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


def _run_same_view(fields: Fields, checks: Checks) -> None:
    """Several deals, the same actions: some seats see the same all the time (SRV-ASK-3)."""
    variant = _variant(fields)
    dealer = _seat(fields, variant, "dealer", 0)
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


# -- points and endings ----------------------------------------------------------------------------------


def _run_score(fields: Fields, checks: Checks) -> None:
    """Points of hands whose facts are given, and the game after each."""
    variant = _variant(fields)
    game = Game(variant, _seat(fields, variant, "dealer", 0), totals=_totals(fields))
    all_hands = fields.objects("hands")
    for number, given in enumerate(all_hands, start=1):
        checks.where = f"hand {number}" if len(all_hands) > 1 else ""
        hand = _finished_hand(variant, game, given)
        if "renege" in given:
            result = offence_result(hand, _seat(given, variant, "renege"), HandEnd.RENEGE)
        else:
            result = played_result(hand)
        game.finish_hand(result)
        _expect_score(variant, game, hand, result, given.nested("expect"), checks)
        given.refuse_unread()
    fields.refuse_unread()


def _finished_hand(variant: Variant, game: Game, given: Fields) -> Hand:
    """Return a hand with the facts of *given*, as the phases leave them when the last trick is taken."""
    hand = Hand(variant, deck_list(variant), game.dealer, game.totals)
    if "maker" in given:
        hand.maker = _seat(given, variant, "maker")
    if "ally" in given:
        hand.ally = _seat(given, variant, "ally")
    if "bid" in given:
        said = given.text("bid")
        rung = next((rung for rung in variant.ladder if repr(rung.bid) == said), None)
        if rung is None:
            raise VectorError(f"{given.where}: {variant.id} has no bid {said}")
        hand.contract = rung
        hand.bidder = hand.maker
    hand.cards_received = given.integer("cards_received", 0)
    for name in ("lone_maker", "lone_defender"):
        if name in given:
            hand.play_alone(_seat(given, variant, name))
    if hand.contract.alone and hand.lone_maker == NOBODY:
        hand.play_alone(hand.maker)
    for seat in given.integers("dropped") if "dropped" in given else ():
        hand.sit_out(seat)
    hand.active = tuple(seat for seat in range(variant.seats) if seat not in hand.out)
    hand.tricks_won = _tricks(variant, hand, given)
    return hand


def _tricks(variant: Variant, hand: Hand, given: Fields) -> list[int]:
    """Return tricks by seat; where only the makers' are given, one seat of either side took them all."""
    if "tricks" in given:
        tricks = given.integers("tricks")
        if len(tricks) != variant.seats or sum(tricks) != variant.hand_size:
            raise VectorError(f"{given.where}: tricks {tricks}; wanted {variant.hand_size} over {variant.seats} seats")
        return tricks
    tricks = [0] * variant.seats
    if "renege" in given:
        return tricks
    count = given.integer("makers_tricks")
    tricks[next(seat for seat in hand.active if hand.is_of_makers(seat))] = count
    tricks[next(seat for seat in hand.active if not hand.is_of_makers(seat))] = variant.hand_size - count
    return tricks


def _expect_score(variant: Variant, game: Game, hand: Hand, result: HandResult, expect: Fields, checks: Checks) -> None:
    makers_sides = {variant.side_of[seat] for seat in range(variant.seats) if hand.is_of_makers(seat)}
    for side, points in enumerate(result.points):
        name = "makers" if side in makers_sides else "others"
        if name in expect:
            checks.equal(f"points of side {side} ({name})", expect.integer(name), points)
    if "points" in expect:
        checks.equal("points", expect.integers("points"), list(result.points))
    if "totals" in expect:
        checks.equal("totals", expect.integers("totals"), list(game.totals))
    if "winner" in expect:
        winner = None if game.outcome is None else game.outcome.winners[0]
        checks.equal("winner", expect.value("winner"), winner)
    expect.refuse_unread()


def _run_limit(fields: Fields, checks: Checks) -> None:
    """Who wins a game that is stopped after ``max_hands`` (SRV-LIMIT-1)."""
    variant = _variant(fields)
    totals = fields.integers("totals")
    game = Game(variant, max_hands=fields.integer("max_hands"), totals=totals)
    game.hands_played = game.max_hands - 1
    no_change = (0,) * len(variant.sides)
    game.finish_hand(
        HandResult(
            end=HandEnd.PLAYED,
            points=no_change,
            tricks=(0,) * variant.seats,
            makers=(0,),
            contract_made=None,
            qualified=(False,) * len(variant.sides),
            instant_winner=NOBODY,
            offender=NOBODY,
        )
    )
    outcome = game.outcome
    checks.equal("first place", fields.integers("first"), None if outcome is None else list(outcome.winners))
    checks.equal("adjudicated", True, outcome is not None and outcome.is_adjudicated)
    checks.equal("leaders", fields.integers("first"), list(leaders(variant, totals)))
    fields.refuse_unread()


def _run_match(fields: Fields, checks: Checks) -> None:
    """Tell what a won game is worth in a match, and where the next one starts (RR-MATCH-1, -2)."""
    variant = _variant(fields)
    outcome = Outcome((fields.integer("winner"),), tuple(fields.integers("totals")), is_adjudicated=False)
    if "next_start" in fields:
        checks.equal("next game starts", fields.integers("next_start"), list(next_game_start(variant, outcome)))
    if "games" in fields:
        checks.equal("counts as games", fields.integer("games"), games_won(variant, outcome))
    fields.refuse_unread()


def _run_mirror(fields: Fields, checks: Checks) -> None:
    """Dealers of the boards, and who sits where in the games of a mirrored set (SRV-BOARD-1, SRV-MIRROR-1, -2)."""
    variant = _variant(fields)
    if "dealers" in fields:
        game = Game(variant, _seat(fields, variant, "first_dealer", 0))
        dealers = []
        for _ in fields.integers("dealers"):
            dealers.append(game.dealer)
            hand = game.deal(deck_list(variant))
            while hand.result is None:
                hand.apply(hand.default())
            game.outcome = None  # the boards of a match go on whatever the score is
            game.finish_hand(hand.result)
        checks.equal("dealers of boards 0, 1, 2 …", fields.integers("dealers"), dealers)
    for number, expected in enumerate(fields.value("seats_of_games") if "seats_of_games" in fields else []):  # type: ignore[arg-type, var-annotated]
        checks.equal(f"seats in game {number}", expected, seats_in_game(variant, number))
    if "games" in fields:
        checks.equal("games in a set", fields.integer("games"), games_in_set(variant))
    fields.refuse_unread()


def games_in_set(variant: Variant) -> int:
    """Return how many games a mirrored set has: two for two sides, one a seat otherwise (SRV-MIRROR-1, -2)."""
    return 2 if len(variant.sides) == 2 else variant.seats


def seats_in_game(variant: Variant, number: int) -> list[Seat]:
    """Return where those who sat in seats 0, 1, 2 … of game 0 sit in game *number* (SRV-MIRROR-1, -2)."""
    return [(seat + number) % variant.seats for seat in range(variant.seats)]


KINDS: dict[str, Callable[[Fields, Checks], None]] = {
    "deal": _run_deal,
    "lawful": _run_lawful,
    "trick": _run_trick,
    "order": _run_order,
    "script": _run_script,
    "same_view": _run_same_view,
    "score": _run_score,
    "limit": _run_limit,
    "match": _run_match,
    "mirror": _run_mirror,
    "relabel": _run_relabel,
    "refused_variant": _run_refused_variant,
}
"""What each kind of case does."""
