// Messages in a language that the package does not have: a text for some codes, English for the others.

import { Engine } from "payspec/checkout";
import { message, messages as english } from "payspec/messages/en";

const plural = new Intl.PluralRules("de");
const digits = (count) => `${count} ${{ one: "Stelle", other: "Stellen" }[plural.select(count)]}`;

const messages = {
  ...english,
  missing: () => "Bitte ausfüllen",
  amount_scale: ({ params }) => `Diese Währung hat ${digits(params.minor_unit)} nach dem Komma`,
};

const engine = new Engine({}, { messages });
const report = engine.validateRequest({ payment_type: "pay_in", mode: "P2P", cur: "BHD", amount: "5.1234" });
for (const violation of report.violations) console.log(violation.message, "|", message(violation));
// Diese Währung hat 3 Stellen nach dem Komma | the currency has 3 fraction digits
// Bitte ausfüllen | the member is required
