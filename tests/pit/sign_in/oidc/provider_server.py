"""An OpenID provider on this machine: real HTTP, keys of its own, and it misbehaves when asked to.

It signs tokens with `cryptography` alone and reads nothing of ours: a misunderstanding would show.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

CLIENT = "pit-of-the-tests"
SECRET = "a-secret-of-the-tests-9f2c"
LOGOUT = "http://schemas.openid.net/event/backchannel-logout"
#: What a token is signed for, and not more than once.
_CODE_CHARS = 32


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int, length: int = 0) -> str:
    return b64(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


class RsaKey:
    """A key of the provider's."""

    def __init__(self, kid: str, bits: int = 2_048) -> None:
        self.kid = kid
        self.secret = rsa.generate_private_key(65_537, bits)

    def public(self) -> dict[str, str]:
        numbers = self.secret.public_key().public_numbers()
        described = {"kty": "RSA", "kid": self.kid, "use": "sig"}
        return described | {"n": _number(numbers.n), "e": _number(numbers.e)}

    def pem(self) -> bytes:
        return self.secret.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def sign(self, data: bytes, alg: str) -> bytes:
        if alg == "PS256":
            salted = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
            return self.secret.sign(data, salted, hashes.SHA256())
        return self.secret.sign(data, padding.PKCS1v15(), hashes.SHA256())


class CurveKey:
    """A key on P-256."""

    def __init__(self, kid: str) -> None:
        self.kid = kid
        self.secret = ec.generate_private_key(ec.SECP256R1())

    def public(self) -> dict[str, str]:
        numbers = self.secret.public_key().public_numbers()
        return {
            "kty": "EC", "crv": "P-256", "kid": self.kid, "x": _number(numbers.x, 32),
            "y": _number(numbers.y, 32),
        }  # fmt: skip

    def sign(self, data: bytes, _: str) -> bytes:
        r, s = decode_dss_signature(self.secret.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


@dataclass
class SentHere:
    """What somebody was sent here with, and who signed in."""

    query: dict[str, str]
    claims: dict[str, Any]
    used: bool = False


@dataclass
class Misbehaviour:
    """What the provider does otherwise than it should; each is off."""

    claims: Callable[[dict[str, Any]], None] = lambda _: None
    header: Callable[[dict[str, Any]], None] = lambda _: None
    #: Replaces the token that was made.
    token: Callable[[str], str] = lambda token: token
    description: dict[str, Any] = field(default_factory=dict)
    #: Bytes that the answer to a path is, whatever was asked.
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    #: Paths that nobody answers until the provider is closed.
    silent: set[str] = field(default_factory=set)
    #: Codes work more than once, and whatever they are asked for with.
    careless: bool = False
    #: Named in the browser's answer in place of the issuer; None: not at all.
    named: str | None = ""


class ProviderServer(ThreadingHTTPServer):
    """The provider. `claims`: what it knows of whoever signs in; `back`: where it sends back to."""

    daemon_threads = True

    def __init__(self, back: str, now_s: Callable[[], int] = lambda: int(time.time())) -> None:
        super().__init__(("127.0.0.1", 0), _ProviderHandler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.back = back
        self.now_s = now_s
        self.key: RsaKey | CurveKey = RSA
        self.listed: list[RsaKey | CurveKey] = [RSA]
        self.claims: dict[str, Any] = {
            "sub": "a-1", "preferred_username": "Aino", "groups": ["floor", "choir"],
        }  # fmt: skip
        self.alg = "RS256"
        self.access = "an-access-token"
        #: What it says at the UserInfo endpoint, to whoever has that.
        self.userinfo: dict[str, Any] = {"sub": "a-1"}
        #: It signs that (`userinfo_signed_response_alg`), with these claims besides.
        self.signs_userinfo: dict[str, Any] | None = None
        self.wrong = Misbehaviour()
        self.codes: dict[str, SentHere] = {}
        self.asked: list[str] = []
        self.closing = threading.Event()
        #: Somebody has asked for a path that nobody answers.
        self.reached = threading.Event()

    def sign_in(self, address: str, **claims: Any) -> str:
        """Whoever is sent to `address` signs in; where the browser is sent back to."""
        query = {name: each[0] for name, each in parse_qs(urlsplit(address).query).items()}
        assert query["client_id"] == CLIENT
        assert query["redirect_uri"] == self.back
        assert query["code_challenge_method"] == "S256"
        assert query["response_type"] == "code"
        code = secrets.token_urlsafe(_CODE_CHARS)
        self.codes[code] = SentHere(query, {**self.claims, **claims})
        found = {"code": code, "state": query["state"]}
        if self.wrong.named is not None:
            found["iss"] = self.wrong.named or self.issuer
        return f"{self.back}?{urlencode(found)}"

    def token_for(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        asked = self.codes.get(form.get("code", ""))
        if asked is None or (asked.used and not self.wrong.careless):
            return 400, {"error": "invalid_grant"}
        challenge = b64(hashlib.sha256(form["code_verifier"].encode()).digest())
        if not self.wrong.careless and (
            challenge != asked.query["code_challenge"]
            or form["redirect_uri"] != asked.query["redirect_uri"]
            or form["grant_type"] != "authorization_code"
        ):
            return 400, {"error": "invalid_grant"}
        asked.used = True
        return 200, {
            "access_token": self.access, "token_type": "Bearer",
            "id_token": self._token(asked),
        }  # fmt: skip

    def _token(self, asked: SentHere) -> str:
        now_s = self.now_s()
        half = hashlib.sha256(self.access.encode()).digest()[:16]
        claims = {
            "iss": self.issuer, "aud": CLIENT, "exp": now_s + 300, "iat": now_s,
            "auth_time": now_s, "nonce": asked.query["nonce"], "at_hash": b64(half), **asked.claims,
        }  # fmt: skip
        return self.signed(claims, "JWT")

    def logout_token(self, **claims: Any) -> str:
        """What it says behind the browser's back, of whoever `claims` name."""
        now_s = self.now_s()
        told = {
            "iss": self.issuer, "aud": CLIENT, "iat": now_s, "exp": now_s + 120,
            "jti": secrets.token_urlsafe(16), "events": {LOGOUT: {}}, **claims,
        }  # fmt: skip
        return self.signed(told, "logout+jwt")

    def signed(self, claims: dict[str, Any], kind: str) -> str:
        self.wrong.claims(claims)
        header = {"alg": self.alg, "kid": self.key.kid, "typ": kind}
        self.wrong.header(header)
        signed = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(claims).encode())}"
        signature = self.key.sign(signed.encode(), self.alg)
        if header["alg"] == "none":
            signature = b""
        if header["alg"] == "HS256":
            assert isinstance(self.key, RsaKey)
            signature = hmac.digest(self.key.pem(), signed.encode(), hashlib.sha256)
        return self.wrong.token(f"{signed}.{b64(signature)}")

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/out",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "authorization_response_iss_parameter_supported": True, **self.wrong.description,
        }  # fmt: skip


