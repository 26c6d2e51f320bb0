// Types of `payspec/card`: card numbers and expiry dates for input masks, without WebAssembly.

import type { CardInfo } from "./answers.js";
import type { CardScheme } from "./values.js";

export type { CardInfo, CardInfoBase, KnownCard, UnknownCard } from "./answers.js";
export { PayspecError, version } from "./common.js";
export type { PayspecErrorCode } from "./common.js";
export type { CardScheme } from "./values.js";

/**
 * Returns the scheme and the format of a card from the digits typed so far (§2.2 `card_number`), with the answers of the
 * operation `card_info`. Characters other than ASCII digits are neither possible nor valid: remove spaces first.
 *
 * @throws {@link PayspecError} with the code `argument` or `value` for anything other than text.
 *
 * @example
 * const { scheme, code } = cardInfo("378282"); // american_express, { name: "CID", length: 4 }
 */
export declare function cardInfo(digits: string): CardInfo;

/** {@link cardInfo} as JSON: the same bytes as in every other language. */
export declare function cardInfoJson(digits: string): string;

/** The text of an input, and the position of its caret in UTF-16 units. */
export interface FormattedText {
  readonly text: string;
  readonly caret: number;
}

/** A card number in groups. */
export interface FormattedCardNumber extends FormattedText {
  /** The digits without spaces. */
  readonly digits: string;
}

/** A change of an input: its event, or the `inputType` of it. */
export type InputChange = string | { readonly inputType?: string; readonly isComposing?: boolean };

/**
 * Formats a card number in the groups of its scheme: `4111 1111 1111 1111`, `3782 822463 10005`. Removes all characters
 * other than digits, and digits over the greatest length of the scheme. Digits of other scripts become ASCII digits. Of a text
 * that was pasted, the first card number is taken. The caret stays after the same digit.
 *
 * @param text The text of the input, after any change.
 * @param caret The position of the caret, `selectionStart`. Without it, the caret is at the end.
 * @param change The event, or its `inputType`. After a deletion forward, the caret passes the space before the next digit, so
 * that the next deletion removes a digit. While an input method composes text, the text stays: format it at `compositionend`.
 * @throws {@link PayspecError} with the code `value` for anything other than a string.
 *
 * @example
 * input.addEventListener("input", (event) => {
 *   const { text, caret, digits } = formatCardNumber(input.value, input.selectionStart, event);
 *   input.value = text;
 *   input.setSelectionRange(caret, caret);
 *   submit.disabled = !cardInfo(digits).valid;
 * });
 */
export declare function formatCardNumber(text: string, caret?: number | null, change?: InputChange): FormattedCardNumber;

/**
 * Formats an expiry date while it is typed, pasted, or filled in: `12 / 27`, `12 / 2027`. A complete month of one digit gets
 * a zero: `9` becomes `09`. The parameters are those of {@link formatCardNumber}.
 *
 * @throws {@link PayspecError} with the code `value` for anything other than a string.
 *
 * @example
 * const { text } = formatExpiry("9/27"); // 09 / 27
 */
export declare function formatExpiry(text: string, caret?: number | null, change?: InputChange): FormattedText;

/** A complete expiry date. */
export interface CompleteExpiry {
  /** The month as typed. `validateRequest` checks that it is 1 to 12. */
  readonly month: number;
  /** The year. Two digits are read as 20YY (D23). */
  readonly year: number;
  readonly missing: null;
}

/** An expiry date without its year, or with a part of it. */
export interface ExpiryWithoutYear {
  readonly month: number;
  readonly year: null;
  readonly missing: "year";
}

/** An expiry date without its month. A first digit 0 or 1 is not a month yet. */
export interface ExpiryWithoutMonth {
  readonly month: null;
  readonly year: number | null;
  readonly missing: "month";
}

/** Month and year of an expiry date, or the first part that is missing. */
export type Expiry = CompleteExpiry | ExpiryWithoutYear | ExpiryWithoutMonth;

/**
 * Parses an expiry date: `12/27`, `1227`, `12 / 2027`, `122027`, `2027-12`, `202712`, `2027-12-31`, and `27/12`: a month is at
 * most 12. It has no clock: `validateRequest` with `now` reports a card that has expired.
 *
 * @throws {@link PayspecError} with the code `value` for anything other than a string.
 *
 * @example
 * const { month, year, missing } = parseExpiry("12 / 27"); // 12, 2027, null
 */
export declare function parseExpiry(text: string): Expiry;

/** The name of a scheme for people, and that of an icon file. */
export interface SchemeIcon {
  /** The name of the scheme, the text alternative of its icon: `American Express`. */
  readonly name: string;
  /** The scheme with hyphens, for the names of files and classes: `american-express`. */
  readonly icon: string;
}

/**
 * The names of all schemes. The package contains no icons, which are trademarks.
 *
 * @example
 * const { scheme } = cardInfo("4111");
 * if (scheme !== null) logo(`/icons/${SCHEME_ICONS[scheme].icon}.svg`, SCHEME_ICONS[scheme].name);
 */
export declare const SCHEME_ICONS: { readonly [Scheme in CardScheme]: SchemeIcon };
