"""Every tool of `payspec mcp`, called by the official client over pipes and over HTTP.

PAYSPEC_CLI names the program.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

PROGRAM = os.environ.get("PAYSPEC_CLI", "payspec")
CARD = "4111111111111111"
REQUEST = {"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "100.00"}


class Tools:
    """The tools of a server. Remembers the names of those that were called."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.called: set[str] = set()

    async def call(self, name: str, /, **arguments: Any) -> Any:
        self.called.add(name)
        result = await self.client.call_tool(name, arguments)
        text = "".join(block.text for block in result.content)
        assert CARD not in result.model_dump_json()
        if result.is_error:
            raise RuntimeError(text)
        if result.structured_content is None:
            return text
        assert json.loads(text) == result.structured_content
        return result.structured_content

    async def refused(self, name: str, /, **arguments: Any) -> str:
        """Returns the sentence of a call that fails."""
        with pytest.raises(RuntimeError) as raised:
            await self.call(name, **arguments)
        sentence = str(raised.value)
        assert sentence and "\n" not in sentence
        return sentence


@contextmanager
def over_http() -> Iterator[str]:
    command = [PROGRAM, "mcp", "--seed", "7", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("mcp: ").strip()
        finally:
            process.terminate()


@asynccontextmanager
async def connected(transport: str) -> AsyncIterator[Tools]:
    if transport == "pipes":
        server = StdioServerParameters(command=PROGRAM, args=["mcp", "--seed", "7"])
        async with Client(server) as client:
            yield Tools(client)
    else:
        with over_http() as url:
            async with Client(url) as client:
                yield Tools(client)


@pytest.fixture(params=["pipes", "http"])
def run(request: pytest.FixtureRequest) -> Callable[[Callable[[Tools], Awaitable[None]]], None]:
    async def with_tools(test: Callable[[Tools], Awaitable[None]]) -> None:
        async with connected(request.param) as tools:
            await test(tools)

    return lambda test: asyncio.run(with_tools(test))


def test_every_tool(run: Any) -> None:
    async def test(tools: Tools) -> None:
        listed = (await tools.client.list_tools()).tools
        create = next(tool for tool in listed if tool.name == "create_payment")
        assert "order" in create.input_schema["required"]
        assert "a key belongs to an order and not to a call" in json.dumps(create.input_schema)

        overview = await tools.call("sandbox")
        assert overview["api"].startswith("http://") and overview["payments"] == []
        callback = {"callback": "http://127.0.0.1:1/callback"}
        payment = await tools.call("create_payment", order="order-1", request=REQUEST | callback)
        assert payment["state"] == "idle"
        assert await tools.call("advance_clock", seconds=60) == {"now": "2026-01-01T00:01:00.000Z"}
        assert (await tools.call("payment_status", uid=payment["uid"]))["state"] == "completed"
        attempts = (await tools.call("deliveries", payment=payment["uid"]))["attempts"]
        assert attempts and attempts[0]["result"]["delivered"] is False
        again = await tools.call("create_payment", order="order-1", request=REQUEST | callback)
        assert again["uid"] == payment["uid"]

        faults = await tools.call("add_fault", status=503, when="after", endpoint="create", count=2)
        assert len(faults["result"]) == 1
        sentence = await tools.refused("create_payment", order="order-2", request=REQUEST)
        assert "503" in sentence and "same order" in sentence
        await tools.call("clear_faults")
        await tools.call("create_payment", order="order-2", request=REQUEST, scenario="chargeback")
        assert (await tools.call("sandbox"))["total"] == 2

        challenged = await tools.call("create_payment", order="order-3", request=REQUEST, scenario="challenge")
        await tools.call("advance_clock", seconds=2)
        answered = await tools.call("answer_challenge", uid=challenged["uid"], result="passed")
        assert answered == {"state": "completed"}

        report = await tools.call("validate", body=json.dumps(REQUEST | {"amount": "1.234"}))
        assert report["valid"] is False and report["violations"][0]["code"] == "amount_scale"
        assert report["violations"][0]["explanation"].endswith("fields.") and "^" in report["text"]
        assert (await tools.call("explain", name="amount_scale")).startswith("amount_scale")
        assert await tools.call("redact", text=f"card {CARD}") == "card 411111******1111"
        examined = await tools.call("conform", profile="payspec")
        assert examined["conforms"] is True and examined["checks"] == []
        assert tools.called == {tool.name for tool in listed}

    run(test)


def test_a_program_reaches_the_sandbox(run: Any) -> None:
    async def test(tools: Tools) -> None:
        overview = await tools.call("sandbox")
        headers = {"Authorization": f"Bearer {overview['token']}", "Content-Type": "application/json"}
        body = json.dumps(REQUEST).encode()
        request = urllib.request.Request(overview["api"] + "/v1/payments/new", body, headers)
        created = await asyncio.to_thread(lambda: json.load(urllib.request.urlopen(request)))
        assert (await tools.call("payment_status", uid=created["uid"]))["uid"] == created["uid"]

    run(test)


def test_errors_are_sentences(run: Any) -> None:
    async def test(tools: Tools) -> None:
        refused = tools.refused
        assert await refused("create_payment", request=REQUEST) == "order: the argument is required"
        assert "visible ASCII" in await refused("create_payment", order="an order", request=REQUEST)
        assert "order: expected a string" in await refused("create_payment", order=int(CARD), request=REQUEST)
        sentence = await refused("create_payment", order="order-9", request=REQUEST | {"amount": CARD, "cur": CARD})
        assert "422" in sentence and "/cur" in sentence
        await tools.call("create_payment", order="order-8", request=REQUEST)
        sentence = await refused("create_payment", order="order-8", request=REQUEST | {"amount": "2.00"})
        assert "409" in sentence
        assert await refused("payment_status", uid=f"../{CARD}") == "uid: expected a UUID"
        assert "404" in await refused("payment_status", uid="00000000-0000-4000-8000-000000000000")
        assert "0 to" in await refused("advance_clock", seconds=-1)
        assert "required: one of status, delay_ms, drop" in await refused("add_fault")
        assert "unknown argument" in await refused("clear_faults", **{CARD: CARD})
        assert "unknown code" in await refused("explain", name=CARD)
        assert "no server answers" in await refused("conform", url="http://127.0.0.1:1", token=CARD)
        assert "expected one of" in await refused(CARD)

    run(test)


def test_a_lost_answer_creates_one_payment(run: Any) -> None:
    async def test(tools: Tools) -> None:
        await tools.call("add_fault", drop=True, when="after", endpoint="create")
        sentence = await tools.refused("create_payment", order="order-1", request=REQUEST)
        assert "the answer was lost" in sentence
        payment = await tools.call("create_payment", order="order-1", request=REQUEST)
        # After the window of the key, the payment has its current state.
        await tools.call("advance_clock", seconds=60)
        later = await tools.call("create_payment", order="order-1", request=REQUEST)
        assert (later["uid"], later["state"]) == (payment["uid"], "completed")
        await tools.call("add_fault", status=503, endpoint="status")
        sentence = await tools.refused("create_payment", order="order-1", request=REQUEST)
        assert f"the order has the payment {payment['uid']} already" in sentence
        assert (await tools.call("sandbox"))["total"] == 1

    run(test)
