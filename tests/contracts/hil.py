"""The option `--hil table.toml`: the contract suites on the real devices of that configuration.

A plugin and not a conftest.py, because pytest reads its command line before it knows this folder:
pyproject.toml names it, so `pytest --hil table.toml` works from the checkout. For a file outside
the checkout write `--hil=/etc/tablectl/table.toml`: pytest takes a bare path for a place to test.
"""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--hil",
        metavar="TABLE_TOML",
        type=Path,
        help="run the device contracts on the real devices of this configuration",
    )
