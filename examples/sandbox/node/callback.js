// Receives the callbacks of a payment service.

import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { isAuthentic } from "./signature.js";

/** Returns the server of a callback address. `take` gets the payment of each event. */
export function receiver(secret, take) {
  const seen = new Set(); // a shop writes it to its database, in the transaction that changes the order

  async function receive(headers, body) {
    if (!isAuthentic(headers, body, secret, Date.now() / 1000)) return 401;
    const event = headers["webhook-id"];
    if (!seen.has(event)) { // a repeated event changes nothing
      try {
        await take(JSON.parse(body));
      } catch (error) {
        console.error(`callback ${event}:`, error);
        return 500; // the service sends the event again
      }
      seen.add(event);
    }
    return 204;
  }

  return createServer(async (request, response) => {
    response.writeHead(await receive(request.headers, await buffer(request))).end();
  });
}
