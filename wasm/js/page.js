// The engine of `payspec/checkout`: that of the full package, with the texts of reports from a table.

import { Engine as EngineBase } from "./engine_base.js";
import { addTexts, catalogue } from "./texts.js";

export { PayspecError, version } from "./engine_base.js";

export class Engine extends EngineBase {
  // A build would shorten the name.
  static name = "Engine";

  validateRequestJson(body, more) {
    return JSON.stringify(addTexts(JSON.parse(super.validateRequestJson(body, more)), body));
  }

  cardInfo(digits) {
    return JSON.parse(this.cardInfoJson(digits));
  }

  rules() {
    this._wasm.check();
    return catalogue();
  }

  rulesJson() {
    return JSON.stringify(this.rules());
  }

  /** Returns a report, with the messages of the page if it has any. */
  _localize(report, messages, body) {
    return super._localize(addTexts(report, body), messages);
  }
}
