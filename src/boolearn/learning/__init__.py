"""Learning from examples alone: exact classes first, then trees and gate searches, chosen on held-out rows."""

from boolearn.learning.estimate import Estimate, estimate
from boolearn.learning.learn import learn
from boolearn.learning.learned import Learned, Tried
from boolearn.learning.policy import CLASS_NAMES as CLASSES

__all__ = ["CLASSES", "Estimate", "Learned", "Tried", "estimate", "learn"]
