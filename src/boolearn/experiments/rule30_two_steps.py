"""Two steps of rule 30 at once: as one step, but every output depends on five cells."""

from __future__ import annotations

from boolearn.experiments import rule30
from boolearn.experiments.experiment import Experiment

EXPERIMENT = Experiment(
    name="rule30-two-steps",
    title="Two steps of rule 30 on 16→48→48→48→16",
    paper="generalises from enough samples; gradient descent hardly fits the training items",
    # The paper does not say how many samples; these numbers are ours.
    full=rule30.Parameters(
        networks=((16, 48, 48, 48, 16),), items=(128, 256, 512), draws=1, steps=2, max_iter=2_000_000
    ),
    quick=rule30.Parameters(
        networks=((10, 30, 30, 30, 10),), items=(64, 160), draws=1, steps=2, max_iter=20_000, max_sweeps=5000
    ),
    jobs=rule30.jobs,
    summary=rule30.summary,
    pictures=rule30.pictures,
)
