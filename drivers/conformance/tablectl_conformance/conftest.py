"""What a contract gets: the driver, two devices of it, and hands; nothing may be left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import pytest

from .hands import Hands
from .plugin import SUBJECT
from .subject import Subject

#: How long a closing descriptor or an ending thread may take.
GRACE_S: Final = 5.0
_LOOK_AGAIN_S: Final = 0.01


def pytest_configure(config: pytest.Config) -> None:
    """The mark of contracts that are for some roles only."""
    config.addinivalue_line("markers", "role(*names): a contract for drivers of these roles")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The table runs on asyncio."""
    return "asyncio"


@pytest.fixture
def subject(pytestconfig: pytest.Config) -> Subject:
    """The driver."""
    return pytestconfig.stash[SUBJECT]


@pytest.fixture
async def hands(subject: Subject) -> AsyncIterator[Hands]:
    """Whoever handles the device."""
    made = subject.new_hands()
    yield made
    await made.close()


@pytest.fixture
async def device(subject: Subject, hands: Hands) -> AsyncIterator[Any]:
    """A new device, closed again at the end."""
    made = subject.make()
    yield made
    await made.close()


@pytest.fixture
async def another(subject: Subject, hands: Hands) -> AsyncIterator[Any]:
    """The same device, made a second time, as a second program would."""
    made = subject.make()
    yield made
    await made.close()


def _held() -> set[tuple[str, str]]:
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add((name, os.readlink(f"/proc/self/fd/{name}")))
        except FileNotFoundError:
            continue  # the descriptor that listed the folder
    return found


@pytest.fixture(autouse=True)
def leaves_nothing_behind() -> Iterator[None]:
    """A device that was closed has no descriptor and no thread."""
    held, threads = _held(), set(threading.enumerate())
    yield
    until = time.monotonic() + GRACE_S
    while left := (_held() - held, set(threading.enumerate()) - threads):
        if not any(left):
            return
        if time.monotonic() > until:
            pytest.fail(f"left behind by a device that is closed: {left}")
        gc.collect()
        time.sleep(_LOOK_AGAIN_S)


@pytest.fixture(autouse=True)
async def leaves_no_task(anyio_backend: str) -> AsyncIterator[None]:
    """Nor a task."""
    before = asyncio.all_tasks()
    yield
    left = {each for each in asyncio.all_tasks() - before if "TestRunner." not in str(each)}
    assert not left, f"left running: {left}"
