"""Two forms of the tests: the quick one (`make test`) and, with `--long`, all (`make test-all`).

Named by pyproject.toml as a plugin, so that pytest knows `--long` before it reads a folder.

The quick form is the same each time: properties take their examples from their own source. The
long one takes ten times as many, from a seed that is printed (`--hypothesis-seed`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

TIMES: Final = 10
"""So many more examples has the long form."""

EXAMPLES: Final = 25
"""So many examples has a property of the quick form that names no number."""

LONG_TIMEOUT_S: Final = 3_600.0
"""So long may a test of the long form take, unless it says more itself."""

# A slow machine is no fault of the code: properties are judged by what they find, not by time.
_COMMON: Final = settings(
    settings.get_profile("default"),
    deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("quick", _COMMON, max_examples=EXAMPLES, derandomize=True, database=None)
settings.register_profile(
    "long", _COMMON, max_examples=2 * EXAMPLES * TIMES, derandomize=False, database=None
)
settings.load_profile("quick")


def is_long_form() -> bool:
    """Whether this is the long form."""
    form = settings.default
    assert form is not None
    return not form.derandomize


def examples(quick: int, *, long: int | None = None) -> settings:
    """The number of examples of a property in the quick form; the long one takes `long`.

    Without it, ten times as many: say it where the quick form takes few because each is dear.
    """
    if is_long_form():
        return settings(max_examples=quick * TIMES if long is None else long)
    return settings(max_examples=quick)


def quick_first(values: Iterable[object], quick: Container[object]) -> list[Any]:
    """Parameters of a test: those in `quick` in either form, the others in the long one alone."""
    return [pytest.param(each, marks=() if each in quick else pytest.mark.long) for each in values]


def long_only(*values: object) -> Any:
    """One row of a test's parameters that is of the long form alone."""
    return pytest.param(*values, marks=pytest.mark.long)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option `--long`."""
    parser.addoption("--long", action="store_true", help="run the long form of the tests, too")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the form before a test is imported, and before its bounds are read."""
    config.addinivalue_line("markers", "long: only in the long form (make test-all)")
    long = config.getoption("--long")
    settings.load_profile("long" if long else "quick")
    if long and config.getoption("timeout", None) is None:
        config.option.timeout = LONG_TIMEOUT_S


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is of the long form alone."""
    if config.getoption("--long"):
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def long_form(request: pytest.FixtureRequest) -> bool:
    """Whether this is the long form."""
    return bool(request.config.getoption("--long"))
