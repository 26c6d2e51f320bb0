"""Receives the callbacks of a payment service."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

from signature import is_authentic

MOST_BYTES = 65_536


def receiver(secret: str, take: Callable[[dict[str, Any]], None]) -> type[BaseHTTPRequestHandler]:
    """Returns the handler of a callback address, of any path. Methods other than POST are answered with 501.

    `take` gets the payment of each event. It raises if the shop does not know its `uid` yet, or cannot take it now.
    """
    seen: set[str] = set()  # a shop writes it to its database, in the transaction that changes the order

    class Handler(BaseHTTPRequestHandler):
        timeout = 10  # seconds without a byte, after which the connection is closed

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            if 0 <= length <= MOST_BYTES:
                body = self.rfile.read(length)
                if len(body) < length:
                    return  # the client has closed the connection
                self.send_response(self.receive(body))
            else:
                self.send_response(413)
            self.end_headers()

        def receive(self, body: bytes) -> int:
            headers = {name.lower(): value for name, value in self.headers.items()}
            if not is_authentic(headers, body, secret, time.time()):
                return 401
            event = headers["webhook-id"]
            if event not in seen:  # a repeated event changes nothing
                try:
                    take(json.loads(body))
                except Exception:
                    logging.exception("callback %s", event)
                    return 500  # the service sends the event again
                seen.add(event)
            return 204

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
