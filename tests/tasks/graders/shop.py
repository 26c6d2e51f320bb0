"""Grades a shop: starts it with a merchant of the sandbox, and compares its orders with the payments of the sandbox."""

from __future__ import annotations

import base64
import hmac
import http.client
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from payspec.sandbox import Sandbox

from .support import Check, Server, call, failed, payspec

TIMEOUT_S = 0.6


class Bench:
    """A shop under test, and its merchant in the sandbox."""

    def __init__(self, sandbox: Sandbox, program: list[str], folder: Path) -> None:
        """Starts the shop."""
        self.merchant = sandbox.merchant(uuid4().hex)
        variables = {
            "PAYMENT_API": self.merchant.api,
            "PAYMENT_TOKEN": self.merchant.token,
            "WEBHOOK_SECRET": self.merchant.webhook_secret,
            "ATTEMPT_TIMEOUT_MS": str(round(TIMEOUT_S * 1000)),
        }
        self.shop = Server(lambda _: program, folder, variables)

    def sandbox(self, path: str, method: str | None = None) -> Any:
        """Calls the interface of the sandbox for tests, as the merchant."""
        headers = {"authorization": f"Bearer {self.merchant.token}"}
        return call(f"{self.merchant.api}/sandbox/{path}", None, headers, method)[1]

    def order(self, amount: str = "1500.00", id: str | None = None) -> dict[str, Any]:
        """Posts an order, and returns it as the shop does."""
        status, order = call(f"{self.shop.url}/orders", {"id": id or uuid4().hex, "amount": amount})
        if status != 200:
            raise ValueError(f"{status} instead of 200")
        return dict(order)

    def read(self, order: dict[str, Any]) -> dict[str, Any]:
        """Returns an order as the shop has it now."""
        return dict(call(f"{self.shop.url}/orders/{order['id']}")[1])

    def check(self, order: dict[str, Any]) -> dict[str, Any]:
        """Calls the check of an order, and returns the order."""
        return dict(call(f"{self.shop.url}/orders/{order['id']}/check", {})[1])

    def payments(self) -> list[str]:
        """Returns the uid of each payment of the merchant, the newest first."""
        return [payment["uid"] for payment in self.merchant.payments()]

    def has_payments(self, before: list[str], order: dict[str, Any], number: int = 1) -> bool:
        """Returns whether so many payments were made since `before`, and the order has the only one."""
        made = [uid for uid in self.payments() if uid not in before]
        return len(made) == number and (number != 1 or order["payment"] == made[0])

    def faults_left(self) -> int:
        """Returns how many calls would still fail, and forgets the faults."""
        left = sum(fault["count"] for fault in self.sandbox("faults"))
        self.sandbox("faults", "DELETE")
        return int(left)

    def sign(self, payment: dict[str, Any], secret: str | None = None, age_s: int = 0, sent: Any = None) -> int:
        """Signs a callback, sends it or another body, and returns the status."""
        body = json.dumps(payment).encode()
        event, timestamp = f"evt_{uuid4().hex}", str(int(time.time()) - age_s)
        key = base64.b64decode((secret or self.merchant.webhook_secret).removeprefix("whsec_"))
        signature = base64.b64encode(hmac.digest(key, f"{event}.{timestamp}.".encode() + body, "sha256")).decode()
        headers = {"webhook-id": event, "webhook-timestamp": timestamp, "webhook-signature": f"v1,{signature}"}
        return call(f"{self.shop.url}/callback", json.dumps(sent).encode() if sent else body, headers)[0]


def grade(folder: Path, program: list[str]) -> list[str]:
    """Returns a sentence for each requirement of the task that the shop does not meet."""
    with Sandbox(payspec()) as sandbox:
        bench = Bench(sandbox, program, folder)
        try:
            return failed(checks(bench))
        finally:
            bench.shop.close()


def checks(bench: Bench) -> Iterator[Check]:
    """Yields the checks in the order of the task."""
    yield from creation(bench)
    yield from attempts(bench)
    yield from one_payment(bench)
    yield from callbacks(bench)


