"""A file, module or identifier that a page cites between backticks is in the tree."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from controller.config.device_sections import DEVICES

ROOT = Path(__file__).parents[2]
#: They cite what was: each release, each decision under the names of its time.
_HISTORY = {"CHANGELOG.md", "DECISIONS.md"}
#: Files that a reader is to write, or that a page takes as an example.
_OF_READERS = {
    "tower_light/__init__.py", "tower_light/bench.py", "tower.toml", "games/my_game.py",
}  # fmt: skip
#: Names of libraries and programs that the code does not spell, and a path of an installation.
_ELSEWHERE = {
    "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "cv2.ml", "imgproc", "malloc_trim",
    "tracemalloc", "sys.setprofile", "current/systemd",
}  # fmt: skip
_FILE = re.compile(r"[\w./-]+\.(?:py|js|mjs|css|html)")
_SLASHED = re.compile(r"(?:\.\./)*[a-z][\w.-]*(?:/[\w.-]+)+/?")
_NAME = re.compile(r"_?[A-Za-z]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
#: A revision of a game; a subject of the bus; a digest; a path that holds what a reader fills in.
_PATTERN = re.compile(
    r"[\w-]+/\d+|tablectl\.[\w.]+|[0-9a-f]{12,}|.*\b[A-Z]{3,}\b.*/.*|.*/.*\b[A-Z]{3,}\b.*|[A-Z]{3,}\.\w+"
)


@cache
def tracked() -> tuple[str, ...]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return tuple(each for each in listed.split("\0") if each and (ROOT / each).is_file())


@cache
def places() -> frozenset[str]:
    """Every end of a tracked path, folders too, with the ending of a module and without."""
    found = set[str]()
    for each in tracked():
        path = PurePosixPath(each)
        for whole in (path, path.with_suffix(""), *path.parents):
            parts = whole.parts
            found.update("/".join(parts[at:]) for at in range(len(parts)))
    return frozenset(found)


@cache
def sources() -> str:
    """The text of all that is no page."""
    return "\n".join(
        (ROOT / each).read_text(encoding="utf-8", errors="ignore")
        for each in tracked()
        if each.endswith(
            (".py", ".js", ".html", ".css", ".toml", ".service", ".rules", ".sh", ".conf", ".yaml")
        )
        or "." not in PurePosixPath(each).name
    )


@cache
def words() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sources()))


@cache
def defined() -> frozenset[str]:
    """Classes, and the sections of the configuration: `Hold.order`, `i2c_buttons.device`."""
    return frozenset(re.findall(r"^class (\w+)", sources(), re.MULTILINE)) | frozenset(DEVICES)


def in_module(module: str, name: str) -> bool:
    """Whether a file or folder of that name has the word."""
    return any(
        re.search(rf"\b{name}\b", (ROOT / each).read_text(encoding="utf-8"))
        for each in tracked()
        if each.endswith(".py") and module in (PurePosixPath(each).stem, *PurePosixPath(each).parts)
    )


def is_there(page: str, cited: str) -> bool:
    """Whether `cited`, between backticks on `page`, is in the tree, or names nothing of it."""
    # Not one set of all three: it would be made anew for each of thousands of names.
    if any(cited in names for names in (_OF_READERS, _ELSEWHERE, places())):
        return True
    if _PATTERN.fullmatch(cited):
        return True
    if _FILE.fullmatch(cited) or _SLASHED.fullmatch(cited):
        path = cited.rstrip("/")
        beside = (ROOT / page).parent
        if path in places() or (beside / path).exists() or (beside / f"{path}.py").exists():
            return True
        # What the program itself writes under that name.
        return "." in path and f'"{path.rpartition("/")[2]}"' in sources()
    if _NAME.fullmatch(cited):
        bare = cited.removesuffix("()")
        *of, last = bare.split(".")
        if not set(bare.split(".")) <= words():
            return False
        if not of or of[-1] in defined() or bare in sources():
            return True
        return in_module(of[-1], last)
    return True


@pytest.mark.parametrize(
    "page", [each for each in tracked() if each.endswith(".md") and each not in _HISTORY]
)
def test_what_a_page_cites_is_in_the_tree(page: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    gone = [each for each in re.findall(r"`([^`\n]+)`", text) if not is_there(page, each)]
    assert gone == [], "moved, renamed or deleted since"


def test_what_is_not_there_is_found() -> None:
    assert is_there("drivers/README.md", "drivers/supervision/supervise.py")
    assert is_there("drivers/README.md", "supervise")
    assert not is_there("drivers/README.md", "drivers/no_such_file.py")
    assert not is_there("drivers/README.md", "shoe/no_such_module")
    assert not is_there("drivers/README.md", "NoSuch" + "Class")
    assert not is_there("drivers/README.md", "supervise.NO_SUCH" + "_LIMIT")
