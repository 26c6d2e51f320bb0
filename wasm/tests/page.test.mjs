// Compares `payspec/checkout`, which adds texts to the violations of a small module, with the full module, on mutated bodies
// and policies.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { COUNT, bodies, damaged, mutate, nows, pick, policies, random, safe } from "./support/mutations.mjs";
import { imported, outcome } from "./support/package.mjs";

const GLUE = readFileSync(new URL("../js/page_glue.js", import.meta.url), "utf8");
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

test("page: no call uses more of the stack than is cleared after it", () => {
  const [end, used] = ["STACK_END", "STACK_USED"].map((name) => Number(new RegExp(`const ${name} = (\\d+)`).exec(GLUE)[1]));
  assert.ok(memory.buffer.byteLength > end && used < end);
  assert.equal(new Uint8Array(memory.buffer, 0, end - used).find((byte) => byte !== 0), undefined);
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

test("page: values that are neither text nor plain data have the same answers as with the full module", () => {
  const detached = () => {
    const bytes = new TextEncoder().encode("4111");
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  };
  const values = {
    "transferred bytes": detached,
    "a view with the prototype of bytes": () => Object.setPrototypeOf(new DataView(new ArrayBuffer(4)), Uint8Array.prototype),
    "a view with the name of bytes": () => Object.defineProperty(new DataView(new ArrayBuffer(4)), Symbol.toStringTag, { value: "Uint8Array" }),
    "numbers with the name of bytes": () => Object.defineProperty(new Uint16Array(4), Symbol.toStringTag, { value: "Uint8Array" }),
    "a plain object with the name of bytes": () => ({ [Symbol.toStringTag]: "Uint8Array" }),
    "bytes of a subclass without a length": () => new (class extends Uint8Array { get length() { return 0; } })([0x7b, 0x7d]),
    "bytes that are not UTF-8": () => new Uint8Array([0xff]),
    "shared bytes": () => new Uint8Array(new SharedArrayBuffer(2)).fill(0x31),
    "a proxy of bytes": () => new Proxy(new Uint8Array(2), {}),
    "an object that nests deeper than the stack": () => Array.from({ length: 20_000 }).reduce((inner) => ({ a: inner }), 1),
    "a number": () => 4111,
    "a map": () => new Map([["mode", "P2P"]]),
  };
  const calls = {
    validateRequest: (engine, value) => engine.validateRequest(value),
    validateRequestJson: (engine, value) => engine.validateRequestJson(value),
    isValidRequest: (engine, value) => engine.isValidRequest(value),
    now: (engine, value) => engine.validateRequest("{}", { now: value }),
    cardInfo: (engine, value) => engine.cardInfo(value),
    policy: (engine, value) => new engine.constructor(value).validateRequest("{}"),
  };
  const both = engines(undefined);
  for (const [name, make] of Object.entries(values)) {
    for (const [call, run] of Object.entries(calls)) {
      const [one, other] = both.map((engine, index) => outcome([full, page][index], () => run(engine, make())));
      assert.deepEqual(other, one, `${call}: ${name}`);
    }
  }
  for (const engine of both) assert.equal(engine.isValidRequest("{}"), false, "the engine continues");
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
