// A shop that takes payments, with its orders in a file.

import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { PORT, URL: shop, DATA, PAYMENT_API, PAYMENT_TOKEN, WEBHOOK_SECRET, ATTEMPT_TIMEOUT_MS } = process.env;
const ATTEMPTS = 3;
const TOLERANCE_S = 300;
const STATES = {
  completed: "paid",
  fail: "failed",
  cancel: "failed",
  chargeback: "failed",
  not_fully: "review",
  correction: "review",
};
const stateOf = (payment) => STATES[payment.state] ?? "open";

/** Orders by their id, and received events. Each change is in the file before the next step. */
const file = join(DATA, "orders.json");
const { orders, events } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { orders: {}, events: {} };

function save() {
  writeFileSync(`${file}.new`, JSON.stringify({ orders, events }));
  renameSync(`${file}.new`, file);
}

function change(order, members) {
  Object.assign(order, members);
  save();
}

/** Calls the service. Returns status and body; status 0 without an answer. */
async function call(path, options) {
  const headers = { authorization: `Bearer ${PAYMENT_TOKEN}`, "content-type": "application/json", ...options?.headers };
  try {
    const signal = AbortSignal.timeout(Number(ATTEMPT_TIMEOUT_MS));
    const response = await fetch(PAYMENT_API + path, { ...options, headers, signal });
    const answer = await response.json().catch(() => undefined);
    // A success without a body counts as a lost answer.
    return response.ok && answer === undefined ? [0, {}] : [response.status, answer ?? {}];
  } catch {
    return [0, {}];
  }
}

/** Makes the payment of an order that has none. Each attempt has the key of the order. */
async function pay(order) {
  if (order.payment !== null || order.state === "failed") return;
  const request = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB" };
  const body = JSON.stringify({ ...request, amount: order.amount, callback: `${shop}/callback` });
  const options = { method: "POST", headers: { "idempotency-key": order.key }, body };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [status, answer] = await call("/v1/payments/new", options);
    if (status === 201) return change(order, { payment: answer.uid, state: stateOf(answer) });
    if (answer.code === "idempotency_conflict" && answer.uid) {
      // An earlier attempt has made the payment.
      change(order, { payment: answer.uid });
      return refresh(order);
    }
    const again = [0, 408, 429].includes(status) || status >= 500 || answer.retryable;
    if (!again) return change(order, { state: "failed" });
    await pause(50);
  }
}

/** Reads the state of an order's payment from the service. */
async function refresh(order) {
  const [status, payment] = await call(`/v1/payments/${order.payment}/status`);
  if (status === 200) change(order, { state: stateOf(payment) });
}

const running = new Map(); // the payment that is being made, by the id of its order

/** Pays an order, or waits until a request at the same time has paid it. */
function payOnce(order) {
  if (!running.has(order.id)) running.set(order.id, pay(order).finally(() => running.delete(order.id)));
  return running.get(order.id);
}

/** Returns whether the service signed the callback, at most 300 seconds before or after now. */
function isAuthentic(headers, body) {
  const { "webhook-id": event, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!event || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${event}.${timestamp}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${digest}`);
  const isExpected = (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
  // Node.js joins several headers of one name by a comma and a space.
  return (signatures ?? "").split(/,? /).map((signature) => Buffer.from(signature)).some(isExpected);
}

/** Takes a callback, and returns the status of the answer. */
function take(headers, body) {
  if (!isAuthentic(headers, body)) return 401;
  const event = headers["webhook-id"];
  if (Object.hasOwn(events, event)) return 204;
  const payment = JSON.parse(body);
  const order = Object.values(orders).find(({ payment: uid }) => uid === payment.uid);
  if (order === undefined) return 500; // the service sends it again
  events[event] = true;
  change(order, { state: stateOf(payment) });
  return 204;
}

async function respond({ method, url, headers }, body) {
  if (method === "POST" && url === "/callback") return [take(headers, body)];
  if (method === "POST" && url === "/orders") {
    const { id, amount } = JSON.parse(body);
    if (!Object.hasOwn(orders, id)) {
      orders[id] = { id, amount, key: randomUUID(), state: "open", payment: null };
      save();
    }
    if (orders[id].amount !== amount) return [409];
    await payOnce(orders[id]);
    return [200, orders[id]];
  }
  const [, id, check] = /^\/orders\/([^/]+)(\/check)?$/.exec(url) ?? [];
  if (id === undefined || !Object.hasOwn(orders, id)) return [404];
  if (check) await (orders[id].payment === null ? payOnce(orders[id]) : refresh(orders[id]));
  return [200, orders[id]];
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const [status, content] = await respond(request, body);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(content && JSON.stringify(content));
});
server.listen(Number(PORT), "127.0.0.1");
