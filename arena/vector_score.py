"""Points and endings of a vector file: hands whose facts are given, and what is around the hands.

An example that states how a hand went ("makers' tricks: 4") and not how it was played is put into a hand by
setting the slots that the phases set; a test besides finds real play that leads to the same facts.
"""

from __future__ import annotations

from arena.schedule import Pairing
from arena.vector_fields import Checks, Fields, VectorError, deck_list, read_seat, read_totals, read_variant
from referee.rules import (
    NOBODY,
    Game,
    Hand,
    HandEnd,
    HandResult,
    Outcome,
    Seat,
    Variant,
    games_won,
    leaders,
    next_game_start,
)
from referee.rules.scoring import offence_result, played_result


def run_score(fields: Fields, checks: Checks) -> None:
    """Points of hands whose facts are given, and the game after each."""
    variant = read_variant(fields)
    game = Game(variant, read_seat(fields, variant, "dealer", 0), totals=read_totals(fields))
    all_hands = fields.objects("hands")
    for number, given in enumerate(all_hands, start=1):
        checks.where = f"hand {number}" if len(all_hands) > 1 else ""
        hand = _finished_hand(variant, game, given)
        if "renege" in given:
            result = offence_result(hand, read_seat(given, variant, "renege"), HandEnd.RENEGE)
        else:
            result = played_result(hand)
        game.finish_hand(result)
        expect_score(variant, game, hand, result, given.nested("expect"), checks)
        given.refuse_unread()
    fields.refuse_unread()


def _finished_hand(variant: Variant, game: Game, given: Fields) -> Hand:
    """Return a hand with the facts of *given*, as the phases leave them when the last trick is taken."""
    hand = Hand(variant, deck_list(variant), game.dealer, game.totals)
    if "maker" in given:
        hand.maker = read_seat(given, variant, "maker")
    if "ally" in given:
        hand.ally = read_seat(given, variant, "ally")
    if "bid" in given:
        said = given.text("bid")
        rung = next((rung for rung in variant.ladder if repr(rung.bid) == said), None)
        if rung is None:
            raise VectorError(f"{given.where}: {variant.id} has no bid {said}")
        hand.contract = rung
        hand.bidder = hand.maker
    hand.cards_received = given.integer("cards_received", 0)
    for name in ("lone_maker", "lone_defender"):
        if name in given:
            hand.play_alone(read_seat(given, variant, name))
    if hand.contract.alone and hand.lone_maker == NOBODY:
        hand.play_alone(hand.maker)
    for seat in given.integers("dropped") if "dropped" in given else ():
        hand.sit_out(seat)
    hand.active = tuple(seat for seat in range(variant.seats) if seat not in hand.out)
    hand.tricks_won = _tricks(variant, hand, given)
    return hand


def _tricks(variant: Variant, hand: Hand, given: Fields) -> list[int]:
    """Return tricks by seat; where only the makers' are given, one seat of either side took them all."""
    if "tricks" in given:
        tricks = given.integers("tricks")
        if len(tricks) != variant.seats or sum(tricks) != variant.hand_size:
            raise VectorError(f"{given.where}: tricks {tricks}; wanted {variant.hand_size} over {variant.seats} seats")
        return tricks
    tricks = [0] * variant.seats
    if "renege" in given:
        return tricks
    count = given.integer("makers_tricks")
    tricks[next(seat for seat in hand.active if hand.is_of_makers(seat))] = count
    tricks[next(seat for seat in hand.active if not hand.is_of_makers(seat))] = variant.hand_size - count
    return tricks


def expect_score(variant: Variant, game: Game, hand: Hand, result: HandResult, expect: Fields, checks: Checks) -> None:
    """Compare what a hand was worth, and the game after it, with an ``expect`` of kind ``score``."""
    makers_sides = {variant.side_of[seat] for seat in range(variant.seats) if hand.is_of_makers(seat)}
    for side, points in enumerate(result.points):
        name = "makers" if side in makers_sides else "others"
        if name in expect:
            checks.equal(f"points of side {side} ({name})", expect.integer(name), points)
    if "points" in expect:
        checks.equal("points", expect.integers("points"), list(result.points))
    if "totals" in expect:
        checks.equal("totals", expect.integers("totals"), list(game.totals))
    if "winner" in expect:
        winner = None if game.outcome is None else game.outcome.winners[0]
        checks.equal("winner", expect.value("winner"), winner)
    expect.refuse_unread()


def run_limit(fields: Fields, checks: Checks) -> None:
    """Who wins a game that is stopped after ``max_hands`` (SRV-LIMIT-1)."""
    variant = read_variant(fields)
    totals = fields.integers("totals")
    game = Game(variant, max_hands=fields.integer("max_hands"), totals=totals)
    game.hands_played = game.max_hands - 1
    no_change = (0,) * len(variant.sides)
    game.finish_hand(
        HandResult(
            end=HandEnd.PLAYED,
            points=no_change,
            tricks=(0,) * variant.seats,
            makers=(0,),
            contract_made=None,
            qualified=(False,) * len(variant.sides),
            instant_winner=NOBODY,
            offender=NOBODY,
        )
    )
    outcome = game.outcome
    checks.equal("first place", fields.integers("first"), None if outcome is None else list(outcome.winners))
    checks.equal("adjudicated", True, outcome is not None and outcome.is_adjudicated)
    checks.equal("leaders", fields.integers("first"), list(leaders(variant, totals)))
    fields.refuse_unread()


def run_match(fields: Fields, checks: Checks) -> None:
    """Tell what a won game is worth in a match, and where the next one starts (RR-MATCH-1, -2)."""
    variant = read_variant(fields)
    outcome = Outcome((fields.integer("winner"),), tuple(fields.integers("totals")), is_adjudicated=False)
    if "next_start" in fields:
        checks.equal("next game starts", fields.integers("next_start"), list(next_game_start(variant, outcome)))
    if "games" in fields:
        checks.equal("counts as games", fields.integer("games"), games_won(variant, outcome))
    fields.refuse_unread()


def run_mirror(fields: Fields, checks: Checks) -> None:
    """Dealers of the boards, and who sits where in the games of a set (SRV-BOARD-1, SRV-MIRROR-1 to -3)."""
    variant = read_variant(fields)
    if "dealers" in fields:
        dealers = fields.integers("dealers")
        checks.equal("dealers of boards 0, 1, 2 …", dealers, _dealers(variant, fields, len(dealers)))
    seatings = _seatings(variant)
    if "games" in fields:
        checks.equal("games in a set", fields.integer("games"), len(seatings))
    if "seats_of_games" in fields:
        for number, seats in enumerate(fields.lists_of_integers("seats_of_games")):
            expected = tuple(seatings[0][seats.index(seat)] for seat in range(variant.seats))
            checks.equal(f"seating of game {number}", expected, seatings[number] if number < len(seatings) else None)
    fields.refuse_unread()


def _dealers(variant: Variant, fields: Fields, boards: int) -> list[Seat]:
    game = Game(variant, read_seat(fields, variant, "first_dealer", 0), max_hands=boards + 1)
    dealers = []
    for _ in range(boards):
        dealers.append(game.dealer)
        hand = game.deal(deck_list(variant))
        while hand.result is None:
            hand.apply(hand.default())
        game.finish_hand(hand.result)
    return dealers


def _seatings(variant: Variant) -> list[tuple[str, ...]]:
    """Return who sits where in every game of a set, as the arena schedules it: an entrant for every side."""
    entrants = tuple(f"entrant {side}" for side in range(len(variant.sides)))
    return Pairing(0, variant, entrants, 1).seatings(0)
