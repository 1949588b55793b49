"""What is asked and what happened are values: nobody changes them once they are there."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from controller.table.facts import Fact
from controller.table.inputs import TableInput

VALUES = [*get_args(TableInput), *get_args(Fact)]


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_an_input_and_a_fact_cannot_be_changed(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)
