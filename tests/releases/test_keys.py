"""Keys that sign releases are changed: with the second one, as the page of releases says."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from systemd.releases.build.sign import SecretKey, new_key
from systemd.releases.update.compare import changes
from systemd.releases.update.minisign import PublicKey
from systemd.releases.update.package import UpdateRefused
from systemd.releases.update.update import back, update
from tests.releases.bench_machine import NEW, OLD, BenchHost, release_file, table_with

#: In use until it was lost; the one from the safe; the one that takes its place there.
_LOST, _SECOND, _THIRD = new_key(), new_key(), new_key()
_BEFORE: Final = (_LOST.public, _SECOND.public)
_AFTER: Final = (_SECOND.public, _THIRD.public)


class _KeysTable:
    """A table that runs a release signed with the key that is lost."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        old = release_file(folder / "old.tar", OLD, _LOST)
        self.layout = table_with(folder / "root", OLD, _BEFORE, old)
        self.machine = BenchHost(self.layout)
        self.machine.systemctl("start", "tablectl.service")

    def update(self, key: SecretKey, keys: tuple[PublicKey, ...]) -> None:
        file = release_file(self._folder / "new.tar", NEW, key)
        update(self.layout, self.machine, file, keys, lambda _: None)

    @property
    def current(self) -> str:
        return self.layout.build_of(self.layout.current)


@pytest.fixture
def table(tmp_path: Path) -> _KeysTable:
    return _KeysTable(tmp_path)


def test_the_second_key_signs_the_next_release_and_then_the_lost_one_goes(
    table: _KeysTable,
) -> None:
    table.update(_SECOND, _BEFORE)
    assert table.machine.running == table.current == NEW
    assert not list(changes(table.layout.release(NEW), _AFTER)), "it needs the lost key no more"


def test_what_the_lost_key_signs_is_refused_from_then_on(table: _KeysTable) -> None:
    with pytest.raises(UpdateRefused, match="a key that this table does not know"):
        table.update(_LOST, _AFTER)
    assert table.machine.running == table.current == OLD


def test_there_is_no_way_back_to_what_the_lost_key_signed(table: _KeysTable) -> None:
    """Whoever has that key could have signed it: no round begins with it."""
    table.update(_SECOND, _BEFORE)
    with pytest.raises(UpdateRefused, match=r"no round would begin .*does not know"):
        back(table.layout, table.machine, _AFTER, lambda _: None)
    assert table.machine.running == table.current == NEW
    back(table.layout, table.machine, _BEFORE, lambda _: None)
    assert table.machine.running == table.current == OLD
