// Texts of inputs in groups. The caret stays after the same digit.

import { digitsOf, requireString, splitExpiry } from "./expiry.js";
import { cardInfo } from "./info.js";

const SLASH = " / ";

/** Returns whether an input event has deleted the text after the caret. */
const deletesForward = (inputType) => /^delete.*Forward$/.test(inputType ?? "");

export function formatCardNumber(text, caret, inputType) {
  const typed = digitsOf(requireString(text));
  const digits = typed.slice(0, cardInfo(typed).lengths.at(-1));
  const { gaps } = cardInfo(digits);
  const before = Math.min(digitsOf(text.slice(0, caret ?? text.length)).length, digits.length);
  /** Returns the position of the digit with this index. A separator is written only before a digit. */
  const position = (index) => index + gaps.filter((gap) => gap <= index && gap < digits.length).length;
  return {
    text: Array.from(digits, (digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join(""),
    // After a deletion forward, the caret is after the separator, so that the next one deletes a digit.
    caret: deletesForward(inputType) || before === 0 ? position(before) : position(before - 1) + 1,
    digits,
  };
}

export function formatExpiry(text, caret, inputType) {
  const { month, year, end, isComplete } = splitExpiry(text);
  const at = caret ?? text.length;
  const before = digitsOf(text.slice(0, at)).length;
  // A month is not changed while the caret is in it: the payer may add or delete a digit.
  const isPadded = isComplete && month.length === 1 && month > "0" && (month > "1" ? at >= end : at > end);
  const shown = isPadded ? `0${month}` : month;
  const rest = year.slice(0, 4);
  const result = shown + (rest && SLASH + rest);
  const after = before - month.length;
  const inMonth = before + (isPadded ? 1 : 0);
  const isInYear = rest !== "" && (after > 0 || (after === 0 && deletesForward(inputType)));
  const position = end === 0 && month !== "" ? result.length : isInYear ? shown.length + SLASH.length + after : inMonth;
  return { text: result, caret: Math.min(position, result.length) };
}
