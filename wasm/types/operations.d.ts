// All operations, each in an object form and in a JSON form that creates no objects.

import type {
  AuthorizeAnswer,
  FieldCurrencies,
  Fingerprint,
  IdempotencyAnswer,
  IdempotencyKeyAnswer,
  Location,
  OpenApi,
  PolicyComparison,
  Redacted,
  MigratedBody,
  SignedWebhook,
  States,
  Transition,
  WebhookVerification,
} from "./answers.js";
import type { CheckoutOperations } from "./checkout-operations.js";
import type {
  AdvanceContext,
  Balance,
  BalanceContext,
  ComparePoliciesContext,
  ConvertContext,
  CreateContext,
  IdempotencyContext,
  Identified,
  ReadContext,
  SignWebhookContext,
  TransitionContext,
  VerifyWebhookContext,
} from "./contexts.js";
import type { AdvanceOutcome, BalanceOutcome, ConvertOutcome, CreateOutcome, ReadOutcome } from "./outcomes.js";
import type { Payment, StoredPayment } from "./payment.js";
import type { AnyBody, Body, Maybe, PaymentBody } from "./request.js";
import type { Decisions, Messages, Report } from "./violations.js";
import type { Json, PaymentType } from "./values.js";

/** Options of `checkPayment` besides the payment. */
export interface CheckOptions {
  /** The request that the payment must match. */
  readonly request?: Maybe<Body>;
  /** Texts for this call. They override those of the engine. */
  readonly messages?: Messages | undefined;
}

/** All operations. An invalid context is a caller error and throws a PayspecError. */
export interface Operations extends CheckoutOperations {
  /**
   * Returns the exact outcome of `POST /v1/payments/new` (§4.1): send `status` and `body` unchanged, store a new payment.
   *
   * @example
   * const outcome = engine.createPayment(body, { uid: crypto.randomUUID(), now: new Date(), authorization });
   * if (outcome.status === 201 && !outcome.replayed) store(outcome.body);
   * send(outcome.status, outcome.body);
   */
  createPayment<Stored extends Identified = Payment>(body: Body, context: CreateContext<Stored>): CreateOutcome<Stored>;
  /** {@link createPayment}, JSON in and JSON out. */
  createPaymentJson(body: Json, context: Json): string;

  /**
   * Returns the exact outcome of `GET /v1/payments/{uid}/status` (§4.2). The stored payment is returned unchanged.
   *
   * @example
   * const { status, body } = engine.readPayment({ uid, payment: stored ?? null, authorization });
   */
  readPayment<Stored extends Identified = Payment>(context: ReadContext<Stored>): ReadOutcome<Stored>;
  /** {@link readPayment}, JSON in and JSON out. */
  readPaymentJson(context: Json): string;

  /**
   * Returns the exact outcome of `GET /v1/partner/balance` (§4.3). The balance is returned unchanged.
   *
   * @example
   * const { status, body } = engine.readBalance({ balance: { cur: "RUB", available: "1500.00" }, authorization });
   */
  readBalance<Own extends Balance>(context: BalanceContext<Own>): BalanceOutcome<Own>;
  /** {@link readBalance}, JSON in and JSON out. */
  readBalanceJson(context: Json): string;

  /**
   * Checks a payment (§2.1, §3), and that it matches the request in the options. An unknown option throws a TypeError.
   *
   * @example
   * const report = engine.checkPayment(await response.text(), { request: sent });
   * if (!report.valid) throw new Error(report.violations[0]?.message);
   */
  checkPayment(body: PaymentBody, options?: CheckOptions): Report;
  /** {@link checkPayment}, JSON in and JSON out. */
  checkPaymentJson(body: Json, request?: Json | null): string;

  /**
   * Returns the currency of each amount of a payment (§1.4).
   *
   * @example
   * const answer = engine.fieldCurrencies(payment);
   * if (answer.valid !== false) console.log(answer.fields.amount, answer.fields.requested_amount); // USDT RUB
   */
  fieldCurrencies(body: PaymentBody): FieldCurrencies;
  /** {@link fieldCurrencies}, JSON in and JSON out. */
  fieldCurrenciesJson(body: Json): string;

  /**
   * Converts a fiat amount to USDT (§1.4, D20). The result is exact, and rounded once.
   *
   * @example
   * const outcome = engine.convert({ amount: "10000.00", currency: "RUB", quote: { currency: "RUB", rate: "92.45" } });
   * if (outcome.status === 200) console.log(outcome.body.amount); // 108.166577
   */
  convert(context: ConvertContext): ConvertOutcome;
  /** {@link convert}, JSON in and JSON out. */
  convertJson(context: Json): string;

