"""`tablectl-update` as it is on a table, one file for the system's Python: two calls at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from systemd.releases.build.sign import new_key
from systemd.releases.build.updater import build_updater
from systemd.releases.update.command import EXIT_BUSY, EXIT_REFUSED, KEYS
from systemd.releases.update.layout import Installation
from tests.releases.bench_machine import OLD, release_file, table_with


@pytest.fixture
def layout(tmp_path: Path) -> Installation:
    """A table with the old release and its keys pinned, and the program beside it."""
    key = new_key()
    file = release_file(tmp_path / "old.tar", OLD, key)
    layout = table_with(tmp_path / "root", OLD, (key.public,), file)
    (layout.root / KEYS).write_text(f"{key.public.text}\n")
    build_updater(tmp_path / "tablectl-update")
    return layout


def _words(layout: Installation, *words: str) -> list[str]:
    program = layout.root.parent / "tablectl-update"
    return [sys.executable, "-IB", str(program), *words, "--root", str(layout.root)]


def test_of_two_updates_at_once_the_second_is_refused_in_words(layout: Installation) -> None:
    # The first one waits in the middle of its work, until somebody writes its file.
    file = layout.root.parent / "new.tar"
    os.mkfifo(file)
    command = _words(layout, str(file))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stderr is not None
        assert first.stdout.readline() == "looking at new.tar\n"
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (second.returncode, second.stdout) == (EXIT_BUSY, "")
        assert second.stderr == "tablectl-update: another tablectl-update is at work: wait for it\n"
        with open(file, "wb"):
            pass
        assert "new.tar cannot be read" in first.stderr.read()
        assert first.wait() == EXIT_REFUSED
    assert layout.build_of(layout.current) == OLD


def test_a_name_that_the_terminal_cannot_show_ends_nothing(layout: Installation) -> None:
    """Under an older locale, a device's name with an umlaut would end an update on trial."""
    done = subprocess.run(
        _words(layout, "/no/Gerät \udcff\n.tar"), capture_output=True, check=False,
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )  # fmt: skip
    assert done.returncode == EXIT_REFUSED
    assert b"cannot be read" in done.stderr
    assert b"Traceback" not in done.stderr


def test_an_update_that_was_killed_holds_nobody_off(layout: Installation) -> None:
    file = layout.root.parent / "new.tar"
    os.mkfifo(file)
    with subprocess.Popen(
        _words(layout, str(file)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "looking at new.tar\n"
        first.kill()
    done = subprocess.run(_words(layout, "--list"), capture_output=True, text=True, check=True)
    assert done.stdout == f"{OLD} current\n"
