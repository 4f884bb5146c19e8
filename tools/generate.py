"""Generate the Python modules of the wire contract beside their .proto files.

Run as ``python tools/generate.py``; ``--check`` compares instead of writing and exits 1 on a difference.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent.parent / "proto"


def generate(target: Path) -> None:
    """Write ``*_pb2.py``, ``*_pb2.pyi`` and ``*_pb2_grpc.py`` for every .proto under ``proto/`` to *target*."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("euchre/**/*.proto"))
    arguments = [
        "protoc",
        f"-I{PROTO}",
        f"--python_out={target}",
        f"--pyi_out={target}",
        f"--grpc_python_out={target}",
        *sources,
    ]
    if protoc.main(arguments) != 0:
        sys.exit("protoc failed")
    # Only referee.proto has a service; the other stubs would be empty files.
    for path in target.glob("euchre/**/*_pb2_grpc.py"):
        if "Service" not in path.read_text():
            path.unlink()


def differences() -> list[str]:
    """Return the generated files that are missing, stale or left over, relative to ``proto/``."""
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        generate(fresh)
        wanted = {str(path.relative_to(fresh)): path.read_text() for path in fresh.rglob("*_pb2*")}
    found = {str(path.relative_to(PROTO)): path.read_text() for path in PROTO.rglob("*_pb2*.py*")}
    found = {name: text for name, text in found.items() if "__pycache__" not in name}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    if parser.parse_args().check:
        stale = differences()
        if stale:
            sys.exit(f"stale generated code, run tools/generate.py: {', '.join(stale)}")
    else:
        generate(PROTO)


if __name__ == "__main__":
    main()
