import { useLayoutEffect, useRef, useState } from "react";
import { formatCardNumber } from "payspec/card";

export function CardNumber({ onDigits }) {
  const input = useRef(null);
  const [{ text, caret }, setFormatted] = useState({ text: "", caret: 0 });

  // After each rendering: React writes the text even if the formatted text is the same, and the caret is then at the end.
  useLayoutEffect(() => {
    if (document.activeElement === input.current) input.current.setSelectionRange(caret, caret);
  });

  function change({ target, nativeEvent }) {
    const formatted = formatCardNumber(target.value, target.selectionStart, nativeEvent);
    setFormatted(formatted);
    onDigits(formatted.digits);
  }

  return (
    <input
      ref={input}
      value={text}
      onChange={change}
      onCompositionEnd={change}
      inputMode="numeric"
      autoComplete="cc-number"
    />
  );
}
