"""The public keys of the provider (JWKS, RFC 7517): which may sign, and which one a token names."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Mapping
from typing import Any, Final

from joserfc import jwk
from joserfc.errors import JoseError

#: Keys that are looked at: a provider has two or three.
_MOST: Final = 50
#: Kinds of keys of which one half is public.
_KINDS: Final = frozenset({"RSA", "EC", "OKP"})
_LEAST_RSA_BITS: Final = 2_048

SigningKey = jwk.RSAKey | jwk.ECKey | jwk.OKPKey


def signing_keys(found: Mapping[str, Any]) -> list[SigningKey]:
    """The keys that may sign; secrets, keys for something else and short ones are left out."""
    listed = found.get("keys")
    if not isinstance(listed, list):
        return []
    keys = []
    for each in listed[:_MOST]:
        if isinstance(each, dict) and each.get("use", "sig") == "sig":
            key = _key(each)
            if key is not None:
                keys.append(key)
    return keys


def _key(described: dict[str, Any]) -> SigningKey | None:
    try:
        if described.get("kty") not in _KINDS:
            return None
        if described["kty"] == "RSA" and _bits(described["n"]) < _LEAST_RSA_BITS:
            return None
        key = jwk.import_key(described)
        if isinstance(key, jwk.OctKey) or key.is_private:
            return None
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    return key


def _bits(number: str) -> int:
    return int.from_bytes(urlsafe_b64decode(number + "=" * (-len(number) % 4)), "big").bit_length()


def key_for(keys: list[SigningKey], header: Mapping[str, Any]) -> SigningKey | None:
    """The key that a token's header names; without a name the only one of its kind."""
    name = header.get("kid")
    if name is not None:
        named = [each for each in keys if each.kid == name]
        return named[0] if len(named) == 1 else None
    kind = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}.get(str(header.get("alg"))[:2])
    fitting = [each for each in keys if each.key_type == kind]
    return fitting[0] if len(fitting) == 1 else None
