// Converts inputs of the caller to JSON text: the text of JSON.stringify, unless that would lose a value silently.

import { PayspecError, unreadable } from "./error.js";
import { below } from "./pointer.js";

/** Returns the kind of an object of any realm, such as another frame. */
export const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** Returns a function that calls a getter of typed arrays, even if a subclass or an object overrides it. */
export const getter = (name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get);

/** Returns the class of a typed array of any realm, and undefined for other values. */
const classOf = getter(Symbol.toStringTag);

/** Returns true for text and bytes. */
const isText = (value) => typeof value === "string" || classOf(value) === "Uint8Array";

/** Returns the input of an object form: text and bytes unchanged, any other value as JSON text. */
export function json(value, name, base) {
  if (isText(value)) return value;
  if (value === undefined) throw missing(name, base);
  return object(value, base, name === "body");
}

/** Returns the input of a JSON form. */
export function requireText(value, name, base) {
  if (isText(value)) return value;
  if (value == null) throw missing(name, base);
  throw new PayspecError("value", base ?? `/${name}`, "expected a string or a Uint8Array");
}

/** Returns a copy of bytes, with their own buffer. */
export function copyBytes(bytes) {
  try {
    return new Uint8Array(bytes);
  } catch {
    throw unreadable();
  }
}

/** Returns an optional input of a JSON form. */
export const optional = (value, name) => (value == null ? undefined : requireText(value, name));

/** Returns a timestamp: a Date, or its RFC 3339 text. */
export function timestamp(now) {
  if (kind(now) !== "Date") return optional(now, "now");
  try {
    // The method of Date, even if the object overrides it.
    return Date.prototype.toISOString.call(now);
  } catch {
    throw new PayspecError("value", "/now", "expected a valid Date");
  }
}

/** Returns the timestamp of the options of a call. Without options, a verdict takes 2 % less time. */
export const timeOf = (more) => (more == null ? undefined : timestamp(options(more, ["now"], "now").now));

/**
 * Returns the options of a call, all of which are in `names`. The option `bare` may also be passed without an object:
 * `validateRequest(body, new Date())`.
 */
export function options(value, names, bare) {
  if (value == null) return {};
  const isObject = typeof value === "object" && !isText(value);
  if (bare && (!isObject || kind(value) === "Date")) return { [bare]: value };
  // The entries of a Map would be silently ignored.
  if (kind(value) !== "Object") throw new TypeError("options: an object");
  if (!Object.keys(value).every((key) => names.includes(key))) throw new TypeError(`unknown option, expected ${names.join(" or ")}`);
  return value;
}

/** Returns the bodies of a batch, each converted by `take`. */
export function batchBodies(bodies, take) {
  if (bodies === undefined || bodies === null) throw missing("bodies");
  if (!Array.isArray(bodies)) throw new PayspecError("value", "/bodies", "expected an array");
  // Unlike `map`, `Array.from` does not skip holes.
  return Array.from(bodies, (body, index) => take(body, "body", `/bodies/${index}`));
}

/** Returns the JSON text of a plain value. Its place is `base`. */
export function object(value, base = "", isBody) {
  const path = [];
  try {
    return JSON.stringify(copy(value, path, []));
  } catch {
    if (path.length > 999) {
      // A client can nest a body deeper than the stack allows. The library reports the depth of this text.
      if (isBody) return '{"":'.repeat(999);
      path.length = 0;
    }
    // A getter or toJSON of the caller may throw as well. That error may contain a value.
    throw new PayspecError("value", path.reduce(below, base), "expected a value that JSON can represent");
  }
}

const missing = (name, base) => new PayspecError("argument", base ?? `/${name}`, "required");

/** Throws at a value that JSON.stringify would omit or change, or at its member `key`. Its path is the one at that moment. */
function reject(path, key) {
  if (key !== undefined) path.push(key);
  throw path;
}

/**
 * Returns a copy of plain data. Each property is read once, so a getter or a proxy cannot return one value for the check
 * and another for the text.
 */
function copy(value, path, above, mayConvert = true) {
  if (value == null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value;
  if (typeof value !== "object" || above.includes(value)) reject(path);
  const { toJSON } = value;
  if (mayConvert && typeof toJSON === "function") {
    if (kind(value) === "Date" && Number.isNaN(value.getTime())) reject(path);
    const result = toJSON.call(value, path.at(-1) ?? "");
    // JSON.stringify would omit the member.
    if (result === undefined) reject(path);
    // Like JSON.stringify, this does not call toJSON of the result.
    return copy(result, path, above, false);
  }
  const isArray = Array.isArray(value);
  const type = isArray || Object.getPrototypeOf(value) === Object.prototype ? "Object" : kind(value);
  if (type === "String") return value.valueOf();
  const keys = Object.keys(value);
  // JSON.stringify writes {} for a Map, a FormData, and a Promise that was not awaited.
  if (ArrayBuffer.isView(value) || (keys.length === 0 && type !== "Object")) reject(path);
  // A hole would become null, and a named member of an array would be omitted.
  if (isArray && keys.length !== value.length) reject(path);
  if (!isArray) rejectHidden(value, path);
  // Without a prototype, `__proto__` is a member like others.
  const result = isArray ? [] : Object.create(null);
  above.push(value);
  for (const key of keys) {
    path.push(key);
    const member = value[key];
    if (isArray && member === undefined) reject(path);
    result[key] = copy(member, path, above);
    path.pop();
  }
  above.pop();
  return result;
}

/**
 * Rejects data that JSON.stringify would omit: inherited members, such as those of `Object.create(base)` and the getters of
 * a class, and own members that are not enumerable. Methods are not data. Names with `__` belong to frameworks.
 */
function rejectHidden(value, path) {
  for (let object = value; object !== null; object = Object.getPrototypeOf(object)) {
    // Object.prototype, of any realm.
    if (object !== value && Object.getPrototypeOf(object) === null && Object.hasOwn(object, "hasOwnProperty")) return;
    for (const name of Object.getOwnPropertyNames(object)) {
      const member = Object.getOwnPropertyDescriptor(object, name);
      const isWritten = object === value && member.enumerable;
      if (!isWritten && typeof member.value !== "function" && !name.startsWith("__")) reject(path, name);
    }
  }
}
