"""What goes into a release: every part of the program that a table or a pit may be told to use."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Final

import pytest

from systemd.releases.build import __main__ as build
from systemd.releases.build import local, updater

ROOT: Final = Path(__file__).parents[2]
#: What is on no table: simulated worlds, programs that ask a pit, a second decoder, computing of
#: odds, training.
_NOT_RELEASED: Final = {"apprise", "client", "parquet", "demo", "codes", "odds", "train"}


def _extras() -> dict[str, list[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found: dict[str, list[str]] = project["optional-dependencies"]
    return found


def _locked(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(), re.MULTILINE))


def test_a_release_carries_every_part_that_a_configuration_may_name() -> None:
    assert set(build.RELEASED_EXTRAS) == _extras().keys() - _NOT_RELEASED


def test_its_locks_name_what_it_carries_and_one_version_of_each() -> None:
    versions: dict[str, str] = {}
    for lock in build.LOCKS:
        for name, version in _locked(lock).items():
            assert versions.setdefault(name, version) == version, name
    for extra in build.RELEASED_EXTRAS:
        names = {re.split(r"[\[<>=]", each)[0] for each in _extras()[extra]}
        assert names <= versions.keys(), extra


def test_what_a_checkout_installs_is_in_its_lock() -> None:
    for lock, extras in local.EXTRAS.items():
        locked = _locked(ROOT / lock).keys()
        for extra in extras:
            names = {re.split(r"[\[<>=]", each)[0] for each in _extras()[extra]}
            assert names <= locked, f"{lock}: {extra}"


def test_the_same_sources_make_the_same_updater(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two checkouts of a commit make one release, byte for byte, whenever they were made."""
    made = []
    for zone, time_s in (("UTC", 1_700_000_000), ("Asia/Tokyo", 1_800_000_001)):
        tree = tmp_path / str(time_s)
        shutil.copytree(ROOT / "systemd/releases", tree / "systemd/releases")
        shutil.copy(ROOT / "systemd/__init__.py", tree / "systemd")
        for each in tree.rglob("*.py"):
            os.utime(each, (time_s, time_s))
        monkeypatch.setenv("TZ", zone)
        monkeypatch.setattr(updater, "ROOT", tree)
        updater.build_updater(tree / "tablectl-update")
        made.append((tree / "tablectl-update").read_bytes())
    assert made[0] == made[1]
