"""Games over real connections: who is asked, who is told, what comes out."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
import trio

from referee.rules import HandEnd, parse_variant, replay
from referee.service.outcome import GameEnd, TableResult, TableSpec
from referee.service.policy import Policy
from referee.service.server import Referee, RefereeClosing, TableBroke, TableRefused
from tests.service.harness import BRISK, PATIENCE, Client, Playing, at_random, seat_clients, spec, with_referee


def check_record(variant_text: str, result: TableResult) -> None:
    """Play the record again: every hand, action and total must follow from the rules."""
    variant = parse_variant(variant_text)
    totals = None
    for record in result.hands:
        asked = [played.action for played in record.actions if not played.forced]
        hand = replay(variant, record.deck, record.dealer, asked, totals)
        assert hand.result == record.result
        assert [(who, act, forced) for who, act, forced, _ in hand.events] == [
            (played.seat, played.action, played.forced) for played in record.actions
        ]
        assert hand.result is not None
        totals = tuple(total + points for total, points in zip(hand.totals, hand.result.points, strict=True))
        assert record.totals == totals
    assert result.totals == totals


@pytest.mark.parametrize(
    "variant", ["standard", "north-american", "british", "two-handed", "bid-euchre", "buck", "hoosier", "napoleon"]
)
def test_a_board_is_played_to_its_end_and_recorded_whole(variant: str) -> None:
    @with_referee()
    async def run(referee: Referee) -> None:
        seats = parse_variant(variant).seats
        clients = await seat_clients(referee, seats)
        async with trio.open_nursery() as nursery:
            for number, client in enumerate(clients):
                nursery.start_soon(client.play_honestly, at_random(number))
            result = await referee.play(spec(variant, first_dealer=1, first_board=5))
            for number in range(seats):
                await referee.dismiss(f"p{number}")
        check_record(variant, result)
        assert result.end is GameEnd.BOARD
        assert result.hands[-1].dealer == (1 + 5) % seats
        assert result.hands[-1].board == 5
        assert result.faults == ()
        asked = [
            sum(not done.forced and done.seat == seat for hand in result.hands for done in hand.actions)
            for seat in range(seats)
        ]
        assert list(result.decisions) == asked
        for seat, client in enumerate(clients):
            kinds = [notice.WhichOneof("notice") for notice in client.notices]
            assert kinds == ["table_opened", *["hand_ended"] * len(result.hands), "game_ended"]
            opened = client.notices[0].table_opened
            assert (opened.seat, opened.variant) == (seat, parse_variant(variant).id)
            assert client.goodbye == "the match is over"

    run()


@with_referee()
async def test_a_game_goes_to_its_goal_with_the_deal_moving_on(referee: Referee) -> None:
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        for number, client in enumerate(clients):
            nursery.start_soon(client.play_honestly, at_random(number))
        result = await referee.play(spec("standard", plays_game=True, first_dealer=2, first_board=3))
        nursery.cancel_scope.cancel()
    check_record("standard", result)
    assert result.end is GameEnd.RULES
    assert max(result.totals) >= 10
    assert result.winners == (result.totals.index(max(result.totals)),)
    assert [hand.board for hand in result.hands] == list(range(3, 3 + len(result.hands)))
    assert [hand.dealer for hand in result.hands] == [(2 + hand.board) % 4 for hand in result.hands]
    assert [hand.number for hand in result.hands] == list(range(len(result.hands)))


@with_referee(Policy(decision_seconds=10.0, max_hands=3))
async def test_a_game_is_adjudicated_after_the_most_hands(referee: Referee) -> None:
    """SRV-LIMIT-1."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        for client in clients:
            nursery.start_soon(client.play_honestly)
        result = await referee.play(spec("standard", plays_game=True))
        nursery.cancel_scope.cancel()
    assert result.end is GameEnd.HAND_LIMIT
    assert len(result.hands) == 3
    best = max(result.totals)
    assert result.winners == tuple(side for side, total in enumerate(result.totals) if total == best)


@with_referee()
async def test_one_instance_may_sit_in_every_seat_each_with_a_table_of_its_own_number(referee: Referee) -> None:
    (client,) = await seat_clients(referee, 1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.play_honestly)
        result = await referee.play(spec("standard", ["p0"] * 4))
        await referee.dismiss("p0")
    assert result.end is GameEnd.BOARD
    opened = [notice.table_opened for notice in client.notices if notice.HasField("table_opened")]
    assert [(notice.table_id, notice.seat) for notice in opened] == [(1, 0), (2, 1), (3, 2), (4, 3)]


