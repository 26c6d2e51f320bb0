// The list of all mistakes before the form. Each entry links to its field.

import type { Mistake } from "../card/card.js";
import { createElement, query, setText } from "../dom.js";
import { texts } from "../language/language.js";

export function summarize(box: HTMLElement, mistakes: readonly Mistake[]): void {
  const list = query(box, "ul", HTMLUListElement);
  const [first] = mistakes;
  setText(query(box, "h2", HTMLHeadingElement), texts().check(mistakes.length));
  const entries = mistakes.map(({ message, input }) => {
    const link = createElement("a", message);
    link.href = `#${input.id}`;
    link.addEventListener("click", (event) => {
      // The address of the page stays without a fragment.
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
