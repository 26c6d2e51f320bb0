// The few things that are done to the document. Text goes in as text, never as HTML.

/** An element that the page must have. */
export function need<E extends Element>(root: ParentNode, selector: string, type: new () => E): E {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Sets a text. Only a change is told by screen readers. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function make<K extends keyof HTMLElementTagNameMap>(name: K, text: string, className = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}
