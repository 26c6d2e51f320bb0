import { formatCardNumber } from "payspec/card";

export function CardNumber({ value, onChange }) {
  function change({ currentTarget: input, nativeEvent }) {
    const { text, caret } = formatCardNumber(input.value, input.selectionStart, nativeEvent);
    // React then finds nothing to change, and leaves the caret.
    if (text !== input.value) input.value = text;
    input.setSelectionRange(caret, caret);
    onChange(text);
  }

  return (
    <input value={value} onChange={change} onCompositionEnd={change} inputMode="numeric" autoComplete="cc-number" />
  );
}
