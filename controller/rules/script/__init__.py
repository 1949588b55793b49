"""What a game's script works with: the felt, the steps it asks for, the finished round as data."""
