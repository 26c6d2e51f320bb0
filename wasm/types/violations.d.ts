// Reports and their violations, which are discriminated by their code and have exact parameters.

import type { DecisionId, JsonPointer, JsonType, Mode, PaymentType, Severity, Source } from "./values.js";

/** The position of a syntax error. Both numbers start at 1; the column is in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The largest accepted number of bytes, levels, or characters. */
export interface Limit {
  readonly limit: number;
}

/** The JSON type that the interface requires, and that of the body. */
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

/** The current member that replaced a legacy member; null if the member was removed without successor. */
export interface ReplacedBy {
  readonly replaced_by: string | null;
}

/** The fraction digits that the currency has (ISO 4217). */
export interface MinorUnit {
  readonly minor_unit: number;
}

/** The month or the year in which ISO 4217 has withdrawn the currency: `2026-01`. */
export interface Withdrawn {
  readonly withdrawn: string;
}

/** The largest accepted number of digits before and after the decimal point. */
export interface DigitLimits {
  readonly integer_digits: number;
  readonly fraction_digits: number;
}

/** The bounds of the policy for the currency, inclusive; null if not set. */
export interface AmountLimits {
  readonly min: string | null;
  readonly max: string | null;
}

/** The smallest and the largest accepted whole number. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The part of a URI that is missing or not valid. `character`: one outside RFC 3986, or out of place. */
export interface UriReason {
  readonly reason: "scheme" | "character" | "host" | "port";
}

/** Every violation code with its parameters; null if it has no parameters. */
export interface ViolationParams {
  /** Not one JSON text in UTF-8 (RFC 8259, §4.1). The only violation of its report. */
  json_syntax: Position;
  /** The body is over `limits.body_bytes` (D14); in bytes. The only violation of its report. */
  body_too_large: Limit;
  /** Objects and arrays are nested deeper than `limits.depth` (D14); in levels. The only violation of its report. */
  too_deep: Limit;
  /** The member is repeated in its object (D6). */
  duplicate_member: null;
  /** The wrong JSON type (§2), including an amount that is a number. */
  type: Types;
  /** The member is required (D5). */
  missing: null;
  /** Not a listed value (§2.2); case-sensitive. */
  unsupported_value: Allowed;
  /** Not a member of the interface (D6). A warning. */
  unknown_member: null;
  /** A member of the legacy API (§9.2). A warning. */
  legacy_member: ReplacedBy;
  /** A member that only the other variant of the body has (§2.2). A warning. */
  variant_mismatch: null;
  /** Not a decimal amount such as `100.00` (§2.2). */
  amount_syntax: null;
  /** The amount is zero (D6). */
  amount_not_positive: null;
  /** More fraction digits than the currency has (D6). */
  amount_scale: MinorUnit;
  /** The amount has too many digits, or is outside the bounds of the policy (D14). */
  amount_out_of_bounds: DigitLimits | AmountLimits;
  /** Not an active ISO 4217 code in upper case (§2.2). */
  currency_unknown: null;
  /** Not in `currencies` of the policy (D6). */
  currency_not_allowed: Allowed;
  /** An ISO 4217 code that is not a currency: XAU, XTS, … (§2.2). */
  currency_not_fiat: null;
  /** Not an absolute URI (RFC 3986, §2.2), or an http or https URI without a host. */
  uri_syntax: UriReason;
  /** The scheme is not in `urls.schemes` of the policy; in `url` and `receipts` of a payment, it is in `refused` (D6). */
  uri_scheme: Allowed | Refused;
  /** The URI contains a user name or a password (D6). */
  uri_credentials: null;
  /** The callback has a private host (D11), such as `localhost` or a name without a dot. A warning. */
  uri_private_host: null;
  /** The text is empty (D31); `createPayment` treats the member as absent. A warning. */
  text_empty: null;
  /** The text is over its limit (D14): characters of a text, bytes of a URI. */
  text_too_long: Limit;
  /** The text contains a control character (D6). */
  text_control_character: null;
  /** Not 12 to 19 digits (D6). */
  card_number_syntax: null;
  /** The card number's check digit does not match (Luhn, D6), or all digits are zero. */
  card_number_checksum: null;
  /** A number of UnionPay without a check digit (D6). A warning. */
  card_number_no_check_digit: null;
  /** The month of the card has ended everywhere on Earth (D6). Only if `now` is given. */
  card_expired: null;
  /** The month is not 1 to 12 (D6). */
  expiry_month_range: Range;
  /** The year is not 2000 to 2099 (D6). */
  expiry_year_range: Range;
  /** A year of two digits, read as 20YY (D23). A warning. */
  expiry_year_two_digits: null;
  /** Not 3 digits, or 4 for American Express (D6); the range is that of the number of digits. */
  security_code_syntax: Range;
  /** Not a phone number of 7 to 15 digits that begins with 1 to 9, with or without `+` (E.164, D6). */
  phone_number_syntax: null;
  /** `time_to_complete_payment` is outside the bounds of the policy (D15). */
  integer_range: Range;
  /** Host-to-host mode with a bank card, but without a card or its number (§1.3). A warning. */
  host2host_without_card: null;
  /** Card data outside host-to-host mode (§1.3). A warning. */
  card_without_host2host: null;
  /** The member is required to identify the recipient (§2.2). A warning. */
  recipient_incomplete: null;
  /** The `merchant_id` is not in `allowed_merchant_ids` of the context (D28). In `createPayment` only. */
  merchant_not_allowed: null;
  /** The text contains a likely card number (D6). A warning. */
  card_number_in_text: null;
  /** A payment in USDT without `requested_amount` and a fiat `requested_currency` (§1.4). */
  field_currency: null;
  /** Contradicts the state of the payment (§3). */
  state_inconsistent: null;
  /** A failed payment without `fail_by` and `fail_code` (§7). A warning. */
  failure_unexplained: null;
  /** `info` contains a full card number (§2.1). */
  unmasked_card_number: null;
  /** ISO 4217 has withdrawn the currency of a stored payment (D34). A warning. */
  currency_withdrawn: Withdrawn;
  /** `info` is a string, as in the legacy API (§9.2). */
  info_type: null;
  /** The amounts of a payment do not add up (D21). A warning. */
  amount_identity: null;
  /** The payment does not match the request (§2.1). */
  answer_mismatch: null;
}

