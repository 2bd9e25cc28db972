"""scikit-learn's own checks of estimators."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from boolearn.estimators import BTFAutoencoder, BTFClassifier, BTFFunction, BTFGenerator

ESTIMATORS = [
    BTFClassifier(max_work=50_000, n_jobs=1),
    BTFFunction(max_work=50_000, n_jobs=1),
    BTFAutoencoder(2, max_iter=50, n_jobs=1),
    BTFGenerator(2, max_iter=50, n_jobs=1),
]


def _expected(estimator: Any) -> dict[str, str]:
    if isinstance(estimator, BTFClassifier):
        # Which rows are held out is drawn from the number of rows, so repeated rows give another draw.
        return {"check_sample_weight_equivalence_on_dense_data": "held-out rows are drawn, and a heavy row stays whole"}
    return {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=_expected)  # type: ignore[untyped-decorator]
def test_scikit_learn_accepts_them(estimator: Any, check: Any) -> None:
    check(estimator)
