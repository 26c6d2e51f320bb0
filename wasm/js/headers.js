// The headers of a webhook, as frameworks have them: a plain object, that of Node.js included, or Headers, a Map, and other
// objects with entries.

import { PayspecError } from "./error.js";
import { json } from "./inputs.js";
import { isText, kind } from "./kinds.js";

/** Objects whose entries are not names with values. */
const LISTS = ["Array", "Set"];

/** Returns the input of a context whose headers may have entries instead of members. */
export const webhookContext = (context) => json(hasEntries(context) ? withPlainHeaders(context) : context, "context");

/** Returns whether the headers of a context are not a plain object, but have entries. */
function hasEntries(context) {
  if (context === null || typeof context !== "object" || isText(context)) return false;
  try {
    const { headers } = context;
    return typeof headers?.entries === "function" && !LISTS.includes(kind(headers));
  } catch {
    // A getter of the caller. The error has the path of the headers when the context is read.
    return false;
  }
}

function withPlainHeaders(context) {
  const headers = Array.from(context.headers.entries());
  if (!headers.every(([name]) => typeof name === "string")) throw new PayspecError("value", "/headers", "expected names that are strings");
  return { ...context, headers: withLists(headers) };
}

/** Returns entries as members. The values of a name that is repeated, in any case, are an array. */
function withLists(headers) {
  const members = new Map();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    members.set(key, members.has(key) ? [members.get(key), value].flat() : value);
  }
  return Object.fromEntries(members);
}
