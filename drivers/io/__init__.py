"""Pins, serial ports and video sources: what touches the operating system."""
