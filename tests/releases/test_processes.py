"""`tablectl-update` as it is on a table, one file for the system's Python."""

from __future__ import annotations

import json
import os
import pty
import pwd
import shlex
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from systemd.releases.build.sign import new_key
from systemd.releases.build.updater import build_updater
from systemd.releases.update import machine
from systemd.releases.update.command import EXIT_BUSY, EXIT_REFUSED, KEYS
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.layout import Installation, Pending
from systemd.releases.update.machine import Host
from systemd.releases.update.sandbox import STANDBY_SANDBOX
from tests.releases.bench_machine import NEW, OLD, release_file, table_with
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S


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


#: Sets the machine up as `systemd/install` does: compares, and is at work until somebody writes.
_SETTING_UP = """#!/bin/sh
{compare}
echo "compared: $?" >{folder}/said
read -r _ <{folder}/go
echo done
"""


@pytest.mark.parametrize("killed", quick_first([False, True], [True]))
def test_a_second_update_while_the_first_sets_the_machine_up_is_refused_in_words(
    layout: Installation, killed: bool
) -> None:
    """It would put its units in place while the first one's script puts its own over them.

    That script goes on where its updater is killed.
    """
    folder = layout.root.parent
    for name in ("said", "go"):
        os.mkfifo(folder / name)
    script = layout.release(OLD) / "systemd/install"
    script.write_text(
        _SETTING_UP.format(compare=shlex.join(_words(layout, "--compare")), folder=folder)
    )
    script.chmod(0o755)
    layout.note_set_up_due()
    with (
        open(folder / "go", "r+b", buffering=0) as go,
        subprocess.Popen(_words(layout, "--boot"), stdout=subprocess.PIPE, text=True) as first,
    ):
        try:
            assert (folder / "said").read_text().startswith("compared: "), "it waits for nobody"
            if killed:
                first.kill()
                first.wait()
            for words in ("/no/file", "--back", "--uninstall"):
                second = subprocess.run(
                    _words(layout, words), capture_output=True, text=True, check=False
                )
                assert (second.returncode, second.stdout) == (EXIT_BUSY, "")
                assert "another tablectl-update is at work: wait for it" in second.stderr
        finally:
            go.write(b"\n")
        assert first.stdout is not None
        assert first.stdout.read().endswith("done\n")
    assert layout.set_up_due_file.exists() is killed
    second = subprocess.run(_words(layout, "/no/file"), capture_output=True, text=True, check=False)
    assert "/no/file cannot be read" in second.stderr


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


#: Holds the lock as an update does, with a program that it started as root; says when that runs.
_AT_WORK = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from systemd.releases.update import command
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host
layout = Installation(Path(sys.argv[2]), DurableFiles())
with command._alone(layout, ".lock", wait=False) as lock:
    Host(layout, lock).tablectl(sys.argv[3])
