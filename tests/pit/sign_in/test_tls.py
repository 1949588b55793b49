"""The pit's own certificate: answers are encrypted, and an endless handshake keeps nobody out."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fastapi import FastAPI

from controller.pit.server import renewed_tls
from controller.pit.server.renewed_tls import RenewedTls
from controller.pit.server.settings import PitWebSection
from controller.web.server import server as web_server
from controller.web.server.connections import Connections
from tests.bus.nats_server import NatsServer
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.support.patience import PATIENCE_S
from tests.web.server import Served

pytestmark = pytest.mark.anyio

ASKED = b"GET /sign-in HTTP/1.1\r\nHost: pit.example\r\nConnection: close\r\n\r\n"


def certified(folder: Path) -> PitWebSection:
    """A section with a certificate for pit.example that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pit.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("pit.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "pit.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "pit.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )  # fmt: skip
    return PitWebSection(
        "0.0.0.0", address="https://pit.example", cert_file=Path("pit.crt"),
        key_file=Path("pit.key"),
    )  # fmt: skip


@asynccontextmanager
async def serving(app: FastAPI, folder: Path, slots: Connections) -> AsyncIterator[int]:
    """The pit's server with that certificate, or the one that takes its place; its port."""
    server = Served(app, slots)
    section = certified(folder)
    server.tls = section.context(folder)

    def use(made: ssl.SSLContext) -> None:
        server.tls = made

    renewing = asyncio.ensure_future(RenewedTls(section, folder, use).run())
    task = asyncio.ensure_future(server.serve([server.listening]))
    await server.up.wait()
    try:
        yield server.listening.getsockname()[1]
    finally:
        renewing.cancel()
        server.should_exit = True
        await task
        server.listening.close()


async def answer(port: int, trusted: Path | None) -> bytes:
    """What comes back, encrypted where a certificate is trusted."""
    tls = ssl.create_default_context(cafile=trusted) if trusted else None
    async with asyncio.timeout(PATIENCE_S):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=tls, server_hostname="pit.example" if tls else None
        )
        writer.write(ASKED)
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            writer.close()


async def test_answers_come_encrypted_alone(app: FastAPI, tmp_path: Path) -> None:
    async with serving(app, tmp_path, Connections(10)) as port:
        found = await answer(port, tmp_path / "pit.crt")
        assert found.startswith(b"HTTP/1.1 200")
        assert b"Sign in to the pit" in found
        assert b"strict-transport-security" in found
        assert b"HTTP" not in await answer(port, None)


@pytest.mark.parametrize(
    ("ciphers", "is_let_in"),
    [("ECDHE+AESGCM", True), ("ECDHE+AES:!AESGCM:!AESCCM:!SHA1", False), ("RSA+AESGCM", False)],
)
async def test_weak_ciphers_are_not_spoken(
    app: FastAPI, tmp_path: Path, ciphers: str, *, is_let_in: bool
) -> None:
    async with serving(app, tmp_path, Connections(10)) as port:
        tls = ssl.create_default_context(cafile=tmp_path / "pit.crt")
        tls.maximum_version = ssl.TLSVersion.TLSv1_2
        tls.set_ciphers(ciphers)
        try:
            async with asyncio.timeout(PATIENCE_S):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", port, ssl=tls, server_hostname="pit.example"
                )
        except (ssl.SSLError, ConnectionResetError):
            assert not is_let_in
        else:
            writer.close()
            assert is_let_in


async def test_whoever_never_ends_the_handshake_goes_for_another(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is ended for the other one, not because its time is over.
    monkeypatch.setattr(web_server, "REQUEST_S", 100 * PATIENCE_S)
    async with serving(app, tmp_path, Connections(1)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        found = await answer(port, tmp_path / "pit.crt")
        assert found.startswith(b"HTTP/1.1 200")
        async with asyncio.timeout(PATIENCE_S):
            assert await reader.read() == b""
        writer.close()


async def test_a_renewed_certificate_is_used_once_both_files_are_there(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(renewed_tls, "LOOK_S", 0.01)
    new = tmp_path / "new"
    new.mkdir()
    certified(new)
    async with serving(app, tmp_path, Connections(10)) as port, asyncio.timeout(PATIENCE_S):
        old = (tmp_path / "pit.crt").rename(tmp_path / "old.crt")
        (new / "pit.crt").replace(tmp_path / "pit.crt")
        while "are new and cannot be used" not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert (await answer(port, old)).startswith(b"HTTP/1.1 200")
        (new / "pit.key").replace(tmp_path / "pit.key")
        while not await _answer_or_none(port, tmp_path / "pit.crt"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert caplog.text.count("are new and cannot be used") == 1


@pytest.mark.long
async def test_a_pit_that_runs_takes_a_renewed_certificate(tmp_path: Path) -> None:
    certified(tmp_path)
    with NatsServer(tmp_path / "nats") as broker:
        files = 'port = 0\ncert_file = "pit.crt"\nkey_file = "pit.key"'
        pit = PitProcess(write_config(tmp_path, broker, web=files))
        try:
            pit.start()
            port = int(pit.url.rstrip("/").rpartition(":")[2])
            assert await _answer_or_none(port, tmp_path / "pit.crt")
            certified(tmp_path)
            async with asyncio.timeout(PATIENCE_S):
                while not await _answer_or_none(port, tmp_path / "pit.crt"):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
        finally:
            pit.end()


async def _answer_or_none(port: int, trusted: Path) -> bytes:
    """The same; nothing while another certificate is used."""
    try:
        return await answer(port, trusted)
    except ssl.SSLError:
        return b""
