"""What every command shares: how it describes itself, its progress, its exit status."""
