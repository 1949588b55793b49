"""The dealer display's starter: it waits for the table and keeps the token to itself."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

from controller.commands.doctor.board import KIOSK_PROGRAMS
from tests.systemd.staged import ROOT, run, tool

KIOSK = ROOT / "systemd/kiosk"
UNIT = ROOT / "systemd/units/tablectl-kiosk.service"
INSTALL = ROOT / "systemd/install"
TOKEN = "z7-Qw_Er.ty~UiOpAsDfGhJkLzXcVbNm"
TIMEOUT_S = 60


def _show(folder: Path, token: str) -> subprocess.CompletedProcess[str]:
    """Run `kiosk show` with a browser that only writes down how it was started."""
    browser = folder / "bin/chromium"
    browser.parent.mkdir()
    browser.write_text(f'#!{sys.executable}\nimport sys\nprint("\\n".join(sys.argv[1:]))\n')
    browser.chmod(0o755)
    (folder / "api-token").write_text(token + "\n")
    return subprocess.run(
        [KIOSK, "show"],
        env={
            "PATH": f"{browser.parent}:{os.environ['PATH']}",
            "RUNTIME_DIRECTORY": str(folder),
            "CREDENTIALS_DIRECTORY": str(folder),
            "TABLECTL_PORT": "8127",
        },
        umask=0o077,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def test_the_browser_opens_the_dealer_page_with_the_token(tmp_path: Path) -> None:
    arguments = _show(tmp_path, TOKEN).stdout.splitlines()
    start = tmp_path / "start.html"
    assert arguments[-1] == f"file://{start}"
    assert f"http://127.0.0.1:8127/dealer#token={TOKEN}" in start.read_text()
    assert start.stat().st_mode & 0o077 == 0


def test_the_token_is_on_no_command_line(tmp_path: Path) -> None:
    assert TOKEN not in _show(tmp_path, TOKEN).stdout


def test_a_token_that_would_break_out_of_the_page_is_refused(tmp_path: Path) -> None:
    said = _show(tmp_path, '"><script>')
    assert said.returncode == 78
    assert "tablectl token" in said.stderr
    assert not (tmp_path / "start.html").exists()


def _wait(port: int, wait_s: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [KIOSK, "wait"],
        env={**os.environ, "TABLECTL_PORT": str(port), "TABLECTL_WAIT_S": str(wait_s)},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_display_waits_for_the_table() -> None:
    with socket.socket() as table:
        table.bind(("127.0.0.1", 0))
        port = table.getsockname()[1]  # bound, and refusing as long as nobody listens
        with _wait(port, wait_s=0) as gave_up:
            assert gave_up.communicate(timeout=TIMEOUT_S)[1].endswith(
                "systemctl status tablectl'\n"
            )
            assert gave_up.returncode == 1
        table.listen()
        with _wait(port, wait_s=0) as found:
            assert found.communicate(timeout=TIMEOUT_S)[1] == ""
            assert found.returncode == 0


def test_its_socket_lies_where_the_unit_lets_it_write() -> None:
    """A session's own folder is below /run/user, which ProtectHome closes: cage ended there."""
    unit = UNIT.read_text()
    assert "\nProtectHome=yes\n" in unit
    (own,) = re.findall(r"^RuntimeDirectory=(\S+)$", unit, re.MULTILINE)
    (start,) = re.findall(r"^ExecStart=(.*)\\\n(.*)$", unit, re.MULTILINE)
    assert start[0].split() == ["/usr/bin/env", f"XDG_RUNTIME_DIR=%t/{own}"]
    assert start[1].split()[0] == "/usr/bin/cage"


def test_it_is_installed_with_all_that_the_doctor_looks_for() -> None:
    (packages,) = re.findall(r"if has_kiosk; then packages\+=\((.*)\); fi", INSTALL.read_text())
    assert KIOSK_PROGRAMS.keys() <= set(packages.split())
    browser = re.findall(r"^    exec (\S+) ", KIOSK.read_text(), re.MULTILINE)
    cage = re.findall(r"/usr/bin/(cage) ", UNIT.read_text())
    assert [*browser, *cage] == ["chromium", "cage"]


def test_its_user_reaches_this_machine_alone(tmp_path: Path) -> None:
    """A session has a control group of its own: the unit's addresses would hold for nobody."""
    assert "IPAddress" not in UNIT.read_text()
    functions = r"/^(whole|kiosk_slice)\(\)/,/^}/p"
    script = subprocess.run(
        ["sed", "-nE", functions, INSTALL], capture_output=True, text=True, check=True
    ).stdout
    done = run(
        "bash", "-euc", f"id() {{ echo 997; }}\n{script}\nkiosk_slice", DESTDIR=str(tmp_path)
    )
    assert (done.returncode, done.stderr) == (0, "")
    units = tmp_path / "etc/systemd/system"
    written = (units / "user-997.slice.d/10-tablectl-kiosk.conf").read_text().splitlines()
    assert written[1:] == ["[Slice]", "IPAddressDeny=any", "IPAddressAllow=localhost"]
    (units / "user-997.slice").write_text("[Slice]\n")
    said = run(tool("systemd-analyze"), "verify", units / "user-997.slice")
    assert "10-tablectl-kiosk" not in said.stderr
