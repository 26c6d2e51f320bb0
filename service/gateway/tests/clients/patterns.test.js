// Compiles every pattern of the document as its consumers do: ECMAScript, RE2 (Go, Google), and PCRE (PHP). They must accept
// the same texts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gateway } from "../../../../examples/checkout/tests/support.js";

const here = dirname(fileURLToPath(import.meta.url));
const python = process.env.PAYSPEC_PYTHON;
if (!python) throw new Error("PAYSPEC_PYTHON is not set: cargo xtask test clients sets it");
const service = gateway({ page: false });

/** Texts on both sides of each pattern, without those of one character, which follow. */
const TEXTS = [
  "", "01", "1.", "1.5", "-1", "+1", "1e3", "100.00", "0.00", "123456789012345678.123456789012345678", "1234567890123456789",
  "RUB", "USDT", "rub", "RUBB", "123", "1234", "12345", "123456789012", "4111111111111111", "4111 1111 1111 1111",
  "12345678901234567890", "+79001234567", "79001234567", "079001234567", "+7900", "https://shop.example/a?b=c#d", "HTTP://a",
  "https://", "https://user@shop.example", "https://a%62c", "ftp://a", "javascript:alert(1)", "shop", "two words", "Иван",
  "a\tb", "a\nb", "a\r\nb", "a\u0000b", "a\u007fb", "a\u0085b", "a\u2028b", "a\u202eb", "a\u2066b", "\u{1f600}", "key", '"key"',
  '"key";a=1', ' "key" ', '"a\\"b"', '"a\\b"', '"', "key key", "k".repeat(255), "k".repeat(256), "\u00e9", "100\n", "RUB\n",
];

function texts() {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
  return [...TEXTS, ...characters];
}

/** Returns the values of all members `pattern` in a document. */
function patterns(value) {
  if (typeof value !== "object" || value === null) return [];
  const own = typeof value.pattern === "string" ? [value.pattern] : [];
  return own.concat(...Object.values(value).map(patterns));
}

test("every pattern compiles in ECMAScript, RE2, and PCRE, which accept the same texts", async () => {
  const document = await (await fetch(`${new URL(service.base).origin}/openapi.json`)).json();
  const given = { patterns: [...new Set(patterns(document))], texts: texts() };
  assert.ok(given.patterns.length > 10, "the document has patterns");
  const expected = given.patterns.map((pattern) => given.texts.map((text) => new RegExp(pattern, "u").test(text)));
  for (const [index, accepted] of expected.entries()) {
    const pattern = given.patterns[index];
    assert.deepEqual([...new Set(accepted)].sort(), [false, true], `${pattern} accepts some texts and not others`);
  }
  const input = JSON.stringify(given);
  for (const [engine, program, script] of [["RE2", python, "patterns.py"], ["PCRE", "php", "patterns.php"]]) {
    const printed = execFileSync(program, [join(here, script)], { input, encoding: "utf8", maxBuffer: 2 ** 26 });
    for (const [index, accepted] of JSON.parse(printed).entries()) {
      const differing = given.texts.filter((_, at) => accepted[at] !== expected[index][at]);
      assert.deepEqual(differing, [], `${engine} differs from ECMAScript on ${given.patterns[index]}`);
    }
  }
});
