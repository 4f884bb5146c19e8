"""Change the rules in thousands of small ways, one at a time, and run tests until one fails.

Run from the root of the repository as ``python -m tools.mutation``. Each mutant runs in a forked child. A change in
a function that nothing calls while modules are imported is patched into the loaded modules; any other makes the
child import the rules anew, changed. Only tests that call the changed function are run, the quickest first.

Results are appended to a file of JSON lines (``--out``), so a run that was stopped goes on where it was;
``--again survived`` runs those mutants once more, on the rules and tests as they are now.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import pickle
import random
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from tools.mutation.operators import Mutant, mutants

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "referee.rules"
QUICK = 0.4
"""Seconds of processor time; longer tests run only on mutants that the quick ones leave."""
LONGEST = 4.0
"""A test that takes longer, watched, is not used."""
MEMORY = 3 << 30
"""Bytes a mutant may use."""
Function = tuple[str, str]
"""Module and qualified name."""


class Baseline(NamedTuple):
    """What the tests do on the rules as they are."""

    at_import: frozenset[Function]
    callers: dict[Function, list[int]]
    """The steps that call a function, the quickest first."""
    seconds: list[float]
    names: list[str]


# -- children ------------------------------------------------------------------------------------------


def in_child(work: Callable[[], object]) -> object:
    """Return what *work* returned in a forked child; ``None`` if the child died."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            answer = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(answer)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(answer) if answer else None  # noqa: S301 - it is our own child


def allow(seconds: float) -> None:
    """Let the kernel kill this process after *seconds* of processor time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


# -- modules -------------------------------------------------------------------------------------------


def module_files(root: Path) -> dict[str, Path]:
    """Return the modules of the package by name."""
    folder = root / PACKAGE.replace(".", "/")
    files = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


class ChangedModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from given code."""

    def __init__(self, name: str, code: CodeType, path: Path) -> None:
        self.name, self.code, self.path = name, code, path

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the changed module."""
        if fullname != self.name:
            return None
        is_package = self.path.name == "__init__.py"
        spec = importlib.util.spec_from_loader(fullname, self, origin=str(self.path), is_package=is_package)
        if spec is not None and is_package:
            spec.submodule_search_locations = [str(self.path.parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(self.code, module.__dict__)  # noqa: S102


def find_function(function: Function) -> FunctionType | None:
    """Return the loaded function, out of whatever wraps it."""
    found: Any = sys.modules.get(function[0])
    for name in function[1].split("."):
        found = vars(found).get(name) if found is not None else None
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__wrapped__", getattr(found, "__func__", found))
    return found if isinstance(found, FunctionType) else None


def find_code(code: CodeType, name: str) -> CodeType | None:
    """Return the code of the function *name* within the code of its module."""
    for word in name.split("."):
        inner = [const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == word]
        if len(inner) != 1:
            return None
        code = inner[0]
    return code


# -- baseline ------------------------------------------------------------------------------------------


def preload() -> None:
    """Import everything but the rules and what uses them, so that children do not have to."""
    for name in ("pytest", "jsonschema", "hypothesis", "hypothesis.strategies", "tests.evaluator", "json", "difflib"):
        importlib.import_module(name)
    before = set(sys.modules)
    others = in_child(lambda: (load_steps(), sorted(set(sys.modules) - before))[1])
    for name in others if isinstance(others, list) else []:
        if name.split(".")[0] not in (
            "referee",
            "arena",
            "tests",
            "leaderboards",
            "euchre",
            "euchre_kit",
            "euchre_bots",
        ):
            importlib.import_module(name)


def load_steps() -> list[Any]:
    """Import the suite and return its steps."""
    from tools.mutation.suite import steps

    return steps()


class Calls:
    """Collects which functions of the rules are called."""

    def __init__(self, files: dict[str, Path]) -> None:
        self.names = {str(path): name for name, path in files.items()}
        self.seen: set[CodeType] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Note a call; its lines are not traced."""
        self.seen.add(frame.f_code)

    def of(self, work: Callable[[], object]) -> frozenset[Function]:
        """Return the functions that *work* calls."""
        self.seen = set()
        sys.settrace(self)
        try:
            work()
        finally:
            sys.settrace(None)
        return frozenset(
            (self.names[code.co_filename], code.co_qualname.split(".<locals>")[0])
            for code in self.seen
            if code.co_filename in self.names
        )


