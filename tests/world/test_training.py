"""A training at the demo's page, at a table that knows its people: a person deals, the floor comes
with a PIN, and the report names the mistakes, no other.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from controller.__main__ import main
from tests.support.patience import PATIENCE_S
from tests.support.processes.town import LineProcess, free_pair
from tests.world.trainee import Trainee

FAULTS = """
[[fault]]
round = 2
card = 2
kind = "garbage"

[[fault]]
round = 3
card = 2
kind = "miss_code"

[[fault]]
round = 4
card = 2
kind = "two_codes"

[[fault]]
round = 4
card = 4
kind = "unplug"
for_s = 1.0
"""


class FinishedTraining(NamedTuple):
    """A training that is over: its folder, the report, what was printed, and the page then."""

    folder: Path
    report: dict[str, Any]
    printed: list[str]
    page: str


def _round_ends(person: Trainee) -> None:
    """Deal until the round in play is over."""
    ended = person.felt["training"]["round"]
    while person.felt["training"]["round"] == ended:
        person.step()


def _until_round(person: Trainee) -> None:
    while person.view["phase"] != "round":
        person.step()


def _until_held(person: Trainee) -> None:
    while not person.view["holds"]:
        person.step()


def first_round(person: Trainee) -> None:
    """A card before the bets are closed, put aside; Next pressed while a player is asked; what no
    player had said, taken back: the player is asked, and answers, once more.
    """
    while not person.key("close_bets"):
        person.step()
    person.draw()
    person.resolve("set_aside")
    _until_round(person)
    while not person.key("decide"):
        person.step()
    person.press("next")
    while not (person.key("decide") and person.said()[0] == "hit" and person.key("stand")):
        person.step()
    person.resolve("stand")
    report = next(
        each["command"]
        for each in person.view["happened"]
        if each["command"]["what"] == "taken_back"
    )
    person.send(report)
    person.send(_resolution(person, "take_back"))
    _round_ends(person)


def _resolution(person: Trainee, name: str) -> dict[str, Any]:
    """What the key of that resolution sends."""
    keys = person.view["holds"][0]["resolutions"]
    found: dict[str, Any] = next(
        each["command"] for each in keys if each["command"]["resolution"] == name
    )
    return found


def second_round(person: Trainee) -> None:
    """A garbled card is entered as another one; a player's word is not heard."""
    _until_held(person)
    right = person.missing()
    wrong = "3d" if right != "3d" else "4d"
    person.enter(wrong)
    person.resolve("undo")
    person.enter(right)
    while not (person.key("decide") and person.said()[0] == "hit" and person.key("stand")):
        person.step()
    stand = person.key("stand")
    assert stand is not None
    person.send(stand)
    _round_ends(person)


def third_round(person: Trainee) -> None:
    """A card that was not read: the round is voided."""
    _until_held(person)
    person.resolve("void")
    if person.view["holds"]:
        person.resolve("squared")


def fourth_round(person: Trainee) -> None:
    """Two cards at once and a pulled plug: both rightly, in the order in which they are noticed."""
    counted = False
    while not counted or person.view["holds"]:
        if not person.view["holds"]:
            person.step()
            continue
        end_s = time.monotonic() + PATIENCE_S
        while any(not each["up"] for each in person.view["devices"]):
            assert time.monotonic() < end_s
            time.sleep(0.1)
        if person.key("count") and not counted:
            person.resolve("count", cards=person.lying)
            counted = True
        else:
            person.enter(person.missing())
    _round_ends(person)


@pytest.fixture(scope="module", name="trained")
def _trained(tmp_path_factory: pytest.TempPathFactory) -> FinishedTraining:
    folder = tmp_path_factory.mktemp("training")
    faults = folder / "faults.toml"
    faults.write_text(FAULTS)
    command = [
        sys.executable, "-m", "controller", "demo", "--train", "--trouble", "none", "--game",
        "21-24-27", "--seats", "3", "--speed", "20", "--seed", "3", "--rounds", "3", "--faults",
        str(faults), "--dir", str(folder), "--port", str(free_pair()), "--target", "90",
        "--people",
    ]  # fmt: skip
    demo = LineProcess(command, BROWSER="true")
    try:
        table = demo.until(lambda line: "The table:" in line).split()[-1]
        display = demo.until(lambda line: "Dealer:" in line).split()[-1]
        address, _, token = display.partition("#token=")
        people = json.loads((folder / "world.json").read_text())["people"]
        person = Trainee.at(table, address.removesuffix("/dealer"), token, people)
        try:
            first_round(person)
            second_round(person)
            third_round(person)
            fourth_round(person)
            demo.until(lambda line: "The report:" in line)
            page = httpx.get(f"{table}training", trust_env=False, timeout=PATIENCE_S)
            assert "unsafe-inline" in page.headers["content-security-policy"]
            assert person.felt["paused"]
        finally:
            person.close()
        os.killpg(demo.process.pid, signal.SIGINT)
        demo.finish()
    finally:
        demo.close()
    report = json.loads((folder / "training.json").read_text())
    return FinishedTraining(folder, report, demo.lines, page.text)


def test_the_report_names_the_mistakes_that_were_made_and_no_other(
    trained: FinishedTraining,
) -> None:
    found = [
        (each["kind"], each["round"], each["mended"], each["trouble"])
        for each in trained.report["mistakes"]
    ]
    assert found == [
        ("early card", 0, False, 0),
        ("refused press", 1, False, 0),
        ("wrong decision", 1, True, 0),
        ("touched by mistake", 2, True, 0),
        ("wrong decision", 2, False, 0),
        ("voided", 3, False, 2),
    ]


def test_each_trouble_is_judged_by_the_answer_to_it(trained: FinishedTraining) -> None:
    found = [(each["kind"], each["verdict"]) for each in trained.report["troubles"]]
    assert found == [
        ("garbage", "right"), ("miss_code", "wrong"), ("two_codes", "right"), ("unplug", "right"),
    ]  # fmt: skip
    assert all(each["took_ms"] for each in trained.report["troubles"])
    assert (trained.report["rounds"], trained.report["void"]) == (3, 1)


def test_the_page_is_served_while_the_table_stays_and_leads_to_each_replay(
    trained: FinishedTraining,
) -> None:
    token = (trained.folder / "token").read_text().strip()
    assert "Over." in trained.page
    for each in trained.report["mistakes"]:
        about = f"round={each['round']}&amp;" if each["round"] else ""
        assert f"/logbook?{about}record={each['seq']}#token={token}" in trained.page


def test_it_is_printed_once_with_where_it_lies(trained: FinishedTraining) -> None:
    printed = "\n".join(trained.printed)
    assert "You deal: on the table's page, the dealer's seat is yours." in printed
    assert printed.count("Mistakes:") == 1, "said once, at the end of the rounds"
    assert f"The report:   {trained.folder / 'training.html'}" in printed


def test_computed_again_from_the_folder_it_is_the_same(
    trained: FinishedTraining, capsys: pytest.CaptureFixture[str]
) -> None:
    def again(*form: str) -> str:
        assert main(["training", str(trained.folder), *form]) == 0
        return capsys.readouterr().out

    assert again("--json").strip() == (trained.folder / "training.json").read_text()
    assert again().strip() in "\n".join(trained.printed)
    token = (trained.folder / "token").read_text().strip()
    written = (trained.folder / "training.html").read_text()
    assert again("--html") == written.replace(f"#token={token}", "")
