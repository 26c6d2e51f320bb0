// The code of a shop that takes payments. Nothing in it knows about the sandbox.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** The service cannot process the payment (455). */
export class Declined extends Error {}
/** The service did not answer, or not with a payment, in all attempts. */
export class Unavailable extends Error {}

export class Shop {
  orders = new Map();
  #seen = new Set();

  constructor({ api, token, secret, callback, timeout = 10_000, attempts = 3 }) {
    Object.assign(this, { api, token, secret, callback, timeout, attempts });
  }

  /** Creates the payment of an order. The order is the idempotency key, so a second attempt makes no second payment. */
  async pay(order, amount, members = {}) {
    const body = { payment_type: "pay_in", mode: "P2P", subtype: "bank_card", cur: "RUB", amount, callback: this.callback, ...members };
    for (let attempt = 0; attempt < this.attempts; attempt += 1) {
      const response = await this.#call("v1/payments/new", { method: "POST", headers: { "idempotency-key": order }, body: JSON.stringify(body) }).catch(() => undefined);
      if (response?.status === 455) throw new Declined();
      if (response?.status !== 201) continue;
      const payment = await response.json();
      if (!this.orders.has(payment.uid)) this.orders.set(payment.uid, payment.state);
      return payment;
    }
    throw new Unavailable();
  }

  /** Returns the state of a payment. */
  async state(uid) {
    return (await (await this.#call(`v1/payments/${uid}/status`)).json()).state;
  }

  /** Takes a callback, and returns the status of the answer. */
  receive(headers, body) {
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const expected = Buffer.from(`v1,${createHmac("sha256", Buffer.from(this.secret.replace("whsec_", ""), "base64")).update(signed).digest("base64")}`);
    const signatures = (headers["webhook-signature"] ?? "").split(" ").map((one) => Buffer.from(one));
    if (!signatures.some((one) => one.length === expected.length && timingSafeEqual(one, expected))) return 401;
    // A repeated event changes nothing.
    if (!this.#seen.has(headers["webhook-id"])) {
      this.#seen.add(headers["webhook-id"]);
      const { uid, state } = JSON.parse(body);
      this.orders.set(uid, state);
    }
    return 204;
  }

  /** Serves the callback address. */
  listen() {
    const server = createServer(async (request, response) => {
      response.writeHead(this.receive(request.headers, await text(request))).end();
    });
    return new Promise((ready) =>
      server.listen(0, "127.0.0.1", () => {
        this.callback = `http://127.0.0.1:${server.address().port}/callback`;
        ready(server);
      }),
    );
  }

  #call(path, { headers, ...options } = {}) {
    const all = { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...headers };
    return fetch(`${this.api}/${path}`, { ...options, headers: all, signal: AbortSignal.timeout(this.timeout) });
  }
}
