// Tests `payspec/messages/…`: every code and every parameter has a text in each language, and no value of a body is in one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, open, serve, skip } from "./support/browser.mjs";
import { imported, loadVectors, pkg, required } from "./support/package.mjs";

const { Engine } = await imported("index.js");
const LANGUAGES = { en: await imported("messages/en.js"), ru: await imported("messages/ru.js") };
const { rules } = new Engine().rules();

/** The forms of the parameters of each code, with two values for each parameter. */
const RANGE = [{ min: [1, 2], max: [12, 13] }];
const LIMIT = [{ limit: [16, 17] }];
const ALLOWED = [{ allowed: [["pay_in"], ["pay_in", "pay_out"]] }];
const FORMS = {
  json_syntax: [{ line: [1, 2], column: [3, 4] }],
  body_too_large: LIMIT,
  too_deep: LIMIT,
  type: [{ expected: ["string", "object"], found: ["number", "null"] }],
  unsupported_value: ALLOWED,
  legacy_member: [{ replaced_by: ["cur", "redirect_url", "Idempotency-Key header", null] }],
  amount_scale: [{ minor_unit: [0, 2, 3] }],
  amount_out_of_bounds: [{ integer_digits: [18, 17], fraction_digits: [16, 15] }, { min: ["10", "20.5"], max: ["90", "95"] }, { min: ["10", "20.5"], max: [null] }, { min: [null], max: ["90", "95"] }],
  currency_not_allowed: [{ allowed: [["RUB"], ["RUB", "USD"]] }],
  uri_syntax: [{ reason: ["scheme", "character", "host", "port"] }],
  uri_scheme: [{ allowed: [["https"], ["https", "http"]] }, { refused: [["javascript"], ["javascript", "data"]] }],
  text_too_long: LIMIT,
  expiry_month_range: RANGE,
  expiry_year_range: [{ min: [2000, 2001], max: [2099, 2100] }],
  security_code_syntax: [{ min: [3, 4], max: [5, 6] }],
  integer_range: RANGE,
  currency_withdrawn: [{ withdrawn: ["2014-01", "2023-01"] }],
};

/** Returns every combination of the values of a form. */
function combinations(form) {
  return Object.entries(form).reduce((all, [name, values]) => all.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))), [{}]);
}

const violation = (code, params) => ({ path: "/amount", code, severity: "error", message: "the text of the service", source: "§2", ...(params && { params }) });

/** Every violation in the answers of the vectors. */
const found = loadVectors().flatMap(({ vectors }) => vectors.flatMap(({ answer }) => JSON.parse(answerOf(answer)).violations ?? []));

function answerOf(answer) {
  try {
    JSON.parse(answer);
    return answer;
  } catch {
    return "{}";
  }
}

test("messages: the forms of the parameters are those of the catalog", () => {
  for (const { code, params } of rules) {
    assert.deepEqual([...new Set((FORMS[code] ?? []).flatMap(Object.keys))].sort(), [...params].sort(), code);
  }
  const forms = (code) => new Set(FORMS[code]?.map((form) => Object.keys(form).join()) ?? [""]);
  for (const { code, params = {} } of found) assert.ok(forms(code).has(Object.keys(params).join()), `${code} ${Object.keys(params)}`);
  assert.ok(found.length > 1000, `${found.length} violations`);
});

