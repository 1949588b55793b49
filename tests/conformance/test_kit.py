"""The conformance kit as a third party uses it: wheels in a new environment, outside the tree."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.assembly.conformance import CONTRACTS
from controller.record.build import ROOT
from drivers.conformance.tablectl_conformance.subject import KitError, load_subject
from drivers.driver import DriverRole
from tests.conformance.workshop import ACME, KIT, LAMPS, SHOE, SPOTS, Workshop, wheel_of
from tests.support.forms import long_only

PACKAGE = "test_its_package_is_installed_whole_and_names_it_at_the_door"
ROLES = """\
from dataclasses import replace
from acme_table.devices import LAMPS, SHOE
from drivers.driver import DriverRole
from acme_table.spots import SPOTS
READER, OUTPUT, SENSOR = SHOE, LAMPS, SPOTS
INPUT, PART = replace(SHOE, role=DriverRole.INPUT), replace(SHOE, role=DriverRole.PART)
DISPLAY = replace(LAMPS, role=DriverRole.DISPLAY)
"""


def beside(
    folder: Path, driver: str, settings: str, *options: str
) -> tuple[int, dict[str, Any], str]:
    """Run the kit beside the tree, as a driver's maker does; exit status, record, output."""
    (folder / "settings.toml").write_text(settings.format(folder=folder))
    (folder / "acme_roles.py").write_text(ROLES)
    record = folder / "record.json"
    path = os.pathsep.join(map(str, (KIT, ACME, ROOT, folder)))
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null",
         "-p", "no:schemathesis", "-p", "tablectl_conformance.plugin",
         "--driver", driver, "--settings", str(folder / "settings.toml"),
         "--record", str(record), *(options or ("--pyargs", "tablectl_conformance"))],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    said = ran.stdout + ran.stderr
    return ran.returncode, json.loads(record.read_text()) if record.exists() else {}, said


@pytest.mark.parametrize(
    ("role", "settings"),
    [("READER", SHOE), long_only("DISPLAY", LAMPS), long_only("SENSOR", SPOTS)],
)
def test_beside_the_tree_every_contract_is_kept_but_that_of_the_package(
    tmp_path: Path, role: str, settings: str
) -> None:
    """As its maker runs it while it is written: what is not installed cannot be admitted."""
    status, written, said = beside(tmp_path, f"acme_roles:{role}", settings)
    assert status == 1, said
    assert not written["good"]
    assert written["role"] == role
    assert outcomes(written).keys() == CONTRACTS[DriverRole[role]]
    broken = [name for name, outcome in outcomes(written).items() if outcome != "kept"]
    assert broken == [PACKAGE], said


def test_the_driver_and_the_hands_of_the_page_keep_every_contract(tmp_path: Path) -> None:
    """What drivers/YOUR_DRIVER.md has a stranger write, but for the wheel."""
    blocks = (ROOT / "drivers" / "YOUR_DRIVER.md").read_text().split("```python\n")[1:]
    (tmp_path / "tower_light").mkdir()
    for name, block in zip(("__init__.py", "bench.py"), blocks, strict=True):
        (tmp_path / "tower_light" / name).write_text(block.partition("```")[0])
    hands = '[settings]\ndevice = "{folder}/tower"\n[hands]\nby = "tower_light.bench:TowerHands"\n'
    status, written, said = beside(tmp_path, "tower_light:TOWER", hands)
    assert status == 1, said
    broken = [name for name, outcome in outcomes(written).items() if outcome != "kept"]
    assert broken == [PACKAGE], said


@pytest.mark.parametrize(
    ("hands", "why"),
    [
        (
            "class H:\n    def __init__(self, settings): ...\n",
            "is made with the settings and a dict",
        ),
        ("class H:\n    def __init__(self, settings, keys): ...\n", "lacks patience_s, act, lay"),
    ],
)
def test_hands_that_cannot_be_used_are_said_before_the_first_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hands: str, why: str
) -> None:
    monkeypatch.syspath_prepend(ACME)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "acme_hands", raising=False)
    (tmp_path / "acme_hands.py").write_text(hands)
    settings = tmp_path / "settings.toml"
    by = SHOE.replace("acme_table.bench:ShoeHands", "acme_hands:H")
    settings.write_text(by.format(folder=tmp_path))
    with pytest.raises(KitError, match=why):
        load_subject("acme_table.devices:SHOE", settings)


@pytest.mark.long
def test_a_node_outside_dev_is_the_word_of_the_settings_alone(tmp_path: Path) -> None:
    """A link in a folder stands for a line at a bench; one that the driver brings is wrong."""
    (tmp_path / "acme_needs.py").write_text(
        "from dataclasses import replace\nfrom acme_table.devices import SHOE\n"
        "from drivers.driver import SystemNeeds\n"
        "OWN = replace(SHOE, needs=lambda _: SystemNeeds(device_nodes=('/tmp/mine',)))\n"
        "SAID = replace(SHOE, needs=lambda each: SystemNeeds(device_nodes=(each.line,)))\n"
    )
    needs = "test_what_it_needs_of_the_unit_is_named"
    options = ("--pyargs", "tablectl_conformance", "-k", needs)
    became = [
        outcomes(beside(tmp_path, f"acme_needs:{name}", SHOE, *options)[1])[needs]
        for name in ("OWN", "SAID")
    ]
    assert became == ["broken", "kept"]


ONE = "test_every_setting_has_a_type"