"""
#: A program of a release that works until somebody reads what it says.
_SLOW = """#!/bin/sh
echo at work >"$(dirname "$0")/fifo"
"""


def test_what_stands_by_waits_for_all_of_a_killed_update_and_goes_back(
    layout: Installation,
) -> None:
    """As long as something of it is at work, two would write the same files."""
    program = layout.root.parent / "tablectl-update"
    slow = layout.release(OLD) / "env/bin/tablectl"
    slow.parent.mkdir(parents=True)
    slow.write_text(_SLOW)
    slow.chmod(0o755)
    os.mkfifo(slow.parent / "fifo")
    layout.begin(Pending(NEW, OLD, "", (), ()))
    layout.point(layout.current, NEW)
    words = [sys.executable, "-IBc", _AT_WORK, str(program), str(layout.root), OLD]
    with subprocess.Popen(words) as update:
        while not Path(f"/proc/{update.pid}/task/{update.pid}/children").read_text():
            assert update.poll() is None
        with subprocess.Popen(_words(layout, "--stand-by"), stdout=subprocess.PIPE) as standby:
            update.kill()
            update.wait()
            busy = subprocess.run(_words(layout, "--list"), capture_output=True, check=False)
            assert busy.returncode == EXIT_BUSY, "what it started is still at work"
            assert layout.pending() is not None
            slow.unlink()
            slow.write_text("#!/bin/sh\n")
            slow.chmod(0o755)
            assert (slow.parent / "fifo").read_text() == "at work\n"
            assert standby.wait() == 0
    assert layout.build_of(layout.current) == OLD
    assert layout.pending() is None
    assert json.loads(layout.compared_file.read_text())["build"] == OLD


def test_what_stands_by_is_ended_while_it_waits(layout: Installation) -> None:
    """Without a word: systemd takes it for an end as it should be."""
    file = layout.root.parent / "new.tar"
    os.mkfifo(file)
    with subprocess.Popen(_words(layout, str(file)), stdout=subprocess.PIPE) as update:
        assert update.stdout is not None
        assert update.stdout.readline() == b"looking at new.tar\n"
        try:
            with subprocess.Popen(_words(layout, "--stand-by")) as standby:
                while not _waits_for_lock(standby.pid):
                    assert standby.poll() is None
                standby.terminate()
                assert standby.wait() == -signal.SIGTERM
        finally:
            update.kill()


def _waits_for_lock(pid: int) -> bool:
    lines = Path("/proc/locks").read_text().splitlines()
    return any("->" in each and f" {pid} " in each for each in lines)


def test_a_terminal_that_stands_still_holds_no_update_up(layout: Installation) -> None:
    """Ctrl-S, and the line that says how far it is would wait with the table stopped."""
    ours, theirs = pty.openpty()
    termios.tcflow(theirs, termios.TCOOFF)
    try:
        words = _words(layout, "--list")
        done = subprocess.run(words, stdout=theirs, check=False, timeout=PATIENCE_S)
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 0


def test_no_terminal_brings_an_update_to_a_standstill(layout: Installation) -> None:
    file = layout.root.parent / "new.tar"
    os.mkfifo(file)
    with subprocess.Popen(_words(layout, str(file)), stdout=subprocess.PIPE) as update:
        assert update.stdout is not None
        assert update.stdout.readline() == b"looking at new.tar\n"
        status = Path(f"/proc/{update.pid}/status").read_text().splitlines()
        (ignored,) = [int(each.split()[1], 16) for each in status if each.startswith("SigIgn:")]
        update.kill()
    for number in (signal.SIGHUP, signal.SIGTSTP, signal.SIGTTOU):
        assert ignored >> (number - 1) & 1, number.name


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a program another user")
@pytest.mark.parametrize("as_service", [False, True])
def test_the_lock_is_given_to_no_program_of_the_services_user(
    layout: Installation, monkeypatch: pytest.MonkeyPatch, as_service: bool
) -> None:
    """Whoever has its descriptor could hold the lock for ever."""
    monkeypatch.setattr(machine, "_user", lambda: pwd.getpwuid(0))
    program = layout.release(OLD) / "env/bin/tablectl"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nreadlink /proc/$$/fd/*\n")
    program.chmod(0o755)
    lock = layout.home / ".lock"
    with open(lock, "wb") as file:
        said = Host(layout, file.fileno()).tablectl(OLD, as_service=as_service)
    assert (str(lock) in said.out) is not as_service


def test_what_stands_by_does_not_hold_the_lock_that_it_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a systemctl that outlives the update: its job is systemd's own."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("systemctl", "systemd-run"):
        (programs / name).write_text(
            '#!/bin/sh\nreadlink /proc/$$/fd/* >>"$0.fds"\necho "$@" >>"$0.words"\n'
        )
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr(machine, "_SYSTEMD", tmp_path)
    lock = tmp_path / "lock"
    with open(lock, "wb") as file:
        host = Host(Installation(Path("/"), DurableFiles()), file.fileno())
        assert host.start_standby() == ""
        host.stop_standby()
    started = (programs / "systemd-run.words").read_text()
    assert started.endswith("--stand-by\n")
    assert all(f" --property={each} " in started for each in STANDBY_SANDBOX)
    assert f"stop {machine.STANDBY}\n" in (programs / "systemctl.words").read_text()
    for name in ("systemctl", "systemd-run"):
        assert str(lock) not in (programs / f"{name}.fds").read_text()
