// Compares `payspec/card` with the operation `card_info`, and tests the texts of inputs, as functions and in a browser.
// PAYSPEC_MUTATIONS sets the number of generated inputs; PAYSPEC_SEED the first one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, open, serve, skip } from "./support/browser.mjs";
import { imported, loadVectors, pkg, required } from "./support/package.mjs";
import { seeded } from "./support/random.mjs";

const full = await imported("index.js");
const card = await imported("card.js");
const { SCHEME_ICONS, cardInfo, cardInfoJson, formatCardNumber, formatExpiry, parseExpiry } = card;

const COUNT = Number(process.env.PAYSPEC_MUTATIONS ?? 250_000);
const { random, pick } = seeded(Number(process.env.PAYSPEC_SEED ?? 24));

const vectors = loadVectors().filter(({ operation }) => operation === "card_info").flatMap(({ vectors }) => vectors);
const typed = vectors.map(({ inputs }) => inputs[0]).filter((input) => typeof input === "string");
const answers = vectors.map(({ answer }) => JSON.parse(answer)).filter(({ error }) => error === undefined);
const numbers = typed.filter((text) => /^\d{12,19}$/.test(text));

/** Returns the answer of a call, or its error. */
function outcome(PayspecError, call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof PayspecError)) throw error;
    const { code, path, expected, message, name } = error;
    return JSON.stringify({ code, path, expected, message, name });
  }
}

const engine = new full.Engine();
const ours = (input) => outcome(card.PayspecError, () => cardInfoJson(input));
const theirs = (input) => outcome(full.PayspecError, () => engine.cardInfoJson(input));

const digits = (count) => Array.from({ length: count }, () => random(10)).join("");

/** Returns a number whose last digit is often its check digit. */
function checked(number) {
  const body = number.slice(0, -1);
  const last = Array.from("0123456789").find((digit) => card.cardInfo(body + digit).valid);
  return random(2) && last !== undefined ? body + last : number;
}

/** Returns a prefix of six digits, often beside the end of a range. */
function prefix() {
  const near = String(Math.max(0, Number(pick(numbers).slice(0, 6)) + random(3) - 1)).padStart(6, "0");
  return pick([near, near, near.slice(0, 1 + random(6)), digits(6)]);
}

const OTHER = [" ", "-", "\n", "x", "\u0000", "\u0661", "\uff11", "\ud83d\ude00", "\ud83d", "\ude00", "\ufeff", "."];

/** Returns an input: typed digits, at times with other characters, at times as bytes. */
function input() {
  const text = checked((prefix() + digits(20)).slice(0, pick([random(22), 12 + random(9)])));
  const at = random(text.length + 1);
  const changed = random(5) ? text : text.slice(0, at) + pick(OTHER) + text.slice(at + random(2));
  if (random(8)) return changed;
  const bytes = new TextEncoder().encode(changed);
  if (bytes.length > 0 && !random(3)) bytes[random(bytes.length)] = random(256);
  return bytes;
}

test(`card: ${COUNT} generated inputs have the same answers as the operation`, () => {
  const kinds = { valid: 0, impossible: 0, errors: 0, unknown: 0 };
  const schemes = new Set();
  for (let round = 0; round < COUNT; round++) {
    const value = input();
    const answer = ours(value);
    assert.equal(answer, theirs(value), `${round}: ${JSON.stringify(value)}`);
    const { code, scheme, valid, possible } = JSON.parse(answer);
    schemes.add(scheme);
    if (typeof code === "string") kinds.errors++;
    else if (valid) kinds.valid++;
    else if (!possible) kinds.impossible++;
    else if (scheme === null) kinds.unknown++;
  }
  for (const [kind, count] of Object.entries(kinds)) assert.ok(count > COUNT / 500, `${count} inputs are ${kind}`);
  assert.equal(schemes.size, Object.keys(SCHEME_ICONS).length + 2, "every scheme, unknown ones, and errors");
});

