"""Bodies, instants and policies from a seed: sound ones, and ones that are wrong at the edge of a rule."""

from .bodies import body
from .instants import instant
from .policies import policy

__all__ = ["body", "instant", "policy"]
