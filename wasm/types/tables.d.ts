// The listed values and the tables of the core as types. Written by a test: BLESS=1 cargo test --test integration javascript_tables

import type { LegacyFlags, StateRowOf } from "./answers.js";
import type {
  Allowed,
  AmountLimits,
  DigitLimits,
  Limit,
  MinorUnit,
  Position,
  Range,
  Refused,
  ReplacedBy,
  Types,
  UriReason,
  Withdrawn,
} from "./violations.js";

/** The direction of a payment (§2.2 `payment_type`): a deposit, or a transfer out. It selects the variant of a request. */
export type PaymentType =
  | "pay_in"
  | "pay_out";

/** The processing mode (§1.2): person to person, card acquiring, or a fiat amount converted to USDT (§1.4). */
export type Mode =
  | "P2P"
  | "ACQUIRING"
  | "CRYPTO";

/** The payment method (§2.2 `subtype`): a bank card, or the faster payments system by phone number. */
export type Subtype =
  | "bank_card"
  | "sbp";

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
export type StateOutcome =
  | "pending"
  | "success"
  | "partial"
  | "failure"
  | "reversal"
  | "dispute"
  | "adjustment";

/** The severity of a violation. Only an `error` makes a body invalid; a rule that is `off` is disabled. */
export type Severity =
  | "error"
  | "warning"
  | "off";

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
export type InfoKind =
  | "card"
  | "sbp"
  | "crypto";

/** The rounding of an amount in USDT to its scale (D20). */
export type Rounding =
  | "half_even"
  | "half_up"
  | "half_down"
  | "up"
  | "down";

/** The identifier of a decision about something that the specification leaves open. `decisions()` lists them. */
export type DecisionId =
  | "D1"
  | "D2"
  | "D3"
  | "D4"
  | "D5"
  | "D6"
  | "D7"
  | "D8"
  | "D9"
  | "D10"
  | "D11"
  | "D12"
  | "D13"
  | "D14"
  | "D15"
  | "D16"
  | "D17"
  | "D18"
  | "D19"
  | "D20"
  | "D21"
  | "D22"
  | "D23"
  | "D24"
  | "D25"
  | "D26"
  | "D27"
  | "D28"
  | "D29"
  | "D30"
  | "D31"
  | "D32"
  | "D33"
  | "D34";

/** The verdict on a transition. */
export type TransitionVerdict =
  | "allowed"
  | "refused"
  | "unspecified"
  | "unchanged";

/** The reason why a webhook is not verified, in the order of the checks. */
export type WebhookRejection =
  | "missing_header"
  | "malformed_header"
  | "timestamp"
  | "signature";

/** Codes whose severity no policy can set. */
export type FixedCode =
  | "json_syntax"
  | "body_too_large"
  | "too_deep"
  | "type";

