// Converts inputs of the caller to JSON text: the text of JSON.stringify, unless that would lose a value silently.

import { PayspecError } from "./error.js";

/** Returns the kind of an object of any realm, such as another frame. */
export const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);

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
  if (value == null) throw missing(name);
  throw new PayspecError("value", `/${name}`, "a string or a Uint8Array");
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
    throw new PayspecError("value", "/now", "a valid Date");
  }
}

/**
 * Returns the options of a call, all of which are in `names`. The option `bare` may also be passed without an object:
 * `validateRequest(body, new Date())`.
 */
export function options(value, names, bare) {
  if (value == null) return {};
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
  const path = [];
  let text;
  try {
    text = JSON.stringify(copy(value, path, []));
  } catch (error) {
    if (error === UNSERIALIZABLE) throw new PayspecError("value", pointer(path), "a value that JSON can represent");
    // The nesting exceeds the stack, or a getter or toJSON of the caller throws. That error may contain a value.
    throw new PayspecError("value", "", `a ${name} that JSON.stringify accepts`);
  }
  if (text === undefined) throw new PayspecError("value", "", `a ${name} that JSON can represent`);
  return text;
}

const missing = (name) => new PayspecError("argument", `/${name}`, "required");

const pointer = (path) => path.map((key) => `/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");

/** Thrown for a value that JSON.stringify would omit or change. Its path is the one at that moment. */
const UNSERIALIZABLE = {};

/** Throws the error of a value, or of its member `key`. */
function reject(path, key) {
  if (key !== undefined) path.push(key);
  throw UNSERIALIZABLE;
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
    const result = toJSON.call(value, String(path.at(-1) ?? ""));
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
