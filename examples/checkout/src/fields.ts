// The fields of the form: each with its input, its text for errors, and the members of the request that it stands for.

export type Name = "number" | "expiry" | "code" | "holder";

export interface Field {
  readonly input: HTMLInputElement;
  /** Shows a text at the field, or takes it away. */
  say(text: string): void;
}

/** Which field shows what is told of a member (a JSON Pointer, §2.2). */
export const FIELD_OF: Readonly<Record<string, Name>> = {
  "/pay_in_details/card": "number",
  "/pay_in_details/card/card_number": "number",
  "/pay_in_details/card/expiry_month": "expiry",
  "/pay_in_details/card/expiry_year": "expiry",
  "/pay_in_details/card/security_code": "code",
  "/pay_in_details/card/card_holder": "holder",
};

export const NAMES: readonly Name[] = ["number", "expiry", "code", "holder"];

/** An element that the page must have. */
export function need<E extends Element>(root: ParentNode, selector: string, type: new () => E): E {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

export function fieldsOf(form: HTMLFormElement): Readonly<Record<Name, Field>> {
  const field = (name: Name): Field => {
    const input = need(form, `#${name}`, HTMLInputElement);
    const error = need(form, `#${name}-error`, HTMLElement);
    return {
      input,
      say(text) {
        // Only a change is told by screen readers.
        if (error.textContent !== text) error.textContent = text;
        input.setAttribute("aria-invalid", String(text !== ""));
      },
    };
  };
  return { number: field("number"), expiry: field("expiry"), code: field("code"), holder: field("holder") };
}
