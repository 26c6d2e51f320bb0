// Compares objects with their JSON texts: the same reports, for mutated objects too. Hostile objects have a report or a clear
// error, and never change other calls.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { BODY, STRINGS, randomObject } from "./support/mutated_objects.mjs";
import { COUNT, pick, policies, random, safe } from "./support/mutations.mjs";
import { imported } from "./support/package.mjs";

const ENTRIES = await Promise.all(["index.js", "checkout.js"].map(async (file) => ({ file, ...(await imported(file)) })));

/** Fails unless two answers have the same JSON: this takes a tenth of the time of `deepStrictEqual`. */
function same(found, expected, about) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) assert.equal(one, other, about());
}

test(`objects: ${COUNT} mutated objects have the reports of their texts`, () => {
  let engines = ENTRIES.map(({ Engine }) => new Engine());
  for (let round = 0; round < COUNT; round++) {
    if (round % 200 === 0) {
      const policy = random(2) ? undefined : safe(pick(policies));
      try {
        engines = ENTRIES.map(({ Engine }) => new Engine(policy));
      } catch {
        // The policy of a vector may be invalid.
        engines = ENTRIES.map(({ Engine }) => new Engine());
      }
    }
    const object = randomObject();
    const text = JSON.stringify(object);
    const now = random(3) ? undefined : "2026-11-20T10:15:30Z";
    for (const [index, engine] of engines.entries()) {
      const expected = engine.validateRequest(text, { now });
      same(engine.validateRequest(object, { now }), expected, () => `${round}, ${ENTRIES[index].file}: ${text.slice(0, 1000)}`);
      assert.equal(engine.isValidRequest(object, { now }), expected.valid);
    }
    // The whole text is visible in the answer of `redact`.
    if (round % 10 === 0) same(engines[0].redact(object), engines[0].redact(text), () => text.slice(0, 1000));
  }
});

test("objects: a second object is independent of the first one", () => {
  const [{ Engine }] = ENTRIES;
  const engine = new Engine();
  const context = { uid: "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", now: "2026-11-20T10:15:30.250Z", authorization: "checked_by_caller" };
  for (const user_name of STRINGS.filter((text) => text.length < 400)) {
    for (const refusal of [undefined, ...STRINGS.slice(0, 20)]) {
      const [body, more] = [{ ...BODY, user_name }, { ...context, refusal }];
      const answer = (call) => {
        try {
          return call();
        } catch (error) {
          return `${error.code} ${error.path}`;
        }
      };
      assert.deepStrictEqual(answer(() => engine.createPayment(body, more)), answer(() => engine.createPayment(JSON.stringify(body), JSON.stringify(more))));
    }
  }
});

