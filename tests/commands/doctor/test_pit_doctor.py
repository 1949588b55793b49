"""`tablectl doctor pit.toml`: broker, archive, rights and the rest of what a pit stands on."""

from __future__ import annotations

import os
import pwd
import re
import socket
import tarfile
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import text

from controller.__main__ import main
from controller.bus.messages import Topic, subject
from controller.commands.doctor import as_service, pit
from controller.commands.doctor.installation import UnitUser
from controller.commands.terminal.status import EXIT_CONFIG
from controller.pit.accounts import users
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.storage.database import SchemaState, look_at, open_database
from tests.bus.nats_server import PASSWORDS, NatsServer, free_port
from tests.commands.doctor.conftest import put
from tests.commands.doctor.test_doctor import found
from tests.pit.sign_in.oidc.provider_server import ProviderServer, served
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
_PIT = """\
[bus]
servers = ["nats://127.0.0.1:{port}"]
user = "pit"
password_file = "bus.password"
[archive]
database = "{database}"
[web]
port = 0
"""


def _configured(folder: Path, port: int, database: str = "sqlite:///archive.db") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "pit.toml"
    path.write_text(_PIT.format(port=port, database=database))
    (folder / "bus.password").write_text(f"{PASSWORDS['pit']}\n")
    (folder / "bus.password").chmod(0o640)
    return path


