// The fields of a card: each with its input, its text for errors, and the members of the request that it stands for.

import { need, say } from "../dom.js";

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

export function fieldsOf(root: ParentNode): Readonly<Record<Name, Field>> {
  const field = (name: Name): Field => {
    const input = need(root, `#${name}`, HTMLInputElement);
    const error = need(root, `#${name}-error`, HTMLElement);
    return {
      input,
      say(text) {
        say(error, text);
        input.setAttribute("aria-invalid", String(text !== ""));
      },
    };
  };
  return { number: field("number"), expiry: field("expiry"), code: field("code"), holder: field("holder") };
}
