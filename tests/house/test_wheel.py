"""A table's release: the same build as the checkout, without the world, drawing and training."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from controller.record.build import LEFT_OUT, ROOT, digest


@pytest.mark.long
def test_a_release_is_the_build_of_its_checkout_and_no_more(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
         str(ROOT), "-w", str(tmp_path)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    release = tmp_path / "release"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(release)
    assert not (release / "sim_hw").exists()
    assert not any((release / each).exists() for each in LEFT_OUT)
    assert digest(release) == digest(ROOT)
