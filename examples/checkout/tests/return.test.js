// Tests whose name the page of a payment shows, and where it leads the payer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MERCHANT, gateway, pay, reaches, shows, visit } from "./support.js";

const shop = gateway({ demonstration: false });
const NAME = "Anna's <b>Tea</b>";
const ORDER = "https://shop.example:8443/orders/1007?paid=1";

/** Creates a payment as the merchant's server does, ends it, and returns the address of its page. */
async function end(redirect_url, ...words) {
  const token = await shop.run("token", "new", "--merchant", MERCHANT, "--quiet");
  const body = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50", redirect_url };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(new URL("/v1/payments/new", shop.base), { method: "POST", headers, body: JSON.stringify(body) });
  const payment = await response.json();
  assert.equal(response.status, 201, JSON.stringify(payment));
  await shop.advance(payment.uid, ...words);
  return payment.url;
}

/** Creates a session as the merchant's server does. */
async function session(more) {
  const token = await shop.run("token", "new", "--merchant", MERCHANT, "--quiet");
  const body = JSON.stringify({ amount: "990.50", currency: "RUB", order: `order-${Math.random()}`, ...more });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(new URL("/checkout/sessions", shop.base), { method: "POST", headers, body });
  return { status: response.status, ...(await response.json()) };
}

const links = (page) => page.locator("[data-actions] a").evaluateAll((all) => all.map(({ href, innerText }) => `${innerText.replace("\n", " ")}: ${href}`));
const name = (page) => page.locator("#payment [data-shop]");

/** Opens the page of an ended payment, and waits until all is shown. */
const opens = (address, heading, work) =>
  visit(address, async (page) => {
    await reaches(page, heading);
    // Links and names are shown together.
    await shows(name(page), /./);
    await work(page);
  });

test("leads nowhere if the operator has registered no origin", async () => {
  for (const [words, heading] of [[["completed"], "Payment completed"], [["fail", "--fail-by", "bank", "--fail-code", "insufficient_funds"], "Payment failed"]]) {
    await opens(await end("https://evil.example/login", ...words), heading, async (page) => {
      assert.deepEqual(await links(page), []);
      await shows(name(page), MERCHANT, "without a name, the merchant of the token");
    });
  }
});

test("shows the registered name as text, and leads to registered origins with their host", async () => {
  await shop.run("merchant", "--merchant", MERCHANT, "--name", NAME, "--add-origin", "https://shop.example:8443");
  await opens(await end(ORDER, "completed"), "Payment completed", async (page) => {
    assert.deepEqual(await links(page), [`Back to the shop shop.example:8443: ${ORDER}`]);
    await shows(name(page), NAME);
    assert.equal(await page.title(), `Payment completed · ${NAME}`);
    assert.equal(await page.locator("#payment b").count(), 0);
  });
  await opens(await end(ORDER, "fail", "--fail-by", "bank", "--fail-code", "insufficient_funds"), "Payment failed", async (page) => {
    assert.deepEqual(await links(page), [`Try again shop.example:8443: ${ORDER}`]);
  });
  for (const other of [
    "https://shop.example/orders/1007",
    "http://shop.example:8443/",
    "https://shop.example.evil.example:8443/",
    "https://evil.example/https://shop.example:8443/",
    "https://sub.shop.example:8443/",
  ]) {
    await opens(await end(other, "completed"), "Payment completed", async (page) => assert.deepEqual(await links(page), [], other));
  }
  // Not for ever.
  const address = await end(ORDER, "completed");
  await shop.run("merchant", "--merchant", MERCHANT, "--remove-origin", "https://shop.example:8443");
  await opens(address, "Payment completed", async (page) => assert.deepEqual(await links(page), []));
});

test("leads from a session to the address that the merchant has chosen for it", async () => {
  assert.equal((await session({ redirect_url: ORDER })).status, 422);
  await shop.run("merchant", "--merchant", MERCHANT, "--name", NAME, "--add-origin", "https://shop.example:8443");
  const { url } = await session({ redirect_url: ORDER });
  await visit(url, async (page) => {
    const shown = page.locator("#checkout [data-shop]", { hasText: NAME });
    await shown.waitFor();
    assert.equal(await shown.textContent(), NAME);
    await page.getByLabel("SBP").check();
    await pay(page).click();
    await reaches(page, "Payment sent");
    await shop.advance(new URL(page.url()).pathname.split("/").at(-1), "completed");
    await reaches(page, "Payment completed");
    await page.getByRole("link", { name: "Back to the shop" }).waitFor();
    assert.deepEqual(await links(page), [`Back to the shop shop.example:8443: ${ORDER}`]);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/return.png`, fullPage: true });
  });
  await shop.run("merchant", "--merchant", MERCHANT, "--remove-origin", "https://shop.example:8443");
});

test("shows no payment to a visitor who has its uid alone", async () => {
  const address = new URL(await end(ORDER, "completed"));
  for (const search of ["", "?view=", `?view=${"0".repeat(32)}`, "?session=x"]) {
    address.search = search;
    await visit(address.href, async (page) => {
      await reaches(page, "No such payment");
      await page.waitForTimeout(300);
      assert.deepEqual(await links(page), []);
    }, { expected: /status of 404/ });
  }
});

test("creates payments for the merchant of the session alone, whatever a script in the page sends", async () => {
  const { id, url } = await session({});
  const before = shop.stored().toString("latin1").split('"payment_type"').length;
  await visit(url, async (page) => {
    const statuses = await page.evaluate(async (session) => {
      const body = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50" };
      const attacks = [{ merchant_id: "shop-7" }, { callback: "http://127.0.0.1:9/" }, { amount: "1.00" }, { payment_type: "pay_out" }, { redirect_url: "https://evil.example/" }];
      const send = (more) => fetch("api/payments", { method: "POST", body: JSON.stringify({ ...body, ...more }), headers: { "content-type": "application/json", "checkout-session": session } });
      return Promise.all(attacks.map(async (more) => (await send(more)).status));
    }, id);
    assert.deepEqual(statuses, [422, 422, 422, 422, 422]);
  }, { expected: /status of 422/ });
  assert.equal(shop.stored().toString("latin1").split('"payment_type"').length, before);
  // Nor does the token of a merchant create payments for another.
  const token = await shop.run("token", "new", "--merchant", MERCHANT, "--quiet");
  const body = JSON.stringify({ payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50", merchant_id: "shop-7" });
  const response = await fetch(new URL("/v1/payments/new", shop.base), { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, body });
  const problem = await response.json();
  assert.deepEqual([response.status, problem.violations.map(({ code }) => code)], [422, ["merchant_not_allowed"]]);
});
