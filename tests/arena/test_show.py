"""Recorded hands for people, and what a seat's author may see."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from arena import show
from arena.egn import export, read_egn
from arena.errors import OperatorError
from arena.journal import Journal, LegRecord, read_legs
from arena.show import game_lines, hand_lines, show_lines, transcript_name, write_transcripts
from referee.rules import PRESETS, Kind, format_card, parse_variant
from referee.service.outcome import HandRecord, TableSpec
from tests.arena.journal_factory import legs_of, night_of, play_table, rated_id, seatings_of, write_journal

PAGE = """\
standard: pairing 0, board 0, leg 0 of 2, hand 0 of 1
deal 0.0, dealt by seat 0; totals before: alpha 0, bravo 0

  0 alpha  KH QS JC TS 9S  dealer
  1 bravo  KC KS QH QC 9H
  2 alpha  AS KD TD 9D 9C
  3 bravo  AH QD JD JS TH
  upcard JH   kitty AD AC TC

Auction
  1 bravo  orders it up                     2 ms
Upcard
  0 alpha  discards QS                      28 ms
  played in H, made by 1 bravo
Tricks   > leads, * takes the trick; times in ms
     0 alpha    1 bravo    2 alpha    3 bravo
  1   JC 20!    >QC*0       9C 23      JS 1000!
  2   JH*2      >QH 4       AS 55      JD 60
  3  >KH 45      9H 35      9D 37      AH*27
  4   TS 9       KS 20      KD 10     >TH*1
  5   9S         KC         TD        >QD*
Result
  tricks: alpha 1, bravo 4
  points: alpha +0, bravo +1; totals: alpha 0, bravo 1
