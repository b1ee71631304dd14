"""Fixtures and options for all tests."""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

settings.register_profile("zrf_py", deadline=None)
settings.load_profile("zrf_py")

SLOW = 1800
"""Time limit of a slow test in seconds: three times `HANG` of playing.py, which limits each part of a test."""

if "ZRF_STATE" not in os.environ:
    # A developer's own games, results and learned weights must not affect the tests.
    os.environ["ZRF_STATE"] = tempfile.mkdtemp(prefix="zrf-state-")
    atexit.register(shutil.rmtree, os.environ["ZRF_STATE"], ignore_errors=True)

if sys.dont_write_bytecode:
    # Containers set this to stay small, but tests start many programs, and each would compile all modules again.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs with SIGINT ignored, and child processes inherit that; tests of Ctrl-C would hang.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files that contain only slow tests, unless slow tests are selected: importing them takes longer than many
    tests."""
    if config.option.markexpr != "not slow" or not collection_path.match("test_*.py"):
        return None
    return bool(re.search(r"^pytestmark = \[?\s*pytest\.mark\.slow", collection_path.read_text("utf-8"), re.M)) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow cases of tests marked `share(N)`: about one in N stays, chosen by a checksum of its name, so that
    each run and retry chooses the same ones, and most rules files stay in some test. All cases stay with `ZRF_WHOLE=1`,
    and when tests are selected by name."""
    if os.environ.get("ZRF_WHOLE") or config.option.keyword or any("::" in wish for wish in config.args):
        return
    left = [item for item in items if item.get_closest_marker("slow") and (share := item.get_closest_marker("share"))
            and crc32(item.nodeid.encode()) % share.args[0]]
    config.hook.pytest_deselected(items=left)
    out = set(left)
    items[:] = [item for item in items if item not in out]


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.get_closest_marker("slow"):
        item.add_marker(pytest.mark.timeout(SLOW))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collect garbage while warnings are still reported; `freeze` makes a second collection at exit unnecessary."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_code_beside(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile no game's own code in the background: it would take more processor time than the tests. Tests marked
    `slow` or `own_code` compile as users do."""
    if not any(request.node.get_closest_marker(name) for name in ("slow", "own_code")):
        with suppress(ImportError):
            from zrf_py.native.machine import Machine

            monkeypatch.setattr(Machine, "make", lambda machine: setattr(machine, "grows", False))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server in this process, for tests that need none of their own."""
    from seats import serving

    with serving(tmp_path_factory.mktemp("boards")) as site:
        yield site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """`zrf serve` in a separate process, for the tests of one file."""
    from serving import Server

    server = Server(tmp_path_factory.mktemp("boards"))
    yield server
    said = server.end()
    assert "Traceback" not in said, said


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium, for the tests of one file."""
    from serving import FLAGS, chromium

    api = pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, server: Any) -> Iterator[Any]:
    """A page opened by a first-time visitor."""
    from serving import a_page

    with a_page(browser, server) as page:
        yield page
