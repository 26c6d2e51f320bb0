// A running sandbox: its first merchant, and those of tests.

import { Merchant, call, merchantName } from "./merchant.js";
import { start } from "./program.js";

class Sandbox extends Merchant {
  #stop;

  constructor({ api, console, token, secret }, stop) {
    super(api, { merchant: "default", token, webhook_secret: secret });
    this.console = console;
    this.#stop = stop;
  }

  async merchant(name) {
    const merchant = new Merchant(this.api, await call(this.api, "POST", "merchants", { name: merchantName(name) }));
    await merchant.reset();
    await merchant.advance(0);
    return merchant;
  }

  close() {
    return this.#stop();
  }
}
// Node.js before 20.5 has no such symbol.
if (Symbol.asyncDispose) Sandbox.prototype[Symbol.asyncDispose] = Sandbox.prototype.close;

/** Starts a sandbox, and stops its clock. */
export async function createSandbox(options = {}) {
  const unknown = Object.keys(options).find((name) => name !== "cli");
  if (unknown !== undefined) throw new TypeError(`unknown option ${JSON.stringify(unknown)}: expected cli`);
  const { lines, stop } = await start(options.cli);
  const sandbox = new Sandbox(lines, stop);
  try {
    await sandbox.advance(0);
  } catch (error) {
    await stop();
    throw error;
  }
  return sandbox;
}
