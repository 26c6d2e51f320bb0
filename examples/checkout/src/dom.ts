// Helpers for the document. Text is inserted as text, never as HTML.

/** Returns an element that the page must have. */
export function query<E extends Element>(root: ParentNode, selector: string, type: new () => E): E {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Sets a text if it differs: screen readers read every change. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Creates an element with a text. */
export function createElement<K extends keyof HTMLElementTagNameMap>(name: K, text: string, className = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}
