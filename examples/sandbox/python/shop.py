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


class Unavailable(Exception):
    """The service did not answer, or not with a payment, in all attempts."""


@dataclass
class Shop:
    """Pays orders, and learns from callbacks what became of them."""

    api: str
    token: str
    callback: str | None = None
    timeout: float = 10
    attempts: int = 3
    orders: dict[str, str] = field(default_factory=dict)

    def pay(self, order: str, amount: str, **members: Any) -> dict[str, Any]:
        """Creates the payment of an order. The order is the idempotency key, so a second attempt makes no second payment."""
        body = {"payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": amount, **members}
        if self.callback is not None:
            body["callback"] = self.callback
        for _ in range(self.attempts):
            try:
                payment = self._call("POST", "/v1/payments/new", body, order)
            except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError):
                continue
            self.orders.setdefault(payment["uid"], payment["state"])
            return payment
        raise Unavailable

    def state(self, uid: str) -> str:
        """Returns the state of a payment."""
        return str(self._call("GET", f"/v1/payments/{uid}/status")["state"])

    def take(self, payment: dict[str, Any]) -> None:
        """Takes the payment of a callback."""
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
            if error.code == 455:
                raise Declined from None
            raise
