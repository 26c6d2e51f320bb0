// Receives the callbacks of a payment service.

import { createServer } from "node:http";
import { isAuthentic } from "./signature.js";

const MOST_BYTES = 65_536;

/**
 * Returns the server of a callback address, of any path. `take` gets the payment of each event. It throws if the shop does
 * not know the payment's `uid` yet, or cannot take it now.
 */
export function receiver(secret, take) {
  const seen = new Set(); // a shop writes it to its database, in the transaction that changes the order

  async function receive({ method, headers }, body) {
    if (method !== "POST") return 405;
    if (body.length > MOST_BYTES) return 413;
    const event = headers["webhook-id"];
    try {
      if (!isAuthentic(headers, body, secret, Date.now() / 1000)) return 401;
      if (!seen.has(event)) await take(JSON.parse(body)); // a repeated event changes nothing
      seen.add(event);
      return 204;
    } catch (error) {
      console.error(`callback ${event}:`, error);
      return 500; // the service sends the event again
    }
  }

  return createServer(async (request, response) => {
    const body = await read(request).catch(() => undefined);
    if (body === undefined) return; // the client has closed the connection
    response.writeHead(await receive(request, body)).end();
  });
}

/** Reads a body to its end, and keeps at most one byte more than the limit. */
async function read(request) {
  let body = Buffer.alloc(0);
  for await (const piece of request) {
    if (body.length <= MOST_BYTES) body = Buffer.concat([body, piece]).subarray(0, MOST_BYTES + 1);
  }
  return body;
}
