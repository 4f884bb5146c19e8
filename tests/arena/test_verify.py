"""Verify: everything fits, or the first byte that does not is named."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.journal import NO_HASH, Journal, LegRecord, Note, leg_result, sealed, sync_store
from arena.schedule import Event
from arena.verify import WORKERS, Report, format_report, ratings_of, verify
from leaderboards.store import Store
from referee.rules import PRESETS, build, parse_variant
from referee.service.outcome import FaultKind, TableSpec
from referee.service.shuffle import deck_for
from tests.arena import journal_factory as factory
from tests.arena.journal_factory import SEED, legs_of, night_of, rated_id, write_journal

VARIANTS = ["standard", "bid-us-48", "cutthroat-3p"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed journal, unpacked: every kind of line is in it."""
    packed = write_journal(tmp_path_factory.mktemp("verify") / "j", VARIANTS, 2, close=True, faults=0.03)
    path = packed.with_suffix(".jsonl")
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


@pytest.fixture(scope="module")
def text(journal: Path) -> bytes:
    return journal.read_bytes()


def _check(path: Path, text: bytes) -> Report:
    path.write_bytes(text)
    return verify(path, workers=1)


def _objects(text: bytes) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        line.pop("sha")
    return lines


def _chained(objects: list[dict[str, Any]]) -> bytes:
    """Return a journal of these lines with hashes that fit: what a forger would make."""
    previous, lines = NO_HASH, []
    for data in objects:
        line, previous = sealed(previous, data)
        lines.append(line + b"\n")
    return b"".join(lines)


# -- what fits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_verifies_faults_and_forfeits_included(tmp_path: Path, preset: str) -> None:
    report = verify(write_journal(tmp_path / "j", [rated_id(preset)], 3, faults=0.04, close=True), workers=1)
    assert report.problem is None
    assert report.decks_checked
    assert report.ratings_checked
    assert report.legs == 3 * (2 if len(parse_variant(preset).sides) == 2 else parse_variant(preset).seats)
    assert report.sets == 3


@pytest.mark.parametrize("preset", ["standard", "two-handed", "cutthroat-3p", "dirty-clubs-3p", "railroad"])
def test_games_verify(tmp_path: Path, preset: str) -> None:
    path = write_journal(tmp_path / "j", [rated_id(preset)], 3, unit="games", close=True)
    assert verify(path, workers=1).problem is None


def test_claimed_deals_and_games_cut_at_the_limit_verify(tmp_path: Path) -> None:
    """RED-4, SRV-LIMIT-1."""
    variants = ["standard(deck=32,redeal_farmers_hand=on)", "bid-euchre"]
    path = write_journal(tmp_path / "b", variants[:1], 60, faults=0.0, close=True)
    assert b'"claimed"' in gzip.decompress(path.read_bytes())
    assert verify(path, workers=1).problem is None
    path = write_journal(tmp_path / "g", variants[1:], 1, unit="games", faults=0.0, close=True)
    assert b'"hand-limit"' in gzip.decompress(path.read_bytes())
    assert verify(path, workers=1).problem is None


@pytest.mark.parametrize("renege", ["established", "immediate", "rejected"])
def test_every_way_of_a_renege_verifies(tmp_path: Path, renege: str) -> None:
    """REN-MODE-1."""
    path = write_journal(tmp_path / "j", [f"standard(renege={renege})"], 60, faults=0.08, close=True)
    assert (b"~renege" in gzip.decompress(path.read_bytes())) == (renege != "rejected")
    assert verify(path, workers=1).problem is None


