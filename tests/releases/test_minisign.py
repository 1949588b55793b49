"""Signatures of releases: minisign's own, ours as minisign makes them, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from systemd.releases.build.sign import KeyRefused, new_key, read_key
from systemd.releases.update import ed25519
from systemd.releases.update.minisign import SignatureRefused, check, public_keys
from tests.support.forms import examples

#: Made by minisign 0.11: the public key, the secret key (-W), and the signature of "hello\n".
PUBLIC = "RWR+vL9Gf7xopQ7FMgfy3RSAsFhUGj2zHjVGYKqSWIPSRusv7fwdW7iw"
SECRET = (
    "untrusted comment: minisign encrypted secret key\n"
    "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfry/Rn+8aKWOdothfA"
    "j/O25k42wyu67BCICMkiAEm6ZETfahBWrcrQ7FMgfy3RSAsFhUGj2zHjVGYKqSWIPSRusv7fwdW7iwAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
)
SIGNATURE = """untrusted comment: signature from minisign secret key
RUR+vL9Gf7xopT5wGLVUOjCNOvXgJ4/luI/CD9i/+rTRbyMs9pKI7MrGsEIKJG6JrtlGD+lZURrOk8W+rvNL4aut1v+r+73Pjgk=
trusted comment: 0.1.0
kyc2MGtKxSO/HhSitz8D0U70LDE1ihhTbZpDoR/lHa49TtbSxRyUroPtA+beaH+Su6nC21ZZLZ+vYRaSyBAGCg==
"""
#: RFC 8032, 7.1, test 3.
RFC_PUBLIC = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
RFC_SIGNATURE = (
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)


def test_the_signature_of_the_standard_is_right() -> None:
    key, signature = bytes.fromhex(RFC_PUBLIC), bytes.fromhex(RFC_SIGNATURE)
    assert ed25519.verify(key, bytes.fromhex("af82"), signature)
    assert not ed25519.verify(key, bytes.fromhex("af83"), signature)


@examples(10, long=300)
@given(seed=st.binary(min_size=32, max_size=32), data=st.binary(), bit=st.integers(0, 511))
def test_what_cryptography_signs_is_right_and_a_flipped_bit_is_not(
    seed: bytes, data: bytes, bit: int
) -> None:
    secret = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = secret.public_key().public_bytes_raw(), secret.sign(data)
    assert ed25519.verify(public, data, signature)
    flipped = bytearray(signature)
    flipped[bit // 8] ^= 1 << bit % 8
    assert not ed25519.verify(public, data, bytes(flipped))


def test_a_key_of_small_order_signs_nothing() -> None:
    """With it, one signature would be right for many messages."""
    neutral = (1).to_bytes(32, "little")
    assert not ed25519.verify(neutral, b"anything", neutral + bytes(32))


def test_what_minisign_signed_is_right() -> None:
    keys = public_keys(f"# in use\nuntrusted comment: a key\n{PUBLIC}\n")
    assert check(b"hello\n", SIGNATURE, keys) == "0.1.0"


def test_a_secret_key_of_minisign_signs_here_and_ours_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "s.key"
    file.write_text(SECRET)
    key = read_key(file)
    assert key.public.text == PUBLIC
    assert key.file_text.splitlines()[1] == SECRET.splitlines()[1]
    assert key.sign(b"hello\n", "0.1.0").splitlines()[1] == SIGNATURE.splitlines()[1]


@pytest.mark.skipif(shutil.which("minisign") is None, reason="minisign: run `make setup`")
def test_minisign_itself_takes_our_signatures(tmp_path: Path) -> None:
    key, file = new_key(), tmp_path / "manifest.json"
    file.write_bytes(b"a manifest")
    Path(f"{file}.minisig").write_text(key.sign(file.read_bytes(), "0.2.0"))
    done = subprocess.run(
        ["minisign", "-V", "-P", key.public.text, "-m", str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, "Trusted comment: 0.2.0" in done.stdout) == (0, True), done.stderr


def test_one_of_two_keys_will_do_and_a_third_will_not() -> None:
    one, two, other = new_key(), new_key(), new_key()
    keys = (one.public, two.public)
    assert check(b"x", two.sign(b"x", "c"), keys) == "c"
    with pytest.raises(SignatureRefused, match="does not know"):
        check(b"x", other.sign(b"x", "c"), keys)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s.replace("trusted comment: c\n", "trusted comment: d\n"), "comment"),
        (lambda s: s.splitlines()[0], "form"),
        (lambda s: s.replace("RUR", "RWR", 1), "form"),
        (lambda s: "\n".join(s.splitlines()[:3]) + "\n*\n", "form"),
        (lambda s: "", "form"),
    ],
)
def test_a_signature_that_was_changed_is_refused(change, said: str) -> None:  # type: ignore[no-untyped-def]
    key = new_key()
    signature = SIGNATURE if said == "form" else key.sign(b"x", "c")
    keys = (*public_keys(PUBLIC), key.public)
    data = b"hello\n" if said == "form" else b"x"
    changed = change(signature)
    assert changed != signature
    with pytest.raises(SignatureRefused, match=said):
        check(data, changed, keys)


def test_other_data_is_refused() -> None:
    key = new_key()
    with pytest.raises(SignatureRefused, match="something else"):
        check(b"y", key.sign(b"x", "c"), (key.public,))


def test_what_is_no_key_is_said() -> None:
    with pytest.raises(ValueError, match="no public key"):
        public_keys("AAAA\n")


def test_a_secret_key_with_a_password_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.key"
    file.write_text(SECRET.replace("RWQAAEIy", "RWRTY0Iy"))
    with pytest.raises(KeyRefused, match="password"):
        read_key(file)
    file.write_text("nothing\n")
    with pytest.raises(KeyRefused, match="no secret key"):
        read_key(file)
