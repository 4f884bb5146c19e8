"""Every bot plays every preset lawfully, from its description alone."""

from __future__ import annotations

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

from euchre_bots.heuristic import HeuristicBot
from euchre_bots.house import HouseBot
from euchre_bots.random import RandomBot
from euchre_bots.search import SearchBot
from euchre_kit import Bot, Knowledge
from referee.rules import PRESETS, HandEnd, VariantError, build
from tests.bots_python.in_process import answer, described, play_out, random_action, random_hands

SOURCES = Path(__file__).parents[2] / "sample_bots" / "python"


def seeded(bot: Bot, seed: int = 1) -> Bot:
    bot.seed = seed
    return bot


@pytest.mark.parametrize("preset", PRESETS)
def test_every_bot_plays_every_preset(preset: str) -> None:
    rules = build(preset)
    variant = described(rules)
    bots = [
        seeded(RandomBot()),
        seeded(HeuristicBot()),
        seeded(HouseBot()),
        seeded(SearchBot(samples=8)),
        seeded(HeuristicBot(blunder=0.3)),
    ]
    for number, (hand, requests, _) in enumerate(random_hands(rules, 6, preset)):
        play_out(hand, requests, [bots[(seat + number) % len(bots)] for seat in range(rules.seats)], variant)


def test_bots_play_random_combinations_of_options() -> None:
    rng = random.Random(11)
    played = 0
    while played < 30:
        preset = rng.choice(list(PRESETS))
        options = {}
        for name, spec in build(preset).specs.items():
            if rng.random() < 0.4:
                options[name] = (
                    rng.choice(spec.allowed) if spec.allowed else rng.randint(spec.minimum, spec.minimum + 3)
                )
        try:
            rules = build(preset, options)
        except VariantError:
            continue
        played += 1
        variant = described(rules)
        bots = [seeded(HeuristicBot()), seeded(SearchBot(samples=8)), seeded(HouseBot())]
        for hand, requests, _ in random_hands(rules, 2, str(played)):
            play_out(hand, requests, [bots[seat % 3] for seat in range(rules.seats)], variant)


@pytest.mark.parametrize("preset", ["standard", "auction-5p", "bid-us-48-widow", "buck"])
def test_search_with_a_fixed_number_of_deals_is_repeatable(preset: str) -> None:
    rules = build(preset)
    variant = described(rules)
    games = []
    for _ in range(2):
        answers = []
        for hand, requests, _rng in random_hands(rules, 2, preset):
            bots = [seeded(SearchBot(samples=8), seat) for seat in range(rules.seats)]
            answers += play_out(hand, requests, bots, variant)
        games.append(answers)
    assert games[0] == games[1]


def test_random_bot_chooses_every_set_of_cards_about_equally_often() -> None:
    """A set is one action among all; so are the words beside it."""
    rules = build("dealer-makes")
    variant = described(rules)
    seen: Counter[object] = Counter()
    for hand, requests, rng in random_hands(rules, 1, "sets"):
        while hand.phase.kind.name != "KITTY_SWAP":
            hand.apply(random_action(hand, rng))
        request = requests.next()
        for seed in range(2200):
            answer = seeded(RandomBot(), seed).decide(request, variant)
            seen[answer if isinstance(answer, int) else tuple(answer.cards)] += 1  # type: ignore[union-attr]
    assert len(seen) == 11  # NO_SWAP, and ten sets of three of five cards
    assert all(140 < count < 260 for count in seen.values())


def test_blunders_come_as_often_as_asked() -> None:
    rules = build("standard")
    variant = described(rules)
    plain, always = seeded(HeuristicBot()), seeded(HeuristicBot(blunder=1.0))
    differ = asked = 0
    for hand, requests, rng in random_hands(rules, 40, "blunder"):
        while not hand.is_over:
            request = requests.next()
            if len(request.options) > 2:
                asked += 1
                differ += plain.decide(request, variant) != always.decide(request, variant)
            hand.apply(random_action(hand, rng))
    assert 0.5 < differ / asked < 0.9


def test_search_defers_to_nobody_in_a_hand_that_is_won() -> None:
    """With the five highest trumps there is nothing to lose by playing alone (STD-SCORE-1: four points, not two)."""
    from referee.rules import Hand, parse_cards
    from tests.bots_python.in_process import Requests, answer

    rules = build("standard")
    variant = described(rules)
    mine = parse_cards("JS JC AS KS QS")
    rest = [card for card in rules.deck if card not in mine and card not in parse_cards("9S")]
    # Eldest (seat 1) gets d0-d2 and d12-d13; the upcard is d20.
    deck = [*mine[:3], *rest[:9], *mine[3:], *rest[9:15], *parse_cards("9S"), *rest[15:]]
    hand = Hand(rules, deck, 0)
    for bot in (HeuristicBot(), SearchBot(samples=32)):
        act = answer(seeded(bot), Requests(hand).next(), variant)
        assert act.kind.name == "ORDER_UP_ALONE"


