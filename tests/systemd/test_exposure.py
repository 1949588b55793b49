"""Whatever drivers a table has, in every combination of what they need, its units are closed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from controller.assembly.wiring import load
from controller.commands.drivers import units
from controller.config.problems import ConfigError
from drivers.driver import FAMILIES, NeedRefused, SystemNeeds
from tests.drivers.door.outside_package import CODE, install
from tests.drivers.door.test_door import LAMPS, admission, restart
from tests.support.forms import quick_first
from tests.systemd.staged import EXPOSURE_MAX_TENTHS, HARDENED
from tests.systemd.test_driver_units import ALL_NEEDS, OFF_THE_HEADER

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("/dev/video0", "csi", "http://127.0.0.1:1/x")
#: So many units in one call.
AT_ONCE = 200


#: What drivers from outside the tree may ask for: all that the door allows, a kind at a time.
OTHERS = (
    SystemNeeds(
        device_classes=("char-acme",), device_nodes=("/dev/acme0", "/dev/acme/1"),
        groups=("acme",), modules=("acme",),
    ),
    SystemNeeds(addresses=("192.168.9.7", "192.168.9.128/25", "fd00::7")),
    *(SystemNeeds(address_families=(each,)) for each in sorted(FAMILIES)),
)  # fmt: skip


def distinct(tmp_path: Path) -> tuple[list[SystemNeeds], list[SystemNeeds]]:
    """Every need that a driver of ours can have, once: the table's and the guard's."""
    path = tmp_path / "table.toml"
    table: list[SystemNeeds] = []
    guard: list[SystemNeeds] = []
    for text in (*(ALL_NEEDS.format(source=each) for each in SOURCES), OFF_THE_HEADER):
        path.write_text(text)
        for found, needs in zip((table, guard), units.needed(load(path)), strict=True):
            found += [each for each in needs if each not in found]
    return table, guard


def judged(files: Iterable[Path], threshold: int) -> bool:
    """Whether systemd finds every one of these units exposed to no more than that."""
    tool = shutil.which("systemd-analyze")
    if tool is None and not os.environ.get("CI"):
        pytest.skip("systemd-analyze is not installed: `make setup` installs it")
    assert tool is not None, "systemd-analyze is missing: install the Debian package systemd"
    waiting, good = list(files), True
    while waiting:
        some, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        said = subprocess.run(
            [tool, "security", "--offline=yes", "--no-pager", f"--threshold={threshold}", *some],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert said.stderr == ""
        good = good and said.returncode == 0
    return good


@pytest.mark.parametrize("sizes", quick_first(("pairs", "all"), ("pairs",)))
@pytest.mark.parametrize("name", HARDENED)
def test_every_combination_of_drivers_exposes_the_table_to_little(
    name: str, sizes: str, tmp_path: Path
) -> None:
    """Two needs at a time and all at once in the quick form, every combination in the long one."""
    needs = distinct(tmp_path)[HARDENED.index(name)]
    assert len(needs) > 4
    counts = range(len(needs) + 1) if sizes == "all" else (0, 1, 2, len(needs))
    texts = {
        units.drop_ins(some, some)[f"{units.UNITS}/{name}.d/{units.DROP_IN}"]
        for count in counts
        for some in combinations(needs, count)
    }
    unit = (ROOT / "systemd/units" / name).read_text()
    files = []
    for number, text in enumerate(sorted(texts)):
        files.append(tmp_path / f"combination{number}.service")
        files[-1].write_text(f"{unit}\n{text}")
    assert judged(files, EXPOSURE_MAX_TENTHS)


@pytest.mark.parametrize("name", HARDENED)
def test_drivers_from_outside_the_tree_expose_the_table_to_as_little(
    name: str, long_form: bool, tmp_path: Path
) -> None:
    """Any two of theirs, and all of them, beside nothing of ours and beside all of it.

    In the long form beside any one and any two of ours, too.
    """
    ours = distinct(tmp_path)[HARDENED.index(name)]
    counts = (0, 1, 2, len(ours)) if long_form else (0, len(ours))
    texts = {
        units.drop_ins([*beside, *some], [*beside, *some])[
            f"{units.UNITS}/{name}.d/{units.DROP_IN}"
        ]
        for ours_count in counts
        for beside in combinations(ours, ours_count)
        for count in (1, 2, len(OTHERS))
        for some in combinations(OTHERS, count)
    }
    assert any("AF_CAN" in each for each in texts)
    unit = (ROOT / "systemd/units" / name).read_text()
    files = []
    for number, text in enumerate(sorted(texts)):
        files.append(tmp_path / f"others{number}.service")
        files[-1].write_text(f"{unit}\n{text}")
    assert judged(files, EXPOSURE_MAX_TENTHS)


def test_an_admitted_driver_gets_what_it_needs_and_the_units_stay_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package outside the tree, by its entry point: a node, a group, a rare kind of socket."""
    site = tmp_path / "site"
    install(site)
    monkeypatch.syspath_prepend(site)
    path = tmp_path / "table.toml"
    alone = OFF_THE_HEADER
    for each in ("strip", "i2c_leds", "sacn", "dmx"):
        alone = re.sub(rf"\[{each}\]\n(.+\n)+", "", alone)
    path.write_text(f"{alone}\n{admission()}{LAMPS}")
    made = units.files(load(path))
    restart()
    for name in HARDENED:
        text = made[f"{units.UNITS}/{name}.d/{units.DROP_IN}"]
        assert {"DeviceAllow=/dev/acme0 rw", "RestrictAddressFamilies=AF_CAN"} <= {
            *text.split("\n")
        }
        whole = tmp_path / name
        whole.write_text((ROOT / "systemd/units" / name).read_text() + f"\n{text}")
        assert judged([whole], EXPOSURE_MAX_TENTHS)
    assert "acme" in made[units.MODULES].split()


