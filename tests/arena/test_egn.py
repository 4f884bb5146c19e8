"""Euchre Game Notation: valid by its schema, read back without loss, never written on trust."""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from arena import egn
from arena.egn import EgnError, Imported, export, format_egn, import_game, read_egn, same_game, why_inexpressible
from arena.journal import LegRecord, read_legs
from referee.rules import PRESETS, Game, HandEnd, parse_variant
from tests.arena.journal_factory import rated_id, write_journal

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
RECORDED = sorted((ROOT.parent / "shared" / "data" / "egn").glob("game-*.egn"))
EXPRESSIBLE = {"british", "british-33", "north-american", "canadian", "standard", "classic", "railroad"}
COMPLETE = {f"game-{number:02}" for number in range(2, 11)}

needs_records = pytest.mark.skipif(not RECORDED, reason="the recorded games are not there (../shared/data/egn)")


def _schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


def _validate(data: Any) -> None:
    if data["fileType"] == egn.EMN_TYPE:
        jsonschema.validate(data, _schema("emn"))
        for game in data["games"]:
            jsonschema.validate(game["gameData"], _schema("egn"))
    else:
        jsonschema.validate(data, _schema("egn"))


def _exported(tmp_path: Path, variant: str, sets: int, unit: str, **options: Any) -> tuple[Path, egn.Export]:
    path = write_journal(tmp_path / "j", [variant], sets, unit=unit, **{"faults": 0.0, **options})
    return path, export(path, tmp_path / "egn")


def test_what_egn_can_express_is_decided_by_the_fields_of_a_variant() -> None:
    assert {name for name in PRESETS if not why_inexpressible(parse_variant(name))} == EXPRESSIBLE
    assert "numeric bids" in why_inexpressible(parse_variant("bid-euchre"))
    assert "two sides of two" in why_inexpressible(parse_variant("cutthroat-3p"))
    assert "bowers" in why_inexpressible(parse_variant("almonte-4p"))
    assert "whoever calls" in why_inexpressible(parse_variant("standard(order_up_makers=dealer-side)"))
    assert "printed" in why_inexpressible(parse_variant("standard(deck=25,joker_card=two-of-spades)"))


OPTIONS = {"standard(deck=32)", "standard(deck=25)", "standard(redeal_farmers_hand=on)"}
FILES = [("boards", variant) for variant in sorted(EXPRESSIBLE | OPTIONS)]
FILES += [("games", variant) for variant in sorted({"standard"} | OPTIONS)]


@pytest.mark.parametrize(("unit", "variant"), FILES)
def test_files_are_valid_and_give_themselves_back(tmp_path: Path, variant: str, unit: str) -> None:
    _, result = _exported(tmp_path, rated_id(variant), 40 if unit == "boards" else 4, unit)
    assert result.files
    for path in result.files:
        data = json.loads(path.read_text("utf-8"))
        _validate(data)
        assert path.read_text("utf-8") == format_egn(data)
        for game in read_egn(path):
            assert format_egn(same_game(game)) == format_egn(game.source)


@pytest.mark.parametrize("variant", ["standard", "canadian", "british"])
def test_hands_come_back_as_they_were(tmp_path: Path, variant: str) -> None:
    """Every card in its place, every action, every point; times and faults are not in EGN."""
    path, result = _exported(tmp_path, variant, 40, "boards")
    legs = {leg.key: leg for _, leg in read_legs(path)}
    count = 0
    for file in result.files:
        if file.suffix == ".emn":
            continue
        leg_number = int(file.stem.rpartition("leg")[2])
        (game,) = read_egn(file)
        assert game.variant.id == variant
        for hand in game.hands:
            leg = legs[0, hand.board, leg_number]
            count += 1
            assert leg.seating.entrants == game.players
            assert (hand.deck, hand.dealer, hand.redeal) == (leg.hands[-1].deck, leg.hands[-1].dealer, 0)
            assert hand.result == leg.hands[-1].result
            assert [done[:3] for done in hand.actions] == [done[:3] for done in leg.hands[-1].actions]
    assert count == result.legs > 0


