"""A small neural network with numpy alone: one hidden layer, trained with Adam."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]


class Network:
    """Rows of inputs to rows of outputs; before anything is learned, all outputs are 0."""

    def __init__(
        self, inputs: int, outputs: int, rng: np.random.Generator, hidden: int = 128
    ) -> None:
        self.weights: list[Array] = [
            rng.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, outputs), np.float32),
            np.zeros(outputs, np.float32),
        ]
        self.moments = [(np.zeros_like(of), np.zeros_like(of)) for of in self.weights]
        self.steps = 0

    def __call__(self, inputs: Array) -> tuple[Array, Array]:
        """The hidden layer, and the outputs."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(inputs @ first + first_bias, 0)
        return hidden, hidden @ second + second_bias

    def learn(self, inputs: Array, hidden: Array, of_outputs: Array) -> None:
        """A step down the slope of a loss; ``of_outputs`` is its slope by the outputs."""
        of_hidden = (of_outputs @ self.weights[2].T) * (hidden > 0)
        slopes = [inputs.T @ of_hidden, of_hidden.sum(0), hidden.T @ of_outputs, of_outputs.sum(0)]
        self.steps += 1
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            scale = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight -= 0.001 * (mean / (1 - 0.9**self.steps)) / scale


def softmax(logits: Array, mask: Array) -> Array:
    """Chances of the actions that may be played; 0 where there is none."""
    logits = np.where(mask, logits, -np.inf)
    most = logits.max(axis=1, keepdims=True)
    chances = np.exp(logits - np.where(np.isfinite(most), most, 0))
    return np.asarray(chances / np.maximum(chances.sum(axis=1, keepdims=True), 1e-9))
