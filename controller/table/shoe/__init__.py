"""The shoe: what it holds, how it adds up, and whether its pack looks whole."""
