// The price of the order in USDT, updated while it is visible.

import { convert } from "../api.js";
import { query, setText } from "../dom.js";
import { shown } from "../money.js";
import { NETWORK_ERROR, messageFor } from "../problem-messages.js";

/** Rates change every minute. */
const FRESH_MS = 30_000;

export class Quote {
  readonly #box: HTMLElement;
  readonly #amount: string;
  readonly #currency: string;
  #timer: number | undefined;
  /** The amount in USDT, after the first answer. */
  #converted: string | undefined;
  readonly #changed: () => void;

  constructor(box: HTMLElement, amount: string, currency: string, changed: () => void) {
    this.#box = box;
    this.#amount = amount;
    this.#currency = currency;
    this.#changed = changed;
  }

  get converted(): string | undefined {
    return this.#converted;
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

  async #update(): Promise<void> {
    if (document.hidden) return;
    const answer = await convert(this.#amount, this.#currency);
    const part = (name: string): HTMLElement => query(this.#box, `[data-quote=${name}]`, HTMLElement);
    if (answer.kind === "value") {
      this.#converted = answer.value.amount;
      setText(part("amount"), shown(answer.value.amount));
      setText(part("rate"), `1 USDT = ${shown(answer.value.rate)} ${this.#currency}`);
      setText(part("problem"), "");
    } else {
      this.#converted = undefined;
      setText(part("amount"), "–");
      setText(part("rate"), "");
      setText(part("problem"), answer.kind === "problem" ? messageFor(answer.problem) : NETWORK_ERROR);
    }
    this.#box.setAttribute("aria-busy", "false");
    this.#changed();
  }
}