for (const { file, Engine, PayspecError } of ENTRIES) {
  const engine = new Engine();
  const report = engine.validateRequest(JSON.stringify(BODY));

  test(`${file}: a getter that calls the engine changes nothing`, () => {
    const large = { ...BODY, x: "y".repeat(3_000_000) };
    const wide = new Engine({ limits: { body_bytes: 10_000_000 } });
    const nested = {
      get payment_type() {
        assert.deepStrictEqual(engine.validateRequest({ ...BODY, mode: "x" }).valid, false);
        assert.equal(wide.validateRequest(large).valid, true);
        return "pay_in";
      },
      mode: {
        toJSON() {
          assert.deepStrictEqual(engine.validateRequest(nestedPlain), report);
          return "P2P";
        },
      },
      subtype: "sbp", cur: "RUB", amount: "990.50",
    };
    const nestedPlain = { ...BODY };
    assert.deepStrictEqual(engine.validateRequest(nested), report);
    wide.free();
  });

  test(`${file}: hostile objects have a report or an error`, () => {
    const thrower = () => { throw new Error("4111111111111111"); };
    let turn = 0;
    const cycle = { ...BODY };
    cycle.self = cycle;
    const values = {
      "a getter that throws": Object.defineProperty({ ...BODY }, "x", { enumerable: true, get: thrower }),
      "a getter that changes": { ...BODY, get amount() { return turn++ % 2 ? 5n : "990.50"; } },
      "toJSON of a value": { ...BODY, amount: { toJSON: () => "990.50" } },
      "toJSON that throws": { ...BODY, amount: { toJSON: thrower } },
      "toJSON that returns itself": (() => { const value = { toJSON: () => ({ value }) }; return value; })(),
      "a proxy with random keys": new Proxy({}, { ownKeys: () => [String(Math.random())], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) }),
      "a proxy whose traps throw": new Proxy({}, { get: thrower }),
      "a proxy that is endless": (() => { const endless = new Proxy({}, { ownKeys: () => ["a"], get: (_, key) => (key === "a" ? endless : undefined), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) }); return endless; })(),
      "a proxy with endless depth": (() => { const next = () => new Proxy({}, { ownKeys: () => ["a"], get: (_, key) => (key === "a" ? next() : undefined), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) }); return next(); })(),
      "a cycle": cycle,
      "an own __proto__": JSON.parse('{"__proto__":{"amount":"1"}}'),
      "a prototype with members": Object.create(BODY),
      "a class with accessors": new (class { get amount() { return "1"; } })(),
      "a typed array": new Float64Array(3),
      "a view with a poisoned length": { x: Object.defineProperty(new Uint8Array(3), "length", { get: thrower }) },
      "a bigint": { amount: 1n },
      "not a number": { amount: NaN },
      "dates": { ...BODY, amount: new Date(0), x: new Date(NaN) },
      "symbols": { ...BODY, [Symbol("4111111111111111")]: 1 },
      "an array with a hole and a name": Object.assign([0, , 2].slice(0, 2), { name: 1 }),
      "a long array": new Array(4_000_000_000),
      "a fake string": { x: { [Symbol.toStringTag]: "String", valueOf: () => 5n } },
      "null as a prototype": Object.assign(Object.create(null), BODY),
      "a million members": Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`m${index}`, index])),
    };
    for (const [name, value] of Object.entries(values)) {
      for (const call of ["validateRequest", "isValidRequest"]) {
        try {
          const answer = engine[call](value);
          assert.ok(typeof answer === "boolean" || Array.isArray(answer.violations), name);
        } catch (error) {
          assert.ok(error instanceof PayspecError && error.code === "value", `${name}: ${error.stack}`);
          assert.ok(!/4111111111111111/.test(`${error.message} ${error.stack} ${error.path}`), name);
        }
      }
      assert.deepStrictEqual(engine.validateRequest(BODY), report, name);
    }
  });

  test(`${file}: a report belongs to its caller`, () => {
    const first = engine.validateRequest(BODY);
    first.mode = "changed";
    first.violations.push(1);
    assert.deepStrictEqual(engine.validateRequest(BODY), report);
    const invalid = engine.validateRequest({ ...BODY, mode: "x" });
    const text = JSON.stringify(invalid);
    invalid.violations[0].params.allowed.push("y");
    assert.equal(JSON.stringify(engine.validateRequest({ ...BODY, mode: "x" })), text);
  });

  test(`${file}: later reports are like the first one`, () => {
    const wrong = [
      { ...BODY, mode: "x", cur: "XXX" }, { ...BODY, mode: 1, amount: [], user_id: {}, unknown: 1, "a/b": 2 }, { ...BODY, cur: "JPY", "Анна": null }, {}, [], 7,
      { ...BODY, unknown: 1 }, { ...BODY, callback: "file:x", other: 1 }, { ...BODY, pay_in_details: { card: { card_number: "1", unknown: 1 } } }, BODY,
    ];
    const texts = [...wrong.map((body) => JSON.stringify(body)), "{", "\ufeff{}", '{\n"', "", "\ufeff", '{"a":1,"a":2,"mode":"x","mode":"x"}', " ".repeat(70_000)];
    for (const policy of [{}, { limits: { violations: 0 } }, { limits: { violations: 2 } }, { severity: { unsupported_value: "warning" } }, { urls: { schemes: ["https"] } }]) {
      const kept = new Engine(policy);
      for (let round = 0; round < 3; round++) {
        for (const [index, text] of texts.entries()) {
          const other = new Engine(policy);
          const first = other.validateRequestJson(text);
          assert.equal(JSON.stringify(kept.validateRequest(text)), first, text);
          assert.equal(kept.validateRequestJson(text), first, text);
          if (index < wrong.length) assert.equal(JSON.stringify(kept.validateRequest(wrong[index])), first, text);
          other.free();
        }
      }
      kept.free();
    }
  });

  test(`${file}: a million calls with objects need no further memory`, () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const invalid = { ...BODY, cur: "XXX", user_name: "Анна\n" };
    const round = (count) => {
      for (let turn = 0; turn < count; turn++) engine.validateRequest(turn % 2 ? BODY : invalid);
      collect();
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    const before = round(10_000);
    assert.ok(round(1_000_000) < before + 2_000_000);
  });
}
