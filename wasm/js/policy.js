// Reads the policy of `payspec/checkout`, with the same errors as the core, and writes the settings for the module.

import { PayspecError } from "./error.js";
import { DEFAULTS, FIELDS, FIXED, ROUNDINGS, RULES, STATES } from "./tables.js";

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
  const [code, severity, source, params, summary] = line.split("|");
  return { code, severity: SEVERITIES[severity], source, summary, params: params ? params.split(",") : [] };
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

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws the error of the member at a path. */
const wrong = (path, message) => {
  throw new PayspecError("policy", path, message);
};

const check = (holds, path, message) => holds || wrong(path, message);

/** Masks every run of twelve or more digits, with single spaces or hyphens between them. */
const masked = (name) =>
  name.replace(/\d(?:[ -]?\d){11,}/g, (run) => {
    const count = run.replace(/\D/g, "").length;
    let index = 0;
    return run.replace(/\d/g, (digit) => (count < 20 && (++index < 7 || index > count - 4) ? digit : "*"));
  });

/** Extends a path by a name of the caller, in which card numbers are masked. */
export const below = (path, name) => `${path}/${masked(name).replace(/~/g, "~0").replace(/\//g, "~1")}`;

/** Returns the entries of an object. */
const entries = (value, path) => (value == null ? [] : (check(isObject(value), path, OBJECT), Object.entries(value)));

/** Returns an array whose items pass a check. */
function list(value, path, message, passes) {
  if (value == null) return undefined;
  check(Array.isArray(value), path, "expected an array");
  value.forEach((item, index) => check(typeof item === "string" && passes(item), `${path}/${index}`, message));
  return value;
}

/** Returns a text that matches a pattern. */
function text(value, path, pattern, message) {
  if (value != null) check(pattern.test(check(typeof value === "string", path, TEXT) && value), path, message);
  return value;
}

function integer(value, path) {
  const digits = check(typeof value === "number", path, INTEGER) && JSON.stringify(value);
  check(/^\d+$/.test(digits) && value < 2 ** 64, path, /^-|^\d+$/.test(digits) ? RANGE : INTEGER);
  return value;
}

/** Returns -1, 0 or 1 if a decimal is below, equal to or above another one. */
function compare(one, other) {
  const [[i, f = ""], [j, g = ""]] = [one.split("."), other.split(".")];
  const [a, b] = [BigInt(i + f.padEnd(28, 0)), BigInt(j + g.padEnd(28, 0))];
  return a < b ? -1 : a > b;
}

/** Settings with types of their own. */
const READERS = {
  severity: (value, path) =>
    entries(value, path).map(([code, set]) => {
      CODES.includes(code) || wrong(below(path, code), "not a code of a rule");
      check(typeof set === "string" && SEVERITIES.includes(set), `${path}/${code}`, "expected error, warning, or off");
      return [code, set];
    }),
  required: (value, path) => list(value, path, "expected a JSON Pointer", () => true),
  currencies: (value, path, currency) => list(value, path, CURRENCY, currency),
  schemes: (value, path) => list(value, path, SCHEME, () => true),
  amount: (value, path, currency) =>
    entries(value, path).map(([code, range]) => {
      currency(code) || wrong(below(path, code), NO_CURRENCY);
      const at = `${path}/${code}`;
      check(range != null, at, OBJECT);
      for (const [name] of entries(range, at)) name === "min" || name === "max" || wrong(below(at, name), "unknown member");
      for (const name of ["min", "max"]) {
        const bound = range[name];
        const isDecimal = bound == null || (typeof bound === "string" && /^(0|[1-9]\d*)(\.\d+)?$/.test(bound) && bound.replace(".", "").length < 29);
        check(isDecimal, `${at}/${name}`, "expected a decimal string of at most 28 digits");
      }
      return [code, { min: range.min ?? null, max: range.max ?? null }];
    }),
  rounding: (value, path) => text(value, path, new RegExp(`^(${ROUNDINGS.join("|")})$`), "expected half_even, half_up, half_down, up, or down"),
  invalid_request_status: (value, path) => value == null || check([400, 422].includes(integer(value, path)), path, "expected 400 or 422"),
  fingerprint_key: (value, path) => text(value, path, /^([\da-f]{2})+$/i, "expected hex digits, two per byte"),
  transitions: (value, path) => {
    if (!Array.isArray(value)) return check(value == null || value === "open" || value === "conventional", path, "expected open, conventional, or a list of pairs of states");
    return value.forEach((pair, index) => {
      const at = `${path}/${index}`;
      check(Array.isArray(pair), at, PAIR);
      pair.forEach((state, end) => check(STATES.includes(state), `${at}/${end}`, PAIR));
      check(pair.length === 2, at, PAIR);
    });
  },
};

