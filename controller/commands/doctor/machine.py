"""The machine that is examined: its files below a root folder, and what its programs print."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TIMEOUT_S: Final = 10.0
SERVICE: Final = "tablectl.service"
GUARD: Final = "tablectl-guard.service"
KIOSK: Final = "tablectl-kiosk.service"
#: The units' own folder, and that of what `systemctl edit` and our drop-ins add.
UNITS: Final = "etc/systemd/system"


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine whose files are below `root`. Looking changes nothing on it."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """What stands in a file, without the white space around it; None where it is not there."""
        try:
            return self.root.joinpath(path.lstrip("/")).read_text(errors="replace").strip("\0 \n")
        except OSError:
            return None

    def files(self, pattern: str) -> list[Path]:
        """The files that match, in order."""
        return sorted(self.root.glob(pattern))

    def said(self, *command: str) -> str | None:
        """What a program prints; None where there is none, or where it fails."""
        program = shutil.which(command[0])
        if program is None:
            return None
        try:
            done = subprocess.run(
                [program, *command[1:]], capture_output=True, text=True, errors="replace",
                timeout=TIMEOUT_S, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    def shown(self, unit: str, name: str) -> str:
        """A property of a unit as systemd has it; empty where there is no systemd or no unit."""
        return self.said("systemctl", "show", unit, f"--property={name}", "--value") or ""

    @property
    def is_raspberry_pi(self) -> bool:
        """Whether it is a Raspberry Pi, as its device tree says."""
        model = self.text("sys/firmware/devicetree/base/model") or ""
        return model.startswith("Raspberry Pi")

    @property
    def has_systemd(self) -> bool:
        """Whether systemd runs it."""
        return self.root.joinpath("run/systemd/system").is_dir()

    def busy(self, unit: str) -> bool:
        """Whether a unit runs, or is about to be started or stopped."""
        return self.shown(unit, "ActiveState") not in ("", "inactive", "failed")

    def installed(self, unit: str) -> bool:
        """Whether a unit is there."""
        return self.root.joinpath(UNITS, unit).exists()

    def unit(self, name: str) -> dict[str, list[str]]:
        """Every setting of a unit with its values in order, drop-ins included."""
        settings: dict[str, list[str]] = {}
        files = [self.root / UNITS / name, *self.files(f"{UNITS}/{name}.d/*.conf")]
        for file in files:
            for line in (self.text(str(file.relative_to(self.root))) or "").splitlines():
                key, sign, value = line.partition("=")
                if sign and not line.lstrip().startswith(("#", ";")):
                    settings.setdefault(key.strip(), []).append(value.strip())
        return settings
