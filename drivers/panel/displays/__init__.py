"""Small displays with words: for customers, for the dealer, and what letters them."""
