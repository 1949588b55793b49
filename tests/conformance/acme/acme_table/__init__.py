"""Devices of the Acme company: a package outside the tree, as a third party writes one."""
