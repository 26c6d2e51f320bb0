// The engine of `payspec/checkout`: that of the full package, with JSON texts of objects that the module does not write.

import { Engine as EngineBase } from "./engine_base.js";
import { requireText, timeOf } from "./inputs.js";

export { PayspecError, version } from "./engine_base.js";

export class Engine extends EngineBase {
  // A build would shorten the name.
  static name = "Engine";

  validateRequestJson(body, more) {
    return JSON.stringify(this._wasm.report(requireText(body, "body"), timeOf(more)));
  }

  cardInfo(digits) {
    return JSON.parse(this.cardInfoJson(digits));
  }

  rulesJson() {
    return JSON.stringify(this.rules());
  }
}
