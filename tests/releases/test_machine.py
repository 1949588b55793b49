"""What an update asks of the table that runs: itself, and no proxy."""

from __future__ import annotations

import importlib
import json
import socket
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path

import pytest

from systemd.releases.update import environment, machine
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.examine import record_bytes, record_folder
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host, ProgramOutput, TableNow
from systemd.releases.update.package import UpdateRefused
from tests.releases.bench_machine import NEW

STATUS = {
    "software": "0.1.0+00000001", "phase": "round", "tone": "calm", "why": "", "devices": [],
}  # fmt: skip
ANSWER = b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps(STATUS).encode()


@contextmanager
def _asked(folder: Path, answer: bytes) -> Iterator[Host]:
    """A machine whose table gives that answer, once."""

    def give() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        layout = Installation(folder, DurableFiles())
        layout.config.parent.mkdir(parents=True)
        layout.config.write_text(f"[web]\nport = {server.getsockname()[1]}\n")
        thread = threading.Thread(target=give, daemon=True)
        thread.start()
        yield Host(layout)
        thread.join(10)
        assert not thread.is_alive(), "nobody asked the table"


def test_no_proxy_is_asked_for_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    urllib.request.install_opener(None)  # it reads the environment once
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed.getsockname()[1]}")
    with _asked(tmp_path, ANSWER) as host:
        assert host.table() == TableNow("0.1.0+00000001", "round", "", frozenset())


_HEAD = b"HTTP/1.0 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"nonsense\r\n\r\n", b"", _HEAD + b"{", _HEAD + b"[]", _HEAD + b"3", _HEAD + b"null",
        _HEAD + b"[" * 100_000, _HEAD + b'{"devices": 3}', _HEAD + b'{"devices": [3]}',
        _HEAD + b"\xff", _HEAD + b" " * ((4 << 20) + 1) + ANSWER[len(_HEAD):],
    ],
    ids=range(11),
)  # fmt: skip
def test_an_answer_that_is_none_ends_no_update(tmp_path: Path, answer: bytes) -> None:
    with _asked(tmp_path, answer) as host:
        assert host.table() is None


def test_an_answer_that_never_ends_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte every four seconds would keep a bad release on trial for ever."""
    clock_s = iter(range(0, 1_000, 4))
    with _asked(tmp_path, ANSWER) as host:
        monkeypatch.setattr(host, "now_s", lambda: float(next(clock_s)))
        monkeypatch.setattr(HTTPResponse, "read1", lambda _: b" ")
        assert host.table() is None


@pytest.mark.parametrize(
    "web", ["web = 3", "web = [1]", "[web]\nport = {}", "[web]\nhost = 3", "?"]
)
def test_a_configuration_that_is_none_ends_no_update(tmp_path: Path, web: str) -> None:
    layout = Installation(tmp_path, DurableFiles())
    layout.config.parent.mkdir(parents=True)
    layout.config.write_text(web)
    assert Host(layout).table() is None


@pytest.mark.parametrize("text", ["record = 3", "[[record]]", "[record]\nfolder = 3", "?", ""])
def test_a_configuration_without_a_record_is_refused_in_words(tmp_path: Path, text: str) -> None:
    layout = Installation(tmp_path, DurableFiles())
    layout.config.parent.mkdir(parents=True)
    layout.config.write_text(text)
    with pytest.raises(UpdateRefused, match="cannot be read"):
        record_folder(layout)


def test_a_systemd_that_does_not_answer_is_not_taken_for_a_table_that_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(Installation(tmp_path, DurableFiles()))
    monkeypatch.setattr(host, "systemctl", lambda *_: ProgramOutput(1, "", "Connection timed out"))
    with pytest.raises(OSError, match=r"tablectl\.service is: Connection timed out"):
        host.is_active()
    monkeypatch.setattr(
        host, "systemctl", lambda *_: ProgramOutput(127, "", "systemd does not run")
    )
    assert not host.is_active()


def test_nobodys_settings_for_pip_or_python_make_another_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A target, or a constraint of this machine's own, is not what was signed."""
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    asked = tmp_path / "python"
    asked.write_text('#!/bin/sh\nenv >"$(dirname "$0")/environ"\nexit 1\n')
    asked.chmod(0o755)
    with pytest.raises(UpdateRefused, match="cannot be made"):
        environment.make(
            tmp_path / "release", str(asked), system_packages=False, disk=DurableFiles()
        )
    lines = (tmp_path / "environ").read_text().splitlines()
    assert "PIP_CONFIG_FILE=/dev/null" in lines
    assert not [each for each in lines if "/elsewhere" in each]


