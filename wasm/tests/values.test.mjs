// The object form: accepted values, and that no value is lost silently, pollutes a prototype, or crashes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { browse, open, serve, skip } from "./support/browser.mjs";
import { imported, pkg } from "./support/package.mjs";

const { Engine, PayspecError } = await imported("index.js");
const engine = new Engine();

const BODY = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50" };
const CHECKED = { authorization: "checked_by_caller" };
const CONTEXT = { uid: "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", now: "2026-11-20T10:15:30.250Z", ...CHECKED };
const CARD = { ...BODY, subtype: "bank_card", pay_in_details: { card: { card_number: "4111111111111111", expiry_year: 2026, expiry_month: 10 } } };

/** Returns code and path of every violation. */
const codes = (report) => report.violations.map(({ code, path }) => `${code} ${path}`);

/** Checks that a call throws a caller error. The message contains no value. */
function rejects(call, code, path) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof PayspecError && error instanceof Error, String(error?.stack));
    assert.deepEqual([error.name, error.code, error.path], ["PayspecError", code, path]);
    assert.equal(error.message, `${code} error at ${path || "the input"}: ${error.expected}`);
    assert.ok(error.expected.length > 0 && !/4111|secret/.test(error.message));
    return true;
  });
}

/** Checks that an option is unknown. The message names those that exist, and contains no name of the caller. */
function unknown(call, ...names) {
  assert.throws(call, { name: "TypeError", message: `unknown option, expected ${names.join(" or ")}` });
}

/** Checks that the options are not an object. */
function rejectsOptions(call) {
  assert.throws(call, { name: "TypeError", message: "options: an object" });
}

test("returns the same answer for a plain object, its text and its bytes", () => {
  const text = JSON.stringify(BODY);
  const report = { valid: true, variant: "pay_in", mode: "P2P", host2host: false, violations: [] };
  for (const body of [BODY, text, new TextEncoder().encode(text), Buffer.from(text), structuredClone(BODY), Object.freeze({ ...BODY })]) {
    assert.deepStrictEqual(engine.validateRequest(body), report);
    assert.equal(engine.isValidRequest(body), true);
  }
  const part = new TextEncoder().encode(`xx${text}yy`).subarray(2, -2);
  assert.deepStrictEqual(engine.validateRequest(part), report, "a part of a larger buffer");
  const bare = Object.assign(Object.create(null), BODY);
  assert.deepStrictEqual(engine.validateRequest(bare), report, "an object without prototype");
  class Form {
    constructor() {
      Object.assign(this, BODY);
    }
    describe() {
      return "a method is not data";
    }
  }
  assert.deepStrictEqual(engine.validateRequest(new Form()), report, "an instance of a class");
  assert.deepStrictEqual(engine.validateRequest(new Proxy(BODY, {})), report, "a proxy, as frameworks make them");
});

test("accepts values of another realm", () => {
  const text = JSON.stringify(BODY);
  for (const body of [`new Uint8Array(${JSON.stringify([...Buffer.from(text)])})`, `(${text})`, JSON.stringify(text)]) {
    assert.equal(engine.isValidRequest(runInNewContext(body)), true, body.slice(0, 20));
  }
  const now = runInNewContext("new Date('2026-11-20T10:15:30.250Z')");
  assert.equal(engine.createPayment(BODY, { ...CONTEXT, now }).status, 201);
  assert.deepEqual(engine.validateRequest(CARD, { now }), engine.validateRequest(CARD, { now: CONTEXT.now }));
  rejects(() => engine.validateRequest(runInNewContext("new Map([['cur', 'RUB']])")), "value", "");
  rejects(() => engine.validateRequest(BODY, { now: runInNewContext("new Date(NaN)") }), "value", "/now");
});

test("treats undefined as absent, and null too if it is allowed", () => {
  assert.deepEqual(codes(engine.validateRequest({ ...BODY, user_id: undefined, callback: null })), []);
  assert.deepEqual(codes(engine.validateRequest({ ...BODY, cur: undefined })), ["missing /cur"]);
  assert.deepEqual(codes(engine.validateRequest(null)), ["type "]);
  for (const call of ["validateRequest", "isValidRequest", "fieldCurrencies", "redact", "upgradePayment", "downgradePayment", "downgradeRequest", "upgradeBalance", "downgradeBalance", "fingerprintRequest", "checkPayment"]) {
    rejects(() => engine[call](), "argument", "/body");
    rejects(() => engine[call](undefined), "argument", "/body");
  }
  assert.equal(engine.createPayment("", CONTEXT).status, 400, "what a server passes without a body");
  rejects(() => engine.createPayment(BODY), "argument", "/context");
  rejects(() => engine.readPayment(), "argument", "/context");
  rejects(() => engine.upgradeRequest(undefined, BODY), "argument", "/kind");
  rejects(() => engine.upgradeRequest("pay_in"), "argument", "/body");
  rejects(() => engine.cardInfo(), "argument", "/digits");
  rejects(() => engine.cardInfo(4111), "value", "/digits");
  rejects(() => engine.validateRequestJson(BODY), "value", "/body");
  rejects(() => engine.createPaymentJson("{}", CONTEXT), "value", "/context");
  assert.deepEqual([engine.authorize().status, engine.authorize(null).status], [401, 401]);
  assert.equal(engine.checkPayment("{}", { request: null }).valid, false);
  assert.deepEqual(codes(engine.validateRequest(BODY, null)), []);
  assert.deepEqual(codes(engine.validateRequest(BODY, { now: null, messages: undefined })), []);
});

