// A merchant of the sandbox, with payments, a clock, and faults of its own.

import { createHash } from "node:crypto";
import { SandboxError } from "./error.js";

export class Merchant {
  constructor(api, { merchant, token, webhook_secret: webhookSecret }) {
    Object.assign(this, { api, name: merchant, token, webhookSecret });
  }

  async reset() {
    await this.#call("POST", "reset");
  }

  async now() {
    return (await this.#call("GET", "clock")).now;
  }

  async advance(seconds) {
    return (await this.#call("POST", "clock", { advance_ms: Math.round(seconds * 1000) })).now;
  }

  async scenarios() {
    return Object.fromEntries((await this.#call("GET", "scenarios")).map((entry) => [entry.name, entry]));
  }

  async nextPayment(name, count = 1) {
    await this.#call("POST", "scenarios", { name, count });
  }

  async failNext(fault) {
    await this.#call("POST", "faults", fault);
  }

  async answerChallenge(payment, result) {
    return (await this.#call("POST", `challenge/${encodeURIComponent(payment)}`, { result })).state;
  }

  deliveries(payment) {
    return this.#call("GET", `deliveries?payment=${encodeURIComponent(payment)}`);
  }

  repeat(event) {
    return this.#call("POST", `deliveries/${encodeURIComponent(event)}/repeat`);
  }

  async payments() {
    return (await this.#call("GET", "payments")).payments;
  }

  #call(method, path, body) {
    return call(this.api, method, path, body, { authorization: `Bearer ${this.token}` });
  }
}

/** Calls the sandbox, and returns its answer. */
export async function call(api, method, path, body, headers = {}) {
  const options = { method, headers: { "content-type": "application/json", ...headers }, body: body && JSON.stringify(body) };
  const response = await fetch(`${api}/sandbox/${path}`, options);
  const text = await response.text();
  const answer = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) throw new SandboxError(answer?.detail ?? response.statusText);
  return answer;
}

/** Returns the name of the merchant of a test: at most 64 letters, digits, and `-_.`. A hash keeps names apart that had to be changed. */
export function merchantName(test) {
  if (/^[\w.-]{1,64}$/.test(test)) return test;
  const hash = createHash("sha256").update(test).digest("hex").slice(0, 8);
  return `${test.replaceAll(/[^\w.-]/g, "-").slice(0, 55)}-${hash}`;
}
