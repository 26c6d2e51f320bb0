// Reads the policy of `payspec/checkout`, with the same errors as the core, and writes the settings for the module.

import { PayspecError } from "./error.js";
import { kind } from "./inputs.js";
import { below } from "./pointer.js";
import { DEFAULTS, FIELDS, FIXED, ROUNDINGS, RULES, STATES } from "./tables.js";

export const encoder = new TextEncoder();
const JSON_TYPES = { " ": "string", "{": "object", "!": "boolean", "#": "integer", "*": "value" };
/** The address of the policy in the module, as in `wasm/src/page.rs`. */
export const POLICY = 8192;
/** The pointers of the objects. */
export const OBJECTS = [""];
/** The pointers and types of the fields by their slot. */
export const POINTERS = [];
export const TYPES = [];
let index = 0;
for (const [, name, mark] of FIELDS.matchAll(/(\w*)(\W)/g)) {
  if (name) {
    const pointer = `${OBJECTS[index]}/${name}`;
    POINTERS.push(pointer);
    TYPES.push(JSON_TYPES[mark]);
    if (mark === "{") OBJECTS.push(pointer);
  } else index++;
}

const SEVERITIES = ["off", "warning", "error"];
/** The catalogue of rules. */
export const CATALOGUE = RULES.map((line) => {
  const [code, origin, summary, params] = line.split("|");
  const [, mark, source] = /^(!?)(.*)/.exec(origin);
  return { code, severity: SEVERITIES[mark ? 1 : 2], source, summary, params: params?.split(",") ?? summary.match(/\w+(?=})/g) ?? [] };
});
export const CODES = CATALOGUE.map(({ code }) => code);
const OBJECT = "expected an object";
const TEXT = "expected a string";
const INTEGER = "expected an integer";
const RANGE = `${INTEGER} from 0 to 2^53-1`;
const CURRENCY = "expected an active ISO 4217 code of a currency";
const NO_CURRENCY = "not a currency";
const SCHEME = "expected the name of a URI scheme in lower case";
const PAIR = "expected a pair of states";
const ABOVE = "min is greater than max";

/** Throws the error of the member at a path. */
const wrong = (path, message) => {
  throw new PayspecError("policy", path, message);
};

const check = (holds, path, message) => holds || wrong(path, message);

/** Returns the entries of an object. */
const entries = (value, path) => Object.entries(check(kind(value) === "Object", path, OBJECT) && value);

/** Returns an array of texts that pass a check. */
function list(value, path, message, passes) {
  check(Array.isArray(value), path, "expected an array");
  value.forEach((item, index) => check(typeof item === "string" && passes(item), `${path}/${index}`, message));
  return value;
}

/** Returns a text. */
const text = (value, path, message) => (check(typeof value === "string", path, message), value);

function integer(value, path) {
  check(typeof value === "number", path, INTEGER);
  check(/^\d+$/.test(value) && value < 2 ** 64, path, /^\d+\D/.test(value) ? INTEGER : RANGE);
  return value;
}

function decimal(value, path) {
  const message = "expected a decimal string of at most 28 digits";
  check(/^(?!(\.?\d){29})(0|[1-9]\d*)(\.\d+)?$/.test(text(value, path, message)), path, message);
  return value;
}

/** Returns a decimal as an integer, for comparisons. */
function scaled(decimal) {
  const [integer, fraction = ""] = decimal.split(".");
  return BigInt(integer + fraction.padEnd(28, 0));
}

/** Settings with types of their own. */
const READERS = {
  severity(value, path) {
    for (const [code, set] of entries(value, path)) {
      CODES.includes(code) || wrong(below(path, code), "not a code of a rule");
      check(SEVERITIES.includes(set), `${path}/${code}`, "expected error, warning, or off");
    }
    return value;
  },
  required: (value, path) => list(value, path, "expected a JSON Pointer", () => true),
  currencies: (value, path, currency) => list(value, path, CURRENCY, currency),
  schemes: (value, path) => list(value, path, SCHEME, () => true),
  amount: (value, path, currency) =>
    entries(value, path).map(([code, range]) => {
      currency(code) || wrong(below(path, code), NO_CURRENCY);
      return [code, read(range, `${path}/${code}`, currency, { min: null, max: null })];
    }),
  rounding: (value, path) => check(ROUNDINGS.includes(text(value, path, TEXT)), path, "expected half_even, half_up, half_down, up, or down"),
  invalid_request_status: (value, path) => check([400, 422].includes(integer(value, path)), path, "expected 400 or 422"),
  fingerprint_key: (value, path) => check(/^([\da-f]{2})+$/i.test(text(value, path, TEXT)), path, "expected hex digits, two per byte"),
  transitions(value, path) {
    if (!Array.isArray(value)) return check(value === "open" || value === "conventional", path, "expected open, conventional, or a list of pairs of states");
    value.forEach((pair, index) => {
      const at = `${path}/${index}`;
      check(Array.isArray(pair), at, PAIR);
      pair.forEach((state, end) => check(STATES.includes(state), `${at}/${end}`, PAIR));
      check(pair.length === 2, at, PAIR);
    });
  },
};

