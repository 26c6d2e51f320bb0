// Tests engines and their memory: freed explicitly, by `using`, and by the garbage collector; growth during other calls; no leak.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { imported, wasm } from "./support/package.mjs";

// The package does not export its memory, so its instances are observed here. `trap` replaces an export by a trap.
let memory;
let trap = false;
let instances = 0;
let callsAfterTrap = 0;
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, parameters) {
    const { exports } = new target(...parameters);
    ({ memory } = exports);
    instances++;
    let trapped = false;
    const observed = Object.entries(exports).map(([name, member]) => {
      if (typeof member !== "function") return [name, member];
      const call = (...inputs) => {
        if (trapped) callsAfterTrap++;
        // `card_info` in the module for pages.
        trapped ||= trap && ["engine_card_info_object", "card_info"].includes(name);
        if (trapped) throw new WebAssembly.RuntimeError("unreachable");
        return member(...inputs);
      };
      return [name, call];
    });
    return { exports: Object.fromEntries(observed) };
  },
});
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const { Engine, PayspecError } = await imported("index.js");
const pages = () => memory.buffer.byteLength / 65_536;

const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}';
const VALID = '{"valid":true,"variant":"pay_in","mode":"P2P","host2host":false,"violations":[]}';
const UID = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const freed = (error) => error instanceof PayspecError && error.code === "argument" && error.path === "/engine";

test("rejects calls after an engine is freed, which may be repeated", () => {
  const engine = new Engine();
  assert.equal(engine.validateRequestJson(BODY), VALID);
  engine.free();
  engine.free();
  const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(Engine.prototype)).concat(Object.getOwnPropertyNames(Engine.prototype));
  let tried = 0;
  for (const name of new Set(calls)) {
    if (["constructor", "free", "requestSchema"].includes(name) || name.startsWith("_")) continue;
    const inputs = [BODY, name === "checkPayment" ? {} : "{}"];
    if (name.startsWith("upgradeRequest")) inputs.unshift("pay_in");
    if (name.startsWith("batch")) inputs.splice(0, 2, "redact", [BODY]);
    assert.throws(() => engine[name](...inputs), freed, name);
    tried++;
  }
  assert.ok(tried > 40, `${tried} methods`);
  const other = new Engine();
  assert.throws(() => engine.validateRequestJson(BODY), freed, "its memory may now belong to another engine");
  assert.equal(other.validateRequestJson(BODY), VALID);
  other.free();
});

test("returns the same report for the first and for every further body of a form", () => {
  const engine = new Engine();
  const forms = new Set();
  for (let round = 0; round < 3; round++) {
    for (const payment_type of ["pay_in", "pay_out", "other"]) {
      for (const mode of ["P2P", "ACQUIRING", "CRYPTO", undefined]) {
        for (const more of [{}, { host2host: true }, { host2host: false }, { unknown: 1 }]) {
          const details = payment_type === "pay_in" ? {} : { pay_out_details: { bank_name: "Bank", full_name: "Anna", phone_number: "+79000000000" } };
          const body = JSON.stringify({ payment_type, mode, subtype: mode === "CRYPTO" ? undefined : "sbp", cur: "RUB", amount: "990.50", ...details, ...more });
          const other = new Engine();
          const report = engine.validateRequestJson(body);
          assert.equal(report, other.validateRequestJson(body), body);
          assert.equal(engine.isValidRequest(body), JSON.parse(report).valid);
          other.free();
          if (report.includes('"violations":[]')) forms.add(report);
        }
      }
    }
  }
  assert.ok(forms.size >= 5, `${forms.size} forms`);
  engine.free();
});

test("Symbol.dispose frees the engine", { skip: Symbol.dispose ? false : "no Symbol.dispose" }, () => {
  const engine = new Engine();
  assert.equal(engine[Symbol.dispose], engine.free);
  // The compiled form of `using`: the method is looked up once, and is always called.
  const dispose = engine[Symbol.dispose];
  dispose.call(engine);
  assert.throws(() => engine.rules(), freed);
});

const panicked = (error) => error instanceof PayspecError && error.code === "panic" && error.path === "";

/** Calls an engine where the stack is exhausted, until a call is interrupted. */
function exhaust(engine) {
  const dive = () => {
    try {
      dive();
    } finally {
      engine.validateRequestJson(BODY);
    }
  };
  // Parameters move the frames by eight bytes each: the part of a call that needs more stack than its beginning may be
  // smaller than a frame.
  const begin = (..._) => dive();
  for (let turn = 0; turn < 1000; turn++) {
    const padding = new Array(turn % 64);
    assert.throws(() => begin(...padding));
    try {
      assert.equal(engine.validateRequestJson(BODY), VALID);
    } catch (error) {
      return error;
    }
  }
  return assert.fail("no call was interrupted");
}

/** Interrupts a call by a trap. */
function crash(engine) {
  trap = true;
  try {
    engine.cardInfo("4111");
  } catch (error) {
    return error;
  } finally {
    trap = false;
  }
  return assert.fail("there was no trap");
}

