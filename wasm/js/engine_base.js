// The operations that `payspec/checkout` has too, here with the full module: validation, cards, the catalogue of rules.

import { PayspecError } from "./error.js";
import { json, object, options, requireText, timeOf, timestamp } from "./inputs.js";
import { checkMessages, localize } from "./localize.js";
import { requestSchema } from "./request_schema.js";
import { WasmEngine } from "./wasm_engine.js";

export { PayspecError };
export { VERSION as version } from "./version.js";

export class Engine {
  /** The engine in WebAssembly. `_` marks what is private to the package. */
  _wasm;
  #messages;
  #requestSchema;

  // A build would shorten the name.
  static name = "Engine";

  constructor(policy, more) {
    this.#messages = checkMessages(options(more, ["messages"]).messages);
    this._wasm = new WasmEngine(policy === undefined ? undefined : object(policy).takeJson());
  }

  free() {
    this._wasm.free();
  }

  /** The schema of requests, the same object for each access. */
  get requestSchema() {
    return (this.#requestSchema ??= requestSchema(this));
  }

  validateRequest(body, more) {
    const { now, messages } = options(more, ["now", "messages"], "now");
    return this._localize(this._wasm.report(json(body, "body"), timestamp(now)), messages);
  }

  validateRequestJson(body, more) {
    return this._wasm.text("validate_request", requireText(body, "body"), timeOf(more));
  }

  isValidRequest(body, more) {
    return this._wasm.accepts("validate_request", json(body, "body"), timeOf(more));
  }

  cardInfo(digits) {
    return this._wasm.object("card_info_object", typedDigits(digits));
  }

  cardInfoJson(digits) {
    return this._wasm.text("card_info", typedDigits(digits));
  }

  rules() {
    return this._wasm.object("rules_object");
  }

  rulesJson() {
    return this._wasm.text("rules");
  }

  /** Returns a report, with the messages of the page if it has any. */
  _localize(report, messages) {
    return localize(report, messages, this.#messages);
  }
}

/** Returns digits as text. Typed text may end in half a character, which is not a digit. */
function typedDigits(digits) {
  const text = requireText(digits, "digits");
  return typeof text === "string" ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text;
}

if (Symbol.dispose) {
  Engine.prototype[Symbol.dispose] = Engine.prototype.free;
}
