"""How many items a network needs: bits that describe its functions, over bits that an item gives."""

from boolearn.information.entropy import Entropy, output_entropy
from boolearn.information.estimate import Estimate, estimate
from boolearn.information.functions import description_bits

__all__ = ["Entropy", "Estimate", "description_bits", "estimate", "output_entropy"]
