"""The policy members that change a verdict, and the severity of each code. Others are ignored."""

from __future__ import annotations

from typing import Any

#: Section 3, the table: every code and its default.
SEVERITIES = {
    "json_syntax": "error",
    "body_too_large": "error",
    "too_deep": "error",
    "duplicate_member": "error",
    "type": "error",
    "missing": "error",
    "unsupported_value": "error",
    "unknown_member": "warning",
    "legacy_member": "warning",
    "variant_mismatch": "warning",
    "amount_syntax": "error",
    "amount_not_positive": "error",
    "amount_scale": "error",
    "amount_out_of_bounds": "error",
    "currency_unknown": "error",
    "currency_not_allowed": "error",
    "currency_not_fiat": "error",
    "uri_syntax": "error",
    "uri_scheme": "error",
    "uri_credentials": "error",
    "uri_private_host": "warning",
    "text_empty": "warning",
    "text_too_long": "error",
    "text_control_character": "error",
    "card_number_syntax": "error",
    "card_number_checksum": "error",
    "card_number_no_check_digit": "warning",
    "card_expired": "error",
    "expiry_month_range": "error",
    "expiry_year_range": "error",
    "expiry_year_two_digits": "warning",
    "security_code_syntax": "error",
    "phone_number_syntax": "error",
    "integer_range": "error",
    "host2host_without_card": "warning",
    "card_without_host2host": "warning",
    "recipient_incomplete": "warning",
    "card_number_in_text": "warning",
}

#: Codes whose severity is fixed.
FIXED = {"json_syntax", "body_too_large", "too_deep", "type"}


class Policy:
    def __init__(self, settings: dict[str, Any] | None = None) -> None:
        settings = settings or {}
        self.severities = {**SEVERITIES, **settings.get("severity", {})}
        self.required = set(settings.get("required", []))
        limits = settings.get("limits", {})
        self.body_bytes = limits.get("body_bytes", 65536)
        self.depth = limits.get("depth", 16)
        self.violations = limits.get("violations", 64)
        self.text_chars = limits.get("text_chars", 255)
        self.description_chars = limits.get("description_chars", 1024)
        self.uri_bytes = limits.get("uri_bytes", 2048)
        self.amounts = limits.get("amount", {})
        time = limits.get("time_to_complete_payment", {})
        self.time = (time.get("min", 1), time.get("max", 2**53 - 1))
        self.currencies = settings.get("currencies")
        self.schemes = settings.get("urls", {}).get("schemes", ["https", "http"])
