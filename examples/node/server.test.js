// Tests the server through HTTP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { paymentServer } from "./server.js";

const AUTHORIZATION = { authorization: "Bearer secret" };
const body = (name) => readFileSync(new URL(`../bodies/${name}.json`, import.meta.url), "utf8");

let server;
let address;

before(async () => {
  const quote = () => ({ currency: "RUB", rate: "92.45", as_of: new Date() });
  server = paymentServer({ token: "secret", quote });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${server.address().port}`;
});

after(() => server.close());

async function call(method, path, { headers = AUTHORIZATION, body } = {}) {
  const response = await fetch(address + path, { method, headers, body });
  return { status: response.status, headers: response.headers, text: await response.text(), get body() { return JSON.parse(this.text); } };
}

test("creates a payment, and returns it unchanged", async () => {
  const created = await call("POST", "/v1/payments/new", { body: body("p2p-card") });
  assert.equal(created.status, 201);
  assert.deepEqual([created.body.state, created.body.amount, created.body.currency], ["idle", "1500.00", "RUB"]);
  for (const uid of [created.body.uid, created.body.uid.toUpperCase()]) {
    const read = await call("GET", `/v1/payments/${uid}/status`);
    assert.deepEqual([read.status, read.text], [200, created.text]);
  }
});

test("answers every body of the examples", async () => {
  const expected = { acquiring: 201, broken: 422, crypto: 201, "h2h-card": 201, "legacy-pay-in": 422, "p2p-sbp": 201, "pay-out": 201 };
  for (const [name, status] of Object.entries(expected)) {
    const { status: found, text, headers } = await call("POST", "/v1/payments/new", { body: body(name) });
    assert.equal(found, status, `${name}: ${text}`);
    assert.equal(headers.get("content-type"), "application/json");
    const cards = body(name).match(/"\d{13,19}"/g) ?? [];
    assert.ok(!cards.some((card) => text.includes(card.slice(1, -1))), "the response contains no card number");
  }
});

test("answers a repeated key with the first payment, later with a conflict", async () => {
  const headers = { ...AUTHORIZATION, "idempotency-key": "order-1007" };
  const send = (text) => call("POST", "/v1/payments/new", { headers, body: text });
  const first = await send(body("p2p-sbp"));
  const again = await send(body("p2p-sbp"));
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
  assert.equal((await send(body("p2p-card"))).body.code, "idempotency_key_reused");
  await new Promise((later) => setTimeout(later, 1100));
  const late = await send(body("p2p-sbp"));
  assert.deepEqual([late.status, late.body.code], [409, "idempotency_conflict"]);
});

test("reads one key from both forms of the header, and rejects a header without a key", async () => {
  const send = (key) => call("POST", "/v1/payments/new", { headers: { ...AUTHORIZATION, "idempotency-key": key }, body: body("p2p-sbp") });
  const first = await send("order-1008");
  const quoted = await send('"order-1008"');
  assert.deepEqual([first.status, quoted.status, quoted.text], [201, 201, first.text]);
  const invalid = await send('"order');
  assert.deepEqual([invalid.status, invalid.body.code], [400, "invalid_idempotency_key"]);
});

test("rejects missing credentials and payments, other methods, invalid and large bodies", async () => {
  for (const [headers, path, method] of [[{}, "/v1/partner/balance", "GET"], [{ authorization: "Bearer other" }, "/v1/payments/new", "POST"]]) {
    const rejected = await call(method, path, { headers });
    assert.deepEqual([rejected.status, rejected.headers.get("www-authenticate")?.split(" ")[0]], [401, "Bearer"]);
  }
  assert.equal((await call("GET", "/v1/partner/balance")).body.cur, "RUB");
  assert.equal((await call("GET", "/v1/payments/0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11/status")).body.code, "payment_not_found");
  assert.equal((await call("GET", "/v1/payments/%ff/status")).status, 404);
  assert.equal((await call("GET", "/v1/payments")).status, 404);
  assert.deepEqual([(await call("GET", "/v1/payments/new")).status], [405]);
  assert.equal((await call("POST", "/v1/payments/new", { body: "{" })).body.code, "malformed_json");
  assert.equal((await call("POST", "/v1/payments/new", { body: `"${" ".repeat(70_000)}"` })).status, 413);
});
