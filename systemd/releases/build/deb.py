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

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Final

from systemd.releases.build.wheels import BuildFailed
from systemd.releases.update.manifest import MANIFEST

_HOME: Final = "usr/lib/tablectl"
_UPDATER: Final = "tablectl-update"
_KEYS: Final = "release-keys"
_LICENCE: Final = "LICENSE"
_MAINTAINER: Final = "tablectl contributors <tablectl@localhost>"
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_CONTROL: Final = """\
Package: tablectl
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Section: misc
Priority: optional
Depends: python3 (>= {python}), python3 (<< {next_python}), python3-venv, systemd, udev
Recommends: libzbar0 | libzbar0t64, python3-lgpio
Description: controller of a physical casino table
 Carries a signed release, which tablectl-update installs, tries between two
 rounds, and takes back by itself where it does not do. The record of the table
 outlasts the package.
"""
_POSTINST: Final = """\
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
[ -e /opt/tablectl/{keys} ] || install -D -m 644 /{home}/{keys} /opt/tablectl/{keys}
# Nobody is asked: a table without a configuration gets the delivered one. The release that is here
# is left as it is where it is whole, and mended where it is not (apt reinstall tablectl).
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


_CHANGELOG: Final = """\
tablectl ({version}) unstable; urgency=medium

  * Carries the release {build}, of Python {python}.

 -- {maintainer}  {date}
"""
_COPYRIGHT: Final = """\
The release in /{home}/{file} holds this program,
whose licence follows, and packages under licences of their own: sbom.cdx.json
in it names them, and each has its text in its wheel.

{licence}"""
#: Overrides for lintian: what is carried is packed already.
_OVERRIDES: Final = "tablectl: uses-no-compression-for-data-tarball\n"


def build_deb(release: Path, keys: Path, folder: Path) -> Path:
    """Write the package of a release into `folder`; its file. Raises `BuildFailed`, `OSError`."""
    manifest = _manifest(release)
    architecture = ARCHITECTURES[manifest["machine"]]
    words = {
        "build": manifest["build"], "version": _version(manifest),
        "architecture": architecture, "home": _HOME, "keys": _KEYS,
        "updater": _UPDATER, "file": release.name, "python": manifest["python"],
        "next_python": _next(manifest["python"]), "maintainer": _MAINTAINER,
    }  # fmt: skip
    made = _seconds(manifest)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        root = Path(scratch) / "package"
        home = root / _HOME
        home.mkdir(parents=True)
        shutil.copy2(release, home)
        (home / _KEYS).write_bytes(keys.read_bytes())
        with tarfile.open(release) as tar:
            tar.extract(_UPDATER, home, filter="data")
            words["licence"] = _text(tar, _LICENCE)
        _write_about(root, words, made)
        _write(root / "DEBIAN/control", _CONTROL.format(**words), 0o644)
        for name, text in (("postinst", _POSTINST), ("prerm", _PRERM), ("postrm", _POSTRM)):
            _write(root / "DEBIAN" / name, text.format(**words), 0o755)
        _write(root / "DEBIAN/md5sums", _sums(root), 0o644)
        # The same release makes the same package: no times but that of its sources.
        for each in (root, *root.rglob("*")):
            each.chmod(0o755 if each.is_dir() or each.stat().st_mode & 0o100 else 0o644)
            os.utime(each, (made, made))
        path = folder / f"tablectl_{manifest['build']}_{architecture}_py{words['python']}.deb"
        # What it carries is packed already.
        command = [
            "dpkg-deb", "-Znone", "--no-uniform-compression", "--root-owner-group", "--build",
            str(root), str(path),
        ]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, check=False,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(made)},
        )  # fmt: skip
    if done.returncode:
        raise BuildFailed(f"dpkg-deb: {done.stderr.strip()}")
    return path


def _write_about(root: Path, words: dict[str, str], made: int) -> None:
    """What Debian's policy wants beside the files: whose they are, and which release this is."""
    about = root / "usr/share/doc/tablectl"
    _write(about / "copyright", _COPYRIGHT.format(**words), 0o644)
    text = _CHANGELOG.format(date=format_datetime(datetime.fromtimestamp(made, UTC)), **words)
    (about / "changelog.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    _write(root / "usr/share/lintian/overrides/tablectl", _OVERRIDES, 0o644)


def _sums(root: Path) -> str:
    """What `dpkg --verify` compares the package's files with."""
    lines = []
    for each in sorted(root.glob("usr/**/*")):
        if each.is_file():
            with open(each, "rb") as file:
                digest = hashlib.file_digest(file, "md5").hexdigest()
            lines.append(f"{digest}  {each.relative_to(root)}\n")
    return "".join(lines)


def _manifest(release: Path) -> dict[str, Any]:
    with tarfile.open(release) as tar:
        found: dict[str, Any] = json.loads(_text(tar, MANIFEST))
        return found


def _text(tar: tarfile.TarFile, name: str) -> str:
    """The text of a file of a release. Raises `BuildFailed`."""
    stream = tar.extractfile(name) if name in tar.getnames() else None
    if stream is None:
        raise BuildFailed(f"{name} is not in it: it is no release")
    return stream.read().decode()


def _seconds(manifest: dict[str, Any]) -> int:
    """When its sources were last changed, in seconds since 1970."""
    found = datetime.strptime(f"{manifest['source_time']}+0000", "%Y%m%d%H%M%S%z")
    return int(found.timestamp())


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
    if not release or not keys:
        sys.stderr.write("deb: name both: make deb FILE=dist/tablectl-....tar KEYS=release-keys\n")
        return 2
    try:
        path = build_deb(Path(release), Path(keys), Path(folder))
    except (BuildFailed, OSError) as error:
        sys.stderr.write(f"deb: {error}\n")
        return 1
    except tarfile.TarError as error:
        sys.stderr.write(f"deb: {release} is no release: {error}\n")
        return 1
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
