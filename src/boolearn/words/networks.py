"""The two networks of Boolean threshold functions that learn codes: skip-gram and generative.

Skip-gram: a one-hot word, a layer of k neurons, the contexts. What the k neurons hold is the code. Generative: k free
inputs, the contexts; training finds the inputs. Both may have more layers between code and contexts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boolearn.data.signs import Signs, as_signs
from boolearn.errors import ParameterError
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.solver.run import Run
from boolearn.training import train
from boolearn.words.contexts import Contexts
from boolearn.words.decoder import bit_names

_WORDS_PER_SIGMA = 3
"""The code of a one-hot word has a margin of up to 2; with σ = words / 3 it is to be √3."""
_MOST_WORDS = 20_000


@dataclass(frozen=True, eq=False)
class Trained:
    codes: Signs
    decoder: BoolNet
    run: Run


def train_skip_gram(contexts: Contexts, k: int, hidden: Sequence[int], sigma: float, **settings: Any) -> Trained:
    """One-hot word → k bits → contexts."""
    words = len(contexts.words)
    if words > _MOST_WORDS:
        raise ParameterError(
            "max_words", f"at most {_MOST_WORDS} for skip-gram, which has a weight for every bit", words
        )
    data = contexts.skip_gram()
    widths = [words, k, *hidden, len(contexts.names)]
    sigmas = [max(sigma, words / _WORDS_PER_SIGMA), *[sigma] * (len(widths) - 2)]
    run = train(widths, data, sigma=sigmas, **settings)
    codes = as_signs(run.model.node_values(data.inputs)[:, words + 1 : words + 1 + k], "codes")
    network = layered(k, *widths[2:])
    weights = run.model.weights[-network.n_weights :]  # of the edges into all layers behind the code
    return Trained(codes, _named(BoolNet(network, weights), contexts), run)


def train_generative(contexts: Contexts, k: int, hidden: Sequence[int], sigma: float, **settings: Any) -> Trained:
    """Any code → contexts."""
    run = train([k, *hidden, len(contexts.names)], contexts.generative(), sigma=sigma, **settings)
    assert run.codes is not None
    return Trained(np.asarray(run.codes, np.int8), _named(run.model, contexts), run)


def _named(model: BoolNet, contexts: Contexts) -> BoolNet:
    return replace(model, input_names=bit_names(model.network.n_inputs), output_names=contexts.names)
