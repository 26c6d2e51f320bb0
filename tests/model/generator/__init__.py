"""Generates bodies, timestamps and policies from a seed: valid ones, and invalid ones at the edge of a rule."""

from .bodies import body
from .timestamps import timestamp
from .policies import policy

__all__ = ["body", "timestamp", "policy"]
