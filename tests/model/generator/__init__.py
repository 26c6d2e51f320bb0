"""Generates bodies, timestamps and policies from a seed: valid ones, and invalid ones at the edge of a rule."""

from .bodies import body
from .instants import instant
from .policies import policy

__all__ = ["body", "instant", "policy"]
