// Inputs that show digits in groups. The caret stays after the same digit.

export const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Inserts a separator at each of the gaps. */
export function grouped(digits: string, gaps: readonly number[], separator: string): string {
  let out = "";
  for (let index = 0; index < digits.length; index++) out += (gaps.includes(index) ? separator : "") + digits.charAt(index);
  return out;
}

/** Rewrites an input with `format`, which receives the digits. */
export function rewrite(input: HTMLInputElement, format: (digits: string) => string): void {
  const position = input.selectionStart ?? input.value.length;
  const atEnd = position === input.value.length;
  const before = digitsOf(input.value.slice(0, position)).length;
  const text = format(digitsOf(input.value));
  if (text === input.value) return;
  input.value = text;
  // At the end, the caret is also after the added separators.
  let caret = atEnd ? text.length : 0;
  for (let seen = 0; caret < text.length && seen < before; caret++) if (/\d/.test(text.charAt(caret))) seen++;
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

/** Returns month and year of "MM / YY" or "MM/YYYY", as typed or filled in by a browser, or neither if it is incomplete. */
export function expiryOf(text: string): { month?: number; year?: number } {
  const digits = digitsOf(text);
  if (digits.length !== 4 && digits.length !== 6) return {};
  const year = Number(digits.slice(2));
  return { month: Number(digits.slice(0, 2)), year: digits.length === 4 ? 2000 + year : year };
}

/** Formats a date while it is typed. A first digit above 1 is a complete month. */
export function expiryShown(digits: string): string {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  return grouped(padded.slice(0, 6), [2], " / ");
}
