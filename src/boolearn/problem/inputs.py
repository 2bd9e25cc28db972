"""Set A at the input nodes: the data, or any code, or a one-hot code.

Elser & Lal, "Input and output constraints".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def project_any_code(y: Floats) -> Floats:
    """Round every input to the nearer of −1 and +1."""
    return np.where(y < 0, -1.0, 1.0)


def project_one_hot(y: Floats) -> Floats:
    """For every item +1 at the largest input (the first of equals) and −1 at the others."""
    code = np.full_like(y, -1.0)
    code[np.arange(len(y)), np.argmax(y, axis=1)] = 1.0
    return code