def measure(files: dict[str, Path]) -> Baseline:
    """Return what each test calls and how long it takes. Run in a child: imports the rules."""
    calls = Calls(files)
    found: list[list[Any]] = []
    at_import = calls.of(lambda: found.append(load_steps()))
    steps = found[0]
    rows: list[tuple[float, int, frozenset[Function]]] = []
    for index, step in enumerate(steps):
        row = in_child(lambda step=step: _measured(step, calls))  # type: ignore[misc]
        if not isinstance(row, tuple):
            print(f"{step.name}: {row or 'died'} on the rules as they are; not used", flush=True)
            continue
        rows.append((row[0], index, row[1]))
    rows.sort(key=lambda row: row[:2])
    callers: dict[Function, list[int]] = defaultdict(list)
    seconds = [0.0] * len(steps)
    for spent, index, called in rows:
        seconds[index] = spent
        for function in called:
            callers[function].append(index)
        callers[("", "")].append(index)
    return Baseline(at_import, dict(callers), seconds, [step.name for step in steps])


def _measured(step: Any, calls: Calls) -> object:
    began = time.process_time()
    allow(LONGEST)
    try:
        called = calls.of(step.run)
    except BaseException as error:  # noqa: BLE001 - a test may fail in any way
        return f"{type(error).__name__}: {error}"[:200]
    return time.process_time() - began, called


# -- one mutant ----------------------------------------------------------------------------------------


def verdict(steps: Sequence[Any], order: Iterable[int], seconds: Sequence[float]) -> tuple[str, str]:
    """Return ``killed`` and the test that failed, or ``survived``."""
    for index in order:
        allow(1.5 + 12 * seconds[index])
        try:
            steps[index].run()
        except BaseException as error:  # noqa: BLE001 - a test may fail in any way
            if type(error).__name__ != "Skipped":
                return "killed", steps[index].name
    return "survived", ""


def run_anew(mutant: Mutant, path: Path, order: Iterable[int], baseline: Baseline) -> tuple[str, str]:
    """Import the changed rules and the tests, and run them. Run in a child."""
    allow(6)
    sys.meta_path.insert(0, ChangedModule(mutant.module, mutant.code, path))
    try:
        steps = load_steps()
    except BaseException:  # noqa: BLE001 - the rules cannot be imported
        return "killed", "import"
    if [step.name for step in steps] != baseline.names:
        return "killed", "the list of tests"
    return verdict(steps, order, baseline.seconds)


def run_patched(mutant: Mutant, steps: Sequence[Any], order: Iterable[int], baseline: Baseline) -> tuple[str, str]:
    """Patch the loaded function and run tests. Run in a child."""
    function = find_function((mutant.module, mutant.function))
    code = find_code(mutant.code, mutant.function)
    if function is None or code is None:
        raise AssertionError(mutant.id)
    function.__code__ = code
    return verdict(steps, order, baseline.seconds)


class Runner:
    """Runs mutants, those that killed last going first."""

    def __init__(self, files: dict[str, Path], baseline: Baseline, out: Path, *, deep: bool) -> None:
        self.files, self.baseline, self.out, self.deep = files, baseline, out, deep
        self.steps: list[Any] | None = None
        self.recent: dict[Function, list[int]] = defaultdict(list)
        self.done: Counter[str] = Counter()
        self.began = time.monotonic()

    def is_patchable(self, mutant: Mutant) -> bool:
        """Tell whether the change can be made in modules already loaded."""
        function = (mutant.module, mutant.function)
        return bool(mutant.function) and function not in self.baseline.at_import

    def order(self, mutant: Mutant) -> list[int]:
        """Return the tests for a mutant, in the order to run them."""
        function = (mutant.module, mutant.function)
        is_import = not mutant.function or function in self.baseline.at_import
        candidates = self.baseline.callers.get(("", "") if is_import else function, [])
        limit = float("inf") if self.deep else QUICK
        wanted = [index for index in candidates if self.baseline.seconds[index] <= limit]
        first = [index for index in self.recent[function] if index in wanted]
        return first + [index for index in wanted if index not in first]

    def run(self, mutant: Mutant) -> None:
        """Run one mutant and note the result."""
        order = self.order(mutant)
        began = time.monotonic()
        if not self.is_patchable(mutant):
            answer = in_child(lambda: run_anew(mutant, self.files[mutant.module], order, self.baseline))
        else:
            if self.steps is None:
                self.steps = load_steps()
            steps = self.steps
            answer = in_child(lambda: run_patched(mutant, steps, order, self.baseline))
        status, by = answer if isinstance(answer, tuple) else ("killed", "time or memory")
        self.done[status] += 1
        row = {"id": mutant.id, "line": mutant.line, "status": status, "by": by, "deep": self.deep}
        with self.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**row, "seconds": round(time.monotonic() - began, 2)}) + "\n")
        if by in self.baseline.names:
            index = self.baseline.names.index(by)
            recent = self.recent[(mutant.module, mutant.function)]
            self.recent[(mutant.module, mutant.function)] = [index, *(i for i in recent if i != index)][:6]
        if status == "survived":
            print(f"survived  {mutant.module}:{mutant.line} {mutant.function}: {mutant.what}", flush=True)
        if sum(self.done.values()) % 200 == 0:
            print(f"{dict(self.done)} in {time.monotonic() - self.began:.0f} s", flush=True)


