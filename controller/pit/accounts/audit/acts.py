"""What the audit has rows of."""

from __future__ import annotations

from enum import Enum
from typing import Final


class AuditAct(Enum):
    """An act as a row has it; values are on disk and never change."""

    SIGNED_IN = "signed_in"
    SIGNED_OUT = "signed_out"
    SIGN_IN_REFUSED = "sign_in_refused"
    SIGN_OUT_REFUSED = "sign_out_refused"
    CODE_REFUSED = "code_refused"
    TRIES_SLOWED = "tries_slowed"
    REFUSED_ROLE = "refused_role"
    REFUSED_PAGE = "refused_page"
    REFUSED_TOKEN = "refused_token"  # noqa: S105  (an act)
    ENDED_SESSION = "ended_session"
    ENDED_SESSIONS = "ended_sessions"
    SET_PASSWORD = "set_password"  # noqa: S105  (an act)
    ADDED_APP = "added_app"
    REMOVED_APP = "removed_app"
    ADDED_PASSKEY = "added_passkey"
    REMOVED_PASSKEY = "removed_passkey"
    MADE_RECOVERY_CODES = "made_recovery_codes"
    USED_RECOVERY_CODE = "used_recovery_code"
    ADDED_USER = "added_user"
    MADE_SET_UP_LINK = "made_link_set-up"
    MADE_SIGN_IN_LINK = "made_link_enter"
    SET_ROLES = "set_roles"
    CLOSED_USER = "closed_user"
    REOPENED_USER = "reopened_user"
    ERASED_USER = "erased_user"
    EXPORTED_USER = "exported_user"
    TOOK_FACTORS = "took_factors"
    SET_TABLES = "set_tables"
    SET_PIN = "set_pin"
    MOVED_PERSON = "moved_person"
    ACCEPTED_DIRECTORY = "accepted_directory"
    ASKS_TABLE = "asks_table"
    TABLE_ANSWERS = "table_answers"
    RENAMED_TABLE = "renamed_table"
    RETIRED_TABLE = "retired_table"
    PUT_BACK_TABLE = "put_back_table"
    ACCEPTED_BRANCH = "accepted_branch"
    SETTLED_FINDING = "settled_finding"
    EXPORTED_RECORDS = "exported_records"
    LOOKED_AT_PICTURES = "looked_at_pictures"
    SAVED_AUDIT = "saved_audit"
    TOOK_ALERT = "took_alert"
    ANSWERED_ALERT = "answered_alert"
    SENT_ALERT_AGAIN = "sent_alert_again"
    FORGOT_ALERT = "forgot_alert"
    GAVE_SHIFT = "gave_shift"
    TOOK_SHIFT = "took_shift"


#: What is done with an account and how one signs in with it: whose it is is told of that.
OF_ACCOUNTS: Final = frozenset({
    AuditAct.SIGN_IN_REFUSED, AuditAct.CODE_REFUSED, AuditAct.TRIES_SLOWED,
    AuditAct.ENDED_SESSION, AuditAct.ENDED_SESSIONS, AuditAct.SET_PASSWORD, AuditAct.ADDED_APP,
    AuditAct.REMOVED_APP, AuditAct.ADDED_PASSKEY, AuditAct.REMOVED_PASSKEY,
    AuditAct.MADE_RECOVERY_CODES, AuditAct.USED_RECOVERY_CODE, AuditAct.ADDED_USER,
    AuditAct.MADE_SET_UP_LINK, AuditAct.MADE_SIGN_IN_LINK, AuditAct.SET_ROLES,
    AuditAct.CLOSED_USER, AuditAct.REOPENED_USER, AuditAct.EXPORTED_USER, AuditAct.TOOK_FACTORS,
    AuditAct.SET_TABLES, AuditAct.SET_PIN, AuditAct.MOVED_PERSON,
})  # fmt: skip


_WORDS: Final = {
    AuditAct.REFUSED_ROLE: "was refused: another role may",
    AuditAct.REFUSED_PAGE: "was refused: asked from another site",
    AuditAct.REFUSED_TOKEN: "was refused: the token",
    AuditAct.TRIES_SLOWED: "too many wrong tries: has to wait",
    AuditAct.ENDED_SESSION: "ended a session",
    AuditAct.ENDED_SESSIONS: "signed out everywhere",
    AuditAct.SET_PASSWORD: "set a password",
    AuditAct.ADDED_APP: "added an app for codes",
    AuditAct.REMOVED_APP: "removed the app for codes",
    AuditAct.ADDED_PASSKEY: "added a passkey",
    AuditAct.REMOVED_PASSKEY: "removed a passkey",
    AuditAct.USED_RECOVERY_CODE: "used a recovery code",
    AuditAct.ADDED_USER: "added a user",
    AuditAct.MADE_SET_UP_LINK: "made a link to set a password",
    AuditAct.MADE_SIGN_IN_LINK: "made a link that signs in",
    AuditAct.CLOSED_USER: "closed the account of",
    AuditAct.REOPENED_USER: "opened the account again of",
    AuditAct.ERASED_USER: "erased the name of",
    AuditAct.EXPORTED_USER: "saved what the pit has of",
    AuditAct.TOOK_FACTORS: "took app, passkeys and codes from",
    AuditAct.SET_TABLES: "set the tables of",
    AuditAct.SET_PIN: "set the PIN of",
    AuditAct.MOVED_PERSON: "moved a person",
    AuditAct.ACCEPTED_DIRECTORY: "accepted a directory",
    AuditAct.ASKS_TABLE: "asked a table",
    AuditAct.TABLE_ANSWERS: "got a table's answer",
    AuditAct.RENAMED_TABLE: "renamed a table",
    AuditAct.RETIRED_TABLE: "took out of service",
    AuditAct.PUT_BACK_TABLE: "put back into service",
    AuditAct.ACCEPTED_BRANCH: "accepted a record's other branch",
    AuditAct.SETTLED_FINDING: "settled a finding",
    AuditAct.SAVED_AUDIT: "saved the audit to a file",
    AuditAct.TOOK_ALERT: "took an alert in hand",
    AuditAct.ANSWERED_ALERT: "answered an alert",
    AuditAct.SENT_ALERT_AGAIN: "sent a message again",
    AuditAct.FORGOT_ALERT: "gave up a message",
    AuditAct.GAVE_SHIFT: "gave the shift",
    AuditAct.TOOK_SHIFT: "took the shift",
}


def act_words(value: str) -> str:
    """An act as pages say it, behind who did it; one of newer software by its value."""
    try:
        act = AuditAct(value)
    except ValueError:
        return value.replace("_", " ")
    return _WORDS.get(act, value.replace("_", " "))
