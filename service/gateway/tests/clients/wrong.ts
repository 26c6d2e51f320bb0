// Bodies that the generated types must reject. Each line with `@ts-expect-error` fails to compile if its error is missing.

import type { components } from "./schema.js";

type Request = components["schemas"]["PaymentCreateRequest"];

// @ts-expect-error the amount is a string
export const number: Request = { payment_type: "pay_in", subtype: "sbp", cur: "RUB", amount: 1500 };
// @ts-expect-error not a payment method
export const method: Request = { payment_type: "pay_in", subtype: "cash", cur: "RUB", amount: "1500.00" };
// @ts-expect-error USDT is not a fiat currency
export const currency: Request = { payment_type: "pay_in", subtype: "sbp", cur: "USDT", amount: "1500.00" };
// @ts-expect-error a pay-out has a mode
export const mode: Request = { payment_type: "pay_out", subtype: "sbp", cur: "RUB", amount: "1500.00" };
