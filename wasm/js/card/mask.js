// The mask of a card number that is typed.

import { LENGTHS, TOO_LONG, VISIBLE } from "../card_tables.js";

/** Returns the digits with stars, or only stars for a text that is not digits. */
export function mask(digits, isDigits, count) {
  if (count > LENGTHS.at(-1)) return TOO_LONG;
  const [first, last] = isDigits ? VISIBLE[count] : [0, 0];
  const end = Math.max(first, count - last);
  return isDigits ? digits.slice(0, first) + "*".repeat(Math.max(0, end - first)) + digits.slice(end) : "*".repeat(count);
}
