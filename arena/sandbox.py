"""Bots in containers: one for each seat instance, with no way out but the referee's socket.

A container has no network, a read-only root, no capabilities, no new privileges, a user that is not root, and limits on
memory (swap included), CPU, processes and log size; its only mounts are the directory of the referee's unix socket and
a small scratch ``/tmp`` in its own memory. It is labelled at creation with the run it belongs to and with the process
that owns the run, so whatever is left of a run that was killed can be told from the containers of one that lives, and
is swept by label, never by name or image.

The Docker SDK blocks, so each of its calls runs in a thread of trio's; nothing else here does.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import docker
import docker.errors
import requests.exceptions
import trio
from docker.types import LogConfig, Mount

from arena.errors import InfrastructureError, OperatorError
from arena.launch import Tail

T = TypeVar("T")

RUN_LABEL: Final = "euchre-arena.run"
"""Label: the run a container belongs to."""
OWNER_LABEL: Final = "euchre-arena.owner"
"""Label: the process that owns the run, as ``PID:START`` of the host (see :func:`process_identity`)."""
SOCKET_DIRECTORY: Final = "/run/euchre"
"""Where a bot finds the referee's socket inside its container."""

_STOP_SECONDS: Final = 1
_CALL_SECONDS: Final = 60
_MOST_THREADS: Final = 256
"""One blocked waiter for each container, and a few calls beside them."""
_LOG_LINES: Final = 200
_NOBODY: Final = "65534:65534"
_TRIES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one container may use."""

    memory_bytes: int = 512 * 1024 * 1024
    """Memory and swap together, scratch space included."""
    cpus: float = 1.0
    processes: int = 64
    """Processes and threads."""
    scratch_bytes: int = 16 * 1024 * 1024
    """Size of ``/tmp``."""
    log_bytes: int = 1024 * 1024
    """Size of the log kept by the engine, in each of two files."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a container ended."""

    code: int
    out_of_memory: bool
    """The kernel ended it, or a process in it, for using more than its memory."""

    def text(self) -> str:
        """Return it in words: ``exit code 3``, ``killed: out of memory``, ``killed``."""
        if self.out_of_memory:
            return "killed: out of memory"
        return "killed" if self.code == 137 else f"exit code {self.code}"