def test_an_open_night_verifies_but_for_its_decks_unless_the_seed_is_given(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", VARIANTS)
    report = verify(path, workers=1)
    assert report.problem is None
    assert not report.decks_checked
    assert any("NOT checked" in line for line in format_report(report))
    report = verify(path, seed=SEED, workers=1)
    assert report.problem is None
    assert report.decks_checked
    assert not verify(path, seed=bytes(32), workers=1).is_good


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    packed = write_journal(tmp_path / "j", ["standard"], 30, unit="games", close=True)
    good = gzip.decompress(packed.read_bytes())
    objects = _objects(good)
    path = tmp_path / "big"
    path.write_bytes(good)
    assert verify(path, workers=WORKERS).is_good
    legs = [place for place, data in enumerate(objects) if data["kind"] == "leg"]
    for place in (legs[-1], legs[3]):
        objects[place]["hands"][0]["tricks"][0] += 1
    path.write_bytes(_chained(objects))
    alone, together = verify(path, workers=1), verify(path, workers=WORKERS)
    assert alone.problem == together.problem
    assert alone.problem is not None
    assert alone.problem.line == legs[3] + 1


def test_relabelled_boards_verify(tmp_path: Path) -> None:
    """SRV-RELABEL-1, -3."""
    from dataclasses import replace

    from referee.rules.relabel import relabel_deck

    variant = parse_variant("standard")
    plain = factory.seatings_of(variant, 0, "boards", "factory")
    seatings = [plain[0], replace(plain[1], relabel="HDSC")]
    with Journal(tmp_path / "j", night_of(["standard"])) as journal:
        for seating in seatings:

            def deck(board: int, redeal: int, image: str = seating.relabel) -> list[int]:
                cards = deck_for(SEED, variant, plain[0].match, board, redeal)
                return relabel_deck(variant, cards, image) if image else cards

            spec = TableSpec(variant=variant, instances=seating.instances, first_dealer=0, deck=deck)
            result = factory.play_table(spec, random.Random(1))
            journal.add_leg(LegRecord.of(seating, 0, result))
        path = journal.close(SEED)
    assert verify(path, workers=1).problem is None


# -- damage ------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(data=st.data())
def test_one_changed_byte_anywhere_is_found_in_its_line(journal: Path, text: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text) - 1), label="place")
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != text[place]), label="byte")
    changed = text[:place] + bytes([byte]) + text[place + 1 :]
    report = _check(journal.with_name("changed"), changed)
    assert report.problem is not None
    line = text[:place].count(b"\n") + 1
    # A line break put into a line, or taken out at its end, is found where the broken line begins.
    assert report.problem.line == line
    start = text.rfind(b"\n", 0, place) + 1
    assert start <= report.problem.offset <= len(changed)


@settings(max_examples=60)
@given(data=st.data())
def test_one_flipped_byte_in_a_compressed_journal_is_found(journal: Path, data: st.DataObject) -> None:
    packed = journal.with_suffix(".gz").read_bytes()
    place = data.draw(st.integers(0, len(packed) - 1), label="place")
    mask = data.draw(st.integers(1, 255), label="mask")
    path = journal.with_name("changed.gz")
    path.write_bytes(packed[:place] + bytes([packed[place] ^ mask]) + packed[place + 1 :])
    assert not verify(path, workers=1).is_good


@settings(max_examples=40)
@given(data=st.data())
def test_lines_exchanged_removed_or_doubled_are_found_at_the_first(
    journal: Path, text: bytes, data: st.DataObject
) -> None:
    lines = text.splitlines(keepends=True)
    first = data.draw(st.integers(0, len(lines) - 2), label="first")
    second = data.draw(st.integers(first + 1, len(lines) - 1), label="second")
    exchanged = list(lines)
    exchanged[first], exchanged[second] = lines[second], lines[first]
    for changed in (exchanged, lines[:first] + lines[first + 1 :], [*lines[: first + 1], *lines[first:]]):
        report = _check(journal.with_name("changed"), b"".join(changed))
        assert report.problem is not None
        expected = first + 2 if len(changed) > len(lines) else first + 1
        assert report.problem.line == expected


