"""The file of a standing referee: where bots dial in, who may, and where the numbers are.

::

    listen = "0.0.0.0:7777"         # where bots dial in
    metrics = "127.0.0.1:9464"      # where Prometheus asks; left out: nowhere
    tokens = "tokens.json"          # hashes of the entrants' tokens
    entrants = ["ann", "bob"]       # who may come in; left out: everybody who has a token
    control = "referee.sock"        # where nights on this machine ask for seats
    drain_seconds = 30              # after SIGTERM, for matches that are being played
    wait_seconds = 60               # at the start of a night, for entrants who are not there yet

    [tls]
    certificate = "server.pem"
    key = "server.key"
    client_roots = "roots.pem"      # left out: bots need no certificate

    [policy]                        # limits at the door; clocks and strikes are the night's
    max_streams = 1024

Paths start at the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.bots import check_name
from arena.errors import OperatorError
from arena.variants import read_toml
from referee.rules.errors import nearest
from referee.service.doors import AddressError, Tls, checked_address
from referee.service.entrants import Entrants, TokenFileError
from referee.service.policy import Policy, PolicyError

DEFAULT_LISTEN: Final = "127.0.0.1:7777"
DEFAULT_TOKENS: Final = "tokens.json"
DEFAULT_DRAIN_SECONDS: Final = 30.0
DEFAULT_WAIT_SECONDS: Final = 60.0
_KEYS: Final = ("listen", "metrics", "tokens", "entrants", "control", "drain_seconds", "wait_seconds", "tls", "policy")
_TLS_KEYS: Final = ("certificate", "key", "client_roots")
_DOOR_KEYS: Final = (
    "hello_seconds",
    "goodbye_seconds",
    "ping_seconds",
    "max_frame_bytes",
    "max_streams",
    "max_new_streams_per_second",
    "socket_mode",
)
"""What of a policy concerns the door."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeFile:
    """A standing referee, ready to be opened."""

    path: Path
    listen: str = DEFAULT_LISTEN
    metrics: str = ""
    tokens: Path
    allowed: frozenset[str] | None = None
    """Who may come in; ``None``: everybody who has a token."""
    control: Path
    drain_seconds: float = DEFAULT_DRAIN_SECONDS
    wait_seconds: float = DEFAULT_WAIT_SECONDS
    """How long a night waits at its start for entrants who are not there yet."""
    tls_files: Mapping[str, Path] = field(default_factory=dict)
    policy: Policy = field(default_factory=Policy)

    def tls(self) -> Tls | None:
        """Return the certificates, read now; ``None`` where there are none.

        :raises OperatorError: if one cannot be read.
        """
        files = self.tls_files
        if not files:
            return None
        try:
            return Tls.from_files(files["certificate"], files["key"], files.get("client_roots"))
        except AddressError as error:
            raise OperatorError(f"{self.path}: tls: {error}") from None

    def open_entrants(self) -> Entrants:
        """Return the entrants and their tokens.

        :raises OperatorError: if their file cannot be used.
        """
        try:
            return Entrants(self.tokens)
        except TokenFileError as error:
            raise OperatorError(str(error)) from None

    def check_entrant(self, name: str) -> str:
        """Return *name* as it may dial in.

        :raises OperatorError: if nobody may under that name.
        """
        name = check_name(name)
        if self.allowed is not None and name not in self.allowed:
            raise OperatorError(
                f"{name!r} is not among the entrants of {self.path}{nearest(name, sorted(self.allowed))}; "
                f"they are {', '.join(sorted(self.allowed))}"
            )
        return name


def load_referee(path: Path) -> RefereeFile:
    """Return the standing referee written in the TOML file *path*.

    :raises OperatorError: naming the file, the key and what would work.
    """
    try:
        return _referee(_Table(path, read_toml(path, "referee file")))
    except (PolicyError, AddressError) as error:
        raise OperatorError(f"{path}: {error}") from None
    except OperatorError as error:
        raise OperatorError(f"{path}: {error}" if not str(error).startswith(str(path)) else str(error)) from None


def _referee(table: _Table) -> RefereeFile:
    table.check(_KEYS)
    directory = table.path.absolute().parent
    door = table.table("policy")
    for key in door.values:
        if key in Policy.__dataclass_fields__ and key not in _DOOR_KEYS:
            raise OperatorError(f"{table.path}: policy.{key} belongs to the game; set it in the night's [policy]")
    door.check(_DOOR_KEYS)
    tls = table.table("tls")
    tls.check(_TLS_KEYS)
    names = table.names("entrants")
    control = directory / table.text("control", f"{table.path.stem}.sock")
    checked_address(f"unix:{control}")
    return RefereeFile(
        path=table.path,
        listen=checked_address(table.text("listen", DEFAULT_LISTEN)),
        metrics=table.text("metrics", ""),
        tokens=directory / table.text("tokens", DEFAULT_TOKENS),
        allowed=names,
        control=control,
        drain_seconds=table.seconds("drain_seconds", DEFAULT_DRAIN_SECONDS),
        wait_seconds=table.seconds("wait_seconds", DEFAULT_WAIT_SECONDS),
        tls_files=_tls_files(tls, directory),
        policy=Policy(**door.values),
    )


def _tls_files(tls: _Table, directory: Path) -> dict[str, Path]:
    files = {key: directory / tls.text(key, "") for key in tls.values}
    for key in ("certificate", "key"):
        if files and key not in files:
            raise OperatorError(f"{tls.path}: tls.{key} is missing; TLS needs a certificate and its key")
    return files


class _Table:
    """A table of the file, and where it stands."""

    def __init__(self, path: Path, values: Mapping[str, Any], prefix: str = "") -> None:
        self.path = path
        self.values = values
        self._prefix = prefix

    def check(self, known: tuple[str, ...]) -> None:
        """Refuse keys that nobody asked for."""
        for key in self.values:
            if key not in known:
                what = f"[{self._prefix[:-1]}]" if self._prefix else "a referee file"
                raise OperatorError(
                    f"{self.path}: no key {self._prefix + key!r}{nearest(key, known)}; {what} has {', '.join(known)}"
                )

    def text(self, key: str, default: str) -> str:
        value = self.values.get(key, default)
        if not isinstance(value, str) or (key in self.values and not value.strip()):
            raise OperatorError(f"{self.path}: {self._prefix}{key} is a text, not {value!r}")
        return value.strip()

    def table(self, key: str) -> _Table:
        values = self.values.get(key, {})
        if not isinstance(values, dict):
            raise OperatorError(f"{self.path}: {key} is a table [{key}], not {values!r}")
        return _Table(self.path, values, f"{key}.")

    def names(self, key: str) -> frozenset[str] | None:
        if key not in self.values:
            return None
        values = self.values[key]
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise OperatorError(f'{self.path}: {key} is a list of names, as in {key} = ["ann", "bob"], not {values!r}')
        return frozenset(check_name(value) for value in values)

    def seconds(self, key: str, default: float) -> float:
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 3600:
            raise OperatorError(f"{self.path}: {key} is a number of seconds up to 3600, not {value!r}")
        return float(value)
