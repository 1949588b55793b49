"""Hundreds of PINs are judged in this folder: quickly."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.table.roles import Role
from tests.support.people import add_person
from tests.support.quick_pins import quick_pins

__all__ = ["quick_pins"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.toml"
    add_person(path, "aino", Role.DEALER, "4711")
    add_person(path, "eino", Role.FLOOR, "badge-0815")
    return path
