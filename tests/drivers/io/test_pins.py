"""The pin factory is chosen, never fallen back to."""

import asyncio
import sys
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from drivers.io import pins as pins_module
from drivers.io.pin_edges import InputPin
from drivers.io.pins import VARIABLE, PinFactoryError, pin_errors, pin_factory
from systemd.releases.update.manifest import INSTALLED
from tests.drivers.outside import pin


@pytest.fixture(autouse=True)
def no_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv(VARIABLE, raising=False)


def test_unset_is_refused_and_says_what_to_set() -> None:
    with pytest.raises(PinFactoryError, match=f"set {VARIABLE}=lgpio"):
        pin_factory(allow_simulated=True)


@pytest.mark.parametrize("name", ["mock", "tablectl_sim", "tablectl_gpio_sim", "nonsense", "LGPIO"])
def test_pins_that_are_not_real_are_refused_at_a_real_table(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    with pytest.raises(PinFactoryError, match="gives no real pins: set"):
        pin_factory(allow_simulated=False)
    assert gpiozero.Device.pin_factory is None


def test_simulated_pins_are_given_where_they_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "mock")
    factory = pin_factory(allow_simulated=True)
    assert isinstance(factory, MockFactory)
    factory.reset()


def test_a_factory_that_nobody_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nonsense")
    with pytest.raises(PinFactoryError, match="nonsense cannot be used"):
        pin_factory(allow_simulated=True)


@pytest.mark.parametrize(
    ("stub", "open_", "why", "steps"),
    [
        (None, True, "missing", ["apt"]),
        (None, False, "missing", ["apt", "venv --system-site-packages"]),
        (ModuleType("lgpio"), True, "the empty one", ["apt", "pip uninstall --yes lgpio"]),
        (ModuleType("lgpio"), False, "the empty one", ["apt", "pip uninstall", "venv --system"]),
    ],
)
def test_without_lgpio_the_message_is_the_commands_that_bring_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stub: ModuleType | None, open_: bool,
    why: str, steps: list[str],
) -> None:  # fmt: skip
    monkeypatch.setenv(VARIABLE, "lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", stub)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = {str(open_).lower()}\n"
    )
    with pytest.raises(PinFactoryError, match=f"^the lgpio module is {why}") as refused:
        pin_factory(allow_simulated=False)
    commands = refused.value.mend.split(" && ")
    assert len(commands) == len(steps)
    assert all(step in said for step, said in zip(steps, commands, strict=True))
    assert commands[0] == "sudo apt install python3-lgpio"


@pytest.mark.parametrize(
    ("stub", "open_", "again"),
    [(None, True, False), (None, False, True), (ModuleType("lgpio"), True, True)],
)
def test_an_installed_release_is_not_changed_by_hand_but_installed_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stub: ModuleType | None, open_: bool,
    again: bool,
) -> None:  # fmt: skip
    """A file that is not as it was signed stops the next round."""
    monkeypatch.setenv(VARIABLE, "lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", stub)
    (tmp_path / "release/env").mkdir(parents=True)
    (tmp_path / "release" / INSTALLED).write_text("{}")
    (tmp_path / "current").symlink_to("release")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "current/env"))
    (tmp_path / "release/env/pyvenv.cfg").write_text(
        f"include-system-site-packages = {str(open_).lower()}\n"
    )
    with pytest.raises(PinFactoryError) as refused:
        pin_factory(allow_simulated=False)
    wanted = ["sudo apt install python3-lgpio"]
    if again:
        wanted.append("sudo tablectl-update --install FILE   # of the release that runs")
    assert refused.value.mend.split(" && ") == wanted


def test_the_machine_s_own_python_sees_its_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, "lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(PinFactoryError) as refused:
        pin_factory(allow_simulated=False)
    assert refused.value.mend == "sudo apt install python3-lgpio"


class GpioBusy(Exception):
    """What lgpio raises; it is of no class that we could know without it."""


def lgpio_stub() -> ModuleType:
    stub = ModuleType("lgpio")
    stub.error = GpioBusy  # type: ignore[attr-defined]
    return stub


@pytest.mark.parametrize("up_s", [5.0, 600.0])
def test_pins_that_udev_gives_away_as_the_machine_starts_are_waited_for(
    monkeypatch: pytest.MonkeyPatch, up_s: float
) -> None:
    """Later it is refused at once: a service that ends for its pins is not started again."""
    stub = lgpio_stub()
    stub.gpiochip_open = int  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", stub)
    monkeypatch.setenv(VARIABLE, "lgpio")
    monkeypatch.setattr(pins_module, "up_s", lambda: up_s)
    monkeypatch.setattr(pins_module, "_AGAIN_S", 0.0)
    closed = [GpioBusy("can not open gpiochip"), GpioBusy("can not open gpiochip")]

    def open_them() -> None:
        if closed:
            raise closed.pop()
        gpiozero.Device.pin_factory = MockFactory()

    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", open_them)
    if up_s > pins_module.BOOT_S:
        with pytest.raises(PinFactoryError, match="may open /dev/gpiochip0"):
            pin_factory(allow_simulated=False)
    else:
        assert isinstance(pin_factory(allow_simulated=False), MockFactory)


@pytest.mark.parametrize("error", [GPIOZeroError("no"), OSError("no"), GpioBusy("'GPIO busy'")])
def test_whatever_pins_raise_is_a_device_error_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", lgpio_stub())
    with pytest.raises(DeviceError, match="the pins of the leds failed: ") as caught:  # noqa: SIM117
        with pin_errors("leds"):
            raise error
    assert str(error) in str(caught.value)
    assert "Check the wiring" in str(caught.value)


def test_an_error_of_ours_is_not_a_device_error() -> None:
    with pytest.raises(ZeroDivisionError), pin_errors("leds"):
        raise ZeroDivisionError


def test_an_edge_after_the_loop_has_ended_is_nothing(pins: MockFactory) -> None:
    watched = InputPin(5, pins, "beam", active_low=True)
    levels: list[bool] = []

    async def watch() -> None:
        watched.open(lambda active, _: levels.append(active))

    asyncio.run(watch())
    pin(pins, 5).drive_low()
    assert levels == []
    watched.close()
    watched.close()


@pytest.mark.anyio
async def test_an_edge_that_was_on_its_way_when_the_pin_was_closed_is_nothing(
    pins: MockFactory,
) -> None:
    watched = InputPin(5, pins, "beam", active_low=True)
    levels: list[bool] = []
    watched.open(lambda active, _: levels.append(active))
    pin(pins, 5).drive_low()
    watched.close()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert levels == []
