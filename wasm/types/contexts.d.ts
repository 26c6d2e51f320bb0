// Contexts, supplied by the caller: the time, a new uid, the rate, the stored record.

import type { Payment, StoredPayment } from "./payment.js";
import type { Policy } from "./policy.js";
import type { Maybe } from "./request.js";
import type { JsonValue, State, TimestampInput } from "./values.js";

/** The credential of a request (§5). With an invalid header, or one that is not accepted, the outcome is 401. */
export interface AuthorizationHeader {
  /** The value of the Authorization header; null if the request has none. */
  readonly header: string | null;
  /** True if the caller accepts its token. */
  readonly accepted: boolean;
}

/** The authorization of a request: its header, or "checked_by_caller" if the caller has checked the credential. */
export type Authorization = AuthorizationHeader | "checked_by_caller";

/** A stored payment: at least its uid. */
export interface Identified {
  readonly uid: string;
}

/** The price of 1 USDT in a fiat currency (§1.4). */
export interface Quote {
  /** The fiat currency (ISO 4217). */
  readonly currency: string;
  /** The price of 1 USDT in it: a decimal text greater than zero, at most 28 digits. */
  readonly rate: string;
  /** The time of the price. */
  readonly as_of: TimestampInput;
}

/** A quote whose age is not checked. */
export interface UndatedQuote extends Omit<Quote, "as_of"> {
  readonly as_of?: Maybe<TimestampInput>;
}

/** Fee and commissions in the currency of the request, as decimal texts. Default zero. */
export interface Charges {
  readonly fee?: Maybe<string>;
  readonly commission?: Maybe<string>;
  /** A part of `commission`, so at most that amount. */
  readonly shared_commission?: Maybe<string>;
}

/** The record stored under an idempotency key. */
export interface IdempotencyRecord<Stored extends Identified = Payment> {
  /** The time of the first request. */
  readonly created_at: TimestampInput;
  /** The `fingerprint` of its answer. */
  readonly fingerprint: string;
  /** The payment created from it; null while the first request is in progress. */
  readonly payment?: Maybe<Stored>;
}

/** The idempotency key of a request, and the record under it (§8). */
export interface IdempotencyLookup<Stored extends Identified = Payment> {
  /** The key as returned by `idempotencyKey`: 1 to 255 visible ASCII characters (D8). */
  readonly key: string;
  /** The stored record; null if nothing is stored. */
  readonly existing: IdempotencyRecord<Stored> | null;
}

/** Further members of `info`, supplied by the caller. */
export interface InfoDetails {
  readonly [member: string]: JsonValue;
}

/** The context of `POST /v1/payments/new` (§4.1). */
export interface CreateContext<Stored extends Identified = Payment> {
  /** The new payment's identifier: a UUID that no payment has yet. */
  readonly uid: string;
  /** The time of the request. */
  readonly now: TimestampInput;
  /** The address at which the payer completes or views the payment. */
  readonly url?: Maybe<string>;
  /** The form type, such as `acquiring.card`. */
  readonly form?: Maybe<string>;
  /** The merchant, if the body has no `merchant_id`. */
  readonly merchant_id?: Maybe<string>;
  readonly authorization: Authorization;
  readonly idempotency?: Maybe<IdempotencyLookup<Stored>>;
  /** The rate; required in mode CRYPTO. */
  readonly quote?: Maybe<Quote>;
  readonly charges?: Maybe<Charges>;
  /**
   * Further members of the answer's `info` in host-to-host mode, such as the bank, the recipient or the text of a QR code.
   * They follow `type` and `card_number`, which the library writes. A card number must be masked.
   */
  readonly info?: Maybe<InfoDetails>;
  /** If set, the payment is declined with 455 and this text as `detail`. */
  readonly refusal?: Maybe<string>;
  /** The merchants that the credential may act for; another `merchant_id` in the body is `merchant_not_allowed` (D28). */
  readonly allowed_merchant_ids?: Maybe<readonly string[]>;
}

/** The context of `GET /v1/payments/{uid}/status` (§4.2). */
export interface ReadContext<Stored extends Identified = Payment> {
  /** The identifier from the path: any text. */
  readonly uid: string;
  /** The stored payment with this uid, which is returned unchanged; null if it does not exist. */
  readonly payment: Stored | null;
  readonly authorization: Authorization;
}

/** A balance: at least its currency (§2.3). */
export interface Balance {
  readonly cur: string;
}

