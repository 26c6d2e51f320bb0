"""A shop that takes payments. It listens, but serves nothing yet."""

from __future__ import annotations

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API, TOKEN = os.environ["PAYMENT_API"], os.environ["PAYMENT_TOKEN"]
SECRET = os.environ["WEBHOOK_SECRET"]
CALLBACK = os.environ["URL"] + "/callback"
DATA = os.environ["DATA"]
TIMEOUT_S = int(os.environ["ATTEMPT_TIMEOUT_MS"]) / 1000


class Handler(BaseHTTPRequestHandler):
    """The calls of the shop."""

    def do_GET(self) -> None:
        self.send_error(501)

    def do_POST(self) -> None:
        self.send_error(501)


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
