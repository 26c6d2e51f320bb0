// The card panel: formats and recognizes the typed digits, shows errors, and reads the request.

import { SCHEME_ICONS, cardInfo, formatCardNumber, formatExpiry, parseExpiry } from "payspec/card";
import type { CardInput, Violation } from "payspec/checkout";
import { query, setText } from "../dom.js";
import { FIELD_OF, NAMES, fieldsOf, type Name } from "./fields.js";
import { digitsOnly, rewrite } from "./input.js";
import { messageOf } from "./messages.js";

/** A message, and the field to correct. */
export interface Mistake {
  readonly message: string;
  readonly input: HTMLElement;
}

const nonEmpty = (text: string): string | undefined => (text === "" ? undefined : text);

export class CardPanel {
  readonly #fields;
  readonly #scheme;
  readonly #codeName;
  /** Fields that the payer has completed or left. The others show no errors yet. */
  readonly #touched = new Set<Name>();

  constructor(root: ParentNode) {
    this.#fields = fieldsOf(root);
    this.#scheme = query(root, "#number-scheme", HTMLOutputElement);
    this.#codeName = query(root, "#code-name", HTMLOutputElement);
    this.#update();
  }

  /** Returns `pay_in_details.card` (§2.2). */
  read(): CardInput {
    const { number, expiry, code, holder } = this.#fields;
    const { month, year, missing } = parseExpiry(expiry.input.value);
    return {
      card_number: nonEmpty(formatCardNumber(number.input.value).digits),
      card_holder: nonEmpty(holder.input.value.trim()),
      ...(missing === null && { expiry_month: month, expiry_year: year }),
      security_code: nonEmpty(digitsOnly(code.input.value, null).text),
    };
  }

  /** Formats an input that has changed. */
  typed(event: Event): void {
    const { number, expiry, code } = this.#fields;
    if (event.target === number.input) {
      // If the number is impossible or complete, its errors are shown at once.
      if (this.#update(event)) this.#touched.add("number");
    } else if (event.target === expiry.input) {
      rewrite(expiry.input, formatExpiry, event);
    } else if (event.target === code.input) {
      rewrite(code.input, digitsOnly, event);
    }
  }

  /** Handles that the payer leaves an input. Returns true if its errors are shown from now on. */
  leave(target: EventTarget | null): boolean {
    const name = NAMES.find((name) => this.#fields[name].input === target);
    if (name === undefined || this.#touched.has(name) || this.#fields[name].input.value === "") return false;
    this.#touched.add(name);
    return true;
  }

  leaveAll(): void {
    for (const name of NAMES) this.#touched.add(name);
  }

  /** Shows the first error of each field. Returns these, and the errors without a field. */
  showErrors(violations: readonly Violation[]): { mistakes: Mistake[]; others: Violation[] } {
    const errors = violations.filter(({ severity }) => severity === "error");
    const mistakes: Mistake[] = [];
    for (const name of NAMES) {
      const first = this.#touched.has(name) ? errors.find(({ path }) => FIELD_OF[path] === name) : undefined;
      const { input } = this.#fields[name];
      const message = first === undefined ? "" : messageOf(first);
      this.#fields[name].showError(message);
      if (first !== undefined) mistakes.push({ message, input });
    }
    return { mistakes, others: errors.filter(({ path }) => FIELD_OF[path] === undefined) };
  }

  /** Removes all card data from the page. */
  clear(): void {
    for (const name of NAMES) this.#fields[name].input.value = "";
    this.#touched.clear();
    this.showErrors([]);
    this.#update();
  }

  /** Updates groups, scheme and the name of the security code. Returns whether the number can get no more digits. */
  #update(event?: Event): boolean {
    const { number, code } = this.#fields;
    const { digits } = rewrite(number.input, formatCardNumber, event);
    const card = cardInfo(digits);
    setText(this.#scheme, card.scheme === null ? "" : SCHEME_ICONS[card.scheme].name);
    this.#scheme.dataset["scheme"] = card.scheme ?? "";
    setText(this.#codeName, card.code?.name ?? "");
    code.input.maxLength = card.code?.length ?? 4;
    code.input.placeholder = "0".repeat(card.code?.length ?? 3);
    return !card.possible || digits.length === card.lengths.at(-1);
  }
}
