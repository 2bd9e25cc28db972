"""Time for a solution: costs that count every start, the C toolkit's files, and limits that are kept."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from boolearn.bench.solutions import GAP_TOL, Comparison, Effort, Settings, geometric_mean, run_solutions
from boolearn.bench.solvable import solvable_problems
from boolearn.bench.toolkit import Orders, Toolkit, lines_of_trace
from boolearn.data import multiplier
from boolearn.errors import FileError, ParameterError
from boolearn.network import layered
from boolearn.solver import Restarts
from boolearn.solver.trace import DEFAULT_RATIO
from boolearn.training import train
from commands import boolearn


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def program(text: str) -> Path:
    path = Path("program").absolute()
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def classic() -> Path:
    """A program with the arguments and files of the C toolkit's: our own in its place."""
    return program(f'exec "{sys.executable}" -m boolearn classic train "$@"')


def test_a_solution_costs_all_starts_also_those_in_vain() -> None:
    effort = Effort([(10, True), (100, False), (30, True)], unfinished=60, cpu_seconds=4.0, wall_seconds=8.0)
    assert (effort.solved, effort.iterations) == (2, 200)
    row = effort.row()
    assert row["cpu_seconds_per_solution"] == 2.0
    assert row["wall_seconds_per_solution"] == 4.0
    assert Effort(cpu_seconds=4.0).row()["cpu_seconds_per_solution"] is None


def test_the_error_is_how_much_the_cost_varies_from_one_set_of_starts_to_another() -> None:
    random = np.random.default_rng(1)
    n, sets = 400, 400

    def drawn() -> Effort:
        iterations = random.geometric(1 / 1000, n)
        return Effort([(min(k, 1500), k <= 1500) for k in map(int, iterations)])

    costs = [(effort := drawn()).iterations / effort.solved for _ in range(sets)]
    error = drawn().relative_error
    assert error is not None
    assert error == pytest.approx(np.std(costs) / np.mean(costs), rel=0.25)


def test_one_start_or_no_solution_has_no_error() -> None:
    assert Effort([(10, True)]).relative_error is None
    assert Effort([(10, False), (10, False)]).relative_error is None


def test_a_ratio_without_a_solution_of_the_c_toolkit_is_a_bound() -> None:
    task = solvable_problems()[0]
    ours = Effort([(10, True)] * 4, cpu_seconds=4.0, wall_seconds=4.0)
    found = Comparison(task, 1, ours, Effort([(1000, False)], cpu_seconds=70.0, wall_seconds=80.0))
    assert (found.is_bound, found.cpu_ratio, found.wall_ratio) == (True, 70.0, 80.0)
    solved = Comparison(task, 1, ours, Effort([(10, True)] * 2, cpu_seconds=70.0, wall_seconds=80.0))
    assert (solved.is_bound, solved.cpu_ratio, solved.iteration_ratio) == (False, 35.0, 35.0)
    assert Comparison(task, 1, Effort([(10, False)], cpu_seconds=1.0), solved.original).cpu_ratio is None
    assert Comparison(task, 1, ours, None).cpu_ratio is None


def test_a_ratio_is_that_of_an_iteration_times_that_of_iterations() -> None:
    ours = Effort([(10, True), (40, False)], cpu_seconds=4.0, wall_seconds=4.0)
    original = Effort([(30, True)] * 2, unfinished=20, cpu_seconds=70.0, wall_seconds=80.0)
    found = Comparison(solvable_problems()[0], 1, ours, original)
    assert found.iteration_ratio is not None
    assert found.iterations_ratio == 40 / 50
    assert found.cpu_ratio == pytest.approx(found.iteration_ratio * found.iterations_ratio)


def test_geometric_mean() -> None:
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
    assert geometric_mean([]) is None


def test_names_of_problems_are_unique_and_all_fit_their_data() -> None:
    tasks = solvable_problems()
    assert len({task.name for task in tasks}) == len(tasks)
    for task in tasks:
        assert task.network.n_inputs == (task.dataset.inputs.shape[1] or task.network.n_inputs)
        assert task.learned_items <= len(task.dataset)
        assert (task.target is None) == (task.items is None)


def test_the_trace_of_the_c_toolkit_is_as_fine_as_ours() -> None:
    for max_iter in (100, 10_000, 2_000_000):
        assert max_iter ** (1 / lines_of_trace(max_iter)) == pytest.approx(DEFAULT_RATIO, rel=0.03)


