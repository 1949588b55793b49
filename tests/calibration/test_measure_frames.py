"""What counts as right, as an abstention and as a misread."""

from __future__ import annotations

import pytest

from calibration.outcomes import GroundTruth, ReadingReport
from controller.rules.cards import Card, card


def shown(of: str | None, under: str | None = None, kind: str = "card") -> GroundTruth:
    named = [card(each) if each else None for each in (of, under)]
    return GroundTruth("f", named[0], named[1], kind, "easy", "finnish", "drawn:x")


@pytest.mark.parametrize(
    ("frame", "read_as", "outcome"),
    [
        (shown("Jh"), "Jh", "right"),
        (shown("Jh"), None, "doubtful"),
        (shown("Jh"), "Ah", "misread"),
        (shown("Jh"), "Js", "misread"),
        (shown(None, kind="card_back"), None, "doubtful"),
        (shown(None, kind="card_back"), "Ah", "misread"),
        (shown(None, "Jh", "half_card"), "Jh", "right"),
        (shown(None, "Jh", "half_card"), "Ah", "misread"),
    ],
)
def test_a_frame_is_counted(frame: GroundTruth, read_as: str | None, outcome: str) -> None:
    report = ReadingReport()
    told_card: Card | None = card(read_as) if read_as else None
    report.add(frame, told_card, "UNSURE", 1.0)
    tally = report.groups["cards" if frame.card else "negatives"]
    assert {name: getattr(tally, name) for name in ("right", "doubtful", "misread")} == {
        name: int(name == outcome) for name in ("right", "doubtful", "misread")
    }
    assert bool(report.misreads) is (outcome == "misread")


def test_the_report_names_every_misread_and_its_deck() -> None:
    report = ReadingReport()
    report.add(shown("Jh"), card("Ah"), "", 1.0)
    report.add(shown("Th"), None, "BLURRED", 3.0)
    text = report.text()
    assert "Jh read as Ah (drawn:x)" in text
    assert "BLURRED 1" in text
    assert "rank 10" in text
