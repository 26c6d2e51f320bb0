// The policy, the first argument of `new Engine`. Every setting has a default; unknown members are rejected.

import type { Maybe } from "./request.js";
import type { FixedCode, ViolationCode } from "./violations.js";
import type { Rounding, Severity, State } from "./values.js";

/** A member of the creation request (§2.2) by its JSON Pointer. */
export type RequestPointer =
  | "/payment_type"
  | "/mode"
  | "/cur"
  | "/amount"
  | "/subtype"
  | "/merchant_id"
  | "/user_id"
  | "/user_name"
  | "/callback"
  | "/redirect_url"
  | "/bank_name"
  | "/host2host"
  | "/description"
  | "/time_to_complete_payment"
  | "/pay_out_details"
  | "/pay_in_details"
  | "/system"
  | "/pay_out_details/bank_name"
  | "/pay_out_details/full_name"
  | "/pay_out_details/card_number"
  | "/pay_out_details/phone_number"
  | "/pay_in_details/card"
  | "/pay_in_details/bank_name"
  | "/pay_in_details/card/card_holder"
  | "/pay_in_details/card/card_number"
  | "/pay_in_details/card/expiry_year"
  | "/pay_in_details/card/expiry_month"
  | "/pay_in_details/card/security_code";

/** Bounds of an amount, inclusive, in units of its currency. */
export interface AmountBounds {
  readonly min?: Maybe<string>;
  readonly max?: Maybe<string>;
}

/** Bounds of a whole number, inclusive. */
export interface IntegerRange {
  readonly min?: Maybe<number>;
  readonly max?: Maybe<number>;
}

/** Sizes, lengths, and bounds (D14, D15). */
export interface Limits {
  /** The largest body, in bytes. Default 65536. */
  readonly body_bytes?: Maybe<number>;
  /** The deepest nesting of objects and arrays, in levels; the body itself is 1. Default 16. */
  readonly depth?: Maybe<number>;
  /** The largest number of violations in a report. Default 64. */
  readonly violations?: Maybe<number>;
  /** The longest free text, in Unicode scalar values. Default 255. */
  readonly text_chars?: Maybe<number>;
  /** The longest description, in Unicode scalar values. Default 1024. */
  readonly description_chars?: Maybe<number>;
  /** The longest URI, in bytes. Default 2048. */
  readonly uri_bytes?: Maybe<number>;
  /** Bounds of the amount by currency (ISO 4217). Default none. */
  readonly amount?: Maybe<{ readonly [currency: string]: AmountBounds }>;
  /** Bounds of `time_to_complete_payment`. Default 1 to 2^53-1. */
  readonly time_to_complete_payment?: Maybe<IntegerRange>;
}

/** Accepted URIs (D6). */
export interface Urls {
  /** The accepted schemes, in lower case. Default https and http. */
  readonly schemes?: Maybe<readonly string[]>;
}

/** Conversion to USDT (D20). */
export interface CryptoPolicy {
  /** Fraction digits of amounts in USDT, 0 to 18. Default 6. */
  readonly scale?: Maybe<number>;
  /** Default half_even. */
  readonly rounding?: Maybe<Rounding>;
  /** The largest age of a quote, in milliseconds. Default 60000. */
  readonly max_quote_age_ms?: Maybe<number>;
}

/** The idempotency window (§8, D18). */
export interface IdempotencyPolicy {
  /** The period in which a repeated request returns the first payment, in milliseconds. Default 1000. */
  readonly window_ms?: Maybe<number>;
}

/**
 * The settings of the caller for an engine. Every member is optional; null is the default.
 *
 * @example
 * const policy: Policy = {
 *   severity: { card_number_checksum: "warning" },
 *   required: ["/merchant_id"],
 *   limits: { amount: { RUB: { min: "10", max: "500000" } } },
 *   urls: { schemes: ["https"] },
 * };
 */
export interface Policy {
  /** Severities that differ from those of the rules. */
  readonly severity?: Maybe<{ readonly [Code in Exclude<ViolationCode, FixedCode>]?: Severity }>;
  /** Additional required members of a request, in the variant that has them (D5). */
  readonly required?: Maybe<readonly RequestPointer[]>;
  readonly limits?: Maybe<Limits>;
  /** The accepted currencies (ISO 4217). Default all. */
  readonly currencies?: Maybe<readonly string[]>;
  readonly urls?: Maybe<Urls>;
  readonly crypto?: Maybe<CryptoPolicy>;
  readonly idempotency?: Maybe<IdempotencyPolicy>;
  /** The status of `invalid_request` (D12). Default 422. */
  readonly invalid_request_status?: Maybe<400 | 422>;
  /** The secret key of fingerprints, in hex (D8). Use it on servers only, never in a page. */
  readonly fingerprint_key?: Maybe<string>;
  /** The allowed transitions (D7): `open` (the default), `conventional`, or only the listed pairs. */
  readonly transitions?: Maybe<"open" | "conventional" | readonly (readonly [from: State, to: State])[]>;
}

/** The same members, all required and not null. */
export type Settled<Members> = { readonly [Member in keyof Members]-?: NonNullable<Members[Member]> };

/** The policy of an engine, including default values. */
export interface PolicyInForce
  extends Omit<Settled<Policy>, "limits" | "urls" | "crypto" | "idempotency" | "currencies" | "fingerprint_key"> {
  readonly limits: Omit<Settled<Limits>, "time_to_complete_payment"> & { readonly time_to_complete_payment: Settled<IntegerRange> };
  /** Absent if all currencies are accepted. */
  readonly currencies?: readonly string[];
  readonly urls: Settled<Urls>;
  readonly crypto: Settled<CryptoPolicy>;
  readonly idempotency: Settled<IdempotencyPolicy>;
  /** Always null: the key is never returned. To build a keyed engine from this policy, set it again. */
  readonly fingerprint_key: null;
}
