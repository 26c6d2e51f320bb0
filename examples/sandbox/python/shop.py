"""The code of a shop that takes payments. Nothing in it knows about the sandbox."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

PAID = {"completed"}
NOT_PAID = {"fail", "cancel", "chargeback"}


class Declined(Exception):
    """The service cannot process the payment (455)."""


class Rejected(Exception):
    """The service does not accept the request or the token. The message names the members, and contains no values."""


class Unavailable(Exception):
    """The service did not answer, or cannot answer now, in all attempts."""


@dataclass
class Shop:
    """Pays orders, and learns from callbacks what became of them."""

    api: str
    token: str
    callback: str | None = None
    timeout: float = 10
    attempts: int = 3
    orders: dict[str, str] = field(default_factory=dict)
    """The state of each payment by its uid. A shop writes both to its database."""

    def pay(self, order: str, amount: str, **members: Any) -> dict[str, Any]:
        """Creates the payment of an order. The order is the idempotency key, so a second attempt makes no second payment."""
        body = {"payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": amount, **members}
        if self.callback is not None:
            body["callback"] = self.callback
        for _ in range(self.attempts):
            try:
                payment = self._call("POST", "/v1/payments/new", body, order)
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                continue  # no answer, 429, or 5xx
            self.orders.setdefault(payment["uid"], payment["state"])
            return payment
        raise Unavailable(f"no payment after {self.attempts} attempts")

    def state(self, uid: str) -> str:
        """Returns the state of a payment."""
        return str(self._call("GET", f"/v1/payments/{uid}/status")["state"])

    def take(self, payment: dict[str, Any]) -> None:
        """Takes the payment of a callback.

        An unknown one is an error, so that the service sends it again: `pay` may wait for its answer.
        """
        if payment["uid"] not in self.orders:
            raise LookupError(f"no order has the payment {payment['uid']}")
        self.orders[payment["uid"]] = payment["state"]

    def _call(self, method: str, path: str, body: Any = None, key: str | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return dict(json.load(response))
        except urllib.error.HTTPError as error:
            if error.code == 429 or error.code >= 500:
                raise
            problem = json.load(error)
            raise (Declined if error.code == 455 else Rejected)(explain(problem)) from None


def explain(problem: dict[str, Any]) -> str:
    """Returns the detail of a problem, with the path and the message of each violation."""
    errors = [one for one in problem.get("violations", []) if one["severity"] == "error"]
    lines = [f"{one['path']}: {one['message']}" for one in errors]
    return "\n".join([problem.get("detail") or problem["title"], *lines])
