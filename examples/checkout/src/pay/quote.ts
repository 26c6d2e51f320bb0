// The price of the order in USDT, updated while it is visible.

import { convert, type Answer, type Conversion } from "../api.js";
import { query, setText } from "../dom.js";
import { money, moneyNodes } from "../language/format.js";
import { texts } from "../language/language.js";
import { messageFor } from "../problem-messages.js";

/** Rates change every minute. */
const FRESH_MS = 30_000;

export class Quote {
  readonly #box: HTMLElement;
  readonly #amount: string;
  readonly #currency: string;
  #timer: number | undefined;
  #answer: Answer<Conversion> | undefined;
  readonly #changed: () => void;

  /** `changed` is called after each answer. */
  constructor(box: HTMLElement, amount: string, currency: string, changed: () => void) {
    this.#box = box;
    this.#amount = amount;
    this.#currency = currency;
    this.#changed = changed;
  }

  /** The amount in USDT, after the first answer. */
  get converted(): string | undefined {
    return this.#answer?.kind === "value" ? this.#answer.value.amount : undefined;
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = window.setInterval(() => void this.#update(), FRESH_MS);
    void this.#update();
  }

  stop(): void {
    window.clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Shows the last answer in the language of the page. */
  show(): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    const part = (name: string): HTMLElement => query(this.#box, `[data-quote=${name}]`, HTMLElement);
    const problem = answer.kind === "problem" ? messageFor(answer.problem) : texts().networkError;
    const isValue = answer.kind === "value";
    part("amount").replaceChildren(...(isValue ? moneyNodes(answer.value.amount, answer.value.currency) : ["–"]));
    setText(part("rate"), isValue ? `${money("1", answer.value.currency)} = ${money(answer.value.rate, this.#currency)}` : "");
    setText(part("problem"), isValue ? "" : problem);
  }

  async #update(): Promise<void> {
    if (document.hidden) return;
    this.#answer = await convert(this.#amount, this.#currency);
    this.show();
    this.#box.setAttribute("aria-busy", "false");
    this.#changed();
  }
}
