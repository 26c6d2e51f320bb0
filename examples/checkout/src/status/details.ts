// The details of a payment that the payer or the shop may need.

import type { Payment } from "payspec";
import { createElement } from "../dom.js";
import { money, time } from "../language/format.js";
import { texts } from "../language/language.js";
import { methodOf } from "./states.js";

export function showDetails(list: HTMLElement, payment: Payment): void {
  const { details } = texts();
  const rows: [string, string, className?: string][] = [[details.amount, money(payment.amount, payment.currency)]];
  if (payment.requested_currency !== payment.currency) rows.push([details.price, money(payment.requested_amount, payment.requested_currency)]);
  rows.push([details.method, method(payment)]);
  rows.push([details.created, time(payment.created_date)]);
  if (payment.paid_at !== null) rows.push([details.paid, time(payment.paid_at)]);
  if (payment.state === "fail" && payment.fail_by !== null) rows.push([details.stoppedBy, payment.fail_by]);
  if (payment.state === "fail" && payment.fail_code !== undefined) rows.push([details.reason, payment.fail_code]);
  rows.push([details.payment, payment.uid, "uid"]);
  list.replaceChildren(
    ...rows.map(([name, value, className]) => {
      const row = document.createElement("div");
      row.append(createElement("dt", name), createElement("dd", value, className));
      return row;
    }),
  );
}

function method(payment: Payment): string {
  const { card, sbp } = texts().page;
  const chosen = methodOf(payment);
  if (chosen !== "card") return chosen === "sbp" ? sbp : "USDT";
  const number = payment.info?.["card_number"];
  return typeof number === "string" ? `${card} •••• ${number.slice(-4)}` : card;
}
