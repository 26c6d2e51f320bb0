// Expiry dates: month and year, as typed, pasted, or filled in by a browser.

import { CENTURY } from "../card_tables.js";
import { digitsOf, requireString } from "./digits.js";

/** A date that begins with its year, with or without a day: 2027-12, 202712, 2027-12-31. */
const YEAR_FIRST = /^\s*(20\d\d)(?:\D+([01]?\d)(?:\D+\d{1,2})?|(\d\d))\s*$/;
/** Two numbers of two digits. The separator of `formatExpiry` is always after a month. */
const TWO_NUMBERS = /^\s*(\d\d)(?! \/ )\D+(\d\d)\s*$/;

const isMonth = (digits) => digits > 0 && digits < 13;

/** Returns month and year of a text that begins with its year and cannot begin with its month. */
function yearFirst(text) {
  const [, year, separated, joined] = YEAR_FIRST.exec(text) ?? [];
  if (separated !== undefined || isMonth(joined)) return { month: separated ?? joined, year };
  const [, first, second] = TWO_NUMBERS.exec(text) ?? [];
  return first !== undefined && !isMonth(first) && isMonth(second) ? { month: second, year: first } : undefined;
}

/**
 * Returns the digits of month and year, the position after the month, and whether the month is complete. A first digit above
 * 1 is a complete month. Further digits of a month belong to the year. The text has ASCII digits.
 */
export function splitExpiry(text) {
  const date = yearFirst(text);
  // The caret is after the whole date, which was not typed.
  if (date !== undefined) return { ...date, end: 0, isComplete: true };
  const [, before, group, rest] = /^(\D*)(\d*)(.*)$/s.exec(text);
  // A separator without digits before it: the month is missing.
  if (/\S/.test(before)) return { month: "", year: digitsOf(group + rest), end: 0, isComplete: false };
  const month = group.slice(0, /^[2-9]/.test(group) ? 1 : 2);
  const isComplete = rest !== "" || month.length === 2 || month > "1";
  return { month, year: digitsOf(group.slice(month.length) + rest), end: before.length + month.length, isComplete };
}

export function parseExpiry(text) {
  const { month, year, isComplete } = splitExpiry(requireString(text));
  const result = {
    month: isComplete && month !== "" ? +month : null,
    year: year.length === 4 ? +year : year.length === 2 ? CENTURY + +year : null,
  };
  return { ...result, missing: result.month === null ? "month" : result.year === null ? "year" : null };
}
