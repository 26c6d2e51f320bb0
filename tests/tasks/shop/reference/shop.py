"""A shop that takes payments, with its orders in SQLite."""

from __future__ import annotations

import base64
import hmac
import http.client
import json
import os
import re
import secrets
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

API, TOKEN = os.environ["PAYMENT_API"], os.environ["PAYMENT_TOKEN"]
SECRET = os.environ["WEBHOOK_SECRET"]
CALLBACK = os.environ["URL"] + "/callback"
TIMEOUT_S = int(os.environ["ATTEMPT_TIMEOUT_MS"]) / 1000
ATTEMPTS = 3
TOLERANCE_S = 300
STATES = {
    "completed": "paid",
    "fail": "failed",
    "cancel": "failed",
    "chargeback": "failed",
    "not_fully": "review",
    "correction": "review",
}

Order = dict[str, Any]


class Conflict(Exception):
    """The order exists with another amount."""


class Store:
    """Orders and received events. Each method is one transaction."""

    def __init__(self, file: str) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(file, check_same_thread=False)
        self._database.row_factory = sqlite3.Row
        self._database.executescript("""
            CREATE TABLE IF NOT EXISTS orders (
                id TEXT PRIMARY KEY, amount TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, payment TEXT UNIQUE);
            CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY);
        """)

    def add(self, id: str, amount: str) -> None:
        """Adds an order with its key, unless it exists."""
        with self._lock, self._database as database:
            row = (id, amount, secrets.token_hex(16))
            database.execute("INSERT OR IGNORE INTO orders VALUES (?, ?, ?, 'open', NULL)", row)
            [stored] = database.execute("SELECT amount FROM orders WHERE id = ?", (id,)).fetchone()
        if stored != amount:
            raise Conflict

    def order(self, id: str) -> Order:
        """Returns an order, or raises LookupError."""
        with self._lock:
            row = self._database.execute("SELECT * FROM orders WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise LookupError(id)
        return dict(row)

    def set(self, id: str, state: str, payment: str | None) -> None:
        """Changes state and payment of an order."""
        with self._lock, self._database as database:
            database.execute("UPDATE orders SET state = ?, payment = ? WHERE id = ?", (state, payment, id))

    def take(self, event: str, payment: dict[str, Any]) -> None:
        """Takes the payment of an event that was not received before. Raises LookupError if no order has it."""
        with self._lock, self._database as database:
            if database.execute("INSERT OR IGNORE INTO events VALUES (?)", (event,)).rowcount == 0:
                return
            row = (STATES.get(payment["state"], "open"), payment["uid"])
            if database.execute("UPDATE orders SET state = ? WHERE payment = ?", row).rowcount == 0:
                raise LookupError(payment["uid"])  # also takes the event back


store = Store(os.path.join(os.environ["DATA"], "orders.db"))
paying: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def call(method: str, path: str, body: bytes | None = None, key: str | None = None) -> tuple[int, dict[str, Any]]:
    """Calls the service. Returns status and body; status 0 without an answer."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    request = urllib.request.Request(API + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as answer:
        return answer.code, problem(answer)
    except (OSError, http.client.HTTPException, ValueError):
        return 0, {}


def problem(answer: urllib.error.HTTPError) -> dict[str, Any]:
    """Returns the body of an unsuccessful answer, if it is a problem."""
    try:
        return dict(json.load(answer))
    except (OSError, http.client.HTTPException, ValueError):
        return {}


def pay(id: str) -> None:
    """Makes the payment of an order that has none. Each attempt has the key of the order."""
    with paying[id]:
        order = store.order(id)
        if order["payment"] is not None or order["state"] == "failed":
            return
        request = {"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB"}
        body = json.dumps({**request, "amount": order["amount"], "callback": CALLBACK}).encode()
        for _ in range(ATTEMPTS):
            status, answer = call("POST", "/v1/payments/new", body, order["key"])
            if status == 201:
                store.set(id, STATES.get(answer["state"], "open"), answer["uid"])
                return
            if answer.get("code") == "idempotency_conflict" and "uid" in answer:
                # An earlier attempt has made the payment.
                store.set(id, "open", answer["uid"])
                refresh(id)
                return
            if not (status in (0, 408, 429) or status >= 500 or answer.get("retryable")):
                store.set(id, "failed", None)
                return
            time.sleep(0.05)


def refresh(id: str) -> None:
    """Reads the state of an order's payment from the service."""
    uid = store.order(id)["payment"]
    status, payment = call("GET", f"/v1/payments/{uid}/status")
    if status == 200:
        store.set(id, STATES.get(payment["state"], "open"), uid)


def is_authentic(headers: dict[str, str], body: bytes) -> bool:
    """Returns whether the service signed the callback, at most 300 seconds before or after now."""
    event, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event or not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{event}.{timestamp}.".encode() + body, "sha256")
    expected = b"v1," + base64.b64encode(digest)
    # Servers join several headers of one name by a comma and a space.
    signatures = re.split(b",? ", headers.get("webhook-signature", "").encode())
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


class Handler(BaseHTTPRequestHandler):
    """The calls of the shop."""

    def do_GET(self) -> None:
        self._respond(lambda: self._order(self.path.removeprefix("/orders/")))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._respond(lambda: self._post(body))

    def _post(self, body: bytes) -> tuple[int, Any]:
        if self.path == "/callback":
            headers = {name.lower(): value for name, value in self.headers.items()}
            if not is_authentic(headers, body):
                return 401, None
            store.take(headers["webhook-id"], json.loads(body))
            return 204, None
        if self.path == "/orders":
            order = json.loads(body)
            store.add(order["id"], order["amount"])
            pay(order["id"])
            return self._order(order["id"])
        if found := re.fullmatch("/orders/([^/]+)/check", self.path):
            pay(found[1])
            if store.order(found[1])["payment"] is not None:
                refresh(found[1])
            return self._order(found[1])
        return 404, None

    def _order(self, id: str) -> tuple[int, Any]:
        order = store.order(id)
        del order["key"]
        return 200, order

    def _respond(self, work: Any) -> None:
        try:
            status, content = work()
        except Conflict:
            status, content = 409, None
        except LookupError:
            # For a callback, so that the service sends it again.
            status, content = 500 if self.path == "/callback" else 404, None
        self.send_response(status)
        body = b"" if content is None else json.dumps(content).encode()
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
