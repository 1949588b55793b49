"""The tables of people, sessions and acts, in the pit's own database.

Secrets stand here as hashes alone: passwords by Argon2id, the pit's own random ones by SHA-256;
those of apps, which have to be known, are encrypted.
Times are wall times in ms.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from controller.pit.archive.storage.schema import METADATA

#: `login` is the name in small letters. `closed_ms`: may not sign in since.
USERS: Final = Table(
    "users", METADATA,
    Column("id", Integer, primary_key=True),
    Column("login", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("password", Text),
    Column("made_ms", BigInteger, nullable=False),
    Column("closed_ms", BigInteger),
)  # fmt: skip

#: Who a user is on the records of tables; an id is never given to anybody else. `pin` is the hash
#: of a PIN for tables, encrypted under the key of `sign_in.key_file`: a copy of the database has
#: nothing that could be guessed at. NULL: none yet.
TABLE_PEOPLE: Final = Table(
    "table_people", METADATA,
    Column("user_id", Integer, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("person", Text, nullable=False, unique=True),
    Column("pin", LargeBinary),
    Column("pin_ms", BigInteger),
)  # fmt: skip

#: Who an id was on the records of a table before its people came from here: the same person still.
#: `name` is the table's, `called` what its file called them; no user: they had left by then, and
#: an empty `called` was forgotten there.
TABLE_IDS: Final = Table(
    "table_ids", METADATA,
    Column("name", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("user_id", Integer, ForeignKey("users.id")),
    Column("called", Text, nullable=False),
)  # fmt: skip

#: `proved_ms`: when a password or passkey was last given in it; `how` it was begun. `sid`: what the
#: provider calls the session there that it began by.
SESSIONS: Final = Table(
    "sessions", METADATA,
    Column("id", Integer, primary_key=True),
    Column("secret", LargeBinary, nullable=False, unique=True),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("how", Text, nullable=False),
    Column("browser", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("proved_ms", BigInteger, nullable=False),
    Column("ends_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("sid", Text),
)  # fmt: skip

#: What works once: a link to set a password, a link that signs in. `purpose`: `codes.Purpose`.
#: `sid`: see `SESSIONS`, for the session that may follow.
CODES: Final = Table(
    "codes", METADATA,
    Column("secret", LargeBinary, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("ends_ms", BigInteger, nullable=False),
    Column("sid", Text),
)  # fmt: skip

#: Browsers in which a user has signed in before.
BROWSERS: Final = Table(
    "browsers", METADATA,
    Column("secret", LargeBinary, primary_key=True),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("made_ms", BigInteger, nullable=False),
)  # fmt: skip

#: Wrong tries, by what they are counted under.
TRIES: Final = Table(
    "tries", METADATA,
    Column("counted", Text, primary_key=True),
    Column("wrong", Integer, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)  # fmt: skip

#: Tokens of machines.
TOKENS: Final = Table(
    "tokens", METADATA,
    Column("secret", LargeBinary, primary_key=True),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("made_ms", BigInteger, nullable=False),
)  # fmt: skip

#: Public keys of passkeys; `credential` is what the browser finds one by.
PASSKEYS: Final = Table(
    "passkeys", METADATA,
    Column("id", Integer, primary_key=True),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
    Column("credential", LargeBinary, nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("browser", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
)  # fmt: skip

#: Apps that make codes (TOTP): the secret is encrypted (`one_time`); `last_step` was used last.
APPS: Final = Table(
    "apps", METADATA,
    Column("user_id", Integer, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
    Column("last_step", BigInteger, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
)  # fmt: skip

#: What signs in once in place of an app that was lost.
RECOVERY_CODES: Final = Table(
    "recovery_codes", METADATA,
    Column("secret", LargeBinary, primary_key=True),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False),
)  # fmt: skip

#: Users of an OpenID provider: whom it calls `subject`, and nobody else, is this user. A name or an
#: address of mail links nobody.
IDENTITIES: Final = Table(
    "identities", METADATA,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("user_id", Integer, ForeignKey("users.id"), nullable=False, unique=True),
    Column("made_ms", BigInteger, nullable=False),
)  # fmt: skip

#: What a provider has said of late: somebody was signed out there, in one session or everywhere.
PROVIDER_LOGOUTS: Final = Table(
    "provider_logouts", METADATA,
    Column("issuer", Text, primary_key=True),
    Column("jti", Text, primary_key=True),
    Column("subject", Text),
    Column("sid", Text),
    Column("made_ms", BigInteger, nullable=False),
    Column("ends_ms", BigInteger, nullable=False),
)  # fmt: skip

#: Sign-ins and acts, each with the hash of the one before; the database refuses to change a row.
AUDIT: Final = Table(
    "audit", METADATA,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("who", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)  # fmt: skip

Index("sessions_user", SESSIONS.c.user_id, SESSIONS.c.ended_ms)
Index("sessions_sid", SESSIONS.c.sid)
Index("browsers_user", BROWSERS.c.user_id)
Index("passkeys_user", PASSKEYS.c.user_id)
Index("recovery_codes_user", RECOVERY_CODES.c.user_id)
Index("tries_last", TRIES.c.last_ms)
