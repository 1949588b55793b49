"""The demo's links lead to its own table, whatever else runs on this machine."""

from __future__ import annotations

import re
import socket
import sys
from pathlib import Path

import httpx
import pytest

from controller.__main__ import main
from controller.commands.demo.processes import free_port, port_or_another
from controller.commands.terminal.status import EXIT_USAGE
from tests.support.patience import PATIENCE_S
from tests.support.processes.town import LineProcess, free_pair


def test_a_port_that_somebody_has_is_left_to_them() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port := free_port()))
        taken.listen()
        assert port_or_another(port) not in (port, port + 1)
    assert port_or_another(port) == port


@pytest.mark.parametrize("port", [-1, 0, 1, 65_535, 99_999])
def test_a_port_that_there_is_not_is_refused_before_anything_is_made(
    port: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo"
    assert main(["demo", "--port", str(port), "--dir", str(folder)]) == EXIT_USAGE
    assert capsys.readouterr().err == "tablectl: --port: from 2 to 65534\n"
    assert not folder.exists()


@pytest.mark.parametrize("asked", [["--headless", "--rounds", "1"], ["--pit"]])
def test_a_folder_that_cannot_be_made_is_refused(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "file").touch()
    assert main(["demo", *asked, "--dir", str(file / "demo")]) == EXIT_USAGE
    said = f"--dir: {file / 'demo'} cannot be made (Not a directory): name another folder"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        (["--headless", "--rounds", "1"], "."),
        (["--train"], "."),
        (["--pit", "--tables", "2"], "T2"),
    ],
)
def test_a_folder_of_an_earlier_demo_is_refused(
    asked: list[str], at: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its cards went with its world: the robots counted an empty felt, or drew, for ever."""
    (folder := tmp_path / at).joinpath("record").mkdir(parents=True)
    assert main(["demo", *asked, "--dir", str(tmp_path)]) == EXIT_USAGE
    assert f"there is a record in {folder} already" in capsys.readouterr().err
    assert not (tmp_path / "world.json").exists()


@pytest.mark.long
def test_the_links_of_a_demo_are_its_own_where_the_port_below_is_taken(tmp_path: Path) -> None:
    """Another table has the port below: the service takes a free one, and the links name it."""
    page = free_pair()
    with socket.socket() as other:
        other.bind(("127.0.0.1", taken := page - 1))
        other.listen()
        command = [sys.executable, "-m", "controller", "demo", "--port", str(page), "--dir"]
        demo = LineProcess([*command, str(tmp_path / "demo")])
        try:
            line = demo.until(lambda each: "Dealer:" in each)
            url, token = re.findall(r"(http://127.0.0.1:\d+)/dealer#token=(\S+)", line)[0]
            assert int(url.rpartition(":")[2]) != taken
            view = httpx.get(
                f"{url}/api/v1/table", timeout=PATIENCE_S, trust_env=False, verify=False
            ).json()
            assert view["table"] == "demo"
            assert token == (tmp_path / "demo" / "token").read_text().strip()
            table = httpx.get(
                f"http://127.0.0.1:{page}/", timeout=PATIENCE_S, trust_env=False, verify=False
            )
            assert table.status_code == 200
        finally:
            demo.close()
