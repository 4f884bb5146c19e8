"""Try one case of a vector file: what each kind of case does (``tests/vectors/README.md``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from arena.vector_fields import (
    Checks,
    Difference,
    Fields,
    StopCase,
    VectorError,
    deck_list,
    read_plays,
    read_seat,
    read_variant,
)
from arena.vector_score import run_limit, run_match, run_mirror, run_score
from arena.vector_script import action_texts, run_same_view, run_script
from referee.rules import (
    NOBODY,
    PLAY,
    UNFIXED,
    Action,
    Card,
    Hand,
    RulesError,
    Seat,
    Strain,
    Variant,
    VariantError,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    parse_variant,
)
from referee.rules.cards import parse_strain
from referee.rules.deal import dealt_positions
from referee.rules.relabel import relabel_card, relabel_deck

_FILLERS = 2
"""Cards each seat keeps beside the one it plays to a single trick, so that the hand goes on after it."""


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
    except StopCase:
        pass
    except RulesError as error:
        raise VectorError(f"{fields.where}: {error}") from error
    if not checks.count:
        raise VectorError(f"{fields.where}: expects nothing")
    return checks.differences


def _run_deal(fields: Fields, checks: Checks) -> None:
    """Who is dealt which places of the deck, and how many cards lie where."""
    variant = read_variant(fields)
    dealer = read_seat(fields, variant, "dealer", 0)
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
    variant = read_variant(fields)
    strain = parse_strain(fields.text("strain")) if "strain" in fields else UNFIXED
    key = variant.tables.low_key[strain].__getitem__
    found = sorted(parse_cards(fields.text("cards")), key=key)
    checks.equal("up", fields.text("up"), format_cards(found))
    fields.refuse_unread()


def _run_relabel(fields: Fields, checks: Checks) -> None:
    """Rename the suits of a deck: what cards become under it (SRV-RELABEL-1)."""
    variant = read_variant(fields)
    image = fields.text("image")
    try:
        renamed = dict(zip(variant.deck, relabel_deck(variant, variant.deck, image), strict=True))
    except VariantError:
        renamed = {}
    checks.equal("allowed", fields.flag("allowed"), bool(renamed))
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
    variant = read_variant(fields)
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
        checks.equal(
            "lawful cards", action_texts(sorted(expected, key=_number)), action_texts(sorted(options, key=_number))
        )
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
    variant = read_variant(fields)
    strain = parse_strain(fields.text("strain"))
    plays = read_plays(fields, "trick")
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
    winner = read_seat(fields, variant, "winner")
    checks.equal("winner", winner, hand.leader)
    checks.equal("leads to the next trick", winner, hand.actor)
    checks.equal("tricks by seat", [int(seat == winner) for seat in range(variant.seats)], hand.tricks_won)
    fields.refuse_unread()


KINDS: dict[str, Callable[[Fields, Checks], None]] = {
    "deal": _run_deal,
    "lawful": _run_lawful,
    "trick": _run_trick,
    "order": _run_order,
    "script": run_script,
    "same_view": run_same_view,
    "score": run_score,
    "limit": run_limit,
    "match": run_match,
    "mirror": run_mirror,
    "relabel": _run_relabel,
    "refused_variant": _run_refused_variant,
}
"""What each kind of case does."""
