// The list of everything that is to be mended, at the head of the form: each entry leads to its field.

import type { Mistake } from "../card/card.js";
import { make, need, say } from "../dom.js";

export function summarise(box: HTMLElement, mistakes: readonly Mistake[]): void {
  const list = need(box, "ul", HTMLUListElement);
  const [first] = mistakes;
  say(need(box, "h2", HTMLHeadingElement), mistakes.length === 1 ? "Please check one field" : `Please check ${mistakes.length} fields`);
  const entries = mistakes.map(({ message, input }) => {
    const link = make("a", message);
    link.href = `#${input.id}`;
    link.addEventListener("click", (event) => {
      // The address stays: it is the payment page's, not a field's.
      event.preventDefault();
      input.focus();
    });
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  });
  list.replaceChildren(...entries);
  box.hidden = first === undefined;
}
