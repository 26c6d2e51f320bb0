// Inputs whose text is formatted while it is typed. The caret stays after the same digit.

import type { FormattedText } from "payspec/card";

type Format<Text extends FormattedText> = (text: string, caret: number | null, inputType?: string) => Text;

/** Formats the text of an input after an event. */
export function rewrite<Text extends FormattedText>(input: HTMLInputElement, format: Format<Text>, event?: Event): Text {
  const formatted = format(input.value, input.selectionStart, event instanceof InputEvent ? event.inputType : undefined);
  if (formatted.text !== input.value || formatted.caret !== input.selectionStart) {
    input.value = formatted.text;
    if (document.activeElement === input) input.setSelectionRange(formatted.caret, formatted.caret);
  }
  return formatted;
}

/** Keeps only digits. */
export function digitsOnly(text: string, caret: number | null): FormattedText {
  const digitsOf = (part: string): string => part.replace(/\D/g, "");
  return { text: digitsOf(text), caret: digitsOf(text.slice(0, caret ?? text.length)).length };
}
