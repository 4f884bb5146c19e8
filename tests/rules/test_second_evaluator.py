"""The engine in lock-step with the second evaluator (``tests/evaluator``), which shares no code with it.

At every question they must agree on the seat asked, the ordered list of options and the answers given
without a question; at the end on how the hand ended, the points, the tricks, who has won and who deals next.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from referee.rules import (
    NOBODY,
    PRESETS,
    Game,
    Hand,
    HandEnd,
    Kind,
    Variant,
    VariantError,
    build,
    format_action,
    format_card,
    parse_action,
    parse_card,
    parse_variant,
    starting_totals,
)
from referee.rules.actions import PLAY
from tests import evaluator

_ENDS = {
    HandEnd.PLAYED: "played",
    HandEnd.THROWN_IN: "thrown in",
    HandEnd.CLAIMED: "claimed",
    HandEnd.RENEGE: "renege",
    HandEnd.TABLE_TALK: "table talk",
}
HANDS_PER_PRESET = 60
OPTION_COMBINATIONS = 15


def _totals(variant: Variant, rng: random.Random) -> tuple[int, ...]:
    """Return totals before a hand: often those of a fresh game, else near the goal, where endings differ."""
    start = starting_totals(variant)
    if rng.random() < 0.3:
        return start
    if variant.counts_down:
        return tuple(rng.randint(1, 8) for _ in start)
    above = 12 if variant.win_is_qualified else -1  # only there can a game go on beyond the goal
    return tuple(rng.randint(variant.target - 12, variant.target + above) for _ in start)


def _bold(options: list[str], rng: random.Random, *, timid: float) -> str:
    """Return one of the options; the last of a long list as often as all others, and a pass only now and then."""
    if options[0] in ("PASS", "TURN_DOWN") and len(options) > 1:
        return options[0] if rng.random() < timid else rng.choice(options[1:])
    return options[-1] if rng.random() < 0.1 else rng.choice(options)


def _answer(hand: Hand, options: list[str], rng: random.Random, timid: float) -> str:
    is_play = options[0].startswith("PLAY")
    if is_play and hand.variant.renege != "rejected" and rng.random() < 0.04:
        return format_action(PLAY[rng.choice(hand.hands[hand.actor])])  # perhaps a renege
    return _bold(options, rng, timid=timid)


def play_in_lock_step(variant: Variant, rng: random.Random) -> Hand:
    """Play one random hand in both and assert that they agree; return the engine's hand."""
    deck = list(variant.deck)
    rng.shuffle(deck)
    dealer, totals = rng.randrange(variant.seats), _totals(variant, rng)
    told = evaluator.game(variant.id)
    hand = Hand(variant, deck, dealer, totals)
    state = evaluator.deal(told, [format_card(card) for card in deck], dealer, totals)
    timid = rng.choice((0.2, 0.6, 0.9))
    where = f"{variant.id} dealer {dealer} totals {totals} deck {' '.join(map(format_card, deck))}"
    while not hand.is_over:
        said = [(seat, format_action(act), forced) for seat, act, forced, _ in hand.events]
        assert list(state["log"]) == said, where
        options = [format_action(act) for act in hand.options()]
        assert evaluator.actor(state) == hand.actor, (where, said)
        assert evaluator.legal(state) == options, (where, said)
        if rng.random() < 0.003:  # REN-TALK-1
            talker = rng.randrange(variant.seats)
            hand.table_talk(talker)
            state = evaluator.talk(state, talker)
            break
        text = _answer(hand, options, rng, timid)
        hand.apply(parse_action(text))
        state = evaluator.apply(state, text)
    said = [(seat, format_action(act), forced) for seat, act, forced, _ in hand.events]
    assert list(state["log"]) == said, where
    _assert_same_end(hand, state, (where, said))
    return hand


def _assert_same_end(hand: Hand, state: evaluator.State, where: object) -> None:
    result, ending = hand.result, state["result"]
    assert result is not None
    assert ending is not None, where
    assert ending["end"] == _ENDS[result.end], where
    assert ending["points"] == result.points, where
    assert ending["tricks"] == result.tricks, where
    game = Game(hand.variant, hand.dealer, totals=hand.totals)
    game.finish_hand(result)
    winner = game.outcome.winners[0] if game.outcome else None
    assert ending["winner"] == winner, where
    assert ending["next_dealer"] == game.dealer, where


