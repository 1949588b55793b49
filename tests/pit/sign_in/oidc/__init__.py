"""Sign-in by an OpenID provider, which the tests have: one that may misbehave."""