  /**
   * Applies a transition to a stored payment, including the dependent members (§3, D26).
   *
   * @example
   * const outcome = engine.advancePayment({ payment, to: "not_fully", at: new Date(), paid_amount: "40.00" });
   * if (outcome.status === 200) store(outcome.body);
   */
  advancePayment<Stored extends StoredPayment = Payment>(context: AdvanceContext<Stored>): AdvanceOutcome<Stored>;
  /** {@link advancePayment}, JSON in and JSON out. */
  advancePaymentJson(context: Json): string;

  /**
   * Checks a transition between two states under the policy (§3, D7). It is possible unless the verdict is `refused`.
   *
   * @example
   * engine.checkTransition({ from: "completed", to: "routed" }).verdict; // refused
   */
  checkTransition(context: TransitionContext): Transition;
  /** {@link checkTransition}, JSON in and JSON out. */
  checkTransitionJson(context: Json): string;

  /**
   * Returns the table of states (§3).
   *
   * @example
   * const final = engine.states().states.filter((row) => row.final).map((row) => row.state);
   */
  states(): States;
  /** {@link states} as JSON. */
  statesJson(): string;

  /**
   * Compares a request with the record under its idempotency key (§8, D18). `createPayment` does so too; use this operation
   * to check earlier.
   *
   * @example
   * const check = engine.checkIdempotency({ now: new Date(), key, fingerprint, existing: record ?? null });
   * if (check.verdict === "replay") return record.payment;
   */
  checkIdempotency<Stored extends Identified = Payment>(context: IdempotencyContext<Stored>): IdempotencyAnswer;
  /** {@link checkIdempotency}, JSON in and JSON out. */
  checkIdempotencyJson(context: Json): string;

  /**
   * Returns the key in the value of an Idempotency-Key header (D8), or null without the header. The keys `x` and `"x"` are
   * one key.
   *
   * @example
   * const answer = engine.idempotencyKey(request.headers["idempotency-key"]);
   * if (answer.key === undefined) return send(answer.status, answer.body);
   */
  idempotencyKey(header?: string | Uint8Array | null): IdempotencyKeyAnswer;
  /** {@link idempotencyKey}, answered in JSON. */
  idempotencyKeyJson(header?: string | Uint8Array | null): string;

  /**
   * Returns the fingerprint of the body of a request (D8). It does not depend on member order, whitespace, and escapes.
   *
   * @example
   * const answer = engine.fingerprintRequest(body);
   * if (answer.valid !== false) console.log(answer.fingerprint);
   */
  fingerprintRequest(body: Body): Fingerprint;
  /** {@link fingerprintRequest}, JSON in and JSON out. */
  fingerprintRequestJson(body: Json): string;

  /**
   * Parses the value of an Authorization header (§5, RFC 6750 §2.1). The caller decides if the token is accepted.
   *
   * @example
   * const answer = engine.authorize(request.headers.authorization);
   * if (!answer.authorized) return send(answer.status, answer.body, { "WWW-Authenticate": answer.www_authenticate });
   */
  authorize(header?: string | Uint8Array | null): AuthorizeAnswer;
  /** {@link authorize}, JSON out. */
  authorizeJson(header?: string | Uint8Array | null): string;

  /**
   * Migrates a request of the legacy API to the current one (§9.2). An `idempotency_key` is returned beside the body.
   *
   * @param kind The legacy endpoint of the request.
   * @example
   * const answer = engine.upgradeRequest("pay_in", legacy);
   * if (answer.valid !== false && answer.unresolved.length === 0) send(answer.body);
   */
  upgradeRequest(kind: PaymentType, body: AnyBody): MigratedBody;
  /** {@link upgradeRequest}, JSON in and JSON out. */
  upgradeRequestJson(kind: PaymentType, body: Json): string;

  /**
   * Migrates a request to the legacy API (§9.2). Its `payment_type` selects the legacy endpoint.
   *
   * @example
   * const answer = engine.downgradeRequest({ payment_type: "pay_in", cur: "RUB", amount: "100.00", subtype: "sbp" });
   * if (answer.valid !== false) console.log(answer.body["currency"]); // RUB
   */
  downgradeRequest(body: AnyBody): MigratedBody;
  /** {@link downgradeRequest}, JSON in and JSON out. */
  downgradeRequestJson(body: Json): string;

  /**
   * Migrates a balance of the legacy API to the current one (§9.2): `currency` becomes `cur`.
   *
   * @example
   * const answer = engine.upgradeBalance({ currency: "RUB" });
   * if (answer.valid !== false) console.log(answer.body["cur"]); // RUB
   */
  upgradeBalance(body: AnyBody): MigratedBody;
  /** {@link upgradeBalance}, JSON in and JSON out. */
  upgradeBalanceJson(body: Json): string;

