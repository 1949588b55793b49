"""A value that cannot be carried over is reported without its content: it may be a hidden card."""

from __future__ import annotations

from typing import Any

import pytest

from controller.table.evolve.plain_form import CLASS, FormError, PlainForm
from controller.table.state.state import State


@pytest.mark.parametrize(
    "plain",
    [{CLASS: "Card", "code": "S7-secret"}, {CLASS: "Serials", "serials": [["S7-secret"]]}],
    ids=lambda plain: plain[CLASS],
)
def test_a_value_that_is_none_of_ours_is_not_named(plain: dict[str, Any]) -> None:
    with pytest.raises(FormError, match=plain[CLASS]) as raised:
        PlainForm((State,)).value(plain, lambda _: None)
    assert "S7" not in str(raised.value)
