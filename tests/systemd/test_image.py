"""The card image's recipe: what changes lies on the data partition, and stays what it became."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from systemd.releases.update.install import OUTSIDE, PROGRAM
from systemd.releases.update.layout import BACKUP_HOME, CONFIG, HOME, UNITS

ROOT = Path(__file__).resolve().parents[2]
LAYER = ROOT / "systemd/image/layer"
SCRIPT = LAYER / "tablectl-data"


def _bound() -> list[str]:
    text = SCRIPT.read_text().replace("\\\n", " ")
    (line,) = [each for each in text.splitlines() if each.startswith("for path in ")]
    return line.removeprefix("for path in ").removesuffix("; do").split()


def test_everything_that_is_written_lies_on_the_data_partition() -> None:
    unit = (ROOT / "systemd/units/tablectl.service").read_text()
    (states,) = [each for each in unit.splitlines() if each.startswith("StateDirectory=")]
    written = {HOME, str(Path(CONFIG).parent), UNITS, BACKUP_HOME, PROGRAM, *OUTSIDE}
    written |= {f"var/lib/{each}" for each in states.partition("=")[2].split()}
    for path in written:
        assert any(f"{path}/".startswith(f"{each}/") for each in _bound()), path


class _Image:
    """An image's root, and `mount` as a script that notes what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        for path in _bound():
            (self.root / path).mkdir(parents=True)
        program = self.root / "opt/tablectl/current/env/bin/tablectl"
        program.parent.mkdir(parents=True)
        program.write_text('#!/bin/sh\necho secret >"$2"\n')
        program.chmod(0o755)
        self.tools = folder / "tools"
        self.tools.mkdir()
        self.mounts = folder / "mounts"
        (self.tools / "mount").write_text(f'#!/bin/sh\necho "$@" >>{self.mounts}\n')
        (self.tools / "sync").write_text("#!/bin/sh\n")
        for each in self.tools.iterdir():
            each.chmod(0o755)

    def start(self) -> None:
        path = f"{self.tools}:{os.environ['PATH']}"
        subprocess.run([SCRIPT, self.root], check=True, env={**os.environ, "PATH": path})

    def data(self, path: str) -> Path:
        return self.root / "persistent/tablectl" / path


def test_the_first_start_copies_what_the_image_delivers_and_later_ones_leave_it(
    tmp_path: Path,
) -> None:
    image = _Image(tmp_path)
    (image.root / "etc/tablectl/table.toml").write_text("delivered\n")
    image.start()
    assert image.data("etc/tablectl/table.toml").read_text() == "delivered\n"
    asked = image.mounts.read_text().splitlines()
    assert asked == [f"--bind {image.data(each)} {image.root / each}" for each in _bound()]
    image.data("etc/tablectl/table.toml").write_text("ours\n")
    (image.root / "etc/tablectl/table.toml").write_text("a newer image's\n")
    image.start()
    assert image.data("etc/tablectl/table.toml").read_text() == "ours\n"


def test_a_copy_that_was_cut_off_is_made_anew(tmp_path: Path) -> None:
    image = _Image(tmp_path)
    (image.root / "opt/tablectl/whole").write_text("")
    part = image.data("opt/tablectl.part")
    part.mkdir(parents=True)
    (part / "half").write_text("")
    image.start()
    assert image.data("opt/tablectl/whole").exists()
    assert not image.data("opt/tablectl/half").exists()
    assert not part.exists()


def test_a_token_that_was_cut_off_is_made_anew_and_a_whole_one_stays(tmp_path: Path) -> None:
    image = _Image(tmp_path)
    token = image.root / "etc/tablectl/api-token"
    token.write_text("")
    image.start()
    assert token.read_text() == "secret\n"
    token.write_text("ours\n")
    image.start()
    assert token.read_text() == "ours\n"


def test_the_recipe_can_be_read_and_names_files_that_are_there() -> None:
    config = yaml.safe_load((ROOT / "systemd/image/config/tablectl.yaml").read_text())
    text = (LAYER / "tablectl-table.yaml").read_text()
    layer = yaml.safe_load(text)
    assert f"# X-Env-Layer-Name: {config['layer']['app']}\n" in text
    for hook in layer["mmdebstrap"]["customize-hooks"]:
        for word in hook.replace('"', " ").split():
            if word.startswith("$SRCROOT/"):
                assert (ROOT / "systemd/image" / word.removeprefix("$SRCROOT/")).is_file(), word


def test_the_image_s_python_has_lgpio_before_the_release_is_installed() -> None:
    """Packages come before hooks. By lgpio the environment sees them: what builds has no pins."""
    made = yaml.safe_load((LAYER / "tablectl-table.yaml").read_text())["mmdebstrap"]
    assert "python3-lgpio" in made["packages"]
    assert any("tablectl-update --install" in each for each in made["customize-hooks"])


def test_no_secret_is_in_the_image() -> None:
    hooks = yaml.safe_load((LAYER / "tablectl-table.yaml").read_text())["mmdebstrap"]
    assert any("etc/tablectl/api-token" in h for h in hooks["customize-hooks"] if "rm -r" in h)


def test_systemd_finds_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None and not os.environ.get("CI"):
        pytest.skip("systemd-analyze is not installed")
    home = tmp_path / "usr/lib/systemd/system"
    shutil.copytree("/usr/lib/systemd/system", home, symlinks=True)
    shutil.copy2(LAYER / "tablectl-data.service", home)
    for program in ("usr/lib/tablectl/tablectl-data", "usr/bin/systemctl"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    said = subprocess.run(
        ["systemd-analyze", f"--root={tmp_path}", "verify", "tablectl-data.service"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (said.returncode, said.stderr) == (0, "")
