"""A fresh Debian on a disk of its own, and commands in it."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.releases.chroots.space import space

PYTHONS: Final = {"bookworm": "3.11", "trixie": "3.13"}
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_PACKAGES: Final = "python3,python3-venv,systemd,systemd-sysv,dbus,udev,ca-certificates"
#: Debian 13 renamed it for 64-bit time.
ZBAR: Final = {"bookworm": "libzbar0", "trixie": "libzbar0t64"}
_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_ENVIRONMENT: Final = ["/usr/bin/env", "-i", f"PATH={_PATH}", "LANG=C.UTF-8", "HOME=/root"]
_DISK_BYTES: Final = 6 << 30


@dataclass(frozen=True, slots=True)
class DebianKind:
    """Which Debian, for which processor; `emulator` is below where qemu lies."""

    suite: str
    machine: str
    emulator: Path = Path("/")

    @property
    def is_foreign(self) -> bool:
        """Whether its programs run by emulation here."""
        return self.machine != platform.machine()

    @property
    def foreign(self) -> Path | None:
        """Where the emulator lies that its programs need here; None where they need none."""
        return self.emulator if self.is_foreign else None

    def __str__(self) -> str:
        return f"{self.suite}-{ARCHITECTURES[self.machine]}"


#: Makes a Debian of a kind in a folder that is not there yet.
Make = Callable[[DebianKind, Path], None]


class Debian:
    """A Debian below `folder`; `before` is what its commands are put behind."""

    def __init__(self, folder: Path, before: list[str]) -> None:
        self.folder = folder
        self._before = before

    @property
    def first_process(self) -> int:
        """The first process of its space, by this machine's count; it has to have one."""
        (word,) = [each for each in self._before if each.startswith("--target=")]
        return int(word.partition("=")[2])

    def command(self, *words: str) -> list[str]:
        """That command in this Debian, to be run from outside."""
        return [*self._before, *_ENVIRONMENT, *words]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command and print what it said."""
        print(f"  # {' '.join(words)}", flush=True)
        done = subprocess.run(
            self.command(*words), capture_output=True, text=True, errors="replace", check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        for line in (done.stdout + done.stderr).splitlines():
            print(f"    {line}", flush=True)
        return done

    def expect(self, status: int, said: str, *words: str) -> str:
        """Run a command that has to end so and say that; all that it said."""
        done = self.run(*words)
        assert done.returncode == status, f"exit status {done.returncode}, not {status}"
        assert said in done.stdout + done.stderr, f"nothing said of {said!r}"
        return done.stdout + done.stderr

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Put a file there."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)


def title(text: str) -> None:
    """What comes next."""
    print(text, flush=True)


def base(kind: DebianKind, folder: Path, make: Make) -> Path:
    """What `make` makes of it, kept from run to run."""
    made = folder / f"{kind}-{make.__name__}"
    if not (made / "made").exists():
        subprocess.run(["rm", "-rf", "--one-file-system", str(made)], check=True)
        make(kind, made)
        shutil.rmtree(made / "var/cache/apt")
        (made / "made").touch()
    return made


def bootstrap(kind: DebianKind, made: Path) -> None:
    """Let debootstrap make it in the folder `made`."""
    included = f"{_PACKAGES},{ZBAR[kind.suite]}"
    quietly(
        "debootstrap", f"--arch={ARCHITECTURES[kind.machine]}", "--variant=minbase",
        f"--include={included}", *(["--foreign"] if kind.is_foreign else []), kind.suite, str(made),
    )  # fmt: skip
    if kind.is_foreign:
        with space(made, foreign=kind.foreign) as before:
            # Devices are there already, and cannot be made in a space with users of its own.
            quietly(*before, "env", "container=lxc", "/debootstrap/debootstrap", "--second-stage")


def quietly(*command: str, cwd: str | None = None) -> None:
    """Run a command of this machine that has to succeed; what it says is not shown."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, f"{command}: {done.stdout[-2_000:]} {done.stderr[-2_000:]}"


@contextmanager
def disk_of(kind: DebianKind, folder: Path, make: Make = bootstrap) -> Iterator[tuple[Path, Path]]:
    """A fresh Debian on a disk of its own: the disk's file, and where it is mounted."""
    image, here = folder / f"{kind}.disk", folder / str(kind)
    image.unlink(missing_ok=True)
    with open(image, "wb") as file:
        file.truncate(_DISK_BYTES)
    quietly("mkfs.ext4", "-q", "-E", "lazy_itable_init=1", str(image))
    with mounted(image, here):
        quietly("cp", "-a", "--one-file-system", f"{base(kind, folder, make)}/.", str(here))
        yield image, here


@contextmanager
def mounted(image: Path, here: Path) -> Iterator[None]:
    """A disk's file, mounted."""
    here.mkdir(parents=True, exist_ok=True)
    quietly("mount", "-o", "loop", str(image), str(here))
    try:
        yield
    finally:
        quietly("umount", str(here))


@contextmanager
def debian(kind: DebianKind, here: Path) -> Iterator[Debian]:
    """The Debian below `here`, as long as it is used; what was started in it ends with it."""
    with space(here, foreign=kind.foreign) as before:
        yield Debian(here, before)
