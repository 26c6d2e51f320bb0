// The messages of a page, which replace those of the library.

import { PayspecError } from "./error.js";
import { below } from "./pointer.js";

/** Checks the messages of a page: a function for each code. */
export function checkMessages(messages) {
  if (messages && typeof messages !== "object") throw new PayspecError("value", "/messages", "expected an object");
  const invalid = Object.entries(messages ?? {}).find(([, message]) => message !== undefined && typeof message !== "function");
  if (invalid) throw new PayspecError("value", below("/messages", invalid[0]), "expected a function");
  return messages;
}

/** Replaces the messages of a report by those of a call, or else those of the engine. */
export function localize(report, ofCall, ofEngine) {
  if (!ofCall && !ofEngine) return report;
  checkMessages(ofCall);
  for (const violation of report.violations) {
    // Not a member that is inherited.
    const own = [ofCall, ofEngine].map((texts) => texts && Object.hasOwn(texts, violation.code) && texts[violation.code]);
    const message = own.find((text) => typeof text === "function");
    if (message) violation.message = message(violation);
  }
  return report;
}
