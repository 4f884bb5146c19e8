"""Generate the Python modules of the wire contract into ``euchre/v1``. Needs grpcio-tools.

Only where the arena is not installed: it brings the generated modules with it.
"""

from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).parent
files = sorted(str(path) for path in (HERE / "proto").rglob("*.proto"))
arguments = [f"-I{HERE / 'proto'}", f"--python_out={HERE}", f"--pyi_out={HERE}", f"--grpc_python_out={HERE}"]
raise SystemExit(protoc.main(["protoc", *arguments, *files]))
