// Digits in the text of an input.

import { PayspecError } from "../error.js";

/** Full-width, Arabic-Indic, and Extended Arabic-Indic digits, which keyboards of these scripts write. */
const OTHER_SCRIPTS = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;

/** Returns the text of an input with ASCII digits, and throws for other values. Every position stays. */
export function requireString(text) {
  if (typeof text !== "string") throw new PayspecError("value", "/text", "expected a string");
  // The last four bits of each digit are its value.
  return text.replace(OTHER_SCRIPTS, (digit) => String(digit.charCodeAt(0) & 0xf));
}

export const digitsOf = (text) => text.replace(/\D/g, "");
