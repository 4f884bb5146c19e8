"""What holds for all tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Fail if tests of one group would run side by side: they share a build, an engine, or a port.

    pytest-xdist marks them by a suffix of the node id, and said nothing when a release of pytest ignored it.
    """
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
