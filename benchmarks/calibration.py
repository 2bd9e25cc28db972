"""Are the probabilities of BTFClassifier right? Calibration on held-out rows, beside a random forest.

    python benchmarks/calibration.py [--only NAME] [--max-work N] [-o benchmarks/results/calibration.json]

Three-fold cross-validation, folds drawn from seed 0. The expected calibration error compares the probability of the
predicted class with how often it is right, in ten bins of equal width; the Brier score is the mean squared distance
between the probabilities and the classes, summed over classes. For both less is better. The record is written after
every row; rows of the same table and method are replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from common import arguments, chosen, new_record, run_script
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from boolearn.estimators import BTFClassifier

Floats = npt.NDArray[np.float64]

TABLES = {"breast cancer": load_breast_cancer, "digits": load_digits}
BINS = 10


def methods(max_work: int) -> dict[str, Callable[[], Any]]:
    return {
        "BTFClassifier": lambda: BTFClassifier(max_work=max_work, n_jobs=1),
        "BTFClassifier, 5 circuits": lambda: BTFClassifier(max_work=max_work, n_circuits=5, n_jobs=1),
        "random forest": lambda: RandomForestClassifier(random_state=0, n_jobs=1),
    }


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--max-work", type=int, default=1_000_000, help="of learn, for each circuit")
    options = parser.parse_args()
    every = methods(options.max_work)
    wanted = chosen({f"{table}, {method}": (table, method) for table in TABLES for method in every}, options.only)
    record = new_record(("table", "method"), options, 0, folds=3, bins=BINS)
    for name, (table, method) in wanted.items():
        x, y = TABLES[table](return_X_y=True)
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        shares = cross_val_predict(every[method](), x, y, cv=folds, method="predict_proba")
        row = {"accuracy": float((shares.argmax(axis=1) == y).mean())}
        row |= {"calibration_error": calibration_error(shares, y), "brier": brier(shares, y)}
        record.add({"table": table, "method": method, **row})
        if options.out:
            record.write_into(options.out)
        print(f"{name}: {', '.join(f'{what} {value:.4f}' for what, value in row.items())}", flush=True)


def calibration_error(shares: Floats, y: npt.NDArray[np.int64]) -> float:
    """The mean over rows of |confidence − accuracy| of their bin."""
    confidence, right = shares.max(axis=1), shares.argmax(axis=1) == y
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(sum(abs((confidence - right)[bins == k].sum()) for k in range(BINS)) / len(y))


def brier(shares: Floats, y: npt.NDArray[np.int64]) -> float:
    return float(((shares - np.eye(shares.shape[1])[y]) ** 2).sum(axis=1).mean())


if __name__ == "__main__":
    run_script(main)
