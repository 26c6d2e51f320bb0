// Integration tests of the shop: no test waits, since the clock is the test's.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createSandbox } from "payspec/sandbox";
import { Declined, Rejected, Shop, Unavailable } from "./shop.js";

let sandbox, merchant, shop, server;

before(async () => {
  sandbox = await createSandbox();
});
after(() => sandbox.close());

beforeEach(async (context) => {
  merchant = await sandbox.merchant(context.name);
  shop = new Shop({ api: merchant.api, token: merchant.token, secret: merchant.webhookSecret });
  server = await shop.listen();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test("success", async () => {
  const { uid, state } = await shop.pay("order-1", "1500.00");
  assert.equal(state, "idle");
  await merchant.advance(2);
  assert.equal(await shop.state(uid), "completed");
  assert.equal(shop.orders.get(uid), "completed", "the callback said so too");
});

test("decline", async () => {
  const scenarios = await merchant.scenarios();
  for (const name of ["fail_insufficient_funds", "fail_expired_card", "fail_acquirer_error"]) {
    const { uid } = await shop.pay(`order-${name}`, "1500.00", scenarios[name].trigger);
    await merchant.advance(2);
    assert.equal(shop.orders.get(uid), "fail", name);
  }
});

test("decline at once", async () => {
  await merchant.failNext({ status: 455 });
  await assert.rejects(shop.pay("order-1", "1500.00"), Declined);
  assert.deepEqual(await merchant.payments(), []);
});

test("the client does not pay in time", async () => {
  await merchant.nextPayment("pending");
  const { uid } = await shop.pay("order-1", "1500.00", { time_to_complete_payment: 600 });
  await merchant.advance(599);
  assert.equal(await shop.state(uid), "idle");
  await merchant.advance(1);
  assert.equal(shop.orders.get(uid), "cancel");
});

test("the service does not answer in time", async () => {
  shop.timeout = 200;
  await merchant.failNext({ count: 1, delay_ms: 600 });
  await shop.pay("order-1", "1500.00");
  assert.equal((await merchant.payments()).length, 1, "the late call and the second attempt have one key");
});

test("a lost answer makes no second payment", async () => {
  await merchant.failNext({ drop: true, when: "after" });
  const { uid } = await shop.pay("order-1", "1500.00");
  assert.deepEqual((await merchant.payments()).map((payment) => payment.uid), [uid]);
});

test("duplicate request", async () => {
  const first = await shop.pay("order-1", "1500.00");
  await merchant.advance(1);
  assert.deepEqual(await shop.pay("order-1", "1500.00"), first, "within the window: the same answer");
  await merchant.advance(0.001);
  await assert.rejects(shop.pay("order-1", "1500.00"), Rejected);
});

test("the service is away", async () => {
  for (const status of [429, 503]) {
    await merchant.failNext({ count: 3, status });
    await assert.rejects(shop.pay("order-1", "1500.00"), Unavailable);
  }
  await merchant.failNext({ count: 2, status: 503 });
  await shop.pay("order-1", "1500.00");
});

test("a request that is rejected is not repeated, and its value is not shown", async () => {
  const message = "The body does not follow the interface.\n/amount: the currency has 2 fraction digits";
  await assert.rejects(shop.pay("order-1", "1500.125"), (error) => error instanceof Rejected && error.message === message);
  await merchant.failNext({ count: 2, status: 403 });
  await assert.rejects(shop.pay("order-1", "1500.00"), Rejected);
  await assert.rejects(shop.state("1"), Rejected, "the second of two faults: the first attempt was the only one");
  shop.token = "unknown";
  await assert.rejects(shop.pay("order-1", "1500.00"), { message: /^The request requires an Authorization header/ });
});

test("a webhook is retried and repeated", async () => {
  const taken = shop.take;
  shop.take = () => {
    throw new Error("the database is away");
  };
  const { uid } = await shop.pay("order-1", "1500.00");
  await merchant.advance(1);
  assert.equal(shop.orders.get(uid), "idle");
  shop.take = taken;
  await merchant.advance(60);
  assert.equal(shop.orders.get(uid), "completed");
  const attempts = await merchant.deliveries(uid);
  assert.deepEqual(attempts.map(({ result }) => result.status), [500, 204, 204]);
  shop.orders.clear();
  await merchant.repeat(attempts[0].event);
  assert.equal(shop.orders.size, 0, "an event that was seen changes nothing");
});

test("a callback of an unknown payment is sent again", async () => {
  const { uid } = await shop.pay("order-1", "1500.00");
  shop.orders.clear(); // as if the answer to `pay` was on its way
  await merchant.advance(1);
  assert.equal(shop.orders.size, 0);
  shop.orders.set(uid, "idle");
  await merchant.advance(60);
  assert.equal(shop.orders.get(uid), "completed");
  assert.deepEqual((await merchant.deliveries(uid)).map(({ result }) => result.status), [500, 204, 204]);
});

test("a forged callback changes nothing", async () => {
  const { uid } = await shop.pay("order-1", "7003");
  await merchant.advance(2);
  const { url, headers, body } = (await merchant.deliveries(uid)).at(-1);
  const forged = body.replace('"state":"fail"', '"state":"completed"');
  assert.notEqual(forged, body);
  assert.equal((await fetch(url, { method: "POST", headers, body: forged })).status, 401);
  assert.equal(shop.orders.get(uid), "fail");
});

/** Signs a callback, sends it or another body, and returns the status of the answer. */
async function post(secret, age, sent) {
  const body = '{"uid":"1","state":"completed"}';
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`evt_1.${timestamp}.${body}`).digest("base64");
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": `${timestamp}`, "webhook-signature": `v1,${signature}` };
  return (await fetch(shop.callback, { method: "POST", headers, body: sent ?? body })).status;
}

test("a webhook with a wrong signature", async () => {
  shop.orders.set("1", "idle").set("2", "idle");
  assert.equal(await post(shop.secret, 0, '{"uid":"2","state":"completed"}'), 401);
  assert.equal(await post("whsec_AAAA", 0), 401);
  assert.deepEqual([...shop.orders.values()], ["idle", "idle"]);
});

for (const [age, status] of [[0, 204], [290, 204], [-290, 204], [310, 401], [-310, 401]]) {
  test(`a webhook that is ${age} s old`, async () => {
    shop.orders.set("1", "idle");
    assert.equal(await post(shop.secret, age), status);
    assert.equal(shop.orders.get("1"), status === 204 ? "completed" : "idle");
  });
}

test("a mistake of a test is named", async () => {
  await assert.rejects(merchant.failNext({ status: 200 }), /^SandboxError: status: expected an integer from 400 to 599$/);
  await assert.rejects(merchant.nextPayment("lucky"), /expected one of completed, not_fully/);
});
