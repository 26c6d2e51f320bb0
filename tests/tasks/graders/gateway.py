"""Grades a gateway: `payspec conform`, requests at the same time, a restart, and a search of its files."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from .support import Check, Server, call, failed, payspec, run

REQUEST = {"payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "1500.00"}
CARD = {
    "card_number": "371449635398431",
    "card_holder": "A B",
    "expiry_month": 12,
    "expiry_year": 2099,
    "security_code": "8051",
}
#: Of the program that the gateway runs, so that requests at the same time meet in it.
SLOW = '#!/bin/sh\n[ "$2" = create_payment ] && sleep 0.3\nexec "{program}" "$@"\n'


def grade(folder: Path) -> list[str]:
    """Returns a sentence for each requirement that the gateway does not meet."""
    sentences = []
    token = uuid4().hex
    with tempfile.TemporaryDirectory() as slow:
        program = Path(slow) / "payspec"
        program.write_text(SLOW.format(program=payspec()))
        program.chmod(0o755)
        for path in (payspec(), str(program)):
            variables = {"TOKEN": token, "PAYSPEC": path, "PHP_CLI_SERVER_WORKERS": "4"}
            gateway = Server(lambda port: ["php", "-S", f"127.0.0.1:{port}", "gateway.php"], folder, variables)
            try:
                if path == payspec():
                    sentences += conform(gateway, token)
                    sentences += failed(checks(gateway, token))
                else:
                    sentences += failed(at_once(gateway, token))
            finally:
                gateway.close()
    return sentences


def conform(gateway: Server, token: str) -> list[str]:
    """Returns a sentence for each failed check of `payspec conform`."""
    done = run("conform", "--url", gateway.url, "--token", token, "--profile", "payspec", "--format", "json")
    if done.returncode == 2:
        return [f"payspec conform reports: {' '.join(done.stderr.split())}"]
    checks = json.loads(done.stdout)["checks"]
    return [f"payspec conform, {one['name']}: {one['about']}" for one in checks if one["result"] == "failed"]


def create(gateway: Server, token: str, key: str, **members: Any) -> tuple[int, Any]:
    """Creates a payment."""
    headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
    return call(f"{gateway.url}/v1/payments/new", {**REQUEST, **members}, headers)


def read(gateway: Server, token: str, uid: str) -> tuple[int, Any]:
    """Reads a payment."""
    return call(f"{gateway.url}/v1/payments/{uid}/status", None, {"authorization": f"Bearer {token}"})


def checks(gateway: Server, token: str) -> Iterator[Check]:
    """Yields the checks that `payspec conform` does not make, since they need more than the address."""

    def exact_amount() -> bool:
        _, payment = create(gateway, token, uuid4().hex, amount="12345678901234567.10")
        return bool(payment["total"] == read(gateway, token, payment["uid"])[1]["total"] == "12345678901234567.10")

    def address() -> bool:
        _, payment = create(gateway, token, uuid4().hex)
        return bool(payment["url"] == f"https://pay.example/{payment['uid']}")

    def restart() -> bool:
        key = uuid4().hex
        _, payment = create(gateway, token, key)
        gateway.kill()
        gateway.start()
        status, again = create(gateway, token, key)
        known = again == payment if status == 201 else (status, again["uid"]) == (409, payment["uid"])
        return known and read(gateway, token, payment["uid"]) == (200, payment)

    def files() -> bool:
        status, _ = create(gateway, token, uuid4().hex, host2host=True, pay_in_details={"card": CARD})
        secret = re.compile(rb'371449635398431|"8051\\?"')
        contents = [file.read_bytes() for file in gateway.data.rglob("*") if file.is_file()]
        return status == 201 and not any(secret.search(content) for content in contents)

    yield "The amount 12345678901234567.10 does not come back with the same digits.", exact_amount
    yield "The url of a payment is not that of the task.", address
    yield "After kill -9 and a restart, a payment or the record of its key is missing.", restart
    yield "A file in DATA contains the number or the security code of a card, or a card is not accepted.", files


def at_once(gateway: Server, token: str) -> Iterator[Check]:
    """Yields the check of requests at the same time, for a gateway whose program is slow."""

    def one_payment() -> bool:
        key = uuid4().hex
        with ThreadPoolExecutor(3) as pool:
            answers = list(pool.map(lambda _: create(gateway, token, key), range(3)))
        uids = {answer["uid"] for status, answer in answers if status == 201}
        return len(uids) == 1 and all(status in (201, 409) for status, _ in answers)

    yield "Requests with one key at the same time make two payments.", one_payment
