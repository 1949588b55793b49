"""Where root writes beside the service's user: through no link, and in no folder of that user."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from systemd.releases.update import machine
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.examine import remove_backup
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host

NOBODY = pwd.getpwnam("nobody")


@pytest.fixture
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    monkeypatch.setattr(machine, "_user", lambda: NOBODY)
    return Installation(tmp_path / "root", DurableFiles())


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A folder of somebody else's, to which the service's user made a link."""
    folder = tmp_path / "victim"
    folder.mkdir()
    folder.chmod(0o755)  # whatever the umask is
    (folder / "file").write_text("of value")
    return folder


def _is_untouched(victim: Path) -> bool:
    found = victim.stat()
    same = (found.st_uid, found.st_mode & 0o777) == (os.geteuid(), 0o755)
    return same and (victim / "file").read_text() == "of value"


def test_the_backups_lie_outside_of_the_services_own_folders(layout: Installation) -> None:
    services = (layout.root / "var/lib/tablectl", layout.root / "var/lib/tablectl-key")
    assert not any(layout.backups.is_relative_to(each) for each in services)


def test_the_service_has_one_folder_in_one_that_stays_ours(layout: Installation) -> None:
    host = Host(layout)
    for _ in range(2):
        host.let_service_have(layout.backups)
        home, backups = layout.backup_home.stat(), layout.backups.stat()
        assert (home.st_uid, home.st_mode & 0o777) == (os.geteuid(), 0o711)
        owner = NOBODY.pw_uid if os.geteuid() == 0 else os.geteuid()
        assert (backups.st_uid, backups.st_mode & 0o777) == (owner, 0o700)


@pytest.mark.parametrize("which", ["backups", "backup_home"])
def test_a_link_in_the_place_of_a_folder_is_refused(
    layout: Installation, victim: Path, which: str
) -> None:
    link: Path = getattr(layout, which)
    link.parent.mkdir(parents=True)
    link.symlink_to(victim)
    with pytest.raises(OSError, match=link.name):
        Host(layout).let_service_have(layout.backups)
    assert _is_untouched(victim)


def test_of_a_link_in_the_place_of_a_backup_the_link_alone_is_removed(
    layout: Installation, victim: Path
) -> None:
    layout.backups.mkdir(parents=True)
    for name in ("link", "file", "folder", "nothing"):
        target = layout.backups / name
        if name == "link":
            target.symlink_to(victim)
        elif name == "file":
            target.write_text("")
        elif name == "folder":
            target.mkdir()
            (target / "inside").symlink_to(victim)
        remove_backup(target)
        assert not os.path.lexists(target), name
    assert _is_untouched(victim)
