"""One job with real bots over a real referee: results, no-shows, crashes, and nothing left behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import trio

import arena.job
from arena.bots import Bot, Isolation
from arena.job import (
    CRASH,
    FAULTS,
    INFRASTRUCTURE,
    NO_SHOW,
    Job,
    JobResult,
    LegPlayed,
    job_of,
    play_job,
    run_job,
    seat_instances,
    walkover,
)
from arena.journal import leg_result
from arena.night import Settings
from arena.schedule import HOUSE, Event, Leg
from leaderboards.conduct import WINDOW_LEGS
from leaderboards.results import LegResult, sets_of
from referee.rules import Card, Variant, parse_variant
from referee.rules.relabel import relabel_deck
from referee.service import bridge
from referee.service.outcome import GameEnd
from referee.service.policy import Policy
from referee.service.shuffle import deck_for
from tests.machine import processes_naming

SCRIPTED = str(Path(__file__).parents[1] / "bots" / "scripted.py")
PATIENT = Policy(decision_seconds=30.0, goodbye_seconds=0.5)
"""For honest bots on a busy machine."""
QUICK = Policy(decision_seconds=1.0, grace_seconds=0.3, goodbye_seconds=0.5)
SEED = bytes(range(32))


def bot(name: str, *cue: str) -> Bot:
    return Bot(name, (sys.executable, SCRIPTED, *cue))


def job(
    bots: Iterable[Bot],
    variant: str = "standard",
    boards: int = 2,
    policy: Policy = PATIENT,
    unit: str = "boards",
    settings: Settings | None = None,
    isolation: Isolation = "process",
) -> Job:
    entrants = {one.name: one for one in bots}
    event = Event(
        variants=(parse_variant(variant),),
        entrants=tuple(entrants),
        boards=boards,
        unit="games" if unit == "games" else "boards",
        chunk_boards=boards,
    )
    chunk = next(event.chunks(next(event.pairings())))
    return job_of(
        chunk,
        list(chunk.legs()),
        night="test",
        unit=event.unit,
        bots=entrants,
        house=bot(HOUSE, "first"),
        seed=SEED,
        policy=policy,
        settings=settings or Settings(start_seconds=30.0),
        isolation=isolation,
    )


def results(result: JobResult) -> list[LegResult]:
    return [leg_result("test", played.record) for played in result.legs]


def timeless(legs: Iterable[LegResult]) -> list[LegResult]:
    """Return the legs without what depends on the clock."""
    return [replace(leg, seconds=0.0, record="") for leg in legs]


def faults_of(legs: Iterable[LegResult]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for leg in legs:
        for fault in leg.faults:
            found.setdefault(fault.entrant, set()).add(fault.kind)
    return found


def test_a_job_plays_every_leg_in_schedule_order() -> None:
    result = play_job(job([bot("ann", "first"), bot("bob", "last")], boards=6))
    legs = results(result)
    assert [(leg.board, leg.leg) for leg in legs] == [(board, leg) for board in range(6) for leg in range(2)]
    assert legs[0].seating == ("ann", "bob", "ann", "bob")
    assert legs[1].seating == ("bob", "ann", "bob", "ann")
    assert len(sets_of(legs)) == 6
    assert faults_of(legs) == {}
    assert result.end.notes == ()
    thinking = result.legs[0].thinking
    assert [one.entrant for one in thinking] == ["ann", "bob"]
    assert sum(one.decisions for one in thinking) == legs[0].decisions > 0


def test_all_legs_of_a_board_have_the_same_deck_and_dealer_and_other_boards_have_others() -> None:
    """SRV-MIRROR-1."""
    result = play_job(job([bot("ann", "first"), bot("bob", "first")], boards=3))
    hands = [played.record.hands[0] for played in result.legs]
    assert hands[0].deck == hands[1].deck != hands[2].deck
    assert [hand.dealer for hand in hands] == [0, 0, 1, 1, 2, 2]


def test_the_same_job_gives_the_same_results_however_many_tables_are_open() -> None:
    wide, narrow = (
        play_job(job([bot("ann", "first"), bot("bob", "last")], boards=5, settings=Settings(tables=tables)))
        for tables in (8, 1)
    )
    assert timeless(results(wide)) == timeless(results(narrow))
    assert [one.record.hands[0].deck for one in wide.legs] == [one.record.hands[0].deck for one in narrow.legs]


def test_individuals_play_every_rotation_and_the_house_fills_up() -> None:
    legs = results(play_job(job([bot("ann", "first"), bot("bob", "last")], "buck", boards=2)))
    assert len(legs) == 8
    assert all(sorted(leg.seating) == ["ann", "bob", "house", "house"] for leg in legs)
    assert all(set(one.scores) == {"ann", "bob"} for one in sets_of(legs))


def test_games_are_played_to_the_target() -> None:
    legs = results(play_job(job([bot("ann", "first"), bot("bob", "last")], "two-handed", boards=2, unit="games")))
    assert [leg.end for leg in legs] == ["rules"] * 4
    assert all(len(leg.winners) == 1 and leg.hands > 1 for leg in legs)
    assert {leg.board for leg in legs} == {0, 1}


def test_no_instance_has_two_seats_or_sees_a_board_twice() -> None:
    this = job([bot("ann", "first"), bot("bob", "first")], "buck", boards=9)
    seen: set[tuple[str, int]] = set()
    for leg in this.legs:
        names = seat_instances(leg)
        assert len(set(names)) == len(names)
        for name in names:
            assert (name, leg.board) not in seen
            seen.add((name, leg.board))


def test_a_partner_is_another_instance() -> None:
    assert seat_instances(Leg(0, 1, ("a", "b", "a", "b"))) == ("leg1.a.1", "leg1.b.1", "leg1.a.2", "leg1.b.2")
    assert seat_instances(Leg(0, 1, ("a", "b", "a", "b")), "none") == ("a", "b", "a", "b")


# -- without isolation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "images"),
    [
        ("standard", ["", "DHCS"]),
        ("almonte-4p(almonte_jokers=low-spades)", ["", ""]),  # SRV-RELABEL-2
    ],
)
def test_without_isolation_a_bot_is_one_process_and_mirrored_legs_are_renamed_where_the_game_allows_it(
    tmp_path: Path, variant: str, images: list[str]
) -> None:
    mark = tmp_path / "mark"
    # Each process of it dies once, at its first question; so the marks count the processes.
    result = play_job(job([bot("a", "crash-once", str(mark)), bot("b", "last")], variant, boards=3, isolation="none"))
    assert len(list(tmp_path.glob("mark.*"))) == 1
    assert len(result.legs) == 6
    rules = parse_variant(variant)
    for played in result.legs:
        seating = played.record.seating
        assert seating.instances == seating.entrants
        assert seating.relabel == images[seating.leg]
        dealt = deck_for(SEED, rules, played.record.deck_name, played.record.board, 0)
        renamed = relabel_deck(rules, dealt, seating.relabel) if seating.relabel else dealt
        assert list(played.record.hands[0].deck) == renamed


def test_without_isolation_a_bot_that_takes_fewer_tables_than_it_has_seats_cannot_play() -> None:
    result = play_job(job([bot("a", "slow", "0"), bot("b", "first")], isolation="none"))
    assert result.legs == ()
    (note,) = result.end.notes
    assert (note.kind, note.entrant) == (NO_SHOW, "a")
    assert "with isolation none it would have 2 at one table" in note.text


# -- remote bots without a way in --------------------------------------------------------------------


def test_a_remote_bot_of_a_job_without_a_door_does_not_come() -> None:
    result = play_job(job([Bot("a", (), remote="ann"), bot("b", "first")]))
    assert result.legs == ()
    assert [(note.kind, note.entrant) for note in result.end.notes] == [(NO_SHOW, "a")]
    assert "this job has no door" in result.end.notes[0].text


# -- bots that misbehave -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cue", "said"),
    [
        ("exit", ["it ended (exit code 3) before it said hello", "cannot open my opening book"]),
        ("garbage", ["exit code 0", "last words"]),
        ("silent", ["no hello within 6 s", "thinking about my name"]),
        ("buck-only", ["does not play standard", "buck"]),
        ("old", ["exit code 4", "FAILED_PRECONDITION the bot speaks protocol version 99, this referee version 1"]),
    ],
)
def test_who_does_not_come_is_named_with_its_last_words_and_nothing_is_rated(cue: str, said: list[str]) -> None:
    """KT-57; KT-34."""
    result = play_job(
        job([bot("ann", "first"), bot("bob", cue)], settings=Settings(start_seconds=6 if cue == "silent" else 30))
    )
    assert result.legs == ()
    (note,) = result.end.notes
    assert (note.kind, note.entrant) == (NO_SHOW, "bob")
    assert all(text in note.text for text in said), note.text
    assert note.text.isprintable()
    assert result.end.missing == 0


def test_a_program_that_is_not_there_is_a_no_show() -> None:
    (note,) = play_job(job([bot("ann", "first"), Bot("bob", ("/no/such/program",))])).end.notes
    assert (note.kind, note.entrant) == (NO_SHOW, "bob")
    assert "/no/such/program could not be started: No such file or directory" in note.text


def test_a_house_bot_that_does_not_come_is_our_own_fault() -> None:
    this = job([bot("ann", "first"), bot("bob", "first")], "buck")
    result = play_job(replace(this, bots={**this.bots, HOUSE: bot(HOUSE, "exit")}))
    (note,) = result.end.notes
    assert note.kind == INFRASTRUCTURE
    assert result.end.missing == len(this.legs)


@pytest.mark.parametrize(("cue", "kind"), [("mute", "timeout"), ("nonsense", "illegal")])
def test_who_answers_badly_forfeits_and_loses_the_set(cue: str, kind: str) -> None:
    result = play_job(job([bot("ann", "first"), bot("bob", cue)], boards=2, policy=QUICK))
    legs = results(result)
    assert [leg.end for leg in legs] == ["forfeit"] * 4
    assert faults_of(legs) == {"bob": {kind, "forfeit"}}
    assert [one.result("bob", "ann") for one in sets_of(legs)] == [0.0, 0.0]
    (note,) = result.end.notes
    assert (note.kind, note.entrant) == (FAULTS, "bob")
    assert f"{kind} 12" in note.text
    assert "forfeit 4" in note.text
    assert {"mute": "I shall not answer", "nonsense": "nonsense it is"}[cue] in note.text


def test_a_job_ends_at_the_leg_by_which_somebody_is_quarantined() -> None:
    result = play_job(job([bot("ann", "first"), bot("bob", "nonsense")], boards=30))
    assert len(result.legs) == WINDOW_LEGS
    assert result.end.quarantined == ("bob",)
    assert [(one.record.board, one.record.seating.leg) for one in result.legs] == [
        (board, leg) for board in range(WINDOW_LEGS // 2) for leg in range(2)
    ]


def test_who_crashes_once_is_started_again_and_plays_on(tmp_path: Path) -> None:
    """KT-36: its open requests are sent again, and the record says how it ended."""
    result = play_job(
        job(
            [bot("ann", "first"), bot("bob", "crash-once", str(tmp_path / "mark"))],
            policy=replace(PATIENT, grace_seconds=60.0),
        )
    )
    legs = results(result)
    assert len(legs) == 4
    assert not any(leg.forfeited for leg in legs)
    assert faults_of(legs)["bob"] == {"disconnect"}
    losses = [fault.message for played in result.legs for fault in played.record.faults]
    assert len(losses) == 4
    assert all(loss.endswith("decisions open; its process ended (exit code 9)") for loss in losses), losses
    crash = next(note for note in result.end.notes if note.kind == CRASH)
    assert "bob crashed 4 times" in crash.text
    assert "exit code 9" in crash.text


def test_who_crashes_for_good_forfeits_what_is_left() -> None:
    result = play_job(
        job(
            [bot("ann", "first"), bot("bob", "crash", "2")],
            boards=6,
            policy=replace(PATIENT, grace_seconds=0.3),
            settings=Settings(restarts=1, tables=1),
        )
    )
    legs = results(result)
    assert [leg.end for leg in legs] == ["forfeit"] * 12
    assert all(leg.forfeited == ("bob",) for leg in legs)
    assert legs[-1].hands == 0, "nothing is dealt to somebody who will not come back"
    assert all(one.result("ann", "bob") == 1.0 for one in sets_of(legs))
    assert "segmentation fault, so to speak" in next(n.text for n in result.end.notes if n.kind == CRASH)


def test_who_has_crashed_for_good_is_given_up_in_peace_while_the_others_are_sent_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bob's pause after its last crash ends when all have been dismissed, while Ann, who hangs, still has time."""
    monkeypatch.setattr(arena.job, "_FIRST_PAUSE_SECONDS", 2.0)
    monkeypatch.setattr(arena.job, "_LEAVE_SECONDS", 4.0)
    result = play_job(
        job(
            [bot("ann", "spin"), bot("bob", "crash", "0")],
            boards=1,
            policy=Policy(decision_seconds=0.5, strikes=1, grace_seconds=0.05, goodbye_seconds=10.0),
            settings=Settings(restarts=0),
        )
    )
    assert sorted(leg.forfeited for leg in results(result)) == [("ann",), ("bob",)]
    assert [note for note in result.end.notes if note.kind == INFRASTRUCTURE] == []


