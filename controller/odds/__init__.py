"""What a house option costs, exactly, from the rules that are enforced."""
