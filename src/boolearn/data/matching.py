"""Data in the order of the columns and classes of a model or of other data: by name, where both sides have names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from boolearn.data.csv_table import shown
from boolearn.data.dataset import Dataset
from boolearn.errors import DataError

Names = tuple[str, ...] | None


def matched(dataset: Dataset, input_names: Names, output_names: Names) -> Dataset:
    """The data in the order of these names. Columns of which none has such a name are taken by place."""
    inputs = _order_of_some(input_names, dataset.input_names)
    if inputs is not None:
        dataset = replace(dataset, inputs=dataset.inputs[:, inputs], input_names=input_names)
    if dataset.classes:
        return with_classes(dataset, output_names) if output_names and dataset.output_names else dataset
    outputs = _order_of_some(output_names, dataset.output_names)
    return dataset if outputs is None else with_outputs(dataset, outputs)


def with_outputs(dataset: Dataset, order: Sequence[int]) -> Dataset:
    """Boolean outputs in another order."""
    assert dataset.output_names is not None
    where = None if dataset.open is None else dataset.open[:, order]
    names = tuple(dataset.output_names[column] for column in order)
    return replace(dataset, outputs=dataset.outputs[:, order], open=where, output_names=names)


def with_classes(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """The same labels among these classes, of which the data may hold fewer, in any order."""
    assert dataset.output_names is not None
    if dataset.output_names == tuple(names):
        return dataset
    number = {name: place for place, name in enumerate(names)}
    for label in np.unique(dataset.outputs).tolist():
        if dataset.output_names[label] not in number:
            known = ", ".join(map(shown, names[:8])) + (", …" if len(names) > 8 else "")
            raise DataError(f"class labels must be among {known}. Got {shown(dataset.output_names[label])} instead.")
    labels = np.array([number.get(name, 0) for name in dataset.output_names])[dataset.outputs]
    return replace(dataset, outputs=labels, classes=len(names), output_names=tuple(names))


def order_of(wanted: Sequence[str], found: Sequence[str]) -> list[int]:
    """Where each name stands among those found, which must be the same names."""
    place, asked = {name: column for column, name in enumerate(found)}, set(wanted)
    missing = [name for name in wanted if name not in place]
    others = [name for name in found if name not in asked]
    if missing or others:
        raise DataError(difference(missing, others))
    return [place[name] for name in wanted]


def difference(missing: Sequence[str], others: Sequence[str]) -> str:
    """What is wrong with names, as a sentence."""
    parts = [
        f"{what} {', '.join(map(shown, names[:8]))}{', …' if len(names) > 8 else ''}"
        for what, names in (("without", missing), ("with", others))
        if names
    ]
    return f"expected columns with the model's names, found them {' and '.join(parts)}."


def _order_of_some(wanted: Names, found: Names) -> list[int] | None:
    """The order, where names differ and some are the same; none where the columns stay as they are."""
    if wanted is None or found is None or tuple(wanted) == tuple(found) or not set(wanted) & set(found):
        return None
    return order_of(wanted, found)
