// All operations besides those of engine_base.js, in the order of the core's table.

import { batchCall } from "./batch.js";
import { Engine as Base } from "./engine_base.js";
import { webhookContext } from "./headers.js";
import { batchBodies, json, optional, options, requireText, withWellFormedUid } from "./inputs.js";

export { PayspecError, version } from "./engine_base.js";

export class Engine extends Base {
  static name = "Engine";

  /** Returns the policy, including default values. */
  policy() {
    return this._wasm.object("policy_object");
  }

  createPayment(body, context) {
    return JSON.parse(this._wasm.text("create_payment", json(body, "body"), json(context, "context")));
  }

  createPaymentJson(body, context) {
    return this._wasm.text("create_payment", requireText(body, "body"), requireText(context, "context"));
  }

  readPayment(context) {
    return JSON.parse(this._wasm.text("read_payment", json(withWellFormedUid(context), "context")));
  }

  readPaymentJson(context) {
    return this._wasm.text("read_payment", requireText(context, "context"));
  }

  readBalance(context) {
    return JSON.parse(this._wasm.text("read_balance", json(context, "context")));
  }

  readBalanceJson(context) {
    return this._wasm.text("read_balance", requireText(context, "context"));
  }

  checkPayment(body, more) {
    const { request, messages } = options(more, ["request", "messages"]);
    const input = request == null ? undefined : json(request, "request");
    return this._localize(JSON.parse(this._wasm.text("check_payment", json(body, "body"), input)), messages);
  }

  checkPaymentJson(body, more) {
    return this._wasm.text("check_payment", requireText(body, "body"), optional(options(more, ["request"], "request").request, "request"));
  }

  fieldCurrencies(body) {
    return JSON.parse(this._wasm.text("field_currencies", json(body, "body")));
  }

  fieldCurrenciesJson(body) {
    return this._wasm.text("field_currencies", requireText(body, "body"));
  }

  convert(context) {
    return JSON.parse(this._wasm.text("convert", json(context, "context")));
  }

  convertJson(context) {
    return this._wasm.text("convert", requireText(context, "context"));
  }

  advancePayment(context) {
    return JSON.parse(this._wasm.text("advance_payment", json(context, "context")));
  }

  advancePaymentJson(context) {
    return this._wasm.text("advance_payment", requireText(context, "context"));
  }

  checkTransition(context) {
    return JSON.parse(this._wasm.text("check_transition", json(context, "context")));
  }

  checkTransitionJson(context) {
    return this._wasm.text("check_transition", requireText(context, "context"));
  }

  states() {
    return this._wasm.object("states_object");
  }

  statesJson() {
    return this._wasm.text("states");
  }

  checkIdempotency(context) {
    return JSON.parse(this._wasm.text("check_idempotency", json(context, "context")));
  }

  checkIdempotencyJson(context) {
    return this._wasm.text("check_idempotency", requireText(context, "context"));
  }

  idempotencyKey(header) {
    return JSON.parse(this.idempotencyKeyJson(header));
  }

  idempotencyKeyJson(header) {
    return this._wasm.text("idempotency_key", optional(header, "header"));
  }

  fingerprintRequest(body) {
    return JSON.parse(this._wasm.text("fingerprint_request", json(body, "body")));
  }

  fingerprintRequestJson(body) {
    return this._wasm.text("fingerprint_request", requireText(body, "body"));
  }

  authorize(header) {
    return JSON.parse(this.authorizeJson(header));
  }

  authorizeJson(header) {
    return this._wasm.text("authorize", optional(header, "header"));
  }

  upgradeRequest(kind, body) {
    return JSON.parse(this._wasm.text("upgrade_request", requireText(kind, "kind"), json(body, "body")));
  }

  upgradeRequestJson(kind, body) {
    return this._wasm.text("upgrade_request", requireText(kind, "kind"), requireText(body, "body"));
  }

  downgradeRequest(body) {
    return JSON.parse(this._wasm.text("downgrade_request", json(body, "body")));
  }

  downgradeRequestJson(body) {
    return this._wasm.text("downgrade_request", requireText(body, "body"));
  }

  upgradeBalance(body) {
    return JSON.parse(this._wasm.text("upgrade_balance", json(body, "body")));
  }

  upgradeBalanceJson(body) {
    return this._wasm.text("upgrade_balance", requireText(body, "body"));
  }

  downgradeBalance(body) {
    return JSON.parse(this._wasm.text("downgrade_balance", json(body, "body")));
  }

  downgradeBalanceJson(body) {
    return this._wasm.text("downgrade_balance", requireText(body, "body"));
  }

  upgradePayment(body) {
    return JSON.parse(this._wasm.text("upgrade_payment", json(body, "body")));
  }

  upgradePaymentJson(body) {
    return this._wasm.text("upgrade_payment", requireText(body, "body"));
  }

  downgradePayment(body) {
    return JSON.parse(this._wasm.text("downgrade_payment", json(body, "body")));
  }

  downgradePaymentJson(body) {
    return this._wasm.text("downgrade_payment", requireText(body, "body"));
  }

  redact(body) {
    return JSON.parse(this._wasm.text("redact", json(body, "body")));
  }

  redactJson(body) {
    return this._wasm.text("redact", requireText(body, "body"));
  }

  redactText(text) {
    return this.redactTextJson(text);
  }

  redactTextJson(text) {
    return this._wasm.text("redact_text", requireText(text, "text"));
  }

  signWebhook(body, context) {
    return JSON.parse(this._wasm.text("sign_webhook", requireText(body, "body"), json(context, "context")));
  }

  signWebhookJson(body, context) {
    return this._wasm.text("sign_webhook", requireText(body, "body"), requireText(context, "context"));
  }

  verifyWebhook(body, context) {
    return JSON.parse(this._wasm.text("verify_webhook", requireText(body, "body"), webhookContext(context)));
  }

  verifyWebhookJson(body, context) {
    return this._wasm.text("verify_webhook", requireText(body, "body"), requireText(context, "context"));
  }

  locate(body, pointer) {
    return this._wasm.object("locate_object", requireText(body, "body"), requireText(pointer, "pointer"));
  }

  locateJson(body, pointer) {
    return this._wasm.text("locate", requireText(body, "body"), requireText(pointer, "pointer"));
  }

  comparePolicies(context) {
    return JSON.parse(this._wasm.text("compare_policies", json(context, "context")));
  }

  comparePoliciesJson(context) {
    return this._wasm.text("compare_policies", requireText(context, "context"));
  }

  decisions() {
    return this._wasm.object("decisions_object");
  }

  decisionsJson() {
    return this._wasm.text("decisions");
  }

  openapi() {
    return JSON.parse(this.openapiJson());
  }

  openapiJson() {
    return this._wasm.text("openapi");
  }

  batch(operation, bodies, context) {
    const { name, takeBody, isReport, takeContext } = batchCall(operation);
    const answers = this._wasm.batch(name, batchBodies(bodies, takeBody), takeContext(context)).map((text) => JSON.parse(text));
    return isReport ? answers.map((report) => this._localize(report, context?.messages)) : answers;
  }

  batchJson(operation, bodies, context) {
    const { name, takeContextJson } = batchCall(operation);
    return this._wasm.batch(name, batchBodies(bodies, requireText), takeContextJson(context));
  }
}
