"""The comparison of methods: the same draws for all, the benchmark's folder, and tables from the record."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from boolearn.data import Dataset, write_pla
from boolearn.errors import FileError, ParameterError
from boolearn.experiments import reproduce
from boolearn.experiments.baselines import EXPERIMENT, Parameters, cases, jobs, summary
from boolearn.experiments.compared_methods import FULL, budgets, methods
from boolearn.experiments.compared_problems import IWLS, TEST_ITEMS, Case, draw
from boolearn.experiments.compared_tables import FAMILIES, groups, tables

SMALL = replace(
    EXPERIMENT.quick,
    circuit_items=(),
    rule30_items=(),
    rule30_twice_items=(),
    digit_items=(),
    multipliers=(),
    fours_items=(),
    function_hidden=(4,),
    max_iter_percent=1,
)


@pytest.fixture
def benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A function of the benchmark's form, with other rows in every part."""
    rng = np.random.default_rng(0)
    for part, ending in (("train", "train"), ("validation", "valid"), ("test", "test")):
        rows = rng.choice(np.array([-1, 1], np.int8), (80, 5))
        (tmp_path / part).mkdir()
        write_pla(Dataset(rows, np.maximum(rows[:, :1], rows[:, 1:2])), tmp_path / part / f"ex00.{ending}.pla")
    monkeypatch.setenv(IWLS, str(tmp_path))
    return tmp_path


def test_sizes_of_a_problem_are_nested_and_share_their_test_items() -> None:
    small, large = (draw(Case("maj", n, (6, 6, 6), 40), 5) for n in (16, 40))
    assert small.test is not None
    assert large.test is not None
    assert np.array_equal(small.train.inputs, large.train.inputs[:16])
    assert np.array_equal(small.test.inputs, large.test.inputs)
    assert len(small.test) == TEST_ITEMS
    other = draw(Case("maj", 16, (6, 6, 6), 40), 6)
    assert not np.array_equal(small.train.outputs, other.train.outputs)


def test_test_rows_are_scored_where_there_are_some_and_else_validation_rows(benchmark: Path) -> None:
    case = Case("iwls", "ex00", (0, 4, 1))
    assert draw(case, 0).scored == "test"
    (benchmark / "test/ex00.test.pla").unlink()
    assert draw(case, 0).scored == "validation"
    (benchmark / "validation/ex00.valid.pla").unlink()
    with pytest.raises(FileError, match="no test or validation rows of ex00"):
        draw(case, 0)


def test_without_its_folder_the_benchmark_is_left_out_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(IWLS, raising=False)
    assert {case.family for case in cases(EXPERIMENT.full)} == set(FAMILIES) - {"iwls"}
    assert "left out: BOOLEARN_IWLS2020" in summary([])[0].ours
    with pytest.raises(ParameterError, match="BOOLEARN_IWLS2020"):
        draw(Case("iwls", "ex00", (0, 4, 1)), 0)


def test_the_full_comparison_has_every_family_three_seeds_and_even_functions(benchmark: Path) -> None:
    full = jobs(EXPERIMENT.full, 0)
    assert {job.arguments["case"]["family"] for job in full} == set(FAMILIES)
    assert EXPERIMENT.full.seeds == 3
    assert len(EXPERIMENT.full.functions) == 6
    assert all(int(name[2:]) % 2 == 0 for name in EXPERIMENT.full.functions)


@pytest.mark.slow
def test_a_comparison_of_one_function_ends_in_a_table_with_every_method(benchmark: Path, tmp_path: Path) -> None:
    pytest.importorskip("hgp_lib", reason="hgp-lib comes with the extra 'peers'")
    record = reproduce(EXPERIMENT, SMALL, 0, tmp_path / "out", command=["boolearn"], threads=1)
    names = [row["method"] for row in record["rows"]]
    assert names == list(methods(cases(SMALL)[0], 1))
    assert {"rrr", "gates", "ridge", "tree", "adamw", "logic-gates", "tsetlin", "genetic"} <= set(names)
    assert all(row["scored"] == "test" for row in record["rows"])
    assert all(row["test_bits"] == row["test_items"] for row in record["rows"]), "there is one output"
    (table,) = tables(record["rows"]).values()
    assert len(table.splitlines()) == 2 + len(names)
    tree = next(line for line in table.splitlines() if "decision tree" in line)
    assert "yes" in tree
    assert "100.00 (100.0)" in tree


def row(method: str, seed: int, test: float) -> dict[str, object]:
    return {
        "family": "maj",
        "size_of_problem": 256,
        "method": method,
        "name": method,
        "budget": "5 steps",
        "scored": "test",
        "seed": seed,
        "train_bits": 1.0,
        "train_items": 0.5,
        "test_bits": test,
        "test_items": 0.0,
        "cpu_seconds": 2.0,
        "size": 3,
        "unit": "gates",
        "circuit": seed == 0,
    }


def test_a_table_has_means_errors_the_paper_and_the_best_in_bold() -> None:
    rows = [row("ste", seed, test) for seed, test in enumerate((0.7, 0.8))] + [row("ridge", 0, 0.9)]
    ste, ridge = groups(rows)
    assert ste.test_bits == pytest.approx(0.75)
    assert (ste.draws, ste.circuit, ste.paper) == (2, False, "72.53")
    assert ste.error == pytest.approx(0.05)
    assert (ridge.error, ridge.circuit, ridge.paper) == (None, True, "")
    first, second = tables(rows)["maj"].splitlines()[2:]
    assert first == "| 256 items | ste | 5 steps | 100.00 (50.0) | 75.00 ± 5.00 (0.0) | 2 | 3 gates | no | 72.53 |"
    assert second == "|  | ridge | 5 steps | 100.00 (50.0) | **90.00** (0.0) | 2 | 3 gates | yes |  |"


def test_budgets_shrink_but_never_vanish() -> None:
    for family, full in FULL.items():
        assert budgets(family, 100) == full
        for name, value in vars(budgets(family, 1)).items():
            assert (value > 0) == (getattr(full, name) > 0)


def test_jobs_are_plain_enough_to_be_written_down() -> None:
    for job in jobs(Parameters(), 0):
        assert json.loads(json.dumps(job.arguments))["case"]["family"] == job.arguments["case"]["family"]
    assert json.loads(json.dumps(asdict(Parameters())))["seeds"] == 3
