"""The networks' shapes, in JAX: a few convolutions and two dense layers, each with its ReLU.

The two readers of an index see different things and are built differently, so that their errors
are as independent as one training can make them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

PAPER: Final = 0.75  # the paper's white as the networks are given it: (224 - 128) / 128
Weights = list[tuple[Array, Array]]


@dataclass(frozen=True, slots=True)
class Conv:
    """A convolution with `size` x `size` weights, padded so that stride 1 keeps the size."""

    size: int
    stride: int
    out: int


@dataclass(frozen=True, slots=True)
class Pool:
    """The largest of each 2 x 2."""


@dataclass(frozen=True, slots=True)
class Dense:
    """Everything with everything."""

    out: int


Layer = Conv | Pool | Dense


@dataclass(frozen=True, slots=True)
class Shape:
    """One network: its input (height, width, channels), layers, and classes before the suits."""

    name: str
    high: int
    wide: int
    channels: int
    layers: tuple[Layer, ...]
    firsts: int
    suits: int = 5

    @property
    def out(self) -> int:
        """How many logits there are."""
        return self.firsts + self.suits


INDEX_A: Final = Shape(
    "index_a", 112, 64, 3,
    (Conv(5, 2, 12), Conv(3, 2, 24), Conv(3, 1, 32), Conv(3, 2, 48), Conv(3, 1, 64), Pool(),
     Dense(48), Dense(32)),
    firsts=27,
)  # fmt: skip
INDEX_B: Final = Shape(
    "index_b", 112, 64, 1,
    (Conv(7, 2, 16), Conv(3, 2, 32), Conv(3, 1, 32), Conv(3, 2, 64), Conv(3, 2, 80),
     Dense(64), Dense(32)),
    firsts=27,
)  # fmt: skip
FACE: Final = Shape(
    "face", 104, 72, 3,
    (Conv(3, 2, 10), Conv(3, 2, 20), Conv(3, 1, 24), Conv(3, 2, 40), Pool(), Dense(48),
     Dense(17)),
    firsts=12,
)  # fmt: skip
ALL: Final = (INDEX_A, INDEX_B, FACE)
#: Of a strip beside an edge: nothing, or a card beneath. Learned apart from those that read.
BENEATH: Final = Shape(
    "beneath", 24, 64, 3,
    (Conv(3, 1, 10), Pool(), Conv(3, 1, 16), Pool(), Conv(3, 1, 24), Conv(3, 2, 32), Dense(24),
     Dense(2)),
    firsts=2, suits=0,
)  # fmt: skip

#: Of an index alone, its text and its sign: learned apart, as witnesses.
INDEX_TEXT: Final = Shape(
    "index_text", 32, 48, 1,
    (Conv(3, 2, 16), Conv(3, 1, 24), Conv(3, 2, 32), Conv(3, 2, 48), Dense(48), Dense(19)),
    firsts=19, suits=0,
)  # fmt: skip
INDEX_SIGN: Final = Shape(
    "index_sign", 28, 28, 1,
    (Conv(3, 2, 12), Conv(3, 1, 16), Conv(3, 2, 32), Dense(32), Dense(5)),
    firsts=5, suits=0,
)  # fmt: skip


def start(shape: Shape, seed: int) -> Weights:
    """Random weights to begin with (He), one pair for each layer that has any."""
    rng = np.random.default_rng([seed, 4000])
    weights: Weights = []
    high, wide, channels = shape.high, shape.wide, shape.channels
    for layer in shape.layers:
        if isinstance(layer, Conv):
            dims: tuple[int, ...] = (layer.size, layer.size, channels, layer.out)
            high, wide, channels = -(-high // layer.stride), -(-wide // layer.stride), layer.out
        elif isinstance(layer, Pool):
            high, wide = high // 2, wide // 2
            continue
        else:
            dims = (high * wide * channels, layer.out)
            high, wide, channels = 1, 1, layer.out
        spread = np.sqrt(2 / np.prod(dims[:-1]))
        kernel = rng.standard_normal(dims) * spread
        weights.append((jnp.asarray(kernel, jnp.float32), jnp.zeros(dims[-1], jnp.float32)))
    kernel_out, bias_out = weights[-1]
    return [*weights[:-1], (kernel_out * 0.1, bias_out)]


def logits(
    shape: Shape,
    weights: Weights,
    x: Array,
    drop: Array | None = None,
    moments: list[tuple[Array, Array]] | None = None,
) -> Array:
    """What the network says of pictures (n, high, wide, channels), already (value - 128) / 128.

    `drop` is a key: given, a fifth of what enters the first dense layer is left out. `moments` is
    a list: given, every hidden layer is brought to mean 0 and spread 1 over these pictures before
    its bias, and its mean and spread are added to the list (`folded` makes weights of them).
    """
    left = iter(weights)
    x = PAPER - x  # paper is 0, ink what stands out
    for number, layer in enumerate(shape.layers):
        if isinstance(layer, Pool):
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
            continue
        kernel, bias = next(left)
        if isinstance(layer, Conv):
            pad = (layer.size // 2, layer.size // 2)
            step = (layer.stride, layer.stride)
            x = lax.conv_general_dilated(
                x, kernel, step, (pad, pad), dimension_numbers=("NHWC", "HWIO", "NHWC")
            )
        else:
            if x.ndim == 4:
                x = x.reshape(x.shape[0], -1)
                if drop is not None:
                    x = x * jax.random.bernoulli(drop, 0.8, x.shape) / 0.8
            x = x @ kernel
        if moments is not None and number + 1 < len(shape.layers):
            axes = tuple(range(x.ndim - 1))
            mean = x.mean(axis=axes)
            spread = jnp.sqrt(((x - mean) ** 2).mean(axis=axes) + 1e-4)
            moments.append((mean, spread))
            x = (x - mean) / spread
        x = x + bias
        if number + 1 < len(shape.layers):
            x = jax.nn.relu(x)
    return x


def folded(shape: Shape, weights: Weights, x: Array) -> Weights:
    """Weights that do without normalising, what was learned with it; `x` are typical pictures."""
    moments: list[tuple[Array, Array]] = []
    logits(shape, weights, x, moments=moments)
    hidden = [
        (kernel / spread, bias - mean / spread)
        for (kernel, bias), (mean, spread) in zip(weights, moments, strict=False)
    ]
    return [*hidden, weights[-1]]