/** The context of `GET /v1/partner/balance` (§4.3). */
export interface BalanceContext<Own extends Balance = Balance> {
  /** The balance, which is returned unchanged. */
  readonly balance: Own;
  readonly authorization: Authorization;
}

/** An amount to convert, without a clock. */
export interface UndatedConvertContext {
  /** A decimal text in units of `currency`. */
  readonly amount: string;
  /** A fiat currency (ISO 4217). */
  readonly currency: string;
  readonly quote?: Maybe<UndatedQuote>;
  readonly now?: Maybe<never>;
}

/** An amount to convert; the quote's age is measured against `now`. */
export interface DatedConvertContext extends Omit<UndatedConvertContext, "quote" | "now"> {
  readonly quote?: Maybe<Quote>;
  readonly now: TimestampInput;
}

/** A fiat amount to convert to USDT (§1.4). With `now`, the quote must be dated and fresh. */
export type ConvertContext = UndatedConvertContext | DatedConvertContext;

/** A stored payment and its change (§3, D26). */
export interface AdvanceContext<Stored extends StoredPayment = Payment> {
  readonly payment: Stored;
  /** The new state. */
  readonly to: State;
  /** The time of the change. */
  readonly at: TimestampInput;
  /** The amount paid, in the currency of the payment; with `not_fully` (required), `completed` and `correction`. */
  readonly paid_amount?: Maybe<string>;
  /** The new amount, in the currency of the payment; with `correction`. */
  readonly amount?: Maybe<string>;
  /** The party responsible for the failure; with `fail` (required). */
  readonly fail_by?: Maybe<string>;
  /** The reason of the failure; with `fail` (required). */
  readonly fail_code?: Maybe<string>;
  /** URIs of receipts, added to those of the payment. */
  readonly receipts?: Maybe<readonly string[]>;
}

/** A transition between two states. */
export interface TransitionContext {
  readonly from: State;
  readonly to: State;
}

/** Two policies to compare. A policy that is absent or null is the default one. */
export interface ComparePoliciesContext {
  readonly before?: Maybe<Policy>;
  readonly after?: Maybe<Policy>;
}

/** The members of every idempotency context. */
export interface IdempotencyContextBase {
  /** The time of the request. */
  readonly now: TimestampInput;
  /** The key; if given, its syntax is checked as well. */
  readonly key?: Maybe<string>;
}

/** A key under which nothing is stored. */
export interface FreshIdempotencyContext extends IdempotencyContextBase {
  readonly fingerprint?: Maybe<string>;
  readonly existing?: Maybe<never>;
}

/** A key under which something is stored. */
export interface RepeatedIdempotencyContext<Stored extends Identified = Payment> extends IdempotencyContextBase {
  /** The fingerprint of the request, from `fingerprintRequest`. */
  readonly fingerprint: string;
  readonly existing: Maybe<IdempotencyRecord<Stored>>;
}

/** A repeated key (§8). The fingerprint is required if something is stored. */
export type IdempotencyContext<Stored extends Identified = Payment> =
  | FreshIdempotencyContext
  | RepeatedIdempotencyContext<Stored>;

/** A webhook to sign. */
export interface SignWebhookContext {
  /** Identifies the webhook in every attempt: visible ASCII characters without a full stop. */
  readonly id: string;
  /** The time of the attempt. */
  readonly timestamp: TimestampInput;
  /** `whsec_` and base64 each, at least one; the webhook gets a signature for each of them. */
  readonly secrets: readonly string[];
}

/** The headers of a webhook as members. */
export interface WebhookHeaderFields {
  readonly [name: string]: string | readonly string[] | null | undefined;
}

/** Headers, a Map, or another object with names and values as entries. */
export interface HeaderEntries {
  /** Returns true if there is a header with this name. */
  has(name: string): boolean;
  /** Calls a function for each header. */
  forEach(visit: (value: string, name: string) => void): void;
}

/** A webhook that was received. */
export interface VerifyWebhookContext {
  /**
   * The headers of the request, their names in any case: a plain object, `request.headers` of Node.js, Headers, or a Map.
   * Others than `webhook-id`, `webhook-timestamp`, and `webhook-signature` are ignored. An array holds the values of a header
   * that was sent several times.
   */
  readonly headers: WebhookHeaderFields | HeaderEntries;
  /** Secrets or public keys (`whpk_`), at least one; a signature of any of them is accepted. */
  readonly secrets: readonly string[];
  /** The time of the check. */
  readonly now: TimestampInput;
  /** The largest accepted difference between `webhook-timestamp` and `now` in seconds. Default 300. */
  readonly tolerance_s?: Maybe<number>;
}
