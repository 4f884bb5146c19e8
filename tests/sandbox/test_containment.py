"""Programs that try to get out of their container are contained, and nothing of them is left."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import docker
import pytest
import trio

from arena.errors import InfrastructureError, OperatorError
from arena.sandbox import (
    OWNER_LABEL,
    RUN_LABEL,
    BotContainer,
    Containers,
    Limits,
    check_image,
    open_containers,
    owner_lives,
    process_identity,
    sweep,
)
from tests.machine import file_sizes
from tests.sandbox.conftest import BASE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docker")]

LIMITS = Limits(memory_bytes=96 * 1024 * 1024, processes=24, log_bytes=256 * 1024)


def run_contained(
    image: str, what: str, directory: Path, act: Callable[[BotContainer], Awaitable[None]] | None = None
) -> BotContainer:
    """Run one hostile program to its end (or until *act* returns) and return what is known of it."""

    async def main() -> BotContainer:
        async with open_containers(LIMITS) as containers:
            container = await start(containers, image, what, directory)
            with trio.fail_after(60):
                if act is None:
                    await container.wait()
                else:
                    await act(container)
            await container.stop()
            return container

    return trio.run(main)


async def start(containers: Containers, image: str, what: str, directory: Path) -> BotContainer:
    return await containers.start(image, [what], {"EUCHRE_TOKEN": "secret"}, directory / "referee.sock", what)


def left_over(engine: docker.DockerClient) -> list[str]:
    found = engine.containers.list(all=True, filters={"label": RUN_LABEL}, ignore_removed=True)
    return [c.name for c in found if not owner_lives(c.labels[OWNER_LABEL]) or c.labels[OWNER_LABEL] == identity()]


def identity() -> str:
    found = process_identity(os.getpid())
    assert found is not None
    return found


def test_there_is_no_network(engine: docker.DockerClient, image: str, tmp_path: Path) -> None:
    lines = run_contained(image, "network", tmp_path).output.lines(20)
    assert lines[0] == "interfaces lo"
    assert len(lines) == 4
    assert all(line.startswith("refused") for line in lines[1:])
    assert left_over(engine) == []


def test_only_scratch_can_be_written_and_nothing_of_the_host_read(image: str, tmp_path: Path) -> None:
    lines = run_contained(image, "files", tmp_path).output.lines(20)
    assert len(lines) == 7
    # PID 1 is the container's own init; all else is refused.
    assert [line for line in lines if not line.startswith("refused")] in ([], ["read /proc/1/environ"])


def test_a_bot_is_nobody_without_capabilities_and_sees_itself_alone(image: str, tmp_path: Path) -> None:
    lines = run_contained(image, "who", tmp_path).output.lines(20)
    assert lines[0] == "uid 65534"
    assert "CapEff: 0000000000000000" in lines[1].replace("\t", " ").replace("?", " ")
    assert re.search(r"NoNewPrivs:\W*1", lines[1])
    assert int(lines[2].split()[1]) <= 3


def test_a_fork_bomb_stops_at_the_limit(engine: docker.DockerClient, image: str, tmp_path: Path) -> None:
    """KT-50."""
    container = run_contained(image, "fork", tmp_path)
    (line,) = (line for line in container.output.lines(50) if line.startswith("forks"))
    assert int(line.split()[1]) < LIMITS.processes
    assert left_over(engine) == []


def test_memory_is_bounded_and_the_reason_is_known(image: str, tmp_path: Path) -> None:
    """KT-50."""
    container = run_contained(image, "memory", tmp_path)
    assert container.ending is not None
    assert container.ending.out_of_memory
    assert container.ending_text() == "killed: out of memory"
    last = container.output.lines(1)[0]
    assert int(last.split()[1]) * 1024 * 1024 <= LIMITS.memory_bytes


def test_scratch_space_is_bounded(image: str, tmp_path: Path) -> None:
    (line,) = run_contained(image, "disk", tmp_path).output.lines(5)
    assert int(line.split()[1]) <= LIMITS.scratch_bytes
    assert line.endswith("errno 28")


def test_a_log_is_bounded_and_its_end_is_kept(engine: docker.DockerClient, image: str, tmp_path: Path) -> None:
    sizes: list[int] = []

    async def act(container: BotContainer) -> None:
        await container.wait()
        identifier = container._container.id
        root = Path(engine.info()["DockerRootDir"]) / "containers" / identifier / "local-logs"
        if root.is_dir() and os.access(root, os.R_OK):
            sizes.append(sum(file_sizes(root).values()))

    container = run_contained(image, "log", tmp_path, act)
    assert container.output.lines(1) == ["the end"]
    assert all(size <= 3 * LIMITS.log_bytes for size in sizes)


def test_a_program_that_ignores_every_polite_word_is_ended(
    engine: docker.DockerClient, image: str, tmp_path: Path
) -> None:
    async def act(container: BotContainer) -> None:
        while not container.output.lines(1):
            await container._read_log()
            await trio.lowlevel.checkpoint()

    run_contained(image, "stay", tmp_path, act)
    assert left_over(engine) == []


def test_a_container_with_a_bad_entry_point_ends_at_once_and_says_so(
    engine: docker.DockerClient, tmp_path: Path
) -> None:
    """KT-48 (i)."""

    async def main() -> BotContainer:
        async with open_containers(LIMITS) as containers:
            container = await containers.start(BASE, ["/no/such/program"], {}, tmp_path / "referee.sock", "bad")
            with trio.fail_after(30):
                assert await container.wait() == 127
            await container.stop()
            return container

    assert "/no/such/program" in trio.run(main).output.lines(1)[0]
    assert left_over(engine) == []


def test_what_the_engine_refuses_is_our_own_fault(engine: docker.DockerClient, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_containers(Limits(memory_bytes=1)) as containers:
            with pytest.raises(InfrastructureError, match="refused a container"):
                await containers.start(BASE, [], {}, tmp_path / "referee.sock", "tiny")

    trio.run(main)
    assert left_over(engine) == []


def test_a_killed_run_is_swept_and_a_living_one_is_not(engine: docker.DockerClient, image: str, tmp_path: Path) -> None:
    """KT-52: run 1 is killed with signal 9, run 2 lives, run 3 sweeps run 1 alone."""
    program = (
        "import sys, trio, pathlib\n"
        "from arena.sandbox import open_containers\n"
        "async def main():\n"
        "    async with open_containers() as c:\n"
        "        await c.start(sys.argv[1], ['stay'], {}, pathlib.Path(sys.argv[2]) / 's', 'stay')\n"
        "        print(c.run, flush=True)\n"
        "        await trio.sleep_forever()\n"
        "trio.run(main)\n"
    )
    command = [sys.executable, "-c", program, image, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as dead:
        assert dead.stdout is not None
        first = dead.stdout.readline().strip()
        dead.kill()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as alive:
        assert alive.stdout is not None
        second = alive.stdout.readline().strip()
        sweep(engine)
        runs = {
            c.labels[RUN_LABEL]
            for c in engine.containers.list(all=True, filters={"label": RUN_LABEL}, ignore_removed=True)
        }
        alive.kill()
    assert first not in runs
    assert second in runs
    sweep(engine)
    assert left_over(engine) == []


def test_an_image_that_is_not_there_is_named(engine: docker.DockerClient) -> None:
    with pytest.raises(OperatorError, match="no image 'euchre-no-such-image'"):
        check_image(engine, "euchre-no-such-image")
