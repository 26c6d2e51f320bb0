// The body of `POST /v1/payments/new` (§2.2) for each payment method, and the rules that the page validates it with.

import { Engine, type CardInput, type CreateRequestInput } from "payspec/checkout";

export type Method = "card" | "sbp" | "crypto";

export interface Order {
  readonly amount: string;
  readonly currency: string;
  /** The address of the page after the payment. */
  readonly back: string;
}

const CARD = "/pay_in_details/card";

/** The rules of the service, and the fields that a card form requires. */
export const engine = new Engine({
  required: [`${CARD}/card_number`, `${CARD}/expiry_month`, `${CARD}/expiry_year`, `${CARD}/security_code`, `${CARD}/card_holder`],
  // A number typed into the field for the name would be stored as a name.
  severity: { card_number_in_text: "error" },
});

export function requestOf(method: Method, { amount, currency, back }: Order, card: CardInput, bank: string): CreateRequestInput {
  const order = { payment_type: "pay_in", cur: currency, amount, redirect_url: back } as const;
  switch (method) {
    case "card":
      return { ...order, mode: "ACQUIRING", subtype: "bank_card", host2host: true, pay_in_details: { card } };
    case "sbp":
      return { ...order, mode: "P2P", subtype: "sbp", ...(bank !== "" && { bank_name: bank }) };
    case "crypto":
      return { ...order, mode: "CRYPTO" };
  }
}
