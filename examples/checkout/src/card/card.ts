// The card panel: formats and recognizes the typed digits, shows errors, and reads the request.

import { Engine, type CardInfo, type CardInput, type Violation } from "payspec/checkout";
import { query, setText } from "../dom.js";
import { digitsOf, expiryOf, expiryShown, grouped, rewrite } from "./digits.js";
import { FIELD_OF, NAMES, fieldsOf, type Name } from "./fields.js";
import { SCHEMES } from "./messages.js";

/** A message, and the field to correct. */
export interface Mistake {
  readonly message: string;
  readonly input: HTMLElement;
}

const nonEmpty = (text: string): string | undefined => (text === "" ? undefined : text);

export class CardPanel {
  readonly #engine: Engine;
  readonly #fields;
  readonly #scheme;
  readonly #codeName;
  /** Fields that the payer has completed or left. The others show no errors yet. */
  readonly #touched = new Set<Name>();

  constructor(root: ParentNode, engine: Engine) {
    this.#engine = engine;
    this.#fields = fieldsOf(root);
    this.#scheme = query(root, "#number-scheme", HTMLOutputElement);
    this.#codeName = query(root, "#code-name", HTMLOutputElement);
    this.#update();
  }

  /** Returns `pay_in_details.card` (§2.2). */
  read(): CardInput {
    const { number, expiry, code, holder } = this.#fields;
    const { month, year } = expiryOf(expiry.input.value);
    return {
      card_number: nonEmpty(digitsOf(number.input.value)),
      card_holder: nonEmpty(holder.input.value.trim()),
      expiry_month: month,
      expiry_year: year,
      security_code: nonEmpty(digitsOf(code.input.value)),
    };
  }

  /** Formats an input that has changed. */
  typed(target: EventTarget | null): void {
    const { number, expiry, code } = this.#fields;
    if (target === number.input) {
      const card = this.#update();
      // If the number is impossible or complete, its errors are shown at once.
      if (!card.possible || digitsOf(number.input.value).length === Math.max(...card.lengths)) this.#touched.add("number");
    } else if (target === expiry.input) {
      rewrite(expiry.input, expiryShown);
    } else if (target === code.input) {
      rewrite(code.input, (digits) => digits);
    }
  }

  /** Handles that the payer leaves an input. Returns true if its errors are shown from now on. */
  leave(target: EventTarget | null): boolean {
    const name = NAMES.find((name) => this.#fields[name].input === target);
    if (name === undefined || this.#fields[name].input.value === "") return false;
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
      this.#fields[name].showError(first?.message ?? "");
      if (first !== undefined) mistakes.push({ message: first.message, input });
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

  /** Updates groups, length, scheme and the name of the security code for the typed digits. */
  #update(): CardInfo {
    const { number, code } = this.#fields;
    const card = this.#engine.cardInfo(digitsOf(number.input.value));
    rewrite(number.input, (digits) => grouped(digits.slice(0, Math.max(...card.lengths)), card.gaps, " "));
    setText(this.#scheme, card.scheme === null ? "" : SCHEMES[card.scheme]);
    this.#scheme.dataset["scheme"] = card.scheme ?? "";
    setText(this.#codeName, card.code?.name ?? "");
    code.input.maxLength = card.code?.length ?? 4;
    code.input.placeholder = "0".repeat(card.code?.length ?? 3);
    return card;
  }
}
