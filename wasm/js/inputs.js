// Converts inputs of the caller to JSON text: the text of JSON.stringify, unless that would lose a value silently.

import { PayspecError } from "./error.js";

/** Returns the kind of an object of any realm, such as another frame. */
const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** Returns true for text and bytes. The prototype is read only of views, since a proxy could throw. */
const isText = (value) =>
  typeof value === "string" || (ArrayBuffer.isView(value) && (value instanceof Uint8Array || kind(value) === "Uint8Array"));

/** Returns the input of an object form: text and bytes unchanged, any other value as JSON text. */
export function json(value, name) {
  if (isText(value)) return value;
  if (value === undefined) throw missing(name);
  return object(value, name);
}

/** Returns the input of a JSON form. */
export function requireText(value, name) {
  if (isText(value)) return value;
  if (value === undefined || value === null) throw missing(name);
  throw new PayspecError("value", `/${name}`, "a string or a Uint8Array");
}

/** Returns an optional input of a JSON form. */
export function optional(value, name) {
  return value === undefined || value === null ? undefined : requireText(value, name);
}

/** Returns a timestamp: a Date, or its RFC 3339 text. */
export function instant(now) {
  if (now === undefined || kind(now) !== "Date") return optional(now, "now");
  try {
    // The method of Date, even if the object overrides it.
    return Date.prototype.toISOString.call(now);
  } catch {
    throw new PayspecError("value", "/now", "a valid Date");
  }
}

/**
 * Returns the options of a call, all of which are in `names`. The option `bare` may also be passed without an object:
 * `validateRequest(body, new Date())`.
 */
export function options(value, names, bare) {
  if (value === undefined || value === null) return {};
  const isObject = typeof value === "object" && !isText(value);
  if (bare && (!isObject || kind(value) === "Date")) return { [bare]: value };
  // The entries of a Map would be silently ignored.
  if (!isObject || kind(value) !== "Object") throw new TypeError("options: an object");
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) throw new TypeError(`unknown option: ${unknown}`);
  return value;
}

/** Returns the bodies of a batch, each converted by `take`. */
export function batchBodies(bodies, take) {
  if (bodies === undefined || bodies === null) throw missing("bodies");
  if (!Array.isArray(bodies)) throw new PayspecError("value", "/bodies", "an array");
  // Unlike `map`, `Array.from` does not skip holes.
  return Array.from(bodies, (body) => take(body, "body"));
}

/** Checks the messages of a page: a function for each code. */
export function checkMessages(messages) {
  if (messages && typeof messages !== "object") throw new PayspecError("value", "/messages", "an object");
  const invalid = Object.entries(messages ?? {}).find(([, message]) => message !== undefined && typeof message !== "function");
  if (invalid) throw new PayspecError("value", `/messages/${invalid[0]}`, "a function");
  return messages;
}

/** Returns the JSON text of a plain value. */
export function object(value, name) {
  let text;
  let at;
  try {
    at = findUnserializable(value, []);
    if (at === undefined) text = JSON.stringify(value);
  } catch {
    // The nesting exceeds the stack, or a getter or toJSON of the caller throws. That error may contain a value.
    throw new PayspecError("value", "", `a ${name} that JSON.stringify takes`);
  }
  if (at) throw new PayspecError("value", at.map((key) => `/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`).join(""), "a value that JSON can represent");
  if (text === undefined) throw new PayspecError("value", "", `a ${name} that JSON can represent`);
  return text;
}

const missing = (name) => new PayspecError("argument", `/${name}`, "required");

/** Returns the path of the first value that JSON.stringify would omit, change or fail at; undefined if all can be kept. */
function findUnserializable(value, above) {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : [];
    case "object":
      break;
    default:
      return [];
  }
  if (value === null) return undefined;
  if (above.includes(value)) return [];
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  const type = plain ? "Object" : kind(value);
  if (typeof value.toJSON === "function") return type === "Date" && Number.isNaN(value.getTime()) ? [] : undefined;
  const keys = Object.keys(value);
  // JSON.stringify writes {} for a Map, a FormData, and a Promise that was not awaited.
  if (!plain && (ArrayBuffer.isView(value) || (keys.length === 0 && type !== "Object" && type !== "Array"))) return [];
  above.push(value);
  for (const key of keys) {
    const path = findUnserializable(value[key], above);
    if (path) return [key, ...path];
  }
  above.pop();
  return undefined;
}
