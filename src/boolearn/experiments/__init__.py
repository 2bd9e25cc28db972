"""The paper's experiments, each a small module: its parameters, its jobs, the paper's numbers and its pictures.

experiment
    What an experiment is: independent jobs, a comparison with the paper, pictures drawn from the record alone.
workers, folder, reproduce
    Jobs on all cores; their results on disk, so that a run resumes; the whole, from parameters to a record.
baselines, compared_problems, compared_methods, compared_paper, compared_tables
    Other methods side by side: the problems, the methods with their budgets, the paper's figures, the tables.
training, pictures
    What the experiments share: a training in plain numbers, and curves.
"""

from boolearn.experiments.catalogue import NAMES, find
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.reproduce import Progress, draw, reproduce

__all__ = ["NAMES", "Comparison", "Experiment", "Job", "Progress", "draw", "find", "reproduce"]
