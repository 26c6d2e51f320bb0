// Uses that must not compile, each after its `@ts-expect-error`: only the next line is wrong.

import { Engine } from "payspec";
import type { Authorization, Body, CardScheme, Messages, Payment, Policy, Source, State, TimestampInput } from "payspec";
import { Engine as Checkout } from "payspec/checkout";
import { SCHEME_ICONS, cardInfo, formatCardNumber, parseExpiry } from "payspec/card";
import { message as messageInRussian, messages as inRussian } from "payspec/messages/ru";
import { createSandbox } from "payspec/sandbox";
import init, { initSync } from "payspec/slim";

const engine = new Engine();
declare const authorization: Authorization;
declare const payment: Payment;
declare function take<T>(value: T): void;

// Money is text, never a number.
// @ts-expect-error
engine.validateRequest({ amount: 100 });
// @ts-expect-error
take<number>(payment.amount);
// @ts-expect-error
payment.total * 2;
// @ts-expect-error
engine.convert({ amount: 100, currency: "RUB" });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization, charges: { fee: 1 } });
// @ts-expect-error
new Engine({ limits: { amount: { RUB: { min: 10 } } } });

// Bodies.
// @ts-expect-error
engine.validateRequest(42);
// @ts-expect-error
engine.validateRequest(null);
// @ts-expect-error
engine.validateRequest(undefined);
// @ts-expect-error
engine.validateRequest(["{}"]);
// @ts-expect-error
engine.validateRequest(new Date());
// @ts-expect-error
engine.validateRequest(new Uint16Array(2));
// @ts-expect-error
engine.validateRequest({ host2host: "true" });
// @ts-expect-error
engine.validateRequest({ pay_in_details: { card: { expiry_month: "12" } } });
// @ts-expect-error
engine.validateRequestJson({});
// @ts-expect-error
engine.validateRequestJson("{}", new Date());
// @ts-expect-error
engine.validateRequest({}, { now: 1763633730 });
// @ts-expect-error
engine.isValidRequest({}, { messages: {} });
// @ts-expect-error
engine.checkPayment({ amount: 1 });
declare const request: Body;
declare const plain: { payment_type: "pay_in"; amount: string };
// The request is an option.
// @ts-expect-error
engine.checkPayment(payment, request);
// @ts-expect-error
engine.checkPayment(payment, plain);
// @ts-expect-error
engine.checkPayment(payment, { payment_type: "pay_in" });
// @ts-expect-error
engine.checkPayment(payment, "{}");
// @ts-expect-error
engine.checkPayment(payment, new Uint8Array(0));
// @ts-expect-error
engine.checkPayment(payment, { request: "{}", mesages: {} });
// @ts-expect-error
engine.checkPaymentJson("{}", { request: {} });

// Reports.
const report = engine.validateRequest("{}");
const violation = report.violations[0]!;
// @ts-expect-error
violation.params.limit;
// @ts-expect-error
violation.code === "amount_sintax";
// @ts-expect-error
if (violation.code === "missing") take<object>(violation.params);
// @ts-expect-error
if (violation.code === "amount_scale") take<number>(violation.params.limit);
// @ts-expect-error
if (violation.code === "amount_out_of_bounds") take<string | null>(violation.params.min);
// @ts-expect-error
violation.severity === "off";
// @ts-expect-error
report.valid = true;
// @ts-expect-error
report.violations.push(violation);
// @ts-expect-error
take<Messages>({ mising: () => "" });
// @ts-expect-error
take<Messages>({ missing: () => 1 });
// @ts-expect-error
take<Messages>({ missing: (own) => String(own.params.limit) });
// @ts-expect-error
new Engine({}, { mesages: {} });

// Policies.
// @ts-expect-error
new Engine("{}");
// @ts-expect-error
new Engine(null);
// @ts-expect-error
new Engine({ severity: { json_syntax: "off" } });
// @ts-expect-error
new Engine({ severity: { missing: "info" } });
// @ts-expect-error
new Engine({ required: ["/merchant"] });
// @ts-expect-error
new Engine({ limit: {} });
// @ts-expect-error
new Engine({ limits: { body_bytes: "65536" } });
// @ts-expect-error
new Engine({ crypto: { rounding: "half-even" } });
// @ts-expect-error
new Engine({ invalid_request_status: 404 });
// @ts-expect-error
new Engine({ transitions: "closed" });
// @ts-expect-error
new Engine({ transitions: [["idle", "done"]] });
// @ts-expect-error
new Engine({ transitions: [["idle"]] });
// @ts-expect-error
take<Policy>({ currencies: "RUB" });

