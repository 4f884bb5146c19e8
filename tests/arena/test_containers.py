"""A match whose bots sit in containers, over the real engine."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from arena.bots import parse_bot
from arena.errors import OperatorError
from arena.job import INFRASTRUCTURE, NO_SHOW, JobResult, play_job
from arena.journal import leg_result
from arena.league import check_images
from arena.match import MatchOrder, night_of
from arena.night import Settings
from tests.arena.test_job import bot, job
from tests.sandbox.conftest import BASE, engine

__all__ = ["engine"]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docker")]

IMAGE = f"euchre-arena-scripted:{os.getpid()}"
NEEDED = ("grpc", "google.protobuf", "google._upb._message", "euchre.v1", "typing_extensions")
"""What a bot needs beside Python."""


@pytest.fixture(scope="module")
def image(engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    said = engine.containers.run(BASE, ["python3", "-c", "import sys; print(*sys.version_info[:2])"], remove=True)
    if said.split() != [str(part).encode() for part in sys.version_info[:2]]:
        pytest.skip(f"the image has Python {said.decode().strip()}, and grpcio is copied from this one's")
    context = tmp_path_factory.mktemp("image")
    for name in NEEDED:
        found = importlib.import_module(name).__file__
        assert found is not None
        target = context.joinpath("lib", *name.split("."))
        if Path(found).name == "__init__.py":
            shutil.copytree(Path(found).parent, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, target.parent)
    shutil.copy(Path(__file__).parents[1] / "bots" / "scripted.py", context)
    lines = [
        f"FROM {BASE}",
        "COPY lib /lib-bot",
        "COPY scripted.py /scripted.py",
        "ENV PYTHONPATH=/lib-bot",
        'ENTRYPOINT ["python3", "-u", "/scripted.py"]',
    ]
    (context / "Dockerfile").write_text("\n".join(lines) + "\n")
    for path in context.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    engine.images.build(path=str(context), tag=IMAGE, rm=True)
    yield IMAGE
    engine.images.remove(IMAGE, force=True)


def play(cue: str, image: str, boards: int = 2) -> JobResult:
    boxed = parse_bot(f"bob=docker:{image} {cue}")
    return play_job(job([bot("ann", "first"), boxed], boards=boards, settings=Settings(start_seconds=20.0)))


def ours(engine: docker.DockerClient) -> list[object]:
    return list(engine.containers.list(all=True, filters={"label": "euchre-arena.run"}))


def test_a_bot_in_a_container_plays_what_it_plays_as_a_process(engine: docker.DockerClient, image: str) -> None:
    boxed = [replace(leg_result("n", one.record), seconds=0.0, record="") for one in play("last", image).legs]
    bare = play_job(job([bot("ann", "first"), bot("bob", "last")], boards=2))
    assert boxed == [replace(leg_result("n", one.record), seconds=0.0, record="") for one in bare.legs]
    assert not ours(engine)


def test_a_container_that_leaves_at_once_is_a_no_show_with_its_log(engine: docker.DockerClient, image: str) -> None:
    """KT-48."""
    (note,) = play("exit", image).end.notes
    assert (note.kind, note.entrant) == (NO_SHOW, "bob")
    assert "exit code 3" in note.text
    assert "cannot open my opening book" in note.text
    assert not ours(engine)


def test_a_container_that_crashes_is_started_again(engine: docker.DockerClient, image: str) -> None:
    result = play("crash 5", image, boards=3)
    assert len(result.legs) == 6
    assert any(note.entrant == "bob" and "exit code 7" in note.text for note in result.end.notes)
    assert all(note.kind != INFRASTRUCTURE for note in result.end.notes)
    assert not ours(engine)


def test_an_image_that_is_not_there_is_told_before_the_first_deal(engine: docker.DockerClient) -> None:
    night, *_ = night_of(MatchOrder(entrant="random", opponent="docker:no/such:1", variants=["standard"], boards=1))
    assert sorted(night.bots) == ["random", "such"]
    with pytest.raises(OperatorError, match="no image 'no/such:1' on this machine"):
        check_images(night)
