// Uses that must compile: every operation, every discriminant of answers.

import { Engine, PayspecError, version } from "payspec";
import type {
  AcceptedRequest,
  AdvanceContext,
  Body,
  CreateContext,
  CreateOutcome,
  CreateRequestInput,
  JsonObject,
  Messages,
  NewPayment,
  Payment,
  PaymentType,
  Policy,
  ProblemCode,
  Report,
  State,
  StoredPayment,
  Violation,
  ViolationCode,
  ViolationOf,
} from "payspec";
import { Engine as Checkout, PayspecError as CheckoutError } from "payspec/checkout";
import type { CardInfo as CheckoutCard, Report as CheckoutReport } from "payspec/checkout";
import { SCHEME_ICONS, PayspecError as CardError, cardInfo, cardInfoJson, formatCardNumber, formatExpiry, parseExpiry } from "payspec/card";
import type { CardInfo, CardScheme, FormattedCardNumber, FormattedText } from "payspec/card";
import { language as english, message as messageInEnglish, messages as inEnglish } from "payspec/messages/en";
import { language as russian, message as messageInRussian, messages as inRussian } from "payspec/messages/ru";
import { SandboxError, createSandbox, type Merchant, type Sandbox } from "payspec/sandbox";
import init, { Engine as Slim, initSync } from "payspec/slim";
import type { InitSource } from "payspec/slim";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(yes: Same<A, B>): void;
declare function take<T>(value: T): void;
declare function never(value: never): never;

// Engines: without arguments, with a policy, with texts of the page; freed explicitly.
const messages: Messages = {
  missing: () => "Bitte ausfüllen",
  amount_scale: ({ params }) => `Höchstens ${params.minor_unit} Nachkommastellen`,
  json_syntax: (violation) => `${violation.params.line}:${violation.params.column}`,
  amount_out_of_bounds: ({ params }) => ("min" in params ? `${params.min} - ${params.max}` : `${params.integer_digits}`),
  unsupported_value: ({ params: { allowed } }) => allowed.join(", "),
  legacy_member: ({ params }) => params.replaced_by ?? "removed",
  text_empty: undefined,
};
const policy: Policy = {
  severity: { card_number_checksum: "warning", uri_private_host: "off", missing: "error" },
  required: ["/merchant_id", "/pay_in_details/card/card_holder"],
  limits: {
    body_bytes: 65536,
    depth: 16,
    violations: 64,
    text_chars: 255,
    description_chars: 1024,
    uri_bytes: 2048,
    amount: { RUB: { min: "10", max: "500000" }, USD: { max: null } },
    time_to_complete_payment: { min: 1, max: 86400 },
  },
  currencies: ["RUB", "USD"],
  urls: { schemes: ["https"] },
  crypto: { scale: 6, rounding: "half_even", max_quote_age_ms: 60000 },
  idempotency: { window_ms: 1000 },
  invalid_request_status: 422,
  fingerprint_key: "00ff",
  transitions: [["idle", "routed"], ["routed", "completed"]],
};
const engine = new Engine();
new Engine(policy);
new Engine({ transitions: "conventional" });
new Engine(undefined, { messages });
take<Disposable>(engine);
take<() => void>(engine[Symbol.dispose]);
take<string>(version);
same<ReturnType<Engine["policy"]>["limits"]["time_to_complete_payment"], { readonly min: number; readonly max: number }>(true);
new Engine(engine.policy());
same<ReturnType<Engine["policy"]>["fingerprint_key"], null>(true);
engine.free();

// Bodies: text, bytes, literals, interfaces of the caller, records, forms, additional members.
interface CardForm {
  card_number: string;
  remember: boolean;
}
interface Form {
  pay_in_details: { card: CardForm };
  amount: string;
  cur: string;
  newsletter: boolean;
}
declare const form: Form;
declare const record: Record<string, unknown>;
declare const object: JsonObject;
declare const anyText: string;
declare const textOrBytes: string | Uint8Array;
const half: CreateRequestInput = { payment_type: "pay_in", amount: "", cur: undefined, subtype: null };
const bodies: Body[] = [
  "{}",
  new Uint8Array(2),
  textOrBytes,
  {},
  form,
  record,
  object,
  half,
  { amount: "1.00", something_else: 1, pay_out_details: { iban: "" } },
  { payment_type: anyText, mode: anyText },
  { pay_in_details: { card: { card_number: "4111111111111111", expiry_month: 12, expiry_year: 2030 } } },
  Object.fromEntries(new Map<string, unknown>()),
];
for (const body of bodies) take<Report>(engine.validateRequest(body));
engine.validateRequest(half, {});
engine.validateRequest(half, new Date());
engine.validateRequest(half, { now: new Date(), messages });
take<boolean>(engine.isValidRequest(half, { now: "2026-11-20T10:15:30Z" }));
same<ReturnType<Engine["validateRequest"]>, Report>(true);

