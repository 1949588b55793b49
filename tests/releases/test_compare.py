"""What is installed, compared with what was signed: every kind of change is noticed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from controller.record.software import Software
from systemd.releases.build.sign import new_key
from systemd.releases.update.compare import compare
from systemd.releases.update.environment import complete
from systemd.releases.update.layout import Installation
from tests.releases.bench_machine import NEW, CutFiles

SOURCE = b"payout = 1.5\n"
INSIDE = "env/lib/python3.11/site-packages"


class Installed:
    """A release with one package of one file, compiled."""

    def __init__(self, root: Path) -> None:
        self.layout = Installation(root, CutFiles())
        self.folder = self.layout.release(NEW)
        package = self.folder / INSIDE / "rules"
        (package / "__pycache__").mkdir(parents=True)
        (package / "money.py").write_bytes(SOURCE)
        (package / "__pycache__" / "money.cpython-311.pyc").write_bytes(b"compiled")
        (self.folder / "env/bin").mkdir()
        (self.folder / "env/bin/python").symlink_to("/usr/bin/python3")
        (self.folder / "systemd/units").mkdir(parents=True)
        (self.folder / "systemd/units/tablectl.service").write_text("[Unit]\n")
        self.key = new_key()
        self.sign(sha256(SOURCE).hexdigest())
        complete(self.folder, self.layout.disk)
        self.layout.point(self.layout.current, NEW)

    def sign(self, digest: str) -> None:
        manifest = {
            "format": 1, "version": "0.2.0", "build": NEW, "machine": "x86_64", "python": "3.11",
            "record": {"format": 2, "facts": []}, "size_bytes": 1,
            "files": {"systemd/units/tablectl.service": sha256(b"[Unit]\n").hexdigest()},
            "installed": {"rules/money.py": digest},
        }  # fmt: skip
        text = json.dumps(manifest).encode()
        (self.folder / "manifest.json").write_bytes(text)
        (self.folder / "manifest.json.minisig").write_text(self.key.sign(text, NEW))

    def compare(self) -> list[str]:
        return compare(self.layout, (self.key.public,))


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def test_what_was_installed_agrees_and_the_service_takes_it(installed: Installed) -> None:
    assert installed.compare() == []
    assert Software(installed.folder)() is None


def _change_inventory(installed: Installed) -> None:
    """Somebody changes a source, and the inventory with it: the signed manifest tells."""
    (installed.folder / INSIDE / "rules/money.py").write_text("payout = 2\n")
    complete(installed.folder, installed.layout.disk)


def _point_elsewhere(installed: Installed) -> None:
    python = installed.folder / "env/bin/python"
    python.unlink()
    python.symlink_to("/tmp/python3")


CHANGES: dict[str, tuple[Callable[[Installed], object], str]] = {
    "a source": (
        lambda i: (i.folder / INSIDE / "rules/money.py").write_text("payout = 2\n"),
        "rules/money.py",
    ),
    "a compiled file": (
        lambda i: (i.folder / INSIDE / "rules/__pycache__/money.cpython-311.pyc").write_bytes(b""),
        "money.cpython-311.pyc",
    ),
    "a file more": (
        lambda i: (i.folder / INSIDE / "sitecustomize.py").write_text(""), "sitecustomize.py"
    ),
    "a link more": (
        lambda i: (i.folder / INSIDE / "sitecustomize.py").symlink_to("/tmp/any.py"),
        "sitecustomize.py",
    ),
    "a link to nothing": (
        lambda i: (i.folder / INSIDE / "any.pth").symlink_to("nothing"), "any.pth"
    ),
    "a link to a folder": (
        lambda i: (i.folder / INSIDE / "odds").symlink_to("/tmp"), "odds"
    ),
    "a link elsewhere": (_point_elsewhere, "env/bin/python"),
    "a link less": (lambda i: (i.folder / "env/bin/python").unlink(), "env/bin/python"),
    "a pipe": (lambda i: os.mkfifo(i.folder / "systemd/pipe"), "systemd/pipe"),
    "a file less": (lambda i: (i.folder / INSIDE / "rules/money.py").unlink(), "rules/money.py"),
    "a unit": (
        lambda i: (i.folder / "systemd/units/tablectl.service").write_text("[Unit]\nUser=root\n"),
        "systemd/units/tablectl.service",
    ),
    "a source and the inventory": (_change_inventory, "rules/money.py"),
    "the manifest": (
        lambda i: (i.folder / "manifest.json").write_text("{}"), "manifest.json"
    ),
    "the signature": (lambda i: i.sign("0" * 64), "rules/money.py"),
    "the inventory": (lambda i: (i.folder / "installed.json").write_text("?"), "installed.json"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_noticed_and_lets_no_round_begin(installed: Installed, name: str) -> None:
    change, where = CHANGES[name]
    change(installed)
    found = installed.compare()
    assert any(each.endswith(where) for each in found), found
    said = Software(installed.folder)()
    assert said is not None
    assert said.code == "software-changed"


def test_a_signature_by_a_key_that_is_not_pinned_is_a_change(installed: Installed) -> None:
    assert compare(installed.layout, (new_key().public,)) == ["manifest.json.minisig"]