test("card: all texts of up to four digits, and lengths up to 30, have the same answers as the operation", () => {
  for (let length = 0; length <= 4; length++) {
    for (let number = 0; number < 10 ** length; number++) {
      const text = length === 0 ? "" : String(number).padStart(length, "0");
      assert.equal(ours(text), theirs(text), text);
    }
  }
  for (const first of ["4", "37", "36", "2200", "9", "x"]) {
    for (let length = 1; length <= 30; length++) assert.equal(ours(first.padEnd(length, "0")), theirs(first.padEnd(length, "0")));
  }
});

test("card: texts of inputs are strings", () => {
  for (const value of [undefined, null, 1227, {}, new Uint8Array(2)]) {
    for (const call of [formatCardNumber, formatExpiry, parseExpiry]) {
      assert.throws(() => call(value), { name: "PayspecError", code: "value", path: "/text", expected: "expected a string" }, call.name);
    }
  }
});

test("card: values that are not text are rejected like by the operation", () => {
  const view = new DataView(new ArrayBuffer(1));
  for (const value of [undefined, null, 4111, 4111n, true, {}, ["4"], new Date(0), new String("4"), Symbol.iterator, () => "4", view, new Uint16Array(2)]) {
    assert.match(theirs(value), /"code":"(argument|value)"/);
    assert.equal(ours(value), theirs(value));
  }
  for (const bytes of [[0xff], [0x34, 0xc3], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf, 0x34]]) assert.equal(ours(Uint8Array.from(bytes)), theirs(Uint8Array.from(bytes)));
  assert.ok(theirs(Uint8Array.of(0xff)).includes('"utf8"'));
});

test("card: an answer that the caller changes does not change the next", () => {
  for (const number of ["4111", "3782", "9"]) {
    const before = cardInfoJson(number);
    const answer = cardInfo(number);
    answer.lengths.push(1);
    answer.gaps.length = 0;
    if (answer.code) answer.code.length = 9;
    assert.equal(cardInfoJson(number), before);
  }
});

test("card: has the names of every scheme", () => {
  const known = new Set(answers.map(({ scheme }) => scheme).filter((scheme) => scheme !== null));
  assert.deepEqual(Object.keys(SCHEME_ICONS).sort(), [...known].sort());
  assert.deepEqual(SCHEME_ICONS.american_express, { name: "American Express", icon: "american-express" });
  assert.deepEqual(["diners_club", "unionpay", "jcb", "uzcard", "humo", "mir", "rupay", "gpn"].map((scheme) => SCHEME_ICONS[scheme].name), ["Diners Club", "UnionPay", "JCB", "UzCard", "HUMO", "Mir", "RuPay", "GPN"]);
});

/** A text with `|` at the caret, as the arguments of a function. */
const split = (shown) => [shown.replace("|", ""), shown.indexOf("|")];
const join = ({ text, caret }) => `${text.slice(0, caret)}|${text.slice(caret)}`;

test("card: formats a number in the groups of its scheme, with the caret after the same digit", () => {
  for (const [changed, formatted, inputType] of [
    ["|", "|"],
    ["4|", "4|"],
    ["4111|", "4111|"],
    ["41111|", "4111 1|"],
    ["4111 1|111", "4111 1|111"],
    ["49|111 111", "49|11 1111"],
    ["4119|1 111", "4119| 1111"],
    ["4111|1 111", "4111| 1111", "deleteContentBackward"],
    ["4111|1 111", "4111 |1111", "deleteContentForward"],
    ["|111 1111", "|1111 111", "deleteContentForward"],
    ["4111 1111 1111 1111|", "4111 1111 1111 1111|", "insertFromPaste"],
    ["4111-1111.1111_1111|", "4111 1111 1111 1111|"],
    ["\u200e4111\u00a01111|", "4111 1111|"],
    ["378282246310005|", "3782 822463 10005|"],
    ["30569309025904|", "3056 930902 5904|"],
    ["305693090259040|", "3056 9309 0259 040|"],
    ["37828224631000500|", "3782 822463 10005|"],
    ["5555|555555554444123", "5555| 5555 5555 4444"],
    ["card 4111|", "4111|"],
    ["\u0664\u0661\u0661\u0661\u0661|", "4111 1|"],
    ["\uff14\uff11\uff11|\uff11\uff11", "411|1 1"],
    ["\u06f4\u06f11|", "411|"],
    ["Card: 4111 1111 1111 1111, valid until 12/27|", "4111 1111 1111 1111|", "insertFromPaste"],
    ["4111 1111 1111 1111 12/27 123|", "4111 1111 1111 1111|", "insertFromPaste"],
    ["4111111111111111 123|", "4111 1111 1111 1111|", "insertFromPaste"],
    ["№ 17: 3782 822463 10005 or 4111111111111111|", "3782 822463 10005|", "insertFromDrop"],
    ["4111|1111", "4111| 1111", "insertFromPaste"],
  ]) {
    const result = formatCardNumber(...split(changed), inputType);
    assert.equal(join(result), formatted, changed);
    assert.equal(result.digits, result.text.replaceAll(" ", ""));
  }
  assert.equal(formatCardNumber("4111 1111 1111 1111 12", null, "insertText").digits, "411111111111111112", "typed");
  assert.deepEqual(formatCardNumber("41111"), { text: "4111 1", caret: 6, digits: "41111" });
  assert.equal(formatCardNumber("41111", null).caret, 6, "selectionStart may be null");
});

