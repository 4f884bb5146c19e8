"""How fast each language's sample bot answers and starts, beside the plainest bot in Python in the same run.

For each sample that is built: decisions a second on one stream with 1 and with 64 tables, and the seconds from
starting it to its first answer, as a process and (``--containers``) in a fresh container of its own image, sealed as
in a league.
The bots take turns, so that all see the same noise; medians of the rounds are reported. All but ``random`` play by the
same rules of thumb (docs/heuristic.md), but for Python's ``heuristic``, which searches a little.

``python benchmarks/languages.py [--seconds 2] [--rounds 5] [--containers] [LANGUAGE...]``
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import docker
import structlog
import trio

from arena.bots import Bot, parse_bot
from arena.launch import open_processes
from arena.sandbox import connect, open_containers, open_socket_directory
from referee.rules import parse_variant
from referee.service import bridge
from referee.service.outcome import TableSpec
from referee.service.policy import Policy
from referee.service.server import Referee, open_referee
from referee.service.shuffle import deck_for

SAMPLES = Path(__file__).resolve().parents[1] / "sample_bots"
BASE = "euchre-arena-base"
TABLES = (1, 64)
PLAIN = "python random"
PATIENCE = 30.0
NO_BASE = {"java", "typescript"}
"""Their containers need an interpreter that the base image has not."""


def sample_bots(wanted: list[str]) -> dict[str, Bot]:
    """Return the bots to measure by what they are called in the table; says which are left out, and why."""
    bots = {PLAIN: parse_bot("random"), "python": parse_bot("heuristic")}
    for path in sorted(SAMPLES.glob("*/bot.toml")):
        language = path.parent.name
        if language != "python":
            bots[language] = parse_bot(str(path))
    for language, bot in list(bots.items()):
        if language != PLAIN and wanted and language not in wanted:
            del bots[language]
            continue
        # What a command names inside the sample's own folder (a program, a script, an archive) is what its build makes.
        named = [Path(bot.directory) / word for word in bot.command if "/" in word and not word.startswith(("/", "-"))]
        missing = [path for path in named if not path.exists()]
        if missing:
            print(f"{language}: not built, there is no {missing[0]}", file=sys.stderr)
            del bots[language]
    return bots


async def keep_playing(referee: Referee, name: str, variant_text: str, number: int) -> None:
    """Play board after board, all seats taken by one instance."""
    variant = parse_variant(variant_text)
    board = 0
    while True:
        await referee.play(
            TableSpec(
                variant=variant,
                instances=(name,) * variant.seats,
                first_dealer=0,
                deck=lambda board, redeal: deck_for(bytes(32), variant, f"bench{number}", board, redeal),
                first_board=board,
            )
        )
        board += 1


async def first_answer(referee: Referee, name: str, variant: str) -> None:
    """Return when the instance has come and answered once."""
    with trio.fail_after(PATIENCE):
        await referee.wait_ready(name)
        before = referee.statistics()["decisions"]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_playing, referee, name, variant, 0)
            while referee.statistics()["decisions"] == before:  # noqa: ASYNC110 (a counter has no event)
                await trio.sleep(0.0005)
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def running(referee: Referee, bot: Bot, name: str) -> AsyncIterator[None]:
    """Hold one process of *bot*."""
    token = referee.admit(name)
    async with open_processes() as processes:
        process = await processes.start(bot, {"EUCHRE_ADDRESS": referee.address, "EUCHRE_TOKEN": token})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.drain)
            try:
                yield
            finally:
                await referee.dismiss(name)
                await process.stop()


async def measure_rate(referee: Referee, bot: Bot, name: str, tables: int, arguments: argparse.Namespace) -> float:
    """Return decisions per second with *tables* tables."""
    async with running(referee, bot, name):
        await first_answer(referee, name, arguments.variant)
        async with trio.open_nursery() as nursery:
            for number in range(tables):
                nursery.start_soon(keep_playing, referee, name, arguments.variant, number)
            await trio.sleep(0.5)
            before, began = referee.statistics()["decisions"], time.perf_counter()
            await trio.sleep(arguments.seconds)
            rate = (referee.statistics()["decisions"] - before) / (time.perf_counter() - began)
            nursery.cancel_scope.cancel()
    return rate


async def measure_start(referee: Referee, bot: Bot, name: str, variant: str) -> float:
    """Return the seconds from starting a process to its first answer."""
    began = time.perf_counter()
    async with running(referee, bot, name):
        await first_answer(referee, name, variant)
        return time.perf_counter() - began


async def measure_container(referee: Referee, socket: Path, image: str, name: str, variant: str) -> float:
    """Return the seconds from asking the engine for a container to the first answer out of it."""
    token = referee.admit(name)
    async with open_containers() as containers:
        began = time.perf_counter()
        box = await containers.start(image, (), {"EUCHRE_TOKEN": token}, socket, name)
        try:
            await first_answer(referee, name, variant)
            return time.perf_counter() - began
        except trio.TooSlowError:
            await box.end()
            raise SystemExit(f"{image} gives no answer: {' | '.join(box.output.lines())}") from None
        finally:
            await referee.dismiss(name)
            await box.stop()


def build_images(languages: list[str]) -> dict[str, str]:
    """Return the image of each language, built from its Dockerfile on the base image."""
    client = connect()
    images = {}
    for language in languages:
        manifest = tomllib.loads((SAMPLES / language / "bot.toml").read_text(encoding="utf-8"))
        image = manifest.get("image")
        if image:
            try:
                client.images.build(path=str(SAMPLES / language), tag=image, rm=True, buildargs={"BASE": BASE})
            except (docker.errors.BuildError, docker.errors.APIError) as error:
                print(f"{language}: no image ({error})", file=sys.stderr)
            else:
                images[language] = image
    client.close()
    return images


async def measure(arguments: argparse.Namespace) -> None:
    """Let all bots take turns, and print the table."""
    bots = sample_bots(arguments.languages)
    images = build_images([name for name in bots if name not in {PLAIN, *NO_BASE}]) if arguments.containers else {}
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "referee"
        async with open_referee(f"unix:{socket}", Policy(decision_seconds=30.0)) as referee:
            open_socket_directory(socket)
            for turn in range(arguments.rounds):
                for language, bot in bots.items():
                    of = found[language]
                    name = f"{language.replace(' ', '-')}.{turn}"
                    of["start"].append(await measure_start(referee, bot, f"{name}.start", arguments.variant))
                    for tables in TABLES:
                        rate = await measure_rate(referee, bot, f"{name}.{tables}", tables, arguments)
                        of[str(tables)].append(rate)
                    if language in images:
                        seconds = await measure_container(
                            referee, socket, images[language], f"{name}.box", arguments.variant
                        )
                        of["container"].append(seconds)
    report(found, arguments)


def report(found: dict[str, dict[str, list[float]]], arguments: argparse.Namespace) -> None:
    """Print the medians as a table of Markdown."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {arguments.variant}, ", end="")
    print(f"medians of {arguments.rounds} rounds of {arguments.seconds:g} s\n")
    print(
        "| bot | decisions/s, 1 table | of `random` | decisions/s, 64 tables | of `random` | start, s | container, s |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    plain = {key: statistics.median(values) for key, values in found[PLAIN].items()}
    for language, of in found.items():
        middle = {key: statistics.median(values) for key, values in of.items()}
        cells = [language if language != PLAIN else "python `random`"]
        for tables in map(str, TABLES):
            cells += [f"{middle[tables]:,.0f}", f"{middle[tables] / plain[tables]:.2f}"]
        cells.append(f"{middle['start']:.2f}")
        cells.append(f"{middle['container']:.2f}" if "container" in middle else "")
        print("| " + " | ".join(cells) + " |")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("languages", nargs="*", help="folders of sample_bots; all that are built if none is given")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--containers", action="store_true", help="start each in fresh containers too; needs Docker")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    bridge.run(measure, arguments)


if __name__ == "__main__":
    main()
