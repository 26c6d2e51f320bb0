"""Integration tests of the shop: no test waits, since the clock is the test's."""

import base64
import hmac
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from typing import Any

import pytest
from callback import receiver
from payspec.sandbox import Merchant
from shop import NOT_PAID, PAID, Declined, Rejected, Shop, Unavailable


@pytest.fixture
def shop(merchant: Merchant) -> Iterator[Shop]:
    """A shop with a callback address."""
    shop = Shop(merchant.api, merchant.token)
    callback = receiver(merchant.webhook_secret, lambda payment: shop.take(payment))
    server = ThreadingHTTPServer(("127.0.0.1", 0), callback)
    shop.callback = f"http://127.0.0.1:{server.server_port}/callback"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield shop
    server.shutdown()
    server.server_close()


def test_success(shop: Shop, merchant: Merchant) -> None:
    payment = shop.pay("order-1", "1500.00")
    assert payment["state"] == "idle"
    merchant.advance(2)
    assert shop.state(payment["uid"]) in PAID
    assert shop.orders == {payment["uid"]: "completed"}, "the callback said so too"


@pytest.mark.parametrize("scenario", ["fail_insufficient_funds", "fail_expired_card", "fail_acquirer_error"])
def test_decline(shop: Shop, merchant: Merchant, scenario: str) -> None:
    trigger = merchant.scenarios()[scenario]["trigger"]
    payment = shop.pay("order-1", **trigger)
    merchant.advance(2)
    assert shop.orders[payment["uid"]] in NOT_PAID


def test_decline_at_once(shop: Shop, merchant: Merchant) -> None:
    merchant.fail_next(status=455)
    with pytest.raises(Declined):
        shop.pay("order-1", "1500.00")
    assert merchant.payments() == []


def test_the_client_does_not_pay_in_time(shop: Shop, merchant: Merchant) -> None:
    merchant.next_payment("pending")
    payment = shop.pay("order-1", "1500.00", time_to_complete_payment=600)
    merchant.advance(599)
    assert shop.state(payment["uid"]) == "idle"
    merchant.advance(1)
    assert shop.orders[payment["uid"]] == "cancel"


def test_the_service_does_not_answer_in_time(shop: Shop, merchant: Merchant) -> None:
    shop.timeout = 0.2
    merchant.fail_next(count=1, delay_ms=600)
    shop.pay("order-1", "1500.00")
    # The late call and the second attempt have one key.
    assert len(merchant.payments()) == 1


def test_the_service_is_away(shop: Shop, merchant: Merchant) -> None:
    for status in [429, 503]:
        merchant.fail_next(count=3, status=status)
        with pytest.raises(Unavailable):
            shop.pay("order-1", "1500.00")
    merchant.fail_next(count=2, status=503)
    shop.pay("order-1", "1500.00")


def test_a_request_that_is_rejected_is_not_repeated(shop: Shop, merchant: Merchant) -> None:
    with pytest.raises(Rejected) as rejected:
        shop.pay("order-1", "1500.125")
    # Not the value.
    message = "The body does not follow the interface.\n/amount: the currency has 2 fraction digits"
    assert str(rejected.value) == message
    merchant.fail_next(count=2, status=403)
    with pytest.raises(Rejected):
        shop.pay("order-1", "1500.00")
    with pytest.raises(Rejected):  # the second of two faults: the first attempt was the only one
        shop.state("1")
    shop.token = "unknown"
    with pytest.raises(Rejected, match="^The request requires an Authorization header"):
        shop.pay("order-1", "1500.00")


def test_a_lost_answer_makes_no_second_payment(shop: Shop, merchant: Merchant) -> None:
    merchant.fail_next(drop=True, when="after")
    payment = shop.pay("order-1", "1500.00")
    assert [one["uid"] for one in merchant.payments()] == [payment["uid"]]


def test_duplicate_request(shop: Shop, merchant: Merchant) -> None:
    first = shop.pay("order-1", "1500.00")
    merchant.advance(1)
    assert shop.pay("order-1", "1500.00") == first, "within the window: the same answer"
    merchant.advance(0.001)
    with pytest.raises(Rejected):
        shop.pay("order-1", "1500.00")


