"""The pit's own pages: the wall, and passkeys."""
