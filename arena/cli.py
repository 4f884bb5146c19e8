"""The command line: a command parses, calls one function, prints.

Exit codes are the same everywhere (:class:`arena.errors.ExitCode`). What an operator wrote wrongly is one line on
standard error and exit code 2; our own bugs show their traceback and end with 4, never with 1, which means "the
answer is no".
"""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from arena import bot_commands, describe, record_commands, referee_command, vectors
from arena.errors import ExitCode, InfrastructureError, OperatorError
from arena.journal import DamagedJournal, JournalError
from arena.logs import LEVELS, parse_level
from arena.night import DEFAULT_TABLES, Settings, load_night
from arena.plan import plan_lines, plan_of, usual_concurrency
from arena.variants import load_variant
from referee.rules import BUILD_KIND, VariantError
from referee.rules.errors import nearest
from referee.service.policy import Policy

if TYPE_CHECKING:
    from arena.runner import NightEnd

# What computes ratings is imported by the commands that need it: it takes longer than any of the others.

PROGRAM: Final = "euchre-arena"
DEFAULT_DB: Final = "results.sqlite"
_WIDE: Final = 100
_POLICY: Final = Policy()

app = typer.Typer(
    name=PROGRAM,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

_DbOption = Annotated[
    str,
    typer.Option("--db", metavar="URL", envvar="EUCHRE_DB", help="Results: a file (SQLite) or a database URL."),
]
_JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON; everything else goes to standard error.")]
_RefereeOption = Annotated[
    Path | None,
    typer.Option("--referee", metavar="REFEREE.toml", help="Where bots written as remote:NAME dial in."),
]
_MetricsOption = Annotated[
    str, typer.Option("--metrics", metavar="HOST:PORT", help="Serve numbers for Prometheus there while it is played.")
]
_ConcurrencyOption = Annotated[
    int | None,
    typer.Option("-j", "--concurrency", min=1, max=1024, help="Jobs at once.", show_default="half the cores"),
]


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"{PROGRAM} {metadata.version('euchre-arena')} ({BUILD_KIND}), Python {platform.python_version()}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Show version and build, and exit."),
    ] = False,
) -> None:
    """Run Euchre bots against each other: matches, league nights, standings."""


def _say_to(is_json: bool) -> Callable[[str], None]:
    """Return what prints the plan and the report: beside the JSON, not into it."""
    return lambda line: typer.echo(line, err=is_json)


