// The form: the payment methods, validation while typing, and submission.

import type { Payment } from "payspec";
import type { CreateRequestInput, Violation } from "payspec/checkout";
import { BASE, statusAddress } from "../address.js";
import type { Answer } from "../api.js";
import { CardPanel, type Mistake } from "../card/card.js";
import { messageOf } from "../card/messages.js";
import { query, setText } from "../dom.js";
import { money } from "../language/format.js";
import { onLanguage, texts } from "../language/language.js";
import { messageFor } from "../problem-messages.js";
import { Attempt } from "./attempt.js";
import { Quote } from "./quote.js";
import { engine, requestOf, type Method } from "./request.js";
import { summarize } from "./summary.js";

export function showForm(root: HTMLElement): void {
  const form = query(root, "form", HTMLFormElement);
  const button = query(form, "button", HTMLButtonElement);
  const buttonText = query(button, "[data-button]", HTMLElement);
  const note = query(form, ".note", HTMLElement);
  const problem = query(form, ".problem", HTMLElement);
  const summary = query(form, "#summary", HTMLElement);
  const bank = query(form, "#bank", HTMLSelectElement);
  const order = { amount: form.dataset["amount"] ?? "", currency: form.dataset["currency"] ?? "", back: new URL(BASE, location.href).href };
  const card = new CardPanel(form);
  const quote = new Quote(query(form, "#quote", HTMLElement), order.amount, order.currency, label);
  const attempt = new Attempt();
  /** The violations and the problem that are shown, in any language. */
  let violations: readonly Violation[] = [];
  let problemText: (() => string) | undefined;

  const method = (): Method => (new FormData(form).get("method") as Method | null) ?? "card";
  const request = (): CreateRequestInput => requestOf(method(), order, card.read(), bank.value);

  function label(): void {
    const inUsdt = method() === "crypto" ? quote.converted : undefined;
    setText(buttonText, texts().pay(inUsdt === undefined ? money(order.amount, order.currency) : money(inUsdt, "USDT")));
    setText(query(form, "[data-safe]", HTMLElement), texts().safe[method()]);
  }

  function setProblem(text: (() => string) | undefined): void {
    problemText = text;
    setText(problem, text?.() ?? "");
  }

  const isBusy = (): boolean => form.getAttribute("aria-busy") === "true";

  /** Shows errors at their fields. Returns them, and the violations without a field. */
  function showErrors(found: readonly Violation[]): { mistakes: Mistake[]; others: Violation[] } {
    violations = found;
    const errors = card.showErrors(found);
    if (!summary.hidden) summarize(summary, errors.mistakes);
    return errors;
  }

  /** Shows the panel of the chosen method. */
  function choose(): void {
    const chosen = method();
    for (const panel of form.querySelectorAll<HTMLElement>("[data-panel]")) panel.hidden = panel.dataset["panel"] !== chosen;
    if (chosen === "crypto") quote.start();
    else quote.stop();
    summarize(summary, []);
    setProblem(undefined);
    label();
  }

  /** Validates the form and shows the errors of each field. */
  function validate(): { mistakes: Mistake[]; others: Violation[] } {
    if (method() !== "card") return { mistakes: [], others: [] };
    return showErrors(engine.validateRequest(request(), { now: new Date() }).violations);
  }

  /** Lists the mistakes and moves the focus to the first one. */
  function focusFirstError(mistakes: readonly Mistake[]): void {
    summarize(summary, mistakes);
    mistakes[0]?.input.focus();
  }

  async function pay(): Promise<void> {
    setProblem(undefined);
    setText(note, texts().sending);
    form.setAttribute("aria-busy", "true");
    // Not `disabled`: the button would lose the focus.
    button.setAttribute("aria-disabled", "true");
    const answer = await attempt.send(request());
    if (answer === undefined) return;
    form.removeAttribute("aria-busy");
    button.removeAttribute("aria-disabled");
    setText(note, "");
    handleAnswer(answer);
  }

  /** Shows the answer of the service. Its violations have the same form as those of the page. */
  function handleAnswer(answer: Answer<Payment>): void {
    if (answer.kind === "value") {
      card.clear();
      // Going back does not show the sent form again.
      location.replace(statusAddress(answer.value.uid));
    } else if (answer.kind === "networkError") {
      setProblem(() => texts().networkError);
    } else {
      const { mistakes, others } = showErrors(answer.problem.violations ?? []);
      if (mistakes.length > 0) focusFirstError(mistakes);
      if (mistakes.length === 0 || others.length > 0) setProblem(() => messageFor(answer.problem));
    }
  }

  // Chromium sends the last `input` of a composition before its end.
  for (const type of ["input", "compositionend"]) {
    form.addEventListener(type, (event) => {
      card.typed(event);
      setProblem(undefined);
      validate();
    });
  }
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") choose();
  });
  form.addEventListener("focusout", ({ target }) => {
    if (card.leave(target)) validate();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isBusy()) return;
    if (method() === "card") card.leaveAll();
    const { mistakes, others: [other] } = validate();
    if (mistakes.length > 0) focusFirstError(mistakes);
    else if (other !== undefined) setProblem(() => messageOf(other));
    else void pay();
  });
  // Browsers keep a page that is left, and restore fields: the chosen method after a reload, all fields after going back.
  window.addEventListener("pagehide", () => card.clear());
  window.addEventListener("pageshow", ({ persisted }) => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (persisted || navigation?.type === "back_forward") card.clear();
    choose();
  });
  choose();
  onLanguage(() => {
    label();
    quote.show();
    showErrors(violations);
    setProblem(problemText);
    setText(note, isBusy() ? texts().sending : "");
  });
}
