"""How a release is built: wheels, manifest, bill of materials, signature."""
