// What a report holds: violations, told apart by their code, each with exact parameters.

import type { DecisionId, JsonPointer, JsonType, Mode, PaymentType, Severity, Source } from "./words.js";

/** Where a text ends to be JSON. Both count from 1, the column in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The most that is accepted: bytes, levels or characters. */
export interface Limit {
  readonly limit: number;
}

/** JSON types: the one that the interface asks for, and the one that the body has. */
export interface Types {
  readonly expected: string;
  readonly found: JsonType;
}

/** The values that are accepted. */
export interface Allowed {
  readonly allowed: readonly string[];
}

/** The values that are not accepted, if all others are. */
export interface Refused {
  readonly refused: readonly string[];
}

/** The member of today's interface that took the place of an earlier one; null where it was dropped without successor. */
export interface ReplacedBy {
  readonly replaced_by: string | null;
}

/** The fraction digits that the currency has (ISO 4217). */
export interface MinorUnit {
  readonly minor_unit: number;
}

/** The most digits on either side of the point. */
export interface DigitLimits {
  readonly integer_digits: number;
  readonly fraction_digits: number;
}

/** The policy's bounds for the currency, both included; null where it sets none. */
export interface AmountLimits {
  readonly min: string | null;
  readonly max: string | null;
}

/** The smallest and the largest whole number that is accepted. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The part of a URI that is missing or not valid. `character`: one outside RFC 3986, or out of place. */
export interface UriReason {
  readonly reason: "scheme" | "character" | "host" | "port";
}

/** Every violation code with its parameters; null where it has none. */
export interface ViolationParams {
  /** Not one JSON text in UTF-8 (RFC 8259, §4.1). Stands alone. */
  json_syntax: Position;
  /** The body is over `limits.body_bytes` (D14); in bytes. Stands alone. */
  body_too_large: Limit;
  /** Objects and arrays nest over `limits.depth` (D14); in levels. Stands alone. */
  too_deep: Limit;
  /** One object names the member twice (D6). */
  duplicate_member: null;
  /** The wrong JSON type (§2); an amount that is a number is this. */
  type: Types;
  /** The member is required (D5). */
  missing: null;
  /** Not a listed value (§2.2); case matters. */
  unsupported_value: Allowed;
  /** The interface has no such member (D6). A warning. */
  unknown_member: null;
  /** A member of the earlier interface (§9.2). A warning. */
  legacy_member: ReplacedBy;
  /** A member that only the other variant of the body has (§2.2). A warning. */
  variant_mismatch: null;
  /** Not a decimal amount such as `100.00` (§2.2). */
  amount_syntax: null;
  /** The amount is zero (D6). */
  amount_not_positive: null;
  /** More fraction digits than the currency has (D6). */
  amount_scale: MinorUnit;
  /** The amount has too many digits, or is outside the policy's bounds (D14). */
  amount_out_of_bounds: DigitLimits | AmountLimits;
  /** Not an active ISO 4217 code in upper case (§2.2). */
  currency_unknown: null;
  /** Not in `currencies` of the policy (D6). */
  currency_not_allowed: Allowed;
  /** An ISO 4217 code that is no money: XAU, XTS, … (§2.2). */
  currency_not_fiat: null;
  /** Not a valid absolute URI (RFC 3986, §2.2); for http and https with a host. */
  uri_syntax: UriReason;
  /** The scheme is not in `urls.schemes` of the policy; in `url` and `receipts` of a payment, it is in `refused` (D6). */
  uri_scheme: Allowed | Refused;
  /** The URI carries a user name or a password (D6). */
  uri_credentials: null;
  /** The callback goes to a private address (D11). A warning. */
  uri_private_host: null;
  /** The text is empty (D6); `createPayment` treats the member as absent. A warning. */
  text_empty: null;
  /** The text is over its limit (D14): characters of a text, bytes of a URI. */
  text_too_long: Limit;
  /** The text holds a control character (D6). */
  text_control_character: null;
  /** Not 12 to 19 digits (D6). */
  card_number_syntax: null;
  /** The card number's check digit does not match (Luhn, D6). */
  card_number_checksum: null;
  /** The card's month has ended everywhere on Earth (D6). Only where `now` is given. */
  card_expired: null;
  /** The month is not 1 to 12 (D6). */
  expiry_month_range: Range;
  /** The year is not 2000 to 2099 (D6). */
  expiry_year_range: Range;
  /** A year of two digits, read as 20YY (D23). A warning. */
  expiry_year_two_digits: null;
  /** Not 3 digits, 4 for American Express (D6); the range is of their number. */
  security_code_syntax: Range;
  /** Not a phone number of 7 to 15 digits, with or without `+` (E.164, D6). */
  phone_number_syntax: null;
  /** `time_to_complete_payment` is outside the policy's bounds (D15). */
  integer_range: Range;
  /** Host-to-host with a bank card, but without a card or its number (§1.3). A warning. */
  host2host_without_card: null;
  /** Card data outside host-to-host mode (§1.3). A warning. */
  card_without_host2host: null;
  /** The recipient's data lack this member (§2.2). A warning. */
  recipient_incomplete: null;
  /** The `merchant_id` is not in `allowed_merchant_ids` of the context (D28). In `createPayment` only. */
  merchant_not_allowed: null;
  /** The text holds what looks like a card number (D6). A warning. */
  card_number_in_text: null;
  /** A payment in USDT without `requested_amount` and a fiat `requested_currency` (§1.4). */
  field_currency: null;
  /** Does not fit the payment's state (§3). */
  state_inconsistent: null;
  /** A failed payment without `fail_by` and `fail_code` (§7). A warning. */
  failure_unexplained: null;
  /** `info` holds a card number in full (§2.1). */
  unmasked_card_number: null;
  /** `info` is a string, as in the earlier interface (§9.2). */
  info_type: null;
  /** The amounts of a payment do not add up (D21). A warning. */
  amount_identity: null;
  /** The payment does not answer the request (§2.1). */
  answer_mismatch: null;
}

