"""boolearn learn: from a table of examples to a circuit, without further questions."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.manner import is_quiet, shows_progress
from boolearn.cli.options import whole
from boolearn.cli.tables import Reader
from boolearn.cli.train import free_folder

if TYPE_CHECKING:
    from boolearn.data import Dataset
    from boolearn.learning import Learned


def learn(
    data: Annotated[Path, typer.Argument(help="Examples: a .dat, .csv, .tsv, .npz or .pla file.")],
    valid: Annotated[Path | None, typer.Option(help="Examples to choose by; else a share of DATA is held out.")] = None,
    valid_share: Annotated[float | None, typer.Option(help="The share of DATA to choose by (0.25).")] = None,
    test: Annotated[Path | None, typer.Option(help="Examples that are only counted, at the end.")] = None,
    outputs: Annotated[int | None, whole("CSV: how many of the last columns are outputs.")] = None,
    target: Annotated[
        str | None, typer.Option(help="CSV: the column to learn. The others may hold numbers, text and missing values.")
    ] = None,
    bits: Annotated[int, whole("With --target: the most thresholds for a column of numbers.", least=1)] = 4,
    max_seconds: Annotated[float | None, typer.Option(help="How long to search (60).")] = None,
    max_work: Annotated[int | None, whole("Search for this many units of work: the same result everywhere.")] = None,
    max_ands: Annotated[int | None, whole("The most And nodes the circuit may have.")] = None,
    noise: Annotated[float | None, typer.Option(help="The share of output bits that is wrong, if known.")] = None,
    gates: Annotated[str | None, typer.Option(help="Kinds of gates: and,or and as wanted maj,threshold,xor.")] = None,
    seed: Annotated[int, whole("Same seed and work, same result.")] = 0,
    threads: Annotated[int | None, whole("At most this many threads (all cores).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the circuit (DATA-run, DATA-run-2, …).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Learn a circuit from examples alone: no layers, no solver, no noise level.

    Ctrl-C takes the best so far. The circuit, and a model of the same function, are in the folder:
    boolearn circuit FOLDER -o circuit.aig writes it in any format, boolearn predict FOLDER uses it.

    Exit status: 0 a circuit was learned, however right it is; 2 error.
    """
    from boolearn.errors import ParameterError
    from boolearn.learning import estimate
    from boolearn.learning import learn as run
    from boolearn.learning.learn import GATES
    from boolearn.runs.folder import reserved, save_circuit

    if valid is not None and valid_share is not None:
        raise ParameterError("valid_share", "left out with 'valid'", valid_share)
    table = Reader(target, bits, outputs)
    rows = table.read(data)
    judged = valid_share if valid is None else table.read(valid)
    tested = None if test is None else table.read(test)
    with reserved(out if out is not None else free_folder(data)) as folder:
        if not as_json and not is_quiet():
            print(f"{rows!r}: learning, seed {seed}", file=sys.stderr, flush=True)
        learned = run(
            rows,
            valid=judged,
            max_seconds=max_seconds,
            max_work=max_work,
            max_ands=max_ands,
            noise=noise,
            gates=GATES if gates is None else gates.split(","),
            seed=seed,
            threads=threads,
            progress=shows_progress(as_json),
        )

        def wrong_bits(data: Dataset) -> int:
            return int(((learned.predict(data.inputs) != data.targets) & (data.targets != 0)).sum())

        result = learned.result()
        result["test_accuracy"] = None
        if tested is not None:
            wrong = wrong_bits(tested)
            on_test = estimate(wrong, tested.specified_bits)
            result |= {"test_accuracy": on_test.accuracy, "test_low": on_test.low, "test_high": on_test.high}
        settings = {
            "data": os.path.realpath(data),
            "items": len(rows),
            "outputs": outputs,
            **table.settings(),
            "wrong_bits": wrong_bits(rows),
            "valid": None if valid is None else os.path.realpath(valid),
            "valid_share": valid_share,
            "test": None if test is None else os.path.realpath(test),
            "seed": seed,
            "max_seconds": max_seconds,
            "max_work": max_work,
            "max_ands": max_ands,
            "noise_of_data": noise,
            "gates": gates,
        }
        table.save(folder)
        save_circuit(learned.circuit, folder, settings, result, rows.classes)
    if as_json:
        print(json.dumps({**result, "out": str(folder)}))
    else:
        _report(learned, result, folder)


def _report(learned: Learned, result: dict[str, object], folder: Path) -> None:
    print(learned)
    print(f"chosen because: {learned.why}")
    if result["test_accuracy"] is not None:
        what = "bits of test rows" if len(learned.circuit.outputs) > 1 else "test rows"
        print(f"{what}: {result['test_accuracy']:.2%} ({result['test_low']:.2%} to {result['test_high']:.2%})")
    if learned.contradictory:
        print(f"{learned.contradictory} rows contradict others with the same inputs")
    if learned.cut:
        print("stopped by time or Ctrl-C before all work was done; more time may find more")
    elif learned.work:
        print(f"to repeat exactly: --max-work {learned.work} --seed {learned.seed}")
    print(f"circuit and model are in {folder}; its formulas: boolearn circuit {shlex.quote(str(folder))}")