#: Made once: keys of this length take a while.
RSA = RsaKey("key-1")


class _ProviderHandler(BaseHTTPRequestHandler):
    server: ProviderServer

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if self._strange(path):
            return
        match path:
            case "/.well-known/openid-configuration":
                self._say(200, self.server.description())
            case "/keys":
                self._say(200, {"keys": [each.public() for each in self.server.listed]})
            case "/userinfo":
                if self.headers.get("Authorization") == f"Bearer {self.server.access}":
                    self._say_who()
                else:
                    self._say(401, {"error": "invalid_token"})
            case "/authorize":
                # A person looks at this one, and presses a button.
                place = html.escape(self.path)
                self._page(f"<form method=post action='{place}'><button>I am Aino</button></form>")
            case "/out":
                query = parse_qs(urlsplit(self.path).query)
                self._page(
                    f"<p>You are signed out</p><p>{query['post_logout_redirect_uri'][0]}</p>"
                )
            case _:
                self._say(404, {})

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self._strange(path):
            return
        if path == "/authorize":
            self.send_response(303)
            self.send_header("Location", self.server.sign_in(self.path))
            self.end_headers()
            return
        wanted = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if self.headers.get("Authorization") != wanted:
            self._say(401, {"error": "invalid_client"})
            return
        form = {name: each[0] for name, each in parse_qs(body).items()}
        self._say(*self.server.token_for(form))

    def _strange(self, path: str) -> bool:
        self.server.asked.append(path)
        if path in self.server.wrong.silent:
            self.server.reached.set()
            self.server.closing.wait(60)
            return True
        if path in self.server.wrong.answers:
            status, body = self.server.wrong.answers[path]
            kind = "text/html" if body.startswith(b"<") else "application/json"
            self._answer(status, body, "application/jwt" if body.startswith(b"ey") else kind)
            return True
        return False

    def _say_who(self) -> None:
        more = self.server.signs_userinfo
        if more is None:
            self._say(200, self.server.userinfo)
            return
        claims = {"iss": self.server.issuer, "aud": CLIENT, **self.server.userinfo, **more}
        told = {name: each for name, each in claims.items() if each is not None}
        self._answer(200, self.server.signed(told, "JWT").encode(), "application/jwt")

    def _say(self, status: int, found: dict[str, Any]) -> None:
        self._answer(status, json.dumps(found).encode(), "application/json")

    def _page(self, text: str) -> None:
        self._answer(200, f"<!doctype html><title>Provider</title>{text}".encode(), "text/html")

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        if status in {301, 302, 307}:
            self.send_header("Location", body.decode())
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            return  # whoever asked has had enough

    def log_message(self, *_: Any) -> None:
        """Nothing: tests are quiet."""


@contextmanager
def served(provider: ProviderServer) -> Iterator[ProviderServer]:
    """The provider answers until the block is left."""
    thread = threading.Thread(target=provider.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.closing.set()
        provider.shutdown()
        thread.join()
        provider.server_close()
