"""`tablectl broker`: what a nats-server is given, and what is refused; two real servers' own test
is `tests/pit/archive/brokers/test_sites.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.__main__ import main
from tests.bus.nats_server import NatsServer, free_port

SITE = '[site]\nname = "A"\nheadquarters = "tls://hq.example:7422"\n'


def broker_file(folder: Path, text: str) -> str:
    path = folder / "broker.toml"
    path.write_text(text)
    return str(path)


def test_each_has_a_password_that_stays_and_the_server_takes_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port, to = free_port(), tmp_path / "to"
    head = f'[broker]\nlisten = "127.0.0.1:{port}"\nstore = "{tmp_path / "store"}"\n'
    assert main(["broker", broker_file(tmp_path, head + 'tables = ["T1"]'), "--to", str(to)]) == 0
    first = {each.name: each.read_text() for each in (to / "passwords").iterdir()}
    assert set(first) == {"pit", "T1"}
    assert len(first["T1"].strip()) >= 40
    assert first["T1"] != first["pit"]
    assert (to / "nats-server.conf").stat().st_mode & 0o077 == 0
    assert (to / "passwords" / "T1").stat().st_mode & 0o077 == 0
    said = capsys.readouterr().out
    assert "nats-server.conf" in said
    assert not any(each.strip() in said for each in first.values())

    two = broker_file(tmp_path, head + 'tables = ["T1", "T2"]')
    assert main(["broker", two, "--to", str(to)]) == 0
    assert (to / "passwords" / "T1").read_text() == first["T1"]
    assert capsys.readouterr().out.count("written: ") == 2
    assert main(["broker", two, "--to", str(to)]) == 0
    assert capsys.readouterr().out == "as it is\n"
    with NatsServer(tmp_path / "nats", port=port, conf=to / "nats-server.conf"):
        pass  # it has started with this file


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[broker]\nlisten = "4222"', "is no HOST:PORT"),
        ('[broker]\nlisten = "0.0.0.0:4222"', "without TLS passwords could be read"),
        ('[broker]\ntables = ["T.1"]', "'T.1' is no table's name"),
        ('[broker]\ntables = ["../x"]', "is no table's name"),
        ('[broker]\ntables = ["pit"]', "pit is taken"),
        ('[broker]\ntables = ["T1", "T1"]', "T1 stands there twice"),
        ('[broker]\nstore_gb = 0', "use more than 0"),
        ('[broker]\ncert_file = "a.crt"', "it goes with key_file"),
        ("[brokers]", "Did you mean broker?"),
        ("[headquarters]\nsites = []", "name them"),
        ('[headquarters]\nsites = ["A"]\nlisten = "0.0.0.0:7422"', "without TLS"),
        ('[broker]\ntables = ["T1"]\n[headquarters]\nsites = ["A"]', "at their site's broker"),
        ('[site]\nname = "A"\nheadquarters = "hq.example"\npassword_file = "p"',
         "write it like tls://hq.example:7422"),
        ('[site]\nname = "A"\nheadquarters = "nats://hq.example:7422"\npassword_file = "p"',
         "is another machine"),
        (SITE.replace("//", "//A:secret@") + 'password_file = "p"', "more than host and port"),
        (f'{SITE}password_file = "p"\n[headquarters]\nsites = ["B"]', "not both"),
        (f'{SITE}password_file = "none"', "none cannot be used"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    assert main(["broker", broker_file(tmp_path, text), "--to", str(tmp_path / "to")]) != 0
    said = capsys.readouterr().err
    assert says in said
    assert "secret" not in said
