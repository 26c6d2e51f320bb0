// The appearance and the texts of each state of a payment (§3).

import type { Payment } from "payspec";
import { money } from "../language/format.js";
import { texts } from "../language/language.js";

export interface Shown {
  readonly title: string;
  readonly text: string;
  /** The color and the sign. */
  readonly tone: "wait" | "good" | "part" | "bad";
  /** The step of the usual three, if the state is one of them. */
  readonly step?: 0 | 1 | 2;
}

const LOOKS: Readonly<Record<Payment["state"], Omit<Shown, "title" | "text">>> = {
  idle: { tone: "wait", step: 0 },
  routed: { tone: "wait", step: 1 },
  completed: { tone: "good", step: 2 },
  not_fully: { tone: "part" },
  fail: { tone: "bad" },
  cancel: { tone: "part" },
  chargeback: { tone: "part" },
  correction: { tone: "part" },
};

/** Returns the payment method that the payer has chosen. */
export const methodOf = ({ currency, subtype }: Payment): "card" | "sbp" | "crypto" => (currency === "USDT" ? "crypto" : subtype === "sbp" ? "sbp" : "card");

/** Reports if a state is final. A state of a later version of the service is not. */
export const isEnded = ({ state }: Payment): boolean => state in LOOKS && LOOKS[state].tone !== "wait";

export function stateOf(payment: Payment): Shown {
  const { state, amount, currency, paid_amount: paid, fail_code: code = "" } = payment;
  const { states, waiting, reasons } = texts();
  const [title, text] = states[state in LOOKS ? state : "unknown"];
  const special = state === "idle" ? waiting[methodOf(payment)] : state === "fail" ? reasons[code.toLowerCase()] : undefined;
  return { ...(LOOKS[state] ?? { tone: "wait" }), title, text: special ?? text(money(amount, currency), money(paid, currency)) };
}

/** Returns the texts of an address without a payment. */
export function missingState(): Shown {
  const [title, text] = texts().states.missing;
  return { title, text: text("", ""), tone: "bad" };
}