def test_webhook_is_retried_and_repeated(shop: Shop, merchant: Merchant) -> None:
    taken = shop.take

    def fail(payment: dict[str, Any]) -> None:
        raise OSError("the database is away")

    shop.take = fail  # type: ignore[method-assign]
    payment = shop.pay("order-1", "1500.00")
    merchant.advance(1)
    assert shop.orders[payment["uid"]] == "idle"
    shop.take = taken  # type: ignore[method-assign]
    merchant.advance(60)
    assert shop.orders[payment["uid"]] == "completed"
    attempts = merchant.deliveries(payment["uid"])
    assert [attempt["result"]["status"] for attempt in attempts] == [500, 204, 204]
    shop.orders.clear()
    merchant.repeat(attempts[0]["event"])
    assert shop.orders == {}, "an event that was seen changes nothing"


def test_a_callback_of_an_unknown_payment_is_sent_again(shop: Shop, merchant: Merchant) -> None:
    uid = shop.pay("order-1", "1500.00")["uid"]
    shop.orders.clear()  # as if the answer to `pay` was on its way
    merchant.advance(1)
    assert shop.orders == {}
    shop.orders[uid] = "idle"
    merchant.advance(60)
    assert shop.orders[uid] == "completed"
    assert [attempt["result"]["status"] for attempt in merchant.deliveries(uid)] == [500, 204, 204]


def post(url: str, secret: str, timestamp: int, sent: bytes | None = None) -> int:
    """Signs a callback, sends it or another body, and returns the status of the answer."""
    body = b'{"uid":"1","state":"completed"}'
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, f"evt_1.{timestamp}.".encode() + body, "sha256")).decode()
    headers = {"webhook-id": "evt_1", "webhook-timestamp": str(timestamp), "webhook-signature": f"v1,{signature}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, sent or body, headers)) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_webhook_with_a_wrong_signature(shop: Shop, merchant: Merchant) -> None:
    assert shop.callback is not None
    shop.orders.update({"1": "idle", "2": "idle"})
    assert post(shop.callback, merchant.webhook_secret, int(time.time()), b'{"uid":"2","state":"completed"}') == 401
    assert post(shop.callback, "whsec_AAAA", int(time.time())) == 401
    assert shop.orders == {"1": "idle", "2": "idle"}


@pytest.mark.parametrize(("age", "status"), [(0, 204), (290, 204), (-290, 204), (310, 401), (-310, 401)])
def test_webhook_with_an_old_signature(shop: Shop, merchant: Merchant, age: int, status: int) -> None:
    assert shop.callback is not None
    shop.orders["1"] = "idle"
    assert post(shop.callback, merchant.webhook_secret, int(time.time()) - age) == status
    assert shop.orders == {"1": "completed" if status == 204 else "idle"}


def test_requests_that_no_service_sends(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    assert shop.callback is not None
    assert post(shop.callback, "whsec_AAAA", 0, b" " * 65_536) == 401
    assert post(shop.callback, "whsec_AAAA", 0, b" " * 65_537) == 413
    with pytest.raises(urllib.error.HTTPError, match="501"):
        urllib.request.urlopen(shop.callback)
    # A client that closes in the middle of a body: no answer, and no error.
    address = ("127.0.0.1", int(shop.callback.split(":")[2].split("/")[0]))
    with socket.create_connection(address) as client:
        client.sendall(b"POST /callback HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{")
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""
    assert capfd.readouterr() == ("", "")
    assert post(shop.callback, "whsec_AAAA", 0) == 401, "the receiver goes on"


def test_chargeback(shop: Shop, merchant: Merchant) -> None:
    merchant.next_payment("chargeback")
    payment = shop.pay("order-1", "1500.00")
    merchant.advance(2)
    assert shop.orders[payment["uid"]] in PAID
    merchant.advance(5)
    assert shop.orders[payment["uid"]] in NOT_PAID