@pytest.mark.parametrize(
    "options",
    [
        ("--pyargs", "tablectl_conformance", "-k", ONE),
        pytest.param(
            (f"{KIT}/tablectl_conformance/test_driver.py::{ONE}",), marks=pytest.mark.long
        ),
        pytest.param(
            ("--pyargs", "tablectl_conformance", "--deselect", "nothing", "--co"),
            marks=pytest.mark.long,
        ),
    ],
    ids=["-k", "one", "none"],
)
def test_a_run_of_some_contracts_does_not_conform(tmp_path: Path, options: tuple[str, ...]) -> None:
    _, written, said = beside(tmp_path, "acme_roles:READER", SHOE, *options)
    assert not written["good"]
    assert outcomes(written).keys() == CONTRACTS[DriverRole.READER]
    met = [name for name, outcome in outcomes(written).items() if outcome == "kept"]
    assert met == ([] if "--co" in options else [ONE]), said


@pytest.mark.long  # the quick form runs two roles whole, above
@pytest.mark.parametrize("role", DriverRole)
def test_a_table_asks_for_exactly_the_contracts_of_the_kit(
    tmp_path: Path, role: DriverRole
) -> None:
    settings = SPOTS if role is DriverRole.SENSOR else SHOE
    if role in (DriverRole.OUTPUT, DriverRole.DISPLAY):
        settings = LAMPS
    _, _, said = beside(
        tmp_path,
        f"acme_roles:{role.name}",
        settings,
        "--pyargs",
        "tablectl_conformance",
        "--collect-only",
    )
    collected = [line.split("::")[1] for line in said.splitlines() if "::" in line]
    assert sorted(collected) == sorted(CONTRACTS[role])


@pytest.mark.long
def test_an_input_that_tells_cards_breaks_a_contract(tmp_path: Path) -> None:
    _, written, said = beside(tmp_path, "acme_roles:INPUT", SHOE)
    assert outcomes(written)["test_each_thing_is_told_once_and_in_order"] == "broken", said


def outcomes(written: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["outcome"] for each in written["contracts"]}


@pytest.mark.parametrize(
    ("driver", "settings", "at_least"),
    [
        ("acme_table.devices:LAMPS", LAMPS, 25),
        ("acme_table.devices:SHOE", SHOE, 12),
        ("acme_table.spots:SPOTS", SPOTS, 10),
    ],
    ids=["lamps", "shoe", "spots"],
)
@pytest.mark.long
def test_a_driver_from_outside_conforms_and_the_record_names_it(
    workshop: Workshop, driver: str, settings: str, at_least: int
) -> None:
    from drivers.conformance.tablectl_conformance.record import seal_of

    status, written, said = workshop.examine(driver, settings)
    assert status == 0, said
    assert written["good"]
    assert len(written["contracts"]) >= at_least
    assert set(outcomes(written).values()) == {"kept"}
    assert (written["package"], written["package_version"]) == ("acme-table", "1.4.0")
    assert written["digest"].startswith("sha256:")
    assert written["seal"] == seal_of(written)
    assert "conforms: " in said


@pytest.mark.parametrize(
    ("old", "new", "driver", "settings", "broken"),
    [
        (
            '            self._say("-")\n            os.close', "            os.close",
            "LAMPS", LAMPS, "test_it_is_dark_when_closed_and_shows_the_scene_again_when_opened",
        ),
        (
            'Reading(self.name, Sealed(code.kind, code.serial), apart=True)',
            'Reading(f"{self.name} {code.kind}", Sealed(code.kind, code.serial), apart=True)',
            "SHOE", SHOE, "test_a_card_is_told_sealed_and_printing_it_tells_nothing",
        ),
        (
            "        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)", "        pass",
            "SHOE", SHOE, "test_a_second_program_is_refused_and_the_first_goes_on",
        ),
    ],
    ids=["lit when closed", "a card in the source", "no lock"],
)  # fmt: skip
@pytest.mark.long
def test_a_driver_that_breaks_a_contract_does_not_conform(
    workshop: Workshop, tmp_path: Path, old: str, new: str, driver: str, settings: str, broken: str
) -> None:
    source = tmp_path / "acme"
    shutil.copytree(workshop.acme, source)
    code = source / "acme_table" / "devices.py"
    assert old in code.read_text()
    code.write_text(code.read_text().replace(old, new))
    workshop.install(wheel_of(source, tmp_path / "wheel"))
    status, written, said = workshop.examine(f"acme_table.devices:{driver}", settings)
    assert status == 1, said
    assert not written["good"]
    assert outcomes(written)[broken] == "broken", said
    workshop.install(next((workshop.folder / "acme-wheel").glob("*.whl")))


@pytest.mark.long
def test_what_makes_no_sense_is_said(workshop: Workshop) -> None:
    for driver, settings, why in (
        ("acme_table.devices:AcmeLamps", LAMPS, "is no drivers.driver.Driver"),
        ("acme_table.nothing:X", LAMPS, "cannot be loaded"),
        ("acme_table.devices:LAMPS", LAMPS.replace("spots", "sports"), "sports is no key of"),
        ("acme_table.devices:LAMPS", LAMPS.replace("= 3", "= 3\ngain = 12"), "choose 1 to 9"),
    ):
        status, written, said = workshop.examine(driver, settings)
        assert status == pytest.ExitCode.USAGE_ERROR
        assert not written
        assert why in said
