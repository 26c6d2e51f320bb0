// All operations. The names and their order are those of the core's table; a test compares them.

import { Engine as Checkout } from "./checkout.js";
import { given, json, optional, options } from "./values.js";

export { PayspecError, version } from "./checkout.js";

export class Engine extends Checkout {
  static name = "Engine";

  /** The policy in force, defaults written out. */
  policy() {
    return this._door.policy();
  }

  createPayment(body, context) {
    return JSON.parse(this._door.text("create_payment", json(body, "body"), json(context, "context")));
  }

  createPaymentJson(body, context) {
    return this._door.text("create_payment", given(body, "body"), given(context, "context"));
  }

  readPayment(context) {
    return JSON.parse(this._door.text("read_payment", json(context, "context")));
  }

  readPaymentJson(context) {
    return this._door.text("read_payment", given(context, "context"));
  }

  readBalance(context) {
    return JSON.parse(this._door.text("read_balance", json(context, "context")));
  }

  readBalanceJson(context) {
    return this._door.text("read_balance", given(context, "context"));
  }

  checkPayment(body, more) {
    const { request, messages } = options(more, "request");
    const asked = request == null ? undefined : json(request, "request");
    return this._told(this._door.text("check_payment", json(body, "body"), asked), messages);
  }

  checkPaymentJson(body, more) {
    return this._door.text("check_payment", given(body, "body"), optional(options(more, "request").request, "request"));
  }

  fieldCurrencies(body) {
    return JSON.parse(this._door.text("field_currencies", json(body, "body")));
  }

  fieldCurrenciesJson(body) {
    return this._door.text("field_currencies", given(body, "body"));
  }

  convert(context) {
    return JSON.parse(this._door.text("convert", json(context, "context")));
  }

  convertJson(context) {
    return this._door.text("convert", given(context, "context"));
  }

  advancePayment(context) {
    return JSON.parse(this._door.text("advance_payment", json(context, "context")));
  }

  advancePaymentJson(context) {
    return this._door.text("advance_payment", given(context, "context"));
  }

  checkTransition(context) {
    return JSON.parse(this._door.text("check_transition", json(context, "context")));
  }

  checkTransitionJson(context) {
    return this._door.text("check_transition", given(context, "context"));
  }

  states() {
    return JSON.parse(this.statesJson());
  }

  statesJson() {
    return this._door.text("states");
  }

  checkIdempotency(context) {
    return JSON.parse(this._door.text("check_idempotency", json(context, "context")));
  }

  checkIdempotencyJson(context) {
    return this._door.text("check_idempotency", given(context, "context"));
  }

  fingerprintRequest(body) {
    return JSON.parse(this._door.text("fingerprint_request", json(body, "body")));
  }

  fingerprintRequestJson(body) {
    return this._door.text("fingerprint_request", given(body, "body"));
  }

  authorize(header) {
    return JSON.parse(this.authorizeJson(header));
  }

  authorizeJson(header) {
    return this._door.text("authorize", optional(header, "header"));
  }

  upgradeRequest(kind, body) {
    return JSON.parse(this._door.text("upgrade_request", given(kind, "kind"), json(body, "body")));
  }

  upgradeRequestJson(kind, body) {
    return this._door.text("upgrade_request", given(kind, "kind"), given(body, "body"));
  }

  upgradePayment(body) {
    return JSON.parse(this._door.text("upgrade_payment", json(body, "body")));
  }

  upgradePaymentJson(body) {
    return this._door.text("upgrade_payment", given(body, "body"));
  }

  downgradePayment(body) {
    return JSON.parse(this._door.text("downgrade_payment", json(body, "body")));
  }

  downgradePaymentJson(body) {
    return this._door.text("downgrade_payment", given(body, "body"));
  }

  redact(body) {
    return JSON.parse(this._door.text("redact", json(body, "body")));
  }

  redactJson(body) {
    return this._door.text("redact", given(body, "body"));
  }

  decisions() {
    return JSON.parse(this.decisionsJson());
  }

  decisionsJson() {
    return this._door.text("decisions");
  }

  openapi() {
    return JSON.parse(this.openapiJson());
  }

  openapiJson() {
    return this._door.text("openapi");
  }
}
