"""The locks hold what pyproject.toml asks for, every file with its hash and no address."""

import re
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_PINNED = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", re.MULTILINE)
_NAME = re.compile(r"^[A-Za-z0-9._-]+")


def _lock(name: str) -> dict[str, str]:
    return dict(_PINNED.findall((_ROOT / name).read_text(encoding="utf-8")))


def _names(requirements: list[str]) -> set[str]:
    found = [_NAME.match(text) for text in requirements]
    return {match[0].lower().replace("_", "-") for match in found if match}


def _asked() -> tuple[set[str], set[str]]:
    """What running needs, and what the tools need beyond that."""
    with (_ROOT / "pyproject.toml").open("rb") as file:
        data = tomllib.load(file)
    project, groups = data["project"], data["dependency-groups"]
    extras = project["optional-dependencies"]
    run = [
        *project["dependencies"], *extras["camera"], *extras["pictures"], *extras["demo"],
        *groups["build"],
    ]  # fmt: skip
    return _names(run), _names([*groups["test"], *groups["check"]])


def test_everything_asked_for_is_locked() -> None:
    run, tools = _asked()
    assert run <= _lock("requirements.lock").keys(), "run `make lock`"
    assert run | tools <= _lock("requirements-dev.lock").keys(), "run `make lock`"


def test_a_table_without_a_camera_has_the_same_less_the_cameras_libraries() -> None:
    with (_ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    table, run = _lock("requirements-table.lock"), _lock("requirements.lock")
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["pictures"]]
    assert _names(needed) <= table.keys(), "run `make lock`"
    assert table.items() <= run.items(), "run `make lock`: the two locks differ"
    assert not _names(extras["camera"]) & table.keys()


def test_the_table_runs_with_what_was_tested() -> None:
    run = _lock("requirements.lock")
    tested = _lock("requirements-dev.lock")
    assert run.items() <= tested.items(), "run `make lock`: the two locks differ"


@pytest.mark.parametrize(
    "name", ["requirements.lock", "requirements-table.lock", "requirements-dev.lock"]
)
def test_every_file_has_a_hash_and_no_address(name: str) -> None:
    text = (_ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in entry, entry.splitlines()[0]