@pytest.mark.parametrize(
    ("first", "second", "sets"), [(HeuristicBot, RandomBot, 30), (HeuristicBot, HouseBot, 120)], ids=["random", "house"]
)
def test_heuristic_wins_mirrored_boards(first: type[Bot], second: type[Bot], sets: int) -> None:
    rules = build("bid-later-24")
    variant = described(rules)
    one, other = seeded(first()), seeded(second())
    margins = []
    for mirrored in range(sets):
        margin = 0
        for leg in range(2):
            for hand, requests, _ in random_hands(rules, 1, f"mirror {mirrored}"):
                play_out(hand, requests, [one if (seat + leg) % 2 == 0 else other for seat in range(4)], variant)
                assert hand.result is not None
                margin += hand.result.points[leg] - hand.result.points[1 - leg]
        margins.append(margin)
    won, lost = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
    assert won > 1.3 * lost
    assert sum(margins) > 0


def test_search_wins_mirrored_boards_against_the_heuristic() -> None:
    rules = build("standard")
    variant = described(rules)
    search, heuristic = seeded(SearchBot(samples=32)), seeded(HeuristicBot())
    margins = []
    for board in range(30):
        margin = 0
        for leg in range(2):
            for hand, requests, _ in random_hands(rules, 1, f"search {board}"):
                play_out(hand, requests, [search if seat % 2 == leg else heuristic for seat in range(4)], variant)
                assert hand.result is not None
                margin += hand.result.points[leg] - hand.result.points[1 - leg]
        margins.append(margin)
    assert sum(margins) > 0
    assert sum(margin > 0 for margin in margins) > sum(margin < 0 for margin in margins)


def test_sampled_hands_are_such_as_would_have_done_what_was_done() -> None:
    """A maker is dealt a hand to call with, as a rule; dealt blindly it would seldom be one."""
    from euchre_bots.calls import Caller
    from euchre_bots.sampling import Evidence, Sampler

    rules = build("buck")
    variant = described(rules)
    bot, caller, rng = seeded(HeuristicBot()), Caller(variant), random.Random(4)
    fits: list[float] = []
    blind: list[float] = []
    for hand, requests, _ in random_hands(rules, 40, "deeds"):
        while not hand.is_over:
            request = requests.next()
            if hand.phase.kind.name == "PLAY" and not request.trick and hand.maker not in (-1, hand.actor):
                knowledge = Knowledge(request, variant)
                checks = Evidence(request, knowledge, caller).checks[hand.maker]
                sampler = Sampler(request, knowledge, caller)
                for found, heeds_deeds in ((fits, True), (blind, False)):
                    served = sampler._serve(rng, heeds_deeds=heeds_deeds)
                    if served is not None:
                        found.append(min(check(served[0][hand.maker]) for check in checks) > 0.1)
            hand.apply(answer(bot, request, variant))
    assert len(fits) > 30
    assert sum(fits) / len(fits) > 0.5
    assert sum(fits) / len(fits) > 2 * sum(blind) / len(blind)


def test_a_claim_of_a_poor_hand_is_made() -> None:
    """RED-4: both bots claim a new deal whenever they may."""
    rules = build("standard", {"redeal_farmers_hand": "on"})
    variant = described(rules)
    bot = seeded(HeuristicBot())
    ends: Counter[HandEnd] = Counter()
    for hand, requests, _ in random_hands(rules, 150, "claims"):
        play_out(hand, requests, [bot] * 4, variant)
        assert hand.result is not None
        ends[hand.result.end] += 1
    assert ends[HandEnd.CLAIMED] > 0


def test_no_preset_is_named_in_kit_or_bots() -> None:
    """Every variant is played from its description; a name in the code would be a special case."""
    for path in [*SOURCES.glob("euchre_kit/*.py"), *SOURCES.glob("euchre_bots/*.py")]:
        tree = ast.parse(path.read_text())
        texts = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not texts & set(PRESETS), path


def test_kit_and_bots_import_nothing_of_the_referee() -> None:
    """A bot's container needs grpcio, protobuf and the kit only."""
    allowed = {"euchre", "euchre_kit", "euchre_bots", "grpc", "google", "__future__"}
    import sys

    for path in [*SOURCES.glob("euchre_kit/*.py"), *SOURCES.glob("euchre_bots/*.py"), *SOURCES.glob("template/bot.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                top = name.partition(".")[0]
                assert top in allowed or top in sys.stdlib_module_names, (path, name)


@pytest.mark.parametrize("preset", ["standard", "call-ace-5p", "bid-us-48", "british-6p-50", "auction-7p"])
def test_sampled_deals_fit_what_was_seen(preset: str) -> None:
    """No card twice, nobody with a suit he has shown not to hold, every hand of the right size."""
    from euchre_bots.calls import Caller
    from euchre_bots.sampling import Sampler

    rules = build(preset)
    variant = described(rules)
    bot = seeded(HeuristicBot())
    caller = Caller(variant)
    rng = random.Random(3)
    for hand, requests, _ in random_hands(rules, 8, preset):
        while not hand.is_over:
            request = requests.next()
            if hand.phase.kind.name == "PLAY" and request.strain:
                knowledge = Knowledge(request, variant)
                sampler = Sampler(request, knowledge, caller)
                hands, rest = sampler.deal(rng)
                for seat in hand.active:
                    assert len(hands[seat]) == len(hand.hands[seat])
                    if seat != hand.actor:
                        assert all(knowledge.may_hold(seat, card) for card in hands[seat])
                dealt = Counter(card for cards in hands for card in cards) + Counter(rest)
                assert not dealt - Counter(variant.copies)
            hand.apply(answer(bot, request, variant))
