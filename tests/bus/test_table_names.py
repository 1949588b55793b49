"""A broker that makes tables up fills no pit, and no log."""

from __future__ import annotations

import logging

import pytest

from controller.bus.parser import HeardMessage
from controller.pit.line.table_names import TableNames


def said(names: TableNames, subject: bytes) -> str | None:
    return names.of(HeardMessage(subject, b"", b"", b""))


def test_a_table_is_known_by_its_subjects(caplog: pytest.LogCaptureFixture) -> None:
    names = TableNames()
    for topic in (b"records", b"head", b"status", b"status"):
        assert said(names, b"tablectl.T1.%b" % topic) == "T1"
    for none in (b"tablectl.T1", b"tablectl.T1.weather", b"tablectl.\xff.head", b"$JS.API", b""):
        assert said(names, none) is None
    assert "\xff" not in caplog.text


def test_of_a_million_tables_as_many_are_heard_as_a_pit_may_have(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    names = TableNames(most=1_000)
    for number in range(1_000):
        assert said(names, b"tablectl.T%d.head" % number) == f"T{number}"
    for number in range(1_000, 6_000):
        assert said(names, b"tablectl.T%d.status" % number) is None
        assert said(names, b"tablectl.T%d.records" % number) is None
    assert said(names, b"tablectl.T7.status") == "T7", "those that are known are heard on"
    numbers = [
        each.getMessage().partition("number ")[2].partition(":")[0] for each in caplog.records
    ]
    assert numbers == ["1", "10", "100", "1000", "10000"]
    assert "T1000 is one table more than the 1000 of a pit" in caplog.text
