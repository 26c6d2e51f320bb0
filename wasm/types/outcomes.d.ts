// Outcomes: the status and the body to send as they are, told apart by `status`, problems further by `code`.

import type { Advanced, NewPayment, Payment } from "./payment.js";
import type { Violation } from "./violations.js";

/** Every problem code with its status. */
export interface ProblemStatus {
  /** The body is not one JSON text in UTF-8. */
  malformed_json: 400;
  /** Not 1 to 255 visible ASCII characters (D8). */
  invalid_idempotency_key: 400;
  /** No valid Bearer token (§5). */
  unauthorized: 401;
  /** There is no payment with this uid (§4.2). */
  payment_not_found: 404;
  /** The key's first payment is older than the window (§8). */
  idempotency_conflict: 409;
  /** The key belongs to another request. */
  idempotency_key_reused: 409;
  /** The key's first payment is still being created. */
  idempotency_in_progress: 409;
  /** The payment cannot go from its state to this one (D7). */
  transition_refused: 409;
  /** The body is over `limits.body_bytes` (D14). */
  body_too_large: 413;
  /** The body does not follow the interface; `invalid_request_status` of the policy sets the status (D12). */
  invalid_request: 400 | 422;
  /** There is no rate to convert at. */
  quote_missing: 455;
  /** The rate is that of another currency. */
  quote_mismatch: 455;
  /** The rate is too old, or ahead of the clock (D20). */
  quote_stale: 455;
  /** The amount converts to zero. */
  amount_too_small: 455;
  /** The amount has more digits than can be computed with exactly. */
  amount_too_large: 455;
  /** Fee and commission together are more than the amount. */
  charges_exceed_amount: 455;
  /** The host's own no. */
  refused: 455;
}

/** The code of a problem. */
export type ProblemCode = keyof ProblemStatus;

/** Problems that list what was found in the body. */
export type BodyProblemCode = "malformed_json" | "body_too_large" | "invalid_request";

/** A code as it ends a URN: `quote-stale`. */
export type Hyphenated<Text extends string> = Text extends `${infer Word}_${infer Rest}`
  ? `${Word}-${Hyphenated<Rest>}`
  : Text;

/** What every problem has (RFC 9457). */
export interface ProblemBase<Code extends ProblemCode> {
  readonly type: `urn:payspec:problem:${Hyphenated<Code>}`;
  /** The same for every problem of the code. */
  readonly title: string;
  readonly status: ProblemStatus[Code];
  readonly code: Code;
  /** What is wrong, in English, or the host's own reason. */
  readonly detail: string;
}

/** What was found in a body that is at fault. */
export interface BodyFindings {
  readonly violations: readonly Violation[];
  /** There only where more was found than is listed. */
  readonly truncated?: true;
}

/** The problem of one code, or the union over several. */
export type ProblemOf<Code extends ProblemCode> = Code extends ProblemCode
  ? ProblemBase<Code> & (Code extends BodyProblemCode ? BodyFindings : { readonly violations?: never })
  : never;

/** An answer that is no success, as a problem of RFC 9457 (D12). */
export type Problem = ProblemOf<ProblemCode>;

/** The outcome with a problem of one code, or the union over several. */
export type ProblemOutcome<Code extends ProblemCode> = Code extends ProblemCode
  ? {
      readonly status: ProblemStatus[Code];
      readonly body: ProblemOf<Code>;
    } & (Code extends "unauthorized" ? Challenge : { readonly www_authenticate?: never })
  : never;

/** What goes with a 401. */
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

/** What a 201 has, whichever payment it answers with. */
export interface CreatedBase {
  readonly status: 201;
  /** To be stored with the payment; there where the context has `idempotency`. */
  readonly fingerprint?: string;
  /** Warnings about the body, for the host's log: the client does not get them. Absent where there are none. */
  readonly warnings?: readonly Violation[];
}

/** 201 with a new payment, which the host stores. */
export interface Created extends CreatedBase {
  readonly body: NewPayment;
  readonly replayed: false;
}

/** 201 with the payment that was stored for the same request, as it stands. */
export interface Replayed<Stored extends object = Payment> extends CreatedBase {
  readonly body: Stored;
  readonly replayed: true;
  readonly fingerprint: string;
}

/** The answer to `POST /v1/payments/new`: 201, 400, 401, 409, 413, 422 or 455. */
export type CreateOutcome<Stored extends object = Payment> =
  | Created
  | Replayed<Stored>
  | ProblemOutcome<CreateProblemCode>;

/** 200 with what the host has stored or what was made of it. */
export interface Found<Answer extends object> {
  readonly status: 200;
  readonly body: Answer;
}

/** The answer to `GET /v1/payments/{uid}/status`: 200, 401 or 404. */
export type ReadOutcome<Stored extends object = Payment> =
  | Found<Stored>
  | ProblemOutcome<"unauthorized" | "payment_not_found">;

/** The answer to `GET /v1/partner/balance`: 200 or 401. */
export type BalanceOutcome<Own extends object> = Found<Own> | ProblemOutcome<"unauthorized">;

/** A fiat amount in USDT (§1.4); the amounts are decimal texts. */
export interface Conversion {
  /** In USDT, with `crypto.scale` fraction digits of the policy. */
  readonly amount: string;
  readonly currency: "USDT";
  /** In `requested_currency`, as it was given. */
  readonly requested_amount: string;
  readonly requested_currency: string;
  /** The price of 1 USDT, as it was given. */
  readonly rate: string;
}

/** The answer of `convert`: 200 or 455. */
export type ConvertOutcome = Found<Conversion> | ProblemOutcome<QuoteProblemCode>;

/** The answer of `advancePayment`: 200 with the moved payment, or 409. */
export type AdvanceOutcome<Stored extends object = Payment> =
  | Found<Advanced<Stored>>
  | ProblemOutcome<"transition_refused">;