@with_referee()
async def test_a_claimed_deal_is_dealt_again_by_the_same_dealer(referee: Referee) -> None:
    """RED-4, SRV-BOARD-1."""
    clients = await seat_clients(referee, 4)

    def claim(request: object) -> int:
        return 1 if len(request.options) == 2 and request.options[1].kind == 2 else 0  # type: ignore[attr-defined]

    text = "standard(redeal_no_ace_no_face_no_trump=on,redeal_farmers_hand=on)"
    async with trio.open_nursery() as nursery:
        for client in clients:
            nursery.start_soon(client.play_honestly, claim)
        results = [await referee.play(spec(text, first_board=board)) for board in range(60)]
        nursery.cancel_scope.cancel()
    claimed = [result for result in results if len(result.hands) > 1]
    assert claimed, "no deal of these boards could be claimed"
    for result in claimed:
        *first, last = result.hands
        assert all(hand.result is not None and hand.result.end is HandEnd.CLAIMED for hand in first)
        assert [hand.redeal for hand in result.hands] == list(range(len(result.hands)))
        assert len({(hand.board, hand.dealer) for hand in result.hands}) == 1
        assert last.result is not None
        assert last.result.end is not HandEnd.CLAIMED


@with_referee()
async def test_a_cancelled_game_is_stopped_and_the_bots_are_told(referee: Referee) -> None:
    """KT-46."""
    clients = await seat_clients(referee, 4)
    async with trio.open_nursery() as nursery:
        playing = Playing(referee, spec())
        await playing.run(nursery)
        request = await clients[1].request()
        nursery.cancel_scope.cancel()
    assert referee.statistics()["tables"] == 0
    for client in clients:
        ended = await client.notice("game_ended")
        assert (ended.end, list(ended.winners)) == (GameEnd.STOPPED, [])
        assert not any(notice.HasField("hand_ended") for notice in client.notices)
    await clients[1].answer(request)
    assert (await clients[1].notice("fault")).kind == 6  # stale, and no question follows


@with_referee()
async def test_a_game_waits_until_its_instances_can_take_a_table(referee: Referee) -> None:
    from euchre.v1 import play_pb2

    client = Client(referee.address, referee.admit("p0"))
    welcome = await client.open(play_pb2.Hello(protocol_version=1, tables=4))
    assert welcome.tables == 4
    async with trio.open_nursery() as nursery:
        for board in range(3):
            nursery.start_soon(referee.play, spec("standard", ["p0"] * 4, first_board=board))
        await client.request()
        assert referee.statistics()["tables"] == 1
        client.notices.clear()
        nursery.cancel_scope.cancel()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.play_honestly)
        async with trio.open_nursery() as games:
            for board in range(3):
                games.start_soon(referee.play, spec("standard", ["p0"] * 4, first_board=board))
        nursery.cancel_scope.cancel()


@with_referee()
async def test_what_does_not_fit_is_refused_before_anything_is_dealt(referee: Referee) -> None:
    with pytest.raises(TableRefused, match="no instance 'p0' has been admitted"):
        await referee.play(spec())
    for number in range(4):
        referee.admit(f"p{number}")
    with pytest.raises(ValueError, match="admitted already"):
        referee.admit("p0")
    with pytest.raises(TableRefused, match="has not said Hello"):
        await referee.play(spec())
    with pytest.raises(TableRefused, match="4 seats, not 2"):
        await referee.play(spec("standard", ["q0", "q0"])) if (await seat_clients(referee, 1, "q")) else None


@with_referee()
async def test_an_instance_is_not_seated_at_a_variant_it_does_not_play(referee: Referee) -> None:
    from euchre.v1 import play_pb2

    client = Client(referee.address, referee.admit("p0"))
    await client.open(play_pb2.Hello(protocol_version=1, name="one game", version="7", variants=["buck"]))
    info = await referee.wait_ready("p0")
    assert (info.name, info.version, info.variants) == ("one game", "7", ("buck",))
    with pytest.raises(TableRefused, match="does not play standard"):
        await referee.play(spec("standard", ["p0"] * 4))


@with_referee()
async def test_a_bug_at_one_table_is_loud_and_leaves_the_others_alone(referee: Referee) -> None:
    """KT-58."""
    (client,) = await seat_clients(referee, 1)

    def bad_deck(board: int, redeal: int) -> list[int]:
        raise ZeroDivisionError("no cards")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.play_honestly)
        with pytest.raises(TableBroke, match=r"table 1 \(standard\): ZeroDivisionError: no cards"):
            await referee.play(spec("standard", ["p0"] * 4, deck=bad_deck))
        assert not client.notices, "told of a game that was never dealt"
        assert (await referee.play(spec("standard", ["p0"] * 4))).end is GameEnd.BOARD
        nursery.cancel_scope.cancel()
    assert referee.statistics()["tables"] == 0


