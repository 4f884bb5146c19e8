"""The compiled build: with ``EUCHRE_COMPILE=1`` mypyc makes C extensions of the modules a decision runs through.

Everything else about the distribution stands in pyproject.toml. Without the variable it is pure Python.
See docs/decisions/0005-compiled-build.md.
"""

import os
import sys
from pathlib import Path

from setuptools import setup

SWITCH = "EUCHRE_COMPILE"
HERE = Path(__file__).parent
RULES = HERE / "referee" / "rules"
# Nothing that awaits: a compiled coroutine leaves its exception behind as the context of the next one's (mypyc 2.4).
MODULES = [
    *sorted(str(path.relative_to(HERE)) for path in RULES.rglob("*.py") if path.name != "__init__.py"),
    *(f"referee/service/{name}.py" for name in ("clock", "hall", "shuffle", "stream", "table", "wire")),
]
TOOLS = ["mypy[mypyc]>=2.4,<3", "types-protobuf>=6"]


def is_wanted() -> bool:
    """Tell whether the build is to be compiled."""
    value = os.environ.get(SWITCH, "")
    if value not in ("", "0", "1"):
        sys.exit(f"{SWITCH} is {value!r}; it is 1 for the compiled build, and 0, empty or not set for pure Python")
    return value == "1"


def extensions() -> list[object]:
    """Return the C extensions, which the first steps of an installer, asking for names alone, do without."""
    if {"egg_info", "dist_info"} & set(sys.argv):
        return []
    if {"editable_wheel", "develop"} & set(sys.argv):
        sys.exit(f"{SWITCH}=1: an editable install would go on running what was compiled once; see make compiled")
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = "proto"  # the messages' types
    options = ["--config-file", os.devnull, "--follow-imports", "silent", "--ignore-missing-imports"]
    return mypycify([*options, *MODULES], opt_level="3", debug_level="0", group_name="euchre")


if is_wanted():
    setup(ext_modules=extensions(), setup_requires=TOOLS)
else:
    setup()