@app.command()
def match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A bot: random, heuristic, search, a file, or a command in quotes; name=... names it."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other bot.")],
    variants: Annotated[
        list[str] | None,
        typer.Option(
            "-v",
            "--variant",
            help="Preset, preset(option=value), or a house variant's TOML file. May be repeated.",
            show_default="standard",
        ),
    ] = None,
    boards: Annotated[
        int, typer.Option("-n", "--boards", help="Boards (or games); each is played from every seat.")
    ] = 100,
    play: Annotated[
        str, typer.Option("--play", help="boards: each scored on its own; games: whole games to the target.")
    ] = "boards",
    concurrency: _ConcurrencyOption = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", help="Any text; it decides every deck.", show_default="drawn by chance, shown at the end"
        ),
    ] = None,
    assert_elo: Annotated[
        str | None,
        typer.Option(
            "--assert-elo",
            metavar="CLAIM",
            help="A claim about A's Elo difference, as in '>= -20': exit 0 if its 95 % interval lies within, "
            "1 if outside, 3 if it straddles.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="DIRECTORY",
            help="Keep journal and results there; the same command continues what was stopped.",
        ),
    ] = None,
    house: Annotated[str, typer.Option("--house", help="The bot that fills free seats of individual games.")] = "house",
    isolation: Annotated[
        str,
        typer.Option(
            "--isolation",
            help="process: each seat a process; docker: each a container; none: one process in all seats of a bot.",
        ),
    ] = "process",
    referee: _RefereeOption = None,
    metrics: _MetricsOption = "",
    tables_at_once: Annotated[
        int, typer.Option("--tables", min=1, max=256, help="Tables an instance plays at once, at most.")
    ] = DEFAULT_TABLES,
    chunk_boards: Annotated[
        int,
        typer.Option("--chunk-boards", min=0, help="Boards of one job; fewer spread better, more cost less to start."),
    ] = 0,
    decision_seconds: Annotated[
        float, typer.Option("--decision-seconds", help="Time for one decision.")
    ] = _POLICY.decision_seconds,
    bank_seconds: Annotated[
        float, typer.Option("--bank-seconds", help="Extra time of a seat for a whole game.")
    ] = _POLICY.bank_seconds,
    as_json: _JsonOption = False,
) -> None:
    """Play two bots against each other on the same boards from every seat, and say how sure it is who is better."""
    from arena.match import MatchOrder, exit_code, night_of, play_match, report_of
    from arena.report import match_json, match_lines, parse_bound

    bound = None if assert_elo is None else parse_bound(assert_elo)
    night, first, second = night_of(
        MatchOrder(
            entrant=a,
            opponent=b,
            variants=variants or ["standard"],
            boards=boards,
            play=play,
            concurrency=concurrency,
            seed=seed,
            house=house,
            isolation=isolation,
            referee=referee,
            metrics=metrics,
            policy={"decision_seconds": decision_seconds, "bank_seconds": bank_seconds},
            settings=Settings(tables=tables_at_once),
            chunk_boards=chunk_boards,
        )
    )
    say = _say_to(as_json)
    played = play_match(night, record, say)
    report = report_of(played, night, first, second)
    code = exit_code(report, bound)
    if as_json:
        verdict = code if bound is not None else None
        typer.echo(match_json(report, played.seed.hex(), played.commitment, verdict))
    else:
        typer.echo("")
        for line in match_lines(report):
            typer.echo(line)
        if bound is not None:
            typer.echo(f"claim: Elo difference {bound}: {code.name.lower()}")
    if record is None:
        say(f"seed: {played.seed.hex()}")
    if report.is_stopped:
        tail = "the same command continues it" if record else "with --record DIRECTORY it could have been continued"
        typer.echo(f"stopped; what is finished is reported above; {tail}", err=True)
    raise typer.Exit(code)


@app.command()
def night(
    file: Annotated[Path, typer.Argument(metavar="NIGHT.toml", help="The night file; docs/nights.md describes it.")],
    db: _DbOption = DEFAULT_DB,
    directory: Annotated[
        Path | None, typer.Option("--directory", help="Where the night's journal is kept.", show_default="nights/NAME")
    ] = None,
    concurrency: _ConcurrencyOption = None,
    plan_only: Annotated[bool, typer.Option("--plan", help="Print the plan and stop.")] = False,
    finish: Annotated[
        bool, typer.Option("--finish", help="Close the night though pairings are missing because a bot did not come.")
    ] = False,
    isolation: Annotated[
        str | None,
        typer.Option("--isolation", help="process, docker or none, in place of the night file's.", show_default=False),
    ] = None,
    referee: _RefereeOption = None,
    metrics: _MetricsOption = "",
    log_level: Annotated[
        str,
        typer.Option("--log-level", help=f"What goes into the night's log.jsonl: {', '.join(LEVELS)}."),
    ] = "warning",
    as_json: _JsonOption = False,
) -> None:
    """Play a league night: round robin over all bots and variants. Run it again to continue what was stopped."""
    from arena.league import open_store, play_on_record, rating_tables
    from arena.report import isolation_line
    from leaderboards import standings as tables

    if log_level not in LEVELS:
        raise OperatorError(f"--log-level {log_level!r}{nearest(log_level, LEVELS)}; it is one of {', '.join(LEVELS)}")
    planned = load_night(file, isolation=isolation, referee=referee)
    planned = replace(planned, metrics=metrics or planned.metrics)
    if concurrency is not None:
        planned = replace(planned, concurrency=concurrency)
    say = _say_to(as_json)
    if plan_only:
        at_once = planned.concurrency or usual_concurrency()
        for line in plan_lines(planned, plan_of(planned), "(drawn when the night begins)", at_once, 0):
            say(line)
        return
    with open_store(db) as store:
        where = directory or Path("nights") / planned.name
        played = play_on_record(planned, where, store, say, finish=finish, log_level=parse_level(log_level))
    ratings = rating_tables(played.legs, sorted(planned.bots))
    if as_json:
        typer.echo(tables.to_json(ratings))
    else:
        _console().print(tables.standings_report(ratings))
    _print_end(played.end, file, say)
    say(isolation_line(planned.isolations))
    raise typer.Exit(_night_code(played.end))


