// The card's panel: what is typed is grouped and recognised, judged, and read into the request.

import { Engine, type CardInfo, type CardInput, type Violation } from "payspec/checkout";
import { need, say } from "../dom.js";
import { digitsOf, expiryOf, expiryShown, grouped, rewrite } from "./digits.js";
import { FIELD_OF, NAMES, fieldsOf, type Name } from "./fields.js";
import { SCHEMES } from "./messages.js";

/** What is wrong, and where the payer mends it. */
export interface Mistake {
  readonly message: string;
  readonly input: HTMLElement;
}

const given = (text: string): string | undefined => (text === "" ? undefined : text);

export class CardPanel {
  readonly #engine: Engine;
  readonly #fields;
  readonly #scheme;
  readonly #codeName;
  /** Fields that the payer has been at. Nobody is told of a mistake before there was a chance to make it. */
  readonly #left = new Set<Name>();

  constructor(root: ParentNode, engine: Engine) {
    this.#engine = engine;
    this.#fields = fieldsOf(root);
    this.#scheme = need(root, "#number-scheme", HTMLOutputElement);
    this.#codeName = need(root, "#code-name", HTMLOutputElement);
    this.#shape();
  }

  /** As of `pay_in_details.card`, §2.2. */
  read(): CardInput {
    const { number, expiry, code, holder } = this.#fields;
    const { month, year } = expiryOf(expiry.input.value);
    return {
      card_number: given(digitsOf(number.input.value)),
      card_holder: given(holder.input.value.trim()),
      expiry_month: month,
      expiry_year: year,
      security_code: given(digitsOf(code.input.value)),
    };
  }

  /** An input has changed. */
  typed(target: EventTarget | null): void {
    const { number, expiry, code } = this.#fields;
    if (target === number.input) {
      const card = this.#shape();
      // No card begins like this, or it is complete: both can be told at once.
      if (!card.possible || digitsOf(number.input.value).length === Math.max(...card.lengths)) this.#left.add("number");
    } else if (target === expiry.input) {
      rewrite(expiry.input, expiryShown);
    } else if (target === code.input) {
      rewrite(code.input, (digits) => digits);
    }
  }

  /** The payer has gone on from an input; true where its mistakes are told from now on. */
  leave(target: EventTarget | null): boolean {
    const name = NAMES.find((name) => this.#fields[name].input === target);
    if (name === undefined || this.#fields[name].input.value === "") return false;
    this.#left.add(name);
    return true;
  }

  leaveAll(): void {
    for (const name of NAMES) this.#left.add(name);
  }

  /** Shows each field the first error of it; the fields' mistakes come back, and errors that belong to no field. */
  tell(violations: readonly Violation[]): { mistakes: Mistake[]; others: Violation[] } {
    const errors = violations.filter(({ severity }) => severity === "error");
    const mistakes: Mistake[] = [];
    for (const name of NAMES) {
      const first = this.#left.has(name) ? errors.find(({ path }) => FIELD_OF[path] === name) : undefined;
      const { input } = this.#fields[name];
      this.#fields[name].say(first?.message ?? "");
      if (first !== undefined) mistakes.push({ message: first.message, input });
    }
    return { mistakes, others: errors.filter(({ path }) => FIELD_OF[path] === undefined) };
  }

  /** Nothing of a card stays in the page. */
  clear(): void {
    for (const name of NAMES) this.#fields[name].input.value = "";
    this.#left.clear();
    this.tell([]);
    this.#shape();
  }

  /** Groups, length, scheme and the name of the code follow the digits typed so far. */
  #shape(): CardInfo {
    const { number, code } = this.#fields;
    const card = this.#engine.cardInfo(digitsOf(number.input.value));
    rewrite(number.input, (digits) => grouped(digits.slice(0, Math.max(...card.lengths)), card.gaps, " "));
    say(this.#scheme, card.scheme === null ? "" : SCHEMES[card.scheme]);
    this.#scheme.dataset["scheme"] = card.scheme ?? "";
    say(this.#codeName, card.code?.name ?? "");
    code.input.maxLength = card.code?.length ?? 4;
    code.input.placeholder = "0".repeat(card.code?.length ?? 3);
    return card;
  }
}
