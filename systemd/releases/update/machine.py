"""The machine around the releases: systemd, the programs of a release, the running service."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import pwd
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final, NamedTuple

from systemd.releases.update import environment
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.environment import ENVIRONMENT
from systemd.releases.update.layout import Installation
from systemd.releases.update.sandbox import STANDBY_SANDBOX

SERVICE: Final = "tablectl.service"
GUARD: Final = "tablectl-guard.service"
KIOSK: Final = "tablectl-kiosk.service"
PIT: Final = "tablectl-pit.service"
#: What ends an update whose program was killed, as long as one is at work (`standby`).
STANDBY: Final = "tablectl-standby.service"
#: This program: one file on a table.
PROGRAM: Final = Path(__file__).absolute().parents[3]
USER: Final = "tablectl"
_SYSTEMD: Final = Path("/run/systemd/system")
_COMMAND_S: Final = 900
_ANSWER_S: Final = 5
_ANSWER_AT_MOST: Final = 4 << 20
#: The exit status where no systemd runs.
_NO_SYSTEMD: Final = 127
_PORT: Final = 8027
#: The device as which a release says that it is on trial: down all that time.
_ON_TRIAL: Final = "software"
_PI: Final = "Raspberry Pi"
_MODEL: Final = Path("/proc/device-tree/model")
_LGPIO: Final = "lgpio"
#: What an answer raises that is not the table's, and a configuration that is none.
_NO_ANSWER: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
#: The table is on this machine: no proxy of the environment is asked for it.
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ProgramOutput(NamedTuple):
    """What a program printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        """What it said last, errors first."""
        return next(reversed((self.err.strip() or self.out.strip()).splitlines()), "")


@dataclass(frozen=True, slots=True)
class TableNow:
    """The table as its status page shows it: what it waits for, and the devices that work."""

    build: str
    phase: str
    stopped: str
    devices_up: frozenset[str]