def test_a_walkover_gives_the_others_what_a_forfeit_gives() -> None:
    for text in ("standard", "bid-euchre", "buck"):
        variant = parse_variant(text)
        result = walkover(variant, [1])
        side = variant.side_of[1]
        award = -variant.renege_award if variant.counts_down else variant.renege_award
        assert result.forfeited == (side,)
        assert result.points == tuple(0 if other == side else award for other in range(len(variant.sides)))


def test_a_bot_that_floods_its_output_plays_on_and_its_tail_is_kept() -> None:
    """KT-39, KT-49."""
    legs = results(play_job(job([bot("ann", "first"), bot("bob", "flood")], boards=4)))
    assert len(legs) == 8
    assert faults_of(legs) == {}


def test_a_hanging_bot_costs_its_clock_and_no_goodbye_and_leaves_no_process(tmp_path: Path) -> None:
    """KT-37: it says hello and is never heard of again, not even at the end."""
    script = tmp_path / "scripted.py"
    script.write_bytes(Path(SCRIPTED).read_bytes())
    hanging = Bot("bob", (sys.executable, str(script), "slow", "1000"))
    this = job(
        [bot("ann", "first"), hanging],
        boards=1,
        policy=Policy(decision_seconds=0.5, strikes=1, goodbye_seconds=60.0),
    )
    finished: list[float] = []
    legs: list[LegPlayed] = []

    async def run() -> float:
        def emit(played: LegPlayed) -> None:
            finished.append(trio.current_time())
            legs.append(played)

        await run_job(this, emit, trio.Event())
        return trio.current_time() - finished[-1]

    took = bridge.run(run)
    assert [one.record.end for one in legs] == [GameEnd.FORFEIT] * 2
    slowest = [thinking.slowest_seconds for one in legs for thinking in one.thinking if thinking.entrant == "bob"]
    assert slowest == pytest.approx([0.5, 0.5])
    assert took < 30.0, "it gets a second, and not the minute of the policy"
    assert not processes_naming(script)


