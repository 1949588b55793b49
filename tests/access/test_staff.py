"""People and PINs: hashed, held against wrong tries, in a file that others may not read."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.access.staff import (
    LOCKED_S,
    TRIES,
    NotProven,
    People,
    PeopleError,
    add_person,
    read_people,
)
from controller.table.roles import Person, Role

pytestmark = pytest.mark.anyio


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.toml"
    add_person(path, "aino", Role.DEALER, "4711")
    add_person(path, "eino", Role.FLOOR, "badge-0815")
    return path


async def test_a_name_and_its_pin_prove_a_person(file: Path) -> None:
    people = read_people(file)
    proven = await people.prove([("aino", "4711"), ("eino", "badge-0815")])
    assert proven == (Person("aino", Role.DEALER), Person("eino", Role.FLOOR))
    for name, pin in (("aino", "4712"), ("eino", "4711"), ("nobody", "4711"), ("aino", "")):
        with pytest.raises(NotProven, match="do not fit"):
            await people.prove([(name, pin)])


@pytest.mark.parametrize("name", ["aino", "nobody"])
async def test_wrong_tries_lock_a_name_for_a_while_and_no_other(file: Path, name: str) -> None:
    now = [0.0]
    people = People(read_people(file).kept, now_s=lambda: now[0])
    for _ in range(TRIES):
        with pytest.raises(NotProven, match="do not fit"):
            await people.prove([(name, "0000")])
    with pytest.raises(NotProven, match="wait a minute"):
        await people.prove([(name, "4711")])
    assert await people.prove([("eino", "badge-0815")])
    now[0] = LOCKED_S
    if name == "aino":
        assert await people.prove([(name, "4711")])


def test_no_pin_is_in_the_file_or_in_a_repr(file: Path) -> None:
    text = file.read_text()
    assert "4711" not in text
    assert "0815" not in text
    assert file.stat().st_mode & 0o077 == 0
    assert "pin" not in repr(read_people(file))


def test_the_same_pin_is_hashed_with_a_salt_of_its_own(file: Path) -> None:
    add_person(file, "onni", Role.DEALER, "4711")
    kept = {each for _, each in read_people(file).kept.values()}
    assert len(kept) == 3


def _others_may_read(path: Path) -> None:
    path.chmod(0o640)


def _no_floor(path: Path) -> None:
    path.unlink()
    add_person(path, "aino", Role.DEALER, "4711")


def _not_written_by_us(path: Path) -> None:
    path.write_text('[aino]\nrole = "boss"\npin = "4711"\n')


@pytest.mark.parametrize(
    ("breaks", "says"),
    [
        (_others_may_read, "chmod 600"),
        (_no_floor, "nobody there is of the floor"),
        (_not_written_by_us, "needs role"),
        (lambda path: path.unlink(), "tablectl person"),
        (lambda path: path.write_text("["), "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused(
    file: Path, breaks: Callable[[Path], None], says: str
) -> None:
    breaks(file)
    with pytest.raises(PeopleError, match=says):
        read_people(file)


def test_the_command_adds_somebody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.toml"
    monkeypatch.setattr("sys.stdin", io.StringIO("123456\n"))
    assert main(["person", str(path), "eino", "--role", "floor"]) == 0
    assert "123456" not in capsys.readouterr().out
    assert read_people(path).kept["eino"][0] is Role.FLOOR
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert main(["person", str(path), "aino"]) == 2
    assert "4 to 64" in capsys.readouterr().err
