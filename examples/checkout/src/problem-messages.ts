// Messages for the payer about problems, by the problem's code, otherwise by its status.

import type { Problem } from "./api.js";

const NO_RATE = "There is no current rate for USDT. Please try again in a minute, or pay in another way.";
const SENT_BEFORE = "This payment was already sent, and was not made a second time. Look at your bank's messages; to pay once more, reload this page.";

const BY_CODE: Readonly<Record<string, string>> = {
  idempotency_conflict: SENT_BEFORE,
  idempotency_key_reused: SENT_BEFORE,
  idempotency_in_progress: "This payment is being made right now. Please wait a moment, then press the button again.",
  quote_missing: NO_RATE,
  quote_mismatch: NO_RATE,
  quote_stale: NO_RATE,
  amount_too_small: "This amount is too small to be paid in USDT. Please pay in another way.",
  amount_too_large: "This amount is too large to be paid in USDT. Please pay in another way.",
  payment_not_found: "There is no payment at this address.",
};

const BUSY = "The payment service is busy. Nothing is lost: please try again in a moment.";
const NOT_SET_UP = "This page cannot take payments right now. Please tell the shop.";

export const NETWORK_ERROR = "The payment service cannot be reached. Check your connection and try again: you will not be charged twice.";

export function messageFor({ code, status, detail }: Problem): string {
  const known = code === undefined ? undefined : BY_CODE[code];
  if (known !== undefined) return known;
  if (status === 401 || status === 403 || status === 404 || status === 405) return NOT_SET_UP;
  if (status === 408 || status === 429 || status >= 500) return BUSY;
  if (code === "refused" && detail !== undefined) return `The payment was refused: ${detail}`;
  if (status === 455) return "The payment cannot be made in this way. Please try another one.";
  return "The payment service did not accept this payment. Please check what you have entered.";
}
