"""Ten recorded games between people (EGN 1.4), played again under ``standard`` with the options they state."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rules import Game, HandEnd, Kind, PhaseKind
from tests.oracles.egn import EgnError, EgnGame, deal_of, plays_of, read_game, variant_of

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "egn"
GAMES = sorted(FOLDER.glob("game-*.egn"))
COMPLETE = {"game-02", "game-03", "game-04", "game-05", "game-06", "game-07", "game-08", "game-09", "game-10"}
"""Those that were recorded to the end; the other is one deal of a game."""

needs_records = pytest.mark.skipif(not GAMES, reason="the recorded games are not there (../shared/data/egn)")


def _replay(record: EgnGame, seed: int) -> Game:
    """Play every deal, with each action among the options offered; a game that ends early fails."""
    game = Game(record.variant, first_dealer=record.deals[0].dealer, totals=record.initial_score)
    for deal in record.deals:
        assert game.outcome is None, f"over before deal {deal.number}"
        assert game.dealer == deal.dealer
        built = deal_of(record, deal, seed)
        hand = game.deal(built.deck)
        for act in built.actions:
            assert act in hand.options(), f"deal {deal.number}: {act!r} is not lawful; {hand.describe()}"
            hand.apply(act)
        assert hand.result is not None
        assert hand.result.end is HandEnd.PLAYED
        played = [(seat, act.card) for seat, act, _, _ in hand.events if act.kind is Kind.PLAY]
        assert played == [(seat, _card_number(card)) for seat, card in plays_of(deal)]
        game.finish_hand(hand.result)
    return game


def _card_number(text: str) -> int:
    from referee.rules import parse_card

    return parse_card(text)


@needs_records
def test_all_ten_records_are_there() -> None:
    assert [path.stem for path in GAMES] == [f"game-{number:02}" for number in range(1, 11)]


@needs_records
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_recorded_game_is_lawful_and_a_complete_one_ends_on_its_last_deal(path: Path, seed: int) -> None:
    game = _replay(read_game(path), seed)
    assert (game.outcome is not None) == (path.stem in COMPLETE)
    assert (max(game.totals) >= game.variant.target) == (path.stem in COMPLETE)


@needs_records
def test_a_dealer_discards_the_card_just_turned_up_in_a_recorded_game() -> None:
    """R-08: at least one recorded dealer takes the upcard and never shows it."""
    found = 0
    for path in GAMES:
        record = read_game(path)
        for deal in record.deals:
            dealers = [card for seat, card in plays_of(deal) if seat == deal.dealer]
            if deal.calls[-1] == "Order" and dealers and deal.upcard not in dealers:
                hand = Game(record.variant, deal.dealer).deal(deal_of(record, deal).deck)
                for act in deal_of(record, deal).actions:
                    if hand.phase.kind is PhaseKind.PICK_UP:
                        assert act.card == hand.upcard
                        found += 1
                    hand.apply(act)
    assert found >= 1


def test_a_ruleset_is_read_into_options_and_an_unknown_one_refused() -> None:
    stated = variant_of({"std": False, "canadian": True, "loner_lead": "LEFT_OF_LONER", "winning_score": 11})
    assert not stated.stick_dealer
    assert stated.dealer_partner_order == "alone-only"
    assert stated.loner_lead == "left-of-loner"
    assert stated.target == 11
    with pytest.raises(EgnError, match="go_under"):
        variant_of({"go_under": True})