for (const [language, { message, messages, language: named }] of Object.entries(LANGUAGES)) {
  test(`messages, ${language}: every code has a text, and there is no other`, () => {
    assert.equal(named, language);
    assert.deepEqual(Object.keys(messages), rules.map(({ code }) => code));
    const texts = rules.map(({ code }) => message(violation(code, combinations(FORMS[code]?.[0] ?? {})[0])));
    assert.equal(new Set(texts).size, rules.length, "no two codes have the same text");
    for (const text of texts) {
      assert.notEqual(text, "the text of the service");
      assert.match(text, language === "ru" ? /[а-яё]{3}/ : /^[a-z]/i, text);
      assert.doesNotMatch(text, language === "ru" ? /[.!]$/ : /[а-яё]|[.!]$/i, text);
    }
  });

  test(`messages, ${language}: every parameter changes the text`, () => {
    for (const [code, forms] of Object.entries(FORMS)) {
      for (const form of forms) {
        const all = combinations(form);
        const texts = all.map((params) => message(violation(code, params)));
        for (const [index, text] of texts.entries()) assert.doesNotMatch(text, /[{}|]|undefined|null(?!$)|\[object|,,/, `${code} ${JSON.stringify(all[index])}`);
        assert.equal(new Set(texts).size, all.length, `${code}: ${texts.join("; ")}`);
      }
    }
  });

  test(`messages, ${language}: every violation in the vectors has a text without gaps`, () => {
    for (const one of found) {
      const text = message(one);
      assert.doesNotMatch(text, /[{}|]|undefined| {2}|: ?$/, `${one.code} ${text}`);
      for (const value of Object.values(one.params ?? {})) {
        if (typeof value === "number") assert.ok(text.includes(String(value)), `${one.code}: ${text} contains ${value}`);
      }
    }
  });

  test(`messages, ${language}: a text never contains a value or a name of a body`, () => {
    const secret = "4111111111111111";
    for (const { code } of rules) {
      for (const params of (FORMS[code] ?? [{}]).flatMap(combinations)) {
        const one = { ...violation(code, params), path: `/${secret}`, message: secret, source: secret, value: secret, card_number: secret };
        assert.ok(!message(one).includes(secret), code);
      }
    }
  });

  test(`messages, ${language}: a code of a later version keeps its message`, () => {
    for (const code of ["later", "constructor", "__proto__", "toString"]) assert.equal(message(violation(code)), "the text of the service", code);
  });

  test(`messages, ${language}: an engine takes them`, () => {
    const engine = new Engine({ limits: { text_chars: 4 } }, { messages });
    const { violations } = engine.validateRequest({ payment_type: "pay_in", cur: "JPY", amount: "1.5", user_id: "12345", x: 1 });
    assert.deepEqual(violations.map((one) => one.message), violations.map(message));
    assert.deepEqual(violations.map(({ code }) => code), ["amount_scale", "missing", "text_too_long", "unknown_member"].filter((code) => violations.some((one) => one.code === code)));
    assert.ok(violations.length > 2);
    engine.free();
  });

  test(`messages, ${language}: CommonJS is the same`, () => {
    const other = required(`messages/${language}.cjs`);
    for (const one of found.slice(0, 300)) assert.equal(other.message(one), message(one));
  });
}

/** The codes whose English texts the core writes without parameters, or for developers. */
const EXTENDED = ["legacy_member", "amount_out_of_bounds", "uri_scheme", "security_code_syntax"];
const FOR_PAYERS = ["missing", "unsupported_value", "amount_syntax", "card_number_syntax", "card_number_checksum", "phone_number_syntax"];

test("messages: a payer reads what to enter, also for a date that is typed in part", () => {
  const engine = new Engine({ required: ["/pay_in_details/card/expiry_month", "/pay_in_details/card/expiry_year"] });
  const { violations } = engine.validateRequest({ payment_type: "pay_in", mode: "x", subtype: "sbp", amount: "1,00", pay_in_details: { card: { card_number: "4111 1111 1111 1111" } } });
  const texts = (language) => Object.fromEntries(violations.map((one) => [one.path.split("/").at(-1), LANGUAGES[language].message(one)]));
  assert.deepEqual(texts("en"), {
    mode: "choose one of P2P, ACQUIRING, CRYPTO",
    cur: "required",
    amount: "enter an amount such as 100.00",
    card: texts("en").card,
    card_number: "enter all 12 to 19 digits of the card number",
    expiry_year: "enter the month and the year",
    expiry_month: "enter the month and the year",
  });
  const russian = texts("ru");
  assert.deepEqual([russian.cur, russian.expiry_year, russian.expiry_month], ["обязательное поле", "введите месяц и год", "введите месяц и год"]);
  engine.free();
});

test("messages, en: the texts of the core", () => {
  const { message } = LANGUAGES.en;
  let same = 0;
  for (const one of found) {
    const isSingular = Object.values(one.params ?? {}).includes(1);
    if ([...EXTENDED, ...FOR_PAYERS].includes(one.code) || isSingular) continue;
    assert.equal(message(one), one.message);
    same++;
  }
  assert.ok(same > 1000, `${same} messages`);
  for (const [code, params, expected] of [
    ["legacy_member", { replaced_by: "cur" }, "a member of the legacy API, now cur"],
    ["legacy_member", { replaced_by: null }, "a member of the legacy API, without successor"],
    ["amount_out_of_bounds", { min: "10", max: null }, "the amount is out of bounds: at least 10"],
    ["amount_out_of_bounds", { min: "10", max: "20" }, "the amount is out of bounds: 10 to 20"],
    ["amount_out_of_bounds", { integer_digits: 18, fraction_digits: 18 }, "the amount is out of bounds: at most 18 digits before the point and 18 after it"],
    ["uri_scheme", { refused: ["javascript", "data"] }, "the scheme of the URI must not be one of javascript, data"],
    ["security_code_syntax", { min: 4, max: 4 }, "not a security code: 4 digits"],
    ["security_code_syntax", { min: 3, max: 4 }, "not a security code: 3 to 4 digits"],
  ]) {
    assert.equal(message(violation(code, params)), expected);
  }
});

test("messages: a noun has the form of its number", () => {
  const cases = {
    en: {
      body_too_large: [[1, "larger than 1 byte"], [2, "larger than 2 bytes"], [21, "larger than 21 bytes"], [65536, "larger than 65536 bytes"]],
      too_deep: [[1, "deeper than 1 level"], [16, "deeper than 16 levels"]],
      amount_scale: [[0, "has 0 fraction digits"], [1, "has 1 fraction digit"], [2, "has 2 fraction digits"]],
    },
    ru: {
      body_too_large: [[1, "больше 1 байта"], [2, "больше 2 байт"], [5, "больше 5 байт"], [11, "больше 11 байт"], [21, "больше 21 байта"], [65536, "больше 65536 байт"]],
      too_deep: [[1, "больше 1 уровня"], [3, "больше 3 уровней"], [16, "больше 16 уровней"], [31, "больше 31 уровня"]],
      amount_scale: [[0, "0 знаков"], [1, "1 знак"], [2, "2 знака"], [4, "4 знака"], [5, "5 знаков"], [11, "11 знаков"], [12, "12 знаков"], [21, "21 знак"], [22, "22 знака"]].map(([number, text]) => [number, `у валюты ${text} после запятой`]),
    },
  };
  for (const [language, codes] of Object.entries(cases)) {
    for (const [code, forms] of Object.entries(codes)) {
      for (const [number, end] of forms) {
        const [name] = rules.find((rule) => rule.code === code).params;
        const text = LANGUAGES[language].message(violation(code, { [name]: number }));
        assert.ok(text.endsWith(end), `${text}: …${end}`);
      }
    }
  }
  assert.equal(LANGUAGES.ru.message(violation("security_code_syntax", { min: 3, max: 3 })), "в коде безопасности 3 цифры");
  assert.equal(LANGUAGES.ru.message(violation("security_code_syntax", { min: 3, max: 4 })), "в коде безопасности от 3 до 4 цифр");
});

test("messages, ru: names of types and parts are translated", () => {
  const values = found.flatMap(({ params = {} }) => [params.expected, params.found, params.reason]).filter((value) => value !== undefined);
  for (const value of new Set(values)) {
    const text = LANGUAGES.ru.message(violation("uri_syntax", { reason: value }));
    assert.match(text, /: (null|UUID|[а-яё ]+)$/, value);
  }
});

test("messages: in Chromium, under a policy without WebAssembly", { skip }, () =>
  browse(async (browser) => {
    const script = `
      import { message as en } from "/pkg/messages/en.js";
      import { message as ru } from "/pkg/messages/ru.js";
      const violations = await (await fetch("/violations.json")).json();
      globalThis.texts = violations.map((violation) => [en(violation), ru(violation)]);
    `;
    const page = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payspec</title></head><body><script type="module" src="/script.js"></script></body></html>';
    const csp = "default-src 'none'; script-src 'self'; connect-src 'self'";
    const server = await serve({ "/pkg/": pkg, "/index.html": page, "/script.js": script, "/violations.json": JSON.stringify(found), "/favicon.ico": "" }, { "content-security-policy": csp });
    try {
      const { page, complaints } = await open(browser, `${server.address}/index.html`);
      await page.waitForFunction(() => globalThis.texts);
      assert.deepEqual(await page.evaluate(() => globalThis.texts), found.map((one) => [LANGUAGES.en.message(one), LANGUAGES.ru.message(one)]));
      assert.deepEqual(complaints, []);
    } finally {
      await server.close();
    }
  }));
