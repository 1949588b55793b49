"""What is enforced, in print: the rules of games, and what is done when something goes wrong."""
