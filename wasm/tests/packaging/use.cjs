// The same calls with CommonJS.

const { Engine, PayspecError, version } = require("payspec");
const { Engine: CheckoutEngine } = require("payspec/checkout");
const { parseExpiry } = require("payspec/card");
const { message } = require("payspec/messages/en");
const { message: messageInRussian } = require("payspec/messages/ru");
const { default: init, Engine: SlimEngine } = require("payspec/slim");

const body = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "JPY", amount: "1500.50" };
const context = { uid: "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", now: new Date(0), authorization: "checked_by_caller" };

function callerError() {
  try {
    new Engine({ colour: "blue" });
  } catch (error) {
    return [error instanceof PayspecError, error.code, error.path];
  }
}

exports.use = async function use() {
  const engine = new Engine();
  await init();
  const { violations } = new CheckoutEngine().validateRequest(body);
  return {
    version,
    created: engine.createPayment({ ...body, amount: "1500" }, context).body.total,
    rejected: engine.createPayment(body, context).status,
    callerError: callerError(),
    slim: new SlimEngine().checkTransition({ from: "completed", to: "routed" }).verdict,
    checkout: violations.map(({ code, path }) => `${code} ${path}`),
    scheme: new CheckoutEngine().cardInfo("2200").scheme,
    year: parseExpiry("12 / 27").year,
    messages: violations.flatMap((violation) => [message(violation), messageInRussian(violation)]),
  };
};