// Reports: violations by their code.
const report = engine.validateRequest(half);
same<typeof report.valid, boolean>(true);
for (const violation of report.violations) {
  same<typeof violation.code, ViolationCode>(true);
  take<"error" | "warning">(violation.severity);
  take<string>(violation.path + violation.message + violation.source);
  if (violation.code === "type") {
    same<typeof violation.params.found, "null" | "boolean" | "number" | "string" | "array" | "object">(true);
  } else if (violation.code === "missing") {
    take<undefined>(violation.params);
  } else if (violation.code === "integer_range" || violation.code === "expiry_year_range") {
    take<number>(violation.params.min + violation.params.max);
  }
}
if (report.valid) take<true>(report.valid);
take<Violation | undefined>(report.violations[0]);
take<ViolationOf<"text_too_long">["params"]["limit"]>(255);

// Creation: discriminated by status, then by code.
const context: CreateContext = {
  uid: "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
  now: new Date(),
  url: "https://pay.example/7",
  form: "acquiring.card",
  merchant_id: null,
  authorization: { header: null, accepted: true },
  idempotency: { key: "k", existing: { created_at: new Date(), fingerprint: "f", payment: null } },
  quote: { currency: "RUB", rate: "92.45", as_of: "2026-11-20T10:15:30Z" },
  charges: { fee: "1.00", commission: "2.00", shared_commission: "0.50" },
};
const outcome = engine.createPayment("{}", context);
same<typeof outcome, CreateOutcome>(true);
switch (outcome.status) {
  case 201:
    if (outcome.replayed) {
      same<typeof outcome.body, Payment>(true);
      take<string>(outcome.fingerprint);
    } else {
      same<typeof outcome.body, NewPayment>(true);
      take<"idle">(outcome.body.state);
      take<null>(outcome.body.paid_at);
      take<string | undefined>(outcome.fingerprint);
    }
    take<readonly Violation[] | undefined>(outcome.warnings);
    break;
  case 401:
    take<"unauthorized">(outcome.body.code);
    take<string>(outcome.www_authenticate);
    break;
  case 409:
    same<typeof outcome.body.code, "idempotency_conflict" | "idempotency_key_reused" | "idempotency_in_progress">(true);
    break;
  case 413:
    take<readonly Violation[]>(outcome.body.violations);
    break;
  case 400:
  case 422:
    take<"malformed_json" | "invalid_idempotency_key" | "invalid_request">(outcome.body.code);
    if (outcome.body.code === "invalid_request") take<readonly Violation[]>(outcome.body.violations);
    if (outcome.body.code === "invalid_idempotency_key") take<undefined>(outcome.body.violations);
    break;
  case 455:
    if (outcome.body.code === "quote_stale") take<"urn:payspec:problem:quote-stale">(outcome.body.type);
    take<455>(outcome.body.status);
    break;
  default:
    never(outcome);
}
if (outcome.status !== 201) take<ProblemCode>(outcome.body.code);
if ("www_authenticate" in outcome && outcome.www_authenticate) take<401>(outcome.status);

// Stored payments keep the type of the caller.
interface Row {
  uid: string;
  state: State;
  amount: string;
  currency: string;
  created_date: string;
  shard: number;
}
declare const row: Row;
declare const created: NewPayment;
declare const payment: Payment;
declare const stored: StoredPayment;
const replay = engine.createPayment(record, {
  uid: "u",
  now: "n",
  authorization: "checked_by_caller",
  idempotency: { key: "k", existing: { created_at: "c", fingerprint: "f", payment: row } },
});
if (replay.status === 201 && replay.replayed) take<number>(replay.body.shard);
const found = engine.readPayment({ uid: "u", payment: row, authorization: "checked_by_caller" });
if (found.status === 200) take<number>(found.body.shard);
const lost = engine.readPayment({ uid: "u", payment: null, authorization: "checked_by_caller" });
if (lost.status === 200) take<object>(lost.body);
if (lost.status === 404) take<"payment_not_found">(lost.body.code);
engine.readPayment({ uid: "u", payment: { ...record, uid: "u" }, authorization: { header: "Bearer x", accepted: true } });
const balance = engine.readBalance({ balance: { cur: "RUB", available: "1.00" }, authorization: "checked_by_caller" });
if (balance.status === 200) take<string>(balance.body.available);
else take<401>(balance.status);