test("a request without the header has no key", () => {
  for (const none of [undefined, null]) assert.deepEqual(engine.idempotencyKey(none), engine.idempotencyKey());
  assert.deepEqual(engine.idempotencyKey().key, null);
});

test("names NaN and accessors in the error", () => {
  const expected = (value) => {
    try {
      engine.validateRequest(value);
      return undefined;
    } catch (error) {
      return `${error.path} ${error.expected}`;
    }
  };
  class Cart {
    get total() {
      return "1";
    }
  }
  assert.match(expected({ ...BODY, time_to_complete_payment: NaN }), /^\/time_to_complete_payment expected a finite number, not NaN/);
  assert.match(expected(new Cart()), /^\/total expected an own, enumerable property, not an accessor of a class/);
  assert.match(expected({ cur: 1n }), /^\/cur expected a value that JSON can represent$/);
});

test("rejects a value without a JSON form with its path", () => {
  const cycle = { ...BODY };
  cycle.self = { again: cycle };
  const shared = { a: 1 };
  assert.equal(engine.validateRequest({ ...BODY, one: shared, two: shared }).valid, true, "the same object twice is not a cycle");
  const cases = [
    [cycle, "/self/again"],
    [{ amount: 10n }, "/amount"],
    [{ amount: NaN }, "/amount"],
    [{ amount: Infinity }, "/amount"],
    [{ amount: -Infinity }, "/amount"],
    [{ amount: Symbol("secret") }, "/amount"],
    [{ amount: () => "secret" }, "/amount"],
    [{ "a/b~c": [0, { x: 1n }] }, "/a~1b~0c/1/x"],
    [{ pay_in_details: new Map([["card", {}]]) }, "/pay_in_details"],
    [{ pay_in_details: new Set(["card"]) }, "/pay_in_details"],
    [{ pay_in_details: new WeakMap() }, "/pay_in_details"],
    [{ pay_in_details: Promise.resolve({}) }, "/pay_in_details"],
    [{ pay_in_details: new FormData() }, "/pay_in_details"],
    [{ pay_in_details: new URLSearchParams("a=1") }, "/pay_in_details"],
    [{ pay_in_details: new Error("secret") }, "/pay_in_details"],
    [{ pay_in_details: /secret/ }, "/pay_in_details"],
    [{ pay_in_details: new ArrayBuffer(2) }, "/pay_in_details"],
    [{ pay_in_details: new Uint16Array(2) }, "/pay_in_details"],
    [{ pay_in_details: new Uint8Array(2) }, "/pay_in_details"],
    [{ pay_in_details: new DataView(new ArrayBuffer(2)) }, "/pay_in_details"],
    [{ callback: new Date(NaN) }, "/callback"],
    [new Map([["cur", "RUB"]]), ""],
    [new Set(), ""],
    [new Uint16Array(2), ""],
    [new ArrayBuffer(2), ""],
    [Promise.resolve(BODY), ""],
    [new FormData(), ""],
    [5n, ""],
    [NaN, ""],
    [Symbol("secret"), ""],
    [() => BODY, ""],
  ];
  for (const [body, path] of cases) {
    for (const call of ["validateRequest", "isValidRequest", "redact"]) rejects(() => engine[call](body), "value", path);
    rejects(() => engine.createPayment(body, CONTEXT), "value", path);
    if (typeof body === "object") rejects(() => engine.createPayment(BODY, body), "value", path);
  }
  assert.equal(engine.isValidRequest(BODY), true, "the engine continues");
});

test("rejects data that JSON.stringify would omit with its path", () => {
  const denied = { header: "Bearer t", accepted: false };
  const { authorization, ...context } = CONTEXT;
  assert.equal(authorization, CHECKED.authorization);
  class Context {
    constructor() {
      Object.assign(this, context);
    }
    get authorization() {
      return denied;
    }
  }
  const hidden = [
    [Object.assign(Object.create({ authorization: denied }), context), "/authorization"],
    [Object.assign(Object.create(Object.create(null, { authorization: { value: denied } })), context), "/authorization"],
    [Object.defineProperty({ ...context }, "authorization", { value: denied }), "/authorization"],
    [Object.defineProperty({ ...context }, "authorization", { get: () => denied }), "/authorization"],
    [new Context(), "/authorization"],
    [{ ...context, authorization: { toJSON: () => undefined } }, "/authorization"],
    [{ ...context, authorization: Object.create(denied) }, "/authorization/header"],
    [{ ...CONTEXT, info: [undefined] }, "/info/0"],
    [{ ...CONTEXT, info: new Array(1) }, "/info"],
    [{ ...CONTEXT, info: Object.assign([1], { type: "card" }) }, "/info"],
    [{ ...CONTEXT, info: { toJSON: () => new Map([["type", "card"]]) } }, "/info"],
  ];
  for (const [value, path] of hidden) {
    rejects(() => engine.createPayment(BODY, value), "value", path);
    rejects(() => engine.validateRequest(value), "value", path);
  }
  const vue2 = Object.defineProperty({ ...CONTEXT }, "__ob__", { value: {} });
  assert.equal(engine.createPayment(BODY, vue2).status, 201, "a property of a framework");
});

