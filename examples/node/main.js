// Starts the server: PAYSPEC_TOKEN=… PORT=8080 node main.js

import { paymentServer } from "./server.js";

const { PAYSPEC_TOKEN: token, PORT: port = "8080", PAYSPEC_RATE: rate } = process.env;
if (!token) {
  console.error("PAYSPEC_TOKEN is the access token that clients must send");
  process.exit(2);
}
const quote = () => (rate ? { currency: "RUB", rate, as_of: new Date() } : undefined);
const server = paymentServer({ token, quote }).listen(Number(port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
