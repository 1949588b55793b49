"""A pit whose house has a provider."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pit.sign_in.oidc.house import House, house_in
from tests.pit.sign_in.oidc.provider_server import ProviderServer, served
from tests.pit.sign_in.pages_of import ORIGIN


@pytest.fixture(scope="session")
def tls() -> ssl.SSLContext:
    """Whose certificates are believed: reading the system's takes a while."""
    return ssl.create_default_context()


@pytest.fixture
def house(tmp_path: Path, tls: ssl.SSLContext) -> Iterator[House]:
    with served(ProviderServer(f"{ORIGIN}/sign-in/provider/back")) as provider:
        made = house_in(tmp_path, provider, tls)
        yield made
        made.known.engine.dispose()