def test_a_bot_that_is_not_started_again_is_given_up_without_the_grace_period() -> None:
    """KT-36: an exit is seen, with or without a clock, and its code is in the report."""
    began = time.monotonic()
    result = play_job(
        job(
            [bot("ann", "first"), bot("bob", "crash", "0")],
            boards=1,
            policy=replace(PATIENT, grace_seconds=600.0),
            settings=Settings(restarts=0, start_seconds=30.0),
        )
    )
    assert time.monotonic() - began < 60
    assert [leg.end for leg in results(result)] == ["forfeit"] * 2
    assert faults_of(results(result))["bob"] == {"disconnect", "forfeit"}
    assert any("exit code 7" in note.text for note in result.end.notes if note.kind == CRASH)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """KT-51, KT-52: neither the children of a bot nor a bot that will not leave."""
    mark = tmp_path / "child"
    result = play_job(job([bot("ann", "stubborn"), bot("bob", "parent", str(mark))], boards=1))
    assert len(result.legs) == 2
    children = [int(path.suffix[1:]) for path in tmp_path.iterdir()]
    assert len(children) == 4
    for pid in children:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_bug_of_ours_in_one_leg_is_named_and_the_other_legs_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """KT-58."""

    def broken(seed: bytes, variant: Variant, match: str, board: int, redeal: int = 0) -> list[Card]:
        if board == 3:
            raise RuntimeError("the deck fell on the floor")
        return deck_for(seed, variant, match, board, redeal)

    monkeypatch.setattr("arena.job.deck_for", broken)
    result = play_job(job([bot("ann", "first"), bot("bob", "first")], boards=10))
    assert len(result.legs) == 18
    assert result.end.missing == 2
    assert all(note.kind == INFRASTRUCTURE for note in result.end.notes)
    assert any("board 3, leg 0 is missing" in note.text for note in result.end.notes)
    assert "the deck fell on the floor" in result.end.notes[0].text
