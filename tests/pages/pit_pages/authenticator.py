"""A browser with an authenticator of its own, whose holder always agrees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Page

_OPTIONS: Final = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@contextmanager
def authenticator(page: Page) -> Iterator[None]:
    """The page has one; whoever has the tab next begins without."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    made = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": _OPTIONS})
    try:
        yield
    finally:
        devtools.send("WebAuthn.removeVirtualAuthenticator", made)
        devtools.send("WebAuthn.disable")
        devtools.detach()
