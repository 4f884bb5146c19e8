"""A real engine and an image of programs that try to get out."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from arena.errors import OperatorError
from arena.sandbox import connect

BASE = "euchre-arena-base"
_HERE = Path(__file__).parent


def _unavailable(reason: str) -> None:
    pytest.skip(f"{reason}; tools/docker_engine.sh makes one")


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    try:
        client = connect()
    except OperatorError as error:
        _unavailable(str(error))
    if not client.images.list(BASE):
        _unavailable(f"no image {BASE}")
    yield client
    client.close()


@pytest.fixture(scope="session")
def image(engine: docker.DockerClient) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        context = Path(name)
        (context / "hostile.py").write_bytes((_HERE / "hostile.py").read_bytes())
        (context / "Dockerfile").write_text(
            f'FROM {BASE}\nCOPY hostile.py /hostile.py\nENTRYPOINT ["python3", "-u", "/hostile.py"]\n'
        )
        (context / "hostile.py").chmod(0o644)
        tag = f"euchre-arena-hostile:{os.getpid()}"  # nobody else's, whatever else runs on this engine
        engine.images.build(path=name, tag=tag, rm=True)
    yield tag
    engine.images.remove(tag, force=True)
