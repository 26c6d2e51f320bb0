"""Grades a change of a policy: by requests near its limits, and by the policy that fulfills all wishes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from .support import Unusable, answer, read_json, run

REQUEST = {
    "payment_type": "pay_in",
    "mode": "P2P",
    "subtype": "sbp",
    "cur": "RUB",
    "amount": "1500",
    "merchant_id": "shop",
}
CARD = {"card_number": "4111111111111111", "card_holder": "A B", "expiry_month": 12, "expiry_year": 2099}

#: The sentences of the merchant's wishes, each with requests that the policy accepts, and others that it rejects.
WISHES: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    (
        "Wish 1: not exactly rubles, dollars, euros, and tenge are accepted.",
        [{"cur": "USD", "amount": "10"}, {"cur": "EUR"}, {"cur": "KZT"}],
        [{"cur": "GBP"}, {"cur": "JPY"}],
    ),
    (
        "Wish 2: an amount at a limit is rejected, or one over it is accepted.",
        [
            {"amount": "100"},
            {"amount": "300000.00"},
            {"cur": "KZT", "amount": "500"},
            {"cur": "KZT", "amount": "9" * 15},
            {"cur": "USD", "amount": "1"},
            {"cur": "USD", "amount": "7500"},
            {"cur": "EUR", "amount": "0.01"},
        ],
        [
            {"amount": "99.99"},
            {"amount": "300000.01"},
            {"cur": "KZT", "amount": "499.99"},
            {"cur": "USD", "amount": "0.99"},
            {"cur": "USD", "amount": "7500.01"},
        ],
    ),
    ("Wish 3: a request without its merchant is accepted.", [{}], [{"merchant_id": None}]),
    (
        "Wish 4: a card without its security code is accepted, or a request without a card is rejected.",
        [
            {"pay_in_details": {"bank_name": "Example Bank"}},
            {"pay_in_details": {"card": {**CARD, "security_code": "123"}}},
        ],
        [{"pay_in_details": {"card": CARD}}],
    ),
    (
        "Wish 5: an unknown member is accepted, or a member of the legacy API is rejected.",
        [{"payer_email": "a@example.com"}],
        [{"ammount": "1"}],
    ),
    (
        "Wish 6: plain HTTP or a callback to a private address is accepted, or another one is rejected.",
        [{"callback": "https://shop.example/callback", "redirect_url": "https://shop.example/"}],
        [
            {"callback": "http://shop.example/callback"},
            {"redirect_url": "http://shop.example/"},
            {"callback": "https://10.0.0.7/callback"},
        ],
    ),
    (
        "Wish 7: a name of 400 characters is rejected, a longer one is accepted, or the limit of descriptions differs.",
        [{"user_name": "x" * 400}, {"description": "x" * 500}],
        [{"user_name": "x" * 401}, {"description": "x" * 501}],
    ),
    (
        "Wish 8: not exactly the times from 300 to 86400 seconds are accepted.",
        [{"time_to_complete_payment": 300}, {"time_to_complete_payment": 86400}],
        [{"time_to_complete_payment": 299}, {"time_to_complete_payment": 86401}],
    ),
]


def grade(folder: Path, root: Path) -> list[str]:
    """Returns a sentence for each wish that the policy does not fulfill, and for each further change."""
    policy = read_json(folder, "policy.json")
    checked = run("policy", "check", folder / "policy.json")
    if checked.returncode != 0:
        printed = " ".join((checked.stdout + checked.stderr).split()).removeprefix("error: ")
        raise Unusable(f"payspec policy check reports: {printed.replace(str(folder) + '/', '')}")
    sentences = [sentence for sentence, accepted, rejected in WISHES if not fulfills(folder, accepted, rejected)]
    if policy.get("invalid_request_status") != 400:
        sentences.append("Wish 9: an invalid request is not answered with the status 400.")
    # If all wishes are fulfilled, any other difference is a change without a wish.
    return sentences or [
        describe(change) for change in differences(root / "reference/policy.json", folder / "policy.json")
    ]


def describe(change: dict[str, Any]) -> str:
    """Returns the sentence of a difference from the policy that fulfills all wishes."""
    verdict = {"wider": "accepts", "narrower": "rejects"}.get(change["change"])
    place = f"At {change['path']}, the policy"
    if verdict is None:
        return f"{place} has a change that the merchant did not mention."
    body = change.get("witness", {}).get("body", "further requests")
    return f"{place} {verdict} what it must not: {body}"


def differences(old: Path, new: Path) -> list[dict[str, Any]]:
    """Returns the differences between two policies."""
    return list(answer("policy", "diff", old, new, "--json")["differences"])


def fulfills(folder: Path, accepted: list[dict[str, Any]], rejected: list[dict[str, Any]]) -> bool:
    """Returns whether the policy accepts and rejects these requests. A member None is left out."""
    bodies = [{**REQUEST, **changes} for changes in accepted + rejected]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for body in bodies:
            given = {name: value for name, value in body.items() if value is not None}
            file.write(f"{json.dumps(given)}\n")
        file.flush()
        reports = answer("validate", "--format", "json", file.name, "--policy", folder / "policy.json")
    valid = [report["valid"] for report in reports]
    return valid == [True] * len(accepted) + [False] * len(rejected)
