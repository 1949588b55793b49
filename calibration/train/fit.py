"""Training one network: Adam, a warm start, then a cosine; augmentation from the same seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from calibration.train.shapes import PAPER, Shape, Weights, folded, logits, start

Picture = NDArray[np.uint8]
Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast: `batch` pictures a step, `rate` the largest step size; `keep` is the
    share of the weights that it began with in those that it ends with; `anew` that it begins with
    random weights and not with those of the stage before.
    """

    epochs: int
    batch: int = 64
    rate: float = 3e-3
    decay: float = 1e-2
    shift: int = 4
    seed: int = 1
    keep: float = 0.0
    anew: bool = False


def scaled(pictures: Picture) -> NDArray[np.float32]:
    """As the table feeds them: (value - 128) / 128."""
    return np.asarray((pictures.astype(np.float32) - 128) / 128, np.float32)


def losses(shape: Shape, logits: Array, labels: Array) -> Array:
    """Cross entropy of both softmaxes, a little smoothed; what is labelled -1 counts nothing."""
    total = jnp.float32(0)
    for part, truth in (
        (logits[:, : shape.firsts], labels[:, 0]),
        (logits[:, shape.firsts :], labels[:, 1]),
    ):
        if not part.shape[1]:
            continue  # a network that says nothing of suits
        known = truth >= 0
        wanted = jax.nn.one_hot(truth, part.shape[1]) * 0.98 + 0.02 / part.shape[1]
        each = -(wanted * jax.nn.log_softmax(part)).sum(axis=1)
        total = total + (each * known).sum() / jnp.maximum(known.sum(), 1)
    return total


def _batches(
    pictures: Picture, labels: Labels, plan: Plan, rng: np.random.Generator
) -> Iterator[tuple[Picture, Labels]]:
    """One epoch in random order, each picture moved by up to `shift` pixels."""
    order = rng.permutation(len(pictures))
    s = plan.shift
    high, wide = pictures.shape[1:3]
    for first in range(0, len(order) - plan.batch + 1, plan.batch):
        chosen = order[first : first + plan.batch]
        stack = np.pad(pictures[chosen], ((0, 0), (s, s), (s, s), (0, 0)), mode="edge")
        moves = rng.integers(0, 2 * s + 1, (plan.batch, 2))
        yield (
            np.stack(
                [
                    each[y : y + high, x : x + wide]
                    for each, (y, x) in zip(stack, moves, strict=True)
                ]
            ),
            labels[chosen],
        )


def _lit(x: Array, key: Array) -> Array:
    """Other light: contrast against the paper, a cast of colour; as bytes would hold it."""
    one, two = jax.random.split(key)
    n, channels = x.shape[0], x.shape[3]
    contrast = jax.random.uniform(one, (n, 1, 1, 1), minval=0.75, maxval=1.2)
    cast = jax.random.uniform(two, (n, 1, 1, channels), minval=-0.1, maxval=0.07)
    return jnp.clip((x - PAPER) * contrast + PAPER + cast, -1.0, 1.0)


def train(
    shape: Shape,
    pictures: Picture,
    labels: Labels,
    plan: Plan,
    *,
    begin: Weights | None = None,
    tell: Callable[[str], None] = print,
) -> Weights:
    """The trained weights, from random ones or from `begin`; a line an epoch goes to `tell`."""

    @jax.jit  # type: ignore[untyped-decorator]
    def step(
        weights: Weights, m: Weights, v: Weights, t: Array, rate: Array,
        x: Array, y: Array, key: Array,
    ) -> tuple[Weights, Weights, Weights, Array]:  # fmt: skip
        light, drop = jax.random.split(key)

        def loss_of(w: Weights) -> Array:
            lit = _lit((x.astype(jnp.float32) - 128) / 128, light)
            moments: list[tuple[Array, Array]] | None = [] if begin is None else None
            return losses(shape, logits(shape, w, lit, drop, moments), y)

        loss, slopes = jax.value_and_grad(loss_of)(weights)
        tree = jax.tree_util
        m = tree.tree_map(lambda a, g: 0.9 * a + 0.1 * g, m, slopes)
        v = tree.tree_map(lambda a, g: 0.99 * a + 0.01 * g * g, v, slopes)

        def moved(w: Array, a: Array, b: Array) -> Array:
            ahead = a / (1 - 0.9**t) / (jnp.sqrt(b / (1 - 0.99**t)) + 1e-8)
            return w - rate * (ahead + (plan.decay * w if w.ndim > 1 else 0))

        return tree.tree_map(moved, weights, m, v), m, v, loss

    rng = np.random.default_rng([plan.seed, 5000])
    weights = begin or start(shape, plan.seed)
    zeros = jax.tree_util.tree_map(jnp.zeros_like, weights)
    m, v = zeros, zeros
    key = jax.random.PRNGKey(plan.seed)
    steps = plan.epochs * (len(pictures) // plan.batch)
    done, began = 0, time.monotonic()
    for epoch in range(plan.epochs):
        total, count = 0.0, 0
        for some, truth in _batches(pictures, labels, plan, rng):
            done += 1
            warm = min(1.0, done / 60)
            rate = plan.rate * warm * (0.5 + 0.5 * np.cos(np.pi * done / steps)) + 1e-5
            key, one = jax.random.split(key)
            weights, m, v, loss = step(
                weights, m, v, jnp.float32(done), jnp.float32(rate), some, truth, one
            )
            if done % 10 == 0:
                total, count = total + float(loss), count + 1
        tell(
            f"{shape.name} epoch {epoch + 1}/{plan.epochs}: loss {total / max(1, count):.4f},"
            f" {time.monotonic() - began:.0f} s"
        )
    if begin is None:
        typical = pictures[rng.choice(len(pictures), min(1024, len(pictures)), replace=False)]
        return folded(shape, weights, jnp.asarray(scaled(typical)))
    return [
        (plan.keep * a + (1 - plan.keep) * c, plan.keep * b + (1 - plan.keep) * d)
        for (a, b), (c, d) in zip(begin, weights, strict=True)
    ]


def answer(shape: Shape, weights: Weights, pictures: Picture) -> NDArray[np.float32]:
    """The logits of many pictures, 256 at a time."""
    run = jax.jit(lambda x: logits(shape, weights, x))
    parts = [
        np.asarray(run(jnp.asarray(scaled(pictures[at : at + 256]))))
        for at in range(0, len(pictures), 256)
    ]
    return np.concatenate(parts)
