"""Linear models, one for each output bit: ridge regression with a sign, and logistic regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boolearn.baselines.method import Method, Model
from boolearn.data import Dataset


@dataclass(frozen=True)
class Ridge(Method):
    """The sign of a linear regression, with a penalty on all coefficients, that of the constant too."""

    strength: float = 1.0

    @property
    def name(self) -> str:
        return "ridge and sign"

    @property
    def budget(self) -> str:
        return "solved"

    def learn(self, data: Dataset, seed: int) -> Model:  # noqa: ARG002 - nothing is drawn
        inputs = np.column_stack([data.inputs, np.ones(len(data))])
        penalty = self.strength * np.eye(inputs.shape[1])
        coefficients = np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ data.targets)
        return Model(lambda given: given @ coefficients[:-1] + coefficients[-1], coefficients.size, "numbers")


@dataclass(frozen=True)
class Logistic(Method):
    """scikit-learn's LogisticRegression with its own settings; a bit that never changes is a constant."""

    max_iter: int = 1000

    @property
    def name(self) -> str:
        return "logistic regression"

    @property
    def budget(self) -> str:
        return f"{self.max_iter:,} iterations"

    def learn(self, data: Dataset, seed: int) -> Model:  # noqa: ARG002 - nothing is drawn
        from sklearn.linear_model import LogisticRegression

        weights, constants = np.zeros((data.n_inputs, data.n_output_nodes)), np.zeros(data.n_output_nodes)
        for place, bit in enumerate(data.targets.T):
            if len(set(bit)) == 1:
                constants[place] = bit[0]
                continue
            found = LogisticRegression(max_iter=self.max_iter).fit(data.inputs, bit)
            weights[:, place], constants[place] = found.coef_[0], found.intercept_[0]
        return Model(lambda given: given @ weights + constants, weights.size + constants.size, "numbers")
