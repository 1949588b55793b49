"""A maker of drivers: wheels in a new environment, outside the tree."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

from controller.record.build import ROOT

ACME = Path(__file__).parent / "acme"
KIT = ROOT / "drivers" / "conformance"
LAMPS = (
    '[settings]\nfile = "{folder}/lamps"\nspots = 3\n[hands]\nby = "acme_table.bench:LampHands"\n'
)
SHOE = '[settings]\nline = "{folder}/line"\n[hands]\nby = "acme_table.bench:ShoeHands"\n'
SPOTS = '[settings]\nfile = "{folder}/mat"\n[hands]\nby = "acme_table.bench:MatHands"\n'


def wheel_of(source: Path, folder: Path) -> Path:
    """Build a wheel into a folder of its own."""
    folder.mkdir()
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
         str(source), "-w", str(folder)],
        check=True, capture_output=True,
    )  # fmt: skip
    (found,) = folder.glob("*.whl")
    return found


def kit_wheels(folder: Path) -> list[Path]:
    """The wheels of tablectl and the kit, as `make kit` builds them; what it needs is there."""
    subprocess.run(
        ["make", "-s", "-o", "setup", "kit", f"BIN={Path(sys.executable).parent}", f"KIT={folder}"],
        check=True, capture_output=True, cwd=ROOT,
    )  # fmt: skip
    found = sorted(folder.glob("*.whl"))
    assert [each.name.partition("-")[0] for each in found] == ["tablectl", "tablectl_conformance"]
    return found


class Workshop:
    """A maker of drivers, with an environment and wheels, and without the tree."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", symlinks=True)
        self.python = folder / "venv" / "bin" / "python"
        packages = f"lib/python{sysconfig.get_python_version()}/site-packages"
        # Of a folder that a .pth file names, the .pth files are not read: the tree is not there.
        (folder / "venv" / packages / "dependencies.pth").write_text(
            sysconfig.get_path("purelib") + "\n"
        )
        self.acme = folder / "acme"
        shutil.copytree(ACME, self.acme, ignore=shutil.ignore_patterns("__pycache__"))
        self.install(*kit_wheels(folder / "kit"))

    def install(self, *wheels: Path) -> None:
        """Install wheels over what is there."""
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q",
             "--no-deps", "--ignore-installed", *map(str, wheels)],
            check=True, capture_output=True,
        )  # fmt: skip

    def examine(self, driver: str, settings: str) -> tuple[int, dict[str, Any], str]:
        """Run the kit: exit status, record, output."""
        file = self.folder / "settings.toml"
        file.write_text(settings.format(folder=self.folder))
        record = self.folder / "record.json"
        record.unlink(missing_ok=True)
        ran = subprocess.run(
            [str(self.python), "-P", "-m", "pytest", "-p", "no:cacheprovider",
             "-p", "no:schemathesis",
             "--pyargs", "tablectl_conformance", "--driver", driver,
             "--settings", str(file), "--record", str(record)],
            cwd=self.folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        said = ran.stdout + ran.stderr
        answer = json.loads(record.read_text()) if record.exists() else {}
        return ran.returncode, answer, said