"""


def _plain(lines: object) -> str:
    return "\n".join(line.plain.rstrip() for line in lines) + "\n"  # type: ignore[attr-defined]


def _leg(variant: str, seed: int = 1, faults: float = 0.05, **options: object) -> LegRecord:
    return next(iter(legs_of([variant], 1, seed=seed, faults=faults, **options)))  # type: ignore[arg-type]


def test_a_hand_is_shown_card_by_card() -> None:
    page = _plain(hand_lines(_leg("standard"), 0))
    assert page.startswith(PAGE)
    assert page.count("timeout: hand 0, seat 3") == 1
    assert page.count("illegal: hand 0, seat 0") == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_every_card_of_every_preset_is_shown(preset: str) -> None:
    for seed in range(4):
        leg = _leg(rated_id(preset), seed)
        for number, hand in enumerate(leg.hands):
            page = _plain(hand_lines(leg, number))
            for card in set(hand.deck):
                assert format_card(card) in page
            for line in page.splitlines():
                assert line == line.rstrip()


def test_who_takes_each_trick_is_shown_as_often_as_it_took_one() -> None:
    for seed in range(10):
        leg = _leg("standard", seed, 0.0)
        result = leg.hands[0].result
        assert result is not None
        page = _plain(hand_lines(leg, 0)).split("Tricks ")[-1]
        assert page.count("*") == sum(result.tricks) + 1  # and once in the heading


def _swap_hidden(leg: LegRecord, hand: HandRecord, seat: int, rng: random.Random) -> tuple[int, ...] | None:
    """Return the deck with two cards exchanged that *seat* never sees in this hand, if there are two."""
    from referee.rules.deal import dealt_positions

    variant = leg.variant
    own = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, hand.dealer)[seat]
    played = {done.action.card for done in hand.actions if done.action.cards}
    hidden = [
        at
        for at, card in enumerate(hand.deck)
        if at not in own and at != variant.seats * variant.hand_size and card not in played
    ]
    if len(hidden) < 2:
        return None
    one, other = rng.sample(hidden, 2)
    holders = dealt_positions(variant.deal_pattern, variant.seats, variant.hand_size, hand.dealer)
    if any(one in places and other in places for places in holders):
        return None  # both in one hand, where their order is not shown
    deck = list(hand.deck)
    deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


def test_a_seat_is_shown_nothing_that_it_did_not_know() -> None:
    """GEN-INFO-1: with hidden cards exchanged, the same page."""
    rng = random.Random(2)
    compared = 0
    for seed in range(30):
        leg = _leg("standard", seed, 0.0)
        hand = leg.hands[0]
        for seat in range(4):
            deck = _swap_hidden(leg, hand, seat, rng)
            if deck is None:
                continue
            other = replace(leg, hands=(replace(hand, deck=deck),))
            assert _plain(hand_lines(other, 0, seat)) == _plain(hand_lines(leg, 0, seat))
            assert _plain(hand_lines(other, 0)) != _plain(hand_lines(leg, 0))
            compared += 1
    assert compared > 50


def test_discards_of_others_are_hidden_and_ones_own_are_not() -> None:
    leg = next(
        leg
        for seed in range(50)
        for leg in [_leg("standard", seed, 0.0)]
        if any(done.action.kind is Kind.DISCARD for done in leg.hands[0].actions)
    )
    (discard,) = (done for done in leg.hands[0].actions if done.action.kind is Kind.DISCARD)
    for seat in range(4):
        page = _plain(hand_lines(leg, 0, seat))
        shown = f"discards {format_card(discard.action.card)}" in page
        assert shown == (seat == discard.seat)
        assert ("discards ??" in page) == (seat != discard.seat)
        assert page.count("?? ?? ?? ?? ??") == 3


def test_times_faults_and_notes_of_others_are_hidden() -> None:
    leg = _leg("standard", 1)
    for seat in range(4):
        page = _plain(hand_lines(leg, 0, seat))
        for fault in leg.faults:
            assert (fault.message in page) == (fault.seat == seat)


def test_forfeits_and_walkovers_are_shown(tmp_path: Path) -> None:
    variant = parse_variant("standard")
    leg = next(leg for seed in range(60) for leg in [_leg("standard", seed, 0.4)] if leg.forfeited)
    assert "forfeited" in _plain(hand_lines(leg, len(leg.hands) - 1))
    del variant
    with Journal(tmp_path / "j", night_of(["standard"])) as journal:
        journal.add_leg(replace(leg, hands=()))
    shown = _plain(show_lines(tmp_path / "j", pairing=0, board=leg.board, leg=leg.seating.leg))
    assert "forfeit" in shown


def test_a_journal_is_listed_and_one_leg_chosen(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard", "buck"], 2, close=True)
    listed = _plain(show_lines(path))
    assert "--pairing 1 --board 1 --leg 3  buck" in listed
    assert len(listed.splitlines()) == 1 + 2 * 2 + 2 * 4
    assert "... and 11 more" in _plain(show_lines(path, most=1))
    assert "--leg 1" not in _plain(show_lines(path, leg=0))
    assert "buck" not in _plain(show_lines(path, pairing=0))
    assert _plain(show_lines(path, pairing=0, board=1, leg=1)).startswith("standard: pairing 0, board 1, leg 1 of 2")
    for wanted in (
        {"pairing": 9},
        {"pairing": 0, "board": 9, "leg": 0},
        {"pairing": 0, "board": 0, "leg": 0, "hand": 5},
    ):
        with pytest.raises(OperatorError):
            list(show_lines(path, **wanted))
    with pytest.raises(OperatorError, match="no seat 4"):
        list(show_lines(path, pairing=0, board=0, leg=0, seat=4))


def test_games_of_egn_are_shown(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"], 3, faults=0.0)
    files = export(path, tmp_path / "egn").files
    (leg,) = [leg for _, leg in read_legs(path) if leg.key == (0, 1, 0)]
    game = next(file for file in files if file.name.endswith("leg0.egn"))
    page = _plain(game_lines(read_egn(game), hand=1))
    recorded = _plain(hand_lines(leg, 0))
    for line in recorded.splitlines():
        if "upcard" in line or "kitty" in line:
            assert line in page
    match = next(file for file in files if file.suffix == ".emn")
    assert "choose one with --board" in _plain(game_lines(read_egn(match)))
    with pytest.raises(OperatorError):
        list(game_lines(read_egn(match), game=9))


# -- transcripts -------------------------------------------------------------------------------------


def test_every_entrant_gets_the_transcript_of_its_own_seats(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"], 4)
    files = write_transcripts(path, tmp_path / "out")
    assert sorted(files) == ["alpha", "bravo"]
    for entrant, file in files.items():
        text = file.read_text("utf-8")
        pages = text.split("\n\n\n") if "\n\n\n" in text else [text]
        assert pages
        assert text.count("as seat") == 4 * 2 * 2
        for _, leg in read_legs(path):
            for seat, name in enumerate(leg.seating.entrants):
                page = _plain(hand_lines(leg, 0, seat)).rstrip("\n")
                assert (page in text) == (name == entrant)


def test_a_transcript_is_bounded_and_hands_with_faults_come_first(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"], 30, faults=0.02)
    legs = [leg for _, leg in read_legs(path)]
    faulty = sum(len({(f.seat, f.hand) for f in leg.faults if leg.seating.entrants[f.seat] == "alpha"}) for leg in legs)
    assert faulty > 3
    for limit in (1000, 5000, 40_000):
        file = write_transcripts(path, tmp_path / "out", limit)["alpha"]
        assert file.stat().st_size <= limit
        assert "Left out: " in file.read_text("utf-8")
    pages = file.read_text("utf-8").split("standard: pairing")[1:]
    marked = [any(f"\n  {kind}: " in page for kind in ("timeout", "illegal", "renege", "disconnect")) for page in pages]
    assert marked == sorted(marked, reverse=True)
    assert sum(marked) == faulty


def test_any_name_gives_a_file_of_its_own_inside_the_directory() -> None:
    names = ["../../etc/passwd", "a/b", "a b", ".", "..", "a.txt", "Ä", "a%2Fb", "NUL"]
    files = [transcript_name(name) for name in names]
    assert len(set(files)) == len(names)
    for file in files:
        assert "/" not in file
        assert file not in (".", "..")
        assert not file.startswith(".")


def test_words_are_there_for_every_action() -> None:
    assert set(show._WORDS) == set(Kind)


def test_a_rule_page_of_the_widow_shows_it_to_who_took_it() -> None:
    variant = parse_variant("hasenpfeffer")
    seating = seatings_of(variant, 0, "boards", "n")[0]
    from referee.service.shuffle import deck_for
    from tests.arena.journal_factory import SEED

    for seed in range(10):
        spec = TableSpec(
            variant=variant,
            instances=seating.instances,
            first_dealer=0,
            deck=lambda board, redeal: deck_for(SEED, variant, "n", board, redeal),
            first_board=seed,
        )
        leg = LegRecord.of(seating, seed, play_table(spec, random.Random(seed)))
        widow = format_card(leg.hands[0].deck[-1])
        makers = [seat for seat in range(4) if f"widow {widow}" in _plain(hand_lines(leg, 0, seat))]
        assert len(makers) == 1
    assert json.dumps(makers)