test("card: changes nothing while an input method composes text", () => {
  const event = { inputType: "insertCompositionText", isComposing: true };
  assert.deepEqual(formatCardNumber("\uff1411111", 2, event), { text: "\uff1411111", caret: 2, digits: "411111" });
  assert.deepEqual(formatExpiry("\uff19", null, event), { text: "\uff19", caret: 1 });
  assert.deepEqual(formatCardNumber("\uff1411111", 2, { ...event, isComposing: false }), { text: "4111 11", caret: 2, digits: "411111" });
});

test("card: formats an expiry date, with the caret after the same digit", () => {
  for (const [changed, formatted, inputType] of [
    ["|", "|"],
    ["0|", "0|"],
    ["1|", "1|"],
    ["9|", "09|"],
    ["12|", "12|"],
    ["1/|", "01|"],
    ["1 |", "01|"],
    ["12/|", "12|"],
    ["123|", "12 / 3|"],
    ["1227|", "12 / 27|"],
    ["122027|", "12 / 2027|"],
    ["12/27|", "12 / 27|"],
    ["12 / 2027|", "12 / 2027|"],
    ["12 / 20278|", "12 / 2027|"],
    ["9/27|", "09 / 27|"],
    ["927|", "09 / 27|"],
    ["1/27|", "01 / 27|"],
    ["2027-12|", "12 / 2027|", "insertFromPaste"],
    ["2027-3|", "03 / 2027|", "insertFromPaste"],
    ["202712|", "12 / 2027|", "insertFromPaste"],
    ["2027-12-31|", "12 / 2027|", "insertReplacementText"],
    ["27/12|", "12 / 27|", "insertFromPaste"],
    ["\u0661\u0662/\u0662\u0667|", "12 / 27|"],
    ["\uff11\uff12\uff12|", "12 / 2|"],
    ["12.27|", "12 / 27|"],
    ["12 / |", "12|", "deleteContentBackward"],
    ["12 /|27", "12| / 27", "deleteContentBackward"],
    ["12|/ 27", "12 / |27", "deleteContentForward"],
    ["1| / 27", "1| / 27", "deleteContentBackward"],
    ["| / 27", "| / 27", "deleteContentBackward"],
    ["|2 / 27", "|2 / 27", "deleteContentForward"],
    ["5| / 27", "05| / 27"],
    ["123| / 27", "12 / 3|27"],
    ["12 / 2|7", "12 / 2|7"],
    ["abc|", "|"],
  ]) {
    assert.equal(join(formatExpiry(...split(changed), inputType)), formatted, changed);
  }
});