/** Calls `createPayment` with contexts whose authorization is denied in ways that `JSON.stringify` omits. Runs in a page too. */
function denials({ Engine, PayspecError }, body, { authorization, ...context }, realms) {
  const engine = new Engine();
  const denied = { header: "Bearer t", accepted: false };
  const contexts = realms.flatMap((realm) => {
    const own = (prototype) => realm.Object.assign(realm.Object.create(prototype), context);
    return [
      own({ authorization: denied }),
      own(realm.Object.create(null, { authorization: { get: () => denied } })),
      realm.Object.defineProperty(own(realm.Object.prototype), "authorization", { get: () => denied }),
      { ...context, authorization: realm.Object.create(denied) },
      { ...context, authorization: realm.Object.assign(realm.Object.create(null), { toJSON: () => undefined }) },
    ];
  });
  const outcome = (context) => {
    try {
      return String(engine.createPayment(body, context).status);
    } catch (error) {
      return `${error instanceof PayspecError} ${error.code} ${error.path}`;
    }
  };
  const outcomes = contexts.map(outcome);
  Object.prototype.authorization = denied;
  outcomes.push(outcome(context));
  delete Object.prototype.authorization;
  return [...outcomes, outcome({ ...context, authorization })];
}

const REJECTED = ["true value /authorization", "true value /authorization", "true value /authorization", "true value /authorization/header", "true value /authorization"];
/** Nothing is read from a polluted prototype. */
const MISSING = "true context /authorization";

test("rejects the same from another realm, and if a prototype is polluted", () => {
  const outcomes = denials({ Engine, PayspecError }, BODY, CONTEXT, [globalThis, { Object: runInNewContext("Object") }]);
  assert.deepEqual(outcomes, [...REJECTED, ...REJECTED, MISSING, "201"]);
});

test("rejects the same in Chromium", { skip }, () =>
  browse(async (browser) => {
    const server = await serve({
      "/pkg/": pkg,
      "/index.html": '<!doctype html><meta charset="utf-8"><title>payspec</title><iframe></iframe><script type="module" src="/index.js"></script>',
      "/index.js": `import * as entry from "/pkg/index.js"; globalThis.result = (${denials})(entry, ${JSON.stringify(BODY)}, ${JSON.stringify(CONTEXT)}, [globalThis, frames[0]]);`,
      "/favicon.ico": "",
    });
    try {
      const { page, complaints } = await open(browser, `${server.address}/index.html`);
      await page.waitForFunction(() => globalThis.result, undefined, { timeout: 30_000 }).catch(() => {});
      const result = await page.evaluate(() => globalThis.result);
      assert.deepEqual(complaints, []);
      assert.deepEqual(result, [...REJECTED, ...REJECTED, MISSING, "201"]);
    } finally {
      await server.close();
    }
  }));

test("reads a property once, so its check and its text agree", () => {
  let reads = 0;
  const changing = { get accepted() { return ++reads > 1; }, header: "Bearer t" };
  assert.equal(engine.createPayment(BODY, { ...CONTEXT, authorization: changing }).status, 401);
  assert.equal(reads, 1);
});

test("reports an exception of a getter as an invalid argument without its text", () => {
  const thrower = () => {
    throw new Error("secret");
  };
  rejects(() => engine.validateRequest({ toJSON: thrower }), "value", "");
  rejects(() => engine.validateRequest(Object.defineProperty({}, "cur", { enumerable: true, get: thrower })), "value", "/cur");
  rejects(() => engine.validateRequest(new Proxy({}, { ownKeys: thrower })), "value", "");
  rejects(() => engine.validateRequest({ toJSON: () => Promise.reject.call() }), "value", "");
  rejects(() => engine.validateRequest({ get cur() { throw undefined; } }), "value", "/cur");
  rejects(() => engine.validateRequest({ toJSON: () => undefined }), "value", "");
  rejects(() => engine.validateRequest({ toJSON: () => ({ amount: 1n }) }), "value", "/amount");
});

test("calls toJSON like JSON.stringify", () => {
  assert.equal(engine.isValidRequest({ toJSON: () => BODY }), true);
  assert.equal(engine.isValidRequest({ ...BODY, callback: new URL("https://shop.example/cb") }), true);
  assert.equal(engine.createPayment(BODY, { ...CONTEXT, now: new Date(CONTEXT.now) }).body.created_date, CONTEXT.now);
  assert.equal(engine.validateRequest(new String(JSON.stringify(BODY))).valid, false, "a boxed string is a JSON string");
});

test("dates: a valid date is its timestamp, any other is an invalid argument", () => {
  const expired = (now) => codes(engine.validateRequest(CARD, { now })).some((line) => line.startsWith("card_expired"));
  assert.equal(expired("2026-11-20T10:15:30Z"), true);
  assert.equal(expired(new Date("2026-11-20T10:15:30Z")), true);
  assert.equal(expired(new Date("2026-10-20T10:15:30Z")), false);
  assert.equal(expired(undefined), false);
  assert.equal(engine.isValidRequest(CARD, { now: new Date("2026-11-20T10:15:30Z") }), false);
  for (const call of ["validateRequest", "isValidRequest"]) {
    rejects(() => engine[call](BODY, { now: new Date(NaN) }), "value", "/now");
    rejects(() => engine[call](BODY, { now: Date.now() }), "value", "/now");
    rejects(() => engine[call](BODY, { now: "today" }), "context", "/now");
    rejects(() => engine[call](BODY, { now: new Date(8.64e15) }), "context", "/now");
    rejects(() => engine[call](BODY, { now: new Uint8Array([0xff]) }), "utf8", "/now");
  }
});