def test_files_of_the_program_are_read(classic: Path) -> None:
    toolkit = Toolkit(classic, layered(4, 4, 4, 4), multiplier(2), Path.cwd())
    spent = toolkit.run(Orders(12, 3, 0.2, 1e-3, max_iter=200, gap_tol=0.01, lines=5, starts=3))
    assert spent.ended
    assert spent.cpu_seconds > 0
    assert spent.wall_seconds > 0
    assert len(toolkit.ended_starts()) == 3
    assert all(0 <= iterations <= 200 for iterations in toolkit.ended_starts())
    assert toolkit.trace(tested=True)[-1][0] == 200
    assert all(0 <= accuracy <= 1 for _, accuracy in toolkit.trace(tested=True))


def test_a_program_is_ended_when_its_time_is_up() -> None:
    endless = program("echo '   1         250    0.00900000   100.000 %     0.000 %' > bench.run; while :; do :; done")
    toolkit = Toolkit(endless, layered(4, 4, 4, 4), multiplier(2), Path.cwd())
    spent = toolkit.run(Orders(16, 3, 0.2, 1e-3, 200, 0.01, starts=3), max_cpu_seconds=1)
    assert not spent.ended
    assert 0.8 < spent.cpu_seconds < 3
    assert toolkit.ended_starts() == [250]


def test_a_program_that_fails_is_refused() -> None:
    toolkit = Toolkit(program("exit 3"), layered(4, 4, 4, 4), multiplier(2), Path.cwd())
    with pytest.raises(FileError, match="ended with status 3"):
        toolkit.run(Orders(16, 3, 0.2, 1e-3, 200, 0.01), max_cpu_seconds=5)


def test_settings_are_checked_before_anything_is_solved() -> None:
    with pytest.raises(ParameterError, match="'only' parameter must be a part of one of the problems' names, 2-bit"):
        Settings(only="zzz")


def test_ours_alone_are_solved_from_the_seeds_that_are_named() -> None:
    def starts() -> list[tuple[int, bool]]:
        (found,) = run_solutions(Settings(only="2-bit", starts=3, threads=1))
        assert found.original is None
        return found.ours.starts

    assert len(starts()) == 3
    assert starts() == starts()


def test_free_inputs_end_with_the_gap_as_in_the_c_toolkit() -> None:
    """A closed gap does not yet mean that the codes give every bit; train asks for that, the C toolkit does not."""
    (task,) = (task for task in solvable_problems() if task.name == "decoder, k = 3")
    closed = sooner = 0
    for seed in range(6):
        (found,) = run_solutions(Settings(only=task.name, starts=1, max_seconds=1, threads=1, seed=seed))
        ((iterations, solved),) = found.ours.starts or [(0, False)]
        if solved:
            run = train(task.network, task.dataset, sigma=task.sigma, seed=seed, max_iter=iterations, threads=1)
            assert run.gap < GAP_TOL <= min(line.least_gap for line in run.trace[:-1])
            closed, sooner = closed + 1, sooner + (not run.solved)
    assert closed >= 2
    assert sooner >= 1


def test_beta_and_gamma_are_those_of_ours_and_checked() -> None:
    def iterations(beta: float | Literal["auto"]) -> list[tuple[int, bool]]:
        (found,) = run_solutions(Settings(only="2-bit", starts=2, threads=1, beta=beta))
        return found.ours.starts

    assert iterations(0.2) != iterations(0.5) == iterations("auto")
    with pytest.raises(ParameterError, match="'beta' parameter must be between 0 and 2"):
        Settings(beta=2.5)


def test_with_auto_the_gate_search_has_its_turns_and_ends_with_a_fit() -> None:
    (alone,) = run_solutions(Settings(only="Maj", starts=1, threads=1, max_seconds=2, beta="auto", gamma="auto"))
    (turns,) = run_solutions(Settings(only="Maj", starts=2, threads=1, solver="auto", growing=1.5))
    assert alone.ours.solved == 0  # within two seconds
    assert turns.ours.solved == 2
    assert turns.row()["solver"] == "auto"
    assert len(turns.ours.seconds) == 2  # sweeps and iterations do not take the same time
    assert turns.ours.relative_error is not None
    beside = Comparison(turns.task, 1, turns.ours, Effort([(10, True)], cpu_seconds=1.0, wall_seconds=1.0), "auto")
    assert beside.cpu_ratio is not None
    assert (beside.iteration_ratio, beside.iterations_ratio) == (None, None)
    with pytest.raises(ParameterError, match="'solver' parameter must be 'rrr' or 'auto'"):
        Settings(solver="gates")  # type: ignore[arg-type]