def test_a_journal_cut_short_between_two_lines_is_not_over(journal: Path, text: bytes) -> None:
    lines = text.splitlines(keepends=True)
    report = _check(journal.with_name("changed"), b"".join(lines[:-1]))
    assert report.problem is None
    assert not report.is_over
    assert report.last_hash == json.loads(lines[-2])["sha"]
    assert not _check(journal.with_name("changed"), text[:-1]).is_good
    assert not _check(journal.with_name("changed"), b"").is_good


def _at(text: bytes, report: Report, length: int) -> bytes:
    assert report.problem is not None
    return text[report.problem.offset : report.problem.offset + length]


def test_the_very_byte_is_named_where_the_rules_can_tell(journal: Path, text: bytes) -> None:
    deck = text.index(b'"deck":"') + len(b'"deck":"') + 20
    play = text.index(b":PASS/", text.index(b'"play":"'))
    tricks = text.index(b'"tricks":[') + len(b'"tricks":[')
    sha = text.index(b'"sha":"', text.index(b'"kind":"leg"')) + 30
    for place, is_exact in ((deck, True), (tricks, False), (sha, True), (play - 1, False)):
        changed = bytearray(text)
        changed[place] = ord("A") if changed[place] != ord("A") else ord("K")
        report = _check(journal.with_name("changed"), bytes(changed))
        assert report.problem is not None
        if is_exact:
            assert abs(report.problem.offset - place) <= 1, report.problem
        else:
            assert report.problem.offset in range(place - 12, place + 1), report.problem


# -- forgery: the hashes are made to fit -------------------------------------------------------------


