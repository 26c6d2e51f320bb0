// Random objects, from the bodies of the vectors.

import { bodies, mutate, pick, random, safe } from "./mutations.mjs";

export const BODY = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50" };

const LETTERS = ["x", "\u00e9", "€", "\n"];
/** Strings with escapes, of every number of bytes, with and without halves of surrogate pairs, and around the long lengths. */
export const STRINGS = [
  "", "\u0000", "\b\t\n\f\r\u001f\u007f", '"', "\\", 'a"b\\c', "Анна", "№ 2", "😀", "\ud83d", "\ude00", "\ud83d\ud83d\ude00", "\uffff\ufffd", "\u2028",
  ...[14, 15, 16, 17, 31, 32, 33, 255, 256, 257, 400].flatMap((length) => LETTERS.map((letter) => letter.repeat(length))),
  `${"x".repeat(15)}"`, `${"x".repeat(16)}\\`, `${"x".repeat(40)}\u0001${"y".repeat(40)}`,
];
/** Strings over the limit of a body. They are rare, since they take longer than all others. */
const LONG_STRINGS = LETTERS.map((letter) => letter.repeat(70_000));
const NAMES = ["__proto__", "constructor", "toString", "", "0", "17", "a/b", "a~b", "\n", "имя", "\ud83d", "x".repeat(300), "card", "cur", "4111111111111111"];
const NUMBERS = [0, -0, 1, -1, 2026, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE];

/** Returns a random value that JSON represents, or undefined. */
function randomValue(depth) {
  return pick([
    () => pick(STRINGS), () => pick(random(100) ? STRINGS : LONG_STRINGS), () => pick(NUMBERS), () => null, () => true, () => false, () => undefined,
    () => (depth > 4 ? {} : Array.from({ length: random(4) }, () => randomValue(depth + 1) ?? null)),
    () => (depth > 4 ? [] : change({}, depth + 1)),
  ])();
}

/** Returns an object with random changes. */
function change(object, depth = 0) {
  for (let changes = random(4); changes > 0; changes--) {
    const name = random(2) ? pick(NAMES) : (pick(Object.keys(BODY)) ?? "cur");
    Object.defineProperty(object, name, { value: randomValue(depth), enumerable: true, configurable: true, writable: true });
  }
  for (const key of Object.keys(object)) {
    if (typeof object[key] === "object" && object[key] !== null && !Array.isArray(object[key]) && random(3) === 0) change(object[key], depth + 1);
  }
  return object;
}

/** Returns a random object, from a body of the vectors. */
export function randomObject() {
  const text = random(2) ? pick(bodies) : mutate(pick(bodies));
  // JSON.parse reads 1e999 as a number that JSON cannot represent.
  const value = safe(text.replace(/\d[eE]\+?\d{3,}/g, "0"));
  return typeof value === "object" && value !== null && !Array.isArray(value) ? change(value) : change({ ...BODY });
}
