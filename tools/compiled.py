"""Make the compiled build in a copy of the working tree, ``build/compiled``, where tests and benchmarks can run on it.

A copy, because an extension beside its source would go on being imported after the source has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "compiled"
COMPILED = ("setup.py", "referee", "proto")
"""Where a change makes compiling necessary."""
MADE_FROM = COPY / "build" / "made-from"
"""Holds the fingerprint of the sources that the extensions were made from; written when they are all there."""


def _files() -> set[Path]:
    """Return what git knows or would take, below the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return {Path(name) for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


def _copy(files: set[Path]) -> None:
    for name in files:
        source, target = ROOT / name, COPY / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for target in COPY.rglob("*.py"):
        name = target.relative_to(COPY)
        if name not in files and name.parts[0] != "build":
            target.unlink()


def _fingerprint(files: set[Path]) -> str:
    found = hashlib.sha256(sys.version.encode())
    for name in sorted(files):
        if name.parts[0] in COMPILED:
            found.update(f"{name}\0".encode() + hashlib.sha256((COPY / name).read_bytes()).digest())
    return found.hexdigest()


def _compile() -> None:
    MADE_FROM.unlink(missing_ok=True)
    for extension in COPY.rglob("*.so"):
        extension.unlink()
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=COPY,
        env={**os.environ, "EUCHRE_COMPILE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nthe compiled build failed; it needs a C compiler and Python's headers")


def main() -> None:
    """Copy, and compile if need be."""
    files = _files()
    _copy(files)
    fingerprint = _fingerprint(files)
    if not MADE_FROM.is_file() or MADE_FROM.read_text() != fingerprint:
        _compile()
        MADE_FROM.write_text(fingerprint)
    print(f"the compiled build is in {COPY.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
