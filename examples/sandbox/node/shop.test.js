// Integration tests of the shop: no test waits, since the clock is the test's.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { startSandbox } from "./sandbox.js";
import { Declined, Shop, Unavailable } from "./shop.js";

let sandbox, merchant, shop, server;

before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.stop());

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
  await assert.rejects(shop.pay("order-1", "1500.00"), Unavailable);
});

test("a webhook is retried and repeated", async () => {
  const taken = shop.receive;
  shop.receive = () => 500;
  const { uid } = await shop.pay("order-1", "1500.00");
  await merchant.advance(1);
  assert.equal(shop.orders.get(uid), "idle");
  shop.receive = taken;
  await merchant.advance(60);
  assert.equal(shop.orders.get(uid), "completed");
  const attempts = await merchant.deliveries(uid);
  assert.deepEqual(attempts.map(({ result }) => result.status), [500, 204, 204]);
  shop.orders.clear();
  await merchant.repeat(attempts[0].event);
  assert.equal(shop.orders.size, 0, "an event that was seen changes nothing");
});

test("a webhook with a wrong signature", () => {
  assert.equal(shop.receive({ "webhook-id": "evt_1", "webhook-signature": "v1,AAAA" }, "{}"), 401);
});

test("a mistake of a test is named", async () => {
  await assert.rejects(merchant.failNext({ status: 200 }), /^Error: status: expected an integer from 400 to 599$/);
  await assert.rejects(merchant.nextPayment("lucky"), /expected one of completed, not_fully/);
});
