"""A machine with a release on it, and a further one to update to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from systemd.releases.build.sign import SecretKey, new_key
from systemd.releases.update.update import update
from tests.releases.bench_machine import (
    NEW,
    OLD,
    BenchHost,
    release_file,
    table_with,
)

_KEY: Final[SecretKey] = new_key()
_SPARE: Final = new_key()


class UpdateBench:
    """A table that runs the old release, and the file of a new one."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.key = _KEY
        self.keys = (_KEY.public, _SPARE.public)
        self.root = folder / "root"
        old = release_file(folder / "old.tar", OLD, self.key)
        self.file = release_file(folder / "new.tar", NEW, self.key)
        self.layout = table_with(self.root, OLD, self.keys, old)
        self.machine = BenchHost(self.layout)
        self.machine.systemctl("start", "tablectl.service")
        self.said: list[str] = []

    def update(self, file: Path | None = None, *, dry_run: bool = False) -> None:
        update(
            self.layout, self.machine, file or self.file, self.keys, self.said.append,
            dry_run=dry_run,
        )  # fmt: skip

    @property
    def current(self) -> str:
        return self.layout.build_of(self.layout.current)

    def files(self) -> dict[str, bytes]:
        """All that lies on the machine, but for backups."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and "tablectl-update" not in path.parts
        }
