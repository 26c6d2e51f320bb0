// A shop that takes payments. It listens, but serves nothing yet.

import { createServer } from "node:http";

const { PORT, URL: shop, DATA, PAYMENT_API, PAYMENT_TOKEN, WEBHOOK_SECRET, ATTEMPT_TIMEOUT_MS } = process.env;

const server = createServer((request, response) => {
  response.writeHead(501).end();
});
server.listen(Number(PORT), "127.0.0.1");