def test_a_result_is_kept_before_anybody_is_told() -> None:
    kept: list[GameEnd] = []
    told: list[str | None] = []
    clients: list[Client] = []

    def keep(games: Sequence[tuple[TableSpec, TableResult]]) -> None:
        kept.extend(result.end for _, result in games)
        told.extend(notice.WhichOneof("notice") for notice in clients[0].notices)

    @with_referee(keep=keep)
    async def run(referee: Referee) -> None:
        clients.extend(await seat_clients(referee, 1))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(clients[0].play_honestly)
            await referee.play(spec("standard", ["p0"] * 4))
            nursery.cancel_scope.cancel()

    run()
    assert kept == [GameEnd.BOARD]
    assert "table_opened" in told
    assert "game_ended" not in told


def test_results_gather_while_the_disk_is_busy_and_other_tables_go_on() -> None:
    batches: list[int] = []
    is_written = threading.Event()

    def keep(games: Sequence[tuple[TableSpec, TableResult]]) -> None:
        batches.append(len(games))
        assert is_written.wait(PATIENCE)

    @with_referee(keep=keep)
    async def run(referee: Referee) -> None:
        (client,) = await seat_clients(referee, 1)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.play_honestly)
            async with trio.open_nursery() as games:
                games.start_soon(referee.play, spec("standard", ["p0"] * 4))
                while not batches:
                    await trio.lowlevel.checkpoint()
                for board in range(3):
                    games.start_soon(referee.play, spec("standard", ["p0"] * 4, first_board=board))
                while len(referee._hall._finished) < 3:
                    await trio.lowlevel.checkpoint()
                assert referee.statistics()["tables"] == 4, "nobody leaves before the result is told"
                assert {notice.WhichOneof("notice") for notice in client.notices} == {"table_opened"}
                is_written.set()
            nursery.cancel_scope.cancel()

    run()
    assert batches == [1, 3]


def test_a_game_that_is_cancelled_while_its_result_is_written_is_kept_once() -> None:
    kept: list[GameEnd] = []
    is_written = threading.Event()

    def keep(games: Sequence[tuple[TableSpec, TableResult]]) -> None:
        kept.extend(result.end for _, result in games)
        assert is_written.wait(PATIENCE)

    @with_referee(keep=keep)
    async def run(referee: Referee) -> None:
        (client,) = await seat_clients(referee, 1)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.play_honestly)
            async with trio.open_nursery() as games:
                games.start_soon(referee.play, spec("standard", ["p0"] * 4))
                while not kept:
                    await trio.lowlevel.checkpoint()
                games.cancel_scope.cancel()
            is_written.set()
            while referee.statistics()["tables"]:
                await trio.lowlevel.checkpoint()
            await referee.dismiss("p0")
        ends = [int(notice.game_ended.end) for notice in client.notices if notice.HasField("game_ended")]
        assert ends == [GameEnd.BOARD] * 4

    run()
    assert kept == [GameEnd.BOARD]


def test_a_result_that_cannot_be_kept_is_told_to_nobody() -> None:
    def full_disk(_: object) -> None:
        raise OSError("no space left")

    @with_referee(keep=full_disk)
    async def run(referee: Referee) -> None:
        (client,) = await seat_clients(referee, 1)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.play_honestly)
            with pytest.raises(TableBroke, match="no space left"):
                await referee.play(spec("standard", ["p0"] * 4))
            await referee.dismiss("p0")
        kinds = [notice.WhichOneof("notice") for notice in client.notices]
        assert kinds == ["table_opened"] * 4 + ["game_ended"] * 4
        assert {int(notice.game_ended.end) for notice in client.notices[4:]} == {GameEnd.STOPPED}

    run()


@with_referee(BRISK)
async def test_draining_finishes_the_open_hand_and_begins_no_other(referee: Referee) -> None:
    (client,) = await seat_clients(referee, 1)
    async with trio.open_nursery() as nursery:
        playing = Playing(referee, spec("standard", ["p0"] * 4, plays_game=True))
        await playing.run(nursery)
        first = await client.request()
        async with trio.open_nursery() as draining:
            draining.start_soon(referee.drain, 10.0)
            await client.answer(first)
            draining.start_soon(client.play_honestly)
            result = await playing.result()
            draining.cancel_scope.cancel()
        with pytest.raises(RefereeClosing):
            await referee.play(spec("standard", ["p0"] * 4))
    assert result.end is GameEnd.STOPPED
    assert len(result.hands) == 1
    assert result.hands[0].result is not None
