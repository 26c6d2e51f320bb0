// Verifies the signature of a callback with the modules of Node.js, according to Standard Webhooks.

import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_S = 300;

/** Returns whether the body was signed with the secret, at most 300 seconds before or after `now`. */
export function isAuthentic(headers, body, secret, now) {
  const { "webhook-id": event, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!event || !/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_S) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${event}.${timestamp}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${digest}`);
  const isExpected = (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
  // Node.js joins several headers of one name by a comma and a space.
  return (signatures ?? "").split(/,? /).map((signature) => Buffer.from(signature)).some(isExpected);
}
