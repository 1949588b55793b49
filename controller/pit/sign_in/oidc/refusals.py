"""Why nobody signs in by the provider: it is away, it refuses, or it is not believed."""

from __future__ import annotations


class ProviderRefused(Exception):
    """The provider that is configured cannot be used; the text says what to change."""


class ProviderAway(Exception):
    """The provider does not answer as one does; the text is for the log."""


class ManyWait(Exception):
    """So many wait for the provider already that one more has to come again; says so to people."""


class CodeRefused(Exception):
    """The provider does not take its own code: it was used, or is too old."""


class NotBelieved(Exception):
    """What came is not what this pit asked for, or not signed by the provider; the text says why,
    and repeats nothing of what came.
    """


class UnknownKey(NotBelieved):
    """No key that is known has signed it: the provider may have a new one."""
