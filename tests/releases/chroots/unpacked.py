"""A Debian without debootstrap: `--unpacked`, on any Debian with apt, and nothing installed on it.

apt fetches the packages, dpkg-deb unpacks them. No script of a package runs, so systemd does not
start there as process 1; the programs are the same. The emulator is unpacked beside it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from tests.releases.chroots.debian import ARCHITECTURES, ZBAR, DebianKind, quietly

_ARCHIVE: Final = "http://deb.debian.org/debian"
_KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
#: What debootstrap would bring of what a table uses, and what a table needs.
_PACKAGES: Final = (
    "base-files", "base-passwd", "passwd", "dash", "bash", "coreutils", "findutils", "grep", "mawk",
    "sed", "tar", "util-linux", "systemd", "tzdata", "ca-certificates", "python3", "python3-venv",
)  # fmt: skip
#: Unpacked first: on Debian 13 its links make one of /bin and /usr/bin.
_FIRST: Final = "base-files_"


def unpack_base(kind: DebianKind, made: Path) -> None:
    """Unpack that Debian into the folder `made`."""
    made.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        for each in _fetched(kind, Path(scratch)):
            quietly("dpkg-deb", "-x", str(each), str(made))
    for name in ("passwd", "group"):
        shutil.copy2(made / f"usr/share/base-passwd/{name}.master", made / f"etc/{name}")
    # What the script of ca-certificates would do: pip opens them, though it asks nobody.
    known = sorted(made.glob("usr/share/ca-certificates/mozilla/*.crt"))
    bundle = made / "etc/ssl/certs/ca-certificates.crt"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(b"".join(each.read_bytes() for each in known))
    (made / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (made / "var/cache/apt").mkdir(parents=True, exist_ok=True)


def _fetched(kind: DebianKind, scratch: Path) -> list[Path]:
    """The packages' files in their order, by an apt that knows nothing of this machine."""
    for each in ("lists/partial", "cache/archives/partial"):
        (scratch / each).mkdir(parents=True)
    (scratch / "status").touch()
    source = f"deb [signed-by={_KEYRING}] {_ARCHIVE} {kind.suite} main\n"
    (scratch / "sources.list").write_text(source)
    architecture = ARCHITECTURES[kind.machine]
    settings = (
        f"APT::Architecture={architecture}", f"APT::Architectures::={architecture}",
        f"Dir::State::status={scratch}/status", f"Dir::State::lists={scratch}/lists",
        f"Dir::Cache={scratch}/cache", f"Dir::Etc::sourcelist={scratch}/sources.list",
        "Dir::Etc::sourceparts=/nonexistent", "APT::Install-Recommends=0",
        "Debug::NoLocking=1", "APT::Sandbox::User=root",
    )  # fmt: skip
    apt = ("apt-get", *(f"-o{each}" for each in settings))
    quietly(*apt, "update")
    quietly(*apt, "-y", "--download-only", "install", *_PACKAGES, ZBAR[kind.suite])
    files = (scratch / "cache/archives").glob("*.deb")
    return sorted(files, key=lambda each: (not each.name.startswith(_FIRST), each.name))


def unpack_emulator(folder: Path) -> Path:
    """qemu for this machine below `folder`, kept from run to run; where it lies."""
    tools = folder / "emulator"
    if not (tools / "made").exists():
        shutil.rmtree(tools, ignore_errors=True)
        tools.mkdir()
        with tempfile.TemporaryDirectory() as scratch:
            quietly("apt-get", "-oAPT::Sandbox::User=root", "download", "qemu-user-static",
                    cwd=scratch)  # fmt: skip
            for each in Path(scratch).glob("*.deb"):
                quietly("dpkg-deb", "-x", str(each), str(tools))
        (tools / "made").touch()
    return tools
