// Answers that are neither reports nor outcomes: tables, verdicts, migrated bodies.

import type { ProblemOutcome } from "./outcomes.js";
import type { StateRows, TransitionVerdict, WebhookRejection } from "./tables.js";
import type { InvalidReport } from "./violations.js";
import type { CardScheme, JsonObject, JsonPointer, JsonValue, Source, State, StateOutcome } from "./values.js";

export type { StateRows, TransitionVerdict, WebhookRejection } from "./tables.js";

/** An answer about a body, or the report of an invalid body. Only the report has `valid`, which is false. */
export type AnswerOrReport<Answer> = (Answer & { readonly valid?: never }) | InvalidReport;

/** The amounts of a payment that are processed: in USDT in mode CRYPTO (§1.4). */
export type ProcessedAmount =
  | "amount"
  | "total"
  | "net_processed"
  | "fee"
  | "commission"
  | "gross_amount"
  | "shared_commission"
  | "paid_amount";

/** The amounts that stay in the client's currency (§1.4). */
export type RequestedAmount = "requested_amount" | "client_amount";

/** A payment in USDT: the currency of each amount. */
export interface CryptoCurrencies {
  readonly crypto: true;
  readonly fields: { readonly [Amount in ProcessedAmount]: "USDT" } & { readonly [Amount in RequestedAmount]: string };
}

/** A payment in fiat: the currency of each amount (ISO 4217). */
export interface FiatCurrencies {
  readonly crypto: false;
  readonly fields: { readonly [Amount in ProcessedAmount | RequestedAmount]: string };
}

/** The answer of `fieldCurrencies`. */
export type FieldCurrencies = AnswerOrReport<CryptoCurrencies | FiatCurrencies>;

/** The answer of `fingerprintRequest`: SHA-256 (HMAC under `fingerprint_key`) of the canonical body, in hex. */
export type Fingerprint = AnswerOrReport<{ readonly fingerprint: string }>;

/** The successor of a legacy `idempotency_key`: the header that contains the key (D8). */
export type IdempotencyKeyHeader = "Idempotency-Key header";

/** A change of a body, by JSON Pointers into the old and the new one. A moved `idempotency_key` is in a header. */
export type Change =
  | { readonly kind: "renamed"; readonly from: JsonPointer; readonly to: JsonPointer }
  | { readonly kind: "moved"; readonly from: JsonPointer; readonly to: JsonPointer | IdempotencyKeyHeader }
  | { readonly kind: "removed"; readonly from: JsonPointer; readonly to: null }
  | { readonly kind: "added"; readonly from: null; readonly to: JsonPointer }
  | { readonly kind: "derived"; readonly from: JsonPointer | null; readonly to: JsonPointer };

/** The kind of a change. */
export type ChangeKind = Change["kind"];

/** A member that cannot be migrated from the body alone. */
export interface Unresolved {
  readonly path: JsonPointer;
  readonly reason: string;
}

/** A body migrated to or from the legacy API (§9.2), or the report of a body that is not a JSON object. */
export type MigratedBody = AnswerOrReport<{
  readonly body: JsonObject;
  readonly changes: readonly Change[];
  /** Members that need a manual decision. */
  readonly unresolved: readonly Unresolved[];
  /** The key for the header Idempotency-Key, if a legacy request contained one. */
  readonly idempotency_key?: string;
}>;

/**
 * The answer of `redact`: the body, safe to log, or the report of a body that is not JSON. Both may be logged. They cannot
 * be distinguished, since a body may have a member `valid` too.
 */
export type Redacted = JsonObject | InvalidReport;

/** The range of bytes in a body, its end excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The location of a value in a body. */
export interface FoundLocation extends ByteRange {
  /** The line of `start`, from 1. */
  readonly line: number;
  /** The column of `start`, from 1, in characters. */
  readonly column: number;
  /** The name of the member, quotes included; null if the value is not the value of a member. */
  readonly name: ByteRange | null;
  readonly found?: never;
}

/** The answer of `locate`. `found` is false if the body is not JSON or has no such value. */
export type Location = FoundLocation | { readonly found: false };

/** The token of an Authorization header. The caller decides if it is accepted. */
export interface Bearer {
  readonly authorized: true;
  readonly token: string;
  readonly status?: never;
}

/** The answer of `authorize`: the token, or the outcome to send. */
export type AuthorizeAnswer = Bearer | (ProblemOutcome<"unauthorized"> & { readonly authorized?: never });

/** A valid idempotency key, or null if the header is absent. */
export interface IdempotencyKey {
  /** The key, without the quotes and escapes of the header. */
  readonly key: string | null;
  readonly status?: never;
}

/** The answer of `idempotencyKey`: the key, or the response to send instead. */
export type IdempotencyKeyAnswer = IdempotencyKey | (ProblemOutcome<"invalid_idempotency_key"> & { readonly key?: never });

/** The answer of `signWebhook`: the headers to send with the body. */
export interface SignedWebhook {
  readonly headers: {
    readonly "webhook-id": string;
    /** Whole seconds since 1970. */
    readonly "webhook-timestamp": string;
    /** A `v1` signature for each secret and a `v1a` signature for each private key, separated by a space. */
    readonly "webhook-signature": string;
  };
}