test("options: now may be passed without an object, and an unknown option is a TypeError", () => {
  const late = "2026-11-20T10:15:30Z";
  for (const now of [late, new Date(late), { now: late }, { now: new Date(late) }, new TextEncoder().encode(late)]) {
    assert.equal(engine.validateRequest(CARD, now).valid, false);
    assert.equal(engine.isValidRequest(CARD, now), false);
    assert.equal(JSON.parse(engine.validateRequestJson(JSON.stringify(CARD), now)).valid, false);
  }
  for (const none of [undefined, null, {}, { now: undefined }]) assert.equal(engine.validateRequest(CARD, none).valid, true);
  for (const call of ["validateRequest", "isValidRequest", "validateRequestJson"]) {
    const names = call === "validateRequest" ? ["now", "messages"] : ["now"];
    unknown(() => engine[call](JSON.stringify(CARD), { Now: late }), ...names);
    unknown(() => engine[call](JSON.stringify(CARD), { now: late, request: "{}" }), ...names);
    unknown(() => engine[call](JSON.stringify(CARD), { 4111111111111111: late }), ...names);
    for (const other of [["now"], new Map([["now", late]]), Promise.resolve({})]) rejectsOptions(() => engine[call](JSON.stringify(CARD), other));
    rejects(() => engine[call](JSON.stringify(CARD), Date.parse(late)), "value", "/now");
  }
  for (const call of ["isValidRequest", "validateRequestJson"]) unknown(() => engine[call]("{}", { messages: {} }), "now");
  unknown(() => new Engine({}, { mesages: {} }), "messages");
  for (const other of [5, "{}", [], new Map(), new Date()]) rejectsOptions(() => new Engine({}, other));
  rejects(() => new Engine({}, { messages: { missing: "fehlt" } }), "value", "/messages/missing");
  rejects(() => engine.validateRequest({}, { messages: { missing: "fehlt" } }), "value", "/messages/missing");
});

test("options: the request of checkPayment is a member of the options", () => {
  const payment = engine.createPayment(BODY, CONTEXT).body;
  const other = { ...BODY, amount: "1.00" };
  const answers = (report) => !report.violations.some((violation) => violation.code === "answer_mismatch");
  for (const request of [other, JSON.stringify(other), new TextEncoder().encode(JSON.stringify(other))]) {
    assert.equal(answers(engine.checkPayment(payment, { request })), false);
    assert.equal(answers(engine.checkPayment(payment, { request, messages: {} })), false);
    unknown(() => engine.checkPayment(payment, { request, mesages: {} }), "request", "messages");
  }
  for (const more of [{ request: BODY }, { request: JSON.stringify(BODY) }, {}, undefined, null]) assert.equal(answers(engine.checkPayment(payment, more)), true);
  // A request without options.
  for (const request of [other, BODY, { payment_type: "pay_in" }]) unknown(() => engine.checkPayment(payment, request), "request", "messages");
  for (const request of [JSON.stringify(other), new TextEncoder().encode("{}"), [other], new Map([["request", other]]), 5, true]) {
    rejectsOptions(() => engine.checkPayment(payment, request));
  }
  // The JSON form accepts text or bytes.
  const text = JSON.stringify(payment);
  for (const request of [JSON.stringify(other), new TextEncoder().encode(JSON.stringify(other)), { request: JSON.stringify(other) }]) {
    assert.equal(answers(JSON.parse(engine.checkPaymentJson(text, request))), false);
  }
  rejects(() => engine.checkPaymentJson(text, { request: other }), "value", "/request");
  rejects(() => engine.checkPaymentJson(text, 5), "value", "/request");
  unknown(() => engine.checkPaymentJson(text, other), "request");
});

test("rejects transferred bytes and a revoked proxy", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(BODY));
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  assert.equal(bytes.length, 0);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const body of [bytes, proxy]) {
    rejects(() => engine.validateRequest(body), "value", "");
    assert.equal(engine.isValidRequest(BODY), true);
  }
});

test("errors mask card numbers in the names of members", () => {
  const masked = "/453914******6467";
  rejects(() => engine.validateRequest({ 4539148803436467: NaN }), "value", masked);
  rejects(() => engine.validateRequest({ a: [{ 4539148803436467: 1n }] }), "value", `/a/0${masked}`);
  rejects(() => engine.validateRequest(BODY, { messages: { 4539148803436467: 1 } }), "value", `/messages${masked}`);
  rejects(() => new Engine({}, { messages: { "a/~b": 1 } }), "value", "/messages/a~1~0b");
});

test("shows the documented names in the console", () => {
  assert.deepEqual([Engine.name, PayspecError.name], ["Engine", "PayspecError"]);
});

test("treats names of prototype properties as ordinary members", () => {
  const body = JSON.parse(`{"__proto__":{"valid":true,"amount":"1"},"constructor":{"prototype":{"bad":1}},"toString":1,"hasOwnProperty":2,${JSON.stringify(BODY).slice(1)}`);
  const expected = ["__proto__", "constructor", "toString", "hasOwnProperty"].map((key) => `unknown_member /${key}`);
  assert.deepEqual(codes(engine.validateRequest(body)), expected);
  const redacted = engine.redact(body);
  assert.ok(Object.hasOwn(redacted, "__proto__") && Object.getPrototypeOf(redacted) === Object.prototype);
  assert.deepEqual(Object.keys(redacted), Object.keys(body));
  assert.equal({}.valid, undefined);
  assert.equal({}.bad, undefined);
  const stored = engine.readPayment({ uid: CONTEXT.uid, payment: JSON.parse(`{"__proto__":{"polluted":1},"uid":"${CONTEXT.uid}"}`), ...CHECKED });
  assert.deepEqual([stored.body.polluted, Object.keys(stored.body)], [undefined, ["__proto__", "uid"]]);
  const heir = Object.create(BODY);
  rejects(() => engine.validateRequest(heir), "value", "/payment_type");
  rejects(() => engine.createPayment(BODY, JSON.parse(`{"__proto__":{"uid":"1"},${JSON.stringify(CONTEXT).slice(1)}`)), "context", "/__proto__");
  rejects(() => new Engine(JSON.parse('{"__proto__":{}}')), "policy", "/__proto__");
  rejects(() => new Engine({ severity: { constructor: "off" } }), "policy", "/severity/constructor");
});

