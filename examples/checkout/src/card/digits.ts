// Inputs that show digits in groups. The caret stays behind the digit where it was.

export const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Digits with a separator at each of the gaps. */
export function grouped(digits: string, gaps: readonly number[], separator: string): string {
  let out = "";
  for (let place = 0; place < digits.length; place++) out += (gaps.includes(place) ? separator : "") + digits.charAt(place);
  return out;
}

/** Rewrites an input by `format`, which gets its digits. */
export function rewrite(input: HTMLInputElement, format: (digits: string) => string): void {
  const place = input.selectionStart ?? input.value.length;
  const atEnd = place === input.value.length;
  const before = digitsOf(input.value.slice(0, place)).length;
  const text = format(digitsOf(input.value));
  if (text === input.value) return;
  input.value = text;
  // At the end it also stays behind what the format has added.
  let caret = atEnd ? text.length : 0;
  for (let seen = 0; caret < text.length && seen < before; caret++) if (/\d/.test(text.charAt(caret))) seen++;
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

/** Month and year of "MM / YY", "MM/YYYY" and what browsers fill in; neither where it is not whole. */
export function expiryOf(text: string): { month?: number; year?: number } {
  const digits = digitsOf(text);
  if (digits.length !== 4 && digits.length !== 6) return {};
  const year = Number(digits.slice(2));
  return { month: Number(digits.slice(0, 2)), year: digits.length === 4 ? 2000 + year : year };
}

/** How a date is shown while it is typed: a month above 1 needs no second digit. */
export function expiryShown(digits: string): string {
  const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  return grouped(whole.slice(0, 6), [2], " / ");
}
