"""The file of people: hashed, closed to others, refused where it cannot be trusted; its command."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.access.staff import NotProven, Staff
from controller.access.token import TokenError, read_token
from controller.table.roles import Role
from tests.access.people import command
from tests.support.people import add_person

pytestmark = pytest.mark.anyio


def break_it(file: Path) -> None:
    file.write_text("[")


async def test_a_file_that_breaks_while_the_table_runs_lets_nobody_in(file: Path) -> None:
    staff = Staff(file)
    break_it(file)
    with pytest.raises(NotProven, match="cannot be read"):
        await staff.prove([("aino", "4711")])


async def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(file: Path) -> None:
    """The one slot in which PINs are judged waited for it, and nobody was let in any more."""
    staff = Staff(file)
    _replace(file, os.mkfifo)
    for _ in range(2):
        with pytest.raises(NotProven, match="no regular file"):
            await staff.prove([("aino", "4711")])


def test_a_pipe_in_the_place_of_the_token_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "token", 0o600)
    with pytest.raises(TokenError, match="no regular file"):
        read_token(tmp_path / "token")


def test_no_pin_is_in_the_file_or_in_a_repr(file: Path) -> None:
    text = file.read_text()
    assert "4711" not in text
    assert "0815" not in text
    assert file.stat().st_mode & 0o077 == 0
    for entry in read_directory(file).entries.values():
        assert entry.pin
        assert entry.pin not in repr(entry)


def test_the_same_pin_is_hashed_with_a_salt_of_its_own(file: Path) -> None:
    add_person(file, "onni", Role.DEALER, "4711")
    assert len({each.pin for each in read_directory(file).entries.values()}) == 3


def _others_may_read(path: Path) -> None:
    path.chmod(0o640)


def _replace(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink()
    make(path)


def _no_floor(path: Path) -> None:
    path.unlink()
    add_person(path, "aino", Role.DEALER, "4711")


def _not_written_by_us(path: Path) -> None:
    path.write_text('[aino]\nrole = "boss"\npin = "4711"\n')


def _unknown_role(path: Path) -> None:
    path.write_text(path.read_text().replace('"floor"', '"boss"'))


def _no_hash(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("pin")]
    path.write_text("\n".join(lines).replace("roles", 'pin = "4711"\nroles'))


@pytest.mark.parametrize(
    ("breaks", "says"),
    [
        (_others_may_read, "chmod 600"),
        (_no_floor, "nobody there is of the floor"),
        (_not_written_by_us, "not as `tablectl person` writes it"),
        (_unknown_role, "not as `tablectl person` writes it"),
        (_no_hash, "not as `tablectl person` writes it"),
        (lambda path: path.unlink(), "tablectl person add"),
        (lambda path: path.write_text("["), "cannot be read"),
        (lambda path: _replace(path, os.mkfifo), "is no regular file"),
        (lambda path: _replace(path, Path.mkdir), "is no regular file"),
        (lambda path: _replace(path, lambda it: it.symlink_to("/dev/zero")), "is no regular file"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused(
    file: Path, breaks: Callable[[Path], None], says: str
) -> None:
    breaks(file)
    with pytest.raises(PeopleError, match=says):
        Staff(file)


def test_the_command_adds_and_lists_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.toml"
    monkeypatch.setattr("sys.stdin", io.StringIO("123456\n"))
    status, said, _ = command(capsys, "add", path, "eino", "--role", "floor")
    assert status == 0
    assert "123456" not in said
    entry = read_directory(path).find("eino")
    assert entry.history[-1].role is Role.FLOOR
    assert path.read_text().startswith("# Written by `tablectl person`")
    assert command(capsys, "list", path)[1].split()[:3] == [entry.id, "eino", "floor"]


def test_the_command_says_what_is_wrong(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert "4 to 64" in command(capsys, "add", file, "onni")[2]
    assert "a name has" in command(capsys, "add", file, "o n n i")[2]
    for action in ("remove", "erase"):
        status, _, err = command(capsys, action, file, "onni")
        assert (status, "nobody called onni" in err) == (2, True)
    assert file.read_bytes() == before