/** Every violation code with its parameters; null if it has no parameters. The comments are the messages. */
export interface ViolationParams {
  /** `invalid JSON or UTF-8 at line {line}, column {column}` (§4.1). */
  json_syntax: Position;
  /** `the body is larger than {limit} bytes` (D14). */
  body_too_large: Limit;
  /** `objects and arrays nest deeper than {limit} levels` (D14). */
  too_deep: Limit;
  /** `the member is repeated in its object` (D6). */
  duplicate_member: null;
  /** `wrong JSON type: expected {expected}, found {found}` (§2). */
  type: Types;
  /** `the member is required` (D5). */
  missing: null;
  /** `unsupported value: expected one of {allowed}` (§2.2). */
  unsupported_value: Allowed;
  /** `not a member of the interface` (D6). A warning. */
  unknown_member: null;
  /** `a member of the legacy API` (§9.2). A warning. */
  legacy_member: ReplacedBy;
  /** `not used with this payment_type` (§2.2). A warning. */
  variant_mismatch: null;
  /** `not a decimal amount such as 100.00` (§2.2). */
  amount_syntax: null;
  /** `the amount must be greater than zero` (D6). */
  amount_not_positive: null;
  /** `the currency has {minor_unit} fraction digits` (D6). */
  amount_scale: MinorUnit;
  /** `the amount is out of bounds` (D14). */
  amount_out_of_bounds: DigitLimits | AmountLimits;
  /** `not an active ISO 4217 code in upper case` (§2.2). */
  currency_unknown: null;
  /** `the currency is not accepted: expected one of {allowed}` (D6). */
  currency_not_allowed: Allowed;
  /** `not a currency` (§2.2). */
  currency_not_fiat: null;
  /** `not a valid absolute URI: invalid {reason}` (§2.2). */
  uri_syntax: UriReason;
  /** `the scheme of the URI must be one of {allowed}` (D6). */
  uri_scheme: Allowed | Refused;
  /** `the URI must not contain a user name or password` (D6). */
  uri_credentials: null;
  /** `the host is a private address` (D11). A warning. */
  uri_private_host: null;
  /** `the text is empty and counts as absent` (D31). A warning. */
  text_empty: null;
  /** `longer than the limit of {limit}` (D14). */
  text_too_long: Limit;
  /** `the text contains a control character` (D6). */
  text_control_character: null;
  /** `a card number has 12 to 19 digits` (D6). */
  card_number_syntax: null;
  /** `the card number's check digit does not match` (D6). */
  card_number_checksum: null;
  /** `the card number has no check digit, as some of UnionPay` (D6). A warning. */
  card_number_no_check_digit: null;
  /** `the card has expired` (D6). */
  card_expired: null;
  /** `the month must be {min} to {max}` (D6). */
  expiry_month_range: Range;
  /** `the year must be {min} to {max}` (D6). */
  expiry_year_range: Range;
  /** `two-digit year, read as 20YY` (D23). A warning. */
  expiry_year_two_digits: null;
  /** `not a security code: 3 digits, 4 for American Express` (D6). */
  security_code_syntax: Range;
  /** `not a phone number of 7 to 15 digits, with or without +` (D6). */
  phone_number_syntax: null;
  /** `the number must be {min} to {max}` (D15). */
  integer_range: Range;
  /** `host-to-host mode with a bank card requires card data` (§1.3). A warning. */
  host2host_without_card: null;
  /** `card data is used in host-to-host mode only` (§1.3). A warning. */
  card_without_host2host: null;
  /** `required to identify the recipient` (§2.2). A warning. */
  recipient_incomplete: null;
  /** `the credential does not allow this merchant_id` (D28). */
  merchant_not_allowed: null;
  /** `the text contains a likely card number` (D6). A warning. */
  card_number_in_text: null;
  /** `a payment in USDT has requested_amount and a fiat requested_currency` (§1.4). */
  field_currency: null;
  /** `contradicts the state: a completed payment has paid_at, an idle one neither paid_at nor fail_by` (§3). */
  state_inconsistent: null;
  /** `a failed payment should have fail_by and fail_code` (§7). A warning. */
  failure_unexplained: null;
  /** `info must not contain a full card number` (§2.1). */
  unmasked_card_number: null;
  /** `ISO 4217 has withdrawn the currency in {withdrawn}` (D34). A warning. */
  currency_withdrawn: Withdrawn;
  /** `expected an object; the legacy API had a string` (§9.2). */
  info_type: null;
  /** `the amounts do not add up` (D21). A warning. */
  amount_identity: null;
  /** `does not match the request` (§2.1). */
  answer_mismatch: null;
}

/** Every problem code with its status. `invalid_request_status` of the policy sets that of `invalid_request` (D12). */
export interface ProblemStatus {
  /** Malformed JSON */
  malformed_json: 400;
  /** Invalid idempotency key */
  invalid_idempotency_key: 400;
  /** Authorization required */
  unauthorized: 401;
  /** Payment not found */
  payment_not_found: 404;
  /** Payment already exists */
  idempotency_conflict: 409;
  /** Idempotency key reused */
  idempotency_key_reused: 409;
  /** Payment in progress */
  idempotency_in_progress: 409;
  /** Transition refused */
  transition_refused: 409;
  /** Body too large */
  body_too_large: 413;
  /** Invalid request */
  invalid_request: 400 | 422;
  /** Quote missing */
  quote_missing: 455;
  /** Quote mismatch */
  quote_mismatch: 455;
  /** Stale quote */
  quote_stale: 455;
  /** Amount too small */
  amount_too_small: 455;
  /** Amount too large */
  amount_too_large: 455;
  /** Charges exceed the amount */
  charges_exceed_amount: 455;
  /** Payment refused */
  refused: 455;
}

/** The rows of the table of states (§3), in its order. */
export type StateRows = readonly [
  StateRowOf<"idle", false, "pending", LegacyFlags<false, false, false>>,
  StateRowOf<"routed", false, "pending", LegacyFlags<false, false, false>>,
  StateRowOf<"completed", true, "success", LegacyFlags<true, true, false>>,
  StateRowOf<"not_fully", true, "partial", LegacyFlags<false, false, true>>,
  StateRowOf<"fail", true, "failure", LegacyFlags<true, false, false>>,
  StateRowOf<"cancel", false, "reversal", LegacyFlags<true, false, false>>,
  StateRowOf<"chargeback", false, "dispute", LegacyFlags<true, false, false>>,
  StateRowOf<"correction", false, "adjustment", LegacyFlags<true, true, false>>,
];
