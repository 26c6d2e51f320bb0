// What a page needs before it sends: validation, cards, the catalogue of rules.

import { Handle } from "./door.js";
import { given, instant, json, object, options, texts } from "./values.js";
import { PayspecError } from "./error.js";

export { PayspecError };
export { VERSION as version } from "./version.js";

export class Engine {
  /** The way to WebAssembly: `_` says that it is the package's own. */
  _door;
  #messages;

  // A build would shorten it.
  static name = "Engine";

  constructor(policy, own) {
    this.#messages = texts(options(own, "messages").messages);
    this._door = new Handle(policy === undefined ? undefined : object(policy, "policy"));
  }

  free() {
    this._door.free();
  }

  validateRequest(body, more) {
    const { now, messages } = options(more, "now");
    return this._told(this._door.text("validate_request", json(body, "body"), instant(now)), messages);
  }

  validateRequestJson(body, more) {
    return this._door.text("validate_request", given(body, "body"), instant(options(more, "now").now));
  }

  isValidRequest(body, more) {
    return this._door.accepts("validate_request", json(body, "body"), instant(options(more, "now").now));
  }

  cardInfo(digits) {
    return JSON.parse(this.cardInfoJson(digits));
  }

  cardInfoJson(digits) {
    // What somebody types may end in half a character: no digit, like any other.
    const text = given(digits, "digits");
    return this._door.text("card_info", typeof text === "string" ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text);
  }

  rules() {
    return JSON.parse(this.rulesJson());
  }

  rulesJson() {
    return this._door.text("rules");
  }

  /** A report as an object, in the page's own words where it has some. */
  _told(text, messages) {
    texts(messages);
    const report = JSON.parse(text);
    for (const violation of report.violations) {
      const say = own(messages, violation.code) ?? own(this.#messages, violation.code);
      if (typeof say === "function") violation.message = say(violation);
    }
    return report;
  }
}

if (Symbol.dispose) {
  Engine.prototype[Symbol.dispose] = Engine.prototype.free;
}

/** A member of the page's own, and nothing that it inherits. */
function own(messages, code) {
  return messages && Object.hasOwn(messages, code) ? messages[code] : undefined;
}
