"""A record on other disks: what the table's unit may write to, and which disks it waits for."""

import shutil
from pathlib import Path

import pytest

from controller.assembly.wiring import load
from controller.commands.doctor import disk
from controller.commands.doctor.finding import CheckVerdict
from controller.commands.drivers import units
from controller.commands.drivers.record_folders import escaped, makes_no_key, writable_for
from tests.systemd.staged import run, tool

CONFIG = """\
[table]
name = "T1"
game = "21-24-27"
seats = 1
[record]
folder = "{folder}"
{more}
[web]
token_file = "token"
[scanner]
port = "/dev/tablectl-scanner"
"""
DROP_IN = f"{units.UNITS}/tablectl.service.d/{units.RECORD_DROP_IN}"


def drop_in(tmp_path: Path, folder: str, more: str = "") -> str:
    config = tmp_path / "table.toml"
    config.write_text(CONFIG.format(folder=folder, more=more))
    return units.files(load(config))[DROP_IN]


def test_a_record_in_the_units_own_folder_opens_nothing(tmp_path: Path) -> None:
    text = drop_in(tmp_path, "/var/lib/tablectl/record")
    assert all(line.startswith("#") for line in text.splitlines())


def test_a_copy_on_a_disk_may_be_written_and_its_disk_may_be_absent(tmp_path: Path) -> None:
    more = 'second_copy = "/media/usb-1/copy"\narchive = "/mnt/old days/T1"'
    text = drop_in(tmp_path, "/var/lib/tablectl/record", more)
    assert "ReadWritePaths=-/media -/mnt" in text, "whole: the disk may be plugged in later"
    assert ".mount" not in text, "each start would wait for it"


def test_the_disk_of_the_record_is_waited_for(tmp_path: Path) -> None:
    more = 'archive = "/mnt/old days/T1"\nkey_file = "/srv/keys/T1.key"'
    lines = drop_in(tmp_path, "/data/usb-1/record", more).splitlines()
    (after,) = (line for line in lines if line.startswith("After="))
    assert {r"data-usb\x2d1.mount", "srv-keys.mount"} <= set(after[6:].split())
    assert f"Wants={after[6:]}" in lines
    assert "mnt" not in after


def test_a_folder_with_a_space_and_a_percent_sign_is_one_word(tmp_path: Path) -> None:
    assert 'ReadWritePaths="-/my %% disk"' in drop_in(tmp_path, "/my % disk/x/record")


@pytest.mark.parametrize(
    ("path", "opened"),
    [
        ("/srv/table/record", "/srv"),
        ("/var/lib/floor/record", "/var/lib/floor"),
        ("/var/lib/floor", "/var/lib/floor"),
        ("/var/lib/tablectl/record", None),
        ("/var/lib", None),
        ("/var/log/record", None),
        ("/etc/tablectl/record", None),
        ("/home/pi/record", None),
        ("/opt/tablectl/record", None),
        ("/", None),
        ("/mnt/a\nExecStart=/bin/sh", None),
        ("record", None),
    ],
)
def test_no_folder_of_the_system_is_opened(path: str, opened: str | None) -> None:
    assert writable_for(Path(path)) == (None if opened is None else Path(opened))


@pytest.mark.parametrize(
    ("folder", "alone"),
    [
        ("/var/lib/floor", True),
        ("/data", True),
        ("/var/lib/floor/record", False),
        ("/data/record", False),
        ("/mnt/record", False),
        ("/var/lib/tablectl/record", False),
        ("/etc/tablectl/record", False),
    ],
)
def test_the_doctor_says_that_nothing_can_lie_beside_a_record(
    folder: str, alone: bool, tmp_path: Path
) -> None:
    """Its key is made there: the first record would stop the table."""
    config = tmp_path / "table.toml"
    config.write_text(CONFIG.format(folder=folder, more=""))
    found = list(disk.place(load(config)))
    assert [(each.id, each.verdict) for each in found] == (
        [("record.place", CheckVerdict.BAD)] if alone else []
    )
    for each in found:
        assert f"to be made in {Path(folder).parent}, where the service may not write" in each.why
        assert f"such as {folder}/record" in each.mend
    key = tmp_path / "key"
    key.touch()
    config.write_text(CONFIG.format(folder=folder, more=f'key_file = "{key}"'))
    assert [each.verdict for each in disk.place(load(config))] == (
        [CheckVerdict.NOTE] if alone else []
    )


@pytest.mark.parametrize(
    ("key", "closed"),
    [
        ("/T1-of-no-machine.key", True),
        ("/var/lib/T1-of-no-machine.key", True),
        ("/etc/tablectl/T1-of-no-machine.key", True),
        ("/var/lib/tablectl-key/T1-of-no-machine.key", False),
        ("/srv/keys/T1-of-no-machine.key", False),
        ("/mnt/T1-of-no-machine.key", False),
    ],
)
def test_the_doctor_says_that_a_key_cannot_be_made_where_the_service_may_not_write(
    key: str, closed: bool, tmp_path: Path
) -> None:
    """The first record would stop the table."""
    config = tmp_path / "table.toml"
    more = f'key_file = "{key}"'
    config.write_text(CONFIG.format(folder="/var/lib/tablectl/record", more=more))
    found = list(disk.place(load(config)))
    assert [(each.id, each.verdict, each.what) for each in found] == (
        [("record.place", CheckVerdict.BAD, f"key, {key}")] if closed else []
    )
    for each in found:
        such = Path("/srv/keys", Path(key).name)
        assert f"such as {such}, " in each.mend
        assert not makes_no_key(such)


@pytest.mark.parametrize("path", ["/mnt/my disk/.x", "/.hidden", "/mnt/usb-1/a%b", "/mnt/kopio-ä"])
def test_a_mount_is_named_as_systemd_names_it(path: str) -> None:
    said = run(tool("systemd-escape"), "--path", "--suffix=mount", path)
    assert said.stdout.strip() == f"{escaped(Path(path))}.mount"


def test_systemd_takes_the_drop_in(machine: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(machine, root, symlinks=True)
    (root / DROP_IN).write_text(drop_in(tmp_path, "/a b%c/x/record", 'archive = "/srv/days"'))
    said = run(tool("systemd-analyze"), f"--root={root}", "verify", "tablectl.service")
    assert (said.returncode, said.stderr) == (0, "")
