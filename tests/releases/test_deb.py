"""The Debian package carries a release; its scripts are whole and call the updater alone."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from systemd.releases.build.deb import build_deb
from systemd.releases.build.sign import new_key
from tests.releases.bench_machine import NEW, release_file

SCRIPTS = ("postinst", "prerm", "postrm")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package, unpacked, with its control files in DEBIAN."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is not installed: this is not Debian")
    folder = tmp_path_factory.mktemp("deb")
    release = release_file(folder / "release.tar", NEW, new_key(), machine="aarch64")
    with tarfile.open(release, "a:") as tar:
        member = tarfile.TarInfo("tablectl-update")
        member.mode = 0o755
        member.size = 2
        tar.addfile(member, io.BytesIO(b"#!"))
    (folder / "release-keys").write_text("keys\n")
    path = build_deb(release, folder / "release-keys", folder)
    assert path.name == f"tablectl_{NEW}_arm64_py3.11.deb"
    subprocess.run(["dpkg-deb", "--raw-extract", path, folder / "raw"], check=True)
    return folder / "raw"


def test_it_holds_the_release_its_updater_and_the_keys(unpacked: Path) -> None:
    home = unpacked / "usr/lib/tablectl"
    assert {each.name for each in home.iterdir()} == {
        "release.tar", "tablectl-update", "release-keys"
    }  # fmt: skip
    assert (home / "tablectl-update").stat().st_mode & 0o777 == 0o755
    assert (home / "release.tar").stat().st_mode & 0o777 == 0o644
    files = {each.name for each in unpacked.rglob("*") if each.is_file()}
    assert not files - {"control", *SCRIPTS, *(each.name for each in home.iterdir())}


def test_it_says_for_which_machine_and_python_it_is(unpacked: Path) -> None:
    control = (unpacked / "DEBIAN/control").read_text()
    assert f"Version: {NEW}\nArchitecture: arm64\n" in control
    assert "Depends: python3 (>= 3.11), python3 (<< 3.12), python3-venv" in control


@pytest.mark.parametrize("name", SCRIPTS)
def test_its_scripts_are_whole_and_delete_nothing_themselves(unpacked: Path, name: str) -> None:
    script = unpacked / "DEBIAN" / name
    subprocess.run(["sh", "-n", script], check=True)
    assert "{" not in script.read_text().replace("|| {", "")
    assert " rm " not in script.read_text()
