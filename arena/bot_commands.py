"""The commands for bot authors: ``new-bot`` and ``check``."""

from __future__ import annotations

import subprocess
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from arena.bots import Bot, check_process, parse_bot
from arena.errors import ExitCode, OperatorError
from arena.manifest import Manifest, manifest_path, read_manifest
from arena.new_bot import languages, next_steps, write_project

DEFAULT_FAILURES: Final = Path("check-failures")
_LIMIT_SECONDS: Final = 5.0


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command(name="new-bot")(new_bot_command)
    app.command(name="check")(check_command)


def new_bot_command(
    language: Annotated[str, typer.Argument(metavar="LANGUAGE", help=f"One of {', '.join(languages())}.")],
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory.")],
    name: Annotated[
        str | None, typer.Option("--name", help="What the bot is called.", show_default="after the directory")
    ] = None,
) -> None:
    """Write a ready bot project: the kit, a template to fill in, the wire contract, and how to build it."""
    template, written = write_project(language, directory, name)
    typer.echo(f"wrote {len(written)} files to {directory}; now:")
    for line in next_steps(template, directory):
        typer.echo(f"  {line}")


def check_command(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A built-in name, a manifest or its folder, a file, or a command.")
    ],
    variants: Annotated[
        list[str] | None,
        typer.Option("-v", "--variant", help="Preset; may be repeated.", show_default="all it says it plays"),
    ] = None,
    only: Annotated[
        Path | None, typer.Option("--only", metavar="FILE", help="Put this one request of a failure to the bot again.")
    ] = None,
    failures: Annotated[
        Path, typer.Option("--failures", metavar="DIRECTORY", help="Where the requests of failures are written.")
    ] = DEFAULT_FAILURES,
    limit_seconds: Annotated[
        float, typer.Option("--limit-seconds", min=0.05, help="Time for one decision.")
    ] = _LIMIT_SECONDS,
    hands: Annotated[int, typer.Option("--hands", min=1, help="Hands of each preset by the bot's own answers.")] = 4,
    seed: Annotated[int, typer.Option("--seed", help="The same seed asks the same questions.")] = 1,
    build: Annotated[bool, typer.Option("--build", help="Run the manifest's build command first.")] = False,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML there.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Examine a bot: every kind of decision of every preset it plays, batches, coming back, leaving.

    Exit 0 if nothing failed, 1 if something did.
    """
    from arena import check, check_report  # the suite needs grpc, which new-bot does not

    manifest = _manifest_of(bot)
    if build and manifest is not None:
        _build(manifest)
    examined = parse_bot(bot)
    check_process(examined, "check")
    if only is not None:
        raise typer.Exit(_ask_again(examined, only, limit_seconds))
    wanted = variants or (list(manifest.variants) if manifest is not None else [])
    console = Console(stderr=True, highlight=False)
    with console.status("starting") if console.is_terminal else nullcontext() as status:
        suite = check.Suite(
            examined,
            check.preset_names(wanted),
            limit_seconds=limit_seconds,
            hands=hands,
            seed=seed,
            progress=lambda preset: status.update(f"examining {preset}") if status is not None else None,
        )
        report = suite.run()
    has_requests = check_report.write_requests(report, failures) > 0
    if junit is not None:
        junit.write_text(check_report.report_junit(report), encoding="utf-8")
    if as_json:
        typer.echo(check_report.report_json(report))
    else:
        for line in check_report.report_lines(report, failures if has_requests else None):
            typer.echo(line)
    raise typer.Exit(ExitCode.PASSED if report.passed else ExitCode.FAILED)


def _manifest_of(bot: str) -> Manifest | None:
    path = manifest_path(Path(bot).expanduser())
    return None if path is None else read_manifest(path)


def _build(manifest: Manifest) -> None:
    if not manifest.build:
        raise OperatorError(f"{manifest.path} has no build command")
    try:
        done = subprocess.run(manifest.build, cwd=manifest.directory, check=False)  # noqa: S603 (the author's own)
    except OSError as error:
        raise OperatorError(f"{manifest.path}: {manifest.build[0]} cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        raise OperatorError(f"{manifest.path}: the build ended with exit code {done.returncode}")


def _ask_again(bot: Bot, path: Path, limit_seconds: float) -> int:
    """Put the request in *path* to the bot; say what it answers; return the exit code."""
    from google.protobuf import json_format

    from arena import check, check_report

    reply, fault = check.Suite(bot, [], limit_seconds=limit_seconds).run_one(check_report.read_request(path))
    if reply is not None:
        typer.echo(f"its reply: {json_format.MessageToJson(reply, indent=None)}")
    if fault is None:
        typer.echo("nothing is wrong with it")
        return ExitCode.PASSED
    sentence, rules = fault
    typer.echo(f"{sentence} [{rules}]" if rules else sentence)
    return ExitCode.FAILED
