// The details of a payment that the payer or the shop may need.

import type { Payment } from "payspec";
import { createElement } from "../dom.js";
import { money } from "../money.js";

export function showDetails(list: HTMLElement, payment: Payment): void {
  const rows: [string, string][] = [["Amount", money(payment.amount, payment.currency)]];
  if (payment.requested_currency !== payment.currency) rows.push(["Price", money(payment.requested_amount, payment.requested_currency)]);
  rows.push(["Paid with", method(payment)]);
  rows.push(["Created", time(payment.created_date)]);
  if (payment.paid_at !== null) rows.push(["Paid", time(payment.paid_at)]);
  if (payment.state === "fail" && payment.fail_by !== null) rows.push(["Stopped by", payment.fail_by]);
  if (payment.state === "fail" && payment.fail_code !== undefined) rows.push(["Reason", payment.fail_code]);
  rows.push(["Payment", payment.uid]);
  list.replaceChildren(
    ...rows.map(([name, value]) => {
      const row = document.createElement("div");
      row.append(createElement("dt", name), createElement("dd", value, name === "Payment" ? "uid" : ""));
      return row;
    }),
  );
}

function method({ currency, subtype, info }: Payment): string {
  if (currency === "USDT") return "USDT";
  if (subtype === "sbp") return "SBP";
  const number = info?.["card_number"];
  return typeof number === "string" ? `Card •••• ${number.slice(-4)}` : "Card";
}

function time(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