/** The code of a violation. */
export type ViolationCode = keyof ViolationParams;

/** Codes whose severity no policy can set. */
export type FixedCode = "json_syntax" | "body_too_large" | "too_deep" | "type";

/** The members of every violation. */
export interface ViolationBase<Code extends ViolationCode> {
  /** The JSON Pointer of the member; for `missing`, that of the absent member. */
  readonly path: JsonPointer;
  readonly code: Code;
  /** The severity under the policy of the engine. */
  readonly severity: Exclude<Severity, "off">;
  /** The message in English, or the text of the page. It never contains a value from the body. */
  readonly message: string;
  /** The section of the specification, or the decision, that the rule comes from. */
  readonly source: Source;
}

/** The violation of one code, or the union over several. */
export type ViolationOf<Code extends ViolationCode> = Code extends ViolationCode
  ? ViolationBase<Code> & (ViolationParams[Code] extends object ? { readonly params: ViolationParams[Code] } : { readonly params?: never })
  : never;

/**
 * A broken rule at one path. `code` determines the type of `params`.
 *
 * @example
 * if (violation.code === "amount_scale") {
 *   hint(`At most ${violation.params.minor_unit} digits after the point`);
 * }
 */
export type Violation = ViolationOf<ViolationCode>;

/**
 * Texts of a page by code. Each replaces `message` of the violations in reports that are objects (`validateRequest`,
 * `checkPayment`); the JSON forms and the bodies of outcomes keep the messages of the library.
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

/** The members of every report. */
export interface ReportBase {
  /** The variant of the body; null if `payment_type` could not be read. */
  readonly variant: PaymentType | null;
  /** The mode of the body; null if it could not be read. For a payment: `CRYPTO`, or null. */
  readonly mode: Mode | null;
  /** True if the body requests host-to-host mode; for a payment, if it has `info`. */
  readonly host2host: boolean;
  /** The violations, in the order of the fields in §2.2 (§2.1 for a payment), at most `limits.violations` of the policy. */
  readonly violations: readonly Violation[];
  /** Present only if there are more violations than listed. */
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

/** All violations of a body with a summary. `valid` is true if no violation has severity `error`. */
export type Report = ValidReport | InvalidReport;

/** The entry of one code in the catalog, or the union over several. */
export type RuleOf<Code extends ViolationCode> = Code extends ViolationCode
  ? {
      readonly code: Code;
      /** The severity if the policy sets no other. */
      readonly severity: Exclude<Severity, "off">;
      readonly source: Source;
      /** The message in English; `{name}` is a placeholder for a parameter. */
      readonly summary: string;
      /** The names of the parameters that its violations may have. */
      readonly params: readonly (ViolationParams[Code] extends object ? ParamName<ViolationParams[Code]> : never)[];
    }
  : never;

/** The names of the members of each form of the parameters. */
export type ParamName<Params> = Params extends object ? keyof Params : never;

/** An entry of the catalog of violation codes. */
export type Rule = RuleOf<ViolationCode>;

/** The answer of `rules`. */
export interface Rules {
  readonly rules: readonly Rule[];
}

/** An entry of the decision register. */
export interface Decision {
  readonly id: DecisionId;
  /** The section of the specification that leaves it open. */
  readonly source: Source;
  /** The open question. */
  readonly open: string;
  /** The behavior of the library. */
  readonly decision: string;
  /** The policy members, or other inputs, that change the behavior. */
  readonly changed_by: readonly string[];
}

/** The answer of `decisions`. */
export interface Decisions {
  readonly decisions: readonly Decision[];
}
