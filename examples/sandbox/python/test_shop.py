"""Integration tests of the shop: no test waits, since the clock is the test's."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest
from payspec_sandbox import Merchant
from shop import NOT_PAID, PAID, Declined, Shop, Unavailable, handler


@pytest.fixture
def shop(merchant: Merchant) -> Iterator[Shop]:
    """A shop with a callback address."""
    shop = Shop(merchant.api, merchant.token)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(shop, merchant.webhook_secret))
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
    merchant.fail_next(count=3, status=503)
    with pytest.raises(Unavailable):
        shop.pay("order-1", "1500.00")
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
    with pytest.raises(Unavailable):
        shop.pay("order-1", "1500.00")


def test_webhook_is_retried_and_repeated(shop: Shop, merchant: Merchant) -> None:
    taken = shop.receive
    shop.receive = lambda *arguments: 500  # type: ignore[method-assign]
    payment = shop.pay("order-1", "1500.00")
    merchant.advance(1)
    assert shop.orders[payment["uid"]] == "idle"
    shop.receive = taken  # type: ignore[method-assign]
    merchant.advance(60)
    assert shop.orders[payment["uid"]] == "completed"
    attempts = merchant.deliveries(payment["uid"])
    assert [attempt["result"]["status"] for attempt in attempts] == [500, 204, 204]
    shop.orders.clear()
    merchant.repeat(attempts[0]["event"])
    assert shop.orders == {}, "an event that was seen changes nothing"


def test_webhook_with_a_wrong_signature(shop: Shop, merchant: Merchant) -> None:
    assert shop.receive({"webhook-id": "evt_1", "webhook-signature": "v1,AAAA"}, b"{}", merchant.webhook_secret) == 401


def test_chargeback(shop: Shop, merchant: Merchant) -> None:
    merchant.next_payment("chargeback")
    payment = shop.pay("order-1", "1500.00")
    merchant.advance(2)
    assert shop.orders[payment["uid"]] in PAID
    merchant.advance(5)
    assert shop.orders[payment["uid"]] in NOT_PAID
