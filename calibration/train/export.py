"""From weights to an ONNX file that OpenCV's dnn runs, 4.10 to 5.x."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from calibration.train.shapes import PAPER, Conv, Pool, Shape, Weights


def onnx_of(shape: Shape, weights: Weights) -> bytes:
    """The network as ONNX: input n x channels x high x wide, output n x logits."""
    nodes, tensors = [], []
    left = iter(weights)
    entry, high, wide, channels = "input", shape.high, shape.wide, shape.channels
    flat = False

    def keep(name: str, values: NDArray[np.float32]) -> str:
        tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    keep("minus", np.array([-1], np.float32))
    keep("paper", np.array([PAPER], np.float32))
    nodes.append(helper.make_node("Mul", [entry, "minus"], ["negative"]))
    nodes.append(helper.make_node("Add", ["negative", "paper"], ["ink"]))
    entry = "ink"
    for number, layer in enumerate(shape.layers):
        out = f"x{number}"
        last = number + 1 == len(shape.layers)
        if isinstance(layer, Pool):
            nodes.append(
                helper.make_node("MaxPool", [entry], [out], kernel_shape=[2, 2], strides=[2, 2])
            )
            entry, high, wide = out, high // 2, wide // 2
            continue
        kernel, bias = (np.asarray(each, np.float32) for each in next(left))
        if isinstance(layer, Conv):
            pad = layer.size // 2
            names = [keep(f"w{number}", kernel.transpose(3, 2, 0, 1)), keep(f"b{number}", bias)]
            nodes.append(
                helper.make_node(
                    "Conv", [entry, *names], [out], kernel_shape=[layer.size] * 2,
                    strides=[layer.stride] * 2, pads=[pad] * 4,
                )
            )  # fmt: skip
            high, wide, channels = -(-high // layer.stride), -(-wide // layer.stride), layer.out
        else:
            if not flat:
                # JAX keeps channels last, ONNX first: the rows of the weights change places.
                kernel = kernel.reshape(high, wide, channels, -1).transpose(2, 0, 1, 3)
                kernel = kernel.reshape(high * wide * channels, -1)
                nodes.append(helper.make_node("Flatten", [entry], ["flat"], axis=1))
                entry, flat = "flat", True
            names = [keep(f"w{number}", kernel.T), keep(f"b{number}", bias)]
            nodes.append(helper.make_node("Gemm", [entry, *names], [out], transB=1))
        entry = out
        if not last:
            nodes.append(helper.make_node("Relu", [out], [f"{out}r"]))
            entry = f"{out}r"
    graph = helper.make_graph(
        nodes,
        shape.name,
        [_value("input", ["n", shape.channels, shape.high, shape.wide])],
        [_value(entry, ["n", shape.out])],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def weights_of(shape: Shape, raw: bytes) -> Weights:
    """The weights of a network that `onnx_of` made, to train it further."""
    stored = {
        each.name: numpy_helper.to_array(each)
        for each in onnx.load_from_string(raw).graph.initializer
    }
    weights: Weights = []
    high, wide, channels, flat = shape.high, shape.wide, shape.channels, False
    for number, layer in enumerate(shape.layers):
        if isinstance(layer, Pool):
            high, wide = high // 2, wide // 2
            continue
        kernel, bias = stored[f"w{number}"], stored[f"b{number}"]
        if isinstance(layer, Conv):
            kernel = kernel.transpose(2, 3, 1, 0)
            high, wide, channels = -(-high // layer.stride), -(-wide // layer.stride), layer.out
        else:
            kernel = kernel.T
            if not flat:
                kernel = kernel.reshape(channels, high, wide, -1).transpose(1, 2, 0, 3)
                kernel, flat = kernel.reshape(high * wide * channels, -1), True
        weights.append((jnp.asarray(kernel), jnp.asarray(bias)))
    return weights


def _value(name: str, dims: list[str | int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
