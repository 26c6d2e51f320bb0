// From the texts of card fields to the body of a request, and from its violations back to the fields.

import { Engine } from "payspec/checkout";
import { formatCardNumber, parseExpiry } from "payspec/card";

const FIELDS = {
  "/pay_in_details/card/card_number": "number",
  "/pay_in_details/card/expiry_year": "expiry",
  "/pay_in_details/card/expiry_month": "expiry",
  "/pay_in_details/card/security_code": "code",
};
const engine = new Engine({ required: Object.keys(FIELDS) });

const form = { number: "4111 1111 1111 1112", expiry: "12 / 3", code: "739" }; // the values of the inputs
const { month, year } = parseExpiry(form.expiry); // null for a part that is missing
const card = { card_number: formatCardNumber(form.number).digits, expiry_year: year, expiry_month: month, security_code: form.code };
const order = { payment_type: "pay_in", mode: "ACQUIRING", subtype: "bank_card", cur: "EUR", amount: "249.90" };
const body = { ...order, host2host: true, pay_in_details: { card } };

const { valid, violations } = engine.validateRequest(body, { now: new Date() });
console.log(valid); // false
for (const { path, message } of violations) console.log(FIELDS[path] ?? "form", "|", message);
// number | the card number's check digit does not match
// expiry | the member is required