const moved = engine.advancePayment({ payment: created, to: "completed", at: new Date() });
if (moved.status === 200) {
  same<typeof moved.body.state, State>(true);
  take<Payment>(moved.body);
  engine.advancePayment({ payment: moved.body, to: "correction", at: "x", amount: "1.00" });
} else {
  take<"transition_refused">(moved.body.code);
}
const movedRow = engine.advancePayment({ payment: row, to: "fail", at: "x", fail_by: "bank", fail_code: "05" });
if (movedRow.status === 200) {
  take<number>(movedRow.body.shard);
  take<string | null>(movedRow.body.paid_at);
  take<string | undefined>(movedRow.body.total);
}
engine.advancePayment({ payment: stored, to: "routed", at: "x", receipts: ["https://pay.example/r"] });
take<AdvanceContext>({ payment, to: "not_fully", at: new Date(), paid_amount: "1.00" });

// The other operations.
take<Report>(engine.checkPayment(payment, { request: half, messages }));
engine.checkPayment({ amount: "1.00", own: true });
engine.checkPayment(await_("{}"), { request: undefined });
declare function await_(text: string): string;

const currencies = engine.fieldCurrencies(payment);
if (currencies.valid === false) take<readonly Violation[]>(currencies.violations);
else if (currencies.crypto) take<"USDT">(currencies.fields.net_processed);
else take<string>(currencies.fields.net_processed + currencies.fields.client_amount);
if ("fields" in currencies) take<string>(currencies.fields.requested_amount);

const converted = engine.convert({ amount: "1", currency: "RUB", quote: { currency: "RUB", rate: "92.45" } });
if (converted.status === 200) take<"USDT">(converted.body.currency);
else take<455>(converted.status);
engine.convert({ amount: "1", currency: "RUB", now: "n", quote: { currency: "RUB", rate: "92.45", as_of: "a" } });
engine.convert({ amount: "1", currency: "RUB" });

same<ReturnType<Engine["checkTransition"]>["verdict"], "allowed" | "refused" | "unspecified" | "unchanged">(true);
engine.checkTransition({ from: "idle", to: "routed" });

const comparison = engine.comparePolicies({ before: { currencies: ["RUB"] }, after: engine.policy() });
same<(typeof comparison)["relation"], "equal" | "wider" | "narrower" | "incomparable">(true);
for (const difference of comparison.differences) {
  if (difference.change === "other") take<undefined>(difference.witness);
  else if (difference.witness) take<string>(difference.witness.body + (difference.witness.now ?? ""));
}
engine.comparePolicies({});

const [idle, , completed] = engine.states().states;
take<false>(idle.final);
take<"success">(completed.outcome);
for (const line of engine.states().states) if (line.state === "fail") take<true>(line.legacy.isCompleted);

const check = engine.checkIdempotency({ now: "n", key: "k", fingerprint: "f", existing: { created_at: "c", fingerprint: "g" } });
if (check.verdict === "new" || check.verdict === "invalid_key") take<null>(check.age_ms);
else take<number>(check.age_ms);
if (check.status === 409) take<"conflict" | "mismatch" | "in_progress">(check.verdict);
engine.checkIdempotency({ now: new Date(), existing: null });

const print = engine.fingerprintRequest(form);
if ("fingerprint" in print) take<string>(print.fingerprint);
if (print.valid === false) take<false>(print.valid);

const answer = engine.authorize(undefined);
if (answer.authorized) take<string>(answer.token);
else take<401>(answer.status);
engine.authorize();
engine.authorize(null);
engine.authorize(new Uint8Array());

const key = engine.idempotencyKey("k");
if (key.key !== undefined) take<string | null>(key.key);
else take<400>(key.status);
engine.idempotencyKey();
engine.idempotencyKey(null);

