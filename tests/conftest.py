"""What every test gets: asyncio under anyio, and a look that nothing was left behind."""

import asyncio
import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Generator, Iterator

import pytest

# A shell that runs something in the background lets it ignore SIGINT, and so would every process
# that a test starts and ends like somebody at a terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

GRACE_S = 2.0
"""How long a closing descriptor or ending thread may take before it counts as left behind."""

_LOOK_AGAIN_S = 0.005


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector: what is imported stays, and each worker of each lane
    had it looked at again and again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Take what was imported and collected out of the garbage collector's rounds: a tenth of the
    processor time of all tests went into looking at it again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


class FailuresAtOnce:
    """Name what failed as soon as it has, in a lane's log, too: the long form goes on for an hour,
    and pytest itself names it at the end.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = crash.message.splitlines()[:1] if crash else []
            terminal.ensure_newline()
            terminal.write_line(": ".join([f"FAILED {report.nodeid} ({report.when})", *why]))


def pytest_configure(config: pytest.Config) -> None:
    """With workers, the process that collects from them names what failed."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The house runs on asyncio only, so do the tests."""
    return "asyncio"


def _descriptors() -> dict[int, str]:
    """Every open descriptor of this process and what it points at."""
    found: dict[int, str] = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:
            continue  # the descriptor that listed the folder is gone again
    return found


def _left_behind(descriptors: dict[int, str], threads: set[threading.Thread]) -> list[str]:
    fds = [
        f"descriptor {fd} -> {target}"
        for fd, target in _descriptors().items()
        if descriptors.get(fd) != target
    ]
    return fds + [f"thread {t.name}" for t in threading.enumerate() if t not in threads]


@pytest.fixture(autouse=True)
def leaves_nothing_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a descriptor or a thread, unless `leaky_ok(reason)` says whose.

    This fixture is set up first and taken down last, so what the test's other fixtures close
    is closed by then.
    """
    marker = request.node.get_closest_marker("leaky_ok")
    if marker is not None:
        if not (marker.args or marker.kwargs.get("reason")):
            pytest.fail('leaky_ok needs its reason: @pytest.mark.leaky_ok("whose, and why")')
        yield
        return
    descriptors, threads = _descriptors(), set(threading.enumerate())
    yield
    if not _left_behind(descriptors, threads):
        return
    gc.collect()  # an unclosed object that only waits for the collector warns, and so fails
    until = time.monotonic() + GRACE_S
    while left := _left_behind(descriptors, threads):
        if time.monotonic() > until:
            pytest.fail("left behind: " + "; ".join(left) + ". Close it in the test or fixture.")
        time.sleep(_LOOK_AGAIN_S)


def _tasks() -> set[asyncio.Task[object]]:
    # anyio's test runner wraps every step of a test into a task of its own, not the test's.
    return {t for t in asyncio.all_tasks() if "TestRunner." not in str(t.get_coro())}


@pytest.fixture
async def _tasks_at_start() -> AsyncIterator[None]:
    before = _tasks()
    yield
    until = time.monotonic() + GRACE_S
    while left := _tasks() - before:
        if time.monotonic() > until:
            names = "; ".join(f"task {t.get_name()}: {t.get_coro()}" for t in left)
            raise AssertionError(f"left behind: {names}. Cancel and await it where it was started.")
        await asyncio.sleep(_LOOK_AGAIN_S)


@pytest.fixture(autouse=True)
def leaves_no_task(request: pytest.FixtureRequest, leaves_nothing_behind: None) -> None:
    """Fail an async test that leaves a task running: the loop would cancel it without a word."""
    if "anyio_backend" in request.fixturenames:
        request.getfixturevalue("_tasks_at_start")
