// One attempt to pay. It makes one payment even if it is sent several times: the idempotency key stays until the outcome is
// known.

import type { CreateRequestInput } from "payspec/checkout";
import type { Payment } from "payspec";
import { create, type Answer } from "../api.js";

/** Within the second in which the service repeats its first answer (§8). */
const AGAIN_MS = 300;

export class Attempt {
  #key = key();
  #sending = false;

  /** Sends a body. Returns `undefined` if another call is in progress. */
  async send(body: CreateRequestInput): Promise<Answer<Payment> | undefined> {
    if (this.#sending) return undefined;
    this.#sending = true;
    try {
      let answer = await create(body, this.#key);
      if (answer.kind === "networkError") {
        await new Promise((wait) => setTimeout(wait, AGAIN_MS));
        answer = await create(body, this.#key);
      }
      if (isSettled(answer)) this.#key = key();
      return answer;
    } finally {
      this.#sending = false;
    }
  }
}

/** Reports if the outcome is known. Otherwise the next click must not make a second payment. */
function isSettled(answer: Answer<Payment>): boolean {
  if (answer.kind === "networkError") return false;
  return answer.kind === "value" || (answer.problem.status < 500 && answer.problem.status !== 409);
}

/** Returns a random key. Browsers have `randomUUID` only with https. */
function key(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
