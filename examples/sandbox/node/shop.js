// The code of a shop that takes payments. Nothing in it knows about the sandbox.

import { receiver } from "./callback.js";

/** The service cannot process the payment (455). */
export class Declined extends Error {}
/** The service does not accept the request or the token. The message names the members, and contains no values. */
export class Rejected extends Error {}
/** The service did not answer, or cannot answer now, in all attempts. */
export class Unavailable extends Error {}

export class Shop {
  orders = new Map(); // the state of each payment by its uid; a shop writes both to its database

  constructor({ api, token, secret, callback, timeout = 10_000, attempts = 3 }) {
    Object.assign(this, { api, token, secret, callback, timeout, attempts });
  }

  /** Creates the payment of an order. The order is the idempotency key, so a second attempt makes no second payment. */
  async pay(order, amount, members = {}) {
    const body = { payment_type: "pay_in", mode: "P2P", subtype: "bank_card", cur: "RUB", amount, callback: this.callback, ...members };
    const options = { method: "POST", headers: { "idempotency-key": order }, body: JSON.stringify(body) };
    for (let attempt = 0; attempt < this.attempts; attempt += 1) {
      const { status, answer } = await this.#call("v1/payments/new", options).catch(() => ({})); // no answer
      if (status === undefined || status === 429 || status >= 500) continue;
      if (status === 455) throw new Declined(answer.detail);
      if (status !== 201) throw new Rejected(explain(answer));
      if (!this.orders.has(answer.uid)) this.orders.set(answer.uid, answer.state);
      return answer;
    }
    throw new Unavailable(`no payment after ${this.attempts} attempts`);
  }

  /** Returns the state of a payment. */
  async state(uid) {
    const { status, answer } = await this.#call(`v1/payments/${uid}/status`);
    if (status !== 200) throw new Rejected(explain(answer));
    return answer.state;
  }

  /** Takes the payment of a callback. An unknown one is an error, so that the service sends it again: `pay` may wait for its answer. */
  take({ uid, state }) {
    if (!this.orders.has(uid)) throw new Error(`no order has the payment ${uid}`);
    this.orders.set(uid, state);
  }

  /** Serves the callback address. */
  listen() {
    const server = receiver(this.secret, (payment) => this.take(payment));
    return new Promise((ready) =>
      server.listen(0, "127.0.0.1", () => {
        this.callback = `http://127.0.0.1:${server.address().port}/callback`;
        ready(server);
      }),
    );
  }

  async #call(path, { headers, ...options } = {}) {
    const all = { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...headers };
    const response = await fetch(`${this.api}/${path}`, { ...options, headers: all, signal: AbortSignal.timeout(this.timeout) });
    return { status: response.status, answer: await response.json() };
  }
}

/** Returns the detail of a problem, with the path and the message of each violation. */
function explain({ title, detail = title, violations = [] }) {
  const errors = violations.filter(({ severity }) => severity === "error");
  return [detail, ...errors.map(({ path, message }) => `${path}: ${message}`)].join("\n");
}
