// The fields of a card: inputs, error texts, and the members of the request that each field shows.

import { query, setText } from "../dom.js";

export type Name = "number" | "expiry" | "code" | "holder";

export interface Field {
  readonly input: HTMLInputElement;
  /** Shows an error at the field. An empty text removes it. */
  showError(text: string): void;
}

/** The field that shows the errors of a member (a JSON Pointer, §2.2). */
export const FIELD_OF: Readonly<Record<string, Name>> = {
  "/pay_in_details/card": "number",
  "/pay_in_details/card/card_number": "number",
  "/pay_in_details/card/expiry_month": "expiry",
  "/pay_in_details/card/expiry_year": "expiry",
  "/pay_in_details/card/security_code": "code",
  "/pay_in_details/card/card_holder": "holder",
};

export const NAMES: readonly Name[] = ["number", "expiry", "code", "holder"];

export function fieldsOf(root: ParentNode): Readonly<Record<Name, Field>> {
  const field = (name: Name): Field => {
    const input = query(root, `#${name}`, HTMLInputElement);
    const error = query(root, `#${name}-error`, HTMLElement);
    return {
      input,
      showError(text) {
        setText(error, text);
        input.setAttribute("aria-invalid", String(text !== ""));
      },
    };
  };
  return { number: field("number"), expiry: field("expiry"), code: field("code"), holder: field("holder") };
}
