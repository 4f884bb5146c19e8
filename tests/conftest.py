"""What holds for all tests."""

from __future__ import annotations

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