class Host:
    """This machine: `kind` as `uname -m` has it, `python` as `3.11`.

    `lock` is the descriptor of a lock that this program holds: as long as something that it
    started as root is at work, the lock is held, even where this program was killed.
    """

    kind = platform.machine()
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"

    def __init__(self, layout: Installation, lock: int | None = None) -> None:
        self._layout = layout
        self._held = () if lock is None else (lock,)

    def make_environment(self, folder: Path, disk: DurableFiles) -> None:
        """Make the environment of a release. Raises `UpdateRefused`, `OSError`."""
        environment.make(
            folder, sys.executable, system_packages=self.gives_system_packages(), disk=disk,
            held=self._held,
        )  # fmt: skip

    def gives_system_packages(self) -> bool:
        """Whether environments here see the machine's own packages, since lgpio is one of them.

        Those of a Raspberry Pi do, whatever is installed on it yet; elsewhere lgpio says that this
        machine has pins, or is the image of one that has.
        """
        is_pi = _MODEL.exists() and _MODEL.read_text(errors="replace").startswith(_PI)
        # Found and not imported: lgpio puts a pipe where it is imported.
        return is_pi or importlib.util.find_spec(_LGPIO) is not None

    def has_module(self, name: str) -> bool:
        """Whether Python here has that module, or the machine's pins will want it.

        A driver's would be found in its place, before any configuration admitted it, or never.
        """
        if name in sys.stdlib_module_names or name == _LGPIO:
            return True
        # Found and not imported: nothing of it runs.
        return self.gives_system_packages() and PathFinder.find_spec(name) is not None

    def compile(self, folder: Path) -> None:
        """Compile the packages in `folder`. Raises `UpdateRefused`, `OSError`."""
        environment.compile_all(sys.executable, folder, self._held)

    # -- systemd --

    def systemctl(self, *words: str) -> ProgramOutput:
        """Ask systemd; where none runs (an image that is being built) the status is 127."""
        return self._ask_systemd("systemctl", *words)

    def _ask_systemd(self, program: str, *words: str) -> ProgramOutput:
        # What lies below another root is another machine's: this one's services are not its.
        if self._layout.root != Path("/") or not _SYSTEMD.is_dir():
            return ProgramOutput(_NO_SYSTEMD, "", "systemd does not run")
        # Without the lock: what stands by is started so, and would wait for itself.
        return self._run([program, *words], holds_lock=False)

    def is_active(self, unit: str = SERVICE) -> bool:
        """Whether a service runs, or is on its way up. Raises `OSError`."""
        return self._shown(unit, "ActiveState") in ("active", "activating", "reloading")

    def restarts(self, unit: str = SERVICE) -> int:
        """How often systemd started a service again by itself. Raises `OSError`."""
        text = self._shown(unit, "NRestarts")
        return int(text) if text.isdigit() else 0

    def _shown(self, unit: str, name: str) -> str:
        said = self.systemctl("show", unit, f"--property={name}", "--value")
        if said.status not in (0, _NO_SYSTEMD):
            # Not an answer: a table that runs would be taken for one that does not.
            raise OSError(f"systemd does not say how {unit} is: {said.last_line}")
        return said.out.strip()

    def start_standby(self) -> str:
        """Start what ends an update whose program was killed; why it did not, empty if it did.

        It is this program, and no unit of a file: an older one would call an older program. Raises
        `OSError`.
        """
        # One of an update that was killed waits for this program's end alike.
        if self.is_active(STANDBY):
            return ""
        said = self._ask_systemd(
            "systemd-run", "--quiet", "--collect", f"--unit={STANDBY}", "--service-type=exec",
            "--description=Ends an update of the casino table whose program was killed",
            "--property=Restart=on-abnormal", "--property=RestartSec=1",
            *(f"--property={each}" for each in STANDBY_SANDBOX), str(PROGRAM), "--stand-by",
        )  # fmt: skip
        if said.status in (0, _NO_SYSTEMD):
            return ""
        return said.last_line or f"exit status {said.status}"

    def stop_standby(self) -> None:
        """Stop it: nothing is left to do."""
        self.systemctl("stop", STANDBY)

    # -- programs of a release --

    def tablectl(self, build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        """Run `tablectl` of a release; as the service's user, what touches the record."""
        program = self._layout.release(build) / ENVIRONMENT / "bin/tablectl"
        return self._run([str(program), *words], as_service=as_service)

    def can_run(self, build: str) -> bool:
        """Whether the program of a release runs at all."""
        return self.tablectl(build, "--version").status == 0

    def _run(
        self, command: Sequence[str], *, as_service: bool = False, holds_lock: bool = True
    ) -> ProgramOutput:
        options: dict[str, Any] = {
            "pass_fds": self._held if holds_lock else (),
            "env": environment.without_settings(os.environ),
        }
        if as_service and os.geteuid() == 0 and (user := _user()) is not None:
            # Without the lock: who has its descriptor could hold it for ever.
            options |= {
                "user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "pass_fds": (),
            }  # fmt: skip
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", check=False,
                timeout=_COMMAND_S, stdin=subprocess.DEVNULL, cwd="/", **options,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return ProgramOutput(126, "", str(error))
        return ProgramOutput(done.returncode, done.stdout, done.stderr)

    def script(self, path: Path, *words: str) -> int:
        """Run a script that may ask whoever sits here; its exit status."""
        command = [str(path), *words]
        return subprocess.run(command, check=False, cwd="/", pass_fds=self._held).returncode

    def let_service_have(self, folder: Path) -> None:
        """Make a folder that the service's user alone uses, in one that stays ours.

        Raises `OSError`, also where a link stands in the place of either.
        """
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder_opened(folder.parent) as parent:
            owner = os.geteuid()
            os.fchown(parent, owner, -1)
            os.fchmod(parent, 0o711)
            with suppress(FileExistsError):
                os.mkdir(folder.name, 0o700, dir_fd=parent)
            with folder_opened(Path(folder.name), parent) as opened:
                if owner == 0 and (user := _user()) is not None:
                    os.fchown(opened, user.pw_uid, user.pw_gid)
                os.fchmod(opened, 0o700)

    # -- the service --

    def table(self) -> TableNow | None:
        """The table as it shows itself; None while nobody answers."""
        try:
            with _DIRECT.open(self._address(), timeout=_ANSWER_S) as answer:
                return table_of(json.loads(self._read(answer)))
        except (OSError, HTTPException, *_NO_ANSWER):
            return None

    def _read(self, answer: HTTPResponse) -> bytes:
        """All of an answer, as long as it is short and comes soon. Raises `OSError`."""
        deadline_s = self.now_s() + _ANSWER_S
        parts, size = [], 0
        while part := answer.read1():
            parts.append(part)
            size += len(part)
            if size > _ANSWER_AT_MOST or self.now_s() > deadline_s:
                raise TimeoutError("an answer without an end")
        return b"".join(parts)

    def _address(self) -> str:
        web = tomllib.loads(self._layout.config.read_text()).get("web", {})
        host = web.get("host", "127.0.0.1")
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{web.get('port', _PORT)}/api/v1/table"

    def pause(self, seconds: float) -> None:
        """Let some time pass."""
        time.sleep(seconds)

    def now_s(self) -> float:
        """A clock that never runs backwards, in seconds."""
        return time.monotonic()


def table_of(status: dict[str, Any]) -> TableNow:
    """What matters here of the status page's data. Raises `_NO_ANSWER`."""
    up = frozenset(each["name"] for each in status["devices"] if each["up"]) - {_ON_TRIAL}
    stopped = status["why"] if status["tone"] == "safe" else ""
    return TableNow(status["software"], status["phase"], stopped, up)


@contextmanager
def folder_opened(path: Path, parent: int | None = None) -> Iterator[int]:
    """A folder by its descriptor. Raises `OSError`, also where its name is a link's."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    descriptor = os.open(path, flags, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _user() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(USER)
    except KeyError:
        return None
