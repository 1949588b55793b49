"""Cameras of the tests' own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.io.camera import video_source


@pytest.fixture(autouse=True)
def cameras_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cameras' names are the machine's, on which other tests run at the same time."""
    monkeypatch.setattr(video_source, "LOCKS", f"tablectl-camera-{os.getpid()}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
