"""What a token of the provider's says, once its signature is believed. No I/O.

The signature is judged by joserfc, which Authlib stands on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from joserfc import jws, jwt
from joserfc.errors import JoseError

from controller.pit.sign_in.oidc.keys import SigningKey, key_for
from controller.pit.sign_in.oidc.refusals import NotBelieved, UnknownKey

#: By so much the two clocks may differ.
SKEW_S: Final = 60
#: A token is made for one sign-in or sign-out, which reaches the pit in seconds.
OLDEST_S: Final = 600
MOST_CHARS: Final = 255


def signed_claims(
    token: str, keys: list[SigningKey], algorithms: tuple[str, ...], kinds: frozenset[str]
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """The header and the claims of a token of one of these kinds (`typ`, in small letters).

    Raises `NotBelieved`, `UnknownKey`.
    """
    try:
        header = jws.extract_compact(token.encode("ascii")).headers()
        if header.get("alg") not in algorithms:
            raise NotBelieved("it is not signed in a way that is allowed: its alg")
        key = key_for(keys, header)
        if key is None:
            raise UnknownKey("it is signed by no key that the provider lists")
        read = jwt.decode(token, key, algorithms=algorithms)
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise NotBelieved(f"its signature or form: {type(error).__name__}") from error
    if str(read.header.get("typ", "JWT")).lower() not in kinds:
        raise NotBelieved("it is a token for something else")
    return read.header, read.claims


def wrong_claim(error: JoseError) -> str:
    """Which claim Authlib takes for wrong: names, nothing of what stood there."""
    said = (error.description or "").replace("\n", " ")[:80]
    return f"its claims: {error.error}, {said}"


def is_name(text: object) -> bool:
    """Whether it is what a provider calls a person, a session or a token of its own.

    Half a character, or a zero, is none that a database takes.
    """
    return isinstance(text, str) and 0 < len(text) <= MOST_CHARS and text.isprintable()
