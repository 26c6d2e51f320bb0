// Outcomes: the status and the body to send unchanged, discriminated by `status`, problems also by `code`.

import type { Advanced, NewPayment, Payment } from "./payment.js";
import type { ProblemStatus } from "./tables.js";
import type { Violation } from "./violations.js";

export type { ProblemStatus } from "./tables.js";

/** The code of a problem. */
export type ProblemCode = keyof ProblemStatus;

/** Problems with the violations of the body. */
export type BodyProblemCode = "malformed_json" | "body_too_large" | "invalid_request";

/** A code as the end of a URN: `quote-stale`. */
export type Hyphenated<Text extends string> = Text extends `${infer Word}_${infer Rest}`
  ? `${Word}-${Hyphenated<Rest>}`
  : Text;

/** The members of every problem (RFC 9457). */
export interface ProblemBase<Code extends ProblemCode> {
  readonly type: `urn:payspec:problem:${Hyphenated<Code>}`;
  /** The title, the same for every problem of the code. */
  readonly title: string;
  readonly status: ProblemStatus[Code];
  readonly code: Code;
  /** The explanation in English, or the reason supplied by the caller. */
  readonly detail: string;
  /** True if the same request can succeed later without a change. */
  readonly retryable: Code extends RetryableCode ? true : false;
}

/** Problems after which the same request can succeed later. */
export type RetryableCode = "idempotency_in_progress" | "quote_missing" | "quote_stale";

/** The additional member of `idempotency_conflict`. */
export interface ExistingPayment {
  /** The uid of the payment that the same request has created; absent if the body is not the same. */
  readonly uid?: string;
}

/** The violations of an invalid body. */
export interface BodyFindings {
  readonly violations: readonly Violation[];
  /** Present only if there are more violations than listed. */
  readonly truncated?: true;
}

/** The problem of one code, or the union over several. */
export type ProblemOf<Code extends ProblemCode> = Code extends ProblemCode
  ? ProblemBase<Code> &
      (Code extends "idempotency_conflict" ? ExistingPayment : { readonly uid?: never }) &
      (Code extends BodyProblemCode ? BodyFindings : { readonly violations?: never })
  : never;

/** The body of an unsuccessful response (RFC 9457, D12). */
export type Problem = ProblemOf<ProblemCode>;

/** The outcome with a problem of one code, or the union over several. */
export type ProblemOutcome<Code extends ProblemCode> = Code extends ProblemCode
  ? {
      readonly status: ProblemStatus[Code];
      readonly body: ProblemOf<Code>;
    } & (Code extends "unauthorized" ? Challenge : { readonly www_authenticate?: never })
  : never;

/** The additional member of a 401. */
export interface Challenge {
  /** The value of the WWW-Authenticate header (RFC 6750 §3). */
  readonly www_authenticate: "Bearer" | "Bearer error=\"invalid_token\"";
}

/** The problems of 455: the payment cannot be processed (§4.1). */
export type QuoteProblemCode =
  | "quote_missing"
  | "quote_mismatch"
  | "quote_stale"
  | "amount_too_small"
  | "amount_too_large";

/** The problems of a creation request. */
export type CreateProblemCode =
  | BodyProblemCode
  | QuoteProblemCode
  | "unauthorized"
  | "invalid_idempotency_key"
  | "idempotency_conflict"
  | "idempotency_key_reused"
  | "idempotency_in_progress"
  | "charges_exceed_amount"
  | "refused";

/** The members of every 201. */
export interface CreatedBase {
  readonly status: 201;
  /** The fingerprint to store with the payment; present if the context has `idempotency`. */
  readonly fingerprint?: string;
  /** Warnings about the body, for the log of the caller; they are not sent to the client. Absent if the list is empty. */
  readonly warnings?: readonly Violation[];
}

/** 201 with a new payment, which the caller stores. */
export interface Created extends CreatedBase {
  readonly body: NewPayment;
  readonly replayed: false;
}

/** 201 with the payment stored for the same request, unchanged. */
export interface Replayed<Stored extends object = Payment> extends CreatedBase {
  readonly body: Stored;
  readonly replayed: true;
  readonly fingerprint: string;
}

/** The outcome of `POST /v1/payments/new`: 201, 400, 401, 409, 413, 422 or 455. */
export type CreateOutcome<Stored extends object = Payment> =
  | Created
  | Replayed<Stored>
  | ProblemOutcome<CreateProblemCode>;

/** 200 with a stored or computed object. */
export interface Found<Answer extends object> {
  readonly status: 200;
  readonly body: Answer;
}

/** The outcome of `GET /v1/payments/{uid}/status`: 200, 401 or 404. */
export type ReadOutcome<Stored extends object = Payment> =
  | Found<Stored>
  | ProblemOutcome<"unauthorized" | "payment_not_found">;

/** The outcome of `GET /v1/partner/balance`: 200 or 401. */
export type BalanceOutcome<Own extends object> = Found<Own> | ProblemOutcome<"unauthorized">;

/** A fiat amount in USDT (§1.4); the amounts are decimal texts. */
export interface Conversion {
  /** In USDT, with `crypto.scale` fraction digits of the policy. */
  readonly amount: string;
  readonly currency: "USDT";
  /** The unchanged input, in `requested_currency`. */
  readonly requested_amount: string;
  readonly requested_currency: string;
  /** The price of 1 USDT, unchanged. */
  readonly rate: string;
}

/** The answer of `convert`: 200 or 455. */
export type ConvertOutcome = Found<Conversion> | ProblemOutcome<QuoteProblemCode>;

/** The answer of `advancePayment`: 200 with the changed payment, or 409. */
export type AdvanceOutcome<Stored extends object = Payment> =
  | Found<Advanced<Stored>>
  | ProblemOutcome<"transition_refused">;