def _forge(text: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    objects = _objects(text)
    change(objects)
    return _chained(objects)


def _legs(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [data for data in objects if data["kind"] == "leg" and data["hands"][0]["end"] == "played"]


def _swap_two_cards(objects: list[dict[str, Any]]) -> None:
    hand = _legs(objects)[1]["hands"][0]
    deck = hand["deck"]
    hand["deck"] = deck[2:4] + deck[:2] + deck[4:]


def _add_a_point(objects: list[dict[str, Any]]) -> None:
    leg = _legs(objects)[1]
    leg["hands"][0]["points"][0] += 1
    leg["points"][0] += 1


def _remove_a_hand(objects: list[dict[str, Any]]) -> None:
    _legs(objects)[1]["hands"].pop()


def _remove_a_leg(objects: list[dict[str, Any]]) -> None:
    objects.remove(_legs(objects)[1])


def _double_a_leg(objects: list[dict[str, Any]]) -> None:
    leg = _legs(objects)[1]
    objects.insert(objects.index(leg) + 1, dict(leg))
    objects[-1]["legs"] += 1


def _change_a_rating(objects: list[dict[str, Any]]) -> None:
    row = objects[-1]["ratings"]["standard"]["alpha"]
    row[0] += 5.0


def _drop_a_rated_entrant(objects: list[dict[str, Any]]) -> None:
    del objects[-1]["ratings"]["standard"]["bravo"]


def _change_the_seed(objects: list[dict[str, Any]]) -> None:
    objects[-1]["seed"] = "00" * 32


def _change_who_sat(objects: list[dict[str, Any]]) -> None:
    seating = next(data for data in objects if data["kind"] == "seating")
    seating["entrants"].reverse()


def _rename_the_decks(objects: list[dict[str, Any]]) -> None:
    next(data for data in objects if data["kind"] == "seating")["match"] = "elsewhere"


def _loosen_the_strikes(objects: list[dict[str, Any]]) -> None:
    objects[0]["policy"]["strikes"] = 1


def _change_an_option(objects: list[dict[str, Any]]) -> None:
    objects[0]["variants"]["standard"]["target"] = 11


def _use_other_rules(objects: list[dict[str, Any]]) -> None:
    objects[0]["rules"] = "0.9"


def _write_a_line_another_way(objects: list[dict[str, Any]]) -> None:
    leg = _legs(objects)[1]
    leg["hands"] = leg.pop("hands")


def _hide_a_fault(objects: list[dict[str, Any]]) -> None:
    leg = next(data for data in objects if data.get("faults") and data["faults"][0][0] in ("timeout", "illegal"))
    leg["faults"].pop(0)


def _invent_a_fault(objects: list[dict[str, Any]]) -> None:
    _legs(objects)[0]["faults"] = [["timeout", 0, 0, "it slept"], ["timeout", 0, 0, "it slept"]]


def _forfeit_for_nothing(objects: list[dict[str, Any]]) -> None:
    leg = _legs(objects)[0]
    leg["end"], leg["forfeited"] = "forfeit", [0]
    leg["faults"] = [["forfeit", 0, 0, "so we say"]]


def _go_on_after_the_end(objects: list[dict[str, Any]]) -> None:
    objects.append({"kind": "note", "what": "x", "pairing": None, "entrant": "", "text": ""})


FORGERIES: dict[Callable[[list[dict[str, Any]]], None], str] = {
    _swap_two_cards: "the deck is not the one that follows from the seed|by the rules|is impossible",
    _add_a_point: "points",
    _remove_a_hand: "hands|forfeit",
    _remove_a_leg: "would be written",
    _double_a_leg: "a second time",
    _change_a_rating: "rating standard/alpha",
    _drop_a_rated_entrant: "rating standard/bravo",
    _change_the_seed: "not the one to which the first line is committed",
    _change_who_sat: "did not sit on every side",
    _rename_the_decks: "the deck is not the one",
    _loosen_the_strikes: "strikes",
    _change_an_option: "would be written",
    _use_other_rules: "version 0.9 of the rules",
    _write_a_line_another_way: "would be written",
    _hide_a_fault: "not among the faults",
    _invent_a_fault: "at no action",
    _forfeit_for_nothing: "ended by FORFEIT; by its hands it is BOARD",
    _go_on_after_the_end: "after the one that closes",
}


@pytest.mark.parametrize(("change", "message"), FORGERIES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_a_forgery_with_new_hashes_is_found(
    journal: Path, text: bytes, change: Callable[[list[dict[str, Any]]], None], message: str
) -> None:
    import re

    report = _check(journal.with_name("forged"), _forge(text, change))
    assert report.problem is not None
    assert report.problem.line > 0
    assert re.search(message, report.problem.message), report.problem


def test_every_recomputed_number_of_a_leg_is_checked(journal: Path, text: bytes) -> None:
    """Each number of a leg but times and faults, changed by one, with hashes that fit."""
    objects = _objects(text)
    place = next(at for at, data in enumerate(objects) if data["kind"] == "leg")
    for path in list(_numbers(objects[place])):
        forged = _objects(text)
        _add_one(forged[place], path)
        report = _check(journal.with_name("forged"), _chained(forged))
        assert report.problem is not None, path


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Any:
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in ("faults", "said"):
                yield from _numbers(item, (*path, key))
    elif isinstance(value, list):
        for key, item in enumerate(value):
            yield from _numbers(item, (*path, key))
    elif isinstance(value, int):
        yield path


def _add_one(value: Any, path: tuple[Any, ...]) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] += 1


# -- the schedule ------------------------------------------------------------------------------------


def _scheduled(tmp_path: Path, *, drop: int | None = None, note: bool = False) -> Report:
    """Return what verify says of a night that was played by its schedule, *drop* legs missing at the end."""
    variants = (build("standard"), build("cutthroat-3p"))
    event = Event(variants=variants, entrants=("ann", "bob", "cid"), boards=2)
    plan: dict[str, Any] = {
        "play": "boards",
        "boards": 2,
        "variants": [v.id for v in variants],
        "bots": ["ann", "bob", "cid"],
    }
    night = night_of([v.id for v in variants])
    from dataclasses import replace

    from arena.journal import Seating

    rng = random.Random(3)
    legs = []
    for pairing in event.pairings():
        for board in range(pairing.boards):
            for leg in pairing.set_of(board):
                seating = Seating(
                    pairing=pairing.number,
                    variant=pairing.variant.id,
                    leg=leg.leg,
                    legs=pairing.legs,
                    match=pairing.match,
                    first_dealer=0,
                    entrants=leg.seating,
                    instances=tuple(f"leg{leg.leg}.{name}.{seat}" for seat, name in enumerate(leg.seating)),
                )

                def deck(number: int, redeal: int, pairing: Any = pairing) -> list[int]:
                    return deck_for(SEED, pairing.variant, pairing.match, number, redeal)

                spec = TableSpec(
                    variant=pairing.variant,
                    instances=seating.instances,
                    first_dealer=0,
                    deck=deck,
                    first_board=board,
                )
                legs.append(LegRecord.of(seating, board, factory.play_table(spec, rng)))
    with Journal(tmp_path / "scheduled", replace(night, plan=plan)) as journal:
        journal.add_legs(legs if drop is None else legs[:-drop])
        if note:
            journal.add_note(Note(what="no-show", pairing=legs[-1].seating.pairing, entrant="cid", text="not there"))
        return verify(journal.close(SEED), workers=1)


def test_every_leg_is_one_of_the_schedule_and_none_is_missing(tmp_path: Path) -> None:
    report = _scheduled(tmp_path)
    assert report.problem is None
    assert report.schedule_checked


def test_a_leg_missing_from_a_closed_night_is_named_unless_a_note_says_why(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    report = _scheduled(tmp_path / "a", drop=1)
    assert report.problem is not None
    assert "is missing, and no note says why" in report.problem.message
    assert _scheduled(tmp_path / "b", drop=1, note=True).problem is None


# -- the store ---------------------------------------------------------------------------------------


def test_a_store_with_another_result_is_found(tmp_path: Path) -> None:
    import sqlite3

    path = write_journal(tmp_path / "j", ["standard"], 3, close=True)
    with Store(tmp_path / "results.db") as store:
        sync_store(path, store)
        report = verify(path, store=store, workers=1)
        assert report.problem is None
        assert report.store_checked
    database = sqlite3.connect(tmp_path / "results.db")
    with database:
        (result,) = database.execute("SELECT result FROM legs WHERE board = 1 AND leg = 0").fetchone()
        values = json.loads(result)
        values["points"][0] += 1
        database.execute("UPDATE legs SET result = ? WHERE board = 1 AND leg = 0", (json.dumps(values),))
    database.close()
    with Store(tmp_path / "results.db") as store:
        report = verify(path, store=store, workers=1)
    assert report.problem is not None
    assert "points is" in report.problem.message
    assert "board 1, leg 0" in report.problem.message


def test_a_store_that_lacks_a_leg_or_has_one_more_is_found(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"], 3, close=True)
    legs = [leg_result("factory", leg) for leg in legs_of(["standard"], 4)]
    for kept, message in ((legs[:5], "the store lacks"), (legs, "which is not in the journal")):
        place = tmp_path / f"{len(kept)}.db"
        with Store(place) as store:
            store.begin_night("factory", night_of(["standard"]).plan, night_of(["standard"]).commitment)
            store.add_legs(kept)
            report = verify(path, store=store, workers=1)
        assert report.problem is not None
        assert message in report.problem.message


def test_ratings_do_not_depend_on_the_order_of_the_legs() -> None:
    legs = [leg_result("factory", leg) for leg in legs_of(["standard", "cutthroat-3p"], 4)]
    rated = ratings_of(legs)
    assert next(iter(rated)) == "overall"
    for number in range(3):
        random.Random(number).shuffle(legs)
        assert ratings_of(legs) == rated


def test_the_journal_has_faults_of_every_kind(text: bytes) -> None:
    """The tests above would say little of a night in which nothing went wrong."""
    assert b"~timeout" in text
    assert b"~illegal" in text
    assert b"~disconnect" in text
    assert FaultKind.RENEGE.name.lower().encode() in text
    assert b'"said":' in text
