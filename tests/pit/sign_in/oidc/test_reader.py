"""What the pit reads of its provider at the start: the secret, who may read it, and the extra."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from controller.pit.sign_in.oidc.reader import read_provider, read_secret
from controller.pit.sign_in.oidc.refusals import ProviderRefused
from controller.pit.sign_in.oidc.settings import OidcSection

SECTION = OidcSection(
    "House", "https://id.example", "pit", Path("oidc.secret"), {"floor": ("floor",)}
)


def kept(folder: Path, text: str, mode: int = 0o640) -> None:
    file = folder / "oidc.secret"
    file.write_text(text)
    file.chmod(mode)


def test_the_secret_is_a_file_that_others_may_not_read(tmp_path: Path) -> None:
    with pytest.raises(ProviderRefused, match="cannot be read"):
        read_secret(SECTION, tmp_path)
    kept(tmp_path, "0123456789abcdef\n", 0o644)
    with pytest.raises(ProviderRefused, match=r"everybody on this machine may read .*chmod 640"):
        read_secret(SECTION, tmp_path)
    kept(tmp_path, "short\n")
    with pytest.raises(ProviderRefused, match="no secret of 16 characters"):
        read_secret(SECTION, tmp_path)
    kept(tmp_path, "0123456789abcdef\n")
    assert read_secret(SECTION, tmp_path) == "0123456789abcdef"


def test_without_authlib_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(tmp_path, "0123456789abcdef\n")
    for name in list(sys.modules):
        if name.startswith("controller.pit.sign_in.oidc.provider"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "authlib", None)
    for name in [each for each in sys.modules if each.startswith("authlib.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ProviderRefused, match=r"pip install 'tablectl\[oidc\]'"):
        read_provider(SECTION, tmp_path, lambda: 0)


def test_certificates_of_the_house_are_a_file_that_can_be_read(tmp_path: Path) -> None:
    kept(tmp_path, "0123456789abcdef\n")
    named = OidcSection(
        "House", "https://id.example", "pit", Path("oidc.secret"), {"floor": ("floor",)},
        ca_file=Path("house.pem"),
    )  # fmt: skip
    with pytest.raises(ProviderRefused, match=r"oidc\.ca_file cannot be used"):
        read_provider(named, tmp_path, lambda: 0)
