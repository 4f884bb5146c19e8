"""The second evaluator against the worked examples of the rulebook itself (``tests/vectors``).

So that it is a witness of its own, not a copy of the engine's mistakes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import evaluator
from tests.evaluator import scores
from tests.evaluator.cards import as_set, beats, up
from tests.evaluator.hands import active_seats, card_words, dealt_hands, plays_alone
from tests.evaluator.tables import ALL_RANKS, SUITS, Game

VECTORS = Path(__file__).parents[1] / "vectors"


def _cases(kind: str) -> list[Any]:
    """Return the cases of a kind as parameters named for their vector."""
    cases = []
    for path in sorted(VECTORS.glob("7.*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            for number, case in enumerate(vector["cases"]):
                if case["kind"] == kind:
                    cases.append(pytest.param(case, id=f"{vector['id']}.{number}"))
    return cases


# -- cards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", _cases("lawful"))
def test_lawful_cards(case: dict[str, Any]) -> None:
    game = evaluator.game(case["variant"])
    trick = ((1, case["led"]),) if "led" in case else ()
    state = {"game": game, "strain": case["strain"], "hands": (tuple(case["hand"].split()),), "trick": trick}
    words = card_words(state, 0)
    if "lawful" in case:
        assert sorted(words) == sorted({f"PLAY({card})" for card in case["lawful"].split()})
    if "default" in case:
        assert words[0] == f"PLAY({case['default']})"


@pytest.mark.parametrize("case", _cases("trick"))
def test_trick_winner(case: dict[str, Any]) -> None:
    game = evaluator.game(case["variant"])
    (winner, best), *others = [play.split(":") for play in case["trick"].split()]
    for seat, card in others:
        if beats(game, case["strain"], best, card):
            winner, best = seat, card
    assert int(winner) == case["winner"]


@pytest.mark.parametrize("case", _cases("order"))
def test_order_of_cards(case: dict[str, Any]) -> None:
    assert up(evaluator.game(case["variant"]), case.get("strain"), case["cards"].split()) == case["up"].split()


@pytest.mark.parametrize("case", _cases("deal"))
def test_deal(case: dict[str, Any]) -> None:
    game, wanted = evaluator.game(case["variant"]), case["expect"]
    places = [str(place) for place in range(len(game["cards"]))]
    hands = dealt_hands(game, places, case.get("dealer", 0))
    for seat, cards in wanted.get("hands", {}).items():
        assert sorted(map(int, hands[int(seat)])) == cards
    assert wanted.get("deck_size", len(places)) == len(places)
    assert wanted.get("hand_size", game["hand"]) == game["hand"]
    assert wanted.get("widow_size", game["widow"]) == game["widow"]


# -- hands -------------------------------------------------------------------------------------------


def _deck_list(game: Game) -> list[str]:
    """Return the deck list of ``tests/vectors/README.md``."""

    def place(card: str) -> tuple[int, int]:
        return (4, int(card[1])) if card[0] == "X" else (SUITS.index(card[1]), ALL_RANKS.index(card[0]))

    return sorted(game["cards"], key=place)


def _deck(game: Game, hand: Mapping[str, Any], dealer: int) -> list[str]:
    """Return the deck of a deal that says only a part."""
    if "deck" in hand:
        return list(hand["deck"].split())
    part = hand.get("deal", {})
    size = len(game["cards"])
    filled: list[str | None] = [None] * size
    places = dealt_hands(game, [str(place) for place in range(size)], dealer)
    for seat, cards in part.get("hands", {}).items():
        for place, card in zip(sorted(map(int, places[int(seat)])), cards.split(), strict=False):
            filled[place] = card
    rest = game["seats"] * game["hand"]
    if "upcard" in part:
        filled[rest] = part["upcard"]
    first = {"kitty": rest + 1, "widow": rest, "idle": rest + game["widow"]}
    for name, place in first.items():
        for step, card in enumerate(part.get(name, "").split()):
            filled[place + step] = card
    left = _deck_list(game)
    for card in filter(None, filled):
        left.remove(card)
    return [card if card is not None else left.pop(0) for card in filled]


def _kept(state: evaluator.State, case: Mapping[str, Any], fact: str, wanted: Any) -> bool:
    """Tell whether a fact holds; facts about what the evaluator does not model hold."""
    options = evaluator.legal(state)
    if fact.startswith("options"):
        wanted = [_one_text(text) for text in wanted]
    result = state["result"] or {}
    held = dict(enumerate(state["hands"]))
    checks: dict[str, Any] = {
        "asked": lambda: evaluator.actor(state) == wanted,
        "options": lambda: options == wanted,
        "options_any_order": lambda: sorted(options) == sorted(wanted),
        "options_begin": lambda: options[: len(wanted)] == wanted,
        "options_end": lambda: options[-len(wanted) :] == wanted,
        "options_include": lambda: set(wanted) <= set(options),
        "options_exclude": lambda: not set(wanted) & set(options),
        "option_count": lambda: len(options) == wanted,
        "default": lambda: options[0] == wanted,
        "strain": lambda: state["strain"] == wanted,
        "maker": lambda: state["maker"] == wanted,
        "makers": lambda: scores.makers(state) == wanted,
        "contract": lambda: (state["bid"] or {}).get("said") == wanted,
        "ally": lambda: state["ally"] == wanted,
        "active": lambda: active_seats(state) == wanted,
        "held": lambda: all(len(held[int(seat)]) == count for seat, count in wanted.items()),
        "hands": lambda: all(sorted(held[int(seat)]) == sorted(cards.split()) for seat, cards in wanted.items()),
        "holds": lambda: all(set(cards.split()) <= set(held[int(seat)]) for seat, cards in wanted.items()),
        "tricks": lambda: list(state["tricks"]) == wanted,
        "questions": lambda: sum(not forced for _, _, forced in state["log"]) == wanted,
        "last": lambda: f"{state['log'][-1][0]} {state['log'][-1][1]}" == wanted,
        "ended": lambda: result.get("end") == wanted,
        "points": lambda: list(result["points"]) == wanted,
        "totals": lambda: _totals_after(state) == wanted,
        "winner": lambda: result.get("winner") == wanted,
        "next_dealer": lambda: result["next_dealer"] == wanted,
        "dealer": lambda: state["dealer"] == wanted,
    }
    return bool(checks[fact]()) if fact in checks else True


def _totals_after(state: evaluator.State) -> list[int]:
    points = state["result"]["points"] if state["result"] else [0] * len(state["totals"])
    return [before + change for before, change in zip(state["totals"], points, strict=True)]


def _one_text(text: str) -> str:
    head, bracket, cards = text.partition("(")
    return (
        f"{head}({as_set(cards.removesuffix(')').split())})" if bracket and " " in cards and "," not in cards else text
    )


def _step(state: evaluator.State, step: Mapping[str, Any], case: Mapping[str, Any]) -> evaluator.State:
    if "does" in step:
        assert evaluator.actor(state) == step["seat"], step
        if not step.get("renege"):
            assert _one_text(step["does"]) in evaluator.legal(state), step
        return evaluator.apply(state, _one_text(step["does"]))
    if "refused" in step:
        assert evaluator.actor(state) == step["seat"], step
        with pytest.raises(AssertionError):
            evaluator.apply(state, _one_text(step["refused"]))
    elif "trick" in step:
        for play in step["trick"].split():
            seat, card = play.split(":")
            if not state["result"]:
                assert evaluator.actor(state) == int(seat), step
                state = evaluator.apply(state, f"PLAY({card})")
            else:
                assert (int(seat), f"PLAY({card})", True) in state["log"], step
    elif "defaults" in step:
        left = 10**6 if step["defaults"] == "all" else step["defaults"]
        while left and not state["result"]:
            state, left = evaluator.apply(state, evaluator.legal(state)[0]), left - 1
    elif "talks" in step:
        state = evaluator.talk(state, step["talks"])
    else:
        for fact, wanted in step["expect"].items():
            assert _kept(state, case, fact, wanted), (fact, wanted, evaluator.legal(state))
    return state


@pytest.mark.parametrize("case", _cases("script"))
def test_script(case: dict[str, Any]) -> None:
    game = evaluator.game(case["variant"])
    dealer, totals = case.get("dealer", 0), case.get("totals")
    for hand in case["hands"]:
        state = evaluator.deal(game, _deck(game, hand, dealer), dealer, totals)
        for step in hand["steps"]:
            state = _step(state, step, case)
        if state["result"]:
            dealer, totals = state["result"]["next_dealer"], _totals_after(state)


# -- points ------------------------------------------------------------------------------------------


def _told_hand(game: Game, told: Mapping[str, Any], totals: list[int] | None) -> evaluator.State:
    """Return a state with the facts of a score vector in it, whatever play led to them."""
    state = evaluator.deal(game, _deck_list(game), 0, totals)
    maker: Any = told.get("maker")
    bid = next((bid for bid in game.get("bids", []) if bid["said"] == told.get("bid")), None)
    state = {**state, "maker": maker, "bidder": maker, "bid": bid, "ally": told.get("ally"), "result": None}
    state["received"] = told.get("cards_received", 0)
    state["out"] = tuple(told.get("dropped", ()))
    for seat in (told.get("lone_maker"), told.get("lone_defender")):
        if seat is not None:
            state = plays_alone(state, seat)
    if bid and bid.get("alone") and state["lone_maker"] is None:
        state = plays_alone(state, maker)
    tricks = [0] * game["seats"]
    if "tricks" in told:
        tricks = told["tricks"]
    elif "makers_tricks" in told:
        others = [seat for seat in active_seats(state) if seat not in scores.makers(state)]
        tricks[maker] = told["makers_tricks"]
        tricks[others[0]] = game["hand"] - told["makers_tricks"]
    return {**state, "tricks": tuple(tricks)}


@pytest.mark.parametrize("case", _cases("score"))
def test_score(case: dict[str, Any]) -> None:
    game = evaluator.game(case["variant"])
    if case.get("rated"):
        game["renege_contract"] = "settle"  # SRV-RENEGE-1
    totals = case.get("totals")
    for told in case["hands"]:
        state = _told_hand(game, told, totals)
        offender = told.get("renege")
        state["result"] = scores.result(state, "played" if offender is None else "renege", offender)
        totals = _totals_after(state)
        makers, points = scores.makers(state), state["result"]["points"]
        for side, seats in enumerate(scores.sides(game)):
            whose = "makers" if seats[0] in makers else "others"
            assert told["expect"].get(whose, points[side]) == points[side], told
        found = {"points": list(points), "totals": totals, "winner": state["result"]["winner"]}
        assert {name: told["expect"].get(name, value) for name, value in found.items()} == found, told
