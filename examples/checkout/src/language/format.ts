// Amounts and dates in the language of the page. Amounts stay texts: a float would lose digits.

import { createElement } from "../dom.js";
import { locale } from "./language.js";

/** Returns the parts of an amount, with the currency if it is given. Texts that are not amounts stay as they are. */
function partsOf(amount: string, currency?: string): { type: string; value: string }[] {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  const suffix = currency === undefined ? [] : [{ type: "literal", value: "\u00a0" }, { type: "currency", value: currency }];
  if (whole === undefined) return [{ type: "literal", value: amount }, ...suffix];
  const digits = { minimumFractionDigits: fraction.length, maximumFractionDigits: fraction.length };
  // USDT is not a code of ISO 4217.
  const isCode = currency !== undefined && /^[A-Z]{3}$/.test(currency);
  const format = new Intl.NumberFormat(locale(), isCode ? { style: "currency", currency, ...digits } : digits);
  const parts = format.formatToParts(BigInt(whole)).map(({ type, value }) => ({ type, value: type === "fraction" ? fraction : value }));
  return isCode ? parts : [...parts, ...suffix];
}

const join = (parts: readonly { value: string }[]): string => parts.map(({ value }) => value).join("");

/** `1500.00` → `1,500.00`, `1 500,00`. */
export const shown = (amount: string): string => join(partsOf(amount));

/** `1500.00`, `RUB` → `RUB 1,500.00`, `1 500,00 ₽`. */
export const money = (amount: string, currency: string): string => join(partsOf(amount, currency));

/** Returns the amount with its currency in an element. */
export const moneyNodes = (amount: string, currency: string): (string | Element)[] =>
  partsOf(amount, currency).map(({ type, value }) => (type === "currency" ? createElement("span", value, "currency") : value));

/** Formats a timestamp in the time zone of the browser. */
export function time(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(date);
}
