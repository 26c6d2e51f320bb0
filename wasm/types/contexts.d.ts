// What the host itself brings to a call: the time, a new uid, the rate, what it has stored.

import type { Payment, StoredPayment } from "./payment.js";
import type { Maybe } from "./request.js";
import type { Instant, State } from "./words.js";

/**
 * The credential (§5). Leave it out where the host has checked it: null is refused, and so is a member that is there and
 * undefined, which a forgotten header may be.
 */
export interface Authorization {
  /** The value of the Authorization header; absent where the request had none. */
  readonly header?: Maybe<string>;
  /** Whether the host accepts its token. Default false. */
  readonly accepted?: Maybe<boolean>;
}

/** The price of 1 USDT in a fiat currency (§1.4). */
export interface Quote {
  /** The fiat currency (ISO 4217). */
  readonly currency: string;
  /** What 1 USDT costs in it: a decimal text above zero, at most 28 digits. */
  readonly rate: string;
  /** When the price held. */
  readonly as_of: Instant;
}

/** A quote that no clock is held against. */
export interface UndatedQuote extends Omit<Quote, "as_of"> {
  readonly as_of?: Maybe<Instant>;
}

/** Fee and commissions in the currency of the request, as decimal texts. Default zero. */
export interface Charges {
  readonly fee?: Maybe<string>;
  readonly commission?: Maybe<string>;
  /** A part of `commission`, so no more than it. */
  readonly shared_commission?: Maybe<string>;
}

/** What the host has stored under an idempotency key. */
export interface Existing<Stored extends object = Payment> {
  /** When the first request came. */
  readonly created_at: Instant;
  /** The `fingerprint` of its answer. */
  readonly fingerprint: string;
  /** The payment made of it; null while it is still being made. */
  readonly payment?: Maybe<Stored>;
}

/** A request's idempotency key, and what is stored under it (§8). */
export interface Idempotency<Stored extends object = Payment> {
  /** The key as the client sent it: 1 to 255 visible ASCII characters (D8). */
  readonly key: string;
  readonly existing?: Maybe<Existing<Stored>>;
}

/** What the host brings to `POST /v1/payments/new` (§4.1). */
export interface CreateContext<Stored extends object = Payment> {
  /** The new payment's identifier: a UUID that no payment has yet. */
  readonly uid: string;
  /** The time of the request. */
  readonly now: Instant;
  /** Where the payer completes or views the payment. */
  readonly url?: Maybe<string>;
  /** The form type, such as `acquiring.card`. */
  readonly form?: Maybe<string>;
  /** The merchant, where the body names none. */
  readonly merchant_id?: Maybe<string>;
  readonly authorization?: Authorization;
  readonly idempotency?: Maybe<Idempotency<Stored>>;
  /** The rate; needed in mode CRYPTO. */
  readonly quote?: Maybe<Quote>;
  readonly charges?: Maybe<Charges>;
  /** The host's own no, with its reason, which the client reads. */
  readonly refusal?: Maybe<string>;
}

/** What the host brings to `GET /v1/payments/{uid}/status` (§4.2). */
export interface ReadContext<Stored extends object = Payment> {
  /** The identifier from the path, whatever it is. */
  readonly uid: string;
  /** The stored payment, which goes out as it stands; null where there is none. */
  readonly payment: Stored | null;
  readonly authorization?: Authorization;
}

/** A balance: at least its currency (§2.3). */
export interface Balance {
  readonly cur: string;
}

/** What the host brings to `GET /v1/partner/balance` (§4.3). */
export interface BalanceContext<Own extends Balance = Balance> {
  /** The balance, which goes out as it stands. */
  readonly balance: Own;
  readonly authorization?: Authorization;
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
  readonly now: Instant;
}

/** A fiat amount to convert to USDT (§1.4). With `now`, the quote must be dated and fresh. */
export type ConvertContext = UndatedConvertContext | DatedConvertContext;

/** A stored payment and what happened to it (§3, D26). */
export interface AdvanceContext<Stored extends StoredPayment = Payment> {
  readonly payment: Stored;
  /** The state that it goes to. */
  readonly to: State;
  /** When that happened. */
  readonly at: Instant;
  /** What was paid, in the payment's currency; with `not_fully` (required), `completed` and `correction`. */
  readonly paid_amount?: Maybe<string>;
  /** The new amount, in the payment's currency; with `correction`. */
  readonly amount?: Maybe<string>;
  /** Who is responsible; with `fail` (required). */
  readonly fail_by?: Maybe<string>;
  /** Why it failed; with `fail` (required). */
  readonly fail_code?: Maybe<string>;
  /** Addresses of receipts, added to those that the payment has. */
  readonly receipts?: Maybe<readonly string[]>;
}

/** A step from one state to another. */
export interface TransitionContext {
  readonly from: State;
  readonly to: State;
}

/** What every idempotency context has. */
export interface IdempotencyContextBase {
  /** The time of the request. */
  readonly now: Instant;
  /** The key, where its syntax is to be judged too. */
  readonly key?: Maybe<string>;
}

/** A key under which nothing is stored. */
export interface FreshIdempotencyContext extends IdempotencyContextBase {
  readonly fingerprint?: Maybe<string>;
  readonly existing?: Maybe<never>;
}

/** A key under which something is stored. */
export interface RepeatedIdempotencyContext extends IdempotencyContextBase {
  /** The request's fingerprint: `fingerprintRequest` tells it. */
  readonly fingerprint: string;
  readonly existing: Maybe<Existing<object>>;
}

/** A repeated key to be judged (§8). The fingerprint is needed where something is stored. */
export type IdempotencyContext = FreshIdempotencyContext | RepeatedIdempotencyContext;
