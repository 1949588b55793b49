"""The option `--hil FILE`: tests on real devices, by a person's hands or by a rig.

`--hil table.toml` runs the contract suites on the devices of that configuration; a person follows
the prompts. `--hil bench.toml`, which names a table and a rig, runs the bench's suites and writes
`record.json`, `junit.xml` and `report.html`.

A plugin and not a conftest.py, because pytest reads its command line before it knows this folder:
pyproject.toml names it, so `pytest --hil table.toml` works from the checkout. For a file outside
the checkout write `--hil=/etc/tablectl/table.toml`: pytest takes a bare path for a place to test.
"""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--hil",
        metavar="FILE",
        type=Path,
        help="contracts on the devices of a table.toml, or the suites of a bench.toml",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "bench(suite): of `--hil bench.toml`, and of no other run")
    path: Path | None = config.getoption("hil")
    if path is not None:
        # What a bench needs is loaded where there is one.
        from tests.hil.bench_file import is_bench
        from tests.hil.session import begin

        if is_bench(path):
            begin(config, path)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a bench, leave its suites out."""
    if config.getoption("hil") is None:
        left_out = [item for item in items if item.get_closest_marker("bench")]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if item not in left_out]
