"""`tablectl demo --pit`: broker, archive, wall and tables come up with one command, and go."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.commands.demo.processes import free_port
from controller.commands.pit.user_links import add_user
from tests.support.patience import PATIENCE_S


def records(port: int, token: str) -> dict[str, Any]:
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/records", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


def dealers_in(file: Path) -> set[str]:
    """The names of the dealers whom a world knows."""
    people = json.loads(file.read_text())["people"]
    return {each["name"] for each in people if each["role"] == "dealer"}


def rounds_by_dealer(port: int, token: str) -> set[str]:
    """Who has dealt, as the reports of the pit name them."""
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/reports/pace?by=dealer",
        headers={"Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
        return {each["dealer"] for each in json.loads(answer.read())["rows"]}


def slips(port: int, token: str, table: str) -> list[str]:
    """The kinds of a table's slips, as the pit has them; none while it has kept none."""
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/tables/{table}/chips",
        headers={"Authorization": f"Bearer {token}"},
    )
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            shifts = json.loads(answer.read())["shifts"]
    except urllib.error.HTTPError:
        return []
    return [slip["kind"] for each in shifts for slip in each["slips"]]


class _Keeps(urllib.request.HTTPRedirectHandler):
    """Sends the cookies that came with a redirect, as a browser does on its own machine."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request:
        """The next request."""
        cookies = "; ".join(each.partition(";")[0] for each in headers.get_all("Set-Cookie"))
        return urllib.request.Request(newurl, headers={"Cookie": cookies})


@pytest.mark.long
def test_two_tables_are_archived_and_on_the_wall_and_nothing_stays_behind(tmp_path: Path) -> None:
    port = free_port()
    demo = subprocess.Popen(
        [sys.executable, "-m", "controller", "demo", "--pit", "--tables", "2", "--port", str(port),
         "--dir", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        until_s = time.monotonic() + 4 * PATIENCE_S
        found: dict[str, Any] = {"tables": []}
        assert demo.stdout is not None
        said = ""
        while "Sign in with" not in said:
            assert time.monotonic() < until_s
            said += demo.stdout.readline()
        link = said.split()[-1]
        origin = {"Origin": f"http://127.0.0.1:{port}"}
        press = urllib.request.Request(link, b"", origin)
        assert b"Tables of the pit" in urllib.request.build_opener(_Keeps()).open(press).read()
        token = add_user(tmp_path / "pit.toml", "test", "machine")
        while len([each for each in found["tables"] if each["seq"] > 20]) < 2:
            assert time.monotonic() < until_s, found
            assert demo.poll() is None
            time.sleep(0.5)
            try:
                found = records(port, token)
            except OSError:
                continue  # it is not up yet
        assert {each["table"] for each in found["tables"]} == {"T1", "T2"}
        assert found["findings"] == []
        # The dealers of the demo have come to the tables by name and PIN, and the pit knows them.
        dealers = dealers_in(tmp_path / "T1.people.json") | dealers_in(tmp_path / "T2.people.json")
        assert len(dealers) == 4
        while len(dealt := rounds_by_dealer(port, token)) < 2:
            assert time.monotonic() < until_s, dealt
            time.sleep(0.5)
        assert dealt <= dealers
        # Floor and dealer have counted the rack and put a box there.
        while not {"opener", "box"} <= {*(kinds := slips(port, token, "T1"))}:
            assert time.monotonic() < until_s, kinds
            time.sleep(0.5)
    finally:
        demo.send_signal(signal.SIGINT)
        said += demo.communicate(timeout=2 * PATIENCE_S)[0]
    assert demo.returncode == 0, said
    assert f"http://127.0.0.1:{port}/records" in said
    left = subprocess.run(
        ["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert left.stdout == ""


@pytest.mark.parametrize("tables", ["0", "41"])
def test_more_tables_than_a_machine_runs_are_refused(
    tables: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--pit", "--tables", tables]) == 2
    assert "--tables: 1 to 40 run on one machine" in capsys.readouterr().err


def test_a_machine_without_a_broker_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert main(["demo", "--pit"]) == 2
    assert "sudo apt install nats-server" in capsys.readouterr().err


def test_a_bus_goes_with_its_password(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--bus", "nats://127.0.0.1:4222"]) == 2
    assert "--bus: it goes with --bus-password" in capsys.readouterr().err
