"""A second implementation of `validate_request`, written from the documented rules and as simple as possible."""

from .policy import Policy
from .report import Report
from .validate import validate_request

__all__ = ["Policy", "Report", "validate_request"]