def _random_variants(name: str, count: int, rng: random.Random) -> Iterator[Variant]:
    """Yield *count* variants of a preset with each option at a random value."""
    options = PRESETS[name].options
    while count:
        chosen: dict[str, str | int] = {}
        for option, spec in options.items():
            if rng.random() < 0.4:
                continue
            if spec.is_number:
                highest = spec.maximum if spec.maximum is not None else int(spec.default) + 4
                chosen[option] = rng.randint(spec.minimum, highest)
            else:
                chosen[option] = rng.choice(spec.allowed)
        try:
            variant = build(name, chosen)
        except VariantError:
            continue  # two values that do not go together (RULES.md 5.1)
        yield variant
        count -= 1


def test_the_evaluator_shares_no_code_with_the_engine() -> None:
    from pathlib import Path

    for path in Path(evaluator.__file__).parent.glob("*.py"):
        code = path.read_text(encoding="utf-8")
        assert "import referee" not in code
        assert "from referee" not in code


@pytest.mark.parametrize("name", PRESETS)
def test_preset_tables_agree(name: str) -> None:
    """Part 4 and part 5: decks, hand sizes and every default, transcribed twice."""
    variant, told = parse_variant(name), evaluator.game(name)
    assert sorted(told["cards"]) == sorted(map(format_card, variant.deck))
    assert (told["seats"], told["hand"], told["widow"]) == (variant.seats, variant.hand_size, variant.widow)
    assert {option: told[option] for option in told["options"]} == variant.options


@pytest.mark.parametrize("name", PRESETS)
def test_random_hands_agree_in_every_preset(name: str) -> None:
    variant = parse_variant(name)
    ends = set()
    for seed in range(HANDS_PER_PRESET):
        hand = play_in_lock_step(variant, random.Random(f"{name} {seed}"))
        assert hand.result is not None
        ends.add(hand.result.end)
    assert HandEnd.PLAYED in ends


@pytest.mark.parametrize("name", PRESETS)
def test_random_hands_agree_under_random_options(name: str) -> None:
    rng = random.Random(f"options of {name}")
    for number, variant in enumerate(_random_variants(name, OPTION_COMBINATIONS, rng)):
        for seed in range(3):
            play_in_lock_step(variant, random.Random(f"{name} {number} {seed}"))


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_many_random_hands_agree_under_many_options(name: str) -> None:
    rng = random.Random(f"many options of {name}")
    for number, variant in enumerate(_random_variants(name, 150, rng)):
        for seed in range(8):
            play_in_lock_step(variant, random.Random(f"many {name} {number} {seed}"))


def test_random_hands_reach_every_kind_of_action_and_end() -> None:
    """Guards the guard: what the lock-step test never sees it does not check."""
    kinds, ends = set(), set()
    for name in PRESETS:
        variants = [parse_variant(name), *_random_variants(name, 8, random.Random(f"reach {name}"))]
        for variant in variants:
            for seed in range(6):
                hand = play_in_lock_step(variant, random.Random(f"reach {variant.id} {seed}"))
                kinds |= {act.kind for _, act, _, _ in hand.events}
                assert hand.result is not None
                ends.add(hand.result.end)
    assert ends == set(_ENDS)
    assert kinds == set(Kind)


def test_cards_written_in_any_order_are_one_action() -> None:
    """SRV-ORDER-2: the text of a set is the same in both."""
    assert format_action(parse_action("SWAP(TC AS)")) == format_action(parse_action("SWAP(AS TC)")) == "SWAP(AS TC)"
    assert parse_card("AS") != NOBODY


def test_the_seat_that_ordered_and_defends_alone_is_the_loner_on_whose_left_is_led() -> None:
    """STD-LEAD-2, UPA-MAKE-2: ordered up by an opponent, the dealer is the maker; both then play alone."""
    options = "alone_defenders=any,alone_timing=after-trump,loner_lead=left-of-loner-if-ordered"
    variant = parse_variant(f"standard({options},order_up_makers=dealer-side)")
    hand = Hand(variant, variant.deck, dealer=0)
    for text in ("ORDER_UP", "DISCARD(QC)", "ALONE", "ALONE"):
        hand.apply(parse_action(text))
    assert (hand.lone_maker, hand.lone_defender, hand.actor) == (0, 1, 0)