/** The code of a violation. */
export type ViolationCode = keyof ViolationParams;

/** Codes whose severity no policy can set. */
export type FixedCode = "json_syntax" | "body_too_large" | "too_deep" | "type";

/** What every violation has. */
export interface ViolationBase<Code extends ViolationCode> {
  /** The member's JSON Pointer; for `missing` the one that it would have. */
  readonly path: JsonPointer;
  readonly code: Code;
  /** How much it weighs under the engine's policy. */
  readonly severity: Exclude<Severity, "off">;
  /** What is wrong, in English or in the page's own words. Never a value from the body. */
  readonly message: string;
  /** The section of the specification, or the decision, that the rule comes from. */
  readonly source: Source;
}

/** The violation of one code, or the union over several. */
export type ViolationOf<Code extends ViolationCode> = Code extends ViolationCode
  ? ViolationBase<Code> & (ViolationParams[Code] extends object ? { readonly params: ViolationParams[Code] } : { readonly params?: never })
  : never;

/**
 * One rule broken in one place. `code` tells what `params` hold.
 *
 * @example
 * if (violation.code === "amount_scale") {
 *   hint(`At most ${violation.params.minor_unit} digits after the point`);
 * }
 */
export type Violation = ViolationOf<ViolationCode>;

/**
 * A page's own texts by code. Each replaces `message` of the violations in reports that are objects
 * (`validateRequest`, `checkPayment`); the JSON forms and the bodies of outcomes keep the library's own.
 *
 * @example
 * const messages: Messages = {
 *   missing: () => "Bitte ausfüllen",
 *   amount_scale: ({ params }) => `Höchstens ${params.minor_unit} Nachkommastellen`,
 * };
 */
export type Messages = {
  readonly [Code in keyof ViolationParams]?: ((violation: ViolationOf<Code>) => string) | undefined;
};

/** What every report has. */
export interface ReportBase {
  /** The body's variant; null where `payment_type` could not be read. */
  readonly variant: PaymentType | null;
  /** The body's mode; null where it could not be read. Of a payment: `CRYPTO`, or null. */
  readonly mode: Mode | null;
  /** Whether the body asks for host-to-host mode; of a payment, whether it has `info`. */
  readonly host2host: boolean;
  /** All that was found, in the order of the fields in §2.2 (§2.1 for a payment), at most `limits.violations` of the policy. */
  readonly violations: readonly Violation[];
  /** There only where more was found than is listed. */
  readonly truncated?: true;
}

/** A report without errors; its violations are warnings. */
export interface ValidReport extends ReportBase {
  readonly valid: true;
}

/** A report with at least one error. */
export interface InvalidReport extends ReportBase {
  readonly valid: false;
}

/** The verdict on a body with all that was found. `valid` is true where nothing of severity `error` was. */
export type Report = ValidReport | InvalidReport;

/** The catalogue's line of one code, or the union over several. */
export type RuleOf<Code extends ViolationCode> = Code extends ViolationCode
  ? {
      readonly code: Code;
      /** The severity where the policy sets none. */
      readonly severity: Exclude<Severity, "off">;
      readonly source: Source;
      /** What is wrong, in English; `{name}` stands for a parameter. */
      readonly summary: string;
      /** The names of the parameters that its violations may carry. */
      readonly params: readonly (ViolationParams[Code] extends object ? ParamName<ViolationParams[Code]> : never)[];
    }
  : never;

/** The names of the members of each form of the parameters. */
export type ParamName<Params> = Params extends object ? keyof Params : never;

/** One line of the catalogue of violation codes. */
export type Rule = RuleOf<ViolationCode>;

/** The answer of `rules`. */
export interface Rules {
  readonly rules: readonly Rule[];
}

/** One line of the decision register. */
export interface Decision {
  readonly id: DecisionId;
  /** The section of the specification that leaves it open. */
  readonly source: Source;
  /** What is open. */
  readonly open: string;
  /** What the library does. */
  readonly decision: string;
  /** The policy members, or other inputs, that change it. */
  readonly changed_by: readonly string[];
}

/** The answer of `decisions`. */
export interface Decisions {
  readonly decisions: readonly Decision[];
}
