"""boolearn predict: the outputs of a trained network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.cli.options import whole

if TYPE_CHECKING:
    import numpy.typing as npt

    from boolearn.data.questions import Expected
    from boolearn.model import BoolNet

_ENDINGS = {".csv": ",", ".tsv": "\t", ".txt": ",", "": ","}
"""How the file of predictions may end, and what stands between its columns."""


def predict(
    model: Annotated[Path, typer.Argument(help="A run directory, or a model (.safetensors, .net, .sol).")],
    data: Annotated[Path, typer.Argument(help="Items to predict: .dat, .csv, .tsv, .npz or .pla.")],
    outputs: Annotated[
        int | None, whole("CSV, TSV: number of output columns, the last ones; by default as many as the model has.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the predictions to a .csv or .tsv file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Predict the outputs of the items in a data file.

    The accuracy is given where the file holds outputs to compare with. Labels may be missing, or be others than in
    training: such rows are predicted too, but not compared.

    Columns are matched by name when both the model and the file have names, else by position. A CSV file may
    hold inputs only.

    The file of predictions has a header where the model knows names. A column of class labels has the name of the
    target, or of the labels in DATA, or else class.
    """
    from dataclasses import replace

    from boolearn.data.questions import read_questions
    from boolearn.problem import check_fit
    from boolearn.runs.folder import BINARISER, load_model

    _check_ending(out)
    net = load_model(model)
    if (model / BINARISER).exists():
        _predict_table(model, net, data, out, as_json)
        return
    knows = model.suffix not in (".net", ".sol") or model.is_dir()
    questions = read_questions(data, _expected(net, knows), outputs, some_labels=True)
    dataset = questions.dataset
    if dataset is not None:
        check_fit(net.network, dataset)
    if not knows:
        net = replace(net, input_kind=questions.input_kind, classes=dataset.classes if dataset else 0)
    answers = net.predict(questions.inputs)
    right: dict[str, tuple[int, int]] = {}
    if dataset is not None and net.classes:
        right["class"] = net.right_answers(dataset, by="class")
    elif dataset is not None:
        right["bits"] = net.right_answers(dataset, by="bits")
        right["items"] = net.right_answers(dataset, by="items")
    if out is not None:
        _write(out, _rows(net, answers, questions.label_name or "class"))
    missing = "label of training" if questions.has_outputs and net.classes else "outputs"
    _report(len(answers), right, f"{data} holds no {missing} to compare with", out, as_json)


def _predict_table(run: Path, net: BoolNet, data: Path, out: Path | None, as_json: bool) -> None:
    """Rows of a raw table, with the tests of the run; its target is compared where the table has one."""
    from boolearn.data.tables import TableBinariser, read_to_predict
    from boolearn.runs.folder import BINARISER, load_settings

    settings = load_settings(run)
    target, values = settings["target"], settings["target_values"]
    inputs, truth = read_to_predict(data, target, TableBinariser.load(run / BINARISER), values)
    words = _target_values(net.decision(inputs), values)
    pairs = [] if truth is None else [pair for pair in zip(words, truth, strict=True) if pair[1] is not None]
    if out is not None:
        _write(out, [[target], *([word] for word in words)])
    if truth is None:
        unknown = f"{data} has no column {target!r} to compare with"
    else:
        unknown = f"the column {target!r} of {data} holds no value of training to compare with"
    _report(len(words), {"class": (sum(word == true for word, true in pairs), len(pairs))}, unknown, out, as_json)


def _report(items: int, right: dict[str, tuple[int, int]], unknown: str, out: Path | None, as_json: bool) -> None:
    """Say how many answers are right, by what is counted, and of how many; ``unknown`` where there is none."""
    accuracy = {by: found / of for by, (found, of) in right.items() if of}
    compared = min((right[by][1] for by in accuracy if by != "bits"), default=0)
    if as_json:
        name = None if out is None else str(out)
        print(json.dumps({"items": items, "compared": compared, "accuracy": accuracy, "out": name}))
        return
    for by, share in accuracy.items():
        print(f"accuracy by {by}: {100 * share:.3f} % of {compared} items")
    if not accuracy:
        print(f"{items} items predicted; {unknown}")
    elif compared < items:
        others = "no label of training" if "class" in accuracy else "no outputs"
        print(f"{items} items predicted, {compared} compared: the others have {others}")
    if out is not None:
        print(f"predictions are in {out}")


def _target_values(decision: npt.NDArray[Any], values: list[str]) -> list[str]:
    """The value of the target in words: of two by the sign of the only output, else of the largest output."""
    if decision.shape[1] == 1:
        return [values[int(total > 0)] for total in decision[:, 0]]
    return [values[int(place)] for place in decision.argmax(axis=1)]


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


def _rows(net: BoolNet, answers: Any, label_name: str) -> list[list[Any]]:
    """One item a row below the names of the columns: its class by name, or its bits."""
    from boolearn.data.signs import as_bits

    names = net.output_names or range(net.classes)
    rows = [[names[label]] for label in answers.tolist()] if net.classes else as_bits(answers).tolist()
    if net.output_names:  # else the model knows no names, and the file has none either
        rows.insert(0, [label_name] if net.classes else list(net.output_names))
    return rows


def _check_ending(out: Path | None) -> None:
    """Refuse a name that promises another format."""
    from boolearn.errors import FileError

    if out is not None and out.suffix.lower() not in _ENDINGS:
        raise FileError(out, None, "must end in .csv, .tsv or .txt, or have no ending: predictions are text.")


def _write(out: Path, rows: list[list[Any]]) -> None:
    import csv
    import io

    from boolearn.files import write_text

    text = io.StringIO(newline="")
    csv.writer(text, delimiter=_ENDINGS[out.suffix.lower()], lineterminator="\n").writerows(rows)
    write_text(out, text.getvalue())
