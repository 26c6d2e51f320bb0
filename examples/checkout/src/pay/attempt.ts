// One try to pay. However often it is sent, one payment is made: its key stays until the service has said what became of it.

import type { CreateRequestInput } from "payspec/checkout";
import type { Payment } from "payspec";
import { create, type Answer } from "../api.js";

/** Soon enough for the service to give the first answer once more (§8: one second). */
const AGAIN_MS = 300;

export class Attempt {
  #key = key();
  #sending = false;

  /** Sends a body; a second call while the first is under way gives nothing. */
  async send(body: CreateRequestInput): Promise<Answer<Payment> | undefined> {
    if (this.#sending) return undefined;
    this.#sending = true;
    try {
      let answer = await create(body, this.#key);
      if (answer.kind === "silence") {
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

/** Whether it is certain that nothing of this try is left: else the next click must not make a second payment. */
function isSettled(answer: Answer<Payment>): boolean {
  if (answer.kind === "silence") return false;
  return answer.kind === "value" || (answer.problem.status < 500 && answer.problem.status !== 409);
}

/** Not `randomUUID`: browsers have that under https alone. */
function key(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
