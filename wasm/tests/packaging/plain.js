// The same calls on a page without a bundler: addresses of files instead of names.

import { Engine, version } from "/node_modules/payspec/index.js";
import { Engine as CheckoutEngine } from "/node_modules/payspec/checkout.js";
import { cardInfo } from "/node_modules/payspec/card.js";
import { language } from "/node_modules/payspec/messages/ru.js";
import init, { Engine as SlimEngine } from "/node_modules/payspec/slim.js";

const engine = new Engine();
await init();
globalThis.result = {
  version,
  states: engine.states().states.length,
  slim: new SlimEngine().checkTransition({ from: "completed", to: "routed" }).verdict,
  schemes: [new CheckoutEngine().cardInfo("2200").scheme, cardInfo("2200").scheme],
  language,
};
