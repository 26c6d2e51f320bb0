// The three endpoints of the payment service over node:http. payspec computes the responses; the server supplies the
// time, a uid, the rate, and its stored records.

import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { Engine } from "payspec";

const BODY_BYTES = 65_536;
const digest = (text) => createHash("sha256").update(text).digest();

/**
 * @param {object} options
 * @param {string} options.token the one access token
 * @param {() => {currency: string, rate: string, as_of: Date} | undefined} [options.quote] today's price of 1 USDT
 * @param {import("payspec").Policy} [options.policy]
 */
export function paymentServer({ token, quote = () => undefined, policy = {} }) {
  const engine = new Engine({ ...policy, limits: { body_bytes: BODY_BYTES, ...policy.limits } });
  const expected = digest(token);
  const payments = new Map(); // by uid
  const records = new Map(); // by idempotency key

  function authorization(request) {
    const header = request.headers.authorization ?? null;
    const answer = engine.authorize(header);
    return { header, accepted: answer.authorized === true && timingSafeEqual(digest(answer.token), expected) };
  }

  async function create(request) {
    const body = await read(request, BODY_BYTES);
    const now = new Date();
    const uid = randomUUID();
    const context = { uid, now, url: `https://pay.example/p/${uid}`, authorization: authorization(request), quote: quote() };
    const header = request.headers["idempotency-key"];
    let key;
    // Without an accepted token, the outcome is 401 with any key.
    if (header !== undefined && context.authorization.accepted) {
      const answer = engine.idempotencyKey(header);
      if (answer.key === undefined) return answer;
      key = answer.key;
    }
    if (key !== undefined) context.idempotency = { key, existing: records.get(key) ?? null };
    const outcome = engine.createPayment(body, context);
    // Only for the log. A violation contains paths, never values.
    for (const { code, path } of outcome.warnings ?? []) console.warn(`${uid} ${path}: ${code}`);
    if (outcome.status === 201 && !outcome.replayed) {
      payments.set(uid, outcome.body);
      if (key !== undefined) records.set(key, { created_at: now, fingerprint: outcome.fingerprint, payment: outcome.body });
    }
    return outcome;
  }

  function status(request, uid) {
    const payment = payments.get(uid.toLowerCase()) ?? null;
    return engine.readPayment({ uid, payment, authorization: authorization(request) });
  }

  function balance(request) {
    return engine.readBalance({ balance: { cur: "RUB", available: "0.00" }, authorization: authorization(request) });
  }

  async function answer(request) {
    const { pathname } = new URL(request.url, "http://localhost");
    const found = /^\/v1\/payments\/([^/]*)\/status$/.exec(pathname);
    const [method, handle] =
      pathname === "/v1/payments/new" ? ["POST", create]
      : pathname === "/v1/partner/balance" ? ["GET", balance]
      : found ? ["GET", () => status(request, found[1])]
      : [undefined, undefined];
    if (!handle) return plain(404, "Not Found");
    return request.method === method ? handle(request) : plain(405, "Method Not Allowed", { allow: method });
  }

  return createServer((request, response) => {
    answer(request).then(
      (outcome) => send(response, outcome),
      (error) => {
        // A PayspecError here is a bug of this server. Its code and path locate the bug; it never contains a value.
        console.error(error);
        send(response, plain(500, "Internal Server Error"));
      },
    );
  });
}

function plain(status, title, headers) {
  return { status, body: { type: "about:blank", title, status }, headers };
}

function send(response, { status, body, headers, www_authenticate: challenge }) {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(challenge && { "www-authenticate": challenge }),
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** Returns the bytes of the body: at most one more than the limit, which is enough for a 413. */
async function read(request, limit) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    pieces.push(piece);
    length += piece.length;
    if (length > limit) break;
  }
  return Buffer.concat(pieces).subarray(0, limit + 1);
}
