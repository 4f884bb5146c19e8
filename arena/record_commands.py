"""The commands that read the record: ``show``, ``transcripts``, ``rerun``, ``export``, ``verify``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from arena import egn, show, verify
from arena.errors import ExitCode, OperatorError
from arena.journal import find_journal

NIGHTS: Final = Path("nights")
"""Where nights are kept unless the organiser says otherwise."""
RERUN_SECONDS: Final = 60.0

_Journal = Annotated[
    Path, typer.Argument(metavar="JOURNAL", help="A journal, the directory of a night, or the name of a night.")
]
_Pairing = Annotated[int | None, typer.Option("--pairing", min=0, help="Number of the pairing.")]
_Board = Annotated[int | None, typer.Option("--board", min=0, help="Number of the board, or of the game.")]
_Leg = Annotated[int | None, typer.Option("--leg", min=0, help="Number of the leg: which seating of the board.")]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command(name="show")(show_command)
    app.command(name="transcripts")(transcripts_command)
    app.command(name="rerun", context_settings={"allow_extra_args": True, "ignore_unknown_options": False})(
        rerun_command
    )
    app.command(name="export")(export_command)
    app.command(name="verify")(verify_command)


def journal_at(path: Path) -> Path:
    """Return the journal that *path* means: a file, a directory, or the name of a night under ``nights/``.

    :raises JournalError: if there is none.
    """
    if not path.exists() and not path.with_name(path.name + ".gz").exists() and (NIGHTS / path).is_dir():
        return find_journal(NIGHTS / path)
    return find_journal(path)


def show_command(
    journal: Annotated[
        Path,
        typer.Argument(metavar="JOURNAL", help="A journal, the directory or name of a night, or an .egn or .emn file."),
    ],
    pairing: _Pairing = None,
    board: _Board = None,
    leg: _Leg = None,
    hand: Annotated[int | None, typer.Option("--hand", min=0, help="This hand only.", show_default="all")] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, help="Only what this seat may know.", show_default="everything")
    ] = None,
) -> None:
    """Show recorded hands card by card. Without --pairing, --board and --leg, list what there is."""
    console = Console(highlight=False, soft_wrap=True)
    wanted = -1 if seat is None else seat
    if journal.suffix in (".egn", ".emn"):
        lines = show.game_lines(egn.read_egn(journal), game=board, hand=hand, seat=wanted)
    else:
        lines = show.show_lines(journal_at(journal), pairing=pairing, board=board, leg=leg, hand=hand, seat=wanted)
    for line in lines:
        console.print(line)


def transcripts_command(
    journal: _Journal,
    out: Annotated[Path, typer.Option("--out", metavar="DIRECTORY", help="Where to write them.")] = Path("transcripts"),
    limit: Annotated[
        int, typer.Option("--limit", min=1000, help="Bytes of one transcript, at most.")
    ] = show.TRANSCRIPT_BYTES,
) -> None:
    """Write for every entrant what its own seats saw; hands with a fault come first."""
    for entrant, path in show.write_transcripts(journal_at(journal), out, limit).items():
        typer.echo(f"{entrant}: {path}")


def rerun_command(
    context: typer.Context,
    journal: _Journal,
    pairing: Annotated[int, typer.Option("--pairing", min=0, help="Number of the pairing.")],
    board: Annotated[int, typer.Option("--board", min=0, help="Number of the board, or of the game.")],
    leg: Annotated[int, typer.Option("--leg", min=0, help="Number of the leg.")],
    hand: Annotated[int, typer.Option("--hand", min=0, help="Number of the hand.")] = 0,
    decision: Annotated[
        int | None, typer.Option("--decision", min=0, help="Number of the decision.", show_default="list them")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="Time the bot has, its start included.")
    ] = RERUN_SECONDS,
    expect_same: Annotated[bool, typer.Option("--expect-same", help="Exit 1 unless it does what was done.")] = False,
) -> None:
    """Put one recorded decision to a bot again: rerun JOURNAL ... --decision N -- BOT [ARGUMENTS].

    Exit 0 if it gives a lawful answer, 1 if not.
    """
    from arena.rerun import decision_lines, rerun, rerun_lines  # needs grpc, which nothing else here does

    path = journal_at(journal)
    if decision is None:
        for line in decision_lines(path, pairing=pairing, board=board, leg=leg, hand=hand):
            typer.echo(line)
        return
    if not context.args:
        raise OperatorError("which bot? Write it at the end, after --, as in: ... --decision 4 -- python3 my_bot.py")
    result = rerun(
        path,
        context.args,
        pairing=pairing,
        board=board,
        leg=leg,
        hand=hand,
        decision=decision,
        patience_seconds=seconds,
    )
    for line in rerun_lines(result):
        typer.echo(line)
    if result.answer is None or (expect_same and not result.is_same):
        raise typer.Exit(ExitCode.FAILED)


def export_command(
    journal: _Journal,
    form: Annotated[str, typer.Option("--format", help="egn: Euchre Game Notation 1.4, and its match form.")] = "egn",
    out: Annotated[Path, typer.Option("--out", metavar="DIRECTORY", help="Where to write.")] = Path("egn"),
) -> None:
    """Write the games of a journal for other people's tools; what cannot be expressed is counted and left out."""
    if form != "egn":
        raise OperatorError(f"there is no format {form!r}; write --format egn")
    for line in egn.format_export(egn.export(journal_at(journal), out)):
        typer.echo(line)


def verify_command(
    journal: _Journal,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="HEX", help="The seed of a night that is not over yet, to check its decks."),
    ] = None,
    db: Annotated[
        str | None, typer.Option("--db", metavar="URL", help="Compare these results too: a file or a database URL.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes.")] = verify.WORKERS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a night from its records: hashes, seed, every deck, every action, every score, every rating.

    Exit 0 if everything fits, 1 if not; then the first line and byte that does not fit is named.
    """
    path = journal_at(journal)
    columns = (TextColumn("verifying"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, advance=done, total=total)

        report = _verified(path, seed, db, workers, progress)
    if as_json:
        typer.echo(json.dumps(dataclasses.asdict(report) | {"is_good": report.is_good}, default=str))
    else:
        for line in verify.format_report(report):
            typer.echo(line)
    if not report.is_good:
        raise typer.Exit(ExitCode.FAILED)


def _verified(path: Path, seed: str | None, db: str | None, workers: int, progress: verify.Progress) -> verify.Report:
    secret = _seed_of(seed)
    if db is None:
        return verify.verify(path, seed=secret, workers=workers, progress=progress)
    from leaderboards.store import Store

    if "://" not in db and not Path(db).exists():
        raise OperatorError(f"no results at {db}")
    with Store(db) as store:
        return verify.verify(path, seed=secret, store=store, workers=workers, progress=progress)


def _seed_of(text: str | None) -> bytes | None:
    if text is None:
        return None
    from arena.night import seed_bytes

    return seed_bytes(text)
