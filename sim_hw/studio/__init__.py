"""A small game server: players at a distance, their bets, their money. It knows the API alone."""
