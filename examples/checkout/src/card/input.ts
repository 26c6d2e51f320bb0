// Inputs whose text is formatted while it is typed. The caret stays after the same digit.

import { formatCardNumber, type FormattedText, type InputChange } from "payspec/card";

type Format<Text extends FormattedText> = (text: string, caret: number | null, change?: InputChange) => Text;

/** Formats the text of an input after an event: `input`, or the end of a composition, during which the text stays. */
export function rewrite<Text extends FormattedText>(input: HTMLInputElement, format: Format<Text>, event?: Event): Text {
  const formatted = format(input.value, input.selectionStart, event instanceof InputEvent ? event : undefined);
  if (formatted.text !== input.value || formatted.caret !== input.selectionStart) {
    input.value = formatted.text;
    if (document.activeElement === input) input.setSelectionRange(formatted.caret, formatted.caret);
  }
  return formatted;
}

/** Keeps only digits, as ASCII digits. */
export function digitsOnly(text: string, caret: number | null, change?: InputChange): FormattedText {
  if (typeof change === "object" && change.isComposing) return { text, caret: caret ?? text.length };
  const digitsOf = (part: string): string => formatCardNumber(part).digits;
  return { text: digitsOf(text), caret: digitsOf(text.slice(0, caret ?? text.length)).length };
}
