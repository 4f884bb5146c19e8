"""Bots of other projects, seated by the adapters of ``euchre_bots.outside``."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from euchre.v1 import actions_pb2, play_pb2
from euchre_bots.heuristic import HeuristicBot
from euchre_bots.house import HouseBot
from euchre_kit import Bot, Variant
from euchre_kit.cards import suit
from referee.rules import Hand, HandEnd, PhaseKind, build
from tests.bots_python.in_process import answer, described, play_out, random_hands

OPTIONS = [
    {},
    {"stick_dealer": False, "alone_timing": "after-trump"},
    {"alone_timing": "after-trump", "alone_defenders": "any"},
]


def seeded(bot: Bot) -> Bot:
    bot.seed = 1
    return bot


def ismcts(simulations: int) -> Bot:
    pytest.importorskip("pyspiel", reason="the package open-spiel is not installed")
    from euchre_bots.outside.openspiel import IsmctsBot

    return seeded(IsmctsBot(simulations=simulations))


def computer() -> Bot:
    from euchre_bots.outside.euchre_cli import EuchreCliBot

    try:
        return seeded(EuchreCliBot())
    except ImportError as error:
        pytest.skip(str(error))


def questions(options: dict[str, Any], hands: int) -> Iterator[tuple[Hand, play_pb2.DecisionRequest, Variant]]:
    """Yield every question of hands that the heuristic bot plays."""
    rules = build("standard", options)
    variant = described(rules)
    bot = seeded(HeuristicBot())
    for hand, requests, _ in random_hands(rules, hands, "outside"):
        while not hand.is_over:
            request = requests.next()
            yield hand, request, variant
            hand.apply(answer(bot, request, variant))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("make", [lambda: ismcts(30), computer], ids=["openspiel", "euchre-cli"])
def test_outside_bots_play_lawfully(make: Any, options: dict[str, Any]) -> None:
    bot = make()
    rules = build("standard", options)
    variant = described(rules)
    bots: list[Bot] = [bot, seeded(HeuristicBot()), bot, seeded(HouseBot())]
    for hand, requests, _ in random_hands(rules, 20, "outside"):
        play_out(hand, requests, bots, variant)


def test_euchre_cli_is_repeatable() -> None:
    """OpenSpiel's search is not, whatever its seed: it goes through hash tables."""
    rules = build("standard")
    variant = described(rules)
    games = []
    for _ in range(2):
        bots = [computer() for _ in range(4)]
        games.append([play_out(hand, requests, bots, variant) for hand, requests, _ in random_hands(rules, 40, "same")])
    assert games[0] == games[1]


@pytest.mark.parametrize("options", OPTIONS)
def test_openspiel_state_is_at_the_same_question(options: dict[str, Any]) -> None:
    """The seat to act is the same, and what is lawful is (but for the card turned up, never discarded there)."""
    pytest.importorskip("pyspiel", reason="the package open-spiel is not installed")
    from euchre_bots.outside import openspiel

    chance = random.Random(5)
    asked = 0
    for hand, request, variant in questions(options, 60):
        try:
            state = openspiel.Rebuilder(request, variant).state(chance)
        except openspiel.UnlikeError:
            continue
        asked += 1
        assert state.current_player() == request.seat
        turned = suit(request.upcard)
        match hand.phase.kind:
            case PhaseKind.UPCARD_AUCTION:
                expected = {openspiel.call_to_theirs(option, turned) for option in request.options}
            case PhaseKind.GOING_ALONE:
                expected = {openspiel.ALONE, openspiel.TOGETHER}
            case _:
                cards = {option.cards[0] for option in request.options}
                if hand.phase.kind is PhaseKind.PICK_UP:
                    cards.discard(request.upcard)
                expected = {openspiel.card_to_theirs(card) for card in cards}
        assert set(state.legal_actions()) == expected, (hand.describe(), str(state))
    assert asked > 500


def test_openspiel_state_holds_guesses_in_place_of_hidden_cards() -> None:
    """Other hands and a hidden discard differ from guess to guess; the own hand does not."""
    pytest.importorskip("pyspiel", reason="the package open-spiel is not installed")
    from euchre_bots.outside.openspiel import Rebuilder, UnlikeError

    chance = random.Random(6)
    others: list[int] = []
    discards: list[int] = []
    for hand, request, variant in questions({}, 20):
        if hand.phase.kind is not PhaseKind.PLAY or any(
            event.action.kind == actions_pb2.ACTION_KIND_PLAY for event in request.history
        ):
            continue
        rebuilder = Rebuilder(request, variant)
        try:
            states = [rebuilder.state(chance) for _ in range(20)]
        except UnlikeError:
            continue
        dealt = [tuple(state.history()[1:21]) for state in states]
        own = {tuple(sorted(cards[(request.seat - hand.dealer) % 4 :: 4])) for cards in dealt}
        assert len(own) == 1
        others.append(len(set(dealt)))
        if rebuilder.has_hidden_discard:
            discards.append(len({state.discard() for state in states}))
    assert others
    assert min(others) > 15
    assert discards
    assert statistics.fmean(discards) > 3


@pytest.mark.parametrize("make", [lambda: ismcts(30), computer], ids=["openspiel", "euchre-cli"])
def test_heuristic_beats_outside_bots(make: Any) -> None:
    """Mirrored boards of ``standard``; OpenSpiel's with very few simulations here."""
    rules = build("standard")
    variant = described(rules)
    theirs, ours = make(), seeded(HeuristicBot())
    margin = 0
    for board in range(60):
        for leg in range(2):
            bots = [ours if seat % 2 == leg else theirs for seat in range(4)]
            for hand, requests, _ in random_hands(rules, 1, f"outside {board}"):
                play_out(hand, requests, bots, variant)
                assert hand.result is not None
                assert hand.result.end is not HandEnd.CLAIMED
                margin += hand.result.points[leg] - hand.result.points[1 - leg]
    assert margin > 0


@pytest.mark.slow
@pytest.mark.parametrize("module", ["openspiel", "euchre_cli"])
def test_outside_bots_pass_the_conformance_check(module: str) -> None:
    if module == "openspiel":
        ismcts(1)
    else:
        computer()
    command = f"{sys.executable} -m euchre_bots.outside.{module}" + " --simulations 100" * (module == "openspiel")
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", "check", command], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
