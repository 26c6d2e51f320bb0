// Compares `payspec/checkout`, which adds texts to the violations of a small module, with the full module, on mutated bodies
// and policies. PAYSPEC_MUTATIONS sets their number; PAYSPEC_SEED the first one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported, loadVectors } from "./support/package.mjs";
import { seeded } from "./support/random.mjs";

let memory;
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, parameters) {
    const instance = new target(...parameters);
    memory = instance.exports.memory;
    return instance;
  },
});
const full = await imported("index.js");
const page = await imported("checkout.js");

const COUNT = Number(process.env.PAYSPEC_MUTATIONS ?? 20_000);
const { random, pick } = seeded(Number(process.env.PAYSPEC_SEED ?? 24));

const vectors = loadVectors().filter(({ operation }) => operation === "validate_request").flatMap(({ vectors }) => vectors);
const bodies = vectors.map(({ inputs }) => inputs[0]).filter((body) => typeof body === "string" && body.length < 4000);
const nows = [undefined, ...vectors.map(({ inputs }) => inputs[1]).filter((now) => typeof now === "string")];
const policies = vectors.map(({ policy }) => policy).filter((policy) => policy !== undefined);

/** Parts of bodies and policies: names, values, and characters with a meaning in JSON. */
const parts = [
  ...new Set(bodies.flatMap((body) => body.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g) ?? [])),
  ..."{}[],:\"\\ \n\t0179-+.eE/%@#~", "\\u0034", "\\ud83d\\ude00", "\\ud83d", "\u0000", "\u00e9", "\u2028", "\ud83d\ude00", "\ud83d", "4111 1111 1111 1111",
  '"card_number":"0569309025904","security_code":"1234"', "card06011111111111117.", ...["null", "-0", "1e3", "18446744073709551616", "9007199254740992", "0.5"],
];

/** Returns a text with a few random changes. */
function mutate(text) {
  let result = text;
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const at = random(result.length + 1);
    const end = Math.min(result.length, at + random(4) * random(12));
    const from = random(result.length + 1);
    result = pick([
      () => result.slice(0, at) + pick(parts) + result.slice(end),
      () => result.slice(0, at) + result.slice(from, from + random(60)) + result.slice(at),
      () => result.slice(0, at) + result.slice(end),
      () => {
        const tokens = result.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g);
        return tokens ? result.replace(pick(tokens), () => pick(parts)) : result;
      },
    ])();
  }
  return result;
}

/** Returns the result of a call, or its error. */
function outcome({ PayspecError }, call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof PayspecError)) throw error;
    return JSON.stringify({ code: error.code, path: error.path, expected: error.expected });
  }
}

/** Returns the engines of both entries for a policy, or one error. */
function engines(policy) {
  const [one, other] = [full, page].map((entry) => outcome(entry, () => new entry.Engine(policy)));
  assert.equal(typeof one === "string" ? one : "an engine", typeof other === "string" ? other : "an engine", JSON.stringify(policy));
  return typeof one === "string" ? undefined : [one, other];
}

test(`page: ${COUNT} mutated bodies have the same reports as with the full module`, () => {
  let current = engines(undefined);
  for (let round = 0; round < COUNT; round++) {
    if (round % 50 === 0) {
      current[0].free();
      current = engines(random(2) ? undefined : safe(pick(policies))) ?? engines(undefined);
    }
    const text = mutate(pick(bodies));
    const body = random(4) ? text : damaged(text);
    const now = pick(nows);
    const [one, other] = current.map((engine, index) => outcome([full, page][index], () => engine.validateRequestJson(body, { now })));
    assert.equal(other, one, `${round}: ${JSON.stringify(text)}`);
  }
});

test(`page: ${COUNT / 4} mutated policies have the same errors as with the full module`, () => {
  for (let round = 0; round < COUNT / 4; round++) {
    const policy = safe(mutate(pick(policies)));
    if (policy === undefined) continue;
    const created = engines(policy);
    if (!created) continue;
    const body = pick(bodies);
    const [one, other] = created.map((engine) => engine.validateRequestJson(body));
    assert.equal(other, one, `${round}: ${JSON.stringify(policy)} ${JSON.stringify(body)}`);
    created[0].free();
  }
});

test("page: card data is cleared from the memory after each call", () => {
  const engine = new page.Engine({ limits: { body_bytes: 1_000_000 } });
  const number = "4539148803436467";
  const card = (text) => `{"user_name":"${text}","pay_in_details":{"card":{"card_number":"${number}","security_code":"98765432109"}}}`;
  const escaped = (text) => text.replace(/\d/g, (digit) => `\\u003${digit}`);
  const calls = [
    () => engine.validateRequestJson(card("")),
    () => engine.validateRequestJson(new TextEncoder().encode(card("\u20ac".repeat(20_000)))),
    () => engine.validateRequest(JSON.parse(card("x"))),
    () => engine.validateRequestJson(`{"user_name":"${escaped(number)}","x${escaped(number)}":1}`),
    () => engine.isValidRequest(card(number)),
    () => engine.cardInfo(number),
  ];
  for (const [index, call] of calls.entries()) {
    call();
    for (const secret of [number, "98765432109"]) assert.equal(Buffer.from(memory.buffer).indexOf(secret), -1, `call ${index}`);
  }
});

/** Returns the value of a JSON text, or undefined. */
function safe(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a text as bytes, often with a byte that may not be UTF-8. */
function damaged(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > 0 && random(2)) bytes[random(bytes.length)] = random(256);
  return bytes;
}
