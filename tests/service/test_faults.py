"""The table of outcomes (docs/outcomes.md), row by row, over real connections."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import grpc
import pytest
import trio

from euchre.v1 import actions_pb2, play_pb2
from referee.rules import PLAY, Card, Kind, action, parse_cards, parse_variant
from referee.service.faults import CONSEQUENCES, Event, outcomes_markdown
from referee.service.outcome import FaultKind, GameEnd, TableResult
from referee.service.policy import Policy
from referee.service.server import Referee
from tests.service.harness import (
    BRISK,
    Client,
    Playing,
    StreamEnded,
    bare_action,
    reply,
    seat_clients,
    spec,
    with_referee,
)

SHORT = Policy(decision_seconds=0.2, allowance_seconds=0.05, grace_seconds=0.4, goodbye_seconds=0.1)


def dealt(*hands: str, upcard: str, dealer: int = 0, variant: str = "standard") -> list[Card]:
    """Return the deck that deals these cards to seats 0, 1 … and turns this one up."""
    from referee.rules.deal import dealt_positions

    game = parse_variant(variant)
    deck = [-1] * len(game.deck)
    positions = dealt_positions(game.deal_pattern, game.seats, game.hand_size, dealer)
    for cards, places in zip(hands, positions, strict=True):
        for card, place in zip(parse_cards(cards), places, strict=True):
            deck[place] = card
    deck[game.seats * game.hand_size] = parse_cards(upcard)[0]
    rest = list(game.deck)
    for card in deck:
        if card >= 0:
            rest.remove(card)
    return [card if card >= 0 else rest.pop() for card in deck]


def kinds(result: TableResult) -> list[tuple[FaultKind, int]]:
    """Return kind and seat of every fault on the record."""
    return [(fault.kind, fault.seat) for fault in result.faults]


# -- replies that cannot be used ---------------------------------------------------------------------

BAD_REPLIES = {
    "empty reply (KT-33)": (play_pb2.Reply(), "without a choice"),
    "option out of range": (play_pb2.Reply(option=3), "option 3 is none of the 3 options, 0 to 2"),
    "option far out of range": (play_pb2.Reply(option=2**32 - 1), "none of the"),
    "unknown kind": (play_pb2.Reply(action=actions_pb2.Action(kind=99)), "kind 99 is unknown"),  # type: ignore[arg-type]
    "action without kind": (play_pb2.Reply(action=actions_pb2.Action()), "kind 0 is unknown"),
    "superfluous field": (play_pb2.Reply(action=actions_pb2.Action(kind=3, cards=[1])), "takes no cards"),  # type: ignore[arg-type,list-item]
    "not open now": (play_pb2.Reply(action=actions_pb2.Action(kind=42, cards=[1])), "not open to seat 1"),  # type: ignore[arg-type,list-item]
}


@pytest.mark.parametrize("name", BAD_REPLIES)
def test_an_unusable_reply_gets_the_default_a_strike_and_a_sentence(name: str) -> None:
    bad, complaint = BAD_REPLIES[name]

    @with_referee()
    async def run(referee: Referee) -> None:
        clients = await seat_clients(referee, 4)
        async with trio.open_nursery() as nursery:
            playing = await Playing(referee, spec()).run(nursery)
            request = await clients[1].request()
            bad.decision_id = request.decision_id
            await clients[1].send(play_pb2.BotFrame(replies=[bad]))
            fault = await clients[1].notice("fault")
            assert (fault.kind, fault.decision_id, fault.table_id) == (FaultKind.ILLEGAL, request.decision_id, 1)
            assert complaint in fault.message
            assert "PASS was played instead; strike 1 of 3, 2 left" in fault.message
            assert fault.instead == request.options[0]
            assert fault.strikes_left == 2
            for client in clients:
                nursery.start_soon(client.play_honestly)
            result = await playing.result()
            nursery.cancel_scope.cancel()
        assert kinds(result) == [(FaultKind.ILLEGAL, 1)]
        first = result.hands[0].actions[0]
        assert (first.seat, first.action.kind, first.fault) == (1, Kind.PASS, FaultKind.ILLEGAL)
        assert not any(notice.HasField("fault") for client in clients for notice in client.notices), "told others"

    run()


@with_referee()
async def test_index_zero_and_first_enum_values_are_answers(referee: Referee) -> None:
    """KT-33: an index of 0 has presence; the ace of nothing is not read as a card."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec()).run(nursery)
        await clients[1].answer(await clients[1].request(), option=0)
        await clients[2].answer(await clients[2].request(), act=action(Kind.PASS))
        for client in clients:
            nursery.start_soon(client.play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert result.faults == ()


@with_referee()
async def test_a_stuck_dealer_who_passes_is_defaulted(referee: Referee) -> None:
    """KT-13: the set offered and the set accepted are one."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard")).run(nursery)
        for seat in (1, 2, 3, 0, 1, 2, 3):
            await clients[seat].answer(await clients[seat].request())
        request = await clients[0].request()
        assert len(request.options) == 6
        assert {int(option.kind) for option in request.options} == {Kind.NAME, Kind.NAME_ALONE}
        await clients[0].answer(request, act=action(Kind.PASS))
        fault = await clients[0].notice("fault")
        assert "PASS: not open to seat 0" in fault.message
        assert fault.instead == request.options[0]
        for client in clients:
            nursery.start_soon(client.play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert kinds(result) == [(FaultKind.ILLEGAL, 0)]


@with_referee(replace(BRISK, strikes=2))
async def test_strikes_are_counted_by_side_and_the_last_one_forfeits(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", plays_game=True)).run(nursery)
        request = await clients[1].request()
        await clients[1].send(bare_action(request, actions_pb2.Action()))
        await clients[2].answer(await clients[2].request())
        request = await clients[3].request()
        await clients[3].send(bare_action(request, actions_pb2.Action()))
        result = await playing.result()
        assert (await clients[1].notice("fault")).strikes_left == 1
        illegal, forfeit = await clients[3].notice("fault"), await clients[3].notice("fault")
        for client in clients:
            revealed = await client.notice("hand_ended")
            assert revealed.end == play_pb2.HAND_END_FORFEIT
            assert list(revealed.points) == [4, 0]
            assert all(len(cards.cards) == 5 for cards in revealed.dealt)
            ended = await client.notice("game_ended")
            assert (ended.end, list(ended.winners), list(ended.totals)) == (GameEnd.FORFEIT, [0], [4, 0])
    assert (illegal.kind, illegal.strikes_left, illegal.HasField("instead")) == (FaultKind.ILLEGAL, 0, False)
    assert forfeit.kind == FaultKind.FORFEIT
    assert "the side of seat 3 forfeits the game" in forfeit.message
    assert result.end is GameEnd.FORFEIT
    assert (result.points, result.winners, result.forfeited) == ((4, 0), (0,), (1,))
    assert result.hands[-1].result is None
    assert kinds(result) == [(FaultKind.ILLEGAL, 1), (FaultKind.ILLEGAL, 3), (FaultKind.FORFEIT, 3)]


@with_referee(replace(BRISK, strikes=1))
async def test_a_forfeit_in_a_countdown_game_gives_every_other_seat_the_award(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("buck")).run(nursery)
        asked = await first_asked(clients)
        await clients[asked].send(bare_action(await clients[asked].request(), actions_pb2.Action()))
        result = await playing.result()
        nursery.cancel_scope.cancel()
    award = parse_variant("buck").renege_award
    assert result.points == tuple(0 if seat == asked else -award for seat in range(4))
    assert result.winners == tuple(seat for seat in range(4) if seat != asked)


async def first_asked(clients: Sequence[Client]) -> int:
    """Return the seat of the client that is asked first; every client reads its frames up to the opening."""
    found: list[int] = []
    async with trio.open_nursery() as nursery:

        async def look(seat: int) -> None:
            request = await clients[seat].request()
            clients[seat]._requests.insert(0, request)
            found.append(seat)
            nursery.cancel_scope.cancel()

        for seat in range(len(clients)):
            nursery.start_soon(look, seat)
    return found[0]


# -- renege ------------------------------------------------------------------------------------------

RENEGE_DECK = dealt("9S TS JS QS KS", "AD 9C TC JC QC", "9D AH KH TC QS".replace("TC", "KC").replace("QS", "AC"),
                    "TD JD QD KD AS", upcard="JH")  # fmt: skip
"""KT-16: trump hearts; seat 1 leads AD; seat 2 holds 9D AH KH and could follow."""


@pytest.mark.parametrize("renege", ["established", "immediate", "rejected"])
def test_a_renege_is_played_remembered_and_paid_for_once(renege: str) -> None:
    """KT-16; REN-PROVE-1, REN-PEN-1, REN-MODE-1."""

    @with_referee()
    async def run(referee: Referee) -> None:
        clients = await seat_clients(referee, 4)
        text = f"standard(renege={renege})" if renege != "established" else "standard"
        async with trio.open_nursery() as nursery:
            playing = await Playing(referee, spec(text, deck=lambda board, redeal: RENEGE_DECK)).run(nursery)
            request = await clients[1].request()
            order_up = next(i for i, option in enumerate(request.options) if int(option.kind) == Kind.ORDER_UP)
            await clients[1].answer(request, order_up)
            await clients[0].answer(await clients[0].request())  # the discard
            lead = await clients[1].request()
            await clients[1].answer(lead, act=PLAY[parse_cards("AD")[0]])
            request = await clients[2].request()
            assert [option.cards[0] - 1 for option in request.options] == parse_cards("9D"), "offers a renege"
            await clients[2].answer(request, act=PLAY[parse_cards("AH")[0]])
            fault = await clients[2].notice("fault")
            for client in clients:
                nursery.start_soon(client.play_honestly)
            result = await playing.result()
            nursery.cancel_scope.cancel()
        hand = result.hands[0]
        played = [done for done in hand.actions if done.seat == 2 and done.action.kind is Kind.PLAY]
        assert hand.result is not None
        if renege == "rejected":
            assert fault.kind == FaultKind.ILLEGAL
            assert "must follow suit" in fault.message
            assert fault.strikes_left == 2
            assert played[0].action is PLAY[parse_cards("9D")[0]]
            assert kinds(result) == [(FaultKind.ILLEGAL, 2)]
            return
        assert fault.kind == FaultKind.RENEGE
        assert fault.strikes_left == 3
        assert "PLAY(AH) does not follow suit" in fault.message
        assert kinds(result) == [(FaultKind.RENEGE, 2)]
        assert played[0].action is PLAY[parse_cards("AH")[0]]
        assert played[0].fault is FaultKind.RENEGE
        assert hand.result.offender == 2
        assert result.points == (0, 4)
        assert len(played) == (1 if renege == "immediate" else 2 if played[-1].action.card in parse_cards("9D") else 5)

    run()


# -- time --------------------------------------------------------------------------------------------


@with_referee(replace(SHORT, decision_seconds=1.0, strikes=5))
async def test_the_deadline_plays_the_default_and_nobody_else_waits(referee: Referee) -> None:
    """KT-37: a bot that never answers; the other tables of its stream go on meanwhile."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        silent = await Playing(referee, spec("standard", match="silent")).run(nursery)
        request = await clients[1].request()
        asked_at = time.monotonic()
        for client in clients:
            nursery.start_soon(client.play_honestly)
        other = await referee.play(spec("standard", match="other"))
        assert other.faults == (), "the other table was disturbed"
        fault = await wait_for_fault(clients[1])
        late = time.monotonic() - asked_at
        result = await silent.result()
        nursery.cancel_scope.cancel()
    assert late >= 1.0, "the default came before the deadline"
    assert int(fault.kind) == FaultKind.TIMEOUT
    assert fault.decision_id == request.decision_id
    assert "no reply within 1 s; PASS was played instead; strike 1 of 5, 4 left" in fault.message
    assert kinds(result) == [(FaultKind.TIMEOUT, 1)]
    assert result.hands[0].actions[0].milliseconds == 1000
    assert result.slowest_seconds[1] == pytest.approx(1.0)


async def wait_for_fault(client: Client) -> play_pb2.Fault:
    """Return the first fault a client that plays by itself is told; another task reads its frames."""
    while True:
        for notice in client.notices:
            if notice.HasField("fault"):
                return notice.fault
        await trio.lowlevel.checkpoint()


@with_referee(replace(SHORT, strikes=2, decision_seconds=0.5))
async def test_a_bot_that_never_answers_forfeits_after_its_strikes(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", plays_game=True)).run(nursery)
        nursery.start_soon(clients[0].play_honestly)
        nursery.start_soon(clients[2].play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert result.end is GameEnd.FORFEIT
    assert result.forfeited == (1,)
    assert kinds(result) == [(FaultKind.TIMEOUT, 1), (FaultKind.TIMEOUT, 3), (FaultKind.FORFEIT, 3)]


@with_referee(Policy(decision_seconds=0.1, bank_seconds=2.0, allowance_seconds=0.05, goodbye_seconds=0.1))
async def test_only_what_exceeds_the_limit_draws_from_the_bank(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        began = time.monotonic()
        await Playing(referee, spec("standard")).run(nursery)
        request = await clients[1].request()
        assert (request.limit_milliseconds, request.bank_milliseconds) == (100, 2000)
        await trio.sleep(0.3)  # the bot thinks
        await clients[1].answer(request)
        request = await clients[2].request()
        took = time.monotonic() - began
        assert request.bank_milliseconds == 2000
        await clients[2].answer(request)
        for seat in (3, 0):
            request = await clients[seat].request()
            assert request.bank_milliseconds == 2000
            await clients[seat].answer(request)
        request = await clients[1].request()
        cost = (2000 - request.bank_milliseconds) / 1000
        assert 0.199 <= cost <= took - 0.1 + 0.002, "0.3 s at a limit of 0.1 s cost 0.2 s, or what it took in fact"
        left = request.bank_milliseconds
        began = time.monotonic()
        fault = await clients[1].notice("fault")
        assert time.monotonic() - began >= 0.1 + left / 1000
        assert fault.kind == FaultKind.TIMEOUT
        await clients[2].answer(await clients[2].request())
        await clients[3].answer(await clients[3].request())
        nursery.cancel_scope.cancel()


# -- replies that answer nothing ---------------------------------------------------------------------


@with_referee()
async def test_a_doubled_or_late_or_invented_reply_never_answers_another_question(referee: Referee) -> None:
    """KT-35."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard")).run(nursery)
        request = await clients[1].request()
        twice = [reply(request), reply(request, option=1)]
        await clients[1].send(play_pb2.BotFrame(replies=[*twice, play_pb2.Reply(decision_id=9999, option=1)]))
        doubled, invented = await clients[1].notice("fault"), await clients[1].notice("fault")
        for seat in (2, 3, 0):
            await clients[seat].answer(await clients[seat].request())
        again = await clients[1].request()
        assert again.decision_id != request.decision_id
        await clients[1].send(play_pb2.BotFrame(replies=[reply(request, option=1)]))
        late = await clients[1].notice("fault")
        for client in clients:
            client_requests = client._requests
            client_requests[:0] = [again] if client is clients[1] else []
            nursery.start_soon(client.play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    for fault, decision_id in ((doubled, request.decision_id), (invented, 9999), (late, request.decision_id)):
        assert (fault.kind, fault.decision_id) == (FaultKind.STALE, decision_id)
    assert "is not open any more" in doubled.message
    assert "was never asked" in invented.message
    assert result.faults == ()
    assert all(done.action.kind is Kind.PASS for done in result.hands[0].actions[:2])


@with_referee(replace(SHORT, decision_seconds=0.05, strikes=5))
async def test_a_reply_after_its_deadline_is_stale_and_costs_no_second_strike(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard")).run(nursery)
        request = await clients[1].request()
        assert (await clients[1].notice("fault")).kind == FaultKind.TIMEOUT
        await clients[1].answer(request, option=1)
        assert (await clients[1].notice("fault")).kind == FaultKind.STALE
        for client in clients:
            nursery.start_soon(client.play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    # Seat 2 may have lost time while this test looked at seat 1; the side of seat 1 has one strike.
    assert [kind for kind, seat in kinds(result) if seat in (1, 3)].count(FaultKind.TIMEOUT) >= 1
    assert FaultKind.STALE not in [kind for kind, _ in kinds(result)]


@with_referee()
async def test_remarks_are_kept_and_nonsense_in_them_is_dropped(referee: Referee) -> None:
    """KT-39: parse what is optional leniently."""
    clients = await seat_clients(referee, 4)
    remarks = [(0.25, "sure\nenough \x00" + "x" * 300), (math.nan, ""), (7.0, "über"), (-0.1, "a")]
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard")).run(nursery)
        for seat, (confidence, note) in zip((1, 2, 3, 0), remarks, strict=True):
            answer = reply(await clients[seat].request())
            answer.confidence, answer.note = confidence, note
            await clients[seat].send(play_pb2.BotFrame(replies=[answer]))
        for client in clients:
            nursery.start_soon(client.play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    done = result.hands[0].actions[:4]
    assert [played.confidence for played in done] == [0.25, None, None, None]
    assert done[0].note.startswith("sure\N{REPLACEMENT CHARACTER}enough")
    assert len(done[0].note) == 200
    assert [played.note for played in done[1:]] == ["", "über", "a"]
    assert result.faults == ()


# -- lost streams ------------------------------------------------------------------------------------


@with_referee(replace(SHORT, decision_seconds=5.0, grace_seconds=10.0))
async def test_open_requests_are_sent_again_byte_for_byte_after_a_lost_stream(referee: Referee) -> None:
    """KT-36: and it is one incident, however many tables the stream carried."""
    others = await seat_clients(referee, 4, "q")
    token = referee.admit("p")
    first = Client(referee.address, token)
    await first.open()
    seats = ["q0", "p", "q2", "q3"]
    async with trio.open_nursery() as nursery:
        tables = [await Playing(referee, spec("standard", seats, match=f"m{n}")).run(nursery) for n in range(3)]
        asked = [await first.request() for _ in range(3)]
        await first.vanish()
        second = Client(referee.address, token)
        await open_again(second)
        again = [await second.request() for _ in range(3)]
        assert sorted(r.SerializeToString() for r in again) == sorted(r.SerializeToString() for r in asked)
        assert raw_requests(second.frames) == raw_requests(first.frames)
        told = await second.notice("fault")
        assert told.kind == FaultKind.DISCONNECT
        assert "3 open requests are sent again" in told.message
        second._requests[:0] = again
        for client in (second, *others):
            nursery.start_soon(client.play_honestly)
        results = [await table.result() for table in tables]
        nursery.cancel_scope.cancel()
    assert [result.end for result in results] == [GameEnd.BOARD] * 3
    faults = [fault for result in results for fault in kinds(result)]
    assert faults == [(FaultKind.DISCONNECT, 1)], "one incident"


async def open_again(client: Client) -> None:
    """Say Hello until the referee has noticed that the old stream is gone."""
    while True:
        try:
            await client.open()
        except StreamEnded as ended:
            if ended.code is not grpc.StatusCode.ALREADY_EXISTS:
                raise
        else:
            return


def raw_requests(frames: Sequence[bytes]) -> list[bytes]:
    """Return the serialised requests of some frames, as they stand in the bytes, in order."""
    found = []
    for frame in frames:
        message = play_pb2.RefereeFrame.FromString(frame)
        for request in message.requests:
            data = request.SerializeToString()
            assert data in frame
            found.append(data)
    return found


@with_referee(replace(SHORT, decision_seconds=1.5, allowance_seconds=0.0, grace_seconds=10.0, strikes=50))
async def test_time_taken_before_the_loss_counts_and_time_away_does_not(referee: Referee) -> None:
    """Grace is neither gained nor owed."""
    token = referee.admit("p")
    first = Client(referee.address, token)
    await first.open()
    async with trio.open_nursery() as nursery:
        await Playing(referee, spec("standard", ["p"] * 4)).run(nursery)
        request = await first.request()
        await trio.sleep(0.75)  # the bot thinks
        await first.vanish()
        await trio.sleep(1.7)  # and is away for longer than the limit
        second = Client(referee.address, token)
        await open_again(second)
        assert (await second.request()).SerializeToString() == request.SerializeToString()
        back = time.monotonic()
        fault = await second.notice("fault")
        while fault.kind == FaultKind.DISCONNECT:
            fault = await second.notice("fault")
        waited = time.monotonic() - back
        nursery.cancel_scope.cancel()
    assert (fault.kind, fault.decision_id) == (FaultKind.TIMEOUT, request.decision_id)
    assert waited < 1.25, "the time before the loss was forgotten"


@with_referee(replace(SHORT, decision_seconds=5.0, grace_seconds=0.1, strikes=3))
async def test_an_instance_lost_for_good_gets_defaults_then_forfeits_everywhere(referee: Referee) -> None:
    """KT-36, KT-42."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        tables = [
            await Playing(referee, spec("standard", match=f"m{n}", plays_game=True)).run(nursery) for n in range(3)
        ]
        for _ in range(3):
            await clients[1].request()
        for seat in (0, 2, 3):
            nursery.start_soon(clients[seat].play_honestly)
        await clients[1].vanish()
        results = [await table.result() for table in tables]
        assert referee.is_lost("p1")
        later = await referee.play(spec("standard", match="later"))
        nursery.cancel_scope.cancel()
    for result in (*results, later):
        assert (result.end, result.forfeited) == (GameEnd.FORFEIT, (1,))
        defaulted = [done for hand in result.hands for done in hand.actions if done.fault is FaultKind.DISCONNECT]
        assert [done.seat for done in defaulted] == [1, 1]
    disconnects = [fault for result in results for fault in result.faults if fault.kind is FaultKind.DISCONNECT]
    assert len(disconnects) == 1, "one incident, however many tables"
    assert disconnects[0].seat == 1
    assert "3 decisions open" in disconnects[0].message


@with_referee(replace(SHORT, decision_seconds=5.0, grace_seconds=0.05))
async def test_a_lost_instance_cannot_come_back(referee: Referee) -> None:
    token = referee.admit("p")
    first = Client(referee.address, token)
    await first.open()
    await first.vanish()
    await referee.wait_lost("p")
    second = Client(referee.address, token)
    with pytest.raises(StreamEnded, match=r"FAILED_PRECONDITION.*cannot come back"):
        await second.open()


@with_referee(replace(SHORT, grace_seconds=1.0))
async def test_a_stream_cannot_be_lost_without_end(referee: Referee) -> None:
    """Every loss costs at least a tenth of the grace."""
    token = referee.admit("p")
    losses, refused = 0, ""
    while not referee.is_lost("p"):
        client = Client(referee.address, token)
        try:
            await open_again(client)
        except StreamEnded as ended:
            refused = str(ended)
            break
        await client.vanish()
        losses += 1
        assert losses < 12
    assert losses > 2
    assert not refused or "cannot come back" in refused


@with_referee(replace(SHORT, decision_seconds=60.0, grace_seconds=60.0))
async def test_an_instance_whose_process_is_known_dead_is_given_up_without_grace(referee: Referee) -> None:
    """KT-36: noticed at once, recorded with the reason, untimed or not."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", plays_game=True)).run(nursery)
        await clients[1].request()
        for seat in (0, 2, 3):
            nursery.start_soon(clients[seat].play_honestly)
        referee.declare_lost("p1", "exited with code 1")
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert referee.is_lost("p1")
    assert result.forfeited == (1,)
    assert kinds(result) == [(FaultKind.DISCONNECT, 1), (FaultKind.FORFEIT, 1)]
    assert "exited with code 1" in result.faults[0].message
    counts = referee.statistics()
    assert (counts["games_forfeit"], counts["faults_disconnect"], counts["faults_forfeit"]) == (1, 1, 1)


@with_referee()
async def test_an_instance_that_never_came_can_be_given_up(referee: Referee) -> None:
    token = referee.admit("p0")
    referee.declare_lost("p0", "exited with code 2")
    await referee.wait_lost("p0")
    with pytest.raises(StreamEnded, match="FAILED_PRECONDITION"):
        await Client(referee.address, token).open()


@with_referee(replace(SHORT, decision_seconds=0.2, allowance_seconds=0.5))
async def test_a_bot_that_answers_at_95_percent_of_its_time_loses_none(referee: Referee) -> None:
    (client,) = await seat_clients(referee, 1)

    async def answer_late(request: play_pb2.DecisionRequest) -> None:
        await trio.sleep(0.19)  # the bot thinks
        await client.answer(request)

    async def read() -> None:
        while True:
            nursery.start_soon(answer_late, await client.request())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        results: list[TableResult] = []

        async def play(number: int) -> None:
            results.append(await referee.play(spec("two-handed", ["p0", "p0"], match=f"m{number}")))

        async with trio.open_nursery() as games:
            for number in range(40):
                games.start_soon(play, number)
        nursery.cancel_scope.cancel()
    assert sum(sum(result.decisions) for result in results) >= 160
    assert [fault for result in results for fault in result.faults] == []


# -- half-close --------------------------------------------------------------------------------------


@with_referee(replace(SHORT, grace_seconds=0.1, decision_seconds=5.0))
async def test_half_close_after_hello_is_a_lost_stream_at_once(referee: Referee) -> None:
    """KT-41 (i)."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", plays_game=True)).run(nursery)
        await clients[1].request()
        await clients[1].half_close()
        ended = await clients[1].end()
        assert ended.code is grpc.StatusCode.OK
        for seat in (0, 2, 3):
            nursery.start_soon(clients[seat].play_honestly)
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert result.forfeited == (1,)
    assert kinds(result)[0] == (FaultKind.DISCONNECT, 1)


@with_referee(replace(SHORT, grace_seconds=0.1, decision_seconds=5.0))
async def test_half_close_after_the_last_answer_costs_nothing_and_brings_the_result(referee: Referee) -> None:
    """KT-41 (ii)."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard")).run(nursery)
        for seat in (0, 2, 3):
            nursery.start_soon(clients[seat].play_honestly)
        while True:
            request = await clients[1].request()
            last = request.phase == 17 and len(request.cards) == 2  # the last trick is not asked (SRV-ASK-2)
            await clients[1].answer(request)
            if last:
                break
        await clients[1].half_close()
        assert (await clients[1].notice("game_ended")).end == GameEnd.BOARD
        ended = await clients[1].end()
        assert ended.code is grpc.StatusCode.OK
        assert "no game is left" in clients[1].goodbye
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert result.faults == ()


@with_referee(replace(SHORT, grace_seconds=0.1, decision_seconds=5.0))
async def test_a_question_after_an_early_half_close_makes_it_a_lost_stream(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = await Playing(referee, spec("standard", plays_game=True)).run(nursery)
        await clients[1].answer(await clients[1].request())
        await clients[1].half_close()
        for seat in (0, 2, 3):
            nursery.start_soon(clients[seat].play_honestly)
        ended = await clients[1].end()
        result = await playing.result()
        nursery.cancel_scope.cancel()
    assert ended.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.OK)
    assert result.forfeited == (1,)


# -- the page ----------------------------------------------------------------------------------------


def test_the_table_of_outcomes_names_every_event_once() -> None:
    assert [row.event for row in CONSEQUENCES] == list(Event)
    assert [row.event for row in CONSEQUENCES if row.strike] == [Event.TIMED_OUT, Event.ILLEGAL, Event.STREAM_GONE]


def test_the_page_shows_the_table_the_code_reads() -> None:
    from pathlib import Path

    page = (Path(__file__).parents[2] / "docs" / "outcomes.md").read_text(encoding="utf-8")
    assert outcomes_markdown() in page
