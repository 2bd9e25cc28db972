"""The paper's gradient networks (its appendix A and supplement). PyTorch comes with the extra ``gradient``.

layers
    What the variants compute: ReLU, tanh or sign in the hidden layers, real or binary weights.
rules
    What the variants add to an AdamW step: penalties before it, a projection or clipping after it.
batches
    Which items a step sees: all, or mini-batches in three ways.
network
    The network, its step and its training. The only place that imports PyTorch's modules above, and only when a
    network is built.
method
    A gradient network as a baseline.
"""

from boolearn.baselines.gradient.batches import cyclic, fixed_subset, reshuffled
from boolearn.baselines.gradient.method import Gradient
from boolearn.baselines.gradient.network import VARIANTS, GradientNetwork, TrainingLine

__all__ = ["VARIANTS", "Gradient", "GradientNetwork", "TrainingLine", "cyclic", "fixed_subset", "reshuffled"]