def creation(bench: Bench) -> Iterator[Check]:
    """Yields the checks of the request, and of the states of an order."""

    def request() -> bool:
        order = bench.order()
        sent = bench.sandbox(f"payments/{order['payment']}")["request"]
        expected = {"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "1500.00"}
        expected["callback"] = f"{bench.shop.url}/callback"
        return expected.items() <= sent.items() and (order["state"], order["amount"]) == ("open", "1500.00")

    def exact_amount() -> bool:
        order = bench.order("12345678901234567.10")
        return bool(bench.sandbox(f"payments/{order['payment']}")["request"]["amount"] == "12345678901234567.10")

    def paid() -> bool:
        order = bench.order()
        bench.merchant.advance(2)
        return bool(bench.read(order)["state"] == "paid")

    def states() -> bool:
        expected = {"fail_expired_card": "failed", "cancel": "failed", "not_fully": "review"}
        orders = {}
        for scenario, state in expected.items():
            bench.merchant.next_payment(scenario)
            orders[state, scenario] = bench.order()
        bench.merchant.advance(1000)
        return all(bench.read(order)["state"] == state for (state, _), order in orders.items())

    def later() -> bool:
        expected = {"chargeback": "failed", "correction": "review"}
        orders = {}
        for scenario, state in expected.items():
            bench.merchant.next_payment(scenario)
            orders[state] = bench.order()
        bench.merchant.advance(3)
        paid = [bench.read(order)["state"] for order in orders.values()] == ["paid", "paid"]
        bench.merchant.advance(5)
        return paid and all(bench.read(order)["state"] == state for state, order in orders.items())

    def check() -> bool:
        order = bench.order()
        # The callbacks fail, since the shop does not run.
        bench.shop.kill()
        bench.merchant.advance(2)
        bench.shop.start()
        return bool(bench.read(order)["state"] == "open" and bench.check(order)["state"] == "paid")

    yield "The request for a payment, or the new order, is not that of the task.", request
    yield "The amount 12345678901234567.10 is sent with other digits: an amount is a text, and no number.", exact_amount
    yield "An order is not paid after the callback of a completed payment.", paid
    yield "A payment that failed, was canceled, or was not paid in full leaves its order in a wrong state.", states
    yield "A chargeback or a correction after the payment leaves its order in a wrong state.", later
    yield "POST /orders/ID/check does not find out that an order was paid while the shop was away.", check


def attempts(bench: Bench) -> Iterator[Check]:
    """Yields the checks of answers that are lost, late, or problems."""

    def lost() -> bool:
        before = bench.payments()
        bench.merchant.fail_next(drop=True, when="after")
        return bench.has_payments(before, bench.order())

    def late() -> bool:
        before = bench.payments()
        bench.merchant.fail_next(delay_ms=round(TIMEOUT_S * 2000), when="after")
        return bench.has_payments(before, bench.order())

    def away() -> bool:
        before = bench.payments()
        bench.merchant.fail_next(status=503, count=2)
        return bench.has_payments(before, bench.order())

    def conflict() -> bool:
        before = bench.payments()
        bench.merchant.fail_next(drop=True, when="after", count=3)
        order = bench.order()
        bench.faults_left()
        if (order["state"], order["payment"]) != ("open", None):
            return False
        bench.merchant.advance(2)  # the window of the key is over: the next attempt is a conflict
        order = bench.check(order)
        return bench.has_payments(before, order) and order["state"] == "paid"

    def declined() -> bool:
        before = bench.payments()
        bench.merchant.fail_next(status=455, count=3)
        order = bench.order()
        return bench.faults_left() == 2 and order["state"] == "failed" and bench.has_payments(before, order, 0)

    def rejected() -> bool:
        before = bench.payments()
        order = bench.order("1500.125")
        return order["state"] == "failed" and bench.has_payments(before, order, 0)

    yield "A lost answer leads to a second payment, or to an order without its payment.", lost
    yield "An answer after the timeout leads to a second payment, or to an order without its payment.", late
    yield "Two answers with the status 503 leave an order without a payment.", away
    yield (
        "After three lost answers and a conflict, the order does not have the payment that its key has made.",
        conflict,
    )
    yield "A declined payment (455) is tried again, or its order is not failed.", declined
    yield "A rejected request (422) does not make its order failed.", rejected


def one_payment(bench: Bench) -> Iterator[Check]:
    """Yields the checks that an order has one payment."""

    def again() -> bool:
        before = bench.payments()
        order = bench.order()
        bench.merchant.advance(1.5)
        return bench.order(id=order["id"])["payment"] == order["payment"] and bench.has_payments(before, order)

    def other_amount() -> bool:
        order = bench.order()
        before = bench.payments()
        status, _ = call(f"{bench.shop.url}/orders", {"id": order["id"], "amount": "1.00"})
        return status == 409 and bench.payments() == before and bench.read(order)["amount"] == "1500.00"

    def at_once() -> bool:
        before, id = bench.payments(), uuid4().hex
        bench.merchant.fail_next(delay_ms=150, when="after", count=2)
        with ThreadPoolExecutor(4) as pool:
            orders = list(pool.map(lambda _: bench.order(id=id), range(4)))
        bench.faults_left()
        return all(bench.has_payments(before, order) for order in orders)

    def killed() -> bool:
        before, id = bench.payments(), uuid4().hex
        bench.merchant.fail_next(delay_ms=5000, when="after", count=3)  # no attempt has an answer
        connection = http.client.HTTPConnection("127.0.0.1", bench.shop.port, timeout=5)
        connection.request("POST", "/orders", json.dumps({"id": id, "amount": "1500.00"}))
        end = time.monotonic() + 5
        while bench.payments() == before and time.monotonic() < end:
            time.sleep(0.02)
        bench.shop.kill()
        connection.close()
        bench.faults_left()
        bench.shop.start()
        return bench.has_payments(before, bench.order(id=id))

    yield "A second request for an order, later, makes a second payment, or has another answer.", again
    yield "A request for an order with another amount is not answered with 409, or changes the order.", other_amount
    yield "Requests for one order at the same time make two payments, or get different answers.", at_once
    yield "An order whose shop was killed before the answer gets a second payment after the restart.", killed


def callbacks(bench: Bench) -> Iterator[Check]:
    """Yields the checks of the receiver of callbacks."""

    def open_order() -> tuple[dict[str, Any], dict[str, Any]]:
        order = bench.order()
        return order, {**bench.sandbox(f"payments/{order['payment']}")["payment"], "state": "completed"}

    def forged() -> bool:
        order, payment = open_order()
        statuses = [bench.sign(payment, secret="whsec_AAAA"), bench.sign({"uid": "1"}, sent=payment)]
        statuses.append(call(f"{bench.shop.url}/callback", payment)[0])
        return statuses == [401, 401, 401] and bench.read(order)["state"] == "open"

    def old() -> bool:
        order, payment = open_order()
        statuses = [bench.sign(payment, age_s=310), bench.sign(payment, age_s=-310)]
        return statuses == [401, 401] and bench.read(order)["state"] == "open"

    def unknown() -> bool:
        _, payment = open_order()
        return bench.sign({**payment, "uid": str(uuid4())}) >= 500

    def repeated() -> bool:
        order = bench.order()
        bench.merchant.advance(2)
        first = bench.merchant.deliveries(order["payment"])[0]
        result = bench.merchant.repeat(first["event"])["result"]
        return bool(200 <= result["status"] < 300 and bench.read(order)["state"] == "paid")

    yield "A callback without a valid signature changes an order, or is not answered with 401.", forged
    yield "A callback that was signed 310 seconds before or after now is not answered with 401.", old
    yield (
        "A callback of an unknown payment is not answered with 500 or more, so the service does not repeat it.",
        unknown,
    )
    yield "An event that is delivered a second time changes the order back, or is not answered with 2xx.", repeated
