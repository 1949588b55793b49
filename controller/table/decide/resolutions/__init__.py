"""What each resolution of a hold does, as facts."""
