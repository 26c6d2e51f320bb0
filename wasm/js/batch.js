// The operations that a batch runs: those whose first input is a body.

import { PayspecError } from "./error.js";
import { webhookContext } from "./headers.js";
import { json, optional, options, requireText, timestamp } from "./inputs.js";

/** Returns the inputs of an operation without a second one. The library rejects a second input. */
const none = { takeContext: (value) => (value === undefined ? undefined : json(value, "context")), takeContextJson: (value) => optional(value, "context") };
const context = { takeContext: (value) => json(value, "context"), takeContextJson: (value) => requireText(value, "context") };

/** The conversions of the second input, as in the methods of the same name. */
const CALLS = {
  validateRequest: {
    name: "validate_request",
    isReport: true,
    takeContext: (value) => timestamp(options(value, ["now", "messages"], "now").now),
    takeContextJson: (value) => timestamp(options(value, ["now"], "now").now),
  },
  createPayment: { name: "create_payment", ...context },
  checkPayment: {
    name: "check_payment",
    isReport: true,
    takeContext: (value) => {
      const { request } = options(value, ["request", "messages"]);
      return request == null ? undefined : json(request, "request");
    },
    takeContextJson: (value) => optional(options(value, ["request"], "request").request, "request"),
  },
  fieldCurrencies: { name: "field_currencies", ...none },
  fingerprintRequest: { name: "fingerprint_request", ...none },
  downgradeRequest: { name: "downgrade_request", ...none },
  upgradeBalance: { name: "upgrade_balance", ...none },
  downgradeBalance: { name: "downgrade_balance", ...none },
  upgradePayment: { name: "upgrade_payment", ...none },
  downgradePayment: { name: "downgrade_payment", ...none },
  redact: { name: "redact", ...none },
  signWebhook: { name: "sign_webhook", takeBody: requireText, ...context },
  verifyWebhook: { name: "verify_webhook", takeBody: requireText, ...context, takeContext: webhookContext },
  locate: {
    name: "locate",
    takeBody: requireText,
    takeContext: (value) => requireText(value, "pointer"),
    takeContextJson: (value) => requireText(value, "pointer"),
  },
};

/** Returns the conversions of an operation. */
export function batchCall(operation) {
  if (typeof operation !== "string" || !Object.hasOwn(CALLS, operation)) {
    throw new PayspecError("argument", "/operation", "expected an operation whose first input is a body");
  }
  return { takeBody: json, ...CALLS[operation] };
}
