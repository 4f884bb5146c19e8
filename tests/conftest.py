"""What holds for all tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples everywhere, and no clock: how long one takes depends on what else the machine does.
settings.register_profile("euchre", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("euchre")

ELSEWHERE = "../shared"
"""What a skip must name to be one in CI too: texts beside the checkout, which are no part of it."""


def pytest_configure() -> None:
    """Heed Ctrl-C, and let every process of a test heed it: a shell's background jobs are started ignoring it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _must_run(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a skip for something that the machine lacks a failure in CI."""
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if ELSEWHERE not in reason:
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid}: CI must run this. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let nothing be skipped in CI."""
    report = yield
    _must_run(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let no module be skipped in CI."""
    report = yield
    _must_run(report)
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that none is left over when everything else is done.

    Fail if tests of one group would run side by side: they share a build, an engine, or a port. pytest-xdist marks them
    by a suffix of the node id, and said nothing when a release of pytest ignored it.
    """
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if config.getoption("loadgroup", default=False):
        for item in items:
            if item.get_closest_marker("xdist_group") and "@" not in item.nodeid:
                raise pytest.UsageError(f"{item.nodeid}: this pytest and this pytest-xdist lose its group")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a certificate for localhost and one for a client, each signed by itself."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed; it makes the certificates")
    folder = tmp_path_factory.mktemp("certificates")
    for name in ("server", "client"):
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
        command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        command += ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        subprocess.run(command, check=True, capture_output=True)
    return folder
