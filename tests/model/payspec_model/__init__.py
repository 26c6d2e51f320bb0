"""`validate_request` a second time, written from the contract and kept as simple as it can be."""

from .policy import Policy
from .report import Report
from .validate import validate_request

__all__ = ["Policy", "Report", "validate_request"]
