"""The environment of a maker of drivers, made once."""

from __future__ import annotations

import pytest

from tests.conformance.workshop import Workshop, wheel_of


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The workshop, its driver's wheel installed."""
    made = Workshop(tmp_path_factory.mktemp("workshop"))
    made.install(wheel_of(made.acme, made.folder / "acme-wheel"))
    return made
