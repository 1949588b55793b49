"""The page that draws the simulated table."""
