"""The running table held against its odds, and what those are computed or read from."""
