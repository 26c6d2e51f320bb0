// The code of a shop that takes payments. Nothing in it knows about the sandbox.

import { receiver } from "./callback.js";

/** The service cannot process the payment (455). */
export class Declined extends Error {}
/** The service did not answer, or not with a payment, in all attempts. */
export class Unavailable extends Error {}

export class Shop {
  orders = new Map();

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

  /** Takes the payment of a callback. */
  take({ uid, state }) {
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

  #call(path, { headers, ...options } = {}) {
    const all = { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...headers };
    return fetch(`${this.api}/${path}`, { ...options, headers: all, signal: AbortSignal.timeout(this.timeout) });
  }
}
