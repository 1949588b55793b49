"""The whole product reads by camera: rendered cards on a real stream, and no misread."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.evidence import Evidence, evidence_folder
from controller.table.facts import CardDealt
from tests.world.test_demo_day import demo, records_of, rounds_of, undisturbed

pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("reader", ["camera", "both"])
def test_a_day_by_camera_is_dealt_to_the_card_and_every_card_has_its_picture(
    tmp_path: Path, reader: str
) -> None:
    """A card that was not told is a hold, which the dealer settles; a misread would end the day."""
    folder = tmp_path / "demo"
    done = demo(
        "--game", "finnish-27", "--reader", reader, "--rounds", "1", "--seed", "286",
        "--seats", "2", "--dir", str(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert rounds_of(done.stdout) == undisturbed("finnish-27", 286, 2, 1)
    source = {"camera": "camera", "both": "shoe"}[reader]
    dealt = [each.fact for each in records_of(folder) if isinstance(each.fact, CardDealt)]
    read = [each for each in dealt if each.source == source]
    assert len(read) > len(dealt) / 2
    kept = Evidence(evidence_folder(folder / "journal.db"), 1)
    pictures = [kept.get(each.evidence) for each in read]
    kept.close()
    assert all(picture and picture.startswith(b"\xff\xd8") for picture in pictures)


def test_a_blinking_camera_and_a_hand_are_holds_and_no_misread(tmp_path: Path) -> None:
    faults = tmp_path / "faults.toml"
    faults.write_text(
        """
        fault = [
            {round = 1, card = 2, kind = "hand"},
            {round = 1, card = 3, kind = "back"},
            {round = 1, card = 4, kind = "blink", for_s = 1.0},
        ]
        """
    )
    done = demo(
        "--game", "finnish-27", "--reader", "camera", "--rounds", "1", "--seed", "286", "--seats",
        "2", "--faults", str(faults),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert rounds_of(done.stdout) == undisturbed("finnish-27", 286, 2, 1)
    assert " 0 holds" not in done.stdout.splitlines()[-1]
