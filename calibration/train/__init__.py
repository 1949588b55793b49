"""Training of the networks in `drivers/vision/models`, reproducible from seeds.

Needs what `requirements-train.lock` names (JAX on the CPU, onnx) and the packages that
`calibration/draw` draws with. A table never imports this.
"""