# -- all -----------------------------------------------------------------------------------------------


def latest(out: Path) -> dict[str, dict[str, Any]]:
    """Return the newest result of every mutant in a file."""
    if not out.exists():
        return {}
    return {row["id"]: row for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}


def report(results: dict[str, dict[str, Any]], chosen: Collection[Mutant]) -> None:
    """Print the score of *chosen* as far as they were run, by module and together."""
    rows = [results[mutant.id] for mutant in chosen if mutant.id in results]
    by_module: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        by_module[row["id"].split(":")[0]][row["status"]] += 1
    for module, counts in sorted(by_module.items()):
        total = counts.total()
        print(f"{module:38} {counts['killed']:5} of {total:5}  {counts['killed'] / total:6.1%}")
    killed, total = sum(c["killed"] for c in by_module.values()), len(rows)
    print(f"{'together':38} {killed:5} of {total:5}  {killed / max(total, 1):6.1%}")


def main() -> None:
    """Run the check."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="modules of the rules, as in hand or phases.play; all if none")
    parser.add_argument("--out", type=Path, default=Path("mutation.jsonl"), help="results (default %(default)s)")
    parser.add_argument("--sample", type=int, help="so many mutants, drawn without replacement")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default %(default)s)")
    parser.add_argument("--again", choices=("survived", "killed"), help="run these of the results once more")
    parser.add_argument("--deep", action="store_true", help=f"with tests of more than {QUICK} s too")
    parser.add_argument("--list", action="store_true", help="list the mutants and stop")
    parser.add_argument("--report", action="store_true", help="print the score of the results so far and stop")
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT)]
    files = module_files(ROOT)
    names = [f"{PACKAGE}.{name}" for name in given.modules] or list(files)
    chosen = [m for name in names for m in mutants(name, files[name].read_text(encoding="utf-8"), str(files[name]))]
    if given.sample is not None:
        chosen = random.Random(given.seed).sample(chosen, min(given.sample, len(chosen)))
    if given.report:
        report(latest(given.out), chosen)
        return
    if given.list:
        for mutant in chosen:
            print(f"{mutant.module}:{mutant.line} {mutant.function}: {mutant.what}")
        print(len(chosen), "mutants")
        return
    run_all(files, chosen, given.out, again=given.again, deep=given.deep)


def run_all(files: dict[str, Path], chosen: list[Mutant], out: Path, *, again: str | None, deep: bool) -> None:
    """Run *chosen*, those first that need the rules imported anew."""
    results, everything = latest(out), chosen
    chosen = [
        m for m in chosen if (m.id not in results if again is None else results.get(m.id, {}).get("status") == again)
    ]
    if not chosen:
        print("nothing to run")
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    preload()
    baseline = in_child(lambda: measure(files))
    if not isinstance(baseline, tuple):
        sys.exit("the tests could not be measured on the rules as they are")
    baseline = Baseline(*baseline)
    print(f"{len(chosen)} mutants, {len(baseline.names)} tests of {sum(baseline.seconds):.0f} s", flush=True)
    runner = Runner(files, baseline, out, deep=deep)
    for mutant in sorted(chosen, key=runner.is_patchable):
        runner.run(mutant)
    report(latest(out), everything)


if __name__ == "__main__":
    main()
