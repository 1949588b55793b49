"""The log is bounded in what repeats itself, and says how much it left out."""

from __future__ import annotations

import io
import logging

from controller.host.log_limit import KINDS_MAX, LINES, WINDOW_S, LogLimit


def test_what_repeats_itself_is_counted_and_other_lines_are_written() -> None:
    now = [0.0]
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(LogLimit(now_s=lambda: now[0]))
    log = logging.getLogger("a flood")
    log.propagate = False
    log.addHandler(handler)
    for number in range(10_000):
        log.warning("request %d is none", number)
    log.error("the disk is full")
    lines = written.getvalue().splitlines()
    assert lines == [f"request {each} is none" for each in range(LINES)] + ["the disk is full"]
    now[0] = WINDOW_S
    log.warning("request %d is none", 7)
    left_out = 10_000 - LINES
    assert (
        written.getvalue().splitlines()[-1]
        == f"request 7 is none (and {left_out} more like it before)"
    )
    log.removeHandler(handler)


def test_texts_without_end_take_no_memory_without_end() -> None:
    limit = LogLimit(now_s=lambda: 0.0)
    for number in range(5 * KINDS_MAX):
        record = logging.LogRecord("web", logging.INFO, "", 0, f"text {number}", (), None)
        assert limit.filter(record)
    assert len(limit._kinds) <= KINDS_MAX