#: A Python that makes an environment without any package in it.
_MAKES_ONE = """#!/bin/sh
case "$*" in
*venv*)
    for folder; do :; done
    mkdir -p "$folder/bin" "$folder/lib/python3.11/site-packages"
    cp "$0" "$folder/bin/python"
esac
"""


def test_an_environment_finds_the_drivers_of_others_that_lie_beside_the_releases(
    tmp_path: Path,
) -> None:
    """Also those that are added later; that it does is part of its inventory."""
    python = tmp_path / "python"
    python.write_text(_MAKES_ONE)
    python.chmod(0o755)
    layout = Installation(tmp_path / "root", DurableFiles())
    release = layout.release(NEW)
    environment.make(release, str(python), system_packages=False, disk=layout.disk)
    inventory = json.loads((release / "installed.json").read_text())
    assert environment.door(release).items() <= inventory.items()
    packages = layout.drivers / "1/packages"
    packages.mkdir(parents=True)
    layout.drivers_now.symlink_to("1")
    (pth,) = release.glob("env/lib/python3.11/site-packages/*.pth")
    assert (pth.parent / pth.read_text().strip()).resolve() == packages


def test_a_record_that_changes_while_it_is_counted_ends_no_update(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table runs: what was there a moment ago is gone; and a link is the service's own word."""
    layout = Installation(tmp_path, DurableFiles())
    layout.config.parent.mkdir(parents=True)
    layout.config.write_text('[record]\nfolder = "/record"\n')
    record = tmp_path / "record"
    record.mkdir()
    (record / "2026-11-22.day").write_bytes(bytes(1_000))
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    (record / "2026-11-22.day-link").symlink_to(large)
    real = Path.glob

    def glob(path: Path, pattern: str) -> Iterator[Path]:
        if pattern == "2026-11-22.day*":
            yield path / "2026-11-22.day-wal that was just removed"
        yield from real(path, pattern)

    monkeypatch.setattr(Path, "glob", glob)
    assert record_bytes(layout) == 1_000


def test_an_environment_that_takes_too_long_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "TIMEOUT_S", 0.05)
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    with pytest.raises(UpdateRefused, match="took longer than"):
        environment.make(
            tmp_path / "release", str(slow), system_packages=False, disk=DurableFiles()
        )


@pytest.mark.parametrize(
    ("model", "lgpio", "sees"),
    [("", False, False), ("", True, True), ("Raspberry Pi 5 Model B", False, True)],
    ids=["another machine", "one that has lgpio, as an image that is built", "a Raspberry Pi"],
)
def test_an_environment_sees_the_machines_own_lgpio(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, lgpio: bool, sees: bool
) -> None:
    """An image for a Raspberry Pi is built on another machine, and has no pins until it starts."""
    (tmp_path / "model").write_text(model)
    monkeypatch.setattr(machine, "_MODEL", tmp_path / "model")
    packages = tmp_path / "dist-packages"
    packages.mkdir()
    if lgpio:
        (packages / "lgpio.py").write_text("raise AssertionError('it was imported')\n")
    monkeypatch.syspath_prepend(packages)
    importlib.invalidate_caches()
    asked = tmp_path / "python"
    asked.write_text('#!/bin/sh\necho "$@" >"$(dirname "$0")/words"\nexit 1\n')
    asked.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(asked))
    with pytest.raises(UpdateRefused, match="cannot be made"):
        Host(Installation(tmp_path, DurableFiles())).make_environment(
            tmp_path / "release", DurableFiles()
        )
    words = (tmp_path / "words").read_text().split()
    assert ("--system-site-packages" in words) is sees
