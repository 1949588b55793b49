"""A table's release: the same build as the checkout, without the world, drawing and training."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from controller.commands.terminal.status import EXIT_USAGE
from controller.record.build import LEFT_OUT, ROOT, build, digest

PIN_FACTORIES = "gpiozero_pin_factories"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
         str(ROOT), "-w", str(folder)],
        check=True, capture_output=True,
    )  # fmt: skip
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the release; what it depends on is found where the tests find it."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True)
    packages = folder / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    # Of a folder that a .pth file names, the .pth files are not read: the checkout is not there.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "-q",
         "--no-deps", "--ignore-installed", str(wheel)],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder


def run(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(installed / "bin" / "tablectl"), *words]
    # A shell may say where the checkout is: the environment is to know nothing of it.
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=installed, env=alone, capture_output=True, text=True, check=False
    )


@pytest.mark.long
def test_a_release_is_the_build_of_its_checkout_and_no_more(wheel: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(release)
    assert not (release / "sim_hw").exists()
    assert not any((release / each).exists() for each in LEFT_OUT)
    assert digest(release) == digest(ROOT)
    (entry_points,) = release.glob("*.dist-info/entry_points.txt")
    assert "tablectl = controller.__main__:main" in entry_points.read_text()
    assert PIN_FACTORIES not in entry_points.read_text()


@pytest.mark.long
def test_a_release_runs_where_it_is_installed(installed: Path) -> None:
    version = run(installed, "--version")
    assert (version.returncode, version.stdout) == (0, f"tablectl {build()}\n")
    rules = run(installed, "rules", "blackjack")
    assert rules.returncode == 0
    assert rules.stdout
    demo = run(installed, "demo", "--headless")
    assert demo.returncode == EXIT_USAGE
    assert "make run" in demo.stderr


def test_an_editable_install_has_the_simulated_pins() -> None:
    pins = distribution("tablectl").entry_points.select(group=PIN_FACTORIES)
    found = {each.value for each in pins}
    assert "sim_hw.devices.pin_factory:SimFactory" in found
    assert all(each.startswith("sim_hw.devices.") for each in found), "and no others"