for (const [file, fail] of [["checkout.js", exhaust], ["checkout.js", crash], ["slim.js", exhaust], ["slim.js", crash], ["index.js", exhaust], ["index.js", crash]]) {
  test(`${file}: after a call that did not end (${fail.name}), every call of that instance throws`, async () => {
    const { Engine, PayspecError, initSync } = await imported(file);
    initSync?.(wasm());
    const panicked = (error) => error instanceof PayspecError && error.code === "panic" && error.path === "";
    for (let turn = 0; turn < 20; turn++) {
      const engines = [new Engine(), new Engine({ required: ["/merchant_id"] })];
      for (const engine of engines) engine.validateRequestJson(BODY);
      const before = instances;
      assert.ok(panicked(fail(engines[0])));
      for (const engine of engines) {
        assert.throws(() => engine.validateRequestJson(BODY), panicked);
        assert.throws(() => engine.isValidRequest(BODY), panicked);
        assert.throws(() => engine.rules(), panicked);
        if (engine.policy) assert.throws(() => engine.policy(), panicked);
      }
      assert.equal(instances, before, "only a new engine starts an instance");
      const [next, another] = [new Engine(), new Engine()];
      assert.equal(instances, before + 1, "one instance for both");
      assert.equal(next.validateRequestJson(BODY), VALID);
      assert.equal(another.cardInfo("4111").possible, true);
      for (const engine of engines) {
        assert.throws(() => engine.validateRequestJson(BODY), panicked, "the new engine changes nothing");
        engine.free();
        engine.free();
        assert.throws(() => engine.validateRequestJson(BODY), { code: "argument", path: "/engine" });
      }
      assert.equal(next.validateRequestJson(BODY), VALID);
      next.free();
      another.free();
    }
  });
}

test("collects abandoned engines of a stopped instance without a call", async () => {
  for (let turn = 0; turn < 20; turn++) {
    const engine = new Engine();
    assert.ok(panicked(crash(engine)));
  }
  collect();
  await new Promise((done) => setTimeout(done, 10));
  assert.equal(callsAfterTrap, 0);
  const engine = new Engine();
  assert.equal(engine.validateRequestJson(BODY), VALID);
  engine.free();
});

test("continues after an input that is rejected before the call", () => {
  const engine = new Engine();
  assert.throws(() => engine.validateRequest(new Uint8Array(2 ** 31)), { code: "memory" });
  assert.equal(engine.validateRequestJson(BODY), VALID);
  engine.free();
});

test("creates no engine for an invalid policy", () => {
  const createInvalid = () => assert.throws(() => new Engine({ colour: "blue" }), { code: "policy" });
  for (let turn = 0; turn < 1000; turn++) createInvalid();
  const before = pages();
  for (let turn = 0; turn < 20_000; turn++) createInvalid();
  assert.equal(pages(), before);
});

test("keeps other engines valid when the memory grows", () => {
  const small = new Engine();
  const other = new Engine();
  assert.equal(small.validateRequestJson(BODY), VALID);
  assert.equal(other.validateRequestJson(BODY), VALID);
  const wide = new Engine({ limits: { body_bytes: 100_000_000 } });
  const empty = small.validateRequestJson("");
  for (let size = 1; size <= 16; size *= 2) {
    const before = memory.buffer;
    wide.validateRequestJson(`{"x":"${"y".repeat(size * 4_000_000)}"}`);
    assert.equal(before.byteLength, 0, "the memory has grown, and old views are detached");
    // The first call after growth: every kind of input must find the new memory.
    assert.equal(other.validateRequestJson(new Uint8Array(0)), empty);
    assert.equal(small.validateRequestJson(""), empty);
    assert.equal(small.cardInfoJson("4111"), other.cardInfoJson(new TextEncoder().encode("4111")));
    assert.equal(other.validateRequestJson(new TextEncoder().encode(BODY)), VALID);
    const first = small.createPaymentJson(BODY, `{"uid":"${UID}","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller"}`);
    assert.ok(first.startsWith(`{"status":201,"body":{"uid":"${UID}"`), first);
  }
  for (const engine of [small, other, wide]) engine.free();
});

test("reads an answer that grows the memory from the new memory", () => {
  const engine = new Engine();
  const before = pages();
  const payment = `{"uid":"${UID}","x":"${"y".repeat(Math.max(2, before) * 65_536)}"}`;
  const answer = engine.readPaymentJson(`{"uid":"${UID}","authorization":"checked_by_caller","payment":${payment}}`);
  assert.ok(pages() > before);
  assert.equal(answer, `{"status":200,"body":${payment}}`);
  engine.free();
});

