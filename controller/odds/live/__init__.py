"""A live table held against its odds: what its rounds were worth, and an early warning."""
