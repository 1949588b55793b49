"""Every calibration of few words, broken off at every question, gone on with, and undone there."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
from gpiozero.pins.mock import MockFactory

from calibration import answers
from calibration.answers import UNDO, KeptAnswers
from calibration.devices import leds
from calibration.devices.beam import calibrate_beam
from calibration.devices.buttons import calibrate_buttons
from calibration.devices.codes import calibrate_codes
from calibration.devices.contacts import ContactEdge
from calibration.devices.leds import Lamps, calibrate_leds
from calibration.devices.scans import Scan
from calibration.guide import Abandoned, Choice, DeckCard, Guide, NotGoodEnough, Step
from calibration.measure import Measurement
from controller.commands.calibrate import command
from controller.commands.calibrate.found import DRAFT, FOLDER, Found
from controller.devices.inputs import Doubt
from controller.rules.cards import Pack
from tests.calibration.few import kinds
from tests.support.forms import is_long_form

pytestmark = pytest.mark.anyio

T = TypeVar("T")
KINDS = ("leds", "buttons", "beam", "codes")
PINS = (6, 7, 8, 9, 10, 11)
MS = 1_000_000


class MovedDevices:
    """Contacts and a scanner in one, as far as the scripts use them; a person moves them."""

    def __init__(self) -> None:
        self.levels = dict.fromkeys((2, 3, 4, 5), False)
        self.edges: list[ContactEdge] = []
        self.scans: list[Scan] = []
        self.listens = False

    @contextmanager
    def watched(self) -> Iterator[MovedDevices]:
        yield self

    @asynccontextmanager
    async def listening(self) -> Any:
        self.listens = True
        yield self

    def level(self, pin: int) -> bool:
        return self.levels[pin]

    def forget(self) -> None:
        self.edges, self.scans = [], []

    async def take(self, until_ns: int | None = None) -> Any:
        if self.listens:
            return self.scans.pop(0)
        return self.edges.pop(0) if self.edges else None

    def waiting(self) -> list[Scan]:
        found = [] if self.edges else self.scans
        return list(found)


class AnsweringPerson:
    """Answers every question by its text, and does what is asked for.

    At the question `leaves` they give up; at `undoes` they take their last answer back, once.
    `wrong` has other answers, by a part of the question, each given once.
    """

    def __init__(
        self,
        devices: MovedDevices,
        leaves: int = -1,
        undoes: int = -1,
        wrong: dict[str, str] | None = None,
    ) -> None:
        self.devices, self.leaves, self.undoes = devices, leaves, undoes
        self.wrong = dict(wrong or {})
        self.asked: list[str] = []
        self.shown: list[str] = []

    def tell(self, text: str) -> None:
        self.shown.append(text)

    def measured(self, measurement: Measurement) -> None:
        self.shown.append(measurement.name)

    def step(self, step: Step) -> None:
        pass

    def hint(self, text: str) -> None:
        pass

    def deck(self, cards: Sequence[DeckCard]) -> None:
        pass

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        keys = [each.key for each in choices]
        if self._here(text, undo=UNDO.key in keys):
            return UNDO.key
        if text.startswith("Push a card half out"):
            self.devices.levels[5] = True
        elif text.startswith("Take the card away"):
            self.devices.levels[5] = False
        part = next((each for each in self.wrong if each in text), None)
        key = self.wrong.pop(part) if part is not None else _answer(text)
        assert key in keys, (text, keys)
        return key

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        return cast(T, await self.watch_or_choose(text, work, ()))

    async def watch_or_choose(
        self, text: str, work: Awaitable[T], choices: Sequence[Choice]
    ) -> T | Choice:
        try:
            if self._here(text, undo=UNDO in choices):
                return UNDO
            self._act(text)
            return await work
        finally:
            work.close()  # type: ignore[attr-defined]

    def _here(self, text: str, *, undo: bool) -> bool:
        """Note the question; whether it is answered by undo. Raises `Abandoned`."""
        at = len(self.asked)
        self.asked.append(text)
        if at == self.leaves:
            raise Abandoned
        return at == self.undoes and undo

    def _act(self, text: str) -> None:
        devices = self.devices
        if found := re.match(r"Press (\w+) and let go \((\d)", text):
            pin = {"NEXT": 2, "STAND": 3, "CALL": 4}[found[1]]
            at = int(found[2]) * 1_000 * MS
            devices.edges = [ContactEdge(pin, True, at), ContactEdge(pin, False, at + 200 * MS)]
        elif text.startswith("Draw 10 cards"):
            gone = [nth * 500 * MS for nth in range(1, 11)]
            edges = [edge for at in gone for edge in
                     (ContactEdge(5, True, at - 100 * MS), ContactEdge(5, False, at))]  # fmt: skip
            devices.edges, devices.scans = edges, [Scan("X", at + 7 * MS) for at in gone]
        elif found := re.match(r"(\d+) of \d+: scan ", text):
            devices.scans = [Scan(f"X{found[1]:0>3}", 1)]


def _answer(text: str) -> str:
    if "pins are low" in text:
        return "d"
    if found := re.match(r"GPIO (\d+) is lit", text):
        at = PINS.index(int(found[1]))
        return f"{at // 3 + 1}{'rgb'[at % 3]}"
    if found := re.match(r"Is there a (\w+) button", text):
        return "y" if found[1] in ("NEXT", "STAND", "CALL") else "n"
    if "Go on with it?" in text:
        return "g"
    return "y" if text.endswith("?") else ""


Script = Callable[[Guide, MovedDevices], Awaitable[Any]]


async def _script(kind: str, guide: Guide, devices: Any) -> Any:
    if kind == "leds":
        return await calibrate_leds(guide, Lamps(PINS, MockFactory()), PINS, 2)
    if kind == "buttons":
        return await calibrate_buttons(guide, (2, 3, 4), devices)
    if kind == "beam":
        return await calibrate_beam(guide, (5,), devices, devices)
    return await calibrate_codes(guide, devices, Pack(decks=1))


class CommandCalibration:
    """The command's own course, on devices that are simulated here."""

    def __init__(self, kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kind, self.path, self.devices = kind, folder / f".{kind}.answers", MovedDevices()
        monkeypatch.setattr(Pack, "kinds", kinds)

        async def measure(guide: Guide, *_: object) -> Found:
            found, measured = await _script(kind, guide, self.devices)
            settings = found.as_toml() if kind == "codes" else found
            return Found(settings, measured)

        monkeypatch.setattr(command, "measure", measure)
        # Whether it is durable is for its own test: here it is written hundreds of times.
        monkeypatch.setattr(answers, "write_durable", Path.write_bytes)

    def answers_file(self) -> KeptAnswers:
        return KeptAnswers.load(self.path, self.kind)

    async def run(self, person: AnsweringPerson) -> Found:
        arguments = argparse.Namespace(kind=self.kind, config=Path("table.toml"))
        return await command._agreed(person, self.answers_file(), arguments, None)  # type: ignore[arg-type]


@pytest.fixture(params=KINDS)
def calibration(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CommandCalibration:
    return CommandCalibration(request.param, tmp_path, monkeypatch)


def places(questions: int) -> list[int]:
    """Every question in the long form; the first, the last and some between in the quick one."""
    return [*range(0, questions, 1 if is_long_form() else 6), questions - 1]


async def test_broken_off_at_every_question_it_goes_on_there(
    calibration: CommandCalibration,
) -> None:
    whole = AnsweringPerson(calibration.devices)
    expected = await calibration.run(whole)
    assert len(whole.asked) > 5
    calibration.answers_file().discard()
    for leaves in places(len(whole.asked)):
        calibration.devices.levels[5] = False
        with pytest.raises(Abandoned):
            await calibration.run(AnsweringPerson(calibration.devices, leaves))
        second = AnsweringPerson(calibration.devices)
        assert await calibration.run(second) == expected
        begins = ["Go on with it?"] if leaves else []
        asked = [each if "Go on" not in each else "Go on with it?" for each in second.asked]
        assert asked == begins + whole.asked[leaves:], f"left at {whole.asked[leaves]}"
        calibration.answers_file().discard()


async def test_at_every_question_the_last_answer_is_taken_back(
    calibration: CommandCalibration,
) -> None:
    whole = AnsweringPerson(calibration.devices)
    expected = await calibration.run(whole)
    for at in places(len(whole.asked))[1:]:
        calibration.answers_file().discard()
        calibration.devices.levels[5] = False
        person = AnsweringPerson(calibration.devices, undoes=at)
        assert await calibration.run(person) == expected
        again = [*whole.asked[: at + 1], *whole.asked[at - 1 :]]
        assert person.asked == again, f"undone at {whole.asked[at]}"


async def test_a_wrong_lamp_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calibration = CommandCalibration("leds", tmp_path, monkeypatch)
    right = await calibration.run(AnsweringPerson(calibration.devices))
    calibration.answers_file().discard()
    assert (
        await calibration.run(
            AnsweringPerson(calibration.devices, undoes=3, wrong={"GPIO 7 is lit": "2b"})
        )
        == right
    )


async def test_what_was_not_good_enough_costs_its_last_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = CommandCalibration("leds", tmp_path, monkeypatch)
    person = AnsweringPerson(calibration.devices, wrong={"GPIO 8 is lit": "1r"})
    with pytest.raises(NotGoodEnough, match="both light spot 1 red"):
        await calibration.run(person)
    answers = calibration.answers_file()
    answers.take_back()
    assert [each.question for each in calibration.answers_file().answers][-1].startswith("GPIO 7")
    second = AnsweringPerson(calibration.devices)
    await calibration.run(second)
    assert second.asked[1].startswith("GPIO 8 is lit")


async def until_good(
    calibration: CommandCalibration, first: AnsweringPerson
) -> tuple[list[str], AnsweringPerson]:
    """Why the first calibration was refused, and whoever went on with it, to its end."""
    with pytest.raises(NotGoodEnough) as refused:
        await calibration.run(first)
    calibration.answers_file().take_back(refused.value.since)
    second = AnsweringPerson(calibration.devices)
    await calibration.run(second)
    return str(refused.value).splitlines(), second


@pytest.mark.parametrize(
    ("question", "wrong", "refused"),
    [
        ("GPIO 7 is lit", "n", "no pin lights spot 1 green"),
        ("Spot 1 is white", "n", "Spot 1 on GPIO 6, 7, 8: 0 seen alone"),
    ],
)
async def test_a_lamp_that_was_mended_is_asked_about_again(
    question: str, wrong: str, refused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the last one alone: its answer says nothing of the lamp that was dark."""
    calibration = CommandCalibration("leds", tmp_path, monkeypatch)
    person = AnsweringPerson(calibration.devices, wrong={question: wrong})
    why, second = await until_good(calibration, person)
    assert why[0].startswith(refused)
    assert second.asked[1].startswith(question)


class OtherContact(AnsweringPerson):
    """The second press of STAND is of a contact that does what `edges` says."""

    def __init__(self, devices: MovedDevices, *edges: ContactEdge) -> None:
        super().__init__(devices)
        self.edges = list(edges)

    def _act(self, text: str) -> None:
        super()._act(text)
        if text.startswith("Press STAND and let go (2"):
            self.devices.edges = self.edges


BOUNCES = [(0, True), (25, False), (50, True), (200, False)]


@pytest.mark.parametrize(
    ("edges", "refused"),
    [
        ([ContactEdge(3, on, 2_000 * MS + at * MS) for at, on in BOUNCES], "Stand button on GPIO"),
        ([ContactEdge(4, True, 0), ContactEdge(4, False, 99 * MS)], "GPIO 3 and GPIO 4 moved"),
    ],
)
async def test_a_press_that_was_not_good_is_the_one_that_is_done_again(
    edges: list[ContactEdge], refused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = CommandCalibration("buttons", tmp_path, monkeypatch)
    why, second = await until_good(calibration, OtherContact(calibration.devices, *edges))
    assert why[0].startswith(refused)
    assert second.asked[1].startswith("Press STAND and let go (2 of 5)")


async def test_a_button_that_is_another_one_is_noticed_at_its_first_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PressesNext(AnsweringPerson):
        def _act(self, text: str) -> None:
            super()._act(text.replace("STAND", "NEXT"))

    calibration = CommandCalibration("buttons", tmp_path, monkeypatch)
    why, second = await until_good(calibration, PressesNext(calibration.devices))
    assert why == ["GPIO 2 is next already: every button needs a pin of its own"]
    assert second.asked[1].startswith("Press STAND and let go (1 of 5)")


async def test_a_lamp_that_is_shown_again_is_dark_for_long_enough_to_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = CommandCalibration("leds", tmp_path, monkeypatch)
    shown: list[frozenset[int] | float] = []

    async def sleep(seconds: float) -> None:
        shown.append(seconds)

    monkeypatch.setattr("asyncio.sleep", sleep)
    monkeypatch.setattr(Lamps, "put", lambda _, high: shown.append(high))
    person = AnsweringPerson(calibration.devices, wrong={"GPIO 7 is lit": "s"})
    await calibration.run(person)
    one = frozenset({7})
    at = shown.index(one)
    assert shown[at : at + 4] == [one, frozenset(), leds.DARK_S, one]
    assert leds.DARK_S >= 0.2


async def test_a_garbled_code_is_none_that_a_card_was_read_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Garbles(AnsweringPerson):
        def _act(self, text: str) -> None:
            super()._act(text)
            if self.devices.scans:
                self.devices.scans[3] = replace(self.devices.scans[3], text=Doubt.GARBLED)

    calibration = CommandCalibration("beam", tmp_path, monkeypatch)
    why, second = await until_good(calibration, Garbles(calibration.devices))
    assert why[0].startswith("Code after its card has gone, at the latest: not measured")
    assert second.asked[1].startswith("Draw 10 cards")


async def test_a_card_that_was_not_scanned_has_all_its_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Garbles(AnsweringPerson):
        def _act(self, text: str) -> None:
            super()._act(text)
            if text.startswith("3 of"):
                self.devices.scans = [Scan(Doubt.GARBLED, 1)]

    calibration = CommandCalibration("codes", tmp_path, monkeypatch)
    _, second = await until_good(calibration, Garbles(calibration.devices))
    assert second.asked[1].startswith("3 of")
    kept = [each.question for each in calibration.answers_file().answers]
    assert len([each for each in kept if each.startswith("3 of") and "any card" not in each]) == 1


def test_what_is_kept_is_of_the_calibration_that_is_left(tmp_path: Path) -> None:
    """Cards that the camera's has captured are none of the lights'."""
    (tmp_path / FOLDER / DRAFT).mkdir(parents=True)
    config = SimpleNamespace(base=tmp_path)
    answers_file = KeptAnswers.load(tmp_path / FOLDER / ".leds.answers", "leds")

    def said_of(kind: str) -> str:
        return command._not_written("", kind, answers_file, config)  # type: ignore[arg-type]

    assert said_of("leds") == "Nothing was written."
    answers_file.add("GPIO 6 is lit", "1r")
    said = {kind: said_of(kind) for kind in ("leds", "camera")}
    assert "answers so far" in said["leds"]
    assert "cards captured so far" in said["camera"]


async def test_anew_forgets_and_another_device_is_not_gone_on_with(
    calibration: CommandCalibration,
) -> None:
    with pytest.raises(Abandoned):
        await calibration.run(AnsweringPerson(calibration.devices, 3))
    assert calibration.answers_file().answers
    assert not KeptAnswers.load(calibration.path, "configured otherwise").answers
    calibration.devices.levels[5] = False
    person = AnsweringPerson(calibration.devices, wrong={"Go on with it?": "n"})
    whole = AnsweringPerson(calibration.devices)
    await calibration.run(person)
    calibration.answers_file().discard()
    await calibration.run(whole)
    assert person.asked[1:] == whole.asked


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", '{"format": 1}', '{"format": 2, "about": "leds", "answers": []}',
     '{"format": 1, "about": "leds", "began_ms": 0, "answers": [["All", {"key": 1}], 7]}',
     '{"format": 1, "about": "leds", "began_ms": 0, "answers": [["All", {}]]}'],
)  # fmt: skip
async def test_a_damaged_file_holds_no_answers(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = CommandCalibration("leds", tmp_path, monkeypatch)
    calibration.path.write_text(text)
    assert calibration.answers_file().answers == []


async def test_an_answer_to_another_question_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As software that asks otherwise would find it."""
    calibration = CommandCalibration("leds", tmp_path, monkeypatch)
    with pytest.raises(Abandoned):
        await calibration.run(AnsweringPerson(calibration.devices, 5))
    plain = json.loads(calibration.path.read_text())
    plain["answers"][2][0] = "Another question?"
    calibration.path.write_text(json.dumps(plain))
    person = AnsweringPerson(calibration.devices)
    await calibration.run(person)
    assert person.asked[1].startswith("GPIO 7 is lit")


def test_answers_are_their_owners_and_show_no_card(tmp_path: Path) -> None:
    answers_file = KeptAnswers.load(tmp_path / "answers", "codes")
    answers_file.add("1 of 9: scan", Scan("X051", 5))
    answers_file.add("1 of 9: scan", Scan(Doubt.GARBLED, 6))
    assert (tmp_path / "answers").stat().st_mode & 0o777 == 0o600
    assert "X051" not in repr(answers_file.answers)
    again = KeptAnswers.load(tmp_path / "answers", "codes").answers
    assert again == answers_file.answers
    assert replace(again[0].value, at_ns=0).text == "X051"