test("card: parses an expiry date, or reports what is missing", () => {
  const complete = (month, year) => ({ month, year, missing: null });
  const withoutYear = (month) => ({ month, year: null, missing: "year" });
  const withoutMonth = (year = null) => ({ month: null, year, missing: "month" });
  for (const [text, expected] of [
    ["", withoutMonth()],
    ["0", withoutMonth()],
    ["1", withoutMonth()],
    ["2", withoutYear(2)],
    ["12", withoutYear(12)],
    ["1/", withoutYear(1)],
    ["1/2", withoutYear(1)],
    ["12/2", withoutYear(12)],
    ["12/202", withoutYear(12)],
    ["12/20277", withoutYear(12)],
    ["12/27", complete(12, 2027)],
    ["1227", complete(12, 2027)],
    ["122027", complete(12, 2027)],
    ["12 / 2027", complete(12, 2027)],
    [" 12 / 27 ", complete(12, 2027)],
    ["12-27", complete(12, 2027)],
    ["12 27", complete(12, 2027)],
    ["1/27", complete(1, 2027)],
    ["927", complete(9, 2027)],
    ["2027-12", complete(12, 2027)],
    ["2027/1", complete(1, 2027)],
    ["2027-12-31", complete(12, 2027)],
    ["202712", complete(12, 2027)],
    ["202012", complete(12, 2020)],
    ["122020", complete(12, 2020)],
    ["12/2027", complete(12, 2027)],
    ["27/12", complete(12, 2027)],
    ["11/12", complete(11, 2012)],
    ["\u06f1\u06f2/\u06f2\u06f7", complete(12, 2027)],
    ["12/00", complete(12, 2000)],
    ["12/99", complete(12, 2099)],
    // Rules are left to validateRequest.
    ["13/27", complete(13, 2027)],
    ["20/27", withoutYear(2)],
    ["00/27", complete(0, 2027)],
    ["12/2199", complete(12, 2199)],
    ["/27", withoutMonth(2027)],
    [" / 27", withoutMonth(2027)],
    ["December", withoutMonth()],
  ]) {
    assert.deepEqual(parseExpiry(text), expected, text);
  }
});

const EXPIRY = ["0", "1", "2", "9", "/", " ", "-", "12", "2027", "27", " / "];
const NUMBER = ["4", "1", "37", "36", "5", "0", " ", "-", "x", "4111 1111", "\u00a0"];
const FORMATS = [["number", formatCardNumber, NUMBER], ["expiry date", formatExpiry, EXPIRY]];

const digitsOf = (text) => text.replace(/\D/g, "");

/** The digits without the zero that a month may get. */
const withoutZero = (text) => digitsOf(text).replace(/^0/, "");

for (const [name, format, parts] of FORMATS) {
  test(`card: an edited ${name} stays stable`, () => {
    for (let round = 0; round < 20_000; round++) {
      let [text, caret] = ["", 0];
      for (let edits = 1 + random(12); edits > 0; edits--) {
        const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((one, other) => one - other);
        const selected = random(4) === 0;
        const [start, end] = selected ? [from, to] : [caret, caret];
        const insertion = random(3) === 0 && selected ? "" : pick(parts);
        ({ text, caret } = format(text.slice(0, start) + insertion + text.slice(end), start + insertion.length));
        assert.ok(Number.isInteger(caret) && caret >= 0 && caret <= text.length, `${text} ${caret}`);
        const again = format(text, caret);
        assert.deepEqual([again.text, again.caret], [text, caret], `${round}: formatting ${join({ text, caret })} again changes nothing`);
        assert.doesNotMatch(text, / $|^ (?!\/)/, "a separator is before a digit");
      }
    }
  });

  test(`card: repeated deletions in a ${name} remove all digits before or after the caret`, () => {
    const texts = name === "number" ? ["4111 1111 1111 1111", "3782 822463 10005", "3056 930902 5904"] : ["12 / 27", "05 / 2027", "12 / 2", "1"];
    for (const start of texts) {
      for (let at = 0; at <= start.length; at++) {
        let [text, caret] = [start, at];
        for (let steps = 0; caret > 0; steps++) {
          assert.ok(steps <= start.length, `${start} from ${at}: stuck at ${join({ text, caret })}`);
          ({ text, caret } = format(text.slice(0, caret - 1) + text.slice(caret), caret - 1, "deleteContentBackward"));
        }
        assert.equal(withoutZero(text), withoutZero(start.slice(at)), `${start}: backward from ${at}`);
        [text, caret] = [start, at];
        for (let steps = 0; caret < text.length; steps++) {
          assert.ok(steps <= start.length, `${start} from ${at}: stuck at ${join({ text, caret })}`);
          ({ text, caret } = format(text.slice(0, caret) + text.slice(caret + 1), caret, "deleteContentForward"));
        }
        assert.equal(withoutZero(text), withoutZero(start.slice(0, at)), `${start}: forward from ${at}`);
      }
    }
  });

  test(`card: a typed ${name} is the same as a pasted one`, () => {
    for (let round = 0; round < 5_000; round++) {
      const pasted = name === "number" ? (prefix() + digits(13)).slice(0, random(20)) : pick(["0", "1", "2", "9"]) + digits(random(6));
      // A year before the month is never typed: its first digit is a month.
      if (/^20\d\d(0[1-9]|1[0-2])$/.test(pasted) && name !== "number") continue;
      let [text, caret] = ["", 0];
      for (const digit of pasted) ({ text, caret } = format(text.slice(0, caret) + digit + text.slice(caret), caret + 1));
      const whole = format(pasted);
      assert.deepEqual([text, caret], [whole.text, whole.caret], pasted);
    }
  });
}

