// The headers of a webhook, as frameworks have them: a plain object, that of Node.js included, Headers, or a Map.

import { PayspecError } from "./error.js";
import { json } from "./inputs.js";
import { isText, kind } from "./kinds.js";

/** Returns the input of a context whose headers may be Headers or a Map. */
export const webhookContext = (context) => json(hasEntries(context) ? withPlainHeaders(context) : context, "context");

/** Returns whether the headers of a context have no members, only entries. */
function hasEntries(context) {
  if (context === null || typeof context !== "object" || isText(context)) return false;
  try {
    return ["Headers", "Map"].includes(kind(context.headers));
  } catch {
    // A getter of the caller. The error has the path of the headers when the context is read.
    return false;
  }
}

function withPlainHeaders(context) {
  const headers = Array.from(context.headers);
  if (!headers.every(([name]) => typeof name === "string")) throw new PayspecError("value", "/headers", "expected names that are strings");
  return { ...context, headers: Object.fromEntries(headers) };
}
