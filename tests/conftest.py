"""Fixtures and settings that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from boolearn.data import Dataset

if "PYTEST_XDIST_WORKER" in os.environ:  # one thread each: the tests beside this one have the other cores
    os.environ.setdefault("BOOLEARN_THREADS", "1")
pytest.register_assert_rewrite("commands", "gate_sampling", "relay")

settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("default")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20260217)


@pytest.fixture
def two_bit_multiplier() -> Dataset:
    """16 items, 4 bits to 4 bits, written out here so that it does not depend on our generators."""
    numbers = np.arange(16)
    product = (numbers >> 2) * (numbers & 3)
    shifts = np.arange(3, -1, -1)
    return Dataset((numbers[:, None] >> shifts) & 1, (product[:, None] >> shifts) & 1)


@pytest.fixture(scope="session")
def paper_data() -> Path:
    """The folder with the paper's own data files."""
    folder = os.environ.get("BOOLEARN_PAPER_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("BOOLEARN_PAPER_DATA names no folder with the paper's data files")
    return Path(folder)
