"""boolearn predict: the outputs of a trained network."""

from __future__ import annotations

import json
import operator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.cli.options import whole

if TYPE_CHECKING:
    import numpy.typing as npt

    from boolearn.data.questions import Expected
    from boolearn.model import BoolNet


def predict(
    model: Annotated[Path, typer.Argument(help="A run directory, or a model (.safetensors, .net, .sol).")],
    data: Annotated[Path, typer.Argument(help="Items to predict: .dat, .csv, .tsv, .npz or .pla.")],
    outputs: Annotated[
        int | None, whole("CSV, TSV: number of output columns, the last ones; by default as many as the model has.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the predictions as CSV.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Predict the outputs of the items in a data file.

    The accuracy is given where the file holds outputs to compare with.

    Columns are matched by name when both the model and the file have names, else by position. A CSV file may
    hold inputs only.

    The file of predictions has a header where the model knows names. A column of class labels has the name of the
    target, or of the labels in DATA, or else class.
    """
    from dataclasses import replace

    from boolearn.data.questions import read_questions
    from boolearn.files import write_text
    from boolearn.problem import check_fit
    from boolearn.runs.folder import BINARISER, load_model

    net = load_model(model)
    if (model / BINARISER).exists():
        _predict_table(model, net, data, out, as_json)
        return
    knows = model.suffix not in (".net", ".sol") or model.is_dir()
    questions = read_questions(data, _expected(net, knows), outputs)
    dataset = questions.dataset
    if dataset is not None:
        check_fit(net.network, dataset)
    if not knows:
        net = replace(net, input_kind=questions.input_kind, classes=dataset.classes if dataset else 0)
    answers = net.predict(questions.inputs)
    accuracy: dict[str, float] = {}
    if dataset is not None and net.classes:
        accuracy["class"] = net.accuracy(dataset, by="class")
    elif dataset is not None:
        accuracy["bits"] = net.accuracy(dataset, by="bits")
        accuracy["items"] = net.accuracy(dataset, by="items")
    if out is not None:
        write_text(out, _as_csv(net, answers, questions.label_name or "class"))
    if as_json:
        print(json.dumps({"items": len(answers), "accuracy": accuracy, "out": None if out is None else str(out)}))
        return
    for by, share in accuracy.items():
        print(f"accuracy by {by}: {100 * share:.3f} % of {len(answers)} items")
    if dataset is None:
        print(f"{len(answers)} items predicted; {data} holds no outputs to compare with")
    if out is not None:
        print(f"predictions are in {out}")


def _predict_table(run: Path, net: BoolNet, data: Path, out: Path | None, as_json: bool) -> None:
    """Rows of a raw table, with the tests of the run; its target is compared where the table has one."""
    from boolearn.data.tables import TableBinariser, read_raw, read_with_target
    from boolearn.data.tables.reading import errors_of
    from boolearn.files import write_text
    from boolearn.runs.folder import BINARISER, load_settings

    binariser, settings = TableBinariser.load(run / BINARISER), load_settings(run)
    target, values = settings["target"], settings["target_values"]
    table, lines = read_raw(data, binariser.text_columns)
    with errors_of(data, lines):
        words = _target_values(net.decision(binariser.transform(table)), values)
    accuracy: dict[str, float] = {}
    if target in table.names:
        known = read_with_target(data, target, binariser=binariser, values=values)[0]
        truth = _target_values(known.outputs, values)
        accuracy["class"] = sum(map(operator.eq, words, truth)) / len(words)
    if out is not None:
        write_text(out, "\n".join([_csv_cell(target), *map(_csv_cell, words)]) + "\n")
    if as_json:
        print(json.dumps({"items": len(words), "accuracy": accuracy, "out": None if out is None else str(out)}))
        return
    for by, share in accuracy.items():
        print(f"accuracy by {by}: {100 * share:.3f} % of {len(words)} items")
    if not accuracy:
        print(f"{len(words)} items predicted; {data} has no column {target!r} to compare with")
    if out is not None:
        print(f"predictions are in {out}")


def _target_values(decision: npt.NDArray[Any], values: list[str]) -> list[str]:
    """The value of the target in words: of two by the sign of the only output, else of the largest output."""
    if decision.shape[1] == 1:
        return [values[int(total > 0)] for total in decision[:, 0]]
    return [values[int(place)] for place in decision.argmax(axis=1)]


def _csv_cell(word: str) -> str:
    import csv
    import io

    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="").writerow([word])
    return text.getvalue()


def _expected(net: BoolNet, knows: bool) -> Expected:
    """What the data must be. A .net or .sol file does not say what its inputs and outputs are; the data do."""
    from boolearn.data import InputKind
    from boolearn.data.questions import Expected

    n_inputs, n_outputs = net.network.n_inputs, net.network.n_outputs
    if not knows:
        return Expected(n_inputs, n_outputs)
    # A network that was trained with free inputs can be asked about codes, which are Boolean.
    kind = InputKind.BOOLEAN if net.input_kind.free else net.input_kind
    return Expected(n_inputs, n_outputs, kind, net.classes, net.input_names, net.output_names)


def _as_csv(net: BoolNet, answers: Any, label_name: str) -> str:
    """One item a line below the names of the columns: its class by name, or its bits."""
    import csv
    import io

    from boolearn.data.signs import as_bits

    names = net.output_names or range(net.classes)
    text = io.StringIO(newline="")
    rows = [[names[label]] for label in answers.tolist()] if net.classes else as_bits(answers).tolist()
    if net.output_names:  # else the model knows no names, and the file has none either
        rows.insert(0, [label_name] if net.classes else list(net.output_names))
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