  /**
   * Migrates a balance to the legacy API (§9.2): `cur` becomes `currency`.
   *
   * @example
   * const answer = engine.downgradeBalance({ cur: "RUB" });
   * if (answer.valid !== false) console.log(answer.body["currency"]); // RUB
   */
  downgradeBalance(body: AnyBody): MigratedBody;
  /** {@link downgradeBalance}, JSON in and JSON out. */
  downgradeBalanceJson(body: Json): string;

  /**
   * Migrates a payment of the legacy API to the current one (§9.2, D25, D32).
   *
   * @example
   * const answer = engine.upgradePayment({ payment_id: uid, isCompleted: true, isSucceed: true });
   * if (answer.valid !== false) console.log(answer.body["state"]); // completed
   */
  upgradePayment(body: AnyBody): MigratedBody;
  /** {@link upgradePayment}, JSON in and JSON out. */
  upgradePaymentJson(body: Json): string;

  /**
   * Migrates a payment to the legacy API (§9.2, D25, D32), with both spellings of its booleans.
   *
   * @example
   * const answer = engine.downgradePayment(payment);
   * if (answer.valid !== false) console.log(answer.body["payment_id"]);
   */
  downgradePayment(body: AnyBody): MigratedBody;
  /** {@link downgradePayment}, JSON in and JSON out. */
  downgradePaymentJson(body: Json): string;

  /**
   * Returns a body in a form that is safe to log: card numbers masked (D22), also in texts, security codes replaced by `***`,
   * the rest unchanged.
   *
   * @example
   * console.log(engine.redactJson(body));
   */
  redact(body: AnyBody): Redacted;
  /** {@link redact}, JSON in and JSON out: the rest is unchanged, byte for byte. */
  redactJson(body: Json): string;

  /**
   * Returns a text, such as a line of a log, in a form that is safe to log: card numbers and the values after names of card
   * data are masked.
   *
   * @example
   * console.log(engine.redactText("GET /pay?pan=4111111111111111&cvv=123"));
   */
  redactText(text: string): string;
  /** The same as {@link redactText}: neither the text nor the answer is JSON. */
  redactTextJson(text: string): string;

  /**
   * Signs a webhook (Standard Webhooks), and returns the headers to send with it. The bytes of the body are signed, so it is
   * text or bytes: send exactly these.
   *
   * @example
   * const body = JSON.stringify(payment);
   * const { headers } = engine.signWebhook(body, { id: "evt_1", timestamp: new Date(), secrets: [secret] });
   * await fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
   */
  signWebhook(body: Json, context: SignWebhookContext): SignedWebhook;
  /** {@link signWebhook}, JSON in and JSON out. */
  signWebhookJson(body: Json, context: Json): string;

  /**
   * Verifies the signature and the time of a received webhook (Standard Webhooks). Pass the body as it was received, before
   * it is parsed.
   *
   * @example
   * const answer = engine.verifyWebhook(body, { headers: request.headers, secrets: [secret], now: new Date() });
   * if (!answer.verified) console.warn(answer.reason);
   */
  verifyWebhook(body: Json, context: VerifyWebhookContext): WebhookVerification;
  /** {@link verifyWebhook}, JSON in and JSON out. */
  verifyWebhookJson(body: Json, context: Json): string;

  /**
   * Returns the byte range, line, and column of the value at a JSON Pointer, for example the path of a violation. The body is
   * text or bytes, as the client sent it.
   *
   * @example
   * const location = engine.locate(body, "/amount");
   * if (location.found !== false) console.log(location.line, location.column);
   */
  locate(body: Json, pointer: string): Location;
  /** {@link locate}, JSON in and JSON out. */
  locateJson(body: Json, pointer: string): string;

  /**
   * Compares the requests that two policies accept. Each difference that decides which requests are accepted has a witness:
   * a request that exactly one of the two policies accepts. The policy of the engine does not matter.
   *
   * @example
   * const { relation, differences } = engine.comparePolicies({ before: deployed, after: proposed });
   * if (relation !== "wider" && relation !== "equal") console.log(differences.map(({ path, change }) => `${path} ${change}`));
   */
  comparePolicies(context: ComparePoliciesContext): PolicyComparison;
  /** {@link comparePolicies}, JSON in and JSON out. */
  comparePoliciesJson(context: Json): string;

  /**
   * Returns the decision register: the questions that the specification leaves open, and the behavior of the library.
   *
   * @example
   * const d7 = engine.decisions().decisions.find((decision) => decision.id === "D7");
   */
  decisions(): Decisions;
  /** {@link decisions} as JSON. */
  decisionsJson(): string;

  /**
   * Returns an OpenAPI 3.1 document of the three endpoints under the policy of this engine.
   *
   * @example
   * await writeFile("openapi.json", engine.openapiJson());
   */
  openapi(): OpenApi;
  /** {@link openapi} as JSON. */
  openapiJson(): string;
}
