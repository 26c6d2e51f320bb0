// Inputs of the caller: text and bytes, or plain values as tapes.

import { PayspecError, unreadable } from "./error.js";
import { isText, kind } from "./kinds.js";
import { ObjectTape, Unrepresentable } from "./object_tape.js";
import { below } from "./pointer.js";

/** The depth from which a nested value may have exhausted the stack, which is small in some environments. */
const DEEP = 250;

/** The depth of the text that replaces such a value: over the limit of any policy. */
const TOO_DEEP = 999;

/** Returns the input of an object form: text and bytes unchanged, any other value as its tape. */
export function json(value, name, base) {
  if (isText(value)) return value;
  if (value === undefined) throw missing(name, base);
  return object(value, base, name === "body");
}

/**
 * Returns a context with U+FFFD for each lone surrogate in its uid, which is the text of a path. No UUID contains it, so the answer is
 * 404; the module reads no text with a lone surrogate.
 */
export function withWellFormedUid(context) {
  const uid = isText(context) ? undefined : context?.uid;
  if (typeof uid !== "string" || !/\p{Surrogate}/u.test(uid)) return context;
  return { ...context, uid: uid.replace(/\p{Surrogate}/gu, "\ufffd") };
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
  if (now == null) return undefined;
  if (kind(now) !== "Date") return requireText(now, "now");
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
  return Array.from(bodies, (body, index) => {
    const input = take(body, "body", `/bodies/${index}`);
    return input instanceof ObjectTape ? input.takeJson() : input;
  });
}

/** Returns the tape of a plain value. Its place is `base`. */
export function object(value, base = "", isBody) {
  const tape = ObjectTape.empty();
  try {
    tape.write(value);
    return tape;
  } catch (error) {
    // A getter or toJSON of the caller may throw as well. That error may contain a value.
    const expected = error instanceof Unrepresentable ? error.message : "expected a value that JSON can represent";
    const path = tape.path();
    tape.release();
    if (path.length > DEEP) {
      // A client can nest a body deeper than the stack allows. The library reports the depth of this text.
      if (isBody) return '{"":'.repeat(TOO_DEEP);
      path.length = 0;
    }
    throw new PayspecError("value", path.reduce(below, base), expected);
  }
}

const missing = (name, base) => new PayspecError("argument", base ?? `/${name}`, "required");