@pytest.mark.parametrize(
    "wanted",
    [
        {"device_nodes": ("/dev/acme0 rw\nUser=root",)}, {"device_nodes": ("/dev/mem",)},
        {"device_nodes": ("/dev/acme/../sda",)}, {"device_nodes": ("/dev/mmcblk0p2",)},
        {"device_nodes": ("/dev/./mem",)}, {"device_nodes": ("//dev/mem",)},
        {"device_nodes": ("/dev/char/1:1",)}, {"device_nodes": ("/dev/block/8:0",)},
        {"device_nodes": ("/dev/disk",)}, {"device_nodes": ("/dev/sg0",)},
        {"device_nodes": ("acme0",)}, {"device_classes": ("block-sd",)},
        {"device_classes": ("char-sg",)},
        {"device_classes": ("char-*",)}, {"device_classes": ("char-mem",)},
        {"groups": ("acme root",)}, {"groups": ("root",)}, {"groups": ("disk",)},
        {"groups": ("acme\nUser=root",)}, {"address_families": ("AF_PACKET",)},
        {"address_families": ("AF_INET AF_PACKET",)}, {"addresses": ("any",)},
        {"addresses": ("0.0.0.0/0",)}, {"addresses": ("10.0.0.0/8",)}, {"modules": ("a b",)},
    ],
)  # fmt: skip
def test_what_no_driver_may_have_is_refused(wanted: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(NeedRefused, match=next(iter(wanted))):
        SystemNeeds(**wanted)


def test_a_driver_that_asks_for_too_much_is_refused_with_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    install(site, CODE.replace('"/dev/acme0"', '"/dev/acme0 rw\\nUser=root"'))
    monkeypatch.syspath_prepend(site)
    path = tmp_path / "table.toml"
    path.write_text(f"{OFF_THE_HEADER}\n{admission()}{LAMPS}")
    with pytest.raises(ConfigError, match="acme_lamps: its driver asks for too much: device_nodes"):
        load(path)
    restart()


@pytest.mark.parametrize("name", HARDENED)
def test_one_unit_among_many_that_is_open_would_be_found(name: str, tmp_path: Path) -> None:
    unit = (ROOT / "systemd/units" / name).read_text()
    files = [tmp_path / f"unit{number}.service" for number in range(3)]
    for number, each in enumerate(files):
        each.write_text(
            unit
            + (
                "\n[Service]\nUser=root\nNoNewPrivileges=no\nSystemCallFilter=\n"
                "DevicePolicy=auto\nProtectSystem=no\n"
            )
            * (number == 1)
        )
    assert not judged(files, EXPOSURE_MAX_TENTHS)
