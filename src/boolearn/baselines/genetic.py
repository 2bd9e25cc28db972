"""Boolean symbolic regression: genetic programming of a formula for one output bit, by hgp-lib (extra ``peers``)."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from boolearn.baselines.method import Array, Method, Model, circuit_model
from boolearn.circuit.building import CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.data import Dataset, InputKind
from boolearn.errors import MissingExtraError, ParameterError


@dataclass(frozen=True)
class GeneticFormula(Method):
    """Formulas of And and Or are mutated and crossed; the one with the best accuracy on the training items counts."""

    generations: int
    population: int = 100

    @property
    def name(self) -> str:
        return "genetic formulas"

    @property
    def budget(self) -> str:
        return f"{self.generations:,} generations of {self.population}"

    def prepare(self) -> None:
        try:
            import hgp_lib  # noqa: F401
        except ImportError:
            raise MissingExtraError("Genetic programming of formulas", "peers") from None

    def learn(self, data: Dataset, seed: int) -> Model:
        if data.input_kind is not InputKind.BOOLEAN or data.n_output_nodes != 1:
            raise ParameterError("data", "with Boolean inputs and one output bit", data)
        from hgp_lib.configs import BooleanGPConfig, TrainerConfig
        from hgp_lib.populations import PopulationGeneratorFactory
        from hgp_lib.trainers import GPTrainer

        config = BooleanGPConfig(
            score_fn=accuracy,
            train_data=data.inputs > 0,
            train_labels=(data.targets[:, 0] > 0).astype(int),
            population_factory=PopulationGeneratorFactory(self.population),
            optimize_scorer=False,
        )
        with global_generators(seed):
            history = GPTrainer(TrainerConfig(gp_config=config, num_epochs=self.generations, progress_bar=False)).fit()
        builder = CircuitBuilder([f"x{place}" for place in range(data.n_inputs)])
        return circuit_model(builder.circuit([("y0", literal_of(builder, history.global_best_rule))]))


def accuracy(wanted: Array, found: Array) -> float:
    return float(np.mean(wanted == found))


def literal_of(builder: CircuitBuilder, rule: Any) -> Literal:
    """hgp-lib's formula as gates."""
    if rule.subrules:
        join = {"And": builder.conjunction, "Or": builder.disjunction}[type(rule).__name__]
        found = join([literal_of(builder, part) for part in rule.subrules])
    else:
        found = Literal(int(rule.value))
    return negation(found) if rule.negated else found


@contextlib.contextmanager
def global_generators(seed: int) -> Iterator[None]:
    """hgp-lib draws from the global generators of Python and NumPy; they are left as they were."""
    python, legacy = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(legacy)  # noqa: NPY002
