"""Real tables: a circuit beside a decision tree, rules, votes of clauses, logistic regression and gradient boosting.

    pip download --no-deps --no-binary :all: gosdt==1.0.4 && tar xf gosdt-1.0.4.tar.gz
    python benchmarks/tables.py --gosdt gosdt-1.0.4/datasets [--only NAME] [--method NAME]
        [-o benchmarks/results/tables.json]

Every method has its own defaults and sees the same folds. The MONK problems have their published training rows, and all
432 rows are the test. The record is written after every row; rows of the same table and method are replaced.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from common import arguments, chosen, new_record, run_script
from sklearn.exceptions import ConvergenceWarning
from table_data import Table, tables
from table_peers import METHODS, Learner
from threadpoolctl import threadpool_limits

KEY = ("table", "method")


def measured(table: Table, learner: Learner, folds: int, seed: int) -> dict[str, Any]:
    """Accuracy on rows that were not learned from, with its standard error; size and CPU time of a fit."""
    right, tested, accuracies, sizes, seconds, extras = 0, 0, [], [], [], []
    unit = ""
    for train, test in table.parts(folds, seed):
        begun = time.process_time()
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            fit = learner(table.columns.iloc[train], table.labels[train], seed)
        seconds.append(time.process_time() - begun)
        hits = fit.predict(table.columns.iloc[test]) == table.labels[test]
        right, tested = right + int(hits.sum()), tested + len(hits)
        accuracies.append(float(hits.mean()))
        sizes.append(fit.size)
        extras.append(fit.extra)
        unit = fit.unit
    share = right / tested
    return {
        "rows": len(table.labels),
        "columns": table.columns.shape[1],
        "classes": len(np.unique(table.labels)),
        "accuracy": share,
        "standard_error": (share * (1 - share) / tested) ** 0.5,
        "wrong": tested - right,
        "folds": accuracies,
        "size": float(np.mean(sizes)),
        "unit": unit,
        "sizes": sizes,
        "cpu_seconds": float(np.mean(seconds)),
        **({"extra": extras} if any(extras) else {}),
    }


def main() -> None:
    options = arguments(__doc__, only=True)
    options.add_argument("--method", default="", help="only methods whose name contains this")
    options.add_argument("--folds", type=int, default=3)
    options.add_argument("--seed", type=int, default=0, help="of the folds and of the methods")
    options.add_argument("--gosdt", type=Path, help="the folder datasets of gosdt's source archive")
    given = options.parse_args()
    record = new_record(KEY, given, given.seed)
    for name, load in chosen(tables(given.gosdt), given.only).items():
        table = load()
        for method, learner in chosen(METHODS, given.method).items():
            row = {"table": name, "method": method, **measured(table, learner, given.folds, given.seed)}
            record.add(row)
            if given.out:
                record.write_into(given.out)
            print(
                f"{name:14} {method:20} {100 * row['accuracy']:6.2f} ± {100 * row['standard_error']:.2f} %  "
                f"{row['size']:8.1f} {row['unit']:12} {row['cpu_seconds']:7.2f} CPU s",
                flush=True,
            )


if __name__ == "__main__":
    run_script(main)