def test_games_come_back_with_their_scores(tmp_path: Path) -> None:
    path, result = _exported(tmp_path, "standard", 3, "games")
    legs = {leg.key: leg for _, leg in read_legs(path)}
    assert result.left_out == {}
    assert result.legs == len(legs) == 6
    for file in result.files:
        for game in read_egn(file):
            assert game.totals == tuple(game.source["metadata"]["finalScore"])
    (match,) = (file for file in result.files if file.suffix == ".emn")
    data = json.loads(match.read_text("utf-8"))
    scores = data["metadata"]["result"]["scores"]
    assert sum(scores.values()) == sum(sum(leg.points) for leg in legs.values())
    alpha = sum(leg.points[leg.seating.entrants.index("alpha") % 2] for leg in legs.values())
    assert scores["team-01"] == alpha


def test_long_games_go_on_in_the_next_part(tmp_path: Path) -> None:
    path, result = _exported(tmp_path, "standard(target=150)", 1, "games")
    parts = [file for file in result.files if "part" in file.name]
    assert parts
    for _, leg in read_legs(path):
        pieces = [file for file in parts if f"leg{leg.seating.leg}-" in file.name]
        games = [read_egn(file)[0] for file in sorted(pieces)]
        assert sum(len(game.hands) for game in games) == len(leg.hands)
        assert games[0].initial_score == (0, 0)
        for before, after in itertools.pairwise(games):
            assert before.totals == after.initial_score
        assert games[-1].totals == leg.points


def test_what_egn_cannot_say_is_left_out_and_counted(tmp_path: Path) -> None:
    path, result = _exported(tmp_path, "classic", 60, "boards", faults=0.05)
    assert sum(result.left_out.values()) + result.legs == 120
    reasons = " ".join(result.left_out)
    assert "a defender plays alone only against a loner" in reasons
    assert "a forfeit" in reasons
    assert "a hand stopped by a renege" in reasons
    assert any("left out: " in line for line in egn.format_export(result))
    with pytest.raises(EgnError, match="numeric bids"):
        export(write_journal(tmp_path / "bid", ["bid-euchre"]), tmp_path / "none")
    assert path.exists()


# -- games of other people ---------------------------------------------------------------------------


@needs_records
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_is_read_and_a_complete_one_ends_on_its_last_deal(path: Path) -> None:
    (imported,) = read_egn(path)
    game = Game(imported.variant, imported.hands[0].dealer, totals=imported.initial_score)
    for hand in imported.hands:
        assert game.outcome is None
        assert hand.result is not None
        assert hand.result.end is HandEnd.PLAYED
        assert hand.dealer == game.dealer
        game.finish_hand(hand.result)
    assert (game.outcome is not None) == (path.stem in COMPLETE)
    assert game.totals == imported.totals


@needs_records
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_is_written_valid_and_says_the_same(path: Path) -> None:
    (imported,) = read_egn(path)
    again = same_game(imported)
    if again["version"] == egn.EGN_VERSION:
        jsonschema.validate(again, _schema("egn"))
    for mine, theirs in zip(again["deals"], imported.source["deals"], strict=True):
        assert mine["initialState"]["upCard"] == theirs["initialState"]["upCard"]
        for phase, other in zip(mine["phases"], theirs["phases"], strict=True):
            for key in ("calls", "tricks", "isAlone"):
                assert phase.get(key) == other.get(key)
    assert import_game(again).hands == imported.hands


def _sample(tmp_path: Path) -> Any:
    _, result = _exported(tmp_path, "standard", 4, "boards")
    return json.loads(result.files[0].read_text("utf-8"))


def _foreign(data: Any) -> Any:
    """Return a file as somebody else would have written it: no hands, no kitty, no description."""
    data = copy.deepcopy(data)
    del data["metadata"]["description"]
    for deal in data["deals"]:
        del deal["initialState"]["playerCards"]
        del deal["phases"][0]["callAnnotations"]
    return data


