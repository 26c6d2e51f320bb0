// The form: which way to pay, live judgement, and what comes of pressing the button.

import type { Payment } from "payspec";
import type { CreateRequestInput, Violation } from "payspec/checkout";
import { BASE, statusAddress } from "../address.js";
import type { Answer } from "../api.js";
import { CardPanel, type Mistake } from "../card/card.js";
import { need, say } from "../dom.js";
import { money } from "../money.js";
import { SILENCE, inWords } from "../words.js";
import { Attempt } from "./attempt.js";
import { Quote } from "./quote.js";
import { engine, requestOf, type Method } from "./request.js";
import { summarise } from "./summary.js";

const SAFE: Readonly<Record<Method, string>> = {
  card: "Your card data go to the payment service alone. Nothing of them is kept in this browser.",
  sbp: "The shop sees nothing of your bank account.",
  crypto: "You see every step on the next page.",
};

export function showForm(root: HTMLElement): void {
  const form = need(root, "form", HTMLFormElement);
  const button = need(form, "button", HTMLButtonElement);
  const buttonText = need(button, "[data-button]", HTMLElement);
  const note = need(form, ".note", HTMLElement);
  const problem = need(form, ".problem", HTMLElement);
  const summary = need(form, "#summary", HTMLElement);
  const bank = need(form, "#bank", HTMLSelectElement);
  const order = { amount: form.dataset["amount"] ?? "", currency: form.dataset["currency"] ?? "", back: new URL(BASE, location.href).href };
  const card = new CardPanel(form, engine);
  const quote = new Quote(need(form, "#quote", HTMLElement), order.amount, order.currency, label);
  const attempt = new Attempt();

  const method = (): Method => (new FormData(form).get("method") as Method | null) ?? "card";
  const request = (): CreateRequestInput => requestOf(method(), order, card.read(), bank.value);

  function label(): void {
    const inUsdt = method() === "crypto" ? quote.converted : undefined;
    say(buttonText, inUsdt === undefined ? `Pay ${money(order.amount, order.currency)}` : `Pay ${money(inUsdt, "USDT")}`);
  }

  /** The panel of the way that is chosen. */
  function choose(): void {
    const chosen = method();
    for (const panel of form.querySelectorAll<HTMLElement>("[data-panel]")) panel.hidden = panel.dataset["panel"] !== chosen;
    if (chosen === "crypto") quote.start();
    else quote.stop();
    say(need(form, "[data-safe]", HTMLElement), SAFE[chosen]);
    summarise(summary, []);
    say(problem, "");
    label();
  }

  /** What is wrong with the form as it stands; errors of fields are shown at them. */
  function judge(): { mistakes: Mistake[]; others: Violation[] } {
    if (method() !== "card") return { mistakes: [], others: [] };
    const told = card.tell(engine.validateRequest(request(), { now: new Date() }).violations);
    if (!summary.hidden) summarise(summary, told.mistakes);
    return told;
  }

  /** Leads the payer to the first mistake. */
  function lead(mistakes: readonly Mistake[]): void {
    summarise(summary, mistakes);
    mistakes[0]?.input.focus();
  }

  async function pay(): Promise<void> {
    say(problem, "");
    say(note, "Sending…");
    form.setAttribute("aria-busy", "true");
    // Not `disabled`: the button would lose the focus.
    button.setAttribute("aria-disabled", "true");
    const answer = await attempt.send(request());
    if (answer === undefined) return;
    form.removeAttribute("aria-busy");
    button.removeAttribute("aria-disabled");
    say(note, "");
    settle(answer);
  }

  /** What the service says. Its violations are those of the page: the same rules, the same shape. */
  function settle(answer: Answer<Payment>): void {
    if (answer.kind === "value") {
      card.clear();
      // The way back does not lead to a form that was sent.
      location.replace(statusAddress(answer.value.uid));
    } else if (answer.kind === "silence") {
      say(problem, SILENCE);
    } else {
      const { mistakes, others } = card.tell(answer.problem.violations ?? []);
      if (mistakes.length > 0) lead(mistakes);
      if (mistakes.length === 0 || others.length > 0) say(problem, inWords(answer.problem));
    }
  }

  form.addEventListener("input", ({ target }) => {
    card.typed(target);
    say(problem, "");
    judge();
  });
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") choose();
  });
  form.addEventListener("focusout", ({ target }) => {
    if (card.leave(target)) judge();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.getAttribute("aria-busy") === "true") return;
    if (method() === "card") card.leaveAll();
    const { mistakes, others } = judge();
    if (mistakes.length > 0) lead(mistakes);
    else if (others.length > 0) say(problem, others[0]?.message ?? "");
    else void pay();
  });
  // Browsers fill in again what they remember: after a reload the choice, after the way back everything.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) card.clear();
    choose();
  });
  choose();
}
