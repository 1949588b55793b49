"""Releases in fresh Debians: installed, played on, updated, cut off, and brought back."""