def _played(game: Imported) -> list[Any]:
    return [[done[:2] for done in hand.actions if done.action.kind.name == "PLAY"] for hand in game.hands]


def test_hands_that_are_not_told_follow_from_the_play(tmp_path: Path) -> None:
    data = _sample(tmp_path)
    known, guessed = import_game(data), import_game(_foreign(data))
    assert guessed.variant == known.variant
    assert _played(guessed) == _played(known)
    assert guessed.totals == known.totals


def _renege(data: Any) -> None:
    trick = data["deals"][0]["phases"][1]["tricks"][0]
    other = data["deals"][0]["phases"][1]["tricks"][1]
    trick[1], other[1] = other[1], trick[1]
    trick[2], other[2] = other[2], trick[2]


CHANGES: list[tuple[str, Any]] = [
    ("no card that can be dealt", lambda data: data["deals"][0]["initialState"].update(upCard="Xx")),
    ("version", lambda data: data.update(version="2.0")),
    ("condensed", lambda data: data["deals"].__setitem__(0, "ABCD")),
    ("is not played here", lambda data: data["deals"][0]["phases"][0]["calls"].__setitem__(0, "n")),
    ("cards to a trick", lambda data: data["deals"][0]["phases"][1]["tricks"][0].pop()),
    ("its tricks break off", lambda data: data["deals"][0]["phases"][1]["tricks"].pop()),
    ("there twice|not one of", lambda data: data["deals"][0]["initialState"]["playerCards"][0].__setitem__(0, "2c")),
    ("there is no seat", lambda data: data["deals"][0]["initialState"].update(dealer=7)),
    ("names a variant", lambda data: data["metadata"].update(description="Euchre Arena; variant nonsense; x")),
    ("not follow suit|not held|impossible|does not hold", _renege),
]


@pytest.mark.parametrize(("message", "change"), CHANGES, ids=lambda value: str(value)[:12])
def test_a_file_that_cannot_have_happened_is_refused(tmp_path: Path, message: str, change: Any) -> None:
    data = _sample(tmp_path)
    change(data)
    path = tmp_path / "changed.egn"
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(EgnError, match=message) as caught:
        read_egn(path)
    assert "changed.egn" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("farmers", True), ("partners_best", True), ("allow_no_trump", True), ("num_players", 6), ("min_rank", 8)],
)
def test_a_rule_set_that_is_not_played_here_is_refused(tmp_path: Path, name: str, value: object) -> None:
    data = _foreign(_sample(tmp_path))
    data["metadata"]["ruleset"][name] = value
    with pytest.raises(EgnError, match=name):
        import_game(data)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"fileType": "Euchre Game Notation"}', "null", "{", "\x00"])
def test_what_is_no_egn_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.egn"
    path.write_text(text)
    with pytest.raises(EgnError):
        read_egn(path)
    with pytest.raises(EgnError):
        read_egn(tmp_path / "absent.egn")


def test_a_leg_without_hands_is_left_out(tmp_path: Path) -> None:
    from dataclasses import replace

    from arena.journal import Journal
    from referee.service.outcome import FaultKind, FaultRecord, GameEnd
    from tests.arena.journal_factory import legs_of, night_of

    leg = next(legs_of(["standard"], 1))
    walkover: LegRecord = replace(
        leg,
        hands=(),
        end=GameEnd.FORFEIT,
        points=(0, 4),
        forfeited=(0,),
        faults=(FaultRecord(kind=FaultKind.FORFEIT, seat=0, hand=0, message="gone"),),
    )
    with Journal(tmp_path / "j", night_of(["standard"])) as journal:
        journal.add_leg(walkover)
    assert list(export(tmp_path / "j", tmp_path / "egn").left_out) == ["standard: EGN has no words for a forfeit"]