test("card: parses the date that it has formatted", () => {
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random(5) }, () => pick(EXPIRY)).join("");
    const before = parseExpiry(text);
    if (digitsOf(text).length > 6 || before.missing !== null) continue;
    assert.deepEqual(parseExpiry(formatExpiry(text).text), before, text);
  }
});

test("card: CommonJS has the same functions", () => {
  const { cardInfoJson, parseExpiry } = required("card.cjs");
  assert.equal(cardInfoJson("4111"), card.cardInfoJson("4111"));
  assert.equal(parseExpiry("12/27").year, 2027);
});

test("card: an input in Chromium keeps its caret, under a policy without WebAssembly", { skip }, () =>
  browse(async (browser) => {
    const script = `
      import { cardInfo, formatCardNumber, formatExpiry } from "/pkg/card.js";
      for (const [id, format] of [["number", formatCardNumber], ["expiry", formatExpiry]]) {
        const input = document.getElementById(id);
        input.addEventListener("input", ({ inputType }) => {
          const { text, caret } = format(input.value, input.selectionStart, inputType);
          input.value = text;
          input.setSelectionRange(caret, caret);
        });
      }
      globalThis.scheme = (digits) => cardInfo(digits).scheme;
    `;
    const page = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payspec</title></head><body><input id="number"><input id="expiry"><script type="module" src="/script.js"></script></body></html>';
    const csp = "default-src 'none'; script-src 'self'";
    const server = await serve({ "/pkg/": pkg, "/index.html": page, "/script.js": script, "/favicon.ico": "" }, { "content-security-policy": csp });
    try {
      const { page, complaints } = await open(browser, `${server.address}/index.html`);
      await page.waitForFunction(() => globalThis.scheme?.("2200") === "mir");
      const shows = async (id, expected) =>
        assert.equal(await page.locator(`#${id}`).evaluate(({ value, selectionStart: caret }) => `${value.slice(0, caret)}|${value.slice(caret)}`), expected);
      const { keyboard } = page;
      const press = async (...keys) => {
        for (const key of keys) await keyboard.press(key);
      };
      await page.locator("#number").focus();
      await keyboard.type("4111111111111111");
      await shows("number", "4111 1111 1111 1111|");
      await press("Home", "ArrowRight", "ArrowRight", "Delete", "Delete");
      await shows("number", "41|11 1111 1111 11");
      await keyboard.type("9");
      await shows("number", "419|1 1111 1111 111");
      await press("ArrowRight", "Delete", "Delete");
      await shows("number", "4191 |1111 1111 11");
      await press("Backspace", "Backspace", "Backspace");
      await shows("number", "41|11 1111 1111");
      await press("Control+A");
      await keyboard.insertText("3782 822463 10005");
      await shows("number", "3782 822463 10005|");
      await press("Control+A", "Backspace");
      await shows("number", "|");
      await page.locator("#expiry").focus();
      await keyboard.type("9/27");
      await shows("expiry", "09 / 27|");
      await press("Backspace", "Backspace", "Backspace", "Backspace");
      await shows("expiry", "|");
      await keyboard.insertText("2027-12");
      await shows("expiry", "12 / 2027|");
      assert.deepEqual(complaints, []);
    } finally {
      await server.close();
    }
  }));