/** The answer of `verifyWebhook`. */
export type WebhookVerification =
  | { readonly verified: true; readonly reason?: never }
  | { readonly verified: false; readonly reason: WebhookRejection };

/** The answer of `checkTransition`. */
export interface Transition {
  /** Allowed by the policy; rejected; not specified, and therefore possible; the same state. */
  readonly verdict: TransitionVerdict;
  readonly reason: string;
  /** The source of the verdict; `policy` if `transitions` is a list. */
  readonly source: Source | "policy";
}

/** The booleans of the legacy API that represent the state (§9.2, D25). */
export interface LegacyFlags<Completed extends boolean, Succeed extends boolean, Partially extends boolean> {
  readonly isCompleted: Completed;
  readonly isSucceed: Succeed;
  readonly isPartiallyCompleted: Partially;
}

/** A row of the table of states. */
export interface StateRowOf<
  Of extends State,
  Final extends boolean,
  Means extends StateOutcome,
  Flags extends LegacyFlags<boolean, boolean, boolean>,
> {
  readonly state: Of;
  readonly final: Final;
  readonly outcome: Means;
  /** The closest booleans of the legacy API. */
  readonly legacy: Flags;
}

/** A row, discriminated by its state. */
export type StateRow = StateRows[number];

/** The answer of `states`. */
export interface States {
  readonly states: StateRows;
}

/** The answer of `checkIdempotency` (§8), discriminated by its verdict. `age_ms` is in whole milliseconds, rounded down. */
export type IdempotencyAnswer =
  /** Nothing is stored under the key: create the payment. */
  | { readonly verdict: "new"; readonly status: 201; readonly age_ms: null }
  /** The same request within the window: return the stored payment. */
  | { readonly verdict: "replay"; readonly status: 201; readonly age_ms: number }
  /** The first payment is older than the window; the request is another one; the payment is not stored yet. */
  | { readonly verdict: "conflict" | "mismatch" | "in_progress"; readonly status: 409; readonly age_ms: number }
  /** Not 1 to 255 visible ASCII characters. */
  | { readonly verdict: "invalid_key"; readonly status: 400; readonly age_ms: null };

/** The verdict on an idempotency key. */
export type IdempotencyVerdict = IdempotencyAnswer["verdict"];

/** A request that exactly one of two policies accepts. */
export interface PolicyWitness {
  /** The text of the body. It contains no data of a client. */
  readonly body: string;
  /** The time of the validation, if the difference depends on it. */
  readonly now?: string;
}

/** One difference between two policies, discriminated by its change. */
export type PolicyDifference =
  /** `wider`: the second policy accepts a request that breaks a rule of the first one; `narrower`: the reverse. */
  | {
      readonly path: JsonPointer;
      readonly change: "wider" | "narrower";
      /** Absent only if the body would have more than 1 MiB. */
      readonly witness?: PolicyWitness;
    }
  /** The difference does not decide which requests are accepted. */
  | { readonly path: JsonPointer; readonly change: "other"; readonly witness?: never };

/** The relation between the sets of requests that two policies accept. */
export type PolicyRelation = "equal" | "wider" | "narrower" | "incomparable";

/** The answer of `comparePolicies`. */
export interface PolicyComparison {
  /** `wider`: the second policy accepts every request that the first one accepts, and others. */
  readonly relation: PolicyRelation;
  /** In the order of the members of a policy. A list with replaced items can have two entries. */
  readonly differences: readonly PolicyDifference[];
}

/** The members of every answer of `cardInfo`. */
export interface CardInfoBase {
  /** The possible lengths of the complete number, in ascending order. */
  readonly lengths: readonly number[];
  /** The positions of the gaps if the number is displayed in groups. */
  readonly gaps: readonly number[];
  /** True if the digits are a card number, or can become one. */
  readonly possible: boolean;
  /** True if the digits are a card number: the length fits the scheme, and the check digit is correct. */
  readonly valid: boolean;
  /**
   * The masked digits, of which the first six and the last four are readable: `411111******1111`. If the input is not
   * digits: a star for each character, or six stars if it is longer than a card number.
   */
  readonly masked: string;
}

/** A card of a known scheme. */
export interface KnownCard extends CardInfoBase {
  readonly scheme: CardScheme;
  /** The name of the scheme's security code, and its number of digits. */
  readonly code: { readonly name: "CVV" | "CVC" | "CID" | "CVP2" | "CVN" | "CAV" | "CVE"; readonly length: 3 | 4 };
}

/** A card of unknown scheme, or a scheme that a further digit could change. */
export interface UnknownCard extends CardInfoBase {
  readonly scheme: null;
  readonly code: null;
}

/** The answer of `cardInfo`. */
export type CardInfo = KnownCard | UnknownCard;

/** The answer of `openapi`: an OpenAPI 3.1 document of the three endpoints. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly tags: readonly JsonObject[];
  readonly security: readonly JsonObject[];
  readonly paths: { readonly [path: `/${string}`]: JsonObject };
  readonly components: { readonly [kind: string]: JsonObject };
  readonly [member: `x-${string}`]: JsonValue;
}