test("does not exhaust the stack with nested values", () => {
  const LEVELS = 100_000;
  assert.deepEqual(codes(engine.validateRequest("[".repeat(LEVELS))).map((line) => line.split(" ")[0]), ["body_too_large"]);
  const wide = new Engine({ limits: { body_bytes: 10_000_000 } });
  for (const text of ["[".repeat(LEVELS), '{"a":'.repeat(LEVELS)]) {
    assert.deepEqual(codes(wide.validateRequest(text)).map((line) => line.split(" ")[0]), ["too_deep"]);
    assert.equal(wide.createPayment(text, CONTEXT).status, 422);
  }
  let deep = {};
  for (let level = 0; level < LEVELS; level++) deep = { a: deep };
  for (const call of ["validateRequest", "redact", "upgradePayment"]) assert.deepEqual(codes(wide[call](deep)), ["too_deep "], call);
  assert.equal(wide.isValidRequest(deep), false);
  assert.equal(wide.createPayment(deep, CONTEXT).status, 422);
  assert.deepEqual(wide.batch("redact", [{}, deep]).map(({ valid }) => valid), [undefined, false]);
  let shallow = {};
  for (let level = 0; level < 1000; level++) shallow = [shallow];
  assert.deepEqual(codes(wide.validateRequest(shallow)).map((line) => line.split(" ")[0]), ["too_deep"]);
  rejects(() => wide.createPayment(BODY, deep), "value", "");
  rejects(() => new Engine(deep), "value", "");
  rejects(() => wide.readPaymentJson(`{"uid":"${CONTEXT.uid}","payment":${"[".repeat(LEVELS)}`), "context", "");
  wide.free();
});

test("reports a lone surrogate with its position", () => {
  const cases = [
    ["\ud800", 1, 1],
    ["\udfff", 1, 1],
    ['{"a":"\ud800"}', 1, 7],
    ['{"a":"\udc00\ud800"}', 1, 7],
    ['{"a":"\u00e9\u20ac😀\ud83d"}', 1, 10],
    ['{\n  "a": 1,\n  "b": "\ude00"}', 3, 9],
    [`{"a":"${"😀".repeat(100)}\ud83d`, 1, 107],
  ];
  for (const [text, line, column] of cases) {
    const [violation, ...rest] = engine.validateRequest(text).violations;
    assert.deepEqual([rest.length, violation.code, violation.params], [0, "json_syntax", { line, column }], JSON.stringify(text));
  }
  assert.deepEqual(codes(engine.validateRequest({ ...BODY, user_id: "\ud800" })), ["json_syntax "], "also in an object");
  assert.equal(engine.isValidRequest({ ...BODY, user_id: "😀" }), true);
  // U+FFFD, which the encoder writes for it, and characters with the same first byte are ordinary texts.
  for (const text of ["\ufffd", "\uff0c\uffef\uf000", "\u00e9".repeat(15) + "\ufffd", "\ufffd".repeat(5000)]) {
    assert.equal(engine.redactJson(`{"a":"${text}"}`), `{"a":"${text}"}`);
    assert.deepEqual(codes(engine.validateRequest(`{"a":"${text}\udfff"}`)), ["json_syntax "]);
  }
  rejects(() => engine.validateRequest(BODY, { now: "\ud800" }), "utf8", "/now");
  rejects(() => engine.createPayment(BODY, { ...CONTEXT, refusal: "\ud800" }), "context", "");
});

test("passes texts of every length and encoding completely", () => {
  const wide = new Engine({ limits: { body_bytes: 100_000_000, text_chars: 10_000_000, description_chars: 10_000_000 } });
  for (const letter of ["a", "\u00e9", "\u20ac", "😀"]) {
    // Alternately longer and shorter: the memory grows once for code units, once for bytes.
    for (const length of [1, 5000, 2, 70_000, 3, 0, 300_000, 1]) {
      const description = letter.repeat(length) || "x";
      const { body } = wide.createPayment({ ...BODY, description, merchant_id: description }, CONTEXT);
      assert.equal(body.merchant_id, description, `${length} × ${letter}`);
    }
  }
  wide.free();
});

test("reports bodies above the limit, and validates those below it", () => {
  const padded = (size) => `${JSON.stringify(BODY).slice(0, -1)},"x":"${"y".repeat(size)}"}`;
  assert.deepEqual(codes(engine.validateRequest(padded(70 * 1024))), ["body_too_large "]);
  assert.equal(engine.createPayment(padded(70 * 1024), CONTEXT).status, 413);
  assert.deepEqual(codes(engine.validateRequest({ ...BODY, x: "y".repeat(70 * 1024) })), ["body_too_large "]);
  const large = padded(50 * 1024 * 1024);
  assert.deepEqual(codes(engine.validateRequest(large)), ["body_too_large "]);
  const wide = new Engine({ limits: { body_bytes: 100_000_000 } });
  for (const body of [large, new TextEncoder().encode(large)]) assert.deepEqual(codes(wide.validateRequest(body)), ["unknown_member /x"]);
  wide.free();
  assert.deepEqual(codes(engine.validateRequest(padded(10))), ["unknown_member /x"]);
});