test("wipes card data from memory", () => {
  const number = "4539148803436467";
  const body = (text) => `{"user_name":"${text}","pay_in_details":{"card":{"card_number":"${number}","security_code":"98765432109"}}}`;
  const context = (length) => `{"uid":"${UID}","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","refusal":"${"x".repeat(length)}"}`;
  const legacy = `{"card_number":"${number}","user":"${"x".repeat(3000)}"}`;
  const transferred = () => {
    const bytes = new Uint8Array(1);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  };
  const calls = {
    "a body": (engine) => engine.validateRequestJson(body("")),
    "bytes": (engine) => engine.validateRequestJson(new TextEncoder().encode(body(""))),
    "an object": (engine) => engine.validateRequest(JSON.parse(body(""))),
    "a verdict": (engine) => engine.isValidRequest(body("")),
    "a body and a context": (engine) => engine.createPaymentJson(body(""), context(0)),
    "a context that needs more memory": (engine) => engine.createPaymentJson(body(""), context(50_000)),
    "a body that needs more memory than it has units": (engine) => engine.validateRequestJson(body("\u20ac".repeat(10_000))),
    "a broken context": (engine) => assert.throws(() => engine.createPaymentJson(body(""), "{")),
    "escapes": (engine) => engine.redactJson(body("").replace("45", "\\u0034\\u0035")),
    "digits": (engine) => engine.cardInfoJson(number),
    "a fingerprint": (engine) => engine.fingerprintRequestJson(body("")),
    "bytes of a context that were transferred": (engine) => assert.throws(() => engine.createPaymentJson(body(""), transferred()), { code: "value" }),
    "bytes of a batch that were transferred": (engine) => assert.throws(() => engine.batchJson("redact", [body(""), transferred()]), { code: "value" }),
    "a context that does not fit into memory": (engine) => {
      const longest = new Uint8Array(new ArrayBuffer(0, { maxByteLength: 2 ** 31 }));
      longest.buffer.resize(2 ** 31);
      assert.throws(() => engine.createPaymentJson(body(""), longest), { code: "memory" });
    },
    "the answer of a migration": (engine) => assert.ok(engine.upgradeRequestJson("pay_in", legacy).includes(number)),
    "answers of a batch": (engine) => assert.ok(engine.batchJson("downgradeRequest", [body(""), body("x")]).join("").includes(number)),
  };
  for (const [name, call] of Object.entries(calls)) {
    const engine = new Engine();
    engine.isValidRequest(" ".repeat(300));
    // Memory before that of another engine cannot grow in place.
    const neighbour = new Engine();
    neighbour.isValidRequest(" ".repeat(300));
    call(engine);
    for (const secret of [number, "98765432109"]) assert.equal(Buffer.from(memory.buffer).indexOf(secret), -1, name);
    engine.free();
    neighbour.free();
  }
});

test("an answer that does not fit into a string is an error of that call only", () => {
  const engine = new Engine();
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = () => {
    throw new RangeError("longer than a string");
  };
  try {
    for (const call of [() => engine.redactJson("{}"), () => engine.batchJson("redact", ["{}"]), () => engine.batchJson("redact", ["{}"], "{}")]) {
      assert.throws(call, { name: "PayspecError", code: "memory", path: "" });
    }
    assert.throws(() => new Engine({ limits: 1 }), { name: "PayspecError", code: "memory" });
  } finally {
    TextDecoder.prototype.decode = decode;
  }
  assert.equal(engine.redactJson('{"cvv":"1"}'), '{"cvv":"***"}');
  assert.deepEqual(engine.batchJson("redact", ['{"cvv":"1"}']), ['{"cvv":"***"}']);
  engine.free();
});

test("leaves no copy of card data when memory grows and moves", () => {
  const number = "4539148803436467";
  const [engine, ...neighbours] = Array.from({ length: 3 }, () => new Engine());
  // The memory of the neighbors is after that of the engine, which cannot grow in place.
  for (const each of [engine, ...neighbours]) each.isValidRequest(" ".repeat(300));
  for (let length = 50_000; length < 500_000; length += 50_000) {
    const context = `{"uid":"${UID}","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","refusal":"${"x".repeat(length)}"}`;
    engine.createPaymentJson(`{"pay_in_details":{"card":{"card_number":"${number}"}}}`, context);
  }
  assert.equal(Buffer.from(memory.buffer).indexOf(number), -1);
  for (const each of [engine, ...neighbours]) each.free();
});

test("does not leak memory of 100,000 engines, each with a policy and a call", () => {
  const once = () => {
    const engine = new Engine({ required: ["/merchant_id"] });
    engine.isValidRequest(BODY);
    engine.free();
  };
  for (let turn = 0; turn < 1000; turn++) once();
  const before = pages();
  for (let turn = 0; turn < 100_000; turn++) once();
  assert.equal(pages(), before);
});

test("collects engines that are not freed", async () => {
  const rounds = 40;
  // 64 KiB of memory each: together, they would be 2.5 GiB.
  const large = `"${"x".repeat(65_000)}"`;
  let settled;
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < 1000; turn++) new Engine().validateRequestJson(large);
    collect();
    // Finalizers run in separate tasks.
    await new Promise((done) => setTimeout(done, 0));
    await new Promise((done) => setTimeout(done, 0));
    if (round === 4) settled = pages();
  }
  assert.ok(pages() <= settled * 2, `${settled} pages, then ${pages()}`);
});

test("does not leak memory in a million calls of one engine", () => {
  const engine = new Engine();
  for (let turn = 0; turn < 1000; turn++) engine.validateRequestJson(BODY);
  const before = pages();
  for (let turn = 0; turn < 1_000_000; turn++) engine.isValidRequest(BODY);
  assert.equal(pages(), before);
  engine.free();
});
