"""The check in tests/conftest.py works: what a test leaves behind fails that test."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

_CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"

_TESTS = """
import asyncio, os, pytest, threading

kept = []

def test_descriptor():
    os.open("/dev/zero", os.O_RDONLY)

def test_thread():
    threading.Thread(target=threading.Event().wait, daemon=True).start()

@pytest.mark.anyio
async def test_task():
    kept.append(asyncio.create_task(asyncio.sleep(100)))

@pytest.fixture
def zeros():
    fd = os.open("/dev/zero", os.O_RDONLY)
    yield fd
    os.close(fd)

@pytest.mark.anyio
async def test_tidy(zeros):
    assert await asyncio.to_thread(os.read, zeros, 1) == bytes(1)
    kept.append(asyncio.create_task(asyncio.sleep(100)))
    kept[-1].cancel()

@pytest.mark.leaky_ok("the library keeps it open")
def test_known():
    os.open("/dev/zero", os.O_RDONLY)

@pytest.mark.leaky_ok
def test_unexplained():
    pass
"""


def test_a_leak_fails_the_test_that_made_it(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = _CONFTEST.read_text(encoding="utf-8")
    pytester.makeconftest(guard.replace("GRACE_S = 2.0", "GRACE_S = 0.1"))
    pytester.makeini("[pytest]\nmarkers = leaky_ok(reason): known leak")
    pytester.makepyfile(_TESTS)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they cost a second to start

    result = pytester.runpytest_subprocess("-p", "anyio", "-p", "no:cacheprovider")

    result.assert_outcomes(passed=5, errors=4)
    result.stdout.fnmatch_lines_random(
        [
            "E *left behind: descriptor * -> /dev/zero*",
            "E *left behind: thread *",
            "E *left behind: task *",
            "E *leaky_ok needs its reason*",
        ]
    )
