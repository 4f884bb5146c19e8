"""The points of a hand and who has won (RULES.md 3.8, 3.9, 3.11, 3.12 and the presets' own tables)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tests.evaluator.tables import Game

if TYPE_CHECKING:
    from tests.evaluator.hands import State

Result = dict[str, Any]


def sides(game: Game) -> list[list[int]]:
    """Return the seats that score together."""
    if game["alliance"] == "sides":
        return [list(range(0, game["seats"], 2)), list(range(1, game["seats"], 2))]
    return [[seat] for seat in range(game["seats"])]


def starting_totals(game: Game) -> tuple[int, ...]:
    """GEN-SCORE-1, BUCK-SCORE-1."""
    start = game["target"] if game["scoring"] == "countdown" else 0
    return tuple(start for _ in sides(game))


def makers(state: State) -> list[int]:
    from tests.evaluator.hands import is_of_makers

    return [seat for seat in range(state["game"]["seats"]) if is_of_makers(state, seat)]


def result(state: State, end: str, offender: int | None) -> Result:
    """Return the end, the points by side, whether the contract was made, and which sides qualified."""
    game = state["game"]
    points = {seat: 0 for seat in range(game["seats"])}  # what each seat's side gains, said once per side
    made = None
    gaining: list[int] = []
    if end == "played":
        made = made_or_set(state)
        points = played_points(state, made)
    elif end in ("renege", "table talk"):
        gaining = opponents(state, offender)
        award = game["renege_award"]
        for seat in gaining:
            points[seat] += -award if game["scoring"] == "countdown" else award  # REN-PEN-1, -2
        if game.get("renege_contract") == "settle" and state["bid"] and state["maker"] is not None:  # REN-PEN-6
            made = offender not in makers(state)
            for seat, change in settled(state, made).items():
                points[seat] += change
    by_side = tuple(points[seats[0]] for seats in sides(game))
    return {
        "end": end,
        "points": by_side,
        "tricks": state["tricks"],
        "winner": winner(state, end, by_side, made, gaining),
        "next_dealer": state["dealer"] if end == "claimed" else (state["dealer"] + 1) % game["seats"],
    }


def opponents(state: State, offender: int | None) -> list[int]:
    """REN-PEN-2: the seats that gain when *offender* reneges."""
    from tests.evaluator.hands import active_seats, is_of_makers, partners

    game = state["game"]
    assert offender is not None
    if game["alliance"] == "sides":
        return [seat for seat in range(game["seats"]) if seat != offender and seat not in partners(state, offender)]
    others = [seat for seat in active_seats(state) if seat != offender]
    if game["alliance"] == "each for himself" or state["maker"] is None:
        return others
    return [seat for seat in others if is_of_makers(state, seat) != is_of_makers(state, offender)]


def tricks_of(state: State, seats: Iterable[int]) -> int:
    return sum(state["tricks"][seat] for seat in seats)


def made_or_set(state: State) -> bool | None:
    """Tell whether the contract was kept; ``None`` where there is none."""
    if state["maker"] is None or state["bid"] is None:
        return None
    tricks = tricks_of(state, makers(state))
    return tricks == 0 if state["bid"].get("misere") else tricks >= state["bid"]["tricks"]


def played_points(state: State, made: bool | None) -> dict[int, int]:
    game = state["game"]
    if game["scoring"] == "five tricks":
        return five_tricks(state)
    if game["scoring"] == "bonus":
        return bonus(state)
    if game["scoring"] == "contract":
        return contract(state, made)
    if game["scoring"] == "countdown":
        return countdown(state)
    return {**nothing(state), **settled(state, made)}


def nothing(state: State) -> dict[int, int]:
    return {seat: 0 for seat in range(state["game"]["seats"])}


def to_seats(state: State, seats: Iterable[int], amount: int) -> dict[int, int]:
    return {**nothing(state), **{seat: amount for seat in seats}}


def five_tricks(state: State) -> dict[int, int]:
    """S5-1 to -5."""
    game = state["game"]
    three_or_four, march, lone_march, euchre, none, lone_euchre = game["s5"]
    march = game.get("cutthroat_march", march)
    side = makers(state)
    others = [seat for seat in range(game["seats"]) if seat not in side]
    tricks = tricks_of(state, side)
    if tricks == 5:
        alone = state["lone_maker"] is not None and lone_march is not None
        return to_seats(state, side, lone_march if alone else march)
    if tricks >= 3:
        return to_seats(state, side, three_or_four)
    if state["lone_defender"] is not None:
        return to_seats(state, others, lone_euchre)
    return to_seats(state, others, none if tricks == 0 else euchre)


def bonus(state: State) -> dict[int, int]:
    """DM-SCORE-1."""
    side = makers(state)
    tricks = tricks_of(state, side)
    defenders = [seat for seat in range(4) if seat not in side]
    if tricks >= 3:
        alone = state["lone_maker"] is not None
        return to_seats(state, side, 1 + (1 if alone else 0) + (1 if tricks == 5 else 0))
    alone = state["lone_defender"] is not None
    points = 2 + (1 if alone else 0) + (1 if tricks == 0 else 0) + (1 if tricks == 0 and alone else 0)
    return to_seats(state, defenders, points)


def lone_value(state: State) -> int:
    """Return the value of a bid that has its own (BU40-SCORE-1)."""
    bid = state["bid"]
    return int(
        bid["value_with_two_cards"] if "value_with_two_cards" in bid and state["received"] == 2 else bid["value"]
    )


def made_value(state: State, tricks: int) -> int:
    bid = state["bid"]
    if "value" in bid:
        return lone_value(state)
    if bid["number"] == state["game"].get("ten_scores_sixteen"):  # HOO-SCORE-1, -2
        return 16
    return tricks


def set_cost(state: State) -> int:
    bid = state["bid"]
    if "value" in bid:
        return lone_value(state)
    return int(state["game"].get("set_costs", bid["number"]))  # CON-SET-1, PEP-SCORE-1


def contract(state: State, made: bool | None) -> dict[int, int]:
    """CON-MADE-1, CON-SET-1, CON-ALONE-1."""
    points = {}
    for seats in sides(state["game"]):
        tricks = tricks_of(state, seats)
        if state["maker"] in seats:
            tricks = made_value(state, tricks) if made else -set_cost(state)
        points.update({seat: tricks for seat in seats})
    return points


def settled(state: State, made: bool | None) -> dict[int, int]:
    """Return the points of the contract alone: the whole score of Auction Euchre and Napoleon, and REN-PEN-6."""
    game, bid, maker = state["game"], state["bid"], state["maker"]
    side = makers(state)
    if game["scoring"] == "auction":  # AUC-SCORE-1, -2
        others = [seat for seat in range(game["seats"]) if seat not in side]
        return to_seats(state, side if made else others, bid["value"])
    if game["scoring"] == "napoleon":  # NAP-SCORE-1
        return to_seats(state, [maker], bid["value"] if made else -bid["value"])
    if game["scoring"] == "countdown":  # DC-SCORE-1
        return to_seats(state, [maker], -bid["tricks"] if made else 5)
    return to_seats(state, side, made_value(state, bid["tricks"]) if made else -set_cost(state))


def countdown(state: State) -> dict[int, int]:
    """BUCK-SCORE-1 to -3, DC-SCORE-1, DC3-SCORE-1."""
    from tests.evaluator.hands import active_seats

    points = nothing(state)
    for seat in active_seats(state):
        tricks = state["tricks"][seat]
        owed = 1
        if seat == state["maker"]:
            owed = state["game"]["maker_owes"] or state["bid"]["tricks"]
        points[seat] = -tricks if tricks >= owed else 5
    return points


# -- the end of the game -----------------------------------------------------------------------------


def winner(state: State, end: str, points: tuple[int, ...], made: bool | None, gaining: list[int]) -> int | None:
    """Return the side that has won the game with this hand, ``None`` if it goes on."""
    game = state["game"]
    if end in ("thrown in", "claimed"):
        return None
    totals = [before + change for before, change in zip(state["totals"], points, strict=True)]
    if game["scoring"] == "countdown":
        every_trick = game["all_tricks_win"]
        if end == "played" and every_trick in state["tricks"]:  # BUCK-END-3
            return int(state["tricks"].index(every_trick))
        return one_best([side for side, total in enumerate(totals) if total <= 0], [-total for total in totals])
    at_goal = [side for side, total in enumerate(totals) if total >= game["target"]]
    if game.get("win_condition") == "qualified":
        return qualified_winner(state, totals, at_goal, made, gaining)
    two_sides_and_bids = game["alliance"] == "sides" and "win_condition" in game
    if two_sides_and_bids and len(at_goal) == 2:  # CON-WIN-3
        return int(state["maker"] % 2)
    return one_best(at_goal, totals)  # END-IND-1, -2, PEP-END-1


def one_best(candidates: list[int], worth: list[int]) -> int | None:
    best = [side for side in candidates if worth[side] == max(worth[other] for other in candidates)]
    return best[0] if len(best) == 1 else None


def qualified_winner(
    state: State, totals: list[int], at_goal: list[int], made: bool | None, gaining: list[int]
) -> int | None:
    """CON-WIN-1, -2, END-IND-1, -2, REN-PEN-5."""
    game, maker = state["game"], state["maker"]
    qualified = set()
    for side, seats in enumerate(sides(game)):
        if (made is True and maker in seats) or (made is False and maker not in seats):
            qualified.add(side)
        if any(seat in gaining for seat in seats):
            qualified.add(side)
    if game["alliance"] == "sides" and len(at_goal) == 2 and made is not None and totals[0] == totals[1]:
        return int(maker % 2)  # "exactly equal: then the makers win, made or set"
    return one_best([side for side in at_goal if side in qualified], totals)
