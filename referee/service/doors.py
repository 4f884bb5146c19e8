"""Who may come in: tokens, addresses, certificates."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_KEY_BYTES: Final = 6
_SECRET_BYTES: Final = 24


class Tokens:
    """The tokens that are valid now, each bound to one instance. Only their hashes are kept.

    A token is ``KEY.SECRET``, hexadecimal: the key finds the entry, the SHA-256 of the whole is compared in constant
    time.
    """

    def __init__(self) -> None:
        self._by_key: dict[str, tuple[bytes, str]] = {}
        self._nobody = hashlib.sha256(secrets.token_bytes(32)).digest()

    def issue(self, instance: str) -> str:
        """Return a new token for *instance*. It is not kept and cannot be shown again."""
        token = new_token()
        self._by_key[token.partition(".")[0]] = (token_digest(token), instance)
        return token

    def instance(self, token: str) -> str | None:
        """Return the instance that *token* was issued to, ``None`` if it is not valid."""
        digest, instance = self._by_key.get(token.partition(".")[0], (self._nobody, ""))
        return instance if hmac.compare_digest(digest, token_digest(token)) else None

    def revoke(self, instance: str) -> None:
        """Make every token of *instance* invalid."""
        self._by_key = {key: entry for key, entry in self._by_key.items() if entry[1] != instance}


def new_token() -> str:
    """Return a token nobody can guess: ``KEY.SECRET``, hexadecimal."""
    return f"{secrets.token_hex(_KEY_BYTES)}.{secrets.token_hex(_SECRET_BYTES)}"


def token_digest(token: str) -> bytes:
    """Return what is kept of a token: its SHA-256. It is random enough to need no salt."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


class AddressError(ValueError):
    """An address that cannot be listened on. The organiser's mistake; the message says what would work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """Certificates, as PEM files' contents."""

    certificate: bytes
    """The server's certificate and those between it and its root."""
    key: bytes
    client_roots: bytes | None = None
    """Where set, a bot must show a certificate signed by one of these."""

    @classmethod
    def from_files(cls, certificate: Path, key: Path, client_roots: Path | None = None) -> Tls:
        """Return the certificates in these files.

        :raises AddressError: if one cannot be read.
        """
        try:
            return cls(
                certificate=certificate.read_bytes(),
                key=key.read_bytes(),
                client_roots=client_roots.read_bytes() if client_roots is not None else None,
            )
        except OSError as error:
            raise AddressError(f"cannot read a certificate: {error}") from None


def checked_address(address: str) -> str:
    """Return *address* if it is ``unix:/path`` in an existing folder, or ``host:port``.

    :raises AddressError: if not.
    """
    if address.startswith("unix:"):
        path = Path(address.removeprefix("unix:"))
        if not path.is_absolute():
            raise AddressError(f"{address!r}: the path of a unix socket must be absolute")
        if not path.parent.is_dir():
            raise AddressError(f"{address!r}: there is no folder {path.parent}")
        if len(bytes(path)) > _LONGEST_SOCKET_PATH:
            raise AddressError(f"{address!r}: a socket's path has at most {_LONGEST_SOCKET_PATH} bytes")
        return address
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > _HIGHEST_PORT:
        raise AddressError(f"{address!r} is no address; write unix:/path/to/socket, or host:port (port 0: any free)")
    return address


def is_local(address: str) -> bool:
    """Tell whether *address* can be reached from this machine only."""
    host = address.rpartition(":")[0].strip("[]")
    return address.startswith("unix:") or host in ("localhost", "::1") or host.startswith("127.")


_LONGEST_SOCKET_PATH: Final = 107
_HIGHEST_PORT: Final = 65535
