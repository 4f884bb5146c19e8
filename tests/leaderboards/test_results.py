"""Legs hold together or are refused; sets are whole or count nowhere (KT-53, -54, -55, -64, -66)."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.results import (
    FAULT_KINDS,
    HOUSE,
    FaultCount,
    LegResult,
    ResultError,
    SetResult,
    set_of,
    sets_of,
    validate_entrant_name,
)
from referee.service.outcome import FaultKind
from tests.leaderboards.makers import SINGLES, leg, pair_of_legs, rotation


def test_fault_kinds_are_those_of_the_referee() -> None:
    assert tuple(kind.name.lower() for kind in FaultKind) == FAULT_KINDS


# --- names (KT-66) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["a", "search-2.1", "<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "x" * 64]
)
def test_a_name_is_any_printable_text_up_to_64_characters(name: str) -> None:
    assert validate_entrant_name(name) == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "has 1 to 64 characters, this has 0"),
        ("x" * 65, "this has 65"),
        ("x" * 10_000, "this has 10000"),
        ("two\nlines", "printable"),
        ("tab\there", "printable"),
        ("bell\a", "printable"),
        ("line\u2028separator", "printable"),
        ("right\u202eleft", "printable"),
        (" a", "space"),
        ("a ", "space"),
        ("e\u0301", "normal form C"),
        ("house", "kept for"),
        ("House", "kept for"),
    ],
)
def test_a_name_that_cannot_be_shown_on_one_line_is_refused_in_one_line(name: str, why: str) -> None:
    with pytest.raises(ResultError, match=why) as refusal:
        validate_entrant_name(name)
    assert len(str(refusal.value).splitlines()) == 1
    assert len(str(refusal.value)) < 200


# --- legs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"end": "void"}, "the end 'void'"),
        ({"end": "rules"}, "the end 'rules' in the unit 'boards'"),
        ({"unit": "hands"}, "the unit 'hands'"),
        ({"leg": 2}, "leg 2 of a set of 2 legs"),
        ({"board": -1}, "board is -1"),
        ({"board": True}, "board is a whole number, not True"),
        ({"board": 1.0}, "board is a whole number, not 1.0"),
        ({"night": ""}, "have a name"),
        ({"seconds": float("nan")}, "nan seconds"),
        ({"seconds": float("inf")}, "inf seconds"),
        ({"seconds": 1}, "seconds is a number of seconds as float"),
        ({"points": (1,)}, "1 numbers of points for 2 sides"),
        ({"points": (1.5, 0)}, "points is a tuple of whole numbers"),
        ({"seating": ["a", "b", "a", "b"]}, "seating is a tuple"),
        ({"sides": ((0, 2), (1,))}, "do not hold each of the 4 seats once"),
        ({"sides": ((0, 1, 2, 3),), "points": (1,)}, "two or more"),
        ({"seating": ("a", "a", "a", "b")}, "'a' sits on 2 sides"),
        ({"seating": ("a", "b\n", "a", "b\n")}, "printable"),
        ({"forfeited": ("a",)}, "it ended by 'board', and 'a' forfeited"),
        ({"end": "forfeit"}, "nobody forfeited"),
        ({"end": "forfeit", "forfeited": ("c",)}, "'c' has no seat"),
        ({"winners": ("a",)}, "a board has none"),
        ({"unit": "games", "end": "rules"}, "has a winner"),
        ({"unit": "games", "end": "board", "winners": ("a",)}, "the end 'board' in the unit 'games'"),
        ({"unit": "games", "end": "rules", "winners": ("a", "a")}, "twice"),
        ({"unit": "games", "end": "rules", "winners": ("z",)}, "'z' has no seat"),
        ({"faults": (FaultCount("c", "timeout", 1),)}, "a fault of 'c'"),
        ({"faults": (FaultCount("a", "crash", 1),)}, "kind 'crash'"),
        ({"faults": (FaultCount("a", "timeout", 0),)}, "0 faults"),
        ({"faults": (FaultCount("a", "timeout", True),)}, "faults is a tuple of FaultCount"),
        ({"faults": (FaultCount("a", "timeout", 1), FaultCount("a", "timeout", 2))}, "counted twice"),
        ({"record": "nul\0"}, "NUL"),
        ({"record": "half \ud800"}, "surrogate"),
    ],
)
def test_a_leg_that_contradicts_itself_is_refused_and_named(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ResultError) as refusal:
        leg(**changes)
    assert why in str(refusal.value)
    assert str(refusal.value).startswith("night ")


def test_kinds_of_faults_are_kept_apart_as_counters() -> None:
    """KT-53."""
    faults = (FaultCount("a", "timeout", 3), FaultCount("a", "illegal", 1))
    whole = set_of([leg(0, 0, faults=faults), leg(0, 1, faults=(FaultCount("a", "timeout", 2),))])
    assert whole.faults == {"a": {"timeout": 5, "illegal": 1}}


def test_the_house_may_sit_several_times_and_is_never_rated() -> None:
    seated = leg(seating=("a", HOUSE, "b", HOUSE), sides=SINGLES, points=(1, 2, 3, 4), legs=4)
    assert seated.entrants == {"a", "b"}
    assert seated.side_of("b") == 2
    with pytest.raises(KeyError):
        seated.side_of(HOUSE)


# --- JSON ---------------------------------------------------------------------------------------------------

_names = st.sampled_from(["a", "\u00dcbung", "<b>", "\u4e2d\u6587", 'quo"te'])


@st.composite
def _legs(draw: st.DrawFn) -> LegResult:
    one, other = draw(st.lists(_names, min_size=2, max_size=2, unique=True))
    end = draw(st.sampled_from(["board", "hand-limit", "forfeit"]))
    return leg(
        draw(st.integers(0, 10**6)),
        draw(st.integers(0, 1)),
        draw(st.tuples(st.integers(-99, 99), st.integers(-99, 99))),
        seating=(one, other, one, other),
        end=end,
        forfeited=(one,) if end == "forfeit" else (),
        faults=tuple(
            FaultCount(one, kind, draw(st.integers(1, 9))) for kind in draw(st.sets(st.sampled_from(FAULT_KINDS)))
        ),
        seconds=draw(st.floats(0, 1e9)),
        counts_down=draw(st.booleans()),
        record=draw(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))),
    )


@given(_legs())
def test_a_leg_comes_back_from_json_and_pickle_as_it_was(one: LegResult) -> None:
    text = one.to_json()
    assert LegResult.from_json(text) == one
    assert LegResult.from_json(text).to_json() == text
    assert "\n" not in text
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  # our own


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda values: values.pop("points"), "without points"),
        (lambda values: values.update(colour="red"), "no field 'colour'"),
        (lambda values: values.update(seconds=float("nan")), "NaN is not a number"),
        (lambda values: values.update(board="0"), "board is a whole number"),
        (lambda values: values.update(counts_down=0), "counts_down is true or false"),
        (lambda values: values.update(faults=[["a", "timeout"]]), "a fault is"),
        (lambda values: values.update(faults={"a": 1}), "faults is a tuple"),
        (lambda values: values.update(points=None), "points is a tuple"),
    ],
)
def test_json_that_is_not_exactly_a_leg_is_refused(change: Any, why: str) -> None:
    values = json.loads(leg().to_json())
    change(values)
    with pytest.raises(ResultError, match=why):
        LegResult.from_json(json.dumps(values))


@pytest.mark.parametrize(
    ("text", "why"), [("[]", "a leg is a JSON object"), ("{", "not the JSON"), ('{"a":1,"a":2}', "twice")]
)
def test_text_that_is_not_an_object_is_refused(text: str, why: str) -> None:
    with pytest.raises(ResultError, match=why):
        LegResult.from_json(text)


# --- sets ---------------------------------------------------------------------------------------------------


def test_the_score_of_a_set_is_the_points_of_all_its_legs() -> None:
    (whole,) = sets_of(pair_of_legs(3, (2, 0), (1, 0)))
    assert whole.scores == {"a": 2.0, "b": 1.0}
    assert (whole.board, whole.legs, whole.opponents) == (3, 2, (("a", "b"),))
    assert (whole.result("a", "b"), whole.result("b", "a")) == (1.0, 0.0)


def test_a_split_board_is_a_draw() -> None:
    (whole,) = sets_of(pair_of_legs(0, (2, 0), (2, 0)))
    assert whole.result("a", "b") == whole.result("b", "a") == 0.5


def test_fewer_points_are_better_in_a_countdown_game() -> None:
    (whole,) = sets_of(pair_of_legs(0, (-3, 5), (0, -1), counts_down=True))
    assert whole.scores == {"a": 4.0, "b": -5.0}
    assert whole.result("a", "b") == 1.0


def test_who_forfeits_loses_the_set_whatever_the_points() -> None:
    legs = [leg(0, 0, (9, 0)), leg(0, 1, (0, 9), end="forfeit", forfeited=("a",))]
    (whole,) = sets_of(legs)
    assert whole.scores == {"a": 18.0, "b": 0.0}
    assert (whole.result("a", "b"), whole.result("b", "a")) == (0.0, 1.0)


def test_both_forfeiting_is_a_draw() -> None:
    legs = [
        leg(0, 0, (9, 0), end="forfeit", forfeited=("b",)),
        leg(0, 1, (0, 9), end="forfeit", forfeited=("a",)),
    ]
    (whole,) = sets_of(legs)
    assert whole.result("a", "b") == whole.result("b", "a") == 0.5


def test_a_forfeit_does_not_decide_between_the_others() -> None:
    points = [(9, 1, 2, 3)] + [(0, 0, 0, 0)] * 3
    legs = rotation(0, ("a", "b", "c", "d"), points)
    legs[0] = leg(
        0, 0, points[0], seating=legs[0].seating, sides=SINGLES, legs=4, variant="buck", end="forfeit", forfeited=("a",)
    )
    (whole,) = sets_of(legs)
    assert [whole.result("a", other) for other in "bcd"] == [0.0, 0.0, 0.0]
    assert (whole.result("d", "c"), whole.result("b", "c")) == (1.0, 0.0)


def test_individuals_are_compared_every_two_of_them() -> None:
    legs = rotation(0, ("a", "b", "c", HOUSE), [(1, 0, 0, 5), (5, 1, 0, 0), (0, 5, 1, 0), (0, 0, 5, 2)])
    (whole,) = sets_of(legs)
    assert whole.scores == {"a": 5.0, "b": 0.0, "c": 0.0}
    assert whole.opponents == (("a", "b"), ("a", "c"), ("b", "c"))


def test_partners_share_a_score_and_are_not_compared() -> None:
    legs = [
        leg(0, 0, (2, 1), seating=("a", "x", "b", "y")),
        leg(0, 1, (0, 1), seating=("y", "a", "x", "b")),
    ]
    (whole,) = sets_of(legs)
    assert whole.scores == {"a": 3.0, "b": 3.0, "x": 1.0, "y": 1.0}
    assert whole.opponents == (("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"))


def test_games_count_games_won_and_keep_the_points() -> None:
    legs = pair_of_legs(0, (10, 8), (10, 3), unit="games", end="rules", winners=("a",))
    legs[1] = leg(0, 1, (10, 3), unit="games", end="rules", winners=("b",))
    (whole,) = sets_of(legs)
    assert whole.scores == {"a": 1.0, "b": 1.0}
    assert whole.points == {"a": 13.0, "b": 18.0}
    assert whole.result("a", "b") == 0.5


def test_a_shared_first_place_is_shared_out() -> None:
    games = {"unit": "games", "end": "hand-limit"}
    legs = rotation(0, ("a", "b", "c", "d"), [(5, 5, 0, 0)] * 4, winners=("a", "b"), **games)
    (whole,) = sets_of(legs)
    assert whole.scores == {"a": 2.0, "b": 2.0, "c": 0.0, "d": 0.0}


def test_a_half_played_set_counts_nowhere() -> None:
    """KT-54, KT-55: an orphan leg is in no count; two legs are one set."""
    legs = [*pair_of_legs(0, (1, 0), (1, 0)), leg(1, 0), *pair_of_legs(2, (0, 1), (2, 0))]
    assert [whole.board for whole in sets_of(legs)] == [0, 2]
    assert sets_of([leg(0, 1)]) == []


@given(st.randoms(use_true_random=False))
def test_sets_are_in_schedule_order_whatever_order_the_legs_come_in(random: Any) -> None:
    legs = [
        one
        for pairing in range(3)
        for board in range(4)
        for one in pair_of_legs(board, (1, 0), (0, 1), pairing=pairing)
    ]
    expected = sets_of(legs)
    random.shuffle(legs)
    assert sets_of(legs) == expected
    assert [(whole.pairing, whole.board) for whole in expected] == [(p, b) for p in range(3) for b in range(4)]


def test_nights_stay_apart_and_in_the_order_given() -> None:
    legs = pair_of_legs(0, (1, 0), (1, 0), night="zulu") + pair_of_legs(0, (1, 0), (1, 0), night="alpha")
    assert [whole.night for whole in sets_of(legs)] == ["zulu", "alpha"]


def test_the_same_leg_twice_is_refused() -> None:
    with pytest.raises(ResultError, match="given twice"):
        sets_of([leg(), leg()])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"variant": "british"}, "variant is 'british', but 'standard' in leg 0"),
        ({"counts_down": True}, "counts_down"),
        ({"seating": ("b", "c", "b", "c")}, "seated are"),
        ({"seating": ("a", "b", "a", "b")}, "did not sit on every side equally often"),
        ({"sides": ((0, 1), (2, 3)), "seating": ("b", "b", "a", "a")}, "sides"),
    ],
)
def test_legs_that_do_not_belong_together_are_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ResultError, match=why):
        sets_of([leg(0, 0), leg(0, 1, **changes)])


def test_a_set_of_one_leg_is_allowed_where_boards_are_not_mirrored() -> None:
    (whole,) = sets_of([leg(legs=1)])
    assert whole.legs == 1


def test_a_set_cannot_be_changed_and_survives_pickling() -> None:
    (whole,) = sets_of(pair_of_legs(0, (1, 0), (0, 0)))
    with pytest.raises(TypeError):
        whole.scores["a"] = 9.0  # type: ignore[index]
    assert pickle.loads(pickle.dumps(whole)) == whole  # noqa: S301  # our own


def test_a_set_with_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ResultError, match="not a number"):
        SetResult(night="n", pairing=0, variant="v", board=0, scores={"a": float("nan"), "b": 0.0})
