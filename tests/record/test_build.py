"""The name of a build: the same wherever the same sources lie, another for any other source."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller import __version__
from controller.record.build import LEFT_OUT, PACKAGES, ROOT, SUFFIXES, build, digest

#: What lies in the packages and runs no table: texts for people, and pictures in them.
FOR_PEOPLE = (".jpg", ".md", ".png", ".webp", "LICENSE")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Some sources, as a checkout has them."""
    for name in (*PACKAGES, *LEFT_OUT, "controller/web"):
        folder = tmp_path / "one" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text(f'"""{name}"""\n')
    (tmp_path / "one/controller/web/table.js").write_text("export const seats = 7;\n")
    return tmp_path / "one"


def test_the_digest_does_not_depend_on_where_the_sources_lie(tree: Path, tmp_path: Path) -> None:
    other = shutil.copytree(tree, tmp_path / "elsewhere" / "deep")
    assert digest(other) == digest(tree)


@pytest.mark.parametrize(
    "name",
    [
        "controller/__pycache__/config.cpython-311.pyc",
        "controller/.config.py.swp",
        "controller/.hidden.py",
        "controller/README.md",
        "calibration/draw/art.py",
        "calibration/train/fit.py",
        "sim_hw/world.py",
        "tests/test_it.py",
    ],
)
def test_what_does_not_run_a_table_does_not_count(tree: Path, name: str) -> None:
    before = digest(tree)
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text("something\n")
    assert digest(tree) == before


def _change(tree: Path) -> None:
    (tree / "controller/web/table.js").write_text("export const seats = 8;\n")


def _rename(tree: Path) -> None:
    (tree / "controller/web/table.js").rename(tree / "controller/web/tables.js")


def _add(tree: Path) -> None:
    (tree / "drivers/more.py").touch()


def _move_a_byte_into_the_name(tree: Path) -> None:
    (tree / "controller/web/table.js").unlink()
    (tree / "controller/web/table.jse.js").write_text("xport const seats = 7;\n")


@pytest.mark.parametrize("change", [_change, _rename, _add, _move_a_byte_into_the_name])
def test_every_change_of_a_source_is_another_build(
    tree: Path, change: Callable[[Path], None]
) -> None:
    before = digest(tree)
    change(tree)
    assert digest(tree) != before


def test_every_kind_of_file_that_runs_a_table_counts() -> None:
    """Catalogues of words are of them: what a display says is part of the build."""
    shipped = {
        path.suffix or path.name
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file()
        and not any(part.startswith((".", "__pycache__")) for part in path.parts[-3:])
        and not path.relative_to(ROOT).as_posix().startswith(LEFT_OUT)
    }
    assert shipped - set(FOR_PEOPLE) == set(SUFFIXES)


def test_the_command_line_prints_version_and_digest() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller", "--version"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout == f"tablectl {build()}\n"
    assert build() == f"{__version__}+{digest(ROOT)[:8]}"
