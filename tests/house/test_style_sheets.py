"""What style sheets may not rest on, since a browser that people use does not know it well."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: WebKit (2.50) looks at `:has()` again when attributes change, and not when an element that was
#: empty is so no more: what was hidden by it stays hidden on every iPhone.
HAS_EMPTY = re.compile(r":has\([^{},]*:empty")


def test_no_rule_asks_whether_an_element_has_an_empty_one() -> None:
    sheets = [
        sheet
        for folder in ("controller", "sim_hw", "calibration")
        for sheet in (ROOT / folder).rglob("*.css")
    ]
    assert len(sheets) > 20
    for rule in (".found:has(tbody:empty)", ".bar:not(:has(.trouble:not(:empty)))"):
        assert HAS_EMPTY.search(rule), "the pattern finds what there was"
    wrong = [
        f"{sheet.relative_to(ROOT)}:{number}: {line.strip()}"
        for sheet in sheets
        for number, line in enumerate(sheet.read_text().splitlines(), 1)
        if HAS_EMPTY.search(line)
    ]
    assert wrong == []
