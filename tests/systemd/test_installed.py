"""What an installation puts on a machine, and what it leaves as it was."""

import os
import re
from pathlib import Path

import pytest

from tests.support.forms import long_only
from tests.systemd.staged import ROOT, run, tool


def test_the_rules_are_whole_and_take_the_configured_scanner(tmp_path: Path) -> None:
    installed = run(
        ROOT / "systemd/install", DESTDIR=str(tmp_path), KIOSK="1", SCANNER_USB="0c2e:0b61"
    )
    assert installed.returncode == 0, installed.stderr
    part = re.compile(r'[A-Z_]+(\{[A-Za-z_]+\})?(==|!=|\+=|=)"[^"]*"')
    lines = [
        line
        for file in sorted((tmp_path / "etc/udev/rules.d").iterdir())
        for line in file.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert len(lines) == 9
    assert all(part.fullmatch(each) for line in lines for each in line.split(", ")), lines
    assert sum('ATTRS{idVendor}=="0c2e", ATTRS{idProduct}=="0b61"' in line for line in lines) == 3


def test_a_scanner_that_is_no_usb_number_is_refused(tmp_path: Path) -> None:
    said = run(ROOT / "systemd/install", DESTDIR=str(tmp_path), SCANNER_USB="ttyUSB0")
    assert said.returncode == 1
    assert "Take it from lsusb" in said.stderr
    assert list(tmp_path.iterdir()) == []


def _scanner_rule(root: Path) -> str:
    rules = (root / "etc/udev/rules.d/99-tablectl.rules").read_text()
    (line,) = [each for each in rules.splitlines() if 'SYMLINK+="tablectl-scanner"' in each]
    assert rules.count('KERNEL=="gpiochip*"') == 1
    return line


@pytest.mark.long
def test_an_upgrade_keeps_the_scanner_that_was_found_out(tmp_path: Path) -> None:
    """Without SCANNER_USB nobody says anything about the scanner: its rule stays."""
    script = ROOT / "systemd/install"
    pinned = "0c2e:0b61:S-1234.A"
    assert run(script, DESTDIR=str(tmp_path), SCANNER_USB=pinned).returncode == 0
    rule = _scanner_rule(tmp_path)
    assert 'ATTRS{idProduct}=="0b61", ATTRS{serial}=="S-1234.A", SYMLINK' in rule
    for _ in range(2):
        assert run(script, DESTDIR=str(tmp_path)).returncode == 0
        assert _scanner_rule(tmp_path) == rule
    assert run(script, DESTDIR=str(tmp_path), SCANNER_USB="05e0:1701").returncode == 0
    assert "serial" not in _scanner_rule(tmp_path)


def test_the_command_is_on_path(machine: Path) -> None:
    link = machine / "usr/local/bin/tablectl"
    assert str(link.readlink()) == "/opt/tablectl/current/env/bin/tablectl"


def test_the_updater_is_one_file_that_runs_without_the_checkout(machine: Path) -> None:
    said = run(machine / "usr/local/sbin/tablectl-update", "--list", f"--root={machine}")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.endswith("current not complete\n")
    refused = run(machine / "usr/local/sbin/tablectl-update", "/no/file", f"--root={machine}")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "refused: the keys that sign releases cannot be read" in refused.stderr


@pytest.mark.parametrize(
    ("config", "asked", "said"),
    [
        long_only("[scanner]\n", "", "without"),
        long_only("[scanner]\n# [camera]\n", "", "without"),
        long_only("[scanner]\n", "1", "with"),
        ('[camera]\nsource = "0"\n', "", "with"),
    ],
)
def test_the_configuration_stays_and_what_a_camera_needs_is_installed_where_there_is_one(
    config: str, asked: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "etc/tablectl/table.toml"
    file.parent.mkdir(parents=True)
    file.write_text(config)
    staged = run(ROOT / "systemd/install", DESTDIR=str(tmp_path), CAMERA=asked)
    assert staged.returncode == 0, staged.stderr
    assert f"installs it {said} what a camera needs" in staged.stdout
    assert file.read_text() == config


@pytest.mark.skipif(os.geteuid() != 0, reason="users and owners can only be made by root")
def test_the_token_is_roots_and_the_configuration_is_read_only(machine: Path) -> None:
    token = machine / "etc/tablectl/api-token"
    token.write_text("x" * 43)
    token.chmod(0o644)
    users = run(tool("systemd-sysusers"), f"--root={machine}")
    assert users.returncode == 0, users.stderr
    made = run(tool("systemd-tmpfiles"), f"--root={machine}", "--create", "tablectl.conf")
    assert (made.returncode, made.stderr) == (0, "")

    groups = (machine / "etc/group").read_text()
    ours = re.search(r"^tablectl:x:(\d+):", groups, re.MULTILINE)
    assert ours is not None
    config = machine / "etc/tablectl/table.toml"
    stats = {path: path.stat() for path in (config.parent, config, token)}
    assert [oct(stat.st_mode & 0o777) for stat in stats.values()] == ["0o750", "0o640", "0o600"]
    assert [stat.st_gid for stat in stats.values()] == [int(ours[1]), int(ours[1]), 0]
    assert {stat.st_uid for stat in stats.values()} == {0}
    assert re.search(r"^dialout:.*tablectl", groups, re.MULTILINE)
    assert re.search(r"^gpio:.*tablectl", groups, re.MULTILINE)
    assert re.search(r"^video:.*tablectl", groups, re.MULTILINE)


#: Stands before the real one of that name: notes its words, and from its `CUT`-th call on fails.
_NOTED = """#!/bin/sh
echo "$(basename "$0") $*" >>"$NOTED"
[ "$(grep -c "^$(basename "$0") " "$NOTED")" -ne "${CUT:-0}" ] || exit 1
PATH=${PATH#*:} exec "$(basename "$0")" "$@"
"""


def _noting(folder: Path, *names: str) -> dict[str, str]:
    """An environment whose programs of those names note that they were called."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    for name in names:
        (programs / name).write_text(_NOTED)
        (programs / name).chmod(0o755)
    return {"PATH": f"{programs}:{os.environ['PATH']}", "NOTED": str(folder / "noted")}


def test_what_is_installed_is_durable_before_it_has_its_name(tmp_path: Path) -> None:
    """A power cut after an update leaves no unit, rule or updater that is empty."""
    root = tmp_path / "root"
    environment = _noting(tmp_path, "sync", "mv")
    assert run(ROOT / "systemd/install", DESTDIR=str(root), **environment).returncode == 0
    noted = (tmp_path / "noted").read_text().splitlines()
    moved = [each.split()[1:] for each in noted if each.startswith("mv ")]
    names = {Path(each[1]).name for each in moved}
    assert {"tablectl.service", "99-tablectl.rules", "tablectl-update"} <= names
    for part, target in moved:
        assert part == f"{target}.part"
        assert noted.index(f"sync {part}") == noted.index(f"mv {part} {target}") - 1
    assert not list(root.rglob("*.part"))


def test_what_is_as_it_was_is_not_written_again(tmp_path: Path) -> None:
    script = ROOT / "systemd/install"
    for _ in range(2):  # the second time the scanner's rules go to the end, and stay there
        assert run(script, DESTDIR=str(tmp_path)).returncode == 0
    files = [*tmp_path.glob("etc/systemd/system/*.service"), *tmp_path.glob("etc/udev/rules.d/*")]
    before = {each: each.stat().st_ino for each in files}
    assert len(before) >= 5
    assert run(script, DESTDIR=str(tmp_path)).returncode == 0
    assert {each: each.stat().st_ino for each in files} == before


def test_an_upgrade_that_is_cut_off_anywhere_keeps_the_scanner(
    tmp_path: Path, long_form: bool
) -> None:
    script, root = ROOT / "systemd/install", tmp_path / "root"
    pinned = "0c2e:0b61:S-1234.A"
    assert run(script, DESTDIR=str(root), SCANNER_USB=pinned).returncode == 0
    rule = _scanner_rule(root)
    rules = root / "etc/udev/rules.d/99-tablectl.rules"
    environment = _noting(tmp_path, "mv", "sync", "sed", "install")
    for cut in range(1, 5) if long_form else (1, 3):
        rules.write_text(rules.read_text() + "# of an older release\n")
        (tmp_path / "noted").write_text("")
        run(script, DESTDIR=str(root), **environment, CUT=str(cut))
        assert _scanner_rule(root) == rule, f"cut at call {cut}"
