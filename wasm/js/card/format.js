// Texts of inputs in groups. The caret stays after the same digit.

import { digitsOf, requireString } from "./digits.js";
import { splitExpiry } from "./expiry.js";
import { cardInfo } from "./info.js";
import { firstCardNumber, isPaste } from "./paste.js";

const SLASH = " / ";

/** Returns the type of a change: that of its event, or the type itself. */
const typeOf = (change) => (typeof change === "string" ? change : change?.inputType);

/** Returns whether an input method composes text, which must not change until it has ended. */
const isComposing = (change) => change?.isComposing === true;

/** Returns whether an input event has deleted the text after the caret. */
const deletesForward = (change) => /^delete.*Forward$/.test(typeOf(change) ?? "");

export function formatCardNumber(text, caret, change) {
  const ascii = requireString(text);
  if (isComposing(change)) return { text, caret: caret ?? text.length, digits: digitsOf(ascii) };
  const number = isPaste(typeOf(change)) ? firstCardNumber(ascii) : undefined;
  const typed = number ?? digitsOf(ascii);
  const digits = typed.slice(0, cardInfo(typed).lengths.at(-1));
  const { gaps } = cardInfo(digits);
  const before = number === undefined ? Math.min(digitsOf(ascii.slice(0, caret ?? text.length)).length, digits.length) : digits.length;
  /** Returns the position of the digit with this index. A separator is written only before a digit. */
  const position = (index) => index + gaps.filter((gap) => gap <= index && gap < digits.length).length;
  return {
    text: Array.from(digits, (digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join(""),
    // After a deletion forward, the caret is after the separator, so that the next one deletes a digit.
    caret: deletesForward(change) || before === 0 ? position(before) : position(before - 1) + 1,
    digits,
  };
}

export function formatExpiry(text, caret, change) {
  const ascii = requireString(text);
  const at = caret ?? text.length;
  if (isComposing(change)) return { text, caret: at };
  const { month, year, end, isComplete } = splitExpiry(ascii);
  const before = digitsOf(ascii.slice(0, at)).length;
  // A month is not changed while the caret is in it: the payer may add or delete a digit.
  const isPadded = isComplete && month.length === 1 && month > "0" && (month > "1" ? at >= end : at > end);
  const shown = isPadded ? `0${month}` : month;
  const rest = year.slice(0, 4);
  const result = shown + (rest && SLASH + rest);
  const after = before - month.length;
  const inMonth = before + (isPadded ? 1 : 0);
  const isInYear = rest !== "" && (after > 0 || (after === 0 && deletesForward(change)));
  const position = end === 0 && month !== "" ? result.length : isInYear ? shown.length + SLASH.length + after : inMonth;
  return { text: result, caret: Math.min(position, result.length) };
}
