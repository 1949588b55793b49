"""Long tests: kills, broken worlds, passages of cards."""
