"""What goes into a bundle: markers are planted in every place, and none comes out."""

from __future__ import annotations

import errno
import json
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.__main__ import main
from controller.assembly.wiring import load
from controller.commands.doctor import bundle
from controller.commands.doctor.bundle import BLOT, _blotted, contents, of_table
from controller.commands.doctor.finding import CheckFinding, CheckVerdict
from controller.commands.doctor.machine import Machine
from controller.commands.terminal.status import EXIT_CONFIG
from controller.table.roles import Role
from tests.commands.doctor.conftest import put
from tests.support.people import add_person

SECRET = st.text("abcdefghijkLMNOPQRS0123456789+/-_", min_size=8, max_size=44)


@given(secret=SECRET)
@example(secret="48151623")
@example(secret="/abcd1234")
def test_whatever_follows_a_word_for_a_secret_is_blotted(secret: str) -> None:
    for line in (
        f"token={secret}", f"API_TOKEN = '{secret}'", f'"token": "{secret}"', f"Password: {secret}",
        f"Authorization: Bearer {secret}", f"authorization: basic {secret}",
        f"GET /events?token={secret}&since=3",
        f"Environment=NATS_CREDS={secret}", f"passphrase: {secret}",
        f"rtsp://shoe:{secret}@10.0.0.9/x", f'Environment="MQTT_PASSWORD={secret}"',
        f"psk={secret}", f"pass={secret}", f"pwd: {secret}", f"secret_key_base={secret}",
        f"SetCredential=mqtt:{secret}", f'Authorization: Digest username="x", response="{secret}"',
        f"wpa_passphrase=two {secret}", f"Environment='X_PASS=two {secret}' Y=1",
    ):  # fmt: skip
        assert BLOT in _blotted(line, []), line
        assert secret not in _blotted(line, []), line


@given(secret=SECRET.filter(lambda text: not text.startswith("/")))
def test_a_key_is_blotted_but_for_a_path_and_a_number_of_a_pin(secret: str) -> None:
    for line in (f"api-key: {secret}", f"http://127.0.0.1:9/?key={secret}", f'pin = "{secret}"'):
        assert secret not in _blotted(line, []), line


def test_a_finding_that_names_a_person_loses_the_name(table: Path, root: Path) -> None:
    add_person(table.parent / "people.toml", "Jääskeläinen", Role.FLOOR, "4711")
    table.write_text(table.read_text() + '[people]\nfile = "people.toml"\n')
    finding = CheckFinding("x", "people", CheckVerdict.BAD, "Jääskeläinen is there twice")
    held = contents(of_table(load(table), table), Machine(root), [finding])
    assert json.loads(held["findings.json"])[0]["why"] == f"{BLOT} is there twice"


@pytest.mark.parametrize(
    "line",
    [
        'token_file = "token"', 'key_file = "/var/lib/tablectl-key/table.key"', "pin = 26",
        "LoadCredential=api-token:/etc/tablectl/api-token", "key: /etc/x", "use_key = true",
        "use_token = true", 'password_file = "/etc/x"',
        "Nov 22 table tablectl: scanner up",
    ],
)  # fmt: skip
def test_what_whoever_helps_needs_is_left(line: str) -> None:
    assert _blotted(line, []) == line


