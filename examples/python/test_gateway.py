"""Tests the application of gateway.py over HTTP."""

import http.client
import os
import sys
import threading
import unittest
from wsgiref.simple_server import WSGIRequestHandler, make_server

os.environ["PAYSPEC_TOKEN"] = "secret"

import gateway  # noqa: E402

BODY = b'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


class Gateway(unittest.TestCase):
    def setUp(self) -> None:
        server = make_server("127.0.0.1", 0, gateway.application, handler_class=Quiet)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.port = server.server_port
        gateway.records.clear()

    def post(
        self, body: bytes = BODY, path: str = "/v1/payments/new", authorization: str | bytes = "Bearer secret", **headers: str | bytes
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        self.addCleanup(connection.close)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", path, body, {"Authorization": authorization, **named})  # type: ignore[dict-item]
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def test_creates_a_payment_once_for_each_key(self) -> None:
        status, headers, first = self.post(Idempotency_Key='"order-7"')
        self.assertEqual((status, headers["Content-Type"], headers["Idempotent-Replayed"]), (201, "application/json", None))
        status, headers, again = self.post(Idempotency_Key="order-7")
        self.assertEqual((status, headers["Idempotent-Replayed"], again), (201, "true", first))
        self.assertEqual(self.post(BODY.replace(b"990", b"991"), Idempotency_Key="order-7")[0], 409)
        self.assertNotEqual(self.post()[2], self.post()[2])

    def test_answers_hostile_requests(self) -> None:
        for authorization in ("", "Bearer other", b"Bearer a\xff", b"\xff"):
            status, headers, _ = self.post(authorization=authorization, Idempotency_Key=b"\xff")
            self.assertEqual((status, headers["WWW-Authenticate"][:6]), (401, "Bearer"))
        for key in (b"a\xff", b"a b", b'"'):
            self.assertEqual(self.post(Idempotency_Key=key)[0], 400)
        for body in (b"", b"\xff", b"[]", b"{" * 1000, b"x" * 70_000, b"x" * 200_000):
            self.assertIn(self.post(body)[0], (400, 413, 422))
        self.assertEqual(self.post(path="/other")[0], 404)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"tests: {result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0 or result.testsRun == 0)