const signed = engine.signWebhook("{}", { id: "evt_1", timestamp: new Date(), secrets: ["whsec_AA=="] });
const headersInit: Record<string, string> = { ...signed.headers };
const received: { [name: string]: string | string[] | undefined } = headersInit;
declare const fetched: { has(name: string): boolean; forEach(visit: (value: string, key: string, parent: object) => void, self?: unknown): void };
engine.verifyWebhook("{}", { headers: fetched, secrets: ["whsec_AA=="], now: new Date() });
engine.verifyWebhook("{}", { headers: new Map([["webhook-id", "evt_1"]]), secrets: ["whsec_AA=="], now: new Date() });
const checked = engine.requestSchema["~standard"].validate({ payment_type: "pay_in" });
if (checked.issues === undefined) same<typeof checked.value.payment_type, PaymentType>(true);
else for (const { message, path } of checked.issues) take<string>(message + path.join("."));
take<AcceptedRequest | undefined>(checked.issues === undefined ? checked.value : undefined);
const verified = engine.verifyWebhook(new Uint8Array(2), { headers: received, secrets: ["whsec_AA=="], now: new Date(), tolerance_s: 60 });
if (!verified.verified) take<"missing_header" | "malformed_header" | "timestamp" | "signature">(verified.reason);

const upgraded = engine.upgradeRequest("pay_in", { currency: "RUB" });
if (upgraded.valid !== false) {
  engine.validateRequest(upgraded.body);
  for (const change of upgraded.changes) {
    if (change.kind === "removed") take<null>(change.to);
    if (change.kind === "added") take<null>(change.from);
    if (change.kind === "renamed") take<string>(change.from + change.to);
  }
  take<string | undefined>(upgraded.unresolved[0]?.reason);
}
const raised = engine.upgradePayment({ payment_id: "x" });
if (!("violations" in raised)) engine.checkPayment(raised.body);
engine.downgradePayment(payment);
const lowered = engine.downgradeRequest({ payment_type: "pay_in" });
if (lowered.valid !== false) take<string | undefined>(lowered.idempotency_key);
engine.upgradeBalance({ currency: "RUB" });
engine.downgradeBalance({ cur: "RUB" });
take<object>(engine.redact(form));
const bytes = new Uint8Array(2);
const place = engine.locate(bytes, "/amount");
if (place.found !== false) take<number>(place.line + place.column + place.start + (place.name?.end ?? 0));
else take<false>(place.found);

const card = engine.cardInfo("4111");
if (card.scheme === null) take<null>(card.code);
else take<3 | 4>(card.code.length);
take<readonly number[]>(card.gaps);

for (const rule of engine.rules().rules) {
  take<string>(rule.summary);
  if (rule.code === "json_syntax") same<(typeof rule.params)[number], "line" | "column">(true);
}
take<string | undefined>(engine.decisions().decisions.find((decision) => decision.id === "D27")?.open);
take<"3.1.0">(engine.openapi().openapi);
take<JsonObject | undefined>(engine.openapi().paths["/v1/payments/new"]);

// JSON in, JSON out.
const texts: string[] = [
  engine.validateRequestJson("{}"),
  engine.validateRequestJson(bytes, "2026-11-20T10:15:30Z"),
  engine.validateRequestJson(bytes, null),
  engine.createPaymentJson("{}", bytes),
  engine.readPaymentJson("{}"),
  engine.readBalanceJson("{}"),
  engine.checkPaymentJson("{}"),
  engine.checkPaymentJson("{}", bytes),
  engine.fieldCurrenciesJson("{}"),
  engine.convertJson("{}"),
  engine.advancePaymentJson("{}"),
  engine.checkTransitionJson("{}"),
  engine.statesJson(),
  engine.checkIdempotencyJson("{}"),
  engine.idempotencyKeyJson("k"),
  engine.fingerprintRequestJson("{}"),
  engine.authorizeJson(),
  engine.authorizeJson("Bearer x"),
  engine.upgradeRequestJson("pay_out", "{}"),
  engine.downgradeRequestJson("{}"),
  engine.upgradeBalanceJson("{}"),
  engine.downgradeBalanceJson("{}"),
  engine.upgradePaymentJson("{}"),
  engine.downgradePaymentJson("{}"),
  engine.redactJson(bytes),
  engine.signWebhookJson(bytes, "{}"),
  engine.verifyWebhookJson(bytes, "{}"),
  engine.locateJson(bytes, "/amount"),
  engine.cardInfoJson("4"),
  engine.comparePoliciesJson("{}"),
  engine.rulesJson(),
  engine.decisionsJson(),
  engine.openapiJson(),
];
take<string[]>(texts);