def test_no_marker_of_any_place_comes_out(
    table: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the record and beside it, in people, pictures, captured cards, units, log and settings."""
    token = (table.parent / "token").read_text().strip()
    folder = table.parent
    planted: list[str] = [token]

    def marker(place: str) -> str:
        planted.append(f"MARK{len(planted):02}{place}")
        return planted[-1]

    for path in (
        "record/2026-11-22.day", "record/2026-11-22.day.openings", "record/anchor", "record/lock",
        "record.images/0001.jpg", "record.pins", "record.key", "certificates/deck/As-1.png",
        "certificates/codes.toml", "certificates/.deck.draft/0001-1.png", "people.toml.bak",
        "table.toml.before-codes",
    ):  # fmt: skip
        put(folder, path, marker("record"))
    add_person(folder / "people.toml", "Aino-Maija", Role.FLOOR, "4711")
    pin_hash = (folder / "people.toml").read_text().partition('pin = "')[2].partition('"')[0]
    text = table.read_text() + '[people]\nfile = "people.toml"\n'
    table.write_text(f"# password: {marker('comment')}\n{text}")
    put(root, "etc/systemd/system/tablectl.service", "[Service]\n")
    put(
        root, "etc/systemd/system/tablectl.service.d/override.conf",
        f"[Service]\nEnvironment=NATS_TOKEN={marker('unit')} X=1\n",
    )  # fmt: skip
    put(root, "etc/tablectl/api-token", marker("credential"))
    put(root, "etc/os-release", f"NAME=Debian\nOURS={token}\n")
    put(root, "proc/cmdline", f"root=x secret={marker('cmdline')}")
    programs = tmp_path / "programs"
    log = f"Aino-Maija signed in\nAuthorization: Bearer {marker('log')}\ntoken {token} refused"
    put(programs, "journalctl", f"#!/bin/sh\ncat <<END\n{log}\nEND\n").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    target = tmp_path / "help.tar.gz"
    main(["doctor", "--root", str(root), "--bundle", str(target), "--yes", str(table)])
    with tarfile.open(target) as archive:
        held = {each.name: archive.extractfile(each) for each in archive.getmembers()}
        texts = {name: file.read().decode() for name, file in held.items() if file is not None}
    assert "help/log.txt" in texts
    assert "signed in" in texts["help/log.txt"]
    assert pin_hash
    for name, text in texts.items():
        for secret in (*planted, "Aino-Maija", "4711", pin_hash):
            assert secret not in text, name


@pytest.mark.parametrize("end", ["\n-----END EC PRIVATE KEY-----\nafter", ""])
def test_a_private_key_of_a_certificate_is_blotted(end: str) -> None:
    key = f"before\n-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFxi\nk0m3AwEHoUQ={end}"
    left = _blotted(key, [])
    assert "MHcC" not in left
    assert "k0m3" not in left
    assert left.startswith("before\n")
    assert left.endswith("after") == bool(end)


def test_a_configuration_that_cannot_be_read_still_has_a_bundle(
    table: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its text stays out: it may be any file, named by mistake."""
    token = "T0ken" * 9
    put(root, "etc/tablectl/api-token", token).chmod(0o600)
    add_person(root / "etc/tablectl/people.toml", "Aino-Maija", Role.FLOOR, "4711")
    programs = tmp_path / "programs"
    put(programs, "journalctl", f"#!/bin/sh\necho Aino-Maija had {token}\n").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    table.write_text("root:$y$j9T$hash:20000:0:99999:7:::\n")
    target = tmp_path / "help.tar.gz"
    words = ["doctor", "--root", str(root), "--bundle", str(target), "--yes", str(table)]
    assert main(words) == EXIT_CONFIG
    with tarfile.open(target) as archive:
        names = archive.getnames()
        log = archive.extractfile("help/log.txt")
        found = archive.extractfile("help/findings.json")
        assert log is not None
        assert found is not None
        assert log.read().decode().strip() == f"{BLOT} had {BLOT}"
        findings = json.load(found)
    assert [(each["id"], each["mend"]) for each in findings] == [("config", f"sudoedit {table}")]
    assert "help/table.toml" not in names


def test_a_disk_that_is_full_keeps_no_part_of_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "help.tar.gz"
    with monkeypatch.context() as patch:
        patch.setattr(tarfile.TarFile, "addfile", full)
        with pytest.raises(OSError, match="No space left"):
            bundle.write(target, {"log.txt": "x"})
    assert not target.exists()
    bundle.write(target, {"log.txt": "x"})
    assert target.stat().st_mode & 0o777 == 0o600
