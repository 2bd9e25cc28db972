"""Data for several ranks: rank 0 reads a file, once, and the others get what it has read.

Small data are sent. Large data are written to a file that every rank maps into memory: what a rank does not ask for it
does not load, and ranks of one machine share what they do.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from boolearn.data import npz
from boolearn.data.dataset import Dataset
from boolearn.ranks import Ranks


def handed_on(ranks: Ranks, dataset: Dataset | None, source: Path, copy: Path) -> Dataset:
    """The data set that rank 0 has read from ``source``; what others pass does not count.

    ``copy`` is for large data, in a directory that all ranks see. Data that rank 0 has mapped already are not copied.
    """
    if ranks.size == 1:
        return cast("Dataset", dataset)
    kind = None if dataset is None else (_is_large(dataset), dataset.on_disk)
    large, mapped = cast("tuple[bool, bool]", ranks.agreed(kind))
    if not large:
        return cast("Dataset", ranks.agreed(dataset))
    with ranks.together():
        if ranks.leads and not mapped:
            assert dataset is not None
            npz.write_npz(dataset, copy, compressed=False)
    with ranks.together():
        return npz.read_npz(source if mapped else copy)


def _is_large(dataset: Dataset) -> bool:
    return max(dataset.inputs.nbytes, dataset.outputs.nbytes) >= npz.LARGE
