// The words that the specification lists, and the forms of plain texts.

/** Which way the money goes (§2.2 `payment_type`): a deposit, or a transfer out. It selects the variant of a request. */
export type PaymentType = "pay_in" | "pay_out";

/** The processing mode (§1.2): person to person, card acquiring, or a fiat amount converted to USDT (§1.4). */
export type Mode = "P2P" | "ACQUIRING" | "CRYPTO";

/** The payment method (§2.2 `subtype`): a bank card, or the faster payments system by phone number. */
export type Subtype = "bank_card" | "sbp";

/** A payment's state (§3). `completed`, `not_fully` and `fail` are final. */
export type State =
  | "idle"
  | "routed"
  | "completed"
  | "not_fully"
  | "fail"
  | "cancel"
  | "chargeback"
  | "correction";

/** What a state means for the parties. */
export type StateOutcome = "pending" | "success" | "partial" | "failure" | "reversal" | "dispute" | "adjustment";

/** How much a violation weighs. Only an `error` makes a body invalid; what is `off` is not run. */
export type Severity = "error" | "warning" | "off";

/** The scheme of a card. */
export type CardScheme =
  | "visa"
  | "mastercard"
  | "american_express"
  | "mir"
  | "unionpay"
  | "jcb"
  | "discover"
  | "diners_club"
  | "maestro"
  | "elo"
  | "hipercard"
  | "verve"
  | "troy"
  | "uzcard"
  | "humo";

/** What `info` of a payment is about in host-to-host mode (D2). */
export type InfoKind = "card" | "sbp" | "crypto";

/** How an amount in USDT is rounded to its scale (D20). */
export type Rounding = "half_even" | "half_up" | "half_down" | "up" | "down";

/** A type of JSON, as the code `type` names what it found. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The number of a decision: what the specification leaves open and the library decides. `decisions()` lists them. */
export type DecisionId =
  | "D1" | "D2" | "D3" | "D4" | "D5" | "D6" | "D7" | "D8" | "D9"
  | "D10" | "D11" | "D12" | "D13" | "D14" | "D15" | "D16" | "D17" | "D18"
  | "D19" | "D20" | "D21" | "D22" | "D23" | "D24" | "D25" | "D26" | "D27" | "D28"
  | "D29" | "D30" | "D31";

/** Where a rule comes from: a section of the specification, or a decision that fills a gap of it. */
export type Source = `§${string}` | DecisionId;

/** The JSON Pointer (RFC 6901) of a place in a body: `/pay_in_details/card/card_number`; empty for the body as a whole. */
export type JsonPointer = "" | `/${string}`;

/** A JSON text in UTF-8. */
export type Json = string | Uint8Array;

/** An instant of a context: RFC 3339 with upper-case `T` and `Z` (`2026-11-20T10:15:30.250Z`); what is finer than a nanosecond is cut off; or a `Date`. */
export type Instant = string | Date;

/** What a JSON text can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** An object of JSON whose members nobody lists. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}
