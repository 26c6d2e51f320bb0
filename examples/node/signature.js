// Verifies the signature of a callback with payspec. Replaces the file of the same name of examples/sandbox.

import { Engine } from "payspec";

const engine = new Engine();

/** Returns whether the body was signed with the secret, at most 300 seconds before or after `now`. */
export function isAuthentic(headers, body, secret, now) {
  return engine.verifyWebhook(body, { headers, secrets: [secret], now: new Date(now * 1000) }).verified;
}
