// From what a program hands over to JSON text: what JSON.stringify would send, and nothing silently lost on the way.

import { PayspecError } from "./error.js";

/** What kind of object it is, whichever realm it comes from: a frame's, or a test runner's. */
const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** Text or bytes. This realm's are found fastest; what is no view at all is never asked for its prototype. */
const isText = (value) =>
  typeof value === "string" || (ArrayBuffer.isView(value) && (value instanceof Uint8Array || kind(value) === "Uint8Array"));

/** The input of an object form: text and bytes as they are, anything else as JSON text. */
export function json(value, name) {
  if (isText(value)) return value;
  if (value === undefined) throw missing(name);
  return object(value, name);
}

/** The input of a JSON form. */
export function given(value, name) {
  if (isText(value)) return value;
  if (value === undefined || value === null) throw missing(name);
  throw new PayspecError("value", `/${name}`, "a string or a Uint8Array");
}

/** The same where it may be left out. */
export function optional(value, name) {
  return value === undefined || value === null ? undefined : given(value, name);
}

/** An instant: a Date, or its RFC 3339 text. */
export function instant(now) {
  if (now === undefined || kind(now) !== "Date") return optional(now, "now");
  try {
    // Date's own, whatever the object brings.
    return Date.prototype.toISOString.call(now);
  } catch {
    throw new PayspecError("value", "/now", "a valid Date");
  }
}

/**
 * The options of a call. What they are mostly given for, `name`, will do alone: `validateRequest(body, new Date())`. A
 * member that no option has is a slip of the pen, and must not pass for a call without options.
 */
export function options(value, name) {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || isText(value) || kind(value) === "Date") {
    if (name === "messages") throw new PayspecError("value", "/options", "an object");
    return { [name]: value };
  }
  const other = Object.keys(value).find((key) => key !== name && key !== "messages");
  if (other === undefined) return value;
  // A request has other members than options have.
  if (name === "request") return { request: value };
  throw new PayspecError("value", `/${other}`, "no such option");
}

/** A page's own texts: a function for each code. */
export function texts(messages) {
  if (messages && typeof messages !== "object") throw new PayspecError("value", "/messages", "an object");
  const wrong = Object.entries(messages ?? {}).find(([, say]) => say !== undefined && typeof say !== "function");
  if (wrong) throw new PayspecError("value", `/messages/${wrong[0]}`, "a function");
  return messages;
}

/** JSON text of a plain value. */
export function object(value, name) {
  let text;
  let at;
  try {
    at = lost(value, []);
    if (at === undefined) text = JSON.stringify(value);
  } catch {
    // Nested beyond the stack, or a getter or toJSON of the program's own that throws. Its error may hold a value.
    throw new PayspecError("value", "", `a ${name} that JSON.stringify takes`);
  }
  if (at) throw new PayspecError("value", at.map((key) => `/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`).join(""), "a value that JSON has a form for");
  if (text === undefined) throw new PayspecError("value", "", `a ${name} that has a JSON form`);
  return text;
}

const missing = (name) => new PayspecError("argument", `/${name}`, "required");

/** The way to the first value that JSON.stringify would drop, change or fail at; undefined where there is none. */
function lost(value, above) {
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
  const what = plain ? "Object" : kind(value);
  if (typeof value.toJSON === "function") return what === "Date" && Number.isNaN(value.getTime()) ? [] : undefined;
  const keys = Object.keys(value);
  // JSON.stringify makes {} of a Map, a FormData, a Promise that nobody has awaited.
  if (!plain && (ArrayBuffer.isView(value) || (keys.length === 0 && what !== "Object" && what !== "Array"))) return [];
  above.push(value);
  for (const key of keys) {
    const way = lost(value[key], above);
    if (way) return [key, ...way];
  }
  above.pop();
  return undefined;
}
