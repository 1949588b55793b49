"""What reads the cards that leave the shoe: scanner, camera, or both."""
