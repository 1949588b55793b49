"""A release as a Debian package: a carrier, whose scripts call `tablectl-update` and no more.

    python -m systemd.releases.build.deb RELEASE.tar RELEASE-KEYS FOLDER

The package holds the file of a release, its updater, and the public keys that a table without any
pins. So a table installs, tries, goes back and uninstalls in one way, however its files came. dpkg
knows no trial: where an update is refused or goes back, the package is left unconfigured and says
why, and `dpkg --configure tablectl` tries it again.

Its version has the time of the sources before their digest, `0.3.1+20261122235512.4f2c9a01`: a
digest alone does not rise, and dpkg would take about every second build of a version for an older
one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Final

from systemd.releases.build.wheels import BuildFailed
from systemd.releases.update.manifest import MANIFEST

_HOME: Final = "usr/lib/tablectl"
_UPDATER: Final = "tablectl-update"
_KEYS: Final = "release-keys"
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_CONTROL: Final = """\
Package: tablectl
Version: {version}
Architecture: {architecture}
Maintainer: tablectl contributors <tablectl@localhost>
Section: misc
Priority: optional
Depends: python3 (>= {python}), python3 (<< {next_python}), python3-venv, systemd, udev
Recommends: libzbar0 | libzbar0t64, python3-lgpio
Description: controller of a physical casino table
 Carries a signed release, which tablectl-update installs, tries between two rounds, and takes
 back by itself where it does not do. The record of the table outlasts the package.
"""
_POSTINST: Final = """\
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
[ "$(readlink /opt/tablectl/current)" != "releases/{build}" ] || exit 0
[ -e /opt/tablectl/{keys} ] || install -D -m 644 /{home}/{keys} /opt/tablectl/{keys}
# Nobody is asked: a table without a configuration gets the delivered one.
/{home}/{updater} --install "/{home}/{file}" </dev/null || {{
    echo "tablectl: the package is not configured; what ran before runs on." >&2
    exit 1
}}
"""
_PRERM: Final = """\
#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
[ ! -d /opt/tablectl ] || /{home}/{updater} --uninstall
"""
_POSTRM: Final = """\
#!/bin/sh
set -e
[ "$1" = purge ] || exit 0
echo "tablectl: the record stays in /var/lib/tablectl, its key in /var/lib/tablectl-key, the"
echo "tablectl: configuration in /etc/tablectl: a purge removes none of them. Delete them by hand"
echo "tablectl: once nobody has to be able to prove what was dealt here."
"""


def build_deb(release: Path, keys: Path, folder: Path) -> Path:
    """Write the package of a release into `folder`; its file. Raises `BuildFailed`, `OSError`."""
    manifest = _manifest(release)
    architecture = ARCHITECTURES[manifest["machine"]]
    words = {
        "build": manifest["build"], "version": _version(manifest),
        "architecture": architecture, "home": _HOME, "keys": _KEYS,
        "updater": _UPDATER, "file": release.name, "python": manifest["python"],
        "next_python": _next(manifest["python"]),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        root = Path(scratch) / "package"
        home = root / _HOME
        home.mkdir(parents=True)
        shutil.copy2(release, home)
        (home / _KEYS).write_bytes(keys.read_bytes())
        with tarfile.open(release) as tar:
            tar.extract(_UPDATER, home, filter="data")
        _write(root / "DEBIAN/control", _CONTROL.format(**words), 0o644)
        for name, text in (("postinst", _POSTINST), ("prerm", _PRERM), ("postrm", _POSTRM)):
            _write(root / "DEBIAN" / name, text.format(**words), 0o755)
        for each in (root, *root.rglob("*")):
            each.chmod(0o755 if each.is_dir() or each.stat().st_mode & 0o100 else 0o644)
        path = folder / f"tablectl_{manifest['build']}_{architecture}_py{words['python']}.deb"
        # What it carries is packed already.
        command = ["dpkg-deb", "-Znone", "--root-owner-group", "--build", str(root), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(f"dpkg-deb: {done.stderr.strip()}")
    return path


def _manifest(release: Path) -> dict[str, Any]:
    with tarfile.open(release) as tar:
        stream = tar.extractfile(MANIFEST)
        if stream is None:
            raise BuildFailed(f"{release} is no release")
        found: dict[str, Any] = json.load(stream)
        return found


def _version(manifest: dict[str, Any]) -> str:
    number, _, digest = manifest["build"].partition("+")
    return f"{number}+{manifest['source_time']}.{digest}"


def _next(python: str) -> str:
    major, minor = python.split(".")
    return f"{major}.{int(minor) + 1}"


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def main(release: str, keys: str, folder: str) -> int:
    """Build it, print its file; the exit status."""
    try:
        path = build_deb(Path(release), Path(keys), Path(folder))
    except BuildFailed as error:
        sys.stderr.write(f"deb: {error}\n")
        return 1
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
