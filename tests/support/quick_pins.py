"""PINs that cost next to nothing to judge, for folders of tests that judge hundreds of them.

A folder's `conftest.py` imports the fixture. `tests/access/test_pins.py` holds the real cost.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.access import pins


@pytest.fixture(scope="session", autouse=True)
def quick_pins() -> Iterator[None]:
    """Hash PINs by scrypt with its smallest cost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pins, "_N", 2)
        yield
