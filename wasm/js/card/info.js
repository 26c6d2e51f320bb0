// The operation `card_info`, from the tables of the core.

import { GAPS, LENGTHS, PREFIXES, SCHEMES } from "../card_tables.js";
import { PayspecError } from "../error.js";
import { global } from "../globals.js";
import { copyBytes, requireText } from "../inputs.js";
import { mask } from "./mask.js";

const PREFIX_DIGITS = 6;
const numbers = (list) => list.split(",").map(Number);

/** The schemes by their index. */
const KNOWN = SCHEMES.map((line) => {
  const [scheme, name, length, lengths, gaps, most] = line.split("|");
  return { scheme, code: { name, length: +length }, lengths: numbers(lengths), gaps: gaps && numbers(gaps), most: +most || Infinity };
});

/** The prefixes as ranges of six digits, in the order in which they are tried: first, last, and the scheme with its lengths. */
const ROWS = PREFIXES.flatMap((line) => {
  const [index, ranges, lengths] = line.split("|");
  const scheme = lengths ? { ...KNOWN[index], lengths: numbers(lengths) } : KNOWN[index];
  return ranges.split(",").map((range) => {
    const [first, last = first] = range.split("-");
    return [first.padEnd(PREFIX_DIGITS, "0"), last.padEnd(PREFIX_DIGITS, "9"), scheme];
  });
});

/** Returns the scheme that the typed digits determine, as texts of equal length are compared like numbers. */
function schemeOf(digits) {
  const typed = digits.slice(0, PREFIX_DIGITS);
  const [first, last] = [typed.padEnd(PREFIX_DIGITS, "0"), typed.padEnd(PREFIX_DIGITS, "9")];
  return ROWS.find(([from, to]) => from <= first && last <= to)?.[2];
}

/** Checks the last digit by the Luhn algorithm. */
function luhn(digits) {
  let sum = 0;
  for (let index = digits.length; index > 0; index--) {
    const digit = +digits[index - 1];
    sum += (digits.length - index) % 2 ? digit * 2 - (digit > 4 ? 9 : 0) : digit;
  }
  return sum % 10 === 0;
}

/** Returns an input as text. Typed text may end in half a character, which is not a digit. */
function plain(input) {
  const text = requireText(input, "digits");
  if (typeof text === "string") return text;
  const bytes = copyBytes(text);
  const Decoder = global("TextDecoder", "/digits");
  try {
    return new Decoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PayspecError("utf8", "/digits", "expected UTF-8");
  }
}

export function cardInfo(digits) {
  const text = plain(digits);
  const isDigits = /^\d*$/.test(text);
  const known = isDigits ? schemeOf(text) : undefined;
  const { scheme = null, code, lengths = LENGTHS, gaps, most } = known ?? {};
  const { length } = text;
  const longest = lengths.at(-1);
  // A number of zeros passes Luhn.
  const isNumber = isDigits && length <= longest && /[1-9]/.test(text) && luhn(text);
  return {
    scheme,
    lengths: [...lengths],
    gaps: [...(gaps && length <= most ? gaps : GAPS)],
    code: code ? { ...code } : null,
    // One more digit can still correct the sum.
    possible: isDigits && (length < longest || (length === longest && isNumber)),
    valid: isNumber && lengths.includes(length),
    masked: mask(text, isDigits, isDigits ? length : [...text].length),
  };
}

export const cardInfoJson = (digits) => JSON.stringify(cardInfo(digits));
