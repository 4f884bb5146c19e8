"""The gRPC service and the referee that an organiser's program holds in its hands.

``async with open_referee(...) as referee`` in a trio program under :func:`referee.service.bridge.run`. The handlers
here run on asyncio; see ``bridge.py`` for what may call what.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final, Protocol, TypeAlias

import grpc
import structlog
import trio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from euchre.v1 import referee_pb2
from referee.rules import PRESETS, VariantError, parse_variant
from referee.service import bridge, wire
from referee.service.call import Context, PlayCall
from referee.service.clock import NEVER, Pulse
from referee.service.doors import AddressError, Tls, checked_address
from referee.service.hall import Hall, Log, RefereeClosing, TableBroke, TableRefused
from referee.service.outcome import FaultKind, GameEnd, TableResult, TableSpec
from referee.service.parsing import Parsing
from referee.service.policy import Policy
from referee.service.stream import InstanceInfo, Presence, Status, StreamRefused

__all__ = [
    "AddressError",
    "InstanceInfo",
    "Policy",
    "Referee",
    "RefereeClosing",
    "TableBroke",
    "TableRefused",
    "Tls",
    "open_referee",
]

SERVICE_NAME: Final = "euchre.v1.RefereeService"
_SPARE_CALLS: Final = 64
"""Calls other than ``Play`` at once, beside the streams."""
_LATE_SECONDS: Final = 0.01
"""A deadline that is looked at later than this was held up by ourselves, and everybody gets the time back."""
_COMPANY_SECONDS: Final = 0.003
"""A finished game waits so long for others, so that one visit to the disk does for all of them."""
_BEAT_SECONDS: Final = 0.02
"""Between two looks at whether the loop was held up."""
_WORTH_TELLING_SECONDS: Final = 0.05
_LONGEST_RESPITE: Final = 0.25

Keep: TypeAlias = Callable[[Sequence[tuple[TableSpec, TableResult]]], None]
"""Makes finished games durable; all of them, or it raises."""


# -- asyncio side ------------------------------------------------------------------------------------


class Service:
    """The methods of ``euchre.v1.RefereeService``, on asyncio."""

    def __init__(self, hall: Hall, log: Log) -> None:
        self._hall = hall
        self._log = log
        self._variants = referee_pb2.ListVariantsResponse(
            variants=[
                referee_pb2.VariantSummary(id=name, name=preset.name, seats=preset.seats)
                for name, preset in PRESETS.items()
            ]
        )

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return them for a server. ``Play`` takes and gives bytes: frames are joined from bytes already."""
        return grpc.method_handlers_generic_handler(
            SERVICE_NAME,
            {
                "Play": grpc.stream_stream_rpc_method_handler(self.play),
                "ListVariants": grpc.unary_unary_rpc_method_handler(
                    self.list_variants,
                    request_deserializer=referee_pb2.ListVariantsRequest.FromString,
                    response_serializer=referee_pb2.ListVariantsResponse.SerializeToString,
                ),
                "DescribeVariant": grpc.unary_unary_rpc_method_handler(
                    self.describe_variant,
                    request_deserializer=referee_pb2.DescribeVariantRequest.FromString,
                    response_serializer=referee_pb2.DescribeVariantResponse.SerializeToString,
                ),
            },
        )

    async def play(self, _: object, context: Context) -> None:
        call = PlayCall(self._hall, context)
        refused: StreamRefused | None = None
        reason = "the connection was lost"
        try:
            reason = await call.run()
        except StreamRefused as refusal:
            refused, reason = refusal, refusal.sentence
        except grpc.aio.AbortError:
            raise
        except grpc.RpcError as error:
            reason = f"the connection was lost ({error})"
        except Exception as error:  # noqa: BLE001 - the border of a stream; it is logged, and its tables are told
            reason = "a bug of the referee"
            self._log.error("stream_broke", peer=context.peer(), exc_info=error)
            refused = StreamRefused(Status.INTERNAL, "a bug of the referee; see its log")
        finally:
            self._hall.close_stream(call.stream, reason, time.monotonic())
        if refused is not None:
            self._hall.refused[refused.status] += 1
            self._log.info("stream_refused", peer=context.peer(), status=refused.status.name, reason=reason)
            await context.abort(grpc.StatusCode[refused.status.name], refused.sentence)

    async def list_variants(self, _: object, context: Context) -> referee_pb2.ListVariantsResponse:
        del context
        return self._variants

    async def describe_variant(
        self, request: referee_pb2.DescribeVariantRequest, context: Context
    ) -> referee_pb2.DescribeVariantResponse:
        try:
            variant = parse_variant(request.variant)
        except VariantError as error:
            name = request.variant.partition("(")[0].strip()
            code = grpc.StatusCode.INVALID_ARGUMENT if name in PRESETS else grpc.StatusCode.NOT_FOUND
            await context.abort(code, str(error))
        return referee_pb2.DescribeVariantResponse(variant=wire.variant_to_message(variant))


