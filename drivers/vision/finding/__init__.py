"""Finding the one card in a frame: its edges, the card rectified, a second one that lies there."""
