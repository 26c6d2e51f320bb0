"""Card data in texts (section 3a): which parts of a text are masked.

Slow and plain: every sentence of section 3a is a function that cites it. The places where the section permits several
readings are in README.md, each with the chosen one: in doubt, the one that masks more.
"""

from .redact import contains_card_number, contains_named_number, redact, redact_text

__all__ = ["contains_card_number", "contains_named_number", "redact", "redact_text"]
