"""A private PostgreSQL server for the store's tests, and a place for each store."""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

_numbers = itertools.count()


def _find_server_programs() -> Path | None:
    """Return the folder of PostgreSQL's server programs, the newest of them, or None."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name))
    return found[-1].parent if found else None


def _as_server_user(command: list[str]) -> list[str]:
    """Return the command for the user ``postgres`` where we are root, as which the server refuses to run."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """Give the folder of the socket of a server of our own, which ends with the tests."""
    programs = _find_server_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server programs (initdb, pg_ctl) are not installed")
    folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data, log = folder / "data", folder / "log"
        initdb = [str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "arena", "--no-sync", "-E", "UTF8"]
        subprocess.run(_as_server_user(initdb), check=True, capture_output=True, cwd="/")
        settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -c max_connections=40"
        start = [str(programs / "pg_ctl"), "-D", str(data), "-l", str(log), "-o", settings, "-w", "-t", "300", "start"]
        stop = [str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop"]
        with _at_our_end(_as_server_user(stop), folder):
            subprocess.run(_as_server_user(start), check=True, stdout=subprocess.DEVNULL, cwd="/")
            yield str(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _at_our_end(stop: list[str], folder: Path) -> Iterator[None]:
    """Stop the server and remove its folder when the block ends, or this process does, however it is killed.

    A shell of its own session waits for the end of its input, which we hold.
    """
    script = f"read _; {shlex.join(stop)} > /dev/null 2>&1; rm -rf {shlex.quote(str(folder))}"
    with subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, start_new_session=True, cwd="/") as watcher:
        yield
        assert watcher.stdin is not None
        watcher.stdin.close()
        watcher.wait()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give a place for a store that does not exist yet, in each of the two databases."""
    if request.param == "sqlite":
        return str(tmp_path / "results.db")
    folder = request.getfixturevalue("postgresql_server")
    name = f"results{next(_numbers)}"
    server = sa.create_engine(f"postgresql+psycopg://arena@/postgres?host={folder}", isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {name}"))  # fifty times faster than a database
    server.dispose()
    return f"postgresql://arena@/postgres?host={folder}&options=-csearch_path%3D{name}"