// Batches: the types of bodies, second input and answers follow from the operation.
const column: readonly Body[] = ["{}", bytes, { amount: "1" }];
same<ReturnType<typeof batchReports>, Report[]>(true);
function batchReports() {
  return engine.batch("validateRequest", column, { now: new Date(), messages });
}
engine.batch("validateRequest", column);
engine.batch("validateRequest", column, "2026-11-20T10:15:30Z");
take<CreateOutcome[]>(engine.batch("createPayment", column, context));
for (const outcome of engine.batch("createPayment", column, context)) {
  if (outcome.status === 201) take<string>(outcome.body.uid);
}
take<Report[]>(engine.batch("checkPayment", [payment], { request: "{}" }));
for (const answer of engine.batch("verifyWebhook", ["{}"], { headers: {}, secrets: ["whsec_AA=="], now: new Date() })) {
  if (!answer.verified) take<string>(answer.reason);
}
for (const location of engine.batch("locate", ["{}", bytes], "/amount")) {
  if (location.found !== false) take<number>(location.line);
}
take<string[]>(engine.batchJson("redact", ["{}", bytes]));
take<string[]>(engine.batchJson("createPayment", ["{}"], "{}"));
take<string[]>(engine.batchJson("validateRequest", ["{}"], null));

// Caller errors.
try {
  engine.createPayment({}, context);
} catch (error) {
  if (error instanceof PayspecError) {
    same<typeof error.code, "context" | "policy" | "argument" | "utf8" | "value" | "memory" | "panic">(true);
    take<string>(error.path + error.message + error.expected);
    take<Error>(error);
  }
}

// The engine of the checkout entry has some of the operations, with the same types.
const page = new Checkout({ currencies: ["RUB"] }, { messages });
const onPage: CheckoutReport = page.validateRequest(form, { now: new Date() });
take<Report>(onPage);
take<CheckoutCard>(page.cardInfo("4"));
take<boolean>(page.isValidRequest(form));
take<string>(page.validateRequestJson("{}") + page.cardInfoJson("4") + page.rulesJson());
page.rules();
page.free();
take<Pick<Engine, "validateRequest" | "cardInfo" | "rules">>(page);
take<typeof PayspecError>(CheckoutError);

// Card numbers and expiry dates.
take<CardInfo>(cardInfo("4"));
take<CheckoutCard>(cardInfo("4"));
take<string>(cardInfoJson("4"));
take<typeof PayspecError>(CardError);
take<FormattedCardNumber>(formatCardNumber("4111"));
take<string>(formatCardNumber("4111", null, "insertText").digits);
take<FormattedText>(formatExpiry("12/27", 2));
const expiry = parseExpiry("12/27");
if (expiry.missing === null) take<[number, number]>([expiry.month, expiry.year]);
else if (expiry.missing === "year") same<typeof expiry.month, number>(true);
else same<typeof expiry.month, null>(true);
same<keyof typeof SCHEME_ICONS, CardScheme>(true);
take<string>(SCHEME_ICONS.american_express.name + SCHEME_ICONS.mir.icon);

// Messages in a language.
same<typeof english, "en">(true);
same<typeof russian, "ru">(true);
for (const violation of report.violations) take<string>(messageInEnglish(violation) + messageInRussian(violation));
take<Messages>(inEnglish);
new Checkout({}, { messages: inRussian });
same<keyof typeof inRussian, ViolationCode>(true);
take<string>(inRussian.missing({ path: "/cur", code: "missing", severity: "error", message: "", source: "D5" }));

// Slim: loaded first.
const sources: InitSource[] = ["payspec.wasm", bytes, bytes.buffer, new DataView(new ArrayBuffer(1))];
take<Promise<void>>(init());
for (const source of sources) take<Promise<void>>(init(source));
initSync(bytes);
take<Engine>(new Slim(policy, { messages }));

// A sandbox for tests.
export async function inSandbox(): Promise<void> {
  const sandbox = await createSandbox({ cli: "payspec" });
  const own: Merchant = await sandbox.merchant("own");
  for (const merchant of [sandbox, own]) take<string>(merchant.api + merchant.token + merchant.webhookSecret + (await merchant.advance(2)));
  take<Partial<CreateRequestInput> | undefined>((await own.scenarios())["slow"]?.trigger);
  await own.nextPayment("slow", 2);
  await own.failNext({ count: 2, status: 503, endpoint: "create", when: "after" });
  for (const { event } of await own.deliveries("uid")) same<typeof event, string>(true);
  for (const { uid, state } of await own.payments()) take<[string, State]>([uid, state]);
  take<() => Promise<void>>(sandbox[Symbol.asyncDispose]);
  take<(options: object) => Promise<Sandbox>>(createSandbox);
  take<"SandboxError">(new SandboxError().name);
}
