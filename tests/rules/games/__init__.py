"""Each game against its rule book, by tables that are written out; mirrors the games' files."""
