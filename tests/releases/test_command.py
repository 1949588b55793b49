"""One call of `tablectl-update` at a time: who waits for the others, who gives up, who may ask."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from systemd.releases.build.sign import new_key
from systemd.releases.update import command
from systemd.releases.update import install as installing
from systemd.releases.update.arguments import EXIT_USAGE
from systemd.releases.update.command import (
    EXIT_BUSY,
    EXIT_NOT_COMPARED,
    EXIT_NOT_WHOLE,
    EXIT_REFUSED,
    EXIT_WENT_BACK,
    main,
)
from systemd.releases.update.layout import Installation, Pending
from systemd.releases.update.manifest import INSTALLED, MANIFEST, SIGNATURE
from systemd.releases.update.package import UpdateRefused
from systemd.releases.update.trial import WhyBack, go_back
from systemd.releases.update.update import WentBack
from tests.releases.bench_machine import NEW, OLD, BenchHost, release_file, table_with


@pytest.fixture
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_signals: None) -> Installation:
    """A table with the old release, for the program itself; its signal handlers go with it."""
    monkeypatch.setattr(command, "Host", BenchHost)
    key = new_key()
    file = release_file(tmp_path / "old.tar", OLD, key)
    return table_with(tmp_path / "root", OLD, (key.public,), file)


@pytest.fixture
def held(layout: Installation, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another call holds the lock, and ends as soon as somebody waits for it."""
    other = os.open(layout.home / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(other, fcntl.LOCK_EX)
    real = fcntl.flock

    def flock(descriptor: int, operation: int) -> None:
        if not operation & fcntl.LOCK_NB:
            real(other, fcntl.LOCK_UN)
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    yield
    os.close(other)


@pytest.mark.usefixtures("held")
def test_the_comparison_waits_for_whoever_is_at_work(layout: Installation) -> None:
    assert main(["--compare", "--root", str(layout.root)]) != EXIT_BUSY
    assert layout.compared_file.exists()


@pytest.mark.usefixtures("held")
def test_going_back_at_boot_waits_for_whoever_is_at_work(layout: Installation) -> None:
    layout.begin(Pending(NEW, OLD, "", ()))
    assert main(["--boot", "--root", str(layout.root)]) == 0
    assert layout.pending() is None


@pytest.mark.usefixtures("held")
def test_who_sits_at_a_terminal_is_told_at_once(
    layout: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--list", "--root", str(layout.root)]) == EXIT_BUSY
    assert "another tablectl-update is at work" in capsys.readouterr().err


def test_the_lock_is_its_owners_alone(layout: Installation) -> None:
    lock = layout.home / ".lock"
    assert main(["--list", "--root", str(layout.root)]) == 0
    assert lock.stat().st_mode & 0o777 == 0o600
    lock.chmod(0o644)
    assert main(["--list", "--root", str(layout.root)]) == 0
    assert lock.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", '{"new": "x"}', "null", "\0", "no release"])
@pytest.mark.parametrize("words", [("--boot",), ("--back",), ("/no/file",), ("--install", "/no")])
def test_a_damaged_update_is_said_with_the_link_to_set(
    layout: Installation, capsys: pytest.CaptureFixture[str], text: str, words: tuple[str, ...]
) -> None:
    if text == "no release":
        text = json.dumps({"new": NEW, "old": "0.0.1+00000000", "previous": "", "reads": []})
    layout.pending_file.write_text(text)
    assert main([*words, "--unsigned", "--root", str(layout.root)]) == EXIT_REFUSED
    said = capsys.readouterr().err
    assert "update.json and its copy are damaged" in said
    assert f"ln -sfn releases/BUILD {layout.current}" in said
    assert layout.build_of(layout.current) == OLD


@pytest.mark.parametrize("text", ["", "{", "null", "\0"])
def test_a_damaged_update_is_read_from_its_copy(layout: Installation, text: str) -> None:
    layout.begin(Pending(NEW, OLD, "", ()))
    layout.point(layout.current, NEW)
    layout.pending_file.write_text(text)
    assert main(["--boot", "--root", str(layout.root)]) == 0
    assert layout.build_of(layout.current) == OLD
    assert not layout.pending_file.exists()
    assert not layout.pending_copy.exists()


def test_a_copy_alone_is_no_update(layout: Installation) -> None:
    layout.begin(Pending(NEW, OLD, "", ()))
    layout.pending_file.unlink()
    assert layout.pending() is None


@pytest.mark.parametrize("dry_run", [[], ["--dry-run"]])
def test_what_was_refused_or_only_looked_at_compares_what_runs(
    layout: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str], dry_run: list[str]
) -> None:
    build = NEW if dry_run else "0.0.1+00000009"
    file = release_file(tmp_path / "release.tar", build, None)
    words = [str(file), "--unsigned", "--root", str(layout.root), *dry_run]
    assert main(words) == (0 if dry_run else EXIT_REFUSED)
    assert json.loads(layout.compared_file.read_text())["build"] == OLD
    # No key is pinned here, so its signature is nobody's.
    assert "changed: manifest.json.minisig" in capsys.readouterr().out


def test_an_installation_that_was_broken_off_is_finished_by_the_same_call(
    layout: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release lies there, and nothing of the machine around it was made yet."""
    configured: list[Installation] = []

    def configure(layout: Installation, _: object) -> int:
        configured.append(layout)
        return 0

    monkeypatch.setattr(installing, "configure", configure)
    file = release_file(tmp_path / "release.tar", OLD, None)
    for name in (MANIFEST, INSTALLED):
        (layout.release(OLD) / name).unlink()
    words = ["--unsigned", "--root", str(layout.root)]
    assert main(["--install", str(file), *words]) == 0
    assert main(["--install", str(file), *words]) == 0
    assert len(configured) == 2
    assert main([str(file), *words]) == EXIT_REFUSED
    assert len(configured) == 2


def test_a_machine_that_could_not_be_set_up_is_said_with_what_to_do(
    layout: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """The release runs; a disk that is full, say, kept a rule from its place."""
    monkeypatch.setattr(installing, "configure", lambda *_: 1)
    file = release_file(tmp_path / "release.tar", OLD, None)
    words = ["--install", str(file), "--unsigned", "--root", str(layout.root)]
    assert main(words) == EXIT_NOT_WHOLE
    said = capsys.readouterr().err
    assert f"{OLD} is installed" in said
    assert "tablectl-update --install with the same file" in said
    assert main(["--boot", "--root", str(layout.root)]) == EXIT_NOT_WHOLE, "due as before"
    monkeypatch.setattr(installing, "configure", lambda *_: 0)
    assert main(["--boot", "--root", str(layout.root)]) == 0
    assert not layout.set_up_due_file.exists()


class _Cut(BaseException):
    """The power is off."""


def test_a_power_cut_while_the_machine_is_set_up_is_made_good_by_its_start(
    layout: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured: list[str] = []

    def cut(*_: object) -> int:
        raise _Cut

    def configure(layout: Installation, _: object) -> int:
        configured.append(layout.build_of(layout.current))
        return 0

    file = release_file(tmp_path / "release.tar", NEW, None)
    monkeypatch.setattr(installing, "configure", cut)
    with pytest.raises(_Cut):
        main([str(file), "--unsigned", "--root", str(layout.root)])
    monkeypatch.setattr(installing, "configure", configure)
    for _ in range(2):
        assert main(["--boot", "--root", str(layout.root)]) == 0
    assert configured == [NEW]


@pytest.mark.parametrize("words", [["/no/file"], ["/no/file", "--dry-run"], ["--back"]])
def test_what_was_refused_leaves_nothing_to_set_up(
    layout: Installation, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(installing, "configure", lambda *_: 1)
    assert main([*words, "--unsigned", "--root", str(layout.root)]) == EXIT_REFUSED
    assert not layout.set_up_due_file.exists()
    assert main(["--boot", "--root", str(layout.root)]) == 0


@pytest.mark.parametrize("was_due", [False, True])
@pytest.mark.parametrize("ended", ["refused", "went back", "power cut"])
def test_what_was_due_before_an_update_that_came_to_nothing_is_due_after_it(
    layout: Installation, monkeypatch: pytest.MonkeyPatch, was_due: bool, ended: str
) -> None:
    """A rule that a full disk kept from its place came with no later start of the machine."""
    configured: list[str] = []

    def configure(layout: Installation, _: object) -> int:
        configured.append(layout.build_of(layout.current))
        return 0

    def goes_back(layout: Installation, machine: BenchHost, *_: object, **__: object) -> None:
        layout.begin(Pending(NEW, OLD, "", (), ()))
        if ended == "power cut":
            raise _Cut
        go_back(layout, machine, WhyBack("update-ended"), print)
        raise WentBack(NEW)

    monkeypatch.setattr(installing, "configure", configure)
    if was_due:
        layout.set_up_due_file.touch()
    if ended != "refused":
        monkeypatch.setattr(command, "update", goes_back)
    with pytest.raises(_Cut) if ended == "power cut" else nullcontext():
        main(["/no/file", "--unsigned", "--root", str(layout.root)])
    assert not configured
    for _ in range(2):
        assert main(["--boot", "--root", str(layout.root)]) == 0
    assert configured == [OLD] * was_due


def test_nothing_is_set_up_where_no_release_was_installed_yet(
    layout: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power failed in the first installation."""
    monkeypatch.setattr(installing, "configure", lambda *_: 1)
    layout.set_up_due_file.write_bytes(b"")
    layout.current.unlink()
    assert main(["--boot", "--root", str(layout.root)]) == 0


@pytest.mark.parametrize(
    ("reason", "status"),
    [(WentBack("0.2.0 ended twice"), EXIT_WENT_BACK), (UpdateRefused("too old"), EXIT_REFUSED)],
)
@pytest.mark.parametrize(
    "failure", [OSError(28, "No space left on device"), UpdateRefused("no keys")]
)
def test_why_it_went_back_is_said_where_the_comparison_fails(
    layout: Installation, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    reason: Exception, status: int, failure: Exception,
) -> None:  # fmt: skip
    def fails(error: Exception) -> Callable[..., None]:
        def call(*_: object, **__: object) -> None:
            raise error

        return call

    monkeypatch.setattr(command, "update", fails(reason))
    monkeypatch.setattr(command, "compare", fails(failure))
    assert main(["/a/file", "--unsigned", "--root", str(layout.root)]) == status
    said = capsys.readouterr()
    assert str(reason) in said.err
    assert f"could not be compared with its manifest: {failure}" in said.out


@pytest.mark.parametrize(
    "failure", [OSError(28, "No space left on device"), UpdateRefused("no keys")]
)
def test_what_could_not_be_compared_is_told_from_what_was_changed(
    layout: Installation, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """By its status systemd tries again: a disk may have room later."""
    words = ["--compare", "--root", str(layout.root)]

    def fails(*_: object, **__: object) -> None:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(command, "compare", fails)
        assert main(words) == EXIT_NOT_COMPARED
    next(layout.release(OLD).glob("systemd/**/*.service")).write_text("changed")
    assert main(words) == EXIT_REFUSED


def _end_at(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Somebody presses Ctrl-C, and once more, where `main` has come to `what`."""

    def ended(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("it went on")

    monkeypatch.setattr(command, what, ended)


def test_what_was_broken_off_says_which_release_is_there(
    layout: Installation, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _end_at(monkeypatch, "update")
    assert main(["/a/file", "--unsigned", "--root", str(layout.root)]) == EXIT_WENT_BACK
    assert capsys.readouterr().err == f"tablectl-update: broken off; {OLD} is installed\n"
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN, "the way back is not broken off"


def test_what_was_broken_off_says_what_comes_next(
    layout: Installation, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    layout.begin(Pending(NEW, OLD, "", ()))
    _end_at(monkeypatch, "update")
    assert main(["/a/file", "--unsigned", "--root", str(layout.root)]) == EXIT_WENT_BACK
    assert f"broken off; {OLD} is put back by the next update" in capsys.readouterr().err


def test_what_was_broken_off_while_the_machine_was_set_up_did_not_go_back(
    layout: Installation, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release is confirmed by then, and runs: 2 would say that it does not."""
    monkeypatch.setattr(command, "update", lambda *_, **__: None)
    _end_at(monkeypatch, "set_up")
    assert main(["/a/file", "--unsigned", "--root", str(layout.root)]) == EXIT_NOT_WHOLE
    assert f"broken off; {OLD} is installed, and what it needs" in capsys.readouterr().err
    assert layout.set_up_due_file.exists(), "the next start of the machine does it"


@pytest.mark.parametrize(
    "words",
    [
        ["--back"], ["--uninstall"], ["--install", "/a/file"], ["--seen"],
        ["--add-driver", "/a/wheel"], ["--remove-driver", "tower-light"],
    ],
)  # fmt: skip
def test_a_dry_run_of_what_knows_none_does_nothing(
    layout: Installation, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """Whoever says --dry-run has nothing changed, whatever else stands there."""
    layout.note_went_back(NEW, "update-ended", "")
    with pytest.raises(SystemExit) as ended:
        main([*words, "--dry-run", "--root", str(layout.root)])
    assert ended.value.code == EXIT_USAGE
    assert "--dry-run goes with the FILE of a release" in capsys.readouterr().err
    assert layout.build_of(layout.current) == OLD
    assert layout.went_back_file.exists()


@pytest.mark.parametrize("words", [[], ["--bakc"], ["--back", "--list"]])
def test_words_that_it_does_not_know_are_not_taken_for_an_update_that_went_back(
    words: list[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code not in (0, EXIT_REFUSED, EXIT_WENT_BACK, EXIT_NOT_WHOLE)


def test_whose_key_is_not_pinned_here_any_more_is_said(
    layout: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is as it was: who reads that it was changed would look for the wrong thing."""
    (layout.home / "release-keys").write_text(f"{new_key().public.text}\n")
    assert (layout.release(OLD) / SIGNATURE).exists()
    assert main(["--compare", "--root", str(layout.root)]) == EXIT_REFUSED
    said = capsys.readouterr().out
    assert f"{SIGNATURE}: it is signed with a key that this table does not know" in said
    assert "/opt/tablectl/release-keys" in said


def test_who_is_not_root_is_told_to_be(
    layout: Installation, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = str(layout.home / ".call.lock")

    def closed(path: str | Path, *_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    monkeypatch.setattr(os, "open", closed)
    assert main(["--list", "--root", str(layout.root)]) == EXIT_REFUSED
    assert capsys.readouterr().err == f"tablectl-update: {lock} is root's: run it with sudo\n"
