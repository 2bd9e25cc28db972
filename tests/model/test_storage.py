"""Model files: all of a model comes back, and a spoiled file gives a FileError and nothing else."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from boolearn.data import InputKind
from boolearn.errors import FileError
from boolearn.model import BoolNet
from boolearn.network import Network, layered
from mutations import result_or_file_error, spoiled

TIED = Network(
    n_inputs=4,
    n_outputs=2,
    start=np.array([0, 3, 6]),
    sender=np.array([0, 1, 2, 0, 3, 4], np.int32),
    tie=np.array([0, 1, 2, 0, 1, 2], np.int32),
)


def model_of(network: Network, **more: Any) -> BoolNet:
    return BoolNet(network, np.random.default_rng(0).normal(size=network.n_weights), **more)


MODELS = [
    model_of(layered(2, 3, 2)),
    model_of(TIED),
    model_of(
        layered(3, 2),
        input_kind=InputKind.ANALOG,
        classes=2,
        input_names=("left", "größer", "right"),
        output_names=("no", "yes"),
    ),
    model_of(layered(2, 1), input_kind=InputKind.ONE_HOT_CODE),
]


def bytes_of(model: BoolNet, folder: Path) -> bytes:
    model.save(folder / "a.safetensors")
    return (folder / "a.safetensors").read_bytes()


def same(a: BoolNet, b: BoolNet) -> bool:
    return (
        a.network == b.network
        and np.array_equal(a.weights, b.weights)
        and (a.input_kind, a.classes, a.input_names, a.output_names)
        == (b.input_kind, b.classes, b.input_names, b.output_names)
    )


@pytest.mark.parametrize("model", MODELS)
def test_safetensors_keep_all_of_a_model(tmp_path: Path, model: BoolNet) -> None:
    path = tmp_path / "model.safetensors"
    model.save(path)
    assert same(BoolNet.load(path), model)
    assert [file.name for file in tmp_path.iterdir()] == ["model.safetensors"]


@pytest.mark.parametrize("ending", ["net", "sol"])
def test_the_c_toolkits_files_keep_the_weights_to_eight_decimals(tmp_path: Path, ending: str) -> None:
    model = MODELS[0]
    model.save(tmp_path / f"model.{ending}")
    again = BoolNet.load(tmp_path / f"model.{ending}")
    assert again.network == model.network
    np.testing.assert_allclose(again.weights, model.weights, rtol=0, atol=0.5e-8)


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"must end in .safetensors, .net or .sol. Got '.pkl' instead"):
        MODELS[0].save(tmp_path / "model.pkl")
    with pytest.raises(FileError, match="must end in"):
        BoolNet.load(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_an_older_file_stays_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "model.net"
    MODELS[0].save(path)
    before = path.read_bytes()
    with pytest.raises(FileError, match="weights must be finite and at most"):
        BoolNet(layered(1, 1), np.array([1e99, 1])).save(path)
    assert path.read_bytes() == before
    with pytest.raises(FileError, match="cannot be written"):
        MODELS[0].save(tmp_path / "nowhere" / "model.safetensors")


def tensors_of(model: BoolNet) -> dict[str, Any]:
    network = model.network
    return {"start": network.start, "sender": network.sender, "tie": network.tie, "weights": model.weights}


HEADER = {"format": 1, "n_inputs": 2, "n_outputs": 2, "input_kind": "boolean", "classes": 0}
ARRAYS = tensors_of(MODELS[0])


@pytest.mark.parametrize(
    ("tensors", "header", "message"),
    [
        ({"weights": ARRAYS["weights"].astype(np.float32)}, {}, "'weights' must be F64 with one axis. Got F32"),
        (
            {"start": ARRAYS["start"].reshape(1, -1)},
            {},
            r"'start' must be I64 with one axis. Got I64 of shape \(1, 6\)",
        ),
        ({"sender": ARRAYS["sender"].astype(np.uint32)}, {}, "'sender' must be I32"),
        ({"more": ARRAYS["weights"]}, {}, "must hold the tensors start, sender, tie, weights. Got .'more', 'send"),
        ({"weights": ARRAYS["weights"][:-1]}, {}, "weights must have shape"),
        ({"weights": ARRAYS["weights"] * np.nan}, {}, "weights must be finite"),
        ({"tie": ARRAYS["tie"][:-1]}, {}, "'tie' must be as long as 'sender'"),
        ({"tie": ARRAYS["tie"] - 1}, {}, "tie must use every weight number"),
        ({"start": ARRAYS["start"][::-1].copy()}, {}, "start must rise from 0"),
        ({"start": np.array([0, 2**62, -(2**62), 3, 6, 17])}, {}, "start must rise from 0"),
        ({"start": ARRAYS["start"][:0]}, {}, "a network must have from 1 to 1 outputs"),
        ({"sender": ARRAYS["sender"] - 1}, {}, "senders must be nodes 0 to"),
        ({"sender": ARRAYS["sender"] * 0 + 1}, {}, "an edge must appear once"),
        ({name: array[:0] for name, array in ARRAYS.items()}, {}, "a network must have"),
        ({}, {"format": 2}, "'format' of its metadata must be at most 1 for this version of boolearn. Got 2"),
        ({}, {"format": True}, "'format' of its metadata must be an integer"),
        ({}, {"n_inputs": 10**12}, "'n_inputs' of its metadata must be an integer from 1 to"),
        ({}, {"n_inputs": "2"}, "'n_inputs' of its metadata must be an integer"),
        ({}, {"n_outputs": 6}, "a network must have from 1 to 5 outputs"),
        ({}, {"classes": 7}, "The 'classes' parameter must be 0 or 2"),
        ({}, {"input_kind": ["boolean"]}, "'input_kind' of its metadata must be one of boolean, analog"),
        ({}, {"input_names": ["a", "a"]}, "'input_names' of its metadata must be null or 2 different names"),
        ({}, {"output_names": {"a": 1, "b": 2}}, "'output_names' of its metadata must be null or 2 different"),
        ({}, {"output_names": ["a", 1]}, "'output_names' of its metadata must be null or 2 different"),
    ],
)
def test_what_is_no_model_is_refused(
    tmp_path: Path, tensors: dict[str, Any], header: dict[str, object], message: str
) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(save(ARRAYS | tensors, {"boolearn": json.dumps(HEADER | header)}))
    with pytest.raises(FileError, match=message) as caught:
        BoolNet.load(path)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (None, "its metadata must hold the key 'boolearn'"),
        ({"other": "{}"}, "its metadata must hold the key 'boolearn'"),
        ({"boolearn": "{"}, "its metadata must be JSON"),
        ({"boolearn": "[" * 100_000}, "its metadata must be JSON"),
        ({"boolearn": '{"format": ' + "9" * 10_000 + "}"}, "its metadata must be JSON"),
        ({"boolearn": "3"}, "its metadata must be a JSON object"),
    ],
)
def test_metadata_of_others_is_refused(tmp_path: Path, metadata: dict[str, str] | None, message: str) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(save(ARRAYS, metadata))
    with pytest.raises(FileError, match=message):
        BoolNet.load(path)


@pytest.mark.parametrize("length", [0, 1, 2**20, 2**40, 2**63, 2**64 - 1])
def test_a_header_longer_than_the_file_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(struct.pack("<Q", length) + b"{}")
    with pytest.raises(FileError, match="is not a safetensors file, or is damaged"):
        BoolNet.load(path)


def test_a_missing_file_a_folder_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: No such file"):
        BoolNet.load(tmp_path / "none.safetensors")
    (tmp_path / "folder.safetensors").mkdir()
    with pytest.raises(FileError, match="cannot be read: Is a directory"):
        BoolNet.load(tmp_path / "folder.safetensors")
    (tmp_path / "empty.safetensors").touch()
    with pytest.raises(FileError, match="is not a safetensors file, or is damaged"):
        BoolNet.load(tmp_path / "empty.safetensors")


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    content = bytes_of(MODELS[3], tmp_path)
    for length in range(len(content)):
        (tmp_path / "a.safetensors").write_bytes(content[:length])
        with pytest.raises(FileError):
            BoolNet.load(tmp_path / "a.safetensors")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def originals(folder: Path) -> list[bytes]:
    return [bytes_of(model, folder) for model in MODELS]


@settings(max_examples=200)
@given(data=st.data())
def test_whatever_a_model_file_holds_only_a_file_error_comes_out(
    folder: Path, originals: list[bytes], data: st.DataObject
) -> None:
    path = folder / "spoiled.safetensors"
    path.write_bytes(data.draw(spoiled(*originals)))
    model = result_or_file_error(BoolNet.load, path)
    if model is not None:  # a changed weight, kind or name is still a model: it must work as one
        assert model.decision(np.ones((1, model.network.n_inputs), np.int8)).shape == (1, model.network.n_outputs)
