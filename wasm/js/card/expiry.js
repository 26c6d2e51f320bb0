// Expiry dates: month and year, as typed, pasted, or filled in by a browser.

import { CENTURY } from "../card_tables.js";
import { PayspecError } from "../error.js";

/** A date that begins with its year, such as 2027-12. */
const YEAR_FIRST = /^\s*(\d{4})\D+([01]?\d)\s*$/;

/**
 * Returns the digits of month and year, the position after the month, and whether the month is complete. A first digit above
 * 1 is a complete month. Further digits of a month belong to the year.
 */
export function splitExpiry(text) {
  const [, first, second] = YEAR_FIRST.exec(requireString(text)) ?? [];
  // The caret is after the whole date, which was not typed.
  if (first >= CENTURY && first < CENTURY + 100) return { month: second, year: first, end: 0, isComplete: true };
  const [, before, group, rest] = /^(\D*)(\d*)(.*)$/s.exec(text);
  // A separator without digits before it: the month is missing.
  if (/\S/.test(before)) return { month: "", year: digitsOf(group + rest), end: 0, isComplete: false };
  const month = group.slice(0, /^[2-9]/.test(group) ? 1 : 2);
  const isComplete = rest !== "" || month.length === 2 || month > "1";
  return { month, year: digitsOf(group.slice(month.length) + rest), end: before.length + month.length, isComplete };
}

/** Returns the text of an input, and throws for other values. */
export function requireString(text) {
  if (typeof text === "string") return text;
  throw new PayspecError("value", "/text", "expected a string");
}

export const digitsOf = (text) => text.replace(/\D/g, "");

export function parseExpiry(text) {
  const { month, year, isComplete } = splitExpiry(text);
  const result = {
    month: isComplete && month !== "" ? +month : null,
    year: year.length === 4 ? +year : year.length === 2 ? CENTURY + +year : null,
  };
  return { ...result, missing: result.month === null ? "month" : result.year === null ? "year" : null };
}
