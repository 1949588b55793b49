"""The Debian package carries a release; its scripts are whole and call the updater alone."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.record.build import PACKAGES
from systemd.releases.build import deb
from systemd.releases.build.deb import build_deb
from systemd.releases.build.sign import new_key
from systemd.releases.build.source_time import source_time
from tests.releases.bench_machine import NEW, release_file

_LICENCE = (Path(__file__).parents[2] / "LICENSE").read_bytes()
SCRIPTS = ("postinst", "prerm", "postrm")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package, unpacked, with its control files in DEBIAN."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is not installed: this is not Debian")
    folder = tmp_path_factory.mktemp("deb")
    release = release_file(folder / "release.tar", NEW, new_key(), machine="aarch64")
    _put_own(release)
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
    files = {str(each.relative_to(unpacked)) for each in unpacked.rglob("*") if each.is_file()}
    about = {
        "usr/share/doc/tablectl/copyright", "usr/share/doc/tablectl/changelog.gz",
        "usr/share/lintian/overrides/tablectl",
    }  # fmt: skip
    scripts = {f"DEBIAN/{each}" for each in ("control", "md5sums", *SCRIPTS)}
    assert files == about | scripts | {f"usr/lib/tablectl/{each.name}" for each in home.iterdir()}


def test_dpkg_can_compare_its_files(unpacked: Path) -> None:
    done = subprocess.run(
        ["md5sum", "--check", "--quiet", "DEBIAN/md5sums"], cwd=unpacked, check=False
    )
    assert done.returncode == 0
    lines = (unpacked / "DEBIAN/md5sums").read_text().splitlines()
    assert len(lines) == sum(each.is_file() for each in unpacked.glob("usr/**/*"))


def test_it_says_whose_it_is_and_which_release(unpacked: Path) -> None:
    about = unpacked / "usr/share/doc/tablectl"
    assert "Permission is hereby granted" in (about / "copyright").read_text()
    changes = gzip.decompress((about / "changelog.gz").read_bytes()).decode()
    assert f"* Carries the release {NEW}, of Python 3.11." in changes
    assert "Sun, 22 Nov 2026 23:55:12 +0000" in changes


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_the_same_release_makes_the_same_package(tmp_path: Path) -> None:
    release = release_file(tmp_path / "release.tar", NEW, new_key())
    _put_own(release)
    (tmp_path / "release-keys").write_text("keys\n")
    found = []
    for made_s in (1_800_000_000, 1_900_000_000):
        os.utime(release, (made_s, made_s))
        folder = tmp_path / str(made_s)
        found.append(build_deb(release, tmp_path / "release-keys", folder).read_bytes())
    assert found[0] == found[1]
    # The first header of the archive, "!<arch>" before it: a name of 16 bytes, and its time.
    assert int(found[0][24:36]) == datetime(2026, 11, 22, 23, 55, 12, tzinfo=UTC).timestamp()


def _put_own(release: Path) -> None:
    """What every release holds that a package takes out of it."""
    with tarfile.open(release, "a:") as tar:
        for name, text in (("tablectl-update", b"#!"), ("LICENSE", _LICENCE)):
            member = tarfile.TarInfo(name)
            member.mode = 0o755 if name == "tablectl-update" else 0o644
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))


def test_it_says_for_which_machine_and_python_it_is(unpacked: Path) -> None:
    control = (unpacked / "DEBIAN/control").read_text()
    version = NEW.replace("+", "+20261122235512.")
    assert f"Version: {version}\nArchitecture: arm64\n" in control
    assert "Depends: python3 (>= 3.11), python3 (<< 3.12), python3-venv" in control


def test_a_later_build_of_a_version_is_an_upgrade_whatever_its_digest(tmp_path: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is not installed: this is not Debian")
    (tmp_path / "release-keys").write_text("keys\n")
    versions = []
    for build, time in (("0.3.1+ffffffff", "20261122235512"), ("0.3.1+00000000", "20261122235513")):
        release = release_file(tmp_path / f"{build}.tar", build, None, source_time=time)
        _put_own(release)
        made = build_deb(release, tmp_path / "release-keys", tmp_path)
        field = ["dpkg-deb", "--field", str(made), "Version"]
        versions.append(subprocess.run(field, check=True, capture_output=True, text=True).stdout)
    older, newer = (each.strip() for each in versions)
    subprocess.run(["dpkg", "--compare-versions", newer, "gt", older], check=True)


def _checkout(folder: Path) -> None:
    for name in (*PACKAGES, "systemd"):
        (folder / name).mkdir()
        (folder / name / "a.py").write_text("")
        os.utime(folder / name / "a.py", (1_000_000_000, 1_000_000_000))


def test_the_time_of_the_sources_is_that_of_the_commit_or_of_the_newest_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _checkout(tmp_path)
    assert source_time(tmp_path) == "20010909014640", "no git: the newest file"
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1700000000 +0200")
    for words in (
        ["init", "-q"], ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x"],
    ):  # fmt: skip
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    assert source_time(tmp_path) == "20231114221320", "clean: the commit, in UTC"
    (tmp_path / "controller/b.py").write_text("x = 1\n")
    os.utime(tmp_path / "controller/b.py", (1_800_000_000, 1_800_000_000))
    assert source_time(tmp_path) == "20270115080000", "not committed: the newest file"


@pytest.mark.parametrize("name", SCRIPTS)
def test_its_scripts_are_whole_and_delete_nothing_themselves(unpacked: Path, name: str) -> None:
    script = unpacked / "DEBIAN" / name
    subprocess.run(["sh", "-n", script], check=True)
    assert "{" not in script.read_text().replace("|| {", "")
    assert " rm " not in script.read_text()


@pytest.mark.parametrize(
    ("release", "keys", "status", "says"),
    [
        ("", "", 2, "deb: name both: make deb FILE="),
        ("nowhere.tar", "keys", 1, "deb: [Errno 2] No such file or directory: "),
        ("keys", "keys", 1, "keys is no release: "),
    ],
)
def test_what_no_package_is_made_of_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
    release: str, keys: str, status: int, says: str,
) -> None:  # fmt: skip
    (tmp_path / "keys").write_text("keys\n")
    found, with_keys = (str(tmp_path / each) if each else "" for each in (release, keys))
    assert deb.main(found, with_keys, str(tmp_path / "dist")) == status
    assert says in capsys.readouterr().err
