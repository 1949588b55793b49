"""What every command shares: how it describes itself, completion, progress, exit status."""
