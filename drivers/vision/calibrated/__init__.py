"""What calibration measured of this camera and this deck: the region, the deck, the shoe."""
