// The operations that `payspec/checkout` has too, here with the full module: validation, cards, the catalogue of rules.

import { PayspecError } from "./error.js";
import { checkMessages, json, object, options, requireText, timestamp } from "./inputs.js";
import { WasmEngine } from "./wasm_engine.js";

export { PayspecError };
export { VERSION as version } from "./version.js";

export class Engine {
  /** The engine in WebAssembly. `_` marks what is private to the package. */
  _wasm;
  #messages;

  // A build would shorten the name.
  static name = "Engine";

  constructor(policy, more) {
    this.#messages = checkMessages(options(more, ["messages"]).messages);
    this._wasm = new WasmEngine(policy === undefined ? undefined : object(policy));
  }

  free() {
    this._wasm.free();
  }

  validateRequest(body, more) {
    const { now, messages } = options(more, ["now", "messages"], "now");
    return this._localize(JSON.parse(this._wasm.text("validate_request", json(body, "body"), timestamp(now))), messages);
  }

  validateRequestJson(body, more) {
    return this._wasm.text("validate_request", requireText(body, "body"), time(more));
  }

  isValidRequest(body, more) {
    return this._wasm.accepts("validate_request", json(body, "body"), time(more));
  }

  cardInfo(digits) {
    return JSON.parse(this.cardInfoJson(digits));
  }

  cardInfoJson(digits) {
    // Typed text may end in half a character, which is not a digit.
    const text = requireText(digits, "digits");
    return this._wasm.text("card_info", typeof text === "string" ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text);
  }

  rules() {
    return JSON.parse(this.rulesJson());
  }

  rulesJson() {
    return this._wasm.text("rules");
  }

  /** Returns a report, with the messages of the page if it has any. */
  _localize(report, messages) {
    checkMessages(messages);
    for (const violation of report.violations) {
      const message = ownMember(messages, violation.code) ?? ownMember(this.#messages, violation.code);
      if (typeof message === "function") violation.message = message(violation);
    }
    return report;
  }
}

if (Symbol.dispose) {
  Engine.prototype[Symbol.dispose] = Engine.prototype.free;
}

/** Returns a member that is not inherited. */
function ownMember(messages, code) {
  return messages && Object.hasOwn(messages, code) ? messages[code] : undefined;
}

/** Returns the timestamp of the options of a call. Without options, a verdict takes 2 % less time. */
const time = (more) => (more === undefined ? undefined : timestamp(options(more, ["now"], "now").now));
