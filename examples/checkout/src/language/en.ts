// The texts of the page in English. Those of other languages have the same type.

import type { Messages, Violation } from "payspec/checkout";
import type { Payment } from "payspec";

const NO_RATE = "There is no current rate for USDT. Please try again in a minute, or pay in another way.";
const SENT_BEFORE = "This payment was already sent, and was not made a second time. Look at your bank's messages; to pay once more, reload this page.";

/** The texts of elements, by their attribute `data-text`. */
const page = {
  amount: "Pay",
  order: "Order",
  number: "No. 1007",
  tea: "Tea, Assam, 500 g",
  teapot: "Teapot, small",
  total: "Total",
  how: "How would you like to pay?",
  card: "Card",
  sbp: "SBP",
  cardNumber: "Card number",
  expiry: "Valid until",
  expiryHint: "MM / YY",
  code: "Security code",
  holder: "Name on the card",
  holderHint: "As printed",
  sbpLead: "Pay from your bank account, without a card. You confirm the payment in your bank's app.",
  bank: "Your bank",
  optional: "(optional)",
  anyBank: "I choose it in the app",
  cryptoLead: "Pay in USDT at today's rate. The rate is fixed when you press the button.",
  moment: "One moment…",
  progress: "Progress",
  sent: "Sent",
  routed: "In progress",
  paid: "Paid",
};

export interface Texts {
  readonly page: Readonly<Record<keyof typeof page, string>>;
  /** Names of banks in another script. */
  readonly banks: Readonly<Record<string, string>>;
  readonly payTitle: (amount: string, shop: string) => string;
  readonly pay: (amount: string) => string;
  /** What happens with the data of each payment method. */
  readonly safe: Readonly<Record<"card" | "sbp" | "crypto", string>>;
  readonly sending: string;
  readonly check: (fields: number) => string;
  readonly missing: Readonly<Record<string, string>>;
  /** The messages about card fields, by violation code. */
  readonly fields: Messages;
  /** The messages about the rest. */
  readonly violation: (violation: Violation) => string;
  readonly networkError: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly refused: (detail: string) => string;
  readonly otherMethod: string;
  readonly rejected: string;
  readonly busy: string;
  readonly notSetUp: string;
  readonly closed: string;
  readonly lost: string;
  /** Title and text of each state. */
  readonly states: Readonly<Record<Payment["state"] | "missing" | "unknown", readonly [title: string, text: (amount: string, paid: string) => string]>>;
  readonly waiting: Readonly<Record<"card" | "sbp" | "crypto", string>>;
  /** Common reasons. `fail_code` can be any text (D13). */
  readonly reasons: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<"amount" | "price" | "method" | "created" | "paid" | "stoppedBy" | "reason" | "payment", string>>;
  readonly actions: Readonly<Record<"shop" | "receipt" | "again" | "back" | "look", string>>;
}

const plural = new Intl.PluralRules("en");

export const en: Texts = {
  page,
  banks: {},
  payTitle: (amount, shop) => `Pay ${amount} · ${shop}`,
  pay: (amount) => `Pay ${amount}`,
  safe: {
    card: "Your card details go only to the payment service, and are not kept in this browser.",
    sbp: "The shop does not see your bank account.",
    crypto: "You see every step on the next page.",
  },
  sending: "Sending…",
  check: (fields) => (plural.select(fields) === "one" ? "Please check one field" : `Please check ${fields} fields`),
  missing: {
    card_number: "Enter the number of your card",
    expiry_month: "Enter the date",
    expiry_year: "Enter the date",
    security_code: "Enter the code",
    card_holder: "Enter the name on the card",
  },
  fields: {
    card_number_syntax: () => "This number is not complete",
    card_number_checksum: () => "There is a mistake in this number",
    card_expired: () => "This card has expired",
    expiry_month_range: () => "The month is 01 to 12",
    expiry_year_range: () => "Check the year",
    security_code_syntax: ({ params: { min, max } }) => (min === max ? `The code has ${max} digits` : `The code has ${min} or ${max} digits`),
    text_too_long: () => "This name is too long",
    text_control_character: () => "This name contains a character that cannot be sent",
    card_number_in_text: () => "This is a number: enter the name here",
  },
  violation: ({ message }) => message,
  networkError: "The payment service cannot be reached. Check your connection and try again: you will not be charged twice.",
  problems: {
    idempotency_conflict: SENT_BEFORE,
    idempotency_key_reused: SENT_BEFORE,
    idempotency_in_progress: "This payment is being made right now. Please wait a moment, then press the button again.",
    quote_missing: NO_RATE,
    quote_mismatch: NO_RATE,
    quote_stale: NO_RATE,
    amount_too_small: "This amount is too small to be paid in USDT. Please pay in another way.",
    amount_too_large: "This amount is too large to be paid in USDT. Please pay in another way.",
  },
  refused: (detail) => `The payment was refused: ${detail}`,
  otherMethod: "The payment cannot be made in this way. Please try another one.",
  rejected: "The payment service did not accept this payment. Please check what you have entered.",
  busy: "The payment service is busy. Nothing is lost: please try again in a moment.",
  notSetUp: "This page cannot take payments right now. Please tell the shop.",
  closed: "This payment link has expired. Please go back to the shop.",
  lost: "No connection to the payment service. We keep trying; your payment continues.",
  states: {
    idle: ["Payment sent", () => ""],
    routed: ["Payment in progress", () => "Your payment is being processed. This takes a few seconds, at times a minute."],
    completed: ["Payment completed", (amount) => `Thank you. You\u00a0have\u00a0paid ${amount}.`],
    not_fully: ["Paid in part", (amount, paid) => `${paid} of ${amount} have arrived. Please ask the shop about the rest.`],
    fail: ["Payment failed", () => "The payment could not be completed. Try again, or pay in another way."],
    cancel: ["Payment reversed", () => "This payment was called off. What was paid goes back to you."],
    chargeback: ["Payment disputed", () => "Your bank has claimed this payment back."],
    correction: ["Amount corrected", (amount) => `The amount of this payment was changed to ${amount}.`],
    missing: ["No such payment", () => "There is no payment at this address."],
    unknown: ["Payment in progress", () => "We are waiting for news of your payment."],
  },
  waiting: {
    card: "We have handed your payment to the bank.",
    sbp: "Please confirm the payment in your bank's app.",
    crypto: "Your payment in USDT is being prepared.",
  },
  reasons: {
    insufficient_funds: "There was not enough money on the account.",
    card_declined: "Your bank declined the card.",
    declined: "Your bank declined the payment.",
    card_expired: "The card has expired.",
    expired: "The time to pay has run out.",
    timeout: "The time to pay has run out.",
    fraud_suspected: "The bank stopped the payment for your safety. Please call your bank.",
    limit_exceeded: "The payment is above a limit of your account.",
  },
  details: { amount: "Amount", price: "Price", method: "Paid with", created: "Created", paid: "Paid", stoppedBy: "Stopped by", reason: "Reason", payment: "Payment" },
  actions: { shop: "Go to the shop", receipt: "Receipt", again: "Try again", back: "Back to the shop", look: "Look again" },
};
