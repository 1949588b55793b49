"""Everything that a table goes through, from the first installation to the last."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from systemd.releases.update.manifest import MANIFEST
from tests.releases.chroots import of_others
from tests.releases.chroots.debian import PYTHONS, Debian, DebianKind, title
from tests.releases.chroots.files import BAD, NEW, OLD, UPDATE, BenchKeys, relabelled, release
from tests.releases.chroots.killed import kill_updater
from tests.releases.chroots.rounds import (
    COMPARED,
    CONFIG,
    CONFIG_FILE,
    RECORD,
    SCANNER,
    compare,
)
from tests.releases.chroots.tower import TowerFiles, look
from tests.releases.chroots.unchanged import unchanged

ROUNDS: Final = 10
#: What nobody may install, by what it says of itself; and what the table says to that.
_UNFIT: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "machine": ({"machine": "riscv64"}, "is for riscv64"),
    "python": ({"python": "3.9"}, "is for Python 3.9"),
    "space": ({"size_bytes": 1 << 50}, "MB are free"),
    "older": ({"version": "0.0.9", "build": "0.0.9+00000001"}, "is older than"),
    "record": ({"version": "0.9.0", "build": "0.9.0+00000002"}, "older than this table's record"),
    "format": ({"version": "0.9.0", "build": "0.9.0+00000003"}, "writes records of format"),
    "driver": ({"version": "0.9.0", "build": "0.9.0+00000004"}, "--remove-driver tower-light"),
}


def put_files(debian: Debian, kind: DebianKind, keys: BenchKeys, work: Path) -> dict[str, str]:
    """Put releases by their versions, and what nobody may install, into /root; their paths."""
    python = PYTHONS[kind.suite]
    root, paths = debian.folder / "root", {}
    for version in (OLD, NEW, BAD):
        file = release(work, keys, kind.machine, python, version)
        shutil.copy2(file, root)
        paths[version] = f"/root/{file.name}"
    new = root / Path(paths[NEW]).name
    for name, (changes, _) in _UNFIT.items():

        def change(plain: dict[str, Any], name: str = name, new: Any = changes) -> None:
            plain.update(new)
            if name == "record":
                plain["record"]["facts"] = plain["record"]["facts"][1:]
            if name == "format":
                plain["record"]["format"] += 1
            if name == "driver":
                plain["installed"]["tower_light/lamps.py"] = "0" * 64

        relabelled(new, root / f"{name}.tar", keys, change)
    with tarfile.open(root / "unsigned.tar", "w:") as tar, tarfile.open(new) as signed:
        stream = signed.extractfile(MANIFEST)
        tar.addfile(signed.getmember(MANIFEST), stream)
    spoilt = bytearray(new.read_bytes())
    spoilt[spoilt.index(b'"size_bytes": ') + len(b'"size_bytes": ')] ^= 1
    (root / "spoilt.tar").write_bytes(spoilt)
    return paths


def install(debian: Debian, keys: BenchKeys, file: str) -> None:
    """The first release on this machine, and the table started."""
    title("install")
    put_installer(debian, keys, file)
    debian.write(CONFIG_FILE, CONFIG + SCANNER)
    debian.expect(0, "as it was installed", f"/root/{UPDATE}", "--install", file)
    start(debian)


def put_installer(debian: Debian, keys: BenchKeys, file: str) -> None:
    """The program of a release beside its file, and the keys that the table pins."""
    debian.write("opt/tablectl/release-keys", keys.pinned)
    inside = debian.folder / file.lstrip("/")
    subprocess.run(["tar", "xf", str(inside), "-C", str(inside.parent), UPDATE], check=True)


def start(debian: Debian) -> None:
    """Start the table that was just installed, as whoever installs it does."""
    token = "etc/tablectl/service-token"
    debian.run("tablectl", "token", f"/{token}")
    debian.run("chown", "tablectl:tablectl", f"/{token}")
    for state in ("tablectl", "tablectl-key"):
        debian.run("install", "-d", "-o", "tablectl", "-g", "tablectl", f"/var/lib/{state}")
    debian.run("systemctl", "enable", "tablectl.service")
    debian.run("systemctl", "start", "tablectl.service")
    debian.expect(0, f"tablectl {OLD}", "tablectl", "--version")


def refuse(debian: Debian) -> None:
    """What is refused changes nothing; so does a release that only shall be looked at."""
    title("refused")
    with unchanged(debian):
        for name, (_, said) in _UNFIT.items():
            debian.expect(1, said, UPDATE, f"/root/{name}.tar")
        debian.expect(1, "its signature is of something else", UPDATE, "/root/spoilt.tar")
        debian.expect(1, "no signed release", UPDATE, "/root/unsigned.tar")


def update(debian: Debian, file: str) -> None:
    """An update that is killed and tried again, and is confirmed."""
    title("an updater that is killed; then an update")
    kill_updater(debian, file)
    debian.expect(0, "is confirmed", UPDATE, file)


def begin(debian: Debian, paths: dict[str, str], keys: BenchKeys, towers: TowerFiles) -> None:
    """From the installation to a table with rounds on record, and what it refuses."""
    install(debian, keys, paths[OLD])
    more = of_others.add(debian, towers)
    title(f"{ROUNDS} rounds")
    of_others.deal_with(debian, ROUNDS, more)
    title(f"the same {COMPARED} rounds as here")
    compare(debian)
    refuse(debian)
    of_others.renew(debian, towers, paths[NEW])


def change(
    debian: Debian,
    paths: dict[str, str],
    towers: TowerFiles,
    updated: Callable[[Debian, str], None] = update,
) -> None:
    """From an update to the end of the installation; `updated` is how it is updated."""
    title("dry run")
    debian.expect(0, "would do", UPDATE, "--dry-run", paths[NEW])
    assert len(list((debian.folder / "opt/tablectl/releases").iterdir())) == 1
    updated(debian, paths[NEW])
    debian.expect(0, f"tablectl {NEW}", "tablectl", "--version")
    debian.expect(0, "as it was installed", UPDATE, "--compare")
    look(debian)
    title("a bad update, a downgrade")
    debian.expect(2, f"went back to {NEW}", UPDATE, paths[BAD])
    debian.expect(0, f"tablectl {NEW}", "tablectl", "--version")
    look(debian)
    debian.expect(1, "is older than", UPDATE, "/root/older.tar")
    debian.expect(1, "--back tries it", UPDATE, paths[OLD])
    of_others.mend(debian, towers)
    title("back, and off")
    debian.expect(0, "is confirmed", UPDATE, "--back")
    look(debian)
    debian.expect(0, f"tablectl {OLD}", "tablectl", "--version")
    debian.expect(0, f"{NEW}+", "tablectl", "export", RECORD)
    debian.expect(0, "software-went-back", "tablectl", "export", RECORD)
    debian.expect(0, "all hold", "tablectl", "verify", RECORD)
    of_others.remove(debian)
    debian.expect(0, "removed", UPDATE, "--uninstall")
    left = sorted(each.name for each in debian.folder.glob("var/lib/tablectl*"))
    assert left == ["tablectl", "tablectl-key"], left
    assert not (debian.folder / "opt/tablectl").exists()
