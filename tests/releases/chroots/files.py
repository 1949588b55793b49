"""Files of releases: of this checkout under other versions, and what nobody should install."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from systemd.releases.build.sign import read_key
from systemd.releases.update.manifest import MANIFEST, SIGNATURE

ROOT: Final = Path(__file__).parents[3]
OLD, NEW, BAD = "0.1.0", "0.2.0", "0.3.0"
UPDATE: Final = "tablectl-update"
#: What makes a release of this checkout a bad one: neither its table nor its pit comes up.
_BROKEN: Final = 'raise SystemExit("this release is broken")\n'
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class BenchKeys:
    """The two keys of a bench, and what tables pin."""

    folder: Path

    @property
    def secret(self) -> Path:
        """The key in use."""
        return self.folder / "in-use.key"

    @property
    def pinned(self) -> str:
        """The public halves."""
        return (self.folder / "release-keys").read_text()


def make_keys(folder: Path) -> BenchKeys:
    """Two keys, kept from run to run."""
    if not folder.exists():
        build = [sys.executable, "-m", "systemd.releases.build", "--new-keys", str(folder)]
        subprocess.run(build, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return BenchKeys(folder)


def release(work: Path, keys: BenchKeys, machine: str, python: str, version: str) -> Path:
    """The file of a release of this checkout that calls itself `version`; `BAD` is broken.

    What was made of the same files is taken again.
    """
    dist = work / f"{_digest()}-{machine}-{python}-{version}"
    if made := list(dist.glob("*.tar")):
        return made[0]
    tree = work / f"tree-{version}"
    left_out = shutil.ignore_patterns(".venv*", ".git", "node_modules", "__pycache__", ".*_cache")
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=left_out, symlinks=True)
    about = tree / "controller/__init__.py"
    lines = about.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("__version__"))
    lines[at] = f'__version__ = "{version}"'
    about.write_text("\n".join(lines) + "\n")
    # Its unit tells it from the others: an update has units to put in place then.
    with open(tree / "systemd/units/tablectl.service", "a") as unit:
        unit.write(f"# {version}\n")
    if version == BAD:
        for name in ("run.py", "pit/command.py"):
            file = tree / "controller/commands" / name
            text = file.read_text()
            at = text.index("    try:\n", text.index("def run("))
            file.write_text(f"{text[:at]}    {_BROKEN}{text[at:]}")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "systemd.releases.build", "--key", str(keys.secret),
         "--folder", str(dist), "--machine", machine, "--python", python],
        cwd=tree, env={"PYTHONPATH": str(tree), "PATH": _PATH}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tree)
    return Path(done.stdout.strip())


def _digest() -> str:
    """What tells this checkout from others, in releases."""
    whole = hashlib.sha256()
    for name in ("controller", "drivers", "calibration", "systemd", "pyproject.toml"):
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                whole.update(f"{path.relative_to(ROOT)} ".encode() + path.read_bytes())
    return whole.hexdigest()[:12]


def relabelled(file: Path, to: Path, keys: BenchKeys, change: Callable[[Any], None]) -> Path:
    """A release that says something else of itself, signed, and without its files."""
    with tarfile.open(file) as tar:
        stream = tar.extractfile(MANIFEST)
        assert stream is not None
        plain = json.load(stream)
    change(plain)
    text = json.dumps(plain).encode()
    members = {
        MANIFEST: text,
        SIGNATURE: read_key(keys.secret).sign(text, "relabelled").encode(),
    }
    with tarfile.open(to, "w:") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return to