def process_identity(pid: int) -> str | None:
    """Return what names a living process even when numbers are used again, ``None`` if there is none.

    The number with the start time of the process (field 22 of its ``stat``, in clock ticks since boot).
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    after_name = stat.rpartition(")")[2].split()
    return None if after_name[0] == "Z" else f"{pid}:{after_name[19]}"


def owner_lives(label: str) -> bool:
    """Tell whether the process that :data:`OWNER_LABEL` names still runs."""
    number = label.partition(":")[0]
    return number.isdecimal() and process_identity(int(number)) == label


def connect() -> docker.DockerClient:
    """Return a client of the local engine.

    :raises OperatorError: if no engine answers.
    """
    try:
        client = docker.from_env(timeout=_CALL_SECONDS)
        client.ping()
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
        raise OperatorError(
            f"no Docker engine answers ({_short(error)}); start one, or use --isolation process"
        ) from None
    return client


def check_image(client: docker.DockerClient, image: str) -> None:
    """Raise :class:`OperatorError` if *image* is not on this machine; nothing is ever pulled."""
    try:
        client.images.get(image)
    except docker.errors.ImageNotFound:
        raise OperatorError(
            f"no image {image!r} on this machine; build or load it first (docker build -t {image} .)"
        ) from None
    except docker.errors.APIError as error:
        raise OperatorError(f"image {image!r} cannot be used: {_short(error)}") from None


def sweep(client: docker.DockerClient, run: str | None = None) -> int:
    """Remove, in any state, the containers of *run*, or of every run whose owner is dead; return how many."""
    label = f"{RUN_LABEL}={run}" if run is not None else RUN_LABEL
    removed = 0
    for container in client.containers.list(all=True, filters={"label": label}, ignore_removed=True):
        if run is None and owner_lives(container.labels.get(OWNER_LABEL, "")):
            continue
        with suppress(docker.errors.NotFound):
            container.remove(force=True, v=True)
            removed += 1
    return removed


class Containers:
    """The containers of one worker. Made by :func:`open_containers`."""

    def __init__(self, client: docker.DockerClient, limits: Limits) -> None:
        self.run = secrets.token_hex(8)
        self._client = client
        self._limits = limits
        self._threads = trio.CapacityLimiter(_MOST_THREADS)
        identity = process_identity(os.getpid())
        assert identity is not None  # noqa: S101 (we are running)
        self._labels = {RUN_LABEL: self.run, OWNER_LABEL: identity}

    async def call(self, function: Callable[[], T], *, abandon: bool = False) -> T:
        """Return what a blocking call of the SDK returns, without blocking anybody else."""
        return await trio.to_thread.run_sync(function, abandon_on_cancel=abandon, limiter=self._threads)

    async def start(
        self, image: str, arguments: Sequence[str], variables: Mapping[str, str], socket: Path, name: str
    ) -> BotContainer:
        """Start one container of *image* that may reach *socket*; *name* is the instance, for people.

        *arguments* take the place of the image's command, and follow its entry point.

        ``EUCHRE_ADDRESS`` is set to the socket as the container sees it.

        :raises OSError: if it cannot be started (a bad entry point, say).
        :raises InfrastructureError: if the engine fails.
        """
        settings = self._settings(image, variables, socket, name)
        if arguments:
            settings["command"] = list(arguments)
        container = await self._create(settings)
        try:
            await self.call(container.start)
        except docker.errors.APIError as error:
            await self.call(lambda: _remove(container))
            raise OSError(f"image {image} does not start: {_short(error)}") from None
        return BotContainer(container, self)

    async def _create(self, settings: dict[str, Any]) -> Any:
        """Create a container. A call that timed out may have made one all the same, so it is looked for first."""
        for attempt in range(_TRIES):
            try:
                return await self.call(lambda: self._client.containers.create(**settings))
            except docker.errors.APIError as error:
                raise InfrastructureError(f"the Docker engine refused a container: {_short(error)}") from error
            except requests.exceptions.RequestException as error:
                await self.call(lambda: self._remove_named(settings["name"]))
                if attempt + 1 == _TRIES:
                    raise InfrastructureError(f"the Docker engine does not answer: {_short(error)}") from error
        raise AssertionError("a last try returns or raises")

    def _remove_named(self, name: str) -> None:
        with suppress(docker.errors.NotFound):
            container = self._client.containers.get(name)
            if container.labels.get(RUN_LABEL) == self.run:
                container.remove(force=True, v=True)

    def _settings(self, image: str, variables: Mapping[str, str], socket: Path, name: str) -> dict[str, Any]:
        limits = self._limits
        address = f"unix:{SOCKET_DIRECTORY}/{socket.name}"
        return {
            "image": image,
            "name": f"euchre-{self.run}-{name}",
            "labels": self._labels,
            "environment": {**variables, "EUCHRE_ADDRESS": address},
            "network_mode": "none",
            "read_only": True,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges"],
            "user": _NOBODY,
            "mounts": [Mount(SOCKET_DIRECTORY, str(socket.parent), type="bind", read_only=True)],
            "tmpfs": {"/tmp": f"size={limits.scratch_bytes},mode=1777,nosuid,nodev"},  # noqa: S108 (the container's own)
            "mem_limit": limits.memory_bytes,
            "memswap_limit": limits.memory_bytes,
            "nano_cpus": int(limits.cpus * 1e9),
            "pids_limit": limits.processes,
            "ipc_mode": "private",
            "init": True,
            "stdin_open": False,
            "log_config": LogConfig(
                type="local",
                config={
                    "max-size": str(limits.log_bytes),
                    "max-file": "2",
                    "mode": "non-blocking",
                    "compress": "false",
                },
            ),
        }


@asynccontextmanager
async def open_containers(limits: Limits | None = None) -> AsyncIterator[Containers]:
    """Hold a connection to the engine; remove what killed runs left, and on leaving whatever this run made.

    :raises OperatorError: if no engine answers.
    """
    client = await trio.to_thread.run_sync(connect)
    containers = Containers(client, limits or Limits())
    try:
        await containers.call(lambda: sweep(client))
        yield containers
    finally:
        with trio.CancelScope(shield=True):
            await containers.call(lambda: sweep(client, containers.run))
            client.close()


def open_socket_directory(socket: Path) -> None:
    """Let the user of a container reach *socket*. Who may play is decided by the token, not by the file's mode."""
    socket.parent.chmod(0o711)
    socket.chmod(0o666)


class BotContainer:
    """One running container; the same questions as ``arena.launch.BotProcess``."""

    def __init__(self, container: Any, owner: Containers) -> None:
        self._container = container
        self._owner = owner
        self.output = Tail()
        """What it printed last, on either stream; read when it has ended."""
        self.ending: Ending | None = None

    async def wait(self) -> int:
        """Wait until it has exited and its log is read; return the exit code."""
        answer = await self._owner.call(lambda: self._container.wait(timeout=None), abandon=True)
        await self._read_log()
        state = await self._owner.call(self._state)
        self.ending = Ending(int(answer["StatusCode"]), bool(state.get("OOMKilled")))
        return self.ending.code

    def ending_text(self) -> str:
        """Return how it ended, in words."""
        return "still running" if self.ending is None else self.ending.text()

    async def stop(self) -> None:
        """Ask it to leave, then end it and everything in it, and remove it. Never fails."""
        with trio.CancelScope(shield=True):
            with suppress(docker.errors.APIError, requests.exceptions.RequestException):
                await self._owner.call(lambda: self._container.stop(timeout=_STOP_SECONDS))
            await self.end()

    async def end(self) -> None:
        """End it now and remove it; its log is kept."""
        with trio.CancelScope(shield=True):
            await self._read_log()
            with suppress(docker.errors.APIError, requests.exceptions.RequestException):
                await self._owner.call(lambda: _remove(self._container))

    def _state(self) -> dict[str, Any]:
        with suppress(docker.errors.NotFound):
            self._container.reload()
        state: dict[str, Any] = self._container.attrs["State"]
        return state

    async def _read_log(self) -> None:
        with suppress(docker.errors.APIError, requests.exceptions.RequestException):
            tail = await self._owner.call(lambda: self._container.logs(tail=_LOG_LINES))
            self.output = Tail()
            self.output.add(tail)


def _remove(container: Any) -> None:
    with suppress(docker.errors.NotFound):
        container.remove(force=True, v=True)


def _short(error: BaseException) -> str:
    """Return the gist of an engine's error in one line."""
    explanation = getattr(error, "explanation", None)
    text = explanation.decode() if isinstance(explanation, bytes) else str(explanation or error)
    return " ".join(text.split())[:200]
