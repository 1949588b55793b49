"""The whole product reads by camera: rendered cards on a real stream, and no misread."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from controller.record.card_images import Evidence, evidence_folder
from controller.table.facts import BetsClosed, CardDealt, DeviceDown, HoldRaised, RoundEnded
from controller.table.irregularities.holds import Reason
from controller.table.views.english import say
from sim_hw.devices.faults import CameraFault, load_faults
from tests.support.faults.rain import RAIN_CAMERA
from tests.support.forms import quick_first
from tests.support.patience import MOST_NOT_SEEN, NOT_SEEN_IN_TIME
from tests.support.processes.stops import Stops, services
from tests.world.test_demo_day import demo, records_of, rounds_of, undisturbed

RAINY: Final = Path(__file__).parents[2] / "sim_hw" / "rainy_camera.toml"
GAME, SEED = "21-24-27", 11
#: One that is easily misread, one that takes the camera away: the quick form's.
#: What the driver says of each trouble is tests/drivers/shoe/test_camera_troubles.py.
QUICK: Final = (CameraFault.BLINK,)


#: A slow machine sees too few pictures of a card to say more, or the camera down before the card.
TOO_LITTLE: Final = "saw too little of the card"
LOST: Final = "The camera was lost"
#: From what keeps a card from being seen in time to the hold: the other reader is waited for
#: half a second (`[shoe] patience_ms`), and a frame is read.
OF_A_CARD_S: Final = 1.0


class ReadBy(NamedTuple):
    """The device that a card on record comes from, and what is said of a card seen too little."""

    source: str
    unseen: str


READ_BY: Final = {
    "camera": ReadBy("camera", TOO_LITTLE),
    "both": ReadBy("shoe", "Only one of scanner and camera could tell the card. scanner: "),
}


@pytest.mark.long
@pytest.mark.parametrize("reader", ["camera", "both"])
def test_a_day_by_camera_is_dealt_to_the_card_and_every_card_has_its_picture(
    tmp_path: Path, reader: str
) -> None:
    """How many cards are read in time is the machine's affair; what becomes of the others is not.

    Each that is not read is held, for having been seen too little and for nothing else, and is
    entered by the dealer. A misread would end the day.
    """
    folder = tmp_path / "demo"
    with Stops(services).watched() as stops:
        done = demo(
            "--game", "finnish-27", "--reader", reader, "--rounds", "1", "--seed", "286",
            "--seats", "2", "--dir", str(folder),
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert rounds_of(done.stdout) == undisturbed("finnish-27", 286, 2, 1)
    records = records_of(folder)
    dealt = [each.fact for each in records if isinstance(each.fact, CardDealt)]
    holds = [
        (each.fact, each.mono_ns / 1e9) for each in records if isinstance(each.fact, HoldRaised)
    ]
    # When the day is over the world goes first, and a service that notices holds once more.
    assert {hold.reason for hold, _ in holds} <= {
        Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.RECOUNT,
    }  # fmt: skip
    unread = [(say(hold.message), at_s) for hold, at_s in holds if hold.reason is Reason.UNREADABLE]
    # That two cards left while it stood still is what a busy machine may say of one, too: where it
    # was seen to stand in that card's time, and of one card that left and the next one unseen.
    others = [said for said, _ in unread if NOT_SEEN_IN_TIME not in said]
    assert all(READ_BY[reader].unseen in said for said in others), others
    unexplained = [
        at_s
        for said, at_s in unread
        if NOT_SEEN_IN_TIME in said and not stops.between(at_s - OF_A_CARD_S, at_s)
    ]
    assert len(unexplained) <= MOST_NOT_SEEN, (unexplained, stops.seen)
    by = Counter(each.source for each in dealt)
    assert by == +Counter({READ_BY[reader].source: len(dealt) - len(unread), "dealer": len(unread)})
    assert len(unread) < len(dealt), "not one card was read"
    images = Evidence(evidence_folder(folder / "record"), 1)
    # A card of which a busy machine saw no frame has no picture, and is entered by the dealer.
    pictures = [images.get(each.evidence) for each in dealt if each.source != "dealer"]
    images.close()
    assert all(picture and picture.startswith(b"\xff\xd8") for picture in pictures)


class TroubledRound(NamedTuple):
    """A round of a rainy day: what the display said of cards and camera."""

    holds: list[tuple[Reason, str]]
    down: list[str]


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rain")


@pytest.fixture(scope="module")
def kinds(long_form: bool) -> list[CameraFault]:
    """The troubles of the day, one a round; a round without one follows."""
    asked = [CameraFault(each.kind) for each in load_faults(RAINY)]
    return [each for each in asked if long_form or each in QUICK]


@pytest.fixture(scope="module", name="rainy")
def _rainy(folder: Path, kinds: list[CameraFault]) -> list[TroubledRound]:
    asked = tomllib.loads(RAINY.read_text())["fault"]
    faults = [each for each in asked if CameraFault(each["kind"]) in kinds]
    file, rounds = folder.with_suffix(".json"), len(kinds) + 1
    renumbered = [{**each, "round": number} for number, each in enumerate(faults, 1)]
    file.write_text(json.dumps({"fault": renumbered}))
    done = demo(
        "--game", GAME, "--reader", "camera", "--rounds", str(rounds), "--seed", str(SEED),
        "--seats", "1", "--faults", str(file), "--speed", "1000", "--dir", str(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    troubles = [TroubledRound([], []) for _ in rounds_of(done.stdout)]
    assert len(troubles) == rounds
    at = 0
    for fact in (record.fact for record in records_of(folder)):
        if isinstance(fact, BetsClosed):
            at = fact.number
        elif isinstance(fact, RoundEnded):
            at = 0
        elif isinstance(fact, HoldRaised) and at:
            troubles[at - 1].holds.append((fact.reason, say(fact.message)))
        elif isinstance(fact, DeviceDown) and at and fact.device == "camera":
            troubles[at - 1].down.append(say(fact.why))
    return troubles


SAYS: Final = {
    CameraFault.HAND: "more than one card at a time, or fingers over it",
    CameraFault.BLUR: "too dark, too bright or blurred",
    CameraFault.BACK: "a back, or a card without an index that it knows",
    CameraFault.TWO: "more than one card at a time",
    CameraFault.OTHER_INDEX: "index is none of this deck's",
    CameraFault.BLINK: LOST,
    CameraFault.FROZEN: TOO_LITTLE,
    CameraFault.DARK: "too dark, too bright or blurred",
    CameraFault.SMALL: LOST,
}
DOWN: Final = {
    CameraFault.BLINK: "check its cable",
    CameraFault.FROZEN: "stands still: unplug the camera and plug it in again",
    CameraFault.DARK: "black: uncover the lens and switch the light of the shoe on",
    CameraFault.SMALL: "gives 320x240, not 640x480: choose a size that it has",
}


@pytest.mark.parametrize("kind", quick_first(CameraFault, QUICK))
def test_each_trouble_of_a_camera_ends_as_it_should(
    rainy: list[TroubledRound], kinds: list[CameraFault], kind: CameraFault
) -> None:
    """No card is misread, or the witness had ended the day; the display says what the matter is."""
    day = rainy[kinds.index(kind)]
    rain = RAIN_CAMERA[kind]
    said = {rain.reason: (SAYS[kind], TOO_LITTLE), rain.seen_late: (LOST,)}
    assert any(words in text for reason, text in day.holds for words in said.get(reason, ())), (
        day.holds
    )
    assert any(DOWN.get(kind, "nothing") in why for why in day.down) is (kind in DOWN)


def test_whatever_the_camera_told_on_a_rainy_day_has_its_picture(
    rainy: list[TroubledRound], folder: Path
) -> None:
    assert rainy
    facts = (record.fact for record in records_of(folder))
    cards_dealt = [
        each for each in facts if isinstance(each, CardDealt) and each.source == "camera"
    ]
    assert cards_dealt, "not one card was read"
    images = Evidence(evidence_folder(folder / "record"), 1)
    pictures = [images.get(each.evidence) for each in cards_dealt]
    images.close()
    assert all(picture and picture.startswith(b"\xff\xd8") for picture in pictures)


def test_after_the_rain_the_camera_is_there_again(rainy: list[TroubledRound]) -> None:
    """No person had to start anything anew."""
    assert rainy[-1].down == []
    assert {reason for reason, _ in rainy[-1].holds} <= {Reason.UNREADABLE}


def test_every_trouble_of_a_camera_that_can_be_asked_for_rains() -> None:
    assert set(RAIN_CAMERA) == set(CameraFault) == {each.kind for each in load_faults(RAINY)}
