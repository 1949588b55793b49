"""`tablectl doctor`: checks an installation, as the service that will run on it, and mends it."""
