"""Keeps devices going: opens and reopens them, has some of them apart, lets none babble."""