def _print_end(end: NightEnd, file: Path, say: Callable[[str], None]) -> None:
    from arena.report import thinking_text

    for thinking in sorted(end.thinking.values(), key=lambda one: one.entrant):
        say(thinking_text(thinking))
    if end.notes:
        say("what happened beside the tables:")
        for _, note in end.notes:
            say(f"  {note.kind}: {note.text}")
    if end.unplayed_pairings:
        count = len(end.unplayed_pairings)
        say(f"{count} {'pairings were' if count > 1 else 'pairing was'} not played because somebody did not come")
    if end.missing:
        say(f"{end.missing} legs are missing through our own fault (see above)")
    if end.is_stopped:
        say("stopped; everything finished is kept")
    if not end.is_complete:
        say(f"continue with: {PROGRAM} night {file}")


def _night_code(end: NightEnd) -> ExitCode:
    if end.missing:
        return ExitCode.INFRASTRUCTURE
    return ExitCode.UNDECIDED if end.is_stopped else ExitCode.PASSED


@app.command()
def standings(
    night_name: Annotated[
        str | None, typer.Option("--night", help="Of this night only.", show_default="all nights")
    ] = None,
    variant: Annotated[
        str | None, typer.Option("-v", "--variant", help="Of this variant only.", show_default="all")
    ] = None,
    db: _DbOption = DEFAULT_DB,
    as_json: _JsonOption = False,
) -> None:
    """Show ratings with their 95 % intervals, per variant and overall, and who scored what against whom."""
    from arena.league import open_store, standings_of
    from leaderboards import standings as tables

    if "://" not in db and not Path(db).exists():
        raise OperatorError(f"no results at {db}; name them with --db, or play a night first")
    wanted = None if variant is None else load_variant(variant).variant.id
    with open_store(db) as store:
        ratings = standings_of(store, night_name, wanted)
    if as_json:
        typer.echo(tables.to_json(ratings))
    else:
        _console().print(tables.standings_report(ratings))


@app.command(name="variants")
def list_variants(
    variant: Annotated[
        str | None,
        typer.Argument(metavar="[PRESET]", help="A preset, preset(option=value), or a house variant's TOML file."),
    ] = None,
    as_json: _JsonOption = False,
) -> None:
    """List the variants, or describe one: deck, order of cards, auction, scoring, options, with rule ids."""
    if variant is None:
        text = describe.list_json() if as_json else describe.list_text()
    else:
        found = load_variant(variant, is_rated=False)
        label = found.label if found.label != found.variant.id else ""
        text = describe.describe_json(found.variant) if as_json else describe.describe_text(found.variant, label)
    typer.echo(text.rstrip("\n"))


app.command(name="vectors")(vectors.command)
record_commands.register(app)
bot_commands.register(app)
referee_command.register(app)


def _console() -> Console:
    """Return a console on standard output, wide enough for a crosstable where there is no terminal."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDE)


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code."""
    try:
        code = app(arguments, prog_name=PROGRAM, standalone_mode=False)
    except (OperatorError, VariantError, DamagedJournal, JournalError) as error:
        return _complain(str(error), ExitCode.WRONG_COMMAND)
    except InfrastructureError as error:
        return _complain(str(error), ExitCode.INFRASTRUCTURE)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("stopped", ExitCode.UNDECIDED)
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; say nothing more
        return ExitCode.PASSED
    except Exception as error:  # noqa: BLE001 (the border: our own bugs must not look like an answer)
        if isinstance(error, _USAGE_ERRORS) and (said := getattr(error, "format_message", None)) is not None:
            return _complain(f"{said() or 'a command is missing'} (see {PROGRAM} --help)", ExitCode.WRONG_COMMAND)
        traceback.print_exc()
        return _complain("this is a bug of the arena; the traceback is above", ExitCode.INFRASTRUCTURE)
    return int(code) if isinstance(code, int) else ExitCode.PASSED


_USAGE_ERRORS: Final = tuple(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What the parser of the command line raises; Typer exports its subclasses only."""


def _complain(text: str, code: ExitCode) -> int:
    line = " ".join(text.split())
    typer.echo(f"{PROGRAM}: {line}", err=True)
    return code


if __name__ == "__main__":
    main()
