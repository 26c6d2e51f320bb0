// Compares `payspec/checkout`, which adds texts to the violations of a small module, with the full module, on mutated bodies
// and policies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { COUNT, bodies, damaged, mutate, nows, pick, policies, random, safe } from "./support/mutations.mjs";
import { imported, outcome } from "./support/package.mjs";

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

test("page: no engine keeps a body after a call", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const engine = new page.Engine();
  const body = new WeakRef(new TextEncoder().encode('{"mode":1}'));
  assert.equal(engine.validateRequest(body.deref()).valid, false);
  // A reference is kept until the end of the task that has used it.
  await setImmediate();
  collectGarbage();
  assert.equal(body.deref(), undefined);
  assert.equal(engine.isValidRequest("{}"), false);
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
