"""The commands of a standing referee: ``referee``, ``token``, ``lobby``; and ``join`` for bot authors elsewhere."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import trio
import typer

from arena.errors import OperatorError, only_one
from arena.logs import LEVELS, parse_level
from arena.referee_file import RefereeFile, load_referee
from referee.rules.errors import nearest

if TYPE_CHECKING:
    from referee.service.lobby import Lobby
    from referee.service.metrics import Gauge

DEFAULT_FILE: Final = Path("referee.toml")
_FileArgument = Annotated[
    Path, typer.Argument(metavar="REFEREE.toml", help="The referee's file; docs/remote.md describes it.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command(name="referee")(referee_command)
    app.command(name="token")(token_command)
    app.command(name="lobby")(lobby_command)
    app.command(name="join")(join_command)


def referee_command(
    file: _FileArgument = DEFAULT_FILE,
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="HOST:PORT", help="In place of the file's listen.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option("--metrics", metavar="HOST:PORT", help="In place of the file's metrics.")
    ] = None,
    log_level: Annotated[str, typer.Option("--log-level", help=f"{', '.join(LEVELS)}.")] = "info",
    log_json: Annotated[bool, typer.Option("--log-json", help="Log one JSON object a line.")] = False,
    until_stdin_closes: Annotated[bool, typer.Option("--until-stdin-closes", hidden=True)] = False,
) -> None:
    """Keep the doors open for bots that dial in from anywhere; nights and matches find them here as remote:NAME.

    SIGTERM or Ctrl-C closes the doors, lets what is being played finish, and ends.
    """
    _quieten_grpc()
    from referee.service import bridge
    from referee.service.doors import AddressError
    from referee.service.logs import configure_logging

    if log_level not in LEVELS:
        raise OperatorError(f"--log-level {log_level!r}{nearest(log_level, LEVELS)}; it is one of {', '.join(LEVELS)}")
    loaded = load_referee(file)
    loaded = replace(loaded, listen=listen or loaded.listen, metrics=loaded.metrics if metrics is None else metrics)
    configure_logging(json=log_json, level=parse_level(log_level))
    try:
        _unwrapped(bridge.run, partial(_stand, loaded, typer.echo, is_own=until_stdin_closes))
    except AddressError as error:
        raise OperatorError(str(error)) from None
    except KeyboardInterrupt:
        typer.echo("closed")


def _quieten_grpc() -> None:
    """Keep grpc from logging to standard error: what goes wrong at the door, we say ourselves.

    It reads the variable once, when it is imported; bots should not inherit it.
    """
    if "GRPC_VERBOSITY" not in os.environ:
        os.environ["GRPC_VERBOSITY"] = "NONE"
        import grpc  # noqa: F401 (for what importing it does)

        del os.environ["GRPC_VERBOSITY"]


def _unwrapped(function: Callable[..., Any], *args: object) -> Any:
    """Call *function*; of a group of one exception raise that one."""
    try:
        return function(*args)
    except BaseExceptionGroup as group:
        raise only_one(group) from group


async def _stand(file: RefereeFile, say: Callable[[str], None], *, is_own: bool) -> None:
    """Be a standing referee until told to end; then drain.

    A signal cancels this task and all its children. The lobby and the lines of nights have to live on while what is
    being played finishes, so they are shielded, and a task beside them hears of it.
    """
    closing = trio.Event()

    async def hear_of_end() -> None:
        try:
            if is_own:
                await _wait_for_stdin()
            else:
                await trio.sleep_forever()
        finally:
            closing.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hear_of_end)
        with trio.CancelScope(shield=True):
            await _keep_open(file, say, closing, 0.0 if is_own else file.drain_seconds)
        nursery.cancel_scope.cancel()


async def _keep_open(file: RefereeFile, say: Callable[[str], None], closing: trio.Event, drain_seconds: float) -> None:
    """Open lobby, control and metrics; keep them until *closing* is set and the lobby has been drained."""
    from arena.control import dial_control, open_control
    from referee.service.doors import is_local
    from referee.service.lobby import open_lobby
    from referee.service.metrics import Metrics, open_metrics

    entrants, tls = file.open_entrants(), file.tls()
    try:
        await (await dial_control(file.control)).aclose()
    except OSError:
        pass
    else:
        raise OperatorError(f"a referee of {file.path} runs already (it answers at {file.control})")
    async with AsyncExitStack() as stack:
        lobby = await stack.enter_async_context(
            open_lobby(file.listen, entrants, file.policy, allowed=file.allowed, tls=tls)
        )
        metrics = Metrics(partial(_lobby_gauges, lobby))
        await stack.enter_async_context(open_control(file.control, lobby, metrics))
        lines = [f"bots dial in at {lobby.address}" + (" (TLS)" if tls else " (no TLS)")]
        if tls is None and not is_local(lobby.address):
            lines.append("warning: without TLS tokens and cards can be read on the way; see [tls] in docs/remote.md")
        if file.metrics:
            where = await stack.enter_async_context(open_metrics(file.metrics, metrics))
            lines.append(f"metrics at http://{where}/metrics")
        names = lobby.names
        lines.append(
            f"entrants who have a token: {', '.join(names)}"
            if names
            else f"nobody has a token yet; make one: euchre-arena token {file.path} NAME"
        )
        say("\n".join(lines))
        sys.stdout.flush()
        await closing.wait()
        if lobby.stream_count and drain_seconds:
            say(f"closing: no bot comes in any more; up to {drain_seconds:g} s for what is being played")
        await lobby.drain(drain_seconds)


async def _wait_for_stdin() -> None:
    """Return when standard input has been closed: whoever started us has gone."""
    async with trio.lowlevel.FdStream(sys.stdin.fileno()) as stream:
        while await stream.receive_some(1024):
            pass


def _lobby_gauges(lobby: Lobby) -> Iterator[Gauge]:
    """Yield what the lobby adds to the metrics."""
    from referee.service.metrics import Gauge
    from referee.service.stream import Status

    attendance = lobby.attendance()
    waiting = sum(one.waiting for one in attendance)
    playing = sum(one.playing for one in attendance)
    door = max(0, lobby.stream_count - waiting - playing)
    states = (("waiting", waiting), ("playing", playing), ("door", door))
    yield Gauge(
        "euchre_streams", "Streams of bots, by state.", {(state,): count for state, count in states}, ("state",)
    )
    copies: dict[tuple[str, ...], float] = {}
    for one in attendance:
        copies[one.entrant, "waiting"] = one.waiting
        copies[one.entrant, "playing"] = one.playing
    yield Gauge("euchre_copies", "Copies of an entrant's bot that are here.", copies, ("entrant", "state"))
    wanted: dict[tuple[str, ...], float] = {(one.entrant,): one.wanted for one in attendance}
    yield Gauge("euchre_seats_wanted", "Seats that wait for a copy of an entrant.", wanted, ("entrant",))
    refused: dict[tuple[str, ...], float] = {(status.name.lower(),): lobby.refused[status] for status in Status}
    yield Gauge("euchre_refused", "Streams refused or ended early.", refused, ("status",), is_counter=True)


def token_command(
    file: _FileArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The entrant, as in remote:NAME.")],
    revoke: Annotated[bool, typer.Option("--revoke", help="Make its token invalid instead.")] = False,
) -> None:
    """Make a token for an entrant and print it, once; only its hash is kept. It replaces the one before.

    A standing referee knows it at once.
    """
    from referee.service.entrants import TokenFileError

    loaded = load_referee(file)
    name = loaded.check_entrant(name)
    entrants = loaded.open_entrants()
    try:
        if revoke:
            if not entrants.revoke(name):
                known = entrants.names
                raise OperatorError(f"{name!r} has no token{nearest(name, known)}; {', '.join(known) or 'nobody'} has")
            typer.echo(f"the token of {name} is worth nothing any more; streams that are open stay open")
            return
        token = entrants.new_token(name)
    except TokenFileError as error:
        raise OperatorError(str(error)) from None
    typer.echo(f"the token of {name}, shown this once; give it to its author:", err=True)
    typer.echo(token)


def lobby_command(
    file: _FileArgument = DEFAULT_FILE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show who is in the lobby of a standing referee: copies that wait and play, and when they came or left last."""
    loaded = load_referee(file)
    answer = trio.run(ask_lobby, loaded)
    if as_json:
        typer.echo(json.dumps(answer, indent=2))
        return
    typer.echo(f"bots dial in at {answer['address']}; {answer['streams']} streams are open")
    width = max([len("entrant"), *(len(one["entrant"]) for one in answer["attendance"])])
    typer.echo(f"{'entrant':{width}}  waiting  playing  wanted  last seen")
    for one in answer["attendance"]:
        seen = one["last_seen"]
        when = datetime.fromtimestamp(seen, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if seen else "never"
        version = f"  version {one['version']}" if one["version"] else ""
        typer.echo(
            f"{one['entrant']:{width}}  {one['waiting']:7}  {one['playing']:7}  {one['wanted']:6}  {when}{version}"
        )


async def ask_lobby(file: RefereeFile) -> dict[str, Any]:
    """Return who is in the lobby.

    :raises OperatorError: if no referee of *file* runs.
    """
    from arena.control import ask, dial_control

    try:
        line = await dial_control(file.control)
    except OSError:
        raise OperatorError(f"no referee of {file.path} runs; start it: euchre-arena referee {file.path}") from None
    try:
        return await ask(line, {"list": True})
    finally:
        await line.aclose()


def join_command(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="HOST:PORT of the organiser's referee.")],
    bot: Annotated[
        list[str], typer.Argument(metavar="-- BOT…", help="Your bot, as everywhere: a name, a file, or a command.")
    ],
    token_file: Annotated[
        Path | None, typer.Option("--token-file", metavar="FILE", help="Holds your token; - is standard input.")
    ] = None,
    spare: Annotated[
        int, typer.Option("--spare", min=1, max=64, help="Copies that wait in the lobby; each plays one seat.")
    ] = 4,
    most: Annotated[
        int, typer.Option("--most", min=1, max=1024, help="Copies at once, those that play included.")
    ] = 64,
    plaintext: Annotated[
        bool, typer.Option("--plaintext", help="Without TLS though the referee is not on this machine.")
    ] = False,
    tls: Annotated[bool, typer.Option("--tls", help="With TLS though the referee is on this machine.")] = False,
    roots: Annotated[
        Path | None,
        typer.Option("--roots", metavar="FILE", help="Certificates to trust, PEM.", show_default="the system's"),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", metavar="FILE", help="Your certificate, if the referee wants one.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="The key of your certificate.")] = None,
    is_once: Annotated[bool, typer.Option("--once", help="Leave when the first match is over.")] = False,
) -> None:
    """Bring your bot to somebody else's referee, and wait there to be called.

    Copies of your bot are started as they are needed, one for each seat, and dial in through this command, which
    holds your token, speaks TLS, and comes back when the line is lost. Ctrl-C leaves.

    The token is read from --token-file, or from EUCHRE_TOKEN.
    """
    _quieten_grpc()
    from arena.join import Joining, credentials_of, read_token, run

    code = run(
        Joining(
            address=address,
            token=read_token(token_file),
            bot=" ".join(bot) if len(bot) == 1 else _quoted(bot),
            spare=spare,
            most=max(spare, most),
            credentials=credentials_of(address, plaintext, tls or roots is not None, roots, certificate, key),
            is_once=is_once,
        )
    )
    raise typer.Exit(code)


def _quoted(words: list[str]) -> str:
    import shlex

    return shlex.join(words)
