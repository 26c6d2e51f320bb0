// The card number in a text that was pasted.

import { LENGTHS } from "../card_tables.js";
import { cardInfo } from "./info.js";

/** Groups of digits that may be parts of one number: at most two separators are between them. */
const RUN = /\d+(?:[\s._-]{1,2}\d+)*/g;

/** Returns whether an input event has inserted a text that was not typed. */
export const isPaste = (inputType) => /^insertFrom/.test(inputType ?? "");

/** Returns the digits of the first card number in a text, the longest one that begins there, or undefined. */
export function firstCardNumber(text) {
  for (const [run] of text.matchAll(RUN)) {
    const groups = run.split(/\D+/);
    for (let start = 0; start < groups.length; start++) {
      for (let end = groups.length; end > start; end--) {
        const digits = groups.slice(start, end).join("");
        if (digits.length > LENGTHS.at(-1)) continue;
        const { scheme, valid } = cardInfo(digits);
        if (scheme !== null && valid) return digits;
      }
    }
  }
  return undefined;
}
