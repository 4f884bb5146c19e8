"""Who may dial in: the entrants of a standing referee and their tokens, kept as hashes in one file."""

from __future__ import annotations

import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from referee.service.doors import new_token, token_digest

LABEL_MARK: Final = "+"
"""Between a token and the label of one copy of a bot: ``TOKEN+COPY``."""


class TokenFileError(ValueError):
    """The file of tokens cannot be used. The organiser's mistake; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    sha256: str
    """Of the whole token."""
    made: str
    """When, in UTC."""


class Entrants:
    """Names and hashed tokens. The file is read again when it has changed, so that a new token works at once."""

    def __init__(self, path: Path) -> None:
        """Take the file *path*; one that is not there holds nobody.

        :raises TokenFileError: if it cannot be read.
        """
        self.path = path
        self._entries: dict[str, _Entry] = {}
        self._by_key: dict[str, tuple[bytes, str]] = {}
        self._nobody = token_digest(secrets.token_hex(32))
        self._stamp: tuple[int, int, int] | None = None
        self._read()

    @property
    def names(self) -> tuple[str, ...]:
        """Return everybody who has a token, sorted."""
        self._refresh()
        return tuple(sorted(self._entries))

    def entrant(self, token: str) -> str | None:
        """Return the entrant that *token* was made for, ``None`` if it is not valid. Compares in constant time."""
        self._refresh()
        digest, name = self._by_key.get(token.partition(".")[0], (self._nobody, ""))
        return name if hmac.compare_digest(digest, token_digest(token)) else None

    def new_token(self, name: str) -> str:
        """Return a new token of *name*, in place of the one it may have had. It cannot be shown again.

        :raises TokenFileError: if the file cannot be written.
        """
        self._read()
        token = new_token()
        made = datetime.now(UTC).isoformat(timespec="seconds")
        self._write({**self._entries, name: _Entry(token.partition(".")[0], token_digest(token).hex(), made)})
        return token

    def revoke(self, name: str) -> bool:
        """Make the token of *name* invalid; tell whether it had one.

        :raises TokenFileError: if the file cannot be written.
        """
        self._read()
        had = name in self._entries
        self._write({other: entry for other, entry in self._entries.items() if other != name})
        return had

    # -- the file ----------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read the file if it has changed; a file that is being spoilt leaves everything as it was."""
        if self._stamp != _stamp_of(self.path):
            with suppress(TokenFileError):
                self._read()

    def _read(self) -> None:
        stamp = _stamp_of(self.path)
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            self._take({}, None)
            return
        except (OSError, UnicodeDecodeError) as error:
            raise TokenFileError(f"{self.path} cannot be read: {error}") from None
        try:
            held = json.loads(text)["entrants"]
            entries = {str(name): _Entry(**entry) for name, entry in held.items()}
            digests = [bytes.fromhex(entry.sha256) for entry in entries.values()]
        except (ValueError, TypeError, KeyError, AttributeError):
            raise TokenFileError(f"{self.path} is no file of tokens; 'euchre-arena token' writes them") from None
        if any(len(digest) != len(self._nobody) for digest in digests):
            raise TokenFileError(f"{self.path}: a hash in it is cut short; make that token again")
        self._take(entries, stamp)

    def _take(self, entries: Mapping[str, _Entry], stamp: tuple[int, int, int] | None) -> None:
        self._entries = dict(entries)
        self._by_key = {entry.key: (bytes.fromhex(entry.sha256), name) for name, entry in entries.items()}
        self._stamp = stamp

    def _write(self, entries: Mapping[str, _Entry]) -> None:
        """Put *entries* in place of the file in one step; nobody but its owner may read it."""
        text = json.dumps({"entrants": {name: asdict(entries[name]) for name in sorted(entries)}}, indent=2) + "\n"
        try:
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(self.path)
        except OSError as error:
            raise TokenFileError(f"{self.path} cannot be written: {error.strerror}") from None
        self._read()


def _stamp_of(path: Path) -> tuple[int, int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino)
