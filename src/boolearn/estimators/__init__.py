"""scikit-learn estimators whose models are circuits."""

from boolearn.estimators.autoencoder import BTFAutoencoder
from boolearn.estimators.classifier import BTFClassifier
from boolearn.estimators.function import BTFFunction
from boolearn.estimators.generator import BTFGenerator
from boolearn.estimators.rules import Rule

__all__ = ["BTFAutoencoder", "BTFClassifier", "BTFFunction", "BTFGenerator", "Rule"]
