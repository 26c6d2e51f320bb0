// A card form that refuses exactly what the server will refuse, before it is sent.

import { Engine, type CardInfo, type CreateRequestInput, type Violation } from "payspec/checkout";
import { digitsOf, expiryOf, expiryShown, grouped, rewrite } from "./digits.js";
import { FIELD_OF, NAMES, fieldsOf, need, type Name } from "./fields.js";
import { MESSAGES, SCHEMES } from "./messages.js";

const CARD = "/pay_in_details/card";
const engine = new Engine(
  {
    required: [`${CARD}/card_number`, `${CARD}/expiry_month`, `${CARD}/expiry_year`, `${CARD}/security_code`, `${CARD}/card_holder`],
  },
  { messages: MESSAGES },
);

const form = need(document, "form", HTMLFormElement);
const fields = fieldsOf(form);
const scheme = need(form, "#number-scheme", HTMLOutputElement);
const codeName = need(form, "#code-name", HTMLOutputElement);
const button = need(form, "button", HTMLButtonElement);
const note = need(form, "[role=status]", HTMLElement);

/** Fields that the customer has been at. Nobody is told of a mistake before there was a chance to make it. */
const left = new Set<Name>();

/** One for each attempt to pay: an attempt that is repeated is never charged twice (§8). */
let key = crypto.randomUUID();

/** The body of `POST /v1/payments/new` (§2.2). */
function request(): CreateRequestInput {
  const { month, year } = expiryOf(fields.expiry.input.value);
  const given = (text: string): string | undefined => (text === "" ? undefined : text);
  return {
    payment_type: "pay_in",
    mode: "ACQUIRING",
    subtype: "bank_card",
    cur: form.dataset["currency"] ?? "",
    amount: form.dataset["amount"] ?? "",
    merchant_id: form.dataset["merchant"],
    host2host: true,
    pay_in_details: {
      card: {
        card_number: given(digitsOf(fields.number.input.value)),
        card_holder: given(fields.holder.input.value.trim()),
        expiry_month: month,
        expiry_year: year,
        security_code: given(digitsOf(fields.code.input.value)),
      },
    },
  };
}

/** Shows each field the first error of it; those that belong to no field come back. */
function tell(violations: readonly Violation[]): Violation[] {
  const errors = violations.filter(({ severity }) => severity === "error");
  for (const name of NAMES) {
    const first = left.has(name) ? errors.find(({ path }) => FIELD_OF[path] === name) : undefined;
    fields[name].say(first?.message ?? "");
  }
  return errors.filter(({ path }) => FIELD_OF[path] === undefined);
}

function judge(): boolean {
  const report = engine.validateRequest(request(), { now: new Date() });
  tell(report.violations);
  return report.valid;
}

/** Groups, length, scheme and the name of the code follow the digits typed so far. */
function shape(): CardInfo {
  const card = engine.cardInfo(digitsOf(fields.number.input.value));
  rewrite(fields.number.input, (digits) => grouped(digits.slice(0, Math.max(...card.lengths)), card.gaps, " "));
  const name = card.scheme === null ? "" : SCHEMES[card.scheme];
  if (scheme.value !== name) scheme.value = name;
  const code = card.code?.name ?? "";
  if (codeName.value !== code) codeName.value = code;
  const length = card.code?.length ?? 4;
  fields.code.input.maxLength = length;
  fields.code.input.placeholder = "0".repeat(card.code?.length ?? 3);
  return card;
}

form.addEventListener("input", ({ target }) => {
  if (target === fields.number.input) {
    const card = shape();
    // No card begins like this, or it is complete: both can be told at once.
    if (!card.possible || digitsOf(fields.number.input.value).length === Math.max(...card.lengths)) left.add("number");
  } else if (target === fields.expiry.input) {
    rewrite(fields.expiry.input, expiryShown);
  } else if (target === fields.code.input) {
    rewrite(fields.code.input, (digits) => digits);
  }
  note.textContent = "";
  key = crypto.randomUUID();
  judge();
});

form.addEventListener("focusout", ({ target }) => {
  const name = NAMES.find((name) => fields[name].input === target);
  if (name === undefined || fields[name].input.value === "") return;
  left.add(name);
  judge();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  for (const name of NAMES) left.add(name);
  if (judge()) void send();
  else focusOnFirst();
});

function focusOnFirst(): void {
  NAMES.map((name) => fields[name].input).find((input) => input.ariaInvalid === "true")?.focus();
}

async function send(): Promise<void> {
  button.disabled = true;
  form.setAttribute("aria-busy", "true");
  note.textContent = "Sending…";
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(request()),
    });
    settle(response.status, await response.json());
  } catch {
    note.textContent = "The shop cannot be reached. Please try again.";
  } finally {
    button.disabled = false;
    form.removeAttribute("aria-busy");
  }
}

/** What the server says. Its violations are those of the page: the same rules, the same shape. */
function settle(status: number, body: { violations?: Violation[]; detail?: string; info?: { card_number?: string } | null }): void {
  if (status === 201) {
    note.textContent = `Thank you. We are charging ${body.info?.card_number?.slice(-4).padStart(8, "•") ?? "your card"}.`;
    form.dataset["state"] = "paid";
    form.reset();
    key = crypto.randomUUID();
    left.clear();
    shape();
    tell([]);
    return;
  }
  const others = tell(body.violations ?? []);
  note.textContent = others[0]?.message ?? body.detail ?? "The payment was refused.";
  focusOnFirst();
}

shape();
