"""People who sign in by the house's OpenID provider: who they are here, and that they left."""