def _server_options(policy: Policy) -> list[tuple[str, int]]:
    keepalive = int(policy.ping_seconds * 1000)
    return [
        ("grpc.max_receive_message_length", policy.max_frame_bytes),
        ("grpc.max_send_message_length", -1),
        # A stream that vanishes without a word is found in twice this time at most (KT-42).
        ("grpc.keepalive_time_ms", keepalive),
        ("grpc.keepalive_timeout_ms", keepalive),
        # This is what an answer is waited for in fact; left alone it is a minute, whatever the line above says.
        ("grpc.http2.ping_timeout_ms", keepalive),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        # Bots may ping as often as once a second; nobody is closed for pinging (KT-44).
        ("grpc.http2.min_ping_interval_without_data_ms", 1000),
        ("grpc.http2.max_ping_strikes", 0),
        # Connections without a call are closed after a while, so that idle ones do not pile up.
        ("grpc.max_connection_idle_ms", 60_000),
        ("grpc.so_reuseport", 0),
    ]


class Handlers(Protocol):
    """Whoever answers the calls of a server."""

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return the methods of ``euchre.v1.RefereeService``."""


class Server:
    """A gRPC server with health and reflection beside the service, on asyncio."""

    def __init__(self, policy: Policy, service: Handlers) -> None:
        self._policy = policy
        self._server = grpc.aio.server(
            options=_server_options(policy),
            maximum_concurrent_rpcs=policy.max_streams + _SPARE_CALLS,
            interceptors=(Parsing(),),
        )
        self._server.add_generic_rpc_handlers((service.handlers(),))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE_NAME, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)

    async def start(self, address: str, tls: Tls | None) -> str:
        """Listen; return the address as bound."""
        try:
            port = self._bind(address, tls)
        except RuntimeError:
            raise AddressError(f"cannot listen on {address}: it is in use, or not an address of this machine") from None
        await self._server.start()
        for name in ("", SERVICE_NAME):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"

    def _bind(self, address: str, tls: Tls | None) -> int:
        """Return the port; a socket's file is made with the permissions of the policy from the first moment."""
        mask = os.umask(0o777 & ~self._policy.socket_mode)
        try:
            if tls is None:
                return self._server.add_insecure_port(address)
            return self._server.add_secure_port(address, _credentials(tls))
        finally:
            os.umask(mask)

    async def tell_closing(self) -> None:
        """Answer health checks with NOT_SERVING from now on."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, seconds: float) -> None:
        """Take no more calls; end those still open after *seconds*."""
        await self._server.stop(seconds)


def _credentials(tls: Tls) -> grpc.ServerCredentials:
    return grpc.ssl_server_credentials(
        [(tls.key, tls.certificate)],
        root_certificates=tls.client_roots,
        require_client_auth=tls.client_roots is not None,
    )


# -- trio side ---------------------------------------------------------------------------------------


class Referee:
    """A running referee. Made by :func:`open_referee`; its methods are for trio tasks."""

    def __init__(self, policy: Policy, log: Log, keep: Keep | None) -> None:
        self.address = ""
        """What bots are to connect to; the port is the one that was bound."""
        self._log = log
        self._keep = keep
        self._is_closed = False
        self._finished = trio.Event()
        self._keeping = trio.Lock()
        on_finished = self._wake_keeper if keep is not None else None
        self._hall = Hall(policy, log, on_deadline=self._wake_sleeper, on_finished=on_finished)
        self._server: Server
        self._sleeper = trio.Event()
        self._changed = trio.Event()
        """Set, and made anew, when an instance comes or goes or a seat gets free."""
        self._hall.on_change = self._note_change

    @property
    def policy(self) -> Policy:
        """The settings of the event."""
        return self._hall.policy

    # -- instances ---------------------------------------------------------------------------------

    def admit(self, instance: str) -> str:
        """Expect an instance; return the token that it must say in its Hello. It cannot be shown again.

        :raises ValueError: if one of that name has been admitted and not dismissed.
        """
        return self._hall.admit(instance)

    async def wait_ready(self, instance: str) -> InstanceInfo:
        """Wait until *instance* has said Hello; return what it said of itself.

        :raises TableRefused: if it has not been admitted.
        """
        while True:
            info = self._hall.instance(instance).info
            if info is not None:
                return info
            await self._changed.wait()

    def is_lost(self, instance: str) -> bool:
        """Tell whether *instance* is gone beyond the grace period, or was dismissed or never admitted."""
        found = self._hall.instances.get(instance)
        return found is None or found.presence is Presence.LOST

    async def wait_lost(self, instance: str) -> None:
        """Wait until :meth:`is_lost` is true of *instance*."""
        while not self.is_lost(instance):
            await self._changed.wait()

    def declare_lost(self, instance: str, reason: str) -> None:
        """Give up an instance now, without a grace period: its process has ended and will not be started again.

        *reason* goes on the record if a decision was asked of it ("exited with code 1").

        :raises TableRefused: if it has not been admitted.
        """
        self._hall.declare_lost(instance, reason, time.monotonic())

    def explain_loss(self, instance: str, reason: str) -> None:
        """Say why the stream of an instance was lost ("exited with code 1"), once that is known; it may come back.

        *reason* goes on the record beside the loss, unless that game is over already.
        """
        self._hall.explain_loss(instance, reason)

    async def dismiss(self, instance: str, reason: str = "the match is over") -> None:
        """Say Goodbye to an instance and wait a little for its half-close. Its token is invalid at once.

        Games it still plays are stopped. Dismissing one that is not there does nothing.
        """
        stream = self._hall.dismiss(instance, reason)
        self._note_change()
        if stream is not None:
            with trio.move_on_after(self.policy.goodbye_seconds + 0.5):
                while stream.instance is not None and stream.instance.stream is stream:
                    await self._changed.wait()

    # -- games -------------------------------------------------------------------------------------

    async def play(self, spec: TableSpec) -> TableResult:
        """Play one table from the first deal to its end and return what happened. Many may run at once.

        Waits until every instance can take one more table. Cancelling it stops the game, and the bots are told.

        :raises TableRefused: if the spec does not fit together, or an instance has never come.
        :raises RefereeClosing: if no new games begin any more.
        :raises TableBroke: if the referee met a bug of its own; other tables go on.
        """
        while not self._hall.has_room(spec):
            await self._changed.wait()
        ended = trio.Event()
        results: list[TableResult | TableBroke] = []

        def on_end(result: TableResult | TableBroke) -> None:
            results.append(result)
            ended.set()

        table = self._hall.open_table(spec, on_end, time.monotonic())
        try:
            await ended.wait()
        finally:
            if not results:
                self._hall.stop(table, time.monotonic())
        result = results[0]
        if isinstance(result, TableBroke):
            raise result
        return result

    async def drain(self, seconds: float) -> None:
        """Begin no new games or hands; wait at most *seconds* for the open hands, whose games then end ``STOPPED``."""
        self._hall.close_doors()
        await bridge.on_host(self._server.tell_closing())
        with trio.move_on_after(seconds):
            while self._hall.table_count:
                await self._changed.wait()

    def statistics(self) -> dict[str, int]:
        """Return counts for metrics: what is open now; decisions, games, faults, streams refused since the start."""
        hall = self._hall
        counts = {
            "tables": hall.table_count,
            "streams": hall.stream_count,
            "instances": len(hall.instances),
            "decisions": hall.decisions,
        }
        counts |= {f"games_{end.name.lower()}": hall.games[end] for end in GameEnd}
        counts |= {
            f"faults_{kind.name.lower()}": hall.faults[kind] for kind in FaultKind if kind is not FaultKind.STALE
        }
        counts |= {f"refused_{status.name.lower()}": hall.refused[status] for status in Status}
        return counts

    # -- inside ------------------------------------------------------------------------------------

    def _note_change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _wake_sleeper(self) -> None:
        self._sleeper.set()

    def _wake_keeper(self) -> None:
        self._finished.set()

    async def _keep_results(self) -> None:
        """Make finished games durable, all that have gathered at once, and then tell their results."""
        while True:
            await self._finished.wait()
            await trio.sleep(_COMPANY_SECONDS)
            await self._keep_finished()

    async def _keep_finished(self) -> None:
        # Shielded: what has been taken is kept and told, or given up, whatever else ends meanwhile.
        with trio.CancelScope(shield=True):
            async with self._keeping:
                self._finished = trio.Event()
                while tables := self._hall.take_finished():
                    games = [(table.spec, table.result) for table in tables if table.result is not None]
                    try:
                        assert self._keep is not None  # noqa: S101 - otherwise nothing is taken
                        await trio.to_thread.run_sync(self._keep, games)
                    except Exception as error:  # noqa: BLE001 - what cannot be kept is told to nobody; it is loud
                        for table in tables:
                            self._hall.give_up(table, error)
                    else:
                        for table in tables:
                            self._hall.tell_result(table)

    async def _keep_time(self) -> None:
        """Sleep until the next deadline, look at the hall, and so on."""
        hall = self._hall
        while True:
            self._sleeper = trio.Event()
            deadline = hall.next_deadline()
            if deadline == NEVER:
                await self._sleeper.wait()
                continue
            with trio.move_on_after(max(0.0, deadline - time.monotonic())):
                await self._sleeper.wait()
                continue
            late = time.monotonic() - deadline
            if late > _LATE_SECONDS:
                # The loop was held up, so replies may lie unread that came in time: let them be read first.
                await trio.sleep(min(late, _LONGEST_RESPITE))
            hall.tick(time.monotonic())

    def _beat(self) -> None:
        """Let the pulse beat, on asyncio, for as long as the referee is open."""
        assert self._hall.pulse is not None  # noqa: S101 - set before the first beat
        late = self._hall.pulse.beat(time.monotonic())
        if late > _WORTH_TELLING_SECONDS:
            self._log.warning("referee_was_held_up", seconds=round(late, 3))
        if not self._is_closed:
            asyncio.get_running_loop().call_later(_BEAT_SECONDS, self._beat)

    async def _start(self, address: str, tls: Tls | None) -> None:
        async def start() -> str:
            self._hall.pulse = Pulse(time.monotonic(), _BEAT_SECONDS, _LATE_SECONDS)
            self._beat()
            self._server = Server(self._hall.policy, Service(self._hall, self._log))
            return await self._server.start(address, tls)

        self.address = await bridge.on_host(start())
        self._log.info("referee_opened", address=self.address)

    async def _close(self) -> None:
        hall = self._hall
        hall.close_doors()
        await self._keep_finished()
        async with trio.open_nursery() as nursery:
            for name in list(hall.instances):
                nursery.start_soon(self.dismiss, name, "the referee is closing")
        await self._keep_finished()
        await bridge.on_host(self._server.stop(self.policy.goodbye_seconds))
        self._is_closed = True
        self._log.info("referee_closed", decisions=hall.decisions)


@contextlib.asynccontextmanager
async def open_referee(
    address: str,
    policy: Policy | None = None,
    *,
    tls: Tls | None = None,
    log: Log = None,
    keep: Keep | None = None,
) -> AsyncIterator[Referee]:
    """Open a referee at ``unix:/path`` or ``host:port`` (port 0: any free one) and close it again.

    *keep* makes finished games durable before anybody, bots included, is told their results. It is called in a thread,
    with as many games as ended while it was busy with the ones before; never with a stopped one. What it raises
    becomes a ``TableBroke`` of each of these tables.

    :raises AddressError: if the address cannot be listened on.
    """
    logger = structlog.get_logger("referee") if log is None else log
    referee = Referee(policy or Policy(), logger, keep)
    await referee._start(checked_address(address), tls)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referee._keep_time)
            nursery.start_soon(referee._keep_results)
            try:
                yield referee
            finally:
                with trio.CancelScope(shield=True):
                    await referee._close()
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        # The nursery is ours alone; a caller whose body raised one exception gets that one.
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from group.exceptions[0].__cause__
        raise
