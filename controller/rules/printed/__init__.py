"""The enforced rules in print, made by asking the functions that enforce them."""
