// A payment service for tests: starts `payspec sandbox`, and gives each test a merchant of its own. For node:test and any
// other runner. PAYSPEC names the program, if it is not on the PATH.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

/** A merchant of the sandbox, with payments, a clock, and faults of its own. */
export class Merchant {
  constructor(api, { merchant, token, webhook_secret: webhookSecret }) {
    Object.assign(this, { api, name: merchant, token, webhookSecret });
  }

  /** Forgets payments, faults, deliveries, and the clock. */
  reset = () => this.#call("POST", "reset");

  /** Returns the time of the clock. */
  now = async () => (await this.#call("GET", "clock")).now;

  /** Stops the clock and advances it. Resolves after everything that was due, callbacks included. */
  advance = async (seconds) => (await this.#call("POST", "clock", { advance_ms: Math.round(seconds * 1000) })).now;

  /** Returns the scenarios by name, each with the members of a request that select it, and its states. */
  scenarios = async () => Object.fromEntries((await this.#call("GET", "scenarios")).map((entry) => [entry.name, entry]));

  /** Selects the scenario of the next payments, with any members. */
  nextPayment = (name, count = 1) => this.#call("POST", "scenarios", { name, count });

  /** Makes the next calls fail: `{ status: 503 }`, `{ delay_ms: 500 }`, or `{ drop: true }`, with `count`, `endpoint`, `when`. */
  failNext = (fault) => this.#call("POST", "faults", fault);

  /** Returns the attempts to deliver the events of a payment. */
  deliveries = (payment) => this.#call("GET", `deliveries?payment=${encodeURIComponent(payment)}`);

  /** Delivers an event once more. */
  repeat = (event) => this.#call("POST", `deliveries/${encodeURIComponent(event)}/repeat`);

  /** Returns the payments, the newest first. */
  payments = async () => (await this.#call("GET", "payments")).payments;

  #call(method, path, body) {
    return call(this.api, method, path, body, { authorization: `Bearer ${this.token}` });
  }
}

async function call(api, method, path, body, headers = {}) {
  const response = await fetch(`${api}/sandbox/${path}`, { method, headers: { "content-type": "application/json", ...headers }, body: body && JSON.stringify(body) });
  const text = await response.text();
  const answer = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) throw new Error(answer?.detail ?? response.statusText);
  return answer;
}

/** Returns the name of the merchant of a test: at most 64 letters, digits, and `-_.`. A hash keeps names apart that had to be changed. */
export function merchantName(test) {
  if (/^[\w.-]{1,64}$/.test(test)) return test;
  const hash = createHash("sha256").update(test).digest("hex").slice(0, 8);
  return `${test.replaceAll(/[^\w.-]/g, "-").slice(0, 55)}-${hash}`;
}

const MISSING = "payspec is not on the PATH: cargo install --path cli --locked, or set PAYSPEC to the program";

/** Starts a sandbox. It prints its addresses as soon as it accepts connections. */
export async function startSandbox() {
  const program = process.env.PAYSPEC;
  const child = spawn(program || "payspec", ["sandbox", "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => child.kill();
  process.once("exit", kill); // of a script that throws or exits
  const lines = {};
  await new Promise((ready, failed) => {
    child.on("error", ({ code }) => failed(new Error(program ? `PAYSPEC: cannot start ${program}: ${code}` : MISSING)));
    child.on("exit", (code) => failed(new Error(`the sandbox ended with status ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [name, value] = line.split(": ", 2);
      lines[name] = value;
      if (name === "secret") ready();
    });
  });
  return {
    api: lines.api,
    console: lines.console,
    /** Returns the merchant of a name, without payments, whose clock is stopped. */
    async merchant(name) {
      const merchant = new Merchant(lines.api, await call(lines.api, "POST", "merchants", { name: merchantName(name) }));
      await merchant.reset();
      await merchant.advance(0);
      return merchant;
    },
    stop: () =>
      new Promise((stopped) => {
        process.off("exit", kill);
        child.removeAllListeners("exit").once("exit", stopped);
        child.kill();
      }),
  };
}