/** Reads the members of an object in the order of the defaults. */
function read(value, path, defaults, currency) {
  for (const [name] of entries(value, path)) Object.hasOwn(defaults, name) || wrong(below(path, name), "unknown member");
  return Object.fromEntries(
    Object.entries(defaults).map(([name, initial]) => {
      const at = `${path}/${name}`;
      const given = value?.[name];
      if (READERS[name]) return [name, READERS[name](given, at, currency) ?? initial];
      return [name, isObject(initial) ? read(given, at, initial, currency) : given == null ? initial : integer(given, at)];
    }),
  );
}

/** Checks the integers, in the order of the defaults. */
function checkIntegers(settings, path) {
  for (const [name, value] of Object.entries(settings)) {
    if (isObject(value)) checkIntegers(value, `${path}/${name}`);
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
 * currency, or 0. Returns the settings, the severities by rule, the bounds of amounts, and the settings as bytes.
 */
export function readPolicy(policy, currency) {
  check(isObject(policy), "", OBJECT);
  check(depth(policy) < 129, "", "nested deeper than 128 levels");
  const { required, limits, urls, crypto, severity, currencies, idempotency } = (policy = read(policy, "", DEFAULTS, currency));
  for (const [code] of [...severity].sort(([one], [other]) => CODES.indexOf(one) - CODES.indexOf(other))) check(!FIXED.includes(code), `/severity/${code}`, "this severity cannot be set");
  required.forEach((pointer, index) => check(POINTERS.includes(pointer), `/required/${index}`, "expected the JSON Pointer of a member of the request"));
  checkIntegers({ limits, crypto, idempotency }, "");
  const amounts = limits.amount.sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [code, { min, max }] of amounts) {
    check(currency(code) < 9, `/limits/amount/${code}`, NO_CURRENCY);
    check(min === null || max === null || compare(min, max) < 1, `/limits/amount/${code}`, ABOVE);
  }
  const { min, max } = limits.time_to_complete_payment;
  check(min <= max, "/limits/time_to_complete_payment", ABOVE);
  currencies?.forEach((code, index) => check(currency(code) < 9, `/currencies/${index}`, CURRENCY));
  urls.schemes.forEach((scheme, index) => check(/^[a-z][a-z\d+.-]*$/.test(scheme), `/urls/schemes/${index}`, SCHEME));
  check(crypto.scale <= 18, "/crypto/scale", "expected 0 to 18");

  const set = Object.fromEntries(severity);
  const severities = CATALOGUE.map(({ code, severity }) => set[code] ?? severity);
  const texts = [FIELDS, currencies?.join("") ?? "", urls.schemes.map((scheme) => `\0${scheme}`).join(""), amounts.map(([code, range]) => `${code}${range.min ?? ""}\0${range.max ?? ""}\0`).join("")];
  const block = new Uint8Array(80 + texts.join("").length);
  const bits = POINTERS.reduce((all, pointer, index) => all | (required.includes(pointer) << index), 0);
  // No text is longer than the greatest number of the module.
  const sizes = [limits.body_bytes, limits.depth, limits.text_chars, limits.description_chars, limits.uri_bytes].map((limit) => Math.min(limit, 2 ** 32 - 1));
  let end = POLICY + 80;
  const places = texts.flatMap((text, index) => (index === 1 && !currencies ? [0, 0] : [end, (end += text.length)]));
  new Uint32Array(block.buffer, 0, 20).set([bits, 0, ...sizes, 0, min, min / 2 ** 32, max, max / 2 ** 32, ...places]);
  new TextEncoder().encodeInto(texts.join(""), block.subarray(80));
  return { settings: policy, severities, bounds: amounts.map(([, range]) => range), block };
}