def test_with_growing_limits_all_starts_up_to_a_solved_one_count_as_one() -> None:
    (found,) = run_solutions(Settings(only="2-bit", starts=3, threads=1, growing=1.5))
    for number, (iterations, solved) in enumerate(found.ours.starts):
        run = train(
            found.task.network,
            found.task.dataset,
            seed=100 * number,
            max_iter=found.task.max_iter,
            restarts=Restarts(100, growing=1.5),
            threads=1,
        )
        assert (iterations, solved) == (sum(start.iterations for start in run.starts), run.solved)
    assert (len(found.ours.starts), found.ours.solved) == (3, 3)
    with pytest.raises(ParameterError, match="'growing' parameter must be finite and at least 1"):
        Settings(growing=0.5)


def test_digits_end_at_the_accuracy_asked_for(classic: Path) -> None:
    (found,) = run_solutions(Settings(classic, only="digits", starts=1, threads=1))
    assert found.original is not None
    for effort in (found.ours, found.original):
        ((iterations, solved),) = effort.starts
        assert solved
        assert iterations < found.task.max_iter


def test_the_command_compares_and_writes_a_record(classic: Path) -> None:
    words = ("--solutions", "--only", "2-bit", "--starts", "4", "--threads", "1", "--original", str(classic))
    shown = boolearn("bench", *words, "-o", "solutions.json").stdout.splitlines()
    record = json.loads(Path("solutions.json").read_text("utf-8"))
    (row,) = record["rows"]
    assert (record["benchmark"], record["key"]) == ("solutions", ["problem", "solver"])
    assert (row["problem"], row["threads"], row["ours"]["starts"]) == ("2-bit multiplier", 1, 4)
    assert row["original"]["starts"] == 4
    if row["ours"]["solved"] and row["original"]["solved"]:
        assert shown[-1] == f"geometric mean {row['wall_ratio']:.3g} times the C toolkit"
    assert math.isfinite(row["iteration_cpu_ratio"])
    assert [run["command"].split()[:3] for run in record["runs"]] == [["boolearn", "bench", "--solutions"]]


def test_means_are_over_all_problems_of_a_record_that_several_runs_made(classic: Path) -> None:
    words = ("--solutions", "--starts", "2", "--threads", "1", "--original", str(classic), "-o", "solutions.json")
    assert "solved by both: 1 of 1 problems; by ours alone: 0" in boolearn("bench", *words, "--only", "digits").stdout
    record = json.loads(Path("solutions.json").read_text("utf-8"))
    other = {**record["rows"][0], "problem": "another", "wall_ratio": 8 * record["rows"][0]["wall_ratio"]}
    by_turns = {**other, "solver": "auto"}
    Path("solutions.json").write_text(json.dumps({**record, "rows": [*record["rows"], other, by_turns]}), "utf-8")
    shown = boolearn("bench", *words, "--only", "digits").stdout.splitlines()
    rows = json.loads(Path("solutions.json").read_text("utf-8"))["rows"]
    ratios = [row["wall_ratio"] for row in rows if row["solver"] == "rrr"]
    assert "solved by both: 2 of 2 problems; by ours alone: 0" in shown
    assert shown[-1] == f"geometric mean {geometric_mean(ratios):.3g} times the C toolkit"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--starts", "0"), "'starts' parameter must be an integer of at least 1"),
        (("--max-seconds", "0"), "'max_seconds' parameter must be an integer of at least 1"),
        (("--reference",), "'reference' parameter must be left out with --solutions"),
        (("--beta", "fast"), "'beta' parameter must be a number or auto. Got 'fast' instead"),
        (("--gamma", "0,1"), "'gamma' parameter must be a number or auto. Got '0,1' instead"),
        (("--only", "zzz"), "'only' parameter must be a part of one of the problems' names"),
        (("--original", "/"), "is not a program"),
        (("--only", "2-bit", "--original", "/bin/false"), "it ended with status 1"),
    ],
)
def test_errors_of_the_command(words: tuple[str, ...], message: str) -> None:
    assert message in boolearn("bench", "--solutions", *words, status=2).stderr
