"""Fault files: each fault happens once; one that makes no sense is refused with the remedy."""

from pathlib import Path

import pytest

from sim_hw.devices.faults import Fault, FaultError, FaultKind, Faults, load_faults, parse_faults

FILE = """
[[fault]]
round = 3
card = 2
kind = "unplug"
for_s = 1.5

[[fault]]
round = 3
card = 2
kind = "double"

[[fault]]
round = 5
card = 1
kind = "garbage"
"""


def test_a_file_says_what_happens_to_which_card(tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(FILE)
    faults = Faults(load_faults(path))
    assert faults.take(1, 1) == []
    assert faults.take(3, 2) == [
        Fault(3, 2, FaultKind.UNPLUG, 1.5),
        Fault(3, 2, FaultKind.DOUBLE),
    ]
    assert faults.take(3, 2) == []


def test_a_file_may_be_json(tmp_path: Path) -> None:
    path = tmp_path / "faults.json"
    path.write_text('{"fault": [{"round": 1, "card": 4, "kind": "split"}]}')
    assert load_faults(path) == [Fault(1, 4, FaultKind.SPLIT)]


def test_what_a_visitor_asks_for_happens_to_the_next_card_once() -> None:
    faults = Faults()
    faults.ask(FaultKind.MISS_CODE)
    assert [each.kind for each in faults.take(9, 9)] == [FaultKind.MISS_CODE]
    assert faults.take(9, 10) == []


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"round": 1, "card": 1, "kind": "explode"}, "choose one of unplug, garbage"),
        ({"round": 0, "card": 1, "kind": "split"}, "round must be a whole number from 1, not 0"),
        ({"round": 1, "card": True, "kind": "split"}, "card must be a whole number from 1"),
        ({"round": 1, "kind": "split"}, "card must be a whole number from 1, not None"),
        (
            {"round": 1, "card": 1, "kind": "split", "for_s": 1},
            "for_s belongs to unplug, wrong_rate, unplug_in_code, beam_stuck, blink, frozen, dark",
        ),
        ({"round": 1, "card": 1, "kind": "unplug"}, "unplug needs for_s"),
        ({"round": 1, "card": 1, "kind": "beam_stuck"}, "beam_stuck needs for_s"),
        ({"round": 1, "card": 1, "kind": "unplug", "for_s": 9e9}, "up to 3600"),
        ({"round": 1, "card": 1, "kind": "split", "colour": "red"}, "unknown key 'colour'"),
        ("split", "must be a table"),
    ],
)
def test_a_fault_that_makes_no_sense_is_named_with_the_remedy(entry: object, says: str) -> None:
    good = {"round": 1, "card": 1, "kind": "split"}
    with pytest.raises(FaultError, match=says) as caught:
        parse_faults({"fault": [good, entry]})
    assert "fault 2" in str(caught.value)


def test_a_file_without_the_list_says_how_to_write_one() -> None:
    with pytest.raises(FaultError, match=r"write \[\[fault\]\]"):
        parse_faults({"faults": []})


def test_a_file_that_is_not_there_or_not_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(FaultError, match="cannot read"):
        load_faults(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("round = ")
    with pytest.raises(FaultError, match="not valid toml"):
        load_faults(bad)