/** Reads the members of an object in the order of the defaults. */
function read(value, path, currency, defaults) {
  for (const [name] of entries(value, path)) Object.hasOwn(defaults, name) || wrong(below(path, name), "unknown member");
  return Object.fromEntries(
    Object.entries(defaults).map(([name, initial]) => {
      const given = value[name] ?? initial;
      const reader = READERS[name] ?? (initial === null ? decimal : typeof initial === "number" ? integer : read);
      return [name, given === null ? given : reader(given, `${path}/${name}`, currency, initial)];
    }),
  );
}

/** Checks the integers, in the order of the defaults. */
function checkIntegers(settings, path) {
  for (const [name, value] of Object.entries(settings)) {
    if (kind(value) === "Object") checkIntegers(value, `${path}/${name}`);
    else if (typeof value === "number" && name !== "scale") {
      const least = /bytes|chars|depth/.test(name) ? 1 : 0;
      check(value >= least && value < 2 ** 53, `${path}/${name}`, least ? `${INTEGER} from 1 to 2^53-1` : RANGE);
    }
  }
}

/** Returns the depth of a value. */
const depth = (value) => (typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0);

/**
 * Reads a policy. `currency` returns the number of fraction digits of a currency plus one, 9 for a code that is not a
 * currency, or 0. Returns the settings, the bounds of amounts, and the settings as bytes.
 */
export function readPolicy(policy, currency) {
  entries(policy, "");
  check(depth(policy) < 129, "", "nested deeper than 128 levels");
  const { required, limits, urls, crypto, severity, currencies, idempotency } = (policy = read(policy, "", currency, DEFAULTS));
  for (const code of FIXED) check(!severity[code], `/severity/${code}`, "this severity cannot be set");
  let bits = 0;
  required.forEach((pointer, index) => {
    const slot = POINTERS.indexOf(pointer);
    check(slot >= 0, `/required/${index}`, "expected the JSON Pointer of a member of the request");
    bits |= 1 << slot;
  });
  checkIntegers({ limits, crypto, idempotency }, "");
  const amounts = limits.amount.sort();
  for (const [code, { min, max }] of amounts) {
    const at = `/limits/amount/${code}`;
    check(currency(code) < 9, at, NO_CURRENCY);
    check(min === null || max === null || scaled(min) <= scaled(max), at, ABOVE);
  }
  const { min, max } = limits.time_to_complete_payment;
  check(min <= max, "/limits/time_to_complete_payment", ABOVE);
  currencies?.forEach((code, index) => check(currency(code) < 9, `/currencies/${index}`, CURRENCY));
  urls.schemes.forEach((scheme, index) => check(/^[a-z][a-z\d+.-]*$/.test(scheme), `/urls/schemes/${index}`, SCHEME));
  check(crypto.scale <= 18, "/crypto/scale", "expected 0 to 18");

  const texts = [FIELDS, [currencies].flat().join(""), ["", ...urls.schemes].join("\0"), amounts.map(([code, { min, max }]) => code + [min, max, ""].join("\0")).join("")];
  const block = new Uint8Array(80 + texts.join("").length);
  // No text is longer than the greatest number of the module.
  const sizes = [limits.body_bytes, limits.depth, limits.text_chars, limits.description_chars, limits.uri_bytes].map((limit) => Math.min(limit, 2 ** 32 - 1));
  let end = POLICY + 80;
  const places = texts.flatMap((text, index) => (index === 1 && !currencies ? [0, 0] : [end, (end += text.length)]));
  new Uint32Array(block.buffer, 0, 20).set([bits, 0, ...sizes, 0, min, min / 2 ** 32, max, max / 2 ** 32, ...places]);
  encoder.encodeInto(texts.join(""), block.subarray(80));
  return { settings: policy, bounds: amounts.map(([, { min, max }]) => [, , min, max]), block };
}
