"""The compared values of an answer."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Violation(NamedTuple):
    path: str
    code: str
    severity: str


class Report(NamedTuple):
    valid: bool
    variant: Optional[str]
    mode: Optional[str]
    host2host: bool
    violations: tuple[Violation, ...]
    truncated: bool
