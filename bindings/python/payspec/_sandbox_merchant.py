"""A merchant of the sandbox."""

import hashlib
import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote


class SandboxError(Exception):
    """The sandbox did not start, or did not accept a call of a test. The message names the member."""


class Merchant:
    """A merchant of the sandbox, with payments, a clock, and faults of its own."""

    def __init__(self, api: str, name: str, token: str, webhook_secret: str) -> None:
        """Creates the object for a merchant that the sandbox has."""
        self.api = api
        self.name = name
        self.token = token
        self.webhook_secret = webhook_secret

    def reset(self) -> None:
        """Forgets payments, faults, deliveries, and the clock."""
        self._call("POST", "reset")

    def now(self) -> str:
        """Returns the time of the clock."""
        return str(self._call("GET", "clock")["now"])

    def advance(self, seconds: float) -> str:
        """Stops the clock and advances it. Returns its time after everything that was due, callbacks included."""
        return str(self._call("POST", "clock", {"advance_ms": round(seconds * 1000)})["now"])

    def scenarios(self) -> dict[str, dict[str, Any]]:
        """Returns the scenarios by name, each with the members of a request that select it, and its states."""
        return {entry["name"]: entry for entry in self._call("GET", "scenarios")}

    def next_payment(self, scenario: str, count: int = 1) -> None:
        """Selects the scenario of the next payments, with any members."""
        self._call("POST", "scenarios", {"name": scenario, "count": count})

    def fail_next(self, **fault: Any) -> None:
        """Makes the next calls fail: `status=503`, `delay_ms=500`, or `drop=True`, with `count`, `endpoint`, `when`."""
        self._call("POST", "faults", fault)

    def answer_challenge(self, payment: str, result: str) -> str:
        """Answers as the payer at the page of the bank: `passed`, or `failed`. Returns the new state.

        The payment has the scenario `challenge` and the state `routed`.
        """
        return str(self._call("POST", f"challenge/{quote(payment, safe='')}", {"result": result})["state"])

    def deliveries(self, payment: str) -> list[dict[str, Any]]:
        """Returns the attempts to deliver the events of a payment."""
        return list(self._call("GET", f"deliveries?payment={quote(payment, safe='')}"))

    def repeat(self, event: str) -> dict[str, Any]:
        """Delivers an event once more."""
        return dict(self._call("POST", f"deliveries/{quote(event, safe='')}/repeat"))

    def payments(self) -> list[dict[str, Any]]:
        """Returns the payments, the newest first."""
        return list(self._call("GET", "payments")["payments"])

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return call(self.api, method, path, body, self.token)


def call(api: str, method: str, path: str, body: Mapping[str, Any] | None = None, token: str | None = None) -> Any:
    """Calls the sandbox, and returns its answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(f"{api}/sandbox/{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise SandboxError(json.load(error).get("detail", error.reason)) from None
    return json.loads(text) if text else None


def merchant_name(test: str) -> str:
    """Returns the name of the merchant of a test: at most 64 letters, digits, and `-_.`.

    A hash keeps names apart that had to be changed.
    """
    if re.fullmatch(r"[\w.-]{1,64}", test, re.ASCII):
        return test
    plain = re.sub(r"[^\w.-]", "-", test, flags=re.ASCII)[:55]
    return f"{plain}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"
