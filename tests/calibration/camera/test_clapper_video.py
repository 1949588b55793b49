"""The clapper in a video: rendered recordings, found to a frame; and those in which it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import video_frames
from calibration.camera.clapper_code import NoCode, find_code
from calibration.camera.video_frames import NoVideo, of_recording
from controller.__main__ import main
from controller.devices.lights import CLAP_MS, Pattern
from controller.record.codec import encode
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.facts import Record
from tests.commands.test_house_loses import configured
from tests.support.dealt.journals import QuickPit, write_journal
from tests.support.forms import long_only
from tests.support.pit import setup

SIZE = (160, 90)
SPOTS = ((30, 70), (65, 75), (95, 75), (130, 70))


def film(
    path: Path, begins_ms: list[float], *, per_s: float = 25, seconds: float = 8, noise: float = 6,
    lamp: int = 200,
) -> Path:  # fmt: skip
    """A recording of a table on which a hand moves, and whose spots flash from these times on."""
    grain = np.random.default_rng(1).normal(0, noise, (8, SIZE[1], SIZE[0], 3))
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), per_s, SIZE)
    for number in range(round(seconds * per_s)):
        at_ms = number * 1_000 / per_s
        picture = np.full((SIZE[1], SIZE[0], 3), (40, 70, 30), np.float64)
        cv2.circle(picture, (20 + number % 120, 30), 12, (150, 170, 200), -1)
        lit = any(0 <= at_ms - each < CLAP_MS and Pattern.CLAP.lit(int(at_ms - each))
                  for each in begins_ms)  # fmt: skip
        for spot in SPOTS if lit else ():
            cv2.circle(picture, spot, 3, (lamp, lamp, lamp), -1)
        picture += grain[number % len(grain)]
        written.write(np.clip(picture, 0, 255).astype(np.uint8))
    written.release()
    return path


@pytest.mark.parametrize(
    ("begins_ms", "per_s"),
    [(2_310.0, 25.0), long_only(120.0, 50.0), long_only(3_844.0, 30.0), long_only(1_000.0, 12.5)],
)
def test_the_code_is_found_to_a_frame(tmp_path: Path, begins_ms: float, per_s: float) -> None:
    found = find_code(*of_recording(film(tmp_path / "a.avi", [begins_ms], per_s=per_s)))
    assert abs(found.began_ms - begins_ms) <= 1_000 / per_s
    assert found.within_ms == pytest.approx(1_000 / per_s, rel=0.05)
    assert found.likeness > 0.9


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: film(path, []), "the code is not seen"),
        (lambda path: film(path, [100.0, 4_500.0], seconds=9), "more than once"),
        (lambda path: film(path, [0.0], seconds=3), "3.0 s long and the code takes 4 s"),
        (lambda path: film(path, [500.0], per_s=8), "8 pictures a second"),
        long_only(lambda path: film(path, [500.0], lamp=45), "the code is not seen"),
    ],
)
def test_a_video_without_the_code_says_what_to_do(
    tmp_path: Path, make: Callable[[Path], Path], says: str
) -> None:
    with pytest.raises(NoCode, match=says):
        find_code(*of_recording(make(tmp_path / "a.avi")))


def test_pictures_without_times_of_their_own_say_so() -> None:
    times_ms = np.repeat(np.arange(0.0, 9_000.0, 120.0), 3)
    with pytest.raises(NoCode, match="the time of the one before"):
        find_code(times_ms, np.zeros((len(times_ms), 4)))


def test_what_is_no_video_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.avi").write_bytes(b"not a video")
    with pytest.raises(NoVideo, match="shows no picture"):
        of_recording(tmp_path / "a.avi")


class FlashedTable:
    """A table that has flashed the code, and its configuration."""

    def __init__(self, folder: Path, *, clap: bool = True) -> None:
        self.toml = configured(folder, "21-24-27")
        pit = QuickPit(setup(3))
        if clap:
            assert not pit.give(i.Clap()).refused
        write_journal(folder / "record", pit.records)
        self.flashed_ms = pit.records[-1].at_ms
        assert isinstance(pit.records[-1].fact, f.ClapperBegan) is clap
        assert encode(Record(1, 2, 3, "", f.ClapperBegan(CLAP_MS))).startswith(b'["ClapperBegan/')

    def asked(self, *words: str) -> int:
        return main(["calibrate", "video", str(self.toml), *words])


def test_the_command_tells_the_delay_to_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    studio = FlashedTable(tmp_path)
    video = str(film(tmp_path / "a.avi", [2_000.0]))
    began = str(studio.flashed_ms - 160)
    assert studio.asked("--video", video, "--began", began) == 0
    said = capsys.readouterr().out
    delay = int(said.rpartition("delay_ms=")[2])
    assert abs(delay - 1_840) <= 40
    assert f"{delay} ms after the table recorded it (within 40 ms" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "which video?"),
        (("--video", "none.avi"), "--began TIME"),
        (("--video", "none.avi", "--began", "1"), "there is no recording none.avi"),
        (("--video", "none.avi", "--began", "yesterday"), "is no time: write it with its zone"),
        (("--video", "none.avi", "--began", "2026-11-26T17:00:00"), "is no time"),
        (("--video", "VIDEO", "--began", "1000"), "before the table flashed it"),
        (("--video", "http://127.0.0.1:1/a.mjpg"), "shows no picture"),
    ],
)
def test_what_cannot_be_told_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    studio = FlashedTable(tmp_path)
    video = str(film(tmp_path / "a.avi", [2_000.0])) if "VIDEO" in words else ""
    assert studio.asked(*(video if each == "VIDEO" else each for each in words)) != 0
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(("begins_ms", "found"), [(500.0, True), (4_900.0, False)])
def test_of_a_long_recording_it_is_said_how_much_was_looked_at(
    begins_ms: float,
    found: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(video_frames, "LONGEST_S", 6.0)
    studio = FlashedTable(tmp_path)
    recorded = str(film(tmp_path / "a.avi", [begins_ms], seconds=10))
    asked = studio.asked("--video", recorded, "--began", str(studio.flashed_ms - 400))
    assert (asked == 0) is found
    assert ("were looked at" not in capsys.readouterr().err) is found


def test_without_a_flash_on_record_the_command_says_how_to_have_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    studio = FlashedTable(tmp_path, clap=False)
    video = str(film(tmp_path / "a.avi", [2_000.0]))
    assert studio.asked("--video", video, "--began", "2026-11-26T17:00:00Z") != 0
    assert json.dumps({"do": "clap"}) in capsys.readouterr().err
