"""The languages that scanners speak: how each one's bytes become codes, and how it is set up."""
