// What the order costs in USDT, kept fresh while the payer looks at it.

import { convert } from "../api.js";
import { need, say } from "../dom.js";
import { shown } from "../money.js";
import { SILENCE, inWords } from "../words.js";

/** Rates are of the minute. */
const FRESH_MS = 30_000;

export class Quote {
  readonly #box: HTMLElement;
  readonly #amount: string;
  readonly #currency: string;
  #timer: number | undefined;
  /** In USDT, once it is known. */
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
    this.#timer = window.setInterval(() => void this.#ask(), FRESH_MS);
    void this.#ask();
  }

  stop(): void {
    window.clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #ask(): Promise<void> {
    if (document.hidden) return;
    const answer = await convert(this.#amount, this.#currency);
    const part = (name: string): HTMLElement => need(this.#box, `[data-quote=${name}]`, HTMLElement);
    if (answer.kind === "value") {
      this.#converted = answer.value.amount;
      say(part("amount"), shown(answer.value.amount));
      say(part("rate"), `1 USDT = ${shown(answer.value.rate)} ${this.#currency}`);
      say(part("problem"), "");
    } else {
      this.#converted = undefined;
      say(part("amount"), "–");
      say(part("rate"), "");
      say(part("problem"), answer.kind === "problem" ? inWords(answer.problem) : SILENCE);
    }
    this.#box.setAttribute("aria-busy", "false");
    this.#changed();
  }
}