test("rejects bytes that exceed the memory, and continues", () => {
  rejects(() => engine.validateRequest(new Uint8Array(2 ** 31)), "memory", "");
  assert.equal(engine.isValidRequest(BODY), true);
});

test("messages: those of a call precede those of the engine", () => {
  const messages = { missing: ({ path, params }) => `${path} fehlt ${JSON.stringify(params ?? null)}`, amount_scale: (v) => `${v.params.minor_unit} Stellen` };
  const translated = new Engine({ severity: { unknown_member: "error" } }, { messages });
  const body = { ...BODY, cur: undefined, amount: "1.001", colour: 1 };
  const [amount, cur, unknown] = ["/amount", "/cur", "/colour"].map((path) => translated.validateRequest({ ...body, ...(path === "/amount" ? { cur: "RUB" } : {}) }).violations.find((v) => v.path === path));
  assert.equal(cur.message, "/cur fehlt null");
  assert.equal(amount.message, "2 Stellen");
  assert.equal(unknown.message, engine.validateRequest(body).violations.find((v) => v.path === "/colour").message, "the message of the library");
  const call = translated.validateRequest(body, { messages: { missing: () => "bitte" } });
  assert.equal(call.violations.find((v) => v.code === "missing").message, "bitte");
  assert.equal(translated.checkPayment("{}").violations[0].message.split(" fehlt")[0], translated.checkPayment("{}").violations[0].path);
  assert.equal(translated.checkPayment("{}", { messages: { missing: () => "bitte" } }).violations[0].message, "bitte");
  assert.match(translated.validateRequestJson(JSON.stringify(body)), /is required|missing/, "the JSON form has the message of the library");
  const heir = Object.create({ missing: () => "inherited" });
  assert.notEqual(new Engine(undefined, { messages: heir }).validateRequest({}).violations[0].message, "inherited");
  Object.prototype.missing = () => "polluted";
  try {
    assert.notEqual(new Engine({}, { messages: {} }).validateRequest({}).violations[0].message, "polluted");
  } finally {
    delete Object.prototype.missing;
  }
  translated.free();
});

test("messages: a missing text is skipped, and a value of another type is an invalid argument", () => {
  const report = engine.validateRequestJson("{}");
  const none = new Engine({}, { messages: { missing: undefined } });
  assert.deepEqual(none.validateRequest("{}", { messages: { missing: undefined } }), JSON.parse(report));
  rejects(() => new Engine({}, { messages: 5 }), "value", "/messages");
  rejects(() => none.validateRequest("{}", { messages: { missing: "bitte" } }), "value", "/messages/missing");
  const texts = { missing: () => "bitte" };
  const late = new Engine({}, { messages: texts });
  texts.missing = "bitte";
  assert.deepEqual(late.validateRequest("{}"), JSON.parse(report));
  none.free();
  late.free();
});

test("rejects a missing authorization", () => {
  for (const authorization of [undefined, null]) {
    rejects(() => engine.createPayment(BODY, { ...CONTEXT, authorization }), "context", "/authorization");
    rejects(() => engine.readPayment({ uid: CONTEXT.uid, payment: null, authorization }), "context", "/authorization");
    rejects(() => engine.readBalance({ balance: { cur: "RUB" }, authorization }), "context", "/authorization");
  }
  const create = (authorization) => engine.createPayment(BODY, { ...CONTEXT, authorization }).status;
  rejects(() => create({ header: undefined, accepted: true }), "context", "/authorization/header");
  rejects(() => create({ header: "Bearer t" }), "context", "/authorization/accepted");
  assert.equal(create({ header: null, accepted: true }), 401);
  assert.equal(create({ header: "Bearer t", accepted: false }), 401);
  assert.equal(create({ header: "Bearer t", accepted: true }), 201);
  assert.equal(create("checked_by_caller"), 201);
});

test("answers 404 to a uid with a lone surrogate, as to any other that is no UUID", () => {
  for (const uid of ["", "7", "a\ud800", "\udc00\ud800", `${CONTEXT.uid}\udfff`, "\ud83d\ude00"]) {
    const context = { uid, payment: null, ...CHECKED };
    const { status, body } = engine.readPayment(context);
    assert.deepEqual([status, body.code, context.uid], [404, "payment_not_found", uid]);
  }
});

test("requires the uid of a stored payment, and the record of a key", () => {
  const uid = CONTEXT.uid;
  rejects(() => engine.readPayment({ uid, payment: {}, ...CHECKED }), "context", "/payment/uid");
  rejects(() => engine.readPayment({ uid, payment: { uid: "7" }, ...CHECKED }), "context", "/payment/uid");
  assert.deepEqual(engine.readPayment({ uid, payment: { uid }, ...CHECKED }), { status: 200, body: { uid } });
  const create = (idempotency) => engine.createPayment(BODY, { ...CONTEXT, idempotency });
  rejects(() => create({ key: "k", existing: undefined }), "context", "/idempotency/existing");
  assert.equal(create({ key: "k", existing: null }).status, 201);
  const existing = { created_at: CONTEXT.now, fingerprint: "f", payment: {} };
  rejects(() => create({ key: "k", existing }), "context", "/idempotency/existing/payment/uid");
});

test("ignores half a character at the end of a typed number", () => {
  for (const half of ["\ud83d", "\ude00"]) {
    assert.equal(engine.cardInfoJson(`4111${half}`), engine.cardInfoJson("4111\ufffd"));
    assert.equal(engine.cardInfo(`4111${half}`).possible, false);
  }
});

