"""What a table can be built of, device by device: nothing is missing, and the page says it."""

from __future__ import annotations

import ast
import dataclasses
from typing import get_args, get_type_hints

import pytest

from drivers.door import BUILT_IN
from drivers.settings.i2c import I2cLedSettings
from drivers.settings.scanner import Protocol
from tests.contracts.conftest import INPUTS, OUTPUTS, SENSORS
from tests.drivers.matrix import BEGINS, ENDS, PAGE, ROOT, MatrixRow, rows, table


@pytest.fixture(scope="module")
def devices() -> tuple[MatrixRow, ...]:
    return rows()


@pytest.fixture(scope="module")
def text() -> str:
    return table()


def test_the_page_has_what_the_code_has(text: str) -> None:
    held = PAGE.read_text().partition(BEGINS)[2].partition(ENDS)[0]
    assert held == text, "write it anew: python -m tests.drivers.matrix"


def test_every_section_protocol_and_chip_is_a_device_of_it(text: str) -> None:
    assert [each for each in BUILT_IN if f"`[{each}]`" not in text] == []
    protocols = set(get_args(Protocol)) - {"plain"}
    chips = get_args(get_type_hints(I2cLedSettings)["chip"])
    assert [each for each in (*protocols, *chips) if f'= "{each}"`' not in text] == []


def test_every_contract_is_of_one_device_and_every_device_is_under_one(
    devices: tuple[MatrixRow, ...],
) -> None:
    assert sorted(each.kind.contract for each in devices) == sorted((*INPUTS, *OUTPUTS, *SENSORS))


def test_every_device_has_typed_settings_a_check_of_the_doctor_and_a_rig(
    devices: tuple[MatrixRow, ...],
) -> None:
    for each in devices:
        assert dataclasses.is_dataclass(each.driver.settings)
        assert each.checks, f"the doctor says nothing of {each.kind.words}"
        assert each.by_rig, f"no rig has hands for {each.kind.words}"


def test_every_fake_says_where_it_is_from_and_what_nobody_has_confirmed(
    devices: tuple[MatrixRow, ...],
) -> None:
    for each in {each.kind.fake for each in devices}:
        says = ast.get_docstring(ast.parse((ROOT / each).read_text())) or ""
        assert "Source" in says, f"{each}: name the manual"
        assert "nconfirmed" in says, f"{each}: say what only the real thing can prove"


def test_every_page_says_of_its_devices_what_is_proved_and_what_only_a_real_one_can(
    devices: tuple[MatrixRow, ...],
) -> None:
    for each in devices:
        page = (ROOT / "drivers" / each.kind.page / "README.md").read_text()
        proved = page.partition("proved")[2]
        assert "nconfirmed" in proved, page
        protocol = each.kind.chosen.partition('protocol = "')[2].partition('"')[0]
        named = f"`{protocol}`" if protocol else f"`[{each.driver.section}]`"
        assert named in page, f"{each.kind.page}: {named}"
