// Tests the receiver of callbacks that the page shows: `callbacks.mjs FOLDER VECTORS`, with both files of the page in FOLDER.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, all] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(folder, name)));
const { isAuthentic } = await load("signature.js");
const { receiver } = await load("callback.js");

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Lists the vectors with one symmetric secret, the default tolerance, and headers as Node.js has them: names in lower case, once. */
function* vectors() {
  const files = readdirSync(join(all, "verify_webhook")).map((name) => join(all, "verify_webhook", name));
  for (const vector of files.flatMap((file) => JSON.parse(readFileSync(file, "utf8")).vectors)) {
    const [body, context] = vector.inputs;
    if (vector.returns < 0 || typeof body !== "string" || /two headers/.test(vector.name)) continue;
    const { headers: given, secrets, now, tolerance_s: tolerance } = JSON.parse(context);
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string").map(([name, value]) => [name.toLowerCase(), value]));
    // The receivers take whole seconds from 1970 on, one value of each header, and HMAC.
    const isUsual = !now.includes(".") && !headers["webhook-timestamp"]?.startsWith("-") && !Object.values(given).some(Array.isArray);
    const isSymmetric = secrets.length === 1 && !/^wh[ps]k_/.test(secrets[0]);
    if (isUsual && isSymmetric && tolerance === undefined) yield { vector, headers, body: Buffer.from(body), secret: secrets[0], now: Date.parse(now) / 1000 };
  }
}

let accepted = 0;
let rejected = 0;
for (const { vector, headers, body, secret, now } of vectors()) {
  assert.equal(isAuthentic(headers, body, secret, now), vector.returns === 0, vector.name);
  accepted += vector.returns === 0;
  rejected += vector.returns === 1;
}
assert.ok(accepted >= 10 && rejected >= 50, `${accepted}, ${rejected}`);

console.error = () => {}; // of the failure that the test wants
const taken = [];
const server = receiver(SECRET, ({ uid }) => {
  if (uid === "unknown") throw new Error("no such order");
  taken.push(uid);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

/** Signs a callback, sends it or another body, and returns the status of the answer. */
async function post(event, uid, age = 0, sent = undefined) {
  const body = JSON.stringify({ uid });
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const key = Buffer.from(SECRET.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${event}.${timestamp}.${body}`).digest("base64");
  const headers = { "webhook-id": event, "webhook-timestamp": `${timestamp}`, "webhook-signature": `v1,${signature}` };
  return (await fetch(`http://127.0.0.1:${server.address().port}/callback`, { method: "POST", headers, body: sent ?? body })).status;
}

assert.equal(await post("evt_1", "1"), 204);
assert.equal(await post("evt_1", "1"), 204);
assert.equal(await post("evt_2", "2", 0, '{"uid":"3"}'), 401);
assert.equal(await post("evt_2", "2", 310), 401);
assert.equal(await post("evt_2", "2", -310), 401);
assert.equal(await post("evt_3", "unknown"), 500);
assert.equal(await post("evt_3", "unknown"), 500, "an event that failed is not taken for one that was seen");
assert.deepEqual(taken, ["1"]);
server.closeAllConnections();
server.close();
console.log(`${accepted} vectors accepted, ${rejected} rejected`);
