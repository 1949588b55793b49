"""Pictures of cards are kept by the hash of their content, with a bound on the disk."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.record import card_images
from controller.record.card_images import Evidence, evidence_folder
from controller.table.views.english import say


def named(jpeg: bytes) -> str:
    return hashlib.sha256(jpeg).hexdigest()


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return evidence_folder(tmp_path / "record")


@pytest.fixture
def evidence(folder: Path) -> Iterator[Evidence]:
    made = Evidence(folder, 1)
    yield made
    made.close()


def test_a_picture_is_there_at_once_and_after_a_restart(evidence: Evidence, folder: Path) -> None:
    jpeg = b"what the camera saw"
    evidence.keep(named(jpeg), jpeg)
    assert evidence.get(named(jpeg)) == jpeg
    evidence.close()
    assert Evidence(folder, 1).get(named(jpeg)) == jpeg


def test_nobody_else_may_look_at_the_files(evidence: Evidence, folder: Path) -> None:
    evidence.keep(named(b"a"), b"a")
    evidence.close()
    (file,) = files(folder)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {stat.S_IMODE(each.stat().st_mode) for each in (folder, file.parent)} == {0o700}


def test_a_file_that_is_not_what_its_name_says_is_not_shown(
    evidence: Evidence, folder: Path
) -> None:
    evidence.keep(named(b"a"), b"a")
    evidence.close()
    files(folder)[0].write_bytes(b"another card")
    assert evidence.get(named(b"a")) is None


@pytest.mark.parametrize("name", ["", "../../token", "A" * 64, named(b"x") + "0"])
def test_no_other_file_can_be_asked_for(evidence: Evidence, folder: Path, name: str) -> None:
    folder.parent.joinpath("token").write_text("secret")
    assert evidence.get(name) is None


def test_the_oldest_go_when_the_room_is_full(folder: Path) -> None:
    evidence = Evidence(folder, 1)
    pictures = [bytes([number]) * 100_000 for number in range(12)]
    for number, jpeg in enumerate(pictures):
        evidence.keep(named(jpeg), jpeg)
        evidence.close()
        for each in files(folder):
            if each.stem == named(jpeg):
                os.utime(each, ns=(number, number))
        evidence = Evidence(folder, 1)
    evidence.close()
    assert sum(each.stat().st_size for each in files(folder)) <= 1_000_000
    assert evidence.get(named(pictures[0])) is None
    assert evidence.get(named(pictures[-1])) == pictures[-1]


def test_a_house_may_keep_none(folder: Path) -> None:
    evidence = Evidence(folder, 0)
    evidence.keep(named(b"a"), b"a")
    evidence.close()
    assert not folder.exists()
    assert evidence.problem() is None


def test_a_disk_that_takes_none_is_reported_and_play_goes_on(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    evidence = Evidence(folder, 1)
    evidence.keep(named(b"a"), b"a")
    evidence.close()
    assert "play goes on without them" in say(evidence.problem())
    assert evidence.get(named(b"a")) is None


def test_whole_frames_lie_beside_their_picture_for_some_hours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_images, "EXPIRE_EVERY_S", 0.0)
    first, second = ("a" * 64, "b" * 64)
    images = Evidence(tmp_path / "pictures", 1, frames_h=1)
    images.keep_frames(first, (b"one", b"two"))
    images.close()
    folder = tmp_path / "pictures" / "frames"
    assert [path.read_bytes() for path in sorted((folder / first).iterdir())] == [b"one", b"two"]
    assert (folder / first / "1.jpg").stat().st_mode & 0o077 == 0
    os.utime(folder / first, (0, 0))
    images = Evidence(tmp_path / "pictures", 1, frames_h=1)
    images.keep_frames(second, (b"three",))
    images.keep_frames("../outside", (b"four",))
    images.close()
    assert images.problem() is None
    assert [each.name for each in folder.iterdir()] == [second]
    none = Evidence(tmp_path / "none", 1)
    none.keep_frames(first, (b"one",))
    none.close()
    assert not (tmp_path / "none").exists()


def old_frames(folder: Path) -> Path:
    """Frames that were written long ago."""
    frames = folder / "frames" / ("a" * 64)
    frames.mkdir(parents=True)
    (frames / "1.jpg").write_bytes(b"a hidden card")
    os.utime(frames, (0, 0))
    return frames


@pytest.mark.parametrize("hours", [0, 1])
def test_frames_go_at_the_start_once_their_time_is_over(folder: Path, hours: int) -> None:
    frames = old_frames(folder)
    Evidence(folder, 1, frames_h=hours).close()
    assert not frames.exists()


@pytest.mark.parametrize("hours", [0, 1])
def test_frames_go_as_further_pictures_are_written(
    folder: Path, hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_images, "EXPIRE_EVERY_S", 0.0)
    evidence = Evidence(folder, 1, frames_h=hours)
    evidence._writer.submit(int).result()  # the look at the start is over
    frames = old_frames(folder)
    evidence.keep(named(b"a"), b"a")
    evidence.close()
    assert not frames.exists()
    assert evidence.problem() is None


def test_frames_that_cannot_be_removed_are_reported(folder: Path) -> None:
    (folder / "frames").mkdir(parents=True)
    (folder / "frames" / "stray").write_bytes(b"no folder of frames")
    evidence = Evidence(folder, 0)
    evidence.close()
    assert "Not a directory" in say(evidence.problem())


def test_nobody_else_may_look_into_the_frames_where_no_pictures_are_kept(folder: Path) -> None:
    evidence = Evidence(folder, 0, frames_h=1)
    evidence.keep_frames("a" * 64, (b"one",))
    evidence.close()
    made = (folder, folder / "frames", folder / "frames" / ("a" * 64))
    assert {stat.S_IMODE(each.stat().st_mode) for each in made} == {0o700}


def test_frames_that_cannot_be_written_are_reported_until_they_can(folder: Path) -> None:
    folder.mkdir()
    (folder / "frames").write_text("a file where the folder should be")
    evidence = Evidence(folder, 1, frames_h=1)
    evidence.keep_frames("a" * 64, (b"one",))
    evidence.keep(named(b"a"), b"a")
    evidence._writer.submit(int).result()  # what waited is written
    assert evidence.get(named(b"a")) == b"a"
    assert "play goes on without them" in say(evidence.problem())
    (folder / "frames").unlink()
    evidence.keep_frames("b" * 64, (b"two",))
    evidence.close()
    assert evidence.problem() is None