class _RefusingBroker:
    """Speaks the first words of a nats-server, and knows nobody."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(PATIENCE_S)
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with closing(self._socket), closing(self._socket.accept()[0]) as caller:
            caller.sendall(
                b'INFO {"server_id":"x","version":"2.9.10","headers":true,"auth_required":true,'
                b'"max_payload":1048576}\r\n'
            )
            caller.recv(4096)
            caller.sendall(b"-ERR 'Authorization Violation'\r\n")
            caller.recv(4096)

    def end(self) -> None:
        self._thread.join()


@pytest.fixture
def refusing() -> Iterator[_RefusingBroker]:
    broker = _RefusingBroker()
    yield broker
    broker.end()


def test_a_broker_that_is_away_is_named_with_what_to_look_at(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _configured(tmp_path / "pit", free_port())
    status, findings = found(capsys, "--root", root, path)
    assert status == 1
    wrong = {id_ for id_, each in findings.items() if each["verdict"] in ("bad", "not checked")}
    assert wrong == {"bus"}
    assert "broker runs" in findings["bus"]["mend"]
    assert findings["archive"]["verdict"] == "not yet"
    assert {"disk.free", "disk.sync", "web.port", "descriptors", "clock"} <= findings.keys()
    assert not (tmp_path / "pit/archive.db").exists(), "it looks, and makes nothing"


def test_a_broker_that_does_not_know_the_pit_is_told_from_one_that_is_away(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str], refusing: _RefusingBroker
) -> None:
    _, findings = found(capsys, "--root", root, _configured(tmp_path / "pit", refusing.port))
    assert findings["bus"]["verdict"] == "bad"
    assert "Authorization Violation" in findings["bus"]["why"]
    assert "bus.user" in findings["bus"]["mend"]


def test_the_provider_is_asked_what_it_says_of_itself(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _configured(tmp_path / "pit", free_port())
    provider = ProviderServer("https://pit.example/sign-in/provider/back")
    section = (
        f'[oidc]\nname = "House"\nissuer = "{provider.issuer}"\nclient_id = "pit"\n'
        '[oidc.roles]\n"floor" = ["floor"]\n'
    )
    path.write_text(path.read_text() + section)
    with served(provider):
        _, findings = found(capsys, "--root", root, path)
        assert findings["sign_in.provider"]["verdict"] == "good"
        assert findings["sign_in.logouts"]["verdict"] == "note"
        provider.wrong.description = {"backchannel_logout_supported": True}
        _, findings = found(capsys, "--root", root, path)
        assert findings["sign_in.provider"]["verdict"] == "good"
        assert "sign_in.logouts" not in findings
    _, findings = found(capsys, "--root", root, path)
    assert findings["sign_in.provider"]["verdict"] == "bad"
    assert "oidc.issuer" in findings["sign_in.provider"]["mend"]


def test_a_password_that_is_not_there_is_said_before_anybody_is_asked(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _configured(tmp_path / "pit", free_port())
    (tmp_path / "pit/bus.password").unlink()
    _, findings = found(capsys, "--root", root, path)
    assert findings["bus.files"]["verdict"] == "bad"
    assert "bus.password" in findings["bus.files"]["why"]
    assert "bus" not in findings


def test_an_archive_is_looked_at_and_left_as_it_is(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _configured(tmp_path / "pit", free_port())
    address = f"sqlite:///{tmp_path}/pit/archive.db"
    assert look_at(address) is SchemaState.NONE
    engine = open_database(address)
    assert look_at(address) is SchemaState.NEWEST
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'of_tomorrow'"))
    engine.dispose()
    _, findings = found(capsys, "--root", root, path)
    assert findings["archive"]["verdict"] == "bad"
    assert "newer software wrote: start that" in findings["archive"]["why"]


def test_a_database_that_is_away_is_said_in_one_line(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"postgresql://pit@127.0.0.1:{free_port()}/pit"
    path = _configured(tmp_path / "pit", free_port(), database)
    _, findings = found(capsys, "--root", root, path)
    assert findings["archive"]["verdict"] == "bad"
    assert "refused" in findings["archive"]["why"]
    assert "\n" not in findings["archive"]["why"]
    assert "disk.free" not in findings, "a server looks after its own disk"


def test_an_installed_pit_reads_its_files_and_reaches_its_servers(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    user = pwd.getpwuid(os.geteuid()).pw_name
    monkeypatch.setattr(pit, "PIT", UnitUser(pit.PIT.unit, user))
    monkeypatch.setattr(as_service, "wanted", lambda *_: False)
    put(
        root,
        f"etc/systemd/system/{pit.PIT.unit}",
        (ROOT / f"systemd/units/{pit.PIT.unit}").read_text(),
    )
    path = _configured(tmp_path / "pit", free_port())
    (tmp_path / "pit/bus.password").chmod(0o644)
    words = ("--root", root, path)
    _, findings = found(capsys, *words)
    assert findings["service.reach"]["verdict"] == "bad"
    assert findings["service.reach"]["mend"] == f"sudo tablectl pit --install / {path}"
    assert "Everybody" in findings["service.reads.bus.password"]["why"]
    assert findings["service.part"]["why"] == f"{pit.PIT.unit} runs as {user}"
    _, findings = found(capsys, "--fix", *words)
    assert findings["service.reach"]["verdict"] == "good"
    assert findings["service.reads.bus.password"]["verdict"] == "good"
    assert (tmp_path / "pit/bus.password").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("days", "verdict"), [(-2, "bad"), (10, "note"), (300, "good")])
def test_a_certificate_says_how_long_it_is_good_for(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str], days: int, verdict: str
) -> None:
    path = _configured(tmp_path / "pit", free_port())
    (tmp_path / "pit/bus.password").unlink()  # so that nobody is asked
    _write_certificate(tmp_path / "pit", days)
    path.write_text(path.read_text() + 'cert_file = "pit.crt"\nkey_file = "pit.key"\n')
    _, findings = found(capsys, "--root", root, path)
    assert findings["web.certificate"]["verdict"] == verdict


def _write_certificate(folder: Path, days: int) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "pit.example")])
    ends = datetime.now(UTC) + timedelta(days=days)
    made = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(ends - timedelta(days=400)).not_valid_after(ends)
        .sign(key, None)
    )  # fmt: skip
    (folder / "pit.crt").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "pit.key").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )


def test_what_is_wrong_in_the_file_is_said_as_the_pit_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _configured(tmp_path / "pit", 0)
    assert main(["doctor", str(path)]) == EXIT_CONFIG
    assert "bus.servers" in capsys.readouterr().err


def test_a_bundle_of_a_pit_has_no_password_key_or_user(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _configured(tmp_path / "pit", free_port())
    folder = path.parent
    (folder / "archive.password").write_text("archive-4711\n")
    (folder / "acts.key").write_text("MARK-of-the-key")
    path.write_text(
        path.read_text().replace('db"\n', 'db"\npassword_file = "archive.password"\n', 1)
        + '[[alerts.webhooks]]\nname = "pager"\nurl = "https://p.example/t0ken-in-it"\n'
        'secret_file = "pager.secret"\n'
    )
    (folder / "pager.secret").write_text("0123456789-of-the-webhook")
    engine = open_database(f"sqlite:///{folder}/archive.db")
    with engine.begin() as connection:
        users.make(connection, "Aino-Maija", frozenset({PitRole.ENGINEER}), 0)
    engine.dispose()
    put(
        root, f"etc/systemd/system/{pit.PIT.unit}.d/override.conf",
        "[Service]\nEnvironment=PGPASSWORD=MARK-of-the-unit\n",
    )  # fmt: skip
    log = f"AINO-MAIJA, aino-maija, archive-4711, {PASSWORDS['pit']}: the bus is away"
    log += ", 0123456789-of-the-webhook"
    put(tmp_path / "programs", "journalctl", f'#!/bin/sh\necho "$2: {log}"\n').chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/programs:{os.environ['PATH']}")

    target = tmp_path / "help.tar.gz"
    main(["doctor", "--root", str(root), "--bundle", str(target), "--yes", str(path)])
    with tarfile.open(target) as archive:
        held = {each.name: archive.extractfile(each) for each in archive.getmembers()}
        texts = {name: file.read().decode() for name, file in held.items() if file is not None}
    assert "[archive]" in texts["help/pit.toml"]
    assert "help/findings.json" in texts
    assert f"help/machine/etc/systemd/system/{pit.PIT.unit}.d/override.conf" in texts
    assert re.match(r"tablectl-pit\*: .*the bus is away", texts["help/log.txt"])
    for name, text_ in texts.items():
        for secret in (
            "aino-maija",
            "archive-4711",
            PASSWORDS["pit"].lower(),
            "mark-of",
            "t0ken-in-it",
            "of-the-webhook",
        ):
            assert secret not in text_.lower(), name


@pytest.mark.long
def test_a_broker_that_is_there_is_good_once_it_has_a_buffer(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = NatsServer(tmp_path / "broker").start()
    try:
        words = ("--root", root, _configured(tmp_path / "pit", server.port))
        status, findings = found(capsys, *words)
        assert (status, findings["bus"]["verdict"]) == (0, "not yet")
        assert "bus.pictures" not in findings
        (tmp_path / "pit/bus.password").write_text("wrong")
        _, findings = found(capsys, *words)
        assert "Authorization Violation" in findings["bus"]["why"]
    finally:
        server.kill()


@pytest.mark.long
def test_a_broker_whose_configuration_is_of_before_is_to_be_written_anew(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = NatsServer(tmp_path / "broker")
    written = server.conf.read_text()
    of_before = written.replace(f', "{subject("*", Topic.PICTURES)}"', "")
    assert of_before != written
    server.conf.write_text(of_before)
    with server:
        words = ("--root", root, _configured(tmp_path / "pit", server.port))
        status, findings = found(capsys, *words)
    assert (status, findings["bus"]["verdict"]) == (0, "not yet")
    assert findings["bus.pictures"]["verdict"] == "note"
    assert "tablectl broker" in findings["bus.pictures"]["mend"]
