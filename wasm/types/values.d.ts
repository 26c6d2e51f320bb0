// The listed values of the specification, and the types of plain texts.

/** The direction of a payment (§2.2 `payment_type`): a deposit, or a transfer out. It selects the variant of a request. */
export type PaymentType = "pay_in" | "pay_out";

/** The processing mode (§1.2): person to person, card acquiring, or a fiat amount converted to USDT (§1.4). */
export type Mode = "P2P" | "ACQUIRING" | "CRYPTO";

/** The payment method (§2.2 `subtype`): a bank card, or the faster payments system by phone number. */
export type Subtype = "bank_card" | "sbp";

/** The state of a payment (§3). `completed`, `not_fully` and `fail` are final. */
export type State =
  | "idle"
  | "routed"
  | "completed"
  | "not_fully"
  | "fail"
  | "cancel"
  | "chargeback"
  | "correction";

/** The meaning of a state for the parties. */
export type StateOutcome = "pending" | "success" | "partial" | "failure" | "reversal" | "dispute" | "adjustment";

/** The severity of a violation. Only an `error` makes a body invalid; a rule that is `off` is disabled. */
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
  | "humo"
  | "rupay"
  | "napas"
  | "belkart"
  | "elcart"
  | "prostir"
  | "borica"
  | "gpn";

/** The kind of `info` of a payment in host-to-host mode (D2). */
export type InfoKind = "card" | "sbp" | "crypto";

/** The rounding of an amount in USDT to its scale (D20). */
export type Rounding = "half_even" | "half_up" | "half_down" | "up" | "down";

/** A JSON type, as in the parameters of the code `type`. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The identifier of a decision about something that the specification leaves open. `decisions()` lists them. */
export type DecisionId =
  | "D1" | "D2" | "D3" | "D4" | "D5" | "D6" | "D7" | "D8" | "D9"
  | "D10" | "D11" | "D12" | "D13" | "D14" | "D15" | "D16" | "D17" | "D18"
  | "D19" | "D20" | "D21" | "D22" | "D23" | "D24" | "D25" | "D26" | "D27" | "D28"
  | "D29" | "D30" | "D31" | "D32" | "D33" | "D34";

/** The source of a rule: a section of the specification, or a decision. */
export type Source = `§${string}` | DecisionId;

/** The JSON Pointer (RFC 6901) of a value in a body: `/pay_in_details/card/card_number`; empty for the whole body. */
export type JsonPointer = "" | `/${string}`;

/** A JSON text in UTF-8. */
export type Json = string | Uint8Array;

/** A timestamp: RFC 3339 with upper-case `T` and `Z` (`2026-11-20T10:15:30.250Z`), truncated to nanoseconds; or a `Date`. */
export type TimestampInput = string | Date;

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object with any members. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}