test("omits the text of another exception from an error", () => {
  const number = "4111111111111111";
  for (const thrown of [Object.assign(new Error(number), { name: number }), Symbol(number), { get name() { throw new Error(number); } }]) {
    const body = { get amount() { throw thrown; } };
    assert.throws(() => engine.redact(body), (error) => error instanceof PayspecError && error.code === "value" && !`${error.stack} ${error.cause}`.includes(number));
  }
  rejects(() => engine.validateRequest(BODY, { now: { [Symbol.toStringTag]: "Date" } }), "value", "/now");
});

test("uses the real length of bytes, even if their class overrides it", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(BODY));
  const other = new Engine();
  class Freeing extends Uint8Array {
    get length() {
      other.free();
      return 2 ** 20;
    }
  }
  assert.equal(other.validateRequestJson(new Freeing(bytes.buffer)), engine.validateRequestJson(bytes));
  assert.equal(other.isValidRequest(BODY), true, "the overridden length is not read");
  other.free();
});

test("throws caller errors with code and path", () => {
  rejects(() => new Engine({ colour: "blue" }), "policy", "/colour");
  rejects(() => new Engine({ limits: { depth: -1 } }), "policy", "/limits/depth");
  rejects(() => new Engine({ limits: { depth: 1n } }), "value", "/limits/depth");
  rejects(() => new Engine("{}"), "policy", "");
  rejects(() => new Engine(null), "policy", "");
  rejects(() => engine.createPayment(BODY, { ...CONTEXT, uid: "secret" }), "context", "/uid");
  rejects(() => engine.createPayment(BODY, { ...CONTEXT, charges: { fee: 1 } }), "context", "/charges/fee");
  rejects(() => engine.upgradeRequest("pay_up", {}), "context", "/kind");
  assert.equal(new PayspecError("context", "/uid", "a UUID").stack.split("\n")[0], "PayspecError: context error at /uid: a UUID");
});

test("returns the resolved policy as a plain object that creates the same engine", () => {
  const given = new Engine({ required: ["/merchant_id"], limits: { amount: { RUB: { min: "10", max: "500000" } } } });
  const policy = given.policy();
  assert.equal(Object.getPrototypeOf(policy), Object.prototype);
  assert.equal(Object.getPrototypeOf(policy.limits.amount), Object.prototype);
  assert.deepEqual([policy.required, policy.limits.depth], [["/merchant_id"], 16]);
  const again = new Engine(policy);
  assert.deepStrictEqual(again.policy(), policy);
  assert.deepStrictEqual(again.validateRequest(BODY), given.validateRequest(BODY));
});

test("returns the resolved policy without the fingerprint key", () => {
  const key = "00112233445566778899aabbccddeeff";
  const keyed = new Engine({ fingerprint_key: key });
  const policy = keyed.policy();
  assert.equal(policy.fingerprint_key, null);
  assert.ok(!JSON.stringify(policy).includes(key));
  const fingerprint = (engine) => engine.fingerprintRequest(BODY).fingerprint;
  const again = new Engine({ ...policy, fingerprint_key: key });
  assert.equal(fingerprint(again), fingerprint(keyed));
  assert.notEqual(fingerprint(new Engine(policy)), fingerprint(keyed));
});

test("signs, verifies, and locates only what the caller has: text or bytes", () => {
  rejects(() => engine.signWebhook({}, { id: "evt_1", timestamp: new Date(), secrets: ["whsec_AA=="] }), "value", "/body");
  rejects(() => engine.verifyWebhook({}, { headers: {}, secrets: ["whsec_AA=="], now: new Date() }), "value", "/body");
  rejects(() => engine.locate({ a: 1 }, "/a"), "value", "/body");
});

test("verifies a webhook with the headers of any framework", () => {
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
  const now = "2026-11-20T10:15:30Z";
  const { headers } = engine.signWebhook("{}", { id: "evt_1", timestamp: now, secrets });
  const mixed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const bare = Object.assign(Object.create(null), headers);
  /** As in polyfills and frameworks: neither the name nor the tag of Headers. */
  class Polyfill {
    constructor(own) {
      this.entries = () => Object.entries(own).values();
    }
  }
  const more = { host: "shop.example", "set-cookie": ["a=1", "b=2"], "x-missing": undefined };
  const forms = [headers, mixed, bare, { ...headers, ...more }, new Headers(headers), new Map(Object.entries(headers)), new Map([...Object.entries(mixed), ["x", ["1", "2"]]]), new Polyfill(headers)];
  for (const form of [...forms, runInNewContext("new Map(entries)", { entries: Object.entries(headers) })]) {
    assert.deepEqual(engine.verifyWebhook("{}", { headers: form, secrets, now }), { verified: true });
    assert.deepEqual(engine.batch("verifyWebhook", ["{}", "[]"], { headers: form, secrets, now }), [{ verified: true }, { verified: false, reason: "signature" }]);
  }
  /** Entries of which one is repeated, with another value first or last. */
  const repeated = (name, value, isFirst) => {
    const entries = Object.entries(headers);
    entries.splice(isFirst ? 0 : entries.length, 0, [name, value]);
    return { entries: () => entries.values() };
  };
  const reasonOf = (form) => engine.verifyWebhook("{}", { headers: form, secrets, now }).reason;
  for (const isFirst of [true, false]) {
    for (const value of ["v1,AA==", ["v1,AA==", "v2,x"]]) assert.equal(reasonOf(repeated("Webhook-Signature", value, isFirst)), undefined);
    assert.equal(reasonOf(repeated("webhook-signature", 1, isFirst)), "malformed_header");
    for (const name of ["webhook-id", "webhook-timestamp"]) assert.equal(reasonOf(repeated(name, headers[name], isFirst)), "malformed_header");
    assert.equal(reasonOf(repeated("__proto__", "x", isFirst)), undefined);
  }
  for (const form of [{}, new Headers(), new Map()]) assert.equal(engine.verifyWebhook("{}", { headers: form, secrets, now }).reason, "missing_header");
  rejects(() => engine.verifyWebhook("{}", { headers: new Map([[1, "x"]]), secrets, now }), "value", "/headers");
  rejects(() => engine.verifyWebhook("{}", { headers: new Map([["a", 1n]]), secrets, now }), "value", "/headers/a");
  rejects(() => engine.verifyWebhook("{}", { headers: new Set(["a"]), secrets, now }), "value", "/headers");
  rejects(() => engine.verifyWebhook("{}", { get headers() { throw new Error("secret"); }, secrets, now }), "value", "/headers");
  rejects(() => engine.verifyWebhook("{}"), "argument", "/context");
});

