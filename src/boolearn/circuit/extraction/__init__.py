"""From a trained network to gates: which inputs matter, and the smallest gate that does what a neuron does."""
