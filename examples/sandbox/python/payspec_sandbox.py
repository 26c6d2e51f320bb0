"""A payment service for tests: starts `payspec sandbox`, and gives each test a merchant of its own.

With pytest, name this module in `conftest.py`: `pytest_plugins = ["payspec_sandbox"]`. Its fixtures are `sandbox`, one
for all tests, and `merchant`, a new one for each test. PAYSPEC names the program, if it is not on the PATH.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

MISSING = "payspec is not on the PATH: cargo install --path cli --locked, or set PAYSPEC to the program"


class SandboxError(Exception):
    """The sandbox did not start, or did not accept a call of a test. The message names the member."""


@dataclass(frozen=True)
class Sandbox:
    """A running sandbox."""

    api: str
    console: str

    def merchant(self, name: str) -> Merchant:
        """Returns the merchant of a name, such as that of a test. It has payments, a clock, and faults of its own."""
        name = merchant_name(name)
        created = _call(self.api, "POST", "/sandbox/merchants", {"name": name})
        return Merchant(self, name, created["token"], created["webhook_secret"])


@dataclass(frozen=True)
class Merchant:
    """A merchant of the sandbox."""

    sandbox: Sandbox
    name: str
    token: str
    webhook_secret: str

    @property
    def api(self) -> str:
        """The base address for the merchant's code."""
        return self.sandbox.api

    def reset(self) -> None:
        """Forgets payments, faults, deliveries, and the clock."""
        self._call("POST", "/sandbox/reset")

    def now(self) -> str:
        """Returns the time of the clock."""
        return str(self._call("GET", "/sandbox/clock")["now"])

    def advance(self, seconds: float) -> str:
        """Stops the clock and advances it. Returns after everything that was due, callbacks included."""
        return str(self._call("POST", "/sandbox/clock", {"advance_ms": round(seconds * 1000)})["now"])

    def scenarios(self) -> dict[str, dict[str, Any]]:
        """Returns the scenarios by name, each with the members of a request that select it, and its states."""
        return {entry["name"]: entry for entry in self._call("GET", "/sandbox/scenarios")}

    def next_payment(self, scenario: str, count: int = 1) -> None:
        """Selects the scenario of the next payments, with any members."""
        self._call("POST", "/sandbox/scenarios", {"name": scenario, "count": count})

    def fail_next(self, **fault: Any) -> None:
        """Makes the next calls fail: `status=503`, `delay_ms=500`, or `drop=True`, with `count`, `endpoint`, `when`."""
        self._call("POST", "/sandbox/faults", fault)

    def deliveries(self, payment: str) -> list[dict[str, Any]]:
        """Returns the attempts to deliver the events of a payment."""
        return list(self._call("GET", f"/sandbox/deliveries?payment={payment}"))

    def repeat(self, event: str) -> dict[str, Any]:
        """Delivers an event once more."""
        return dict(self._call("POST", f"/sandbox/deliveries/{event}/repeat"))

    def payments(self) -> list[dict[str, Any]]:
        """Returns the payments, the newest first."""
        return list(self._call("GET", "/sandbox/payments")["payments"])

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return _call(self.api, method, path, body, self.token)


def _call(api: str, method: str, path: str, body: Mapping[str, Any] | None = None, token: str | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(api + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise SandboxError(json.load(error).get("detail", error.reason)) from None
    return json.loads(text) if text else None


def merchant_name(test: str) -> str:
    """Returns the name of the merchant of a test: at most 64 letters, digits, and `-_.`.

    A hash keeps names apart that had to be changed.
    """
    if re.fullmatch(r"[\w.-]{1,64}", test, re.ASCII):
        return test
    plain = re.sub(r"[^\w.-]", "-", test, flags=re.ASCII)[:55]
    return f"{plain}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"


def start() -> subprocess.Popen[str]:
    """Starts the program."""
    program = os.environ.get("PAYSPEC")
    command = [program or "payspec", "sandbox", "--listen", "127.0.0.1:0"]
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        if program:
            raise SandboxError(f"PAYSPEC: cannot start {program}: {error.strerror}") from None
        raise SandboxError(MISSING) from None


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Starts a sandbox for all tests. It prints its addresses as soon as it accepts connections."""
    process = start()
    assert process.stdout is not None
    lines = dict(line.rstrip("\n").split(": ", 1) for line in itertools.islice(process.stdout, 5))
    if "api" not in lines:
        raise SandboxError(f"the sandbox ended with status {process.wait()}")
    yield Sandbox(lines["api"], lines["console"])
    process.terminate()
    process.wait()


@pytest.fixture
def merchant(sandbox: Sandbox, request: pytest.FixtureRequest) -> Merchant:
    """Returns a merchant without payments, whose clock is stopped."""
    merchant = sandbox.merchant(request.node.name)
    merchant.reset()
    merchant.advance(0)
    return merchant
