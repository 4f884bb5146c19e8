"""The samples' toolchains: what is missing, and each sample built once for all tests of a run."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_bots"


def run(command: list[str], directory: Path, seconds: float = 900) -> str:
    """Return what *command* printed; its errors are the failure's text."""
    # A checkout that belongs to somebody else (a container's mount) has no readable version for Go.
    environment = {**os.environ, "GOFLAGS": "-buildvcs=false"}
    done = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)} exited with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def arena(*arguments: str) -> str:
    """Return what a command of the arena printed."""
    return run([sys.executable, "-m", "arena.cli", *arguments], ROOT)


def _lacks(*programs: str) -> str:
    missing = [program for program in programs if shutil.which(program) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


def _lacks_node() -> str:
    reason = _lacks("node", "npm")
    if reason:
        return reason
    version = run(["node", "--version"], ROOT).strip()
    return f"Node is {version}, and 20 or later is needed" if int(version[1:].split(".")[0]) < 20 else ""


def _lacks_rust() -> str:
    reason = _lacks("cargo", "cargo-clippy", "cargo-fmt")
    if reason:
        return reason
    manifest = tomllib.loads((SAMPLES / "rust" / "Cargo.toml").read_text(encoding="utf-8"))
    needed: str = manifest["package"]["rust-version"]
    version = run(["cargo", "--version"], ROOT).split()[1]
    found, least = (tuple(int(part) for part in text.split(".")[:2]) for text in (version, needed))
    return f"cargo is {version}, and {needed} or later is needed" if found < least else ""


def _lacks_cpp() -> str:
    reason = _lacks("cmake", "g++", "pkg-config", "protoc", "grpc_cpp_plugin")
    if reason:
        return reason
    for package in ("grpc++_unsecure", "gtest", "nlohmann_json"):
        if subprocess.run(["pkg-config", "--exists", package], check=False).returncode != 0:
            return f"not installed: the development files of {package}"
    return ""


@dataclass(frozen=True)
class Toolchain:
    """How a sample is built."""

    language: str
    lacks: Callable[[], str]
    """What is missing on this machine, as a sentence; empty: nothing."""
    checks: tuple[str, ...]
    """Commands that run the sample's own tests and find its faults of style."""
    project: tuple[str, ...]
    """Commands that build and test a new project."""
    build_with: str = ""
    """Instead of the manifest's command: the same and its tests, so that nothing is compiled twice."""

    @property
    def sample(self) -> Path:
        """The folder of the sample."""
        return SAMPLES / self.language

    def need(self) -> None:
        """Skip the test with the reason if the toolchain is missing."""
        reason = self.lacks()
        if reason:
            pytest.skip(reason)

    def build(self, shared: Path) -> Path:
        """Return the sample's folder, built by the commands of its manifest; *shared* is one folder a test run."""
        self.need()
        done = shared / f"built-{self.language}"
        with (shared / f"building-{self.language}").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                run(["sh", "-c", self.build_with] if self.build_with else self._build_command(), self.sample)
                done.touch()
        return self.sample

    def _build_command(self) -> list[str]:
        """Return what the manifest says builds it."""
        manifest = tomllib.loads((self.sample / "bot.toml").read_text(encoding="utf-8"))
        command: list[str] = manifest["build"]
        return command


TOOLCHAINS = {
    chain.language: chain
    for chain in (
        Toolchain(
            "go",
            lambda: _lacks("go"),
            ("go vet ./...", "go test -p 1 ./...", 'test -z "$(gofmt -l .)"'),
            ("go build -p 1 -o bin/bot .", "go test -p 1 ./..."),
        ),
        Toolchain(
            "rust",
            _lacks_rust,
            (
                "cargo fmt --check",
                "cargo clippy --release --locked --all-targets -- -D warnings",
                "cargo test --release --locked",
            ),
            # The packages it needs are those of the sample, and have been compiled there.
            (
                f"mkdir -p '{SAMPLES}/rust/target' && ln -s '{SAMPLES}/rust/target' target",
                "cargo build --release --locked",
                "cargo test --release --locked",
            ),
        ),
        # "npm test" would build again, while others play.
        Toolchain("typescript", _lacks_node, ("node --test dist/test/*.test.js",), ("npm ci", "npm test")),
        Toolchain(
            "java",
            lambda: _lacks("java", "javac", "mvn"),
            ("mvn -q -B test",),
            ("mvn -q -B package", "test -s target/surefire-reports/euchrebot.bot.MyBotTest.txt"),
        ),
        Toolchain(
            "cpp",
            _lacks_cpp,
            ("ctest --test-dir build --output-on-failure --no-tests=error",),
            (
                "cmake -B build -DCMAKE_COMPILE_WARNING_AS_ERROR=ON && cmake --build build -j 2",
                "ctest --test-dir build --output-on-failure --no-tests=error",
            ),
            build_with="cmake -B build -DCMAKE_COMPILE_WARNING_AS_ERROR=ON && cmake --build build -j 2",
        ),
    )
}
