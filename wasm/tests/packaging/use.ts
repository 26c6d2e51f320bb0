// The same calls with types, under the strictest settings.

import { Engine, PayspecError, version, type CreateContext, type CreateOutcome, type CreateRequestInput } from "payspec";
import { Engine as CheckoutEngine, type Report } from "payspec/checkout";
import { parseExpiry } from "payspec/card";
import { message } from "payspec/messages/en";
import { message as messageInRussian } from "payspec/messages/ru";
import init, { Engine as SlimEngine } from "payspec/slim";

const body = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "JPY", amount: "1500.50" } satisfies CreateRequestInput;
const uid = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const context: CreateContext = { uid, now: new Date(0), authorization: "checked_by_caller" };

function callerError(): readonly [boolean, string, string] | undefined {
  try {
    // @ts-expect-error -- no policy has a colour
    new Engine({ colour: "blue" });
  } catch (error) {
    if (error instanceof PayspecError) return [true, error.code, error.path];
    throw error;
  }
  return undefined;
}

function total(outcome: CreateOutcome): string | undefined {
  return outcome.status === 201 ? outcome.body.total : undefined;
}

export async function use(): Promise<object> {
  const engine = new Engine();
  await init();
  const { violations }: Report = new CheckoutEngine().validateRequest(body);
  return {
    version,
    created: total(engine.createPayment({ ...body, amount: "1500" }, context)),
    rejected: engine.createPayment(body, context).status,
    callerError: callerError(),
    slim: new SlimEngine().checkTransition({ from: "completed", to: "routed" }).verdict,
    checkout: violations.map(({ code, path }) => `${code} ${path}`),
    scheme: new CheckoutEngine().cardInfo("2200").scheme,
    year: parseExpiry("12 / 27").year,
    messages: violations.flatMap((violation) => [message(violation), messageInRussian(violation)]),
  };
}
