"""What every fitted estimator with a circuit offers: the circuit, its rules, its exports, and how training went."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from boolearn.circuit import Circuit
from boolearn.circuit.formats.columns import save_with_tests
from boolearn.circuit.formats.python import python_source
from boolearn.circuit.formats.sql import sql_query
from boolearn.data.signs import Signs
from boolearn.data.tables import TableBinariser
from boolearn.data.tables.questions import PYTHON_HELPERS
from boolearn.errors import MissingExtraError, ParameterError
from boolearn.estimators.fitting import Fitted, read_table
from boolearn.estimators.rules import Rule, find_rules
from boolearn.files import PathLike

if TYPE_CHECKING:
    import pandas as pd

    from boolearn.solver import TraceLine


class Exports(ABC):
    """For estimators with ``binariser_`` and ``fitted_``."""

    binariser_: TableBinariser
    fitted_: list[Fitted]
    _training: tuple[Signs, npt.NDArray[np.str_]]
    """The answers of the training rows to the tests, and what is true of them."""

    @property
    def circuit_(self) -> Circuit:
        """The circuit; the first of several, which ``predict`` lets vote."""
        check_is_fitted(self)
        return self.fitted_[0].circuit

    @property
    def gap_(self) -> float:
        """Of a trained network: its gap. Of ``learn``: the share of wrong bits on the training rows."""
        check_is_fitted(self)
        fitted = self.fitted_[0]
        if fitted.run is not None:
            return fitted.run.gap
        assert fitted.learned is not None
        return 1 - fitted.learned.train_accuracy

    @property
    def n_iter_(self) -> int:
        """Iterations of a trained network, or units of work of ``learn``; at least 1."""
        check_is_fitted(self)
        fitted = self.fitted_[0]
        assert fitted.run is not None or fitted.learned is not None
        return max(1, fitted.run.iterations if fitted.run is not None else fitted.learned.work)  # type: ignore[union-attr]

    @property
    def trace_(self) -> tuple[TraceLine, ...]:
        """Of a trained network; ``learn`` has none."""
        check_is_fitted(self)
        run = self.fitted_[0].run
        return () if run is None else run.trace

    def tests(self, X: Any) -> Signs:
        """Shape (rows, tests) of ±1: the answers to the questions that the circuit reads, named in ``binariser_``."""
        table = read_table(self, X, reset=False)
        return self.binariser_.transform(table)

    def find_rules(self, X: Any = None, y: Any = None) -> list[Rule]:
        """What ``rules`` shows, as objects."""
        if (X is None) != (y is None):
            raise ParameterError("y", "given with X, and left out with it", y)
        check_is_fitted(self)
        rows, truth = self._training if X is None else (self.tests(X), self._in_words(y))
        return find_rules(self.circuit_, self.binariser_.tests, rows, truth, self._said)

    def rules(self, X: Any = None, y: Any = None) -> pd.DataFrame:
        """Few rules that explain every answer of the circuit on the training rows, or on others, as a data frame.

        Each rule is a conjunction of tests that alone makes the circuit give its answer, whatever the other columns
        hold. ``coverage`` is the share of the rows to which it applies, ``precision`` the share of those rows on which
        the prediction is true.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("rules() gives a pandas data frame, which", "tables") from error
        rows = [(rule.text, rule.prediction, rule.coverage, rule.precision) for rule in self.find_rules(X, y)]
        return pd.DataFrame(rows, columns=["rule", "prediction", "coverage", "precision"])

    @abstractmethod
    def _said(self, answer: Signs) -> str:
        """The answers of the circuit as a prediction in words."""

    @abstractmethod
    def _in_words(self, y: Any) -> npt.NDArray[np.str_]:
        """What is true of rows, in the same words."""

    def to_sql(self, table: str = "data", columns: Sequence[str] | None = None) -> str:
        """A query over a table with the columns of training that adds a column of 0 and 1 for every output.

        ``columns`` names the columns of the table that the result keeps. By default it keeps all of them, and has
        further columns ``boolearn_g…`` for tests and gates. The outputs are those of ``circuit_``: see ``export``.
        """
        return sql_query(self._exported(), table, self.binariser_.sql(), columns)

    def to_python(self) -> str:
        """A module with ``predict(row)``, for a mapping from the columns of training to values. It returns the outputs
        of ``circuit_``: see ``export``."""
        return python_source(self._exported(), conditions=self.binariser_.python(), helpers=PYTHON_HELPERS)

    def export(self, path: PathLike) -> None:
        """Write ``circuit_`` to a file in the format of its ending; ``.sql`` and ``.py`` read the columns of training,
        other formats the answers to the tests.

        A file has the outputs of the circuit. A classifier decides by counts: its ``predict`` gives the class that
        most training rows with the same outputs had. For three or more classes, one output each, a row may have none
        or several that are true, and ``predict`` still gives one class. Of several circuits only the first is written,
        with a warning.
        """
        save_with_tests(self._exported(), self.binariser_, path)

    def _exported(self) -> Circuit:
        circuit = self.circuit_
        if len(self.fitted_) > 1:
            warnings.warn(
                f"only circuit_, the first of {len(self.fitted_)} circuits, is exported; predict lets all of them vote "
                "and may answer otherwise. n_circuits=1 learns a single circuit",
                UserWarning,
                stacklevel=3,
            )
        return circuit
