import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSandbox } from "payspec/sandbox";

let sandbox;
before(async () => { sandbox = await createSandbox(); });
after(() => sandbox.close()); // ends the program

test("a declined payment", async (context) => {
  const merchant = await sandbox.merchant(context.name);
  const headers = { authorization: `Bearer ${merchant.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "7003" });
  const created = await fetch(`${merchant.api}/v1/payments/new`, { method: "POST", headers, body });
  const { uid } = await created.json();
  await merchant.advance(2); // seconds
  const payment = await (await fetch(`${merchant.api}/v1/payments/${uid}/status`, { headers })).json();
  assert.equal(payment.fail_code, "insufficient_funds");
});