// Contexts.
// @ts-expect-error
engine.createPayment("{}");
// @ts-expect-error
engine.createPayment("{}", { uid: "u", authorization });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n" });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization: undefined });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization: "checked" });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization: { accepted: true } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization: { header: undefined, accepted: true } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization: { header: "Bearer x" } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization: null });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization, quote: { currency: "RUB", rate: "1" } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization, idempotency: { existing: null } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization, idempotency: { key: "k" } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization, idempotency: { key: "k", existing: { created_at: "c", fingerprint: "f", payment: {} } } });
// @ts-expect-error
engine.createPayment("{}", { uid: "u", now: "n", authorization, merchant: "m" });
// @ts-expect-error
engine.createPaymentJson("{}", { uid: "u", now: "n", authorization });
// @ts-expect-error
engine.readPayment({ uid: "u", authorization });
// @ts-expect-error
engine.readPayment({ uid: "u", payment: null });
// @ts-expect-error
engine.readPayment({ uid: "u", payment: {}, authorization });
// @ts-expect-error
engine.readBalance({ balance: { currency: "RUB" }, authorization });
// @ts-expect-error
engine.readBalance({ balance: { cur: "RUB" } });
// @ts-expect-error
engine.convert({ amount: "1", currency: "RUB", now: "n", quote: { currency: "RUB", rate: "1" } });
// @ts-expect-error
engine.advancePayment({ payment, to: "done", at: "x" });
// @ts-expect-error
engine.advancePayment({ payment: { uid: "u" }, to: "fail", at: "x" });
// @ts-expect-error
engine.checkTransition({ from: "idle" });
// @ts-expect-error
engine.comparePolicies({ before: { currency: ["RUB"] } });
// @ts-expect-error
engine.checkIdempotency({ now: "n", existing: { created_at: "c", fingerprint: "f" } });
// @ts-expect-error
engine.upgradeRequest("payin", "{}");
// @ts-expect-error
engine.authorize(["Bearer x"]);
// @ts-expect-error
engine.signWebhook("{}", { id: "i", timestamp: "t" });
// @ts-expect-error
engine.signWebhook({}, { id: "i", timestamp: "t", secrets: [] });
// @ts-expect-error
engine.verifyWebhook({}, { headers: {}, secrets: [], now: "n" });
// @ts-expect-error
engine.locate("{}");
// @ts-expect-error
engine.locate({}, "/a");
// @ts-expect-error
engine.locate("{}", "/a").line;
// @ts-expect-error
engine.cardInfo(4111);

// Outcomes: members before the union is narrowed.
const outcome = engine.createPayment("{}", { uid: "u", now: "n", authorization });
// @ts-expect-error
outcome.body.url;
// @ts-expect-error
outcome.body.code;
// @ts-expect-error
outcome.status === 200;
// @ts-expect-error
if (outcome.status === 201) take<Payment["state"]>(outcome.body.status);
// @ts-expect-error
if (outcome.status === 201 && !outcome.replayed) take<"routed">(outcome.body.state);
// @ts-expect-error
if (outcome.status === 409) take<string>(outcome.www_authenticate);
// @ts-expect-error
if (outcome.status === 409) take<boolean>(outcome.body.code === "quote_stale");
// @ts-expect-error
if (outcome.status === 455) take<readonly unknown[]>(outcome.body.violations);
const currencies = engine.fieldCurrencies("{}");
// @ts-expect-error
currencies.fields;
// @ts-expect-error
if (currencies.valid === false) take<object>(currencies.fields);
const rewritten = engine.upgradePayment("{}");
// @ts-expect-error
rewritten.body;
// @ts-expect-error
rewritten.violations;
const answer = engine.authorize("x");
// @ts-expect-error
take<string>(answer.token);
// @ts-expect-error
take<number>(engine.checkIdempotency({ now: "n" }).age_ms);

// Payments: members that may be null or absent.
// @ts-expect-error
take<string>(payment.url);
// @ts-expect-error
take<string>(payment.merchant_id);
// @ts-expect-error
take<string>(payment.info.type);
// @ts-expect-error
payment.state = "fail";
// @ts-expect-error
take<State>("done");
// @ts-expect-error
take<CardScheme>("amex");
// @ts-expect-error
take<Source>("D99");
// @ts-expect-error
engine.cardInfo("4").code.length;
// A body may have a member `valid`.
const safe = engine.redact("{}");
// @ts-expect-error
if (safe.valid === false) safe.violations.length;

// Batches.
// @ts-expect-error
engine.batch("convert", []);
// @ts-expect-error
engine.batch("validate_request", ["{}"]);
// @ts-expect-error
engine.batch("upgradeRequest", ["{}"], "pay_in");
// @ts-expect-error
engine.batch("createPayment", ["{}"]);
// @ts-expect-error
engine.batch("redact", ["{}"], "{}");
// @ts-expect-error
engine.batch("validateRequest", "{}");
// @ts-expect-error
engine.batch("validateRequest", [42]);
// @ts-expect-error
engine.batch("locate", ["{}"], { pointer: "" });
// @ts-expect-error
engine.batch("fingerprintRequest", ["{}"])[0]?.violations;
// @ts-expect-error
engine.batchJson("validateRequest", [{}]);
// @ts-expect-error
new Checkout().batch;

// Other entries.
// @ts-expect-error
new Checkout().createPayment;
// @ts-expect-error
new Checkout().checkPayment("{}");
// @ts-expect-error
init(42);
// @ts-expect-error
init(null);
// @ts-expect-error
initSync("payspec.wasm");
// @ts-expect-error
initSync();

// Cards and messages.
// @ts-expect-error
cardInfo(4111);
// @ts-expect-error
formatCardNumber("4111", "1");
// @ts-expect-error
take<number>(parseExpiry("12/27").month);
// @ts-expect-error
SCHEME_ICONS.amex;
// @ts-expect-error
messageInRussian({ code: "missing" });
// @ts-expect-error
inRussian.mising;
// @ts-expect-error
createSandbox({ path: "payspec" });
// @ts-expect-error
createSandbox().advance(2);

export function noMethodsOfDate(moment: Exclude<TimestampInput, string>): number {
  // @ts-expect-error -- editors would suggest the methods of Date where options are expected
  return moment.getTime();
}