test("batch: returns the answers of single calls, in the order of the bodies", () => {
  const bodies = [BODY, "{", new TextEncoder().encode("{}"), { ...CARD, user_name: "Анна 💳" }, ""];
  const now = "2026-11-20T10:15:30Z";
  for (const options of [undefined, { now }, new Date(now), now]) {
    assert.deepStrictEqual(engine.batch("validateRequest", bodies, options), bodies.map((body) => engine.validateRequest(body, options)));
  }
  assert.deepStrictEqual(engine.batch("createPayment", bodies, CONTEXT), bodies.map((body) => engine.createPayment(body, CONTEXT)));
  assert.deepStrictEqual(engine.batch("locate", ['{"é":1}', "{}"], "/é"), [engine.locate('{"é":1}', "/é"), { found: false }]);
  assert.deepEqual(engine.batchJson("redact", ['{"cvv":"1"}', '{"user":"Анна","cvv":"1"}']), ['{"cvv":"***"}', '{"user":"Анна","cvv":"***"}']);
  assert.deepEqual(engine.batch("fingerprintRequest", []), []);
  assert.deepEqual(engine.batchJson("validateRequest", [], now), []);
  const request = JSON.stringify(BODY);
  assert.deepStrictEqual(engine.batch("checkPayment", ["{}"], { request }), [engine.checkPayment("{}", { request })]);
  assert.deepEqual(engine.batchJson("checkPayment", ["{}"], request), [engine.checkPaymentJson("{}", request)]);
});

test("batch: runs more bodies than the memory has room for at first", () => {
  const bodies = Array.from({ length: 5000 }, (_, index) => JSON.stringify({ ...BODY, user_id: `${index} ${"é".repeat(index % 100)}` }));
  const other = new Engine();
  assert.deepEqual(other.batchJson("fingerprintRequest", bodies), bodies.map((body) => engine.fingerprintRequestJson(body)));
  other.free();
});

test("batch: uses the messages of the page", () => {
  const other = new Engine(undefined, { messages: { missing: () => "Bitte ausfüllen", json_syntax: () => "?" } });
  const [first, second] = other.batch("validateRequest", ["{}", "{"], { messages: { json_syntax: () => "!" } });
  assert.deepEqual([first.violations[0].message, second.violations[0].message], ["Bitte ausfüllen", "!"]);
  assert.equal(other.batch("checkPayment", ["{}"])[0].violations[0].message, "Bitte ausfüllen");
});

test("batch: an invalid argument throws before the first body", () => {
  for (const operation of ["validate_request", "convert", "upgradeRequest", "isValidRequest", "toString", "__proto__", "", undefined, 7]) {
    rejects(() => engine.batch(operation, [], CONTEXT), "argument", "/operation");
    rejects(() => engine.batchJson(operation, [], "{}"), "argument", "/operation");
  }
  for (const bodies of ["{}", {}, new Uint8Array(2), new Set(["{}"]), 7]) rejects(() => engine.batch("redact", bodies), "value", "/bodies");
  for (const bodies of [undefined, null]) rejects(() => engine.batchJson("redact", bodies), "argument", "/bodies");
  rejects(() => engine.batch("redact", new Array(1)), "argument", "/bodies/0");
  rejects(() => engine.batch("redact", ["{}", undefined]), "argument", "/bodies/1");
  rejects(() => engine.batch("redact", ["{}", { a: [1n] }]), "value", "/bodies/1/a/0");
  rejects(() => engine.batchJson("redact", ["{}", {}]), "value", "/bodies/1");
  for (const operation of ["signWebhook", "verifyWebhook"]) rejects(() => engine.batch(operation, [{}], "{}"), "value", "/bodies/0");
  rejects(() => engine.batch("locate", [{}], ""), "value", "/bodies/0");
  rejects(() => engine.batch("createPayment", ["{}"]), "argument", "/context");
  rejects(() => engine.batch("createPayment", ["{}"], { ...CONTEXT, uid: "7" }), "context", "/uid");
  rejects(() => engine.batchJson("createPayment", [], "{}"), "context", "/uid");
  rejects(() => engine.batch("locate", ["{}"]), "argument", "/pointer");
  rejects(() => engine.batch("locate", ["{}"], "amount"), "context", "/pointer");
  rejects(() => engine.batch("redact", ["{}"], "{}"), "argument", "");
  unknown(() => engine.batch("validateRequest", ["{}"], { mesages: {} }), "now", "messages");
  rejectsOptions(() => engine.batch("checkPayment", ["{}"], "{}"));
  assert.equal(engine.isValidRequest(BODY), true, "the engine continues");
});
