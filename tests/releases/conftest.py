"""What makes thousands of updates cheap: no disk is waited for, no signature checked twice."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from systemd.releases.update import ed25519
from tests.releases.updates.update_bench import UpdateBench

#: For all tests: most of their releases are the same bytes with the same signature.
VERIFIED_ONCE = functools.cache(ed25519.verify)


@pytest.fixture(autouse=True)
def cheap_updates() -> Iterator[None]:
    """The steps stay the same: what a power cut leaves is said by them, not by this disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        patch.setattr(ed25519, "verify", VERIFIED_ONCE)
        yield


@pytest.fixture
def bench(tmp_path: Path) -> UpdateBench:
    return UpdateBench(tmp_path)


@pytest.fixture
def own_signals() -> Iterator[None]:
    """What the program does at signals ends with the test."""
    numbers = (
        signal.SIGTERM, signal.SIGINT, signal.SIGQUIT,
        signal.SIGHUP, signal.SIGTSTP, signal.SIGTTOU,
    )  # fmt: skip
    before = {each: signal.getsignal(each) for each in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
