"""Hands as text: what is written is read back, and nothing else is."""

from __future__ import annotations

import copy
import random
from typing import Any, cast

import pytest

from referee.rules import PRESETS, Kind, action, parse_variant, starting_totals
from referee.service.outcome import FaultKind, HandRecord, PlayedAction, TableSpec
from referee.service.record import (
    RecordError,
    format_done,
    format_hands,
    format_play,
    parse_deck,
    parse_done,
    parse_play,
    read_hands,
    to_text,
)
from referee.service.shuffle import deck_for
from tests.arena.journal_factory import SEED, play_table, rated_id


def _hands(text: str, seed: int, *, faults: float = 0.03) -> tuple[HandRecord, ...]:
    variant = parse_variant(text)
    spec = TableSpec(
        variant=variant,
        instances=tuple(f"i{seat}" for seat in range(variant.seats)),
        first_dealer=seed % variant.seats,
        deck=lambda board, redeal: deck_for(SEED, variant, "m", board, redeal),
        first_board=seed,
    )
    return play_table(spec, random.Random(seed), faults).hands


def _rounded(hands: tuple[HandRecord, ...]) -> list[tuple[Any, ...]]:
    """Return what is compared: everything, how sure a bot was to three digits."""
    return [
        (
            hand.number,
            hand.board,
            hand.redeal,
            hand.dealer,
            hand.deck,
            hand.result,
            hand.totals,
            [
                done._replace(confidence=None if done.confidence is None else round(done.confidence, 3))
                for done in hand.actions
            ],
        )
        for hand in hands
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_written_is_read_back(preset: str) -> None:
    variant = parse_variant(rated_id(preset))
    for seed in range(12):
        hands = _hands(variant.id, seed)
        data = format_hands(variant, hands)
        again = tuple(record for record, _ in read_hands(variant, data))
        assert _rounded(again) == _rounded(hands), f"seed {seed}"
        assert to_text(format_hands(variant, again)) == to_text(data), f"seed {seed}"


def test_an_action_is_one_word() -> None:
    done = [
        PlayedAction(1, action(Kind.PASS), forced=False, milliseconds=12, fault=None),
        PlayedAction(0, action(Kind.DISCARD, (7,)), forced=False, milliseconds=8, fault=FaultKind.TIMEOUT),
        PlayedAction(2, action(Kind.PLAY, (12,)), forced=True, milliseconds=0, fault=None),
    ]
    assert format_play(done) == "1:PASS/12 0:DISCARD(9S)/8~timeout 2:AS!"
    assert parse_play(format_play(done)) == tuple(done)
    assert parse_play("") == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1:PASS", 0),
        ("1:PASS/12 0:AS/-1", 1),
        ("1:PASS/012", 0),
        ("1:pass/12", 0),
        ("1:PASS/12  2:PASS/1", 1),
        ("1:AS/1~sleepy", 0),
        ("1:PLAY(AS)/1", 0),
        ("x:AS/1", 0),
        ("1:ZZ/1", 0),
        ("1:AS!/3", 0),
        ("1:BID(3, H)/1", 0),
        ("\N{ARABIC-INDIC DIGIT ONE}:AS/1", 0),
    ],
)
def test_what_is_no_action_is_refused_and_the_word_is_named(text: str, place: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse_play(text)
    assert caught.value.field == "play"
    assert caught.value.place == place


def test_an_action_has_one_spelling() -> None:
    assert format_done(parse_done("BID(3,H)")) == "BID(3,H)"
    assert format_done(parse_done("SWAP(9S,TC)")) == "SWAP(9S,TC)"
    for text in ("BID(3 H)", "SWAP(TC,9S)", "as", "As", "ALONE()"):
        with pytest.raises(RecordError):
            parse_done(text)
    with pytest.raises(RecordError):
        parse_deck("ASKs")
    with pytest.raises(RecordError):
        parse_deck("ASK")


def _sample() -> tuple[Any, list[Any]]:
    variant = parse_variant("standard")
    return variant, cast("list[Any]", format_hands(variant, _hands("standard", 3, faults=0.0)))


def _complaint(variant: Any, data: list[Any]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_hands(variant, data)
    return caught.value


def test_a_record_that_the_rules_do_not_make_is_refused() -> None:
    variant, data = _sample()
    read_hands(variant, data)
    words = data[0]["play"].split(" ")
    changes: dict[str, Any] = {
        "tricks": [5, 5, 5, 5],
        "points": [7, 7],
        "end": "thrown-in",
        "dealer": (data[0]["dealer"] + 1) % 4,
        "deck": data[0]["deck"][2:] + data[0]["deck"][:2],
        "play": " ".join(words[:-1]),
        "deal": "3.00",
    }
    for field, value in changes.items():
        changed = copy.deepcopy(data)
        changed[0][field] = value
        error = _complaint(variant, changed)
        assert error.hand == 0, field


def test_a_word_too_many_a_wrong_seat_and_a_false_mark_are_refused_where_they_stand() -> None:
    variant, data = _sample()
    words = data[0]["play"].split(" ")
    plays = [place for place, word in enumerate(words) if len(word.partition("/")[0]) == 4]
    place = plays[1]
    seat, _, rest = words[place].partition(":")
    for word in (
        f"{(int(seat) + 1) % 4}:{rest}",
        f"{words[place]}~renege",
        words[place].partition("/")[0] + "!",
    ):
        changed = copy.deepcopy(data)
        changed[0]["play"] = " ".join([*words[:place], word, *words[place + 1 :]])
        error = _complaint(variant, changed)
        assert error.field == "play", word
        assert error.place in (place, place + 1), word


def test_a_fault_is_answered_with_the_default_or_refused() -> None:
    """SRV-DEFAULT-1."""
    variant, data = _sample()
    words = data[0]["play"].split(" ")
    place = next(place for place, word in enumerate(words) if "ORDER_UP" in word or "NAME" in word)
    words[place] += "~timeout"
    changed = copy.deepcopy(data)
    changed[0]["play"] = " ".join(words)
    error = _complaint(variant, changed)
    assert "the default was PASS" in str(error)
    assert error.place == place


def test_keys_are_those_that_are_documented_in_their_order() -> None:
    variant, data = _sample()
    assert list(data[0]) == ["deal", "dealer", "deck", "play", "end", "tricks", "points"]
    assert "in this order" in str(_complaint(variant, [{**data[0], "more": 1}]))
    assert "in this order" in str(_complaint(variant, [dict(reversed(data[0].items()))]))
    assert "no object" in str(_complaint(variant, ["hand"]))


def test_totals_go_on_from_hand_to_hand() -> None:
    variant = parse_variant("standard")
    spec = TableSpec(
        variant=variant,
        instances=("a", "b", "c", "d"),
        first_dealer=0,
        deck=lambda board, redeal: deck_for(SEED, variant, "m", board, redeal),
        plays_game=True,
    )
    result = play_table(spec, random.Random(5), 0.01)
    hands = [record for record, _ in read_hands(variant, format_hands(variant, result.hands))]
    totals = list(starting_totals(variant))
    for hand in hands:
        assert hand.result is not None
        totals = [total + gain for total, gain in zip(totals, hand.result.points, strict=True)]
        assert list(hand.totals) == totals
    assert tuple(totals) == result.totals
