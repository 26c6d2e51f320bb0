// The texts for each state of a payment (§3).

import type { Payment } from "payspec";
import { money } from "../money.js";

export interface Shown {
  readonly title: string;
  readonly text: string;
  /** The color and the sign. */
  readonly tone: "wait" | "good" | "part" | "bad";
  /** The step of the usual three, if the state is one of them. */
  readonly step?: 0 | 1 | 2;
  /** The state is final. */
  readonly ended: boolean;
}

/** Common reasons. `fail_code` can be any text (D13). */
const REASONS: Readonly<Record<string, string>> = {
  insufficient_funds: "There was not enough money on the account.",
  card_declined: "Your bank declined the card.",
  declined: "Your bank declined the payment.",
  card_expired: "The card has expired.",
  expired: "The time to pay has run out.",
  timeout: "The time to pay has run out.",
  fraud_suspected: "The bank stopped the payment for your safety. Please call your bank.",
  limit_exceeded: "The payment is above a limit of your account.",
};

export function stateOf(payment: Payment): Shown {
  const { state, amount, currency, paid_amount: paid, fail_code: code = "" } = payment;
  switch (state) {
    case "idle":
      return { title: "Payment sent", text: waiting(payment), tone: "wait", step: 0, ended: false };
    case "routed":
      return { title: "Payment in progress", text: "Your payment is being processed. This takes a few seconds, at times a minute.", tone: "wait", step: 1, ended: false };
    case "completed":
      return { title: "Payment completed", text: `Thank you. ${money(amount, currency)} were paid.`, tone: "good", step: 2, ended: true };
    case "not_fully":
      return { title: "Paid in part", text: `${money(paid, currency)} of ${money(amount, currency)} have arrived. Please ask the shop about the rest.`, tone: "part", ended: true };
    case "fail":
      return { title: "Payment failed", text: REASONS[code.toLowerCase()] ?? "The payment could not be completed. Try again, or pay in another way.", tone: "bad", ended: true };
    case "cancel":
      return { title: "Payment reversed", text: "This payment was called off. What was paid goes back to you.", tone: "part", ended: true };
    case "chargeback":
      return { title: "Payment disputed", text: "Your bank has claimed this payment back.", tone: "part", ended: true };
    case "correction":
      return { title: "Amount corrected", text: `The amount of this payment was changed to ${money(amount, currency)}.`, tone: "part", ended: true };
    default:
      return { title: "Payment in progress", text: "We are waiting for news of your payment.", tone: "wait", ended: false };
  }
}

function waiting({ currency, subtype }: Payment): string {
  if (currency === "USDT") return "Your payment in USDT is being prepared.";
  if (subtype === "sbp") return "Please confirm the payment in your bank's app.";
  return "We have handed your payment to the bank.";
}
