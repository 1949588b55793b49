"""The Debian package: installed, upgraded, a bad one, removed and purged, by dpkg."""

from __future__ import annotations

from pathlib import Path

from systemd.releases.build.deb import build_deb
from tests.releases.chroots import of_others
from tests.releases.chroots.debian import Debian, title
from tests.releases.chroots.files import BAD, NEW, OLD, BenchKeys
from tests.releases.chroots.rounds import CONFIG, CONFIG_FILE, RECORD, SCANNER
from tests.releases.chroots.tower import SAID_OF_FIRST, TowerFiles, look
from tests.releases.chroots.walk import start

_ROUNDS = 2
_STATUS = ("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}\n", "tablectl")


def put_debs(debian: Debian, keys: BenchKeys, paths: dict[str, str]) -> dict[str, str]:
    """The packages of the releases in /root, by their versions; their paths."""
    root = debian.folder / "root"
    found = {}
    for version in (OLD, NEW, BAD):
        made = build_deb(root / Path(paths[version]).name, keys.folder / "release-keys", root)
        found[version] = f"/root/{made.name}"
    return found


def carry(debian: Debian, debs: dict[str, str], towers: TowerFiles) -> None:
    """From the first package to the last."""
    title("a package: installed, upgraded")
    debian.write(CONFIG_FILE, CONFIG + SCANNER)
    debian.expect(0, "as it was installed", "dpkg", "-i", debs[OLD])
    start(debian)
    of_others.deal_with(debian, _ROUNDS, of_others.add(debian, towers))
    title("a driver that the new release does not go with: the package is not configured")
    debian.expect(1, SAID_OF_FIRST, "dpkg", "-i", debs[NEW])
    debian.expect(0, f"tablectl {OLD}", "tablectl", "--version")
    of_others.take_newer(debian, towers)
    debian.expect(0, "is confirmed", "dpkg", "-i", debs[NEW])
    debian.expect(0, f"tablectl {NEW}", "tablectl", "--version")
    look(debian)
    title("a bad one: what ran before runs on")
    debian.expect(1, "what ran before runs on", "dpkg", "-i", debs[BAD])
    debian.expect(0, f"tablectl {NEW}", "tablectl", "--version")
    debian.expect(0, "half-configured", *_STATUS)
    debian.expect(0, "", "dpkg", "-i", debs[NEW])
    debian.expect(0, f"installed {NEW}+", *_STATUS)
    title("a changed file: the same package again mends it")
    unit = debian.folder / "opt/tablectl/current/systemd/units/tablectl-guard.service"
    whole = unit.read_text()
    unit.write_text("# changed\n")
    debian.expect(
        1, "changed: systemd/units/tablectl-guard.service", "tablectl-update", "--compare"
    )
    debian.expect(0, "is installed again", "dpkg", "-i", debs[NEW])
    assert unit.read_text() == whole
    debian.expect(0, "as it was installed", "tablectl-update", "--compare")
    title("removed, purged: the record stays")
    debian.expect(0, "removed. The record stays", "dpkg", "--remove", "tablectl")
    assert not (debian.folder / "opt/tablectl").exists()
    debian.expect(0, "a purge removes none of them", "dpkg", "--purge", "tablectl")
    assert any((debian.folder / RECORD.lstrip("/")).iterdir())
    assert (debian.folder / CONFIG_FILE).is_file()
    debian.expect(1, "", *_STATUS)
